"""TimeML out: valid, the same document when it is read again, and an original to the byte."""

from __future__ import annotations

import re
from pathlib import Path

import annotated
import pytest
from hypothesis import given
from lxml import etree

import tlex
from tlex.export import convert
from tlex.export.timeml import write_timeml

DATA = Path(__file__).parents[1] / "data"
STORY = Path("examples/story.tml")
FORBIDDEN = re.compile("[\0\x0b]")

needs_schema = pytest.mark.skipif(annotated.schema() is None, reason="no schema in ../shared")


def losses_of(document: tlex.Document) -> dict[str, int]:
    return {loss.what: loss.count for loss in write_timeml(document)[1]}


@needs_schema
@given(document=annotated.any_documents())
def test_whatever_is_written_is_valid(document):
    data, _ = write_timeml(document)

    assert annotated.faults_of(data) == []


@given(document=annotated.any_documents())
def test_the_text_and_the_number_of_nodes_survive(document):
    again = tlex.parse(write_timeml(document)[0])

    assert again.text == FORBIDDEN.sub("\ufffd", document.text)
    assert len(again.nodes) == len(document.nodes)
    assert again.diagnostics == ()


@given(document=annotated.any_documents())
def test_what_is_lost_is_counted(document):
    data, losses = write_timeml(document)

    kept = tlex.parse(data)
    lost = sum(loss.count for loss in losses if loss.what.startswith(("links with", *KINDS)))
    assert len(kept.links) + lost == len(document.links)
    if not losses:
        assert annotated.content(kept)["links"] == annotated.content(document)["links"]


KINDS = tuple(f"{kind}s" for kind in ("TLINK", "ALINK", "SLINK", "GLINK", "CLINK"))


@given(document=annotated.any_documents())
def test_links_that_are_kept_say_what_they_said(document):
    again = tlex.parse(write_timeml(document)[0])

    ours, theirs = tlex.extract(document), tlex.extract(again)
    if len(again.links) == len(document.links):
        assert ours.consistent == theirs.consistent
        assert sorted(t.length or 0 for t in ours.timelines) == sorted(
            t.length or 0 for t in theirs.timelines
        )


@given(data=annotated.timeml_files())
def test_valid_timeml_comes_back_to_the_byte(data):
    document = tlex.parse(data)

    written, losses = write_timeml(document)

    assert written == data
    assert losses == ()


@given(data=annotated.timeml_files())
def test_a_document_that_timeml_can_hold_is_the_same_when_written_anew(data):
    original = tlex.parse(data)
    elsewhere = tlex.parse(tlex_json(original))

    written, losses = write_timeml(elsewhere)

    again = tlex.parse(written)
    assert annotated.content(again) == annotated.content(original)
    assert losses == ()


def tlex_json(document: tlex.Document) -> bytes:
    return convert(document, "json")[0]


@needs_schema
@given(data=annotated.timeml_files())
def test_the_generated_files_are_themselves_valid(data):
    assert annotated.faults_of(data) == []


def test_an_original_is_not_touched():
    assert write_timeml(tlex.read(STORY)) == (STORY.read_bytes(), ())


@needs_schema
@pytest.mark.parametrize(
    "name", ["tempeval1.tml", "tempeval3.tml", "portuguese.tml", "wrapped.tml", "bare.tml"]
)
def test_a_dialect_becomes_timeml_and_keeps_its_text_to_the_byte(name):
    document = tlex.read(DATA / name)

    data, losses = write_timeml(document)

    again = tlex.parse(data)
    stays = [loss for loss in losses if loss.kept]
    assert annotated.faults_of(data) == [] or stays
    assert again.text == document.text
    assert strip_tags(data) == strip_tags((DATA / name).read_bytes())
    assert len(again.nodes) == len(document.nodes)
    assert [t.length for t in tlex.extract(again).timelines] == [
        t.length for t in tlex.extract(document).timelines
    ]


def strip_tags(data: bytes) -> bytes:
    return re.sub(rb"<[^<>]*>", b"", data)


def test_a_mark_inside_another_one_is_put_behind_it_and_counted():
    text = (
        '<TimeML><EVENT eid="e1" class="STATE">a <TIMEX3 tid="t1" type="DATE" value="1999">b'
        '</TIMEX3> c</EVENT>\r\nd<MAKEINSTANCE eventID="e1" eiid="ei1" tense="NONE" aspect="NONE"'
        ' polarity="POS" pos="NONE"/></TimeML>'
    )

    data, losses = write_timeml(tlex.parse(text))

    assert b">a b c</EVENT><TIMEX3" in data
    assert b"/>\r\nd<MAKE" in data
    assert [(loss.count, loss.examples) for loss in losses] == [(1, ("t1",))]


