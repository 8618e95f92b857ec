"""Directories are walked in one order, and a file is written as a whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tlex import files
from tlex.errors import WriteError
from tlex.files import FileBeside, Found, make_directory, walk, write_atomically


class TestWalking:
    def test_files_come_before_directories_and_both_are_sorted(self, tmp_path):
        for name in ("b.tml", "a.tml", "Z/y.tml", "Z/x/w.tml", "c/d.tml"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).touch()

        found = list(walk(str(tmp_path)))

        names = ["a.tml", "b.tml", "Z/y.tml", "Z/x/w.tml", "c/d.tml"]
        assert found == [Found(str(tmp_path / name), name, "file") for name in names]
        assert sorted(walk(str(tmp_path), ordered=False)) == sorted(found)

    def test_hidden_files_and_what_is_omitted_are_passed_over(self, tmp_path):
        for name in (".a", ".git/b", "out/c", "out.tml", "d/out/e"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).touch()

        names = [one.name for one in walk(str(tmp_path), omit=str(tmp_path / "out"))]

        assert names == ["out.tml", "d/out/e"]

    def test_links_to_directories_and_pipes_are_told_apart(self, tmp_path):
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / "file").touch()
        (tmp_path / "b").symlink_to("a")
        (tmp_path / "c").symlink_to("a/file")
        (tmp_path / "d").symlink_to("nowhere")
        os.mkfifo(tmp_path / "e")

        kinds = {one.name: one.kind for one in walk(str(tmp_path))}

        assert kinds == {"b": "link", "c": "file", "d": "file", "e": "special", "a/file": "file"}

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may list everything")
    def test_a_directory_that_cannot_be_listed_is_reported(self, tmp_path):
        (tmp_path / "a").mkdir(mode=0)
        (tmp_path / "b").touch()

        found = list(walk(str(tmp_path)))

        assert [one.name for one in found] == ["b", "a"]
        assert found[1] == Found(str(tmp_path / "a"), "a", "closed", "Permission denied")

    def test_a_directory_that_is_not_there_is_reported(self, tmp_path):
        missing = str(tmp_path / "missing")

        assert list(walk(missing)) == [Found(missing, "", "closed", "No such file or directory")]


class TestWriting:
    @pytest.mark.parametrize("before", [None, b"old"])
    def test_the_content_may_come_part_by_part(self, tmp_path, before):
        path = tmp_path / "a.tml"
        path.write_bytes(b"old")

        write_atomically(path, (part for part in (b"a", b"", b"bc")), before=before)

        assert path.read_bytes() == b"abc"

    def test_if_a_part_cannot_be_made_the_old_file_stays(self, tmp_path):
        path = tmp_path / "a.tml"
        path.write_bytes(b"old")

        def fail():
            yield b"new"
            raise RuntimeError("no more")

        with pytest.raises(RuntimeError, match="no more"):
            write_atomically(path, fail())

        assert path.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [path]

    def test_a_new_file_has_the_permissions_of_any_new_file(self, tmp_path):
        (tmp_path / "usual").touch()

        write_atomically(tmp_path / "new.tml", b"new")

        assert (tmp_path / "new.tml").read_bytes() == b"new"
        assert (tmp_path / "new.tml").stat().st_mode == (tmp_path / "usual").stat().st_mode

    @pytest.mark.parametrize("mode", [0o600, 0o644, 0o755])
    def test_a_file_keeps_its_permissions(self, tmp_path, mode):
        path = tmp_path / "old.tml"
        path.write_bytes(b"old")
        path.chmod(mode)

        write_atomically(path, b"new")

        assert path.read_bytes() == b"new"
        assert stat.S_IMODE(path.stat().st_mode) == mode
        assert os.listdir(tmp_path) == ["old.tml"]  # noqa: PTH208 -- hidden files too

    def test_a_name_may_be_as_long_as_the_system_allows(self, tmp_path):
        path = tmp_path / ("😀" * 63)

        write_atomically(path, b"new")

        assert path.read_bytes() == b"new"

    def test_a_link_stays_a_link(self, tmp_path):
        (tmp_path / "real.tml").write_bytes(b"old")
        (tmp_path / "link.tml").symlink_to("real.tml")

        write_atomically(tmp_path / "link.tml", b"new")

        assert (tmp_path / "link.tml").is_symlink()
        assert (tmp_path / "real.tml").read_bytes() == b"new"

    def test_a_pipe_is_written_to_and_not_replaced(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        end = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)

        write_atomically(tmp_path / "pipe", b"new")

        assert os.read(end, 9) == b"new"
        assert (tmp_path / "pipe").is_fifo()
        os.close(end)

    @pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no /dev/fd here")
    def test_a_pipe_without_a_name_is_written_to(self):
        end, other = os.pipe()

        write_atomically(f"/dev/fd/{other}", b"new")

        assert os.read(end, 9) == b"new"
        os.close(end)
        os.close(other)

    @pytest.mark.parametrize(
        ("path", "reason"),
        [
            ("nowhere/new.tml", "No such file or directory"),
            (".", "Is a directory"),
            ("a\0b", "null"),
        ],
    )
    def test_what_cannot_be_written_is_named(self, tmp_path, monkeypatch, path, reason):
        monkeypatch.chdir(tmp_path)

        with pytest.raises(WriteError, match=f"cannot be written: .*{reason}"):
            write_atomically(path, b"new")

    @pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, MemoryError])
    def test_whatever_happens_the_old_file_stays_and_nothing_is_left(
        self, tmp_path, monkeypatch, error
    ):
        path = tmp_path / "old.tml"
        path.write_bytes(b"old")

        def fail(*_):
            raise error

        monkeypatch.setattr("os.fsync", fail)
        with pytest.raises(WriteError if error is OSError else error):
            write_atomically(path, b"new")

        assert path.read_bytes() == b"old"
        assert os.listdir(tmp_path) == ["old.tml"]  # noqa: PTH208

    def test_a_file_that_is_given_up_leaves_the_old_one(self, tmp_path):
        path = tmp_path / "old.tml"
        path.write_bytes(b"old")

        new = FileBeside(path)
        new.file.write(b"new")
        new.discard()

        assert path.read_bytes() == b"old"
        assert os.listdir(tmp_path) == ["old.tml"]  # noqa: PTH208

    def test_no_link_leads_out_of_the_directory_within_which_is_written(self, tmp_path):
        home, outside = tmp_path / "home", tmp_path / "outside"
        for folder in (home, outside):
            folder.mkdir()
            (folder / "one.tml").write_bytes(b"old")
        (home / "inner.tml").symlink_to("one.tml")
        (home / "link.tml").symlink_to(outside / "one.tml")
        (home / "folder").symlink_to(outside)
        os.mkfifo(home / "pipe")

        write_atomically(home / "inner.tml", b"new", before=b"old", within=home)
        for name in ("link.tml", "folder/one.tml", "pipe"):
            with pytest.raises(WriteError):
                write_atomically(home / name, b"new", before=b"old", within=home)

        assert (home / "one.tml").read_bytes() == b"new"
        assert [(path.name, path.read_bytes()) for path in outside.iterdir()] == [
            ("one.tml", b"old")
        ]
        assert (home / "pipe").is_fifo()
        assert not [path for path in home.iterdir() if path.name.startswith(".")]

    def test_a_directory_is_made_with_those_above_it(self, tmp_path):
        make_directory(tmp_path / "a" / "b")
        make_directory(tmp_path / "a" / "b")

        assert (tmp_path / "a" / "b").is_dir()

    def test_a_directory_that_cannot_be_made_is_named(self, tmp_path):
        (tmp_path / "a").touch()

        with pytest.raises(WriteError, match="a/b: cannot be made: Not a directory"):
            make_directory(tmp_path / "a" / "b")


def test_what_a_signal_left_behind_is_removed_when_the_process_ends(tmp_path, monkeypatch):
    def end(*_: object) -> None:
        raise SystemExit(143)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fdopen", end)  # a signal comes when the file has just been made
        with pytest.raises(SystemExit):
            write_atomically(tmp_path / "a.tml", b"new")
    assert [path.name[:6] for path in tmp_path.iterdir()] == [".a.tml"]

    files._discard_begun()  # noqa: SLF001 -- what Python calls at the end

    assert not [*tmp_path.iterdir()]
    write_atomically(tmp_path / "a.tml", b"new")
    assert not files._begun.keys() & {*tmp_path.iterdir()}  # noqa: SLF001
