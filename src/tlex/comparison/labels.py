"""Labels that two sides give to one pair: what is said literally, without what follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from tlex.algebra import TABLE_1, WIDER, compile_row
from tlex.comparison.claims import Claim
from tlex.comparison.matching import Matching
from tlex.comparison.sides import Side
from tlex.conflicts.text_order import Row, sort_row

__all__ = ["NO_LABEL", "Literal", "compare_labels", "name_row"]

NO_LABEL = "none"
"""Stands for the label of a pair that a side says nothing of."""


class Literal(Struct, frozen=True, gc=False):
    """How many claims both sides make literally, and which labels stand against each other.

    ``confusion`` counts pairs of labels, the gold's first, of the matched pairs that at least one
    side speaks of. Several labels of one pair are joined with +.
    """

    same: int
    gold: int
    system: int
    shared_pairs: int
    confusion: dict[tuple[str, str], int]


def compare_labels(gold: Side, system: Side, matching: Matching) -> Literal:
    """Compare what two sides say literally."""
    ours = _group(gold.claims, None)
    theirs = _group(system.claims, matching.system)
    confusion: Counter[tuple[str, str]] = Counter()
    same = shared = 0
    for pair in {**ours, **theirs}:
        left, right = ours.get(pair, set()), theirs.get(pair, set())
        same += len(left & right)
        shared += bool(left and right)
        if pair[0] in matching.gold and pair[1] in matching.gold:
            confusion[_join(left), _join(right)] += 1
    return Literal(same, len(gold.claims), len(system.claims), shared, dict(confusion))


def name_row(row: Row) -> str:
    """Give the first label that says a row, such as BEFORE; the constraints if there is none.

    >>> name_row(((1, True, 2),)), name_row(((0, False, 2), (1, False, 3)))
    ('BEFORE', 'SIMULTANEOUS')
    """
    if row in _LABELS:
        return _LABELS[row]
    names = "A-", "A+", "B-", "B+"
    return " ".join(
        f"{names[left]}{'<' if strict else '='}{names[right]}" for left, strict, right in row
    )


def _group(
    claims: tuple[Claim, ...], there: Mapping[int, int] | None
) -> dict[tuple[int, int], set[Row]]:
    """The rows of each pair, by the numbers of the gold side, read from the smaller number.

    A claim of an end without counterpart is left out.
    """
    found: dict[tuple[int, int], set[Row]] = {}
    for claim in claims:
        first, second = claim.first, claim.second
        if there is not None:
            if first not in there or second not in there:
                continue
            first, second = there[first], there[second]
        row = claim.row
        if second < first:
            first, second, row = second, first, sort_row(row, turned=True)
        found.setdefault((first, second), set()).add(row)
    return found


def _join(rows: set[Row]) -> str:
    return " + ".join(sorted(map(name_row, rows))) or NO_LABEL


_LABELS: dict[Row, str] = {}
for _label, _row in (*TABLE_1.items(), *WIDER.items()):
    if _row:
        _LABELS.setdefault(sort_row(compile_row(_row), turned=False), str(_label))
