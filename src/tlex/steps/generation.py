"""Step 4, timeline generation (§3.5): the minimum normal form timeline."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise

from tlex.points.graphs import LayeredGraph, Steps

__all__ = ["find_latest", "generate_timeline"]


def generate_timeline(graph: LayeredGraph) -> Steps:
    """Put each compound on its earliest step.

    It is 1 + the longest chain of ``<`` below, which is the compound's layer in the order that
    step 3 found: layer by layer is how the paper's Algorithm 2 frees the points.
    """
    earliest = [0] * graph.size
    for step, layer in enumerate(graph.layers, 1):
        for number in layer:
            earliest[number] = step
    lengths = [max(earliest[first:end]) for first, end in pairwise(graph.cuts)]
    return Steps(lengths, earliest)


def find_latest(graph: LayeredGraph, steps: Steps) -> Sequence[int]:
    """Find the latest step of each compound on a timeline of the same length: for slack.

    Neither the paper nor a later step needs it, so it is computed only when somebody looks at
    timelines. One pass backwards over the edges. The values of a broken component mean nothing.
    """
    latest = array("i")  # a list of 10^6 intervals would hold as many new numbers
    for length, (first, end) in zip(steps.lengths, pairwise(graph.cuts), strict=True):
        latest.extend(array("i", [length]) * (end - first))
    successors = graph.successors
    for layer in reversed(graph.layers[:-1]):
        for number in layer:
            after = successors[number]
            if len(after) == 1:
                latest[number] = latest[after[0]] - 1
            elif after:
                latest[number] = min([latest[other] for other in after]) - 1
    return latest
