"""Irreducible sets of links: take any one away, and the rest is consistent."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from tlex.points.graphs import OWN, PointConstraint

__all__ = ["find_only", "is_contradictory", "reduce_links"]

_BOTH = len(("one link", "the other"))

_CHAINS = 12
"""If links form more chains than this, it is not tried whether there is only one conflict."""


def reduce_links(
    constraints: Mapping[int, Sequence[PointConstraint]],
    links: Iterable[int],
    firm: Collection[int] = (),
) -> list[int]:
    """Shrink a contradictory set of links until each of them is needed, in document order.

    ``constraints`` are those of each link, as `group_by_link` gives them. A link is dropped if the
    rest is contradictory without it. A link that is needed once stays needed, because the rest only
    shrinks. So one check per link is enough; a check is linear in the size of the set.

    Links that form a chain are needed together or not at all, and are one check: without one of
    them the others hold nothing together. Most conflicts are a ring, which is a single chain and
    needs no check.

    ``firm`` are other links that hold in any case; the links contradict each other or these.
    """
    kept = sorted(links)
    instants = {left // 2 for left, _, _ in constraints[OWN]}
    chains = [[link] for link in kept]
    if not firm:
        chains = _find_chains({link: constraints[link] for link in kept}, instants)
    if len(chains) == 1:
        return kept
    rows, own = _number_anew(constraints, (*kept, *firm), instants)
    for chain in chains:
        gone = frozenset(chain)
        fewer = [other for other in kept if other not in gone]
        tried = own + [row for other in (*fewer, *firm) for row in rows[other]]
        if not _is_consistent(tried, 2 * len(own)):
            kept = fewer
    return kept


def find_only(
    constraints: Mapping[int, Sequence[PointConstraint]], links: Iterable[int]
) -> list[int]:
    """Find the only irreducible set among contradictory links, in document order.

    Empty if there are several, or if there are so many chains that the answer takes long. The links
    without which the rest is consistent are in every contradictory set. If they contradict each
    other, no irreducible set has more. ``constraints`` as for `reduce_links`.
    """
    kept = sorted(links)
    ends = {point // 2 for link in kept for point in constraints[link][0][::2]}
    if len(kept) - len(ends) > _CHAINS:  # two links are joined by an interval, or not at all
        return []
    instants = {left // 2 for left, _, _ in constraints[OWN]}
    chains = _find_chains({link: constraints[link] for link in kept}, instants)
    if len(chains) == 1:
        return kept
    if len(chains) > _CHAINS:
        return []
    rows, own = _number_anew(constraints, kept, instants)
    needed: list[int] = []
    for chain in chains:
        gone = frozenset(chain)
        fewer = own + [row for other in kept if other not in gone for row in rows[other]]
        if _is_consistent(fewer, 2 * len(own)):
            needed += chain
    if not needed or _is_consistent(own + [row for n in needed for row in rows[n]], 2 * len(own)):
        return []
    return sorted(needed)


def is_contradictory(
    constraints: Mapping[int, Sequence[PointConstraint]], links: Iterable[int]
) -> bool:
    """Whether some links contradict each other; ``constraints`` as for `reduce_links`."""
    instants = {left // 2 for left, _, _ in constraints[OWN]}
    rows, own = _number_anew(constraints, links, instants)
    return not _is_consistent(own + [row for some in rows.values() for row in some], 2 * len(own))


def _number_anew(
    constraints: Mapping[int, Sequence[PointConstraint]], links: Iterable[int], instants: set[int]
) -> tuple[dict[int, list[PointConstraint]], list[PointConstraint]]:
    """Give the constraints of links and those of their intervals, with few numbers for points."""
    place: dict[int, int] = {}
    rows = {
        link: [
            (
                2 * place.setdefault(left // 2, len(place)) + left % 2,
                strict,
                2 * place.setdefault(right // 2, len(place)) + right % 2,
            )
            for left, strict, right in constraints[link]
        ]
        for link in links
    }
    return rows, [(2 * new, old not in instants, 2 * new + 1) for old, new in place.items()]


def _find_chains(
    links: Mapping[int, Sequence[PointConstraint]], instants: set[int]
) -> list[list[int]]:
    """Group the links: two are in one chain if they alone touch an interval that both share.

    Without one link of a chain, the interval can be placed as the other one wants it, whatever else
    holds. So the other one is needless as well, and so on along the chain. An instant cannot be
    placed in every relation to something else. So a link that touches one is alone. Chains are in
    the order of their first links.
    """
    chain = {link: [link] for link in links}
    touching: dict[int, list[int]] = {}
    for link, rows in links.items():
        ends = rows[0][0] // 2, rows[0][2] // 2
        free = instants.isdisjoint(ends)
        for interval in ends:
            touching.setdefault(interval, []).append(link if free else OWN)
    for around in touching.values():
        if len(around) == _BOTH and OWN not in around:
            one, other = chain[around[0]], chain[around[1]]
            if one is not other:
                one += other
                for link in other:
                    chain[link] = one
    return list({id(group): group for group in chain.values()}.values())


def _is_consistent(rows: list[PointConstraint], size: int) -> bool:
    """Whether some constraints on so many points can all hold."""
    root = list(range(size))
    for left, strict, right in rows:
        if not strict:
            while root[left] != left:
                root[left] = left = root[root[left]]  # noqa: PLW2901
            while root[right] != right:
                root[right] = right = root[root[right]]  # noqa: PLW2901
            root[left] = right
    for point in range(size):
        top = point
        while root[top] != top:
            top = root[top]
        root[point] = top
    after: list[list[int]] = [[] for _ in range(size)]
    waiting = [0] * size
    for left, strict, right in rows:
        if strict:
            after[root[left]].append(root[right])
            waiting[root[right]] += 1
    free = [point for point, count in enumerate(waiting) if not count]
    for point in free:
        for other in after[point]:
            waiting[other] -= 1
            if not waiting[other]:
                free.append(other)
    return len(free) == size
