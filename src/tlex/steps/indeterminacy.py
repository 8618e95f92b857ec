"""Step 5, indeterminacy detection (§3.6): which stretches of the order are unknown."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tlex.points.graphs import CompoundGraph, Steps, Stretch, Unsettled

__all__ = ["SETTLED", "detect_indeterminacy"]

SETTLED = Unsettled([], [])
"""The result for a component whose compounds have only one order."""


def detect_indeterminacy(graph: CompoundGraph, steps: Steps) -> list[Unsettled]:
    """Find the tied steps and the sections of each component, without a table of pairs. O(n + m).

    A section is a connected component, of two or more compounds, of the graph whose edges are
    the indeterminate pairs. The boundary above step i is firm if every maximal compound of the
    steps up to i precedes every minimal one above. Between such a pair no path can take a detour,
    so it is enough to count direct edges: those from a compound whose nearest successor stands on
    step i + 1 to a compound on that step. Sections are the runs of steps between two firm
    boundaries that hold more than one compound.
    """
    broken = frozenset(graph.broken)
    return [
        SETTLED
        if length == end - first or component in broken
        else _detect(graph.successors[first:end], steps.earliest, first, length)
        for component, (length, (first, end)) in enumerate(
            zip(steps.lengths, pairwise(graph.cuts), strict=True)
        )
    ]


def _detect(
    successors: Sequence[Sequence[int]], earliest: list[int], first: int, length: int
) -> Unsettled:
    """Look at one component, whose compounds have the numbers from ``first`` on."""
    widths = [0] * (length + 1)  # how many compounds stand on a step
    for step in earliest[first : first + len(successors)]:
        widths[step] += 1
    closing, further = _count_nearest(successors, earliest, length)
    tied, sections = [], []
    start = size = maximal = 0
    for step in range(1, length + 1):
        width = widths[step]
        if width > 1:
            tied.append(step)
        if closing[step] + further[step] == maximal * width:  # the boundary below is firm
            if size > 1:
                sections.append(Stretch(start, step - 1, size))
            start, size = step, 0
        size += width
        maximal += width - closing[step]
    if size > 1:
        sections.append(Stretch(start, length, size))
    return Unsettled(tied, sections)


def _count_nearest(
    successors: Sequence[Sequence[int]], earliest: list[int], length: int
) -> tuple[list[int], list[int]]:
    """Count the edges from compounds to the step of their nearest successor, for each such step.

    The first list counts the compounds, and the second one how many edges they have besides.
    """
    closing = [0] * (length + 1)
    further = [0] * (length + 1)
    for after in successors:
        if len(after) == 1:
            closing[earliest[after[0]]] += 1
        elif after:
            nearest = length + 1
            for other in after:
                step = earliest[other]
                if step < nearest:
                    nearest, repeated = step, False
                elif step == nearest:
                    repeated = True
            closing[nearest] += 1
            if repeated:  # by several compounds, or by one that is named twice
                distinct = {other for other in after if earliest[other] == nearest}
                further[nearest] += len(distinct) - 1
    return closing, further
