"""The checker proves what options of decisions cost, settle and create, and the words for it."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from strategies import document_of, tangled_graphs

import tlex
from tlex.checker import advice, verify
from tlex.errors import VerificationError

ROWS = [
    ("a", "BEFORE", "b"),
    ("b", "BEFORE", "a"),
    ("b", "BEFORE", "c"),
    ("c", "BEFORE", "a"),
    ("d", "SIMULTANEOUS", "a"),
    ("d", "AFTER", "c"),
]
DOCUMENT = tlex.from_links(ROWS, texts={name: f"did {name}" for name in "abcd"})
ALLOWED = ("'says'", "settle", "values")


def tamper(option: int, **changes: object) -> tlex.repair.FixRecord:
    """The repair, with something else in an option of its first decision."""
    record = tlex.fix(DOCUMENT).record()
    first = record.decisions[0]
    options = list(first.options)
    options[option] = replace(options[option], **changes)
    return replace(
        record, decisions=(replace(first, options=tuple(options)), *record.decisions[1:])
    )


@settings(max_examples=60)
@given(graph=tangled_graphs(), data=st.data())
def test_the_advice_of_any_choice_is_proven(graph, data):
    document = document_of(graph)
    relabel = data.draw(st.booleans())
    fixed = tlex.fix(document, relabel=relabel)
    choose = {}
    for number in range(1, 4):
        if len(fixed.decisions) >= number and data.draw(st.booleans()):
            choose[number] = data.draw(st.integers(0, len(fixed.decisions[number - 1].options)))
            fixed = tlex.fix(document, relabel=relabel, choose=choose)

    unchecked = verify(document, fixed.to_json()).unchecked

    assert not [claim for claim in unchecked if not any(word in claim for word in ALLOWED)]


def test_what_was_not_tampered_with_is_proven():
    assert not verify(DOCUMENT, tlex.fix(DOCUMENT).to_json()).unchecked
    assert not verify(DOCUMENT, tamper(0)).unchecked


@pytest.mark.parametrize("option", [0, 1, -1])
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"cost": 0.5}, "it costs|not in order|creates"),
        ({"cost": 9}, "it costs|not in order|creates"),
        ({"cost": float("nan")}, "it costs|creates"),
        ({"settles": 7}, "settle"),
        ({"settles": 0}, "settle"),
        ({"reason": "it is Friday"}, "the reason is"),
    ],
)
def test_a_wrong_cost_number_or_reason_is_rejected(option, changes, said):
    with pytest.raises(VerificationError, match=said):
        verify(DOCUMENT, tamper(option, **changes))


def test_what_a_type_creates_follows_from_its_cost():
    (number, *_) = [n for n, one in enumerate(tlex.fix(DOCUMENT).decisions[0].options) if one.types]
    creates = tlex.fix(DOCUMENT).decisions[0].options[number].creates

    with pytest.raises(VerificationError, match="creates"):
        verify(DOCUMENT, tamper(number, creates=not creates))
    with pytest.raises(VerificationError, match="creates"):
        verify(DOCUMENT, tamper(0, creates=True))


def test_other_words_are_rejected():
    record = tlex.fix(DOCUMENT).record()
    other = replace(record.decisions[0], says=record.decisions[0].says.replace("did a", "did c"))

    with pytest.raises(VerificationError, match="it says"):
        verify(DOCUMENT, replace(record, decisions=(other, *record.decisions[1:])))


def test_options_are_in_order():
    record = tlex.fix(DOCUMENT).record()
    first = record.decisions[0]
    turned = [first.options[0], *reversed(first.options[1:])]
    turned = [replace(option, number=number) for number, option in enumerate(turned, 1)]
    other = replace(first, options=tuple(turned))

    with pytest.raises(VerificationError, match="not in order"):
        verify(DOCUMENT, replace(record, decisions=(other, *record.decisions[1:])))


def test_the_repair_keeps_the_first_links_in_text_order():
    rows = [("a", "BEFORE", "b"), ("b", "BEFORE", "a")]
    document, turned = tlex.from_links(rows), tlex.from_links(rows[::-1])
    names = {"l1": "l2", "l2": "l1"}

    assert not verify(document, tlex.fix(document).to_json()).unchecked
    assert not verify(turned, tlex.fix(turned).to_json()).unchecked
    wrong = tlex.fix(document, choose={1: 2}).record()
    options = replace(wrong.options, choose={})
    decision = wrong.decisions[0]
    best = [decision.options[1], decision.options[0], *decision.options[2:]]
    best = [replace(option, number=number) for number, option in enumerate(best, 1)]
    decision = replace(decision, chosen=1, options=tuple(best))
    wrong = replace(wrong, options=options, decisions=(decision,))
    assert [names[link] for link in wrong.removed] == list(tlex.fix(document).removed)

    with pytest.raises(VerificationError, match="keeps the first links in text order"):
        verify(document, wrong)
    mended = tlex.extract(document, mend=True).record()
    with pytest.raises(VerificationError, match=r"text order|left out"):
        verify(document, replace(mended, mended=wrong.removed))


def test_costs_beyond_the_limit_are_named(monkeypatch):
    monkeypatch.setattr(advice, "ADVICE_LIMIT", 0)

    claims = verify(DOCUMENT, tlex.fix(DOCUMENT).to_json()).unchecked

    assert "decision 1: what its options cost (cost, creates, reason)" in claims


def test_costs_of_a_search_that_was_not_done_are_named():
    rows = [
        (f"e{k}", "BEFORE", f"e{(k * 7 + 3 * step) % 20}") for k in range(20) for step in (1, 2)
    ]
    document = tlex.from_links(rows)
    fixed = tlex.fix(document, work=0)

    claims = verify(document, fixed.to_json()).unchecked

    assert fixed.ended_by == "work"
    assert any("a search was not done" in claim for claim in claims)


@pytest.mark.parametrize("seed", range(4))
def test_the_decisions_of_a_dense_table_are_proven(seed):
    dice = Random(seed)  # noqa: S311
    starts = [dice.randint(0, 20) for _ in range(24)]
    rows = []
    for one, other in dice.sample(list(combinations(range(24), 2)), 80):
        label = "BEFORE" if starts[one] < starts[other] else "AFTER"
        if dice.random() < 0.15:
            label = dice.choice(("BEFORE", "AFTER", "INCLUDES", "SIMULTANEOUS"))
        rows.append((f"e{one}", label, f"e{other}"))
    document = tlex.from_links(rows)

    assert not verify(document, tlex.fix(document).to_json()).unchecked
