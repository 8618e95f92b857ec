"""Contradictions: one finding for each minimal conflict, on one link, the others in notes."""

from __future__ import annotations

import re
from pathlib import Path

import brute
import pytest
from dated import write
from hypothesis import given
from linted import found, only, whole
from strategies import document_of, tangled_graphs

import tlex
from tlex.errors import OptionError
from tlex.lint.contradictions import find_contradictions
from tlex.lint.descriptions import Describer
from tlex.repair.search import find_repair

EXAMPLE = Path(__file__).parents[2] / "examples" / "contradiction.tml"


def link(number: int, source: str, relation: str, target: str, kind: str = "TLINK") -> str:
    ends = [
        ("timeID" if source.startswith("t") else "eventInstanceID", source),
        ("relatedToTime" if target.startswith("t") else "relatedToEventInstance", target),
    ]
    words = " ".join(f'{key}="{value}"' for key, value in ends)
    return f'<{kind} lid="l{number}" relType="{relation}" {words}/>\n'


def contradictions(text, removed=(), **options):
    document = text if isinstance(text, tlex.Document) else tlex.parse(text)
    result = tlex.extract(document, **options)
    return list(find_contradictions(result, Describer(document), removed))


def test_a_cycle_is_reported_in_words_with_every_other_link_and_the_reasoning():
    (finding,) = contradictions(tlex.read(EXAMPLE), ["l4"])

    assert (finding.code, finding.severity, finding.line, finding.column) == (
        *("TLX203", "error", 24, 1),
    )
    assert finding.message == (
        'TLINK l4: "ate" (ei2) AFTER "arrived" (ei4) contradicts 2 other links'
    )
    assert [(note.message, note.line, note.column) for note in finding.notes] == [
        ('TLINK l2: "ate" (ei2) IBEFORE "washed" (ei3), line 22', 22, 1),
        ('TLINK l3: "washed" (ei3) BEFORE "arrived" (ei4), line 23', 23, 1),
        (
            (
                'contradiction 1: "ate" (ei2) ends when "washed" (ei3) begins (l2), '
                '"washed" (ei3) ends before "arrived" (ei4) begins (l3); '
                'so "ate" (ei2) begins before "arrived" (ei4) ends, '
                'but l4 says that "arrived" (ei4) ends before "ate" (ei2) begins'
            ),
            None,
            None,
        ),
    ]
    assert finding.links == ("l2", "l3", "l4")
    assert finding.nodes == ("ei2", "ei3", "ei4")


def test_a_link_that_contradicts_itself_needs_no_other():
    finding = only(whole(link(3, "ei1", "BEFORE", "ei1")), "TLX2")

    assert finding.code == "TLX201"
    assert finding.message == 'TLINK l3: "left" (ei1) BEFORE "left" (ei1) contradicts itself'
    assert [note.message for note in finding.notes] == [
        (
            'contradiction 1: "left" (ei1) begins before it ends, but l3 says that "left" (ei1) '
            "ends before it begins"
        )
    ]


def test_a_pair_names_the_other_link_in_the_message():
    (finding,) = contradictions(whole(link(3, "ei2", "IBEFORE", "ei1")))

    assert finding.code == "TLX202"
    assert finding.message == (
        'TLINK l3: "came" (ei2) IBEFORE "left" (ei1) contradicts "left" (ei1) BEFORE "came" (ei2)'
    )
    assert [note.message for note in finding.notes] == [
        'TLINK l1: "left" (ei1) BEFORE "came" (ei2), line 6',
        (
            'contradiction 1: "left" (ei1) ends before "came" (ei2) begins (l1); '
            'so "left" (ei1) begins before "came" (ei2) ends, '
            'but l3 says that "came" (ei2) ends when "left" (ei1) begins'
        ),
    ]


def test_what_follows_is_not_said_twice():
    text = whole(link(3, "ei2", "ENDS", "ei1")).replace("BEFORE", "ENDED_BY", 1)
    text = text.replace("ENDS", "SIMULTANEOUS")

    (finding,) = contradictions(text)

    assert finding.notes[-1].message == (
        'contradiction 1: "left" (ei1) begins before "came" (ei2) begins (l1), '
        'but l3 says that "came" (ei2) begins when "left" (ei1) begins'
    )


