"""The part of a graph in which it contradicts itself, which is often small."""

from __future__ import annotations

from collections.abc import Collection
from itertools import compress

from tlex.points.graphs import PointGraph
from tlex.points.union_find import merge_equal

__all__ = ["find_stuck", "leave_out", "narrow", "weigh"]


def leave_out(points: PointGraph, removed: Collection[int], *, copy: bool = False) -> PointGraph:
    """Give a graph without the constraints of some links; always a new one if ``copy``."""
    if not removed and not copy:
        return points
    gone = frozenset(removed)
    less = [link not in gone for link in points.less_link]
    equal = [link not in gone for link in points.equal_link]
    return _select(points, less, equal)


def narrow(points: PointGraph) -> PointGraph | None:
    """Leave out what stands before or after all contradictory closed walks; None if there are none.

    All these walks are left, and what lies between them. Points are numbered anew, in their order.
    Linear.
    """
    compound, size = merge_equal(points)
    left = [compound[point] for point in points.less_left]
    right = [compound[point] for point in points.less_right]
    stuck = find_stuck(left, right, size)
    if stuck is None:
        return None
    inside = [stuck[number] for number in compound]
    place = [0] * points.size
    count = 0
    for point in compress(range(points.size), inside):
        place[point] = count
        count += 1
    less = [
        inside[left] and inside[right]
        for left, right in zip(points.less_left, points.less_right, strict=True)
    ]
    equal = [inside[left] for left in points.equal_left]
    return _select(points, less, equal, place, count)


def weigh(points: PointGraph) -> int:
    """Count the things that one look at a graph has to look at."""
    return points.size + len(points.less_link) + len(points.equal_link)


def _select(
    points: PointGraph,
    less: list[bool],
    equal: list[bool],
    place: list[int] | None = None,
    size: int | None = None,
) -> PointGraph:
    """Give a graph with some of its constraints; ``place`` has the new numbers of the points."""
    ends = [
        list(compress(points.less_left, less)),
        list(compress(points.less_right, less)),
        list(compress(points.equal_left, equal)),
        list(compress(points.equal_right, equal)),
    ]
    if place is not None:
        ends = [[place[point] for point in column] for column in ends]
    less_left, less_right, equal_left, equal_right = ends
    return PointGraph(
        size=points.size if size is None else size,
        less_left=less_left,
        less_right=less_right,
        less_link=list(compress(points.less_link, less)),
        equal_left=equal_left,
        equal_right=equal_right,
        equal_link=list(compress(points.equal_link, equal)),
        cuts=points.cuts if size is None else (0, size),
    )


def find_stuck(left: list[int], right: list[int], size: int) -> list[bool] | None:
    """Find the nodes on cycles of a graph, or between cycles; None if there are none.

    Its edges go from ``left`` to ``right``. Linear.
    """
    stuck = [True] * size
    if _peel(left, right, stuck) == size:
        return None
    # Now stuck is what cycles lead to. Its edges lead to nothing else.
    inside = [stuck[number] for number in left]
    _peel(list(compress(right, inside)), list(compress(left, inside)), stuck)
    return stuck


def _peel(left: list[int], right: list[int], stuck: list[bool]) -> int:
    """Take away nodes to which no edge leads, one after the other; return how many these are."""
    following: list[list[int]] = [[] for _ in stuck]
    waiting = [0] * len(stuck)
    for one, other in zip(left, right, strict=True):
        following[one].append(other)
        waiting[other] += 1
    free = [number for number, count in enumerate(waiting) if stuck[number] and not count]
    for number in free:
        stuck[number] = False
        for other in following[number]:
            waiting[other] -= 1
            if not waiting[other]:
                free.append(other)
    return len(free)
