"""What is left after a choice: its minimum repair, found with what was learnt for other choices."""

from __future__ import annotations

from itertools import combinations
from unittest.mock import patch

import brute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import document_of, number_of, tangled_graphs

import tlex
from tlex.algebra import CODES, ROWS, TABLE_1
from tlex.conflicts.knots import tie_links
from tlex.conflicts.work import Work
from tlex.graph import build_graph
from tlex.points.graphs import OWN, group_by_link
from tlex.repair.rests import Rests
from tlex.steps.transform import transform

SMALL = tangled_graphs(most=8)


def list_repairs(graph, document: tlex.Document, links: list[int], firm=()) -> list[frozenset[int]]:
    """All sets of links without which the others can hold together, with what is firm."""
    triples = {
        n: (number_of(link.source), link.type, number_of(link.target))
        for n, link in enumerate(document.links)
    }
    return [
        frozenset(gone)
        for size in range(len(links) + 1)
        for gone in combinations(links, size)
        if brute.close(
            graph.size, [*firm, *(triples[n] for n in links if n not in gone)], graph.instants
        )
        is not None
    ]


def keep_first(repairs: list[frozenset[int]], ranks: dict[int, int]) -> frozenset[int]:
    for link in sorted(ranks, key=ranks.__getitem__):
        repairs = [repair for repair in repairs if link not in repair] or repairs
    return repairs[0]


@settings(max_examples=80)
@given(graph=SMALL, data=st.data())
def test_each_rest_has_its_minimum_repair_whatever_was_asked_before(graph, data):
    document = document_of(graph)
    points = transform(build_graph(document, times="point"))
    every = [link for link in group_by_link(points) if link != OWN]
    if not every:
        return
    knot = tie_links(points, every)
    classes = list(knot.classes.values())
    ranks = {link: rank for rank, link in enumerate(data.draw(st.permutations(every)))}
    for same in classes:
        ranks.update(dict.fromkeys(same, min(ranks[link] for link in same)))
    costs = {n: data.draw(st.sampled_from([1, 1, 2])) for n in every}
    kept = data.draw(st.sets(st.sampled_from(every), max_size=1))
    rests = Rests(knot, costs, kept, ranks, [])

    for _ in range(3):
        chosen = data.draw(st.sets(st.sampled_from(range(len(classes))), max_size=3))
        removed = frozenset(link for number in chosen for link in classes[number])
        left = [link for link in every if link not in removed]
        repairs = [r for r in list_repairs(graph, document, left) if r.isdisjoint(kept)]
        found = rests.find_repair(removed, Work())
        quick = rests.find_repair(removed, Work(), ordered=False)

        if not repairs:
            assert found is quick is None
            continue
        least = min(sum(costs[n] for n in r) for r in repairs)
        cheapest = [r for r in repairs if sum(costs[n] for n in r) == least]
        assert found == keep_first(cheapest, ranks)
        assert quick in cheapest


@pytest.mark.parametrize("few", [0, 40], ids=["by a solver", "without one"])
@settings(max_examples=80)
@given(graph=SMALL, data=st.data())
def test_it_is_found_out_which_links_are_in_a_minimum_repair(few, graph, data):
    document = document_of(graph)
    points = transform(build_graph(document, times="point"))
    every = [link for link in group_by_link(points) if link != OWN]
    if not every:
        return
    knot = tie_links(points, every)
    ranks = {link: link for link in every}
    costs = dict.fromkeys(every, 1)
    rests = Rests(knot, costs, [], ranks, [])
    removed: frozenset[int] = frozenset()

    while True:
        left = [link for link in every if link not in removed]
        repairs = list_repairs(graph, document, left)
        least = min(map(len, repairs))
        cheapest = [repair for repair in repairs if len(repair) == least]
        if not least:
            break
        plan = cheapest[0]
        for same in knot.classes.values():
            if removed.isdisjoint(same):
                with patch("tlex.repair.rests._FEW", few):
                    found = rests.find_minimum_with(removed, same, plan, Work())
                with_it = [repair.difference(same) for repair in cheapest if repair >= set(same)]
                assert found in with_it if with_it else found is False
        # After a removal that is in no minimum repair as well, the rest has others.
        removed |= set(data.draw(st.sampled_from(list(knot.classes.values()))))
    rests.close()


@settings(max_examples=80)
@given(graph=SMALL, data=st.data())
def test_links_that_change_and_stay_leave_a_minimum_repair_of_the_others(graph, data):
    document = document_of(graph)
    points = transform(build_graph(document, times="point"))
    rows = group_by_link(points)
    every = [link for link in rows if link != OWN]
    if not every:
        return
    knot = tie_links(points, every)
    costs = {n: data.draw(st.sampled_from([1, 1, 2])) for n in every}
    rests = Rests(knot, costs, [], {link: link for link in every}, [])
    same = data.draw(st.sampled_from(list(knot.classes.values())))
    link = document.links[same[0]]
    label = data.draw(st.sampled_from([str(relation) for relation in TABLE_1]))
    at = [document.index[end] for end in (link.source, link.target)]
    ends = [2 * place + side for place in at for side in (0, 1)]
    says = [(ends[a], strict, ends[b]) for a, strict, b in ROWS[CODES["TLINK"][label]]]
    others = [n for n in every if n not in same]
    near = min(list_repairs(graph, document, others), key=lambda r: sum(costs[n] for n in r))

    found = rests.find_changed(frozenset(), same, says, near, Work())

    changed = (number_of(link.source), label, number_of(link.target))
    repairs = list_repairs(graph, document, others, [changed])
    if not repairs:
        assert found is None
        return
    assert found in repairs
    assert sum(costs[n] for n in found) == min(sum(costs[n] for n in r) for r in repairs)
