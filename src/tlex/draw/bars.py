"""The bars of a lane, packed into rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from tlex.draw.lane_draft import APART, LaneDraft, LaneInput
from tlex.draw.loose import TrayDraft, place_loose, set_pills, split_off_loose
from tlex.draw.packing import pack_rows, pack_stairs
from tlex.draw.shapes import Shape, Spacing, make_shape
from tlex.timeline import Timeline

__all__ = ["FLOWING", "PackedStrand", "Packing", "choose_stride"]

FLOWING = 0.5
"""The stride of a timeline that flows; one that fits the page with it has one line."""

_STAIRS = 10  # rows of times; more than that are packed without feet, where there is a calendar
_MANY = 8  # wider strides are tried for timelines of more intervals than this
_STRIDES = (1, 2, 3)
_WORTH = 0.15  # share of rows that a wider stride must save, for each step of stride
_SHORTEST = 0.1  # the shortest stride of a timeline that cannot flow
_CROWDED = 12  # rows: a lane that would have more is packed more tightly


class PackedStrand(Struct, kw_only=True):
    """The bars of a strand, how many rows they have, and its trays of loose bars."""

    shapes: list[Shape]
    rows: int
    trays: list[TrayDraft]


class Packing(Struct, kw_only=True):
    """The rows of the bars of a timeline, for one stride: of times, and of all other bars.

    Without ``feet`` the space below a time is not free.
    """

    stride: float
    times: list[Shape]
    shapes: list[Shape]
    time_rows: int
    rows: int
    strands: list[PackedStrand]
    feet: bool
    trays: list[TrayDraft]

    @property
    def total(self) -> int:
        """The number of all rows."""
        return self.time_rows + self.rows + sum(strand.rows for strand in self.strands)

    def everything(self) -> list[Shape]:
        """All bars, from left to right."""
        inside = (shape for strand in self.strands for shape in strand.shapes)
        shapes = (*self.times, *self.shapes, *inside)
        return sorted(shapes, key=lambda shape: (shape.left, shape.row))


def choose_stride(draft: LaneDraft, source: LaneInput) -> Packing:
    """Pack the bars into rows, with the stride that needs the fewest rows.

    The stride is the distance between two steps of a timeline in the picture. Where many intervals
    share few steps, a wider stride makes room for words on the bars and for more bars in a row. A
    timeline of many steps has a shorter stride, so that its axis is as wide as the page; one that
    flows has the shortest of these. Where there are many rows, more events count as loose, and
    whiskers are short.
    """
    length = draft.timeline.length or 1
    least: float = _STRIDES[0]
    if draft.flows:
        least = FLOWING
    elif (length - 1) * least > source.page:
        least = max(round(source.page / (length - 1), 3), _SHORTEST)
    packing = _pack(draft, source, least)
    tight = packing.total > _CROWDED
    if tight:
        packing = _pack(draft, source, least, tight=True)
    if len(draft.timeline.intervals) > _MANY:
        best: float = packing.total
        for stride in _STRIDES[1:]:
            if (length - 1) * stride > source.page:
                break
            other = _pack(draft, source, stride, tight=tight)
            cost = other.total * (1 + _WORTH * (stride - 1))
            if cost < best:
                packing, best = other, cost
    return packing


def _pack(draft: LaneDraft, source: LaneInput, stride: float, *, tight: bool = False) -> Packing:
    spacing = Spacing(stride=stride, tight=tight)
    shapes = [
        make_shape(draft, source, source.nodes[name], points, spacing)
        for name, points in _points(draft.timeline)
    ]
    shapes.sort(key=lambda shape: shape.left)
    single = len(shapes) == 1
    if draft.alone:
        set_pills(shapes, [(0.0, 0)], draft.left, 0)
    strands: list[PackedStrand] = []
    if draft.strands:
        shapes, strands = _split_off(draft, source, shapes, spacing)
    hung_from = draft.hung
    arriving = {each.target for each in draft.arriving}
    axis = source.axes.get(draft.timeline.id)
    dated: Collection[str] = axis.dated if axis else ()
    fixed = {*arriving, *hung_from}
    length = draft.timeline.length or 1
    shapes, loose = split_off_loose(shapes, length, fixed, axis, tight=tight)
    zones: list[list[Shape]] = [[], [], [], []]
    for shape in shapes:
        name = shape.node.id
        hangs = name in hung_from
        time = shape.node.kind == "time" and not single
        zones[3 if hangs else 0 if time else 1 if name in arriving else 2].append(shape)
    times, met, plain, hung = zones
    stairs = pack_stairs(_extents(times))
    feet = stairs[1] <= _STAIRS or axis is None
    time_rows = _set_rows(times, stairs if feet else pack_rows(_extents(times)), 0)
    rows, size = pack_stairs(_extents(met))
    below = _set_rows(met, ([size - 1 - row for row in rows], size), 0)
    groups = [plain] if plain else []
    if axis:
        known = [shape for shape in plain if shape.node.id in dated]
        groups = [known, [shape for shape in plain if shape.node.id not in dated]]
    for group in groups:
        number = {shape.node.id: place for place, shape in enumerate(group)}
        near = [
            [number[other] for other in source.related.get(shape.node.id, ()) if other in number]
            for shape in group
        ]
        below = _set_rows(group, pack_rows(_extents(group), near), below)
    trays = place_loose(loose, draft.left, _tray_width(draft, source, stride), below)
    below += sum(tray.rows for tray in trays)
    below = _set_rows(hung, pack_stairs(_extents(hung)), below)
    return Packing(
        stride=stride,
        times=times,
        shapes=[*met, *plain, *(shape for tray in trays for shape in tray.shapes), *hung],
        time_rows=time_rows,
        rows=below,
        strands=strands,
        feet=feet,
        trays=trays,
    )


def _tray_width(draft: LaneDraft, source: LaneInput, stride: float) -> float:
    """Give the width of a tray: that of the axis; on the trunk at least that of the page."""
    if draft.flows:
        return source.page - draft.left - APART
    wide = ((draft.timeline.length or 1) - 1) * stride
    return wide + APART if draft.parent else max(wide, source.page - draft.left - APART)


def _split_off(
    draft: LaneDraft, source: LaneInput, shapes: Sequence[Shape], spacing: Spacing
) -> tuple[list[Shape], list[PackedStrand]]:
    """Give the bars of the base, and pack those of each strand."""
    strand_of = {
        name: number for number, strand in enumerate(draft.strands) for name in strand.intervals
    }
    apart: list[list[Shape]] = [[] for _ in draft.strands]
    base: list[Shape] = []
    for shape in shapes:
        number = strand_of.get(shape.node.id)
        (base if number is None else apart[number]).append(shape)
    axis = source.axes.get(draft.timeline.id)
    length = draft.timeline.length or 1
    packed = []
    for strand, own in zip(draft.strands, apart, strict=True):
        fixed = {*draft.hung, *(connection.target for connection in strand.arriving)}
        rest, loose = split_off_loose(own, length, fixed, axis, tight=spacing.tight)
        rows = _set_rows(rest, pack_rows(_extents(rest)), 0)
        trays = place_loose(loose, draft.left, _tray_width(draft, source, spacing.stride), rows)
        rows += sum(tray.rows for tray in trays)
        inside = (shape for tray in trays for shape in tray.shapes)
        packed.append(PackedStrand(shapes=[*rest, *inside], rows=rows, trays=trays))
    return base, packed


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
