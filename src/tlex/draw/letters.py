"""Letters on a terminal: what may be shown, and how much room it takes."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

__all__ = ["clean", "flow", "width"]

_KEPT_FORMATS = "\u200c\u200d"  # joiners, which some scripts need


def clean(words: str) -> str:
    """Words from a file, without anything that could steer a terminal."""
    if words.isprintable():
        return words
    return "".join(c if c.isprintable() or c in _KEPT_FORMATS else "\ufffd" for c in words)


def width(words: str) -> int:
    """How many columns words take on a terminal."""
    if words.isascii():
        return len(words)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in words
    )


def flow(head: str, items: Iterable[str], indent: str, joint: str, room: int) -> Iterator[str]:
    """Lines of items behind a head, within so many columns; an item is never broken."""
    line, empty = head, True
    for item in items:
        if not empty and width(line) + width(joint) + width(item) > room - width(joint.rstrip()):
            yield line + joint.rstrip()
            line, empty = indent, True
        line += item if empty else joint + item
        empty = False
    yield line
