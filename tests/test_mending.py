"""A contradictory document has timelines in spite of it: all its links but those of a repair."""

from __future__ import annotations

from itertools import combinations

import brute
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import ORDERING, Graph, document_of, links_among, number_of

import tlex

STORY = [("a", "BEFORE", "b"), ("b", "BEFORE", "a"), ("b", "BEFORE", "c"), ("c", "BEFORE", "d")]


@st.composite
def knotted_graphs(draw: st.DrawFn) -> Graph:
    size = draw(st.integers(2, 5))
    return Graph(size, draw(links_among(size, ORDERING, 7, least=2)))


def list_repairs(graph: Graph) -> list[set[int]]:
    """All smallest sets of links without which the rest can hold, by trying."""
    numbers = range(len(graph.links))
    for size in range(len(graph.links) + 1):
        found = [
            set(gone)
            for gone in combinations(numbers, size)
            if brute.close(graph.size, [graph.links[n] for n in numbers if n not in gone])
        ]
        if found:
            return found
    return []


def order_after(graph: Graph, repair: set[int], left: int, right: int) -> str | None:
    """The order of two points that follows without the links of a repair."""
    rest = [link for number, link in enumerate(graph.links) if number not in repair]
    known = {c for link in rest for c in brute.constraints_of(link)}
    known |= {(2 * i, "<", 2 * i + 1) for i in range(graph.size)}
    for order, opposite in (
        ("<", [(right, "<", left), (right, "=", left)]),
        ("=", [(left, "<", right), (right, "<", left)]),
        (">", [(left, "<", right), (left, "=", right)]),
    ):
        if all(
            brute.close_constraints(2 * graph.size, {*known, each}) is None for each in opposite
        ):
            return order
    return None


@settings(max_examples=60, deadline=None)
@given(graph=knotted_graphs())
def test_a_mended_result_is_that_of_the_document_without_the_links(graph):
    document = document_of(graph)
    result = tlex.extract(document, mend=True)
    gone = set(result.mended)
    fewer = document.replace(links=tuple(link for link in document.links if link.id not in gone))
    alone = tlex.extract(fewer)

    assert result.consistent == tlex.extract(document).consistent == (not gone)
    assert all(timeline.consistent for timeline in result.timelines)
    assert [msgspec.structs.replace(each.record(), mended=()) for each in result.timelines] == [
        each.record() for each in alone.timelines
    ]
    assert {int(link[1:]) - 1 for link in gone} in list_repairs(graph)
    assert set(tlex.fix(document).removed) == gone
    ends = {link.id: {link.source, link.target} for link in document.links}
    for timeline in result.timelines:
        touching = [link for link in result.mended if ends[link] & {*timeline.intervals}]
        assert list(timeline.mended) == touching


@settings(max_examples=60, deadline=None)
@given(graph=knotted_graphs(), data=st.data())
def test_every_is_what_all_smallest_repairs_agree_on(graph, data):
    result = tlex.extract(document_of(graph))
    nodes = [node.id for node in result.nodes]
    pairs = list(combinations(nodes, 2))
    for source, target in data.draw(st.lists(st.sampled_from(pairs), max_size=3)) if pairs else ():
        chosen = result.relation(source, target, contradictions="repair")
        answer = result.relation(source, target, contradictions="every")
        repairs = list_repairs(graph)
        for order in answer.orders:
            left, right = (
                2 * number_of(name[:-1]) + "-+".index(name[-1])
                for name in (order.left, order.right)
            )
            after = {order_after(graph, repair, left, right) for repair in repairs}
            agreed = after.pop() if len(after) == 1 else None
            assert order.orders == ((agreed,) if agreed else ("<", "=", ">"))
        assert bool(answer.orders) == (chosen.verdict != "unrelated")


def test_the_conflicts_are_still_those_of_the_whole_document():
    document = tlex.from_links(STORY)
    whole, mended = tlex.extract(document), tlex.extract(document, mend=True)

    assert mended.mended == ("l2",)
    assert not mended.consistent
    assert [c.minimal for c in mended.conflicts] == [c.minimal for c in whole.conflicts]
    assert mended.relation("a", "d").entailed.type == "BEFORE"
    assert mended.relation("a", "d").mended == ("l2",)
    assert whole.relation("a", "d").verdict == "inconsistent"
    assert mended.relation("a", "d", contradictions="part").verdict == "inconsistent"
    assert whole.relation("b", "d", contradictions="every").entailed.type == "BEFORE"
    assert whole.relation("a", "b", contradictions="every").verdict == "possible"
    assert len(whole.why("b", "d", contradictions="every").proofs) == 1


def test_a_part_may_fall_apart():
    result = tlex.extract(tlex.from_links([("a", "BEFORE", "a"), ("b", "BEFORE", "c")]), mend=True)

    assert [timeline.intervals for timeline in result.timelines] == [("a",), ("b", "c")]
    assert [timeline.mended for timeline in result.timelines] == [("l1",), ()]


def test_weights_in_the_document_choose_the_repair():
    rows = [("a", "BEFORE", "b", 0.2), ("b", "BEFORE", "a", 0.9)]
    data = msgspec.json.encode(
        {
            "links": [
                {"source": a, "type": label, "target": b, "weight": weight}
                for a, label, b, weight in rows
            ]
        }
    )

    assert tlex.extract(tlex.parse(data, name="x.json"), mend=True).mended == ("l1",)


def test_a_consistent_document_is_as_it_was():
    document = tlex.from_links(STORY[:1])

    assert tlex.extract(document, mend=True).mended == ()
    assert tlex.extract(document, mend=True).options.mend
    assert tlex.extract(document).relation("a", "b", contradictions="every").entailed


def test_an_unknown_policy_is_refused():
    with pytest.raises(tlex.OptionError, match="part, repair, every"):
        tlex.extract(tlex.from_links(STORY)).relation("a", "b", contradictions="some")
