"""Conflicts with the calendar: what follows from values counts as given."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
from dated import agree, dated_graphs, find_cheapest, name_values, parse
from hypothesis import given

import tlex


def pick(links, conflict):
    """The links of a conflict that a repair could remove."""
    found = []
    for name in conflict.minimal:
        same = conflict.same.get(name, ())
        if name.startswith("l") and not any(other.startswith("calendar:") for other in same):
            found.append(links[int(name[1:]) - 1])
    return found


@given(dated_graphs())
def test_a_conflict_is_irreducible_whatever_the_values_say(graph):
    times, links = graph
    values = name_values(times)
    result = tlex.extract(parse(times, links), calendar=True)

    assert result.consistent == agree(values, links)
    sets = [pick(links, conflict) for conflict in result.conflicts]
    for own in sets:
        assert own
        assert not agree(values, own)
        for link in own:
            fewer = list(own)
            fewer.remove(link)
            assert agree(values, fewer)
    repeated = [link for one in result.conflicts for same in one.same.values() for link in same]
    named = set(chain.from_iterable(sets))
    named.update(links[int(link[1:]) - 1] for link in repeated if link.startswith("l"))
    assert len(set(map(tuple, sets))) == len(sets)
    assert agree(values, [link for link in links if link not in named])
    places = range(len(links))
    least = next(
        size
        for size in range(len(links) + 1)
        for gone in combinations(places, size)
        if all(any(links[place] in own for place in gone) for own in sets)
    )
    if len(set(links)) == len(links):  # of links that say the same, conflicts name the first
        assert least <= find_cheapest(values, links)


@given(dated_graphs())
def test_results_with_the_calendar_are_proven(graph):
    times, links = graph
    document = parse(times, links)

    for calendar in (False, True):
        tlex.verify(document, tlex.extract(document, calendar=calendar).to_json())
        tlex.verify(document, tlex.fix(document, calendar=calendar).to_json())
        tlex.verify(document, tlex.fix(document, calendar=calendar, relabel=True).to_json())


def test_one_contradiction_is_listed_once_by_whatever_way_values_lead():
    times = ["1989-10-26", "1989-10-27", "1989-10-30", "1989-11-06", "1989", "1989-10"]
    links = [("ei1", "IS_INCLUDED", "t1"), ("ei1", "IS_INCLUDED", "t4")]

    (conflict,) = tlex.extract(parse(times, links), calendar=True).conflicts

    assert [link for link in conflict.minimal if link.startswith("l")] == ["l1", "l2"]


def test_a_link_that_contradicts_values_alone_is_in_no_other_conflict():
    times = ["1989", "1991", "1989", "1991"]
    links = [("t2", "BEFORE", "t1"), ("t4", "BEFORE", "t3")]

    result = tlex.extract(parse(times, links), calendar=True)

    assert [[link for link in one.minimal if link[0] == "l"] for one in result.conflicts] == [
        ["l1"],
        ["l2"],
    ]


@pytest.mark.corpus
def test_the_corpora_have_no_contradiction_twice(timebank, meantime):
    for document in (*timebank.values(), *meantime.values()):
        result = tlex.extract(document, calendar=True)
        own = [
            tuple(link for link in conflict.minimal if not link.startswith("calendar:"))
            for conflict in result.conflicts
        ]
        assert len(set(own)) == len(own)
