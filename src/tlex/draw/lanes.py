"""The layout of one lane: the place of everything that belongs to one timeline.

Places count from the upper left corner of the lane's box. A lane has these rows, from top to
bottom: title, connectors that arrive, labels of bands, times, the calendar, the axis, bars that
connectors point at, all other bars (those with a known date first), bars from which branches hang,
and the strands. In this order connectors cross few bars. The lane of a contradictory timeline has
chips and rings instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from math import inf

from msgspec import Struct, field
from msgspec.structs import replace

from tlex.date_words import say_date
from tlex.document import Link
from tlex.draw.conflict_rings import lay_out_ring
from tlex.draw.date_axis import DateAxis
from tlex.draw.date_rows import Ruler, find_reaches, lay_out_date_bands, lay_out_date_marks
from tlex.draw.packing import pack_rows, pack_stairs
from tlex.draw.picture import STEP, Band, Bar, Chip, DateBand, DateMark, Landmark, Strand
from tlex.draw.strands import StrandDraft
from tlex.draw.summary import orders
from tlex.draw.text_width import SIZE, SMALL, fit, fit_id, room
from tlex.records import Conflict, Connection, NodeRecord
from tlex.timeline import Timeline
from tlex.wording import count

__all__ = ["APART", "HANG", "PAGE", "LaneDraft", "LaneInput", "arrange", "shape_chip"]

PAGE = 26
"""Width of the picture in steps, unless something is wider."""

APART = 0.5
"""Steps of free space between neighbours in a row."""

HANG = 0.2
"""Steps from the left end of a bar to the connector that leaves it downwards."""

_WORD = 190
_VALUE = 150
_TYPE = 150
_PAD = 0.15  # steps between a bar and its label
_ELBOW = 0.35  # steps from the vertical line of a connector to its label
_SLOTS = 0.36  # steps for the connectors of all bars that share one left end
_MARGIN = 0.3  # steps by which a band is wider than its section, on each side
_REACH = 12  # steps: the longest whisker
_TALL = 20  # rows below the axis from which on the calendar is repeated at the bottom
_STAIRS = 10  # rows of times; more than that are packed without feet, where there is a calendar
_MANY = 8  # wider strides are tried for timelines of more intervals than this
_STRIDES = (1, 2, 3)
_WORTH = 0.15  # share of rows that a wider stride must save, for each step of stride


class LaneInput(Struct, frozen=True, kw_only=True):
    """What the layout of lanes needs: parts of the result by id, and the options.

    ``related`` has the neighbours of each interval by its links. ``labels`` says what is written
    on intervals; ``page`` is the width of the picture in steps. ``axes`` has the calendars of
    timelines.
    """

    nodes: Mapping[str, NodeRecord]
    links: Mapping[str, Link]
    conflicts: Mapping[int, Sequence[Conflict]]
    related: Mapping[str, Sequence[str]]
    labels: str = "words"
    page: float = PAGE
    axes: Mapping[int, DateAxis] = field(default_factory=dict)

    def label(self, name: str, pixels: float) -> str:
        """Give the label of an interval, its words or id or both, shortened to fit the pixels."""
        words = self.nodes[name].text
        if not words or self.labels in {"ids", "none"}:
            return fit_id(name, pixels)
        if self.labels == "words":
            return fit(words, pixels)
        own = fit_id(f"{name})", pixels / 2, before=" (")
        return fit(words, pixels - room(own)) + own


class LaneDraft:
    """A lane while it is being laid out: first its place in the tree, then its contents.

    ``parent`` and ``by`` are the lane and the connection from which it hangs. ``children`` has the
    lanes that hang from it, by the interval that they hang from. ``arriving`` are the connections
    to its base; its strands have their own.
    """

    def __init__(
        self, timeline: Timeline, parent: LaneDraft | None = None, by: Connection | None = None
    ) -> None:
        self.timeline = timeline
        self.parent = parent
        self.by = by
        self.depth: int = parent.depth + 1 if parent else 0
        self.children: dict[str, list[LaneDraft]] = {}
        self.arriving: list[Connection] = []
        self.strands: list[StrandDraft] = []
        self.block = 0
        self.x = self.y = 0.0
        self.width = self.height = 0.0
        self.left = 0.0
        self.stride = 1.0
        self.title = ""
        self.title_row: float | None = None
        self.title_left = self.title_width = 0.0
        self.axis: float | None = None
        self.feet = True
        self.bars: list[Bar] = []
        self.landmarks: list[Landmark] = []
        self.bands: list[Band] = []
        self.date_bands: list[DateBand] = []
        self.date_marks: list[DateMark] = []
        self.strand_boxes: list[Strand] = []
        self.chips: list[Chip] = []
        self.rings: list[tuple[Conflict, float, float]] = []
        self.arrivals: dict[
            str, tuple[str, float, float]
        ] = {}  # by link: label, row, width of label
        self.stems: dict[str, float] = {}  # by interval: x of the line from which its branches hang

    def find_strand(self, connection: Connection) -> StrandDraft | None:
        """Find the strand at which a connection arrives; None if it arrives at the base."""
        return self._strand_of.get(connection.link)

    @cached_property
    def _strand_of(self) -> dict[str, StrandDraft]:
        return {c.link: strand for strand in self.strands for c in strand.arriving}

    @property
    def hung(self) -> set[str]:
        """The intervals from which branches hang."""
        sources = (strand.by.source for strand in self.strands if strand.by)
        return {*self.children, *sources}


class _Shape(Struct, kw_only=True):
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


class _Packing(Struct, kw_only=True):
    """The rows of the bars of a timeline, for one stride: of times, and of all other bars.

    ``strands`` has the bars of each strand, and how many rows they have. Without ``feet`` the space
    below a time is not free.
    """

    stride: float
    times: list[_Shape]
    shapes: list[_Shape]
    time_rows: int
    rows: int
    strands: list[tuple[list[_Shape], int]]
    feet: bool

    @property
    def total(self) -> int:
        return self.time_rows + self.rows + sum(rows for _, rows in self.strands)

    def everything(self) -> list[_Shape]:
        """All bars, from left to right."""
        inside = (shape for shapes, _ in self.strands for shape in shapes)
        shapes = (*self.times, *self.shapes, *inside)
        return sorted(shapes, key=lambda shape: (shape.left, shape.row))


def arrange(draft: LaneDraft, source: LaneInput) -> None:
    """Lay out the contents of a lane; its children and arriving connections must be known."""
    labels = _name_types(draft.arriving)
    rooms = {link: room(label, SMALL) / STEP for link, label in labels.items()}
    gutter = max(rooms.values(), default=0)
    timeline = draft.timeline
    if timeline.consistent and len(timeline.intervals) > 1 and draft.parent:
        draft.title = f"timeline {timeline.id}"
        draft.title_width = room(draft.title, SMALL, bold=True) / STEP
        draft.title_left = _ELBOW
        gutter = max(gutter, draft.title_width)
    draft.left = round(_ELBOW + gutter + APART, 3) if gutter else APART
    fill = _fill_bars if timeline.consistent else _fill_chips
    rows = fill(draft, source)
    for link, label in labels.items():
        draft.arrivals[link] = (label, rows[link], rooms[link])


def _name_types(connections: Sequence[Connection]) -> dict[str, str]:
    return {
        c.link: fit(c.type or "SLINK", _TYPE, SMALL).replace("_", " ").lower() for c in connections
    }


def shape_chip(source: LaneInput, name: str, timeline: int, left: float, row: float) -> Chip:
    """Make the chip of an interval without steps."""
    node, label = source.nodes[name], source.label(name, _WORD)
    width = room(label) / STEP + 2 * _PAD
    return Chip(
        interval=node.id,
        timeline=timeline,
        kind=node.kind,
        value=node.value,
        factuality=node.factuality,
        row=row,
        left=round(left, 3),
        width=round(width, 3),
        label=label,
    )


def _fill_bars(draft: LaneDraft, source: LaneInput) -> dict[str, float]:
    """Place bars, bands, axis and title; return the rows of the connectors by link."""
    timeline = draft.timeline
    single = len(timeline.intervals) == 1
    axis = None if single else source.axes.get(timeline.id)
    packing = _choose_stride(draft, source)
    draft.stride = packing.stride
    draft.feet = packing.feet
    row = 0
    if not single and not draft.parent:
        place = "trunk" if timeline.main else timeline.role
        draft.title = f"{place} · timeline {timeline.id}{f' · {axis.span}' if axis else ''}"
        draft.title_width = room(draft.title, SMALL, bold=True) / STEP
        draft.title_row, row = 0, 1
    starts = {shape.node.id: shape.left for shape in (*packing.times, *packing.shapes)}
    order = sorted(draft.arriving, key=lambda c: -starts[c.target])
    rows = {c.link: float(row + place) for place, c in enumerate(order)}
    row += len(order) - 1 if single and order else len(order)
    bands = list(_shape_bands(draft))
    spots, band_rows = pack_rows([(left, left + wide + APART) for *_, left, wide in bands])
    band_top = row
    row += band_rows
    for shape in packing.times:
        shape.row += row
    row += packing.time_rows
    if axis:
        row += _lay_out_dates(draft, axis, row)
    if not single:
        draft.axis, row = row, row + 1
        if draft.parent:
            draft.title_row = draft.axis
    for shape in packing.shapes:
        shape.row += row
    row += packing.rows
    for strand, packed in zip(draft.strands, packing.strands, strict=True):
        row = _fill_strand(draft, strand, packed, row)
    draft.height = row
    if draft.date_bands and draft.axis is not None and row - draft.axis > _TALL:
        draft.date_bands += [replace(band, row=row) for band in draft.date_bands]
        draft.height += 1
    for (first, last, points, label, left, wide), spot in zip(bands, spots, strict=True):
        band_left = draft.left + (first - 1) * packing.stride - _MARGIN
        draft.bands.append(
            Band(
                timeline=timeline.id,
                first=first,
                last=last,
                points=points,
                x=round(band_left, 3),
                y=band_top + spot,
                width=round((last - first) * packing.stride + 2 * _MARGIN, 3),
                height=row - band_top - spot,
                label=label,
                label_row=band_top + spot,
                label_left=round(left, 3),
                label_width=round(wide, 3),
            )
        )
    everything = packing.everything()
    reaches = _clip_reaches(everything, find_reaches(axis, draft.date_bands)) if axis else {}
    draft.bars = [_make_bar(shape, timeline.id, reaches.get(shape.node.id)) for shape in everything]
    draft.landmarks = [
        Landmark(
            interval=shape.node.id,
            timeline=timeline.id,
            value=shape.node.value or "",
            first=shape.first,
            last=shape.last,
            row=shape.row,
            label=shape.value,
            label_left=round(shape.value_left, 3),
            label_width=round(room(shape.value, SMALL) / STEP, 3),
        )
        for shape in everything
        if shape.value
    ]
    draft.stems = dict(_hang(everything, draft))
    draft.width = max(
        draft.title_left + draft.title_width,
        draft.left + ((timeline.length or 1) - 1) * packing.stride + _MARGIN,
        *(shape.right for shape in everything),
        *(left + wide + _PAD for *_, left, wide in bands),
        *(mark.label_left + mark.label_width for mark in draft.date_marks),
        *(box.x + box.width for box in draft.strand_boxes),
    )
    return rows


def _clip_reaches(
    shapes: Sequence[_Shape], reaches: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """Cut off the part of a dated bar's band where a bar of the same row has no known date."""
    rows: dict[int, list[_Shape]] = {}
    for shape in shapes:
        rows.setdefault(shape.row, []).append(shape)
    clipped: dict[str, tuple[float, float]] = {}
    for row in rows.values():
        free, dated = -inf, list[str]()
        for shape in row:
            name = shape.node.id
            if name in reaches:
                left, wide = reaches[name]
                clipped[name] = max(left, free), left + wide
                dated.append(name)
                continue
            free = shape.right + _PAD
            for other in dated:
                left, right = clipped[other]
                clipped[other] = left, min(right, shape.left - _PAD)
            dated = []
    return {
        name: (round(left, 3), round(right - left, 3)) for name, (left, right) in clipped.items()
    }


