"""The candidates for the labels of links, and what each costs (reading R60).

A probability is taken as a share of all that a link has. Its cost is minus its natural logarithm,
as a whole number of nine decimal places. Costs are counted from the most probable label of a link,
which costs 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from itertools import product
from math import log

from msgspec import Struct

from tlex.algebra import ROWS, list_basic
from tlex.conflicts.text_order import rank_links
from tlex.document import Document
from tlex.graph import find_code
from tlex.nouns import Link
from tlex.points.graphs import PointConstraint

__all__ = ["DIGITS", "Question", "implies", "list_questions"]

DIGITS = 10**9
_LARGEST = 1e300
_EQUAL = 1e-9
_NEAR = 0.01
"""Probabilities that add up to 1 within this need no word."""


class Question(Struct, frozen=True):
    """A link and the labels that it may have, the most probable one first.

    ``number`` is that of the link in the document. ``rows`` has the constraints of each label on
    the points of the document. ``least`` is what the most probable label costs, and ``costs`` what
    each costs more than that. A question with one label is no question: it has to be this one.
    """

    number: int
    ends: tuple[int, int]
    labels: tuple[str, ...]
    shares: tuple[float, ...]
    least: int
    costs: tuple[int, ...]
    rows: tuple[tuple[PointConstraint, ...], ...]


def list_questions(document: Document, kinds: Collection[str]) -> tuple[list[Question], list[str]]:
    """List the links that order something, in text order, and what is to be told about them."""
    found: dict[int, Question] = {}
    notes: list[str] = []
    pairs: dict[frozenset[int], list[str]] = {}
    for number, link in enumerate(document.links):
        ends = (document.index.get(link.source or ""), document.index.get(link.target or ""))
        if link.kind not in kinds or ends[0] is None or ends[1] is None:
            continue
        question = _ask(document, link, number, (ends[0], ends[1]), notes)
        if question is None:
            continue
        found[number] = question
        if link.labels:
            pairs.setdefault(frozenset(question.ends), []).append(link.id)
    notes += (
        f"{', '.join(names[:4])}{' and more' if len(names) > len('four') else ''} are about the "
        "same two; each gets a label, and their probabilities are multiplied"
        for names in pairs.values()
        if len(names) > 1
    )
    ranks = rank_links(document, found)
    return [found[number] for number in sorted(found, key=ranks.__getitem__)], notes


def _ask(
    document: Document, link: Link, number: int, ends: tuple[int, int], notes: list[str]
) -> Question | None:
    """Make the question about a link; None if it orders nothing whatever its label."""
    given = link.labels or ({link.type: 1.0} if link.type else {})
    codes = {label: find_code(document, link.kind, label) for label in given}
    shares = {label: share for label, share in given.items() if codes[label] is not None}
    if not shares:
        return None
    if link.labels:
        notes += _remark(link, shares)
    if not any(shares.values()):
        shares = dict.fromkeys(shares, 1.0)
    shares = _make_shares(shares)
    order = sorted(shares, key=lambda label: -shares[label])  # stable: the first one written
    costs = [round(-log(shares[label]) * DIGITS) for label in order]
    rows = [
        tuple(
            (2 * ends[left >> 1] + (left & 1), strict, 2 * ends[right >> 1] + (right & 1))
            for left, strict, right in ROWS[codes[label] or 0]
        )
        for label in order
    ]
    free = next((place for place, row in enumerate(rows) if not row), len(rows))
    # What is less probable than a label without constraints is never chosen.
    order, costs, rows = order[: free + 1], costs[: free + 1], rows[: free + 1]
    return Question(
        number=number,
        ends=ends,
        labels=tuple(order),
        shares=tuple(shares[label] for label in order),
        least=costs[0],
        costs=tuple(cost - costs[0] for cost in costs),
        rows=tuple(rows),
    )


def _make_shares(given: dict[str, float]) -> dict[str, float]:
    """Give probabilities that add up to 1, without those that are 0."""
    if sum(given.values()) > _LARGEST:
        given = {label: share / _LARGEST for label, share in given.items()}
    total = sum(given.values())
    if abs(total - 1) > _EQUAL:
        given = {label: share / total for label, share in given.items()}
    return {label: share for label, share in given.items() if share}


def _remark(link: Link, shares: dict[str, float]) -> Iterator[str]:
    """Say what is unusual about the probabilities of a link."""
    for label in (label for label in link.labels or () if label not in shares):
        yield f"{link.id}: {label} is no label of {link.kind}s; it is left out"
    total = sum(shares.values())
    if not total:
        yield f"{link.id}: all probabilities are 0; its labels count as equally probable"
    elif abs(total - 1) > _NEAR:
        yield f"{link.id}: the probabilities add up to {total:g}; each is taken as a share of that"


def implies(
    ends: tuple[int, int], row: Collection[PointConstraint], order: PointConstraint
) -> bool:
    """Whether the constraints of a label imply an order of two points of its link.

    An order that is not strict says "not after".
    """
    places = {2 * end + side: 2 * place + side for place, end in enumerate(ends) for side in (0, 1)}
    if ends[0] == ends[1]:
        turned = (order[2], False, order[0])
        return order in row or (not order[1] and turned in row)
    local = tuple((places[left], strict, places[right]) for left, strict, right in row)
    left, strict, right = places[order[0]], order[1], places[order[2]]
    return (left, strict, right) in _list_implied(local)


@cache
def _list_implied(row: tuple[PointConstraint, ...]) -> frozenset[PointConstraint]:
    """List the orders between the ends of two intervals that hold in all relations of a row."""
    basics = list_basic(row)
    found = set()
    for left, right in product((0, 1), (2, 3)):
        signs = {basic.orders[2 * left + right - 2] for basic in basics}
        for one, other, before in ((left, right, "<"), (right, left, ">")):
            if signs <= {before}:
                found.add((one, True, other))
            if signs <= {before, "="}:
                found.add((one, False, other))
    return frozenset(found)
