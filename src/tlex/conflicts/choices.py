"""Minimum hitting sets: a problem is made smaller, and what is left is tried.

That is enough for nearly all documents. Where it is not, a solver gets what is left, which is a
much smaller problem than the whole. Links are bits here, the first link's bit being the highest,
and conflicts are numbers. So of choices that cost the same, the smaller number keeps more of the
first links.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from math import inf
from operator import or_

from tlex.conflicts.hitting import HittingSets
from tlex.conflicts.work import Work

__all__ = ["TRIES", "Choices", "choose_quickly"]

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
    return Choices(known, costs, ranks).choose(tries)


class Choices:
    """A problem that was made smaller; the arguments are those of `choose_quickly`."""

    def __init__(
        self,
        known: Iterable[Collection[int]],
        costs: Mapping[int, int],
        ranks: Mapping[int, int] | None,
    ) -> None:
        conflicts = list(known)
        inside: set[int] = set().union(*conflicts)
        links = sorted(inside, key=None if ranks is None else ranks.__getitem__, reverse=True)
        bits = {link: 1 << number for number, link in enumerate(links)}
        sets = {reduce(or_, map(bits.__getitem__, one), 0) for one in conflicts}
        self._links = links
        self._costs = costs
        self._ordered = ranks is not None
        self._problem = _Problem([costs[link] for link in links], ordered=ranks is not None)
        self._chosen, self._rest = self._problem.simplify(sets)

    @property
    def candidates(self) -> frozenset[int]:
        """The links of which the minimum hitting set that keeps the first links may consist."""
        return frozenset(self._list_links(reduce(or_, self._rest, self._chosen)))

    def choose(self, tries: int = TRIES, work: Work | None = None) -> tuple[int, ...] | None:
        """Find the minimum hitting set; None if that takes more tries.

        With a limit of ``work`` a solver is asked then; None if it reaches the limit.
        """
        chosen: list[int] = self._list_links(self._chosen)
        for piece in _split(self._rest):
            found, tries = self._problem.try_choices(piece, tries)
            links = self._ask_solver(piece, work) if found is None else self._list_links(found)
            if links is None:
                return None
            chosen += links
        return tuple(sorted(chosen))

    def _ask_solver(self, piece: list[int], work: Work | None) -> Sequence[int] | None:
        """Let a solver choose for some conflicts. Small ones come first; that is much faster."""
        if work is None:
            return None
        with HittingSets(self._costs, work) as solver:
            for conflict in sorted(piece, key=int.bit_count):
                solver.add(self._list_links(conflict))
            chosen = solver.choose()
            if chosen is not None and self._ordered:
                return solver.choose_first(self._links[::-1], chosen, self._links)
            return chosen

    def _list_links(self, bits: int) -> list[int]:
        return [self._links[place] for place in _list_places(bits)]


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
        left = _Conflicts(sets)
        forced = 0
        while True:
            forced |= left.drop_single()
            needless = self._find_needless(left)
            if not needless:
                return forced, left.list_open()
            left.leave_out(needless)

    def _find_needless(self, left: _Conflicts) -> list[int]:
        """Find links that the answer does not have: another one meets as many conflicts for less.

        Of links in the same conflicts one is left.
        """
        costs, holding, open_, ordered = self._costs, left.holding, left.open, self._ordered
        needless = []
        for place in left.take_affected():
            own = holding[place] & open_
            if not own:
                continue
            first = left.sets[(own & -own).bit_length() - 1]
            for other in _list_places(first):
                its = holding[other] & open_
                if own & its != own or costs[other] > costs[place] or other == place:
                    continue
                if costs[other] < costs[place] or other < place or not (ordered or its == own):
                    needless.append(place)
                    break
        return needless

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
                (sum([other >> place & 1 for other in free]) / costs[place], place)
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


class _Conflicts:
    """Conflicts that become fewer and smaller. What contains another one is dropped.

    ``sets`` are the conflicts by number, and ``open`` has a bit for each that is not dropped.
    ``holding`` has these bits for each link: the conflicts that it was in at first.
    """

    def __init__(self, sets: Iterable[int]) -> None:
        self.sets = sorted(sets)
        self.sets.sort(key=int.bit_count)
        self.open = (1 << len(self.sets)) - 1
        self._affecting = 0  # the conflicts that were dropped; -1 stands for all
        self.holding: dict[int, int] = {}
        for number, conflict in enumerate(self.sets):
            own = 1 << number
            for place in _list_places(conflict):
                self.holding[place] = self.holding.get(place, 0) | own
        self._changed: Sequence[int] = range(len(self.sets))
        self._drop_wider()
        self._affecting = -1

    def drop_single(self) -> int:
        """Return the links that are alone in a conflict, and drop all conflicts that have them."""
        single = 0
        for number in self._changed:
            conflict = self.sets[number]
            if not conflict & (conflict - 1) and self.open >> number & 1:
                single |= conflict
        for place in _list_places(single):
            self._drop(self.holding[place])
        return single

    def take_affected(self) -> Sequence[int]:
        """List the links of conflicts that were dropped since the last time; at first all links."""
        numbers, self._affecting = self._affecting, 0
        if numbers < 0:
            return list(self.holding)
        return _list_places(reduce(or_, map(self.sets.__getitem__, _list_places(numbers)), 0))

    def leave_out(self, places: Iterable[int]) -> None:
        """Leave out links."""
        touched = gone = 0
        for place in places:
            touched |= self.holding.pop(place)
            gone |= 1 << place
        self._changed = _list_places(touched & self.open)
        for number in self._changed:
            self.sets[number] &= ~gone
        self._drop_wider()

    def list_open(self) -> list[int]:
        """List what is left, small conflicts first."""
        return sorted(sorted(self.sets[n] for n in _list_places(self.open)), key=int.bit_count)

    def _drop_wider(self) -> None:
        """Drop the conflicts that contain one that has changed, or are the same."""
        holding, sets = self.holding, self.sets
        for number in self._changed:
            if self.open >> number & 1 and sets[number]:
                containing = self.open ^ 1 << number
                for place in _list_places(sets[number]):
                    containing &= holding[place]
                    if not containing:
                        break
                else:
                    self._drop(containing)

    def _drop(self, numbers: int) -> None:
        """Drop some conflicts."""
        self._affecting |= numbers & self.open
        self.open &= ~numbers


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
