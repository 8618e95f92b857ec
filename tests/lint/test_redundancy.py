"""Which links follow from others: compared with an enumeration of all orderings."""

from __future__ import annotations

import brute
import pytest
from brute import worlds
from hypothesis import given
from linted import codes, found, only
from strategies import Graph, document_of, named, placed_graphs, small_graphs

import tlex
from tlex.lint.descriptions import Describer
from tlex.lint.guidelines import find_duplicates
from tlex.lint.redundancy import find_redundant, find_spare


def spare(graph: Graph, times: str = "interval") -> tuple[dict[int, list[int]], set[int]]:
    """Find what can be spared, and which links are duplicates."""
    document = document_of(graph)
    duplicates = find_duplicates(Describer(document))
    found_, missed = find_spare(tlex.extract(document, times=times), list(duplicates))
    assert not missed
    return found_, set(duplicates)


def expected(graph: Graph, duplicates: set[int], instants: frozenset[int]) -> set[int]:
    """Judge by enumeration which TLINKs follow from others."""
    world = worlds(graph.size, instants)
    follows = set()
    for number, link in enumerate(graph.links):
        source, label, target = link
        if label in brute.ALINKS or source == target or number in duplicates:
            continue
        said = brute.constraints_of(link)
        part = next(p for p in brute.split(graph.size, graph.links) if source in p)
        inside = [
            (place, other)
            for place, other in enumerate(graph.links)
            if other[0] in part and place not in duplicates
        ]
        same_later = {
            place
            for place, other in inside
            if place > number and other[1] not in brute.ALINKS
            if brute.constraints_of(other) == said
        }
        others = [other for place, other in inside if place not in {number, *same_later}]
        everything = world.meeting(*(other for _, other in inside))
        if said and everything and world.meeting(*others) == world.meeting(*others, link):
            follows.add(number)
    return follows


@given(graph=small_graphs())
def test_exactly_the_links_that_follow_from_others_are_found(graph):
    found_, duplicates = spare(graph)

    assert set(found_) == expected(graph, duplicates, frozenset())


@given(graph=small_graphs())
def test_the_same_holds_where_a_time_is_a_point(graph):
    found_, duplicates = spare(graph, "point")

    assert set(found_) == expected(graph, duplicates, graph.instants)


@given(graph=placed_graphs(largest=4))
def test_a_link_follows_from_the_links_that_are_named(graph):
    found_, _ = spare(graph)

    world = worlds(graph.size)
    for number, reasons in found_.items():
        named_ = [graph.links[reason] for reason in reasons]
        assert number not in reasons
        assert world.meeting(*named_) == world.meeting(*named_, graph.links[number])


@given(graph=placed_graphs())
def test_what_follows_can_be_taken_away_without_moving_anything(graph):
    found_, _ = spare(graph)

    before = tlex.extract(document_of(graph))
    for number in found_:
        rest = [link for place, link in enumerate(named(graph.links)) if place != number]
        nodes = {node.id: "" for node in document_of(graph).nodes}
        after = tlex.extract(tlex.from_links(rest, texts=nodes))
        for node in nodes:
            mine, other = before.timeline_of(node), after.timeline_of(node)
            assert set(mine.intervals) == set(other.intervals)
            assert mine.points == {point: other.points[point] for point in mine.points}


def test_a_chain_makes_its_shortcut_redundant_and_the_notes_name_the_chain():
    document = tlex.from_links(
        [("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("a", "BEFORE", "c")],
        texts={"a": "rose", "b": "ate", "c": "left"},
    )

    finding = only(document, "TLX304")

    assert finding.message == 'TLINK l3: "rose" (a) BEFORE "left" (c) already follows from l1, l2'
    assert [note.message for note in finding.notes] == [
        'TLINK l1: "rose" (a) BEFORE "ate" (b)',
        'TLINK l2: "ate" (b) BEFORE "left" (c)',
    ]
    assert finding.links == ("l3", "l1", "l2")


def test_an_equality_does_not_follow_from_order():
    links = [("a", "INCLUDES", "b"), ("b", "INCLUDES", "c"), ("a", "BEGUN_BY", "c")]

    assert codes(tlex.from_links([*links[:2], ("a", "INCLUDES", "c")]), "TLX304") == ["TLX304"]
    assert codes(tlex.from_links([*links[:1], ("a", "BEGUN_BY", "d")]), "TLX304") == []


def test_of_links_that_follow_from_each_other_each_is_reported():
    triangle = [("a", "SIMULTANEOUS", "b"), ("b", "SIMULTANEOUS", "c"), ("c", "SIMULTANEOUS", "a")]

    messages = [finding.message for finding in found(tlex.from_links(triangle), "TLX304")]

    assert [message.rpartition("from ")[2] for message in messages] == [
        "l2, l3",
        "l1, l3",
        "l1, l2",
    ]


def test_a_duplicate_is_not_redundant_too_and_does_not_make_the_first_so():
    links = [("a", "BEFORE", "b"), ("b", "AFTER", "a"), ("a", "BEFORE", "b")]

    assert codes(tlex.from_links(links), "TLX301", "TLX304") == ["TLX301", "TLX301"]


def test_of_links_that_say_the_same_in_other_words_the_first_is_kept():
    links = [("a", "SIMULTANEOUS", "b"), ("b", "IDENTITY", "a"), ("a", "DURING", "b")]

    reported = found(tlex.from_links(links), "TLX304")

    assert [finding.links[0] for finding in reported] == ["l2", "l3"]


def test_an_alink_is_never_spared_but_a_tlink_for_its_sake_is():
    links = [("a", "INITIATES", "b"), ("a", "BEGINS", "b")]

    for order in (links, links[::-1]):
        (finding,) = found(tlex.from_links(order), "TLX304")
        assert "BEGINS" in finding.message


def test_nothing_is_redundant_in_a_contradictory_part():
    links = [("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("a", "BEFORE", "c")]
    apart = [("x", "BEFORE", "y"), ("y", "BEFORE", "z"), ("x", "BEFORE", "z")]

    assert codes(tlex.from_links([*links, ("c", "BEFORE", "a"), *apart]), "TLX304") == ["TLX304"]


def test_only_the_links_that_order_count():
    links = [("a", "BEGINS", "b"), ("a", "INITIATES", "b")]

    assert codes(tlex.from_links(links), "TLX304", links=["TLINK"]) == []


@pytest.mark.parametrize("limit", [0, 5])
def test_where_there_is_too_much_to_do_it_is_said_and_nothing_wrong_is_reported(limit):
    links = [("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("a", "BEFORE", "c"), ("c", "BEFORE", "d")]
    describer = Describer(tlex.from_links(links))

    *reported, remark = find_redundant(tlex.extract(describer.document), describer, limit)

    assert str(remark).startswith("too many links: whether ")
    assert all("l3" in finding.message for finding in reported)
