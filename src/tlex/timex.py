"""The grammar of TIMEX3 values (TimeML 1.2.1, which builds on TIDES and ISO 8601).

``FORMS`` is the grammar, one pattern per form of a value; ``FORMS_OF_TYPE`` says which forms the
value of each type of TIMEX3 may have. ``X`` stands for an unknown digit.

The grammar follows the guidelines, which allow a little more than the XML Schema. In a duration,
decades and centuries are E and C (the schema) or DE and CE (TIDES), and seasons, weekends and parts
of the day can be counted.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final

__all__ = ["FORMS", "FORMS_OF_TYPE", "TYPES", "is_frequency", "is_value"]

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

_VALUES: Final = {
    kind: re.compile("|".join(FORMS[form] for form in forms))
    for kind, forms in FORMS_OF_TYPE.items()
}
_FREQUENCY: Final = re.compile(rf"P?{_NUMBER}(?:X|{_UNIT})?|P?T?{_NUMBER}(?:[HMS]|{_PART_OF_DAY})")
_FULL_DATE: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T|$)")


def is_value(kind: str, value: str) -> bool:
    """Whether a TIMEX3 of a type may have a value: the form is right and the day exists.

    >>> is_value("DATE", "1998-W33-WE"), is_value("DATE", "P3D"), is_value("DATE", "1998-02-30")
    (True, False, False)
    """
    return _VALUES[kind].fullmatch(value) is not None and _exists(value)


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
