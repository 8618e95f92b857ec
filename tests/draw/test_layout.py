"""The laws of the layout: what the numbers say is what the result says, and nothing meets."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import brute
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import NOISE, Box, boxes_of, in_row, meetings
from strategies import EVERY, document_of, forests, links_among, named, placed_graphs

import tlex
from tlex.draw.layout import lay_out
from tlex.draw.picture import Picture

ROOT = Path(__file__).parents[2]
STORY = ROOT / "examples" / "story.tml"
WORDS = ("", "x", "said", "mañana", "夜明け前", "שלום עולם", "antidisestablishmentarianism " * 3)


@st.composite
def branchy_results(draw):
    """One timeline that holds together, and branches of branches that hang from it."""
    graph = draw(placed_graphs())
    size = graph.size
    twigs = draw(st.integers(1, 12))
    slinks = [
        (draw(st.integers(0, size + k - 1)), draw(st.sampled_from(brute.SLINKS)), size + k)
        for k in range(twigs)
    ]
    inner = [(size + k, "BEFORE", size + k + 1) for k in range(twigs - 1) if draw(st.booleans())]
    words = {f"e{k}": WORDS[k % len(WORDS)] for k in range(0, size + twigs, 2)}
    return tlex.extract(tlex.from_links(named([*graph.links, *slinks, *inner]), texts=words))


@st.composite
def loose_results(draw):
    """A chain, and intervals that can move along it."""
    size = draw(st.integers(2, 8))
    links = [(k, "BEFORE", k + 1) for k in range(size - 1)]
    for loose in range(size, size + draw(st.integers(1, 12))):
        after = draw(st.integers(0, size - 1))
        links.append((after, "BEFORE", loose))
        if draw(st.booleans()):
            links.append((loose, "BEFORE", draw(st.integers(after, size - 1))))
    return tlex.extract(tlex.from_links(named(links)))


def results():
    return any_results() | branchy_results() | loose_results()


@st.composite
def any_results(draw):
    """Any result: parts that hold together or do not, branches in all directions, any words."""
    size = draw(st.integers(1, 10))
    labels = draw(st.sampled_from([("BEFORE", "INCLUDES", "IBEFORE", "SIMULTANEOUS"), EVERY]))
    links = draw(links_among(size, labels, 10))
    slinks = draw(links_among(size, brute.SLINKS, 6))
    first = draw(st.integers(0, len(WORDS)))
    times = draw(st.frozensets(st.integers(0, size - 1), max_size=3))
    document = tlex.from_links(
        [*named(links), *named(slinks)],
        texts={f"e{k}": WORDS[(first + k * k) % len(WORDS)] for k in range(size)},
        times={f"e{k}": "DATE" if k % 2 else "TIME" for k in sorted(times)},
    )
    known = [node.id for node in document.nodes]
    main = None
    if known and draw(st.booleans()):
        main = [draw(st.sampled_from(known))]
    return tlex.extract(document, times=draw(st.sampled_from(["interval", "point"])), main=main)


def consistent_results():
    return placed_graphs().map(lambda graph: tlex.extract(document_of(graph)))


def lanes_of(picture):
    return {lane.timeline: lane for lane in picture.lanes}


def ends_of(picture):
    """The box of every bar and chip, by the interval's name."""
    things = {bar.interval: bar for bar in picture.bars}
    things |= {chip.interval: chip for chip in picture.chips}
    return things


@settings(max_examples=75)
@given(results())
def test_every_interval_is_drawn_once_as_a_bar_if_it_has_steps_and_else_as_a_chip(result):
    picture = lay_out(result)

    bars = [bar.interval for bar in picture.bars]
    chips = [chip.interval for chip in picture.chips]
    firm = [
        name for timeline in result.timelines if timeline.consistent for name in timeline.intervals
    ]
    assert sorted(bars) == sorted(firm)
    assert sorted(bars + chips) == sorted(node.id for node in result.nodes)
    assert [lane.timeline for lane in sorted(picture.lanes, key=lambda lane: lane.timeline)] == [
        timeline.id for timeline in result.timelines
    ]


