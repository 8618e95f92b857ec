"""Step 2, transforming (§3.3): from intervals to time-points."""

from __future__ import annotations

from tlex.algebra import ROWS
from tlex.points.graphs import OWN, PointGraph, TemporalGraph

__all__ = ["transform"]


def transform(graph: TemporalGraph) -> PointGraph:
    """Rewrite a graph of intervals as constraints on time-points.

    Interval i becomes the points 2i and 2i + 1, the first before the second; each link becomes
    its row of Table 1 and each constraint keeps the number of the link it comes from. Linear: 2n
    points and, with the paper's labels, at most n + 2m constraints.

    Reading R3: §3.3 calls a TIME expression a single point but counts two per node. Here every
    node has two, and ``graph.instants`` says of which they are equal.
    """
    count = graph.size
    # Each point is one object, however many constraints it has: that is a third of all memory.
    firsts, lasts = list(range(0, 2 * count, 2)), list(range(1, 2 * count, 2))
    less_left, less_right = firsts[:], lasts[:]
    less_link = [OWN] * count
    equal_left: list[int] = []
    equal_right: list[int] = []
    equal_link: list[int] = []
    if graph.instants:
        instants = frozenset(graph.instants)
        lasting = [interval for interval in range(count) if interval not in instants]
        less_left = [firsts[interval] for interval in lasting]
        less_right = [lasts[interval] for interval in lasting]
        less_link = [OWN] * len(lasting)
        equal_left = [firsts[interval] for interval in graph.instants]
        equal_right = [lasts[interval] for interval in graph.instants]
        equal_link = [OWN] * len(equal_left)
    for label, source, target, number in zip(
        graph.labels, graph.sources, graph.targets, graph.numbers, strict=True
    ):
        ends = (firsts[source], lasts[source], firsts[target], lasts[target])
        for left, strict, right in ROWS[label]:
            if strict:
                less_left.append(ends[left])
                less_right.append(ends[right])
                less_link.append(number)
            else:
                equal_left.append(ends[left])
                equal_right.append(ends[right])
                equal_link.append(number)
    cuts = [2 * cut for cut in graph.cuts or (0, count)]
    return PointGraph(
        size=2 * count,
        less_left=less_left,
        less_right=less_right,
        less_link=less_link,
        equal_left=equal_left,
        equal_right=equal_right,
        equal_link=equal_link,
        cuts=cuts,
    )
