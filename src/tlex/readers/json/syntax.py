"""JSON as people and language models write it: values with their places, and the liberties taken.

Forgiven is what has one meaning: comments, a comma too many or too few, single or curly quotes,
keys and words without quotes, line ends inside strings, Python's True, False and None. All else is
an error at its place. There is no recursion, so depth costs nothing but memory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

__all__ = ["BrokenError", "Value", "parse_values"]

_BLANK = re.compile(rb"(?:[ \t\r\n]+|\xc2\xa0|//[^\n]*|#[^\n]*|/\*.*?\*/)+", re.DOTALL)
_TOKEN = re.compile(
    rb"(?P<mark>[][{}:,])"
    rb'|(?P<string>"[^"\\]*(?:\\.[^"\\]*)*")'
    rb"|(?P<other>'[^'\\]*(?:\\.[^'\\]*)*'|\xe2\x80\x9c.*?\xe2\x80\x9d)"
    rb"|(?P<number>[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?(?![\w.]))"
    rb"|(?P<word>[-+]?[A-Za-z_$][A-Za-z0-9_$-]*)",
    re.DOTALL,
)
_PLAIN = (
    rb'(?P<value>"(?P<string>[^"\\\x00-\x1f]*)"'
    rb"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)(?![\w.+-])"
    rb"|(?P<word>true|false|null)\b)[ \t\r\n]*(?:(?P<comma>,)|(?=[]}]))"
)
_MEMBER = re.compile(rb"[ \t\r\n]*" + _PLAIN)
_PAIR = re.compile(rb'[ \t\r\n]*"(?P<key>[^"\\\x00-\x1f]*)"[ \t\r\n]*:[ \t\r\n]*' + _PLAIN)
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS = {"true": True, "false": False, "null": None}
_OTHER_WORDS = {"True": True, "False": False, "None": None, "undefined": None}
_NO_NUMBER = {"NaN", "nan", "Infinity", "-Infinity", "+Infinity", "inf", "-inf"}
_CLOSING = {"object": "}", "list": "]"}
_LONGEST = 40
_DEEPEST = 8
"""A path in a message names so many levels."""


Tell = Callable[[str, str, int], None]
"""Takes note of a liberty: what is done, the path, the byte offset."""


class BrokenError(Exception):
    """What cannot be read as JSON: why, where, and inside which value."""

    def __init__(self, message: str, offset: int, path: str) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.path = path


class Value(NamedTuple):
    """A value and its place in bytes.

    ``kind`` is object, list, string, number or word (true, false, null). An object has pairs of
    keys and values, a number is as written, and what is no number (NaN) is a word, None.
    """

    kind: str
    value: Any
    start: int
    end: int


class _Frame:
    """An object or a list that is not closed yet."""

    def __init__(self, kind: str, start: int) -> None:
        self.kind = kind
        self.start = start
        self.items: list[Any] = []
        self.key: tuple[str, int] | None = None  # of a pair whose value is to come
        self.expects = "key" if kind == "object" else "value"

    def __str__(self) -> str:
        if self.kind == "list":
            return f"[{len(self.items)}]"
        return "" if self.key is None else f".{self.key[0][:_LONGEST]}"


def parse_values(data: bytes, start: int, end: int, tell: Tell) -> Iterator[Value]:
    """Give the values between two offsets, one after the other.

    Raises `BrokenError`. Behind a value that was given, the caller may stop.
    """
    return _Parser(data, end, tell).parse(start)


class _Parser:
    def __init__(self, data: bytes, end: int, tell: Tell) -> None:
        self.data = data
        self.end = end
        self.tell = tell
        self.stack: list[_Frame] = []

    def parse(self, place: int) -> Iterator[Value]:
        """Read token by token. Most tokens are plain: a loop of its own reads these."""
        while True:
            place = self._read_plain(place)
            place = self._skip(place)
            if place >= self.end:
                break
            token = _TOKEN.match(self.data, place, self.end)
            if token is None:
                raise self._fail(self._explain(place), place)
            value = self._take(token.lastgroup or "", token[0], place, token.end())
            place = token.end()
            if value is not None and self._put(value):
                yield value
        if self.stack:
            frame = self.stack[-1]
            message = (
                f"the JSON ends before its {_CLOSING[frame.kind]!r} comes; "
                "it is cut off, or a bracket is missing"
            )
            raise self._fail(message, self.end)

    def _read_plain(self, place: int) -> int:
        """Read pairs of keys and values, and members of lists, as long as they are plain JSON.

        Returns where something else comes: a bracket, or whatever needs a closer look.
        """
        if not self.stack:
            return place
        frame, data = self.stack[-1], self.data
        pattern = _PAIR if frame.kind == "object" else _MEMBER
        expected = "key" if frame.kind == "object" else "value"
        while frame.expects == expected:
            found = pattern.match(data, place, self.end)
            if found is None:
                break
            start, end = found.span("value")
            word = found["string"]
            if word is not None:
                value = Value("string", word.decode(), start, end)
            elif found["number"] is not None:
                value = Value("number", found["number"].decode(), start, end)
            else:
                value = Value("word", _WORDS[found["word"].decode()], start, end)
            if expected == "key":
                frame.items.append((found["key"].decode(), found.start("key") - 1, value))
            else:
                frame.items.append(value)
            place = found.end()
            if found["comma"] is None:
                frame.expects = "comma"
        return place

    def _skip(self, place: int) -> int:
        blank = _BLANK.match(self.data, place, self.end)
        if blank is None:
            return place
        if blank[0].strip(b" \t\r\n"):
            self._tell("a comment, which JSON does not have, is skipped", place)
        return blank.end()

    def _take(self, kind: str, written: bytes, start: int, end: int) -> Value | None:
        """Give the value that a token is, or completes; None if there is none yet."""
        if kind == "mark":
            return self._take_mark(written.decode(), start, end)
        if kind in {"string", "other"}:
            if kind == "other":
                self._tell('quotes other than " are read as "', start)
            return Value("string", self._unquote(written, start), start, end)
        if kind == "number":
            if _NUMBER.fullmatch(written) is None:
                self._tell(f"{written.decode()[:_LONGEST]} is read as a number", start)
            return Value("number", written.decode(), start, end)
        return self._take_word(written.decode(), start, end)

    def _take_word(self, word: str, start: int, end: int) -> Value:
        expects_key = bool(self.stack) and self.stack[-1].expects == "key"
        if not self.stack:
            raise self._fail(f"{word[:_LONGEST]!r} is no JSON", start)
        if not expects_key:
            if word in _WORDS:
                return Value("word", _WORDS[word], start, end)
            if word in _OTHER_WORDS:
                self._tell(f"{word} is read as {json.dumps(_OTHER_WORDS[word])}", start)
                return Value("word", _OTHER_WORDS[word], start, end)
            if word in _NO_NUMBER:
                self._tell(f"{word} is no number in JSON; it is read as null", start)
                return Value("word", None, start, end)
        self._tell("a word without quotes is read as if it had them", start)
        return Value("string", word, start, end)

    def _take_mark(self, mark: str, start: int, end: int) -> Value | None:
        frame = self.stack[-1] if self.stack else None
        if mark in "[{":
            self._expect_value(start)
            self.stack.append(_Frame("object" if mark == "{" else "list", start))
            return None
        if frame is None:
            raise self._fail(f"{mark!r} comes before any value", start)
        if mark == ":":
            if frame.expects != "colon":
                raise self._fail("':' comes where none can be", start)
            frame.expects = "value"
        elif mark == ",":
            if frame.expects != "comma":
                raise self._fail("',' comes where a value or a key should be", start)
            frame.expects = "key" if frame.kind == "object" else "value"
        elif mark != _CLOSING[frame.kind]:
            raise self._fail(f"{mark!r} comes where {_CLOSING[frame.kind]!r} should be", start)
        elif frame.key is not None:
            raise self._fail(f"{frame.key[0]!r:.80} has no value", start)
        else:
            if frame.expects != "comma" and frame.items:
                self._tell("a comma too many is skipped", start)
            self.stack.pop()
            return Value(frame.kind, frame.items, frame.start, end)
        return None

    def _expect_value(self, start: int) -> None:
        """Make sure that a value can come here; a comma before it may be missing."""
        frame = self.stack[-1] if self.stack else None
        if frame is None or frame.expects == "value":
            return
        if frame.expects == "comma" and frame.kind == "list":
            self._tell("a missing comma is added", start)
            frame.expects = "value"
            return
        missing = {"colon": "':'", "comma": "',' or '}'", "key": "a key"}[frame.expects]
        raise self._fail(f"{missing} is expected here", start)

    def _put(self, value: Value) -> bool:
        """Put a value where it belongs; whether it is a whole one."""
        if not self.stack:
            return True
        frame = self.stack[-1]
        if frame.kind == "object" and frame.expects in {"key", "comma"} and value.kind == "string":
            if frame.expects == "comma":
                if self.data[value.start : value.start + 1] != b'"':
                    raise self._fail("',' or '}' is expected here", value.start)
                self._tell("a missing comma is added", value.start)
            frame.key = (value.value, value.start)
            frame.expects = "colon"
            return False
        if value.kind not in {"object", "list"}:  # of these it was looked at when they began
            self._expect_value(value.start)
        if frame.kind == "list":
            frame.items.append(value)
        elif frame.key is not None:
            frame.items.append((*frame.key, value))
            frame.key = None
        frame.expects = "comma"
        return False

    def _unquote(self, written: bytes, start: int) -> str:
        """Give the content of a string."""
        quote = 3 if written[:1] == b"\xe2" else 1
        inner = written[quote:-quote].decode("utf-8", "replace")
        if "\n" in inner or "\r" in inner or "\t" in inner:
            self._tell("a line end or tab inside a string is read as it is", start)
        if "\\" not in inner:
            return inner
        try:
            text: str = json.loads(f'"{inner}"', strict=False)
        except ValueError:  # an escape that JSON does not have, or the other quotes
            self._tell("a \\ before a character that needs none is skipped", start)
            text = _ESCAPE.sub(_expand, inner)
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def _explain(self, place: int) -> str:
        first = self.data[place : place + 1]
        if first in {b'"', b"'"} or self.data[place : place + 3] == b"\xe2\x80\x9c":
            return "this string has no end; the JSON is cut off, or a quote is missing"
        found = self.data[place : place + 4].decode("utf-8", "ignore")[:1]
        return f"{found!r} is no JSON"

    def _tell(self, sort: str, offset: int) -> None:
        self.tell(sort, self._path(), offset)

    def _path(self) -> str:
        return "$" + "".join(map(str, self.stack[:_DEEPEST]))

    def _fail(self, message: str, offset: int) -> BrokenError:
        return BrokenError(message, offset, self._path())


def _expand(escape: re.Match[str]) -> str:
    code = escape[1]
    if code[0] == "u" and len(code) > 1:
        return chr(int(code[1:], 16))
    return _SHORT.get(code, code)
