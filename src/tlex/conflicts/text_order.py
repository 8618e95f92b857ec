"""The text order of links, which decides between repairs of the same cost.

It depends on what the links say and on where their ends stand in the text. The order of the lines
of a file plays no part in it. Reading R37.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from tlex.algebra import ROWS, TABLE_1, WIDER, compile_row
from tlex.document import Document
from tlex.graph import pick_relations
from tlex.nouns import Node, Timex
from tlex.wording import count, represent

__all__ = [
    "Row",
    "TextOrder",
    "find_creation_times",
    "is_creation_time",
    "rank_links",
    "read_row",
    "sort_row",
    "take_numbers",
]

_NUMBERS = re.compile(r"([0-9]{1,18})")
_OUTSIDE, _INSIDE, _NOWHERE = range(3)
_Name = tuple[tuple[str | int, ...], str]
_Place = tuple[int, int, int, _Name]

Row = tuple[tuple[int, bool, int], ...]
"""The constraints of a link: 0 to 3 stand for A-, A+, B-, B+, the flag says if one is strict."""


def rank_links(document: Document, links: Iterable[int]) -> dict[int, int]:
    """Give each of some links, by its number, its place among them in text order.

    Links are ordered by their earlier end, their later end, and their row in the order of Table 1,
    read from the earlier end. Links that are alike in all of this say the same. The links have to
    be links that order nodes.

    >>> import tlex
    >>> document = tlex.from_links([("b", "BEFORE", "c"), ("b", "BEFORE", "a")])
    >>> rank_links(document, [0, 1])
    {1: 0, 0: 1}
    """
    known = pick_relations(document, links)
    ends = {end for link in known.values() for end in (link.source, link.target)}
    ordered = sorted(ends, key=TextOrder(document).find_place)
    places = {end: place for place, end in enumerate(ordered)}
    keys = []
    for number, link in known.items():
        source, target = places[link.source], places[link.target]
        turned = target < source
        row, place = read_row(link.label, turned)
        keys.append((*((target, source) if turned else (source, target)), place, row, number))
    return {key[-1]: rank for rank, key in enumerate(sorted(keys))}


class TextOrder:
    """The text order of the nodes of a document.

    First come the creation time and what stands outside the text. Then come the nodes of the text,
    by start, end and id. Nodes without a place are last, by id. Numbers in ids count as numbers.
    """

    def __init__(self, document: Document) -> None:
        self._nodes = document.places
        self._phrases = document.phrases
        self._creation_times = find_creation_times(document)

    def __repr__(self) -> str:
        return represent(self, count(len(self._nodes.ids), "node"))

    def find_place(self, number: int) -> _Place:
        """Give what a node, by its number, is ordered by."""
        nodes = self._nodes
        written = nodes.ids[number]
        name, start = take_numbers(written), nodes.starts[number]
        if written in self._creation_times:
            return _OUTSIDE, 0, 0, name
        if start >= 0:
            return _INSIDE, start, nodes.ends[number], name
        return (_OUTSIDE if written in self._phrases else _NOWHERE), 1, 0, name

    def sort(self) -> list[int]:
        """Sort all nodes, by their numbers."""
        return sorted(range(len(self._nodes.ids)), key=self.find_place)


@lru_cache(1 << 14)
def take_numbers(name: str) -> _Name:
    """An id for comparing, with its numbers as numbers: every second part is one."""
    parts = _NUMBERS.split(name)
    return tuple(int(part) if place % 2 else part for place, part in enumerate(parts)), name


def is_creation_time(node: Node) -> bool:
    """Whether a node is the time at which the document was written."""
    return isinstance(node, Timex) and _says_so(node.attributes.get("functionInDocument", ""))


def find_creation_times(document: Document) -> set[str]:
    """Find the times at which the document was written, by their ids."""
    functions = document.places.functions
    return {name for name, function in functions.items() if _says_so(function)}


@lru_cache(1 << 6)
def _says_so(function: str) -> bool:
    return function.strip().upper() == "CREATION_TIME"


@cache
def read_row(code: int, turned: bool) -> tuple[Row, int]:  # noqa: FBT001 -- a key of the cache
    """Give the row of a label, sorted, and its place in Table 1; ``turned`` if from the target.

    The smaller point of an ``=`` comes first. Rows of no table come after all others.
    """
    row = sort_row(ROWS[code], turned=turned)
    return row, _PLACES.get(row, len(_PLACES))


def sort_row(row: Iterable[tuple[int, bool, int]], *, turned: bool) -> Row:
    """Sort a row; ``turned`` if it is to be read from its other end."""
    swap = 2 if turned else 0
    constraints = [(left ^ swap, strict, right ^ swap) for left, strict, right in row]
    return tuple(
        sorted(
            (left, strict, right) if strict or left < right else (right, strict, left)
            for left, strict, right in constraints
        )
    )


_PLACES: dict[Row, int] = {}
"""The place of each row in Table 1, and after it in the wider tables."""
for _row in (*TABLE_1.values(), *WIDER.values()):
    _PLACES.setdefault(sort_row(compile_row(_row), turned=False), len(_PLACES))
