"""References: what the reader noticed, and what should lead somewhere though it orders nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from linted import check, codes, found, only, whole

import tlex

DATA = Path(__file__).resolve().parents[1] / "data"


def test_what_the_reader_reports_is_found_in_the_same_places():
    document = tlex.read(DATA / "untidy.tml")

    reported = [f for f in found(document, "TLX10") if "SIGNAL" not in f.message[:6]]

    assert [(f.code, f.severity, f.line, f.column) for f in reported] == [
        (d.code, d.severity, d.line, d.column)
        for d in document.diagnostics
        if not d.message.startswith("SIGNAL")
    ]


def test_the_readers_advice_stands_behind_its_message():
    finding = only(whole('<SLINK lid="l3" relType="MODAL" eventInstanceID="ei1"'
                         ' subordinatedEventInstance="e2"/>\n'), "TLX101")  # fmt: skip

    assert finding.message == (
        "SLINK l3 points to event instance 'e2', which the document does not define; "
        "'e2' is an event; its instance is 'ei2'"
    )


def test_a_finding_on_an_element_covers_all_of_it():
    finding = only(whole('<SLINK lid="l3"\n relType="X" eventInstanceID="ei1"'
                         ' subordinatedEventInstance="ei2"/>\n'), "TLX103")  # fmt: skip

    assert (finding.line, finding.column, finding.end_line) == (8, 1, 9)
    assert finding.end_column == 69


def test_a_finding_on_an_entity_is_one_place():
    text = '<!DOCTYPE TimeML SYSTEM "x.dtd">\n<TimeML>a &b; c</TimeML>'

    finding = only(text, "TLX108")

    assert (finding.line, finding.column, finding.end_line) == (2, 11, None)


def test_a_signal_id_may_not_be_used_twice():
    text = whole('<SIGNAL sid="s1">a</SIGNAL> <SIGNAL sid="s2">b</SIGNAL>'
                 '\n<SIGNAL sid="s1">c</SIGNAL>\n')  # fmt: skip

    finding = only(text, "TLX104")

    assert finding.line == 9
    assert finding.message == (
        "SIGNAL repeats the id 's1' of the SIGNAL on line 8; the first counts"
    )


@pytest.mark.parametrize(
    ("element", "named"),
    [
        ('<MAKEINSTANCE eiid="ei3" eventID="e1" signalID="s7"/>', "MAKEINSTANCE ei3"),
        (('<TLINK lid="l3" relType="AFTER" eventInstanceID="ei2" relatedToEventInstance="ei1"'
         ' signalID="s7"/>'), "TLINK l3"),
        (('<SLINK lid="l3" relType="MODAL" eventInstanceID="ei2" subordinatedEventInstance="ei1"'
         ' signalID=" s7 "/>'), "SLINK l3"),
        (('<ALINK lid="l3" relType="CONTINUES" eventInstanceID="ei2" relatedToEventInstance="ei1"'
         ' signalID="s7"/>'), "ALINK l3"),
    ],
)  # fmt: skip
def test_a_signal_that_is_not_there_is_missed(element, named):
    assert only(whole(element), "TLX110").message == (
        f"{named} names the signal 's7', which the document does not define"
    )
    assert codes(whole(f'{element}<SIGNAL sid="s7">x</SIGNAL>'), "TLX110") == []
    assert codes(whole(element.replace("s7", "")), "TLX110") == []


@pytest.mark.parametrize("attribute", ["anchorTimeID", "beginPoint", "endPoint"])
@pytest.mark.parametrize(
    ("value", "ends"),
    [("t7", "which the document does not define"), ("ei1", "which is an event")],
)
def test_a_time_that_is_not_there_is_missed(attribute, value, ends):
    text = f'<TIMEX3 tid="t1" type="DURATION" value="P1D" {attribute}="{{}}">a day</TIMEX3>\n'

    finding = only(whole(text.format(value)), "TLX111")

    assert finding.message == f"TIMEX3 t1 has {attribute} {value!r}, {ends}"
    for fine in ("t0", " t0 ", ""):
        assert codes(whole(text.format(fine)), "TLX111") == []


def times(*functions: str) -> str:
    body = "".join(
        f'<TIMEX3 tid="t{n}" type="DATE" value="2019" functionInDocument="{function}">x</TIMEX3>\n'
        for n, function in enumerate(functions)
    )
    return f"<TimeML>\n{body}</TimeML>"


@pytest.mark.parametrize(
    ("functions", "reported"),
    [
        (["CREATION_TIME"], []),
        (["creation_time "], []),
        (["PUBLICATION_TIME"], []),
        (["RELEASE_TIME", "NONE"], []),
        (["CREATION_TIME", "PUBLICATION_TIME", "PUBLICATION_TIME"], []),
        (["NONE"], ["TLX112"]),
        (["EXPIRATION_TIME"], ["TLX112"]),
        (["CREATION_TIME", "NONE", "CREATION_TIME", "CREATION_TIME"], ["TLX113", "TLX113"]),
        (["PUBLICATION_TIME", "PUBLICATION_TIME"], ["TLX113"]),
        (["RELEASE_TIME", "RELEASE_TIME"], ["TLX113"]),
    ],
)
def test_a_document_was_created_once(functions, reported):
    assert codes(times(*functions), "TLX112", "TLX113") == reported


def test_a_second_creation_time_names_the_first():
    finding = only(times("CREATION_TIME", "NONE", "CREATION_TIME"), "TLX113")

    assert finding.line == 4
    assert finding.message == '"x" (t2) is a second CREATION_TIME of the document'
    assert [(n.message, n.line) for n in finding.notes] == [('the first is "x" (t0), line 2', 2)]


def test_a_text_without_annotation_needs_no_creation_time():
    assert codes("<TimeML>words</TimeML>") == []
    assert codes(tlex.from_links([("e1", "BEFORE", "e2")])) == []


@pytest.mark.parametrize(
    ("kind", "value", "reported"),
    [
        ("DATE", "1998-02-30", "\"x\" (t1) has value '1998-02-30', which no DATE can have"),
        (
            "DURATION",
            "1989-Q4",
            (
                "\"x\" (t1) has value '1989-Q4', which no DURATION can have; "
                "it would be the value of a DATE"
            ),
        ),
        ("DATE", "", '"x" (t1) has no value'),
        ("DATE", " ", '"x" (t1) has no value'),
    ],
)
def test_a_value_must_fit_the_type(kind, value, reported):
    text = whole(f'<TIMEX3 tid="t1" type="{kind}" value="{value}">x</TIMEX3>')

    assert only(text, "TLX114").message == reported


@pytest.mark.parametrize(
    ("attributes", "reported"),
    [
        ('value="2019"', '"x" (t1) has no type; choose from DATE, TIME, DURATION, SET'),
        (
            'type="DAY" value="2019"',
            "\"x\" (t1) has type 'DAY'; choose from DATE, TIME, DURATION, SET",
        ),
    ],
)
def test_a_time_has_one_of_four_types(attributes, reported):
    assert only(whole(f'<TIMEX3 tid="t1" {attributes}>x</TIMEX3>'), "TLX11").message == reported


def test_the_frequency_of_a_set_is_a_number_and_a_unit():
    text = '<TIMEX3 tid="t1" type="SET" value="P1W" quant="EVERY" freq="{}">x</TIMEX3>'

    assert codes(whole(text.format("2X")), "TLX114") == []
    assert only(whole(text.format("often")), "TLX114").message == (
        "\"x\" (t1) has freq 'often', which is no number and unit"
    )


def test_a_time_without_a_file_is_not_judged_by_attributes_it_cannot_have():
    assert codes(tlex.from_links([("t1", "BEFORE", "t2")], times={"t2": "TIME"})) == []


def test_what_is_not_asked_for_is_not_reported():
    assert codes(DATA.joinpath("untidy.tml").read_bytes(), "TLX2") == []
    assert check(whole(""), "TLX1").consistent


@pytest.mark.parametrize(
    ("negated", "others", "message"),
    [
        (9, 0, None),
        (10, 0, "10 of 10 event instances have polarity NEG"),
        (9, 1, None),
        (90, 10, None),
        (91, 9, "91 of 100 event instances have polarity NEG"),
        (10, 1, "10 of 11 event instances have polarity NEG"),
        (18, 2, None),
        (0, 20, None),
    ],
)
def test_a_document_with_hardly_any_event_that_happened_is_reported_once(negated, others, message):
    instances = "".join(
        f'<MAKEINSTANCE eiid="ei{n}" eventID="e1" {attribute}/>'
        for n, attribute in enumerate(['polarity=" neg "'] * negated + ['polarity="POS"'] * others)
    )
    times = '<TIMEX3 tid="t1" type="DATE" value="2020" polarity="NEG"/>' * 30

    findings = found(f'<TimeML><EVENT eid="e1">fell</EVENT>{times}{instances}</TimeML>', "TLX116")

    assert [finding.message for finding in findings] == ([message] if message else [])
    assert {finding.severity for finding in findings} <= {"warning"}
    assert {finding.line for finding in findings} <= {1}


def test_the_polarity_of_an_event_counts_for_its_instances_and_without_a_file_too():
    events = "".join(f'<EVENT eid="e{n}" polarity="NEG">fell</EVENT>' for n in range(10))
    instances = "".join(f'<MAKEINSTANCE eiid="ei{n}" eventID="e{n}"/>' for n in range(10))

    assert codes(f"<TimeML>{events}{instances}</TimeML>", "TLX116") == ["TLX116"]
    assert codes(f"<TimeML>{events}</TimeML>", "TLX116") == ["TLX116"]
    assert codes(tlex.from_links([("a", "BEFORE", "b")] * 10), "TLX116") == []