@settings(max_examples=75)
@given(results())
def test_the_ends_of_a_bar_are_the_steps_of_its_timeline(result):
    picture = lay_out(result)

    lanes = lanes_of(picture)
    for bar in picture.bars:
        timeline, lane = result.timelines[bar.timeline], lanes[bar.timeline]
        start, end = timeline.points[f"{bar.interval}-"], timeline.points[f"{bar.interval}+"]
        assert ((bar.first, bar.first_latest), (bar.last, bar.last_latest)) == (start, end)
        if not bar.loose:
            for step, shown, latest in (
                (start[0], bar.first_shown, start[1]),
                (end[0], bar.last_shown, end[1]),
            ):
                assert step <= shown <= latest
                assert shown == latest or (shown - step) * lane.stride >= 10
            assert bar.left == pytest.approx(lane.left + (start[0] - 1) * lane.stride)
            assert bar.left + bar.width == pytest.approx(lane.left + (end[0] - 1) * lane.stride)
        assert (bar.kind, bar.factuality) == next(
            (node.kind, node.factuality) for node in result.nodes if node.id == bar.interval
        )


@settings(max_examples=75)
@given(consistent_results())
def test_equal_points_line_up_and_earlier_ones_stand_further_left(result):
    picture = lay_out(result)

    places = {}
    for bar in picture.bars:
        places[f"{bar.interval}-"] = bar.left
        places[f"{bar.interval}+"] = round(bar.left + bar.width, 3)
    loose = {bar.timeline for bar in picture.bars if bar.loose}
    for timeline in result.timelines:
        if timeline.id in loose:
            continue
        for group in timeline.compounds:
            assert len({places[point] for point in group}) == 1
        in_order = sorted(timeline.points, key=lambda point: timeline.points[point][0])
        for one, other in pairwise(in_order):
            earlier = timeline.points[one][0] < timeline.points[other][0]
            assert (places[one] < places[other]) == earlier


@settings(max_examples=75)
@given(results())
def test_no_two_bars_or_labels_meet_and_all_lie_inside_the_picture(result):
    picture = lay_out(result)

    boxes = boxes_of(picture)
    assert meetings(boxes) == []
    for box in boxes:
        assert box.left >= -NOISE - 0.2, box  # half a diamond may stand out
        assert box.right <= picture.width + NOISE + 0.2, box
        assert box.top >= -NOISE, box
        assert box.bottom <= picture.height + NOISE, box


@settings(max_examples=75)
@given(results())
def test_lanes_keep_apart_and_a_branch_hangs_below_what_it_hangs_from(result):
    picture = lay_out(result)

    lanes = lanes_of(picture)
    areas = [
        Box(lane.x, lane.x + lane.width, lane.y, lane.y + lane.height, str(lane.timeline))
        for lane in picture.lanes
    ]
    assert meetings(areas) == []
    for lane in picture.lanes:
        timeline = result.timelines[lane.timeline]
        assert (lane.place == "main", lane.consistent) == (timeline.main, timeline.consistent)
        assert (lane.length, lane.offset) == (timeline.length or 0, timeline.offset)
        if lane.parent is None:
            assert (lane.depth, lane.link) == (0, None)
            continue
        parent = lanes[lane.parent]
        link = next(each for each in result.connections if each.link == lane.link)
        assert (link.source_timeline, link.target_timeline) == (lane.parent, lane.timeline)
        assert lane.depth == parent.depth + 1
        assert lane.y >= parent.y + parent.height
        assert not timeline.main


@settings(max_examples=75)
@given(results())
def test_the_largest_tree_comes_first_the_others_below_and_what_is_alone_at_the_bottom(result):
    picture = lay_out(result)

    joined = {end for each in result.connections for end in (each.source, each.target)}
    roots = [lane for lane in picture.lanes if lane.parent is None]
    assert [lane.block for lane in roots] == list(range(len(roots)))
    sizes = {
        root.block: sum(
            len(result.timelines[lane.timeline].intervals)
            for lane in picture.lanes
            if lane.block == root.block
        )
        for root in roots
    }
    alone = {
        root.block
        for root in roots
        if sizes[root.block] == 1
        and root.consistent
        and result.timelines[root.timeline].intervals[0] not in joined
    }
    first = [root for root in roots if root.block == 0 and 0 not in alone]
    others = [root for root in roots if root.block not in alone and root not in first]
    assert all(sizes[0] >= sizes[other.block] for other in others)
    trays = {tray.kind: tray for tray in picture.trays if tray.timeline is None}
    assert ("others" in trays, "unconnected" in trays) == (bool(others), bool(alone))
    for lane in picture.lanes:
        if lane.block in alone:
            assert within(lane, trays["unconnected"])
        elif lane.block:
            assert within(lane, trays["others"])
            assert first[0].y + first[0].height <= trays["others"].y
    order = {timeline.id: place for place, timeline in enumerate(result.trunk)}
    for group in (others, [root for root in roots if root.block in alone]):
        mains = [order[root.timeline] for root in group if root.timeline in order]
        assert mains == sorted(mains)


