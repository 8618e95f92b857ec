"""The blocks of a picture: trees of timelines, placed so that none looks later than another.

No order between two blocks is known. The block with the most events and times comes first, with
nothing on its right. The others follow below it under a heading, in text order, each as high as it
can be; a line separates neighbours. What no link connects with anything
stands in a tray at the bottom.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from tlex.draw.lane_draft import APART, LaneDraft
from tlex.draw.packing import pack_boxes, pack_lines
from tlex.draw.picture import STEP, Gap, Tray
from tlex.draw.text_width import SMALL, room
from tlex.records import Break
from tlex.wording import clean, count

__all__ = ["Blocks", "Flow", "place_blocks", "sort_blocks"]

_BLOCKS = 1.0  # steps between blocks
_LINES = 0.6  # rows between blocks
_SECTIONS = 0.8  # rows above a tray
_PILLS = 0.3  # steps between bars in the tray
_OTHER = "another timeline: its order to the one above is not known"
_OTHERS = "other timelines: their order to the one above, and to each other, is not known"

Block = list[LaneDraft]


class Blocks(Struct, frozen=True, kw_only=True):
    """The blocks in reading order: the largest, the others, and those without any connection."""

    first: list[Block]
    others: list[Block]
    unconnected: list[Block]

    def list_all(self) -> list[Block]:
        """List all blocks in reading order."""
        return [*self.first, *self.others, *self.unconnected]


class Flow(Struct, frozen=True, kw_only=True):
    """What stands between and around blocks, and the size of everything."""

    gaps: list[Gap]
    trays: list[Tray]
    width: float
    height: float


def sort_blocks(blocks: Sequence[Block], joined: Collection[str]) -> Blocks:
    """Sort and number the blocks; ``joined`` are the intervals with an SLINK to another timeline.

    Marks the lanes of those without any connection as `alone`.
    """
    unconnected: list[Block] = []
    rest: list[Block] = []
    for block in blocks:
        timeline = block[0].timeline
        alone = timeline.consistent and len(timeline.intervals) == 1
        alone = alone and timeline.intervals[0] not in joined
        block[0].alone = alone
        (unconnected if alone else rest).append(block)
    largest = max(rest, key=_count_intervals, default=None)
    sorted_blocks = Blocks(
        first=[] if largest is None else [largest],
        others=[block for block in rest if block is not largest],
        unconnected=unconnected,
    )
    for number, block in enumerate(sorted_blocks.list_all()):
        for draft in block:
            draft.block = number
    return sorted_blocks


def _count_intervals(block: Block) -> int:
    return sum(len(draft.timeline.intervals) for draft in block)


def place_blocks(
    blocks: Blocks, sizes: Mapping[int, tuple[float, float]], breaks: Sequence[Break], page: float
) -> Flow:
    """Place the blocks, whose widths and heights are known by number."""
    page = max([page, *(width for width, _ in sizes.values())])
    gaps: list[Gap] = []
    trays: list[Tray] = []
    widest = y = 0.0
    for block in blocks.first:
        width, high = sizes[block[0].block]
        widest, y = max(widest, width), y + high
    if blocks.others:
        top = y + _SECTIONS
        gaps, wide, y = _pack(blocks.others, sizes, page, top + 1, breaks)
        label = _OTHERS if len(blocks.others) > 1 else _OTHER
        trays.append(_make_tray("others", label, wide, top, y))
    if blocks.unconnected:
        top = y + _SECTIONS if trays or blocks.first else 0.0
        widths = [sizes[block[0].block][0] for block in blocks.unconnected]
        places, rows = pack_lines(widths, page - 2 * APART, _PILLS)
        for block, (x, row) in zip(blocks.unconnected, places, strict=True):
            _move(block, APART + x, top + 1 + row)
        right = max(APART + x + width for (x, _), width in zip(places, widths, strict=True))
        y = top + 1 + rows
        these = count(len(places), "event or time", "events and times")
        trays.append(_make_tray("unconnected", f"not connected: {these}", right, top, y))
    widest = max([widest, *(tray.x + tray.width for tray in trays)])
    return Flow(gaps=gaps, trays=trays, width=widest, height=y)


def _pack(
    others: Sequence[Block],
    sizes: Mapping[int, tuple[float, float]],
    page: float,
    y: float,
    breaks: Sequence[Break],
) -> tuple[list[Gap], float, float]:
    """Place blocks from a row on; return the gaps, the width and the row behind them."""
    pauses = {(each.first_timeline, each.second_timeline): each for each in breaks}
    gaps: list[Gap] = []
    widest = end = 0.0
    extents = [sizes[block[0].block] for block in others]
    places = pack_boxes([(wide + _BLOCKS, high) for wide, high in extents], page + 1, _LINES)
    before: LaneDraft | None = None
    for block, (wide, high), (x, down) in zip(others, extents, places, strict=True):
        _move(block, x, y + down)
        if before is not None and x:
            gaps.append(_make_gap(before, block[0], x - _BLOCKS / 2, y + down, pauses))
        before = block[0]
        widest, end = max(widest, x + wide), max(end, down + high)
    return gaps, widest, y + end


def _move(block: Block, x: float, y: float) -> None:
    for draft in block:
        draft.x, draft.y = round(x + draft.x, 3), round(y + draft.y, 3)


def _make_gap(
    one: LaneDraft, other: LaneDraft, x: float, y: float, pauses: Mapping[tuple[int, int], Break]
) -> Gap:
    pause = pauses.get((one.timeline.id, other.timeline.id))
    label = "no order between these timelines is known"
    if pause:
        between = "" if pause.words is None else f", {count(pause.words, 'word')} between them"
        label += f"; {pause.first} and {pause.second} come closest in the text{between}"
    return Gap(
        first_timeline=one.timeline.id,
        second_timeline=other.timeline.id,
        label=clean(label),
        x=round(x, 3),
        y=round(y, 3),
        height=other.height,
    )


def _make_tray(kind: str, label: str, right: float, top: float, bottom: float) -> Tray:
    wide = room(label, SMALL, bold=True) / STEP
    return Tray(
        kind=kind,
        timeline=None,
        x=0,
        y=round(top, 3),
        width=round(max(right, APART + wide) + APART, 3),
        height=round(bottom - top, 3),
        label=label,
        label_row=round(top, 3),
        label_left=APART if kind == "unconnected" else 0,
        label_width=round(wide, 3),
    )
