"""Anafora: entities and relations in one file, the text in another beside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.errors import (
    NotRecognisedError,
    NotWellFormedError,
    RefusedError,
    StrictError,
    TooLargeError,
)
from tlex.nouns import Code
from tlex.readers import parse_all

DATA = Path(__file__).parents[1] / "data"
FILE = DATA / "anafora.TimeML.gold.completed.xml"


@pytest.fixture(scope="module")
def document() -> tlex.Document:
    return tlex.read(FILE)


def of(kind: str, number: int) -> str:
    return f"{number}@{kind}@anafora@gold"


def test_the_text_is_found_beside_the_file(document):
    assert document.format == "anafora"
    assert document.text == "They wrote before they gave it up in June .\n"
    assert not document.diagnostics


def test_instances_have_the_words_of_their_events(document):
    assert [(node.id, document.words(node)) for node in document.nodes] == [
        (of("r", 1), "wrote"),
        (of("r", 2), "gave up"),
        (of("e", 3), "June"),
    ]
    assert document.timexes[0].value == "2001-06"
    assert [signal.id for signal in document.signals] == [of("e", 4)]


def test_links_point_at_relations(document):
    assert [(link.kind, link.type, link.source, link.target) for link in document.links] == [
        ("TLINK", "BEFORE", of("r", 1), of("r", 2)),
        ("TLINK", "IS_INCLUDED", of("r", 2), of("e", 3)),
        ("SLINK", "MODAL", of("r", 1), of("r", 2)),
    ]
    assert document.links[0].signal == of("e", 4)


def test_every_noun_has_its_place(document):
    assert [link.line for link in document.links] == [41, 46, 51]
    link = document.links[0]
    element = document.source.data[link.byte_start : link.byte_end]
    assert element.startswith(b"<relation>")
    assert element.endswith(b"</relation>")


def test_answers_can_be_proven(document):
    result = tlex.extract(document)

    assert tlex.verify(document, result)
    assert result.nodes[0].factuality == "negated"


def test_a_missing_text_file_is_reported_and_the_rest_is_read(tmp_path):
    copy = tmp_path / "doc.xml"
    copy.write_bytes(FILE.read_bytes())

    document = tlex.read(copy)

    assert [(d.code, d.severity, d.line) for d in document.diagnostics] == [
        (Code.DANGLING, "error", 1)
    ]
    assert "no file 'doc'" in document.diagnostics[0].message
    assert len(document.links) == 3
    assert {node.id for node in document.nodes} == {of("r", 1), of("r", 2), of("e", 3)}
    assert all(node.span is None for node in document.nodes)
    with pytest.raises(StrictError, match="the text is not there"):
        tlex.read(copy, strict=True)


@pytest.mark.parametrize("name", ["doc.gold", "doc.gold.txt", "doc", "doc.txt", "anafora"])
def test_the_text_file_has_the_name_of_the_xml_or_of_the_ids(name, tmp_path):
    copy = tmp_path / "doc.gold.xml"
    copy.write_bytes(FILE.read_bytes())
    (tmp_path / name).write_text("They wrote before they gave it up in June .\n")

    assert tlex.read(copy).text.startswith("They wrote")


def test_another_directory_can_be_named(tmp_path):
    copy = tmp_path / "anafora.xml"
    copy.write_bytes(FILE.read_bytes())

    assert tlex.read(copy, text=DATA).text.startswith("They wrote")
    assert parse_all(FILE.read_bytes(), text=DATA)[0].text.startswith("They wrote")


@pytest.mark.parametrize("name", ["../secret", "..", "/etc/hostname", "a/../../secret"])
def test_no_id_leads_out_of_the_directory(name, tmp_path):
    (tmp_path / "secret").write_text("found " * 20)
    (tmp_path / "in").mkdir()
    copy = tmp_path / "in" / "x.xml"
    copy.write_bytes(FILE.read_bytes().replace(b"@anafora@", f"@{name}@".encode()))

    assert tlex.read(copy).text == ""


def data(*annotations: str) -> tlex.Document:
    return tlex.parse(f"<data>\n<annotations>{''.join(annotations)}</annotations></data>")


def entity(name: str, span: str, kind: str = "EVENT") -> str:
    return f"<entity><id>{name}</id><span>{span}</span><type>{kind}</type></entity>"


@pytest.mark.parametrize("span", ["x", "5", "5,3", "1,2;", "-1,3", "9" * 30 + ",1"])
def test_a_span_that_is_none_is_reported(span, tmp_path):
    path = tmp_path / "d.xml"
    path.write_text(f"<data><annotations>{entity('1', span)}</annotations></data>")
    (tmp_path / "d").write_text("quite short")

    document = tlex.read(path)

    assert Code.DANGLING in [problem.code for problem in document.diagnostics]
    assert document.nodes[0].span is None


def test_a_span_outside_the_text_is_reported(tmp_path):
    path = tmp_path / "d.xml"
    path.write_text(f"<data><annotations>{entity('1', '0,99')}</annotations></data>")
    (tmp_path / "d").write_text("short")

    assert "span '0,99', which the text has not" in tlex.read(path).diagnostics[0].message


def test_links_may_point_at_entities_by_source_and_target():
    document = data(
        entity("1", "0,1"),
        entity("2", "2,3", "TIMEX3"),
        "<relation><id>3</id><type>TLINK</type><properties><Source>1</Source><Type>CONTAINS</Type>"
        "<Target>2</Target></properties></relation>",
    )

    assert [(link.source, link.type, link.target) for link in document.links] == [
        ("1", "CONTAINS", "2")
    ]


def test_what_lacks_an_id_or_an_event_is_reported():
    document = data(
        "<entity><type>EVENT</type></entity>",
        "<relation><id>1</id><type>MAKEINSTANCE</type></relation>",
        "<relation><type>TLINK</type></relation>",
        "<entity><id>5</id><type>OTHER</type></entity>",
    )

    codes = [problem.code for problem in document.diagnostics]
    assert codes == [Code.DANGLING] + [Code.MISSING_ATTRIBUTE] * 6
    assert [node.id for node in document.nodes] == ["1"]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("<data><annotations><entity>", NotWellFormedError),
        (
            "<!DOCTYPE d [<!ENTITY x 'y'>]><data><annotations/><type>EVENT</type></data>",
            RefusedError,
        ),
        (
            "<data><annotations>" + "<a>" * 300 + "EVENT" + "</a>" * 300 + "</annotations></data>",
            TooLargeError,
        ),
    ],
)
def test_the_guards_are_those_of_timeml(content, error):
    with pytest.raises(error):
        tlex.parse(content)


# --- THYME: links between entities, and relations to the time of the document -------------------

THYME = DATA / "thyme.Temporal-Relation.gold.completed.xml"


def thyme(number: int) -> str:
    return f"{number}@e@thyme@gold"


def test_a_document_time_relation_is_a_link_to_the_first_doctime():
    document = tlex.read(THYME, strict=True)

    found = [link for link in document.links if link.attributes.get("origin") == "DocTimeRel"]
    assert [(link.id, link.kind, link.source, link.type, link.target) for link in found] == [
        (f"DocTimeRel@{thyme(1)}", "TLINK", thyme(1), "BEFORE/OVERLAP", thyme(2)),
        (f"DocTimeRel@{thyme(4)}", "TLINK", thyme(4), "OVERLAP", thyme(2)),
        (f"DocTimeRel@{thyme(5)}", "TLINK", thyme(5), "AFTER", thyme(2)),
    ]
    assert not document.diagnostics
    assert tlex.verify(document, tlex.extract(document))


def test_before_overlap_began_before_and_still_goes_on():
    result = tlex.extract(tlex.read(THYME))

    names = set(result.relation(thyme(1), thyme(2)).names)
    assert names == {"overlaps", "finished-by", "includes"}


def test_thyme_s_own_names_of_attributes_are_understood():
    document = tlex.read(THYME)

    nodes = {node.id: node for node in document.nodes}
    assert nodes[thyme(5)].attributes["polarity"] == "NEG"
    assert nodes[thyme(3)].attributes["type"] == "DURATION"
    functions = [timex.attributes.get("functionInDocument") for timex in document.timexes]
    assert functions == ["CREATION_TIME", None, None, None]
    assert document.words(document.timexes[0]) == "2001"


def test_without_a_doctime_one_is_made_up_and_one_diagnostic_says_so():
    content = THYME.read_text(encoding="utf-8").replace("DOCTIME", "SECTIONTIME")

    document = tlex.parse(content, name="x", text=DATA)

    assert [problem.code for problem in document.diagnostics] == [Code.NO_CREATION_TIME]
    assert document.diagnostics[0].line == 5
    made = document.nodes[document.index["DCT"]]
    assert (made.span, made.attributes) == (None, {"functionInDocument": "CREATION_TIME"})
    targets = {link.target for link in document.links if link.id.startswith("DocTimeRel@")}
    assert targets == {"DCT"}
    assert tlex.verify(document, tlex.extract(document))


def test_a_made_up_id_is_no_other_s():
    document = data(
        "<entity><id>DCT</id><type>EVENT</type><properties><DocTimeRel>BEFORE</DocTimeRel>"
        "</properties></entity>"
    )

    assert [(link.source, link.target) for link in document.links] == [("DCT", "DCT'")]


def test_an_unknown_relation_to_the_document_time_is_reported():
    document = data(
        "<entity><id>1</id><type>EVENT</type><properties><DocTimeRel>SOON</DocTimeRel>"
        "</properties></entity>"
    )

    assert Code.UNKNOWN_TYPE in [problem.code for problem in document.diagnostics]


@pytest.mark.parametrize("kind", ["Event", "PreAnnotation", "Month-Of-Year", "Markable", "event"])
def test_a_file_without_temporal_annotation_is_no_document(kind):
    with pytest.raises(NotRecognisedError, match="without temporal annotation"):
        data(entity("1", "0,1", kind))


SAMPLE = FILE.read_bytes()


@given(st.integers(0, len(SAMPLE)), st.integers(0, 60), st.binary(max_size=8))
def test_a_damaged_file_is_read_or_refused_with_an_error_of_our_own(start, length, new):
    try:
        document = tlex.parse(SAMPLE[:start] + new + SAMPLE[start + length :])
    except tlex.ReadError:
        return
    assert tlex.verify(document, tlex.extract(document))
