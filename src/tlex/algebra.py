"""The point algebra, and what each TimeML relation says in it.

A link relates two intervals; the five steps want relations between points. Table 1 of the paper
is the dictionary between the two, and `TABLE_1` below is that table, row for row.

Only ``<`` and ``=`` occur, so ``A AFTER B`` is written ``B+ < A-``. The rows leave out
``I- < I+``, which holds of every interval.

A label set is a table: kind of link, label, row. A new scheme is a new table and no new code.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

__all__ = [
    "BASIC",
    "CALENDAR",
    "CODES",
    "INVERSES",
    "LABELS",
    "READINGS",
    "ROWS",
    "SAME_AS",
    "SCHEMES",
    "SPELLINGS",
    "SUBORDINATING",
    "TABLE_1",
    "WIDER",
    "Basic",
    "Relation",
    "compile_row",
    "encode_row",
    "find_label",
    "list_basic",
]


class Relation(StrEnum):
    """TimeML's 14 temporal and 5 aspectual relations."""

    BEFORE = "BEFORE"
    AFTER = "AFTER"
    IBEFORE = "IBEFORE"
    IAFTER = "IAFTER"
    BEGINS = "BEGINS"
    BEGUN_BY = "BEGUN_BY"
    ENDS = "ENDS"
    ENDED_BY = "ENDED_BY"
    INCLUDES = "INCLUDES"
    IS_INCLUDED = "IS_INCLUDED"
    SIMULTANEOUS = "SIMULTANEOUS"
    IDENTITY = "IDENTITY"
    DURING = "DURING"
    DURING_INV = "DURING_INV"
    INITIATES = "INITIATES"
    CULMINATES = "CULMINATES"
    TERMINATES = "TERMINATES"
    CONTINUES = "CONTINUES"
    REINITIATES = "REINITIATES"

    @property
    def inverse(self) -> Relation:
        """The relation read from the other end: if A BEFORE B, then B AFTER A.

        An aspectual relation has the inverse of the temporal one that it stands for.

        >>> str(Relation.INCLUDES.inverse), str(Relation.INITIATES.inverse)
        ('IS_INCLUDED', 'BEGUN_BY')
        """
        return Relation(INVERSES[SAME_AS.get(self, self)])


Row = tuple[str, ...]
Offsets = tuple[tuple[int, bool, int], ...]

