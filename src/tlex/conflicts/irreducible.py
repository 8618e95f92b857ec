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
        for link in kept
    }
    own = [(2 * new, old not in instants, 2 * new + 1) for old, new in place.items()]
    for link in tuple(kept):
        fewer = [other for other in kept if other != link]
        tried = own + [row for other in fewer for row in rows[other]]
        if not _is_consistent(tried, 2 * len(place)):
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
