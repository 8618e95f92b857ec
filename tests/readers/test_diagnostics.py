"""What is wrong with a document: one diagnostic each, with its place, and reading goes on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tlex
from tlex.document import Document
from tlex.errors import StrictError
from tlex.nouns import Code, Diagnostic

DATA = Path(__file__).resolve().parents[1] / "data"

# What is wrong with tests/data/untidy.tml: code, severity, place, and what the message, or the
# advice beside it, must name.
UNTIDY = [
    ("TLX102", "error", 3, 55, ["EVENT", "eid"]),
    ("TLX104", "error", 3, 110, ["EVENT", "'e1'", "line 3"]),
    ("TLX102", "error", 4, 58, ["TIMEX3", "tid"]),
    ("TLX104", "error", 4, 93, ["TIMEX3", "'t1'", "line 4"]),
    ("TLX102", "error", 4, 148, ["SIGNAL", "sid"]),
    ("TLX106", "warning", 4, 171, ["EVENT", "e5", "MAKEINSTANCE"]),
    ("TLX105", "error", 6, 3, ["MAKEINSTANCE", "ei9", "'e9'", "'e5'"]),
    ("TLX102", "error", 7, 3, ["MAKEINSTANCE", "ei7", "eventID"]),
    ("TLX102", "error", 8, 3, ["MAKEINSTANCE", "eiid"]),
    ("TLX104", "error", 9, 3, ["MAKEINSTANCE", "'t1'", "TIMEX3", "line 4"]),
    ("TLX101", "error", 10, 3, ["TLINK", "l1", "'ei8'", "'ei9'"]),
    ("TLX103", "error", 11, 3, ["TLINK", "l2", "'OVERLAPP'", "OVERLAP"]),
    ("TLX103", "error", 12, 3, ["TLINK", "l3", "'INITIATES'", "ALINK"]),
    ("TLX102", "error", 13, 3, ["TLINK", "l4"]),
    ("TLX102", "error", 14, 3, ["TLINK", "l5", "source"]),
    ("TLX102", "error", 15, 3, ["TLINK", "l6", "target"]),
    ("TLX102", "error", 16, 3, ["TLINK", "id", "'TLINK@16:3'"]),
    ("TLX104", "error", 17, 3, ["TLINK", "'l1'", "'TLINK@17:3'"]),
    ("TLX107", "warning", 18, 3, ["TLINK", "'ei1'"]),
    ("TLX101", "error", 19, 3, ["TLINK", "l8", "'e1'", "'ei1'"]),
    ("TLX103", "error", 20, 3, ["SLINK", "l9", "'MODALITY'", "MODAL"]),
    ("TLX102", "error", 21, 3, ["SLINK", "l10"]),
    ("TLX109", "warning", 22, 3, ["TLINK", "'heavy'"]),
    ("TLX103", "error", 23, 3, ["ALINK", "l12", "'BEFORE'", "TLINK"]),
]

EVENTS = """<TimeML>
<EVENT eid="e1">a</EVENT> <EVENT eid="e2">b</EVENT> <TIMEX3 tid="t1">c</TIMEX3>
<MAKEINSTANCE eiid="ei1" eventID="e1"/><MAKEINSTANCE eiid="ei2" eventID="e2"/>
"""
AFTER = '<TLINK lid="l1" relType="AFTER" eventInstanceID="ei1" relatedToTime="t1"'


def parse_with(body: str, **options) -> Document:
    """Read two events and a time, with ``body`` from line 4 on."""
    return tlex.parse(f"{EVENTS}{body}\n</TimeML>", **options)


def only(document: Document) -> Diagnostic:
    (diagnostic,) = document.diagnostics
    return diagnostic


def said(diagnostic: Diagnostic) -> str:
    return f"{diagnostic.message} {diagnostic.hint or ''}"


# --- one of each --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def untidy() -> Document:
    return tlex.read(DATA / "untidy.tml")


def test_every_problem_is_reported_once_in_file_order(untidy):
    found = [(d.code, d.severity, d.line, d.column) for d in untidy.diagnostics]

    assert found == [expected[:4] for expected in UNTIDY]


@pytest.mark.parametrize("number", range(len(UNTIDY)))
def test_a_message_names_what_was_found_and_what_would_help(untidy, number):
    diagnostic = untidy.diagnostics[number]

    for word in UNTIDY[number][4]:
        assert re.search(rf"(?<!\w){re.escape(word)}(?!\w)|{re.escape(word)}s\b", said(diagnostic))


def test_messages_are_one_line_without_a_full_stop(untidy):
    for diagnostic in untidy.diagnostics:
        for sentence in filter(None, (diagnostic.message, diagnostic.hint)):
            assert "\n" not in sentence
            assert not sentence.endswith((".", "!"))
            assert not re.match(r"[A-Z][a-z]", sentence)
            assert "invalid" not in sentence.lower()


def test_every_code_has_an_example_here(untidy):
    outside = tlex.read(DATA / "outside" / "story.tml")
    timeless = tlex.parse(
        "<data><annotations><entity><id>1</id><type>EVENT</type><properties><DocTimeRel>BEFORE"
        "</DocTimeRel></properties></entity></annotations></data>"
    )

    model = tlex.read(DATA / "model.txt")
    unclear = tlex.parse('{"links": [7]}')

    marks = "T1\tEvent 0 1\ta\nT2\tEvent 2 3\tb\nR1\tOVERLAPS Arg1:T1 Arg2:T2\n"
    overlapping = tlex.parse(marks, name="x.ann")

    documents = (untidy, outside, timeless, model, unclear, overlapping)
    found = {d.code for document in documents for d in document.diagnostics}

    assert found == {str(code) for code in Code}


def test_nothing_is_dropped(untidy):
    source = (DATA / "untidy.tml").read_text("utf-8")

    assert len(untidy.links) == len(re.findall(r"<[TSA]LINK", source))
    assert [link.id for link in untidy.links] == [
        *(f"l{n}" for n in range(1, 7)),
        "TLINK@16:3",
        "TLINK@17:3",
        *(f"l{n}" for n in range(7, 13)),
    ]
    assert untidy.text.startswith(
        "\nThe kettle whistled and the cat fled.\nEight, nine, ten: still"
    )


def test_of_a_repeated_id_the_first_counts(untidy):
    assert untidy.words(untidy.node("ei1")) == "kettle"
    assert untidy.words(untidy.node("t1")) == "Eight"
    assert untidy.node("t1").value == "T08"
    assert [event.id for event in untidy.events] == ["e1", "e1", "e5"]


def test_the_offset_of_a_diagnostic_is_that_of_its_element(untidy):
    source = (DATA / "untidy.tml").read_bytes()

    for diagnostic, (_, _, _, _, words) in zip(untidy.diagnostics, UNTIDY, strict=True):
        assert source.startswith(b"<" + words[0].encode(), diagnostic.offset)


def test_diagnostics_go_into_the_json_as_they_are(untidy):
    report = tlex.extract(untidy).record()

    again = tlex.ExtractionRecord.from_json(report.to_json())

    assert again.diagnostics == untidy.diagnostics
    assert len(again.diagnostics) == len(UNTIDY)


# --- links --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "code"),
    [
        ('<TLINK lid="l1" relType="AFTER" eventInstanceID="ei1" relatedToTime="t9"/>', "TLX101"),
        ('<TLINK lid="l1" relType="AFTER" timeID="t9" relatedToTime="t1"/>', "TLX101"),
        ('<TLINK lid="l1" relType="AFTR" eventInstanceID="ei1" relatedToTime="t1"/>', "TLX103"),
        ('<TLINK lid="l1" relType="MODAL" eventInstanceID="ei1" relatedToTime="t1"/>', "TLX103"),
        ('<TLINK lid="l1" relType="  " eventInstanceID="ei1" relatedToTime="t1"/>', "TLX102"),
        ('<TLINK lid="l1" eventInstanceID="ei1" relatedToTime="t1"/>', "TLX102"),
        ('<TLINK lid="l1" relType="AFTER" relatedToTime="t1"/>', "TLX102"),
        ('<TLINK lid="l1" relType="AFTER" eventInstanceID=" " relatedToTime="t1"/>', "TLX102"),
        ('<TLINK lid="l1" relType="AFTER" eventInstanceID="ei1"/>', "TLX102"),
        ('<ALINK lid="l1" relType="AFTER" eventInstanceID="ei1" relatedToTime="t1"/>', "TLX103"),
        ('<ALINK lid="l1" relType="INITIATES" eventInstanceID="ei1"/>', "TLX102"),
    ],
)
def test_a_link_with_something_wrong_is_kept_but_orders_nothing(link, code):
    document = parse_with(link)

    assert (only(document).code, only(document).severity) == (code, "error")
    assert (only(document).line, only(document).column) == (4, 1)
    assert [kept.id for kept in document.links] == ["l1"]
    assert len(tlex.extract(document).timelines) == 3


@pytest.mark.parametrize("label", ["INITIATES", "initiates ", "MODAL", "NEG_EVIDENTIAL"])
def test_a_type_belongs_to_its_kind_and_the_advice_says_so(label):
    document = parse_with(
        f'<TLINK lid="l1" relType="{label}" eventInstanceID="ei1" relatedToTime="t1"/>'
    )

    assert only(document).code == Code.UNKNOWN_TYPE
    assert repr(label.strip()) in only(document).message
    kind = "ALINK" if "INIT" in label.upper() else "SLINK"
    assert document.links[0].type == label.strip()
    if label in {"INITIATES", "MODAL"}:
        assert kind in only(document).hint


@pytest.mark.parametrize("label", ["initiates", "NEG_EVIDENTIAL"])
def test_the_advice_knows_a_label_of_another_kind_however_it_is_written(label):
    document = parse_with(
        f'<TLINK lid="l1" relType="{label}" eventInstanceID="ei1" relatedToTime="t1"/>'
    )

    assert "LINK" in only(document).hint


def test_a_link_with_two_wrong_ends_gets_two_diagnostics():
    document = parse_with('<TLINK lid="l1" relType="AFTER" eventInstanceID="x" relatedToTime="y"/>')

    assert [d.code for d in document.diagnostics] == ["TLX101", "TLX101"]
    assert ["'x'" in d.message for d in document.diagnostics] == [True, False]


@pytest.mark.parametrize("kind", ["TLINK", "SLINK", "ALINK"])
def test_a_link_without_an_id_is_known_by_its_place(kind):
    body = f"\n  <{kind}/>"

    document = parse_with(body)

    assert document.links[0].id == f"{kind}@5:3"
    assert f"'{kind}@5:3'" in document.diagnostics[0].message
    assert document.diagnostics[0].code == Code.MISSING_ATTRIBUTE


def test_a_made_up_id_does_not_repeat_one_that_is_taken():
    link = 'relType="BEFORE" eventInstanceID="ei1" relatedToTime="t1"'

    document = parse_with(
        f'<TLINK lid="TLINK@5:1" {link}/>\n<TLINK {link}/>\n<TLINK lid="" {link}/>'
    )

    assert len({kept.id for kept in document.links}) == 3
    assert document.links[0].id == "TLINK@5:1"
    assert document.links[2].id == "TLINK@6:1"


def test_link_ids_are_unique_over_all_kinds():
    document = parse_with(
        '<TLINK lid="l1" relType="AFTER" eventInstanceID="ei1" relatedToTime="t1"/>\n'
        '<SLINK lid="l1" relType="MODAL" eventInstanceID="ei1" subordinatedEventInstance="ei2"/>'
    )

    assert [link.id for link in document.links] == ["l1", "SLINK@5:1"]
    assert only(document).code == Code.REPEATED_ID


def test_a_link_known_by_its_place_takes_part():
    document = parse_with('<TLINK relType="AFTER" eventInstanceID="ei1" relatedToTime="t1"/>')

    result = tlex.extract(document)

    assert result.timeline_of("ei1") is result.timeline_of("t1")


@pytest.mark.parametrize("attribute", ["", 'relType="WISHFUL"', 'relType=" "'])
def test_an_slink_of_unknown_or_no_type_still_subordinates(attribute):
    document = parse_with(
        f'<SLINK lid="l1" {attribute} eventInstanceID="ei1" subordinatedEventInstance="ei2"/>'
    )

    result = tlex.extract(document)

    assert only(document).severity == "error"
    (connection,) = result.connections
    assert (connection.link, connection.source, connection.target) == ("l1", "ei1", "ei2")
    assert connection.type == ("WISHFUL" if "WISH" in attribute else None)
    assert [timeline.intervals for timeline in result.branches] == [("ei2",)]


@pytest.mark.parametrize("weight", ["heavy", "", "nan", "inf", "1e999", "0x10"])
def test_a_weight_that_is_no_number_is_left_out_and_the_link_takes_part(weight):
    document = parse_with(f'{AFTER} weight="{weight}"/>')

    assert (only(document).code, only(document).severity) == ("TLX109", "warning")
    assert document.links[0].weight is None
    assert len(tlex.extract(document).timelines) == 2


@pytest.mark.parametrize(("written", "read"), [("2", 2.0), (" 0.25 ", 0.25), ("1e3", 1000.0)])
def test_a_weight_is_a_number(written, read):
    document = parse_with(f'{AFTER} weight="{written}"/>')

    assert document.links[0].weight == read
    assert document.diagnostics == ()


def test_of_two_sources_the_event_is_used():
    document = parse_with(
        '<TLINK lid="l1" relType="AFTER" eventInstanceID="ei1" timeID="t1"'
        ' relatedToEventInstance="ei2" relatedToTime="t1"/>'
    )

    assert (document.links[0].source, document.links[0].target) == ("ei1", "ei2")
    assert [d.code for d in document.diagnostics] == ["TLX107", "TLX107"]
    assert ["'ei1'" in said(d) for d in document.diagnostics] == [True, False]


@pytest.mark.parametrize("wrong", ['timeID="t1"', 'weight="heavy"'])
def test_a_warning_about_a_link_names_it(wrong):
    document = parse_with(
        f'<TLINK lid="l77" relType="AFTER" eventInstanceID="ei1" relatedToTime="t1" {wrong}/>'
    )

    assert "l77" in only(document).message


def test_a_link_without_an_id_keeps_its_signal_and_its_weight():
    document = parse_with(
        '<TLINK relType="AFTER" eventInstanceID="ei1" relatedToTime="t1" weight="2"/>\n'
        '<TLINK relType="AFTER" eventInstanceID="ei1" relatedToTime="t1" signalID="s1"/>\n'
        '<TLINK lid="l1" eventInstanceID="ei1" relatedToTime="t1" weight="heavy"/>'
    )

    assert [link.weight for link in document.links] == [2.0, None, None]
    assert [link.signal for link in document.links] == [None, "s1", None]
    assert [d.code for d in document.diagnostics if d.line == 6] == ["TLX109", "TLX102"]


# --- events, instances, times -------------------------------------------------------------------


def test_an_instance_without_its_event_is_still_a_node():
    document = parse_with(
        '<MAKEINSTANCE eiid="ei3" eventID="e3"/>'
        '<TLINK lid="l1" relType="BEFORE" eventInstanceID="ei3" relatedToEventInstance="ei1"/>'
    )

    result = tlex.extract(document)

    assert (only(document).code, only(document).severity) == ("TLX105", "error")
    assert document.node("ei3").event == "e3"
    assert document.words(document.node("ei3")) == ""
    assert result.timeline_of("ei3").points["ei1-"] == (3, 3)


def test_an_instance_that_names_no_event_is_still_a_node():
    document = parse_with('<MAKEINSTANCE eiid="ei3"/>')

    assert only(document).code == Code.MISSING_ATTRIBUTE
    assert document.node("ei3").event is None
    assert list(document.index) == ["ei1", "ei2", "t1", "ei3"]


def test_an_event_without_an_instance_is_only_a_warning():
    document = tlex.parse('<TimeML><EVENT eid="e1">a</EVENT></TimeML>', strict=True)

    assert (only(document).code, only(document).severity) == ("TLX106", "warning")


def test_node_ids_are_unique_over_instances_times_and_lone_events():
    document = tlex.parse(
        '<TimeML><TIMEX3 tid="x">noon</TIMEX3>\n<EVENT eid="x">rang</EVENT>\n'
        '<EVENT eid="y">ran</EVENT>\n<MAKEINSTANCE eiid="x" eventID="y"/></TimeML>'
    )

    nodes = [(type(node).__name__, node.id) for node in document.nodes]
    assert nodes == [("Timex", "x"), ("Event", "y")]  # y has lost its only instance
    repeated = [(d.line, d.column) for d in document.diagnostics if d.code == Code.REPEATED_ID]
    assert repeated == [(2, 1), (4, 1)]


@pytest.mark.parametrize(
    ("element", "key"),
    [("EVENT", "eid"), ("TIMEX3", "tid"), ("SIGNAL", "sid"), ("MAKEINSTANCE", "eiid")],
)
@pytest.mark.parametrize("own", ["", '{}=""', '{}="  "'])
def test_a_noun_without_an_id_takes_no_part_but_its_words_stay(element, key, own):
    document = tlex.parse(f"<TimeML>\n <{element} {own.format(key)}>word</{element}></TimeML>")

    codes = [(d.code, d.line, d.column) for d in document.diagnostics if element in d.message]
    assert codes == [("TLX102", 2, 2)]
    assert key in document.diagnostics[0].message
    assert (document.text, document.nodes) == ("\n word", ())


def test_the_nearest_id_is_offered():
    document = tlex.parse(
        '<TimeML><TIMEX3 tid="t1"/><TIMEX3 tid="t40"/><TIMEX3 tid="x41"/>'
        '<TLINK lid="l1" relType="BEFORE" timeID="t42" relatedToTime="t1"/></TimeML>'
    )

    assert "'t40'" in only(document).hint


# --- order, and strict --------------------------------------------------------------------------


def test_diagnostics_come_in_file_order_whatever_they_are_about():
    document = tlex.parse(
        """<!DOCTYPE TimeML SYSTEM "x.dtd"><TimeML>
        <TLINK/>
        <EVENT>a</EVENT> &b;
        <MAKEINSTANCE eiid="ei1" eventID="e1"/>
        <EVENT eid="e2">c</EVENT>
        <TIMEX3>d</TIMEX3> &e;
        <SLINK lid="l1"/>
        <EVENT eid="e2">c</EVENT>
        </TimeML>"""
    )

    places = [(d.line, d.column) for d in document.diagnostics]
    assert places == sorted(places)
    assert {line for line, _ in places} == {2, 3, 4, 5, 6, 7, 8}


def test_strict_raises_in_place_of_an_error():
    with pytest.raises(StrictError) as caught:
        parse_with(
            '<TLINK lid="l1" relType="OVERLAPP" eventInstanceID="ei1" relatedToTime="t1"/>',
            strict=True,
            name="mine.tml",
        )

    assert str(caught.value).startswith("mine.tml:4:1: TLINK l1 has relation 'OVERLAPP'")
    assert "did you mean OVERLAP?" in str(caught.value)
    assert (caught.value.line, caught.value.column) == (4, 1)


def test_strict_lets_a_sound_document_through():
    document = tlex.read(DATA / "note.tml", strict=True)

    assert len(document.links) == 8


@pytest.mark.parametrize("number", [n for n, case in enumerate(UNTIDY) if case[1] == "error"])
def test_strict_raises_for_each_kind_of_error(number):
    code, _, line, column, _ = UNTIDY[number]
    lines = (DATA / "untidy.tml").read_text("utf-8").splitlines()
    keep = {3, 4, 5, 6, 7, line} if line > 4 else {3, 4}
    body = "\n".join(text if n in {1, 2, 24} | keep else "" for n, text in enumerate(lines, 1))

    document = tlex.parse(body)
    with pytest.raises(StrictError):
        tlex.parse(body, strict=True)

    if code != Code.REPEATED_ID or line < 10:
        assert (code, line, column) in {(d.code, d.line, d.column) for d in document.diagnostics}


def test_strict_raises_the_first_error_of_the_file():
    text = (
        '<TimeML>\n<TLINK lid="l1" relType="OVERLAPP" eventInstanceID="e1"'
        ' relatedToEventInstance="e1"/>\n<EVENT>a</EVENT><EVENT eid="e1">b</EVENT>\n</TimeML>'
    )
    first = next(d for d in tlex.parse(text).diagnostics if d.severity == "error")

    with pytest.raises(StrictError) as caught:
        tlex.parse(text, strict=True)

    assert (caught.value.line, caught.value.column) == (first.line, first.column) == (2, 1)


# --- entities that stay as they are written -----------------------------------------------------


def test_an_entity_from_outside_stays_in_the_text_with_a_diagnostic():
    text = '<!DOCTYPE TimeML SYSTEM "x.dtd">\n<TimeML>a<EVENT eid="e1">&b;</EVENT>c</TimeML>'

    document = tlex.parse(text)

    assert document.text == "a&b;c"
    assert document.words(document.events[0]) == "&b;"
    diagnostic = next(d for d in document.diagnostics if d.code == Code.UNEXPANDED_ENTITY)
    assert (diagnostic.line, diagnostic.column) == (2, 26)
    assert "'b'" in diagnostic.message
    assert text.startswith("&b;", diagnostic.offset)


@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "utf-16-le"])
def test_an_entity_that_an_attribute_loses_is_reported_wherever_it_stands(codec):
    text = (
        '<!DOCTYPE TimeML SYSTEM "x.dtd">\n<TimeML é="ü"><!-- <c d="&no;"> --><![CDATA[<b &no;>]]>'
        '<EVENT stem="a>b" eid="e&foo;1">x</EVENT>\n<EVENT eid=\'e2&amp;&bar;\'/></TimeML>'
    )

    problems = tlex.parse(text.encode(codec), name="x").diagnostics

    lost = [problem for problem in problems if problem.code == Code.UNEXPANDED_ENTITY]
    places = [text.index("&foo;"), text.index("&bar;")]
    mark = len("\ufeff".encode("utf-16-le")) if codec == "utf-16" else 0
    wide = "utf-16-le" if codec == "utf-16" else codec
    assert [problem.offset for problem in lost] == [
        len(text[:place].encode(wide)) + mark for place in places
    ]
    assert [problem.line for problem in lost] == [2, 3]


@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
def test_the_offset_of_an_entity_counts_bytes(codec):
    data = '<!DOCTYPE TimeML SYSTEM "x.dtd"><TimeML>a&é;c</TimeML>'.encode(codec)

    diagnostic = only(tlex.parse(data))

    name = "&é;".encode(codec).removeprefix("".encode(codec))
    assert data.startswith(name, diagnostic.offset)


def test_an_entity_from_outside_in_an_attribute_is_not_dropped_in_silence():
    document = tlex.parse(
        '<!DOCTYPE TimeML SYSTEM "x.dtd"><TimeML><TIMEX3 tid="t1" value="19&b;98"/></TimeML>'
    )

    assert document.diagnostics
