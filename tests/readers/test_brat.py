"""brat: lines of annotation, the text beside them, and the way there and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.cli.app import run
from tlex.export import convert
from tlex.nouns import Code
from tlex.readers import parse_all
from tlex.readers.layers import parse_layers

DATA = Path(__file__).parents[1] / "data"
FILE = DATA / "brat.ann"
ANNOTATION = FILE.read_text(encoding="utf-8")


def read(annotation: str, **options: object) -> tlex.Document:
    return tlex.parse(annotation, name="brat.ann", text=DATA, **options)


@pytest.fixture(scope="module")
def document() -> tlex.Document:
    return tlex.read(FILE, strict=True)


def test_nodes_are_events_times_and_e_lines_and_no_triggers_or_entities(document):
    assert document.format == "brat"
    assert document.text == (DATA / "brat.txt").read_text(encoding="utf-8")
    assert [(node.id, document.words(node)) for node in document.nodes] == [
        ("T1", "fell asleep"),
        ("T2", "Monday"),
        ("E1", "had"),
        ("T3", "picked up"),
    ]
    assert document.skipped == {"N": 1, "entity": 1}


def test_arguments_go_by_their_names_and_sets_are_identities(document):
    assert [(x.id, x.source, x.type, x.target) for x in document.links] == [
        ("R1", "T1", "DURING", "T2"),
        ("R2", "T3", "BEFORE", "T1"),
        ("Equiv@9.1", "T1", "IDENTITY", "E1"),
    ]


def test_attributes_and_notes_belong_to_their_nodes(document):
    nodes = {node.id: node.attributes for node in document.nodes}

    assert nodes == {
        "T1": {"comment": "unsure"},
        "T2": {"value": "2020-05-04"},
        "T3": {"polarity": "NEG"},
        "E1": {"Negated": "true", "Agent": "T4"},
    }


def test_a_link_may_name_a_trigger_and_an_end_may_come_later():
    document = read("R1\tBEFORE Arg1:T1 Arg2:T2\nT1\tx 0 3\tAnn\nE1\tx:T1\nT2\tEvent 4 8\tfell\n")

    assert [(x.source, x.target) for x in document.links] == [("E1", "T2")]
    assert not document.diagnostics


def test_what_a_link_names_is_an_event_whatever_its_type():
    document = read("T1\tFall 4 8\tfell\nT2\tThing 0 3\tAnn\nR1\tBEFORE Arg1:T1 Arg2:T1\n")

    assert [node.id for node in document.nodes] == ["T1"]


def test_types_and_the_direction_can_be_set():
    layers = parse_layers(b'events = ["Fall"]\ntimes = ["When"]\nturned = ["TLINK"]', "x.toml")

    document = read(
        "T1\tFall 4 8\tfell\nT2\tWhen 19 25\tMonday\nT3\tEvent 0 3\tAnn\n"
        "R1\tBEFORE Arg1:T1 Arg2:T2\n",
        layers=layers,
    )

    assert [type(node).__name__ for node in document.nodes] == ["Event", "Timex"]
    assert [(x.source, x.target) for x in document.links] == [("T2", "T1")]


def test_an_empty_annotation_is_a_document_without_nodes(tmp_path):
    (tmp_path / "x.ann").write_text("")
    (tmp_path / "x.txt").write_text("Ann fell.")

    assert tlex.read(tmp_path / "x.ann").text == "Ann fell."


def test_without_its_text_the_words_of_the_annotation_count(tmp_path):
    (tmp_path / "x.ann").write_text(ANNOTATION)

    document = tlex.read(tmp_path / "x.ann")

    assert [problem.code for problem in document.diagnostics] == [Code.DANGLING]
    assert "no file 'x.txt'" in document.diagnostics[0].message
    assert document.words(document.nodes[0]) == "fell asleep"


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        (
            "T9\tEvent 0 3\tTom",
            Code.TEXT_AND_SPAN,
            "has the words 'Tom', and the text has 'Ann' there",
        ),
        ("T9\tEvent 0 999\tAnn", Code.DANGLING, "span '0 999', which the text has not"),
        ("T9\tEvent x\tAnn", Code.DANGLING, "span 'x', which the text has not"),
        ("T9\tEvent", Code.MISSING_ATTRIBUTE, "is no annotation of brat"),
        ("T1\tEvent 0 3\tAnn", Code.REPEATED_ID, "the id 'T1' is repeated"),
        ("E9\tEvent:T99", Code.DANGLING, "has trigger 'T99'"),
        ("R9\tSOON Arg1:T1 Arg2:T2", Code.UNKNOWN_TYPE, "'SOON'"),
        ("R9\tBEFORE Arg1:T1 Arg2:T99", Code.DANGLING, "'T99'"),
        ("R9\tBEFORE Arg1:T1", Code.MISSING_ATTRIBUTE, "has no target"),
        ("nonsense", Code.MISSING_ATTRIBUTE, "'nonsense' is no annotation"),
    ],
)
def test_what_is_wrong_is_reported_with_its_place(line, code, message):
    document = read(f"{ANNOTATION}{line}\n")

    (problem,) = document.diagnostics
    assert (problem.code, problem.line) == (code, 15)
    assert message in problem.message
    assert tlex.verify(document, tlex.extract(document))


@given(st.integers(0, len(ANNOTATION)), st.integers(0, 60), st.text(max_size=8))
def test_a_damaged_file_is_read_or_refused_with_an_error_of_our_own(start, length, new):
    try:
        (document,) = parse_all(
            ANNOTATION[:start] + new + ANNOTATION[start + length :], format="brat", text=DATA
        )
    except tlex.ReadError:
        return
    assert tlex.verify(document, tlex.extract(document))


# --- writing ------------------------------------------------------------------------------------


def list_links(document: tlex.Document) -> list[tuple[object, ...]]:
    return [(x.id, x.kind, x.source, x.type, x.target, x.weight) for x in document.links]


@pytest.mark.parametrize("name", ["../../examples/story.tml", "note.tml", "tale.sty"])
def test_a_document_comes_back_from_brat_with_all_links_and_ids(name, tmp_path):
    document = tlex.read(DATA / name)

    losses = tlex.write(document, tmp_path / "x.ann")

    again = tlex.read(tmp_path / "x.ann", strict=True)
    assert list_links(again) == list_links(document)
    assert again.text == document.text
    assert {n.id: again.words(n).split() for n in again.nodes} == {
        n.id: document.words(n).split() for n in document.nodes
    }
    assert [timex.value for timex in again.timexes] == [timex.value for timex in document.timexes]
    assert {loss.what for loss in losses} <= {
        "signals",
        "elements of the file that tlex does not read",
    }


def test_timeml_to_brat_and_back_to_timeml_loses_no_link(tmp_path):
    document = tlex.read("examples/story.tml")
    tlex.write(document, tmp_path / "x.ann")

    again = tlex.parse(convert(tlex.read(tmp_path / "x.ann"), "timeml")[0], strict=True)

    before = [(x.kind, x.source, x.type, x.target) for x in document.links]
    assert [(x.kind, x.source, x.type, x.target) for x in again.links] == before


def test_every_line_is_one_that_brat_accepts(tmp_path):
    text = 'Ann\nfell  \n asleep\ttoo & "so" on'
    document = tlex.parse(
        '{"text": "Ann\\\\nfell  \\\\n asleep\\\\ttoo & \\\\"so\\\\" on", "events": ['
        '{"id": "a", "start": 0, "end": 18, "attributes": {"k": "1\\\\n\\\\"2\\\\""}},'
        '{"id": "b", "start": 19, "end": 22}], "links": ['
        '{"source": "a", "type": "BEFORE/OVERLAP", "target": "b"},'
        '{"source": "a", "type": "no such", "target": "b"}]}'.replace("\\\\", "\\")
    )
    assert document.text == text

    tlex.write(document, tmp_path / "x.ann")

    lines = (tmp_path / "x.ann").read_text(encoding="utf-8").splitlines()
    marks = [line.split("\t") for line in lines if line.startswith("T")]
    for own, head, words in marks:
        spans = [tuple(map(int, piece.split())) for piece in head.partition(" ")[2].split(";")]
        assert words == " ".join(text[first:last] for first, last in spans), own
        assert spans == sorted(spans)
        assert "\n" not in words
    relations = [line.split("\t") for line in lines if line.startswith("R")]
    assert [head.split()[0] for _, head, _ in relations] == ["BEFORE_OVERLAP", "no_such"]
    configuration = (tmp_path / "annotation.conf").read_text(encoding="utf-8")
    declared = [line.split("\t")[0] for line in configuration.splitlines() if "Arg1" in line]
    assert {"BEFORE_OVERLAP", "no_such"} <= set(declared)
    assert len(declared) == len(set(declared))
    for heading in ("[entities]", "[relations]", "[events]", "[attributes]"):
        assert configuration.count(heading) == 1
    again = tlex.read(tmp_path / "x.ann")
    assert list_links(again) == list_links(document)
    assert again.nodes[0].attributes == {"k": '1\n"2"'}


NOT_SHOWN = "which brat does not show; they stand in notes"


def test_what_has_no_words_is_not_shown_but_comes_back_with_its_links(tmp_path):
    document = tlex.read(DATA / "french.tml")

    losses = tlex.write(document, tmp_path / "x.ann")

    found = {loss.what: loss.count for loss in losses}
    assert found[f"events and times without words in the text, {NOT_SHOWN}"] == 1
    again = tlex.read(tmp_path / "x.ann")
    assert {x.id: (x.source, x.target) for x in again.links} == {
        x.id: (x.source, x.target) for x in document.links
    }
    (time,) = (timex for timex in again.timexes if timex.text_start == timex.text_end)
    assert (time.id, time.value) == (document.timexes[0].id, document.timexes[0].value)
    assert time.attributes["functionInDocument"] == "CREATION_TIME"


def test_without_anything_to_show_notes_cannot_stand_anywhere_and_the_loss_is_told(tmp_path):
    losses = tlex.write(tlex.parse("a BEFORE b"), tmp_path / "x.ann")

    assert [loss.what for loss in losses] == [
        "events and times without words in the text, which brat does not show",
        "links with an end that is missing or that brat does not show",
    ]
    assert not (tmp_path / "x.ann").read_bytes()


@pytest.mark.parametrize(
    ("note", "nodes"),
    [
        ('node="t0" kind="Timex3" place=""', ["T1", "t0"]),
        ('node="t0" kind="Timex3" place="2 2"', ["t0", "T1"]),
        ('node="t0" kind="Timex3" place="2 999"', ["T1", "t0"]),
        ('node="t0" place="2 2" kind="Timex3"', ["T1"]),  # a note of somebody else
        ('node="T1" kind="Event" place=""', ["T1"]),  # an id that is taken
    ],
)
def test_notes_that_are_nodes_are_read_as_they_are_written_and_no_others(note, nodes):
    document = read(f"T1\tEvent 4 8\tfell\n#1\tAnnotatorNotes T1\t{note}\n")

    assert list(document.index) == nodes


@pytest.mark.corpus
@pytest.mark.parametrize("corpus", ["timebank", "meantime"])
def test_a_corpus_goes_from_timeml_to_brat_and_back_with_all_links_and_timelines(
    corpus, request, tmp_path
):
    for document in list(request.getfixturevalue(corpus).values())[::8]:
        first = tlex.parse(convert(document, "timeml")[0])
        tlex.write(first, tmp_path / "x.ann")
        again = tlex.parse(convert(tlex.read(tmp_path / "x.ann"), "timeml")[0])

        results = tlex.extract(first), tlex.extract(again)

        ends = [[(x.id, x.kind, x.source, x.target) for x in d.links] for d in (first, again)]
        assert sorted(ends[0]) == sorted(ends[1])
        assert results[0].consistent == results[1].consistent
        timelines = [[(t.intervals, t.points) for t in r.timelines] for r in results]
        assert timelines[0] == timelines[1]


def test_a_directory_has_one_configuration_for_all_and_somebody_elses_stays(tmp_path, capfd):
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    for name, label in (("a", "soon"), ("b", "later")):
        (one / f"{name}.json").write_text(
            '{"text": "x y", "events": [{"id": "x", "start": 0, "end": 1}, '
            '{"id": "y", "start": 2, "end": 3}], "links": [{"source": "x", "target": "y", '
            f'"type": "{label}"}}]}}'
        )

    assert run(["convert", str(one), "--to", "brat", "-o", str(other)]) == 0

    assert {path.name for path in other.iterdir()} == {
        "a.ann", "a.txt", "b.ann", "b.txt", "annotation.conf",
    }  # fmt: skip
    written = (other / "annotation.conf").read_text()
    assert "\nsoon\t" in written
    assert "\nlater\t" in written
    (other / "annotation.conf").write_text("[entities]\nMine\n")
    tlex.write(tlex.parse("a BEFORE b"), other / "c.ann")
    assert run(["convert", str(one), "--to", "brat", "-o", str(other)]) == 0
    assert (other / "annotation.conf").read_text() == "[entities]\nMine\n"
    assert "does not declare Event, Timex3, soon, later" in capfd.readouterr().err
    assert run(["convert", str(one / "a.json"), "--to", "brat", "-o", "-"]) == 2
    assert "brat needs the text beside" in capfd.readouterr().err


def test_attributes_of_links_are_kept_and_those_of_what_is_not_there_are_reported():
    lines = ["T1\tEvent 0 1\tx", "T2\tEvent 2 3\ty", "R1\tBEFORE Arg1:T1 Arg2:T2"]
    document = tlex.parse("\n".join([*lines, "A1\tSure R1 yes", "A2\tSure T88"]), format="brat")

    assert document.links[0].attributes == {"Sure": "yes"}
    found = [one for one in document.diagnostics if "T88" in one.message]
    assert [(one.code, one.line, one.column) for one in found] == [(Code.DANGLING, 5, 1)]


def test_a_role_that_is_called_like_a_key_of_other_json_survives_json():
    marks = "T1\tevent 4 15\tfell asleep\nT2\ttimex 19 25\tMonday\nE1\tevent:T1 TIMEX:T2\n"

    again = tlex.parse(convert(read(marks), "json")[0])

    assert again.format == "json"
    assert again.events[0].attributes["TIMEX"] == "T2"


def test_words_that_are_not_in_the_text_come_back(tmp_path):
    text = '{"text": "Ann left.", "events": [{"id": "e1", "text": "left", "start": 4, "end": 8}],'
    times = ' "times": [{"id": "t1", "text": "last \\"May\\"", "outside": true}]}'
    (tmp_path / "x.json").write_text(text + times)

    assert run(["convert", str(tmp_path / "x.json"), "-o", str(tmp_path / "x.ann")]) == 0

    again = tlex.read(tmp_path / "x.ann", strict=True)
    assert {node.id: again.words(node) for node in again.nodes} == {
        "e1": "left",
        "t1": 'last "May"',
    }


@pytest.mark.parametrize(
    ("lines", "corpus"),
    [
        ("R1\tOVERLAPS Arg1:T1 Arg2:T3\nR2\tOVERLAPS Arg1:T3 Arg2:T1\n", "caters"),
        ("R1\tDURING Arg1:T1 Arg2:T3\nR2\tDURING Arg1:T3 Arg2:T1\n", "caters"),
        ("E2\tevent:T3\nE3\tevent:T1\nR1\tAFTER Arg1:E2 Arg2:E3\nR2\tAFTER Arg1:E3 Arg2:E2\n",
         "timeset"),
    ],
)  # fmt: skip
def test_labels_that_mean_something_else_in_a_corpus_are_told(lines, corpus):
    marks = "T1\tEvent 4 15\tfell asleep\nT3\tEvent 35 41;51 53\tpicked up\n"
    (told,) = read(marks + lines).diagnostics

    assert told.code == Code.OTHER_READING
    assert "of 2 links" in told.message
    assert f"--labels {corpus}" in told.hint
    for chosen in (corpus, "timeml"):
        assert read(marks + lines, labels=chosen).diagnostics == ()
    kept = f'{marks}{lines}#1\tAnnotatorNotes T1\tid="ei1"\n'
    assert read(kept).diagnostics == ()
    assert read(marks + "R1\tBEFORE Arg1:T1 Arg2:T3\n").diagnostics == ()
    time = "T2\tTimex 19 25\tMonday\n"
    assert read(f"{marks}{time}R1\tDURING Arg1:T1 Arg2:T2\n").diagnostics == ()
