"""What holds after every minimum repair, judged by listing them all."""

from __future__ import annotations

from itertools import combinations

import brute
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import document_of, number_of, tangled_graphs

import tlex
from tlex.conflicts.certainty import Certainty
from tlex.conflicts.work import Work
from tlex.graph import build_graph
from tlex.steps.transform import transform


@settings(max_examples=60)
@given(
    graph=tangled_graphs(brute.TLINKS, largest=5, most=7),
    data=st.data(),
)
def test_an_order_holds_if_and_only_if_every_minimum_repair_leaves_nothing_else(graph, data):
    document = document_of(graph)
    points = transform(build_graph(document, times="point"))
    costs = {n: data.draw(st.integers(1, 2)) for n in range(len(document.links))}
    triples = [(number_of(a.source), a.type, number_of(a.target)) for a in document.links]
    every = [
        (sum(costs[n] for n in removed), closed)
        for size in range(len(triples) + 1)
        for removed in combinations(range(len(triples)), size)
        for kept in [[t for n, t in enumerate(triples) if n not in removed]]
        if (closed := brute.close(graph.size, kept, graph.instants)) is not None
    ]
    least = min(cost for cost, _ in every)
    minimum = [closed for cost, closed in every if cost == least]

    certainty = Certainty(points, costs)

    assert certainty.proven
    judged = [2 * number_of(node.id) + end for node in document.nodes for end in range(2)]
    for left, one in enumerate(judged):
        for right, other in enumerate(judged):
            orders = {order_of(answer, one, other) for answer in minimum}
            assert certainty.holds((left, True, right)) == (orders == {"<"})
            assert certainty.holds((left, False, right)) == (orders == {"="})


def order_of(answer: brute.Answer, left: int, right: int) -> str:
    """The order of two points in the judge's answer: ``<``, ``=``, ``>``, or ``?`` if unknown."""
    if (min(left, right), max(left, right)) in answer.pairs:
        return "?"
    one, other = answer.earliest[left], answer.earliest[right]
    return "<" if one < other else ">" if one > other else "="


def points_of(*rows: tuple[str, str, str]):
    return transform(build_graph(tlex.from_links(rows)))


def test_what_all_minimum_repairs_agree_on_holds():
    # Either of the last two links goes; a is before b in any case.
    points = points_of(("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("c", "BEFORE", "b"))
    certainty = Certainty(points, dict.fromkeys(range(3), 1))

    assert certainty.holds((1, True, 2)) is True
    assert certainty.holds((3, True, 4)) is False
    assert certainty.holds((0, True, 5)) is False


def test_without_work_nothing_is_decided_that_needs_some():
    rows = [(f"e{a}", "BEFORE", f"e{(a * 7 + 3 * b) % 60}") for a in range(60) for b in range(1, 8)]
    certainty = Certainty(points_of(*rows), dict.fromkeys(range(len(rows)), 1), work=Work(0))

    assert not certainty.proven
    assert certainty.holds((0, True, 9)) is None
