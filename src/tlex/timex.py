"""TIMEX3 values: one grammar (TimeML 1.2.1, after TIDES and ISO 8601), and their calendar.

``FORMS`` is the grammar, one pattern per form of a value; ``FORMS_OF_TYPE`` says which forms the
value of each type of TIMEX3 may have. ``X`` stands for an unknown digit.

The grammar follows the guidelines, which allow a little more than the XML Schema. In a duration,
decades and centuries are E and C (the schema) or DE and CE (TIDES), and seasons, weekends and parts
of the day can be counted.

`find_bounds` says what a value means on the calendar: between which instants it starts and ends.
Instants are microseconds since the start of year 1, in plain integers. Each instant has several
**places** on the line, because at one instant every end precedes every start (R40): the place of
an end at instant t is 4t and that of a start 4t + 2. A point of one value certainly precedes a
point of another if its latest place is smaller than the other's earliest place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from enum import StrEnum
from functools import cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

__all__ = [
    "DAY",
    "FORMS",
    "FORMS_OF_TYPE",
    "MODIFIERS",
    "OPEN",
    "TYPES",
    "Bounds",
    "Reason",
    "find_bounds",
    "find_moment",
    "is_frequency",
    "is_value",
    "loosen",
    "write_instant",
]

_YEAR = r"(?:[0-9X]{1,4}|-[0-9X]{4}|BC[0-9X]{1,4}|FY[0-9X]{4})"
_MONTH = r"(?:0[1-9X]|1[0-2X]|XX)"
_DAY = r"(?:0[1-9X]|[12][0-9X]|3[01X]|XX)"
_WEEK = r"W(?:0[1-9X]|[1-4][0-9X]|5[0-3X]|XX)"
_ANY_DAY = rf"{_YEAR}-(?:{_MONTH}-{_DAY}|{_WEEK}-[1-7X])"
_CLOCK = r"(?:[01X][0-9X]|2[0-4X])(?::[0-5X][0-9X](?::[0-5X6][0-9X](?:[.,][0-9]+)?)?)?"
_ZONE = r"(?:Z|[+-][01][0-9](?::?[0-5][0-9])?)"
_PART_OF_DAY = r"(?:MO|MI|AF|EV|NI|DT)"
_NUMBER = r"(?:[0-9]+(?:[.,][0-9]+)?|X+)"
_UNIT = r"(?:DE|CE|ML|WE|FY|SP|SU|FA|WI|[ECLQYMWD])"
_DAYS = rf"(?:{_NUMBER}Y)?(?:{_NUMBER}M)?(?:{_NUMBER}W)?(?:{_NUMBER}D)?"
_HOURS = rf"(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?"

# fmt: off
FORMS: Final = {
    "year":          _YEAR,                                          # 1998 199X 19 BC0346 FY1998
    "part of year":  rf"{_YEAR}-(?:SP|SU|FA|WI|Q[1-4X]|H[12X])",     # 1998-SU 1998-Q3 1998-H1
    "month":         rf"{_YEAR}-{_MONTH}",                           # 1998-08
    "day":           rf"{_YEAR}-{_MONTH}-{_DAY}",                    # 1998-08-14
    "week":          rf"{_YEAR}-{_WEEK}",                            # 1998-W33
    "day of week":   rf"{_YEAR}-{_WEEK}-[1-7X]",                     # 1998-W33-5
    "weekend":       rf"{_YEAR}-{_WEEK}-WE",                         # 1998-W33-WE
    "years ago":     r"[KMG]A[0-9X]+(?:\.[0-9]+)?",                  # MA3.5: million years ago
    "reference":     r"(?:PAST|PRESENT|FUTURE)_REF",                 # PRESENT_REF
    "time of day":   rf"(?:{_ANY_DAY})?T{_CLOCK}{_ZONE}?",           # 1998-08-14T09:30 T09:30
    "part of day":   rf"(?:{_ANY_DAY})?T{_PART_OF_DAY}",             # 1998-08-14TNI TMO
    "period":        rf"P(?=.){_DAYS}(?:T(?=.){_HOURS})?",           # P1Y2M P1DT12H PXD
    "units":         rf"P{_NUMBER}{_UNIT}",                          # P2WE P1DE
    "parts of day":  rf"PT{_NUMBER}{_PART_OF_DAY}",                  # PT2NI
}
"""The pattern of each form that a value can have, by the form's name."""

