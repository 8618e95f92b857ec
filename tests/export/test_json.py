"""tlex's own JSON: whatever is written is what is read again, and keeps to the schema."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import annotated
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import tlex
from tlex.export.json import write_json

DATA = Path(__file__).parents[1] / "data"
STORY = Path("examples/story.tml")
SCHEMA = Path("docs/schema-document.json")
VALIDATOR = Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
SAMPLES = [
    path
    for path in sorted(DATA.glob("*.*"))
    if path.suffix in {".tml", ".tsv", ".xml", ".json"} and "sarif" not in path.name
]
REPEATED = "marks that repeat an id"


@given(document=annotated.any_documents())
def test_a_document_is_the_same_when_it_is_read_again(document):
    data, losses = write_json(document)

    again = tlex.parse(data)
    ours, theirs = annotated.content(document), annotated.content(again)
    if REPEATED in {loss.what for loss in losses}:  # of these only the first is kept
        ours, theirs = ({k: d[k] for k in ("text", "nodes", "links")} for d in (ours, theirs))
    assert theirs == ours


@given(data=annotated.timeml_files())
def test_timeml_becomes_json_without_a_loss(data):
    document = tlex.parse(data)

    written, losses = write_json(document)

    assert losses == ()
    assert annotated.content(tlex.parse(written)) == annotated.content(document)
    VALIDATOR.validate(json.loads(written))


@given(document=annotated.any_documents())
def test_what_is_written_keeps_to_the_schema(document):
    VALIDATOR.validate(json.loads(write_json(document)[0]))


@given(names=st.lists(st.from_regex(r"a[ab _\n]?b", fullmatch=True), min_size=2, max_size=5))
def test_ids_with_blanks_are_given_anew_and_counted(names):
    pairs = pairwise(names)
    document = tlex.from_links([(left, "BEFORE", right) for left, right in pairs])

    data, losses = write_json(document)

    again = tlex.parse(data)
    odd = [node.id for node in document.nodes if " " in node.id or "\n" in node.id]
    assert sum(loss.count for loss in losses) == len(odd)
    assert [t.length for t in tlex.extract(again).timelines] == [
        t.length for t in tlex.extract(document).timelines
    ]


@pytest.mark.parametrize("path", [STORY, *SAMPLES], ids=lambda path: path.name)
def test_every_sample_gives_the_same_timelines(path):
    for document in tlex.read_all(path):
        again = tlex.parse(write_json(document)[0])
        assert [t.points for t in tlex.extract(again).timelines] == [
            t.points for t in tlex.extract(document).timelines
        ]


def test_a_link_without_an_end_is_counted():
    document = tlex.parse('<TimeML><TLINK lid="l1" relType="BEFORE"/></TimeML>')

    _, losses = write_json(document)

    assert [(loss.count, loss.examples) for loss in losses] == [(1, ("l1",))]


def test_a_loose_link_does_not_become_two_nodes():
    text = '<TimeML><TLINK lid="l1" relType="BEFORE" timeID="a" relatedToTime="b"/></TimeML>'

    data, losses = write_json(tlex.parse(text))

    assert tlex.parse(data).nodes == ()
    assert [loss.count for loss in losses] == [1]


def test_a_loose_end_with_a_blank_does_not_become_another_node():
    text = (
        '<TimeML><EVENT eid="a_b" class="STATE">x</EVENT><EVENT eid="c" class="STATE">y</EVENT>'
        '<TLINK lid="l1" relType="BEFORE" eventInstanceID="a b" relatedToEventInstance="c"/>'
        "</TimeML>"
    )

    again = tlex.parse(write_json(tlex.parse(text))[0])

    assert again.links[0].source not in again.index


def test_a_signal_with_the_id_of_an_event_keeps_its_words():
    text = (
        '{"text": "own sig", "events": [{"id": "x", "text": "another"}], '
        '"signals": [{"id": "x", "start": 4, "end": 7}]}'
    )

    again = tlex.parse(write_json(tlex.parse(text))[0])

    assert again.words(again.nodes[0]) == "another"
    assert again.signals[0].span == tlex.parse(text).signals[0].span


@pytest.mark.corpus
@pytest.mark.parametrize("corpus", ["timebank", "meantime"])
def test_a_corpus_goes_through_json_with_all_that_tlex_reads(corpus, request):
    for name, document in request.getfixturevalue(corpus).items():
        data, losses = write_json(document)
        kept = [link for link in document.links if link.source and link.target]
        lost = {loss.what for loss in losses} - {"elements of the file that tlex does not read"}
        assert len(lost) == (len(kept) < len(document.links)), name
        again = annotated.content(tlex.parse(data))
        assert again["nodes"] == annotated.content(document)["nodes"], name
        assert len(again["links"]) == len(kept), name
