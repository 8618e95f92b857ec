"""Step 4, timeline generation (§3.5): the minimum normal form timeline."""

from __future__ import annotations

from itertools import pairwise

from tlex.graph import CompoundGraph, Steps

__all__ = ["generate_timeline"]


def generate_timeline(graph: CompoundGraph) -> Steps:
    """Put each compound on its earliest step, and find the latest one of the same length.

    The earliest step is 1 + the longest chain of ``<`` below, which is the compound's layer in the
    order that step 3 found: layer by layer is how the paper's Algorithm 2 frees the points. The
    latest step is found backwards, in one pass over the edges.
    """
    earliest = [0] * graph.size
    for step, layer in enumerate(graph.layers, 1):
        for number in layer:
            earliest[number] = step
    lengths: list[int] = []
    latest: list[int] = []
    for first, end in pairwise(graph.cuts):
        length = max(earliest[first:end])
        lengths.append(length)
        latest += [length] * (end - first)
    successors = graph.successors
    for layer in reversed(graph.layers[:-1]):
        for number in layer:
            after = successors[number]
            if len(after) == 1:
                latest[number] = latest[after[0]] - 1
            elif after:
                latest[number] = min([latest[other] for other in after]) - 1
    return Steps(lengths, earliest, latest)
