"""The layout of one lane: the place of everything that belongs to one timeline.

Places count from the upper left corner of the lane's box. A lane has these rows, from top to
bottom: title, connectors that arrive, labels of bands, times, the calendar, the axis, bars that
connectors point at, all other bars (those with a known date first), bars from which branches hang,
and the strands. In this order connectors cross few bars. The lane of a contradictory timeline has
chips and rings instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import inf

from msgspec.structs import replace

from tlex.draw.bars import PackedStrand, choose_stride
from tlex.draw.conflict_rings import lay_out_ring
from tlex.draw.date_axis import DateAxis
from tlex.draw.date_rows import Ruler, find_reaches, lay_out_date_bands, lay_out_date_marks
from tlex.draw.lane_draft import APART, HANG, LaneDraft, LaneInput, name_continued
from tlex.draw.loose import TrayDraft
from tlex.draw.packing import pack_rows, pack_stairs
from tlex.draw.picture import STEP, Band, Chip, Landmark, Strand, Tray
from tlex.draw.shapes import PAD, Shape, make_bar
from tlex.draw.strands import StrandDraft
from tlex.draw.summary import orders
from tlex.draw.text_width import SMALL, fit, room
from tlex.records import Connection
from tlex.wording import count

__all__ = ["arrange", "shape_chip"]

_TYPE = 150
_SOURCE = 100  # pixels for the source in the label of a connector that is cut
_ELBOW = 0.35  # steps from the vertical line of a connector to its label
_SLOTS = 0.36  # steps for the connectors of all bars that share one left end
_MARGIN = 0.3  # steps by which a band is wider than its section, on each side
_TALL = 20  # rows below the axis from which on the calendar is repeated at the bottom


def arrange(draft: LaneDraft, source: LaneInput) -> None:
    """Lay out the contents of a lane; its children and arriving connections must be known."""
    labels = _name_types(draft.arriving, source)
    rooms = {link: room(label, SMALL) / STEP for link, label in labels.items()}
    gutter = max(rooms.values(), default=0)
    timeline = draft.timeline
    if timeline.consistent and len(timeline.intervals) > 1 and draft.parent:
        draft.title = f"timeline {timeline.id}"
        draft.title_width = room(draft.title, SMALL, bold=True) / STEP
        draft.title_left = _ELBOW
        widest = name_continued(timeline) if draft.flows else draft.title
        gutter = max(gutter, room(widest, SMALL, bold=True) / STEP)
    draft.left = round(_ELBOW + gutter + APART, 3) if gutter else 0.0 if draft.alone else APART
    fill = _fill_bars if timeline.consistent else _fill_chips
    rows = fill(draft, source)
    for link, label in labels.items():
        draft.arrivals[link] = (label, rows[link], rooms[link])


def _name_types(connections: Sequence[Connection], source: LaneInput) -> dict[str, str]:
    """Give the labels of connectors: their types; those that are cut also name the source."""
    labels = {}
    for connection in connections:
        label = fit(connection.type or "SLINK", _TYPE, SMALL).replace("_", " ").lower()
        if connection.link in source.cut:
            label = f"{source.label(connection.source, _SOURCE)}: {label}"
        labels[connection.link] = label
    return labels


def shape_chip(source: LaneInput, name: str, timeline: int, left: float, row: float) -> Chip:
    """Make the chip of an interval without steps."""
    node, label = source.nodes[name], source.label(name, source.longest)
    width = room(label) / STEP + 2 * PAD
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
    packing = choose_stride(draft, source)
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
    spots, band_rows = pack_rows(
        [(band.x, band.label_left + band.label_width + APART) for band in bands]
    )
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
    _lay_out_trays(draft, packing.trays, row)
    row += packing.rows
    if draft.strands:
        row = _fill_strands(draft, packing.strands, source, row)
    draft.height = row
    if draft.date_bands and draft.axis is not None and row - draft.axis > _TALL:
        draft.date_bands += [replace(band, row=row) for band in draft.date_bands]
        draft.height += 1
    draft.bands = [
        replace(
            band,
            y=band_top + spot,
            height=row - band_top - spot,
            label_row=band_top + spot,
        )
        for band, spot in zip(bands, spots, strict=True)
    ]
    everything = packing.everything()
    reaches = _clip_reaches(everything, find_reaches(axis, draft.date_bands)) if axis else {}
    draft.bars = [
        make_bar(shape, timeline.id, None if shape.loose else reaches.get(shape.node.id))
        for shape in everything
    ]
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
    if draft.alone:
        draft.width = everything[0].right
        return rows
    draft.width = max(
        draft.title_left + draft.title_width,
        draft.left + ((timeline.length or 1) - 1) * packing.stride + _MARGIN,
        *(shape.right for shape in everything),
        *(band.label_left + band.label_width + PAD for band in bands),
        *(mark.label_left + mark.label_width for mark in draft.date_marks),
        *(box.x + box.width for box in draft.strand_boxes),
        *(tray.x + tray.width for tray in draft.trays),
    )
    return rows


def _lay_out_trays(draft: LaneDraft, trays: Sequence[TrayDraft], top: int) -> None:
    """Lay out the boxes of loose bars; the rows of the trays count from ``top``."""
    for tray in trays:
        row, shapes, label = top + tray.row, tray.shapes, tray.label
        wide = room(label, SMALL) / STEP
        right = max(draft.left + wide, *(shape.right for shape in shapes))
        draft.trays.append(
            Tray(
                kind="loose",
                timeline=draft.timeline.id,
                x=round(draft.left - _MARGIN, 3),
                y=row,
                width=round(right - draft.left + _MARGIN + PAD, 3),
                height=tray.rows,
                label=label,
                label_row=row,
                label_left=round(draft.left, 3),
                label_width=round(wide, 3),
            )
        )


def _clip_reaches(
    shapes: Sequence[Shape], reaches: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """Cut off the part of a dated bar's band where a bar of the same row has no known date."""
    rows: dict[int, list[Shape]] = {}
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
            free = shape.right + PAD
            for other in dated:
                left, right = clipped[other]
                clipped[other] = left, min(right, shape.left - PAD)
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


