"""One document with which something is wrong never costs the others of a batch."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from commands import CONTRADICTION

import tlex
from tlex.cli.app import run
from tlex.cli.corrected_files import CorrectedFiles
from tlex.files import is_directory, is_plain_file, write_atomically

LONG = "a" * 300

EACH = [
    ("extract", "extraction.partition"),
    ("extract --json", "extraction.partition"),
    ("extract --verify", "checker.verify"),
    ("check", "cli.check.check"),
    ("check --sarif", "cli.check.check"),
    ("fix", "cli.fix.FixTask"),
    ("decode", "cli.decode.decode"),
    ("closure", "cli.closure.Entailed"),
    ("reduce", "result.Extraction.reduction"),
    ("events", "result.Extraction.events"),
    ("draw", "cli.draw.extract"),
    ("convert --to json", "cli.convert.convert"),
    ("convert --to csv --table points", "cli.documents.extract"),
]
"""Commands that take several documents, and a function that each calls for each of them."""


@pytest.fixture
def two(tmp_path) -> list[str]:
    """Give two documents; a command that fails at the first must do the second."""
    for name in ("first.tml", "second.tml"):
        shutil.copy(CONTRADICTION, tmp_path / name)
    return [str(tmp_path / name) for name in ("first.tml", "second.tml")]


def fail_once(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Have a function fail the first time it is called."""
    module, _, attribute = f"tlex.{name}".rpartition(".")
    __import__(module if module in sys.modules or "Extraction" not in module else "tlex.result")
    owner = tlex.result.Extraction if module.endswith("Extraction") else sys.modules[module]
    good = getattr(owner, attribute)
    failed = []

    def fail(*given, **options):
        if not failed:
            failed.append(1)
            raise IndexError("list index out of range")
        return good(*given, **options)

    monkeypatch.setattr(owner, attribute, fail)


@pytest.mark.parametrize(("line", "function"), EACH)
def test_after_a_fault_in_one_document_the_next_is_done(
    two, monkeypatch, capfdbinary, line, function
):
    fail_once(monkeypatch, function)

    code = run([*line.split(), *two])

    out, err = capfdbinary.readouterr()
    assert code == 2
    assert b"Traceback" not in err
    assert err.count(b"is a fault of tlex; please report it: IndexError: list index") == 1
    assert f"tlex: {two[0]}: tlex failed".encode() in err
    assert out.strip()


@pytest.mark.parametrize(
    ("line", "function"),
    [
        ("score {a} {b}", "comparison.scoring.Scorer.compare"),
        ("diff {a} {b}", "comparison.diffing.Differ.compare"),
        ("agree {a} {b}", "comparison.agreeing.Comparer.compare"),
    ],
)
def test_after_a_fault_in_one_pair_the_next_is_compared(
    tmp_path, monkeypatch, capfd, line, function
):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        for name in ("x.tml", "y.tml"):
            shutil.copy(CONTRADICTION, tmp_path / folder / name)
    module, owner, _ = function.rsplit(".", 2)
    __import__(f"tlex.{module}")
    kind = getattr(sys.modules[f"tlex.{module}"], owner)
    good = kind.compare

    def fail(self, name, *given, **options):
        if name == "x.tml":
            raise ZeroDivisionError("division by zero")
        return good(self, name, *given, **options)

    monkeypatch.setattr(kind, "compare", fail)

    code = run(line.format(a=tmp_path / "a", b=tmp_path / "b").split())

    out, err = capfd.readouterr()
    assert code == 2
    assert "x.tml: tlex failed, which is a fault of tlex" in err
    assert "ZeroDivisionError: division by zero (test_batches.py:" in err
    assert "x.tml" not in out


def test_a_reader_that_fails_costs_one_file(two, monkeypatch, capfd):
    good = tlex.readers.read_all

    def fail(path, **options):
        if path == two[0]:
            raise RecursionError("too deep")
        return good(path, **options)

    monkeypatch.setattr("tlex.cli.documents.read_all", fail)

    code = run(["extract", *two])

    out, err = capfd.readouterr()
    assert code == 2
    assert err.startswith(f"tlex: {two[0]}: tlex failed")
    assert "second.tml" in out


def test_when_memory_is_short_for_one_document_the_next_is_done(two, monkeypatch, capfd):
    good = tlex.cli.documents.extract

    def fail(document, **options):
        if document.name == two[0]:
            raise MemoryError
        return good(document, **options)

    monkeypatch.setattr("tlex.cli.documents.extract", fail)

    assert run(["extract", *two]) == 2

    assert "first.tml: there is not enough memory for this" in capfd.readouterr().err


@pytest.mark.parametrize(
    "line", ["extract", "check", "fix", "closure", "draw", "convert --to json", "events", "decode"]
)
def test_a_name_that_is_too_long_costs_one_file(two, capfd, line):
    code = run([*line.split(), LONG, two[1]])

    out, err = capfd.readouterr()
    assert code == 2
    assert f"{LONG}: " in err
    assert "cannot be read: File name too long" in err
    assert "the output" not in err
    assert out.strip()


