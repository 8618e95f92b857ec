"""A TimeML file with links added or removed; all other bytes stay identical.

This works only for a document that was read from TimeML. The new bytes have the encoding of its
file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec.structs import replace

from tlex.algebra import TABLE_1
from tlex.document import Document
from tlex.errors import WriteError
from tlex.markup import apply_edits, insert_before_root_end, remove_elements, write_attributes
from tlex.nouns import Node, Timex
from tlex.readers import parse
from tlex.records import EntailedLink
from tlex.source import Source

__all__ = ["ORIGIN", "add_links", "remove_links", "state_calendar", "stream_added"]

ORIGIN = "tlex-closure"
"""The value of the attribute ``origin`` (TimeML 1.2.1) of a new link."""

_DIGITS = 18


def add_links(document: Document, links: Iterable[EntailedLink], *, origin: str = ORIGIN) -> bytes:
    """Give the document's bytes with TLINKs added before the end of its root.

    Each gets a line of its own and an id that is new in the document. Every link must have a
    TimeML type.
    """
    return b"".join(stream_added(document, links, origin=origin))


def stream_added(
    document: Document, links: Iterable[EntailedLink], *, origin: str = ORIGIN
) -> Iterable[bytes]:
    """Give what `add_links` gives, part by part: of many links only one is in memory."""
    source = _source_of(document)
    new = (
        _write(document, name, link, origin)
        for name, link in zip(_fresh_ids(document), links, strict=False)
    )
    first = next(new, None)
    if first is None:
        return [source.data]
    parts = insert_before_root_end(source, chain([first], new))
    if parts is None:
        raise WriteError(f"{document.name}: the root element has no end tag to put links before")
    return parts


def state_calendar(document: Document, times: str = "interval") -> tuple[Document, int]:
    """Give a document with a TLINK, of origin CALENDAR, for each of the calendar's links.

    Those that no type of TimeML says are left out; their number is given too. What was read from
    TimeML is changed in its own bytes.
    """
    from tlex.calendar import KIND, add_calendar  # noqa: PLC0415 -- long patterns

    dated, _ = add_calendar(document, times)
    every = [link for link in dated.links if link.kind == KIND]
    links = [link for link in every if link.type in TABLE_1]
    lost = len(every) - len(links)
    if document.format != "timeml" or document.source is None:
        stated = (replace(own, kind="TLINK", attributes={"origin": KIND}) for own in links)
        return document.replace(links=(*document.links, *stated)), lost
    said = (
        EntailedLink(
            source=own.source or "", type=own.type, target=own.target or "", name="", links=()
        )
        for own in links
    )
    data = add_links(document, said, origin=KIND)
    again = parse(data, name=document.name, format="timeml", max_bytes=len(data) + 1)
    return again.replace(labels=document.labels), lost


def remove_links(document: Document, ids: Iterable[str]) -> bytes:
    """Give the document's bytes without some links (reading R26)."""
    source = _source_of(document)
    gone = frozenset(ids)
    starts = [link.byte_start for link in document.links if link.id in gone]
    return apply_edits(source.data, remove_elements(document, starts))


def _source_of(document: Document) -> Source:
    if document.format != "timeml" or document.source is None:
        raise WriteError(
            f"{document.name}: only a document read from TimeML can be written as TimeML"
        )
    return document.source


def _fresh_ids(document: Document) -> Iterator[str]:
    """Give ids for links, ``l`` and a number, that no element of the document has."""
    nouns = (*document.events, *document.instances, *document.timexes, *document.signals)
    used = {noun.id for noun in nouns} | {link.id for link in document.links}
    numbers = [name[1:] for name in used if name[:1] == "l" and name[1:].isdecimal()]
    number = max((int(digits) for digits in numbers if len(digits) <= _DIGITS), default=0)
    while True:
        number += 1
        if f"l{number}" not in used:
            yield f"l{number}"


def _write(document: Document, name: str, link: EntailedLink, origin: str) -> str:
    source, target = document.get(link.source), document.get(link.target)
    attributes = {
        "lid": name,
        "relType": link.type or "",
        _attribute(source, "timeID", "eventInstanceID"): link.source,
        _attribute(target, "relatedToTime", "relatedToEventInstance"): link.target,
        "origin": origin,
    }
    return f"<TLINK{write_attributes(attributes)}/>"


def _attribute(node: Node | None, time: str, event: str) -> str:
    return time if isinstance(node, Timex) else event
