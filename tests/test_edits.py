"""Changing a file: every other byte stays, and it is written as a whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tlex.document import Source
from tlex.edits import apply_edits, removal_of, remove_elements, write_atomically
from tlex.errors import WriteError


def remove(text: str, *elements: str, encoding: str = "utf-8") -> str:
    """Take elements out of a text, each by its first occurrence."""
    source = Source(text.encode(encoding), encoding)
    places = []
    for element in elements:
        start = len(text[: text.index(element)].encode(encoding))
        places.append((start, start + len(element.encode(encoding))))
    return apply_edits(source.data, remove_elements(source, places)).decode(encoding)


def test_edits_in_any_order_change_their_spans_and_nothing_else():
    edits = [(8, 13, b"3"), (0, 3, b"1"), (4, 4, b"and "), (13, 13, b".")]

    assert apply_edits(b"one two three", edits) == b"1 and two 3."


def test_insertions_at_one_place_keep_their_order_and_come_first():
    edits = [(3, 3, b"a"), (3, 5, b"c"), (3, 3, b"b")]

    assert apply_edits(b"012345", edits) == b"012abc5"


@pytest.mark.parametrize(
    "edits", [[(0, 3, b""), (2, 4, b"")], [(3, 2, b"")], [(0, 9, b"")], [(-2, 1, b"")]]
)
def test_edits_that_overlap_or_leave_the_file_are_a_mistake(edits):
    with pytest.raises(ValueError, match="overlaps"):
        apply_edits(b"012345", edits)


@given(
    pieces=st.lists(st.tuples(st.binary(max_size=4), st.binary(max_size=4)), max_size=6),
    news=st.lists(st.binary(max_size=4), min_size=6, max_size=6),
)
def test_what_is_not_edited_stays(pieces, news):
    data, wanted, edits = b"", b"", []
    for (kept, old), new in zip(pieces, news, strict=False):
        start = len(data + kept)
        edits.append((start, start + len(old), new))
        data += kept + old
        wanted += kept + new

    assert apply_edits(data, edits) == wanted
    assert apply_edits(data, []) == data


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "iso-8859-1"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_an_element_alone_on_its_line_takes_the_line_with_it(encoding, end):
    text = end.join(["<T>é", " \t<L/> ", "", "end</T>"])

    assert remove(text, "<L/>", encoding=encoding) == end.join(["<T>é", "", "end</T>"])


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a\n<L/>b\n", "a\nb\n"),
        ("a <L/>\nb\n", "a \nb\n"),
        ("a <L/> b", "a  b"),
        ("<L/>\nb", "b"),
        ("a\n<L/>", "a\n"),
        ("a\n\n<L/>\n\nb", "a\n\n\nb"),
        ("a\u2000\n\u2000<L/>\n", "a\u2000\n\u2000\n"),
    ],
)
def test_beside_anything_else_only_the_element_goes(text, left):
    assert remove(text, "<L/>") == left


def test_elements_that_share_a_line_with_nothing_else_take_it_with_them():
    text = "a\n  <L1/> <L2/><L3/>\nb <L4/><L5/>\n<L6/> x <L7/>\n"

    left = remove(text, *(f"<L{n}/>" for n in (3, 2, 1, 4, 5, 6, 7)))

    assert left == "a\nb \n x \n"


def test_a_letter_of_two_bytes_is_no_blank_in_utf_16():
    text = "a\n<L1/>\u0920<L2/>\n"

    assert remove(text, "<L1/>", "<L2/>", encoding="utf-16-le") == "a\n\u0920\n"


def test_the_span_of_a_lone_element_is_its_line():
    source = Source(b"a\n  <L/>\nb", "utf-8")

    assert removal_of(source, 4, 8) == (2, 9)


class TestWriting:
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
