"""Step 5, indeterminacy detection (§3.6): which stretches of the order are open."""

from __future__ import annotations

from itertools import accumulate

from tlex.graph import CompoundGraph, Run, Steps, Unsettled

__all__ = ["detect_indeterminacy"]


def detect_indeterminacy(graph: CompoundGraph, steps: Steps) -> Unsettled:
    """Find the tied steps and the sections, without a table of pairs. O(n + m).

    A section is a connected component, of two or more compounds, of the graph whose edges are
    the indeterminate pairs. The boundary above step i is firm if every maximal compound of the
    steps up to i precedes every minimal one above. Between such a pair no path can take a detour,
    so it is enough to count direct edges: those from a compound whose nearest successor stands on
    step i + 1 to a compound on that step. Sections are the runs of steps between two firm
    boundaries that hold more than one compound.
    """
    length, earliest = steps.length, steps.earliest
    if length == graph.size:
        return Unsettled([], [])
    width = [0] * (length + 2)
    edges = [0] * (length + 2)
    opened = [0] * (length + 2)
    for number, after in enumerate(graph.successors):
        step = earliest[number]
        width[step] += 1
        opened[step] += 1
        if len(after) == 1:
            nearest = earliest[after[0]]
            edges[nearest] += 1
            opened[nearest] -= 1
        elif after:
            above = [earliest[other] for other in after]
            nearest = min(above)
            if above.count(nearest) == 1:
                edges[nearest] += 1
            else:
                edges[nearest] += len({other for other in after if earliest[other] == nearest})
            opened[nearest] -= 1
    maximal = list(accumulate(opened))
    sections = []
    first, size = 1, 0
    for step in range(1, length + 1):
        size += width[step]
        if step == length or edges[step + 1] == maximal[step] * width[step + 1]:
            if size > 1:
                sections.append(Run(first, step, size))
            first, size = step + 1, 0
    return Unsettled([step for step in range(1, length + 1) if width[step] > 1], sections)
