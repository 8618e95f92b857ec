"""TimeML 1.2.1 and the TempEval-3 variant: what is read is what the file says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tlex
from tlex.document import Document
from tlex.nouns import Event, Instance, Span, Timex

DATA = Path(__file__).resolve().parents[1] / "data"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def wrap(body: str) -> str:
    return f"<TimeML>{body}</TimeML>"


def words_by_id(document: Document) -> dict[str, str]:
    return {node.id: document.words(node) for node in document.nodes}


def ends(document: Document) -> list[tuple[str, str | None, str | None, str | None]]:
    return [(link.id, link.type, link.source, link.target) for link in document.links]


# --- TimeML 1.2.1 ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def note() -> Document:
    return tlex.read(DATA / "note.tml")


def test_the_text_is_all_character_data(note):
    assert note.text.strip() == (
        "Harbour office, 14 March 1998\n\n"
        "The ferry left at ten past six,\n"
        "before the café began serving.\n"
        "The captain says nobody complained, and would deny\n"
        "having rung the bell: “rung twice?”"
    )
    assert (note.format, note.diagnostics) == ("timeml", ())
    assert note.name == str(DATA / "note.tml")


def test_events_keep_their_ids_words_classes_and_attributes(note):
    assert [(e.id, e.type, note.words(e)) for e in note.events] == [
        ("e1", "OCCURRENCE", "left"),
        ("e2", "ASPECTUAL", "began"),
        ("e3", "OCCURRENCE", "serving"),
        ("e4", "REPORTING", "says"),
        ("e5", "OCCURRENCE", "complained"),
        ("e6", "I_ACTION", "deny"),
        ("e7", "OCCURRENCE", "rung"),
        ("e8", "OCCURRENCE", "rung"),
    ]
    assert note.events[6].attributes == {"eid": "e7", "class": "OCCURRENCE", "stem": "ring"}


def test_times_keep_type_value_and_every_attribute(note):
    assert [(t.id, t.type, t.value, note.words(t)) for t in note.timexes] == [
        ("t0", "DATE", "1998-03-14", "14 March 1998"),
        ("t1", "TIME", "1998-03-14T06:10", "ten past six"),
    ]
    assert note.timexes[1].attributes == {
        "tid": "t1",
        "type": "TIME",
        "value": "1998-03-14T06:10",
        "temporalFunction": "true",
        "functionInDocument": "NONE",
        "anchorTimeID": "t0",
    }


def test_signals_keep_their_words(note):
    assert [(s.id, note.text[s.text_start : s.text_end]) for s in note.signals] == [
        ("s1", "at"),
        ("s2", "before"),
    ]


def test_instances_know_their_event_and_share_its_span(note):
    spans = {event.id: event.span for event in note.events}

    assert [(i.id, i.event) for i in note.instances] == [
        *((f"ei{n}", f"e{n}") for n in range(1, 8)),
        ("ei8a", "e8"),
        ("ei8b", "e8"),
    ]
    assert all(i.span == spans[i.event] for i in note.instances)
    assert note.node("ei6").attributes == {
        "eventID": "e6",
        "eiid": "ei6",
        "tense": "NONE",
        "aspect": "NONE",
        "polarity": "POS",
        "pos": "VERB",
        "modality": "would",
    }


def test_links_of_all_kinds_are_read_in_document_order(note):
    assert [(k.kind, k.id, k.source, k.type, k.target) for k in note.links] == [
        ("TLINK", "l1", "ei1", "IS_INCLUDED", "t1"),
        ("TLINK", "l2", "ei1", "BEFORE", "ei2"),
        ("ALINK", "l3", "ei2", "INITIATES", "ei3"),
        ("TLINK", "l4", "t1", "IS_INCLUDED", "t0"),
        ("TLINK", "l5", "t0", "INCLUDES", "ei4"),
        ("SLINK", "l6", "ei4", "EVIDENTIAL", "ei5"),
        ("SLINK", "l7", "ei6", "NEGATIVE_EVIDENTIAL", "ei7"),
        ("TLINK", "l8", "ei8a", "BEFORE", "ei8b"),
    ]
    assert [k.signal for k in note.links] == ["s1", "s2", *[None] * 6]
    assert [k.weight for k in note.links] == [None, None, None, 0.5, None, None, None, None]
    assert note.links[0].attributes["origin"] == "USER"
    assert note.links[6].attributes["relType"] == "NEG_EVIDENTIAL"


def test_nodes_are_instances_and_times_in_text_order(note):
    assert list(note.index) == [
        *("t0", "ei1", "t1", "ei2", "ei3", "ei4", "ei5", "ei6", "ei7", "ei8a", "ei8b")
    ]
    assert [note.index[node.id] for node in note.nodes] == list(range(11))
    assert {type(node) for node in note.nodes} == {Instance, Timex}


@pytest.mark.parametrize(
    ("name", "counts"),
    [("story.tml", (21, 21, 5, 11, 34)), ("contradiction.tml", (6, 6, 0, 3, 6))],
)
def test_the_examples_are_read_whole_and_without_a_complaint(name, counts):
    read = tlex.read(EXAMPLES / name)

    nouns = (read.events, read.instances, read.timexes, read.signals, read.links)
    assert tuple(map(len, nouns)) == counts
    assert read.diagnostics == ()


# --- the TempEval-3 variant ---------------------------------------------------------------------


def test_tempeval_headers_are_transparent_and_their_text_counts():
    document = tlex.read(DATA / "tempeval3.tml")

    assert re.sub(r"\s+", " ", document.text.strip()) == (
        "gazette_0042 2011-05-02 Goose returns Late edition "
        "The goose that vanished last Monday has returned. "
        "It did not apologise; it honked twice."
    )
    assert document.node("t0").attributes["functionInDocument"] == "CREATION_TIME"
    assert document.words(document.node("t0")) == "2011-05-02"


def test_an_event_without_an_instance_is_a_node_under_its_own_id():
    document = tlex.read(DATA / "tempeval3.tml")

    assert words_by_id(document) == {
        "t0": "2011-05-02",
        "ei1": "vanished",
        "t1": "last Monday",
        "e2": "returned",
        "e3": "apologise",
        "ei4": "honked",
        "ei5": "honked",
    }
    assert {n.id for n in document.nodes if isinstance(n, Event)} == {"e2", "e3"}
    assert [(d.code, d.line, d.column) for d in document.diagnostics] == [
        ("TLX106", 13, 141),
        ("TLX106", 14, 12),
    ]


def test_a_link_may_point_at_an_event_that_has_no_instance():
    result = tlex.extract(tlex.read(DATA / "tempeval3.tml"))

    assert result.timeline_of("e2") is result.timeline_of("ei1")
    assert result.timeline_of("e2").points["e2-"] == (4, 4)


def test_attributes_may_sit_on_the_event_itself():
    document = tlex.read(DATA / "tempeval3.tml")

    assert document.node("e2").attributes["aspect"] == "PERFECTIVE"
    factuality = {node.id: node.factuality for node in tlex.extract(document).nodes}
    assert factuality["e3"] == "possible"


def test_several_instances_of_one_event_are_several_nodes():
    document = tlex.read(DATA / "tempeval3.tml")

    first, second = document.node("ei4"), document.node("ei5")

    assert (first.event, first.span) == (second.event, second.span)
    assert document.index["ei5"] == document.index["ei4"] + 1


def test_a_document_may_have_no_instance_and_no_link_at_all():
    document = tlex.read(DATA / "bare.tml")

    assert words_by_id(document) == {"t0": "", "e1": "slept", "e2": "snored"}
    assert (document.instances, document.links) == ((), ())
    assert [d.code for d in document.diagnostics] == ["TLX106", "TLX106"]
    assert len(tlex.extract(document).timelines) == 3


def test_a_document_without_any_annotation_is_read_as_text():
    document = tlex.parse("<TimeML>Nothing happened.</TimeML>")

    assert (document.text, document.nodes, document.links) == ("Nothing happened.", (), ())
    assert document.diagnostics == ()
    assert tlex.extract(document).timelines == ()


# --- unknown elements ---------------------------------------------------------------------------


def test_unknown_elements_are_transparent_and_their_text_counts():
    document = tlex.read(DATA / "wrapped.tml")

    assert re.sub(r"\s+", " ", document.text.strip()) == (
        "gz-7 The mayor gave up this morning. He slept because of it. kept"
    )
    assert words_by_id(document) == {"ei1": "gave up", "t1": "this morning", "ei2": "slept"}
    assert ends(document) == [("l1", "BEFORE", "ei1", "ei2"), ("c1", None, "ei1", "ei2")]
    assert document.diagnostics == ()


@pytest.mark.parametrize("root", ["TimeML", "TIMEML", "timeml", "DOC", "s", "file", "x:TimeML"])
def test_any_root_will_do_if_timeml_is_inside(root):
    document = tlex.parse(f'<{root}>It <EVENT eid="e1">rained</EVENT>.</{root}>')

    assert words_by_id(document) == {"e1": "rained"}


def test_comments_instructions_and_cdata_are_no_annotation():
    document = tlex.parse(
        wrap('a<!-- <EVENT eid="e1">b</EVENT> -->c<?d <EVENT eid="e2"/> ?>e<![CDATA[<EVENT>&f;]]>')
    )

    assert document.text == "ace<EVENT>&f;"
    assert document.nodes == ()


def test_character_references_and_the_five_entities_of_xml_are_text():
    document = tlex.parse(
        wrap('<EVENT eid="e1" note="&quot;&#x41;">&lt;&#65;&amp;&gt;&apos;</EVENT>')
    )

    assert document.text == "<A&>'"
    assert document.events[0].attributes["note"] == '"A'


def test_events_inside_events_each_have_their_own_words():
    document = tlex.parse(
        wrap('<EVENT eid="e1">gave <EVENT eid="e2">up</EVENT></EVENT> <EVENT eid="e3">x</EVENT>')
    )

    assert words_by_id(document) == {"e1": "gave up", "e2": "up", "e3": "x"}
    assert [e.span for e in document.events] == [Span(0, 7), Span(5, 7), Span(8, 9)]


@pytest.mark.parametrize("kind", ["TLINK", "ALINK", "SLINK"])
def test_links_inside_links_stay_in_document_order(kind):
    document = tlex.parse(
        wrap(f'<{kind} lid="l1"><x><TLINK lid="l2"/></x></{kind}><SLINK lid="l3"/>')
    )

    assert [(link.id, link.kind) for link in document.links] == [
        ("l1", kind),
        ("l2", "TLINK"),
        ("l3", "SLINK"),
    ]


def test_of_two_events_with_one_id_the_outer_one_comes_first():
    document = tlex.parse(wrap('<EVENT eid="e1">gave <EVENT eid="e1">up</EVENT></EVENT>'))

    assert words_by_id(document) == {"e1": "gave up"}


def test_nodes_that_start_together_stay_in_document_order_and_those_without_words_come_last():
    document = tlex.parse(
        wrap(
            '<MAKEINSTANCE eiid="lost" eventID="e9"/>'
            '<MAKEINSTANCE eiid="b2" eventID="e2"/><MAKEINSTANCE eiid="b1" eventID="e2"/>'
            '<EVENT eid="e1"><TIMEX3 tid="t1">noon</TIMEX3></EVENT> <EVENT eid="e2">rang</EVENT>'
        )
    )

    assert list(document.index) == ["e1", "t1", "b2", "b1", "lost"]
    assert document.node("lost").span is None


# --- links --------------------------------------------------------------------------------------

PAIR = '<EVENT eid="e1">a</EVENT><EVENT eid="e2">b</EVENT>'


def link_of(attributes: str, kind: str = "TLINK") -> tlex.Link:
    return tlex.parse(wrap(f"{PAIR}<{kind} {attributes}/>")).links[0]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("BEFORE", "BEFORE"),
        ("AFTER ", "AFTER"),
        (" is_included\n", "IS_INCLUDED"),
        ("Begun_By", "BEGUN_BY"),
        ("overlap", "OVERLAP"),
        ("Vague", "VAGUE"),
    ],
)
def test_case_and_blanks_of_a_type_do_not_count(written, read):
    link = link_of(f'lid="l1" relType="{written}" eventInstanceID="e1" relatedToEventInstance="e2"')

    assert link.type == read


@pytest.mark.parametrize("written", ["NEG_EVIDENTIAL", "neg_evidential ", "NEGATIVE_EVIDENTIAL"])
def test_timebanks_spelling_of_negative_evidential_is_the_same_type(written):
    document = tlex.parse(
        wrap(
            f'{PAIR}<SLINK lid="l1" relType="{written}" eventInstanceID="e1"'
            ' subordinatedEventInstance="e2"/>'
        )
    )

    assert document.links[0].type == "NEGATIVE_EVIDENTIAL"
    assert {d.code for d in document.diagnostics} == {"TLX106"}
    assert tlex.extract(document).nodes[1].factuality == "counterfactual"


def test_blanks_around_ids_do_not_count():
    document = tlex.parse(
        wrap(
            '<EVENT eid=" e1 ">a</EVENT><TIMEX3 tid="t1 ">b</TIMEX3><SIGNAL sid=" s1">c</SIGNAL>'
            '<MAKEINSTANCE eiid=" ei1" eventID="e1 "/>'
            '<TLINK lid=" l1 " relType="BEFORE" eventInstanceID=" ei1 " relatedToTime=" t1"/>'
        )
    )

    assert (document.events[0].id, document.signals[0].id) == ("e1", "s1")
    assert (document.instances[0].id, document.instances[0].event) == ("ei1", "e1")
    assert ends(document) == [("l1", "BEFORE", "ei1", "t1")]
    assert document.diagnostics == ()


@pytest.mark.parametrize(
    "blank", ["eid", "eiid", "eventID", "tid", "sid", "lid", "signalID", "eventInstanceID"]
)
@pytest.mark.parametrize("white", [" ", "&#9;", "&#10;"])
def test_a_blank_around_a_single_id_does_not_count(blank, white):
    text = wrap(
        '<EVENT eid="e1">a</EVENT><TIMEX3 tid="t1">b</TIMEX3><SIGNAL sid="s1">c</SIGNAL>'
        '<MAKEINSTANCE eiid="ei1" eventID="e1"/>'
        '<TLINK lid="l1" relType="BEFORE" eventInstanceID="ei1" relatedToTime="t1" signalID="s1"/>'
    ).replace(f'{blank}="', f'{blank}="{white}')

    document = tlex.parse(text)

    assert document.diagnostics == ()
    assert list(document.index) == ["ei1", "t1"]
    assert (document.events[0].id, document.signals[0].id) == ("e1", "s1")
    assert document.instances[0].event == "e1"
    assert [(k.id, k.source, k.target, k.signal) for k in document.links] == [
        ("l1", "ei1", "t1", "s1")
    ]


def test_attributes_stay_as_the_file_has_them_but_for_blanks_around_ids():
    document = tlex.parse(wrap('<EVENT eid=" e1 " class=" STATE">a</EVENT><TLINK lid=" l1"/>'))

    assert document.events[0].attributes == {"eid": "e1", "class": " STATE"}
    assert document.links[0].attributes == {"lid": "l1"}


def test_duplicate_links_and_self_loops_are_kept():
    link = 'relType="BEFORE" eventInstanceID="e1" relatedToEventInstance="e{}"'

    document = tlex.parse(
        wrap(
            f'{PAIR}<TLINK lid="l1" {link.format(2)}/><TLINK lid="l2" {link.format(2)}/>'
            f'<TLINK lid="l3" {link.format(1)}/>'
        )
    )

    assert ends(document) == [
        ("l1", "BEFORE", "e1", "e2"),
        ("l2", "BEFORE", "e1", "e2"),
        ("l3", "BEFORE", "e1", "e1"),
    ]


def test_defaults_of_an_internal_dtd_are_not_annotation():
    document = tlex.parse(
        '<!DOCTYPE TimeML [<!ATTLIST EVENT class CDATA "STATE" eid CDATA #IMPLIED>]>'
        '<TimeML><EVENT eid="e1">a</EVENT></TimeML>'
    )

    assert document.events[0].attributes == {"eid": "e1"}


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes_of_any_kind_are_read(kind):
    document = tlex.parse(kind(b'<TimeML><EVENT eid="e1">ran</EVENT></TimeML>'), name="mine")

    assert (document.name, words_by_id(document)) == ("mine", {"e1": "ran"})


@pytest.mark.parametrize("written", ["", " "])
def test_an_empty_type_is_no_type(written):
    document = tlex.parse(
        wrap(
            f'{PAIR}<SLINK lid="s1" relType="{written}" eventInstanceID="e1" '
            'subordinatedEventInstance="e2"/>'
        )
    )

    assert document.links[0].type is None
    assert tlex.extract(document).connections[0].type is None


def test_an_event_whose_only_instance_gives_way_is_a_node_itself():
    document = tlex.parse(
        '<TimeML><EVENT eid="e1">a</EVENT><EVENT eid="e2">b</EVENT>'
        '<MAKEINSTANCE eventID="e1" eiid="i1"/><MAKEINSTANCE eventID="e2" eiid="i1"/></TimeML>'
    )

    assert [node.id for node in document.nodes] == ["i1", "e2"]
    assert [t.main for t in tlex.extract(document, main=["e2"]).timelines] == [False, True]


def test_an_instance_does_not_give_way_to_an_event_that_has_none():
    document = tlex.parse(
        '<TimeML><EVENT eid="2">a</EVENT><EVENT eid="1">b</EVENT>'
        '<MAKEINSTANCE eventID="1" eiid="2"/></TimeML>'
    )

    assert [(type(node).__name__, node.id) for node in document.nodes] == [("Instance", "2")]