def within(lane, tray):
    return (
        tray.y + 1 <= lane.y + NOISE
        and lane.y + lane.height <= tray.y + tray.height + NOISE
        and tray.x <= lane.x
        and lane.x + lane.width <= tray.x + tray.width + NOISE
    )


def test_neighbours_in_a_line_are_separated_by_a_gap():
    links = [(f"a{n}", "BEFORE", f"b{n}") for n in range(4)]

    picture = lay_out(tlex.extract(tlex.from_links(links)))

    lanes = lanes_of(picture)
    assert [(gap.first_timeline, gap.second_timeline) for gap in picture.gaps] == [(1, 2), (2, 3)]
    for gap in picture.gaps:
        one, other = lanes[gap.first_timeline], lanes[gap.second_timeline]
        assert one.x + one.width < gap.x < other.x
        assert gap.label.startswith("no order between these timelines is known; ")


@pytest.mark.parametrize(("many", "trays"), [(5, 0), (6, 1), (40, 1)])
def test_events_that_can_be_almost_anywhere_stand_in_a_tray_in_the_order_of_their_steps(
    many, trays
):
    links = [(f"c{k}", "BEFORE", f"c{k + 1}") for k in range(9)]
    links += [("c0", "BEFORE", f"x{k}") for k in range(many)]
    links += [("x3", "BEFORE", "x0")]

    picture = lay_out(tlex.extract(tlex.from_links(links)))

    loose = [bar for bar in picture.bars if bar.loose]
    found = [tray for tray in picture.trays if tray.kind == "loose"]
    assert (len(loose), len(found)) == (many * trays, trays)
    places = {bar.interval: (bar.row, bar.left) for bar in loose}
    assert not loose or places["x3"] < places["x0"]
    for bar, tray in zip(loose, found * many, strict=False):
        assert tray.x <= bar.left
        assert bar.left + bar.width <= tray.x + tray.width
        assert tray.y + 1 <= bar.row < tray.y + tray.height
        assert (bar.first_shown, bar.last_shown) == (bar.first, bar.last)
    assert picture.height < 20


@settings(max_examples=75)
@given(results())
def test_connectors_start_and_end_on_their_bars(result):
    picture = lay_out(result)

    things = ends_of(picture)
    assert [(each.link, each.type, each.source, each.target) for each in picture.connectors] == [
        (each.link, each.type, each.source, each.target) for each in result.connections
    ]
    for connector in picture.connectors:
        words = (connector.type or "SLINK").lower().replace("_", " ")
        if connector.cut:
            x, y = connector.cut
            assert on_edge((x, y), (x, y + 1), things[connector.source])
            assert connector.label.endswith(f": {words}")
        else:
            assert on_edge(*connector.path[:2], things[connector.source])
            assert connector.label == words
        assert on_edge(*connector.path[:-3:-1], things[connector.target])
        for (x, y), (x2, y2) in pairwise(connector.path):
            assert x == x2 or y == y2
        label = connector.label_left, connector.label_left + connector.label_width
        assert any(
            abs(line.top - connector.label_row - 0.5) < NOISE
            and line.top == line.bottom
            and line.left < label[1] + 0.2
            and line.right > label[0] - 0.2
            for line in segments(connector)
        )
    carrying = {lane.link for lane in picture.lanes if lane.link is not None}
    assert {each.link for each in picture.connectors if each.carries} == carrying


def test_a_connector_whose_label_is_almost_as_high_as_its_bar_leaves_the_bar():
    links = [("a0", "MODAL", "a1"), *((f"b{k}", "MODAL", f"b{k + 1}") for k in range(3))]
    links += [("b3", "MODAL", "a1")] * 3
    links += [(f"c{k}", "BEFORE", f"c{k + 1}") for k in range(6)]  # so that a and b are neighbours

    picture = lay_out(tlex.extract(tlex.from_links(links)))

    bar = ends_of(picture)["b3"]
    leaving = [each for each in picture.connectors if each.source == "b3"]
    assert any(0.17 < abs(each.label_row - bar.row) < 0.33 for each in leaving)
    assert all(on_edge(*each.path[:2], bar) for each in leaving)