def test_elements_that_timeml_does_not_know_lose_their_tags_and_nothing_else():
    text = "<T><!-- x --><s n='1'>a &amp; <![CDATA[<b>]]></s><DOC/></T>"
    document = tlex.parse(text.encode(), format="timeml")

    data, losses = write_timeml(document)

    assert data == b"<TimeML><!-- x -->a &amp; <![CDATA[<b>]]></TimeML>"
    assert {loss.what: loss.examples for loss in losses} == {
        "roots that are not called TimeML": ("T",),
        "tags of elements that TimeML does not know": ("s", "DOC"),
    }


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1"])
def test_the_encoding_of_an_original_stays(encoding):
    declared = "iso-8859-1" if encoding == "latin-1" else encoding
    text = (
        f'<?xml version="1.0" encoding="{declared}"?><TimeML>é<x>ö</x><EVENT eid="e1" '
        'class="STATE">ü</EVENT><EVENT eid="e2" class="STATE">n</EVENT><TLINK lid="l1" '
        'relType="BEFORE " eventInstanceID="e1" relatedToEventInstance="e2"/></TimeML>'
    )
    document = tlex.parse(text.encode(encoding))

    data, _ = write_timeml(document)

    again = tlex.parse(data)
    assert again.text == "éöün"
    assert [(link.source, link.type, link.target) for link in again.links] == [
        ("ei1", "BEFORE", "ei2")
    ]
    assert data.decode(encoding).startswith(text[:40])


def test_events_without_instance_get_one_where_links_need_it():
    document = tlex.parse('{"events":[{"id":"a"},{"id":"b"}],"links":[{"source":"a",'
                          '"type":"BEFORE","target":"b"}]}')  # fmt: skip

    again = tlex.parse(write_timeml(document)[0])

    assert [link.source for link in again.links] == [again.nodes[0].id]
    assert {node.id for node in again.nodes} == {"ei1", "ei2"}
    assert losses_of(document)["ids that TimeML does not allow, given anew"] == 4


def test_a_label_with_a_twin_in_timeml_is_written_as_that():
    document = tlex.from_links([("ei1", "CONTAINS", "ei2"), ("ei1", "VAGUE", "ei2")])

    data, losses = write_timeml(document)

    assert [link.type for link in tlex.parse(data).links] == ["INCLUDES"]
    assert ("CONTAINS as INCLUDES",) in [loss.examples for loss in losses]
    assert ("VAGUE",) in [loss.examples for loss in losses]


@pytest.mark.corpus
@needs_schema
def test_meantime_becomes_valid_timeml_with_the_same_verdicts(meantime):
    verdicts = {}
    for name, document in meantime.items():
        data, _ = write_timeml(document)
        assert annotated.faults_of(data) == [], name
        etree.fromstring(data)
        verdicts[name] = tlex.extract(tlex.parse(data), links=["TLINK"]).consistent

    assert sum(not consistent for consistent in verdicts.values()) == 36


@pytest.mark.corpus
def test_timebank_comes_back_to_the_byte(timebank):
    for name, document in timebank.items():
        data, losses = write_timeml(document)
        assert data == document.source.data, name
        assert all(loss.kept for loss in losses), name


def test_an_instance_has_what_is_said_of_its_event():
    text = (
        '{"events": [{"id": "e1", "polarity": "NEG", "modality": "may", "attributes": '
        '{"tense": "PAST"}}], "instances": [{"id": "ei1", "event": "e1"}]}'
    )
    document = tlex.parse(text)

    again = tlex.parse(write_timeml(document)[0])

    own = again.instances[0].attributes
    assert (own["polarity"], own["modality"], own["tense"]) == ("NEG", "may", "PAST")
    assert [node.factuality for node in tlex.extract(again).nodes] == ["possible"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<TimeML/>", "<TimeML/>"),
        (
            "<!DOCTYPE TimeML [ <!-- ]> <b> --> <?p ]> ?> ]><TimeML>a</TimeML>",
            "<!DOCTYPE TimeML [ <!-- ]> <b> --> <?p ]> ?> ]><TimeML>a</TimeML>",
        ),
        (
            '<!DOCTYPE TimeML SYSTEM "a[b"><TimeML><s n="]>"/>a</TimeML>',
            '<!DOCTYPE TimeML SYSTEM "a[b"><TimeML>a</TimeML>',
        ),
        (
            '<d xmlns:q="u" id="1"><SIGNAL sid="s1" q:z="1">a</SIGNAL></d>',
            '<TimeML xmlns:q="u" id="1"><SIGNAL sid="s1" q:z="1">a</SIGNAL></TimeML>',
        ),
    ],
)
def test_what_stands_around_the_annotation_stays(text, expected):
    data, _ = write_timeml(tlex.parse(text, format="timeml"))

    assert data.decode() == expected
    etree.fromstring(data)


def test_a_string_is_written_in_the_encoding_that_it_then_declares():
    document = tlex.parse('<?xml version="1.0" encoding="latin-1"?><TimeML>café €</TimeML>')

    data, losses = write_timeml(document)

    assert tlex.parse(data).text == "café €"
    assert losses == ()


