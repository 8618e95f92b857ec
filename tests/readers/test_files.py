"""Files as they come: recognised, missing, unreadable, empty, too large, or no XML at all."""

from __future__ import annotations

import contextlib
import io
import os
from encodings import aliases
from pathlib import Path

import pytest

import tlex
from tlex.errors import (
    NotRecognisedError,
    NotWellFormedError,
    ReadError,
    RefusedError,
    TooLargeError,
)
from tlex.export import convert
from tlex.export.link_changes import add_links
from tlex.readers import MAX_BYTES, load
from tlex.readers.diagnostics import MOST, count_unknown_labels
from tlex.records import EntailedLink
from tlex.source import Source

SINGLE = (
    *("ascii", "latin_1", *(f"iso8859_{n}" for n in range(2, 17) if n != 12)),
    *(f"cp125{n}" for n in range(9)),
    *("cp437", "cp775", "cp850", "cp852", "cp855", "cp857", "cp860", "cp861", "cp862", "cp863"),
    *("cp865", "cp866", "cp869", "hp_roman8", "koi8_r", "koi8-u", "kz1048", "mac_roman"),
    *("ptcp154", "tis_620"),
)
"""Encodings with one byte for a character, by the names of Python."""

SMALL = '<TimeML>It <EVENT eid="e1">rained</EVENT>.</TimeML>'


@pytest.fixture
def small(tmp_path) -> Path:
    path = tmp_path / "small.tml"
    path.write_text(SMALL)
    return path


def test_a_path_may_be_a_string_or_a_path(small):
    for path in (small, str(small)):
        document = tlex.read(path)

        assert (document.name, document.text) == (str(small), "It rained.")


def test_read_all_gives_the_one_document_of_a_timeml_file(small):
    (document,) = tlex.read_all(small)

    assert document.text == "It rained."


def test_what_is_parsed_can_be_named():
    assert tlex.parse(SMALL).name == "<document>"
    assert tlex.parse(SMALL, name="mine").name == "mine"


# --- what cannot be opened ----------------------------------------------------------------------


