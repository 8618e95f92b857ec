"""Loose events: those that can be at very different places on their timeline.

At its earliest step such an event would look as if it were known to be early, and dozens of them
would stand in a column there. Instead they stand in a tray below the others, as wide as their
labels. They are sorted by their earliest steps. So one that is known to precede another is above it
or on its left. Where rows are to be saved, events that are between the same two steps also have a
tray, which names these.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from tlex.draw.date_axis import DateAxis
from tlex.draw.packing import pack_lines
from tlex.draw.picture import STEP
from tlex.draw.shapes import PAD, Shape
from tlex.draw.text_width import SMALL, room
from tlex.wording import count

__all__ = ["TrayDraft", "place_loose", "set_pills", "split_off_loose"]

_FEWEST = 6  # where fewer events than this are loose, they stay at their steps
_SHORTEST, _TIGHT_SHORTEST = 8, 4  # steps: on a shorter timeline, nothing is loose
_SHARE, _TIGHT_SHARE = 0.5, 0.2  # of the timeline: how far the start of a loose event can move
_APART = 0.3  # steps between neighbours
_PILL = 0.6  # steps: the shortest loose bar


class TrayDraft(Struct, frozen=True):
    """A tray: the row of its label, how many rows it has, its label and its bars."""

    row: int
    rows: int
    label: str
    shapes: list[Shape]


def split_off_loose(
    shapes: Sequence[Shape],
    length: int,
    fixed: Collection[str],
    axis: DateAxis | None = None,
    *,
    tight: bool = False,
) -> tuple[list[Shape], list[tuple[str, list[Shape]]]]:
    """Split off the loose events of a timeline of that length.

    Returns the rest, and groups of loose events with their labels. An event is loose if its start
    can move over half of the timeline (where rows are to be saved, ``tight``, over a fifth), unless
    it is ``fixed`` or has a date. The shapes must be sorted by their left ends.
    """
    dated = axis.dated if axis else {}
    share, shortest = (_TIGHT_SHARE, _TIGHT_SHORTEST) if tight else (_SHARE, _SHORTEST)
    loose = [
        shape
        for shape in shapes
        if length >= shortest
        and shape.first_latest - shape.first >= share * length
        and shape.node.kind != "time"
        and shape.node.id not in fixed
        and shape.node.id not in dated
    ]
    groups: list[tuple[str, list[Shape]]] = []
    if len(loose) >= _FEWEST:
        groups.append((f"{count(len(loose), 'event')} at no certain place on this timeline", loose))
    known = {shape.node.id for _, group in groups for shape in group}
    if tight:
        alike: dict[tuple[int, ...], list[Shape]] = {}
        for shape in shapes:
            name = shape.node.id
            if shape.node.kind != "time" and name not in fixed and name not in known:
                steps = shape.first, shape.first_latest, shape.last, shape.last_latest
                alike.setdefault((*steps, *dated.get(name, ())), []).append(shape)
        groups += [
            (_name_steps(group, axis), group) for group in alike.values() if len(group) >= _FEWEST
        ]
        known = {shape.node.id for _, group in groups for shape in group}
    return [shape for shape in shapes if shape.node.id not in known], groups


def _name_steps(shapes: Sequence[Shape], axis: DateAxis | None) -> str:
    first = shapes[0]
    settled = first.first == first.first_latest and first.last == first.last_latest
    steps = f"at steps {first.first} to" if settled else f"between steps {first.first} and"
    label = f"{count(len(shapes), 'event')} {steps} {first.last_latest}"
    if axis and first.node.id in axis.dated:
        one, other = (axis.units[number].words for number in axis.dated[first.node.id])
        label += f": {one}" if one == other else f": {one} to {other}"
    return label


def place_loose(
    groups: Sequence[tuple[str, list[Shape]]], left: float, wide: float, row: int
) -> list[TrayDraft]:
    """Place loose events in trays from a row on, like words in lines that are ``wide``."""
    trays = []
    for label, shapes in groups:
        places, rows = pack_lines([_measure(shape) for shape in shapes], wide, _APART)
        set_pills(shapes, places, left, row + 1)
        trays.append(TrayDraft(row, rows + 1, label, shapes))
        row += rows + 1
    return trays


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
