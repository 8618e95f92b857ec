"""UIMA CAS: slots and relation layers, UTF-16 offsets, ids that occur twice, settings."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.errors import NotRecognisedError, OptionError, TooLargeError
from tlex.nouns import Code
from tlex.readers import parse_all
from tlex.readers.layers import parse_layers, take_layers

DATA = Path(__file__).parents[1] / "data"
XMI = (DATA / "e3c.xmi").read_text(encoding="utf-8")
CAS = (DATA / "cas.json").read_text(encoding="utf-8")


def list_links(document: tlex.Document) -> list[tuple[object, ...]]:
    return [(x.id, x.kind, x.source, x.type, x.target) for x in document.links]


def test_offsets_count_utf_16_units_and_eventive_bodyparts_are_events():
    document = tlex.read(DATA / "e3c.xmi", strict=True)

    assert document.text == "😀 Ann fell. Tom left today with a wound."
    assert [(node.id, document.words(node)) for node in document.nodes] == [
        ("5", "fell"),
        ("6", "left"),
        ("8", "today"),
        ("11", "wound"),
        ("7", ""),
    ]
    assert document.nodes[1].attributes["polarity"] == "NEG"
    assert document.nodes[2].attributes["type"] == "DATE"
    assert [document.text[s.start : s.end] for s in document.sentences] == [
        "😀 Ann fell.",
        "Tom left today with a wound.",
    ]


def test_links_are_slots_arrays_relations_and_relations_to_the_document_time():
    document = tlex.read(DATA / "e3c.xmi")

    assert list_links(document) == [
        ("docTimeRel@5", "TLINK", "5", "BEFORE", "7"),
        ("docTimeRel@6", "TLINK", "6", "CONTAINED_BY", "7"),
        ("9", "TLINK", "5", "BEFORE", "6"),
        ("10", "TLINK", "5", "BEFORE", "6"),
        ("15", "TLINK", "8", "CONTAINS", "6"),
        ("16", "TLINK", "6", "OVERLAP", "11"),
        ("17", "TLINK", "6", "BEGINS_ON", "8"),
    ]
    assert document.nodes[-1].attributes["value"] == "2020-05-01"
    assert document.nodes[-1].attributes["functionInDocument"] == "CREATION_TIME"
    assert tlex.verify(document, tlex.extract(document))


@pytest.mark.parametrize("form", ["SceneNextLink", "ScenenextLink"])
def test_a_slot_of_any_layer_is_known_by_the_name_of_its_link_elements(form):
    added = '<custom:Scene xmi:id="90" sofa="1" begin="3" end="6" next="91"/>'
    added += f'<custom:{form} xmi:id="91" role="BEFORE" target="6"/>'

    document = tlex.parse(XMI.replace("<custom:METADATA", f"{added}\n<custom:METADATA"))

    assert ("91", "TLINK", "90", "BEFORE", "6") in list_links(document)
    assert document.words(document.nodes[document.index["90"]]) == "Ann"
    assert not document.diagnostics


def test_a_relation_of_a_built_in_layer_is_no_link_and_one_between_tokens_is():
    layer = 'xmlns:d="http:///de/tudarmstadt/ukp/dkpro/core/api/syntax/type/dependency.ecore"'
    word = '<custom:Token xmi:id="{}" sofa="1" begin="{}" end="{}"/>'
    ends = 'begin="3" end="6" Governor="90" Dependent="91"'
    added = word.format(90, 3, 6) + word.format(91, 7, 11)
    added += f'<d:Dependency {layer} xmi:id="92" sofa="1" {ends}/>'
    before = tlex.parse(XMI)

    without = tlex.parse(XMI.replace("<custom:METADATA", f"{added}\n<custom:METADATA"))

    assert list_links(without) == list_links(before)
    assert without.skipped == {**before.skipped, "Token": 2, "Dependency": 2}

    own = added.replace("d:Dependency", "custom:Order").replace(
        " Governor", ' label="AFTER" Governor'
    )
    linked = tlex.parse(XMI.replace("<custom:METADATA", f"{own}\n<custom:METADATA"))

    assert ("92", "TLINK", "90", "AFTER", "91") in list_links(linked)
    assert linked.words(linked.nodes[linked.index["90"]]) == "Ann"


def test_an_id_that_an_event_shares_with_another_layer_names_the_event():
    other = '<custom:CLINENTITY xmi:id="6" sofa="1" begin="3" end="6"/>'

    document = tlex.parse(XMI.replace("<custom:METADATA", f"{other}\n<custom:METADATA"))

    assert document.words(document.nodes[document.index["6"]]) == "left"
    assert list_links(document) == list_links(tlex.parse(XMI))
    assert not document.diagnostics
    assert document.skipped == {"Sentence": 2, "BODYPART": 1, "CLINENTITY": 2, "Dependency": 1}


def test_a_file_without_text_and_annotation_is_none():
    empty = '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI"/>'

    with pytest.raises(NotRecognisedError, match="UIMA's, without a text or annotation"):
        tlex.parse(empty)


def test_of_several_texts_the_first_is_read_and_the_others_are_reported():
    other = '<cas:Sofa xmi:id="90" sofaID="b" sofaString="x"/><custom:EVENT xmi:id="91" sofa="90"'
    text = XMI.replace("<cas:View", f'{other} begin="0" end="1"/><cas:View')

    document = tlex.parse(text)

    assert "91" not in document.index
    (problem,) = document.diagnostics
    assert "2 texts; only the first is read" in problem.message


def test_json_has_the_same_content_and_what_a_relation_names_is_an_event():
    document = tlex.read(DATA / "cas.json", strict=True)

    assert document.format == "casjson"
    assert {node.id: document.words(node) for node in document.nodes} == {
        "5": "fell",
        "6": "left",
        "12": "Tom",
    }
    assert list_links(document) == [
        ("10", "TLINK", "5", "BEFORE", "6"),
        ("13", "TLINK", "12", "AFTER", "5"),
    ]


def test_layers_features_and_directions_are_settings():
    layers = parse_layers(
        b'events = ["CLINENTITY", "EVENT"]\ntimes = ["TIMEX3"]\ntime_relation = ""\n'
        b'document_time = ""\n[links.Relation]\nkind = "SLINK"\nturned = true\n'
        b'[links."EVENT.TLINK"]\nkind = ""\n',
        "x.toml",
    )

    document = tlex.parse(XMI.replace('label="BEFORE"', 'label="MODAL"'), layers=layers)

    assert ("10", "SLINK", "6", "MODAL", "5") in list_links(document)
    assert {link.id for link in document.links} == {"10", "15"}
    assert "1" in document.index


def test_dkpro_s_own_relations_are_none_unless_they_are_named():
    layers = parse_layers(b'[links.Dependency]\nlabel = "DependencyType"', "x.toml")

    assert "13" not in {link.id for link in tlex.parse(XMI).links}
    assert "13" in {link.id for link in tlex.parse(XMI, layers=layers).links}


def test_a_document_without_time_gets_one_and_a_word_about_it():
    document = tlex.parse(XMI.replace("docTime=", "other="))

    assert [problem.code for problem in document.diagnostics] == [Code.NO_CREATION_TIME]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('target="6"/>\n<c2', 'target="99"/>\n<c2', Code.DANGLING),
        ('TLINK="9"', 'TLINK="9 98"', Code.DANGLING),
        ('role="CONTAINS"', 'role="SOON"', Code.UNKNOWN_TYPE),
        ('begin="7" end="11"', 'begin="7" end="1100"', Code.DANGLING),
        ('begin="7" end="11"', 'begin="x" end="11"', Code.DANGLING),
        ('Governor="5" Dependent', 'Governor="" Dependent', Code.MISSING_ATTRIBUTE),
    ],
)
def test_what_is_wrong_is_reported_with_its_place(old, new, code):
    document = tlex.parse(XMI.replace(old, new))

    (problem,) = document.diagnostics
    assert (problem.code, problem.line) == (code, problem.line)
    assert problem.line is not None
    assert tlex.verify(document, tlex.extract(document))


def pack(**members: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_", "."), content)
    return out.getvalue()


def test_an_export_in_a_zip_archive_is_read():
    data = pack(a_xmi=XMI, TypeSystem_xml="<typeSystemDescription/>")

    (document,) = parse_all(data, name="x.zip")

    assert (document.name, document.format) == ("x.zip", "xmi")
    both = parse_all(pack(a_xmi=XMI, b_json=CAS, exportedproject_json="{}"), name="x.zip")
    assert [document.name for document in both] == ["x.zip:a.xmi", "x.zip:b.json"]


def test_other_archives_are_refused_and_large_ones_too():
    with pytest.raises(NotRecognisedError, match=r"zip archive without \.xmi"):
        parse_all(pack(a_class="x"))
    with pytest.raises(NotRecognisedError, match="without a document of UIMA"):
        parse_all(pack(a_json='{"events": "none", "links": []}', b_json="[1,"))
    with pytest.raises(NotRecognisedError, match="broken zip"):
        parse_all(pack(a_xmi=XMI)[:50])
    with pytest.raises(TooLargeError):
        parse_all(pack(a_xmi=" " * 5_000_000), max_bytes=100_000)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ('events = "x"', r"expected `array`"),
        ("even = []", "unknown field `even`"),
        ('[links.X]\nkind = "YLINK"', "the kind 'YLINK' is none of"),
        ('turned = ["x"]', "turned: 'x' is none of"),
        ("[links", "not settings of layers in TOML"),
    ],
)
def test_what_is_wrong_with_settings_is_reported(settings, message):
    with pytest.raises(OptionError, match=message):
        parse_layers(settings.encode(), "x.toml")


def test_settings_are_a_path_or_settings(tmp_path):
    path = tmp_path / "layers.toml"
    path.write_text('events = ["Span"]')

    assert take_layers(path).events == ("Span",)
    with pytest.raises(OptionError, match="cannot be read"):
        take_layers(tmp_path / "none.toml")
    with pytest.raises(OptionError, match="layers cannot be 3"):
        tlex.parse(XMI, layers=3)


@given(st.sampled_from([XMI, CAS]), st.integers(0, 3000), st.integers(0, 60), st.text(max_size=8))
def test_a_damaged_file_is_read_or_refused_with_an_error_of_our_own(text, start, length, new):
    try:
        (document,) = parse_all(text[:start] + new + text[start + length :])
    except tlex.ReadError:
        return
    assert tlex.verify(document, tlex.extract(document))


def test_the_settings_in_the_documentation_are_read_and_e3c_s_are_the_defaults():
    page = (Path(__file__).parents[2] / "docs" / "layers.md").read_text(encoding="utf-8")
    inception, e3c = re.findall(r"```toml.*?\n(.*?)```", page, re.DOTALL)

    document = tlex.parse(CAS, layers=parse_layers(inception.encode(), "x.toml"))

    assert [link.id for link in document.links] == ["10", "13"]
    settings = parse_layers(e3c.encode(), "x.toml")
    assert list_links(tlex.parse(XMI, layers=settings)) == list_links(tlex.parse(XMI))


def test_the_type_of_a_structure_in_json_is_no_feature_of_it():
    data = (DATA / "cas.json").read_text(encoding="utf-8").replace('"label"', '"comment"')

    document = tlex.parse(data)

    assert [link.type for link in document.links] == [None, "AFTER"]
    assert all("type" not in node.attributes for node in document.nodes)