def _fill_strands(
    draft: LaneDraft, packed: Sequence[PackedStrand], source: LaneInput, top: int
) -> int:
    """Place the strands from a row on; return the row behind them.

    They stand below each other. If their connectors are cut, so that no lines pass between them,
    those with different steps also stand side by side.
    """
    skyline: list[int] = []
    for strand, own in zip(draft.strands, packed, strict=True):
        box = _shape_strand(draft, strand, own, source)
        whole = not all(connection.link in source.cut for connection in strand.arriving)
        first = 0 if whole else max(int(box.x - APART), 0)
        last = len(skyline) if whole else int(box.x + box.width + APART) + 1
        last = max(last, int(box.x + box.width) + 1)
        skyline += [top] * (last - len(skyline))
        row = max(skyline[first:last])
        skyline[first:last] = [row + int(box.height)] * (last - first)
        for shape in own.shapes:
            shape.row += row
        for connection in strand.arriving:
            label, spot, wide = draft.arrivals[connection.link]
            draft.arrivals[connection.link] = label, spot + row, wide
        heading = int(box.height) - own.rows
        _lay_out_trays(draft, own.trays, row + heading)
        draft.strand_boxes.append(replace(box, y=row, label_row=row))
    return max(skyline, default=top)


def _shape_strand(
    draft: LaneDraft, strand: StrandDraft, packed: PackedStrand, source: LaneInput
) -> Strand:
    """Shape the box of a strand, as if it began in the first row of the lane.

    Above its bars it has the labels of the connectors that arrive, or a title.
    """
    shapes = packed.shapes
    starts = {shape.node.id: shape for shape in shapes}
    labels = _name_types(strand.arriving, source)
    order = sorted(strand.arriving, key=lambda c: starts[c.target].left)
    drops = [starts[c.target].left + min(HANG, starts[c.target].width / 2) for c in order]
    wides = [room(labels[c.link], SMALL) / STEP for c in order]
    ends = [drop + PAD + wide for drop, wide in zip(drops, wides, strict=True)]
    spots, rows = pack_stairs([(drop, end + APART) for drop, end in zip(drops, ends, strict=True)])
    for connection, spot, wide in zip(order, spots, wides, strict=True):
        draft.arrivals[connection.link] = labels[connection.link], float(spot), wide
    title = "" if strand.arriving else strand.place
    rows += bool(title)
    wide = room(title, SMALL, bold=True) / STEP
    left = min(shape.left for shape in shapes)
    right = max(left + wide, *ends, *(shape.right for shape in shapes))
    for shape in shapes:
        shape.row += rows
    return Strand(
        timeline=draft.timeline.id,
        world=strand.world,
        place=strand.place,
        link=strand.by.link if strand.by else None,
        x=round(left - _MARGIN, 3),
        y=0,
        width=round(right - left + _MARGIN + PAD, 3),
        height=rows + packed.rows,
        label=title,
        label_row=0,
        label_left=round(left, 3),
        label_width=round(wide, 3),
    )


def _shape_bands(draft: LaneDraft) -> Iterator[Band]:
    """Give the bands of a timeline, still without rows; a label that does not fit stands beside."""
    timeline = draft.timeline
    for section in timeline.sections:
        points = count(len(section.points), "point")
        # The count for the whole timeline is cached.
        alone = timeline.scenarios if len(timeline.sections) == 1 else None
        label = f"{points}, {orders(alone or timeline.count_scenarios(section=section))}"
        left = draft.left + (section.first - 1) * draft.stride - _MARGIN
        width = (section.last - section.first) * draft.stride + 2 * _MARGIN
        wide = room(label, SMALL) / STEP
        inside = wide + 2 * PAD <= width
        yield Band(
            timeline=timeline.id,
            first=section.first,
            last=section.last,
            points=len(section.points),
            x=round(left, 3),
            y=0,
            width=round(width, 3),
            height=0,
            label=label,
            label_row=0,
            label_left=round(left + PAD + (0 if inside else width), 3),
            label_width=round(wide, 3),
        )


def _hang(shapes: Sequence[Shape], draft: LaneDraft) -> Iterator[tuple[str, float]]:
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
        at = chip.left + chip.width + PAD
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
