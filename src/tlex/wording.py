"""Words for people: what may be shown, how much room it takes, numbers with their nouns."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

__all__ = ["clean", "count", "flow", "measure", "plain"]

_KEPT_FORMATS = "\u200c\u200d"  # joiners, which some scripts need


def clean(words: str) -> str:
    """Give words from a file without anything that could steer a terminal."""
    if words.isprintable():
        return words
    return "".join(c if c.isprintable() or c in _KEPT_FORMATS else "\ufffd" for c in words)


def count(number: int, one: str, many: str | None = None) -> str:
    """Give a number and what it counts.

    >>> count(1, "branch", "branches"), count(2000, "step")
    ('1 branch', '2,000 steps')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def measure(words: str) -> int:
    """Count the columns that words take on a terminal.

    >>> measure("night"), measure("夜")
    (5, 2)
    """
    if words.isascii():
        return len(words)
    return sum(
        0
        if unicodedata.combining(c) or c in _KEPT_FORMATS
        else 2
        if unicodedata.east_asian_width(c) in "WF"
        else 1
        for c in words
    )


def plain(words: str) -> str:
    """Give words without their colours."""
    while "\x1b[" in words:
        before, _, after = words.partition("\x1b[")
        words = before + after.partition("m")[2]
    return words


def flow(head: str, items: Iterable[str], indent: str, joint: str, room: int) -> Iterator[str]:
    """Lines of items behind a head, within so many columns; an item is never broken."""
    line, empty = head, True
    for item in items:
        if not empty and measure(line) + measure(joint) + measure(item) > room - measure(
            joint.rstrip()
        ):
            yield line + joint.rstrip()
            line, empty = indent, True
        line += item if empty else joint + item
        empty = False
    yield line
