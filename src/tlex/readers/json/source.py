"""The bytes of a JSON file, and where its nouns are in them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from contextlib import suppress
from operator import itemgetter

import msgspec

from tlex.source import NOWHERE, Source

__all__ = ["ForgivenSource", "JsonSource", "Span", "find_places"]

Span = tuple[int, int]

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[][{}:]', re.DOTALL)
_VALUE = re.compile(rb'\s*("[^"\\]*(?:\\.[^"\\]*)*"|[^][{},"\s]+)')
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_CONTENT = rb'(?:[^]\[{}"]++|%b)*+' % _STRING
_OPEN = re.compile(rb"[\[{]")
_KEY = re.compile(
    rb'[^]\[{}"]*+(?:(?P<key>%b)\s*+:|(?P<string>%b)|(?P<open>[\[{])|[]}])' % (_STRING, _STRING),
    re.DOTALL,
)
_MEMBER = re.compile(
    rb"%b(?:(?P<flat>[\[{]%b[]}])|(?P<open>[\[{])|[]}])" % (_CONTENT, _CONTENT), re.DOTALL
)


class JsonSource(Source):
    """A JSON file in UTF-8 without a byte-order mark; each noun is an object.

    ``original`` are the bytes of the file, which may be in another encoding. ``many`` says that the
    file has a document on each line.
    """

    __slots__ = ("_codec", "_homes", "_known", "_mark", "_original", "many")

    def __init__(
        self, original: bytes, data: bytes, codec: str, mark: bytes, *, many: bool
    ) -> None:
        super().__init__(data, "utf-8")
        self._codec, self._mark, self._original = codec, mark, original
        self.many = many
        self._known: dict[int, tuple[int, int]] = {}
        self._homes: list[tuple[int, str]] = []

    @property
    def original(self) -> bytes:
        """The bytes of the file as they are."""
        return self._original

    def edit(self, data: bytes) -> JsonSource | None:
        """Give the file with other content, in its own encoding and with its byte-order mark.

        None if the encoding cannot write the content, or writes what is there in another way.
        """
        try:
            if self._encode(self.data) != self._original:
                return None
            return JsonSource(self._encode(data), data, self._codec, self._mark, many=self.many)
        except UnicodeEncodeError:
            return None

    def _encode(self, data: bytes) -> bytes:
        return self._mark + (data if self._codec == "utf-8" else data.decode().encode(self._codec))

    def remember(self, start: int, name: str, places: dict[int, tuple[int, int]]) -> None:
        """Take over the lines and columns of the file that a part of this one was read from.

        The parts are given in order: where each begins, the name of its document, and the places
        of its nouns by their offset here.
        """
        self._homes.append((start, name))
        self._known.update(places)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, in the file that the noun there was first read from."""
        return self._known.get(offset) or super().position(offset)

    def positions(self, offsets: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Line and column of many offsets."""
        if not self._known:
            return super().positions(offsets)
        asked = set(offsets)
        others = super().positions(asked.difference(self._known))
        return {**others, **{at: self._known[at] for at in asked.intersection(self._known)}}

    def find_home(self, offset: int) -> str | None:
        """Find the name of the document whose lines `position` counts; None if it is this file."""
        if offset not in self._known:
            return None
        return self._homes[bisect_right(self._homes, offset, key=itemgetter(0)) - 1][1]

    def find_end(self, start: int, most: int | None = None) -> int:
        """Find the byte offset behind the object that begins at an offset."""
        stop = len(self.data) if most is None else start + most
        depth = 0
        for token in _TOKEN.finditer(self.data, start, stop):
            depth += (token[0] in b"[{") - (token[0] in b"]}")
            if not depth:
                return token.end()
        return NOWHERE

    def find_document(self, offset: int) -> Span:
        """Find where the document begins and ends that an offset lies in."""
        if not self.many:
            return 0, len(self.data)
        end = self.data.find(b"\n", offset)
        return self.data.rfind(b"\n", 0, offset) + 1, len(self.data) if end < 0 else end

    def find_value(self, start: int, key: str) -> Span | None:
        """Find the value of a member of the object that begins at an offset, if it is no list.

        Of a repeated key the last counts.
        """
        found = None
        depth, before = 0, b""
        for token in _TOKEN.finditer(self.data, start):
            word = token[0]
            depth += (word in b"[{") - (word in b"]}")
            if word == b":" and depth == 1 and _read_key(before) == key:
                value = _VALUE.match(self.data, token.end())
                found = None if value is None else value.span(1)
            before = word
            if not depth:
                break
        return found


class ForgivenSource(Source):
    """A file whose JSON was not tlex's to the letter, in UTF-8; it is not changed in place.

    ``original`` are the bytes of the file; ``ends`` has the ends of nouns by their starts.
    """

    __slots__ = ("_ends", "_original")

    editable = False

    def __init__(self, original: bytes, data: bytes) -> None:
        super().__init__(data, "utf-8")
        self._original = original
        self._ends: dict[int, int] = {}

    @property
    def original(self) -> bytes:
        """The bytes of the file as they are."""
        return self._original

    def remember(self, ends: dict[int, int]) -> None:
        """Take over where nouns end."""
        self._ends.update(ends)

    def find_end(self, start: int, most: int | None = None) -> int:
        """Find the byte offset behind the noun that begins at an offset."""
        end = self._ends.get(start, NOWHERE)
        return NOWHERE if most is not None and end > start + most else end


def find_places(data: bytes, span: Span, repeated: set[str] | None = None) -> dict[str, list[int]]:
    """Find where each member of the document's lists begins; and keys that are ``repeated``.

    A member without a list or an object in it is passed over at once.
    """
    places: dict[str, list[int]] = {}
    key = ""
    opened = _OPEN.search(data, *span)
    depth, at = (1, opened.end()) if opened else (0, 0)
    while depth and (token := (_KEY if depth == 1 else _MEMBER).match(data, at, span[1])):
        at = token.end()
        kind = token.lastgroup
        if kind == "key":
            key = _read_key(token[kind])
            if repeated is not None and key in places:
                repeated.add(key)
            places[key] = []  # of a repeated key the last counts
        elif kind in {"open", "flat"}:
            if depth == len(("document", "list")):
                places.setdefault(key, []).append(token.start(kind))
            depth += kind == "open"
        elif kind is None:
            depth -= 1
    return places


def _read_key(token: bytes) -> str:
    """Give the name of a member, which may be written with escapes."""
    if b"\\" in token:
        with suppress(msgspec.DecodeError):
            return msgspec.json.decode(token, type=str)
    return token.decode("utf-8", "replace").strip('"')
