"""What links say literally of pairs of nodes, without what follows from it.

A label is named by its row: ``IDENTITY``, ``DURING`` and ``SIMULTANEOUS`` are one, and so are
``A BEFORE B`` and ``B AFTER A``. A label that claims nothing, such as VAGUE, is a label too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct

from tlex.algebra import INVERSES, ROWS, Basic, list_basic
from tlex.comparison.labels import name_row
from tlex.conflicts.text_order import Row, sort_row
from tlex.document import Document
from tlex.graph import find_code

__all__ = ["Statement", "is_compatible", "join_labels", "list_statements"]


class Statement(Struct, frozen=True, gc=False):
    """What a link says of two nodes, by their numbers; ``row`` is empty if it claims nothing."""

    source: int
    target: int
    label: str
    row: Row
    link: int

    def turn(self) -> Statement:
        """Read it from its other end."""
        row = sort_row(self.row, turned=True)
        label = name_row(row) if row else _turn_label(self.label)
        return Statement(self.target, self.source, label, row, self.link)


def list_statements(document: Document, kinds: Collection[str]) -> Iterator[Statement]:
    """List what the links of some kinds say, in document order; dangling links are left out."""
    index = document.index
    for number, link in enumerate(document.links):
        if link.kind not in kinds:
            continue
        source, target = index.get(link.source or ""), index.get(link.target or "")
        if source is None or target is None:
            continue
        code = find_code(document, link.kind, link.type)
        row = () if code is None else sort_row(ROWS[code], turned=False)
        label = name_row(row) if row else link.type or "without a label"
        yield Statement(source, target, label, row, number)


def join_labels(statements: Iterable[Statement]) -> str:
    """Join the labels of one pair, all read from the same end."""
    return " + ".join(sorted({statement.label for statement in statements}))


def is_compatible(statements: Iterable[Statement]) -> bool:
    """Whether statements about one pair, all read from the same end, can hold together.

    >>> before = Statement(0, 1, "BEFORE", ((1, True, 2),), 0)
    >>> (
    ...     is_compatible([before, Statement(0, 1, "VAGUE", (), 1)]),
    ...     is_compatible([before, before.turn()]),
    ... )
    (True, False)
    """
    left: set[Basic] | None = None
    for statement in statements:
        allowed = {*list_basic(statement.row)}
        left = allowed if left is None else left & allowed
    return left is None or bool(left)


def _turn_label(label: str) -> str:
    """Give a label that claims nothing from its other end."""
    if label in INVERSES:
        return INVERSES[label]
    return label.removeprefix(_INVERSE) if label.startswith(_INVERSE) else _INVERSE + label


_INVERSE = "inverse of "
