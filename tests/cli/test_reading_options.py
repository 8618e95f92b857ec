"""Formats on the command line: recognised, overruled, mixed, and refused with a reason."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import pytest

from tlex.cli.app import run

DATA = Path(__file__).parents[1] / "data"


def extract(capfd, *arguments: str) -> tuple[int, list[dict], str]:
    code = run(["extract", *map(str, arguments), "--json"])
    written = capfd.readouterr()
    return code, [json.loads(line) for line in written.out.splitlines()], written.err


def test_a_table_gives_one_object_for_each_document(capfd):
    code, reports, _ = extract(capfd, DATA / "dense.tsv")

    assert code == 0
    assert [report["document"]["name"] for report in reports] == [
        f"{DATA / 'dense.tsv'}:doc_a",
        f"{DATA / 'dense.tsv'}:doc_b",
    ]
    assert [report["document"]["format"] for report in reports] == ["dense", "dense"]


def test_texts_come_from_the_directory_named(capfd):
    _, reports, _ = extract(capfd, DATA / "matres.tsv", "--text", DATA / "texts", "--verify")

    assert [node["text"] for node in reports[0]["nodes"]] == ["arrived", "left", "slept"]
    assert reports[1]["diagnostics"][0]["code"] == "TLX101"


def test_a_directory_of_texts_that_is_not_there_is_reported(capfd, tmp_path):
    assert run(["extract", str(DATA / "dense.tsv"), "--text", str(tmp_path / "none")]) == 2
    assert "is to be a directory" in capfd.readouterr().err


def test_a_graph_comes_through_a_pipe(capfd, monkeypatch):
    pipe = io.TextIOWrapper(io.BytesIO(b"A BEFORE B\nB BEFORE C\n"))
    monkeypatch.setattr("sys.stdin", pipe)

    code, reports, _ = extract(capfd, "-")

    assert code == 0
    assert reports[0]["timelines"][0]["length"] == 6


def test_the_content_counts_and_not_the_name(capfd, tmp_path):
    shutil.copy(DATA / "meantime.xml", tmp_path / "story.tml")

    _, reports, _ = extract(capfd, tmp_path / "story.tml")

    assert reports[0]["document"]["format"] == "cat"


def test_the_format_can_be_overruled(capfd, tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("a before b\n")

    assert run(["extract", str(path)]) == 2
    assert "formats known here: timeml, cat" in capfd.readouterr().err
    code, reports, _ = extract(capfd, path, "--format", "plain")
    assert (code, reports[0]["nodes"][0]["id"]) == (0, "a")


def test_an_unknown_format_is_reported_with_those_that_are_known(capfd):
    assert run(["extract", str(DATA / "note.tml"), "--format", "nosuch"]) == 2
    assert "format cannot be 'nosuch'; choose from timeml, cat" in capfd.readouterr().err


def test_a_format_that_does_not_fit_is_an_error_with_a_place(capfd):
    assert run(["extract", str(DATA / "dense.tsv"), "--format", "timeml"]) == 2
    assert "dense.tsv:1:1: not well-formed XML" in capfd.readouterr().err


def test_formats_may_be_mixed_in_one_directory(capfd, tmp_path):
    names = ["note.tml", "meantime.xml", "story.json", "dense.tsv", "matres.tsv", "anafora",
             "anafora.TimeML.gold.completed.xml", "tale.sty", "tempeval1.tml",
             "own-labels.toml"]  # fmt: skip
    for name in names:
        shutil.copy(DATA / name, tmp_path / name)
    (tmp_path / "graph.txt").write_text("A BEFORE B\n")
    (tmp_path / "LICENSE.txt").write_text("Do what you like with it.\n")
    (tmp_path / "bad.json").write_text('{"links": [{"source": "a", "target": ')

    code, reports, errors = extract(capfd, tmp_path)

    assert [(r["document"]["name"], r["document"]["format"]) for r in reports] == [
        ("anafora.TimeML.gold.completed.xml", "anafora"),
        ("dense.tsv:doc_a", "dense"),
        ("dense.tsv:doc_b", "dense"),
        ("graph.txt", "plain"),
        ("matres.tsv:doc_a", "matres"),
        ("matres.tsv:doc_b", "matres"),
        ("meantime.xml", "cat"),
        ("note.tml", "timeml"),
        ("story.json", "json"),
        ("tale.sty", "sty"),
        ("tempeval1.tml", "timeml"),
    ]
    assert code == 2
    assert "bad.json:1:38: not JSON" in errors
    assert "$.links[0].target" in errors
    assert "skipped 3 files" in errors


@pytest.mark.parametrize("command", ["extract", "closure", "reduce", "check"])
def test_labels_of_ones_own_serve_every_command(command, capfd, tmp_path):
    path = tmp_path / "graph"
    path.write_text("A SOON_AFTER B\n")

    options = ["--format", "plain", "--labels", str(DATA / "own-labels.toml"), "--json"]
    assert run([command, str(path), *options]) == 0
    assert b"TLX103" not in capfd.readouterr().out.encode()


def test_labels_of_ones_own_serve_questions(capfd, tmp_path):
    path = tmp_path / "graph"
    path.write_text("A FOLLOWS B\n")

    options = ["--format", "plain", "--labels", str(DATA / "own-labels.toml")]
    assert run(["relation", str(path), "A", "B", *options]) == 0
    assert "AFTER" in capfd.readouterr().out


def test_a_table_of_labels_that_is_broken_is_reported(capfd, tmp_path):
    path = tmp_path / "own.toml"
    path.write_text("[TLINK]\nA = ['A <= B']\n")

    assert run(["extract", str(DATA / "note.tml"), "--labels", str(path)]) == 2
    assert "is no constraint" in capfd.readouterr().err


def test_only_timeml_is_written_back(capfd, tmp_path):
    code = run(["closure", str(DATA / "meantime.xml"), "-o", str(tmp_path / "out.xml")])

    assert code == 2
    assert "only a document read from TimeML" in capfd.readouterr().err


def test_fix_knows_formats_and_labels_of_ones_own(capfd, tmp_path):
    labels = tmp_path / "labels.toml"
    labels.write_text('[TLINK]\nSOON = ["A+ < B-"]\n', encoding="utf-8")
    graph = tmp_path / "graph.txt"
    graph.write_text("a SOON b\nb BEFORE a\n", encoding="utf-8")
    words = ["fix", str(graph), "--format", "plain", "--labels", str(labels), "--json"]

    assert run([*words, "--weight", "soon=5"]) == 0
    assert run([*words, "--weight", "before=5"]) == 0

    first, second = map(json.loads, capfd.readouterr().out.splitlines())
    assert (first["removed"], second["removed"]) == (["l2"], ["l1"])
