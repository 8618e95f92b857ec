"""The fast way from columns to numbers, for a file with which nothing is wrong.

The five steps need numbers, not nouns. This module finds the numbers of nodes and links in columns,
without making a noun; the nouns are made if somebody asks for them. It gives up on a file in which
anything is wrong or unusual: that is for `nouns`, which knows all that can be wrong. For the same
file both must give the same, and tests compare them.
"""

from __future__ import annotations

from itertools import compress

from tlex.algebra import CODES, ROWS, find_label
from tlex.document import Relations
from tlex.readers.timeml.nouns import are_clean
from tlex.readers.timeml.scan import Columns

__all__ = ["number_document"]


class _Codes(dict[tuple[str, str], int | None]):
    """The codes of labels by kind and label, in any spelling; None for one that orders nothing."""

    def __missing__(self, written: tuple[str, str]) -> int | None:
        kind = written[0]
        label = find_label(*written)
        if label is None:
            raise KeyError(written)
        return self[kind, label]


_CODES = _Codes(
    {
        (kind, label): code if ROWS[code] else None
        for kind, table in CODES.items()
        for label, code in table.items()
    }
)


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
    events, instances = columns.events, columns.instances
    places = dict(columns.times)
    places.update(zip(instances, map(events.__getitem__, instances.values()), strict=True))
    one_id = len(places) < len(columns.times) + len(instances)  # of a time and an instance
    if one_id or len(events) != len(set(instances.values())):  # an event without instance
        return None
    return dict(zip(sorted(places, key=places.__getitem__), range(len(places)), strict=True))


def _list_relations(columns: Columns, index: dict[str, int]) -> Relations:
    """Put the links that order nodes into columns; the ends of all links must be there."""
    if not columns.links:
        return Relations([], [], [], [], [], 0)
    kinds, labels, sources, targets = zip(*columns.links.values(), strict=True)
    codes = list(map(_CODES.__getitem__, zip(kinds, labels, strict=True)))
    firsts, lasts = map(index.__getitem__, sources), list(map(index.__getitem__, targets))
    ordering = [code is not None for code in codes]
    return Relations(
        list(compress(kinds, ordering)),
        [code for code in codes if code is not None],
        list(compress(firsts, ordering)),
        list(compress(lasts, ordering)),
        list(compress(range(len(codes)), ordering)),
        len(codes),
    )


def _have_clean_ids(columns: Columns, index: dict[str, int]) -> bool:
    """Whether no id is empty or has a blank."""
    return are_clean([*index, *columns.links, *columns.signals, *columns.events])
