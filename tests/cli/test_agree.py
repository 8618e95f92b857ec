"""``tlex agree``, as a user runs it."""

from __future__ import annotations

import json
import os
import shutil

import pytest
from commands import CONTRADICTION, STORY, messages, run, run_on_terminal


@pytest.fixture
def annotators(tmp_path):
    """Three annotators with two documents each, the last of whom differs in one link."""
    for name in ("anna", "ben", "cora"):
        (tmp_path / name).mkdir()
        shutil.copy(STORY, tmp_path / name / "story.tml")
        shutil.copy(CONTRADICTION, tmp_path / name / "other.tml")
    path = tmp_path / "cora" / "story.tml"
    text = path.read_bytes().replace(b"\n", b"\r\n")
    path.write_bytes(text.replace(b'relType="BEFORE"', b'relType="AFTER"', 1))
    return tmp_path


def test_annotators_are_named_and_the_document_with_most_disagreement_comes_first(annotators):
    done = run("agree", annotators / "anna", annotators / "cora")

    lines = done.stdout.decode().splitlines()
    assert done.returncode == 0
    assert lines[1].startswith("anna and cora")
    assert [line.split()[0] for line in lines if line.startswith(("story", "other"))] == [
        "story.tml",
        "other.tml",
    ]
    assert '  contradiction: "built" (ei2) and "coughed" (ei4)' in lines
    assert "    anna: BEFORE; cora: AFTER" in lines
    assert any("[coughed]" in line for line in lines)


def test_a_directory_may_hold_all_annotators(annotators):
    done = run("agree", annotators, "--json")

    *documents, total = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["document"] for one in documents] == ["story.tml", "other.tml"]
    assert total["total"]["annotators"] == ["anna", "ben", "cora"]
    assert [pair["annotators"] for pair in total["total"]["pairs"]] == [
        ["anna", "ben"],
        ["anna", "cora"],
        ["ben", "cora"],
    ]
    assert total["total"]["pairs"][0]["kappa"] == 1
    assert 0.9 < total["total"]["alpha"] < 1
    assert b"Krippendorff's alpha over" in run("agree", annotators).stdout


def test_files_are_named_by_that_in_which_their_paths_differ(annotators):
    paths = [annotators / name / "story.tml" for name in ("anna", "ben")]

    done = run("agree", *paths, "--places", "0")

    assert done.stdout.decode().splitlines()[1].split()[:3] == ["anna", "and", "ben"]
    assert done.returncode == 0
    same = run("agree", STORY, STORY)
    assert f"{STORY} (1) and"[:20] in same.stdout.decode()


def test_what_cannot_be_read_or_compared_is_told_and_the_rest_is_done(annotators):
    (annotators / "ben" / "story.tml").write_text("<TimeML><TEXT>", encoding="utf-8")
    (annotators / "ben" / "other.tml").write_text(
        "<TimeML><TEXT>Another text</TEXT></TimeML>", encoding="utf-8"
    )
    shutil.copy(STORY, annotators / "ben" / "more.tml")

    done = run("agree", annotators)

    assert done.returncode == 2
    assert b"anna and cora" in done.stdout
    shown = "\n".join(messages(done))
    assert "not well-formed" in shown
    assert "other.tml: the texts of the two sides differ" in shown
    assert "note: anna: no document more.tml" in shown
    assert "Traceback" not in shown


def test_wrong_calls_are_told_in_one_line(tmp_path):
    shutil.copy(STORY, tmp_path / "a.tml")
    (tmp_path / "x").mkdir()
    (tmp_path / "y").mkdir()
    shutil.copy(STORY, tmp_path / "x" / "a.tml")
    shutil.copy(STORY, tmp_path / "y" / "b.tml")
    calls = {
        ("agree", STORY): "agreement takes two annotators or more",
        ("agree", "-", "-"): "standard input can be only one annotator",
        ("agree", STORY, tmp_path / "none.tml"): "none.tml: cannot be read",
        ("agree", STORY, CONTRADICTION): "its text differs from that of",
        ("agree", STORY, STORY, "--match", "nearly"): "'nearly' is not one of",
    }
    for call, message in calls.items():
        done = run(*call)

        assert done.returncode == 2, call
        assert message in messages(done)[0], messages(done)
        assert b"Traceback" not in done.stderr
    done = run("agree", tmp_path / "x", tmp_path / "y")
    assert done.returncode == 2
    assert "no two annotators have a document of the same name" in messages(done)[-1]


def test_paths_that_are_not_unicode_are_escaped(tmp_path):
    for name in (b"a", b"\xff"):
        folder = tmp_path / os.fsdecode(name)
        folder.mkdir()
        shutil.copy(STORY, folder / os.fsdecode(b"\xfe.tml"))

    done = run("agree", tmp_path, "--json")

    total = json.loads(done.stdout.splitlines()[-1])["total"]
    assert (total["annotators"], total["documents"]) == (["a", "\\xff"], 1)
    assert done.stderr == b""


def test_on_a_narrow_terminal_names_have_lines_of_their_own():
    _, shown = run_on_terminal("agree", STORY, STORY, COLUMNS="48")

    lines = shown.splitlines()
    assert max(map(len, lines)) <= 48
    assert "story.tml" in lines
    assert lines[lines.index("story.tml") + 1].split() == ["100.0", "100.0", "100.0", "1.000"]
