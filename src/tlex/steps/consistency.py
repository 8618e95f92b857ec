"""Step 3, consistency checking (§3.4): equal points merge, and what remains has no cycle."""

from __future__ import annotations

from tlex.graph import CompoundGraph, PointGraph

__all__ = ["check_consistency"]


def check_consistency(points: PointGraph) -> CompoundGraph | None:
    """Merge equal points into compounds and order these; None if there is a contradiction.

    A ``<`` inside one compound, or a cycle of ``<`` between compounds, is a contradiction; the
    module `conflicts` then finds where. A topological order of all compounds, here in layers, is
    the proof that there is none. O(n + m): the paper's table of all pairs is not needed.
    """
    compound, size = merge_equal(points)
    successors: list[list[int]] = [[] for _ in range(size)]
    waiting = [0] * size
    if size == points.size:
        for left, right in zip(points.less_left, points.less_right, strict=True):
            successors[left].append(right)
            waiting[right] += 1
    else:
        for left, right in zip(points.less_left, points.less_right, strict=True):
            after = compound[right]
            successors[compound[left]].append(after)
            waiting[after] += 1
    layers = []
    layer = [number for number, count in enumerate(waiting) if not count]
    left_over = size
    while layer:
        layers.append(layer)
        left_over -= len(layer)
        following = []
        for number in layer:
            for after in successors[number]:
                waiting[after] -= 1
                if not waiting[after]:
                    following.append(after)
        layer = following
    return None if left_over else CompoundGraph(size, compound, successors, layers)


def merge_equal(points: PointGraph) -> tuple[list[int], int]:
    """Number the compounds in order of their first point; give each point's and their count."""
    if not points.equal_left:
        return list(range(points.size)), points.size
    root = list(range(points.size))
    for left, right in zip(points.equal_left, points.equal_right, strict=True):
        one, other = left, right
        while root[one] != one:
            root[one] = one = root[root[one]]
        while root[other] != other:
            root[other] = other = root[root[other]]
        if one < other:
            root[other] = one
        elif other < one:
            root[one] = other
    compound = [0] * points.size
    size = 0
    for point, parent in enumerate(root):
        if parent == point:
            compound[point] = size
            size += 1
        else:
            compound[point] = compound[parent]
    return compound, size
