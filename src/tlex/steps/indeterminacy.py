"""Step 5, indeterminacy detection (§3.6): which stretches of the order are open."""

from __future__ import annotations

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
    closing = [0] * (length + 2)  # how many compounds have their nearest successor on a step
    further = [0] * (length + 2)  # how many more edges lead from these to that step
    for after in graph.successors:
        if len(after) == 1:
            closing[earliest[after[0]]] += 1
        elif after:
            above = [earliest[other] for other in after]
            nearest = min(above)
            closing[nearest] += 1
            if above.count(nearest) > 1:
                distinct = {other for other in after if earliest[other] == nearest}
                further[nearest] += len(distinct) - 1
    tied, sections = [], []
    first = size = maximal = 0
    for step, layer in enumerate(graph.layers, 1):
        width = len(layer)
        if width > 1:
            tied.append(step)
        if closing[step] + further[step] == maximal * width:  # the boundary below is firm
            if size > 1:
                sections.append(Run(first, step - 1, size))
            first, size = step, 0
        size += width
        maximal += width - closing[step]
    if size > 1:
        sections.append(Run(first, length, size))
    return Unsettled(tied, sections)
