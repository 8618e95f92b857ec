"""``tlex merge``: the command, and the other commands on what it writes."""

from __future__ import annotations

import csv
import io
import json
import shutil

import pytest
from commands import CONTRADICTION, STORY, run

import tlex


@pytest.fixture
def folder(tmp_path):
    """Give a directory with a document under two names."""
    texts = tmp_path / "texts"
    texts.mkdir()
    shutil.copy(STORY, texts / "monday.tml")
    shutil.copy(STORY, texts / "two words.tml")
    return texts


@pytest.fixture
def merged(folder):
    path = folder.parent / "merged.json"
    assert run("merge", folder, "-o", path).returncode == 0
    return path


def test_a_directory_becomes_one_document(folder, merged):
    done = run("merge", folder)

    assert done.returncode == 0
    assert done.stdout == merged.read_bytes()
    document = tlex.read(merged)
    assert list(document.documents) == ["monday", "two_words"]
    said = run("merge", folder, "-o", folder.parent / "again.json").stderr.decode()
    assert "merged 2 documents: 52 events and times" in said


@pytest.mark.parametrize("head", ["", "one,other\n", "\n"])
@pytest.mark.parametrize("comma", [",", "\t"])
def test_pairs_of_a_table_are_the_same(folder, head, comma):
    pairs = folder.parent / "pairs.csv"
    pairs.write_text(
        head.replace(",", comma) + f"monday#ei1{comma}two_words#ei1\n\n"
        f'"monday#e2"{comma}two_words#ei2\r\n',
        encoding="utf-8-sig",
    )
    out = folder.parent / "merged.json"

    assert run("merge", folder, "--same", pairs, "-o", out).returncode == 0

    links = tlex.read(out).links[-2:]
    assert [(link.source, link.target) for link in links] == [
        ("monday#ei1", "two_words#ei1"),
        ("monday#ei2", "two_words#ei2"),
    ]
    said = run("relation", out, "monday#ei1", "two_words#ei1").stdout
    assert b"SIMULTANEOUS" in said


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (b"monday#ei1,two_words#ei1\nmonday#ei1,two_words#ei99\n", ":2: no event or time has the"),
        (b"a,b\nmonday#ei1,tuesday#ei1\n", ":2: there is no document 'tuesday'"),
        (b"monday#ei1\n", ":1: two ids are needed, not 1"),
        (b"monday#ei1,two_words#ei1,\n", ":1: two ids are needed"),
        (b"monday#ei1,two,words#ei1\n", "put an id with a comma into quotation marks"),
        (b"monday#ei1,monday#ei1\n", ":1: 'monday#ei1' is paired with itself"),
        (b"\xff\xfe\n", "this is not text in UTF-8"),
        (b'"monday#ei1\n', ":1: two ids"),
        (b"monday#ei1\0,x#y\n", ":1:"),
        (b"#," + b"x" * 200_000, ":1: not a table of pairs"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_with_its_line(folder, table, message):
    pairs = folder.parent / "pairs.csv"
    pairs.write_bytes(table)

    done = run("merge", folder, "--same", pairs)

    said = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in said
    assert len(said.splitlines()) == 1
    assert len(said) < 600


def test_bad_input_writes_nothing(folder, tmp_path):
    out = tmp_path / "out.json"
    broken = tmp_path / "broken.tml"
    broken.write_text("<TimeML><EVENT", encoding="utf-8")
    story = folder / "monday.tml"

    for arguments, message in (
        ([folder, broken], "nothing is merged"),
        ([folder, tmp_path / "nowhere.tml"], "nowhere.tml"),
        ([story, story], "is given twice"),
        ([folder, story], "is given twice"),
        ([folder, f"{folder}/../texts/monday.tml"], "is given twice"),
        ([folder, "--same", tmp_path / "nowhere.csv"], "nowhere.csv: cannot be read"),
        ([], "missing argument"),
        ([tmp_path / "empty"], "empty"),
    ):
        done = run("merge", *arguments, "-o", out)
        assert done.returncode == 2, arguments
        assert message in done.stderr.decode()
        assert b"Traceback" not in done.stderr
        assert not out.exists()
    assert b"is being read" in run("merge", story, "-o", story).stderr
    assert b"-o needs the name of a file" in run("merge", story, "-o", tmp_path).stderr


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["extract", "{}"], 0, "52 events and times"),
        (["extract", "{}", "--calendar", "--json", "--verify"], 0, '"source":"monday.tml"'),
        (["relation", "{}", "monday#ei2", "monday#midnight"], 0, "before"),
        (["relation", "{}", "monday#t4", "two_words#t4", "--calendar"], 0, "two_words#t4"),
        (["why", "{}", "monday#ei2", "monday#t4"], 0, "line"),
        (["check", "{}"], 0, ""),
        (["fix", "{}"], 0, ""),
        (["closure", "{}"], 0, "entailed"),
        (["reduce", "{}"], 0, "links"),
        (["draw", "{}", "-o", "{}.svg"], 0, ""),
        (["view", "{}", "--export", "{}.page"], 0, ""),
        (["convert", "{}", "--to", "dot"], 0, "digraph"),
    ],
)
def test_other_commands_take_the_merge(merged, arguments, code, says):
    done = run(*(word.format(merged) for word in arguments))

    assert (done.returncode, b"Traceback" in done.stderr) == (code, False)
    assert says in done.stdout.decode()


def test_timeml_is_refused_in_one_line(merged):
    done = run("convert", merged, "--to", "timeml")

    assert done.returncode == 2
    assert "TimeML has one text, and these are 2 documents" in done.stderr.decode()
    assert len(done.stderr.splitlines()) == 1


def test_a_table_of_nodes_names_the_document_of_each(merged):
    done = run("convert", merged, "--to", "csv", "--table", "nodes")

    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert {row["source"] for row in rows} == {"monday.tml", "two words.tml"}
    story = tlex.read(STORY)
    spans = {node.id: node.span for node in story.nodes}
    for row in rows:
        span = spans[row["id"].partition("#")[2]]
        assert (int(row["span_start"]), int(row["span_end"])) == (span.start, span.end)


def test_contradictions_of_a_merge_are_mended_in_its_file(tmp_path):
    texts = tmp_path / "texts"
    texts.mkdir()
    shutil.copy(CONTRADICTION, texts / "a.tml")
    shutil.copy(CONTRADICTION, texts / "b.tml")
    path = tmp_path / "merged.json"
    run("merge", texts, "-o", path)

    found = run("check", path)
    assert found.returncode == 1
    assert f"{path}: a.tml:23:1:" in found.stdout.decode()
    (line,) = run("check", path, "--json").stdout.splitlines()
    assert {each["source"] for each in json.loads(line)["findings"] if each["line"]} == {
        "a.tml",
        "b.tml",
    }

    assert run("fix", path, "--write").returncode == 0
    assert run("check", path, "--select", "TLX2").returncode == 0
    assert tlex.extract(tlex.read(path)).consistent


def test_strange_names_are_merged(tmp_path):
    names = ["a#b.tml", "a b.tml", "\u00fc\u5317\u4eac.tml", "-.tml", "x.y.z", "100%.tml"]
    for name in names:
        shutil.copy(STORY, tmp_path / name)

    done = run("merge", tmp_path, "-o", tmp_path.parent / "strange.json")

    assert done.returncode == 2 or len(tlex.read(tmp_path.parent / "strange.json").documents) == 6
    assert b"Traceback" not in done.stderr
