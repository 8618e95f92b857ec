"""The fast way from columns to numbers, for a file with which nothing is wrong.

The five steps need numbers, not nouns. This module finds the numbers of nodes and links in columns,
without making a noun; the nouns are made if somebody asks for them. It gives up on a file in which
anything is wrong or unusual: that is for `nouns`, which knows all that can be wrong. For the same
file both must give the same, and tests compare them.
"""

from __future__ import annotations

from tlex.algebra import CODES, ROWS, find_label
from tlex.columns import Relations
from tlex.readers.timeml.nouns import are_clean
from tlex.readers.timeml.scan import Columns

__all__ = ["number_document"]


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


def number_document(columns: Columns) -> tuple[dict[str, int], Relations] | None:
    """Give the numbers of the nodes by id, and the links; None if anything is wrong or unusual."""
    try:
        index = _number_nodes(columns)
        if index is None or not _have_clean_ids(columns, index):
            return None
        return index, _list_relations(columns, index)
    except KeyError:  # a name of what is not there, or an unknown label
        return None


def _number_nodes(columns: Columns) -> dict[str, int] | None:
    """Number instances and times in text order, then document order."""
    events, times, instances = columns.events, columns.times, columns.instances
    ids = [*times, *instances]
    places = [*times.values(), *map(events.__getitem__, instances.values())]
    if len(events) != len(set(instances.values())):  # an event without instance
        return None
    order = sorted(range(len(ids)), key=places.__getitem__)
    index = dict(zip(map(ids.__getitem__, order), range(len(ids)), strict=True))
    return index if len(index) == len(ids) else None  # a time and an instance with one id


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
