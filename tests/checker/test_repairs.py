"""The checker proves repairs: they repair, all is needed, nothing costs less, so many there are."""

from __future__ import annotations

import sys

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from strategies import Graph, document_of, tangled_graphs

import tlex
from tlex.checker import knots, verify
from tlex.checker.constraints import Constraints
from tlex.errors import VerificationError

# l3 contradicts l1 and l2.
THREE = tlex.from_links([("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("c", "BEFORE", "a")])
STAR = tlex.from_links([("a", "BEFORE", "b"), ("a", "IBEFORE", "b"), ("b", "BEFORE", "a")])


@settings(max_examples=60)
@given(graph=tangled_graphs(), relabel=st.booleans(), data=st.data())
def test_every_repair_is_proven(graph, relabel, data):
    document = document_of(graph)
    names = st.sampled_from(["tlink", "BEFORE", *(link.id for link in document.links)])
    numbers = st.sampled_from(("0", "0.5", "2", "1/3"))
    weights = data.draw(st.dictionaries(names, numbers, max_size=3))

    fixed = tlex.fix(document, relabel=relabel, weights=weights)

    assert not verify(document, fixed).unchecked
    assert not verify(document, fixed.to_json()).unchecked
    assert not verify(document, tlex.fix(document, only="self-loops").to_json()).unchecked


# Links tie three contradictory components together, in an order that the hash seed decided.
THREE_PARTS = Graph(
    size=6,
    links=[
        *(
            (0, "BEGINS", 0),
            (0, "STARTS_AFTER", 0),
            (0, "STARTS_BEFORE", 0),
            (0, "STARTS_BEFORE", 0),
        ),
        *((0, "STARTS_BEFORE", 4), (1, "BEGINS", 4), (1, "ENDED_ON", 2), (2, "INITIATES", 2)),
        *((3, "IBEFORE", 2), (3, "OVERLAPS", 3), (3, "CONTAINED_BY", 0), (0, "BEFORE", 5)),
        *((0, "INCLUDES", 0), (0, "INCLUDES", 1), (0, "BEGINS", 1), (3, "BEFORE", 3)),
    ],
)


@example(graph=THREE_PARTS)
@given(graph=tangled_graphs())
def test_no_link_is_in_two_knots(graph):
    document = document_of(graph)
    found = knots.find_knots(Constraints(document, tlex.fix(document, limit=1).record().options))

    links = [link for knot in found for link in knot.links]

    assert len(links) == len(set(links))


def test_a_repair_that_is_too_large_is_rejected():
    record = tlex.fix(THREE).record()

    with pytest.raises(VerificationError, match="need not be changed"):
        verify(
            THREE, replace(record, removed=("l1", "l2"), cost=2, suggestions={"l1": (), "l2": ()})
        )


def test_a_dearer_repair_is_not_optimal():
    fixed = tlex.fix(STAR, weights={"l3": 5}).record()
    dear = tlex.fix(STAR, keep=["l1"]).record()
    assert (fixed.removed, dear.removed) == (("l1", "l2"), ("l2", "l3"))

    wrong = replace(dear, options=fixed.options, cost=6, alternatives=())
    with pytest.raises(VerificationError, match="there is a repair that costs less"):
        verify(STAR, wrong)


def test_the_number_of_repairs_is_counted_again():
    record = tlex.fix(THREE).record()
    assert (record.count, record.exact) == (3, True)

    with pytest.raises(VerificationError, match="there are 3 repairs of this cost, not 2"):
        verify(THREE, replace(record, count=2, alternatives=record.alternatives[:1]))
    with pytest.raises(VerificationError, match="there are 3 repairs of this cost, not 4"):
        verify(THREE, replace(record, count=4))


def test_a_bound_that_is_too_high_is_rejected():
    record = tlex.fix(STAR).record()

    with pytest.raises(VerificationError, match="the bound is not below the cost"):
        verify(STAR, replace(record, optimal=False, bound=record.cost))
    assert verify(STAR, replace(record, optimal=False, bound=record.cost - 1))


def test_what_takes_too_long_is_named(monkeypatch):
    monkeypatch.setattr(knots, "SEARCH_LIMIT", 5)

    unchecked = verify(THREE, tlex.fix(THREE).record()).unchecked

    assert "the cost of the repair around link 'l1'" in unchecked
    assert "that there are 3 repairs of this cost" in unchecked
    assert "whether the conflicts around link 'l1' prove the minimum repair" in unchecked


def test_a_weight_that_is_no_number_is_rejected():
    record = tlex.fix(THREE).record()

    for weight in ("one", "1e99999999", "-1", "1/0", "nan"):
        options = replace(record.options, weights={"tlink": weight})
        with pytest.raises(VerificationError, match="no number"):
            verify(THREE, replace(record, options=options))


@settings(max_examples=60)
@given(graph=tangled_graphs(), relabel=st.booleans(), data=st.data())
def test_every_chosen_repair_is_proven(graph, relabel, data):
    document = document_of(graph)
    decisions = tlex.fix(document, relabel=relabel).decisions
    assume(decisions)
    decision = data.draw(st.sampled_from(decisions))
    option = data.draw(st.integers(0, len(decision.options)))

    fixed = tlex.fix(document, relabel=relabel, choose={decision.number: option})

    chosen = [one.options[one.chosen - 1] for one in fixed.decisions if one.chosen]
    allowed = []
    if any(option.types for option in chosen):
        # After that, contradictions may have been listed that are no more.
        allowed = [
            f"decision {one.number}: how many contradictions its options settle"
            for one in fixed.decisions
        ]
    for result in (fixed, fixed.to_json()):
        assert set(verify(document, result).unchecked) <= {*allowed}


def test_a_bound_is_compared_as_it_is_written():
    fixed = tlex.fix(STAR, weights={"l1": "0.45", "l2": "0.45"}, choose={1: 3})
    assert (fixed.cost, fixed.bound) == (1.45, 0.9)  # the float is more than 9/10

    assert not verify(STAR, fixed.to_json()).unchecked
    with pytest.raises(VerificationError, match="costs less than the bound"):
        verify(STAR, replace(fixed.record(), bound=0.91))


def test_a_cost_above_the_largest_float_is_proven():
    fixed = tlex.fix(STAR, weights={"tlink": "1e308"}, keep=["l3"])
    assert fixed.cost == sys.float_info.max

    assert not verify(STAR, fixed.to_json()).unchecked


@pytest.mark.parametrize(
    ("label", "reason"),
    [("BEFORE", "the conflict is left"), ("INITIATES", "'INITIATES' is no type for 'l3'")],
)
def test_an_option_that_does_not_settle_its_conflict_is_rejected(label, reason):
    record = tlex.fix(THREE).record()
    (decision,) = record.decisions
    options = [
        replace(option, types={"l3": label}) if "l3" in option.types else option
        for option in decision.options
    ]
    assert options != list(decision.options)

    with pytest.raises(VerificationError, match=reason):
        verify(THREE, replace(record, decisions=(replace(decision, options=tuple(options)),)))
