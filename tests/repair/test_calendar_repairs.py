"""Repairs with the calendar: links change, and what follows from values stays."""

from __future__ import annotations

import json
from itertools import product

import pytest
from dated import agree, dated_graphs, find_cheapest, name_values, parse
from hypothesis import given

import tlex
from tlex.errors import OptionError

MOMENT = {"functionInDocument": "CREATION_TIME"}


def stay(links, fixed):
    """The links that a repair leaves, with their new types."""
    kept = []
    for number, (source, label, target) in enumerate(links, 1):
        if f"l{number}" not in fixed.removed:
            kept.append((source, fixed.relabelled.get(f"l{number}", label), target))
    return kept


@given(dated_graphs())
def test_the_fewest_links_are_removed_and_never_the_calendar(graph):
    times, links = graph
    values = name_values(times)

    fixed = tlex.fix(parse(times, links), calendar=True)

    assert agree(values, stay(links, fixed))
    assert fixed.consistent
    assert fixed.optimal
    assert fixed.cost == len(fixed.removed) == find_cheapest(values, links)
    assert all(link.startswith("l") for link in (*fixed.removed, *sum(fixed.alternatives, ())))
    for decision in fixed.decisions:
        for option in decision.options:
            assert all(link.startswith("l") for link in option.links)


@given(dated_graphs())
def test_every_choice_leads_to_links_that_agree_with_the_values(graph):
    times, links = graph
    document = parse(times, links)
    first = tlex.fix(document, calendar=True).decisions[:1]
    for option in first[0].options if first else ():
        fixed = tlex.fix(document, calendar=True, choose={1: option.number})
        assert fixed.consistent
        assert agree(name_values(times), stay(links, fixed))
        assert tlex.extract(fixed.document, calendar=True).consistent


@given(dated_graphs())
def test_new_types_agree_with_the_values(graph):
    times, links = graph

    fixed = tlex.fix(parse(times, links), calendar=True, relabel=True)

    assert agree(name_values(times), stay(links, fixed))
    for link, types in fixed.suggestions.items():
        alone = [one for one in stay(links, fixed) if not fixed.relabelled]
        source, _, target = links[int(link[1:]) - 1]
        for label in types if not fixed.relabelled else ():
            assert agree(name_values(times), [*alone, (source, label, target)])


def test_what_is_written_has_only_the_links_of_the_document():
    document = parse(["1989", "1990"], [("t2", "BEFORE", "t1"), ("ei1", "BEFORE", "t1")])
    fixed = tlex.fix(document, calendar=True)

    assert fixed.removed == ("l1",)
    assert [link.id for link in fixed.document.links] == ["l2"]
    assert b"CALENDAR" not in fixed.data
    assert fixed.data == document.source.data.replace(
        b'<TLINK lid="l1" timeID="t2" relType="BEFORE" relatedToTime="t1"/>\n', b""
    )
    assert len(fixed.patch.files[0].changes) == 1


def test_a_decision_shows_the_values_and_what_would_fit():
    document = parse(
        ["1989-11-02", "1998-Q4", "1989-09"], [("t2", "ENDED_BY", "t3"), ("ei1", "BEFORE", "t1")]
    )

    fixed = tlex.fix(document, calendar=True)

    (decision,) = json.loads(fixed.to_json())["decisions"]
    assert decision["calendar"] == [
        '"time 3" (t3, 1989-09) is before "time 2" (t2, 1998-Q4), by their values'
    ]
    assert [(one["id"], one["value"], one["line"]) for one in decision["values"]] == [
        ("t2", "1998-Q4", 3),
        ("t3", "1989-09", 4),
    ]
    assert [(one["id"], one["new"], one["source"]) for one in decision["proposals"]] == [
        ("t2", "1989-Q4", "t1")
    ]
    assert decision["says"] == (
        'l1 says that "time 2" ends when "time 3" ends, the calendar that "time 3" ends before '
        '"time 2" begins'
    )
    assert [(one["action"], one["reason"]) for one in decision["options"]] == [
        ("remove", "what stays agrees with the calendar"),
        ("relabel", "nearest type that fits what stays and agrees with the calendar"),
    ]
    assert json.loads(fixed.to_json())["options"]["calendar"] is True
    shown = str(fixed)
    assert "Time [time 2]." in shown
    assert "      calendar  " + decision["calendar"][0] in shown
    assert "    or a value: " + decision["proposals"][0]["says"] in shown
    assert "calendar:t" not in shown


def test_without_the_calendar_nothing_of_it_is_said():
    document = parse(["1989", "1990"], [("ei1", "BEFORE", "ei2"), ("ei2", "BEFORE", "ei1")])

    for calendar in (False, True):
        (decision,) = tlex.fix(document, calendar=calendar).decisions
        assert decision.calendar == decision.values == decision.proposals == ()
        assert "calendar" not in decision.options[0].reason


def test_a_link_that_the_calendar_says_too_is_not_offered():
    document = parse(["1989", "1990"], [("t1", "BEFORE", "t2"), ("t2", "BEFORE", "t1")])

    (decision,) = tlex.fix(document, calendar=True).decisions

    assert [option.links for option in decision.options if not option.types] == [("l2",)]
    with pytest.raises(OptionError, match="l2"):
        tlex.fix(document, calendar=True, keep=["l2"])


def test_a_result_has_its_own_calendar():
    result = tlex.extract(parse(["1989", "1990"], [("t2", "BEFORE", "t1")]), calendar=True)

    assert tlex.fix(result).removed == ("l1",)
    with pytest.raises(OptionError, match="a result has its own"):
        tlex.fix(result, calendar=True)


def test_a_calendar_that_changes_with_the_links_is_looked_at_again():
    """Without l1 the two days no longer touch, and then e1 has no place between them."""
    times = [("2013-03-12", MOMENT), ("2013-03-13", {}), ("2013-03-12", {})]
    links = [
        ("t1", "IBEFORE", "t2"),
        ("ei1", "IAFTER", "t3"),
        ("ei1", "BEGINS", "t2"),
        ("t1", "BEFORE", "ei2"),
        ("ei2", "BEFORE", "t2"),
    ]
    document = parse(times, links)

    fixed = tlex.fix(document, calendar=True, weights={f"l{number}": 9 for number in range(2, 6)})

    assert fixed.removed == ("l1",)
    assert not fixed.consistent
    assert not fixed.optimal
    assert not tlex.extract(fixed.document, calendar=True).consistent
    assert "other contradictions are left" in str(fixed)


@pytest.mark.parametrize(("relabel", "links"), [*product([False, True], ["TLINK", "ALINK"])])
def test_self_loops_and_kinds_go_with_the_calendar(relabel, links):
    document = parse(["1989", "1990"], [("t1", "BEFORE", "t1"), ("t2", "BEFORE", "t1")])

    only = tlex.fix(document, calendar=True, only="self-loops", links=[links])
    both = tlex.fix(document, calendar=True, relabel=relabel, links=[links])

    assert only.removed == (("l1",) if links == "TLINK" else ())
    assert both.links == (("l1", "l2") if links == "TLINK" else ())
    assert both.consistent


def test_weights_prove_the_repair_with_the_calendar():
    links = [("ei1", "IS_INCLUDED", "t1"), ("ei1", "IS_INCLUDED", "t2"), ("t2", "BEFORE", "t1")]
    document = parse(["1989", "1990"], links)

    fixed = tlex.fix(document, calendar=True, weights={"l1": 5, "l2": 2, "l3": "0.5"})

    assert (fixed.removed, fixed.cost, fixed.optimal) == (("l2", "l3"), 2.5, True)