def test_a_missing_file_is_named(tmp_path):
    path = tmp_path / "nowhere.tml"

    with pytest.raises(ReadError, match="No such file") as caught:
        tlex.read(path)

    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_directory_is_no_file(tmp_path):
    with pytest.raises(ReadError, match="directory") as caught:
        tlex.read(tmp_path)

    assert caught.value.name == str(tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads anything")
def test_an_unreadable_file_is_named(small):
    small.chmod(0)

    with pytest.raises(ReadError, match="denied"):
        tlex.read(small)


def test_whatever_the_system_says_becomes_a_read_error(small, monkeypatch):
    def refuse(*_args, **_options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.open", refuse)

    with pytest.raises(ReadError, match="cannot be read: Permission denied"):
        tlex.read(small)


def test_an_error_without_words_is_reported_too(small, monkeypatch):
    def refuse(*_args, **_options):
        raise OSError("out of order")

    monkeypatch.setattr("os.open", refuse)

    with pytest.raises(ReadError, match="cannot be read: out of order"):
        tlex.read(small)


def test_a_file_is_closed_whatever_becomes_of_it(small, tmp_path):
    bad = tmp_path / "bad.tml"
    bad.write_bytes(b"<TimeML>")
    known = os.open(small, os.O_RDONLY)
    os.close(known)

    for path in (small, bad, tmp_path):
        with contextlib.suppress(ReadError):
            tlex.read(path)

    again = os.open(small, os.O_RDONLY)
    os.close(again)
    assert again == known


@pytest.mark.parametrize(
    ("expected", "pieces", "asked"),
    [
        (6, [b"abcdef"], [7]),
        (6, [b"abc", b"def", b""], [7, 1 << 16, 1 << 16]),
        (3, [b"abcd", b"ef", b""], [4, 1 << 16, 1 << 16]),
        (0, [b"abcdef", b""], [1 << 16, 1 << 16]),
    ],
    ids=["whole", "in pieces", "it grows", "a pipe"],
)
def test_a_file_is_read_to_its_end_in_as_few_pieces_as_it_gives(expected, pieces, asked):
    sizes: list[int] = []

    def read(size: int) -> bytes:
        sizes.append(size)
        return pieces[len(sizes) - 1]

    assert load(read, "x", 100, expected) == b"abcdef"
    assert sizes == asked


@pytest.mark.parametrize("limit", [5, 0, -1, -2])
@pytest.mark.parametrize("expected", [0, 6])
def test_what_is_too_large_is_refused_however_it_comes(limit, expected):
    with pytest.raises(TooLargeError):
        load(io.BytesIO(b"abcdef").read, "x", limit, expected)


@pytest.mark.parametrize("path", ["a\0b.tml", "x" * 5000, ""])
def test_a_path_that_no_file_can_have_is_a_read_error(path):
    with pytest.raises(ReadError) as caught:
        tlex.read(path)

    assert "\0" not in str(caught.value)


@pytest.mark.parametrize("content", [None, 7, ["<TimeML/>"], {"a": 1}], ids=repr)
def test_only_text_and_bytes_can_be_parsed(content):
    with pytest.raises(tlex.OptionError, match="expected a str or bytes"):
        tlex.parse(content)


# --- what holds no document ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" ",
        b"\n\r\n\t ",
        b"\xef\xbb\xbf",
        b"\xef\xbb\xbf \n",
        b"\xff\xfe",
        b"\xfe\xff",
        "\ufeff \n".encode("utf-16-le"),
    ],
)
def test_an_empty_file_is_called_empty(data, tmp_path):
    path = tmp_path / "empty.tml"
    path.write_bytes(data)

    with pytest.raises(NotRecognisedError) as caught:
        tlex.read(path)

    assert str(caught.value) == f"{path}:1:1: the file is empty"


BINARY = {
    "every byte": bytes(range(256)),
    "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1",
    "zip": b"PK\3\4\x14\0\0\0\x08\0",
    "gzip": b"\x1f\x8b\x08\0\0\0\0\0\0\xff",
    "zeros": bytes(1000),
    "elf": b"\x7fELF\2\1\1" + bytes(60),
    "utf-32": "<TimeML/>".encode("utf-32"),
}


@pytest.mark.parametrize("data", BINARY.values(), ids=BINARY)
def test_a_binary_file_is_not_recognised(data):
    with pytest.raises(NotRecognisedError, match=r"binary|timeml") as caught:
        tlex.parse(data, name="picture.png")

    assert (caught.value.line, caught.value.column) == (1, 1)
    assert str(caught.value).startswith("picture.png:1:1: no reader recognises this file")


@pytest.mark.parametrize(
    "text",
    [
        "The ferry left.",
        "a < b and b > c",
        "{'json': 1}",
        "ab\n<TimeML/>",
        "1) <token>: token of the document\n2) <Markables>",
        '\n$line = "<TLINK lid=1>";',
        "<a><body><p>The ferry left.</p></body></a>",
        "<!-- <TimeML> --><a/>",
        "<?php echo '<TimeML>' ?><a/>",
    ],
)
def test_a_file_of_another_format_is_not_recognised(text):
    with pytest.raises(NotRecognisedError, match="formats known here: timeml, cat, "):
        tlex.parse(text)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("<TimeML>\n <EVENT eid='e1'>a</TimeML>", 2, 21),
        ("<TimeML>\n <EVENT eid='e1'>a", 2, 19),
        ("<TimeML>\nab & c</TimeML>", 2, 5),
        ("<TimeML>\nab <- c</TimeML>", 2, 5),
        ("<TimeML/>\n<TimeML/>", 2, 1),
        ("<TimeML/>\nand more", 2, 1),
        ("<TimeML>\n<EVENT eid=e1/></TimeML>", 2, 12),
        ("<TimeML>\n<EVENT eid='1' eid='2'/></TimeML>", 2, 16),
        ("<TimeML>\n\né\x07</TimeML>", 3, 2),
        ("<TimeML>\n<!-- a -- b --></TimeML>", 2, 10),
        ("\n<?xml version='1.0'?><TimeML/>", 2, 1),
        ("<?xml version='1.0'?>ab\n<TimeML/>", 1, 22),
        ("<TimeML", 1, 1),
        ("<TimeML a='", 1, 1),
    ],
)
def test_broken_xml_is_one_error_with_its_place(text, line, column):
    for content in (text, text.encode()):
        with pytest.raises(NotWellFormedError) as caught:
            tlex.parse(content, name="x.tml")

        assert (caught.value.line, caught.value.column) == (line, column)
        assert str(caught.value).startswith(f"x.tml:{line}:{column}: not well-formed XML: ")
        assert "\n" not in str(caught.value)


