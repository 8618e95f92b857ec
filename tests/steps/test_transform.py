"""Step 2: the table is the paper's, and the step adds nothing else."""

from __future__ import annotations

from array import array

import brute
import pytest
from brute import ALINKS, TLINKS, WIDER
from hypothesis import given
from strategies import document_of, number_of, tangled_graphs

from tlex.algebra import CODES
from tlex.graph import build_graph
from tlex.points.graphs import OWN, PointGraph, TemporalGraph
from tlex.steps.transform import transform

CODE = {**CODES["TLINK"], **CODES["ALINK"]}


def rows_of(points: PointGraph) -> list[tuple[int, str, int, int]]:
    """List the constraints: left, order, right, link."""
    less = zip(points.less_left, points.less_right, points.less_link, strict=True)
    equal = zip(points.equal_left, points.equal_right, points.equal_link, strict=True)
    return [
        *((left, "<", right, link) for left, right, link in less),
        *((left, "=", right, link) for left, right, link in equal),
    ]


def test_an_interval_starts_before_it_ends():
    points = transform(TemporalGraph(size=2))

    assert points.size == 4
    assert rows_of(points) == [(0, "<", 1, OWN), (2, "<", 3, OWN)]


def test_the_two_points_of_an_instant_are_equal():
    points = transform(TemporalGraph(size=3, instants=[1]))

    assert rows_of(points) == [(0, "<", 1, OWN), (4, "<", 5, OWN), (2, "=", 3, OWN)]


@pytest.mark.parametrize("label", [*TLINKS, *ALINKS])
def test_a_link_becomes_its_row_and_nothing_else(label):
    points = transform(
        TemporalGraph(size=2, labels=[CODE[label]], sources=[1], targets=[0], numbers=[7])
    )

    own = [(0, "<", 1, OWN), (2, "<", 3, OWN)]
    rows = [row for row in rows_of(points) if row not in own]
    said = {row[:3] for row in rows} | {(q, "=", p) for p, order, q, _ in rows if order == "="}
    assert said == brute.constraints_of((1, label, 0))
    assert {link for _, _, _, link in rows} == {7}


@pytest.mark.parametrize("label", WIDER)
def test_a_wider_label_says_no_more_and_no_less_than_it_means(label):
    points = transform(
        TemporalGraph(size=2, labels=[CODE[label]], sources=[0], targets=[1], numbers=[7])
    )

    rows = {row[:3] for row in rows_of(points) if row[3] == 7}
    for world in brute.order_freely(4):
        met = all(
            world[left] < world[right] if order == "<" else world[left] == world[right]
            for left, order, right in rows
        )
        assert met == brute.holds(label, brute.stretch(world, 0), brute.stretch(world, 1))


@given(graph=tangled_graphs((*TLINKS, *ALINKS)))
def test_there_are_2n_points_and_at_most_n_plus_2m_constraints(graph):
    document = document_of(graph)

    points = transform(build_graph(document, times="point"))

    size = len(document.nodes)
    assert points.size == 2 * size
    assert len(rows_of(points)) <= size + 2 * len(graph.links)


@given(graph=tangled_graphs())
def test_an_edge_remembers_the_link_it_came_from(graph):
    document = document_of(graph)
    numbers = [number_of(node.id) for node in document.nodes]

    points = transform(build_graph(document, times="point"))

    for left, order, right, link in rows_of(points):
        if link != OWN:
            here = tuple(2 * numbers[point // 2] + point % 2 for point in (left, right))
            assert (here[0], order, here[1]) in brute.constraints_of(graph.links[link])


def test_the_graph_that_was_given_is_left_alone():
    graph = TemporalGraph(
        size=2, labels=[CODE["ENDS"]], sources=[0], targets=[1], numbers=[0], instants=[1]
    )
    before = repr(graph)

    transform(graph)

    assert repr(graph) == before


def test_a_self_loop_speaks_of_one_interval():
    points = transform(
        TemporalGraph(size=1, labels=[CODE["IBEFORE"]], sources=[0], targets=[0], numbers=[3])
    )

    assert rows_of(points) == [(0, "<", 1, OWN), (1, "=", 0, 3)]


@given(graph=tangled_graphs())
def test_a_large_graph_is_transformed_as_a_small_one_is(graph):
    temporal = build_graph(document_of(graph), times="point")
    small = transform(temporal)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tlex.steps.transform._LARGE", -1)
        large = transform(temporal)

    assert isinstance(large.less_left, array)
    assert (large.size, list(large.cuts)) == (small.size, list(small.cuts))
    assert rows_of(large) == rows_of(small)
