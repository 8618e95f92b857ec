"""Knots: every contradiction is in one of them, and none of them has a say in another."""

from __future__ import annotations

import brute
from hypothesis import given
from hypothesis import strategies as st
from strategies import ORDERING, Graph, document_of, number_of, tangled_graphs

import tlex
from tlex.conflicts.knots import Knot, find_knots, merge_same, tie_links
from tlex.graph import build_graph
from tlex.points.graphs import OWN, group_by_link
from tlex.steps.transform import transform


def points_of(graph: Graph):
    document = document_of(graph)
    return document, transform(build_graph(document, times="point"))


def judge(graph: Graph, document: tlex.Document, numbers: object) -> bool:
    """Whether some links, by their numbers in the document, can all hold."""
    links = [document.links[number] for number in numbers]
    triples = [(number_of(link.source), link.type, number_of(link.target)) for link in links]
    return brute.close(graph.size, triples, graph.instants) is not None


def draw_some(data: st.DataObject, links: list[int]) -> set[int]:
    return data.draw(st.sets(st.sampled_from(links))) if links else set()


@given(graph=tangled_graphs(ORDERING), data=st.data())
def test_links_contradict_each_other_if_and_only_if_those_of_a_knot_do(graph, data):
    document, points = points_of(graph)
    knots = find_knots(points)
    removed = draw_some(data, list(range(len(graph.links))))

    free = all(knot.is_consistent(removed) for knot in knots)

    assert free == judge(graph, document, set(range(len(graph.links))) - removed)


@given(graph=tangled_graphs(ORDERING), data=st.data())
def test_a_knot_is_judged_by_its_own_links(graph, data):
    document, points = points_of(graph)

    for knot in find_knots(points):
        removed = draw_some(data, knot.links)
        assert knot.is_consistent(removed) == judge(graph, document, set(knot.links) - removed)


@given(graph=tangled_graphs(ORDERING))
def test_no_link_is_in_two_knots_and_each_knot_has_a_contradiction(graph):
    _, points = points_of(graph)

    knots = find_knots(points)

    links = [link for knot in knots for link in knot.links]
    assert len(links) == len(set(links))
    assert [knot.links[0] for knot in knots] == sorted(knot.links[0] for knot in knots)
    assert not any(knot.is_consistent(()) for knot in knots)


@given(graph=tangled_graphs(ORDERING), data=st.data())
def test_conflicts_contradict_themselves_and_nothing_in_them_can_be_spared(graph, data):
    document, points = points_of(graph)

    for knot in find_knots(points):
        removed = draw_some(data, knot.links)
        conflicts = list(knot.find_conflicts(removed))
        assert bool(conflicts) != knot.is_consistent(removed)
        assert len(conflicts) == len({tuple(conflict) for conflict in conflicts})
        for conflict in conflicts:
            assert removed.isdisjoint(conflict)
            assert not judge(graph, document, conflict)
            for link in conflict:
                assert judge(graph, document, set(conflict) - {link})


@given(graph=tangled_graphs(ORDERING), data=st.data())
def test_a_cut_leaves_no_contradiction_and_takes_nothing_that_is_kept(graph, data):
    document, points = points_of(graph)

    for knot in find_knots(points):
        kept = draw_some(data, knot.links)
        removed = draw_some(data, knot.links) - kept
        if judge(graph, document, kept):
            cut = knot.cut(removed, kept)
            assert removed <= cut <= set(knot.links) - kept
            assert judge(graph, document, set(knot.links) - cut)


@given(graph=tangled_graphs(ORDERING), data=st.data())
def test_any_links_can_be_tied_into_a_knot(graph, data):
    document, points = points_of(graph)
    links = sorted(data.draw(st.sets(st.sampled_from(range(len(graph.links))), min_size=1)))

    knot = tie_links(points, links)

    assert knot.links == links
    assert knot.is_consistent(()) == judge(graph, document, links)


@given(graph=tangled_graphs(ORDERING))
def test_links_are_one_class_if_and_only_if_each_follows_from_the_other_word_for_word(graph):
    document, points = points_of(graph)
    rows = group_by_link(points)
    links = [document.links[number] for number in sorted(rows) if number != OWN]
    said = {
        link.id: {
            (a, order, b) if order == "<" else (frozenset((a, b)),)
            for a, order, b in (
                (
                    (link.source, link.target)[x // 2] + "-+"[x % 2],
                    order,
                    (link.source, link.target)[y // 2] + "-+"[y % 2],
                )
                for x, order, y in brute.constraints(link.type)
            )
        }
        for link in links
    }

    classes = merge_same({number: rows[number] for number in sorted(rows)})

    assert sorted(n for same in classes.values() for n in same) == sorted(rows)[1:]
    for first, same in classes.items():
        assert first == min(same)
        assert {document.links[n].id for n in same} == {
            name for name in said if said[name] == said[document.links[first].id]
        }


@given(graph=tangled_graphs(ORDERING), data=st.data())
def test_the_core_of_a_knot_has_one_link_of_each_class_and_the_same_contradictions(graph, data):
    document, points = points_of(graph)

    for knot in find_knots(points):
        gone = draw_some(data, list(knot.classes))
        rest = [n for first, same in knot.classes.items() if first not in gone for n in same]
        assert knot.core.links == list(knot.classes)
        assert knot.core.is_consistent(gone) == judge(graph, document, rest)


def knots_of(*rows: tuple[str, str, str]) -> list[Knot]:
    return find_knots(transform(build_graph(tlex.from_links(rows))))


def test_contradictions_in_one_timeline_that_only_follow_each_other_are_two_knots():
    knots = knots_of(
        ("a", "BEFORE", "b"), ("b", "BEFORE", "a"), ("b", "BEFORE", "c"), ("c", "IBEFORE", "c")
    )

    assert [knot.links for knot in knots] == [[0, 1], [3]]


def test_a_link_outside_every_circle_is_in_no_knot():
    knots = knots_of(("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("c", "BEFORE", "b"))

    assert [knot.links for knot in knots] == [[1, 2]]


def test_a_consistent_part_has_no_knot():
    assert knots_of(("a", "BEFORE", "b"), ("a", "SIMULTANEOUS", "a")) == []
