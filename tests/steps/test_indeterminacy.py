"""Step 5: sections are what the pairs say, found without the pairs."""

from __future__ import annotations

import brute
from hypothesis import given, settings
from strategies import upward_edges

from tlex.points.graphs import OWN, PointGraph, Stretch, Unsettled
from tlex.steps.consistency import check_consistency
from tlex.steps.generation import generate_timeline
from tlex.steps.indeterminacy import detect_indeterminacy

Edge = tuple[int, int]


def detect(size: int, *edges: Edge) -> Unsettled:
    """Run steps 3 to 5 on compounds that are points."""
    left, right = [one for one, _ in edges], [other for _, other in edges]
    graph = check_consistency(
        PointGraph(
            size=size,
            less_left=left,
            less_right=right,
            less_link=[OWN] * len(edges),
            equal_left=[],
            equal_right=[],
            equal_link=[],
            cuts=(0, size),
        )
    )
    (found,) = detect_indeterminacy(graph, generate_timeline(graph))
    return found


@settings(max_examples=200)
@given(edges=upward_edges(8, 24))
def test_sections_are_the_connected_groups_of_open_pairs(edges):
    answer = brute.close_constraints(8, [(p, "<", q) for p, q in edges])

    unsettled = detect(8, *edges)

    assert tuple((run.first, run.last, run.size) for run in unsettled.sections) == answer.sizes
    assert tuple(unsettled.tied) == answer.tied


def test_a_chain_is_settled():
    assert detect(3, (0, 1), (1, 2)) == Unsettled([], [])


def test_a_diamond_has_one_section_of_two():
    assert detect(4, (0, 1), (0, 2), (1, 3), (2, 3)) == Unsettled([2], [Stretch(2, 2, 2)])


def test_two_neighbouring_sections_stay_two():
    edges = [(0, 2), (0, 3), (1, 2), (1, 3)]

    assert detect(4, *edges) == Unsettled([1, 2], [Stretch(1, 1, 2), Stretch(2, 2, 2)])


def test_one_missing_edge_joins_two_neighbouring_sections():
    edges = [(0, 2), (0, 3), (1, 2)]

    assert detect(4, *edges) == Unsettled([1, 2], [Stretch(1, 2, 4)])


def test_an_edge_said_twice_does_not_stand_for_one_that_is_missing():
    edges = [(0, 2), (0, 3), (0, 3), (1, 2)]

    assert detect(4, *edges) == Unsettled([1, 2], [Stretch(1, 2, 4)])


def test_a_point_alone_on_its_step_may_still_be_open():
    assert detect(4, (0, 1), (1, 2), (3, 2)) == Unsettled([1], [Stretch(1, 2, 3)])


def test_an_edge_past_the_next_step_settles_nothing_between():
    edges = [(0, 1), (1, 2), (2, 3), (4, 3)]

    assert detect(5, *edges) == Unsettled([1], [Stretch(1, 3, 4)])


def test_a_point_whose_nearest_successor_is_far_stays_open_until_then():
    edges = [(0, 1), (1, 2), (0, 3), (3, 4), (2, 4), (4, 5)]

    assert detect(6, *edges) == Unsettled([2], [Stretch(2, 3, 3)])


def test_nothing_but_open_points_is_one_section():
    assert detect(3) == Unsettled([1], [Stretch(1, 1, 3)])
