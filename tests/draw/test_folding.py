"""Timelines that are wider than the page go on in lines below, as text does."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from calendar_documents import write
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import NOISE, boxes_of, meetings
from lxml import etree

import tlex
from tlex.draw import layout
from tlex.draw.bars import FLOWING
from tlex.draw.layout import lay_out
from tlex.draw.shapes import PAD
from tlex.draw.svg_painter import paint

SPANS = ("INCLUDES", "BEGINS", "ENDED_BY", "OVERLAPS")
PAGES = st.sampled_from([11, 14, 19.5])


@st.composite
def wide_results(draw):
    """A chain, and what stands along, over and below it: long events, loose ones, branches."""
    size = draw(st.integers(30, 70))
    place = st.integers(0, size - 2)
    links = [(f"e{k}", "BEFORE", f"e{k + 1}") for k in range(size - 1)]
    for number in range(draw(st.integers(0, 8))):
        first, last = sorted((draw(place), draw(place)))
        links += [
            (f"e{first}", "BEFORE", f"long{number}"),
            (f"long{number}", "INCLUDES", f"e{last + 1}"),
        ]
        if draw(st.booleans()):
            links.append((f"long{number}", "BEFORE", f"e{size - 1}"))
    for number in range(draw(st.integers(0, 9))):
        links.append((f"e{draw(place)}", "BEFORE", f"free{number}"))
    for number in range(draw(st.integers(0, 13))):
        links.append(
            (f"e{draw(place)}", draw(st.sampled_from(["MODAL", "EVIDENTIAL"])), f"said{number}")
        )
        links.append((f"said{number}", "BEFORE", f"then{number}"))
        if draw(st.booleans()):
            links.append((f"then{number}", "FACTIVE", f"e{draw(place)}"))
    if draw(st.booleans()):  # a branch that is wider than the page as well
        links.append((f"e{draw(place)}", "MODAL", "plan0"))
        links += [(f"plan{k}", "BEFORE", f"plan{k + 1}") for k in range(draw(st.integers(20, 40)))]
        links.append(("plan3", "EVIDENTIAL", "doubt"))
    texts = {f"e{k}": "word " * draw(st.integers(0, 9)) for k in range(0, size, 5)}
    times = {f"e{k}": "DATE" for k in range(0, size, draw(st.integers(2, 9)))}
    return tlex.extract(tlex.from_links(links, texts=texts, times=times))


@st.composite
def wide_calendars(draw):
    """A chain of days and events with a calendar, and branches on the same axis."""
    days = draw(st.integers(12, 25))
    times = [(f"1998-{1 + k // 9:02}-{1 + 3 * (k % 9):02}", {}) for k in range(days)]
    times.append((draw(st.sampled_from(["1998", "1998-01", "1998-Q1", "199"])), {}))
    events = draw(st.integers(4, 16))
    links = []
    for number in range(1, events + 1):
        time = f"t{draw(st.integers(1, days + 1))}"
        links.append(
            (f"ei{number}", draw(st.sampled_from(["IS_INCLUDED", "BEFORE", "AFTER"])), time)
        )
    for number in range(2, events + 1):
        if draw(st.booleans()):
            other = draw(st.integers(1, number - 1))
            links.append((f"ei{other}", "MODAL", f"ei{number}", "SLINK"))
    return tlex.extract(write(times, links, events), calendar=True, mend=True)


def results():
    return wide_results() | wide_calendars()


def pieces_of(picture):
    pieces = {}
    for bar in picture.bars:
        pieces.setdefault(bar.interval, []).append(bar)
    return pieces


@settings(max_examples=60)
@given(results(), PAGES)
def test_every_interval_is_drawn_and_its_pieces_give_its_whole_length(result, page):
    picture = lay_out(result, page=page)

    pieces = pieces_of(picture)
    firm = {name for each in result.timelines if each.consistent for name in each.intervals}
    assert set(pieces) == firm
    lanes = {lane.timeline: lane for lane in picture.lanes}
    for name, bars in pieces.items():
        bar, lane = bars[0], lanes[bars[0].timeline]
        assert [one.line for one in bars] == list(range(bar.line, bar.line + len(bars)))
        assert [one.torn for one in bars] == [
            (number > 0, number < len(bars) - 1) for number in range(len(bars))
        ]
        steps = result.timelines[bar.timeline].points
        assert {(one.first, one.last) for one in bars} == {
            (steps[f"{name}-"][0], steps[f"{name}+"][0])
        }
        if not bar.loose:
            whole = (bar.last - bar.first) * lane.stride
            assert sum(one.width for one in bars) == pytest.approx(whole, abs=0.01)
        labelled = [one for one in bars if one.label]
        words = [one.label for one in labelled]
        assert words, name
        if any(one.width >= labelled[0].label_width + 2 * PAD + NOISE for one in bars):
            assert labelled[0].inside or bar.loose
        assert all(word == f"\u2026 {words[0]}" for word in words[1:])


@settings(max_examples=60)
@given(results(), PAGES)
def test_what_is_earlier_stands_further_left_or_in_a_line_above(result, page):
    picture = lay_out(result, page=page)

    lanes = {lane.timeline: lane for lane in picture.lanes}
    starts = {}
    for name, bars in pieces_of(picture).items():
        bar, lane = bars[0], lanes[bars[0].timeline]
        if bar.loose:
            continue
        assert bar.left == pytest.approx(lane.find_place(bar.first, bar.line), abs=NOISE)
        end = bars[-1]
        assert end.left + end.width == pytest.approx(
            lane.find_place(bar.last, end.line), abs=2 * NOISE
        )
        starts.setdefault(bar.timeline, []).append((bar.first, bar.line, bar.left, name))
    for found in starts.values():
        for one, other in pairwise(sorted(found)):
            assert (one[0] < other[0]) == (one[1:3] < other[1:3]), (one, other)


@settings(max_examples=60)
@given(results(), PAGES)
def test_no_line_is_wider_than_the_page_and_nothing_in_it_meets(result, page):
    picture = lay_out(result, page=page)

    boxes = boxes_of(picture)
    assert meetings(boxes) == []
    for box in boxes:
        assert box.left >= -NOISE - 0.2, box
        assert box.right <= picture.width + NOISE + 0.2, box
        assert box.top >= -NOISE, box
        assert box.bottom <= picture.height + NOISE, box
    flowing = [lane for lane in picture.lanes if lane.lines]
    for lane in flowing:
        assert lane.width <= page + NOISE
        assert lane.y + lane.height == pytest.approx(lane.lines[-1].y + lane.lines[-1].height)
        for one, other in pairwise(lane.lines):
            assert one.y + one.height < other.y
            assert one.last + 1 == other.first
            assert other.title == f"timeline {lane.timeline}, continued"
        assert (lane.lines[0].first, lane.lines[-1].last) == (1, lane.length)
        for bar in picture.bars:
            if bar.timeline == lane.timeline:
                line = lane.lines[bar.line]
                assert line.y <= bar.row <= line.y + line.height - 1 + NOISE
                assert bar.left + bar.width <= lane.x + page
        for things in (picture.bands, picture.strands, picture.trays):
            for box in things:
                if box.timeline == lane.timeline and getattr(box, "kind", "loose") == "loose":
                    assert any(
                        line.y <= box.y and box.y + box.height <= line.y + line.height + NOISE
                        for line in lane.lines
                    )
                    assert box.x + box.width <= lane.x + page + NOISE
    if flowing and len(picture.lanes) == 1:
        assert picture.width <= page + NOISE


@settings(max_examples=40)
@given(wide_calendars(), PAGES)
def test_each_line_has_its_part_of_the_calendar_and_of_the_sections(result, page):
    picture = lay_out(result, page=page)

    for lane in picture.lanes:
        for line in lane.lines:
            left, right = (line.left + (step - 1) * lane.stride for step in (line.first, line.last))
            for things in (picture.date_bands, picture.bands):
                mine = [each for each in things if each.timeline == lane.timeline]
                steps = {step for each in mine for step in range(each.first, each.last + 1)}
                here = [
                    (each.x, each.x + each.width)
                    for each in mine
                    if line.y <= getattr(each, "row", getattr(each, "y", 0)) < line.y + line.height
                ]
                wanted = steps & set(range(line.first, line.last + 1))
                for step in wanted:
                    x = line.left + (step - 1) * lane.stride
                    assert any(start - NOISE <= x <= end + NOISE for start, end in here)
            marks = [
                mark
                for mark in picture.date_marks
                if mark.timeline == lane.timeline and lane.lines[mark.line] is line
            ]
            assert all(left - NOISE <= mark.x <= right + NOISE for mark in marks)
            assert all(line.first <= mark.step <= line.last for mark in marks)


@settings(max_examples=40)
@given(results())
def test_a_picture_that_fits_the_page_has_no_lines_and_is_as_if_there_were_none(result):
    page = max((each.length or 0) for each in result.timelines) * FLOWING
    picture = lay_out(result, page=page)
    may_flow = layout.may_flow
    try:
        layout.may_flow = lambda *_: False
        assert lay_out(result, page=page) == picture
    finally:
        layout.may_flow = may_flow

    assert not any(lane.lines for lane in picture.lanes)
    assert "torn" not in paint(picture)
    assert "goes-on" not in paint(picture)


def chain(size):
    return tlex.extract(
        tlex.from_links([(f"e{k}", "BEFORE", f"e{k + 1}") for k in range(size - 1)])
    )


def test_the_lines_of_a_chain_are_cut_where_no_bar_is_and_fit_a_window_of_1440_pixels():
    picture = lay_out(chain(501))

    assert len(picture.bars) == 501
    assert picture.width * picture.step < 950
    assert len(picture.lanes[0].lines) > 20


def test_a_cut_is_earlier_where_fewer_bars_cross_it():
    torn = []
    for first in range(6, 18):
        links = [(f"e{k}", "BEFORE", f"e{k + 1}") for k in range(39)]
        links += [(f"e{first}", "BEFORE", f"long{k}") for k in range(4)]
        links += [(f"long{k}", "INCLUDES", f"e{first + n}") for k in range(4) for n in (1, 2)]
        links += [(f"long{k}", "BEFORE", f"e{first + 3}") for k in range(4)]
        picture = lay_out(tlex.extract(tlex.from_links(links)), page=14)
        assert len(picture.lanes[0].lines) > 1
        torn.append(sum(bar.torn[1] for bar in picture.bars))

    assert torn == [0] * 12


def test_the_words_of_a_bar_stand_in_its_first_piece_that_has_room_for_them():
    links = [(f"e{k}", "BEFORE", f"e{k + 1}") for k in range(50)]
    for k in range(1, 38):
        links += [(f"e{k - 1}", "BEFORE", f"x{k}"), (f"x{k}", "INCLUDES", f"e{k}")]
        links += [(f"x{k}", "INCLUDES", f"e{k + 10}"), (f"x{k}", "BEFORE", f"e{k + 11}")]
    texts = {f"x{k}": "many words" for k in range(1, 38)}

    pieces = pieces_of(lay_out(tlex.extract(tlex.from_links(links, texts=texts)), page=14))

    labels = [[one.label for one in pieces[f"x{k}"]] for k in range(1, 38)]
    assert ["many words", "\u2026 many words"] in labels
    assert ["", "many words", "\u2026 many words"] in labels


def test_loose_events_of_a_branch_on_the_axis_stand_in_its_last_line():
    days = [(f"1998-01-{1 + k:02}", {}) for k in range(28)]
    links = [("ei1", "IS_INCLUDED", "t1"), ("ei1", "MODAL", "ei2", "SLINK")]
    links += [("ei2", "IS_INCLUDED", "t2"), ("ei2", "BEFORE", "ei3"), ("ei3", "IS_INCLUDED", "t25")]
    links += [("ei1", "MODAL", "ei3", "SLINK")]
    links += [("ei2", "BEFORE", f"ei{k}") for k in range(4, 12)]

    picture = lay_out(tlex.extract(write(days, links, 11), calendar=True), page=14)

    (tray,) = picture.trays
    pieces = picture.strands
    assert len(pieces) >= 3
    assert pieces[0].torn == (False, True)
    assert [piece.label for piece in pieces[:-1]] == ["", *["\u2026 branch"] * (len(pieces) - 2)]
    assert pieces[-1].label == ""  # here the label of an SLINK stands
    assert pieces[-1].y <= tray.y
    assert tray.y + tray.height <= pieces[-1].y + pieces[-1].height
    assert tray.x + tray.width <= pieces[-1].x + pieces[-1].width
    lines = {bar.line for bar in picture.bars if bar.loose}
    assert lines == {
        len(pieces) - 1 + min(bar.line for bar in picture.bars if bar.interval == "ei2")
    }
    assert meetings(boxes_of(picture)) == []


def test_branches_of_a_timeline_that_flows_stand_below_it_and_name_their_events():
    links = [(f"e{k}", "BEFORE", f"e{k + 1}") for k in range(60)]
    links += [("e2", "MODAL", "f"), ("e50", "MODAL", "g"), ("g", "BEFORE", "h")]

    picture = lay_out(tlex.extract(tlex.from_links(links)))

    trunk, *branches = picture.lanes
    assert len(trunk.lines) > 1
    assert all(lane.y > trunk.y + trunk.height for lane in branches)
    assert [each.label for each in picture.connectors] == ["e2: modal", "e50: modal"]
    assert all(each.cut for each in picture.connectors)
    assert [tray.kind for tray in picture.trays] == ["branches"]


def test_a_timeline_that_would_fall_into_very_many_pieces_stays_as_it_is():
    nested = [(f"e{k}", "INCLUDES", f"e{k + 1}") for k in range(1_000)]

    picture = lay_out(tlex.extract(tlex.from_links(nested)))

    assert len(picture.bars) == 1_001
    assert not picture.lanes[0].lines


def test_torn_pieces_have_points_and_lines_have_arrows_in_every_theme():
    links = [(f"e{k}", "BEFORE", f"e{k + 1}") for k in range(60)]
    links += [("e3", "BEFORE", "long"), ("long", "INCLUDES", "e50"), ("long", "BEFORE", "e58")]
    result = tlex.extract(tlex.from_links(links))
    picture = lay_out(result)

    for theme in ("auto", "light", "dark"):
        drawn = tlex.draw.svg(result, theme=theme)
        root = etree.fromstring(drawn.encode())
        bars = root.findall(".//{*}g[@class='bars']//{*}path[@class='torn']")
        assert len(bars) == sum(any(bar.torn) for bar in picture.bars) > 1
        arrows = root.findall(".//{*}path[@class='axis goes-on']")
        assert len(arrows) == 2 * (len(picture.lanes[0].lines) - 1)
        assert drawn.count("timeline 0, continued") == len(picture.lanes[0].lines) - 1
        numbers = [int(each.text) for each in root.findall(".//{*}text[@class='step']")]
        assert numbers == sorted(set(numbers))
        assert set(re.findall(r"\.event\.solid \.torn", drawn))
