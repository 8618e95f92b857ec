"""``tlex corpus report``: the figures of a run."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sqlite3
import sys
from contextlib import closing

import pytest

STORY = "examples/story.tml"


@pytest.mark.parametrize(
    ("form", "begin"),
    [
        ("text", "Corpora\n\ncorpus  texts"),
        ("markdown", "## Corpora\n\n| corpus | texts |"),
        ("csv", "table,row,of,group,column,value,bound\ncorpora,news,,,texts,2,"),
        ("latex", "% needs \\usepackage{booktabs}\n\n\\begin{table}"),
        ("html", "<!DOCTYPE html>"),
    ],
)
def test_a_report_can_be_had_in_every_format(out, tlex, tmp_path, form, begin):
    code, page, err = tlex("report", out, "--format", form)
    tlex("report", out, "--format", form, "-o", tmp_path / "report")

    assert (code, err) == (0, "")
    assert page.startswith(begin)
    assert (tmp_path / "report").read_text(encoding="utf-8") == page


@pytest.mark.parametrize(
    ("ending", "begin"),
    [
        (".html", "<!D"),
        (".md", "## "),
        (".csv", "table"),
        (".tex", "%"),
        (".txt", "Corpora"),
        ("", "Corpora"),
    ],
)
def test_the_ending_of_the_file_decides_where_nothing_else_does(out, tlex, tmp_path, ending, begin):
    path = tmp_path / f"report{ending}"

    assert tlex("report", out, "-o", path) == (0, "", "")

    assert path.read_text(encoding="utf-8").startswith(begin)


def test_a_program_gets_the_figures_as_json(out, tlex):
    code, page, _ = tlex("report", out, "--json")

    figures = json.loads(page)
    assert code == 0
    assert figures["schema"] == "tlex-report/1"
    assert [corpus["name"] for corpus in figures["corpora"]] == ["news"]
    assert figures["total"]["texts"] == 2
    assert figures["total"]["inconsistent"] == 1


def test_csv_and_json_say_the_same(out, tlex):
    _, page, _ = tlex("report", out, "--format", "csv")
    _, data, _ = tlex("report", out, "--json")

    own = json.loads(data)["total"]
    rows = {(r["table"], r["column"]): r["value"] for r in csv.DictReader(io.StringIO(page))}
    assert rows["corpora", "words"] == str(own["words"])
    assert rows["repairs", "links removed"] == str(int(own["repairs"]["removed"]["total"]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["report", "{out}", "--format", "pdf"],
            "'pdf' is not one of 'text', 'markdown'",
        ),
        (["report", "{out}", "--format", "text", "--json"], "choose one of --json and --format"),
        (
            ["report", "{out}", "-o", "x.xyz"],
            "-o x.xyz: no report has this ending; known are .html, .htm, .md, .csv, .tex, .txt",
        ),
        (["report", "nowhere"], "nowhere"),
        (["report", "examples"], "examples: not the result of a run"),
        (["report", "{out}", "-o", "no/such/folder/r.html"], "no/such/folder"),
        (["agreement", "nowhere.csv", "nowhere.csv"], "nowhere.csv: cannot be read: No such file"),
        (["agreement", "README.md", "README.md"], "README.md: not a sheet of tlex corpus sample"),
        (["agreement", "README.md"], "missing argument"),
        (["agreement", "a", "b", "--confidence", "2"], "the confidence is a share"),
    ],
)
def test_what_cannot_be_done_is_reported_in_one_line(out, tlex, arguments, message):
    code, page, err = tlex(*(argument.format(out=out) for argument in arguments))

    assert code == 2
    assert page == ""
    (line,) = err.splitlines()
    assert message in line


def test_a_broken_table_is_reported_in_one_line(out, tlex, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(out, copy)
    for file in copy.glob("documents/*.parquet"):
        file.write_bytes(b"PAR1 nothing of the kind")

    for arguments in (["report", copy], ["sample", copy, "--what", "order"]):
        code, page, err = tlex(*arguments)
        assert (code, page) == (2, "")
        (line,) = err.splitlines()
        assert "cannot be read" in line
    for file in copy.glob("documents/*.parquet"):
        file.unlink()
    code, _, err = tlex("report", copy)
    assert code == 2
    assert "files are missing" in err


def test_what_is_still_to_do_is_reported(out, tlex, tmp_path):
    shutil.copytree(out, tmp_path / "copy")
    with closing(sqlite3.connect(tmp_path / "copy" / "manifest.sqlite")) as manifest:
        manifest.execute("UPDATE items SET state = 'pending' WHERE name = 'story.tml'")
        manifest.commit()

    code, page, err = tlex("report", tmp_path / "copy", "--json")

    assert code == 0
    assert json.loads(page)["total"]["documents"] == 2
    assert err == "tlex: note: 1 file not done yet; the figures are of the rest\n"


def test_without_pyarrow_the_extra_to_install_is_named(out, tlex, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    for arguments in (["report", out], ["sample", out, "--what", "order"]):
        code, page, err = tlex(*arguments)
        assert (code, page) == (2, "")
        assert err == "tlex: this needs pyarrow; install it with: pip install 'tlex[corpus]'\n"


@pytest.mark.parametrize(("options", "extra"), [([], "corpus"), (["--dask", "local"], "dask")])
def test_a_run_names_the_extra_to_install(tlex, monkeypatch, tmp_path, options, extra):
    monkeypatch.setattr("tlex.corpus.runs.driver.find_spec", lambda _: None)

    code, page, err = tlex("run", tmp_path, "-o", tmp_path / "out", *options)

    assert (code, page) == (2, "")
    assert err == f"tlex: this needs pyarrow; install it with: pip install 'tlex[{extra}]'\n"
