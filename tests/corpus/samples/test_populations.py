"""What is sampled: each population against a list of all of it, made another way."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import document_of, forests, placed_graphs, tangled_graphs

import tlex
from tlex.corpus.runs.document_tables import Origin, describe_document
from tlex.corpus.samples.populations import WHAT, count_items, pick_items

STORY = tlex.read("examples/story.tml")


def list_all(result: tlex.Extraction, what: str) -> list[tuple[str, str]]:
    """List a population from plain data and single questions, and count nothing."""
    timelines = [timeline for timeline in result.timelines if timeline.consistent]
    if what == "main":
        return [(b.first, b.second) for b in result.breaks]
    if what == "connections":
        return [(c.source, c.target) for c in result.connections]
    if what == "placement":
        return [(i + end, "") for t in result.branches for i in t.intervals for end in "-+"]
    if what == "order":
        return [
            (one, other)
            for timeline in timelines
            for one, other in product(timeline.points, repeat=2)
            if timeline.step(other) == timeline.step(one) + 1
            and not timeline.indeterminate(one, other)
        ]
    return [
        (one, other)
        for timeline in timelines
        for one, other in combinations(timeline.points, 2)
        if timeline.indeterminate(one, other)
    ]


def unordered(pairs: list[tuple[str, str]]) -> Counter[frozenset[str]]:
    return Counter(frozenset(pair) for pair in pairs)


@pytest.mark.parametrize("what", WHAT)
@settings(max_examples=50)
@given(forest=forests())
def test_the_numbers_give_each_item_once_and_no_other(what, forest):
    result = tlex.extract(document_of(forest.graph, forest.slinks))
    expected = list_all(result, what)

    assert count_items(result, what) == len(expected)
    items = pick_items(result, what, list(range(len(expected))))

    found = [(item.first, item.second) for item in items]
    if what == "sections":
        assert unordered(found) == unordered(expected)
    else:
        assert Counter(found) == Counter(expected)


@given(graph=tangled_graphs() | placed_graphs(), times=st.sampled_from(["interval", "point"]))
def test_neighbours_are_as_many_for_all_timelines_at_once_as_one_by_one(graph, times):
    result = tlex.extract(document_of(graph), times=times)
    origin = Origin("c", "n", "p", None, None)

    tables = describe_document(result, origin, repair=False, scenarios=False, seconds=1)

    assert tables["documents"]["neighbours"] == (len(list_all(result, "order")),)


@pytest.mark.parametrize("what", WHAT)
@settings(max_examples=50)
@given(forest=forests(), data=st.data())
def test_some_numbers_give_what_they_give_among_all(what, forest, data):
    result = tlex.extract(document_of(forest.graph, forest.slinks))
    size = count_items(result, what)
    every = pick_items(result, what, list(range(size)))
    numbers = sorted(data.draw(st.sets(st.integers(0, size - 1)) if size else st.just(set())))

    assert pick_items(result, what, numbers) == [every[number] for number in numbers]


def test_the_story_has_pairs_that_its_one_section_says_are_unknown():
    result = tlex.extract(STORY)

    (item, *_) = pick_items(result, "sections", [0])

    assert count_items(result, "sections") == sum(
        t.indeterminate_pairs for t in result.timelines if t.consistent
    )
    assert item.question == (
        'Is it right that the links leave the order of the beginning of "built" and '
        'the beginning of "warmed" unknown?'
    )


def test_the_text_around_is_the_documents_own_with_the_words_in_it():
    result = tlex.extract(STORY)

    for what in WHAT:
        for item in pick_items(result, what, list(range(count_items(result, what)))):
            ids = [name.rstrip("+-") for name in (item.first, item.second) if name]
            marked = {" ".join(words.split()) for number, words in item.pieces if number}
            assert marked == {STORY.words(STORY.node(name)) for name in ids}
            text = "".join(words for _, words in item.pieces)
            for stretch in text.split("... "):
                assert stretch.strip() in STORY.text or "not in the text" in stretch


def test_two_places_far_apart_are_two_stretches():
    filler = "word " * 400
    document = tlex.parse(
        '<TimeML><EVENT eid="e1">fell</EVENT> '
        f'{filler}<EVENT eid="e2">rose</EVENT>'
        '<TLINK lid="l1" relType="BEFORE" eventInstanceID="e1" relatedToEventInstance="e2"/>'
        "</TimeML>"
    )

    items = pick_items(tlex.extract(document), "order", [1])

    (item,) = items
    assert (item.first, item.second) == ("e1+", "e2-")
    text = "".join(words for _, words in item.pieces)
    assert text.startswith("fell word")
    assert text.count("...") == 1
    assert text.endswith("word rose")
    assert len(text) < 1000


def test_words_without_blanks_and_events_without_text_are_shown_within_reason():
    document = tlex.parse(
        f'<TimeML>{"夜" * 5000}<EVENT eid="e1">来</EVENT>{"夜" * 5000}'
        '<MAKEINSTANCE eiid="ei9" eventID="e9"/>'
        '<TLINK lid="l1" relType="BEFORE" eventInstanceID="ei9" relatedToEventInstance="e1"/>'
        "</TimeML>"
    )
    result = tlex.extract(document)

    for item in pick_items(result, "order", list(range(count_items(result, "order")))):
        text = "".join(words for _, words in item.pieces)
        assert len(text) < 500
        if "ei9" in item.first + item.second:
            assert "(not in the text: ei9)" in text
