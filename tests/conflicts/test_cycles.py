"""Step 3 goes on: where an inconsistent part contradicts itself, step by step."""

from __future__ import annotations

import pytest

import tlex
from tlex.conflicts.cycles import find_cycles
from tlex.conflicts.irreducible import reduce_links
from tlex.graph import build_graph
from tlex.points.graphs import OWN, group_by_link
from tlex.points.union_find import merge_equal
from tlex.steps.transform import transform

TIME = {"t1": "TIME", "t2": "TIME"}


def conflicts_of(*rows: str, times: str = "interval") -> tuple:
    """Give the conflicts of links such as ``a BEFORE b``, known as l1, l2 and so on."""
    document = tlex.from_links([row.split() for row in rows], times=TIME)
    return tlex.extract(document, times=times).conflicts


def test_a_contradiction_of_two_links_is_walked_link_by_link():
    (conflict,) = conflicts_of("a BEFORE b", "b BEFORE a")

    assert str(conflict) == "a+ < b- < b+ < a- < a+"
    assert [step.link for step in conflict.walk] == ["l1", None, "l2", None]
    assert conflict.kind == "iii"
    assert conflict.links == conflict.minimal == ("l1", "l2")
    assert [str(step) for step in conflict.walk][:2] == ["a+ < b-", "b- < b+"]


def test_equal_steps_are_spelled_out():
    (conflict,) = conflicts_of("a SIMULTANEOUS b", "b BEGINS a")

    assert conflict.kind == "i"
    assert {step.order for step in conflict.walk} == {"<", "="}
    assert conflict.links == ("l1", "l2")


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        (("a BEFORE a",), "ii"),
        (("a IBEFORE a",), "i"),
        (("a BEGINS a",), "i"),
        (("a IBEFORE b", "b IBEFORE a"), "ii"),
        (("a BEFORE b", "b BEFORE a"), "iii"),
        (("a IBEFORE b", "b IBEFORE c", "c IBEFORE a"), "iii"),
    ],
)
def test_the_kind_is_the_number_of_compounds_on_the_walk(rows, kind):
    assert {conflict.kind for conflict in conflicts_of(*rows)} == {kind}


def test_a_link_that_contradicts_itself_is_its_own_minimal_set():
    (conflict,) = conflicts_of("a BEFORE a")

    assert str(conflict) == "a+ < a- < a+"
    assert conflict.minimal == ("l1",)


def test_a_link_said_twice_makes_no_second_conflict():
    assert len(conflicts_of("a BEFORE b", "b BEFORE a")) == 1
    assert len(conflicts_of("a BEFORE b", "b BEFORE a", "b BEFORE a")) == 1
    assert len(conflicts_of("a BEFORE b", "b BEFORE a", "c BEFORE d", "d BEFORE c")) == 2


def test_a_walk_begins_with_its_first_link_in_document_order():
    for conflict in conflicts_of("b BEFORE c", "c BEFORE a", "a BEFORE b", "a BEFORE d"):
        assert conflict.walk[0].link == "l1"
        assert conflict.walk[0].left == "b+"


def test_the_way_back_has_the_fewest_links():
    found = conflicts_of("a BEFORE b", "b BEFORE c", "c BEFORE d", "a BEFORE d", "d BEFORE a")

    assert [conflict.links for conflict in found] == [("l1", "l2", "l3", "l5"), ("l4", "l5")]


def test_an_intervals_own_constraint_costs_no_link():
    # From a- to c+ there are two links and three intervals, or three links and no interval.
    long_way = ("a BEFORE b", "b BEFORE c")
    short_way = ("a SIMULTANEOUS x", "x OVERLAP y", "y ENDS c")

    found = conflicts_of(*long_way, *short_way, "c BEFORE a")

    assert ("l1", "l2", "l6") in [conflict.links for conflict in found]


def test_a_link_on_the_walk_that_the_others_can_spare_is_not_in_the_minimal_set():
    rows = ["a BEFORE b", "b BEFORE a", "a AFTER b"]
    points = transform(build_graph(tlex.from_links([row.split() for row in rows])))
    by_link = group_by_link(points)

    assert reduce_links(by_link, [0, 1, 2]) == [0, 2]
    assert reduce_links(by_link, [1, 0]) == [0, 1]


def test_a_minimal_set_may_be_smaller_than_the_walk():
    found = conflicts_of("a INCLUDES b", "b INCLUDES c", "c INCLUDES b", "c INCLUDES a")

    assert all(set(conflict.minimal) <= set(conflict.links) for conflict in found)
    assert ("l2", "l3") in [conflict.minimal for conflict in found]


def test_rows_are_grouped_by_link_and_those_of_instants_stand_apart():
    document = tlex.from_links([("t1", "BEGINS", "a")], times={"t1": "TIME"})
    points = transform(build_graph(document, times="point"))

    assert group_by_link(points) == {OWN: [(0, False, 1)], 0: [(1, True, 3), (0, False, 2)]}


def test_an_instant_makes_a_conflict_that_an_interval_does_not():
    rows = ("t1 INCLUDES a",)

    assert not conflicts_of(*rows)
    (conflict,) = conflicts_of(*rows, times="point")
    assert {(str(step), step.link) for step in conflict.walk} == {
        ("t1- < a-", "l1"),
        ("a- < a+", None),
        ("a+ < t1+", "l1"),
        ("t1+ = t1-", None),
    }
    assert conflict.minimal == ("l1",)


def test_an_instant_is_kept_in_mind_when_links_are_spared():
    (conflict,) = conflicts_of("a ENDS b", "t1 BEGUN_BY a", times="point")

    assert conflict.minimal == ("l2",)


def test_a_cycle_counts_the_compounds_that_its_walk_passes():
    points = transform(build_graph(tlex.from_links([("a", "IBEFORE", "a")])))

    (cycle,) = find_cycles(points, merge_equal(points)[0])

    assert cycle.compounds == 1
    assert cycle.walk == [(1, False, 0, 0), (0, True, 1, OWN)]


def test_conflicts_name_the_timeline_they_belong_to():
    document = tlex.from_links(
        [("x", "BEFORE", "y"), ("a", "BEFORE", "a"), ("b", "BEFORE", "b"), ("y", "BEFORE", "z")]
    )
    result = tlex.extract(document)

    assert [timeline.consistent for timeline in result.timelines] == [True, False, False]
    assert [conflict.timeline for conflict in result.conflicts] == [1, 2]


def test_a_contradiction_around_fifty_thousand_intervals_overflows_no_stack():
    size = 50_000
    ring = [(f"e{number}", "BEFORE", f"e{(number + 1) % size}") for number in range(size)]
    points = transform(build_graph(tlex.from_links(ring)))

    (cycle,) = find_cycles(points, merge_equal(points)[0])

    assert len(cycle.walk) == 2 * size


def test_a_ring_of_links_is_its_own_minimal_set():
    size = 3_000
    ring = [(f"e{number}", "BEFORE", f"e{(number + 1) % size}") for number in range(size)]

    (conflict,) = tlex.extract(tlex.from_links(ring)).conflicts

    assert conflict.minimal == conflict.links
    assert len(conflict.links) == size


def test_a_ring_through_an_instant_may_have_a_smaller_minimal_set():
    found = conflicts_of("a BEFORE t1", "t1 INCLUDES b", "b BEFORE a", times="point")

    assert [conflict.links for conflict in found] == [("l2",)]


def test_a_link_that_others_can_spare_is_in_no_conflict():
    found = conflicts_of("a IBEFORE a", "a OVERLAP a")

    assert [conflict.links for conflict in found] == [("l1",)]
