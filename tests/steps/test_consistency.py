"""Step 3: equal points merge, and what remains has an order or contradicts itself."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import brute
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tlex.points.graphs import OWN, PointGraph, Successors
from tlex.points.union_find import merge_equal
from tlex.steps.consistency import check_consistency

Pair = tuple[int, int]


def points_of(size: int, less: Sequence[Pair], equal: Sequence[Pair] = ()) -> PointGraph:
    return PointGraph(
        size=size,
        less_left=[left for left, _ in less],
        less_right=[right for _, right in less],
        less_link=[OWN] * len(less),
        equal_left=[left for left, _ in equal],
        equal_right=[right for _, right in equal],
        equal_link=[OWN] * len(equal),
        cuts=(0, size),
    )


def pairs_below(size: int) -> st.SearchStrategy[list[Pair]]:
    point = st.integers(0, size - 1)
    return st.lists(st.tuples(point, point), max_size=size)


@given(less=pairs_below(8), equal=pairs_below(8))
def test_the_verdict_is_that_of_the_closure(less, equal):
    known = [(p, "<", q) for p, q in less] + [(p, "=", q) for p, q in equal]

    verdict = check_consistency(points_of(8, less, equal))

    assert bool(verdict.broken) == (brute.close_constraints(8, known) is None)


@given(equal=pairs_below(9))
def test_compounds_are_the_groups_of_equal_points_numbered_by_their_first(equal):
    compound, size = merge_equal(points_of(9, [], equal))

    groups = brute.connect(9, equal)
    assert size == len(groups)
    assert [tuple(p for p in range(9) if compound[p] == k) for k in range(size)] == groups


@given(less=pairs_below(7), equal=pairs_below(3))
def test_the_layers_are_a_proof_that_there_is_no_cycle(less, equal):
    graph = check_consistency(points_of(7, less, equal))

    if not graph.broken:
        layer = {number: at for at, layer in enumerate(graph.layers) for number in layer}
        assert sorted(number for layer in graph.layers for number in layer) == list(
            range(graph.size)
        )
        for number, after in enumerate(graph.successors):
            assert all(layer[number] < layer[other] for other in after)


@given(less=pairs_below(7), equal=pairs_below(3))
def test_each_constraint_becomes_an_edge_between_compounds(less, equal):
    graph = check_consistency(points_of(7, less, equal))

    if not graph.broken:
        edges = [
            (number, other) for number, after in enumerate(graph.successors) for other in after
        ]
        assert sorted(edges) == sorted((graph.compound[p], graph.compound[q]) for p, q in less)


@pytest.mark.parametrize(
    ("less", "equal"),
    [
        ([(0, 0)], []),
        ([(0, 1)], [(0, 1)]),
        ([(0, 1)], [(1, 2), (2, 0)]),
        ([(0, 1), (1, 0)], []),
        ([(0, 1), (2, 3)], [(1, 2), (3, 0)]),
        ([(0, 1), (1, 2), (2, 0)], []),
    ],
    ids=["v < v", "v = w < v", "v = u = w < v", "v < w < v", "through compounds", "three"],
)
def test_a_strict_step_on_a_closed_way_is_a_contradiction(less, equal):
    assert check_consistency(points_of(4, less, equal)).broken


@pytest.mark.parametrize(
    ("less", "equal"),
    [([], [(0, 1), (1, 0)]), ([(0, 1), (0, 1)], []), ([(0, 1), (0, 2), (1, 3), (2, 3)], [])],
    ids=["equal both ways", "said twice", "diamond"],
)
def test_a_closed_way_without_direction_or_strictness_is_none(less, equal):
    assert not check_consistency(points_of(4, less, equal)).broken


def test_a_contradiction_far_from_the_rest_is_found():
    less = [(0, 1), (1, 2), (2, 3), (5, 6), (6, 7), (7, 5)]

    assert check_consistency(points_of(9, less)).broken


def test_a_chain_of_a_hundred_thousand_points_overflows_no_stack():
    size = 100_000
    chain = [(point + 1, point) for point in range(size - 1)]

    assert not check_consistency(points_of(size, chain)).broken
    assert check_consistency(points_of(size, [*chain, (0, size - 1)])).broken
    assert merge_equal(points_of(size, [], chain)) == ([0] * size, 1)


def test_the_points_that_were_given_are_left_alone():
    points = points_of(4, [(0, 1), (2, 3)], [(1, 2)])
    before = repr(points)

    check_consistency(points)

    assert repr(points) == before


PAIRS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=14)


@given(less=PAIRS, equal=PAIRS.map(lambda pairs: pairs[:3]))
def test_a_large_graph_is_ordered_as_a_small_one_is(less, equal):
    points = points_of(8, less, equal)
    small = check_consistency(points)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tlex.steps.consistency._LARGE", 0)
        patch.setattr("tlex.points.union_find._LARGE", 0)
        large = check_consistency(points)

    assert (large.size, large.cuts) == (small.size, small.cuts)
    assert list(large.compound) == small.compound
    assert list(large.broken) == list(small.broken)
    assert [sorted(layer) for layer in large.layers] == [sorted(layer) for layer in small.layers]
    assert [sorted(after) for after in large.successors] == [sorted(s) for s in small.successors]


def test_runs_are_a_sequence_of_sequences():
    runs = Successors(array("i", [0, 2, 2]), array("i", [2, 2, 5]), array("i", range(5, 10)))

    assert len(runs) == 3
    assert [list(run) for run in runs] == [[5, 6], [], [7, 8, 9]]
    assert list(runs[-1]) == [7, 8, 9]
    assert [list(run) for run in runs[1:]] == [[], [7, 8, 9]]
    with pytest.raises(IndexError):
        runs[3]
