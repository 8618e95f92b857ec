"""Decoding: the labels are consistent, most probable, and proven to be (R60)."""

from __future__ import annotations

import json
from itertools import permutations, product
from math import fsum, log

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

import tlex
from tlex.algebra import LABELS
from tlex.export import convert
from tlex.nouns import Code

LABELLED = (
    "BEFORE",
    "AFTER",
    "IBEFORE",
    "INCLUDES",
    "IS_INCLUDED",
    "SIMULTANEOUS",
    "ENDS",
    "VAGUE",
)


def make(*links: tuple[str, dict[str, float] | str, str], **content: object) -> tlex.Document:
    listed = [
        {"source": source, "target": target}
        | ({"type": label} if isinstance(label, str) else {"labels": label})
        for source, label, target in links
    ]
    return tlex.parse(json.dumps({"links": listed, **content}), name="model.json")


def cost(shares: dict[str, float], label: str) -> float:
    return -log(shares[label] / fsum(shares.values()))


def holds(label: str, first: tuple[int, int], second: tuple[int, int]) -> bool:
    at = {"A-": first[0], "A+": first[1], "B-": second[0], "B+": second[1]}
    return all(
        at[left] < at[right] if order == "<" else at[left] == at[right]
        for left, order, right in map(str.split, LABELS["TLINK"][label])
    )


def worlds(names: list[str]) -> list[dict[str, tuple[int, int]]]:
    """All ways to put intervals on a line, up to what makes no difference."""
    spans = [(a, b) for a in range(2 * len(names)) for b in range(a + 1, 2 * len(names))]
    return [dict(zip(names, chosen, strict=True)) for chosen in product(spans, repeat=len(names))]


WORLDS = {size: worlds([f"e{n}" for n in range(size)]) for size in (2, 3)}


def search_exhaustively(document: tlex.Document) -> float | None:
    """Try every line: on it, each link has the most probable label that holds."""
    size = len(document.nodes)
    best: float | None = None
    for world in WORLDS[size]:
        total = 0.0
        for link in document.links:
            shares = link.labels or {link.type: 1.0}
            costs = [
                cost(shares, label)
                for label in shares
                if shares[label] and holds(label, world[link.source], world[link.target])
            ]
            if not costs:
                break
            total += min(costs)
        else:
            best = total if best is None else min(best, total)
    return best


@st.composite
def candidates(draw, events: int, most: int) -> tlex.Document:
    names = [f"e{n}" for n in range(events)]
    pairs = draw(st.lists(st.sampled_from(list(permutations(names, 2))), min_size=2, max_size=most))
    shares = st.sampled_from((0.05, 0.1, 0.3, 0.5, 0.9))
    links = [
        (one, draw(st.dictionaries(st.sampled_from(LABELLED), shares, min_size=1, max_size=3)), two)
        for one, two in [(names[0], names[-1]), (names[0], names[1]), *pairs]
    ]
    events_listed = [{"id": name} for name in names]
    return make(*links, events=events_listed)


@settings(max_examples=25)
@given(candidates(3, 5))
def test_no_consistent_choice_is_more_probable(document):
    decoded = tlex.decode(document)

    best = search_exhaustively(document)

    assert decoded.consistent == (best is not None)
    if best is not None:
        assert decoded.optimal
        assert decoded.cost == pytest.approx(best, abs=1e-7)
        assert tlex.extract(decoded.document).consistent
        assert tlex.verify(document, decoded.to_json()).unchecked in {(), ("the notes",)}
        total = fsum(cost(link.labels, link.type) for link in decoded.document.links)
        assert decoded.cost == pytest.approx(total, abs=1e-7)


