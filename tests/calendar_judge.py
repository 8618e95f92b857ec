"""A calendar of the tests' own: what an exact value spans, by the standard library.

It shares nothing with `tlex.timex`: no grammar, no arithmetic. It reads the exact values that the
specification lists and gives None for all others.
"""
# ruff: noqa: DTZ001, DTZ007, DTZ901 -- the times have no zones

from __future__ import annotations

import calendar
import re
from datetime import datetime, timedelta

LAST = datetime.max


def span_of(value: str) -> tuple[datetime, datetime] | None:
    """The start and the end of an exact value; of year 9999 the end is the last instant."""
    if value.isdigit() and len(value) in {2, 3, 4}:
        width = 10 ** (4 - len(value))
        first = int(value) * width
        if not first:
            return None
        last = first + width
        return datetime(first, 1, 1), datetime(last, 1, 1) if last < 10_000 else LAST
    for pattern, read in READERS:
        if re.fullmatch(pattern, value):
            try:
                return read(value)
            except (ValueError, OverflowError):
                return None
    return None


def _month(value: str) -> tuple[datetime, datetime]:
    start = datetime.strptime(value, "%Y-%m")
    return start, _add(start, timedelta(calendar.monthrange(start.year, start.month)[1]))


def _day(value: str) -> tuple[datetime, datetime]:
    start = datetime.strptime(value, "%Y-%m-%d")
    return start, _add(start, timedelta(1))


def _week(value: str) -> tuple[datetime, datetime]:
    start = datetime.strptime(f"{value}-1", "%G-W%V-%u")
    datetime.strptime(f"{value}-7", "%G-W%V-%u")  # no week reaches beyond the last year
    if start.isocalendar().week != int(value[6:]):
        raise ValueError(value)
    return start, start + timedelta(7)


def _weekday(value: str) -> tuple[datetime, datetime]:
    start = datetime.strptime(value, "%G-W%V-%u")
    if start.isocalendar().week != int(value[6:8]):
        raise ValueError(value)
    return start, _add(start, timedelta(1))


def _clock(value: str) -> tuple[datetime, datetime]:
    day, clock = value.split("T")
    parts = clock.split(":")
    step = (timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1))[len(parts) - 1]
    read = _weekday if "W" in day else _day
    hours, minutes, seconds = (int(part) for part in (*parts, 0, 0)[:3])
    if hours > 24 or minutes > 59 or seconds > 59 or (hours == 24 and (minutes or seconds)):
        raise ValueError(value)
    start = read(day)[0] + timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return start, _add(start, step)


def _add(start: datetime, length: timedelta) -> datetime:
    return LAST if start > LAST - length else start + length


READERS = (
    (r"\d{4}-\d\d", _month),
    (r"\d{4}-\d\d-\d\d", _day),
    (r"\d{4}-W\d\d", _week),
    (r"\d{4}-W\d\d-\d", _weekday),
    (r"\d{4}-(\d\d-\d\d|W\d\d-\d)T\d\d(:\d\d(:\d\d)?)?", _clock),
)
