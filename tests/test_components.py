"""The steps treat all components at once: each comes out as if it were alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Graph, document_of, small_graphs

import tlex
from tlex.points.graphs import Consistent
from tlex.steps.consistency import check_consistency
from tlex.steps.generation import find_latest, generate_timeline


def shift(graph: Graph, by: int) -> Graph:
    """The same graph on other intervals."""
    links = [(source + by, label, target + by) for source, label, target in graph.links]
    return Graph(graph.size, links, frozenset(number + by for number in graph.instants))


def answers(result: tlex.Extraction) -> dict[frozenset[str], tuple]:
    """What is known of each timeline, whatever number and neighbours it has."""
    conflicts: dict[int, list[tuple]] = {}
    for conflict in result.conflicts:
        walk = frozenset((step.left, step.order, step.right) for step in conflict.walk)
        conflicts.setdefault(conflict.timeline, []).append((conflict.kind, walk))
    return {
        frozenset(timeline.intervals): (
            timeline.consistent,
            timeline.length,
            dict(timeline.points),
            {frozenset(group) for group in timeline.compounds},
            timeline.tied_steps,
            [(section.first, section.last, set(section.points)) for section in timeline.sections],
            timeline.indeterminate_pairs,
            timeline.scenarios,
            len(conflicts.get(timeline.id, [])),
        )
        for timeline in result.timelines
    }


@settings(max_examples=120)
@given(
    graphs=st.lists(small_graphs(), min_size=2, max_size=4),
    dice=st.randoms(use_true_random=False),
    times=st.sampled_from(["interval", "point"]),
)
def test_what_is_said_of_a_part_does_not_depend_on_the_others(graphs, dice, times):
    moved = [shift(graph, 10 * k) for k, graph in enumerate(graphs)]
    alone: dict[frozenset[str], tuple] = {}
    for graph in moved:
        alone |= answers(tlex.extract(document_of(graph), times=times))
    # The links of all, shuffled like cards: each pile keeps its order.
    piles = [list(graph.links) for graph in moved]
    mixed = []
    while any(piles):
        mixed.append(dice.choice([pile for pile in piles if pile]).pop(0))
    instants = frozenset().union(*(graph.instants for graph in moved))

    together = tlex.extract(document_of(Graph(40, mixed, instants)), times=times)

    assert answers(together) == alone
    assert together.consistent == all(answer[0] for answer in alone.values())


@pytest.mark.parametrize("broken", [(0,), (1,), (2,), (0, 2), (0, 1, 2)])
def test_the_components_that_contradict_themselves_are_the_ones_that_are_named(broken):
    rows = []
    for part in range(3):
        rows += [(f"a{part}", "BEFORE", f"b{part}"), (f"b{part}", "BEFORE", f"c{part}")]
        if part in broken:
            rows.append((f"c{part}", "IBEFORE", f"a{part}"))

    result = tlex.extract(tlex.from_links([*rows, ("x", "VAGUE", "y")]))

    assert [line.id for line in result.timelines if not line.consistent] == list(broken)
    assert {conflict.timeline for conflict in result.conflicts} == set(broken)
    assert [line.length for line in result.timelines if line.consistent][-1] == 2


def test_components_can_be_counted_from_the_end():
    components = tlex.extract(tlex.read("examples/story.tml")).components

    assert components[-1].members == components[len(components) - 1].members
    assert components[-1].steps == components[len(components) - 1].steps
    with pytest.raises(IndexError):
        components[len(components)]


def test_the_links_of_a_part_are_given_as_its_intervals_are_numbered():
    rows = [("a", "BEFORE", "b"), ("x", "AFTER", "y"), ("b", "BEFORE", "c")]
    document = tlex.from_links(rows)
    components = tlex.extract(document).components

    found = {
        (document.links[number].id, *(document.nodes[part.members[end]].id for end in ends))
        for which, part in enumerate(components)
        for number, _, *ends in components.list_links(which)
    }

    assert found == {(link.id, link.source, link.target) for link in document.links}


def test_a_lone_interval_has_its_own_constraint_and_no_links():
    document = tlex.from_links([("a", "BEFORE", "b"), ("c", "VAGUE", "b")])
    components = tlex.extract(document).components
    (alone,) = (which for which, part in enumerate(components) if len(part.members) == 1)

    constraints = components.constraints(alone)

    assert (constraints.less_left, constraints.less_right) == ([0], [1])
    assert constraints.equal_left == []
    assert list(components.list_links(alone)) == []


@settings(max_examples=100)
@given(graphs=st.lists(small_graphs(), min_size=1, max_size=3))
def test_a_consistent_component_is_complete(graphs):
    links = [link for k, graph in enumerate(graphs) for link in shift(graph, 10 * k).links]
    components = tlex.extract(document_of(Graph(40, links))).components

    for number, component in enumerate(components):
        assert component.consistent == isinstance(component, Consistent)
        if isinstance(component, Consistent):
            graph = component.graph
            whole = check_consistency(components.constraints(number))
            alike = dict(zip(whole.compound, graph.compound, strict=True))
            assert {
                alike[one]: {alike[after] for after in whole.successors[one]} for one in alike
            } == {one: set(after) for one, after in enumerate(graph.successors)}
            assert _by_point(whole, generate_timeline(whole).earliest) == component.levels
            latest = find_latest(whole, generate_timeline(whole))
            assert _by_point(whole, latest) == _by_point(graph, component.latest)
            assert len(graph.compound) == 2 * len(component.members)


def _by_point(graph, steps):
    return [steps[compound] for compound in graph.compound]