@settings(max_examples=15)
@given(candidates(7, 14))
def test_a_second_formulation_finds_the_same(document):
    """Integers for the ends of intervals, and one label for each link, by z3."""
    decoded = tlex.decode(document)

    solver = z3.Optimize()
    points = {node.id: (z3.Int(f"{node.id}-"), z3.Int(f"{node.id}+")) for node in document.nodes}
    solver.add(*(start < end for start, end in points.values()))
    for link in document.links:
        ends = (*points[link.source], *points[link.target])
        at = dict(zip(("A-", "A+", "B-", "B+"), ends, strict=True))
        chosen = {label: z3.Bool(f"{link.id} {label}") for label in link.labels}
        solver.add(z3.Or(*chosen.values()))
        for label, is_chosen in chosen.items():
            solver.add_soft(z3.Not(is_chosen), str(round(cost(link.labels, label) * 10**9)))
            for left, order, right in map(str.split, LABELS["TLINK"][label]):
                row = at[left] < at[right] if order == "<" else at[left] == at[right]
                solver.add(z3.Implies(is_chosen, row))
    possible = solver.check() == z3.sat

    assert decoded.consistent == possible
    if possible:
        best = sum(
            round(cost(link.labels, label) * 10**9)
            for link in document.links
            for label in link.labels
            if z3.is_true(solver.model().eval(z3.Bool(f"{link.id} {label}")))
        )
        assert decoded.cost == pytest.approx(best / 10**9, abs=1e-6)


CYCLE = (
    ("a", {"BEFORE": 0.9, "AFTER": 0.1}, "b"),
    ("b", {"BEFORE": 0.8, "AFTER": 0.2}, "c"),
    ("c", {"BEFORE": 0.6, "AFTER": 0.4}, "a"),
)


def test_the_result_has_the_document_its_probabilities_and_a_summary():
    decoded = tlex.decode(make(*CYCLE))

    assert [(one.link, one.type, one.probability) for one in decoded.choices] == [
        ("l1", "BEFORE", 0.9),
        ("l2", "BEFORE", 0.8),
        ("l3", "AFTER", 0.4),
    ]
    assert (decoded.cost, decoded.gap) == (pytest.approx(-log(0.9 * 0.8 * 0.4), abs=1e-8), 0)
    again = tlex.parse(convert(decoded.document, "json")[0])
    assert [(one.type, one.weight, one.labels) for one in again.links][2] == (
        "AFTER",
        0.4,
        {"BEFORE": 0.6, "AFTER": 0.4},
    )
    assert not again.diagnostics
    assert str(decoded).splitlines()[0] == (
        "model.json: 3 labels chosen; 1 not the most probable of the link; cost 1.24479; "
        "proven: no consistent choice is more probable"
    )
    assert "AFTER 0.4, not BEFORE 0.6" in str(decoded)


def test_vague_orders_nothing():
    vague = (*CYCLE[:2], ("c", {"BEFORE": 0.6, "AFTER": 0.15, "VAGUE": 0.25}, "a"))

    decoded = tlex.decode(make(*vague))

    assert [one.type for one in decoded.choices] == ["BEFORE", "BEFORE", "VAGUE"]


def test_labels_that_order_nothing_are_chosen_too():
    decoded = tlex.decode(make(("a", {"VAGUE": 0.7, "BEFORE": 0.3}, "b")))

    assert [one.type for one in decoded.choices] == ["VAGUE"]
    assert decoded.optimal


def test_links_without_candidates_stay_as_they_are():
    decoded = tlex.decode(make(("b", "BEFORE", "a"), *CYCLE))

    assert [one.type for one in decoded.choices] == ["AFTER", "BEFORE", "BEFORE"]
    assert decoded.document.links[0].type == "BEFORE"


def test_where_no_choice_is_consistent_the_conflict_is_named():
    hard = [(one, {"BEFORE": 1}, two) for one, two in ("ab", "bc", "ca", "cd", "xy")]

    decoded = tlex.decode(make(*hard))

    assert decoded.consistent is False
    assert decoded.blocked == (("l1", "l2", "l3"),)
    assert (decoded.cost, decoded.optimal) == (None, False)
    assert "contradict each other whatever their labels" in str(decoded)
    assert "l1   a BEFORE b" in str(decoded)