@pytest.mark.parametrize(
    "line", ["relation {} a b", "ask {} x", "view {}", "merge {}", "diff {} -"]
)
def test_a_name_that_is_too_long_is_explained(capfd, line):
    assert run(line.format(LONG).split()) == 2

    assert "File name too long" in capfd.readouterr().err


@pytest.mark.parametrize("line", ["fix -o {}", "fix --patch {}", "closure -o {}", "merge -o {}"])
def test_a_name_that_is_too_long_to_be_written_is_explained(two, capfd, line):
    assert run([*line.format(f"{LONG}/x.json").split(), two[0]]) == 2

    err = capfd.readouterr().err
    assert LONG in err
    assert "cannot be" in err


def test_a_path_that_may_not_be_searched_is_neither_file_nor_directory(monkeypatch):
    def refuse(path, *_, **__):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("os.stat", refuse)

    assert not is_directory("closed/a.tml")
    assert not is_plain_file("closed/a.tml")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may search all")
@pytest.mark.parametrize(
    "line", ["extract", "check", "fix", "closure", "draw", "convert --to json"]
)
def test_a_file_in_a_directory_that_may_not_be_searched_costs_only_itself(
    two, tmp_path, capfd, line
):
    closed = tmp_path / "closed"
    closed.mkdir()
    shutil.copy(CONTRADICTION, closed / "a.tml")
    closed.chmod(0o600)

    try:
        code = run([*line.split(), str(closed / "a.tml"), two[1]])
    finally:
        closed.chmod(0o700)

    out, err = capfd.readouterr()
    assert code == 2
    assert "a.tml: cannot be read: Permission denied" in err or "a.tml: TLX004" in err + out
    assert "the output" not in err
    assert out.strip()


@pytest.mark.parametrize(
    "line", ["extract", "check", "fix", "closure", "draw", "convert --to json"]
)
def test_a_deleted_working_directory_costs_only_what_is_in_it(
    two, tmp_path, monkeypatch, capfd, line
):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    code = run([*line.split(), "x.tml", ".", two[1]])

    out, err = capfd.readouterr()
    assert code == 2
    assert "x.tml: cannot be read: No such file or directory" in err or "x.tml: TLX004" in err
    assert "output" not in err
    assert out.strip()
    monkeypatch.chdir(tmp_path)


class TestAnEditMeanwhile:
    """Somebody saves a file after it was read."""

    @pytest.fixture
    def editor(self, tmp_path, monkeypatch) -> Path:
        """Give a file that is saved by an editor as soon as its repair is found."""
        path = tmp_path / "a.tml"
        shutil.copy(CONTRADICTION, path)
        good = tlex.repair.fixes.FixTask.finish

        def finish(task):
            path.write_bytes(b"<TimeML>edited</TimeML>")
            return good(task)

        monkeypatch.setattr("tlex.repair.fixes.FixTask.finish", finish)
        return path

    @pytest.mark.parametrize("line", ["fix -w {0}", "fix {0} -o {0}", "fix {0} -o {1}"])
    def test_fix_leaves_the_file_as_it_is_now(self, editor, capfd, line):
        other = editor.with_name("b.tml")
        shutil.copy(CONTRADICTION, other)
        words = line.format(editor, editor.parent).split()

        code = run([*words, *([str(other)] if str(editor) not in words[3:] else [])])

        err = capfd.readouterr().err
        assert code == 2
        assert f"{editor}: has changed since it was read; it is left as it is now" in err
        assert editor.read_bytes() == b"<TimeML>edited</TimeML>"
        assert sorted(os.listdir(editor.parent)) == ["a.tml", "b.tml"]  # noqa: PTH208
        if str(editor) not in words[3:]:  # the other one is changed
            assert other.read_bytes() != CONTRADICTION.read_bytes()

    def test_apply_leaves_the_file_as_it_is_now(self, tmp_path, capfd, monkeypatch):
        path, patch = tmp_path / "a.tml", tmp_path / "p.json"
        shutil.copy(CONTRADICTION, path)
        assert run(["fix", str(path), "--patch", str(patch)]) == 0
        good = CorrectedFiles.finish

        def finish(files):
            path.write_bytes(b"edited")
            return good(files)

        monkeypatch.setattr(CorrectedFiles, "finish", finish)

        assert run(["apply", str(patch), str(path)]) == 2

        assert "has changed since it was read" in capfd.readouterr().err
        assert path.read_bytes() == b"edited"

    def test_a_file_that_is_as_it_was_is_replaced(self, tmp_path):
        path = tmp_path / "a"
        path.write_bytes(b"old")

        write_atomically(path, b"new", before=b"old")

        assert path.read_bytes() == b"new"
