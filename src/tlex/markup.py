"""An element in a file's own bytes: find it, remove it, change it, in any encoding.

A document knows the byte offset at which each of its elements begins. From there the functions
below find the element's tags and its end. A change is a list of replacements of byte spans; every
other byte stays what it was (reading R26).

The files are known to be well-formed: a reader has parsed them. In all encodings that the readers
take, but for UTF-16, a character of ASCII is one byte, so that tags can be found in the bytes
themselves. A piece of UTF-16 is recoded first (`_narrow`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, pairwise
from typing import Final, NamedTuple

from tlex.document import Document
from tlex.source import NOWHERE, Source

__all__ = [
    "DOCTYPE",
    "Edit",
    "Markup",
    "Token",
    "apply_edits",
    "escape_text",
    "find_tags",
    "insert_before_root_end",
    "recode",
    "remove_elements",
    "remove_whole_elements",
    "scan",
    "set_attribute",
    "write_attributes",
]

Edit = tuple[int, int, bytes]
"""Where the bytes to replace begin and end, and what to put there."""

Span = tuple[int, int]
"""Where some bytes begin and end."""

DOCTYPE: Final = (
    r"""<!DOCTYPE(?:[^\[\]<>"']|"[^"]*"|'[^']*')*+"""
    r"""(?:\[(?:[^\]"'<]|"[^"]*"|'[^']*'|<!--.*?-->|<\?.*?\?>|<(?!!--|\?))*+\]\s*)?>"""
)
"""A document type declaration, with what may stand inside it. The quantifiers are possessive
(``*+``): without backtracking, a declaration that does not end costs linear time."""

_TOKEN: Final = (
    rf"""<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|{DOCTYPE}|(?P<cut><!--|<!\[CDATA\[|<\?)"""
    r"""|(?P<close></[^>]*>)"""
    r"""|(?P<open><(?P<name>[^!?/"'<>\s]+)(?:[^"'<>]|"[^"]*"|'[^']*')*+>)"""
)
_ATTRIBUTE = re.compile(rb"""([^\s=<>/"']+)\s*=\s*("[^"]*"|'[^']*')""")
_BLANKS = (" ", "\t")
_LINE_ENDS = ("\r\n", "\n", "\r")
_PIECE = 8192
_NOTHING = "<!---->"  # stands where without it two line ends would become one
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_IN_VALUE = _IN_TEXT | str.maketrans({"\n": "&#10;", "\t": "&#9;"})


class Token(NamedTuple):
    """A piece of a file: a tag, other markup, or what stands between.

    ``kind`` is ``open`` (start tags and tags of empty elements), ``close``, ``text``, or ``other``
    for comments, CDATA, instructions and the DOCTYPE. ``name`` is the element's, of ``open`` only.
    """

    kind: str
    text: str
    start: int
    name: str = ""


class Markup(Source):
    """The bytes of an XML file, in which each noun is an element."""

    __slots__ = ()

    def find_end(self, start: int, most: int | None = None) -> int:
        """Find the byte offset behind the element that begins at an offset.

        With ``most``, only so many bytes are looked at; -1 if the element is longer than that.
        """
        stop = len(self.data) if most is None else min(len(self.data), start + most)
        if not _is_wide(self):
            return _find_end(self.data, start, stop)
        size = _PIECE
        while True:  # a longer and longer piece: most elements are short
            piece = _narrow(self, start, min(stop, start + size))
            end = _find_end(piece, 0, len(piece))
            if end >= 0:
                return start + _measure(self, piece[:end])
            if start + size >= stop:
                return NOWHERE
            size *= 2


def scan(source: Source) -> Iterator[Token]:
    """Cut a file into tags, other markup and text; together the tokens are the whole file."""
    text = source.data.decode(source.encoding)
    encoding = None if len(text) == len(source.data) else source.encoding
    at = offset = 0
    for found in re.finditer(_TOKEN, text, re.DOTALL):
        between = text[at : found.start()]
        if between:
            yield Token("text", between, offset)
            offset += len(between.encode(encoding) if encoding else between)
        yield Token(found.lastgroup or "other", found[0], offset, found["name"] or "")
        offset += len(found[0].encode(encoding) if encoding else found[0])
        at = found.end()
    if at < len(text):
        yield Token("text", text[at:], offset)


def find_tags(source: Source, start: int) -> list[Span]:
    """Find the tags of the element that begins at an offset: one or two."""
    end = source.find_end(start)
    element = _narrow(source, start, end)
    opening = _tokens().match(element)
    if opening is None or opening.end() == len(element):
        return [(start, end)]
    closing = element[element.rindex(b"</") :]
    return [
        (start, start + _measure(source, opening[0])),
        (end - _measure(source, closing), end),
    ]


def remove_elements(document: Document, starts: Iterable[int]) -> list[Edit]:
    """Give the edits that remove the elements that begin at some offsets (reading R26).

    Of an element its tags go; what stands between them stays. Behind the last marked expression
    a tag that stands alone on its line takes the line with it; tags on one line with only
    blanks between them count as one. Before that a line end is part of the text, and without it
    the places of words would move. Linear, but for elements that are nested.
    """
    source = document.source
    if source is None:
        return []
    tags = sorted(tag for start in starts for tag in find_tags(source, start))
    behind = document.marked_end if tags else 0
    edits: list[Edit] = []
    for group in _group_by_line(source, tags):
        line = _find_line(source, group[0][0], group[-1][1])
        if line is not None and line[0] >= behind:
            edits.append((*line, b""))
        else:
            edits += [(*span, _find_seam(source, *span)) for span in _join(group)]
    return edits


def remove_whole_elements(source: Source, starts: Iterable[int]) -> list[Edit]:
    """Give the edits that remove elements with all that is in them, where no text is concerned.

    Elements that stand alone on their lines take the lines with them. None may hold another one.
    """
    edits: list[Edit] = []
    spans = [(start, source.find_end(start)) for start in sorted(starts)]
    for group in _group_by_line(source, spans):
        line = _find_line(source, group[0][0], group[-1][1])
        if line is not None:
            edits.append((*line, b""))
        else:
            edits += [(*span, _find_seam(source, *span)) for span in _join(group)]
    return edits


def set_attribute(source: Source, start: int, name: str, value: str) -> Edit | None:
    """Give the edit that changes an attribute of the element that begins at an offset.

    None if the element has no such attribute.
    """
    first, last = find_tags(source, start)[0]
    tag = _narrow(source, first, last)
    for found in _ATTRIBUTE.finditer(tag):
        if found[1] == name.encode():
            begin, end = (
                start + _measure(source, tag[:at]) for at in (found.start(2) + 1, found.end(2) - 1)
            )
            mark = {b'"': "&quot;", b"'": "&apos;"}[found[2][:1]]
            new = value.translate(_IN_VALUE).replace(found[2][:1].decode(), mark)
            return begin, end, _encode(source, new)
    return None


def insert_before_root_end(source: Source, lines: Iterable[str]) -> Iterator[bytes] | None:
    """Give the file, part by part, with lines before the root's end tag.

    They get the file's own line ends. None if the root has no end tag.
    """
    # The last end tag is the root's: behind it there can only be comments and instructions.
    at = max((token.start for token in scan(source) if token.kind == "close"), default=NOWHERE)
    if at < 0:
        return None
    before = source.data[:at].decode(source.encoding)
    end = _find_line_end(source.data.decode(source.encoding))
    line = before.rstrip("".join(_BLANKS))
    if line.endswith(_LINE_ENDS):  # the tag begins its line
        at -= len(before[len(line) :].encode(source.encoding))
        first = ""
    else:
        first = end
    new = (_encode(source, line + end) for line in lines)
    return chain((source.data[:at], _encode(source, first)), new, (source.data[at:],))


def apply_edits(data: bytes, edits: Iterable[Edit]) -> bytes:
    """Replace spans of bytes that do not overlap, given in any order.

    What is inserted at one place keeps the order in which it is given, and stands before what
    replaces a span that begins there. Linear.

    >>> apply_edits(b"one two", [(4, 7, b"2"), (0, 0, b"> ")])
    b'> one 2'
    """
    ordered = sorted(edits, key=lambda edit: edit[:2])
    for (start, end, _), (following, _, _) in pairwise([*ordered, (len(data), len(data), b"")]):
        if not 0 <= start <= end <= following:
            raise ValueError(f"an edit of the bytes {start} to {end} overlaps the next one")
    pieces: list[bytes] = []
    at = 0
    for start, end, new in ordered:
        pieces += data[at:start], new
        at = end
    return b"".join([*pieces, data[at:]])


def recode(source: Source, edits: Iterable[Edit]) -> tuple[bytes, list[Edit]]:
    """Give a file's bytes and some edits of it in UTF-8 if it is in UTF-16; else as they are."""
    if not _is_wide(source):
        return source.data, list(edits)
    pieces: list[bytes] = []
    recoded: list[Edit] = []
    at = length = 0
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        places = []
        for stop in (start, end):
            pieces.append(_narrow(source, at, stop))
            length += len(pieces[-1])
            places.append(length)
            at = stop
        recoded.append((places[0], places[1], new.decode(source.encoding).encode()))
    pieces.append(_narrow(source, at, len(source.data)))
    return b"".join(pieces), recoded


def write_attributes(attributes: Mapping[str, str]) -> str:
    r"""Give attributes as they stand in a tag, each with a blank before it.

    >>> write_attributes({"lid": "l1", "comment": 'a < "b"'})
    ' lid="l1" comment=\'a &lt; "b"\''
    """
    return "".join(f" {key}={_quote(value)}" for key, value in attributes.items())


def escape_text(text: str) -> str:
    """Give text as it stands between tags."""
    return text.translate(_IN_TEXT)


def _quote(value: str) -> str:
    escaped = value.translate(_IN_VALUE)
    if '"' not in escaped:
        return f'"{escaped}"'
    if "'" not in escaped:
        return f"'{escaped}'"
    return '"{}"'.format(escaped.replace('"', "&quot;"))


@cache
def _tokens() -> re.Pattern[bytes]:
    """Give the pattern for bytes: made when it is needed, for most runs never edit a file."""
    return re.compile(_TOKEN.encode(), re.DOTALL)


def _is_wide(source: Source) -> bool:
    return source.encoding.startswith("utf-16")


def _narrow(source: Source, start: int, end: int) -> bytes:
    """Give a stretch of a file in an encoding in which a character of ASCII is one byte."""
    piece = source.data[start:end]
    return piece.decode(source.encoding, "ignore").encode() if _is_wide(source) else piece


def _measure(source: Source, narrow: bytes) -> int:
    """How many bytes in the file are what `_narrow` gave for them."""
    return len(narrow.decode().encode(source.encoding)) if _is_wide(source) else len(narrow)


def _encode(source: Source, text: str) -> bytes:
    # An id may need a character that the encoding has not; XML has a way to write it.
    return text.encode(source.encoding, "xmlcharrefreplace")


def _find_end(data: bytes, start: int, stop: int) -> int:
    """Find the end of the element that begins at an offset; -1 if it is not before ``stop``."""
    depth = 0
    for token in _tokens().finditer(data, start, stop):
        if token["open"]:
            depth += not token["open"].endswith(b"/>")
        elif token["close"]:
            depth -= 1
        elif token["cut"]:  # goes on behind ``stop``
            break
        if not depth:
            return token.end()
    return NOWHERE


def _group_by_line(source: Source, spans: Iterable[Span]) -> Iterator[list[Span]]:
    """Put spans together between which there are only blanks."""
    group: list[Span] = []
    for span in spans:
        if group and _narrow(source, group[-1][1], span[0]).strip(b" \t"):
            yield group
            group = []
        group.append(span)
    if group:
        yield group


def _find_line(source: Source, start: int, end: int) -> Span | None:
    """Find the line, with its end, on which a span stands alone; None if it does not."""
    data = source.data
    blanks = [letter.encode(source.encoding) for letter in _BLANKS]
    ends = [mark.encode(source.encoding) for mark in _LINE_ENDS]
    unit = len(blanks[0])
    while data[start - unit : start] in blanks:
        start -= unit
    while data[end : end + unit] in blanks:
        end += unit
    line_end = next((mark for mark in ends if data.startswith(mark, end)), b"")
    if (start and data[start - unit : start] not in ends) or (end < len(data) and not line_end):
        return None
    return start, end + len(line_end)


def _join(spans: Iterable[Span]) -> list[Span]:
    """Make one span of those that touch each other."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and joined[-1][1] == start:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return joined


def _find_seam(source: Source, start: int, end: int) -> bytes:
    """What must stand in the place of a span, lest the text before and behind it change.

    A CR and an LF would become one line end, and ``]]>`` may not occur in a text.
    """
    unit = 2 if _is_wide(source) else 1
    before = source.data[max(start - 2 * unit, 0) : start].decode(source.encoding, "ignore")
    behind = source.data[end : end + 2 * unit].decode(source.encoding, "ignore")
    line_ends = before.endswith("\r") and behind.startswith("\n")
    return _encode(source, _NOTHING if line_ends or "]]>" in before + behind else "")


def _find_line_end(text: str) -> str:
    """Find the line end that a text uses first; one without any gets LF."""
    first = min((at for at in (text.find("\n"), text.find("\r")) if at >= 0), default=NOWHERE)
    return next((end for end in _LINE_ENDS if first >= 0 and text.startswith(end, first)), "\n")
