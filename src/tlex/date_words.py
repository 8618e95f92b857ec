"""A date in words: ``on 22 March 2013``, ``in 2009``, ``before March 2013``.

A date is two instants between which something starts and ends, as ``nodes[].date`` has them; one
of them may be unknown. The words name the units that begin and end at these instants: days, and
months and years where whole ones are meant. They include their ends, so ``between 20 and 22 March
2013`` is from the start of 20 March to the end of 22 March.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

__all__ = ["say_date"]

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_SHORT = 3
_DASH = "\u2013"
_CLEAR = 1000
"""From this year on a number is understood as a year."""
_DECADE, _CENTURY, _WEEK, _YEAR = 10, 100, 7, 12


class _Instant(NamedTuple):
    year: int
    month: int
    day: int
    clock: str

    @property
    def unit(self) -> str:
        """The longest unit that can begin here."""
        if self.clock:
            return "minute"
        if self.day > 1:
            return "day"
        return "month" if self.month > 1 else "year"


def say_date(after: str | None, before: str | None, *, short: bool = False) -> str:
    """Say when something was, given the instants ``after`` and ``before`` which it was.

    Instants are written as in a result: ``2013-03-22``, ``2013-03-22T09:30``. Without both the
    answer is empty. ``short`` leaves out "on" and "in" and shortens the months, for pictures.

    >>> say_date("2013-03-22", "2013-03-23"), say_date("2009-01-01", "2010-01-01")
    ('on 22 March 2013', 'in 2009')
    >>> say_date("2013-03-20", "2013-03-23"), say_date("2013-03-20", None)
    ('between 20 and 22 March 2013', '20 March 2013 or later')
    >>> say_date(None, "2013-03-01"), say_date("2013-03-22", "2013-03-23", short=True)
    ('before March 2013', '22 Mar 2013')
    """
    first = _read(after) if after else None
    last = _read(before) if before else None
    words = _Words(short=short)
    if first and last:
        return words.say_both(first, last)
    if first:
        return f"{words.name(first, first.unit)} or later"
    return f"before {words.name(last, last.unit)}" if last else ""


class _Words:
    def __init__(self, *, short: bool) -> None:
        self.short = short

    def say_both(self, first: _Instant, last: _Instant) -> str:
        """Say a date of which both ends are known."""
        if first == last:
            word = "" if self.short or first.clock else "the start of "
            return f"{self._in('at')}{word}{self.name(first, first.unit)}"
        whole = self._say_unit(first, last)
        if whole:
            return whole
        if first.clock or last.clock:
            return self._say_clock(first, last)
        final, unit = _step_back(last)
        start, end = self.name(first, first.unit), self.name(final, unit)
        if first.year == final.year and "day" in {first.unit, unit}:
            start = f"{first.day}" if first.month == final.month else self._name_day(first)
            end = self.name(final, "day")
        elif first.year == final.year:
            start, end = self._month(first.month), self.name(final, "month")
        if self.short:
            close = start.isdigit() and (end.isdigit() or first.year == final.year)
            return f"{start}{_DASH if close else f' {_DASH} '}{end}"
        return f"between {start} and {end}"

    def name(self, instant: _Instant, unit: str) -> str:
        """Name the unit that begins at an instant."""
        year, month, _, clock = instant
        if unit == "year":
            return str(year) if year >= _CLEAR else f"the year {year}"
        shown = str(year) if year >= _CLEAR else f"of the year {year}"
        if unit == "month":
            return f"{self._month(month)} {shown}"
        day = f"{self._name_day(instant)} {shown}"
        return f"{day}, {clock}" if clock else day

    def _say_unit(self, first: _Instant, last: _Instant) -> str:
        """Say a date that is exactly one unit of the calendar; else nothing."""
        months = _YEAR * (last.year - first.year) + last.month - first.month
        unit = ""
        if not first.clock and not last.clock and first.day == last.day == 1:
            unit = {1: "month", _YEAR: "year"}.get(months, "")
            if unit == "year" and first.month > 1:
                unit = ""
            if first.month == 1 and months == _YEAR * _DECADE and first.year % _DECADE == 0:
                the = "" if self.short else "in the "
                if first.year % _CENTURY and first.year >= _CLEAR:
                    return f"{the}{first.year}s"
        if unit:
            return f"{self._in('in')}{self.name(first, unit)}"
        days = _count_days(first, last)
        if days == 1:
            return f"{self._in('on')}{self.name(first, 'day')}"
        if days == _WEEK and date(*first[:3]).weekday() == 0:
            return f"{self._in('in the')}week of {self.name(first, 'day')}"
        return ""

    def _say_clock(self, first: _Instant, last: _Instant) -> str:
        """Say a date of which an end is a time of day."""
        day = self.name(first._replace(clock=""), "day")
        start, end = first.clock or "00:00", last.clock or "24:00"
        final = last if last.clock else _step_back(last)[0]
        if first[:3] == final[:3]:
            if _is_next_minute(start, end):
                return f"{self._in('on')}{day}, {start}"
            between = f"between {start} and {end}"
            if self.short:
                between = f"{start}{_DASH}{end}"
            if not first.clock:
                between = f"before {end}"
            elif not last.clock:
                between = f"from {start} on"
            return f"{day}, {between}" if self.short else f"on {day} {between}"
        start, end = self.name(first, "minute"), self.name(final, "minute")
        return f"{start} {_DASH} {end}" if self.short else f"between {start} and {end}"

    def _name_day(self, instant: _Instant) -> str:
        return f"{instant.day} {self._month(instant.month)}"

    def _month(self, month: int) -> str:
        name = _MONTHS[month - 1]
        return name[:_SHORT] if self.short else name

    def _in(self, word: str) -> str:
        return "" if self.short else f"{word} "


def _read(instant: str) -> _Instant:
    day, _, clock = instant.partition("T")
    year, month, number = map(int, day.split("-"))
    return _Instant(year, month, number, clock)


def _step_back(last: _Instant) -> tuple[_Instant, str]:
    """The last day of the unit that ends at a midnight, and which unit it is."""
    if last.unit == "year":
        return _Instant(last.year - 1, _YEAR, 31, ""), "year"
    if last.unit == "month":
        ends = date(last.year, last.month, 1) - timedelta(days=1)
        return _Instant(ends.year, ends.month, ends.day, ""), "month"
    return last._replace(day=last.day - 1), "day"


def _count_days(first: _Instant, last: _Instant) -> int:
    """How many days lie between two midnights; 0 if these are no midnights."""
    if first.clock or last.clock:
        return 0
    if last.year > date.max.year:  # the end of the year 9999
        return (date.max - date(*first[:3])).days + 1
    return (date(*last[:3]) - date(*first[:3])).days


def _is_next_minute(start: str, end: str) -> bool:
    """Whether two times of day, both without seconds, are a minute apart."""
    one, other = (clock.split(":") for clock in (start, end))
    if len(one) > 2 or len(other) > 2:  # noqa: PLR2004
        return False
    return 60 * int(other[0]) + int(other[1]) - 60 * int(one[0]) - int(one[1]) == 1
