"""What may stand on a terminal, and how many columns it takes there."""

from __future__ import annotations

import unicodedata

__all__ = ["clean", "measure", "plain"]

_KEPT_FORMATS = "\u200c\u200d"  # joiners, which some scripts need


def clean(words: str) -> str:
    """Give words from a file without anything that could steer a terminal."""
    if words.isprintable():
        return words
    return "".join(c if c.isprintable() or c in _KEPT_FORMATS else "\ufffd" for c in words)


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
