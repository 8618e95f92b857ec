"""The relations of two intervals: the checker's own table, and what agrees with known orders."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import product
from typing import Final, TypeAlias

__all__ = ["CELLS", "Fact", "Named", "close_facts", "list_fitting", "list_rows", "read_signs"]

CELLS: Final = ((0, 2), (0, 3), (1, 2), (1, 3))
"""Which end points are compared: 0 to 3 stand for A-, A+, B-, B+."""

Named: TypeAlias = tuple[str, str | None]
"""A relation: Allen's name, and TimeML's type if it has one."""

Fact: TypeAlias = tuple[str, int, int]
"""An order of two end points: ``<`` or ``=``, the left one, the right one."""

# How the end points compare under each relation, in the order of CELLS: Allen's thirteen, and what
# is left of them where A or B is an instant (R20). The sequence is that of the answers.
_BOTH_LONG: Final[dict[Named, str]] = {
    ("before", "BEFORE"): "<<<<",
    ("meets", "IBEFORE"): "<<=<",
    ("overlaps", None): "<<><",
    ("starts", "BEGINS"): "=<><",
    ("during", "IS_INCLUDED"): "><><",
    ("finishes", "ENDS"): "><>=",
    ("equal", "SIMULTANEOUS"): "=<>=",
    ("finished-by", "ENDED_BY"): "<<>=",
    ("includes", "INCLUDES"): "<<>>",
    ("started-by", "BEGUN_BY"): "=<>>",
    ("overlapped-by", None): "><>>",
    ("met-by", "IAFTER"): ">=>>",
    ("after", "AFTER"): ">>>>",
}
_FIRST_SHORT: Final[dict[Named, str]] = {
    ("before", "BEFORE"): "<<<<",
    ("starts", "BEGINS"): "=<=<",
    ("during", "IS_INCLUDED"): "><><",
    ("finishes", "ENDS"): ">=>=",
    ("after", "AFTER"): ">>>>",
}
_SECOND_SHORT: Final[dict[Named, str]] = {
    ("before", "BEFORE"): "<<<<",
    ("finished-by", "ENDED_BY"): "<<==",
    ("includes", "INCLUDES"): "<<>>",
    ("started-by", "BEGUN_BY"): "==>>",
    ("after", "AFTER"): ">>>>",
}
_BOTH_SHORT: Final[dict[Named, str]] = {
    ("before", "BEFORE"): "<<<<",
    ("equal", "SIMULTANEOUS"): "====",
    ("after", "AFTER"): ">>>>",
}
_TABLES: Final = {
    (False, False): _BOTH_LONG,
    (True, False): _FIRST_SHORT,
    (False, True): _SECOND_SHORT,
    (True, True): _BOTH_SHORT,
}


@cache
def list_fitting(signs: str, moments: tuple[bool, bool]) -> tuple[Named, ...]:
    """List the relations that agree with the known signs; ``?`` is an unknown one."""
    return tuple(
        named
        for named, row in _TABLES[moments].items()
        if all(sign in ("?", cell) for sign, cell in zip(signs, row, strict=True))
    )


def close_facts(facts: Iterable[Fact], moments: tuple[bool, bool]) -> set[Fact]:
    """Find all orders of the four end points that follow from some, and from the intervals."""
    closed = {("=" if moment else "<", 2 * one, 2 * one + 1) for one, moment in enumerate(moments)}
    closed |= set(facts) | {("=", point, point) for point in range(4)}
    closed |= {("=", right, left) for order, left, right in closed if order == "="}
    for middle, left, right in product(range(4), repeat=3):
        for first, second in product("<=", repeat=2):
            if {(first, left, middle), (second, middle, right)} <= closed:
                closed.add((min(first, second), left, right))
    return closed


def read_signs(closed: set[Fact]) -> str:
    """Give the sign of each cell; ``?`` where nothing is known."""
    signs = ""
    for left, right in CELLS:
        if ("<", left, right) in closed:
            signs += "<"
        elif ("=", left, right) in closed:
            signs += "="
        else:
            signs += ">" if ("<", right, left) in closed else "?"
    return signs


def list_rows(facts: Iterable[Fact]) -> list[str]:
    """List how the end points of two intervals can compare, in all cells, under some orders."""
    long = (False, False)
    return [_BOTH_LONG[named] for named in list_fitting(read_signs(close_facts(facts, long)), long)]
