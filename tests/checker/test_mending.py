"""The checker proves mended results, and that the links left out are a minimum repair."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from strategies import document_of, tangled_graphs

import tlex
from tlex.checker import mending, verify
from tlex.errors import VerificationError

RING = tlex.from_links(
    [("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("c", "BEFORE", "a"), ("c", "BEFORE", "d")]
)


@settings(max_examples=60)
@given(graph=tangled_graphs(), data=st.data())
def test_every_mended_result_is_proven(graph, data):
    document = document_of(graph)
    result = tlex.extract(document, mend=True)
    policy = data.draw(st.sampled_from(("part", "repair", "every")))

    verify(document, result)
    verify(document, result.to_json())
    verify(document, result.answer(closure=result.closure()))
    verify(document, result.answer(reduction=result.reduction()))
    if document.nodes:
        nodes = st.sampled_from([node.id for node in document.nodes])
        why = result.why(data.draw(nodes), data.draw(nodes), contradictions=policy)
        verify(document, result.answer(why=why))
        verify(document, result.answer(relation=why.relation))


@pytest.mark.parametrize(
    ("mended", "problem"),
    [
        ((), "contradictory without the links left out"),
        (("l1", "l2"), "costs less than the links left out"),
        (("l4",), "a link is left out that contradicts nothing"),
        (("l2", "l1"), "not in document order"),
        (("l9",), "says nothing, or is not there"),
    ],
)
def test_the_links_left_out_are_a_minimum_repair(mended, problem):
    record = tlex.extract(RING, mend=True).record()

    with pytest.raises(VerificationError, match=problem):
        verify(RING, replace(record, mended=mended))


def test_links_are_left_out_only_if_that_was_asked_for():
    record = tlex.extract(RING, mend=True).record()

    with pytest.raises(VerificationError, match="which was not asked for"):
        verify(RING, replace(record, options=replace(record.options, mend=False)))


def test_what_holds_under_one_repair_does_not_hold_under_every_one():
    result = tlex.extract(RING)
    chosen = result.answer(relation=result.relation("a", "b", contradictions="repair"))
    every = result.answer(relation=result.relation("a", "b", contradictions="every"))
    assert (chosen.relation.verdict, every.relation.verdict) == ("entailed", "possible")

    verify(RING, chosen)
    verify(RING, every)
    for one, policy in ((chosen, "every"), (every, "repair")):
        wrong = replace(one, relation=replace(one.relation, contradictions=policy))
        with pytest.raises(VerificationError, match="the field 'verdict'"):
            verify(RING, wrong)


def test_too_many_repairs_are_named_as_unchecked(monkeypatch):
    monkeypatch.setattr(mending, "REPAIRS_LIMIT", 2)
    result = tlex.extract(RING)

    every = result.answer(relation=result.relation("a", "b", contradictions="every"))

    assert verify(RING, every).unchecked == ("what holds after every repair",)
