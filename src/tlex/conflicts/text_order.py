"""The text order of links, which decides between repairs of the same cost.

It depends on what the links say and on where their ends stand in the text. The order of the lines
of a file plays no part in it. Reading R37.
"""

from __future__ import annotations

import re

from tlex.algebra import ROWS, TABLE_1, WIDER, compile_row
from tlex.document import Document, Node, Timex
from tlex.graph import list_relations

__all__ = ["rank_links", "rank_nodes"]

_NUMBERS = re.compile(r"([0-9]{1,18})")
_OUTSIDE, _INSIDE, _NOWHERE = range(3)
_Name = tuple[tuple[str | int, ...], str]
_Row = frozenset[tuple[int, bool, int]]


def rank_nodes(document: Document) -> list[int]:
    """Give each node its place in text order.

    First come the creation time and what stands outside the text. Then come the nodes of the text,
    by start, end and id. Nodes without a place are last, by id. Numbers in ids count as numbers.
    """
    phrases = document.phrases

    def place(node: Node) -> tuple[int, int, int, _Name]:
        name = _take_numbers(node.id)
        if _is_creation_time(node):
            return _OUTSIDE, 0, 0, name
        if node.text_start >= 0:
            return _INSIDE, node.text_start, node.text_end, name
        return (_OUTSIDE if node.id in phrases else _NOWHERE), 1, 0, name

    nodes = document.nodes
    ordered = sorted(range(len(nodes)), key=lambda number: place(nodes[number]))
    ranks = [0] * len(nodes)
    for rank, number in enumerate(ordered):
        ranks[number] = rank
    return ranks


def rank_links(document: Document) -> dict[int, int]:
    """Give each link that orders nodes, by its number, its place in text order.

    Links are ordered by their earlier end, their later end, and their row in the order of Table 1,
    read from the earlier end. Links that are alike in all of this say the same.

    >>> import tlex
    >>> rank_links(
    ...     tlex.from_links([("b", "BEFORE", "c"), ("b", "BEFORE", "a"), ("c", "AFTER", "b")])
    ... )
    {1: 0, 0: 1, 2: 2}
    """
    nodes = rank_nodes(document)
    found = document.relations or list_relations(document)
    keys = []
    for code, source, target, number in zip(
        found.labels, found.sources, found.targets, found.numbers, strict=True
    ):
        ends = nodes[source], nodes[target]
        row = _sort_row(ROWS[code], turned=ends[0] > ends[1])
        place = _PLACES.get(row, len(_PLACES))
        keys.append((min(ends), max(ends), place, sorted(row), number))
    return {key[-1]: rank for rank, key in enumerate(sorted(keys))}


def _take_numbers(name: str) -> _Name:
    """An id for comparing, with its numbers as numbers: every second part is one."""
    parts = _NUMBERS.split(name)
    return tuple(int(part) if place % 2 else part for place, part in enumerate(parts)), name


def _is_creation_time(node: Node) -> bool:
    function = node.attributes.get("functionInDocument", "")
    return isinstance(node, Timex) and function.strip().upper() == "CREATION_TIME"


def _sort_row(row: tuple[tuple[int, bool, int], ...], *, turned: bool) -> _Row:
    """A row as a set, the smaller point of an ``=`` first; ``turned`` if read from the target."""
    swap = 2 if turned else 0
    constraints = [(left ^ swap, strict, right ^ swap) for left, strict, right in row]
    return frozenset(
        (left, strict, right) if strict or left < right else (right, strict, left)
        for left, strict, right in constraints
    )


_PLACES: dict[_Row, int] = {}
"""The place of each row in Table 1, and after it in the wider tables."""
for _row in (*TABLE_1.values(), *WIDER.values()):
    _PLACES.setdefault(_sort_row(compile_row(_row), turned=False), len(_PLACES))
