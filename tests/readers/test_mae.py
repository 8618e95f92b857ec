"""MAE: any root, a text, and elements that a task names as it likes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.document import Code
from tlex.readers import parse_all, recognise
from tlex.readers.layers import parse_layers

FILE = Path(__file__).parents[1] / "data" / "mae.xml"
MAE = FILE.read_text(encoding="utf-8")


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


@pytest.mark.parametrize("shift", [1, -1])
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


def test_mae_is_no_timeml_even_with_tlinks():
    text = MAE.replace('type="OVERLAP"', 'relType="OVERLAP"')

    assert recognise(text.encode(), "x") == "mae"
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