def on_edge(place, following, thing):
    """Whether a line starts at the edge of a bar and goes away from it."""
    (x, y), (x2, y2) = place, following
    if abs(y - thing.row - 0.5) < NOISE:
        return abs(x - thing.left) < NOISE and x2 < x
    inside = thing.left - NOISE <= x <= thing.left + thing.width + NOISE
    upper, lower = abs(y - thing.row - 0.17) < NOISE, abs(y - thing.row - 0.83) < NOISE
    return inside and x == x2 and ((upper and y2 < y) or (lower and y2 > y))


@settings(max_examples=75)
@given(branchy_results() | forests().map(lambda forest: tlex.extract(document_of(*forest))))
def test_what_carries_a_branch_meets_nothing_on_its_way_to_the_lane_of_the_branch(result):
    picture = lay_out(result)

    lanes = lanes_of(picture)
    for connector in picture.connectors:
        if not connector.carries:
            continue
        own = {connector.source_timeline, connector.target_timeline}
        others = [
            Box(lane.left, lane.x + lane.width, lane.y, lane.y + lane.height, str(lane.timeline))
            for lane in lanes.values()
            if lane.timeline not in own
        ]
        beside = [
            in_row(bar.left, bar.width, bar.row, bar.interval)
            for bar in picture.bars
            if bar.timeline == connector.source_timeline
        ]
        for line in segments(connector):
            assert not [other.what for other in others + beside if line.meets(other)]


@settings(max_examples=75)
@given(results())
def test_sections_of_unknown_order_are_bands_over_their_steps(result):
    picture = lay_out(result)

    lanes = lanes_of(picture)
    found = [(band.timeline, band.first, band.last, band.points) for band in picture.bands]
    assert sorted(found) == [
        (timeline.id, section.first, section.last, len(section.points))
        for timeline in result.timelines
        for section in timeline.sections
    ]
    for band in picture.bands:
        lane = lanes[band.timeline]
        first, last = (lane.left + (k - 1) * lane.stride for k in (band.first, band.last))
        assert first - 0.5 < band.x < first
        assert last < band.x + band.width < last + 0.5
        rows = [bar.row for bar in picture.bars if bar.timeline == band.timeline]
        assert band.y <= min(rows)
        assert max(rows) + 1 <= band.y + band.height + NOISE


def test_a_band_says_how_many_points_and_orders_are_open():
    links = [("a", "BEFORE", "b"), ("a", "BEFORE", "c"), ("b", "BEFORE", "d"), ("c", "BEFORE", "d")]
    many = [
        link for n in range(60) for link in (("a", "BEFORE", f"x{n}"), (f"x{n}", "BEFORE", "z"))
    ]

    small, large = (lay_out(tlex.extract(tlex.from_links(each))) for each in (links, many))

    assert [band.label for band in small.bands] == ["4 points, 13 orders"]
    assert large.bands[0].label.startswith("120 points, ")
    assert " x 10^" in large.bands[0].label


@settings(max_examples=75)
@given(results())
def test_every_contradictory_part_has_its_rings_in_the_order_of_the_walk(result):
    picture = lay_out(result)

    links = {link.id: link for link in result.document.links}
    broken = {timeline.id for timeline in result.timelines if not timeline.consistent}
    assert {ring.timeline for ring in picture.rings} == broken
    walks = [(c.timeline, [step for step in c.walk if step.link]) for c in result.conflicts]
    walks.sort(key=lambda walk: walk[0])
    drawn = sorted(picture.rings, key=lambda ring: ring.timeline)
    assert len(drawn) == len(walks)
    for ring, (timeline, walk) in zip(drawn, walks, strict=True):
        assert ring.timeline == timeline
        assert [link.link for link in ring.links] == [step.link for step in walk]
        assert [node.interval for node in ring.nodes] == [step.left[:-1] for step in walk]
        for number, link in enumerate(ring.links):
            ends = ring.nodes[link.source].interval, ring.nodes[link.target].interval
            real = links[link.link].source, links[link.link].target
            assert (link.source, link.target) == (number, (number + 1) % len(walk))
            assert ends == (real if link.forward else real[::-1])
            assert link.type == links[link.link].type
            assert link.label.startswith(link.link)
        needed = {link.link for link in ring.links if link.needed}
        assert needed in [set(c.minimal) for c in result.conflicts]


@settings(max_examples=75)
@given(results())
def test_a_picture_is_plain_numbers_strings_and_lists(result):
    picture = lay_out(result)

    assert msgspec.json.decode(msgspec.json.encode(picture), type=Picture) == picture


