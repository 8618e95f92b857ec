"""The conflicts of a repair prove its cost, whatever the links weigh and whatever must stay."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import ORDERING, Graph, document_of, links_among

import tlex


@st.composite
def weighed_graphs(draw: st.DrawFn) -> tuple[Graph, dict[str, int]]:
    size = draw(st.integers(2, 5))
    graph = Graph(size, draw(links_among(size, ORDERING, 7, least=2)))
    names = [f"l{number}" for number in range(1, len(graph.links) + 1)]
    return graph, {name: draw(st.integers(1, 4)) for name in names}


def hit(sets: list[set[str]], costs: dict[str, int]) -> int:
    """The least cost of links that meet all sets, by trying."""
    subsets = chain.from_iterable(combinations(costs, size) for size in range(len(costs) + 1))
    return min(
        sum(costs[link] for link in chosen)
        for chosen in subsets
        if all(one.intersection(chosen) for one in sets)
    )


@settings(max_examples=80, deadline=None)
@given(drawn=weighed_graphs(), data=st.data())
def test_no_cheaper_links_meet_the_conflicts_of_a_repair(drawn, data):
    graph, costs = drawn
    document = document_of(graph)
    keep = data.draw(st.lists(st.sampled_from(sorted(costs)), max_size=1))
    try:
        fixed = tlex.fix(document, weights=costs, keep=keep)
    except tlex.OptionError:
        return  # the link to keep contradicts itself

    same = {}
    for conflict in fixed.conflicts:
        for first, others in conflict.same.items():
            same[first] = {first, *others}
    together = {
        link: sum(costs[other] for other in same.get(link, {link}))
        for link in costs
        if not same.get(link, {link}).intersection(keep)
    }
    sets = [set(conflict.minimal).intersection(together) for conflict in fixed.conflicts]
    assert hit(sets, together) == fixed.cost
    own = len(tlex.extract(document).conflicts)
    assert [conflict.number for conflict in fixed.conflicts] == list(
        range(1, len(fixed.conflicts) + 1)
    )
    assert fixed.conflicts[:own] == tlex.extract(document).conflicts
    tlex.verify(document, fixed)


@pytest.mark.parametrize("weights", [{}, {"tlink": 3}])
def test_links_of_one_weight_need_no_other_conflicts(weights):
    rows = [("a", "BEFORE", "b"), ("b", "BEFORE", "a"), ("b", "BEFORE", "c"), ("c", "BEFORE", "a")]
    document = tlex.from_links(rows)

    assert tlex.fix(document, weights=weights).conflicts == tlex.extract(document).conflicts


def test_a_ring_of_heavy_links_is_listed_if_the_proof_needs_it():
    ring = [("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("c", "BEFORE", "d"), ("d", "BEFORE", "a")]
    document = tlex.from_links([*ring, *[(b, label, a) for a, label, b in ring]])
    heavy = {f"l{number}": 10 for number in range(1, 5)}
    costs = heavy | {f"l{number}": 1 for number in range(5, 9)}

    plain, fixed = tlex.fix(document), tlex.fix(document, weights=heavy)

    assert [len(conflict.minimal) for conflict in plain.conflicts] == [2, 2, 2, 2]
    assert fixed.conflicts[-1].minimal == ("l1", "l2", "l3", "l4")
    assert hit([set(conflict.minimal) for conflict in plain.conflicts], costs) == 4
    assert hit([set(conflict.minimal) for conflict in fixed.conflicts], costs) == fixed.cost == 13
