"""The bars of a lane as shapes: where each begins and ends, and where its words stand."""

from __future__ import annotations

from msgspec import Struct

from tlex.date_words import say_date
from tlex.draw.lane_draft import LaneDraft, LaneInput
from tlex.draw.picture import STEP, Bar
from tlex.draw.text_width import SIZE, SMALL, fit, room
from tlex.records import NodeRecord

__all__ = ["PAD", "Shape", "Spacing", "make_bar", "make_shape"]

PAD = 0.15
"""Steps between a bar and its label."""

_VALUE = 150
_REACH, _TIGHT_REACH = 12, 3  # places: the longest whisker


class Spacing(Struct, frozen=True, kw_only=True):
    """The distance between two steps, and whether whiskers are short to save rows."""

    stride: float
    tight: bool = False


class Shape(Struct, kw_only=True):
    """A bar while it is being laid out; ``right`` is the end of its label and whiskers."""

    node: NodeRecord
    first: int
    last: int
    first_latest: int
    last_latest: int
    left: float
    width: float
    label: str
    inside: bool
    label_left: float
    label_width: float
    value: str
    value_left: float
    first_shown: int
    last_shown: int
    right: float
    row: int = 0
    loose: bool = False


def make_shape(
    draft: LaneDraft,
    source: LaneInput,
    node: NodeRecord,
    points: tuple[tuple[int, int], tuple[int, int]],
    spacing: Spacing,
) -> Shape:
    """Make the shape of an interval at its steps, which are given with the latest ones.

    A whisker that would be too long is cut off; its tip says so.
    """
    stride = spacing.stride
    (first, first_latest), (last, last_latest) = points
    left = draft.left + (first - 1) * stride
    width = (last - first) * stride
    bare = source.labels == "none"
    label = "" if bare else source.label(node.id, source.longest)
    wide = room(label, SIZE) / STEP
    inside = wide + 2 * PAD <= width
    label_left = left + PAD if inside else left + max(width, 2 * PAD) + PAD
    dated = node.kind == "time" and not bare
    value = fit(node.value, _VALUE, SMALL) if dated and node.value else ""
    value_left = max(left + width, label_left + wide) + PAD
    right = value_left + room(value, SMALL) / STEP if value else label_left + wide
    most = max(int((_TIGHT_REACH if spacing.tight else _REACH) / stride), 1)
    first_shown, last_shown = min(first_latest, first + most), min(last_latest, last + most)
    farthest = draft.left + (max(first_shown, last_shown) - 1) * stride
    return Shape(
        node=node,
        first=first,
        last=last,
        first_latest=first_latest,
        last_latest=last_latest,
        left=left,
        width=width,
        label=label,
        inside=inside,
        label_left=label_left,
        label_width=wide,
        value=value,
        value_left=value_left,
        first_shown=first_shown,
        last_shown=last_shown,
        right=max(right, left + width, farthest),
    )


def make_bar(shape: Shape, timeline: int, dated: tuple[float, float] | None) -> Bar:
    """Make the bar of a shape; ``dated`` is the ground that shows its date."""
    date = shape.node.date
    return Bar(
        interval=shape.node.id,
        timeline=timeline,
        kind=shape.node.kind,
        value=shape.node.value,
        factuality=shape.node.factuality,
        row=shape.row,
        first=shape.first,
        last=shape.last,
        first_latest=shape.first_latest,
        last_latest=shape.last_latest,
        left=round(shape.left, 3),
        width=round(shape.width, 3),
        label=shape.label,
        inside=shape.inside,
        label_left=round(shape.label_left, 3),
        label_width=round(shape.label_width, 3),
        first_shown=shape.first_shown,
        last_shown=shape.last_shown,
        date=say_date(date.after, date.before) if date else "",
        dated=dated,
        loose=shape.loose,
    )
