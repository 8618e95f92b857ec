"""The sections of a timeline as partial orders: the counts of pairs and of scenarios need these."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from tlex.points.graphs import CompoundGraph, Steps

__all__ = ["LARGE", "SectionOrder", "order_sections"]

LARGE = 1024
"""The table of a larger section takes much memory; it is not kept."""


class SectionOrder:
    """The ``compounds`` of a section by step and then by number, and which precede which.

    It may be part of a section: all compounds of some steps, or of a step up to some number.
    """

    def __init__(self, graph: CompoundGraph, compounds: list[int]) -> None:
        self.compounds = compounds
        self._graph = graph
        self._below: tuple[int, ...] | None = None

    @property
    def below(self) -> tuple[int, ...]:
        """For each compound, by place, a bit for each place that precedes it."""
        if self._below is not None:
            return self._below
        found = dict.fromkeys(self.compounds, 0)
        successors = self._graph.successors
        for place, number in enumerate(self.compounds):
            under = found[number] | 1 << place
            for other in successors[number]:
                if other in found:
                    found[other] |= under
        below = tuple(found.values())
        if len(below) <= LARGE:
            self._below = below
        return below

    def split(self) -> Iterator[SectionOrder]:
        """Split it into stretches that are not large."""
        for first in range(0, len(self.compounds), LARGE):
            yield SectionOrder(self._graph, self.compounds[first : first + LARGE])


def order_sections(
    graph: CompoundGraph,
    steps: Steps,
    runs: Iterable[tuple[int, int]],
    component: range | None = None,
) -> list[SectionOrder]:
    """Find the orders of the sections that are given by their first and last steps.

    ``component`` has the numbers of the compounds of their component, if the graph has several.
    """
    earliest = steps.earliest
    compounds = range(graph.size) if component is None else component
    ordered = sorted(compounds, key=earliest.__getitem__)
    levels = list(map(earliest.__getitem__, ordered))
    return [
        SectionOrder(graph, ordered[bisect_left(levels, first) : bisect_right(levels, last)])
        for first, last in runs
    ]
