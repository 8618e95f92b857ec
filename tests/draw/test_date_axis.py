"""The calendar of a picture: bands and landmarks stand where a calendar of the tests' own says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from calendar_documents import EXACT, MOMENT, lists_of_times, write
from calendar_judge import span_of
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import NOISE, boxes_of, in_row, meetings

import tlex
from tlex.draw.date_axis import find_date_axes
from tlex.draw.layout import lay_out

ROOT = Path(__file__).parents[2]
STORY = ROOT / "examples" / "story.tml"
FORMATS = {"year": "%Y", "month": "%b %Y", "day": "%d %b %Y"}
VALUES = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d"}
TICK = timedelta(microseconds=1)
LABELS = ("BEFORE", "AFTER", "IS_INCLUDED", "INCLUDES", "SIMULTANEOUS", "BEGUN_BY", "ENDED_BY")


@st.composite
def dated_documents(draw, times=None):
    """Times with values, and events that links relate to them and to each other."""
    times = draw(lists_of_times() if times is None else times)
    events = draw(st.integers(0, 6))
    names = [f"t{k + 1}" for k in range(len(times))] + [f"ei{k + 1}" for k in range(events)]
    links = []
    for number in range(1, events + 1):
        for _ in range(draw(st.integers(0, 2))):
            ends = f"ei{number}", draw(st.sampled_from(names))
            if ends[0] != ends[1]:
                links.append((ends[0], draw(st.sampled_from(LABELS)), ends[1]))
    if events > 1:
        for _ in range(draw(st.integers(0, 3))):
            one, other = (draw(st.integers(1, events)) for _ in range(2))
            if one != other:
                links.append((f"ei{one}", "MODAL", f"ei{other}", "SLINK"))
    return write(times, links, events)


def extract(document, **options):
    return tlex.extract(document, calendar=True, mend=True, **options)


def start_of(words: str, unit: str) -> datetime:
    """When a unit begins, by the standard library."""
    return datetime.strptime(words, FORMATS[unit])  # noqa: DTZ007 -- dates have no zones


@settings(max_examples=60)
@given(dated_documents())
def test_the_ends_of_an_exact_time_are_on_steps_of_their_own_dates(document):
    result = extract(document)
    picture = lay_out(result)

    bands = {}
    for band in picture.date_bands:
        bands.setdefault(band.timeline, []).append(band)
    for timex in document.timexes:
        span = span_of(timex.value or "")
        if span is None or timex.attributes or timex.type != "DATE":
            continue
        timeline = result.timeline_of(timex.id)
        for band in bands.get(timeline.id, ()):
            for end, instant in (("-", span[0]), ("+", span[1] - TICK)):
                inside = band.first <= timeline.step(timex.id + end) <= band.last
                same = band.unit and start_of(band.date, band.unit).strftime(
                    VALUES[band.unit]
                ) == instant.strftime(VALUES[band.unit])
                assert inside == bool(same), (timex.value, end, band)


EXACT_TIMES = st.lists(st.tuples(st.sampled_from(EXACT), st.just({})), min_size=1, max_size=6)


@settings(max_examples=40)
@given(dated_documents(EXACT_TIMES))
def test_an_interval_is_dated_if_and_only_if_its_ends_are_known_to_be_in_a_unit(document):
    result = extract(document)

    for number, axis in find_date_axes(result).items():
        timeline = result.timelines[number]
        starts = [start_of(unit.words, axis.unit) for unit in axis.units]
        values = [
            [moved.strftime(VALUES[axis.unit]) for moved in neighbours(start, axis.unit)]
            for start in starts
        ]
        judge = tlex.extract(add_times(document, values, result.mended), calendar=True)
        for name in timeline.intervals:
            found = [
                next((k for k in range(len(values)) if is_in(judge, name + end, k)), None)
                for end in "-+"
            ]
            if name in axis.dated or None in found:
                assert axis.dated.get(name) == (None if None in found else tuple(found)), name
            else:  # at the border of two units, where points of both are not ordered
                steps = [timeline.step(name + end) for end in "-+"]
                units = [axis.units[k] for k in found]
                assert any(step < unit.first for step, unit in zip(steps, units, strict=True)), name


def neighbours(start: datetime, unit: str) -> list[datetime]:
    """The starts of the unit before, of a unit itself, and of the unit after."""
    middle = {"year": 183, "month": 15, "day": 0}[unit]
    length = {"year": 365, "month": 30, "day": 1}[unit]
    return [start + timedelta(middle + k * length) for k in (-1, 0, 1)]


def add_times(document, values, mended):
    """The document with times u0.0, u0.1, u0.2, u1.0 … and without the links left out."""
    flat = [
        (f"u{k}.{place}", value) for k, own in enumerate(values) for place, value in enumerate(own)
    ]
    more = write([(value, {}) for _, value in flat]).timexes
    added = [
        tlex.Timex(**{**fields(timex), "id": name})
        for timex, (name, _) in zip(more, flat, strict=True)
    ]
    first = len(document.nodes)
    return document.replace(
        nodes=(*document.nodes, *added),
        index={**document.index, **{timex.id: first + k for k, timex in enumerate(added)}},
        timexes=(*document.timexes, *added),
        links=tuple(link for link in document.links if link.id not in mended),
    )


def fields(timex) -> dict[str, object]:
    return {name: getattr(timex, name) for name in timex.__struct_fields__}


def is_in(result, point: str, unit: int) -> bool:
    """Whether a point is known to be in a unit: by its ends, or by those of its neighbours."""

    def is_known(end: str, signs: set[str]) -> bool:
        orders = result.relation(point[:-1], end[:-1]).orders
        known = {(order.left, order.right): set(order.orders) for order in orders}
        return bool(known.get((point, end))) and known[point, end] <= signs

    after = is_known(f"u{unit}.1-", {">", "="}) or is_known(f"u{unit}.0+", {">"})
    return after and (is_known(f"u{unit}.1+", {"<", "="}) or is_known(f"u{unit}.2-", {"<"}))


@settings(max_examples=60)
@given(dated_documents())
def test_a_landmark_stands_at_the_start_of_a_time_with_its_date(document):
    result = extract(document)

    picture = lay_out(result)

    for mark in picture.date_marks:
        timeline = result.timelines[mark.timeline]
        lane = next(lane for lane in picture.lanes if lane.timeline == mark.timeline)
        value = next(timex.value for timex in document.timexes if timex.id == mark.interval)
        assert mark.step == timeline.step(mark.interval + "-")
        assert abs(mark.x - lane.left - (mark.step - 1) * lane.stride) < NOISE
        span = span_of(value)
        if span and span[1] - span[0] == timedelta(1):
            assert date.strftime(span[0], "%d %b %Y").lstrip("0") == mark.date
        elif span and span[0].day == 1 and span[1].day == 1 and "W" not in value:
            assert str(span[0].year) in mark.date
        assert mark.label in {mark.date, mark.date.rpartition(" ")[0], ""}


@settings(max_examples=60)
@given(
    dated_documents(),
    st.sampled_from(["words", "phrases", "ids", "both", "none"]),
    st.integers(4, 30),
)
def test_nothing_meets_in_a_picture_with_a_calendar(document, labels, page):
    picture = lay_out(extract(document), labels=labels, page=page)

    assert meetings(boxes_of(picture)) == []
    for one, other in pairwise(picture.date_bands):
        if (one.timeline, one.row) == (other.timeline, other.row):
            assert one.x + one.width <= other.x + NOISE
            assert one.last + 1 == other.first
    for band in picture.date_bands:
        assert band.x <= band.label_left + NOISE
        assert band.label_left + band.label_width <= band.x + band.width + NOISE


@settings(max_examples=60)
@given(dated_documents())
def test_an_event_stands_on_the_ground_of_its_date_and_no_other_event_does(document):
    picture = lay_out(extract(document))

    grounds = [bar for bar in picture.bars if bar.dated]
    for bar in grounds:
        ground = in_row(bar.dated[0], bar.dated[1], bar.row, "ground")
        own = [
            band
            for band in picture.date_bands
            if band.timeline == bar.timeline and band.unit and band.first <= bar.first <= band.last
        ]
        assert len(own) == 1
        assert ground.left - NOISE <= bar.left
        assert bar.left + bar.width <= ground.right + NOISE
        for other in picture.bars:
            if not other.dated and other.timeline == bar.timeline:
                assert not ground.meets(in_row(other.left, other.width, other.row, ""))


@pytest.mark.parametrize(("open_link", "dated"), [("AFTER", "ei1"), ("BEFORE", "ei4")])
def test_the_ground_of_a_date_ends_where_another_event_has_no_date(open_link, dated):
    inside = [(f"ei{k}", "BEFORE", f"ei{k + 1}") for k in (1, 2, 3)]
    links = [("ei1", "IS_INCLUDED", "t1"), ("ei4", "IS_INCLUDED", "t1"), *inside]
    links += [("ei5", open_link, "ei1"), (dated, "MODAL", "ei6", "SLINK")]
    links += [("ei5", "MODAL", "ei7", "SLINK")]

    picture = lay_out(extract(write([("1990", {})], links, 7)), labels="none")

    bars = {bar.interval: bar for bar in picture.bars}
    band = next(band for band in picture.date_bands if band.unit)
    one, other = bars[dated], bars["ei5"]
    assert (one.row, other.dated) == (other.row, None)
    assert band.first <= other.last <= band.last
    left, right = one.dated[0], sum(one.dated)
    assert right <= other.left or left >= other.left + other.width
    far = max(left, right, key=lambda end: abs(end - other.left))
    assert min(abs(far - band.x), abs(far - band.x - band.width)) < NOISE


@pytest.mark.parametrize(
    ("links", "unit"),
    [
        ([("ei1", "AFTER", "t1"), ("ei1", "BEFORE", "t3")], "1999"),
        ([("ei1", "AFTER", "t2"), ("ei1", "BEFORE", "t3")], None),
        ([("ei1", "AFTER", "t1")], None),
        ([("ei1", "SIMULTANEOUS", "t3")], "2000"),
    ],
)
def test_what_is_between_two_years_is_in_the_year_between_them(links, unit):
    times = [("1998", {}), ("1998-03", {}), ("2000", {})]

    axis = find_date_axes(extract(write(times, links, 1)))[0]

    found = axis.dated.get("ei1")
    assert (found and [axis.units[k].words for k in found]) == (unit and [unit, unit])


@settings(max_examples=60)
@given(dated_documents())
def test_a_branch_on_a_main_timeline_has_rows_of_its_own(document):
    result = extract(document)
    picture = lay_out(result)

    mains = set(result.main_worlds[0])
    worlds = {node.id: node.world for node in result.nodes}
    boxes = {
        strand.world: (strand.timeline, strand.y, strand.y + strand.height)
        for strand in picture.strands
    }
    for bar in picture.bars:
        world = worlds[bar.interval]
        main = result.timelines[bar.timeline].main
        if main:
            assert (world in boxes) == (world not in mains)
        for other, (timeline, top, bottom) in boxes.items():
            if timeline == bar.timeline:
                assert (other == world) == (top <= bar.row < bottom)
    carried = [c for c in picture.connectors if c.carries and worlds[c.target] in boxes]
    hung = [strand for strand in picture.strands if strand.link]
    assert sorted(c.link for c in carried) == sorted(strand.link for strand in hung)


@pytest.mark.parametrize(
    ("values", "unit", "labels"),
    [
        (("2009", "2013-03-22"), "year", ["2009", "2013"]),
        (("2013-03-20", "2013-03-22"), "day", ["20 Mar 2013", "22 Mar"]),
        (("2013-01", "2013-03-22", "2013-12"), "month", ["Jan 2013", "Mar", "Dec"]),
        (("0044", "0045-03"), "month", ["Jan of the year 44", "Dec", "Mar of the year 45"]),
    ],
)
def test_the_unit_is_the_shortest_that_fits_the_span(values, unit, labels):
    axis = find_date_axes(extract(write([(value, {}) for value in values])))[0]

    assert axis.unit == unit
    assert [one.short for one in axis.units] == labels


def test_a_finer_unit_must_date_as_many_events():
    times = [("2013-03-20", {}), ("2013-03-22", {}), ("2013-03", {})]
    links = [(f"ei{k}", "IS_INCLUDED", "t3") for k in (1, 2)]

    axis = find_date_axes(extract(write(times, links, 2)))[0]

    assert axis.unit == "month"
    assert set(axis.dated) == {"t1", "t2", "t3", "ei1", "ei2"}


def test_the_creation_time_is_a_landmark_of_its_day():
    links = [("ei1", "BEFORE", "t1"), ("t2", "BEFORE", "ei1")]
    document = write([("1998-03-22", MOMENT), ("1972", {})], links, 1)

    picture = lay_out(extract(document))

    assert [(mark.interval, mark.label) for mark in picture.date_marks] == [("t1", "22 Mar 1998")]
    assert [band.label for band in picture.date_bands] == ["1972", "undated", "1998"]


def test_labels_without_room_are_shortened_or_left_out():
    values = ("1990", "2013-03", "2013-03-02", "2013-03-02T09:30", "2013-03-02T09:30:05", "2020")

    picture = lay_out(extract(write([(value, {}) for value in values])))

    assert [(mark.date, mark.label) for mark in picture.date_marks] == [
        ("Mar 2013", "Mar"),
        ("2 Mar 2013", "2 Mar"),
        ("2 Mar 2013, 09:30", "2 Mar 2013, 09:30"),
        ("2 Mar 2013, 09:30:05", ""),
    ]


def test_steps_between_two_dates_are_undated():
    links = [("ei1", "AFTER", "t1"), ("ei1", "BEFORE", "t2")]

    drawn = tlex.draw.svg(write([("1990", {}), ("2020", {})], links, 1))

    assert '<g class="date undated" role="graphics-symbol"><title>undated: steps 3 to 4' in drawn
    assert ">undated steps</text>" in drawn


def test_a_document_without_dates_has_no_calendar():
    document = write([("PRESENT_REF", {})], [("ei1", "BEFORE", "t1")], 1)

    assert tlex.draw.svg(document) == tlex.draw.svg(tlex.extract(document))
    assert tlex.draw.text(document) == tlex.draw.text(tlex.extract(document))


def test_a_contradiction_with_the_calendar_shows_the_values():
    times = [("1998-03-12", {}), ("1998-W12", {})]
    document = write(times, [("ei1", "IS_INCLUDED", "t1"), ("ei1", "IS_INCLUDED", "t2")], 1)

    drawn = tlex.draw.svg(tlex.extract(document, calendar=True))
    written = tlex.draw.text(tlex.extract(document, calendar=True))

    assert ">1998-03-12 is before 1998-W12, by their values</text>" in drawn
    assert "1998-03-12 is before 1998-W12" in " ".join(written.split())
    assert "calendar:t1:t2" not in drawn


def test_text_has_a_line_where_a_date_begins():
    links = [("ei1", "AFTER", "t1"), ("ei1", "BEFORE", "t2"), ("ei2", "IS_INCLUDED", "t2")]

    written = tlex.draw.text(write([("1990", {}), ("2020-03-01", {})], links, 2), width=60)

    lines = written.splitlines()
    dates = [line for line in lines if "───" in line]
    assert dates == [" ─── 1990", " ─── undated", " ─── 2020", " ─── 1 Mar 2020"]
    assert lines.index(" ─── 1990") == lines.index("    1   begin time1 (t1, 1990)") - 1
    assert all(ord(letter) < 128 for letter in tlex.draw.text(tlex.read(STORY), ascii_only=True))


def test_text_marks_the_events_of_a_branch_on_the_trunk():
    links = [("ei1", "BEFORE", "t1"), ("ei1", "MODAL", "ei2", "SLINK"), ("ei2", "BEFORE", "t2")]

    written = tlex.draw.text(write([("1990", {}), ("2020", {})], links, 2))

    assert "event2 (ei2, branch, possible; before 2020)" in written
    assert "trunk (timeline 0): 4 events and times" in written


@pytest.mark.parametrize("name", ["story.tml", "contradiction.tml"])
def test_without_the_calendar_a_picture_has_nothing_of_it(name):
    document = tlex.read(ROOT / "examples" / name, name=name)
    signs = re.compile(r"\b(date|dates|dated|in-date|undated|start|starts|strand|strands)\b")

    for mend in (False, True):
        result = tlex.extract(document, mend=mend)
        classes = re.findall(
            r'class="([^"]*)"|<style>(.*?)</style>', tlex.draw.svg(result), re.DOTALL
        )
        assert not signs.search(" ".join(map("".join, classes)))
        assert "\N{BOX DRAWINGS LIGHT HORIZONTAL}" * 3 not in tlex.draw.text(result)
    dated = tlex.draw.svg(tlex.extract(document, calendar=True))
    assert name != "story.tml" or signs.search(dated)


def test_a_picture_with_a_calendar_does_not_depend_on_the_hash_seed(tmp_path):
    links = [("ei1", "BEFORE", "t1"), ("ei1", "MODAL", "ei2", "SLINK"), ("ei2", "BEFORE", "t2")]
    times = [("1990", {}), ("2020", {}), ("2020-03", {}), ("2020-03-07", MOMENT)]
    dated = tmp_path / "dated.tml"
    tlex.write(write(times, links, 2), dated)
    code = (
        "import sys, tlex\n"
        "for path in sys.argv[1:]:\n"
        "    sys.stdout.write(tlex.draw.svg(tlex.read(path)) + tlex.viewer.html(tlex.read(path)))\n"
    )

    drawn = {
        subprocess.run(  # noqa: S603
            [sys.executable, "-c", code, str(STORY), str(dated)],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
        ).stdout
        for seed in ("0", "1", "2")
    }

    assert len(drawn) == 1


@pytest.mark.corpus
def test_nothing_meets_in_any_picture_of_timebank_with_its_calendar(timebank):
    for name, document in timebank.items():
        picture = lay_out(extract(document))

        assert meetings(boxes_of(picture)) == [], name
