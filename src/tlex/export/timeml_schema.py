"""The published schema of TimeML 1.2.1 as data: attributes, their values, ids.

There is one deviation from the schema. It forbids words inside EVENT, TIMEX3 and SIGNAL, so that no
annotated text would be valid; words are written there all the same (reading R34). An attribute that
only the DTD has, such as ``comment``, counts as one that TimeML does not have.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from tlex.algebra import LABELS, TABLE_1, Row

__all__ = ["ATTRIBUTES", "REFERENCES", "TYPES", "Attribute", "find_equal", "spell"]


class Attribute(NamedTuple):
    """The allowed values, and the default if TimeML demands the attribute."""

    allowed: re.Pattern[str]
    default: str | None = None

    def accept(self, written: str) -> str | None:
        """Give the value in its allowed spelling; None if it is not allowed."""
        for value in (written, written.strip(), written.strip().upper()):
            if self.allowed.fullmatch(value):
                return value
        return None


def _one_of(words: str, default: str | None = None) -> Attribute:
    return Attribute(re.compile("|".join(words.split())), default)


_DAY = r"[0-9X]{1,4}-[0-9X]{1,2}-[0-9X]{1,2}"
_CLOCK = r"T(?:[0-9]{2}(?::[0-9]{2}(?::[0-9]{2})?)?|MO|MI|AF|EV|NI|DT)"
_WEEK = r"[0-9X]{1,4}-W[0-9X]{1,2}"
_NUMBER = r"(?:[0-9]+|X{1,2})"
_PERIOD = (
    rf"(?=...)P(?:(?:{_NUMBER}Y)?(?:{_NUMBER}M)?(?:{_NUMBER}D)?"
    rf"(?:T(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?|{_NUMBER}[WLECQ])"
)
_VALUE = "|".join(
    (
        r"[0-9X]{1,4}(?:-[0-9X]{1,2}(?:-[0-9X]{1,2})?)?",
        rf"(?:{_DAY})?{_CLOCK}",
        rf"{_WEEK}(?:-(?:[1-7X]|WE))?",
        rf"{_WEEK}-[1-7X]{_CLOCK}",
        r"[0-9X]{1,4}-(?:SP|SU|WI|FA)",
        r"[0-9X]{1,4}-(?:H[12X]|Q[1-4X])",
        r"PAST_REF|PRESENT_REF|FUTURE_REF",
        _PERIOD,
    )
)
_ANY = Attribute(re.compile(r".*", re.DOTALL))
_TIME, _SIGNAL = Attribute(re.compile(r"t[0-9]+")), Attribute(re.compile(r"s[0-9]+"))
_SENTENCE = Attribute(re.compile(r"[+-]?[0-9]+"))

ATTRIBUTES: Final[dict[str, dict[str, Attribute]]] = {
    "EVENT": {
        "class": _one_of(
            "OCCURRENCE PERCEPTION REPORTING ASPECTUAL STATE I_STATE I_ACTION MODAL", "OCCURRENCE"
        ),
        "stem": _ANY,
        "sentID": _SENTENCE,
    },
    "MAKEINSTANCE": {
        "tense": _one_of("PAST PRESENT FUTURE INFINITIVE PRESPART PASTPART NONE", "NONE"),
        "aspect": _one_of("PROGRESSIVE PERFECTIVE PERFECTIVE_PROGRESSIVE NONE", "NONE"),
        "polarity": _one_of("POS NEG", "POS"),
        "pos": _one_of("VERB ADJECTIVE NOUN NONE", "NONE"),
        "modality": _ANY,
        "cardinality": _ANY,
        "signalID": _SIGNAL,
    },
    "TIMEX3": {
        "type": _one_of("DATE TIME DURATION SET", "DATE"),
        "value": Attribute(re.compile(_VALUE), "XXXX"),
        "temporalFunction": _one_of("true false 1 0"),
        "functionInDocument": _one_of(
            "CREATION_TIME EXPIRATION_TIME MODIFICATION_TIME PUBLICATION_TIME RELEASE_TIME "
            "RECEPTION_TIME NONE"
        ),
        "mod": _one_of(
            "BEFORE AFTER ON_OR_BEFORE ON_OR_AFTER LESS_THAN MORE_THAN EQUAL_OR_LESS "
            "EQUAL_OR_MORE START MID END APPROX"
        ),
        "anchorTimeID": _TIME,
        "beginPoint": _TIME,
        "endPoint": _TIME,
        "quant": _ANY,
        "freq": Attribute(re.compile(_PERIOD)),
        "sentID": _SENTENCE,
    },
    "SIGNAL": {"sentID": _SENTENCE},
    "TLINK": {"origin": _ANY, "signalID": _SIGNAL, "magnitude": _TIME},
    "SLINK": {"origin": _ANY, "signalID": _SIGNAL},
    "ALINK": {"origin": _ANY, "signalID": _SIGNAL},
}
"""The attributes of each element, without its id and without the ends and type of a link."""

REFERENCES: Final = {
    "anchorTimeID": "TIMEX3",
    "beginPoint": "TIMEX3",
    "endPoint": "TIMEX3",
    "magnitude": "TIMEX3",
    "signalID": "SIGNAL",
}
"""Attributes that refer to another element, and the name of that element."""

_SPELT = {"NEGATIVE_EVIDENTIAL": "NEG_EVIDENTIAL"}
TYPES: Final[dict[str, frozenset[str]]] = {
    "TLINK": frozenset(str(label) for label in TABLE_1 if label != "DURING_INV"),
    "ALINK": frozenset(LABELS["ALINK"]),
    "SLINK": frozenset(_SPELT.get(label, label) for label in LABELS["SLINK"]),
}
"""The types of links in the schema, which lacks DURING_INV of Table 1."""


def spell(label: str) -> str:
    """Give a type in the spelling of the schema."""
    return _SPELT.get(label, label)


def find_equal(row: Row | None) -> str | None:
    """Find a TimeML type with the same constraints as a row; None if there is none.

    >>> find_equal(("B+ < A+", "A- < B-"))
    'INCLUDES'
    """
    if not row:
        return None
    same = (str(label) for label, own in TABLE_1.items() if set(own) == set(row))
    return next((label for label in same if label in TYPES["TLINK"]), None)