def _lay_out_dates(draft: LaneDraft, axis: DateAxis, row: int) -> int:
    """Lay out the landmarks and the bands of the calendar from a row on; return how many rows."""
    timeline = draft.timeline
    ruler = Ruler(
        timeline=timeline.id, length=timeline.length or 1, left=draft.left, stride=draft.stride
    )
    draft.date_marks = list(lay_out_date_marks(axis, ruler, row))
    rows = 1 if draft.date_marks else 0
    draft.date_bands = lay_out_date_bands(axis, ruler, row + rows)
    return rows + 1


def _fill_strand(
    draft: LaneDraft, strand: StrandDraft, packed: tuple[list[_Shape], int], top: int
) -> int:
    """Place a strand from a row on; return the row behind it."""
    shapes, rows = packed
    starts = {shape.node.id: shape for shape in shapes}
    labels = _name_types(strand.arriving)
    row = top
    right = 0.0
    for connection in sorted(strand.arriving, key=lambda c: -starts[c.target].left):
        label = labels[connection.link]
        target = starts[connection.target]
        wide = room(label, SMALL) / STEP
        draft.arrivals[connection.link] = label, float(row), wide
        right = max(right, target.left + min(HANG, target.width / 2) + _PAD + wide)
        row += 1
    title = "" if strand.arriving else strand.place
    wide = room(title, SMALL, bold=True) / STEP
    left = min(shape.left for shape in shapes)
    row += bool(title)
    for shape in shapes:
        shape.row += row
    right = max(right, left + wide, *(shape.right for shape in shapes))
    draft.strand_boxes.append(
        Strand(
            timeline=draft.timeline.id,
            world=strand.world,
            place=strand.place,
            link=strand.by.link if strand.by else None,
            x=round(left - _MARGIN, 3),
            y=top,
            width=round(right - left + _MARGIN + _PAD, 3),
            height=row + rows - top,
            label=title,
            label_row=top,
            label_left=round(left, 3),
            label_width=round(wide, 3),
        )
    )
    return row + rows


