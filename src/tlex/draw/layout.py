"""The layout of a whole picture: `lay_out` makes a `Picture` from a result.

The types of the picture are in `tlex.draw.picture`. The layout of one timeline is in `lanes`.

Every main timeline is the root of a tree: the timelines that its SLINKs lead to hang below it, and
so on. A tree with its root is a block. `trees` places the lanes of a block, `blocks` the blocks.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt

from msgspec.structs import replace

from tlex.draw.blocks import place_blocks, sort_blocks
from tlex.draw.conflict_rings import lay_out_ring
from tlex.draw.date_axis import find_date_axes
from tlex.draw.folding import fold, may_flow
from tlex.draw.lane_draft import APART, HANG, PAGE, LaneDraft, LaneInput
from tlex.draw.lanes import arrange
from tlex.draw.left_out import find_obstacles, lay_out_left_out
from tlex.draw.picture import Bar, Chip, Connector, Lane, Picture
from tlex.draw.reading.phrases import find_phrase
from tlex.draw.strands import Worlds
from tlex.draw.summary import facts
from tlex.draw.trees import place_tree
from tlex.nouns import Link, Timex
from tlex.records import Conflict, Connection
from tlex.result import Extraction
from tlex.wording import clean, entitle

__all__ = ["lay_out"]

_WINDOW = 18.8  # a window of 1440 pixels has room for it beside the text
_LARGE = 90  # events and times; the page of a larger document is wider
_WIDEST = 2  # times the usual page
_HANGING = 10  # SLINKs that leave a timeline; if there are more, no branch hangs from its bars
_STUB = 0.35  # steps or rows of the line before the label of a connector that is cut
_PAD = 0.15  # steps from a label to the line that passes it
_EVERY = (1, 2, 5, 10, 20)  # which steps have a number
_NUMBERS = 0.8  # steps between two numbers on an axis, at least
_NOISE = 0.01  # steps: tolerance of comparisons
_BAR = 0.17  # rows of free space above a bar, and below it


def lay_out(result: Extraction, *, labels: str = "words", page: float | None = None) -> Picture:
    """Lay out a result. The same result gives the same picture; the cost is near-linear.

    ``labels`` says what is written on events and times: *words*, *phrases*, *ids*, *both* or
    *none*. ``page`` is the width in steps; a timeline that is wider goes on in lines below. By
    default the page is wider for a large document; one of a single timeline that flows has lines
    that a window of 1440 pixels has room for.
    """
    if page is None:
        page = PAGE * min(max(sqrt(len(result.nodes) / _LARGE), 1), _WIDEST)
        if len(result.timelines) == 1 and may_flow(result.timelines[0], page):
            page = _WINDOW
    source = _collect(result, labels, page)
    joined = {end for each in result.connections for end in (each.source, each.target)}
    blocks = sort_blocks(_grow(result, Worlds(result, source.nodes)), joined)
    drafts = [draft for block in blocks.list_all() for draft in block]
    found = {draft.timeline.id: draft for draft in drafts}
    for draft in drafts:
        draft.flows = may_flow(draft.timeline, page)
    source = replace(source, cut=_cut(result.connections, found))
    for draft in drafts:
        draft.cut = source.cut
        arrange(draft, source)
        fold(draft, page)
    sizes = {block[0].block: place_tree(block, source) for block in blocks.list_all()}
    flow = place_blocks(blocks, sizes, result.breaks, page)
    bars = [_move_bar(bar, draft) for draft in drafts for bar in draft.bars]
    chips = [_move_chip(chip, draft) for draft in drafts for chip in draft.chips]
    ends: dict[str, Bar | Chip] = {bar.interval: bar for bar in reversed(bars)}  # the first pieces
    ends.update((chip.interval, chip) for chip in chips)
    connectors = [_connect(connection, found, ends) for connection in result.connections]
    lanes = tuple(_make_lane(draft) for draft in drafts)
    landmarks = tuple(
        replace(mark, row=mark.row + draft.y, label_left=round(mark.label_left + draft.x, 3))
        for draft in drafts
        for mark in draft.landmarks
    )
    bands = tuple(
        replace(
            band,
            x=round(band.x + draft.x, 3),
            y=band.y + draft.y,
            label_row=band.label_row + draft.y,
            label_left=round(band.label_left + draft.x, 3),
        )
        for draft in drafts
        for band in draft.bands
    )
    date_bands = tuple(
        replace(
            band,
            x=round(band.x + draft.x, 3),
            row=band.row + draft.y,
            label_left=round(band.label_left + draft.x, 3),
            repeated=tuple(round(left + draft.x, 3) for left in band.repeated),
        )
        for draft in drafts
        for band in draft.date_bands
    )
    date_marks = tuple(
        replace(
            mark,
            x=round(mark.x + draft.x, 3),
            row=mark.row + draft.y,
            label_left=round(mark.label_left + draft.x, 3),
        )
        for draft in drafts
        for mark in draft.date_marks
    )
    strands = tuple(
        replace(
            box,
            x=round(box.x + draft.x, 3),
            y=box.y + draft.y,
            label_row=box.label_row + draft.y,
            label_left=round(box.label_left + draft.x, 3),
        )
        for draft in drafts
        for box in draft.strand_boxes
    )
    trays = tuple(
        replace(
            tray,
            x=round(tray.x + draft.x, 3),
            y=tray.y + draft.y,
            label_row=tray.label_row + draft.y,
            label_left=round(tray.label_left + draft.x, 3),
        )
        for draft in drafts
        for tray in draft.trays
    )
    obstacles = find_obstacles(
        lanes=lanes,
        bars=bars,
        landmarks=landmarks,
        bands=bands,
        connectors=connectors,
        chips=chips,
        dates=(*date_bands, *date_marks),
        trays=trays,
    )
    mended = [result.document.links[number] for number in sorted(result.repair)]
    return Picture(
        name=clean(entitle(result.document.name)),
        consistent=result.consistent,
        facts=tuple(facts(result)),
        width=round(flow.width, 3),
        height=round(flow.height, 3),
        lanes=lanes,
        bars=tuple(bars),
        landmarks=landmarks,
        bands=bands,
        connectors=tuple(connectors),
        gaps=tuple(flow.gaps),
        chips=tuple(chips),
        rings=tuple(
            lay_out_ring(conflict, source.label, source.links, x + draft.x, y + draft.y)
            for draft in drafts
            for conflict, x, y in draft.rings
        ),
        left_out=lay_out_left_out(mended, source.label, ends, obstacles) if mended else (),
        date_bands=date_bands,
        date_marks=date_marks,
        strands=strands,
        trays=(*trays, *flow.trays),
    )


def _collect(result: Extraction, labels: str, page: float) -> LaneInput:
    nodes = {node.id: node for node in result.nodes}
    links: dict[str, Link] = {link.id: link for link in result.document.links}
    conflicts: dict[int, list[Conflict]] = {}
    for conflict in result.conflicts:
        conflicts.setdefault(conflict.timeline, []).append(conflict)
    related: dict[str, list[str]] = {}
    for link in result.document.links:
        if link.kind in result.options.links and link.source in nodes and link.target in nodes:
            related.setdefault(link.source, []).append(link.target)
            related.setdefault(link.target, []).append(link.source)
    return LaneInput(
        nodes=nodes,
        links=links,
        conflicts=conflicts,
        related=related,
        labels=labels,
        page=page,
        axes=find_date_axes(result),
        phrases=_find_phrases(result) if labels == "phrases" else {},
    )


def _find_phrases(result: Extraction) -> dict[str, str]:
    """Find the words around those of each event; its own stand in angle quotes."""
    found = {}
    for node in result.document.nodes:
        if not isinstance(node, Timex):
            phrase = find_phrase(result.document, node)
            found[node.id] = clean(f"{phrase.before}\u2039{phrase.words}\u203a{phrase.after}")
    return found


def _grow(result: Extraction, worlds: Worlds) -> list[list[LaneDraft]]:
    """Build the trees of timelines, each in breadth-first order from its root.

    The roots are the main timelines, and then the first of whatever these do not reach.
    """
    leaving: dict[int, list[Connection]] = {}
    arriving: dict[int, list[Connection]] = {}
    for connection in result.connections:
        leaving.setdefault(connection.source_timeline, []).append(connection)
        arriving.setdefault(connection.target_timeline, []).append(connection)
    blocks: list[list[LaneDraft]] = []
    trunk = result.trunk
    known = {timeline.id for timeline in trunk}
    queue = deque[LaneDraft]()

    def start(draft: LaneDraft) -> None:
        draft.block = len(blocks)
        blocks.append([])
        queue.append(draft)

    def follow() -> None:
        while queue:
            draft = queue.popleft()
            blocks[draft.block].append(draft)
            draft.arriving = arriving.get(draft.timeline.id, [])
            if draft.timeline.consistent:
                draft.strands = worlds.split(draft.timeline.intervals, draft.arriving, draft.by)
            if draft.strands:
                apart = {name for strand in draft.strands for name in strand.intervals}
                draft.arriving = [c for c in draft.arriving if c.target not in apart]
            for connection in leaving.get(draft.timeline.id, ()):
                target = connection.target_timeline
                if target not in known:
                    known.add(target)
                    child = LaneDraft(result.timelines[target], draft, connection)
                    child.block = draft.block
                    draft.children.setdefault(connection.source, []).append(child)
                    queue.append(child)

    for timeline in trunk:
        start(LaneDraft(timeline))
    follow()
    for timeline in result.timelines:
        if timeline.id not in known:
            known.add(timeline.id)
            start(LaneDraft(timeline))
            follow()
    return blocks


def _cut(connections: Sequence[Connection], found: Mapping[int, LaneDraft]) -> set[str]:
    """Find the connectors to cut.

    These are all that leave a timeline with many of them, all of a timeline that flows, and in the
    blocks of such timelines those by which nothing hangs.
    """
    leaving = Counter(connection.source_timeline for connection in connections)
    crowded = {name for name, many in leaving.items() if many > _HANGING}
    crowded = {name for name in crowded if found[name].timeline.consistent}
    flowing = {name for name, draft in found.items() if draft.flows}
    crowded |= flowing
    blocks = {found[name].block for name in crowded}
    cut = set()
    for each in connections:
        home, goal = found[each.source_timeline], found[each.target_timeline]
        pointing = home is not goal and goal.parent is not home
        ends = {each.source_timeline, each.target_timeline}
        if (
            each.source_timeline in crowded
            or ends & flowing
            or (pointing and {home.block, goal.block} & blocks)
        ):
            cut.add(each.link)
    return cut


def _make_lane(draft: LaneDraft) -> Lane:
    timeline = draft.timeline
    return Lane(
        timeline=timeline.id,
        place=timeline.role,
        consistent=timeline.consistent,
        depth=draft.depth,
        parent=draft.parent.timeline.id if draft.parent else None,
        link=draft.by.link if draft.by else None,
        block=draft.block,
        length=timeline.length or 0,
        offset=timeline.offset,
        left=round(draft.x + draft.left, 3),
        stride=draft.stride,
        x=draft.x,
        y=draft.y,
        width=round(draft.width, 3),
        height=draft.height,
        title=draft.title,
        title_row=None if draft.title_row is None else round(draft.y + draft.title_row, 3),
        title_left=round(draft.x + draft.title_left, 3),
        title_width=round(draft.title_width, 3),
        axis=None if draft.axis is None else round(draft.y + draft.axis, 3),
        feet=draft.feet,
        lines=tuple(
            replace(
                line,
                left=round(line.left + draft.x, 3),
                y=round(line.y + draft.y, 3),
                axis=round(line.axis + draft.y, 3),
                title_row=round(line.title_row + draft.y, 3),
            )
            for line in draft.lines
        ),
        every=next(each for each in _EVERY if each * draft.stride >= _NUMBERS),
    )


def _move_bar(bar: Bar, draft: LaneDraft) -> Bar:
    return replace(
        bar,
        row=round(bar.row + draft.y, 3),
        left=round(bar.left + draft.x, 3),
        label_left=round(bar.label_left + draft.x, 3),
        dated=None if bar.dated is None else (round(bar.dated[0] + draft.x, 3), bar.dated[1]),
    )


def _move_chip(chip: Chip, draft: LaneDraft) -> Chip:
    return replace(chip, row=round(chip.row + draft.y, 3), left=round(chip.left + draft.x, 3))


def _connect(
    connection: Connection, found: dict[int, LaneDraft], ends: dict[str, Bar | Chip]
) -> Connector:
    """Draw an SLINK as a line from the bar of its source to the bar of its target."""
    home, goal = found[connection.source_timeline], found[connection.target_timeline]
    source, target = ends[connection.source], ends[connection.target]
    label, row, width = goal.arrivals[connection.link]
    level = goal.y + row + 0.5
    stem = (
        home.x + home.stems[source.interval]
        if source.interval in home.stems
        else source.left + min(HANG, source.width / 2)
    )
    cut = connection.link in goal.cut
    strand = goal.find_strand(connection)
    carrier = goal.by if strand is None else strand.by
    if strand is None:
        left = goal.x + goal.left - APART - width
        path = [(left - _STUB, level)] if cut else list(_leave(source, stem, level, left))
        if path[-1][0] > left + width:  # the line comes from the right and ends at its label
            path.append((left + width + _PAD, level))
    else:
        drop = target.left + min(HANG, target.width / 2)
        left = drop + _PAD
        path = [(drop, level - _STUB)] if cut else list(_leave(source, stem, level, left))
    path += _arrive(target, level)
    return Connector(
        link=connection.link,
        type=connection.type,
        source=connection.source,
        target=connection.target,
        source_timeline=connection.source_timeline,
        target_timeline=connection.target_timeline,
        carries=carrier is not None and carrier.link == connection.link,
        path=tuple((round(x, 3), round(y, 3)) for x, y in path),
        label=label,
        label_row=round(level - 0.5, 3),
        label_left=round(left, 3),
        label_width=round(width, 3),
        cut=(round(stem, 3), round(source.row + 1 - _BAR, 3)) if cut else None,
    )


def _leave(
    source: Bar | Chip, stem: float, level: float, label: float
) -> Iterator[tuple[float, float]]:
    """Give the points of the line from a bar to the level of the connector's label."""
    middle = source.row + 0.5
    beside = abs(level - middle) < 0.5 - _BAR + _NOISE
    if stem < source.left - _NOISE:
        yield source.left, middle
        yield stem, middle
    else:
        yield stem, source.row + (_BAR if level < middle and not beside else 1 - _BAR)
    if beside:  # the label is beside the bar: go below both to the left of the label
        yield stem, source.row + 1
        stem = label - _PAD
        yield stem, source.row + 1
    yield stem, level


def _arrive(target: Bar | Chip, level: float) -> Iterator[tuple[float, float]]:
    middle = target.row + 0.5
    if abs(level - middle) < _BAR:
        yield target.left, middle
        return
    drop = target.left + min(HANG, target.width / 2)
    yield drop, level
    yield drop, target.row + (_BAR if level < middle else 1 - _BAR)