def test_ids_of_another_form_are_given_anew_also_in_timeml():
    text = (
        '<TimeML><EVENT eid="E1" class="STATE">a</EVENT><TIMEX3 tid="7" type="DATE" value="1999" '
        'anchorTimeID="7"/><MAKEINSTANCE eventID="E1" eiid="i1" tense="NONE" aspect="NONE" '
        'polarity="POS" pos="NONE"/><TLINK lid="L1" relType="BEFORE" eventInstanceID="i1" '
        'relatedToTime="7"/><CLINK id="c1" eventInstanceID="i1" relatedToEventInstance="i1"/>'
        "</TimeML>"
    )

    data, losses = write_timeml(tlex.parse(text))

    assert b'eventInstanceID="ei1" relatedToTime="t7"' in data
    assert b'anchorTimeID="t7"' in data
    assert b'eventInstanceID="ei1" relatedToEventInstance="ei1"' in data
    assert annotated.schema() is None or annotated.faults_of(data) == []
    assert {loss.what: loss.count for loss in losses if not loss.kept} == {
        "ids that TimeML does not allow, given anew": 5
    }


@pytest.mark.parametrize("name", [path.name for path in sorted(DATA.glob("*.tml"))])
@pytest.mark.parametrize("target", ["timeml", "json", "dot"])
def test_every_element_of_a_file_is_written_or_counted(name, target):
    document = tlex.read(DATA / name)
    text = (DATA / name).read_text(encoding="utf-8-sig")
    opened = re.findall(r"<([A-Za-z][\w.:-]*)", re.sub(r"(?s)<!--.*?-->|<!DOCTYPE.*?>", "", text))
    strange = [element for element in opened if element not in READ]

    losses = convert(document, target)[1]

    counted = sum(loss.count for loss in losses if loss.what in PASSED)
    assert counted == len(strange)


READ = {"TimeML", "EVENT", "TIMEX3", "SIGNAL", "MAKEINSTANCE", "TLINK", "SLINK", "ALINK", "CLINK"}
PASSED = {
    "elements of the file that tlex does not read",
    "tags of elements that TimeML does not know",
    "roots that are not called TimeML",
}


def test_two_line_ends_stay_two_where_a_tag_between_them_goes():
    document = tlex.parse(b"<TimeML>a\r<s>\nb</s></TimeML>")

    again = tlex.parse(write_timeml(document)[0])

    assert again.text == document.text == "a\n\nb"


def test_no_new_id_is_one_that_something_refers_to():
    text = (
        '<TimeML><EVENT eid="X" class="STATE">a</EVENT><MAKEINSTANCE eventID="e1" eiid="ei1" '
        'tense="NONE" aspect="NONE" polarity="POS" pos="NONE"/></TimeML>'
    )

    again = tlex.parse(write_timeml(tlex.parse(text))[0])

    assert len(again.nodes) == 2


def test_no_new_id_is_one_that_an_instance_looks_for_even_if_a_time_is_called_so():
    document = tlex.parse(
        '<TimeML><TIMEX3 tid="e1">a</TIMEX3><EVENT eid="-1">b</EVENT>'
        '<MAKEINSTANCE eiid="ei1" eventID="e1"/></TimeML>'
    )

    again = tlex.parse(write_timeml(document)[0])

    assert len(again.nodes) == len(document.nodes) == 3
    assert again.node("ei1").event not in {event.id for event in again.events}


_LOOP = '<TLINK lid="l1" relType="BEFORE" timeID="t1" relatedToTime="t1"/>'
_LINK = '<TLINK lid="l1" relType="BEFORE" timeID="t1" relatedToTime="t2">'
_TIMES = '<TIMEX3 tid="t1">now</TIMEX3> or <TIMEX3 tid="t2">never</TIMEX3>'


@pytest.mark.parametrize(
    "data",
    [
        f'<TIMEX3 tid="t1">today{_LOOP}</TIMEX3>',
        '<TIMEX3 tid="t1"/>',
        '<EVENT eid="e1">went</EVENT>',
        f"{_LINK}{_TIMES}</TLINK>",
    ],
)
def test_a_root_that_is_an_annotation_stays_inside_a_new_one(data: str):
    document = tlex.parse(data)

    written, losses = convert(document, "timeml")
    again = tlex.parse(written)

    assert [node.id for node in again.nodes] == [node.id for node in document.nodes]
    assert [link.type for link in again.links] == [link.type for link in document.links]
    assert again.text == document.text
    assert "roots that are not called TimeML" in {loss.what for loss in losses}


def test_an_event_that_is_an_instance_becomes_one_also_beside_one_with_a_new_id():
    rest = 'tense="PAST" aspect="NONE" polarity="POS" pos="VERB"/>'
    first, second = f'eventID="e1" eiid="ei1" {rest}', f'eventID="e1" eiid="x" {rest}'
    event = '<EVENT eid="e1" class="STATE">was</EVENT>'
    document = tlex.parse(f"<TimeML>{event}<EVENT {first}<EVENT {second}</TimeML>")

    written, _ = convert(document, "timeml")

    assert written.decode().count("<MAKEINSTANCE ") == len(document.instances) == 2
    assert len(tlex.parse(written).nodes) == len(document.nodes)
