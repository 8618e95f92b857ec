"""The fast way and the long way of reading TimeML, side by side."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from tlex.document import Document
from tlex.errors import ReadError
from tlex.graph import list_relations
from tlex.nouns import Link, Node, Signal
from tlex.readers import timeml
from tlex.readers.diagnostics import Diagnostics
from tlex.readers.timeml.fast_path import number_document
from tlex.readers.timeml.nouns import are_clean
from tlex.readers.timeml.parsing import parse_elements
from tlex.readers.timeml.plain_elements import list_elements
from tlex.readers.timeml.scan import list_columns
from tlex.readers.xml import open_source

__all__ = ["goes_fast", "look_twice", "mutate", "read_the_long_way"]


def read_the_long_way(data: bytes, encoding: str | None) -> Document:
    """Read a file without patterns."""
    source, encoding = open_source(data, "x", encoding)
    diagnostics = Diagnostics("x", source)
    elements = parse_elements(source, diagnostics, encoding)
    return timeml._build(source, elements, diagnostics)  # noqa: SLF001


def read_as_usual(data: bytes, encoding: str | None) -> Document:
    """Read a file in the way that suits it."""
    return timeml.read_timeml(data, "x", encoding=encoding)


def find_outcome(
    read: Callable[[bytes, str | None], Document], data: bytes, encoding: str | None
) -> Document | str:
    """Read a file, and give the document or the error."""
    try:
        return read(data, encoding)
    except ReadError as error:
        return f"{type(error).__name__}: {error}"


def goes_fast(data: bytes) -> bool:
    """Whether patterns are used."""
    source, _ = open_source(data, "x", None)
    columns = list_columns(source)
    return columns is not None and number_document(columns) is not None


def look_twice(data: bytes, encoding: str | None = None) -> bool:
    """Compare the fast way with the long way; say whether the fast way was taken."""
    long = find_outcome(read_the_long_way, data, encoding)
    fast = find_outcome(read_as_usual, data, encoding)
    if isinstance(long, str) or isinstance(fast, str):
        assert long == fast
        return False
    if fast.relations is None:
        assert describe(fast) == describe(long)
        return False
    # What is known before the nouns are made.
    assert long.diagnostics == ()
    assert list(fast.index.items()) == list(long.index.items())
    assert fast.relations == list_relations(long)
    assert fast.link_ids == long.link_ids
    assert fast.marks == long.marks
    assert fast.check_columns == long.check_columns
    assert fast.marked_end == long.marked_end
    picked = [fast.link(number) for number in range(len(fast.link_ids))]
    assert describe_nouns(picked) == describe_nouns(long.links)
    assert [*map(fast.words_of, fast.index)] == [*map(long.words, long.nodes)]
    assert (fast.text, fast.sentences) == (long.text, long.sentences)
    assert fast.places == long.places
    columns, slinks, links = fast.node_columns, fast.slinks, fast.link_columns
    assert "nodes" not in vars(fast) or list_elements(fast.source) is None
    assert (columns, slinks, links) == (long.node_columns, long.slinks, long.link_columns)
    assert fast.times == long.times
    assert describe(fast) == describe(long)
    nouns = (*long.nodes, *long.events, *long.links, *long.signals)
    assert are_clean([noun.id for noun in nouns])
    return True


def describe(document: Document) -> list[object]:
    """All that a document knows, and where."""
    nouns = (*document.events, *document.nodes, *document.signals, *document.links)
    return [
        document.text,
        document.sentences,
        document.diagnostics,
        document.labels,
        *describe_nouns(nouns),
    ]


def describe_nouns(nouns: Sequence[Node | Signal | Link]) -> list[object]:
    """All that nouns know, and where they stand."""
    return [
        [(noun, noun.byte_start, noun.byte_end, noun.line, noun.column) for noun in nouns],
        [(noun.attributes, list(noun.attributes)) for noun in nouns],
    ]


PIECES = (
    *(b"<", b">", b"/", b"'", b'"', b"=", b" ", b"&", b"\n", b"\r", b"\t", b"\0", b"\x0c", b"\x7f"),
    *(b"&amp;", b"&lt;", b"&#10;", b"&#x3c;", b"&nbsp;", b"<!--", b"-->", b"<![CDATA[", b"]]>"),
    *(b"<?p ?>", b"\xc3\xa9", b"\xc3", b"\xef\xbf\xbf", b"\xed\xa0\x80", b"\xe2\x80\xa8"),
    *(b"<EVENT>", b"</EVENT>", b"<s>", b"</s>", b"</TimeML>", b"<TimeML>", b"<TLINK/>", b"<a/>"),
    *(b' lid="l1"', b" lid='l1'", b' weight="1"', b' timeID="t1"', b" = ", b"= ", b" =", b"/>"),
    *(b'<MAKEINSTANCE eiid="i" eventID="e1"/>', b'<EVENT eid="e1">', b"<x:EVENT ", b"<TLINK "),
    *(b"eid=", b"EID=", b"tid", b"TLINK", b"SLINK", b"EVENT", b"TIMEX3", b"\xef\xbb\xbf"),
    b'<!DOCTYPE TimeML [<!ENTITY a "b">]>',
)


UNITS = tuple(
    map(
        re.compile,
        (
            rb'"[^"<>]*"',
            rb' \w+="[^"<>]*"',
            rb"<(\w+)[^>]*/>",
            rb"<(\w+)[^<>]*>[^<>]*</\1>",
            rb"[^<>]+<",
        ),
    )
)
"""Values, attributes, empty elements, elements with words, and words with what follows them."""


def mutate(data: bytes, chance: random.Random) -> bytes:
    """Change a file in a place or a few."""
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        if chance.random() < 0.7:
            _mutate_units(changed, chance)
        else:
            _mutate_bytes(changed, chance)
    return bytes(changed)


def _mutate_units(changed: bytearray, chance: random.Random) -> None:
    """Remove a unit, or put another one, two or a piece in its place."""
    unit = chance.choice(UNITS)
    one, other = (
        unit.search(changed, chance.randrange(len(changed) + 1)) or unit.search(changed)
        for _ in range(2)
    )
    if one is None or other is None:
        return
    new = chance.choice((b"", other[0], one[0] + other[0], one[0] + b" " + other[0]))
    if chance.random() < 0.3:
        middle = chance.randrange(len(one[0]) + 1)
        new = one[0][:middle] + chance.choice(PIECES) + one[0][middle:]
    changed[one.start() : one.end()] = new


def _mutate_bytes(changed: bytearray, chance: random.Random) -> None:
    """Put a piece, a byte, or bytes from elsewhere into any place."""
    at = chance.randrange(len(changed) + 1)
    end = at + chance.choice((0, 0, 1, 1, 2, 5, 40))
    start = chance.randrange(len(changed) + 1)
    changed[at:end] = chance.choice(
        (
            chance.choice(PIECES),
            bytes((chance.randrange(256),)),
            b"",
            changed[start : start + chance.choice((1, 5, 20, 80, 300))],
        )
    )