# fmt: off
TABLE_1: Final[dict[Relation, Row]] = {
    Relation.BEFORE:       ("A+ < B-",),
    Relation.AFTER:        ("B+ < A-",),
    Relation.IBEFORE:      ("A+ = B-",),
    Relation.IAFTER:       ("B+ = A-",),
    Relation.BEGINS:       ("A- = B-", "A+ < B+"),
    Relation.BEGUN_BY:     ("A- = B-", "B+ < A+"),
    Relation.ENDS:         ("B- < A-", "A+ = B+"),
    Relation.ENDED_BY:     ("A- < B-", "A+ = B+"),
    Relation.INCLUDES:     ("A- < B-", "B+ < A+"),
    Relation.IS_INCLUDED:  ("B- < A-", "A+ < B+"),
    Relation.SIMULTANEOUS: ("A- = B-", "A+ = B+"),
    Relation.IDENTITY:     ("A- = B-", "A+ = B+"),
    Relation.DURING:       ("A- = B-", "A+ = B+"),
    Relation.DURING_INV:   ("A- = B-", "A+ = B+"),
}
SAME_AS: Final[dict[Relation, Relation]] = {
    Relation.INITIATES:    Relation.BEGINS,
    Relation.CULMINATES:   Relation.ENDS,
    Relation.TERMINATES:   Relation.ENDS,
    Relation.CONTINUES:    Relation.IS_INCLUDED,
    Relation.REINITIATES:  Relation.IS_INCLUDED,
}
SCHEMES: Final[dict[str, dict[str, Row]]] = {
    "Allen": {
        "OVERLAPS":          ("A- < B-", "B- < A+", "A+ < B+"),
        "OVERLAPPED_BY":     ("B- < A-", "A- < B+", "B+ < A+"),
    },
    "TempEval": {
        "OVERLAP":           ("A- < B+", "B- < A+"),      # the two share time
        "BEFORE-OR-OVERLAP": ("A- < B+",),                # all that the two have in common
        "OVERLAP-OR-AFTER":  ("B- < A+",),
        "VAGUE":             (),
    },
    "EventStoryLine": {
        "CONTAINS":          ("A- < B-", "B+ < A+"),
        "CONTAINED_BY":      ("B- < A-", "A+ < B+"),
        "BEGUN_ON":          ("A- = B-",),                # nothing is said of the ends
        "BEGINS_ON":         ("A- = B-",),
        "ENDED_ON":          ("A+ = B+",),                # nothing is said of the starts
        "ENDS_ON":           ("A+ = B+",),
    },
    "THYME": {
        "BEFORE/OVERLAP":    ("A- < B-", "B- < A+"),      # began before, and still goes on
    },
    "MATRES": {
        "STARTS_BEFORE":     ("A- < B-",),                # start points only
        "STARTS_AFTER":      ("B- < A-",),
        "STARTS_WITH":       ("A- = B-",),
    },
    "MEANTIME and others": {
        "NONE":              (),
        "MEASURE":           (),
        "NON-RELATED":       (),                          # TempEval-1
        "UNKNOWN":           (),                          # a blank to fill in
    },
}
WIDER: Final[dict[str, Row]] = {
    label: row for scheme in SCHEMES.values() for label, row in scheme.items()
}
CALENDAR: Final[dict[str, tuple[str, Row, str]]] = {
    "BEFORE":                 ("<<<<", ("A+ < B-",),                 "is before"),
    "IBEFORE":                ("<<=<", ("A+ = B-",),                 "is immediately before"),
    "OVERLAPS":               ("<<><", ("A- < B-", "B- < A+", "A+ < B+"), "overlaps"),
    "BEGINS":                 ("=<><", ("A- = B-", "A+ < B+"),       "begins"),
    "IS_INCLUDED":            ("><><", ("B- < A-", "A+ < B+"),       "is included in"),
    "ENDS":                   ("><>=", ("B- < A-", "A+ = B+"),       "ends"),
    "SIMULTANEOUS":           ("=<>=", ("A- = B-", "A+ = B+"),       "is the same as"),
    "OVERLAP":                ("?<>?", ("A- < B+", "B- < A+"),       "shares time with"),
    "BEFORE-OR-OVERLAP":      ("?<??", ("A- < B+",),                 "starts before the end of"),
    "STARTS_BEFORE":          ("<<??", ("A- < B-",),                 "starts before"),
    "ENDS_BEFORE":            ("?<?<", ("A+ < B+",),                 "ends before the end of"),
    "STARTS_BEFORE_OVERLAP":  ("<<>?", ("A- < B-", "B- < A+"),       "starts before and reaches"),
    "ENDS_BEFORE_OVERLAP":    ("?<><", ("B- < A+", "A+ < B+"),       "ends within"),
    "STARTS_AND_ENDS_BEFORE": ("<<?<", ("A- < B-", "A+ < B+"),       "starts and ends before"),
}
"""The labels of links that follow from values: the orders of A- to B-, A- to B+, A+ to B- and A+ to
B+ (``?`` for unknown), the row, and the words. What is none of these is one of them from the other
end."""

