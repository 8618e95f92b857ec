"""Writing a TimeML document back with links added or taken out; every other byte stays.

Only a document that was read from TimeML can be written: the text and what stands around it come
from its own file, in its own encoding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.sax.saxutils import quoteattr

from tlex.document import Document, Link, Node, Source, Timex
from tlex.edits import apply_edits, remove_elements
from tlex.errors import WriteError
from tlex.records import EntailedLink

__all__ = ["ORIGIN", "add_links", "remove_links"]

ORIGIN = "tlex-closure"
"""What a new link says of where it comes from; TimeML 1.2.1 has the attribute for that."""

_DIGITS = 18
_TAG = re.compile(r"""<(?:[^"'<>]|"[^"]*"|'[^']*')*>""")


def add_links(document: Document, links: Iterable[EntailedLink]) -> bytes:
    """Give the document's bytes with TLINKs added before the end of its root.

    Each stands on a line of its own and has an id that nothing in the document has. A link
    without a TimeML type cannot be written and must not be given.
    """
    source = _source_of(document)
    new = [
        _write(document, name, link)
        for name, link in zip(_fresh_ids(document), links, strict=False)
    ]
    if not new:
        return source.data
    at = source.find_root_end()
    if at < 0:
        raise WriteError(f"{document.name}: the root has no end tag before which links could stand")
    end = _line_end(source)
    start, alone = _line_start(source, at)
    lines = "".join(line + end for line in new)
    text = lines if alone else end + lines
    # An id may need a letter that the encoding has not; XML has a way to write it.
    inserted = text.encode(source.encoding, "xmlcharrefreplace")
    return apply_edits(source.data, [(start, start, inserted)])


def remove_links(document: Document, ids: Iterable[str]) -> bytes:
    """Give the document's bytes without some links, and without lines that held nothing else."""
    source = _source_of(document)
    gone = frozenset(ids)
    places = [
        place for link in document.links if link.id in gone for place in _tags_of(source, link)
    ]
    return apply_edits(source.data, remove_elements(source, places))


def _tags_of(source: Source, link: Link) -> list[tuple[int, int]]:
    """What of a link is to go: all of it, or its tags if it has, against all rules, content."""
    start, end = link.byte_start, link.byte_end
    element = source.data[start:end].decode(source.encoding)
    opening = _TAG.match(element)
    if opening is None or opening.end() == len(element):
        return [(start, end)]
    closing = element.rindex("</")
    if not element[opening.end() : closing].strip():
        return [(start, end)]
    return [
        (start, start + len(opening[0].encode(source.encoding))),
        (end - len(element[closing:].encode(source.encoding)), end),
    ]


def _source_of(document: Document) -> Source:
    if document.format != "timeml" or document.source is None:
        raise WriteError(
            f"{document.name}: only a document read from TimeML can be written as TimeML"
        )
    return document.source


def _fresh_ids(document: Document) -> Iterator[str]:
    """Ids for links, ``l`` and a number, that no element of the document has."""
    nouns = (*document.events, *document.instances, *document.timexes, *document.signals)
    used = {noun.id for noun in nouns} | {link.id for link in document.links}
    numbers = [name[1:] for name in used if name[:1] == "l" and name[1:].isdecimal()]
    number = max((int(digits) for digits in numbers if len(digits) <= _DIGITS), default=0)
    while True:
        number += 1
        if f"l{number}" not in used:
            yield f"l{number}"


def _write(document: Document, name: str, link: EntailedLink) -> str:
    source, target = document.node(link.source), document.node(link.target)
    ends = (
        (_attribute(source, "timeID", "eventInstanceID"), link.source),
        (_attribute(target, "relatedToTime", "relatedToEventInstance"), link.target),
    )
    attributes = (("lid", name), ("relType", link.type or ""), *ends, ("origin", ORIGIN))
    return "<TLINK" + "".join(f" {key}={quoteattr(value)}" for key, value in attributes) + "/>"


def _attribute(node: Node | None, time: str, event: str) -> str:
    return time if isinstance(node, Timex) else event


def _line_end(source: Source) -> str:
    """The line end that the file uses first; a file of one line gets LF."""
    text = source.data.decode(source.encoding, "replace")
    first = min((at for at in (text.find("\n"), text.find("\r")) if at >= 0), default=-1)
    if first < 0:
        return "\n"
    return "\r\n" if text.startswith("\r\n", first) else text[first]


def _line_start(source: Source, offset: int) -> tuple[int, bool]:
    """Where new lines can go in before an element: at the start of its line if it begins it."""
    before = source.data[:offset].decode(source.encoding, "replace")
    line = before.rstrip(" \t")
    if line.endswith(("\n", "\r")):
        return offset - len(before[len(line) :].encode(source.encoding)), True
    return offset, False
