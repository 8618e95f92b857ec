"""Step 1: the parts are what the links hold together, and each part is a graph of its own."""

from __future__ import annotations

import brute
from hypothesis import given
from strategies import Graph, tangled_graphs

from tlex.algebra import CODES
from tlex.graph import TemporalGraph
from tlex.steps.partition import partition

CODE = {**CODES["TLINK"], **CODES["ALINK"]}


def graph_of(graph: Graph) -> TemporalGraph:
    """Make a graph for the step; links count from 100, so that no place passes for a number."""
    links = [link for link in graph.links if link[1] not in brute.WITHOUT_ORDER]
    return TemporalGraph(
        graph.size,
        [CODE[label] for _, label, _ in links],
        [source for source, _, _ in links],
        [target for _, _, target in links],
        list(range(100, 100 + len(links))),
        sorted(graph.instants),
    )


@given(graph=tangled_graphs())
def test_the_parts_are_the_connected_groups_in_text_order(graph):
    parts = partition(graph_of(graph))

    assert [tuple(members) for members in parts.members] == brute.split(graph.size, graph.links)
    for part, members in enumerate(parts.members):
        assert all(parts.part_of[member] == part for member in members)


@given(graph=tangled_graphs())
def test_a_part_keeps_its_links_in_document_order_and_its_instants(graph):
    whole = graph_of(graph)

    parts = partition(whole)

    rows = list(zip(whole.labels, whole.sources, whole.targets, whole.numbers, strict=True))
    for part, (members, own) in enumerate(zip(parts.members, parts.graphs, strict=True)):
        kept = [row for row in rows if parts.part_of[row[1]] == part]
        instants = [interval for interval in members if interval in graph.instants]
        if own is None:
            assert (kept, instants) == ([], [])
            continue
        assert own.size == len(members)
        assert [
            (label, members[source], members[target], number)
            for label, source, target, number in zip(
                own.labels, own.sources, own.targets, own.numbers, strict=True
            )
        ] == kept
        assert [members[interval] for interval in own.instants] == instants


def test_an_interval_that_no_link_touches_has_no_graph():
    parts = partition(TemporalGraph(2))

    assert parts.members == [[0], [1]]
    assert parts.graphs == [None, None]


def test_an_interval_linked_to_itself_has_a_graph():
    parts = partition(graph_of(Graph(2, [(1, "BEFORE", 1)])))

    assert parts.graphs[0] is None
    assert parts.graphs[1].numbers == [100]


def test_an_instant_that_no_link_touches_has_a_graph():
    parts = partition(graph_of(Graph(2, [], frozenset({1}))))

    assert parts.graphs[0] is None
    assert parts.graphs[1] == TemporalGraph(1, instants=[0])


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
        size,
        [CODE["BEFORE"]] * (size - 1),
        list(range(size - 1, 0, -1)),
        list(range(size - 2, -1, -1)),
        list(range(size - 1)),
    )

    assert len(partition(down).members) == 1


def test_the_graph_that_was_given_is_left_alone():
    graph = graph_of(Graph(3, [(2, "BEFORE", 0)], frozenset({1})))
    before = repr(graph)

    partition(graph)

    assert repr(graph) == before