_DATE = ("year", "part of year", "month", "day", "week", "day of week", "weekend", "years ago")
_TIME = ("time of day", "part of day")
_DURATION = ("period", "units", "parts of day")

FORMS_OF_TYPE: Final = {
    "DATE":     (*_DATE, "reference"),
    "TIME":     (*_TIME, "reference"),
    "DURATION": _DURATION,
    "SET":      (*_DATE, *_TIME, *_DURATION, "reference"),
}
"""The forms that the value of a TIMEX3 may have, by its type."""
# fmt: on

TYPES: Final = tuple(FORMS_OF_TYPE)
"""The types of TIMEX3."""


@cache
def _find_values(kind: str) -> re.Pattern[str]:
    """Give the pattern of a type's values; to compile one takes milliseconds, and few need all."""
    return re.compile("|".join(FORMS[form] for form in FORMS_OF_TYPE[kind]))


@cache
def _find_forms() -> re.Pattern[str]:
    """Give the pattern of all forms, each a group of its name in `_FORM_NAMES`."""
    return re.compile("|".join(f"(?P<{name}>{FORMS[form]})" for name, form in _FORM_NAMES.items()))


_FREQUENCY: Final = re.compile(rf"P?{_NUMBER}(?:X|{_UNIT})?|P?T?{_NUMBER}(?:[HMS]|{_PART_OF_DAY})")
_FULL_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T|$)")


def is_value(kind: str, value: str) -> bool:
    """Whether a TIMEX3 of a type may have a value: the form is right and the day exists.

    >>> is_value("DATE", "1998-W33-WE"), is_value("DATE", "P3D"), is_value("DATE", "1998-02-30")
    (True, False, False)
    """
    return _find_values(kind).fullmatch(value) is not None and _exists(value)


def is_frequency(value: str) -> bool:
    """Whether a value can be the ``freq`` of a SET: a number and a unit, or X for "times".

    >>> is_frequency("2X"), is_frequency("7D"), is_frequency("often")
    (True, True, False)
    """
    return _FREQUENCY.fullmatch(value) is not None


def _exists(value: str) -> bool:
    """Whether the calendar has the day of a value; True for a value that names no exact day."""
    full = _FULL_DATE.match(value)
    if full is None or full[1] == "0000":
        return True
    try:
        date(*map(int, full.groups()))
    except ValueError:
        return False
    return True


class Bounds(Struct, frozen=True, gc=False, kw_only=True):
    """Between which places a value starts and ends; see the module for what a place is.

    ``kind`` says in words what the value is. An exact value has one place for its start and one for
    its end. ``zoned`` values are exact only among each other. ``part`` is the day of a part of the
    day and the part's place in it.
    """

    kind: str
    earliest_start: int
    latest_start: int
    earliest_end: int
    latest_end: int
    exact: bool = False
    zoned: bool = False
    part: tuple[int, int] | None = None


class Reason(StrEnum):
    """Why a value has no bounds."""

    MISSING = "no value"
    MALFORMED = "not in the grammar"
    VAGUE = "vague: PRESENT_REF and the like, years ago"
    PARTLY = "partly unknown: X for a digit, a time without its day"
    SET = "SET"
    DURATION = "duration without beginPoint and endPoint that have bounds"
    BACKWARDS = "duration that does not start before it ends"
    APPROXIMATE = "mod that says no more than about when"
    OUTSIDE = "outside the years 1 to 9999"
    NO_SUCH = "not on the calendar: 30 February, week 53 of a year with 52"


SECOND: Final = 1_000_000
DAY: Final = 24 * 60 * 60 * SECOND
OPEN: Final = 4 * DAY * 366 * 20_000
"""The place of an end that is open; minus this for a start that is open."""

_START, _END, _INSIDE = 2, 0, 1
_LAST_YEAR: Final = 9999
_ZONES: Final = 14 * 60 * 60 * SECOND
_MONTHS_BEFORE: Final = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
_PART_OF_YEAR: Final = {
    **{f"Q{quarter}": (3 * quarter - 2, 3) for quarter in range(1, 5)},
    **{f"H{half}": (6 * half - 5, 6) for half in range(1, 3)},
}
_ORDERED_PARTS: Final = ("MO", "AF", "EV", "NI")
_DIGITS: Final = 6
_NIGHT: Final = 6 * 60 * 60 * SECOND


