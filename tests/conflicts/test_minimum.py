"""A minimum repair: what proves it, what it keeps, and how much work it may take."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random

import brute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Graph, document_of, number_of, tangled_graphs

import tlex
from tlex.conflicts import minimum
from tlex.conflicts.knots import Knot, find_knots, merge_same
from tlex.conflicts.minimum import Search, UnrepairableError, find_minimum, repair_only
from tlex.conflicts.work import Work
from tlex.graph import build_graph
from tlex.points.graphs import group_by_link
from tlex.steps.transform import transform


def knots_of(graph: Graph) -> tuple[tlex.Document, list[Knot]]:
    document = document_of(graph)
    return document, find_knots(transform(build_graph(document, times="point")))


def judge(graph: Graph, document: tlex.Document, numbers: object) -> bool:
    links = [document.links[number] for number in numbers]
    triples = [(number_of(link.source), link.type, number_of(link.target)) for link in links]
    return brute.close(graph.size, triples, graph.instants) is not None


def list_repairs(graph: Graph, document: tlex.Document, knot: Knot) -> list[frozenset[int]]:
    """All repairs of a knot, needless ones too."""
    return [
        frozenset(removed)
        for size in range(len(knot.links) + 1)
        for removed in combinations(knot.links, size)
        if judge(graph, document, set(knot.links).difference(removed))
    ]


def keep_first(repairs: list[frozenset[int]], links: list[int], ranks: dict[int, int]):
    """Of some repairs the one that keeps the first link that any of them keeps, and so on."""
    for link in sorted(links, key=ranks.__getitem__):
        repairs = [r for r in repairs if link not in r] or repairs
    return tuple(sorted(repairs[0]))


SMALL = tangled_graphs(most=9)
COSTS = st.sampled_from([1, 1, 1, 2])


@st.composite
def rings(draw: st.DrawFn) -> Graph:
    """Draw links of few types among few intervals: many repairs cost the same."""
    size = draw(st.integers(2, 4))
    ends = st.integers(0, size - 1)
    label = st.sampled_from(["BEFORE", "AFTER", "INCLUDES"])
    return Graph(size, draw(st.lists(st.tuples(ends, label, ends), min_size=4, max_size=9)))


@settings(max_examples=100)
@given(graph=SMALL | rings(), data=st.data())
def test_the_cheapest_repair_that_keeps_the_first_links_is_chosen(graph, data):
    document, knots = knots_of(graph)
    order = data.draw(st.permutations(range(len(document.links))))
    ranks = dict(enumerate(order))
    costs = {n: data.draw(COSTS) for n in range(len(document.links))}
    kept = data.draw(st.sets(st.sampled_from(range(len(document.links))), max_size=2))

    for knot in knots:
        # Links that say the same take the place of the first of them.
        for same in knot.classes.values():
            first = min(ranks[link] for link in same)
            ranks.update(dict.fromkeys(same, first))
        repairs = [r for r in list_repairs(graph, document, knot) if r.isdisjoint(kept)]
        if not repairs:
            with pytest.raises(UnrepairableError):
                find_minimum(knot, costs, kept, ranks=ranks)
            continue
        least = min(sum(costs[n] for n in r) for r in repairs)
        cheapest = [r for r in repairs if sum(costs[n] for n in r) == least]

        found = find_minimum(knot, costs, kept, ranks=ranks, limit=1_000)

        assert found.cost == found.bound == least
        assert found.repairs[0] == keep_first(cheapest, knot.links, ranks)
        assert sorted(found.repairs) == sorted(map(tuple, map(sorted, cheapest)))
        assert found.complete


@settings(max_examples=60)
@given(graph=SMALL | rings(), data=st.data())
def test_the_solver_chooses_what_trying_chooses(graph, data):
    document, knots = knots_of(graph)
    ranks = dict(enumerate(data.draw(st.permutations(range(len(document.links))))))
    costs = {n: data.draw(COSTS) for n in range(len(document.links))}

    for knot in knots:
        quick = find_minimum(knot, costs, ranks=ranks)
        search = Search(knot, costs, ranks=ranks)
        search._quick = False  # noqa: SLF001 -- as if there were too many choices to try
        search.run()
        slow = search.finish()
        search.close()
        assert (slow.repairs, slow.cost, slow.bound) == (quick.repairs, quick.cost, quick.bound)


@settings(max_examples=80)
@given(graph=SMALL | rings(), limit=st.sampled_from([2, 3, 20]), data=st.data())
def test_the_search_of_a_knot_with_one_conflict_changes_no_result(graph, limit, data):
    document, knots = knots_of(graph)
    ranks = dict(enumerate(data.draw(st.permutations(range(len(document.links))))))
    costs = {n: data.draw(COSTS) for n in range(len(document.links))}

    ordered = data.draw(st.booleans())
    quick = [find_minimum(knot, costs, ranks=ranks, limit=limit, ordered=ordered) for knot in knots]

    _, knots = knots_of(graph)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Knot, "only", ())
        slow = [find_minimum(knot, costs, ranks=ranks, limit=limit) for knot in knots]
    for one, other, knot in zip(quick, slow, knots, strict=True):
        found = (one.repairs[0], one.cost, one.bound, one.complete)
        assert found == (other.repairs[0], other.cost, other.bound, other.complete)
        assert sorted(one.repairs) == sorted(other.repairs)
        if knot.only:
            assert one.conflicts == [knot.only]


@settings(max_examples=150)
@given(graph=SMALL | rings(), limit=st.sampled_from([1, 20]), data=st.data())
def test_a_knot_with_one_conflict_is_repaired_as_by_a_search(graph, limit, data):
    document, knots = knots_of(graph)
    numbers = range(len(document.links))
    ranks = dict(enumerate(data.draw(st.permutations(numbers))))
    costs = {n: data.draw(COSTS) for n in numbers}
    kept = data.draw(st.sets(st.sampled_from(numbers), max_size=2))

    for knot in knots:
        found = repair_only(knot, costs, kept, ranks=ranks, limit=limit)

        free = [first for first in knot.only if kept.isdisjoint(knot.classes[first])]
        if not free:
            assert found is None
        elif found is None:
            assert limit > 1
            assert len(free) > 2
        else:
            search = Search(knot, costs, kept, ranks=ranks)
            search.run()
            assert found == search.finish(limit)
            search.close()


@settings(max_examples=80)
@given(graph=SMALL | rings(), data=st.data())
def test_the_conflicts_prove_the_cost(graph, data):
    document, knots = knots_of(graph)
    costs = {n: data.draw(COSTS) for n in range(len(document.links))}

    for knot in knots:
        found = find_minimum(knot, costs)
        again = find_minimum(knot, costs, known=found.conflicts)
        price = {first: sum(costs[n] for n in same) for first, same in knot.classes.items()}
        for conflict in found.conflicts:
            assert set(conflict) <= knot.classes.keys()
            assert not judge(graph, document, conflict)
            for link in conflict:
                assert judge(graph, document, set(conflict) - {link})
        assert all(
            sum(price[n] for n in chosen) >= found.cost
            for size in range(len(price) + 1)
            for chosen in combinations(price, size)
            if all(set(conflict) & set(chosen) for conflict in found.conflicts)
        )
        assert again.repairs == found.repairs
        assert set(again.conflicts) >= set(found.conflicts)


def tangle(seed: int, size: int = 25, links: int = 90) -> tlex.Document:
    """Links of all types at random: a proof takes very long."""
    random = Random(seed)  # noqa: S311 -- no secret
    ends = [random.sample(range(size), 2) for _ in range(links)]
    return tlex.from_links([(f"e{a}", random.choice(brute.TLINKS), f"e{b}") for a, b in ends])


def tie(document: tlex.Document) -> Knot:
    (knot,) = find_knots(transform(build_graph(document)))
    return knot


@pytest.mark.parametrize("limit", [0, 30_000, 300_000])
def test_the_same_limit_of_work_gives_the_same_result(limit):
    knot = tie(tangle(1))
    costs = dict.fromkeys(knot.links, 1)

    one, other = (find_minimum(knot, costs, work=Work(limit)) for _ in range(2))

    assert one == other
    assert 0 < one.bound < one.cost
    assert knot.is_consistent(one.repairs[0])


def test_the_limit_of_work_is_obeyed_in_every_loop():
    knot = tie(tangle(2, 40, 150))
    costs = dict.fromkeys(knot.links, 1)

    for limit in (0, 200_000, 500_000, 1_000_000):
        work = Work(limit)
        find_minimum(knot, costs, work=work)
        # What a first repair takes, one turn of the solver, and the choice between equal repairs.
        assert work.spent < limit + 600_000


def test_more_work_never_gives_a_worse_repair_or_bound():
    knot = tie(tangle(3))
    costs = dict.fromkeys(knot.links, 1)

    found = [find_minimum(knot, costs, work=Work(n)) for n in (0, 10**5, 4 * 10**5, 16 * 10**5)]

    assert [each.cost for each in found] == sorted((each.cost for each in found), reverse=True)
    assert [each.bound for each in found] == sorted(each.bound for each in found)


def test_progress_tells_every_better_repair_and_bound():
    knot = tie(tangle(4))
    told: list[tuple[int, int]] = []

    found = find_minimum(
        knot,
        dict.fromkeys(knot.links, 1),
        work=Work(600_000),
        progress=lambda *now: told.append(now),
    )

    assert told[-1] == (found.cost, found.bound)
    assert len(told) > 2
    for before, after in pairwise(told):
        assert after[0] <= before[0]
        assert after[1] >= before[1]
        assert after != before


def test_without_a_proof_no_removed_link_could_be_kept_for_a_later_one():
    knot = tie(tangle(5))
    ranks = {link: (7 * link) % 97 for link in knot.links}

    found = find_minimum(knot, dict.fromkeys(knot.links, 1), ranks=ranks, work=Work(0))

    assert found.bound < found.cost
    removed = set(found.repairs[0])
    for link in sorted(removed, key=ranks.__getitem__)[:5]:
        assert not knot.is_consistent(removed - {link})


def test_a_good_repair_of_a_tangle_needs_little_work():
    knot = tie(tangle(6, 40, 150))
    costs = dict.fromkeys(knot.links, 1)

    rough, good = (find_minimum(knot, costs, work=Work(limit)) for limit in (0, 600_000))

    assert good.cost < rough.cost - 5


def test_the_one_cause_of_many_conflicts_is_found_without_a_search():
    rows = [(f"e{n}", "BEFORE", f"e{n + 1}") for n in range(600)]
    back = [(f"e{n}", "BEFORE", "e0") for n in range(1, 600)]
    (knot,) = find_knots(transform(build_graph(tlex.from_links(rows + back))))

    found = find_minimum(knot, dict.fromkeys(knot.links, 1), work=Work(0))

    assert found.repairs == [(0,)]


def test_what_is_kept_stays_in_a_tangle_too():
    knot = tie(tangle(7))
    kept = list(knot.links)[::10]
    while not knot.is_consistent(set(knot.links).difference(kept)):
        kept.pop()

    found = find_minimum(knot, dict.fromkeys(knot.links, 1), kept, work=Work(600_000))

    assert kept
    assert set(kept).isdisjoint(found.repairs[0])
    assert knot.is_consistent(found.repairs[0])


def test_many_links_that_say_the_same_are_decided_at_once():
    rows = [("a", "BEFORE", "b")] * 3_000 + [("b", "BEFORE", "a")] * 2_000
    points = transform(build_graph(tlex.from_links(rows)))
    (knot,) = find_knots(points)
    work = Work()

    found = find_minimum(knot, dict.fromkeys(knot.links, 1), work=work)

    assert len(merge_same(group_by_link(points))) == 2
    assert found.repairs == [tuple(range(3_000, 5_000))]
    assert (found.cost, found.bound, found.conflicts) == (2_000, 2_000, [(0, 3_000)])
    assert work.spent < minimum._HASTY  # noqa: SLF001
