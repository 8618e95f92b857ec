"""The checker's own calendar: between which instants the value of a TIMEX3 starts and ends (R40).

It shares nothing with `tlex.timex`: values are taken apart by small patterns, and the standard
library knows the calendar. An instant is the time since the start of year 1. A place is an instant
and what stands there: at one instant every end precedes every start.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date, timedelta
from typing import Final, NamedTuple, TypeAlias

from tlex.nouns import Timex

__all__ = [
    "FIRST",
    "LAST",
    "Place",
    "Span",
    "is_duration",
    "join",
    "loosen",
    "narrow",
    "read_value",
    "write_place",
]

BEFORE, END, START, AFTER = -1, 0, 2, 3
"""What stands at an instant: all before it, an end, a start, all after it."""

Place: TypeAlias = tuple[timedelta, int]

_DAY: Final = timedelta(1)
_MIDNIGHT: Final = date.min.toordinal()
FIRST: Final = (timedelta(-9_000_000), 2)
LAST: Final = (timedelta(9_000_000), 0)
"""The places of a start and of an end that are open."""

_AWAY: Final = timedelta(hours=14)
_CYCLE: Final = 146_097
"""The days of 400 years."""

_DATE: Final = re.compile(
    r"(?P<fiscal>FY)?(?P<year>[0-9]{2,4})"
    r"(?:-(?:(?P<season>SP|SU|FA|WI)|Q(?P<quarter>[1-4])|H(?P<half>[12])"
    r"|W(?P<week>[0-9]{2})(?:-(?:(?P<weekday>[1-7])|(?P<weekend>WE)))?"
    r"|(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2}))?))?"
)
_CLOCK: Final = re.compile(
    r"(?P<part>MO|MI|AF|EV|NI|DT)|(?P<hour>[0-9]{2})(?::(?P<minute>[0-5][0-9])"
    r"(?::(?P<second>[0-5][0-9])(?:[.,](?P<fraction>[0-9]+))?)?)?"
    r"(?P<zone>Z|(?P<sign>[+-])(?P<hours>[01][0-9])(?::?(?P<minutes>[0-5][0-9]))?)?"
)
_AMOUNT: Final = r"(?:[0-9]+(?:[.,][0-9]+)?|X+)"
_LENGTH: Final = re.compile(
    rf"P(?=.)(?:{_AMOUNT}Y)?(?:{_AMOUNT}M)?(?:{_AMOUNT}W)?(?:{_AMOUNT}D)?"
    rf"(?:T(?=.)(?:{_AMOUNT}H)?(?:{_AMOUNT}M)?(?:{_AMOUNT}S)?)?"
    rf"|P{_AMOUNT}(?:DE|CE|ML|WE|FY|SP|SU|FA|WI|[ECLQYMWD])|PT{_AMOUNT}(?:MO|MI|AF|EV|NI|DT)"
)
_WITHIN: Final = ("START", "MID", "END", "EARLY", "LATE")
_UNTIL: Final = ("BEFORE", "ON_OR_BEFORE")
_SINCE: Final = ("AFTER", "ON_OR_AFTER")
_PARTS: Final = ("MO", "AF", "EV", "NI")
_PRECISE: Final = 6


class Span(NamedTuple):
    """The earliest and the latest place of a start, and of an end.

    ``part`` is the day of a morning, afternoon, evening or night, and which of these it is.
    """

    first: Place
    start: Place
    end: Place
    last: Place
    exact: bool = False
    zoned: bool = False
    part: tuple[int, int] | None = None


def read_value(timex: Timex, begin: Span | None = None, end: Span | None = None) -> Span | None:
    """Read the value of a time; None if nothing certain is known of when it was.

    ``begin`` and ``end`` are those of the times that a duration names.
    """
    about = timex.attributes
    kind, mod, value = (about.get(name, "").strip() for name in ("type", "mod", "value"))
    kind, mod = kind.upper(), mod.upper()
    if kind == "SET" or mod not in ("", "NONE", *_WITHIN, *_UNTIL, *_SINCE):
        return None
    span = _reach(begin, end) if is_duration(timex) else _read(value)
    if span is None or mod in ("", "NONE"):
        return span
    first, last = FIRST if mod in _UNTIL else span.first, LAST if mod in _SINCE else span.last
    return _within(first, last, zoned=span.zoned)


def is_duration(timex: Timex) -> bool:
    """Whether a time is as long as its value says, and needs two others to be dated."""
    value = timex.attributes.get("value", "").strip()
    kind = timex.attributes.get("type", "").strip().upper()
    return kind == "DURATION" or (kind != "SET" and _LENGTH.fullmatch(value) is not None)


def narrow(span: Span) -> Span:
    """Give the span of a moment that lies somewhere within a value."""
    return _within(span.first, span.last, zoned=span.zoned)


def loosen(span: Span) -> Span:
    """Give the span of a value with a zone against values without one."""
    if not span.zoned:
        return span
    first, start, end, last = (
        (instant + (_AWAY if number % 2 else -_AWAY), what)
        for number, (instant, what) in enumerate(span[:4])
    )
    return Span(first, start, end, last, zoned=True)


def join(place: Place, instants: Collection[timedelta]) -> Place:
    """Give a place; at some instants a start stands where an end stands."""
    instant, what = place
    return (instant, END) if what == START and instant in instants else place


def write_place(place: Place) -> str | None:
    """Write an instant, no longer than needed; None outside the years 1 to 9999."""
    instant, _ = place
    if instant < timedelta(0) or instant.days > date.max.toordinal():
        return None
    if instant.days == date.max.toordinal():
        return "10000-01-01"
    day = date.fromordinal(instant.days + _MIDNIGHT).isoformat()
    rest = instant - timedelta(instant.days)
    if not rest:
        return day
    clock = f"0{rest}" if rest < timedelta(hours=10) else str(rest)
    if "." in clock:
        return f"{day}T{clock.rstrip('0')}"
    return f"{day}T{clock.removesuffix(':00')}"


def _read(value: str) -> Span | None:
    written, _, clock = value.partition("T")
    found = _DATE.fullmatch(written)
    if found is None:
        return None
    if "T" in value:
        day = _find_day(found)
        return None if day is None else _read_clock(clock, day)
    named = {name for name, group in found.groupdict().items() if group is not None} - {"year"}
    year, width = int(found["year"]), 10 ** (4 - len(found["year"]))
    if (
        not year
        or (named and width > 1)
        or {"fiscal", "week"} <= named
        or {"fiscal", "month"} <= named
    ):
        return None
    if not named:
        return _fix(_count(year * width), _count((year + 1) * width))
    return _read_days(found, year) if named & {"week", "month"} else _read_part(found, year)


def _read_part(found: re.Match[str], year: int) -> Span:
    """Read a season, a quarter, a half or a fiscal year."""
    if found["season"]:
        return _within((_count(year, -2), START), (_count(year, 16), END))
    length = 3 if found["quarter"] else 6 if found["half"] else 12
    month = 1 + length * (int(found["quarter"] or found["half"] or 1) - 1)
    return Span(
        (_count(year - 1, month), START),
        (_count(year + 1, month), START),
        (_count(year - 1, month + length), END),
        (_count(year + 1, month + length), END),
    )


def _read_days(found: re.Match[str], year: int) -> Span | None:
    """Read a month, a week, a weekend or a day."""
    if found["month"] and not found["day"]:
        month = int(found["month"])
        in_year = 1 <= month <= 12  # noqa: PLR2004
        return _fix(_count(year, month), _count(year, month + 1)) if in_year else None
    if found["week"] and not found["weekday"]:
        try:
            monday = date.fromisocalendar(year, int(found["week"]), 1).toordinal()
            date.fromordinal(monday + 6)  # no week reaches beyond the last year
        except (ValueError, OverflowError):
            return None
        start = timedelta(monday - _MIDNIGHT)
        if not found["weekend"]:
            return _fix(start, start + 7 * _DAY)
        return Span(
            (start + 4 * _DAY, START),
            (start + 7 * _DAY, BEFORE),
            (start + 5 * _DAY, AFTER),
            (start + 8 * _DAY, END),
        )
    day = _find_day(found)
    return None if day is None else _fix(day, day + _DAY)


def _find_day(found: re.Match[str]) -> timedelta | None:
    """Give the start of a day that the calendar has."""
    year = int(found["year"]) if len(found["year"]) == len("1998") else 0
    try:
        if found["weekday"]:
            day = date.fromisocalendar(year, int(found["week"]), int(found["weekday"]))
        else:
            day = date(year, int(found["month"] or 0), int(found["day"] or 0))
    except (ValueError, OverflowError):
        return None
    return None if found["fiscal"] else timedelta(day.toordinal() - _MIDNIGHT)


def _read_clock(clock: str, day: timedelta) -> Span | None:
    found = _CLOCK.fullmatch(clock)
    if found is None:
        return None
    if found["part"]:
        part = _PARTS.index(found["part"]) if found["part"] in _PARTS else None
        span = _within((day, START), (day + _DAY + timedelta(hours=6), END))
        return span if part is None else span._replace(part=(day.days, part))
    digits = (found["fraction"] or "")[:_PRECISE]
    since = timedelta(
        hours=int(found["hour"]),
        minutes=int(found["minute"] or 0),
        seconds=int(found["second"] or 0),
        microseconds=int(digits.ljust(_PRECISE, "0")),
    )
    more = (found["fraction"] or "").strip("0")
    if since > _DAY or (since == _DAY and more):
        return None
    width = timedelta(microseconds=10 ** (_PRECISE - len(digits)))
    if not found["second"]:
        width = timedelta(minutes=1) if found["minute"] else timedelta(hours=1)
    ahead = timedelta(0)
    if found["sign"]:
        ahead = timedelta(hours=int(found["hours"]), minutes=int(found["minutes"] or 0))
        ahead = -ahead if found["sign"] == "-" else ahead
    if abs(ahead) > _AWAY:
        return None
    span = _fix(day + since - ahead, day + since + width - ahead)
    if len(found["fraction"] or "") > _PRECISE:  # finer than what can be told apart
        span = narrow(span)
    return span._replace(zoned=found["zone"] is not None)


def _reach(begin: Span | None, end: Span | None) -> Span | None:
    """Give the span of a duration, which starts within one time and ends within another."""
    if begin is None or end is None or begin.zoned or end.zoned or begin.first >= end.last:
        return None
    return Span(
        begin.first,
        min((begin.last[0], START), (end.last[0], BEFORE)),
        max((end.first[0], END), (begin.first[0], AFTER)),
        end.last,
    )


def _within(first: Place, last: Place, *, zoned: bool = False) -> Span:
    """Give the span of what starts and ends anywhere between two places."""
    return Span(first, (last[0], BEFORE), (first[0], AFTER), last, zoned=zoned)


def _fix(start: timedelta, end: timedelta) -> Span:
    return Span((start, START), (start, START), (end, END), (end, END), exact=True)


def _count(year: int, month: int = 1) -> timedelta:
    """Give the time to the start of a month; the months before and after a year count on."""
    more, place = divmod(month - 1, 12)
    cycles, rest = divmod(year + more, 400)
    ordinal = date(rest + 400, place + 1, 1).toordinal() + _CYCLE * (cycles - 1)
    return timedelta(ordinal - _MIDNIGHT)
