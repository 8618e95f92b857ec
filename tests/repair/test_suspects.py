"""Suspects: the values that have a part in a contradiction, and what they say in words."""

from __future__ import annotations

import pytest
from dated import parse

import tlex
from tlex.repair.suspects import Suspects

MOMENT = {"functionInDocument": "CREATION_TIME"}


def look(times, links, number=0, **options):
    result = tlex.extract(parse(times, links), calendar=True, **options)
    suspects = Suspects(result)
    conflict = result.conflicts[number]
    return suspects, conflict


def test_the_suspects_are_where_the_calendar_begins_and_ends():
    suspects, conflict = look(
        ["1989-09", "1989-11-02", "1989", "1998-Q4"], [("t4", "BEFORE", "t1")]
    )

    found = suspects.find(conflict)

    assert [(one.id, one.text, one.value, one.line) for one in found] == [
        ("t1", "time 1", "1989-09", 2),
        ("t4", "time 4", "1998-Q4", 5),
    ]
    assert all(one.column == 6 for one in found)
    assert suspects.say(conflict) == (
        '"time 1" (t1, 1989-09) is before "time 4" (t4, 1998-Q4), by their values',
    )


def test_what_is_known_of_a_value_besides_is_said():
    suspects, conflict = look(
        [("1989-10-30", MOMENT), ("1989", {"mod": "START"}), ("1990", {})],
        [("t3", "BEFORE", "t1"), ("t3", "BEFORE", "t2")],
        1,
    )

    assert suspects.name("t1") == '"time 1" (t1, 1989-10-30, a moment in it)'
    assert suspects.name("t2") == '"time 2" (t2, 1989, START)'
    assert suspects.say(conflict) == (
        '"time 2" (t2, 1989, START) is before "time 3" (t3, 1990), by their values',
    )


def test_a_duration_is_suspect_with_its_ends():
    lasting = ("P2Y", {"type": "DURATION", "beginPoint": "t1", "endPoint": "t2"})
    suspects, conflict = look(["1989", "1991", lasting, "1995"], [("t4", "BEFORE", "t3")])

    assert [one.id for one in suspects.find(conflict)] == ["t1", "t2", "t3", "t4"]
    assert suspects.name("t3") == '"time 3" (t3, P2Y, from 1989 to 1991)'


def test_a_link_that_says_what_the_calendar_says_is_no_way_out():
    suspects, conflict = look(["1989", "1990"], [("t1", "BEFORE", "t2"), ("t2", "BEFORE", "t1")])

    assert conflict.minimal == ("l1", "l2")
    assert suspects.is_involved(conflict)
    assert [one.id for one in suspects.find(conflict)] == ["t1", "t2"]
    assert suspects.say(conflict) == (
        '"time 1" (t1, 1989) is before "time 2" (t2, 1990), by their values',
    )


def test_without_values_nothing_is_suspect():
    suspects, conflict = look(
        ["1989", "1990"], [("ei1", "BEFORE", "ei2"), ("ei2", "BEFORE", "ei1")]
    )

    assert not suspects.is_involved(conflict)
    assert suspects.find(conflict) == suspects.say(conflict) == ()


@pytest.mark.corpus
@pytest.mark.parametrize("times", ["interval", "point"])
def test_every_contradiction_with_the_calendar_is_said_in_words(timebank, meantime, times):
    counted = 0
    for document in (*timebank.values(), *meantime.values()):
        result = tlex.extract(document, calendar=True, times=times)
        suspects = Suspects(result)
        for conflict in () if result.consistent else result.conflicts:
            if suspects.is_involved(conflict):
                counted += 1
                found = suspects.find(conflict)
                assert len(found) >= 2
                said = suspects.say(conflict)
                assert said
                assert all(any(one.value in words for words in said) for one in found)
    assert counted > 60
