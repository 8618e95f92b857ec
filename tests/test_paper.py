"""The paper's worked examples, as graphs, with its printed answers; and two more."""

from __future__ import annotations

from itertools import combinations

import pytest

import tlex
from tlex.records import Scenarios, Section

FIVE = [
    ("I1", "BEFORE", "I2"),
    ("I1", "BEFORE", "I3"),
    ("I2", "BEFORE", "I4"),
    ("I3", "BEFORE", "I4"),
    ("I4", "BEFORE", "I5"),
]

# The figure is missing from the source. These links say what the prose says, and merge the points
# that §3.4 says are merged: 8- and 9-; 8+, 9+ and 11-; and no others.
RUNNING = [
    ("1", "IS_INCLUDED", "2"),  # working in the morning
    ("2", "BEFORE", "3"),  # after ... John came back
    ("3", "BEFORE", "4"),  # he wished
    ("4", "BEFORE", "7"),  # later, his phone rang
    ("7", "BEFORE", "8"),  # and he answered
    ("8", "IDENTITY", "9"),  # answering is picking up
    ("9", "IBEFORE", "11"),  # as soon as he picked up, complaining
    ("10", "IS_INCLUDED", "11"),  # started
    ("11", "BEFORE", "12"),  # quickly bored
    ("12", "BEFORE", "13"),  # but realized
    ("13", "BEFORE", "18"),  # so he ... to listen
    ("17", "CONTINUES", "18"),  # continued to listen
    ("18", "BEFORE", "19"),  # then he remembered
    ("20", "IS_INCLUDED", "2"),  # ignored Paul's text in the morning
    ("5", "BEFORE", "6"),  # didn't go, so he could be happy
    ("14", "BEFORE", "15"),  # if he hung up, Paul would be mad
    ("15", "INCLUDES", "16"),  # for the entire weekend
    ("4", "COUNTER_FACTIVE", "5"),  # wished that he didn't go
    ("13", "FACTIVE", "14"),  # realized that if he hung up
    ("5", "CONDITIONAL", "6"),
    ("14", "CONDITIONAL", "15"),
]


@pytest.fixture(scope="module")
def five() -> tlex.Timeline:
    (timeline,) = tlex.extract(tlex.from_links(FIVE)).timelines
    return timeline


@pytest.fixture(scope="module")
def running() -> tlex.Extraction:
    return tlex.extract(tlex.from_links(RUNNING))


def test_the_five_intervals_take_eight_steps(five):
    assert five.length == 8
    assert [five.step(f"I{n}{end}") for n in range(1, 6) for end in "-+"] == [
        1, 2, 3, 4, 3, 4, 5, 6, 7, 8,
    ]  # fmt: skip


def test_the_five_intervals_leave_i2_and_i3_open_and_nothing_else(five):
    assert five.sections == (Section(3, 4, ("I2-", "I2+", "I3-", "I3+")),)
    assert five.tied_steps == (3, 4)
    assert five.indeterminate_pairs == 4
    assert set(five.pairs()) == {(f"I2{a}", f"I3{b}") for a in "-+" for b in "-+"}
    assert five.score == 0.4
    assert five.compounds == ()
    assert all(five.slack(point) == 0 for point in five.points)


def test_the_five_intervals_have_all_other_orders_entailed(five):
    open_pairs = set(five.pairs())

    for one, other in combinations(five.points, 2):
        assert five.indeterminate(one, other) == ((one, other) in open_pairs)


def test_the_five_intervals_have_13_scenarios(five):
    found = list(five.orderings())

    assert five.scenarios == Scenarios(13, exact=True)
    assert len(found) == len(set(found)) == 13
    assert [len(blocks) for blocks in found].count(10) == 6


def test_a_before_b_before_a_is_an_inconsistent_cycle_of_type_iii():
    result = tlex.extract(tlex.from_links([("A", "BEFORE", "B"), ("B", "BEFORE", "A")]))

    (conflict,) = result.conflicts
    assert not result.consistent
    assert str(conflict) == "A+ < B- < B+ < A- < A+"
    assert conflict.kind == "iii"
    assert [step.link for step in conflict.walk] == ["l1", None, "l2", None]
    assert conflict.links == conflict.minimal == ("l1", "l2")


def test_a_cycle_of_type_i_lies_in_one_compound():
    result = tlex.extract(tlex.from_links([("A", "SIMULTANEOUS", "B"), ("A", "BEGINS", "B")]))

    assert {conflict.kind for conflict in result.conflicts} == {"i"}


def test_the_running_example_has_three_parts(running):
    main = {"1", "2", "3", "4", "7", "8", "9", "10", "11", "12", "13", "17", "18", "19", "20"}

    parts = [set(timeline.intervals) for timeline in running.timelines]

    assert parts == [main, {"5", "6"}, {"14", "15", "16"}]
    assert running.consistent


def test_the_running_example_has_one_main_timeline_and_two_branches(running):
    assert [timeline.id for timeline in running.trunk] == [0]
    assert [timeline.id for timeline in running.branches] == [1, 2]
    assert running.breaks == ()


def test_the_running_example_is_connected_at_4_and_5_and_at_13_and_14(running):
    ends = [(connection.source, connection.target) for connection in running.connections]

    assert ends == [("4", "5"), ("13", "14")]
    assert [connection.target_timeline for connection in running.connections] == [1, 2]


def test_the_running_example_merges_the_points_that_the_paper_merges(running):
    compounds = {frozenset(group) for t in running.timelines for group in t.compounds}

    assert compounds == {frozenset({"8-", "9-"}), frozenset({"8+", "9+", "11-"})}


def test_the_running_example_leaves_1_and_20_open_and_nothing_else(running):
    main = running.timelines[0]

    (section,) = main.sections
    assert (section.first, section.last) == (2, 3)
    assert set(section.points) == {"1-", "1+", "20-", "20+"}
    assert main.scenarios == Scenarios(13, exact=True)
    assert main.length == 25
    assert not running.timelines[1].sections
    assert not running.timelines[2].sections


def test_a_point_alone_on_its_step_may_be_unordered_with_another():
    # a1 < a2 < a3 and x < a3. Instants make them single points.
    document = tlex.from_links(
        [("a1", "BEFORE", "a2"), ("a2", "BEFORE", "a3"), ("x", "BEFORE", "a3")],
        times=dict.fromkeys(("a1", "a2", "a3", "x"), "TIME"),
    )

    (timeline,) = tlex.extract(document, times="point").timelines

    assert {name: timeline.step(f"{name}-") for name in ("a1", "a2", "a3", "x")} == {
        "a1": 1,
        "a2": 2,
        "a3": 3,
        "x": 1,
    }
    assert timeline.tied_steps == (1,)
    assert timeline.indeterminate("a2-", "x-")
    assert timeline.indeterminate("a1-", "x-")
    assert [(section.first, section.last) for section in timeline.sections] == [(1, 2)]
    assert timeline.slack("x-") == 1
    assert timeline.scenarios == Scenarios(5, exact=True)


def test_a_lone_interval_has_the_steps_1_and_2():
    (one, _) = tlex.extract(tlex.from_links([("a", "VAGUE", "b")])).timelines

    assert one.points == {"a-": (1, 1), "a+": (2, 2)}
    assert one.length == 2


def test_the_first_normal_form_timeline_of_the_paper_is_among_the_orderings(five):
    # §3.5.1: I1 to [1, 2], I2 to [3, 4], I3 to [5, 6], I4 to [7, 8] and I5 to [9, 10].
    assert tuple((f"I{n}{end}",) for n in range(1, 6) for end in "-+") in set(five.orderings())
