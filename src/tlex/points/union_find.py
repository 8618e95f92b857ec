"""Union-find: groups of elements that pairs connect."""

from __future__ import annotations

from collections.abc import Sequence

from tlex.points.graphs import PointGraph

__all__ = ["join_pairs", "merge_equal"]

_LARGE = 1 << 14


def join_pairs(size: int, left: Sequence[int], right: Sequence[int]) -> list[int]:
    """Group the numbers below ``size`` by the pairs that connect them; return each one's parent.

    A parent is a smaller member of the same group. The smallest member is its own parent.
    Near-linear: paths are halved as they are walked.
    """
    root = list(range(size))
    for one, other in zip(left, right, strict=True):
        first, second = one, other
        while root[first] != first:
            root[first] = first = root[root[first]]
        while root[second] != second:
            root[second] = second = root[root[second]]
        if first < second:
            root[second] = first
        elif second < first:
            root[first] = second
    return root


def merge_equal(points: PointGraph) -> tuple[Sequence[int], int]:
    """Merge equal points into compounds; return each point's compound and the number of compounds.

    Compounds are numbered in the order of their first points.
    """
    if not points.equal_left:
        numbers = range(points.size)  # a list is quicker, but of a large graph it takes much memory
        return numbers if points.size > _LARGE else list(numbers), points.size
    root = join_pairs(points.size, points.equal_left, points.equal_right)
    compound = [0] * points.size
    size = 0
    for point, parent in enumerate(root):
        if parent == point:
            compound[point] = size
            size += 1
        else:
            compound[point] = compound[parent]
    return compound, size
