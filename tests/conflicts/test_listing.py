"""The list of conflicts, judged by code that tries everything."""

from __future__ import annotations

from itertools import combinations

import pytest
from conflict_judge import Judge
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import ORDERING, Graph, document_of, links_among, tangled_graphs

import tlex
from tlex.conflicts import listing
from tlex.conflicts.irreducible import find_only
from tlex.conflicts.knots import Knot, find_tangle, group_links
from tlex.conflicts.listing import list_conflicts
from tlex.conflicts.work import Work
from tlex.graph import build_graph
from tlex.steps.transform import transform


def conflicts_of(*rows: str) -> list[tuple[str, ...]]:
    """Give the links of each conflict of links such as ``a BEFORE b``, known as l1, l2 and on."""
    result = tlex.extract(tlex.from_links([row.split() for row in rows]))
    assert result.conflicts_complete
    return [conflict.minimal for conflict in result.conflicts]


@st.composite
def knotted_graphs(draw: st.DrawFn) -> Graph:
    size = draw(st.integers(1, 5))
    links = draw(links_among(size, ORDERING, 7, least=1))
    return Graph(size, links, draw(st.frozensets(st.integers(0, size - 1), max_size=1)))


@st.composite
def loose_graphs(draw: st.DrawFn) -> Graph:
    """Draw graphs with few labels and no links of a node to itself: their conflicts are longer."""
    size = draw(st.integers(3, 5))
    links = draw(links_among(size, ("BEFORE", "IBEFORE", "INCLUDES", "BEGINS"), 8, least=3))
    return Graph(size, [link for link in links if link[0] != link[2]], frozenset())


@settings(max_examples=80, deadline=None)
@given(graph=knotted_graphs())
def test_the_list_is_what_is_promised(graph):
    result = tlex.extract(document_of(graph), times="point")

    assert result.conflicts_complete
    assert bool(result.conflicts) != result.consistent
    assert not Judge(*graph).find_flaws(result.conflicts)


@settings(max_examples=300, deadline=None)
@given(graph=st.one_of(knotted_graphs(), loose_graphs(), tangled_graphs(ORDERING)))
def test_a_knot_with_one_conflict_is_listed_as_by_the_thorough_search(graph):
    points = transform(build_graph(document_of(graph), times="point"))

    shown = list_conflicts(find_tangle(points), Work())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Knot, "only", ())
        assert list_conflicts(find_tangle(points), Work()) == shown


@pytest.mark.parametrize("size", [2, 3, 7, 40])
def test_a_knot_with_one_conflict_is_not_searched_thoroughly(size, monkeypatch):
    monkeypatch.setattr(listing, "find_needed", None)
    ring = [(f"e{k}", "BEFORE", f"e{(k + 1) % size}") for k in range(size)]
    beside = [("e0", "INCLUDES", "f")]

    result = tlex.extract(tlex.from_links([*ring, *beside]))

    assert [len(conflict.links) for conflict in result.conflicts] == [size]


@given(graph=st.one_of(knotted_graphs(), loose_graphs()))
def test_the_only_irreducible_set_is_found_if_there_is_one(graph):
    tangle = find_tangle(transform(build_graph(document_of(graph), times="point")))
    judge = Judge(*graph)

    for links in group_links(tangle):
        sets = [
            list(some)
            for size in range(1, len(links) + 1)
            for some in combinations(links, size)
            if judge.is_irreducible(some)
        ]
        assert find_only(tangle.rows, links) == (sets[0] if len(sets) == 1 else [])


def test_a_contradiction_beside_another_one_is_named():
    rows = "x IS_INCLUDED e", "e AFTER y", "e BEFORE y", "e BEFORE z", "z BEFORE e"

    assert conflicts_of(*rows) == [("l2", "l3"), ("l4", "l5")]


def test_of_two_walks_with_as_few_links_the_one_with_fewer_compounds_is_shown():
    (conflict,) = tlex.extract(
        tlex.from_links([("e1", "BEFORE", "e0"), ("e0", "BEGINS", "e1")])
    ).conflicts

    assert conflict.kind == "ii"
    assert str(conflict) == "e1+ < e0- = e1- < e1+"


def test_contradictions_that_share_a_link_are_both_listed():
    rows = "A BEFORE B", "B BEFORE A", "B BEFORE C", "C BEFORE A"

    assert conflicts_of(*rows) == [("l1", "l2"), ("l1", "l3", "l4")]


def test_links_that_say_the_same_count_once_and_are_listed():
    document = tlex.from_links(
        [("a", "BEFORE", "b"), ("b", "BEFORE", "a"), ("b", "AFTER", "a"), ("a", "AFTER", "b")]
    )

    (conflict,) = tlex.extract(document).conflicts

    assert conflict.minimal == conflict.links == ("l1", "l2")
    assert conflict.same == {"l1": ("l3",), "l2": ("l4",)}


@pytest.mark.parametrize("label", ["BEFORE", "IBEFORE"])
def test_a_long_ring_is_one_conflict(label):
    size = 400
    ring = [(f"e{k}", label, f"e{(k + 1) % size}") for k in range(size)]

    result = tlex.extract(tlex.from_links(ring))

    assert result.conflicts_complete
    assert [len(conflict.links) for conflict in result.conflicts] == [size]


def test_a_very_long_ring_is_searched_once():
    size = 20_000
    ring = [(f"e{k}", "BEFORE", f"e{(k + 1) % size}") for k in range(size)]

    result = tlex.extract(tlex.from_links(ring))

    assert [len(conflict.links) for conflict in result.conflicts] == [size]
    assert result.conflicts_complete


def test_the_conflicts_of_several_parts_come_by_their_first_links():
    rows = "a BEFORE b", "c BEFORE d", "d BEFORE c", "b BEFORE a"
    result = tlex.extract(tlex.from_links([row.split() for row in rows]))

    assert [conflict.minimal for conflict in result.conflicts] == [("l1", "l4"), ("l2", "l3")]
    assert [conflict.timeline for conflict in result.conflicts] == [0, 1]
