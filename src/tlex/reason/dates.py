"""Dates for events: between which instants each node was, from the order alone (R41).

Every point gets the latest place that it is known to follow and the earliest that it is known to
precede. The places of the times come from their values. Along the order the largest place of all
points before goes up, and the smallest of all points after comes down. O(n + m).
"""

from __future__ import annotations

from tlex.calendar import find_dated
from tlex.components import Components
from tlex.document import Document
from tlex.points.graphs import Consistent
from tlex.records import DateRange
from tlex.timex import OPEN, loosen, write_instant

__all__ = ["date_nodes"]

_JUST_BEFORE = 3


def date_nodes(
    document: Document, components: Components, times: str = "interval"
) -> list[DateRange | None]:
    """Date each node; None where nothing is known or the timeline is contradictory."""
    dates: list[DateRange | None] = [None] * len(document.nodes)
    known: dict[int, tuple[int, int, int, int]] = {}
    for time in find_dated(document, times):
        bounds = loosen(time.bounds) if time.bounds.zoned else time.bounds
        known[time.number] = (
            bounds.earliest_start,
            bounds.earliest_end,
            bounds.latest_start,
            bounds.latest_end,
        )
    for number in sorted({components.component_of[one] for one in known}):
        component = components[number]
        if isinstance(component, Consistent):
            for member, date in zip(component.members, _date(component, known), strict=True):
                dates[member] = date
    return dates


def _date(
    component: Consistent, known: dict[int, tuple[int, int, int, int]]
) -> list[DateRange | None]:
    graph = component.graph
    compound = graph.compound
    lower, upper = [-OPEN] * graph.size, [OPEN] * graph.size
    for place, member in enumerate(component.members):
        if member in known:
            for side in (0, 1):
                own = compound[2 * place + side]
                lower[own] = max(lower[own], known[member][side])
                upper[own] = min(upper[own], known[member][2 + side])
    order = sorted(range(graph.size), key=component.steps.earliest.__getitem__)
    for number in order:
        for after in graph.successors[number]:
            lower[after] = max(lower[after], lower[number])
    for number in reversed(order):
        for after in graph.successors[number]:
            upper[number] = min(upper[number], upper[after])
    return [
        _write(lower[compound[2 * place]], upper[compound[2 * place + 1]])
        for place in range(len(component.members))
    ]


def _write(lower: int, upper: int) -> DateRange | None:
    """Write two places as instants; what lies just before an instant is before it."""
    after = write_instant(lower)
    before = write_instant(upper + (upper % 4 == _JUST_BEFORE))
    return DateRange(after, before) if after or before else None
