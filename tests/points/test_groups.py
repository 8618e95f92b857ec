"""Union-find, strongly connected components and reachability, judged by networkx."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st
from strategies import document_of, placed_graphs, upward_edges

import tlex
from tlex.points.reachability import Reach, find_detours, find_preceding
from tlex.points.strong_components import find_strong_components
from tlex.points.union_find import join_pairs

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=20)


@given(pairs=PAIRS)
def test_parents_lead_to_the_smallest_member_of_the_group(pairs):
    parent = join_pairs(10, [left for left, _ in pairs], [right for _, right in pairs])

    graph = nx.Graph(pairs)
    graph.add_nodes_from(range(10))
    for group in nx.connected_components(graph):
        for member in group:
            assert parent[member] in group
            assert parent[member] <= member
            assert (parent[member] == member) == (member == min(group))


@given(pairs=PAIRS)
def test_strong_components_are_those_of_networkx(pairs):
    following = [[right for left, right in pairs if left == node] for node in range(10)]

    component_of, components = find_strong_components(following)

    graph = nx.DiGraph(pairs)
    graph.add_nodes_from(range(10))
    assert {frozenset(component) for component in components} == {
        frozenset(component) for component in nx.strongly_connected_components(graph)
    }
    assert all(node in components[component_of[node]] for node in range(10))


def test_a_ring_of_many_nodes_overflows_no_stack():
    size = 100_000

    _, components = find_strong_components([[(node + 1) % size] for node in range(size)])

    assert len(components) == 1


@given(graph=placed_graphs())
def test_preceding_compounds_and_detours_are_those_with_a_path(graph):
    for _, component in tlex.extract(document_of(graph)).components.list_consistent():
        order = component.graph
        pairs = {(one, other) for one in range(order.size) for other in range(order.size)}

        found = find_preceding(order, component.steps, pairs)

        edges = [(one, after) for one in range(order.size) for after in order.successors[one]]
        paths = nx.DiGraph(edges)
        paths.add_nodes_from(range(order.size))
        assert found == {(one, other) for one in paths for other in nx.descendants(paths, one)}
        between = {(one, other) for one, middle in found for other in nx.descendants(paths, middle)}
        assert find_detours(order, component.steps, pairs) == between
        kept = Reach(order, component.steps)
        for some in ({*list(pairs)[::3]}, pairs):
            assert find_detours(order, component.steps, some, kept) == between & some


@given(edges=upward_edges(8, 12))
def test_a_graph_without_cycles_has_only_components_of_one_node(edges):
    following = [[right for left, right in edges if left == node] for node in range(8)]

    assert all(len(component) == 1 for component in find_strong_components(following)[1])
