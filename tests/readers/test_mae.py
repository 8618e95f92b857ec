"""MAE: any root, a text, and elements that a task names as it likes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.errors import NotRecognisedError
from tlex.nouns import Code
from tlex.readers import parse_all, recognise
from tlex.readers.layers import parse_layers

FILE = Path(__file__).parents[1] / "data" / "mae.xml"
MAE = FILE.read_text(encoding="utf-8")
I2B2 = (FILE.parent / "i2b2.xml").read_text(encoding="utf-8")


def list_links(document: tlex.Document) -> list[tuple[object, ...]]:
    return [(x.id, x.source, x.type, x.target) for x in document.links]


def test_events_times_and_what_links_name_are_nodes():
    document = tlex.read(FILE, strict=True)

    assert document.format == "mae"
    assert [(node.id, document.words(node)) for node in document.nodes] == [
        ("S0", "2001-02-03"),
        ("E0", "fell"),
        ("T0", "Monday"),
        ("V1", "picked up"),
        ("V2", ""),
    ]
    assert document.nodes[1].attributes["polarity"] == "NEG"
    assert "modality" not in document.nodes[1].attributes
    assert [timex.value for timex in document.timexes] == ["2001-01-29", "2001-02-03"]
    assert document.skipped == {"NOTE": 1}


def test_a_link_may_name_a_section_and_one_without_label_is_kept():
    document = tlex.read(FILE)

    assert list_links(document) == [
        ("TL0", "E0", "BEFORE/OVERLAP", "S0"),
        ("TL1", "E0", "OVERLAP", "T0"),
        ("O0", "V1", "BEFORE", "E0"),
        ("O1", "V1", None, "V2"),
    ]
    assert tlex.verify(document, tlex.extract(document))


def test_the_attribute_with_the_label_and_the_direction_are_settings():
    layers = parse_layers(
        b'events = ["NOTE"]\n[links.EVENT_ORDER]\nlabel = "toText"\nturned = true', "x.toml"
    )

    document = tlex.parse(MAE.replace('toText=""', 'toText="after"'), layers=layers)

    assert ("O0", "E0", "AFTER", "V1") in list_links(document)
    assert "N0" in document.index


def test_a_bare_ampersand_is_read_as_it_stands_and_reported_once():
    document = tlex.parse(I2B2)

    assert document.text.startswith("\nAdmission Date :")
    event = document.nodes[document.index["E0"]]
    assert document.words(event) == "tripped & fell"
    assert document.text[event.text_start : event.text_end] == "tripped & fell"
    (problem,) = document.diagnostics
    assert (problem.code, problem.line, problem.severity) == ("TLX108", 17, "warning")
    assert problem.message.endswith("3 bare '&', which are read as they stand")
    bare = tlex.parse(I2B2.replace("<![CDATA[", "").replace("]]>", ""))
    assert bare.text == document.text
    assert "5 bare" in bare.diagnostics[0].message
    assert not tlex.parse(I2B2.replace('tripped & fell"', 'tripped &amp; fell"')).diagnostics


def test_all_characters_that_could_stand_in_for_an_ampersand_stay_as_they_are():
    text = I2B2.replace("falls .", "falls \x7f ^ ` ~ .")

    document = tlex.parse(text)

    assert "falls \x7f ^ ` ~ ." in document.text
    with pytest.raises(tlex.ReadError, match="not well-formed XML"):
        tlex.parse(text.replace("falls \x7f", "falls | @ $ % \x7f"))


def test_an_event_is_related_to_the_time_of_its_section():
    document = tlex.parse(I2B2)

    assert list_links(document) == [
        ("TL0", "E0", "DURING", "T0"),
        ("TL1", "E3", "BEFORE", "S1"),
        ("TL2", "E2", None, "E3"),
        ("TL3", "E1", None, "E0"),
        ("sec_time_rel@E0", "E0", "BEFORE", "S0"),
        ("sec_time_rel@E1", "E1", "BEFORE/OVERLAP", "S0"),
        ("sec_time_rel@E2", "E2", "BEFORE", "S1"),
        ("sec_time_rel@E4", "E4", "OVERLAP", "S1"),
    ]
    assert document.links[-1].attributes == {"origin": "sec_time_rel"}
    off = parse_layers(b'time_relation = ""', "x.toml")
    assert len(tlex.parse(I2B2, layers=off).links) == 4


def test_the_time_of_a_section_is_made_up_if_no_element_has_it():
    document = tlex.parse(I2B2.replace("SECTIME", "NOTE"))

    assert {"ADMISSION", "DISCHARGE"} <= set(document.index)
    said = [problem.message for problem in document.diagnostics if problem.code == "TLX112"]
    assert len(said) == 2
    assert "the time of discharge is named, and no SECTIME has it" in said[1]
    assert {x.target for x in document.links if "@" in x.id} == {"ADMISSION", "DISCHARGE"}
    assert tlex.verify(document, tlex.extract(document))


@pytest.mark.parametrize(
    "end", ["</TAGS>", "<SECTIME", 'polarity="POS" type="T', "slept .", "<TAGS>"]
)
def test_a_file_that_is_cut_off_says_so_with_its_place(end):
    text = I2B2[: I2B2.index(end)]

    with pytest.raises(tlex.ReadError, match="the file seems to be cut off") as caught:
        tlex.parse(text)

    assert caught.value.line in {text.count("\n") + 1, text.count("\n")}


def test_the_attributes_with_the_ends_are_settings_and_a_kind_of_none_leaves_elements_out():
    layers = parse_layers(
        b'[links.TLINK]\nsource = "argA"\ntarget = "argB"\n[links.EVENT_ORDER]\nkind = ""', "x.toml"
    )
    text = MAE.replace("fromID", "argA").replace("toID", "argB")

    document = tlex.parse(text, layers=layers)

    assert [link.id for link in document.links] == ["TL0", "TL1"]
    assert document.skipped["EVENT_ORDER"] == 2


@pytest.mark.parametrize("shift", [1, -1, 17])
def test_a_constant_shift_of_all_places_is_found(shift):
    text = MAE.replace('start="32" end="36"', f'start="{32 + shift}" end="{36 + shift}"')
    text = text.replace('start="40" end="46"', f'start="{40 + shift}" end="{46 + shift}"')
    text = text.replace('start="18" end="28"', f'start="{18 + shift}" end="{28 + shift}"')
    text = text.replace("55~61,65~67", f"{55 + shift}~{61 + shift},{65 + shift}~{67 + shift}")

    document = tlex.parse(text)

    span = document.nodes[document.index["E0"]]
    assert document.text[span.text_start : span.text_end] == "fell"
    assert not document.phrases.keys() - {"V1"}


def test_words_that_the_text_does_not_have_there_are_kept():
    document = tlex.parse(MAE.replace('start="32" end="36"', 'start="2" end="6"'))

    assert document.words(document.nodes[document.index["E0"]]) == "fell"
    (problem,) = document.diagnostics
    assert problem.message == "EVENT E0 has the words 'fell', and the text has 'dmis' there"


@pytest.mark.parametrize("tags", ["<TAGS></TAGS>", "<TAGS/>"])
@pytest.mark.parametrize("text", ["", "\n", "<![CDATA[]]>"])
def test_an_empty_shell_is_no_document(text, tags):
    with pytest.raises(NotRecognisedError, match="the form of MAE's format, and no"):
        tlex.parse(f"<Task><TEXT>{text}</TEXT>{tags}</Task>")


def test_mae_is_no_timeml_even_with_tlinks():
    text = MAE.replace('type="OVERLAP"', 'relType="OVERLAP"')

    assert recognise(text.encode(), "x") == "mae"
    assert recognise(text.replace("<EVENT id", "<EVENT eid").encode(), "x") == "mae"
    assert recognise(b"<TimeML><TEXT>x</TEXT><TAGS/></TimeML>", "x") == "timeml"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('start="32" end="36"', 'start="32" end="3600"', Code.DANGLING),
        ('start="32" end="36"', 'start="x" end="36"', Code.DANGLING),
        ("55~61,65~67", "55-61", Code.DANGLING),
        ('toID="T0"', 'toID="T9"', Code.DANGLING),
        ('type="OVERLAP"', 'type="SOON"', Code.UNKNOWN_TYPE),
        ('id="T0" ', "", Code.MISSING_ATTRIBUTE),
    ],
)
def test_what_is_wrong_is_reported_with_its_place(old, new, code):
    document = tlex.parse(MAE.replace(old, new))

    assert code in [problem.code for problem in document.diagnostics]
    assert all(problem.line for problem in document.diagnostics)
    assert tlex.verify(document, tlex.extract(document))


@given(st.integers(0, len(MAE)), st.integers(0, 60), st.text(max_size=8))
def test_a_damaged_file_is_read_or_refused_with_an_error_of_our_own(start, length, new):
    try:
        (document,) = parse_all(MAE[:start] + new + MAE[start + length :])
    except tlex.ReadError:
        return
    assert tlex.verify(document, tlex.extract(document))


@pytest.mark.parametrize("end", ["fromID", "toID"])
def test_a_link_with_one_end_only_is_reported(end: str):
    tags = (
        f'<EVENT id="E0" start="0" end="4" text="fell"/><TLINK id="L7" {end}="E0" type="BEFORE"/>'
    )
    document = tlex.parse(f"<T><TEXT><![CDATA[fell]]></TEXT><TAGS>{tags}</TAGS></T>")

    assert [link.id for link in document.links] == ["L7"]
    assert any("L7" in diagnostic.message for diagnostic in document.diagnostics)
