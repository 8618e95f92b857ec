"""The fast way from columns to numbers, for a file with which nothing is wrong.

The five steps need numbers, not nouns. This module finds the numbers of nodes and links in columns,
without making a noun; the nouns are made if somebody asks for them. It gives up on a file in which
anything is wrong or unusual: that is for `nouns`, which knows all that can be wrong. For the same
file both must give the same, and tests compare them.
"""

from __future__ import annotations

from typing import NamedTuple

from tlex.algebra import CODES, ROWS, find_label
from tlex.columns import Relations
from tlex.readers.timeml.nouns import are_clean
from tlex.readers.timeml.scan import Columns

__all__ = ["Numbers", "number_document"]


class _Codes(dict[str, int | None]):
    """The codes of a kind's labels, in any spelling; None for one that orders nothing."""

    def __init__(self, kind: str) -> None:
        codes = CODES[kind]
        super().__init__({label: code if ROWS[code] else None for label, code in codes.items()})
        self._kind = kind

    def __missing__(self, written: str) -> int | None:
        label = find_label(self._kind, written)
        if label is None:
            raise KeyError(written)
        return self[label]


_CODES = {kind: _Codes(kind) for kind in CODES}


class Numbers(NamedTuple):
    """The nodes and the links of a file as numbers.

    ``by_id`` has the numbers of the nodes. ``order`` has for each node its place among the
    times and the instances, which follow these, as they come in the file.
    """

    by_id: dict[str, int]
    order: list[int]
    relations: Relations


def number_document(columns: Columns) -> Numbers | None:
    """Number the nodes and list the links; None if anything is wrong or unusual."""
    if len(columns.events) != len(set(columns.instances.values())):  # an event without instance
        return None
    try:
        order = _order_nodes(columns)
        ids = [*columns.times, *columns.instances]
        index = dict(zip(map(ids.__getitem__, order), range(len(ids)), strict=True))
        # A time and an instance may have one id.
        if len(index) < len(ids) or not _have_clean_ids(columns, index):
            return None
        return Numbers(index, order, _list_relations(columns, index))
    except KeyError:  # a name of what is not there, or an unknown label
        return None


def _order_nodes(columns: Columns) -> list[int]:
    """Put times and instances into text order, then document order."""
    events = columns.events
    places = [*columns.times.values(), *map(events.__getitem__, columns.instances.values())]
    return sorted(range(len(places)), key=places.__getitem__)


def _list_relations(columns: Columns, index: dict[str, int]) -> Relations:
    """Put the links that order nodes into columns; the ends of all links must be there."""
    found = Relations([], [], [], [], [], len(columns.links))
    for number, (kind, label, source, target) in enumerate(columns.links.values()):
        code, first, last = _CODES[kind][label], index[source], index[target]
        if code is not None:
            found.kinds.append(kind)
            found.labels.append(code)
            found.sources.append(first)
            found.targets.append(last)
            found.numbers.append(number)
    return found


def _have_clean_ids(columns: Columns, index: dict[str, int]) -> bool:
    """Whether no id is empty or has a blank."""
    return are_clean([*index, *columns.links, *columns.signals, *columns.events])