def find_bounds(
    value: str,
    *,
    kind: str = "DATE",
    mod: str = "",
    begin: Bounds | None = None,
    end: Bounds | None = None,
) -> Bounds | Reason:
    """Find between which places a TIMEX3 starts and ends, or why that is not known.

    ``kind`` is its type, ``mod`` its modifier. ``begin`` and ``end`` are the bounds of the times
    that a duration names as its ``beginPoint`` and ``endPoint``.

    >>> bounds = find_bounds("1998-03")
    >>> write_instant(bounds.earliest_start), write_instant(bounds.latest_end), bounds.exact
    ('1998-03-01', '1998-04-01', True)
    >>> str(find_bounds("1998-02-30"))
    'not on the calendar: 30 February, week 53 of a year with 52'
    """
    value, kind, mod = value.strip(), kind.strip().upper(), mod.strip().upper()
    if kind == "SET":
        return Reason.SET
    if mod not in MODIFIERS:
        return Reason.APPROXIMATE
    found = _find_forms().fullmatch(value)
    form = _FORM_NAMES[found.lastgroup] if found and found.lastgroup else ""
    between = kind == "DURATION" or form in _DURATION
    bounds = _join(begin, end) if between else _read(value, form)
    change = MODIFIERS[mod]
    return bounds if change is None or isinstance(bounds, Reason) else change(bounds)


def find_moment(bounds: Bounds) -> Bounds:
    """Give the bounds of a moment that lies somewhere within a value (R40)."""
    return _within(bounds, f"{bounds.kind}, within")


def loosen(bounds: Bounds) -> Bounds:
    """Give the bounds of a value with a zone against values without: up to 14 hours off."""
    return replace(
        bounds,
        earliest_start=bounds.earliest_start - 4 * _ZONES,
        latest_start=bounds.latest_start + 4 * _ZONES,
        earliest_end=bounds.earliest_end - 4 * _ZONES,
        latest_end=bounds.latest_end + 4 * _ZONES,
        exact=False,
    )


def write_instant(place: int) -> str | None:
    """Write the instant of a place, no longer than needed; None outside the years 1 to 9999.

    The end of the year 9999 is written as the start of the year 10000.

    >>> write_instant(find_bounds("2013-03-12T09:30").earliest_start)
    '2013-03-12T09:30'
    """
    days, rest = divmod(place // 4, DAY)
    if days < 0 or days > _count_days(_LAST_YEAR + 1):
        return None
    if days == _count_days(_LAST_YEAR + 1):
        return "10000-01-01"
    day = date.fromordinal(days + 1).isoformat()
    if not rest:
        return day
    seconds, fraction = divmod(rest, SECOND)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}"
    if seconds % 60 or fraction:
        clock += f":{seconds % 60:02}"
    if fraction:
        clock += f".{fraction:06}".rstrip("0")
    return f"{day}T{clock}"


def _fix(kind: str, start: int, end: int) -> Bounds:
    """Give the bounds of a value whose start and end are known instants."""
    first, last = 4 * start + _START, 4 * end + _END
    return Bounds(
        kind=kind,
        earliest_start=first,
        latest_start=first,
        earliest_end=last,
        latest_end=last,
        exact=True,
    )


def _between(kind: str, first: int, last: int) -> Bounds:
    """Give the bounds of what starts and ends anywhere between two places."""
    return Bounds(
        kind=kind,
        earliest_start=first,
        latest_start=last - _INSIDE,
        earliest_end=first + _INSIDE,
        latest_end=last,
    )


def _within(bounds: Bounds, kind: str) -> Bounds:
    inside = _between(kind, bounds.earliest_start, bounds.latest_end)
    return replace(inside, zoned=bounds.zoned)


def _join(begin: Bounds | None, end: Bounds | None) -> Bounds | Reason:
    """Give the bounds of a duration that starts somewhere in one time and ends in another."""
    if begin is None or end is None or begin.zoned or end.zoned:
        return Reason.DURATION
    first, last = begin.earliest_start, end.latest_end
    if first >= last:
        return Reason.BACKWARDS
    return Bounds(
        kind="duration between two times",
        earliest_start=first,
        latest_start=min(begin.latest_end - _END + _START, last - _INSIDE),
        earliest_end=max(end.earliest_start - _START + _END, first + _INSIDE),
        latest_end=last,
    )