def _choose_stride(draft: LaneDraft, source: LaneInput) -> _Packing:
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


def _pack(draft: LaneDraft, source: LaneInput, stride: float) -> _Packing:
    shapes = [
        _shape(draft, source, source.nodes[name], stride, points)
        for name, points in _points(draft.timeline)
    ]
    shapes.sort(key=lambda shape: shape.left)
    strand_of = {
        name: number for number, strand in enumerate(draft.strands) for name in strand.intervals
    }
    apart: list[list[_Shape]] = [[] for _ in draft.strands]
    for shape in shapes:
        if shape.node.id in strand_of:
            apart[strand_of[shape.node.id]].append(shape)
    strands = [(own, _set_rows(own, pack_rows(_extents(own)), 0)) for own in apart]
    hung_from = draft.hung
    arriving = {connection.target for connection in draft.arriving}
    single = len(shapes) == 1
    zones: list[list[_Shape]] = [[], [], [], []]
    for shape in shapes:
        name = shape.node.id
        if name in strand_of:
            continue
        hangs = name in hung_from
        time = shape.node.kind == "time" and not single
        zones[3 if hangs else 0 if time else 1 if name in arriving else 2].append(shape)
    times, met, plain, hung = zones
    stairs = pack_stairs(_extents(times))
    feet = stairs[1] <= _STAIRS or draft.timeline.id not in source.axes
    time_rows = _set_rows(times, stairs if feet else pack_rows(_extents(times)), 0)
    rows, size = pack_stairs(_extents(met))
    below = _set_rows(met, ([size - 1 - row for row in rows], size), 0)
    axis = source.axes.get(draft.timeline.id)
    dated = [shape for shape in plain if axis and shape.node.id in axis.dated]
    others = [shape for shape in plain if not axis or shape.node.id not in axis.dated]
    for group in (dated, others):
        number = {shape.node.id: place for place, shape in enumerate(group)}
        near = [
            [number[other] for other in source.related.get(shape.node.id, ()) if other in number]
            for shape in group
        ]
        below = _set_rows(group, pack_rows(_extents(group), near), below)
    below = _set_rows(hung, pack_stairs(_extents(hung)), below)
    return _Packing(
        stride=stride,
        times=times,
        shapes=[*met, *plain, *hung],
        time_rows=time_rows,
        rows=below,
        strands=strands,
        feet=feet,
    )


