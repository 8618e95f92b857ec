"""All that is entailed, compared with what every ordering says."""

from __future__ import annotations

from itertools import combinations

import brute
import pytest
from brute import worlds
from hypothesis import given
from strategies import Graph, document_of, number_of, placed_graphs, small_graphs, tangled_graphs

import tlex
from tlex.errors import OptionError
from tlex.reason.closure import Entailed
from tlex.records import EntailedLink


def close(*rows: tuple[str, str, str], **options: object):
    return tlex.extract(tlex.from_links(rows), **options).closure()


def triples(links: tuple[EntailedLink, ...]) -> list[tuple[str, str | None, str]]:
    return [(link.source, link.type, link.target) for link in links]


@given(graph=small_graphs())
def test_it_lists_exactly_the_pairs_that_have_one_relation_in_every_ordering(graph):
    result = tlex.extract(document_of(graph), times="point")
    wanted, partial = [], 0
    for timeline in result.timelines:
        part = tuple(map(number_of, timeline.intervals))
        instants = frozenset(k for k, number in enumerate(part) if number in graph.instants)
        world = worlds(len(part), instants)
        mask = world.meeting(*brute.restrict(graph.links, part))
        for one, other in combinations(range(len(part)), 2):
            names = world.relations(mask, one, other)
            if len(names) == 1:
                wanted.append((f"e{part[one]}", names[0], f"e{part[other]}"))
            elif names:
                ends = [(a, b) for a in (2 * one, 2 * one + 1) for b in (2 * other, 2 * other + 1)]
                partial += any(len(world.orders(mask, *pair)) == 1 for pair in ends)

    closure = result.closure()

    found = [(k.source, k.name, k.target) for k in (*closure.links, *closure.untyped)]
    assert sorted(found) == sorted(wanted)
    assert closure.partial == partial
    assert all(link.type for link in closure.links)
    assert {link.name for link in closure.untyped} <= {"overlaps", "overlapped-by"}
    assert all(link.type is None for link in closure.untyped)
    assert closure.annotated == sum(bool(link.links) for link in closure.links)
    assert closure.new == sum(not link.links for link in closure.links)
    assert closure.inconsistent == tuple(t.id for t in result.timelines if not t.consistent)


@given(graph=placed_graphs(largest=9))
def test_it_agrees_with_the_question_about_each_pair(graph):
    result = tlex.extract(document_of(graph))
    asked = []
    for timeline in result.timelines:
        for one, other in combinations(timeline.intervals, 2):
            relation = result.relation(one, other)
            if relation.verdict == "entailed":
                asked.append((one, relation.entailed.name, other))

    closure = result.closure()

    found = [(k.source, k.name, k.target) for k in (*closure.links, *closure.untyped)]
    assert sorted(found) == sorted(asked)


@given(graph=tangled_graphs())
def test_without_a_list_of_all_it_counts_and_lists_the_same(graph):
    result = tlex.extract(document_of(graph), times="point")
    closure = result.closure()

    entailed = Entailed(result.document, result.components)

    for _ in range(2):  # it can be listed again
        assert tuple(entailed.list_links()) == closure.links
        assert tuple(entailed.list_links(typed=False)) == closure.untyped
    assert (entailed.typed, entailed.untyped) == (len(closure.links), len(closure.untyped))
    assert str(entailed) == str(closure)


def test_several_without_a_type_are_counted_one_by_one():
    equal = [("a", "SIMULTANEOUS", "b"), ("c", "SIMULTANEOUS", "d")]
    result = tlex.extract(tlex.from_links([*equal, ("a", "OVERLAPS", "c")]))

    entailed = Entailed(result.document, result.components)

    pairs = [(link.source, link.target) for link in entailed.list_links(typed=False)]
    assert pairs == [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]
    assert (entailed.typed, entailed.untyped, entailed.annotated) == (2, 4, 2)


@given(graph=tangled_graphs())
def test_closing_what_is_closed_adds_nothing(graph):
    result = tlex.extract(document_of(graph), times="point")
    closure = result.closure()
    new = [k for k in closure.links if not k.links]
    numbers = [(number_of(k.source), k.type, number_of(k.target)) for k in new]

    again = tlex.extract(
        document_of(Graph(graph.size, [*graph.links, *numbers], graph.instants)), times="point"
    ).closure()

    assert triples(again.links) == triples(closure.links)
    assert again.new == 0
    assert again.inconsistent == closure.inconsistent


@given(graph=placed_graphs(labels=(*brute.TLINKS, *brute.ALINKS)))
def test_every_link_of_the_document_is_found_in_it(graph):
    closure = tlex.extract(document_of(graph)).closure()

    named = [name for link in closure.links for name in link.links]

    apart = [f"l{n}" for n, (a, _, b) in enumerate(graph.links, 1) if a != b]
    assert sorted(named) == sorted(apart)