def _read(value: str, form: str) -> Bounds | Reason:
    if not form:
        return Reason.MALFORMED if value else Reason.MISSING
    read = _READERS.get(form)
    if read is None:
        return Reason.VAGUE
    if value.startswith(("-", "BC")):
        return Reason.OUTSIDE
    if "X" in value or value.startswith("T"):
        return Reason.PARTLY
    return read(value)


def _read_year(value: str) -> Bounds | Reason:
    digits = value.removeprefix("FY")
    width = 10 ** (4 - len(digits))
    first = int(digits) * width
    if first == 0 or width > 100:  # noqa: PLR2004 -- a century is the longest
        return Reason.OUTSIDE
    if digits != value:
        return _shift("fiscal year", first, 1, 12)
    kind = {1: "year", 10: "decade", 100: "century"}[width]
    return _fix(kind, DAY * _count_days(first), DAY * _count_days(first + width))


def _read_part_of_year(value: str) -> Bounds | Reason:
    written, part = value.split("-")
    year = _find_year(written.removeprefix("FY"))
    if year is None:
        return Reason.OUTSIDE
    if part not in _PART_OF_YEAR:
        first, last = (DAY * _count_days(year, month) for month in (1 - 3, 13 + 3))
        return _between("season", 4 * first + _START, 4 * last + _END)
    return _shift("quarter or half", year, *_PART_OF_YEAR[part])


def _read_month(value: str) -> Bounds | Reason:
    written, month = value.split("-")
    year = _find_year(written)
    if year is None:
        return Reason.OUTSIDE
    number = int(month)
    return _fix("month", DAY * _count_days(year, number), DAY * _count_days(year, number + 1))


def _read_day(value: str) -> Bounds | Reason:
    day = _find_day(value)
    return day if isinstance(day, Reason) else _fix("day", DAY * day, DAY * (day + 1))


def _read_week(value: str) -> Bounds | Reason:
    day = _find_day(f"{value}-1")
    if isinstance(day, Reason):
        return day
    if day + 7 > _count_days(_LAST_YEAR + 1):
        return Reason.OUTSIDE
    return _fix("week", DAY * day, DAY * (day + 7))


def _read_weekend(value: str) -> Bounds | Reason:
    """Read a weekend: it starts on a Friday to Sunday, and ends on a Saturday to Monday."""
    friday, week = _find_day(value.replace("WE", "5")), _read_week(value.removesuffix("-WE"))
    if isinstance(friday, Reason) or isinstance(week, Reason):
        return friday if isinstance(friday, Reason) else Reason.OUTSIDE
    starts, ends = friday, friday + 4
    return Bounds(
        kind="weekend",
        earliest_start=4 * DAY * starts + _START,
        latest_start=4 * DAY * (ends - 1) - _INSIDE,
        earliest_end=4 * DAY * (starts + 1) + _INSIDE + _START,
        latest_end=4 * DAY * ends + _END,
    )


def _read_part_of_day(value: str) -> Bounds | Reason:
    written, part = value.split("T", 1)
    day = _find_day(written)
    if isinstance(day, Reason):
        return day
    first, last = 4 * DAY * day + _START, 4 * (DAY * (day + 1) + _NIGHT) + _END
    bounds = _between("part of the day", first, last)
    if part not in _ORDERED_PARTS:
        return bounds
    return replace(bounds, part=(day, _ORDERED_PARTS.index(part)))


def _read_time(value: str) -> Bounds | Reason:
    found = _CLOCK_PARTS.fullmatch(value)
    day = _find_day(found["day"]) if found else Reason.MALFORMED
    if found is None or isinstance(day, Reason):
        return day if isinstance(day, Reason) else Reason.MALFORMED
    hour, minute, second = (int(found[name] or 0) for name in ("hour", "minute", "second"))
    fraction = found["fraction"] or ""
    if second > 59 or (hour == 24 and (minute or second or fraction.strip("0"))):  # noqa: PLR2004
        return Reason.NO_SUCH
    finer, fraction = len(fraction) > _DIGITS, fraction[:_DIGITS]
    width = 10 ** (_DIGITS - len(fraction))
    if found["second"] is None:
        width = SECOND * 60 if found["minute"] else SECOND * 3600
    start = DAY * day + SECOND * (3600 * hour + 60 * minute + second)
    start += int(fraction.ljust(_DIGITS, "0"))
    if found["zone"] is None:
        exact = _fix("time of day", start, start + width)
        return _within(exact, exact.kind) if finer else exact
    ahead = _read_zone(found["zone"])
    if abs(ahead) > _ZONES:
        return Reason.NO_SUCH
    exact = _fix("time of day with a zone", start - ahead, start + width - ahead)
    return replace(_within(exact, exact.kind) if finer else exact, zoned=True)


