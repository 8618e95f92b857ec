"""Assembling: what a reader collects becomes a document, in whatever way the format lists it."""

from __future__ import annotations

import pytest

from tlex.document import Document
from tlex.nouns import Event, Instance, Link, Timex
from tlex.readers import Diagnostics, Nouns, assemble
from tlex.readers.assembly import make_ends
from tlex.source import NOWHERE, Source

SOURCE = Source(b"." * 100, "utf-8")
TEXT = "They fell at noon"


def noun(kind: type, own: str, at: int, span: tuple[int, int] = (NOWHERE, NOWHERE), **more):
    return kind(
        id=own,
        attributes={},
        byte_start=at,
        file=SOURCE,
        text_start=span[0],
        text_end=span[1],
        **more,
    )


def link(own: str, source: str, label: str, target: str, at: int = 90) -> Link:
    return Link(
        id=own,
        attributes={},
        byte_start=at,
        file=SOURCE,
        kind="TLINK",
        type=label,
        source=source,
        target=target,
    )


def assembled(nouns: Nouns, links, **options) -> Document:
    return assemble(nouns, links, Diagnostics("x", SOURCE), format="test", text=TEXT, **options)


def test_name_format_text_and_file_are_the_documents():
    document = assembled(Nouns(), [])

    assert (document.name, document.format, document.text) == ("x", "test", TEXT)
    assert document.source is SOURCE


def test_events_and_times_are_nodes_in_text_order_and_those_without_a_place_come_last():
    nouns = Nouns(
        events=[noun(Event, "e2", 1), noun(Event, "e1", 2, (5, 9))],
        timexes=[noun(Timex, "t1", 0, (13, 17))],
    )

    document = assembled(nouns, [link("l1", "e1", "BEFORE", "t1")])

    assert document.index == {"e1": 0, "t1": 1, "e2": 2}
    assert document.diagnostics == ()


def test_an_instance_without_a_place_has_the_place_and_the_words_of_its_event():
    nouns = Nouns(
        has_instances=True,
        events=[noun(Event, "e1", 0, (5, 9)), noun(Event, "e2", 1, (0, 9))],
        instances=[
            noun(Instance, "ei1", 2, event="e1"),
            noun(Instance, "ei2", 3, event="e2"),
            noun(Instance, "ei3", 4, (0, 4), event="e1"),
        ],
        phrases={"e2": "fell They"},
    )

    document = assembled(nouns, [])

    assert {node.id: document.words(node) for node in document.nodes} == {
        "ei1": "fell",
        "ei2": "fell They",
        "ei3": "They",
    }
    assert [instance.id for instance in document.instances] == ["ei1", "ei2", "ei3"]


@pytest.mark.parametrize(("has_instances", "codes"), [(True, ["TLX106"]), (False, [])])
def test_an_event_without_instance_is_reported_only_where_links_name_instances(
    has_instances, codes
):
    nouns = Nouns(has_instances=has_instances, events=[noun(Event, "e1", 0, (5, 9))])

    document = assembled(nouns, [])

    assert list(document.index) == ["e1"]
    assert [problem.code for problem in document.diagnostics] == codes


def test_the_ends_of_links_are_nodes_where_a_format_lists_none():
    nouns = Nouns(ends=make_ends({"a": 0, "t1": 0, "b": 20}, SOURCE))

    document = assembled(nouns, [link("l1", "a", "BEFORE", "t1"), link("l2", "a", "BEFORE", "b")])

    assert document.index == {"a": 0, "t1": 1, "b": 2}
    assert [node.id for node in document.instances] == ["a", "b"]
    assert [node.id for node in document.timexes] == ["t1"]


def test_links_can_be_made_when_the_nodes_are_known():
    nouns = Nouns(events=[noun(Event, "e1", 0, (5, 9)), noun(Event, "e2", 1, (0, 4))])

    document = assembled(nouns, lambda index: [link("l1", *sorted(index)[:1], "BEFORE", "e2")])

    assert document.links[0].source == "e1"


def test_an_order_counts_where_the_text_gives_none():
    nouns = Nouns(events=[noun(Event, own, at) for at, own in enumerate("abc")])

    document = assembled(nouns, [], order=["c", "a"])

    assert list(document.index) == ["c", "a", "b"]


def test_what_is_wrong_is_reported_by_place_and_links_get_ids_of_their_own():
    nouns = Nouns(events=[noun(Event, "e1", 50), noun(Event, "e1", 40)])

    document = assembled(
        nouns,
        [
            link("l1", "e1", "BEFORE", "e1", 60),
            link("l1", "e1", "BEFORE", "e9", 70),
            link("", "e1", "", "e1", 30),
        ],
    )

    assert [each.id for each in document.links] == ["l1", "TLINK@1:71", "TLINK@1:31"]
    assert [(problem.offset, problem.code) for problem in document.diagnostics] == [
        (30, "TLX102"),
        (30, "TLX103"),
        (50, "TLX104"),
        (70, "TLX104"),
        (70, "TLX101"),
    ]
