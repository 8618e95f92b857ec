"""Which compounds precede which, for many questions at once."""

from __future__ import annotations

from collections.abc import Collection

from tlex.points.graphs import CompoundGraph, Steps

__all__ = ["find_preceding"]

_BITS = 4096
"""How many goals are looked for at once: a bit each."""


def find_preceding(
    graph: CompoundGraph, steps: Steps, pairs: Collection[tuple[int, int]]
) -> set[tuple[int, int]]:
    """Find the pairs of compounds whose first precedes its second in every timeline.

    One pass over the graph for each few thousand second compounds. The graph has no broken
    component.
    """
    downwards = sorted(range(graph.size), key=steps.earliest.__getitem__, reverse=True)
    successors = graph.successors
    goals = sorted({goal for _, goal in pairs})
    found: set[tuple[int, int]] = set()
    for first in range(0, len(goals), _BITS):
        bit = {goal: 1 << place for place, goal in enumerate(goals[first : first + _BITS])}
        reached = [0] * graph.size  # by each compound, itself among them
        for goal, own in bit.items():
            reached[goal] = own
        for number in downwards:
            here = reached[number]
            for after in successors[number]:
                here |= reached[after]
            reached[number] = here
        found.update(
            pair for pair in pairs if pair[0] != pair[1] and reached[pair[0]] & bit.get(pair[1], 0)
        )
    return found
