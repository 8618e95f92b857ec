"""Changing the links of a document in tlex's JSON; every other byte stays the same (R26).

A link that goes takes one comma with it, and the white space up to the next link. Lines and
indentation of all other links stay.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from tlex.markup import Edit
    from tlex.readers.json import JsonSource

__all__ = ["remove_members", "set_member"]

_BLANKS = re.compile(rb"[ \t\r\n]*")


def remove_members(
    source: JsonSource, members: Sequence[int], removed: Collection[int]
) -> list[Edit]:
    """Give the edits that remove some members of a list; a member is known by its offset.

    ``members`` are all members in the order of the file.
    """
    gone = frozenset(removed)
    kept = [number for number, start in enumerate(members) if start not in gone]
    if not gone:
        return []
    if not kept:
        return [_empty(source, members)]
    last = kept[-1]
    edits = [
        (*_find_lines(source, start, members[number + 1]), b"")
        for number, start in enumerate(members[:last])
        if start in gone
    ]
    if last + 1 < len(members):  # no comma may stay behind the last member
        edits.append((source.find_end(members[last]), source.find_end(members[-1]), b""))
    return edits


def set_member(source: JsonSource, start: int, key: str, value: str) -> Edit | None:
    """Give the edit that changes a member of the object at an offset; None if it has none."""
    span = source.find_value(start, key)
    return None if span is None else (*span, msgspec.json.encode(value))


def _find_lines(source: JsonSource, start: int, following: int) -> tuple[int, int]:
    """Find what to remove of a member and the white space behind it: whole lines if that is so.

    The bytes that stay are the same; a diff is easier to read.
    """
    own, other = (
        source.data[source.data.rfind(b"\n", 0, at) + 1 : at] for at in (start, following)
    )
    if own == other and not own.strip(b" \t"):
        return start - len(own), following - len(own)
    return start, following


def _empty(source: JsonSource, members: Sequence[int]) -> Edit:
    """Give the edit that leaves nothing between the brackets of a list."""
    start = members[0]
    while source.data[start - 1 : start] in {b" ", b"\t", b"\r", b"\n"}:
        start -= 1
    end = source.find_end(members[-1])
    blanks = _BLANKS.match(source.data, end)
    return start, end if blanks is None else blanks.end(), b""
