"""MEANTIME English: the figures that must come out."""

from __future__ import annotations

from collections import Counter

import pytest

import tlex
from tlex.nouns import Code

pytestmark = pytest.mark.corpus


def test_meantime_has_as_many_of_everything_as_was_counted(meantime):
    kinds = Counter(link.kind for document in meantime.values() for link in document.links)

    assert len(meantime) == 120
    assert sum(len(document.timexes) for document in meantime.values()) == 525
    assert sum(len(document.events) for document in meantime.values()) == 2_107
    assert kinds == {"TLINK": 1_789, "SLINK": 238, "GLINK": 209, "CLINK": 50}


def test_there_are_0_to_7_subordinating_links_in_a_text_and_2_on_average(meantime):
    counts = [
        sum(link.kind == "SLINK" for link in document.links) for document in meantime.values()
    ]

    assert (min(counts), round(sum(counts) / len(counts), 1), max(counts)) == (0, 2.0, 7)


def test_36_texts_are_inconsistent_and_they_are_those_of_the_list(meantime, corpora):
    listed = (corpora / "meantime-en.inconsistent.txt").read_text(encoding="utf-8").split()

    found = [
        name
        for name, document in meantime.items()
        if not tlex.extract(document, links=["TLINK"]).consistent
    ]

    assert len(found) == 36
    assert found == sorted(listed)


def test_only_the_two_links_without_ends_are_wrong(meantime):
    found = [
        (name.split("/")[1].split("_")[0], problem.code, problem.message.split(" points")[0])
        for name, document in meantime.items()
        for problem in document.diagnostics
    ]

    assert found == [
        ("8983", Code.DANGLING, "TLINK 244844"),
        ("8983", Code.DANGLING, "TLINK 244844"),
        ("8983", Code.DANGLING, "GLINK 244852"),
        ("8983", Code.DANGLING, "GLINK 244852"),
    ]


def test_37_times_are_outside_the_text_and_have_words_all_the_same(meantime):
    outside = [
        (document, timex)
        for document in meantime.values()
        for timex in document.timexes
        if timex.span is None
    ]

    assert len(outside) == 37
    assert all(document.words(timex) for document, timex in outside)


def test_45_mentions_have_a_gap_and_none_of_the_words_in_it(meantime):
    gaps = [
        (document.words(event), document.text[event.text_start : event.text_end])
        for document in meantime.values()
        for event in document.events
        if event.id in document.phrases
    ]

    assert len(gaps) == 45
    assert all(len(words) < len(" ".join(stretch.split())) for words, stretch in gaps)


def test_every_answer_can_be_proven(meantime):
    for document in meantime.values():
        for links in (["TLINK"], ["TLINK", "ALINK"]):
            assert tlex.verify(document, tlex.extract(document, links=links))
