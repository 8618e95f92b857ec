"""Headings of years, months and days, and what is known to be before, after or between them.

Each node has two places on the calendar (see `tlex.timex`) between which it begins. Nodes of a day
stand below the day, those of a whole month or year below these. All others have a span in words,
such as *before 22 March 2013*, and stand in the smallest year or month that holds the span. A span
that touches no other part beside it is settled there; any other stands apart.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from tlex.date_words import say_date
from tlex.draw.reading.parts import Group, Part
from tlex.timex import DAY, OPEN, write_instant

__all__ = ["NOT_KNOWN", "Span", "divide", "name_span", "widen"]

Span = tuple[int, int]
"""The earliest and the latest place at which something begins."""

Arrange = Callable[[Iterable[int]], tuple[Part, ...]]
Precede = Callable[[Iterable[int], Iterable[int]], bool]

NOT_KNOWN = "not known when"
"""The title of what has no date at all."""

_LAST = date.max.toordinal()


class _Unit(Struct):
    """A year, month or day, or the whole calendar: its own nodes, and the smaller units in it."""

    unit: str
    first: int
    end: int
    nodes: list[int]
    spans: dict[Span, list[int]]
    units: dict[int, _Unit]


def divide(spans: dict[int, Span], arrange: Arrange, precede: Precede) -> tuple[Part, ...]:
    """Put nodes under headings; ``arrange`` puts those of one heading in order.

    ``precede`` says whether all of some nodes certainly begin before all of others.
    """
    root = _Unit("", -OPEN, OPEN, [], {}, {})
    late = {last // 4 for _, last in spans.values() if last % 4 == 1}
    for node, span in spans.items():
        home = root
        whole = False
        for unit, first, end in _find_units(span, late):
            home = home.units.setdefault(first, _Unit(unit, first, end, [], {}, {}))
            whole = unit == "day" or (span[0] // 4 == first and widen(span)[1] == end)
        if whole:
            home.nodes.append(node)
        else:
            home.spans.setdefault(widen(span), []).append(node)
    return tuple(_Divider(spans, arrange, precede).list_parts(root))


def name_span(span: Span) -> str:
    """Say a span in words: ``before 22 March 2013``; empty if nothing is known."""
    return say_date(*_write(span))


def widen(span: Span) -> Span:
    """Give the two instants around a span."""
    return span[0] // 4, (span[1] + 1) // 4 if span[1] % 4 == 3 else span[1] // 4  # noqa: PLR2004


def _write(span: Span) -> tuple[str | None, str | None]:
    first, last = widen(span)
    return (
        None if span[0] <= -OPEN else write_instant(4 * first),
        None if span[1] >= OPEN else write_instant(4 * last),
    )


def _find_units(span: Span, late: set[int]) -> Iterable[tuple[str, int, int]]:
    """Give the year, the month and the day that hold a span, with their instants, if they do.

    What is only known to be after the end of a day does not certainly follow what is only known to
    be before the start of the next. ``late`` has the instants at which there is the latter.
    """
    day = span[0] // 4 // DAY
    if span[0] <= -OPEN or span[1] >= OPEN or not 0 <= day < _LAST:
        return
    found = date.fromordinal(day + 1)
    year = found.replace(month=1, day=1)
    month = found.replace(day=1)
    for unit, first, end in (
        ("year", year, _start(found.year + 1, 1)),
        ("month", month, _start(found.year + found.month // 12, found.month % 12 + 1)),
        ("day", found, (day + 1) * DAY),
    ):
        start = (first.toordinal() - 1) * DAY
        if span[0] <= 4 * start or span[1] > 4 * end + 1:
            return
        if span[0] == 4 * start + 1 and start in late:
            return
        yield unit, start, end


def _start(year: int, month: int) -> int:
    if year > date.max.year:
        return _LAST * DAY
    return (date(year, month, 1).toordinal() - 1) * DAY


class _Place(Struct):
    """A part of a unit, its nodes, and between which places all of it begins."""

    nodes: list[int]
    span: Span
    group: Group
    firm: bool


class _Divider:
    def __init__(self, spans: dict[int, Span], arrange: Arrange, precede: Precede) -> None:
        self.spans = spans
        self.arrange = arrange
        self.precede = precede

    def list_parts(self, unit: _Unit) -> list[Part]:
        """List the parts of a unit, in order."""
        places = [self._place_unit(inner) for _, inner in sorted(unit.units.items())]
        places += map(self._place_span, unit.spans.values())
        if unit.nodes:
            if not places:
                return list(self.arrange(unit.nodes))
            places.append(self._place_whole(unit))
        if len(places) == 1 and not unit.unit and not name_span(places[0].span):
            return list(places[0].group.parts)
        return self._settle(places)

    def _place_unit(self, unit: _Unit) -> _Place:
        """Give the section of a unit; one that holds only a smaller unit leaves out its own."""
        while len(unit.units) == 1 and not unit.spans and not unit.nodes:
            unit = next(iter(unit.units.values()))
        title = say_date(write_instant(4 * unit.first), write_instant(4 * unit.end))
        group = Group(
            order="known",
            parts=tuple(self.list_parts(unit)),
            title=title.partition(" ")[2],  # without "in" or "on"
            unit=unit.unit,
            until=unit.end,
        )
        nodes = _list_nodes(unit)
        return _Place(nodes, self._surround(nodes), group, firm=True)

    def _place_span(self, nodes: list[int]) -> _Place:
        span = self._surround(nodes)
        group = Group(
            order="known",
            parts=self.arrange(nodes),
            title=name_span(span) or NOT_KNOWN,
            unit="span",
            until=None if span[1] >= OPEN else widen(span)[1],
        )
        return _Place(nodes, span, group, firm=False)

    def _place_whole(self, unit: _Unit) -> _Place:
        """Give what is only known to be in a unit of which other parts are known better."""
        title = say_date(write_instant(4 * unit.first), write_instant(4 * unit.end))
        parts = self.arrange(unit.nodes)
        group = Group(order="known", parts=parts, title=title, unit="span", until=unit.end)
        return _Place(unit.nodes, self._surround(unit.nodes), group, firm=False)

    def _surround(self, nodes: Iterable[int]) -> Span:
        spans = [self.spans[node] for node in nodes]
        return min(first for first, _ in spans), max(last for _, last in spans)

    def _settle(self, places: list[_Place]) -> list[Part]:
        """Put places in order: units first, then what has its place among them, then the rest."""
        settled = sorted((place for place in places if place.firm), key=lambda one: one.span)
        loose: list[_Place] = []
        for place in sorted((one for one in places if not one.firm), key=lambda one: one.span):
            number = self._find_place(settled, place)
            if number is None:
                loose.append(place)
            else:
                settled.insert(number, place)
        parts: list[Part] = [place.group for place in settled]
        ends = [place.span[1] for place in settled]
        # A span stands at its end, as late as it can be.
        for place in sorted(loose, key=lambda one: one.span[::-1], reverse=True):
            parts.insert(bisect_left(ends, place.span[1]), _set_apart(place.group))
        return parts

    def _find_place(self, settled: list[_Place], place: _Place) -> int | None:
        """Find the number of a place among others, if it certainly is before or behind each."""
        number = 0
        while number < len(settled) and self._is_before(settled[number], place):
            number += 1
        if number == len(settled) or self._is_before(place, settled[number]):
            return number
        return None

    def _is_before(self, one: _Place, other: _Place) -> bool:
        if one.span[1] < other.span[0]:
            return True
        if one.span[0] > other.span[1]:
            return False
        return self.precede(one.nodes, other.nodes)


def _list_nodes(unit: _Unit) -> list[int]:
    found: list[int] = []
    units = [unit]
    for one in units:
        found += one.nodes
        for nodes in one.spans.values():
            found += nodes
        units += one.units.values()
    return found


def _set_apart(group: Group) -> Group:
    parts, order = group.parts, group.order
    only = parts[0]
    if len(parts) == 1 and isinstance(only, Group) and only.settled and not only.unit:
        parts, order = only.parts, only.order
    return replace(group, order=order, parts=parts, settled=False)
