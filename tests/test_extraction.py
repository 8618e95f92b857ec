"""The conductor: options, the order of things, and answers in the annotator's words."""

from __future__ import annotations

import msgspec
import pytest

import tlex
from tlex.errors import OptionError
from tlex.extraction import run_steps
from tlex.points.graphs import TemporalGraph
from tlex.records import ExtractionRecord, Options, Scenarios

MIXED = [
    ("e1", "BEFORE", "e2"),
    ("e3", "INITIATES", "e4"),
    ("e2", "MODAL", "e3"),
    ("e5", "BEFORE", "e5"),
    ("t1", "VAGUE", "e1"),
]


@pytest.fixture
def mixed() -> tlex.Extraction:
    return tlex.extract(tlex.from_links(MIXED))


def test_timelines_come_in_text_order_and_are_numbered_from_0(mixed):
    assert [timeline.id for timeline in mixed.timelines] == [0, 1, 2, 3]
    assert [timeline.intervals for timeline in mixed.timelines] == [
        ("e1", "e2"),
        ("e3", "e4"),
        ("e5",),
        ("t1",),
    ]


def test_one_inconsistent_part_leaves_the_others_their_steps(mixed):
    assert not mixed.consistent
    assert [timeline.consistent for timeline in mixed.timelines] == [True, True, False, True]
    assert [timeline.length for timeline in mixed.timelines] == [4, 3, None, 2]


def test_an_inconsistent_timeline_says_nothing_of_its_points(mixed):
    broken = mixed.timelines[2]

    assert broken.points == {}
    assert (broken.compounds, broken.tied_steps, broken.sections) == ((), (), ())
    assert (broken.score, broken.scenarios, broken.indeterminate_pairs) == (None, None, None)
    for ask in (broken.step, broken.slack):
        with pytest.raises(OptionError, match="contradictory"):
            ask("e5-")


def test_a_link_without_order_does_not_connect(mixed):
    assert mixed.timeline_of("t1").intervals == ("t1",)


@pytest.mark.parametrize(
    ("links", "lengths"),
    [(("TLINK",), [4, 2, 2, None, 2]), (["alink"], [2, 2, 3, 2, 2]), ("TLINK", [4, 2, 2, None, 2])],
)
def test_only_the_kinds_of_links_asked_for_order_the_intervals(links, lengths):
    result = tlex.extract(tlex.from_links(MIXED), links=links)

    assert [timeline.length for timeline in result.timelines] == lengths


def test_options_are_kept_in_canonical_form():
    document = tlex.from_links(MIXED)

    result = tlex.extract(
        document, links=["alink", " tlink"], main=("e4", "e1"), subordinating=["modal", "FACTIVE"]
    )

    assert result.options == Options(
        links=("TLINK", "ALINK"),
        times="interval",
        main=("e4", "e1"),
        subordinating=("MODAL", "FACTIVE"),
    )
    assert tlex.extract(document).options == Options(
        links=("TLINK", "ALINK"), times="interval", main=None, subordinating=None
    )
    assert tlex.extract(document, subordinating="NEG_EVIDENTIAL").options.subordinating == (
        "NEGATIVE_EVIDENTIAL",
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"links": ["SLINK"]}, "'SLINK'"),
        ({"links": []}, "empty"),
        ({"links": [3]}, "3"),
        ({"links": 3}, "3"),
        ({"times": "points"}, "'points'"),
        ({"main": ["e77"]}, "'e77'"),
        ({"main": []}, "empty"),
        ({"main": [None]}, "None"),
        ({"subordinating": ["BEFORE"]}, "'BEFORE'"),
    ],
)
def test_a_request_that_cannot_be_met_names_what_was_asked(options, words):
    with pytest.raises(OptionError, match=words):
        tlex.extract(tlex.from_links(MIXED), **options)


def test_an_unknown_main_event_is_reported_with_the_nearest():
    with pytest.raises(OptionError, match="did you mean 'event12'"):
        tlex.extract(tlex.from_links([("event12", "BEFORE", "x")]), main=["event21"])


def test_a_time_of_type_time_is_a_point_only_on_request():
    document = tlex.from_links([("t1", "BEFORE", "e1")], times={"t1": "TIME"})

    (interval,) = tlex.extract(document).timelines
    (point,) = tlex.extract(document, times="point").timelines

    assert (interval.length, interval.compounds) == (4, ())
    assert (point.length, point.compounds) == (3, (("t1-", "t1+"),))
    assert point.points["t1+"] == (1, 1)


