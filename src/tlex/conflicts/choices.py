"""Minimum hitting sets without a solver: a problem is made smaller, and what is left is tried.

That is enough for nearly all documents. Links are bits here, the first link's bit being the
highest, and conflicts are numbers. So of choices that cost the same, the smaller number keeps more
of the first links.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from math import inf

__all__ = ["TRIES", "choose_quickly", "find_candidates"]

TRIES = 300
"""How many partial choices are looked at, usually."""

_MANY = 8
"""A partial choice counts once more for each so many conflicts that are open."""


def choose_quickly(
    known: Iterable[Collection[int]],
    costs: Mapping[int, int],
    ranks: Mapping[int, int] | None,
    tries: int = TRIES,
) -> tuple[int, ...] | None:
    """Find the minimum hitting set that keeps the first links it can; None if that takes long.

    ``known`` are the conflicts, and ``ranks`` is the order of their links. Without it any minimum
    hitting set comes back, which takes less. At most so many partial choices are tried; fewer if
    there are many conflicts.
    """
    links, problem, sets = _encode(known, costs, ranks)
    chosen, rest = problem.simplify(sets)
    for piece in _split(rest):
        found, tries = problem.try_choices(piece, tries)
        if found is None:
            return None
        chosen |= found
    return tuple(sorted(links[number] for number in _list_places(chosen)))


def find_candidates(
    known: Iterable[Collection[int]], costs: Mapping[int, int], ranks: Mapping[int, int]
) -> frozenset[int]:
    """Find the links of which the minimum hitting set that keeps the first links may consist."""
    links, problem, sets = _encode(known, costs, ranks)
    chosen, rest = problem.simplify(sets)
    for conflict in rest:
        chosen |= conflict
    return frozenset(links[number] for number in _list_places(chosen))


def _encode(
    known: Iterable[Collection[int]], costs: Mapping[int, int], ranks: Mapping[int, int] | None
) -> tuple[list[int], _Problem, list[int]]:
    """Give the links by the places of their bits, their costs, and conflicts as numbers."""
    sets = {frozenset(conflict) for conflict in known}
    links = sorted(frozenset().union(*sets), key=None if ranks is None else ranks.__getitem__)
    links.reverse()
    bits = {link: 1 << number for number, link in enumerate(links)}
    problem = _Problem([costs[link] for link in links], ordered=ranks is not None)
    return links, problem, [sum([bits[link] for link in conflict]) for conflict in sets]


class _Problem:
    """The costs of links, by the places of their bits; ``ordered`` if their order matters."""

    def __init__(self, costs: list[int], *, ordered: bool) -> None:
        self._costs = costs
        self._ordered = ordered
        self._unit = costs[0] if costs and len(set(costs)) == 1 else 0

    def simplify(self, sets: Iterable[int]) -> tuple[int, list[int]]:
        """Make a problem smaller; return links that the answer has, and what is left to decide.

        A conflict that contains another one is met with it. A link is not in the answer if all its
        conflicts have another link in common that costs less, or as much and comes later (or
        anywhere, if the order does not matter). A conflict of one link leaves no choice.
        """
        forced = 0
        rest = _drop_wider(sets)
        while True:
            single = 0
            for conflict in rest:
                if not conflict & (conflict - 1):
                    single |= conflict
            forced |= single
            rest = [conflict for conflict in rest if not conflict & single]
            needless = self._find_needless(rest)
            if not needless:
                return forced, rest
            rest = _drop_wider([conflict & ~needless for conflict in rest])

    def _find_needless(self, sets: list[int]) -> int:
        """Find links that the answer does not have: another one meets as many conflicts for less.

        Of links in the same conflicts one is left.
        """
        common: dict[int, int] = {}  # the links that are in all conflicts of a link
        for conflict in sets:
            for place in _list_places(conflict):
                common[place] = common.get(place, conflict) & conflict
        needless = 0
        for place, shared in common.items():
            own = 1 << place
            others = shared ^ own
            if not others:
                continue
            if self._unit and (self._ordered or others & -others < own):
                needless |= own if others & -others < own else 0
            elif any(
                self._is_better(other, place, alike=common[other] & own > 0)
                for other in _list_places(others)
            ):
                needless |= own
        return needless

    def _is_better(self, one: int, other: int, *, alike: bool) -> bool:
        """Whether a link that meets the same conflicts is better; ``alike``: it meets no others."""
        mine, its = self._costs[one], self._costs[other]
        return mine < its or (mine == its and (one < other or not (self._ordered or alike)))

    def try_choices(self, sets: list[int], tries: int) -> tuple[int | None, int]:
        """Try all choices that may be best; return the best one, and how many tries are left."""
        sets = sorted(sets, key=int.bit_count)
        costs = self._costs
        best: tuple[float, float] = (inf, inf)
        stack = [(0, 0, 0, sets)]  # cost, chosen, forbidden, conflicts that are not met yet
        while stack:
            paid, chosen, forbidden, open_ = stack.pop()
            more, added = self._pack(open_, forbidden)
            if (paid + more, chosen + added if self._ordered else inf) >= best:
                continue
            if not open_:
                best = paid, chosen
                continue
            tries -= 1 + len(open_) // _MANY
            if tries < 0:
                return None, 0
            free = [one & ~forbidden for one in open_]
            options = [
                (sum(1 for other in free if other >> place & 1) / costs[place], place)
                for place in _list_places(min(free, key=int.bit_count))
            ]
            options.sort(key=lambda option: option[0])
            closed = forbidden
            branches = []
            for _, place in reversed(options):  # the most promising one is taken first
                one = 1 << place
                rest = [other for other in open_ if not other & one]
                branches.append((paid + costs[place], chosen | one, closed, rest))
                closed |= one
            stack += reversed(branches)
        return (int(best[1]) if best[0] < inf else None), tries

    def _pack(self, sets: list[int], forbidden: int) -> tuple[float, int]:
        """Lower bounds of the cost and of the number that a choice for these conflicts adds.

        Conflicts that have no link in common are paid one by one, and each adds at least its last
        link. If a conflict has no link that is not forbidden, there is no way to meet it.
        """
        used = bound = number = 0
        for one in sets:
            free = one & ~forbidden
            if not free:
                return inf, 0
            if not one & used:
                used |= one
                bound += self._unit or min(self._costs[place] for place in _list_places(free))
                number += free & -free
        return bound, number


def _drop_wider(sets: Iterable[int]) -> list[int]:
    """Drop the conflicts that contain another one, and repeated ones."""
    in_order = sorted(set(sets), key=lambda one: (one.bit_count(), one))
    inside = [_list_places(conflict) for conflict in in_order]
    holding: dict[int, int] = {}  # the conflicts of each link, as bits
    for number, places in enumerate(inside):
        own = 1 << number
        for place in places:
            holding[place] = holding.get(place, 0) | own
    wider = 0
    for number, places in enumerate(inside):
        own = 1 << number
        if places and not wider & own:
            containing = holding[places[0]]
            for place in places:
                containing &= holding[place]
            wider |= containing ^ own
    if not wider:
        return in_order
    return [conflict for number, conflict in enumerate(in_order) if not wider >> number & 1]


def _split(sets: list[int]) -> Iterator[list[int]]:
    """Split conflicts into pieces that share no link."""
    pieces: list[tuple[int, list[int]]] = []
    for conflict in sets:
        touching = [piece for piece in pieces if piece[0] & conflict]
        if touching:
            pieces = [piece for piece in pieces if not piece[0] & conflict]
        mask, inside = conflict, [conflict]
        for other, more in touching:
            mask |= other
            inside += more
        pieces.append((mask, inside))
    return (inside for _, inside in pieces)


@lru_cache(1 << 12)
def _list_places(number: int) -> tuple[int, ...]:
    """List the places of the bits of a number, the lowest first."""
    places = []
    while number:
        lowest = number & -number
        places.append(lowest.bit_length() - 1)
        number ^= lowest
    return tuple(places)
