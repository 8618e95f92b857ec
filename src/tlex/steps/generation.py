"""Step 4, timeline generation (§3.5): the minimum normal form timeline."""

from __future__ import annotations

from tlex.graph import CompoundGraph, Steps

__all__ = ["generate_timeline"]


def generate_timeline(graph: CompoundGraph) -> Steps:
    """Put each compound on its earliest step, and find the latest one of the same length.

    The earliest step is 1 + the longest chain of ``<`` below: the step at which the paper's
    Algorithm 2 frees it. Along the topological order of step 3 both directions take one pass
    over the edges, without the queue.
    """
    successors, order = graph.successors, graph.order
    earliest = [1] * graph.size
    for number in order:
        step = earliest[number] + 1
        for after in successors[number]:
            if earliest[after] < step:
                earliest[after] = step
    length = max(earliest)
    latest = [length] * graph.size
    for number in reversed(order):
        for after in successors[number]:
            if latest[after] <= latest[number]:
                latest[number] = latest[after] - 1
    return Steps(length, earliest, latest)