def _read_zone(zone: str) -> int:
    """Say how far the clocks of a zone are ahead of UTC."""
    if zone == "Z":
        return 0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    ahead = SECOND * (3600 * int(digits[:2]) + 60 * int(digits[2:]))
    return -ahead if zone[0] == "-" else ahead


def _find_year(written: str) -> int | None:
    """Read a year of four digits; None if it is not one of the years 1 to 9999."""
    return int(written) or None if len(written) == 4 and written.isdigit() else None  # noqa: PLR2004


def _find_day(value: str) -> int | Reason:
    """Number a day, of a month or of a week, from 0 for the first day of year 1."""
    written, *rest = value.split("-")
    year = _find_year(written)
    if year is None:
        return Reason.OUTSIDE
    try:
        if rest[0].startswith("W"):
            day = date.fromisocalendar(year, int(rest[0][1:]), int(rest[1]))
        else:
            day = date(year, int(rest[0]), int(rest[1]))
    except ValueError:
        return Reason.NO_SUCH
    return day.toordinal() - 1


def _count_days(year: int, month: int = 1) -> int:
    """Count the days from the start of year 1 to the start of a month.

    Month 13 is the first of the next year, and month 0 the last of the year before.
    """
    more, place = divmod(month - 1, 12)
    year += more
    before = year - 1
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = 365 * before + before // 4 - before // 100 + before // 400
    return days + _MONTHS_BEFORE[place] + (leap and place > 1)


def _shift(kind: str, year: int, month: int, months: int) -> Bounds:
    """Give the bounds of some months that a fiscal year may shift by a year either way."""
    instants = (
        DAY * _count_days(year + more, month + length) for length in (0, months) for more in (-1, 1)
    )
    first, second, third, fourth = instants
    return Bounds(
        kind=kind,
        earliest_start=4 * first + _START,
        latest_start=4 * second + _START,
        earliest_end=4 * third + _END,
        latest_end=4 * fourth + _END,
    )


def _part(bounds: Bounds) -> Bounds:
    return _within(bounds, "START, MID or END of a value")


def _until(bounds: Bounds) -> Bounds:
    found = _between("BEFORE a value", -OPEN, bounds.latest_end)
    return replace(found, zoned=bounds.zoned)


def _since(bounds: Bounds) -> Bounds:
    found = _between("AFTER a value", bounds.earliest_start, OPEN)
    return replace(found, zoned=bounds.zoned)


# fmt: off
MODIFIERS: Final[dict[str, Callable[[Bounds], Bounds] | None]] = {
    "": None, "NONE": None,
    "START": _part, "MID": _part, "END": _part, "EARLY": _part, "LATE": _part,
    "BEFORE": _until, "ON_OR_BEFORE": _until,
    "AFTER": _since, "ON_OR_AFTER": _since,
}
"""What each modifier makes of a value's bounds; any other says only about when (R40)."""

_READERS: Final[dict[str, Callable[[str], Bounds | Reason]]] = {
    "year": _read_year,
    "part of year": _read_part_of_year,
    "month": _read_month,
    "day": _read_day,
    "week": _read_week,
    "day of week": _read_day,
    "weekend": _read_weekend,
    "time of day": _read_time,
    "part of day": _read_part_of_day,
}
"""How the values of each form are read; other forms are vague."""
# fmt: on

_FORM_NAMES: Final = {f"form_{number}": form for number, form in enumerate(FORMS)}
_CLOCK_PARTS: Final = re.compile(
    r"(?P<day>[0-9W-]+)T(?P<hour>[0-9]{2})(?::(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2})"
    rf"(?:[.,](?P<fraction>[0-9]+))?)?)?(?P<zone>{_ZONE})?"
)