def test_a_lone_point_stands_on_one_step():
    document = tlex.from_links([("t1", "VAGUE", "e1")], times={"t1": "TIME"})

    point, interval = tlex.extract(document, times="point").timelines

    assert point.points == {"t1-": (1, 1), "t1+": (1, 1)}
    assert (point.length, interval.length) == (1, 2)
    assert point.scenarios == Scenarios(1, exact=True)


def test_a_point_is_asked_for_by_its_name(mixed):
    first = mixed.timelines[0]

    assert first.step("e2-") == 3
    assert first.slack("e2-") == 0
    with pytest.raises(OptionError, match="'e3-'"):
        first.step("e3-")
    with pytest.raises(OptionError, match="'e2'"):
        first.indeterminate("e2", "e1-")


def test_a_timeline_is_found_by_what_is_on_it(mixed):
    assert mixed.timeline_of("e4").id == 1
    with pytest.raises(OptionError, match="'e9'"):
        mixed.timeline_of("e9")


def test_a_pair_of_intervals_is_worked_out_once_and_shared_safely():
    twice = tlex.extract(
        tlex.from_links([("a", "INCLUDES", "b"), ("c", "INCLUDES", "d"), ("f", "INCLUDES", "e")])
    )

    assert [list(t.points.values()) for t in twice.timelines[:2]] == [
        [(1, 1), (4, 4), (2, 2), (3, 3)]
    ] * 2
    assert twice.timelines[2].intervals == ("f", "e")


def test_the_steps_give_each_interval_its_part():
    components = run_steps(TemporalGraph(size=4, labels=[0], sources=[3], targets=[1], numbers=[0]))

    assert [part.members for part in components] == [[0], [1, 3], [2]]
    assert components.component_of == [0, 1, 2, 1]
    assert all(part.consistent for part in components)


def test_an_empty_document_has_an_empty_answer():
    result = tlex.extract(tlex.from_links([]))

    assert result.consistent
    assert result.timelines == ()
    assert result.record().nodes == ()


def test_the_report_says_what_the_result_says(mixed):
    report = mixed.record(pairs=True)

    assert (report.schema, report.consistent) == ("tlex/1", False)
    assert report.document.name == mixed.document.name
    for record, timeline in zip(report.timelines, mixed.timelines, strict=True):
        assert (record.id, record.main, record.detached) == (
            timeline.id,
            timeline.main,
            timeline.detached,
        )
        assert (record.intervals, record.length, record.offset) == (
            timeline.intervals,
            timeline.length,
            timeline.offset,
        )
        assert (record.points, record.compounds) == (timeline.points, timeline.compounds)
        assert (record.tied_steps, record.sections) == (timeline.tied_steps, timeline.sections)
        assert record.indeterminate_pairs == timeline.indeterminate_pairs
        assert (record.score, record.scenarios) == (timeline.score, timeline.scenarios)
        assert record.pairs == (tuple(timeline.pairs()) if timeline.consistent else ())
    assert report.connections == mixed.connections
    assert report.breaks == mixed.breaks
    assert report.conflicts == mixed.conflicts


def test_the_table_of_pairs_is_there_only_on_request(mixed):
    assert mixed.record().timelines[0].pairs is msgspec.UNSET
    assert b'"pairs":' not in mixed.to_json()
    assert b'"pairs":' in mixed.to_json(pairs=True)


def test_what_is_written_as_json_is_read_back(mixed):
    assert ExtractionRecord.from_json(mixed.to_json(pairs=True)) == mixed.record(pairs=True)
    with pytest.raises(OptionError, match="tlex/1"):
        ExtractionRecord.from_json(b"{}")


def test_the_nouns_say_what_they_are(mixed):
    assert repr(mixed) == "<Extraction of '<links>': contradictory, 4 timelines>"
    assert repr(mixed.timelines[0]) == "<Timeline 0: main, 2 intervals, 4 steps>"
    assert repr(mixed.timelines[1]) == "<Timeline 1: branch, 2 intervals, 3 steps>"
    assert repr(mixed.timelines[2]) == "<Timeline 2: main, 1 intervals, contradictory>"
