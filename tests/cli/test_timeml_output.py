"""``tlex closure`` and ``tlex reduce`` as a user meets them: a real process, real files."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import msgspec
import pytest
from commands import CONTRADICTION, STORY, messages, run

import tlex
from tlex.export.link_changes import add_links, remove_links
from tlex.records import Answer


def closed(path: Path) -> bytes:
    document = tlex.read(path)
    links = tlex.extract(document).closure().links
    return add_links(document, [link for link in links if not link.links])


def reduced(path: Path) -> bytes:
    document = tlex.read(path)
    return remove_links(document, tlex.extract(document).reduction().dropped)


@pytest.mark.parametrize("command", ["closure", "reduce"])
def test_a_contradiction_is_named_and_left_as_it_is(command, tmp_path):
    done = run(command, CONTRADICTION)
    written = run(command, CONTRADICTION, "-o", tmp_path / "out.tml")

    words = " ".join(done.stdout.decode().split())
    assert done.returncode == written.returncode == 0
    assert "timeline 0 is contradictory and is left as it is" in words
    assert max(map(len, done.stdout.decode().splitlines())) <= 80 + len(str(CONTRADICTION))
    assert "timeline 0 is contradictory and is left as it is" in messages(written)[0]
    assert (tmp_path / "out.tml").read_bytes() == CONTRADICTION.read_bytes()


@pytest.mark.parametrize("command", ["closure", "reduce"])
def test_json_is_one_object_a_line_and_what_python_says(command):
    done = run(command, STORY, CONTRADICTION, "--json")

    answers = [msgspec.json.decode(line, type=Answer) for line in done.stdout.splitlines()]

    wanted = []
    for path in (STORY, CONTRADICTION):
        result = tlex.extract(tlex.read(path))
        if command == "closure":
            wanted.append(result.answer(closure=result.closure()))
        else:
            wanted.append(result.answer(reduction=result.reduction()))
    assert answers == wanted
    assert json.loads(done.stdout.splitlines()[0])["schema"] == "tlex/1"


@pytest.mark.parametrize(("command", "make"), [("closure", closed), ("reduce", reduced)])
class TestWriting:
    def test_one_file_to_one_file(self, command, make, tmp_path):
        done = run(command, STORY, "-o", tmp_path / "out.tml")

        assert (done.returncode, done.stdout) == (0, b"")
        assert len(messages(done)) == 1
        assert (tmp_path / "out.tml").read_bytes() == make(STORY) != STORY.read_bytes()

    def test_one_file_into_a_directory(self, command, make, tmp_path):
        assert run(command, STORY, "-o", tmp_path).returncode == 0

        assert (tmp_path / "story.tml").read_bytes() == make(STORY)

    def test_a_directory_to_a_directory_with_its_folders(self, command, make, tmp_path):
        for name in ("a.tml", "deep/er/b.tml"):
            (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "in" / name).write_bytes(STORY.read_bytes())

        done = run(command, tmp_path / "in", "-o", tmp_path / "out")

        assert done.returncode == 0
        found = sorted(str(p.relative_to(tmp_path / "out")) for p in (tmp_path / "out").rglob("*"))
        assert found == ["a.tml", "deep", "deep/er", "deep/er/b.tml"]
        assert (tmp_path / "out/deep/er/b.tml").read_bytes() == make(STORY)

    def test_in_place_keeps_the_permissions(self, command, make, tmp_path):
        path = tmp_path / "story.tml"
        path.write_bytes(STORY.read_bytes())
        path.chmod(0o600)

        run(command, path, "-o", path)

        assert path.read_bytes() == make(STORY)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert os.listdir(tmp_path) == ["story.tml"]  # noqa: PTH208 -- hidden files too

    def test_stdin_to_stdout(self, command, make, tmp_path):
        done = run(command, "-", "-o", "-", stdin=STORY.read_bytes(), cwd=tmp_path)

        assert (done.returncode, done.stdout) == (0, make(STORY))

    def test_json_as_well(self, command, make, tmp_path):
        done = run(command, STORY, "-o", tmp_path / "out.tml", "--json")

        assert len(done.stdout.splitlines()) == 1
        assert (tmp_path / "out.tml").read_bytes() == make(STORY)

    def test_two_files_of_one_name_do_not_overwrite_each_other(self, command, make, tmp_path):
        for folder in ("a", "b"):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "x.tml").write_bytes(STORY.read_bytes())

        done = run(command, "a/x.tml", "b/x.tml", "-o", "out", cwd=tmp_path)

        assert done.returncode == 2
        assert messages(done)[-1] == (
            "tlex: b/x.tml: out/x.tml has been written already, by another document"
        )
        assert (tmp_path / "out" / "x.tml").read_bytes() == make(STORY)

    def test_a_broken_document_does_not_keep_the_others(self, command, make, tmp_path):
        (tmp_path / "bad.tml").write_bytes(b"<TimeML>")

        done = run(command, tmp_path / "bad.tml", STORY, "nowhere.tml", "-o", tmp_path / "out")

        assert done.returncode == 2
        assert len(messages(done)) == 3
        assert (tmp_path / "out" / "story.tml").read_bytes() == make(STORY)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-", "-o", "{tmp}"), "standard input has no name to be written under"),
        ((STORY, "-o", "{tmp}/no/out.tml"), "out.tml: cannot be written: No such file"),
        ((STORY, "-o", "-", "--json"), "choose one"),
        ((STORY, STORY, "-o", "-"), "-o - takes one document"),
        ((STORY, STORY, "-o", "{tmp}/file"), "is a file; several documents need a directory"),
        (("{tmp}", "-o", "{tmp}/out"), "which is being read"),
        ((STORY, "--links", "slink"), "links cannot be 'SLINK'"),
        (("nowhere.tml",), "nowhere.tml: cannot be read"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_writes_nothing(tmp_path, arguments, message):
    (tmp_path / "file").write_bytes(b"precious")

    done = run(
        "reduce", *(str(a).format(tmp=tmp_path) for a in arguments), stdin=STORY.read_bytes()
    )

    assert (done.returncode, done.stdout) == (2, b"")
    assert len(messages(done)) == 1
    assert message in messages(done)[0]
    assert os.listdir(tmp_path) == ["file"]  # noqa: PTH208
    assert (tmp_path / "file").read_bytes() == b"precious"


@pytest.mark.parametrize("command", ["closure", "reduce"])
def test_a_document_without_links_has_nothing_to_tell(command, tmp_path):
    path = tmp_path / "a.tml"
    path.write_text('<TimeML><EVENT eid="e1">a</EVENT></TimeML>')

    done = run(command, path)

    said = {"closure": "0 entailed relations, 0 of them new", "reduce": "no link to reduce"}
    assert done.stdout.decode() == f"{path}: {said[command]}\n"