def _points(timeline: Timeline) -> Iterator[tuple[str, tuple[tuple[int, int], tuple[int, int]]]]:
    points = timeline.points
    for name in timeline.intervals:
        yield name, (points[name + "-"], points[name + "+"])


def _extents(shapes: Sequence[_Shape]) -> list[tuple[float, float]]:
    return [(shape.left, shape.right + APART) for shape in shapes]


def _set_rows(shapes: Sequence[_Shape], packed: tuple[list[int], int], first: int) -> int:
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
) -> _Shape:
    (first, first_latest), (last, last_latest) = points
    left = draft.left + (first - 1) * stride
    width = (last - first) * stride
    bare = source.labels == "none"
    label = "" if bare else source.label(node.id, _WORD)
    wide = room(label, SIZE) / STEP
    inside = wide + 2 * _PAD <= width
    label_left = left + _PAD if inside else left + max(width, 2 * _PAD) + _PAD
    dated = node.kind == "time" and not bare
    value = fit(node.value, _VALUE, SMALL) if dated and node.value else ""
    value_left = max(left + width, label_left + wide) + _PAD
    right = value_left + room(value, SMALL) / STEP if value else label_left + wide
    reach = int(_REACH / stride)
    first_shown, last_shown = min(first_latest, first + reach), min(last_latest, last + reach)
    farthest = draft.left + (max(first_shown, last_shown) - 1) * stride
    return _Shape(
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


def _make_bar(shape: _Shape, timeline: int, dated: tuple[float, float] | None) -> Bar:
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


def _shape_bands(draft: LaneDraft) -> Iterator[tuple[int, int, int, str, float, float]]:
    timeline = draft.timeline
    for section in timeline.sections:
        points = count(len(section.points), "point")
        # The count for the whole timeline is cached.
        alone = timeline.scenarios if len(timeline.sections) == 1 else None
        label = f"{points}, {orders(alone or timeline.count_scenarios(section=section))}"
        left = draft.left + (section.first - 1) * draft.stride - _MARGIN + _PAD
        wide = room(label, SMALL) / STEP
        yield section.first, section.last, len(section.points), label, left, wide


def _hang(shapes: Sequence[_Shape], draft: LaneDraft) -> Iterator[tuple[str, float]]:
    """Find the x from which the branches of each bar hang.

    Of several bars with the same left end, the lowest has its line below itself; the lines of the
    others pass on the left.
    """
    sources = draft.hung
    hung = [shape for shape in shapes if shape.node.id in sources]
    for left, group in groupby(hung, key=lambda shape: shape.left):
        *others, lowest = group
        yield lowest.node.id, left + min(HANG, lowest.width / 2)
        slot = _SLOTS / max(len(others), 4)
        for place, shape in enumerate(reversed(others)):
            yield shape.node.id, left - 0.1 - place * slot


def _fill_chips(draft: LaneDraft, source: LaneInput) -> dict[str, float]:
    """Place the chips and rings of a contradictory timeline; return the rows of the connectors.

    Chips from which branches hang are placed later, together with their branches.
    """
    timeline = draft.timeline
    size = count(len(timeline.intervals), "event or time", "events and times")
    below = len(draft.children)
    where = f", {below} of them below" if below else ""
    draft.title = f"timeline {timeline.id} is contradictory: {size} without an order{where}"
    draft.title_width = room(draft.title, SMALL, bold=True) / STEP
    draft.title_left = draft.left
    row = 0.0
    rows = {}
    for connection in draft.arriving:
        rows[connection.link] = row
        row += 1
    draft.title_row = 0.0 if not rows else row
    row = draft.title_row + 1
    right = draft.title_left + draft.title_width
    met = {connection.target for connection in draft.arriving}
    names = [name for name in timeline.intervals if name not in draft.children]
    names.sort(key=lambda name: name not in met)
    at = draft.left
    for name in names:
        chip = shape_chip(source, name, timeline.id, at, row)
        if at > draft.left and chip.left + chip.width > draft.left + source.page - 2:
            row += 1
            chip = shape_chip(source, name, timeline.id, draft.left, row)
        draft.chips.append(chip)
        at = chip.left + chip.width + _PAD
        right = max(right, chip.left + chip.width)
    if names:
        row += 1
    at = draft.left
    high = 0.0
    for conflict in source.conflicts.get(timeline.id, ()):
        ring = lay_out_ring(conflict, source.label, source.links)
        if at > draft.left and at + ring.width > draft.left + source.page - 2:
            at, row, high = draft.left, row + high, 0.0
        draft.rings.append((conflict, at, row))
        right = max(right, at + ring.width)
        at += ring.width + 2 * APART
        high = max(high, ring.height)
    draft.width = right
    draft.height = row + high
    return rows
