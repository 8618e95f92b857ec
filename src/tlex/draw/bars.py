"""The bars of a lane: their shapes, and the rows into which they are packed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from tlex.date_words import say_date
from tlex.draw.lane_draft import APART, LaneDraft, LaneInput
from tlex.draw.packing import pack_rows, pack_stairs
from tlex.draw.picture import STEP, Bar
from tlex.draw.strands import StrandDraft
from tlex.draw.text_width import SIZE, SMALL, fit, room
from tlex.records import NodeRecord
from tlex.timeline import Timeline

__all__ = ["PAD", "WORD", "Packing", "Shape", "choose_stride", "make_bar"]

WORD = 190
"""Pixels of the longest label of an interval."""

PAD = 0.15
"""Steps between a bar and its label."""

_VALUE = 150
_REACH = 12  # steps: the longest whisker
_STAIRS = 10  # rows of times; more than that are packed without feet, where there is a calendar
_MANY = 8  # wider strides are tried for timelines of more intervals than this
_STRIDES = (1, 2, 3)
_WORTH = 0.15  # share of rows that a wider stride must save, for each step of stride


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


class Packing(Struct, kw_only=True):
    """The rows of the bars of a timeline, for one stride: of times, and of all other bars.

    ``strands`` has the bars of each strand, and how many rows they have. Without ``feet`` the space
    below a time is not free.
    """

    stride: float
    times: list[Shape]
    shapes: list[Shape]
    time_rows: int
    rows: int
    strands: list[tuple[list[Shape], int]]
    feet: bool

    @property
    def total(self) -> int:
        """The number of all rows."""
        return self.time_rows + self.rows + sum(rows for _, rows in self.strands)

    def everything(self) -> list[Shape]:
        """All bars, from left to right."""
        inside = (shape for shapes, _ in self.strands for shape in shapes)
        shapes = (*self.times, *self.shapes, *inside)
        return sorted(shapes, key=lambda shape: (shape.left, shape.row))


def choose_stride(draft: LaneDraft, source: LaneInput) -> Packing:
    """Pack the bars into rows, with the stride that needs the fewest rows.

    The stride is the distance between two steps of a timeline in the picture. Where many intervals
    share few steps, a wider stride makes room for words on the bars and for more bars in a row.
    """
    length = draft.timeline.length or 1
    packing = _pack(draft, source, _STRIDES[0])
    if len(draft.timeline.intervals) > _MANY:
        best: float = packing.total
        for stride in _STRIDES[1:]:
            if (length - 1) * stride > source.page:
                break
            other = _pack(draft, source, stride)
            cost = other.total * (1 + _WORTH * (stride - 1))
            if cost < best:
                packing, best = other, cost
    return packing


def _pack(draft: LaneDraft, source: LaneInput, stride: float) -> Packing:
    shapes = [
        _shape(draft, source, source.nodes[name], stride, points)
        for name, points in _points(draft.timeline)
    ]
    shapes.sort(key=lambda shape: shape.left)
    single = len(shapes) == 1
    shapes, strands = _split_off(draft.strands, shapes) if draft.strands else (shapes, [])
    hung_from = draft.hung
    arriving = {connection.target for connection in draft.arriving}
    zones: list[list[Shape]] = [[], [], [], []]
    for shape in shapes:
        name = shape.node.id
        hangs = name in hung_from
        time = shape.node.kind == "time" and not single
        zones[3 if hangs else 0 if time else 1 if name in arriving else 2].append(shape)
    times, met, plain, hung = zones
    stairs = pack_stairs(_extents(times))
    axis = source.axes.get(draft.timeline.id)
    feet = stairs[1] <= _STAIRS or axis is None
    time_rows = _set_rows(times, stairs if feet else pack_rows(_extents(times)), 0)
    rows, size = pack_stairs(_extents(met))
    below = _set_rows(met, ([size - 1 - row for row in rows], size), 0)
    groups = [plain] if plain else []
    if axis:
        dated = [shape for shape in plain if shape.node.id in axis.dated]
        groups = [dated, [shape for shape in plain if shape.node.id not in axis.dated]]
    for group in groups:
        number = {shape.node.id: place for place, shape in enumerate(group)}
        near = [
            [number[other] for other in source.related.get(shape.node.id, ()) if other in number]
            for shape in group
        ]
        below = _set_rows(group, pack_rows(_extents(group), near), below)
    below = _set_rows(hung, pack_stairs(_extents(hung)), below)
    return Packing(
        stride=stride,
        times=times,
        shapes=[*met, *plain, *hung],
        time_rows=time_rows,
        rows=below,
        strands=strands,
        feet=feet,
    )


def _split_off(
    strands: Sequence[StrandDraft], shapes: Sequence[Shape]
) -> tuple[list[Shape], list[tuple[list[Shape], int]]]:
    """Give the bars of the base; and pack those of each strand, with the number of their rows."""
    strand_of = {name: number for number, strand in enumerate(strands) for name in strand.intervals}
    apart: list[list[Shape]] = [[] for _ in strands]
    base: list[Shape] = []
    for shape in shapes:
        number = strand_of.get(shape.node.id)
        (base if number is None else apart[number]).append(shape)
    return base, [(own, _set_rows(own, pack_rows(_extents(own)), 0)) for own in apart]


def _points(timeline: Timeline) -> Iterator[tuple[str, tuple[tuple[int, int], tuple[int, int]]]]:
    points = timeline.points
    for name in timeline.intervals:
        yield name, (points[name + "-"], points[name + "+"])


def _extents(shapes: Sequence[Shape]) -> list[tuple[float, float]]:
    return [(shape.left, shape.right + APART) for shape in shapes]


def _set_rows(shapes: Sequence[Shape], packed: tuple[list[int], int], first: int) -> int:
    rows, size = packed
    for shape, row in zip(shapes, rows, strict=True):
        shape.row = first + row
    return first + size


def _shape(
    draft: LaneDraft,
    source: LaneInput,
    node: NodeRecord,
    stride: float,
    points: tuple[tuple[int, int], tuple[int, int]],
) -> Shape:
    (first, first_latest), (last, last_latest) = points
    left = draft.left + (first - 1) * stride
    width = (last - first) * stride
    bare = source.labels == "none"
    label = "" if bare else source.label(node.id, WORD)
    wide = room(label, SIZE) / STEP
    inside = wide + 2 * PAD <= width
    label_left = left + PAD if inside else left + max(width, 2 * PAD) + PAD
    dated = node.kind == "time" and not bare
    value = fit(node.value, _VALUE, SMALL) if dated and node.value else ""
    value_left = max(left + width, label_left + wide) + PAD
    right = value_left + room(value, SMALL) / STEP if value else label_left + wide
    reach = int(_REACH / stride)
    first_shown, last_shown = min(first_latest, first + reach), min(last_latest, last + reach)
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
        width=shape.width,
        label=shape.label,
        inside=shape.inside,
        label_left=round(shape.label_left, 3),
        label_width=round(shape.label_width, 3),
        first_shown=shape.first_shown,
        last_shown=shape.last_shown,
        date=say_date(date.after, date.before) if date else "",
        dated=dated,
    )
