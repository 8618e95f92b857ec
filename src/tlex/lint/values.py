"""The grammar of TIMEX3 values (TimeML 1.2.1, which builds on TIDES and ISO 8601).

``X`` stands for a digit that is not known. The grammar is the guidelines', a little wider than the
XML Schema's: decades and centuries in durations are read as E and C (the schema) and as DE and CE
(TIDES), and seasons, weekends and parts of the day can be counted.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final

__all__ = ["TYPES", "is_frequency", "is_value"]

TYPES: Final = ("DATE", "TIME", "DURATION", "SET")

_YEAR = r"(?:[0-9X]{1,4}|-[0-9X]{4}|BC[0-9X]{1,4}|FY[0-9X]{4})"
_MONTH = r"(?:0[1-9X]|1[0-2X]|XX)"
_DAY = r"(?:0[1-9X]|[12][0-9X]|3[01X]|XX)"
_WEEK = r"W(?:0[1-9X]|[1-4][0-9X]|5[0-3X]|XX)"
_PART_OF_YEAR = r"(?:SP|SU|FA|WI|Q[1-4X]|H[12X])"
_PART_OF_DAY = r"(?:MO|MI|AF|EV|NI|DT)"
_CALENDAR = rf"{_YEAR}(?:-{_MONTH}(?:-{_DAY})?|-{_WEEK}(?:-(?:[1-7X]|WE))?|-{_PART_OF_YEAR})?"
_AGO = r"[KMG]A[0-9X]+(?:\.[0-9]+)?"  # thousands, millions, billions of years ago
_REFERENCE = r"(?:PAST|PRESENT|FUTURE)_REF"
_ZONE = r"(?:Z|[+-][01][0-9](?::?[0-5][0-9])?)"
_CLOCK = (
    r"(?:[01X][0-9X]|2[0-4X])"
    rf"(?::[0-5X][0-9X](?::[0-5X6][0-9X](?:[.,][0-9]+)?)?)?{_ZONE}?"
)
_DAY_OF_YEAR = rf"{_YEAR}-(?:{_MONTH}-{_DAY}|{_WEEK}-[1-7X])"
_NUMBER = r"(?:[0-9]+(?:[.,][0-9]+)?|X+)"
_UNIT = r"(?:DE|CE|ML|WE|FY|SP|SU|FA|WI|[ECLQYMWD])"
_TIME_UNIT = rf"(?:[HMS]|{_PART_OF_DAY})"
_PERIOD = (
    rf"P(?=.)(?:{_NUMBER}Y)?(?:{_NUMBER}M)?(?:{_NUMBER}W)?(?:{_NUMBER}D)?"
    rf"(?:T(?=.)(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?"
)

_DATE_VALUE = rf"{_CALENDAR}|{_AGO}|{_REFERENCE}"
_TIME_VALUE = rf"(?:{_DAY_OF_YEAR})?T(?:{_CLOCK}|{_PART_OF_DAY})|{_REFERENCE}"
_DURATION_VALUE = rf"{_PERIOD}|P{_NUMBER}{_UNIT}|PT{_NUMBER}{_PART_OF_DAY}"

_VALUES: Final = {
    "DATE": re.compile(_DATE_VALUE),
    "TIME": re.compile(_TIME_VALUE),
    "DURATION": re.compile(_DURATION_VALUE),
    "SET": re.compile(rf"{_DATE_VALUE}|{_TIME_VALUE}|{_DURATION_VALUE}"),
}
_FREQUENCY: Final = re.compile(rf"P?{_NUMBER}(?:X|{_UNIT})?|P?T?{_NUMBER}{_TIME_UNIT}")
_FULL_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T|$)")


def is_value(kind: str, value: str) -> bool:
    """Whether a value is in the grammar for a type, and its day in the calendar.

    >>> is_value("DATE", "1998-W33-WE"), is_value("DATE", "P3D"), is_value("DATE", "1998-02-30")
    (True, False, False)
    """
    return _VALUES[kind].fullmatch(value) is not None and _is_day(value)


def is_frequency(value: str) -> bool:
    """Whether a value can be the ``freq`` of a SET: a number and a unit, or X for times.

    >>> is_frequency("2X"), is_frequency("7D"), is_frequency("often")
    (True, True, False)
    """
    return _FREQUENCY.fullmatch(value) is not None


def _is_day(value: str) -> bool:
    full = _FULL_DATE.match(value)
    if full is None or full[1] == "0000":
        return True
    try:
        date(*map(int, full.groups()))
    except ValueError:
        return False
    return True
