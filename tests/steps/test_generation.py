"""Step 4: everything stands as early as it can, and as late as the length allows."""

from __future__ import annotations

from hypothesis import given
from strategies import upward_edges

from tlex.points.graphs import OWN, LayeredGraph, PointGraph
from tlex.steps.consistency import check_consistency
from tlex.steps.generation import find_latest, generate_timeline


def graph_of(size: int, *edges: tuple[int, int]) -> LayeredGraph:
    """Let step 3 make the graph of compounds that are points."""
    left, right = [one for one, _ in edges], [other for _, other in edges]
    return check_consistency(
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


def place(graph: LayeredGraph) -> tuple[list[int], list[int], list[int]]:
    """Lengths of the parts, earliest and latest steps."""
    steps = generate_timeline(graph)
    return steps.lengths, steps.earliest, list(find_latest(graph, steps))


def longest(start: int, edges: list[tuple[int, int]], *, up: bool) -> int:
    """Count the points on the longest chain from a point, by trying all of them."""
    following = [other if up else one for one, other in edges if (one if up else other) == start]
    return 1 + max((longest(other, edges, up=up) for other in following), default=0)


def test_a_chain_has_one_step_for_each_compound():
    assert place(graph_of(3, (0, 1), (1, 2))) == ([3], [1, 2, 3], [1, 2, 3])


def test_a_shortcut_moves_nothing():
    assert place(graph_of(4, (0, 1), (1, 2), (2, 3), (0, 3), (0, 2))) == (
        [4],
        [1, 2, 3, 4],
        [1, 2, 3, 4],
    )


def test_what_is_free_stands_on_the_first_step_and_may_stand_on_the_last():
    assert place(graph_of(3, (0, 1))) == ([2], [1, 2, 1], [1, 2, 2])


def test_a_short_branch_has_slack_on_both_sides():
    assert place(graph_of(6, (0, 1), (1, 2), (2, 3), (0, 4), (4, 3), (5, 3))) == (
        [4],
        [1, 2, 3, 4, 2, 1],
        [1, 2, 3, 4, 3, 3],
    )


def test_the_latest_step_heeds_every_successor():
    *_, latest = place(graph_of(5, (0, 3), (0, 1), (1, 2), (2, 3), (4, 3), (4, 1)))

    assert latest == [1, 2, 3, 4, 1]


def test_the_order_need_not_be_that_of_the_numbers():
    assert place(graph_of(3, (2, 1), (1, 0))) == ([3], [3, 2, 1], [3, 2, 1])


@given(edges=upward_edges(8, 14))
def test_the_step_is_the_longest_chain_below_and_the_slack_what_the_chain_above_leaves(edges):
    lengths, earliest, latest = place(graph_of(8, *edges))

    below = [longest(point, edges, up=False) for point in range(8)]
    above = [longest(point, edges, up=True) for point in range(8)]
    assert earliest == below
    assert lengths[0] == max(below)
    assert latest == [max(below) + 1 - chain for chain in above]
