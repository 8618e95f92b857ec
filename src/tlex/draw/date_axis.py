"""The calendar of a timeline: which of its steps are in which year, month or day.

Steps have an order and no dates. But the order gives every point bounds on the calendar (see
`tlex.reason.dates`), and a point whose bounds are in one year is in that year. Points of an earlier
year are on earlier steps than points of a later one. So the known years of a timeline are ranges of
steps that do not overlap (for borders see `_list_units`); what is between them is undated. The same
holds for months and days.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date

from msgspec import Struct

from tlex.calendar import Dated, find_dated
from tlex.date_words import say_date
from tlex.nouns import Timex
from tlex.points.graphs import Consistent
from tlex.reason.dates import bound_compounds
from tlex.result import Extraction
from tlex.timex import DAY, write_instant

__all__ = ["DateAxis", "DateStart", "DateUnit", "find_date_axes", "leave_out_year"]

_ENOUGH = 0.8  # share of the dated events that a finer unit must keep
_MOST_DAYS = {"day": 62, "month": 2 * 366}  # days that a timeline of days or months may span
_LAST_DAY = date.max.toordinal()
_END, _BEFORE_START = 0, 1  # places of an instant
_YEAR = re.compile(r"(?<!year)(?: of the year)? \d+$")
_LONGEST = 366  # days: a moment in something longer is no landmark


class DateUnit(Struct, frozen=True, kw_only=True):
    """A year, month or day, and the steps ``first`` to ``last`` that are known to be in it.

    ``short`` leaves out what the unit before it has said; it may be the same as ``words``.
    """

    first: int
    last: int
    words: str
    short: str


class DateStart(Struct, frozen=True, kw_only=True):
    """The step at which a date begins, and the time that has this date as its value."""

    interval: str
    step: int
    words: str
    short: str


class DateAxis(Struct, frozen=True, kw_only=True):
    """The calendar of a timeline.

    ``unit`` is *year*, *month* or *day*. ``dated`` has the intervals whose start and end are both
    in a known unit, with the numbers of the two units. ``span`` is the whole in words.
    """

    unit: str
    units: tuple[DateUnit, ...]
    starts: tuple[DateStart, ...]
    dated: Mapping[str, tuple[int, int]]
    span: str


def find_date_axes(result: Extraction) -> dict[int, DateAxis]:
    """Find the calendar of each timeline that has one, by the timeline's number. Linear."""
    if not result.options.calendar:
        return {}
    document, owner = result.document, result.components.component_of
    times: dict[int, list[Dated]] = {}
    for time in find_dated(document, result.options.times):
        times.setdefault(owner[time.number], []).append(time)
    axes = {}
    for component, lower, upper in bound_compounds(
        document, result.components, result.options.times
    ):
        number = owner[component.members[0]]
        axis = _make_axis(result, component, list(map(_find_days, lower, upper)), times[number])
        if axis is not None:
            axes[number] = axis
    return axes


_Days = tuple[int, int] | None
"""The first and the last day on which a point can be; None if one of them is not known."""


def _find_days(lower: int, upper: int) -> _Days:
    """Find the days on which a point between two places can be.

    A point at the end of a day, or before a start at the same instant, is on that day.
    """
    (first, kind), (last, final) = divmod(lower, 4), divmod(upper, 4)
    first -= kind == _END
    last -= final <= _BEFORE_START
    days = first // DAY + 1, last // DAY + 1
    return days if 1 <= days[0] <= days[1] <= _LAST_DAY else None