# --- encodings that cannot be read --------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"<TimeML>\nab\xc3</TimeML>", 2, 3),
        (b"<TimeML>\nab\xc3", 2, 3),
        (b"<TimeML>\nab\xff</TimeML>", 2, 3),
        (b"<TimeML>\n\xc3\xa9\xed\xa0\x80</TimeML>", 2, 2),
        (b"<TimeML>\nab\0</TimeML>", 2, 3),
        (b'<?xml version="1.0" encoding="windows-1252"?><TimeML>\nab\x81</TimeML>', 2, 3),
        (b'<?xml version="1.0" encoding="us-ascii"?><TimeML>\nab\xe9</TimeML>', 2, 3),
        ("<TimeML>\nab\udc00</TimeML>".encode("utf-16-le", "surrogatepass"), 2, 3),
        ("<TimeML>\nab\ufffe</TimeML>".encode("utf-16-be"), 2, 3),
    ],
)
def test_bytes_that_are_not_in_the_encoding_are_reported_where_they_stand(data, line, column):
    with pytest.raises(NotWellFormedError) as caught:
        tlex.parse(data)

    assert (caught.value.line, caught.value.column) == (line, column)


def test_half_a_surrogate_pair_is_not_utf_16():
    with pytest.raises(NotWellFormedError):
        tlex.parse("<TimeML>\nab\ud800c</TimeML>".encode("utf-16-le", "surrogatepass"))


def list_codecs() -> set[str]:
    """List every codec of Python by one of its names."""
    found = {
        *("utf-8-sig", "koi8-u", "koi8-t", "cp720", "cp856", "cp874", "mac-arabic", "charmap"),
        *("unicode_escape", "raw_unicode_escape", "idna", "punycode", "undefined", "no-such-thing"),
    }
    return found | set(aliases.aliases.values())


@pytest.mark.parametrize("name", sorted(list_codecs()))
def test_an_encoding_is_one_that_can_be_read_and_written_or_it_is_refused(name):
    letter = bytes([0xE4]).decode(name, "ignore") if name in SINGLE else "a"
    event = f'<EVENT eid="e1">{letter}</EVENT><MAKEINSTANCE eiid="ei1" eventID="e1"/>'
    head = f'<?xml version="1.0" encoding="{name.replace("_", "-")}"?>\n'
    text = f"{head}<TimeML>{event}{event.replace('1', '2')}</TimeML>"

    if name not in SINGLE:
        if name not in {"utf_8", "utf_16"}:
            with pytest.raises(NotWellFormedError, match=r"encoding .* is none that XML and tlex"):
                tlex.parse(text.encode())
        return
    document = tlex.parse(text.encode(name))
    assert (len(document.nodes), document.text) == (2, letter * 2)
    new = EntailedLink(source="ei1", type="BEFORE", target="ei2", name="before")
    closed = add_links(document, [new])
    for written in (closed, convert(document, "timeml")[0]):
        again = tlex.parse(written)
        assert (len(again.nodes), again.text.rstrip()) == (2, document.text)


