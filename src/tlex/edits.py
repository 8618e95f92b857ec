"""Changing a file without touching the rest of it: replacing bytes.

A document knows the byte offsets of its elements, so a change is a list of replacements of byte
spans; every other byte stays what it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from tlex.document import Source

__all__ = ["Edit", "apply_edits", "removal_of", "remove_elements"]

Edit = tuple[int, int, bytes]
"""Where the bytes to replace begin and end, and what to put there."""


def apply_edits(data: bytes, edits: list[Edit]) -> bytes:
    """Replace spans of bytes that do not overlap, given in any order.

    What is inserted at one place keeps the order in which it is given, and stands before what
    replaces a span that begins there. Linear.

    >>> apply_edits(b"one two", [(4, 7, b"2"), (0, 0, b"> ")])
    b'> one 2'
    """
    ordered = sorted(edits, key=lambda edit: edit[:2])
    for (start, end, _), (following, _, _) in pairwise([*ordered, (len(data), len(data), b"")]):
        if not 0 <= start <= end <= following:
            raise ValueError(f"an edit of the bytes {start} to {end} overlaps the next one")
    pieces: list[bytes] = []
    at = 0
    for start, end, new in ordered:
        pieces += data[at:start], new
        at = end
    return b"".join([*pieces, data[at:]])


def removal_of(source: Source, start: int, end: int) -> tuple[int, int]:
    """Find the span to delete so that what goes leaves no blank line behind.

    That is the whole line, with its end, where nothing but blanks stands beside it; otherwise
    the span itself.
    """
    data, begin, stop = source.data, start, end
    blanks = [letter.encode(source.encoding) for letter in " \t"]
    ends = [letter.encode(source.encoding) for letter in ("\r\n", "\n", "\r")]
    unit = len(blanks[0])
    while data[begin - unit : begin] in blanks:
        begin -= unit
    while data[stop : stop + unit] in blanks:
        stop += unit
    line_end = next((mark for mark in ends if data.startswith(mark, stop)), b"")
    begins = not begin or data[begin - unit : begin] in ends
    if not begins or (stop < len(data) and not line_end):
        return start, end
    return begin, stop + len(line_end)


def remove_elements(source: Source, places: Iterable[tuple[int, int]]) -> list[Edit]:
    """Give the edits that remove elements, and each line on which nothing else stands.

    Elements on one line with only blanks between them count as one.
    """
    groups: list[list[int]] = []
    for start, end in sorted(places):
        between = source.data[groups[-1][1] : start] if groups else b"?"
        if between.decode(source.encoding, "replace").strip(" \t"):
            groups.append([start, end])
        else:
            groups[-1][1] = end
    return [(*removal_of(source, start, end), b"") for start, end in groups]
