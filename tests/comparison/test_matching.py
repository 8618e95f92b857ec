"""Who is who: nodes of two annotations, by place in the text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.comparison.matching import Expressions, match_nodes
from tlex.errors import ComparisonError

TEXT = "one two three four five six"


def annotate(spans, times=(), *, text=TEXT, prefix="e"):
    """A document with an event at each span of words, and a time at each of some."""
    marks = []
    for number, (first, last) in enumerate(spans):
        start, end = _find(text, first, last)
        eid = f"{prefix}{number}"
        marks.append((start, end, f'<EVENT eid="{eid}" class="STATE">', "</EVENT>", eid))
    for number, (first, last) in enumerate(times):
        start, end = _find(text, first, last)
        marks.append(
            (start, end, f'<TIMEX3 tid="t{number}" type="DATE" value="2013">', "</TIMEX3>", "")
        )
    out, at = "", 0
    for start, end, opening, closing, _ in sorted(marks):
        out += text[at:start] + opening + text[start:end] + closing
        at = end
    instances = "".join(
        f'<MAKEINSTANCE eiid="{eid}i" eventID="{eid}" polarity="POS"/>' for *_, eid in marks if eid
    )
    return tlex.parse(f"<TimeML>{out}{text[at:]}{instances}</TimeML>".encode(), name=prefix)


def _find(text, first, last):
    words = text.split()
    start = sum(len(word) for word in words[:first])
    spots = [place for place, character in enumerate(text) if not character.isspace()]
    return spots[start], spots[sum(map(len, words[: last + 1])) - 1] + 1


def name(gold, system, **options):
    matching = match_nodes(gold, system, **options)
    return {gold.nodes[one].id: system.nodes[other].id for one, other in matching.gold.items()}


def test_the_same_place_matches_whatever_the_ids():
    gold, system = annotate([(0, 0), (2, 2)]), annotate([(2, 2), (0, 0)], prefix="x")
    assert name(gold, system) == {"e0i": "x1i", "e1i": "x0i"}


def test_white_space_does_not_count():
    gold = annotate([(3, 3)])
    system = annotate([(3, 3)], text="one\r\n  two three\n\nfour five six", prefix="x")
    assert name(gold, system, how="strict") == {"e0i": "x0i"}


def test_an_overlap_is_enough_unless_strict():
    gold, system = annotate([(1, 2)]), annotate([(2, 3)], prefix="x")
    assert name(gold, system) == {"e0i": "x0i"}
    assert name(gold, system, how="strict") == {}


def test_a_larger_overlap_goes_before_a_smaller_and_the_same_span_before_both():
    gold = annotate([(1, 3)])
    assert name(gold, annotate([(0, 1), (2, 2)], prefix="x")) == {"e0i": "x1i"}  # 5, not 3
    assert name(gold, annotate([(1, 1), (2, 3)], prefix="x")) == {"e0i": "x1i"}
    assert name(gold, annotate([(1, 3), (4, 4)], prefix="x")) == {"e0i": "x0i"}


def test_events_do_not_match_times():
    assert name(annotate([(0, 0)]), annotate([], [(0, 0)])) == {}


def test_other_texts_are_an_error_that_says_where():
    with pytest.raises(ComparisonError, match="'five six' in the second, not 'four five six'"):
        match_nodes(annotate([]), annotate([], text="one two three five six"))


def test_a_side_without_text_has_to_be_matched_by_ids():
    table = tlex.from_links([("e0i", "BEFORE", "e1i")])
    gold = annotate([(0, 0), (1, 1)])
    with pytest.raises(ComparisonError, match="match by ids"):
        match_nodes(gold, table)
    assert name(gold, table, how="ids") == {"e0i": "e0i", "e1i": "e1i"}


SPANS = st.lists(st.integers(0, 5), max_size=4, unique=True).map(
    lambda starts: [
        (start, start + (start % 2 if start + 1 not in starts and start < 5 else 0))
        for start in sorted(starts)
    ]
)


@given(one=SPANS, other=SPANS, how=st.sampled_from(["relaxed", "strict"]))
def test_swapped_sides_give_the_same_pairs_one_to_one(one, other, how):
    gold, system = annotate(one), annotate(other, prefix="x")
    there, back = match_nodes(gold, system, how), match_nodes(system, gold, how)
    assert there.gold == back.system
    assert {other: one for one, other in there.gold.items()} == there.system


@given(
    one=SPANS,
    other=SPANS,
    times=st.lists(st.integers(0, 5), max_size=1),
    how=st.sampled_from(["relaxed", "strict", "ids"]),
)
def test_expressions_that_are_equal_match_as_all_others_do(one, other, times, how):
    documents = [
        annotate(spans, [(at, at) for at in times if not any(a <= at <= b for a, b in spans)])
        for spans in (one, other)
    ]
    sides = [Expressions(document) for document in documents]
    quick = match_nodes(*sides, how)
    for side in sides:
        side.equals = lambda _: False

    assert match_nodes(*sides, how).gold == quick.gold


def test_a_creation_time_and_another_time_are_not_equal():
    data = b'<TimeML><TIMEX3 tid="t0" type="DATE" value="2013"%s>2013</TIMEX3></TimeML>'
    sides = [tlex.parse(data % own) for own in (b' functionInDocument="CREATION_TIME"', b"")]

    assert match_nodes(*sides).gold == {}


def test_instances_without_an_event_match_by_their_own_places():
    text = "He came, saw and won."
    spans = {"saw": (9, 12), "came": (3, 7), "won": (17, 20)}

    def write(names):
        instances = [
            {"id": name, "start": spans[word][0], "end": spans[word][1]} for name, word in names
        ]
        return tlex.parse(json.dumps({"text": text, "instances": instances, "links": []}))

    gold = write([("i1", "came"), ("i2", "saw"), ("i3", "won")])
    system = write([("x9", "won"), ("x10", "saw")])

    for how in ("strict", "relaxed"):
        pairs = match_nodes(gold, system, how).gold.items()
        assert {gold.nodes[one].id: system.nodes[other].id for one, other in pairs} == {
            "i2": "x10",
            "i3": "x9",
        }
