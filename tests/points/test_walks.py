"""Walks along constraints: they exist where an order is entailed, and have the fewest links."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Graph, document_of, placed_graphs

import tlex
from tlex.points.graphs import OWN, Consistent, PointGraph, group_by_link
from tlex.points.walks import Walks


def settle(graph: Graph) -> list[tuple[Consistent, PointGraph]]:
    """Give the components of a consistent graph that have links, with their constraints."""
    components = tlex.extract(document_of(graph)).components
    return [
        (component, components.constraints(number))
        for number, component in components.list_consistent()
    ]


def measure(points: PointGraph, start: int, avoid: set[int]) -> dict[int, int]:
    """Count the links of a shortest walk from one point to each other one (Dijkstra)."""
    edges = [
        *zip(points.less_left, points.less_right, points.less_link, strict=True),
        *zip(points.equal_left, points.equal_right, points.equal_link, strict=True),
        *zip(points.equal_right, points.equal_left, points.equal_link, strict=True),
    ]
    best: dict[int, int] = {}
    queue = [(0, start)]
    while queue:
        cost, point = heappop(queue)
        if point in best:
            continue
        best[point] = cost
        for left, right, link in edges:
            if left == point and link not in avoid:
                heappush(queue, (cost + (link != OWN), right))
    return best


@settings(max_examples=80)
@given(graph=placed_graphs(largest=6), data=st.data())
def test_a_walk_is_found_where_there_is_one_and_has_the_fewest_links(graph, data):
    for component, points in settle(graph):
        links = sorted({*points.less_link, *points.equal_link} - {OWN})
        avoid = set(data.draw(st.lists(st.sampled_from(links), max_size=2)))
        walks = Walks(points, component.levels)
        for start in range(points.size):
            best = measure(points, start, avoid)
            for goal in range(points.size):
                walk = walks.find(start, goal, avoid)

                assert (walk is None) == (goal not in best)
                if walk is not None:
                    assert sum(step[3] != OWN for step in walk) == best[goal]


@settings(max_examples=60)
@given(graph=placed_graphs(largest=6))
def test_each_step_of_a_walk_is_a_constraint_and_leads_on(graph):
    for component, points in settle(graph):
        less = set(zip(points.less_left, points.less_right, points.less_link, strict=True))
        equal = set(zip(points.equal_left, points.equal_right, points.equal_link, strict=True))
        walks = Walks(points, component.levels)
        for start, goal in product(range(points.size), repeat=2):
            at = start
            for left, strict, right, link in walks.find(start, goal) or ():
                assert left == at
                at = right
                if strict:
                    assert (left, right, link) in less
                else:
                    assert {(left, right, link), (right, left, link)} & equal
            assert at in {start, goal}


@settings(max_examples=60)
@given(graph=placed_graphs(largest=6))
def test_reasons_imply_the_link_and_leave_out_what_is_to_be_avoided(graph):
    document = document_of(graph)
    for component, points in settle(graph):
        walks = Walks(points, component.levels)
        for link, constraints in group_by_link(points).items():
            if link == OWN:
                continue
            reasons = walks.find_reasons(constraints, {link})

            assert reasons is None or link not in reasons
            if reasons:
                said = document.links[link]
                kept = document.replace(links=tuple(document.links[n] for n in sorted(reasons)))
                entailed = tlex.extract(kept).relation(said.source, said.target).names
                whole = tlex.extract(document).relation(said.source, said.target).names
                assert set(whole) <= set(entailed)
                alone = document.replace(links=(said,))
                assert set(entailed) <= set(
                    tlex.extract(alone).relation(said.source, said.target).names
                )


def test_links_of_an_earlier_walk_are_used_again():
    rows = [("a", "INCLUDES", "b"), ("a", "INCLUDES", "c"), ("c", "SIMULTANEOUS", "b")]
    rows += [("a", "INCLUDES", "d"), ("d", "SIMULTANEOUS", "b")]
    components = tlex.extract(tlex.from_links(rows)).components
    (number, component), *_ = components.list_consistent()
    points = components.constraints(number)

    reasons = Walks(points, component.levels).find_reasons(group_by_link(points)[0], {0})

    assert reasons in ({1, 2}, {3, 4})


def test_nothing_is_found_above_the_limit():
    rows = [(f"e{k}", "BEFORE", f"e{k + 1}") for k in range(50)]
    components = tlex.extract(tlex.from_links(rows)).components
    (number, component), *_ = components.list_consistent()
    walks = Walks(components.constraints(number), component.levels, limit=10)

    assert walks.find(0, 101) is None
    assert walks.exhausted
    assert walks.work > 10
