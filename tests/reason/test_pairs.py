"""Which pairs of points are open: one question, the table, and the count."""

from __future__ import annotations

import brute
import pytest
from hypothesis import given
from strategies import placed_graphs

import tlex
from tlex import errors
from tlex.extraction import run_steps
from tlex.points.graphs import TemporalGraph
from tlex.reason.pairs import count_pairs, is_indeterminate, walk_pairs
from tlex.reason.sections import order_sections

# Two intervals that nothing orders, inside a third.
LOOSE = [("a", "INCLUDES", "b"), ("a", "INCLUDES", "c")]


def timeline_of(*rows: tuple[str, str, str]) -> tlex.Timeline:
    (timeline,) = tlex.extract(tlex.from_links(rows)).timelines
    return timeline


def test_what_nothing_orders_is_open_and_the_rest_is_not():
    timeline = timeline_of(*LOOSE)

    assert list(timeline.pairs()) == [("b-", "c-"), ("b-", "c+"), ("b+", "c-"), ("b+", "c+")]
    assert timeline.indeterminate("b+", "c-")
    assert timeline.indeterminate("c-", "b+")
    assert not timeline.indeterminate("a-", "b+")
    assert not timeline.indeterminate("a+", "c-")


def test_a_point_is_not_open_to_itself_or_to_its_equals():
    timeline = timeline_of(*LOOSE, ("d", "SIMULTANEOUS", "b"))

    assert not timeline.indeterminate("b-", "b-")
    assert not timeline.indeterminate("b-", "d-")
    assert timeline.indeterminate("d-", "c-")


def test_a_compound_of_several_points_counts_for_each_of_them():
    timeline = timeline_of(*LOOSE, ("d", "SIMULTANEOUS", "b"), ("e", "BEGINS", "c"))

    pairs = list(timeline.pairs())

    assert timeline.count_pairs() == len(pairs) == len(set(pairs))
    assert ("b-", "c-") in pairs
    assert ("c-", "d-") in pairs
    assert ("d+", "e-") in pairs


def test_points_of_different_sections_are_never_open():
    timeline = timeline_of(
        *LOOSE,
        ("a", "BEFORE", "x"),
        ("x", "INCLUDES", "y"),
        ("x", "INCLUDES", "z"),
    )

    assert len(timeline.sections) == 2
    assert timeline.count_pairs() == 8
    assert not timeline.indeterminate("b-", "y-")


def test_a_settled_timeline_has_no_pairs():
    timeline = timeline_of(("a", "BEFORE", "b"))

    assert list(timeline.pairs()) == []
    assert timeline.count_pairs() == timeline.indeterminate_pairs == 0


def test_a_lone_interval_has_no_pairs():
    (timeline, _) = tlex.extract(tlex.from_links([("a", "VAGUE", "b")])).timelines

    assert timeline.count_pairs() == 0
    assert not timeline.indeterminate("a-", "a+")


def test_pairs_come_one_at_a_time():
    pairs = timeline_of(*LOOSE).pairs()

    assert next(pairs) == ("b-", "c-")


@given(graph=placed_graphs(largest=6))
def test_the_compounds_pairs_are_those_of_the_closure(graph):
    links = [link for link in graph.links if link[1] not in brute.WITHOUT_ORDER]
    code = tlex.algebra.CODES
    labels = {**code["TLINK"], **code["ALINK"]}
    parts = run_steps(
        TemporalGraph(
            size=graph.size,
            labels=[labels[label] for _, label, _ in links],
            sources=[source for source, _, _ in links],
            targets=[target for _, _, target in links],
            numbers=list(range(len(links))),
        )
    )

    for part in parts:
        answer = brute.close(len(part.members), brute.restrict(links, part.members))
        runs = [(run.first, run.last) for run in part.unsettled.sections]
        given_pairs = (part.graph.compound, order_sections(part.graph, part.steps, runs))
        assert tuple(sorted(walk_pairs(*given_pairs))) == answer.pairs
        assert count_pairs(*given_pairs) == len(answer.pairs)
        for one, other in answer.pairs:
            compound = part.graph.compound
            assert is_indeterminate(part.graph, part.steps, compound[one], compound[other])


def test_each_further_point_of_a_compound_precedes_what_the_compound_precedes():
    same = [("b", "SIMULTANEOUS", "d"), ("b", "SIMULTANEOUS", "e")]
    timeline = timeline_of(*LOOSE, *same)

    assert timeline.count_pairs() == len(list(timeline.pairs())) == 12


def test_an_inconsistent_timeline_has_no_pairs_to_ask_about():
    (timeline,) = tlex.extract(tlex.from_links([("a", "BEFORE", "a")])).timelines

    assert timeline.indeterminate_pairs is None
    with pytest.raises(errors.OptionError, match="contradictory"):
        timeline.indeterminate("a-", "a+")


def test_the_count_is_left_out_above_the_limit_unless_asked_for(monkeypatch):
    monkeypatch.setattr("tlex.timeline.PAIRS_LIMIT", 5)
    timeline = timeline_of(*LOOSE)

    assert timeline.indeterminate_pairs is None
    assert timeline.count_pairs() == 4
    assert timeline.record(pairs=True).indeterminate_pairs == 4
