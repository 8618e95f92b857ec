"""Packing bars into rows, in one sweep from left to right."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from heapq import heappop, heappush

__all__ = ["pack_boxes", "pack_lines", "pack_rows", "pack_stairs"]


def pack_rows(
    extents: Sequence[tuple[float, float]], related: Sequence[Sequence[int]] = ()
) -> tuple[list[int], int]:
    """Give each extent a row such that none overlap; return the rows and how many there are.

    An extent is a left and a right end; ``extents`` must be sorted by the left ends. Each gets the
    free row that is nearest to the mean row of those ``related`` to it, or else the topmost free
    row. There are no more rows than extents that overlap at one place. O(n log n), apart from
    insertions into the list of free rows.
    """
    rows: list[int] = []
    busy: list[tuple[float, int]] = []
    free: list[int] = []
    count = 0
    for number, (left, right) in enumerate(extents):
        while busy and busy[0][0] <= left:
            insort(free, heappop(busy)[1])
        if not free:
            row, count = count, count + 1
        else:
            known = [rows[other] for other in related[number] if other < number] if related else []
            row = _take_nearest(free, sum(known) / len(known) if known else 0)
        rows.append(row)
        heappush(busy, (right, row))
    return rows, count


def pack_stairs(extents: Sequence[tuple[float, float]]) -> tuple[list[int], int]:
    """Give each extent a row such that all is free below its left end, for a line downwards.

    ``extents`` must be sorted by their left ends. Of those with the same left end, only the lowest
    has free space below. Returns the rows and how many there are.
    """
    rows: list[int] = []
    ends: list[float] = []
    count = 0
    for left, right in extents:
        while ends and ends[-1] <= left:
            ends.pop()
        rows.append(len(ends))
        ends.append(right)
        count = max(count, len(ends))
    return rows, count


def pack_lines(
    widths: Sequence[float], wide: float, apart: float
) -> tuple[list[tuple[float, int]], int]:
    """Place things of these widths one after the other, in lines that are ``wide``, like words.

    Returns the left end and the row of each, and how many rows there are. What is wider than a line
    has a line of its own.
    """
    places: list[tuple[float, int]] = []
    at, row = 0.0, 0
    for width in widths:
        if at and at + width > wide:
            at, row = 0.0, row + 1
        places.append((at, row))
        at += width + apart
    return places, row + 1 if places else 0


def pack_boxes(
    sizes: Sequence[tuple[float, float]], wide: float, apart: float
) -> list[tuple[float, float]]:
    """Place boxes of these sizes in a field that is ``wide``, each where it is highest.

    Of several such places, the leftmost is taken; ``apart`` is the free space below each box. All
    begin at whole numbers. Returns their left ends and tops.
    """
    columns = int(max([wide, *(width for width, _ in sizes)])) + 2
    free = [0.0] * columns
    places = []
    for width, height in sizes:
        taken = int(width) + 1
        tops = [max(free[at : at + taken]) for at in range(columns - taken)]
        top = min(tops)
        at = tops.index(top)
        places.append((float(at), top))
        free[at : at + taken] = [top + height + apart] * taken
    return places


def _take_nearest(free: list[int], wanted: float) -> int:
    place = bisect_left(free, wanted)
    if place and (place == len(free) or wanted - free[place - 1] <= free[place] - wanted):
        place -= 1
    return free.pop(place)