def test_a_link_that_the_repair_removes_is_the_one_to_blame():
    text = whole(link(3, "t0", "BEFORE", "ei1"))

    for removed in ("l1", "l2", "l3"):
        (finding,) = contradictions(text, [removed])
        assert finding.message.startswith(f"TLINK {removed}: ")
        assert f"but {removed} says that" in finding.notes[-1].message
        assert finding.line == 5 + int(removed[1:])


def test_the_reasoning_leads_through_the_other_links_to_the_blamed_one():
    text = whole(link(3, "t0", "BEFORE", "ei1"))

    reasons = [contradictions(text, [name])[0].notes[-1].message for name in ("l1", "l2")]

    assert reasons == [
        (
            "contradiction 1: "
            '"came" (ei2) ends before "New Year\'s Eve" (t0) begins (l2), "New Year\'s Eve" (t0) '
            'ends before "left" (ei1) begins (l3); so "came" (ei2) begins before "left" (ei1) '
            'ends, but l1 says that "left" (ei1) ends before "came" (ei2) begins'
        ),
        (
            "contradiction 1: "
            '"New Year\'s Eve" (t0) ends before "left" (ei1) begins (l3), "left" (ei1) ends '
            'before "came" (ei2) begins (l1); so "New Year\'s Eve" (t0) begins before "came" (ei2) '
            'ends, but l2 says that "came" (ei2) ends before "New Year\'s Eve" (t0) begins'
        ),
    ]


def test_an_order_that_follows_may_be_an_equality():
    document = tlex.from_links([("a", "SIMULTANEOUS", "b"), ("a", "INCLUDES", "b")])

    (finding,) = contradictions(document)

    assert finding.notes[-1].message == (
        "contradiction 1: b begins when a begins (l1), but l2 says that a begins before b begins"
    )


