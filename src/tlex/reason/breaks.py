"""Breaking pairs (§3.7): where two neighbouring main timelines come closest in the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise, repeat

from tlex.columns import NodeColumns
from tlex.document import Document
from tlex.reason.words import WordCounts
from tlex.records import Break

__all__ = ["find_breaks"]


def find_breaks(
    document: Document, mains: Sequence[int], members: Sequence[list[int]]
) -> tuple[Break, ...]:
    """Find the breaking pair between each two neighbouring main timelines.

    ``members`` has the intervals of each main timeline, in the same order as ``mains``.
    """
    if len(mains) <= 1:
        return ()
    columns = document.node_columns
    counts = WordCounts(columns.text)
    texts = document.text_starts
    breaks = []
    for (number, one), (following, other) in pairwise(zip(mains, members, strict=True)):
        best = _find_closest(columns, counts, texts, one, other)
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
    counts: WordCounts,
    texts: Sequence[int],
    one: list[int],
    other: list[int],
) -> tuple[int, int, int] | None:
    """Find the pair, one node from each side, with the fewest words between them.

    None if one side has no node with a span. One sweep over both sides in text order: the nearest
    node to the left is the one of the other side that ends last. Of the nodes that have the same
    one to the left, the first is nearest to it. Of equal pairs the first in the text wins. In
    several documents as one, both are of the same document.
    """
    first, last = columns.starts, columns.ends
    merged = sorted([*zip(one, repeat(0)), *zip(other, repeat(1))])
    home = 0
    farthest: list[int | None] = [None, None]
    compared: list[int | None] = [None, None]  # with which node to the left, on each side
    best: tuple[int, int, int] | None = None
    for number, side in merged:
        if first[number] < 0:
            continue
        if len(texts) > 1 and bisect_right(texts, first[number]) != home:
            home = bisect_right(texts, first[number])
            farthest = [None, None]
        left = farthest[1 - side]
        if left is not None and left != compared[side]:
            compared[side] = left
            words = counts.count(last[left], first[number])
            if best is None or words < best[2]:
                best = (left, number, words) if side else (number, left, words)
                if not words:
                    break
        reach = farthest[side]
        if reach is None or last[number] > last[reach]:
            farthest[side] = number
    return best
