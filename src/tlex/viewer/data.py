"""The data of a page: one document, or a list of documents.

The script of the page computes relations and proofs from the constraints of the links. These
constraints and Allen's table are part of the data; they come from `tlex.algebra`, so that they
exist only once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from tlex._version import __version__
from tlex.algebra import BASIC, ROWS
from tlex.calendar import KIND as CALENDAR
from tlex.date_words import say_date
from tlex.document import Document
from tlex.draw.layout import lay_out
from tlex.draw.picture import Picture
from tlex.graph import build_graph
from tlex.records import Conflict, Connection
from tlex.result import Extraction
from tlex.viewer.chosen import find_dating_times, find_sentences
from tlex.wording import entitle

__all__ = [
    "Changes",
    "DocumentData",
    "Entry",
    "ErrorData",
    "IndexData",
    "Place",
    "Verdict",
    "View",
    "describe_document",
    "split_text",
]

_DEEP = 12
_PHRASES = 600  # events and times of the largest document whose map can have phrases
_GAP = re.compile(r"[ \t\r\f\v]*\n[ \t\r\f\v]*\n\s*")
_WRAP = re.compile(r"""(?<=[^\s.!?:"')\u2019\u201d])(?:\r\n|\n)(?=\S)""")


View = Literal["reading", "map"]
"""What a page can open with."""

Verdict = Literal["waiting", "consistent", "inconsistent", "broken"]
"""The state of a document in the list."""


class Place(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The place of a page among others: addresses of the list and of the neighbours.

    ``live`` is the version of the library, and ``stamp`` the state of this document's file, when
    the page was made. With them, a page that comes from a server asks it for changes. ``repair`` is
    the address where the contradictions of this document can be decided.
    """

    index: str | None = None
    previous: str | None = None
    next: str | None = None
    number: int = 0
    total: int = 0
    live: int | None = None
    stamp: str = ""
    repair: str | None = None


class PageNode(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An event or time; ``start`` and ``end`` are the earliest and latest step of its points.

    ``date`` says in words when it was, as far as that is known. One on a ``branch`` may be on a
    main timeline, if the calendar connects the two. ``since`` and ``until`` are the times by which
    the order dates it. ``sentence`` is the number of its sentence, and where its words begin and
    end there.
    """

    id: str
    kind: str
    text: str
    factuality: str
    timeline: int
    start: tuple[int, int] | None = None
    end: tuple[int, int] | None = None
    value: str | None = None
    type: str | None = None
    line: int | None = None
    source: str | None = None
    date: str = ""
    branch: bool = False
    since: int | None = None
    until: int | None = None
    sentence: tuple[int, int, int] | None = None


class PageLink(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A link between nodes, given by number; ``row`` is the number of its constraints in `rows`.

    A link that is ``left_out`` to mend the contradictions has no such number. A link of the
    calendar has ``words`` with its two values.
    """

    id: str
    kind: str
    type: str | None = None
    source: int | None = None
    target: int | None = None
    line: int | None = None
    row: int | UnsetType = UNSET
    left_out: bool = False
    words: str = ""


class PageTimeline(Struct, frozen=True, kw_only=True):
    """A timeline, without its intervals: each node has the number of its timeline."""

    id: int
    role: str
    consistent: bool
    size: int
    length: int | None
    sections: int


class PageBasic(Struct, frozen=True, kw_only=True):
    """One of the relations of which exactly one holds, such as Allen's thirteen."""

    name: str
    type: str | None
    orders: str


class DocumentData(Struct, frozen=True, tag="document", tag_field="page", kw_only=True):
    """A document and its timelines; ``calendar`` says whether values order its times.

    ``view`` is what the page opens with: *reading* or *map*. The reading view itself is HTML in the
    page.

    ``text`` is a list of segments: some text, and the numbers of the nodes to whose words it
    belongs, the shortest first. Of several documents as one, ``texts`` has the name of each and the
    number of its first segment. ``rows`` are the constraints of links, by `PageLink.row`. ``basic``
    are the relations that two nodes can have, for two intervals, for an interval and an instant,
    for an instant and an interval, and for two instants. ``phrases`` is the picture with phrases
    instead of words, if the document is not too large.
    """

    tlex: str
    name: str
    format: str
    consistent: bool
    calendar: bool
    view: View
    sentences: tuple[str, ...]
    text: tuple[tuple[str, tuple[int, ...]], ...]
    texts: tuple[tuple[str, int], ...]
    nodes: tuple[PageNode, ...]
    links: tuple[PageLink, ...]
    timelines: tuple[PageTimeline, ...]
    connections: tuple[Connection, ...]
    conflicts: tuple[Conflict, ...]
    conflicts_complete: bool
    problems: tuple[str, ...]
    rows: tuple[tuple[tuple[int, bool, int], ...], ...]
    instants: tuple[int, ...]
    basic: tuple[tuple[PageBasic, ...], ...]
    picture: Picture
    phrases: Picture | None
    place: Place


class Entry(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A document in the list.

    ``version`` is the version of the library at its last change; ``stamp`` is the state of the
    file that it describes.
    """

    name: str
    href: str
    verdict: Verdict
    message: str = ""
    nodes: int = 0
    links: int = 0
    timelines: int = 0
    sections: int = 0
    conflicts: int = 0
    conflicts_complete: bool = True
    version: int = 0
    stamp: str = ""


class IndexData(Struct, frozen=True, tag="index", tag_field="page", kw_only=True):
    """A list of documents."""

    tlex: str
    name: str
    entries: tuple[Entry, ...]
    place: Place


class Changes(Struct, frozen=True, kw_only=True):
    """What the server answers to a page that asks for changes.

    ``entries`` are those that changed since the version asked for; all of them if ``whole``.
    """

    version: int
    whole: bool
    entries: tuple[Entry, ...]


class ErrorData(Struct, frozen=True, tag="error", tag_field="page", kw_only=True):
    """The message that a document cannot be read, or that it is ``missing``."""

    tlex: str
    name: str
    message: str
    place: Place
    missing: bool


def describe_document(result: Extraction, place: Place, view: View = "reading") -> DocumentData:
    """Collect the data for the page of a document. Linear."""
    document = result.document
    sentences, words_in = find_sentences(document)
    kinds = (*result.options.links, CALENDAR) if result.options.calendar else result.options.links
    graph = build_graph(document, kinds, result.options.times)
    codes = list(dict.fromkeys(graph.labels))
    row_of = {code: row for row, code in enumerate(codes)}
    rows = {link: row_of[code] for link, code in zip(graph.numbers, graph.labels, strict=True)}
    return DocumentData(
        tlex=__version__,
        name=entitle(document.name),
        format=document.format,
        consistent=result.consistent,
        calendar=result.options.calendar,
        view=view,
        sentences=sentences,
        text=tuple(split_text(document)),
        texts=_find_texts(document),
        nodes=_describe_nodes(result, words_in),
        links=tuple(_describe_links(document, rows, result.repair)),
        timelines=tuple(
            PageTimeline(
                id=timeline.id,
                role=timeline.role,
                consistent=timeline.consistent,
                size=len(timeline.intervals),
                length=timeline.length,
                sections=len(timeline.sections),
            )
            for timeline in result.timelines
        ),
        connections=result.connections,
        conflicts=result.conflicts,
        conflicts_complete=result.conflicts_complete,
        problems=tuple(
            (f"{problem.source}: " if problem.source else "")
            + (f"line {problem.line}: " if problem.line is not None else "")
            + problem.message
            for problem in result.diagnostics
        ),
        rows=tuple(ROWS[code] for code in codes),
        instants=tuple(graph.instants),
        basic=tuple(
            tuple(
                PageBasic(name=basic.name, type=basic.type, orders=basic.orders)
                for basic in BASIC[one, other]
            )
            for one in (False, True)
            for other in (False, True)
        ),
        picture=lay_out(result),
        phrases=lay_out(result, labels="phrases") if len(result.nodes) <= _PHRASES else None,
        place=place,
    )


def _describe_nodes(
    result: Extraction, words_in: Sequence[tuple[int, int, int] | None]
) -> tuple[PageNode, ...]:
    since, until = find_dating_times(result)
    mains = set(result.main_worlds[0])
    timeline_of: dict[str, int] = {}
    points: dict[str, tuple[int, int]] = {}
    for timeline in result.timelines:
        timeline_of.update(dict.fromkeys(timeline.intervals, timeline.id))
        points.update(timeline.points)
    return tuple(
        PageNode(
            id=node.id,
            kind=node.kind,
            text=node.text,
            factuality=node.factuality,
            timeline=timeline_of[node.id],
            start=points.get(node.id + "-"),
            end=points.get(node.id + "+"),
            value=node.value,
            type=node.type,
            line=node.line,
            source=node.source or None,
            date=say_date(node.date.after, node.date.before) if node.date else "",
            branch=node.world not in mains,
            since=since.get(number),
            until=until.get(number),
            sentence=words_in[number],
        )
        for number, node in enumerate(result.nodes)
    )


def _describe_links(
    document: Document, rows: dict[int, int], left_out: frozenset[int]
) -> Iterator[PageLink]:
    index = document.index
    for number, link in enumerate(document.links):
        yield PageLink(
            id=link.id,
            kind=link.kind,
            type=link.type,
            source=None if link.source is None else index.get(link.source),
            target=None if link.target is None else index.get(link.target),
            line=document.position(link.byte_start)[0],
            row=UNSET if number in left_out else rows.get(number, UNSET),
            left_out=number in left_out,
            words=link.attributes["words"] if link.kind == CALENDAR else "",
        )


def split_text(document: Document) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Cut the text wherever the words of a node begin or end.

    Several empty lines become one, and a line break inside a sentence becomes a space. A segment
    names at most 12 nodes, those that begin last.
    """
    begins: dict[int, list[int]] = {}
    ends: dict[int, list[int]] = {}
    for number, node in enumerate(document.nodes):
        if 0 <= node.text_start < node.text_end:
            begins.setdefault(node.text_start, []).append(number)
            ends.setdefault(node.text_end, []).append(number)
    texts = frozenset(document.text_starts)
    sizes = [node.text_end - node.text_start for node in document.nodes]
    text = _WRAP.sub(lambda found: " " * len(found[0]), document.text)
    inside: dict[int, None] = {}
    for start, end in pairwise(_list_cuts(document)):
        for number in ends.get(start, ()):
            del inside[number]
        inside |= dict.fromkeys(begins.get(start, ()))
        piece = text[start:end]
        if not inside:
            piece = _GAP.sub("\n\n", piece)
            piece = piece.lstrip() if start in texts else piece
        found = sorted(islice(reversed(inside), _DEEP), key=lambda one: (sizes[one], one))
        yield piece, tuple(found)


def _list_cuts(document: Document) -> list[int]:
    """List where a segment of the text begins, and where the text ends."""
    ends = {
        end
        for node in document.nodes
        if 0 <= node.text_start < node.text_end
        for end in (node.text_start, node.text_end)
    }
    return sorted({*document.text_starts, *ends, len(document.text)})


def _find_texts(document: Document) -> tuple[tuple[str, int], ...]:
    """Find the first segment of each text of several documents as one."""
    if not document.documents:
        return ()
    place = {start: number for number, start in enumerate(_list_cuts(document))}
    names = (entitle(single.name) for single in document.documents.values())
    return tuple(
        (name, place[start]) for name, start in zip(names, document.text_starts, strict=True)
    )
