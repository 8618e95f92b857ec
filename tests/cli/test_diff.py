"""``tlex diff``, as a user and as git run it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest
from commands import CONTRADICTION, ROOT, STORY, messages, run, run_on_terminal


@pytest.fixture
def changed(tmp_path):
    path = tmp_path / "changed.tml"
    text = STORY.read_text(encoding="utf-8")
    path.write_text(text.replace('relType="BEFORE"', 'relType="AFTER"', 1), encoding="utf-8")
    return path


def test_the_same_annotation_is_no_difference():
    done = run("diff", STORY, STORY)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_difference_is_shown_and_makes_the_exit_code_1(changed):
    done = run("diff", STORY, changed)

    lines = done.stdout.decode().splitlines()
    assert done.returncode == 1
    assert lines[0] == f"--- {STORY}"
    assert lines[1] == f"+++ {changed}"
    (shown,) = [line for line in lines if line.startswith("! ")]
    assert shown.startswith('! "built" (ei2) BEFORE -> AFTER "coughed" (ei4) (l4, line 58; l4, ')
    assert shown.endswith("): cannot both hold")
    assert "33 pairs the same, 1 with another label" in lines[-1]


def test_what_follows_is_listed_if_asked_for(changed):
    done = run("diff", STORY, changed, "--follows")

    follows = [line for line in done.stdout.decode().splitlines() if line.startswith("> ")]
    assert '> "built" (ei2) and "coughed" (ei4): BEFORE -> AFTER' in follows


def test_the_difference_as_json(changed):
    done = run("diff", STORY, changed, "--json", "--follows")

    document, total = [json.loads(line) for line in done.stdout.splitlines()]
    assert (document["schema"], document["same"]) == ("tlex/1", False)
    assert [pair["status"] for pair in document["pairs"]] == ["other label"]
    assert document["follows"]
    assert total["total"]["different"] == 1
    assert done.returncode == 1


def test_directories_are_matched_by_name(tmp_path, changed):
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    shutil.copy(STORY, one / "story.tml")
    shutil.copy(changed, other / "story.xml")
    shutil.copy(CONTRADICTION, one / "lone.tml")
    (one / "bad.tml").write_text("<TimeML><TEXT>", encoding="utf-8")
    shutil.copy(CONTRADICTION, other / "bad.tml")

    done = run("diff", one, other)

    lines = done.stdout.decode().splitlines()
    assert done.returncode == 2
    assert f"--- {one / 'story.tml'}" in lines
    assert f"+++ {other / 'story.xml'}" in lines
    assert [line for line in lines if line.startswith("only in")] == [f"only in {one}: lone.tml"]
    assert "bad.tml" in messages(done)[0]


def test_a_file_goes_with_the_file_of_its_name_in_a_directory(tmp_path):
    shutil.copy(STORY, tmp_path / "story.tml")

    assert run("diff", STORY, tmp_path).returncode == 0


def test_patches_are_compared(tmp_path):
    one, two = tmp_path / "one.patch", tmp_path / "two.patch"
    run("fix", CONTRADICTION, "--patch", one)
    run("fix", CONTRADICTION, "--keep", "l3", "--patch", two)

    done = run("diff", one, two)

    assert done.returncode == 1
    assert "- remove l3" in done.stdout.decode().splitlines()
    assert run("diff", one, one).returncode == 0
    (found,) = run("diff", one, two, "--json").stdout.splitlines()
    assert json.loads(found)["changes"][0]["status"] == "only first"
    assert "a patch is compared with a patch" in messages(run("diff", one, STORY))[0]


def test_wrong_calls_are_told_in_one_line(tmp_path):
    other = tmp_path / "other.tml"
    other.write_text("<TimeML><TEXT>Something else</TEXT></TimeML>", encoding="utf-8")
    broken = tmp_path / "broken.patch"
    broken.write_text('{"schema": "tlex-patch/1", "files": 3}', encoding="utf-8")
    calls = {
        ("diff", STORY): "diff takes two files or directories",
        ("diff", STORY, STORY, STORY): "diff takes two files or directories",
        ("diff", "-", "-"): "standard input can be only one side",
        ("diff", STORY, tmp_path / "none.tml"): "none.tml: cannot be read",
        ("diff", STORY, other): "its text differs from that of",
        ("diff", broken, broken): "not a patch of tlex",
        ("diff", STORY, STORY, "--git"): "those that git gives",
        ("diff", STORY, STORY, "--links", "slink"): "links cannot be 'SLINK'",
    }
    for call, message in calls.items():
        done = run(*call)

        assert done.returncode == 2, call
        assert message in messages(done)[0]
        assert len(messages(done)) == 1
        assert b"Traceback" not in done.stderr


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_git_shows_differences_through_it(tmp_path):
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith("GIT_")},
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "PYTHONPATH": str(ROOT / "src"),
    }

    def git(*words):
        return subprocess.run(  # noqa: S603
            ["git", "-c", "user.name=A", "-c", "user.email=a@b", *words],  # noqa: S607
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    git("init", "-q")
    (tmp_path / ".gitattributes").write_text("*.tml diff=tlex\n", encoding="utf-8")
    git("config", "diff.tlex.command", f"{sys.executable} -m tlex diff --git")
    for name in ("story.tml", "same.tml", "bad.tml", "moved.tml"):
        shutil.copy(STORY, tmp_path / name)
    shutil.copy(ROOT / "tests" / "data" / "note.tml", tmp_path / "gone.tml")
    git("add", "-A")
    git("commit", "-qm", "annotation")
    text = STORY.read_text(encoding="utf-8")
    (tmp_path / "story.tml").write_text(
        text.replace('relType="BEFORE"', 'relType="AFTER"', 1), encoding="utf-8"
    )
    (tmp_path / "same.tml").write_text(text.replace("IDENTITY", "SIMULTANEOUS"), encoding="utf-8")
    (tmp_path / "gone.tml").unlink()
    (tmp_path / "bad.tml").write_text("<TimeML><TEXT>", encoding="utf-8")
    (tmp_path / "moved.tml").rename(tmp_path / "there.tml")
    shutil.copy(CONTRADICTION, tmp_path / "new.tml")
    git("add", "-A")

    shown = git("diff", "--cached")

    assert '! "built" (ei2) BEFORE -> AFTER "coughed" (ei4)' in shown
    assert "--- a/story.tml\n+++ b/story.tml" in shown
    assert '+ event "baked" (ei1)' in shown
    assert "--- a/gone.tml\n+++ nothing" in shown
    assert "cannot be compared: b/bad.tml" in shown
    assert "diff --tlex moved.tml there.tml\n" in shown
    assert "= " in shown.partition("diff --tlex same.tml same.tml\n")[2]
    assert shown.count("diff --tlex ") == 6


def test_paths_that_are_not_unicode_are_escaped(tmp_path):
    for name in (b"a", b"\xff"):
        folder = tmp_path / os.fsdecode(name)
        folder.mkdir()
        shutil.copy(STORY, folder / os.fsdecode(b"\xfe.tml"))
    shutil.copy(STORY, tmp_path / os.fsdecode(b"\xff") / "more.tml")

    done = run("diff", tmp_path / "a", tmp_path / os.fsdecode(b"\xff"), "--json")

    document, total = [json.loads(line) for line in done.stdout.splitlines()]
    assert document["second"].endswith("\\xff/\\xfe.tml")
    assert total["total"]["only_second"] == ["more.tml"]
    assert done.stderr == b""
    assert b"Traceback" not in run("diff", tmp_path / "a", tmp_path / os.fsdecode(b"\xff")).stderr


def test_on_a_narrow_terminal_a_difference_goes_on_behind_its_sign(changed):
    _, shown = run_on_terminal("diff", STORY, changed, COLUMNS="60")

    lines = [line for line in shown.splitlines() if not line.startswith(("---", "+++"))]
    assert max(map(len, lines)) <= 60
    assert lines[0].startswith("! ")
    assert lines[1].startswith("  ")
    whole = run("diff", STORY, changed).stdout.decode()
    assert " ".join(" ".join(lines).split()) in " ".join(whole.split())
