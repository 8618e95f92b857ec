"""EventFull and MAVEN-ERE."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.nouns import Code
from tlex.readers import parse_all

DATA = Path(__file__).parents[1] / "data"
EVENTFULL = (DATA / "eventfull.json").read_text(encoding="utf-8")
MAVEN = (DATA / "maven.jsonl").read_text(encoding="utf-8")


def list_links(document: tlex.Document) -> list[tuple[object, ...]]:
    return [(x.id, x.source, x.type, x.target) for x in document.links]


def test_eventfull_compares_start_points_of_mentions_on_the_main_axis():
    document = tlex.read(DATA / "eventfull.json", strict=True)

    assert document.format == "eventfull"
    assert document.text == "Ann fell and Tom picked her up ."
    assert [(node.id, document.words(node)) for node in document.nodes] == [
        ("12", "Ann"),
        ("7", "fell"),
        ("9", "picked up"),
    ]
    assert list_links(document) == [
        ("l1", "7", "STARTS_BEFORE", "9"),
        ("l2", "9", "STARTS_AFTER", "12"),
        ("l3", "7", "VAGUE", "12"),
        ("l4", "12", None, "7"),
    ]
    assert document.skipped == {"not_event": 1}
    assert tlex.verify(document, tlex.extract(document))


def test_eventfull_s_labels_can_be_read_as_intervals():
    document = tlex.read(DATA / "eventfull.json", labels="intervals")

    assert tlex.extract(document).relation("7", "9").names == ("before",)
    assert document.reading == "intervals"


def test_maven_has_a_document_on_each_line_and_chains_as_nodes():
    one, two, test = tlex.read_all(DATA / "maven.jsonl", strict=True)

    assert [document.name.rpartition(":")[2] for document in (one, two, test)] == ["1", "2", "3"]
    assert one.text == "Ann fell in 1990 .\n\nTom left ."
    assert [(node.id, one.words(node)) for node in one.nodes] == [
        ("EVENT_a", "fell"),
        ("TIME_a", "1990"),
        ("EVENT_b", "left"),
    ]
    assert list_links(one) == [
        ("BEFORE1", "EVENT_a", "BEFORE", "EVENT_b"),
        ("BEFORE2", "EVENT_a", "BEFORE", "EVENT_b"),
        ("CONTAINS1", "TIME_a", "CONTAINS", "EVENT_a"),
    ]
    assert one.skipped == {"causal_relations": 1}
    assert [(node.id, test.words(node)) for node in test.nodes] == [("m9", "fell")]
    assert test.links == ()
    assert tlex.verify(two, tlex.extract(two))


@pytest.mark.parametrize(
    ("text", "old", "new", "code"),
    [
        (EVENTFULL, '"tokens_ids": [1]', '"tokens_ids": [99]', Code.DANGLING),
        (EVENTFULL, '"before/cause"', '"soon"', Code.UNKNOWN_TYPE),
        (
            EVENTFULL,
            '"_firstId": "7", "_secondId": "9"',
            '"_firstId": "7", "_secondId": "8"',
            "TLX101",
        ),
        (MAVEN, '"offset": [1, 2]', '"offset": [1, 99]', Code.DANGLING),
        (MAVEN, '"sent_id": 2', '"sent_id": 9', Code.DANGLING),
        (MAVEN, '"CONTAINS"', '"SOON"', Code.UNKNOWN_TYPE),
        (MAVEN, '["TIME_a", "EVENT_a"]', '["TIME_b", "EVENT_a"]', Code.DANGLING),
    ],
)
def test_what_is_wrong_is_reported_with_its_place(text, old, new, code):
    document, *_ = parse_all(text.replace(old, new, 1))

    assert [problem.code for problem in document.diagnostics] == [code]
    assert document.diagnostics[0].line is not None
    assert tlex.verify(document, tlex.extract(document))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"tokens": ["a"], "allMentions": [{"m_id": []}], "allPairs": []}', r"allMentions\[0\]"),
        ('{"tokens": ["a"], "allMentions": []}', "missing required field `allPairs`"),
        ('{"tokens": [["a"]], "TIMEX": [{"id": 3}]}', r"TIMEX\[0\]"),
        ('{"tokens": [["a"]], "TIMEX": [', "truncated"),
    ],
)
def test_broken_json_is_an_error_with_its_path(text, message):
    with pytest.raises(tlex.ReadError, match=message) as caught:
        tlex.parse(text)

    assert caught.value.line == 1


@given(
    st.sampled_from([EVENTFULL, MAVEN]),
    st.integers(0, 2000),
    st.integers(0, 60),
    st.text(max_size=8),
)
def test_a_damaged_file_is_read_or_refused_with_an_error_of_our_own(text, start, length, new):
    try:
        documents = parse_all(text[:start] + new + text[start + length :])
    except tlex.ReadError:
        return
    for document in documents:
        assert tlex.verify(document, tlex.extract(document))