def test_in_an_encoding_of_single_bytes_each_byte_is_one_character():
    for name in SINGLE:
        for value in range(256):
            byte = bytes([value])
            letter = byte.decode(name, "ignore")
            assert not letter or letter.encode(name) == byte
            assert value >= 128 or ord(letter) == value


@pytest.mark.parametrize("name", ["utf8", "UTF8", "U8", "utf-8", "Utf_8"])
def test_utf_8_has_several_names(name):
    data = f'<?xml version="1.0" encoding="{name}"?><TimeML>caf\u00e9</TimeML>'.encode()

    assert tlex.parse(data).text == "caf\u00e9"


def test_places_among_surrogate_pairs_are_marked_every_few_thousand_bytes():
    source = Source(("\U0001d11e" * 20_000).encode("utf-16-le"), "utf-16-le")

    places = [source.position(offset) for offset in (0, 4, 40_000, 79_996)]

    assert places == [(1, 1), (1, 2), (1, 10_001), (1, 20_000)]
    assert len(source._marks) > 4  # noqa: SLF001 -- else each question would count from the start


def test_half_a_surrogate_pair_in_a_str_is_reported_where_it_stands():
    with pytest.raises(ReadError) as caught:
        tlex.parse("<TimeML>\nab\ud800</TimeML>")

    assert (caught.value.line, caught.value.column) == (2, 3)


# --- size ---------------------------------------------------------------------------------------


def test_the_limit_is_64_mb():
    assert MAX_BYTES == 64 * 2**20


def test_a_file_over_the_limit_is_refused_unread(tmp_path):
    path = tmp_path / "large.tml"
    with path.open("wb") as file:
        file.write(SMALL.encode())
        file.truncate(MAX_BYTES + 1)

    with pytest.raises(RefusedError) as caught:
        tlex.read(path)

    assert str(caught.value).startswith(f"{path}: the file is larger than 67,108,864 bytes")


def test_the_limit_can_be_lowered_and_is_inclusive(small):
    size = small.stat().st_size

    assert tlex.read(small, max_bytes=size).text == "It rained."
    assert tlex.parse(SMALL, max_bytes=size).text == "It rained."
    for call in (
        lambda: tlex.read(small, max_bytes=size - 1),
        lambda: tlex.read_all(small, max_bytes=size - 1),
        lambda: tlex.parse(SMALL, max_bytes=size - 1),
        lambda: tlex.parse(SMALL.encode(), max_bytes=size - 1),
    ):
        with pytest.raises(RefusedError, match=f"larger than {size - 1} bytes"):
            call()


def test_the_limit_can_be_raised(tmp_path):
    path = tmp_path / "large.tml"
    path.write_bytes(SMALL.encode() + b" " * MAX_BYTES)

    assert tlex.read(path, max_bytes=2 * MAX_BYTES).text == "It rained."


def test_of_very_many_problems_of_one_kind_the_rest_is_counted():
    head = '<!DOCTYPE TimeML SYSTEM "x.dtd"><TimeML><EVENT/>'

    document = tlex.parse(f"{head}{'&x;' * (MOST + 7)}</TimeML>")

    *listed, last = document.diagnostics
    assert last.message == "7 more of this kind are not listed"
    assert (last.code, last.severity) == ("TLX108", "warning")
    assert last.column == 1 + len(head) + 3 * MOST
    assert [problem.code for problem in listed] == ["TLX102", *["TLX108"] * MOST]
    assert len(tlex.check(document).findings) == MOST + 2


def test_of_very_many_links_of_unknown_type_the_rest_is_counted():
    document = tlex.parse("\n".join(["a SOON b"] * (MOST + 3)), format="plain")
    said = (one.message for one in document.diagnostics if one.code == "TLX103")

    first, last = count_unknown_labels(said)

    assert first.startswith(f"unknown label 'SOON' on {MOST:,} TLINKs")
    assert last == "3 more of this kind are not listed"
