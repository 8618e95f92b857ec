"""Links that say it all: the rest follows, and none can be spared."""

from __future__ import annotations

import brute
import pytest
from brute import worlds
from hypothesis import given
from strategies import Graph, document_of, number_of, placed_graphs, small_graphs, tangled_graphs

import tlex
from tlex.reason import reduction as reduction_


def reduce_(*rows: tuple[str, str, str], **options: object):
    return tlex.extract(tlex.from_links(rows), **options).reduction()


def pick(graph: Graph, names: tuple[str, ...]) -> list[brute.Link]:
    return [graph.links[int(name[1:]) - 1] for name in names]


@given(graph=small_graphs())
def test_what_is_kept_admits_the_same_orderings_and_less_admits_more(graph):
    result = tlex.extract(document_of(graph), times="point")

    reduction = result.reduction()

    kept = pick(graph, reduction.kept)
    for timeline in result.timelines:
        part = tuple(map(number_of, timeline.intervals))
        instants = frozenset(k for k, number in enumerate(part) if number in graph.instants)
        world = worlds(len(part), instants)
        every = world.meeting(*brute.restrict(graph.links, part))
        own = brute.restrict(kept, part)
        if not timeline.consistent:
            assert (timeline.id in reduction.inconsistent, own) == (True, [])
            continue
        assert world.meeting(*own) == every
        for place in range(len(own)):
            assert world.meeting(*own[:place], *own[place + 1 :]) != every


@given(graph=placed_graphs())
def test_larger_graphs_keep_their_timelines_and_nothing_can_be_spared(graph):
    links = [link for link in graph.links if link[1] not in brute.WITHOUT_ORDER]
    whole = brute.close(graph.size, links)

    reduction = tlex.extract(document_of(graph)).reduction()

    kept = pick(graph, reduction.kept)
    assert brute.close(graph.size, kept) == whole
    for place in range(len(kept)):
        assert brute.close(graph.size, kept[:place] + kept[place + 1 :]) != whole


@given(graph=tangled_graphs())
def test_every_link_that_orders_is_kept_dropped_or_left_alone(graph):
    result = tlex.extract(document_of(graph), times="point")

    reduction = result.reduction()

    ordering = [
        f"l{n}" for n, link in enumerate(graph.links, 1) if link[1] not in brute.WITHOUT_ORDER
    ]
    groups = (reduction.kept, reduction.dropped, reduction.untouched)
    assert sorted(name for group in groups for name in group) == sorted(ordering)
    for group in groups:
        assert list(group) == [name for name in ordering if name in group]
    broken = {name for t in result.timelines if not t.consistent for name in t.intervals}
    assert set(reduction.untouched) == {
        name for name in ordering if f"e{graph.links[int(name[1:]) - 1][0]}" in broken
    }


@given(graph=placed_graphs())
def test_reducing_the_closure_leaves_as_much_as_it_takes(graph):
    result = tlex.extract(document_of(graph))
    closure = result.closure()
    new = [(number_of(k.source), k.type, number_of(k.target)) for k in closure.links if not k.links]
    closed = Graph(graph.size, [*graph.links, *new])

    reduction = tlex.extract(document_of(closed)).reduction()

    # Later links go first, and all that was added follows from what was there.
    assert all(int(name[1:]) <= len(graph.links) for name in reduction.kept)
    assert reduction.kept == result.reduction().kept


def test_later_links_go_before_earlier_ones():
    reduction = reduce_(("a", "BEFORE", "b"), ("a", "BEFORE", "b"), ("b", "AFTER", "a"))

    assert (reduction.kept, reduction.dropped) == (("l1",), ("l2", "l3"))


def test_a_tlink_goes_before_an_alink():
    reduction = reduce_(("a", "BEGINS", "b"), ("a", "INITIATES", "b"))

    assert (reduction.kept, reduction.dropped) == (("l2",), ("l1",))


def test_a_link_that_follows_only_in_part_stays():
    reduction = reduce_(("a", "BEGINS", "y"), ("y", "INCLUDES", "b"), ("a", "INCLUDES", "b"))

    # Without l3, a- < b- would still follow, but not b+ < a+; l2 follows from the others.
    assert (reduction.kept, reduction.dropped) == (("l1", "l3"), ("l2",))


def test_equalities_are_kept_as_a_tree():
    rows = [("a", "SIMULTANEOUS", "b"), ("b", "SIMULTANEOUS", "c"), ("c", "IDENTITY", "a")]

    assert reduce_(*rows).dropped == ("l3",)


def test_a_link_from_an_interval_to_itself_says_nothing():
    assert reduce_(("a", "SIMULTANEOUS", "a"), ("a", "BEFORE", "b")).dropped == ("l1",)


def test_links_that_take_no_part_are_not_mentioned():
    rows = [("a", "BEFORE", "b"), ("a", "VAGUE", "b"), ("a", "MODAL", "b"), ("a", "ENDS", "c")]

    reduction = reduce_(*rows)

    assert (reduction.kept, reduction.dropped, reduction.untouched) == (("l1", "l4"), (), ())


def test_an_inconsistent_timeline_is_left_as_it_is_and_named():
    reduction = reduce_(
        ("a", "BEFORE", "b"), ("b", "BEFORE", "a"), ("x", "BEFORE", "y"), ("x", "BEFORE", "y")
    )

    assert reduction.untouched == ("l1", "l2")
    assert reduction.inconsistent == (0,)
    assert (reduction.kept, reduction.dropped) == (("l3",), ("l4",))


def test_a_star_and_a_chain_are_no_trouble():
    size = 500
    star = [("t", "INCLUDES", f"e{n}") for n in range(size)]
    chain = [(f"e{n}", "BEFORE", f"e{n + 1}") for n in range(size - 1)]

    reduction = reduce_(*chain, *star)

    assert reduction.kept[: size - 1] == tuple(f"l{n}" for n in range(1, size))
    # Only the first and the last need to be stated to lie inside.
    assert len(reduction.dropped) == size - 2


def test_links_past_a_chain_need_no_search(monkeypatch):
    monkeypatch.setattr(reduction_, "Walks", None)
    size = 500
    chain = [(f"e{n}", "BEFORE", f"e{n + 1}") for n in range(size - 1)]
    past = [(f"e{n}", "BEFORE", f"e{size - 1}") for n in range(size - 2)]

    assert reduce_(*past, *chain).kept == tuple(f"l{size - 1 + n}" for n in range(size - 1))


@pytest.mark.corpus
def test_timebank_reduced_has_the_timelines_it_had(timebank):
    for name in list(timebank)[::10]:
        document = timebank[name]
        result = tlex.extract(document)
        reduction = result.reduction()
        keep = {*reduction.kept, *reduction.untouched}
        rows = [
            {"id": k.id, "source": k.source, "type": k.type, "target": k.target}
            for k in document.links
            if k.id in keep
        ]
        fewer = tlex.extract(tlex.from_links(rows))
        before = {frozenset(t.intervals): t for t in result.timelines}
        for timeline in fewer.timelines:
            same = before[frozenset(timeline.intervals)]
            assert dict(timeline.points) == dict(same.points)
            assert timeline.indeterminate_pairs == same.indeterminate_pairs