def _make_axis(
    result: Extraction, component: Consistent, days: Sequence[_Days], times: Sequence[Dated]
) -> DateAxis | None:
    known = [found for found in days if found and _year(found[0]) == _year(found[1])]
    if not known:
        return None
    first, last = min(found[0] for found in known), max(found[1] for found in known)
    nodes, compound = result.document.nodes, component.graph.compound
    ends = [(compound[2 * place], compound[2 * place + 1]) for place in range(len(compound) // 2)]
    events = [
        end
        for member, end in zip(component.members, ends, strict=True)
        if not isinstance(nodes[member], Timex)
    ]
    keys: list[int | None] = []
    unit, most = "year", 0
    for name, find_key in _UNITS.items():  # from long to short
        if last - first >= _MOST_DAYS.get(name, last):
            break
        found = [_find_key(pair, find_key) for pair in days]
        many = sum(found[one] is not None and found[other] is not None for one, other in events)
        if name != "year" and many < _ENOUGH * most:
            break
        keys, unit, most = found, name, max(most, many)
    units, number_of = _list_units(unit, keys, component.steps.earliest)
    dated = {}
    for member, (start, end) in zip(component.members, ends, strict=True):
        one, other = number_of[start], number_of[end]
        if one is not None and other is not None:
            dated[nodes[member].id] = one, other
    return DateAxis(
        unit=unit,
        units=units,
        starts=_list_starts(result, component, times, units),
        dated=dated,
        span=_say_days(first, last),
    )


def _list_units(
    name: str, keys: Sequence[int | None], steps: Sequence[int]
) -> tuple[tuple[DateUnit, ...], list[int | None]]:
    """List the units in order, and give the number of each compound's unit.

    At the border of two units, points of the two may not be ordered: one is before the start of the
    later unit, the other after the end of the earlier one. Then the earlier unit has the steps.
    """
    ranges: dict[int, tuple[int, int]] = {}
    for key, step in zip(keys, steps, strict=True):
        if key is not None:
            first, last = ranges.get(key, (step, step))
            ranges[key] = min(first, step), max(last, step)
    units: list[DateUnit] = []
    number_of: dict[int | None, int] = {}
    before, free = "", 1
    for key in sorted(ranges):
        first, last = max(ranges[key][0], free), ranges[key][1]
        if first > last:
            continue
        free = last + 1
        number_of[key] = len(units)
        words = _say_unit(name, key)
        bare = leave_out_year(words)
        context = words[len(bare) :]
        short = bare if context == before else words
        units.append(DateUnit(first=first, last=last, words=words, short=short))
        before = context
    numbers = [
        None if number is None or step < units[number].first else number
        for number, step in zip(map(number_of.get, keys), steps, strict=True)
    ]
    return tuple(units), numbers


def _list_starts(
    result: Extraction,
    component: Consistent,
    times: Sequence[Dated],
    units: Sequence[DateUnit],
) -> tuple[DateStart, ...]:
    """List the steps at which dates begin, those of the shortest dates; each in words once.

    What a unit that begins at the same step says already is left out.
    """
    place = {member: number for number, member in enumerate(component.members)}
    compound, steps = component.graph.compound, component.steps.earliest
    found: dict[int, tuple[int, int, Dated]] = {}
    for time in times:
        width = time.bounds.latest_end - time.bounds.earliest_start
        if time.bounds.exact or (time.moment and width <= 4 * DAY * _LONGEST):
            step = steps[compound[2 * place[time.number]]]
            mine = width, time.number, time
            found[step] = min(found.get(step, mine), mine)
    said = set()
    starts = []
    for step in sorted(found):
        _, number, time = found[step]
        words = _say_value(time)
        if not words or words in said:
            continue
        said.add(words)
        if not any(unit.first == step and unit.words == words for unit in units):
            name = result.document.nodes[number].id
            starts.append(
                DateStart(interval=name, step=step, words=words, short=leave_out_year(words))
            )
    return tuple(starts)


def _say_value(time: Dated) -> str:
    """Say the date of a time; of a time of day only its start."""
    bounds = time.bounds
    start, end = write_instant(bounds.earliest_start), write_instant(bounds.latest_end)
    if bounds.latest_end // 4 - bounds.earliest_start // 4 >= DAY:
        return say_date(start, end, short=True)
    day = _say_days(*[bounds.earliest_start // 4 // DAY + 1] * 2)
    return f"{day}, {(start or '').partition('T')[2] or '00:00'}{' UTC' if bounds.zoned else ''}"


def leave_out_year(words: str) -> str:
    """Leave out the year of a day or month, which the strip of years or the title says.

    >>> leave_out_year("22 Mar 2013"), leave_out_year("2013"), leave_out_year("7 Mar 2013, 9:30")
    ('22 Mar', '2013', '7 Mar 2013, 9:30')
    """
    return _YEAR.sub("", words)


def _find_key(days: _Days, find_key: Callable[[int], int]) -> int | None:
    if days is None:
        return None
    first = find_key(days[0])
    return first if first == find_key(days[1]) else None


def _year(day: int) -> int:
    return date.fromordinal(day).year


def _month(day: int) -> int:
    found = date.fromordinal(day)
    return 12 * found.year + found.month - 1


_UNITS: dict[str, Callable[[int], int]] = {"year": _year, "month": _month, "day": int}
"""How the days of a unit are numbered, from the longest unit to the shortest."""


def _say_unit(name: str, key: int) -> str:
    if name == "year":
        return say_date(f"{key:04}-01-01", f"{key + 1:04}-01-01", short=True)
    if name == "month":
        first, last = (f"{month // 12:04}-{month % 12 + 1:02}-01" for month in (key, key + 1))
        return say_date(first, last, short=True)
    return _say_days(key, key)


def _say_days(first: int, last: int) -> str:
    """Say the days from a first to a last one."""
    ends = (write_instant(4 * DAY * day) for day in (first - 1, last))
    return say_date(*ends, short=True)
