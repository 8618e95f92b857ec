"""The lanes of a tree of timelines: each branch hangs below the bar that introduces it.

Branches of bars on the right are placed before branches of bars on the left. So the vertical line
to a branch passes all others on their left, and crosses no bar.
"""

from __future__ import annotations

from msgspec.structs import replace

from tlex.draw.lane_draft import APART, HANG, LaneDraft, LaneInput
from tlex.draw.lanes import shape_chip

__all__ = ["place_tree"]

_COLUMN = 8  # steps between columns of chips from which branches hang
_BRANCHES = 0.35  # rows between a lane and the branches below it
_CELLS = 2  # cells of a skyline for each step


def place_tree(block: list[LaneDraft], source: LaneInput) -> tuple[float, float]:
    """Place the lanes of a block; return its width and height.

    Each lane goes below everything that is already in its columns. The skyline has the first free
    row of each column. Linear in the widths.
    """
    skyline: list[float] = []
    pending: list[tuple[LaneDraft, str | None, float]] = [(block[0], None, 0.0)]
    wide = 0.0
    while pending:
        draft, name, x = pending.pop()
        if name is None:
            draft.x, draft.y = round(x, 3), _settle(skyline, x, draft.width, draft.height)
            wide = max(wide, draft.x + draft.width)
            if draft.timeline.consistent:
                hung = [
                    (draft.x + draft.stems[name], child)
                    for name, children in draft.children.items()
                    for child in children
                ]
                hung.sort(key=lambda item: -item[0])
                pending += [(child, None, stem) for stem, child in reversed(hung)]
            else:
                names = [name for name in draft.timeline.intervals if name in draft.children]
                pending += [(draft, name, draft.x + draft.left) for name in reversed(names)]
            continue
        below = draft.y + draft.height + _BRANCHES
        chip = shape_chip(source, name, draft.timeline.id, 0, 0)
        x = min(
            (x + place * _COLUMN for place in range(max(1, int(source.page // _COLUMN)))),
            key=lambda left: max(_top(skyline, left - APART, _COLUMN), below),
        )
        row = _settle(skyline, x - APART, chip.width + APART, 1, below)
        wide = max(wide, x + chip.width)
        draft.chips.append(replace(chip, left=round(x - draft.x, 3), row=row - draft.y))
        draft.stems[name] = x - draft.x + HANG
        pending += [(child, None, x + HANG) for child in reversed(draft.children[name])]
    return wide, max(skyline) - _BRANCHES


def _top(skyline: list[float], x: float, width: float) -> float:
    first, last = _cells(x, width)
    return max(skyline[first:last], default=0.0)


def _settle(skyline: list[float], x: float, width: float, height: float, least: float = 0) -> float:
    first, last = _cells(x, width)
    if len(skyline) < last:
        skyline += [0.0] * (last - len(skyline))
    top = max(least, *skyline[first:last])
    skyline[first:last] = [round(top + height + _BRANCHES, 3)] * (last - first)
    return top


def _cells(x: float, width: float) -> tuple[int, int]:
    return max(int(x * _CELLS), 0), int((x + width + APART) * _CELLS) + 1