def test_pairs_come_once_in_text_order_timeline_by_timeline():
    closure = close(("c", "AFTER", "b"), ("x", "BEFORE", "y"), ("b", "AFTER", "a"))

    assert triples(closure.links) == [
        ("c", "AFTER", "b"),
        ("c", "AFTER", "a"),
        ("b", "AFTER", "a"),
        ("x", "BEFORE", "y"),
    ]
    assert [link.links for link in closure.links] == [("l1",), (), ("l3",), ("l2",)]
    assert (closure.annotated, closure.new) == (3, 1)


def test_whatever_the_relations_the_second_of_a_pair_come_in_text_order():
    closure = close(("a", "AFTER", "b"), ("a", "INCLUDES", "c"), ("a", "BEFORE", "d"))

    assert [(k.source, k.target) for k in closure.links if k.source == "a"] == [
        ("a", "b"),
        ("a", "c"),
        ("a", "d"),
    ]


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ([("e", "IBEFORE", "t1")], ("e", "ENDED_BY", "t1")),
        ([("t1", "IBEFORE", "e")], ("t1", "BEGINS", "e")),
        ([("e", "INCLUDES", "t1")], ("e", "INCLUDES", "t1")),
        ([("t1", "IAFTER", "t2")], ("t1", "SIMULTANEOUS", "t2")),
        ([("t1", "BEFORE", "t2")], ("t1", "BEFORE", "t2")),
    ],
)
def test_instants_have_the_relations_of_points(rows, wanted):
    document = tlex.from_links(rows, times={"t1": "TIME", "t2": "TIME"})

    closure = tlex.extract(document, times="point").closure()

    assert triples(closure.links) == [wanted]
    assert (closure.links[0].links, closure.partial) == (("l1",), 0)


def test_what_timeml_has_no_type_for_is_listed_apart():
    closure = close(("a", "OVERLAPS", "b"), ("a", "BEFORE", "c"), ("b", "IBEFORE", "c"))

    assert triples(closure.untyped) == [("a", None, "b")]
    assert (closure.annotated, closure.new) == (2, 0)
    assert closure.untyped[0].name == "overlaps"
    assert closure.untyped[0].links == ("l1",)
    assert len(closure.links) == 2


def test_what_is_settled_in_part_is_counted():
    closure = close(("a", "OVERLAP", "b"))

    assert (closure.links, closure.untyped, closure.partial) == ((), (), 1)


@pytest.mark.parametrize("label", ["SIMULTANEOUS", "IDENTITY", "DURING", "DURING_INV"])
def test_a_link_that_says_the_same_in_other_words_or_backwards_counts_as_annotated(label):
    closure = close(("b", label, "a"), ("a", "SIMULTANEOUS", "b"), ("a", "OVERLAP", "b"))

    assert [(k.type, k.links) for k in closure.links] == [("SIMULTANEOUS", ("l1", "l2"))]


def test_an_inconsistent_timeline_is_named_and_left_out():
    closure = close(("a", "BEFORE", "a"), ("x", "BEFORE", "y"))

    assert closure.inconsistent == (0,)
    assert triples(closure.links) == [("x", "BEFORE", "y")]


def test_only_the_links_asked_for_entail_something():
    rows = [("a", "INITIATES", "b"), ("b", "BEFORE", "c")]

    assert len(close(*rows).links) == 3
    assert len(close(*rows, links=["TLINK"]).links) == 1


@pytest.mark.corpus
def test_timebank_entails_what_each_pair_is_asked_for_and_the_totals_stay(timebank):
    totals = dict.fromkeys(("links", "annotated", "untyped", "partial", "kept", "dropped"), 0)
    for document in timebank.values():
        result = tlex.extract(document)
        closure, reduction = result.closure(), result.reduction()
        names = {(k.source, k.target): k.name for k in (*closure.links, *closure.untyped)}
        for timeline in result.timelines:
            for pair in combinations(timeline.intervals, 2) if timeline.consistent else ():
                entailed = result.relation(*pair).entailed
                assert (entailed and entailed.name) == names.get(pair)
        totals["links"] += len(closure.links)
        totals["annotated"] += closure.annotated
        totals["untyped"] += len(closure.untyped)
        totals["partial"] += closure.partial
        totals["kept"] += len(reduction.kept)
        totals["dropped"] += len(reduction.dropped)

    # A change to any of these is a change to somebody's closure: say in the changelog why.
    assert totals == {
        "links": 15_621,
        "annotated": 5_245,
        "untyped": 9,
        "partial": 5_007,
        "kept": 5_119,
        "dropped": 167,
    }


def test_a_closure_that_would_fill_the_memory_is_refused():
    rows = [(f"e{k}", "BEFORE", f"e{k + 1}") for k in range(30)]
    result = tlex.extract(tlex.from_links(rows))

    assert len(result.closure(465).links) == 465
    with pytest.raises(OptionError, match="up to 465 relations, more than the limit of 464"):
        result.closure(464)
