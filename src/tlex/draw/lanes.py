"""What stands where inside one lane. Places count from the upper left corner of the lane's box.

A lane is cut into rows from top to bottom: title, connectors that arrive, labels of bands, times,
the axis, bars that connectors point at, all other bars, and bars from which branches hang. So
connectors meet as few bars on their way as can be. A contradictory lane has chips and rings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from tlex.document import Link
from tlex.draw.letters import SIZE, SMALL, fit, room
from tlex.draw.packing import pack_rows, pack_stairs
from tlex.draw.picture import STEP, Band, Bar, Chip, Landmark
from tlex.draw.rings import lay_out_ring
from tlex.draw.wording import orders
from tlex.records import Conflict, Connection, NodeRecord
from tlex.timeline import Timeline
from tlex.wording import count

__all__ = ["APART", "HANG", "PAGE", "Sheet", "Source", "arrange", "shape_chip"]

PAGE = 26
"""Steps to a line, unless something is wider."""

APART = 0.5
"""Steps between neighbours in a row."""

HANG = 0.2
"""Steps from the left end of a bar to the line that hangs from it."""

_WORD = 190
_VALUE = 150
_TYPE = 150
_PAD = 0.15  # between a bar and its label
_ELBOW = 0.35  # from the line that a branch hangs from to the connector's label
_SLOTS = 0.36  # for the lines of bars with one left end
_MARGIN = 0.3  # of a band around its steps
_REACH = 12  # of a whisker, at the most
_MANY = 8  # intervals from which on a wider stride may be worth it
_STRIDES = (1, 2, 3)
_WORTH = 0.15  # fewer rows that one more step of stride must give


class Source(Struct, frozen=True):
    """What lanes are made from: the words of the result, by name, and how they are to be drawn.

    ``labels`` says what is written on intervals; ``page`` is the number of steps to a line.
    """

    nodes: Mapping[str, NodeRecord]
    links: Mapping[str, Link]
    conflicts: Mapping[int, Sequence[Conflict]]
    related: Mapping[str, Sequence[str]]
    labels: str = "words"
    page: float = PAGE

    def label(self, name: str, pixels: float) -> str:
        """Give what is written on an interval, in so many pixels: its words, its id, or both."""
        words = self.nodes[name].text
        if not words or self.labels in {"ids", "none"}:
            return fit(name, pixels)
        if self.labels == "words":
            return fit(words, pixels)
        own = fit(f" ({name})", pixels / 2)
        return fit(words, pixels - room(own)) + own


class Sheet:
    """A timeline on its way into the picture: its place in the tree, then what stands on it."""

    def __init__(
        self, timeline: Timeline, parent: Sheet | None = None, by: Connection | None = None
    ) -> None:
        self.timeline = timeline
        self.parent = parent
        self.by = by
        self.depth: int = parent.depth + 1 if parent else 0
        self.children: dict[str, list[Sheet]] = {}
        self.arriving: list[Connection] = []
        self.block = 0
        self.x = self.y = 0.0
        self.width = self.height = 0.0
        self.left = 0.0
        self.stride = 1.0
        self.title = ""
        self.title_row: float | None = None
        self.title_left = self.title_width = 0.0
        self.axis: float | None = None
        self.bars: list[Bar] = []
        self.landmarks: list[Landmark] = []
        self.bands: list[Band] = []
        self.chips: list[Chip] = []
        self.rings: list[tuple[Conflict, float, float]] = []
        self.arrivals: dict[str, tuple[str, float, float]] = {}  # by link: label, row, width
        self.stems: dict[str, float] = {}  # by interval: where its branches hang


class _Shape(Struct):
    """A bar before it has a row; ``right`` is the end of all that belongs to it."""

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


class _Plan(Struct):
    """The bars of a timeline in their zones, with as many rows as each zone has."""

    stride: float
    times: list[_Shape]
    shapes: list[_Shape]
    time_rows: int
    rows: int


def arrange(sheet: Sheet, source: Source) -> None:
    """Fill a sheet whose children and arriving connections are known."""
    labels = {
        c.link: fit(c.type or "SLINK", _TYPE, SMALL).replace("_", " ").lower()
        for c in sheet.arriving
    }
    rooms = {link: room(label, SMALL) / STEP for link, label in labels.items()}
    gutter = max(rooms.values(), default=0)
    timeline = sheet.timeline
    if timeline.consistent and len(timeline.intervals) > 1 and sheet.parent:
        sheet.title = f"timeline {timeline.id}"
        sheet.title_width = room(sheet.title, SMALL, bold=True) / STEP
        sheet.title_left = _ELBOW
        gutter = max(gutter, sheet.title_width)
    sheet.left = round(_ELBOW + gutter + APART, 3) if gutter else APART
    fill = _fill_bars if timeline.consistent else _fill_chips
    rows = fill(sheet, source)
    for link, label in labels.items():
        sheet.arrivals[link] = (label, rows[link], rooms[link])


def shape_chip(source: Source, name: str, timeline: int, left: float, row: float) -> Chip:
    """Make the chip of an interval that has no steps."""
    node, label = source.nodes[name], source.label(name, _WORD)
    width = room(label) / STEP + 2 * _PAD
    return Chip(
        node.id,
        timeline,
        node.kind,
        node.value,
        node.factuality,
        row,
        round(left, 3),
        round(width, 3),
        label,
    )


def _fill_bars(sheet: Sheet, source: Source) -> dict[str, float]:
    """Give bars, bands, axis and title their places; the rows of the connectors come back."""
    timeline = sheet.timeline
    single = len(timeline.intervals) == 1
    plan = _plan(sheet, source)
    sheet.stride = plan.stride
    row = 0
    if not single and not sheet.parent:
        place = "trunk" if timeline.main else timeline.role
        sheet.title = f"{place} · timeline {timeline.id}"
        sheet.title_width = room(sheet.title, SMALL, bold=True) / STEP
        sheet.title_row, row = 0, 1
    starts = {shape.node.id: shape.left for shape in (*plan.times, *plan.shapes)}
    order = sorted(sheet.arriving, key=lambda c: -starts[c.target])
    rows = {c.link: float(row + place) for place, c in enumerate(order)}
    row += len(order) - 1 if single and order else len(order)
    bands = list(_shape_bands(sheet))
    spots, band_rows = pack_rows([(left, left + wide + APART) for *_, left, wide in bands])
    band_top = row
    row += band_rows
    for shape in plan.times:
        shape.row += row
    row += plan.time_rows
    if not single:
        sheet.axis, row = row, row + 1
        if sheet.parent:
            sheet.title_row = sheet.axis
    for shape in plan.shapes:
        shape.row += row
    row += plan.rows
    sheet.height = row
    for (first, last, points, label, left, wide), spot in zip(bands, spots, strict=True):
        band_left = sheet.left + (first - 1) * plan.stride - _MARGIN
        sheet.bands.append(
            Band(
                timeline.id,
                first,
                last,
                points,
                round(band_left, 3),
                band_top + spot,
                round((last - first) * plan.stride + 2 * _MARGIN, 3),
                row - band_top - spot,
                label,
                band_top + spot,
                round(left, 3),
                round(wide, 3),
            )
        )
    everything = sorted((*plan.times, *plan.shapes), key=lambda shape: (shape.left, shape.row))
    sheet.bars = [_make_bar(shape, timeline.id) for shape in everything]
    sheet.landmarks = [
        Landmark(
            shape.node.id,
            timeline.id,
            shape.node.value or "",
            shape.first,
            shape.last,
            shape.row,
            shape.value,
            round(shape.value_left, 3),
            round(room(shape.value, SMALL) / STEP, 3),
        )
        for shape in everything
        if shape.value
    ]
    sheet.stems = dict(_hang(everything, sheet))
    sheet.width = max(
        sheet.title_left + sheet.title_width,
        sheet.left + ((timeline.length or 1) - 1) * plan.stride + _MARGIN,
        *(shape.right for shape in everything),
        *(left + wide + _PAD for *_, left, wide in bands),
    )
    return rows


def _plan(sheet: Sheet, source: Source) -> _Plan:
    """Pack the rows, with the stride that makes the better picture.

    Where many intervals share few steps, a wider stride lets words stand on their bars, and more
    bars in a row.
    """
    length = sheet.timeline.length or 1
    plan = _pack(sheet, source, _STRIDES[0])
    if len(sheet.timeline.intervals) > _MANY:
        best: float = plan.rows + plan.time_rows
        for stride in _STRIDES[1:]:
            if (length - 1) * stride > source.page:
                break
            other = _pack(sheet, source, stride)
            cost = (other.rows + other.time_rows) * (1 + _WORTH * (stride - 1))
            if cost < best:
                plan, best = other, cost
    return plan


def _pack(sheet: Sheet, source: Source, stride: float) -> _Plan:
    shapes = [
        _shape(sheet, source, source.nodes[name], stride, points)
        for name, points in _points(sheet.timeline)
    ]
    shapes.sort(key=lambda shape: shape.left)
    arriving = {connection.target for connection in sheet.arriving}
    single = len(shapes) == 1
    zones: list[list[_Shape]] = [[], [], [], []]
    for shape in shapes:
        name = shape.node.id
        hangs = name in sheet.children
        time = shape.node.kind == "time" and not single
        zones[3 if hangs else 0 if time else 1 if name in arriving else 2].append(shape)
    times, met, plain, hung = zones
    time_rows = _set_rows(times, pack_stairs(_extents(times)), 0)
    rows, size = pack_stairs(_extents(met))
    below = _set_rows(met, ([size - 1 - row for row in rows], size), 0)
    number = {shape.node.id: place for place, shape in enumerate(plain)}
    near = [
        [number[other] for other in source.related.get(shape.node.id, ()) if other in number]
        for shape in plain
    ]
    below = _set_rows(plain, pack_rows(_extents(plain), near), below)
    below = _set_rows(hung, pack_stairs(_extents(hung)), below)
    return _Plan(stride, times, [*met, *plain, *hung], time_rows, below)


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
    sheet: Sheet,
    source: Source,
    node: NodeRecord,
    stride: float,
    points: tuple[tuple[int, int], tuple[int, int]],
) -> _Shape:
    (first, first_latest), (last, last_latest) = points
    left = sheet.left + (first - 1) * stride
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
    farthest = sheet.left + (max(first_shown, last_shown) - 1) * stride
    return _Shape(
        node,
        first,
        last,
        first_latest,
        last_latest,
        left,
        width,
        label,
        inside,
        label_left,
        wide,
        value,
        value_left,
        first_shown,
        last_shown,
        max(right, left + width, farthest),
    )


def _make_bar(shape: _Shape, timeline: int) -> Bar:
    return Bar(
        shape.node.id,
        timeline,
        shape.node.kind,
        shape.node.value,
        shape.node.factuality,
        shape.row,
        shape.first,
        shape.last,
        shape.first_latest,
        shape.last_latest,
        round(shape.left, 3),
        shape.width,
        shape.label,
        shape.inside,
        round(shape.label_left, 3),
        round(shape.label_width, 3),
        shape.first_shown,
        shape.last_shown,
    )


def _shape_bands(sheet: Sheet) -> Iterator[tuple[int, int, int, str, float, float]]:
    timeline = sheet.timeline
    for section in timeline.sections:
        points = count(len(section.points), "point")
        # What is counted for the whole timeline is kept, and need not be counted again.
        alone = timeline.scenarios if len(timeline.sections) == 1 else None
        label = f"{points}, {orders(alone or timeline.count_scenarios(section=section))}"
        left = sheet.left + (section.first - 1) * sheet.stride - _MARGIN + _PAD
        wide = room(label, SMALL) / STEP
        yield section.first, section.last, len(section.points), label, left, wide


def _hang(shapes: Sequence[_Shape], sheet: Sheet) -> Iterator[tuple[str, float]]:
    """Where branches hang: under the lowest bar of those with one left end, left of the others."""
    hung = [shape for shape in shapes if shape.node.id in sheet.children]
    for left, group in groupby(hung, key=lambda shape: shape.left):
        *others, lowest = group
        yield lowest.node.id, left + min(HANG, lowest.width / 2)
        slot = _SLOTS / max(len(others), 4)
        for place, shape in enumerate(reversed(others)):
            yield shape.node.id, left - 0.1 - place * slot


def _fill_chips(sheet: Sheet, source: Source) -> dict[str, float]:
    """Give the chips and rings of a contradictory timeline their places.

    Those from which branches hang are left to whoever places the branches.
    """
    timeline = sheet.timeline
    size = count(len(timeline.intervals), "event or time", "events and times")
    below = len(sheet.children)
    where = f", {below} of them below" if below else ""
    sheet.title = f"timeline {timeline.id} contradicts itself: {size} without an order{where}"
    sheet.title_width = room(sheet.title, SMALL, bold=True) / STEP
    sheet.title_left = sheet.left
    row = 0.0
    rows = {}
    for connection in sheet.arriving:
        rows[connection.link] = row
        row += 1
    sheet.title_row = 0.0 if not rows else row
    row = sheet.title_row + 1
    right = sheet.title_left + sheet.title_width
    met = {connection.target for connection in sheet.arriving}
    names = [name for name in timeline.intervals if name not in sheet.children]
    names.sort(key=lambda name: name not in met)
    at = sheet.left
    for name in names:
        chip = shape_chip(source, name, timeline.id, at, row)
        if at > sheet.left and chip.left + chip.width > sheet.left + source.page - 2:
            row += 1
            chip = shape_chip(source, name, timeline.id, sheet.left, row)
        sheet.chips.append(chip)
        at = chip.left + chip.width + _PAD
        right = max(right, chip.left + chip.width)
    if names:
        row += 1
    at = sheet.left
    high = 0.0
    for conflict in source.conflicts.get(timeline.id, ()):
        ring = lay_out_ring(conflict, source.label, source.links)
        if at > sheet.left and at + ring.width > sheet.left + source.page - 2:
            at, row, high = sheet.left, row + high, 0.0
        sheet.rings.append((conflict, at, row))
        right = max(right, at + ring.width)
        at += ring.width + 2 * APART
        high = max(high, ring.height)
    sheet.width = right
    sheet.height = row + high
    return rows