def test_a_conflict_names_candidates_and_a_document_without_any_says_so():
    links = (("a", {"BEFORE": 0.6, "IBEFORE": 0.4}, "b"), ("b", "BEFORE", "a"))

    told = str(tlex.decode(make(*links)))
    plain = tlex.decode(make(("a", "BEFORE", "b"), ("b", "BEFORE", "a")))

    assert "l1   a BEFORE or IBEFORE b" in told
    assert "l2   b BEFORE a" in told
    assert plain.consistent is False
    assert "no link has candidate labels, and links contradict each other" in str(plain)
    assert "tlex fix" in str(plain)
    assert "whatever" not in str(plain)


def test_a_label_of_probability_zero_is_never_chosen():
    links = (*CYCLE[:2], ("c", {"BEFORE": 1.0, "AFTER": 0}, "a"))

    decoded = tlex.decode(make(*links))

    assert [one.type for one in decoded.choices] == ["BEFORE", "AFTER", "BEFORE"]


def test_what_is_unusual_is_told():
    decoded = tlex.decode(
        make(
            ("a", {"BEFORE": 60, "AFTER": 40}, "b"),
            ("b", {"BEFORE": 0.6, "AFTER": 0.4}, "a"),
            ("b", {"BEFORE": 0, "AFTER": 0}, "c"),
        )
    )

    assert decoded.notes == (
        "l1: the probabilities add up to 100; each is taken as a share of that",
        "l3: all probabilities are 0; its labels count as equally probable",
        "l1, l2 are about the same two; each gets a label, and their probabilities are multiplied",
    )
    assert decoded.choices[0].probability == 0.6


def test_between_equal_choices_the_first_link_in_text_order_has_its_label():
    even = {"BEFORE": 0.6, "AFTER": 0.4}
    links = [("c", even, "a"), ("b", even, "c"), ("a", even, "b")]
    text = {"text": "a b c", "events": [{"id": n, "text": n} for n in "abc"]}

    forward, backward = (tlex.decode(make(*order, **text)) for order in (links, links[::-1]))

    chosen = {(one.source, one.target): one.type for one in forward.choices}
    assert chosen == {(one.source, one.target): one.type for one in backward.choices}
    assert chosen == {("a", "b"): "BEFORE", ("c", "a"): "BEFORE", ("b", "c"): "AFTER"}


def test_a_limit_gives_a_bound_and_a_gap_and_the_same_result_each_time():
    names = [f"e{n}" for n in range(12)]
    links = [
        (one, {"BEFORE": 0.5 + (number % 7) / 20, "AFTER": 0.5 - (number % 7) / 20}, two)
        for number, (one, two) in enumerate(permutations(names, 2))
    ]
    document = make(*links)

    short = [tlex.decode(document, work=0).to_json() for _ in range(2)]

    first = tlex.decode(document, work=0)
    assert short[0] == short[1] == first.to_json()
    assert (first.consistent, first.optimal, first.ended_by) == (True, False, "work")
    assert first.bound < first.cost
    assert first.gap == pytest.approx(first.cost - first.bound)
    assert tlex.extract(first.document).consistent


def test_extract_takes_the_most_probable_label_and_says_so():
    document = make(*CYCLE)

    assert [(one.code, one.hint) for one in document.diagnostics] == [
        (
            Code.CANDIDATES,
            "the most probable one is used; tlex decode chooses those that fit together",
        )
    ]
    assert [(one.type, one.weight) for one in document.links] == [
        ("BEFORE", 0.9),
        ("BEFORE", 0.8),
        ("BEFORE", 0.6),
    ]
    assert not tlex.extract(document).consistent


@pytest.mark.parametrize("times", ["interval", "point"])
@pytest.mark.parametrize("label", sorted(set(LABELS["TLINK"]) - {"VAGUE"}))
def test_a_link_to_itself_and_an_instant_are_as_extract_has_them(label, times):
    times_listed = {"times": [{"id": "t1", "type": "TIME"}, {"id": "t2", "type": "TIME"}]}
    for target in ("t1", "t2"):
        document = make(
            ("t1", {label: 0.7, "VAGUE": 0.3}, target), ("t2", "BEFORE", "t1"), **times_listed
        )
        alone = document.replace(links=(document.links[0], *document.links[1:]))
        expected = label if tlex.extract(alone, times=times).consistent else "VAGUE"

        assert tlex.decode(document, times=times).choices[0].type == expected
