"""``tlex convert``: from any format into any, with nothing lost in silence."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

import tlex
from tlex.cli.app import run

DATA = Path(__file__).parents[1] / "data"
STORY = Path("examples/story.tml").resolve()


def test_timeml_goes_through_unchanged(capfdbinary):
    assert run(["convert", str(STORY), "--to", "timeml"]) == 0

    written = capfdbinary.readouterr()
    assert written.out == STORY.read_bytes()
    assert written.err == b""


def test_the_ending_of_the_output_tells_the_format(tmp_path, capfd):
    for name in ("out.tml", "out.json", "out.dot", "points.csv", "points.parquet"):
        assert run(["convert", str(STORY), "-o", str(tmp_path / name)]) == 0

    assert tlex.read(tmp_path / "out.json").text == tlex.read(STORY).text
    assert len(pd.read_csv(tmp_path / "points.csv")) == 2 * 26
    assert pq.read_table(tmp_path / "points.parquet").num_rows == 2 * 26
    assert len(list(tmp_path.iterdir())) == 5
    assert "--losses counts what is lost" in capfd.readouterr().err


def test_a_directory_becomes_a_directory(tmp_path, capfd):
    (tmp_path / "in" / "below").mkdir(parents=True)
    shutil.copy(DATA / "meantime.xml", tmp_path / "in" / "below")
    shutil.copy(DATA / "dense.tsv", tmp_path / "in")
    shutil.copy(STORY, tmp_path / "in")

    code = run(["convert", str(tmp_path / "in"), "--to", "timeml", "-o", str(tmp_path / "out")])

    found = sorted(path.relative_to(tmp_path / "out").as_posix() for path in walk(tmp_path / "out"))
    assert code == 0
    assert found == ["below/meantime.tml", "dense/doc_a.tml", "dense/doc_b.tml", "story.tml"]
    assert all(tlex.read(path).format == "timeml" for path in walk(tmp_path / "out"))
    assert "TimeML cannot hold all of 3 documents" in capfd.readouterr().err


def walk(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_names_inside_a_table_cannot_leave_the_directory(tmp_path):
    table = tmp_path / "t.tsv"
    table.write_text("../../x\te1\te2\tb\n..\te1\te2\tb\n", encoding="utf-8")

    assert run(["convert", str(table), "--to", "json", "-o", str(tmp_path / "out")]) == 0

    assert len(walk(tmp_path / "out")) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "t.tsv"]


def test_many_documents_of_one_file_do_not_overwrite_each_other(tmp_path, capfd):
    out = tmp_path / "one.tml"
    out.write_text("old", encoding="utf-8")

    assert run(["convert", str(DATA / "dense.tsv"), "-o", str(out)]) == 2

    assert out.read_text(encoding="utf-8") == "old"
    assert "several documents need a directory" in capfd.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["s.tml", "-o", "s.tml"],
        ["s.tml", "--to", "timeml", "-o", "."],
        ["points.csv", "s.tml", "--to", "csv", "-o", "."],
    ],
)
def test_what_is_read_is_not_replaced(words, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    shutil.copy(STORY, "s.tml")
    Path("points.csv").write_text("e1 BEFORE e2\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}

    assert run(["convert", *words]) == 2

    assert "is being read and would be replaced" in capfd.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_json_comes_one_document_a_line(capfd):
    assert run(["convert", str(DATA / "dense.tsv"), "--to", "json"]) == 0

    lines = capfd.readouterr().out.splitlines()
    assert [json.loads(line)["schema"] for line in lines] == ["tlex-document/1"] * 2


def test_a_pipe_goes_in_and_out(capfd, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"A BEFORE B\n")))

    assert run(["convert", "-", "--to", "timeml"]) == 0

    document = tlex.parse(capfd.readouterr().out)
    assert [(link.source, link.type, link.target) for link in document.links] == [
        ("ei1", "BEFORE", "ei2")
    ]


def test_the_losses_alone_write_nothing(capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert run(["convert", str(DATA / "meantime.xml"), "--to", "timeml", "--losses"]) == 0

    written = capfd.readouterr().out
    assert "meantime.xml: what TimeML cannot hold as it is\n" in written
    assert "SLINKs without a type, which TimeML demands (" in written
    assert list(tmp_path.iterdir()) == []


def test_losses_are_json_for_programs(capfd, tmp_path):
    words = ["--to", "timeml", "-o", str(tmp_path / "x.tml"), "--losses", "--json"]
    assert run(["convert", str(STORY), *words]) == 0
    assert run(["convert", str(DATA / "meantime.xml"), *words]) == 0

    story, other = map(json.loads, capfd.readouterr().out.splitlines())
    assert story["losses"] == []
    assert {loss["what"] for loss in other["losses"]} >= {
        "SLINKs without a type, which TimeML demands",
        "ids that TimeML does not allow, given anew",
    }


def test_the_losses_of_several_end_with_their_sum(capfd):
    assert run(["convert", str(DATA / "dense.tsv"), "--to", "timeml", "--losses"]) == 0

    written = capfd.readouterr().out
    assert written.count("what TimeML cannot hold as it is") == 2
    assert "all 2 documents:" in written


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name the format to write: --to timeml, json, brat, dot, csv, parquet"),
        (["--to", "word"], "'word' is not one of 'timeml', 'json'"),
        (["--to", "csv"], "give -o a directory, or choose one with --table"),
        (["--to", "parquet"], "Parquet goes into files"),
        (["--to", "csv", "--table", "rows"], "there is no table 'rows'; choose from nodes"),
        (["--to", "json", "--points"], "--points draws a graph"),
        (["--to", "json", "--table", "nodes"], "it needs --to csv or parquet"),
        (["--to", "json", "--json"], "give --losses as well"),
        (["--to", "dot", "--main", "nobody"], "nobody"),
    ],
)
def test_what_cannot_be_done_is_reported_in_one_line(words, message, capfd):
    assert run(["convert", str(STORY), *words]) == 2

    written = capfd.readouterr().err
    assert message in written
    assert written.count("\n") == 1


def test_a_broken_file_does_not_stop_the_others(capfd, tmp_path):
    (tmp_path / "a.tml").write_text("<TimeML>", encoding="utf-8")
    shutil.copy(STORY, tmp_path / "b.tml")

    assert run(["convert", str(tmp_path), "--to", "csv", "--table", "nodes"]) == 2

    written = capfd.readouterr()
    assert len(written.out.splitlines()) == 27
    assert written.err.startswith("tlex: a.tml:1:9:")


def test_where_nothing_can_be_read_parquet_is_silent(capfd, tmp_path):
    words = ["convert", str(tmp_path / "none.tml"), "--to", "parquet", "-o", str(tmp_path / "out")]

    assert run(words) == 2

    assert capfd.readouterr().err.count("\n") == 1
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_the_options_of_extract_count(capfd):
    words = ["convert", "examples/contradiction.tml", "--to", "csv", "--table", "timelines"]
    assert run([*words, "--links", "alink"]) == 0

    assert "false" not in [line.split(",")[4] for line in capfd.readouterr().out.splitlines()]


def test_tables_stay_when_nothing_could_be_read(tmp_path):
    assert run(["convert", str(STORY), "--to", "csv", "-o", str(tmp_path / "t")]) == 0
    before = (tmp_path / "t" / "nodes.csv").read_bytes()

    assert run(["convert", str(tmp_path / "no.tml"), "--to", "csv", "-o", str(tmp_path / "t")]) == 2

    assert (tmp_path / "t" / "nodes.csv").read_bytes() == before
    assert len(list((tmp_path / "t").iterdir())) == 10


def test_losses_do_not_depend_on_the_hash_seed():
    words = [sys.executable, "-m", "tlex", "convert", str(STORY), "--to", "csv", "--losses"]
    written = {
        subprocess.run(  # noqa: S603
            [*words, "--json"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in "123"
    }

    assert len(written) == 1


def test_files_given_by_path_keep_their_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for place in ("in/a/APW19980213.1310", "in/b/APW19980213.1380"):
        Path(place).parent.mkdir(parents=True)
        shutil.copy(STORY, place)

    assert run(["convert", *map(str, walk(Path("in"))), "--to", "json", "-o", "out/"]) == 0
    assert run(["convert", str(STORY), "--to", "json", "-o", "single/"]) == 0

    assert sorted(path.name for path in walk(Path("out"))) == [
        "APW19980213.1310.json",
        "APW19980213.1380.json",
    ]
    assert [path.as_posix() for path in walk(Path("single"))] == ["single/story.json"]