_TURNED: Final[dict[str, str]] = {
    "BEFORE":            "AFTER",
    "IBEFORE":           "IAFTER",
    "BEGINS":            "BEGUN_BY",
    "ENDS":              "ENDED_BY",
    "INCLUDES":          "IS_INCLUDED",
    "DURING":            "DURING_INV",
    "OVERLAPS":          "OVERLAPPED_BY",
    "BEFORE-OR-OVERLAP": "OVERLAP-OR-AFTER",
    "CONTAINS":          "CONTAINED_BY",
    "STARTS_BEFORE":     "STARTS_AFTER",
}
_SYMMETRIC: Final = (
    "SIMULTANEOUS", "IDENTITY", "OVERLAP", "VAGUE", "NONE", "NON-RELATED", "UNKNOWN",
    "STARTS_WITH", "BEGUN_ON", "BEGINS_ON", "ENDED_ON", "ENDS_ON",
)
INVERSES: Final[dict[str, str]] = {
    **_TURNED,
    **{inverse: label for label, inverse in _TURNED.items()},
    **{label: label for label in _SYMMETRIC},
}
SUBORDINATING: Final[tuple[str, ...]] = (
    "MODAL", "FACTIVE", "COUNTER_FACTIVE", "EVIDENTIAL", "NEGATIVE_EVIDENTIAL", "CONDITIONAL",
)
# fmt: on


class Basic(NamedTuple):
    """One of the relations that exclude each other: its name, and TimeML's type if there is one.

    ``orders`` has the order of A- to B-, A- to B+, A+ to B- and A+ to B+.
    """

    name: str
    type: str | None
    orders: str


# fmt: off
_ALLEN: Final = (
    Basic("before",        "BEFORE",       "<<<<"),
    Basic("meets",         "IBEFORE",      "<<=<"),
    Basic("overlaps",      None,           "<<><"),
    Basic("starts",        "BEGINS",       "=<><"),
    Basic("during",        "IS_INCLUDED",  "><><"),
    Basic("finishes",      "ENDS",         "><>="),
    Basic("equal",         "SIMULTANEOUS", "=<>="),
    Basic("finished-by",   "ENDED_BY",     "<<>="),
    Basic("includes",      "INCLUDES",     "<<>>"),
    Basic("started-by",    "BEGUN_BY",     "=<>>"),
    Basic("overlapped-by", None,           "><>>"),
    Basic("met-by",        "IAFTER",       ">=>>"),
    Basic("after",         "AFTER",        ">>>>"),
)
_INSTANT_TO_INTERVAL: Final = (
    Basic("before",        "BEFORE",       "<<<<"),
    Basic("starts",        "BEGINS",       "=<=<"),
    Basic("during",        "IS_INCLUDED",  "><><"),
    Basic("finishes",      "ENDS",         ">=>="),
    Basic("after",         "AFTER",        ">>>>"),
)
_INTERVAL_TO_INSTANT: Final = (
    Basic("before",        "BEFORE",       "<<<<"),
    Basic("finished-by",   "ENDED_BY",     "<<=="),
    Basic("includes",      "INCLUDES",     "<<>>"),
    Basic("started-by",    "BEGUN_BY",     "==>>"),
    Basic("after",         "AFTER",        ">>>>"),
)
_INSTANT_TO_INSTANT: Final = (
    Basic("before",        "BEFORE",       "<<<<"),
    Basic("equal",         "SIMULTANEOUS", "===="),
    Basic("after",         "AFTER",        ">>>>"),
)
# fmt: on

BASIC: Final[dict[tuple[bool, bool], tuple[Basic, ...]]] = {
    (False, False): _ALLEN,
    (True, False): _INSTANT_TO_INTERVAL,
    (False, True): _INTERVAL_TO_INSTANT,
    (True, True): _INSTANT_TO_INSTANT,
}
"""The relations between A and B, by whether A, and whether B, is an instant (R20)."""

LABELS: Final[dict[str, dict[str, Row]]] = {
    "TLINK": {**{str(relation): row for relation, row in TABLE_1.items()}, **WIDER},
    "ALINK": {str(relation): TABLE_1[same] for relation, same in SAME_AS.items()},
    "SLINK": dict.fromkeys(SUBORDINATING, ()),
    "GLINK": {},
    "CLINK": {},
}
"""What is known of each kind of link: label, row. GLINKs (an event and the word that tells of its
phase) and CLINKs (cause and effect) have no types, order nothing and connect nothing."""

