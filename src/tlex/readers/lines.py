"""Text in lines, for formats other than XML: decodes it, and gives the place of each line."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import NamedTuple

from tlex.errors import NotWellFormedError, TooLargeError
from tlex.readers.xml import detect_encoding
from tlex.source import Source

__all__ = ["MAX_LINE", "Line", "Lines", "decode", "split_lines"]

_LINE = re.compile(r"[^\r\n]+")
MAX_LINE = 1 << 16
"""The longest line of a table or graph, in characters."""


class Lines(Source):
    """The bytes of a file in which each noun is a line."""

    __slots__ = ()

    def find_end(self, start: int, most: int | None = None) -> int:
        """Find the byte offset behind the last character of the line."""
        stop = len(self.data) if most is None else start + most
        line = _LINE.match(self.data[start:stop].decode(self.encoding, "replace"))
        return start + len(line[0].encode(self.encoding)) if line else start


class Line(NamedTuple):
    """A line without its end, and the byte offset at which it begins."""

    text: str
    start: int


def decode(source: Source, name: str) -> str:
    """Decode a file, without a byte-order mark; an error names the first byte that is no text."""
    try:
        text = source.data.decode(source.encoding)
    except UnicodeDecodeError as error:
        line, column = source.position(error.start)
        message = f"not {source.encoding.upper()}: {error.reason}"
        raise NotWellFormedError(message, name=name, line=line, column=column) from None
    return text.removeprefix("\ufeff")


def split_lines(
    data: bytes, name: str, encoding: str | None = None
) -> tuple[Lines, Iterator[Line]]:
    """Give the file and its lines, without the empty ones. A line that is too long is refused."""
    if data.startswith(codecs.BOM_UTF8):
        encoding = "utf-8"
    source = Lines(data, encoding or detect_encoding(data))
    return source, _walk(source, decode(source, name), name)


def _walk(source: Source, text: str, name: str) -> Iterator[Line]:
    at, before = len(source.data) - len(text.encode(source.encoding)), 0
    for line in _LINE.finditer(text):
        at += len(text[before : line.start()].encode(source.encoding))
        before = line.start()
        if len(line[0]) > MAX_LINE:
            number, column = source.position(at)
            message = f"the line is longer than {MAX_LINE:,} characters"
            raise TooLargeError(message, name=name, line=number, column=column)
        yield Line(line[0], at)
