"""The checker proves closures and reductions, and rejects what is too much or too little."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from strategies import document_of, placed_graphs, tangled_graphs

import tlex
from tlex.checker import closures, verify
from tlex.errors import VerificationError

CHAIN = tlex.from_links([("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("a", "BEFORE", "c")])


@settings(max_examples=60)
@given(
    graph=st.one_of(placed_graphs(largest=6), tangled_graphs()),
    times=st.sampled_from(("interval", "point")),
)
def test_every_closure_and_every_reduction_is_proven(graph, times):
    document = document_of(graph)
    result = tlex.extract(document, times=times)

    verify(document, result.answer(closure=result.closure()))
    verify(document, result.answer(reduction=result.reduction()))


def test_a_link_that_does_not_follow_may_not_be_dropped():
    result = tlex.extract(CHAIN)
    reduction = result.reduction()
    assert reduction.dropped == ("l3",)

    for kept, dropped in (
        (("l2", "l3"), ("l1",)),
        (("l1",), ("l2", "l3")),
        ((), ("l1", "l2", "l3")),
    ):
        wrong = replace(reduction, kept=kept, dropped=dropped)
        with pytest.raises(VerificationError, match="does not follow"):
            verify(CHAIN, result.answer(reduction=wrong))


def test_a_link_that_follows_may_not_be_kept():
    result = tlex.extract(CHAIN)
    wrong = replace(result.reduction(), kept=("l1", "l2", "l3"), dropped=())

    with pytest.raises(VerificationError, match="'l3' is kept, but follows"):
        verify(CHAIN, result.answer(reduction=wrong))


def test_a_relation_left_out_or_added_is_rejected():
    result = tlex.extract(CHAIN)
    closure = result.closure()

    with pytest.raises(VerificationError, match="there are 3 links, not 2"):
        verify(CHAIN, result.answer(closure=replace(closure, links=closure.links[:2])))
    again = (*closure.links, closure.links[0])
    with pytest.raises(VerificationError, match="there are 3 links, not 4"):
        verify(CHAIN, result.answer(closure=replace(closure, links=again)))


OVERLAPS = tlex.from_links(
    [
        ("a", "SIMULTANEOUS", "b"),
        ("a", "OVERLAPS", "c"),
        ("c", "SIMULTANEOUS", "d"),
        ("c", "OVERLAP", "e"),
    ]
)


def test_each_relation_and_each_number_is_compared():
    result = tlex.extract(OVERLAPS)
    closure = result.closure()
    assert (len(closure.links), len(closure.untyped), closure.annotated) == (2, 4, 2)
    assert verify(OVERLAPS, result.answer(closure=closure)).links == 6
    wrong = [replace(closure, links=closure.links[::-1])]
    for field in ("links", "untyped"):
        claimed = getattr(closure, field)
        for place, link in enumerate(claimed):
            for other in (
                replace(link, source=link.target),
                replace(link, name="before"),
                replace(link, links=(*link.links, "l9")),
            ):
                changed = (*claimed[:place], other, *claimed[place + 1 :])
                wrong.append(replace(closure, **{field: changed}))
    wrong += [
        replace(closure, **{field: getattr(closure, field) + step})
        for field in ("annotated", "new", "partial")
        for step in (-1, 1)
    ]

    for each in wrong:
        with pytest.raises(VerificationError, match=r"number \d|(annotated|new|partial) is"):
            verify(OVERLAPS, result.answer(closure=each))


def test_what_is_beyond_a_limit_is_named(monkeypatch):
    result = tlex.extract(CHAIN)
    monkeypatch.setattr(closures, "PAIRS_LIMIT", 2)
    monkeypatch.setattr(closures, "SEARCH_LIMIT", 2)

    (pairs,) = verify(CHAIN, result.answer(closure=result.closure())).unchecked
    (kept,) = verify(CHAIN, result.answer(reduction=result.reduction())).unchecked

    assert pairs == "the closure: 3 pairs, more than 2"
    assert kept == "whether all kept links are needed, beyond 2 constraints"
