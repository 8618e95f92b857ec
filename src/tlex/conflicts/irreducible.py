"""Irreducible sets of links: take any one away, and the rest is consistent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tlex.points.graphs import OWN, PointConstraint

__all__ = ["reduce_links"]


def reduce_links(
    constraints: Mapping[int, Sequence[PointConstraint]], links: Iterable[int]
) -> list[int]:
    """Shrink a contradictory set of links until each of them is needed, in document order.

    ``constraints`` are those of each link, as `group_by_link` gives them. A link is dropped if the
    rest is contradictory without it. A link that is needed once stays needed, because the rest only
    shrinks. So one check per link is enough; a check is linear in the size of the set.

    Most conflicts are a ring of intervals, each linked to the next, and need no check: without one
    of its links a ring is a chain, and intervals can always be placed along a chain one by one.
    """
    instants = {left // 2 for left, _, _ in constraints[OWN]}
    kept = sorted(links)
    if _is_ring([constraints[link] for link in kept], instants):
        return kept
    for link in tuple(kept):
        fewer = [other for other in kept if other != link]
        if not _is_consistent([row for other in fewer for row in constraints[other]], instants):
            kept = fewer
    return kept


def _is_ring(links: list[Sequence[PointConstraint]], instants: set[int]) -> bool:
    """Whether each interval is touched by two links and each link by two intervals.

    The links come from one closed walk, so they hang together. An instant cannot be placed in
    every relation to something else, so it does not count.
    """
    degree: dict[int, int] = {}
    for rows in links:
        touched = {point // 2 for left, _, right in rows for point in (left, right)}
        if len(touched) == 1 or not instants.isdisjoint(touched):
            return False
        for interval in touched:
            degree[interval] = degree.get(interval, 0) + 1
    return len(degree) == len(links) and set(degree.values()) == {2}


def _is_consistent(rows: list[PointConstraint], instants: set[int]) -> bool:
    """Whether some constraints and the own ones of the intervals they touch can all hold."""
    touched = {point // 2 for left, _, right in rows for point in (left, right)}
    own = [(2 * i, i not in instants, 2 * i + 1) for i in touched]
    root = {point: point for i in touched for point in (2 * i, 2 * i + 1)}

    def find(point: int) -> int:
        while root[point] != point:
            root[point] = point = root[root[point]]
        return point

    everything = own + rows
    for left, strict, right in everything:
        if not strict:
            root[find(left)] = find(right)
    after: dict[int, list[int]] = {find(point): [] for point in root}
    waiting = dict.fromkeys(after, 0)
    for left, strict, right in everything:
        if strict:
            after[find(left)].append(find(right))
            waiting[find(right)] += 1
    free = [point for point, count in waiting.items() if not count]
    for point in free:
        for other in after[point]:
            waiting[other] -= 1
            if not waiting[other]:
                free.append(other)
    return len(free) == len(after)