def test_times_stand_above_the_axis_and_events_below_it():
    picture = lay_out(tlex.extract(tlex.read(STORY)))

    lane = picture.lanes[0]
    own = [bar for bar in picture.bars if bar.timeline == lane.timeline]
    assert {bar.row < lane.axis for bar in own if bar.kind == "time"} == {True}
    assert {bar.row > lane.axis for bar in own if bar.kind == "event"} == {True}
    assert [(mark.interval, mark.label) for mark in picture.landmarks] == [
        ("t3", "P90Y"),
        ("t1", "2019-12-31TAF"),
        ("t2", "2019-12-31T23:00"),
        ("t0", "2020-01-01"),
        ("t4", "2020-01-01T00:00"),
    ]


def test_in_the_story_no_connector_meets_a_bar_a_label_or_another_connector():
    picture = lay_out(tlex.extract(tlex.read(STORY)))

    lines = {each.link: list(segments(each)) for each in picture.connectors}
    assert len(lines) > 3
    for link, own in lines.items():
        others = [box for box in boxes_of(picture) if box.what != f"SLINK {link}"]
        ends = [line for other, found in lines.items() if other != link for line in found]
        for line in own:
            assert [box.what for box in others if line.meets(box)] == []
            assert not [other for other in ends if cross(line, other)]


@pytest.mark.parametrize("depth", range(1, 7))
def test_a_branch_of_an_instant_hangs_below_it_however_deep_it_stands(depth):
    links = [(f"a{k}", "CONDITIONAL", f"a{k + 1}") for k in range(depth)]
    links += [(f"a{depth}", "BEFORE", "t1"), ("t1", "MODAL", "c")]
    document = tlex.from_links(links, times={"t1": "TIME"})

    picture = lay_out(tlex.extract(document, times="point"))

    start, following, *_ = picture.connectors[-1].path
    assert start[0] == following[0]
    assert start[1] < following[1]


@pytest.mark.parametrize("order", ["cd", "dc"])
def test_connectors_that_arrive_at_one_lane_do_not_cross(order):
    links = [("c", "BEFORE", "d"), *(("a", "MODAL", each) for each in order)]

    picture = lay_out(tlex.extract(tlex.from_links(links)))

    one, other = (list(segments(each)) for each in picture.connectors)
    assert not [(line, met) for line in one for met in other if cross(line, met)]


def segments(connector):
    for (x, y), (x2, y2) in pairwise(connector.path):
        yield Box(min(x, x2), max(x, x2), min(y, y2), max(y, y2), connector.link)


def cross(one, other):
    """Whether an upright line and a level one go through each other."""
    for upright, level in ((one, other), (other, one)):
        if upright.left == upright.right and level.top == level.bottom:
            return (
                level.left < upright.left < level.right and upright.top < level.top < upright.bottom
            )
    return False


def test_many_intervals_on_few_steps_get_wider_steps_and_fewer_rows():
    links = [("a", "BEFORE", f"word{n}") for n in range(6)]
    links += [(f"word{n}", "BEFORE", f"other{n}") for n in range(6)]

    picture = lay_out(tlex.extract(tlex.from_links(links)))

    lane = picture.lanes[0]
    assert lane.stride > 1
    assert len({bar.row for bar in picture.bars}) <= 7


def test_a_whisker_that_would_reach_very_far_leaves_its_row_to_others():
    links = [(f"e{n}", "BEFORE", f"e{n + 1}") for n in range(25)]
    links += [(f"e{n}", "BEFORE", f"x{n}") for n in range(0, 25, 3)]

    picture = lay_out(tlex.extract(tlex.from_links(links)))

    bars = {bar.interval: bar for bar in picture.bars}
    assert len({bar.row for bar in picture.bars}) <= 9
    assert (bars["x0"].first, bars["x0"].first_latest) == (3, 51)
    assert 3 < bars["x0"].first_shown < 40
    assert (bars["x24"].first_shown, bars["x24"].last_shown) == (51, 52)
    assert (bars["x24"].first_latest, bars["x24"].last_latest) == (51, 52)


def test_where_there_are_many_rows_those_between_the_same_steps_stand_together():
    links = [("a", "BEFORE", f"b{n}") for n in range(20)] + [("a", "BEFORE", "c")]
    links += [("c", "BEFORE", f"d{n}") for n in range(7)]

    picture = lay_out(tlex.extract(tlex.from_links(links)))

    labels = [tray.label for tray in picture.trays]
    assert labels == [
        "20 events at no certain place on this timeline",
        "7 events at steps 5 to 6",
    ]
    assert {bar.interval for bar in picture.bars if not bar.loose} == {"a", "c"}


