"""The bytes of a file, and the way from a place in them to a line and column."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

__all__ = ["NOWHERE", "Source"]

NOWHERE = -1


_HIGH, _LOW = 0xD8 >> 2, 0xDC >> 2
"""How the halves of a surrogate pair begin in UTF-16."""


_STRIDE = 4096


class Source:
    r"""The bytes of a file, and the way from a byte offset to a line and column.

    >>> Source("one\ntwö three".encode(), "utf-8").position(9)
    (2, 5)
    """

    __slots__ = ("_marks", "_plain", "_sha256", "data", "encoding")

    editable = True
    """Whether the links of the file can be changed, if its format allows it at all."""

    def __init__(self, data: bytes, encoding: str) -> None:
        self.data = data
        self.encoding = encoding
        self._marks: list[tuple[int, int, int]] = []
        self._plain: bool | None = None
        self._sha256 = ""

    @property
    def sha256(self) -> str:
        """The SHA-256 of the bytes, in hexadecimal digits."""
        if not self._sha256:
            from hashlib import sha256  # noqa: PLC0415 -- loads OpenSSL

            self._sha256 = sha256(self.data).hexdigest()
        return self._sha256

    def __repr__(self) -> str:
        return f"<Source of {len(self.data):,} bytes, {self.encoding}>"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Source):
            return NotImplemented
        same = self.data == other.data and self.encoding == other.encoding
        if same:  # bytes that are one object are compared in no time, for each noun of a document
            self.data = other.data
        return same

    def __hash__(self) -> int:
        return hash((self.data, self.encoding))

    @property
    def original(self) -> bytes:
        """The bytes of the file as they are; ``data`` may be the same text in another encoding."""
        return self.data

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a byte offset, both from 1, the column in characters.

        A line ends at LF, CR or CRLF. A byte-order mark takes no column. Offsets, lines and
        columns of every few thousand bytes are remembered, so that long files and long lines cost
        little however often one asks.
        """
        if not self._marks:
            self._set_marks()
        return self._advance(self._find_mark(offset), offset)[1:]

    def positions(self, offsets: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Line and column of many offsets, none inside a character or a CRLF, in one pass.

        The pass begins near the first offset: a file may have very many documents.
        """
        wanted = sorted(set(offsets))
        if not wanted:
            return {}
        mark = self._find_mark(wanted[0])
        if self._is_plain():
            return self._list_plain(mark, wanted)
        found = {}
        for offset in wanted:
            mark = self._advance(mark, max(offset, mark[0]))
            found[offset] = mark[1:]
        return found

    def find_end(self, start: int, most: int | None = None) -> int:  # noqa: ARG002
        """Find the byte offset behind the noun that begins at an offset; -1 if that is unknown.

        Each format has a source of its own that knows: see `tlex.markup.Markup` for XML.
        With ``most``, only so many bytes are looked at; -1 if the noun is longer than that.
        """
        return NOWHERE

    def find_home(self, offset: int) -> str | None:  # noqa: ARG002
        """Find the name of the document whose lines `position` counts; None if it is this file."""
        return None

    def find_piece(self, offset: int) -> tuple[Source, int]:
        """Find the file in which an offset lies, and its offset there."""
        return self, offset

    def _set_marks(self) -> None:
        size = len(self.data)
        mark = self._first_mark()
        self._marks = [mark]
        unit = 2 if self.encoding.startswith("utf-16") else 1
        while mark[0] + _STRIDE < size:
            end = mark[0] + _STRIDE
            while end < size and self._splits(end, unit):
                end += unit
            mark = self._advance(mark, end)
            self._marks.append(mark)

    def _splits(self, offset: int, unit: int) -> bool:
        """Whether an offset stands inside a character, or between CR and LF."""
        around = self.data[offset - unit : offset + unit]
        if around == "\r\n".encode(self.encoding):
            return True
        if unit > 1:
            first, second = (0, 2) if self.encoding == "utf-16-be" else (1, 3)
            return around[first] >> 2 == _HIGH and around[second] >> 2 == _LOW
        return self.encoding == "utf-8" and around[1] & 0xC0 == 0x80  # noqa: PLR2004

    def _find_mark(self, offset: int) -> tuple[int, int, int]:
        """Find the last known place before an offset."""
        if not self._marks:
            if offset <= _STRIDE:
                return self._first_mark()
            self._set_marks()
        place = bisect_right(self._marks, (offset, len(self.data) + 1, 0))
        return self._marks[max(place - 1, 0)]

    def _first_mark(self) -> tuple[int, int, int]:
        has_mark = self.data[:4].decode(self.encoding, "ignore").startswith("\ufeff")
        return len("\ufeff".encode(self.encoding)) if has_mark else 0, 1, 1

    def _is_plain(self) -> bool:
        """Whether each byte is a character, and lines end with LF only."""
        if self._plain is None:
            data = self.data
            self._plain = self.encoding == "utf-8" and data.isascii() and b"\r" not in data
        return self._plain

    def _list_plain(
        self, mark: tuple[int, int, int], wanted: list[int]
    ) -> dict[int, tuple[int, int]]:
        """Line and column of offsets behind a known place, where `_is_plain` holds."""
        at, line, column = mark
        lines = self.data[at : wanted[-1]].split(b"\n")
        ends = list(accumulate([len(one) + 1 for one in lines], initial=at))[:0:-1]
        ends[0] = wanted[-1] + 1  # an offset may lie behind the file
        begin, end = at - column + 1, ends.pop()  # of the line of the known place
        found = {}
        for offset in wanted:
            while offset >= end:
                begin, end = end, ends.pop()
                line += 1
            found[offset] = line, offset - begin + 1
        return found

    def _advance(self, mark: tuple[int, int, int], offset: int) -> tuple[int, int, int]:
        """Go on from a known place to a later offset."""
        at, line, column = mark
        if self._is_plain():
            data, end = self.data, min(offset, len(self.data))
            last = data.rfind(b"\n", at, end)
            if last < 0:
                return offset, line, column + end - at
            return offset, line + data.count(b"\n", at, end), end - last
        text = self.data[at:offset].decode(self.encoding, "replace")
        last = text.rfind("\n")
        if "\r" in text:
            last = max(last, text.rfind("\r"))
            line += text.count("\r") - text.count("\r\n")
        if last < 0:
            return offset, line, column + len(text)
        return offset, line + text.count("\n"), len(text) - last
