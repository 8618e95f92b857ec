"""Step 1: the parts are what the links hold together, and each part is a graph of its own."""

from __future__ import annotations

import brute
from hypothesis import given
from strategies import Graph, tangled_graphs

from tlex.algebra import CODES
from tlex.points.graphs import TemporalGraph
from tlex.steps.partition import partition

CODE = {**CODES["TLINK"], **CODES["ALINK"]}


def graph_of(graph: Graph) -> TemporalGraph:
    """Make a graph for the step; links count from 100, so that no place passes for a number."""
    links = [link for link in graph.links if link[1] not in brute.WITHOUT_ORDER]
    return TemporalGraph(
        size=graph.size,
        labels=[CODE[label] for _, label, _ in links],
        sources=[source for source, _, _ in links],
        targets=[target for _, _, target in links],
        numbers=list(range(100, 100 + len(links))),
        instants=sorted(graph.instants),
    )


@given(graph=tangled_graphs())
def test_the_parts_are_the_connected_groups_in_text_order(graph):
    parts = partition(graph_of(graph))

    assert [tuple(members) for members in parts.members] == brute.split(graph.size, graph.links)
    for part, members in enumerate(parts.members):
        assert all(parts.component_of[member] == part for member in members)


@given(graph=tangled_graphs())
def test_each_part_becomes_a_run_of_numbers_and_nothing_is_lost(graph):
    whole = graph_of(graph)

    parts = partition(whole)

    # Each interval's number in the document, in the order of their new numbers.
    old = [interval for part in parts.blocks for interval in parts.members[part]]
    new = parts.graph
    assert new.size == len(old)
    assert list(new.labels) == list(whole.labels)
    assert [old[interval] for interval in new.sources] == list(whole.sources)
    assert [old[interval] for interval in new.targets] == list(whole.targets)
    assert [old[interval] for interval in new.instants] == list(whole.instants)
    assert list(new.numbers) == list(whole.numbers)
    sizes = [len(parts.members[part]) for part in parts.blocks]
    assert list(new.cuts) == [sum(sizes[:k]) for k in range(len(sizes) + 1)]
    touched = {*whole.sources, *whole.targets, *whole.instants}
    assert parts.blocks == sorted({parts.component_of[interval] for interval in touched})


def test_an_interval_that_no_link_touches_needs_no_settling():
    parts = partition(TemporalGraph(size=2))

    assert parts.members == [[0], [1]]
    assert parts.blocks == []
    assert (parts.graph.size, parts.graph.cuts) == (0, [0])


def test_an_interval_linked_to_itself_needs_settling():
    parts = partition(graph_of(Graph(2, [(1, "BEFORE", 1)])))

    assert parts.blocks == [1]
    assert (parts.graph.size, parts.graph.sources, parts.graph.targets) == (1, [0], [0])


def test_an_instant_that_no_link_touches_needs_settling():
    parts = partition(graph_of(Graph(2, [], frozenset({1}))))

    assert parts.blocks == [1]
    assert (parts.graph.size, parts.graph.instants, parts.graph.cuts) == (1, [0], [0, 1])


def test_links_are_read_without_direction():
    there = partition(graph_of(Graph(3, [(0, "BEFORE", 2)])))
    back = partition(graph_of(Graph(3, [(2, "BEFORE", 0)])))

    assert there.members == back.members == [[0, 2], [1]]


def test_a_late_link_joins_two_grown_parts():
    links = [(4, "BEFORE", 5), (2, "BEFORE", 3), (0, "BEFORE", 1), (5, "BEFORE", 3)]

    parts = partition(graph_of(Graph(6, [*links, (1, "BEFORE", 4)])))

    assert parts.members == [[0, 1, 2, 3, 4, 5]]


def test_a_chain_of_a_hundred_thousand_intervals_is_one_part_either_way():
    size = 100_000
    down = TemporalGraph(
        size=size,
        labels=[CODE["BEFORE"]] * (size - 1),
        sources=list(range(size - 1, 0, -1)),
        targets=list(range(size - 2, -1, -1)),
        numbers=list(range(size - 1)),
    )

    assert len(partition(down).members) == 1


def test_the_graph_that_was_given_is_left_alone():
    graph = graph_of(Graph(3, [(2, "BEFORE", 0)], frozenset({1})))
    before = repr(graph)

    partition(graph)

    assert repr(graph) == before