def test_where_many_branches_hang_from_a_timeline_each_names_its_source_instead():
    links = [(f"e{n}", "BEFORE", f"e{n + 1}") for n in range(40)]
    links += [(f"e{n}", "MODAL", f"x{n}") for n in range(40)]

    picture = lay_out(tlex.extract(tlex.from_links(links)))

    assert [each.label for each in picture.connectors] == [f"e{n}: modal" for n in range(40)]
    assert all(each.cut for each in picture.connectors)
    (tray,) = picture.trays
    assert tray.label == "40 branches, each named by the event that introduces it"
    trunk, *branches = picture.lanes
    assert all(trunk.y + trunk.height < lane.y for lane in branches)
    order = sorted(branches, key=lambda lane: (lane.y, lane.x))
    assert [lane.link for lane in order] == [each.link for each in picture.connectors]
    assert picture.height < 20


def test_a_timeline_of_up_to_twice_the_page_is_drawn_closer():
    links = [(f"e{n}", "BEFORE", f"e{n + 1}") for n in range(25)]

    picture = lay_out(tlex.extract(tlex.from_links(links)))

    (lane,) = picture.lanes
    assert (lane.length, lane.lines) == (52, ())
    assert 26 < picture.width < 28
    assert lane.every * lane.stride >= 0.8  # numbers on the axis do not meet


def test_many_branches_stand_beside_each_other_below_their_bar():
    links = [("said", "BEFORE", "left"), *(("said", "EVIDENTIAL", f"e{n}") for n in range(12))]
    links += [(f"e{n}", "BEFORE", f"f{n}") for n in range(12)]

    picture = lay_out(tlex.extract(tlex.from_links(links)))

    branches = [lane for lane in picture.lanes if lane.parent is not None]
    stacked = sum(lane.height for lane in branches)
    assert len(branches) == 12
    assert picture.height < 0.7 * stacked
    assert not meetings(boxes_of(picture))


def test_branches_below_a_branch_have_the_width_of_the_page():
    links = [("a", "EVIDENTIAL", "b"), *(("b", "MODAL", f"e{n}") for n in range(40))]

    picture = lay_out(tlex.extract(tlex.from_links(links)))

    assert 20 < picture.width < 30
    assert picture.height < 20


def test_main_timelines_go_on_in_a_new_line_where_the_page_ends():
    links = [(f"a{n}", "BEFORE", f"b{n}") for n in range(20)]

    picture = lay_out(tlex.extract(tlex.from_links(links)))

    assert picture.width < 30
    assert len({lane.y for lane in picture.lanes}) > 3


def test_a_document_without_events_has_an_empty_picture():
    picture = lay_out(tlex.extract(tlex.from_links([])))

    assert (picture.width, picture.height, picture.lanes) == (0, 0, ())


@pytest.mark.parametrize("shape", ["chain", "beside", "deep", "round"])
def test_long_documents_are_laid_out_without_recursion(shape):
    size = 3_000
    links = {
        "chain": [(f"e{n}", "BEFORE", f"e{n + 1}") for n in range(size)],
        "beside": [("a", "BEFORE", f"e{n}") for n in range(size)],
        "deep": [(f"e{n}", "MODAL", f"e{n + 1}") for n in range(size)],
        "round": [(f"e{n}", "BEFORE", f"e{(n + 1) % size}") for n in range(size)],
    }[shape]

    picture = lay_out(tlex.extract(tlex.from_links(links)))

    assert len(picture.bars) + len(picture.chips) >= size
    assert meetings(boxes_of(picture)) == []


def test_the_same_document_gives_the_same_bytes_whatever_the_hash_seed():
    code = (
        "import sys, tlex\n"
        "for path in sys.argv[1:]:\n"
        "    sys.stdout.write(tlex.draw.svg(tlex.extract(tlex.read(path))))\n"
    )
    files = [str(STORY), str(ROOT / "examples" / "contradiction.tml")]

    drawn = {
        subprocess.run(  # noqa: S603
            [sys.executable, "-c", code, *files],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
        ).stdout
        for seed in ("0", "1", "2")
    }

    assert len(drawn) == 1


@pytest.mark.corpus
def test_nothing_meets_in_any_picture_of_timebank(timebank):
    for name, document in timebank.items():
        result = tlex.extract(document)

        picture = lay_out(result)

        assert len(picture.bars) + len(picture.chips) == len(result.nodes), name
        assert meetings(boxes_of(picture)) == [], name