def test_the_link_to_blame_is_the_one_that_a_minimum_repair_removes():
    # One link contradicts two others: taking it away is enough.
    links = [("c", "BEFORE", "a"), ("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("a", "BEFORE", "c")]
    document = tlex.from_links(links)

    reported = found(document, "TLX2")

    assert find_repair(tlex.extract(document)).removed == ("l1",)
    assert len(reported) == 2
    assert all(finding.message.startswith("TLINK l1: ") for finding in reported)


@given(graph=tangled_graphs())
def test_every_finding_stands_on_a_link_of_its_own_that_the_repair_removes(graph):
    document = document_of(graph)
    removed = find_repair(tlex.extract(document)).removed

    for finding in found(document, "TLX2"):
        blamed = finding.message.split(":")[0].split()[1]
        assert blamed in removed
        assert blamed in finding.links


def test_without_a_repair_the_last_link_is_to_blame():
    (finding,) = contradictions(whole(link(3, "t0", "BEFORE", "ei1")), ["l9"])

    assert finding.message.startswith("TLINK l3: ")


def test_a_contradiction_has_the_same_fingerprint_whichever_link_is_to_blame():
    text = whole(link(3, "t0", "BEFORE", "ei1"))

    prints = {contradictions(text, [name])[0].fingerprint for name in ("l1", "l2", "l3")}

    assert len(prints) == 1


def test_another_contradiction_has_another_fingerprint():
    texts = [link(3, "t0", "BEFORE", "ei1"), link(3, "t0", "IBEFORE", "ei1")]

    assert len({only(whole(text), "TLX2").fingerprint for text in texts}) == 2


def test_a_time_that_is_a_point_is_given_as_a_reason():
    text = whole(
        '<TIMEX3 tid="t1" type="TIME" value="T12:00">noon</TIMEX3>\n'
        + link(3, "ei2", "BEGINS", "t1")
    )

    assert found(text, "TLX2") == ()
    finding = only(text, "TLX2", times="point")
    assert finding.code == "TLX201"
    assert '"noon" (t1) is a single point' in finding.notes[-1].message


def test_alinks_count_only_if_they_order():
    text = whole(link(3, "ei2", "INITIATES", "ei1", "ALINK"))

    assert only(text, "TLX2").code == "TLX202"
    assert found(text, "TLX2", links=["TLINK"]) == ()


def test_long_words_are_cut_and_nodes_without_words_go_by_their_ids():
    links = [("e1", "BEFORE", "e1")]
    document = tlex.from_links(links, texts={"e1": "the longest day of the whole long year"})

    assert only(document).message.startswith(
        'TLINK l1: "the longest day of the whole long..." (e1) BEFORE "the'
    )
    assert only(tlex.from_links(links)).message == "TLINK l1: e1 BEFORE e1 contradicts itself"


@given(graph=tangled_graphs())
def test_every_conflict_is_reported_once_and_its_links_are_irreducible(graph):
    document = document_of(graph)
    result = tlex.extract(document)

    reported = contradictions(document)

    sets = [finding.links for finding in reported]
    assert sorted(sets) == sorted({conflict.minimal for conflict in result.conflicts})
    for finding in reported:
        place = {f"l{n}": edge for n, edge in enumerate(graph.links, 1)}
        links = [place[name] for name in finding.links]
        assert brute.close(graph.size, links) is None
        alike = [note for note in finding.notes if " the same as " in note.message]
        assert len(finding.notes) - len(alike) == len(links)
        expected = {1: "TLX201", 2: "TLX202"}.get(len(links), "TLX203")
        assert finding.code == expected
        reasoning = finding.notes[-1].message
        named = re.findall(r"\((l\d+)\)|but (l\d+) says", reasoning)
        assert {one or other for one, other in named} == set(finding.links)


def test_every_link_of_the_repair_has_a_finding_of_its_own():
    rows = [("a", "INCLUDES", "b"), ("a", "BEFORE", "b"), ("a", "AFTER", "b")]
    document = tlex.from_links(rows)

    findings = contradictions(document, find_repair(tlex.extract(document)).removed)

    assert sorted(finding.links for finding in findings) == [
        ("l1", "l2"),
        ("l1", "l3"),
        ("l2", "l3"),
    ]


@given(graph=tangled_graphs())
def test_whoever_mends_all_that_is_shown_is_done(graph):
    document = document_of(graph)
    result = tlex.extract(document, times="point")
    removed = find_repair(result, limit=1).removed

    findings = contradictions(document, removed, times="point")

    names = {link.id: (link.kind, link.byte_start) for link in document.links}
    blamed = {
        name for f in findings for name in f.links if f"{names[name][0]} {name}:" in f.message
    }
    for finding in findings:
        for note in finding.notes:
            alike, says, _ = note.message.partition(" the same as ")
            blamed |= set(re.findall(r"l\d+", alike)) if says else set()
    assert blamed >= set(removed)
    for finding in findings:
        kept = [link for link in document.links if link.id in finding.links]
        rows = [(int(k.source[1:]), k.type, int(k.target[1:])) for k in kept]
        assert brute.close(graph.size, rows, graph.instants) is None
        for one in rows:
            fewer = list(rows)
            fewer.remove(one)
            assert brute.close(graph.size, fewer, graph.instants) is not None


def test_a_contradiction_with_the_calendar_names_links_values_and_their_places():
    text = write(["1989-11", "1998-09", "1989"], [("t2", "IS_INCLUDED", "t3")])

    finding = only(text, "TLX2", calendar=True)

    assert (finding.code, finding.severity, finding.line, finding.column) == (
        *("TLX204", "error", 5, 1),
    )
    assert finding.message == (
        'TLINK l1: "time 2" (t2) IS_INCLUDED "time 3" (t3) contradicts the calendar'
    )
    assert finding.links == ("l1", "calendar:t3:t2")
    assert finding.nodes == ("t2", "t3")
    assert [(one.id, one.value, one.line, one.column) for one in finding.values] == [
        ("t2", "1998-09", 3, 6),
        ("t3", "1989", 4, 6),
    ]
    assert [(one.id, one.field, one.new, one.support) for one in finding.proposals] == [
        ("t2", "year", "1989-09", 2)
    ]
    assert [(note.message, note.line, note.column) for note in finding.notes] == [
        (
            '"time 3" (t3, 1989) is before "time 2" (t2, 1998-09), by their values',
            *(None, None),
        ),
        ('suspect: "time 2" (t2) has the value 1998-09, line 3', 3, 6),
        ('suspect: "time 3" (t3) has the value 1989, line 4', 4, 6),
        (
            (
                'proposal: "time 2" (t2, 1998-09) would fit as 1989-09, with the year of "time 1" '
                "(t1, 1989-11) and 1 other time"
            ),
            *(None, None),
        ),
        (
            (
                'contradiction 1: "time 3" (t3) ends before "time 2" (t2) begins (by the '
                'calendar); so "time 3" (t3) ends before "time 2" (t2) ends, but l1 says '
                'that "time 2" (t2) ends before "time 3" (t3) ends'
            ),
            *(None, None),
        ),
    ]


def test_links_that_contradict_the_calendar_together_are_all_named():
    links = [("ei1", "IS_INCLUDED", "t1"), ("ei1", "IS_INCLUDED", "t2")]

    finding = only(write(["1998-03-12", "1998-W12"], links), "TLX2", calendar=True)

    assert finding.message == (
        'TLINK l2: "event 1" (ei1) IS_INCLUDED "time 2" (t2) contradicts '
        '"event 1" (ei1) IS_INCLUDED "time 1" (t1) and the calendar'
    )
    assert finding.notes[0].message.startswith("TLINK l1: ")


def test_the_calendar_is_off_unless_it_is_asked_for():
    text = write(["1989", "1990"], [("t2", "BEFORE", "t1")])

    assert found(text, "TLX2") == ()
    assert [one.code for one in found(text, "TLX2", calendar=True)] == ["TLX204"]
    assert found(text, "TLX201", "TLX202", "TLX203", calendar=True) == ()
    result = tlex.extract(tlex.parse(text), calendar=True)
    assert [one.code for one in tlex.check(result, select=["TLX2"])] == ["TLX204"]
    with pytest.raises(OptionError, match="a result has its own"):
        tlex.check(result, calendar=True)


def test_a_fingerprint_knows_the_values():
    links = [("t2", "BEFORE", "t1")]
    first, moved, other = (
        only(text, "TLX2", calendar=True).fingerprint
        for text in (
            write(["1989", "1990"], links),
            write(["1989", "1990"], links).replace("\n", "\n\n"),
            write(["1989", "1991"], links),
        )
    )

    assert first == moved != other


def test_guidelines_say_nothing_of_what_follows_from_values():
    text = write(["1989", "1990", "1991"], [("t1", "BEFORE", "t2"), ("t2", "BEFORE", "t3")])

    plain, dated = (
        [one.code for one in found(text, calendar=calendar)] for calendar in (False, True)
    )

    assert plain == dated


def test_a_calendar_that_is_cut_is_told_once():
    times = ["1990-Q1"] * 400 + ["1998-Q1"] * 400
    document = tlex.parse(write(times, [("t1", "BEFORE", "t800")]))

    assert tlex.check(document, calendar=True).remarks == (
        "too many inexact values: not all that follows from the calendar was looked at",
    )
    assert tlex.check(document).remarks == ()


def test_a_duration_that_ends_before_it_starts_is_found():
    lasting = ("P6Y", {"type": "DURATION", "beginPoint": "t1", "endPoint": "t2"})

    finding = only(write(["2013-02-27", "2007-03-13", lasting]), "TLX117")

    assert finding.message == (
        '"time 3" (t3) goes back in time: from "time 1" (t1), 2013-02-27, '
        'to "time 2" (t2), 2007-03-13'
    )
    assert [(note.message, note.line) for note in finding.notes] == [
        ('it begins in "time 1" (t1), line 2', 2),
        ('it ends in "time 2" (t2), line 3', 3),
    ]
    assert found(write(["2007-03-13", "2013-02-27", lasting]), "TLX117") == ()
    assert found(write(["2013", "nonsense", lasting]), "TLX117") == ()
