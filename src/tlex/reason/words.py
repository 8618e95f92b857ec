"""The words of a text: how many there are, and how many begin between two places.

The text is turned into signs, one for each character. In these, bytes are counted; no character is
looked at.
"""

from __future__ import annotations

import re
from itertools import accumulate

from tlex.caching import cached_property

__all__ = ["WordCounts", "count_words"]

_JOINERS = "-'’"  # noqa: RUF001 -- the apostrophe of printed text
_INNER = re.compile(rb"-(?<=w-)(?=w)")
"""The sign of a joiner between two words. That sign comes first, so it is found in no time."""

_BLOCK = 1024
_MOST_SIGNS = 4096


class WordCounts:
    """How many words begin between two places of a text.

    Places are mostly near each other. For others it is known how many words begin before each
    block of the text, so that a question costs little however long the text is.
    """

    def __init__(self, text: str) -> None:
        # A word begins behind a blank; one sign stands before the text.
        self._signs = b" " + _sign(text).replace(b"-", b" ").replace(b".", b" ")

    def count(self, start: int, end: int) -> int:
        """Count the words that begin at a place from ``start`` up to ``end``, without it."""
        if end - start <= _BLOCK:
            return self._signs.count(b" w", start, end + 1)
        return self._count_before(end) - self._count_before(start)

    def _count_before(self, place: int) -> int:
        block = place // _BLOCK
        return self._before[block] + self._signs.count(b" w", block * _BLOCK, place + 1)

    @cached_property
    def _before(self) -> list[int]:
        """How many words begin before each block."""
        starts = range(0, len(self._signs), _BLOCK)
        counts = [self._signs.count(b" w", start, start + _BLOCK + 1) for start in starts]
        return list(accumulate(counts, initial=0))


def count_words(text: str) -> tuple[int, int]:
    """Count what stands between blanks, and words and other signs: "it's late!" has 2 and 3."""
    signs = b" " + _sign(text).replace(b"-", b".")
    begun = signs.count(b" w")
    return begun + signs.count(b" ."), begun + signs.count(b".w") + signs.count(b".")


class _Signs(dict[int, str]):
    """What a character is: ``w`` in a word, ``-`` if it joins two, a blank, ``.`` for others."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if character.isalnum() or character == "_":
            sign = "w"
        elif character.isspace():
            sign = " "
        else:
            sign = "-" if character in _JOINERS else "."
        if len(self) < _MOST_SIGNS:
            self[code] = sign
        return sign


_SIGNS = _Signs()
_ASCII_SIGNS = "".join([_SIGNS[code] for code in range(256)]).encode()
"""The signs of ASCII, as a table for bytes: it is looked up in no time."""


def _sign(text: str) -> bytes:
    """The sign of each character; a joiner between two words is part of one word."""
    if text.isascii():
        signs = text.encode().translate(_ASCII_SIGNS)
    else:
        signs = text.translate(_SIGNS).encode("ascii")
    return _INNER.sub(b"w", signs)
