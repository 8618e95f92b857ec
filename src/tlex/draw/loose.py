"""Loose events: those that can be almost anywhere on their timeline.

At its earliest step such an event would look as if it were known to be early, and dozens of them
would stand in a column there. Instead they stand in a tray below the others, as wide as their
labels. They are sorted by their earliest steps. So one that is known to precede another is above it
or on its left.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from tlex.draw.packing import pack_lines
from tlex.draw.picture import STEP
from tlex.draw.shapes import PAD, Shape
from tlex.draw.text_width import SMALL, room

__all__ = ["TrayDraft", "place_loose", "set_pills", "split_off_loose"]

_FEWEST = 6  # where fewer events than this are loose, they stay at their steps
_SHORTEST = 8  # steps: on a shorter timeline, nothing is loose
_SHARE = 0.5  # of the timeline: how far the start of a loose event can move
_APART = 0.3  # steps between neighbours
_PILL = 0.6  # steps: the shortest loose bar


class TrayDraft(Struct, frozen=True):
    """A tray: the row of its label, how many rows it has, and its bars."""

    row: int
    rows: int
    shapes: list[Shape]


def split_off_loose(
    shapes: Sequence[Shape], length: int, fixed: Collection[str]
) -> tuple[list[Shape], list[Shape]]:
    """Split off the loose events of a timeline of that length; return the rest, and them.

    An event is loose if its start can move over half of the timeline, unless it is ``fixed``. The
    shapes must be sorted by their left ends.
    """
    loose = [
        shape
        for shape in shapes
        if length >= _SHORTEST
        and shape.first_latest - shape.first >= _SHARE * length
        and shape.node.kind != "time"
        and shape.node.id not in fixed
    ]
    if len(loose) < _FEWEST:
        return list(shapes), []
    known = {shape.node.id for shape in loose}
    return [shape for shape in shapes if shape.node.id not in known], loose


def place_loose(shapes: list[Shape], left: float, wide: float, row: int) -> TrayDraft:
    """Place loose events in a tray from a row on, like words in lines that are ``wide``."""
    packed = pack_lines([_measure(shape) for shape in shapes], wide, _APART)
    set_pills(shapes, packed[0], left, row + 1)
    return TrayDraft(row, packed[1] + 1, shapes)


def set_pills(
    shapes: Sequence[Shape], places: Sequence[tuple[float, int]], left: float, row: int
) -> None:
    """Put loose bars into their places, which count from ``left`` and ``row``."""
    for shape, (x, down) in zip(shapes, places, strict=True):
        shape.loose = True
        shape.left, shape.width, shape.row = left + x, _measure(shape), row + down
        shape.label_left, shape.inside = shape.left + PAD, True
        shape.first_shown, shape.last_shown = shape.first, shape.last
        shape.right = shape.left + shape.width
        if shape.value:
            shape.value_left = shape.right + PAD
            shape.right = shape.value_left + room(shape.value, SMALL) / STEP


def _measure(shape: Shape) -> float:
    return max(shape.label_width + 2 * PAD, _PILL)