SPELLINGS: Final[dict[str, dict[str, str]]] = {
    "": {
        "NEG_EVIDENTIAL": "NEGATIVE_EVIDENTIAL",
        "BEFORE_OR_OVERLAP": "BEFORE-OR-OVERLAP",
        "OVERLAP_OR_AFTER": "OVERLAP-OR-AFTER",
        "BEGINS-ON": "BEGINS_ON",
        "BEGUN-ON": "BEGUN_ON",
        "ENDS-ON": "ENDS_ON",
        "ENDED-ON": "ENDED_ON",
        "BEFORE-OVERLAP": "BEFORE/OVERLAP",
        "BEFORE_OVERLAP": "BEFORE/OVERLAP",
        "OVERLAP_BEFORE": "OVERLAPS",
        "OVERLAP_AFTER": "OVERLAPPED_BY",
        "IS-CONTAINED": "CONTAINED_BY",
        "IS_CONTAINED": "CONTAINED_BY",
        "NON_RELATED": "NON-RELATED",
    },
    "dense": {
        "A": "AFTER", "B": "BEFORE", "I": "INCLUDES", "II": "IS_INCLUDED", "S": "SIMULTANEOUS",
        "V": "VAGUE", "MV": "VAGUE", "PV": "VAGUE", "NV": "VAGUE",
    },
    "matres": {
        "BEFORE": "STARTS_BEFORE", "AFTER": "STARTS_AFTER", "EQUAL": "STARTS_WITH",
        "VAGUE": "VAGUE",
    },
    "eventfull": {
        "BEFORE": "STARTS_BEFORE", "BEFORE/CAUSE": "STARTS_BEFORE",
        "BEFORE/NO_CAUSE": "STARTS_BEFORE", "UNCERTAIN/CAUSE": "STARTS_BEFORE",
        "AFTER": "STARTS_AFTER", "AFTER/EFFECT": "STARTS_AFTER", "AFTER/CAUSE": "STARTS_AFTER",
        "AFTER/NO_CAUSE": "STARTS_AFTER", "AFTER/NO_EFFECT": "STARTS_AFTER",
        "UNCERTAIN/EFFECT": "STARTS_AFTER",
        "EQUAL": "STARTS_WITH", "EQUAL/COREF": "STARTS_WITH", "EQUAL/NO_COREF": "STARTS_WITH",
        "UNCERTAIN/COREF": "STARTS_WITH",
        "UNCERTAIN": "VAGUE", "VAGUE": "VAGUE",
        "INCLUDES": "INCLUDES", "IS_INCLUDED": "IS_INCLUDED", "OVERLAP": "OVERLAP",
    },
}  # fmt: skip
"""What else a label is written as: anywhere, and in formats that have words of their own."""

_SHARE: Final[Row] = ("A- < B+", "B- < A+")
_INSIDE: Final[Row] = ("B- < A-", "A+ < B+")

# fmt: off
READINGS: Final[dict[str, dict[str, dict[str, Row]]]] = {
    "timeml": {"TLINK": {
        "DURING":            ("A- = B-", "A+ = B+"),
        "DURING_INV":        ("A- = B-", "A+ = B+"),
    }},
    "frtimebank": {
        "TLINK": {
            "DURING":        _INSIDE,                     # IS_INCLUDED is kept for times there
            "DURING_INV":    ("A- < B-", "B+ < A+"),
        },
        "SLINK": {"NEGATIVE": ()},
    },
    "caters": {"TLINK": {
        "OVERLAPS":          _SHARE,                      # not Allen's
        "DURING":            _INSIDE,
        **{
            f"{cause}_{order}": row
            for cause in ("CAUSE", "ENABLE", "PREVENT", "CAUSE_TO_END", "CAUSE_TO_END_INV")
            for order, row in (("BEFORE", ("A+ < B-",)), ("OVERLAP", _SHARE), ("OVERLAPS", _SHARE))
        },
    }},
    "timeset": {"TLINK": {
        "AFTER":             ("A+ < B-",),                # the arrow runs with time
        "COEX":              (),
    }},
    "intervals": {"TLINK": {                              # EventFull's export of other corpora
        "STARTS_BEFORE":     ("A+ < B-",),
        "STARTS_AFTER":      ("B+ < A-",),
        "STARTS_WITH":       ("A- = B-", "A+ = B+"),
    }},
}
# fmt: on
"""What labels mean in a corpus where that differs: its name, kind of link, label, row."""

