"""Values that are proposed: each ends its contradiction, makes no other one, and none is missed."""

from __future__ import annotations

from collections import Counter

import pytest
from calendar_judge import span_of
from dated import agree, dated_graphs, name_values, parse
from hypothesis import given

import tlex
from tlex.repair.proposals import Proposals
from tlex.repair.suspects import Suspects

FIELDS = ("year", "month", "week", "day")


def propose(document, number=0, **options):
    result = tlex.extract(document, calendar=True, **options)
    proposals = Proposals(Suspects(result))
    return [
        (one.id, one.field, one.new, one.source) for one in proposals.find(result.conflicts[number])
    ]


def split(value: str) -> dict[str, str]:
    """The fields of an exact value, by its dashes."""
    year, *rest = value.split("-")
    names = ("week",) if rest and rest[0].startswith("W") else ("month", "day")
    return {
        "year": year,
        **dict(zip(names, (part.removeprefix("W") for part in rest), strict=False)),
    }


def join(fields: dict[str, str]) -> str:
    words = [fields["year"]]
    words += [f"W{fields['week']}"] if "week" in fields else []
    return "-".join([*words, *(fields[name] for name in ("month", "day") if name in fields)])


def mends(times, links, own, name, new) -> bool:
    """Whether a value ends a contradiction of some links, and those left are old ones."""
    before = name_values(times)
    after = {**before, name: new}
    if not agree(after, own):
        return False
    changed = [after[f"t{number}"] for number in range(1, len(times) + 1)]
    left = tlex.extract(parse(changed, links), calendar=True).conflicts
    return not any(agree(before, pick(links, conflict)) for conflict in left)


def pick(links, conflict):
    return [links[int(link[1:]) - 1] for link in conflict.minimal if link.startswith("l")]


@given(dated_graphs())
def test_a_value_is_proposed_exactly_if_one_field_mends_a_contradiction(graph):
    times, links = graph
    result = tlex.extract(parse(times, links), calendar=True)
    suspects = Suspects(result)
    proposals = Proposals(suspects)
    for conflict in result.conflicts:
        own = pick(links, conflict)
        if not suspects.is_involved(conflict):
            assert not agree({}, own)
            continue
        values = {value.id: value.value for value in suspects.find(conflict)}
        assert not agree(values, own)  # the suspects are enough for the contradiction
        found = {}
        for name, value in values.items():
            for field, written in split(value).items():
                others = Counter(split(other).get(field) for other in times)
                for copied in others.keys() - {written, None}:
                    new = join({**split(value), field: copied})
                    if span_of(new) and mends(times, links, own, name, new):
                        found[name, field, new] = others[copied]
        best = {key for key, support in found.items() if support == max(found.values())}
        expected = best if len(best) <= 3 else set()
        assert {(one.id, one.field, one.new) for one in proposals.find(conflict)} == expected
    assert proposals.complete


def test_the_year_is_copied_that_most_times_have():
    document = parse(["1989-11-02", "1998-Q4", "1989-09"], [("t2", "ENDED_BY", "t3")])

    assert propose(document) == [("t2", "year", "1989-Q4", "t1")]


@pytest.mark.parametrize(
    ("times", "link", "proposed"),
    [
        (
            ["1989-03-31", "1989-10-30"],
            "AFTER",
            [("t1", "month", "1989-10-31", "t2"), ("t2", "month", "1989-03-30", "t1")],
        ),
        (
            ["1989-03", "1989-10", "1988-12"],
            "AFTER",
            [("t1", "month", "1989-12", "t3"), ("t2", "year", "1988-10", "t3")],
        ),
        (
            ["1989-W10", "1989-W44", "1990-W50"],
            "AFTER",
            [("t1", "week", "1989-W50", "t3"), ("t1", "year", "1990-W10", "t3")],
        ),
    ],
)
def test_months_and_weeks_are_copied(times, link, proposed):
    found = propose(parse(times, [("t1", link, "t2")]))

    assert set(found) == set(proposed)


def test_nothing_is_proposed_that_makes_another_contradiction():
    links = [("t1", "AFTER", "t2")]
    times = ["1989", "1989", "1990"]

    assert propose(parse(times, links)) == [("t1", "year", "1990", "t3")]
    assert propose(parse(times, [*links, ("t1", "BEFORE", "t3")])) == []


def test_nothing_is_proposed_if_the_document_does_not_tell():
    times = ["1989", "1989", "1990", "1991", "1992", "1993"]

    assert len(propose(parse(times[:5], [("t1", "AFTER", "t2")]))) == 3
    assert propose(parse(times, [("t1", "AFTER", "t2")])) == []


def test_no_value_is_made_that_the_calendar_does_not_have():
    times = ["1989-01-31", "1989-02", "1989-02"]

    found = propose(parse(times, [("t1", "IS_INCLUDED", "t2")]))

    assert "1989-02-31" not in {new for _, _, new, _ in found}


def test_odd_values_propose_nothing_and_raise_nothing():
    odd = ["1989-13", "1989-02-30", "XXXX-10", "P3D", "", "\U0001f4c5", "9" * 10_000]

    assert propose(parse(["1998", "1989", *odd], [("t1", "BEFORE", "t2")])) == []


def test_very_many_contradictions_end_at_a_limit():
    times = [f"{year}" for year in range(1000, 1400)]
    links = [(f"t{number + 1}", "BEFORE", f"t{number}") for number in range(1, 400)]
    result = tlex.extract(parse(times, links), calendar=True)
    proposals = Proposals(Suspects(result))

    for conflict in result.conflicts[:3]:
        proposals.find(conflict)

    assert not proposals.complete
