"""Dates: between which instants each time-point was, from the order alone (R41).

Every point gets the latest place that it is known to follow and the earliest that it is known to
precede. The places of the times come from their values. Along the order the largest place of all
points before goes up, and the smallest of all points after comes down. O(n + m).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from tlex.calendar import find_dated
from tlex.components import Components
from tlex.document import Document
from tlex.points.graphs import Consistent, LayeredGraph
from tlex.records import DateRange
from tlex.timex import OPEN, Bounds, loosen, write_instant

__all__ = ["PointDates", "bound_compounds", "date_nodes", "date_points"]

_JUST_BEFORE = 3


class PointDates(NamedTuple):
    """The instants that each point is known to follow and to precede; None: not known.

    Interval i has the points 2i and 2i + 1.
    """

    after: list[str | None]
    before: list[str | None]

    def join(self, first: int, last: int) -> DateRange | None:
        """Give what is known of all that lies between two points, with both."""
        after, before = self.after[first], self.before[last]
        return DateRange(after, before) if after or before else None


def date_nodes(dates: PointDates) -> list[DateRange | None]:
    """Date each node: from its start to its end; None where nothing is known."""
    return [dates.join(point, point + 1) for point in range(0, len(dates.after), 2)]


def date_points(document: Document, components: Components, times: str = "interval") -> PointDates:
    """Date each time-point; on a contradictory timeline nothing is known."""
    size = 2 * len(components.component_of)
    dates = PointDates([None] * size, [None] * size)
    written: dict[int, str | None] = {}
    for component, lower, upper in bound_compounds(document, components, times):
        for place, compound in enumerate(component.graph.compound):
            point = 2 * component.members[place // 2] + place % 2
            dates.after[point] = _write(lower[compound], written)
            # What lies just before an instant is before it.
            last = upper[compound] + (upper[compound] % 4 == _JUST_BEFORE)
            dates.before[point] = _write(last, written)
    return dates


def bound_compounds(
    document: Document, components: Components, times: str = "interval"
) -> Iterator[tuple[Consistent, Sequence[int], Sequence[int]]]:
    """Give the consistent components that have a dated time, with the bounds of their compounds.

    The bounds are the earliest and the latest place (see `tlex.timex`) of each compound.
    """
    known = {
        time.number: loosen(time.bounds) if time.bounds.zoned else time.bounds
        for time in find_dated(document, times)
    }
    for number in sorted({components.component_of[one] for one in known}):
        component = components[number]
        if isinstance(component, Consistent):
            yield component, *_place(component, known)


def _place(component: Consistent, known: dict[int, Bounds]) -> tuple[Sequence[int], Sequence[int]]:
    """Find the places that each compound is known to follow and to precede."""
    graph = component.graph
    compound = graph.compound
    lower, upper = array("q", [-OPEN]) * graph.size, array("q", [OPEN]) * graph.size
    for place, member in enumerate(component.members):
        if member in known:
            bounds = known[member]
            start, end = compound[2 * place], compound[2 * place + 1]
            lower[start] = max(lower[start], bounds.earliest_start)
            upper[start] = min(upper[start], bounds.latest_start)
            lower[end] = max(lower[end], bounds.earliest_end)
            upper[end] = min(upper[end], bounds.latest_end)
    layers: Sequence[Sequence[int]]
    if isinstance(graph, LayeredGraph):
        layers = graph.layers
    else:
        layers = [sorted(range(graph.size), key=component.steps.earliest.__getitem__)]
    # What follows a place is just behind it, and what precedes it just before: places are even.
    for number in chain.from_iterable(layers):
        for after in graph.successors[number]:
            lower[after] = max(lower[after], lower[number] | 1)
    for number in chain.from_iterable(map(reversed, reversed(layers))):
        for after in graph.successors[number]:
            upper[number] = min(upper[number], (upper[after] - 1) | 1)
    return lower, upper


def _write(place: int, written: dict[int, str | None]) -> str | None:
    """Write the instant of a place; most places are those of many points."""
    if place not in written:
        written[place] = write_instant(place)
    return written[place]