_ENDS: Final = {"A-": 0, "A+": 1, "B-": 2, "B+": 3}


def compile_row(row: Row) -> Offsets:
    """Turn a row into offsets: 0 to 3 stand for A-, A+, B-, B+; the flag says if it is strict.

    >>> compile_row(("A+ < B-",))
    ((1, True, 2),)
    """
    words = (constraint.split() for constraint in row)
    return tuple((_ENDS[left], order == "<", _ENDS[right]) for left, order, right in words)


class _Rows(dict[int, Offsets]):
    """Rows by code. The code of a row that is in no table says the row itself (`encode_row`)."""

    def __missing__(self, code: int) -> Offsets:
        row = []
        rest = code - _OWN
        while rest > 0:
            rest, digit = divmod(rest, _DIGITS)
            left, strict, right = (digit - 1) >> 3, digit - 1 & 4, digit - 1 & 3
            row.append((left, bool(strict), right))
        return tuple(row)


_OWN, _DIGITS = 1 << 16, 1 + 4 * 2 * 4

ROWS: Final[dict[int, Offsets]] = _Rows(
    enumerate(compile_row(row) for table in LABELS.values() for row in table.values())
)
"""The compiled row of each label, by the label's code."""

CODES: Final[dict[str, dict[str, int]]] = {}
"""Kind of link, label, code: the number that stands for the label in the five steps."""
for _kind, _table in LABELS.items():
    _first = sum(map(len, CODES.values()))
    CODES[_kind] = {label: _first + place for place, label in enumerate(_table)}


@cache
def encode_row(row: Row) -> int:
    """Give a code to the row of a label that is in no table here, the same in every process.

    >>> ROWS[encode_row(("A+ < B-", "B+ = A+"))]
    ((1, True, 2), (3, False, 1))
    """
    code = 0
    for left, strict, right in reversed(compile_row(row)):
        code = code * _DIGITS + 1 + (left << 3 | strict << 2 | right)
    return _OWN + code


ROWS.update({encode_row(row): compile_row(row) for _, row, _ in CALENDAR.values()})


def list_basic(row: Offsets) -> tuple[Basic, ...]:
    """The relations of Allen that two intervals can have under a row.

    >>> [relation.name for relation in list_basic(compile_row(("A- = B-",)))]
    ['starts', 'equal', 'started-by']
    """
    return tuple(
        basic for basic in _ALLEN if all(_holds(basic.orders, *constraint) for constraint in row)
    )


def _holds(orders: str, left: int, strict: bool, right: int) -> bool:  # noqa: FBT001
    """Whether a constraint holds under the orders of A- and A+ to B- and B+."""
    wanted = "<" if strict else "="
    if left // 2 == right // 2:  # two ends of one interval, or one end
        return left < right if strict else left == right
    if left < right:
        return orders[2 * left + right - 2] == wanted
    return orders[2 * right + left - 2] == ("=" if not strict else ">")


def find_label(kind: str, written: str, scheme: str = "") -> str | None:
    """Find the canonical name of a label as written, or None if no table of its kind has it.

    Case does not count, nor do blanks around the word. A label belongs to its kind. A ``scheme``
    has words of its own, and no others.

    >>> find_label("TLINK", " before "), find_label("TLINK", "INITIATES")
    ('BEFORE', None)
    >>> find_label("TLINK", "BEFORE", "matres"), find_label("TLINK", "ii", "dense")
    ('STARTS_BEFORE', 'IS_INCLUDED')
    """
    label = written.strip().upper()
    if scheme:
        return SPELLINGS[scheme].get(label)
    label = SPELLINGS[""].get(label, label)
    return label if label in CODES.get(kind, ()) else None
