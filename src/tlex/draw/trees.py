"""The lanes of a tree of timelines: each branch hangs below the bar that introduces it.

The branches of a lane stand below it in lines, like words. Branches of bars on the right come
first, and in a line they stand on the right. The line of a connector to a branch that has been
moved to the right passes above the branches on its left. So connectors cross no bar, and the
picture uses the width of the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tlex.draw.lane_draft import APART, HANG, LaneDraft, LaneInput
from tlex.draw.lanes import shape_chip
from tlex.draw.packing import pack_boxes
from tlex.draw.picture import STEP, Tray
from tlex.draw.text_width import SMALL, room
from tlex.wording import count

__all__ = ["place_tree"]

_COLUMN = 8  # steps between columns of chips from which branches hang
_BRANCHES = 0.35  # rows between a lane and the branches below it, and between their lines
_CELLS = 8  # cells of a skyline for each step
_HEADING = 0.5  # rows above the heading of branches that do not hang from their bars
_RECTS = 64  # rectangles that describe a branch, at most


_Rect = tuple[float, float, float, float]
"""Left end, top, width and height."""


class _Box(Struct):
    """A branch with all that hangs from it: what it covers, and its place in its parent's box.

    ``stem`` is the x of the bar that it hangs from. The first ``head`` rows are those in which
    connectors arrive.
    """

    draft: LaneDraft
    stem: float
    head: int
    rects: list[_Rect]
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0


def place_tree(block: list[LaneDraft], source: LaneInput) -> tuple[float, float]:
    """Place the lanes of a block; return its width and height.

    A block is in breadth-first order, so the sizes of branches are known before those of the lanes
    that they hang from. Each lane is placed once in its parent's box and moved once.
    """
    boxes: dict[int, list[_Box]] = {}  # by timeline: the branches that hang from it
    size = 0.0, 0.0
    for draft in reversed(block):
        page = source.page if draft.parent is None else max(draft.width, source.page / 2)
        hung = boxes.setdefault(draft.timeline.id, [])
        if draft.timeline.consistent:
            loose = [box for box in hung if box.draft.by and box.draft.by.link in source.cut]
            size = _hang_from_bars(draft, [box for box in hung if box not in loose], page)
            if loose:
                size = _set_below(draft, loose, size, source.page)
        else:
            size = _hang_from_chips(draft, hung, source)
        if draft.parent is not None and draft.by is not None:
            rects = _cover(draft, hung, *size)
            box = _Box(draft, 0.0, len(draft.arriving), rects, *size)
            boxes.setdefault(draft.parent.timeline.id, []).append(box)
    block[0].x = block[0].y = 0.0
    for draft in block:
        for box in boxes[draft.timeline.id]:
            box.draft.x, box.draft.y = round(draft.x + box.x, 3), round(draft.y + box.y, 3)
    return size


def _hang_from_bars(draft: LaneDraft, hung: list[_Box], page: float) -> tuple[float, float]:
    """Place branches below the lane that they hang from; return the size of everything.

    Either each begins below its bar, or they stand in lines of this width or of half of it;
    whichever is lowest.
    """
    for box in hung:
        box.stem = draft.stems[box.draft.by.source] if box.draft.by else 0.0
    hung.reverse()  # into the order of the block
    hung.sort(key=lambda box: -box.stem)
    page = max(page, draft.width)
    tried = []
    for limit in (0.0, page / 2, page) if len(hung) > 1 else (0.0,):
        for line in _break_lines(hung, limit):
            _place_line(line)
        wide, high = _drop(hung, draft.height)
        tried.append((high, wide, [(box.x, box.y) for box in hung]))
    high, wide, places = min(tried)
    for box, (x, y) in zip(hung, places, strict=True):
        box.x, box.y = x, y
    return max(draft.width, wide), round(high, 3)


def _set_below(
    draft: LaneDraft, loose: list[_Box], size: tuple[float, float], page: float
) -> tuple[float, float]:
    """Place branches that do not hang from their bars below everything; return the size.

    They are sorted by the places of these bars, and each goes where it is highest.
    """
    starts = {bar.interval: (bar.line, bar.left) for bar in reversed(draft.bars)}
    loose.reverse()  # into the order of the block
    loose.sort(key=lambda box: starts[box.draft.by.source] if box.draft.by else (0, 0.0))
    wide, top = size
    first = top + 1 + _HEADING
    sizes = [(box.width + APART, box.height) for box in loose]
    for box, (x, y) in zip(loose, pack_boxes(sizes, max(page, wide), _BRANCHES), strict=True):
        box.x, box.y = x, first + y
    high = max(box.y + box.height for box in loose)
    each = "each " if len(loose) > 1 else ""
    label = (
        f"{count(len(loose), 'branch', 'branches')}, {each}named by the event that introduces it"
    )
    broad = room(label, SMALL, bold=True) / STEP
    wide = max([wide, broad, *(box.x + box.width for box in loose)])
    draft.trays.append(
        Tray(
            kind="branches",
            timeline=draft.timeline.id,
            x=0,
            y=round(top + _HEADING, 3),
            width=round(wide, 3),
            height=round(high - top - _HEADING, 3),
            label=label,
            label_row=round(top + _HEADING, 3),
            label_left=0,
            label_width=round(broad, 3),
        )
    )
    return wide, round(high, 3)


def _cover(draft: LaneDraft, hung: Sequence[_Box], wide: float, high: float) -> list[_Rect]:
    """Give what a lane and its branches cover, in rectangles; as one if there would be many."""
    if not draft.timeline.consistent or sum(len(box.rects) for box in hung) >= _RECTS:
        return [(0.0, 0.0, wide, high)]
    inside = (
        (box.x + x, box.y + y, width, height) for box in hung for x, y, width, height in box.rects
    )
    return [(0.0, 0.0, draft.width, draft.height), *inside]


def _drop(hung: Sequence[_Box], height: float) -> tuple[float, float]:
    """Give boxes their rows: each below what is above it and its connector; return the size.

    The skyline has the first free row of each column. A box alone needs none.
    """
    if len(hung) == 1:
        box = hung[0]
        box.y = height + _BRANCHES
        return box.x + box.width, max(float(height), box.y + box.height)
    skyline: list[float] = []
    wide, high = 0.0, float(height)
    for box in hung:
        line = int(box.stem * _CELLS), int(box.x * _CELLS)
        ranges = [
            (int((box.x + x) * _CELLS), int((box.x + x + width + APART) * _CELLS))
            for x, _, width, _ in box.rects
        ]
        last = max(right for _, right in ranges)
        if len(skyline) < last:
            skyline += [height + _BRANCHES] * (last - len(skyline))
        box.y = max(skyline[line[0] : line[1]], default=height + _BRANCHES)
        for (left, right), (_, y, _, _) in zip(ranges, box.rects, strict=True):
            box.y = max(box.y, max(skyline[left:right]) - y)
        if line[1] > line[0]:
            skyline[line[0] : line[1]] = [box.y + box.head] * (line[1] - line[0])
        ends = (box.y + y + tall + _BRANCHES for _, y, _, tall in box.rects)
        for below, (left, right) in sorted(zip(ends, ranges, strict=True)):  # the lowest last
            skyline[left:right] = [below] * (right - left)
        wide = max(wide, box.x + box.width)
        high = max(high, box.y + box.height)
    return wide, high


def _break_lines(hung: Sequence[_Box], page: float) -> Iterator[list[_Box]]:
    """Divide branches, sorted from right to left, into lines that fit the page."""
    line: list[_Box] = []
    for box in hung:
        if line and _place_line([*line, box]) > page:
            yield line
            line = []
        line.append(box)
    if line:
        yield line


def _place_line(line: Sequence[_Box]) -> float:
    """Place the branches of a line, each as far on the left as it can be; return where it ends."""
    free = 0.0
    for box in reversed(line):
        box.x = max(box.stem, free)
        free = box.x + box.width + APART
    return free - APART


def _hang_from_chips(draft: LaneDraft, hung: list[_Box], source: LaneInput) -> tuple[float, float]:
    """Place the chips of a contradictory timeline from which branches hang, each with these.

    Each goes into the column in which it is highest.
    """
    by_chip: dict[str, list[_Box]] = {}
    for box in reversed(hung):
        by_chip.setdefault(box.draft.by.source if box.draft.by else "", []).append(box)
    columns = [draft.left + n * _COLUMN for n in range(max(1, int(source.page // _COLUMN)))]
    free = [draft.height + _BRANCHES] * len(columns)
    wide, high = draft.width, float(draft.height)
    for name in (name for name in draft.timeline.intervals if name in by_chip):
        chip = shape_chip(source, name, draft.timeline.id, 0, 0)
        broad = max([chip.width, *(HANG + box.width for box in by_chip[name])]) + APART
        taken = -int(-broad // _COLUMN)  # how many columns
        first = min(
            range(max(1, len(columns) - taken + 1)),
            key=lambda n, taken=taken: max(free[n : n + taken]),  # type: ignore[misc]
        )
        x, y = columns[first], max(free[first : first + taken])
        draft.chips.append(replace(chip, left=round(x, 3), row=round(y, 3)))
        draft.stems[name] = x + HANG
        y += 1 + _BRANCHES
        for box in by_chip[name]:
            box.x, box.y = x + HANG, y
            y += box.height + _BRANCHES
        for n in range(first, min(first + taken, len(columns))):
            free[n] = y
        wide, high = max(wide, x + broad), max(high, y - _BRANCHES)
    return wide, round(high, 3)
