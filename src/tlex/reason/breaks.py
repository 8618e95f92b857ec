"""Breaking pairs (§3.7): where two neighbouring main timelines come closest in the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise, repeat

from tlex.document import Document, NodeColumns
from tlex.records import Break

__all__ = ["find_breaks"]

_JOINERS = "-'’"  # noqa: RUF001 -- the apostrophe of printed text
_BLOCK = 256
_MOST_SIGNS = 4096


def find_breaks(
    document: Document, mains: Sequence[int], members: Sequence[list[int]]
) -> tuple[Break, ...]:
    """Find the breaking pair between each two neighbouring main timelines.

    ``members`` has the intervals of each main timeline, in the same order as ``mains``.
    """
    if len(mains) <= 1:
        return ()
    columns = document.node_columns
    words_before = _WordCounts(columns.text)
    texts = document.text_starts
    breaks = []
    for (number, one), (following, other) in pairwise(zip(mains, members, strict=True)):
        best = _find_closest(columns, words_before, texts, one, other)
        first, second, words = best or (one[0], other[0], None)
        breaks.append(
            Break(
                first_timeline=number,
                second_timeline=following,
                first=columns.ids[first],
                second=columns.ids[second],
                words=words,
            )
        )
    return tuple(breaks)


def _find_closest(
    columns: NodeColumns,
    words_before: _WordCounts,
    texts: Sequence[int],
    one: list[int],
    other: list[int],
) -> tuple[int, int, int] | None:
    """Find the pair, one node from each side, with the fewest words between them.

    None if one side has no node with a span. One sweep over both sides in text order: the nearest
    node to the left is the one of the other side that ends last. Of equal pairs the first in the
    text wins. In several documents as one, both are of the same document.
    """
    first, last = columns.starts, columns.ends
    merged = sorted([*zip(one, repeat(0)), *zip(other, repeat(1))])
    home = 0
    farthest: list[int | None] = [None, None]
    best: tuple[int, int, int] | None = None
    for number, side in merged:
        if first[number] < 0:
            continue
        if len(texts) > 1 and bisect_right(texts, first[number]) != home:
            home = bisect_right(texts, first[number])
            farthest = [None, None]
        left = farthest[1 - side]
        if left is not None:
            end, start = last[left], first[number]
            words = max(0, words_before.count(start) - words_before.count(end))
            if best is None or words < best[2]:
                best = (left, number, words) if side else (number, left, words)
                if not words:
                    break
        reach = farthest[side]
        if reach is None or last[number] > last[reach]:
            farthest[side] = number
    return best


class _Signs(dict[int, str]):
    """What a character is for words: ``w`` in one, ``-`` if it joins two to one, else a blank."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        inside = character.isalnum() or character == "_"
        sign = "w" if inside else "-" if character in _JOINERS else " "
        if len(self) < _MOST_SIGNS:
            self[code] = sign
        return sign


_SIGNS = _Signs()
_ASCII_SIGNS = "".join([_SIGNS[code] for code in range(256)]).encode()
"""The signs of ASCII, as a table for bytes: it is looked up in no time."""


class _WordCounts:
    """How many words begin before each place of a text.

    The text is turned into signs, in which the beginnings of words are counted. What is known at
    each few hundred characters is kept, so that a question costs little however long the text is.
    """

    def __init__(self, text: str) -> None:
        if text.isascii():
            signs = text.encode().translate(_ASCII_SIGNS)
        else:
            signs = text.translate(_SIGNS).encode("ascii")
        for _ in ("each second joiner", "those between"):
            signs = signs.replace(b"w-w", b"www")
        signs = signs.replace(b"-", b" ")
        self._signs = (b" " + signs).replace(b" w", b" b")[1:]
        counts = (
            self._signs.count(b"b", start, start + _BLOCK) for start in range(0, len(text), _BLOCK)
        )
        self._before = list(accumulate(counts, initial=0))

    def count(self, place: int) -> int:
        """Count the words that begin before a place."""
        block = place // _BLOCK
        return self._before[block] + self._signs.count(b"b", block * _BLOCK, place)
