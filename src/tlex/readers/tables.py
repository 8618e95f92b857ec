"""Reading tables of relations without text: TimeBank-Dense, TDDiscourse and MATRES.

Each row is a link, and one table holds many documents. If the caller names a directory with the
documents' own files, words and text order come from there.

* TimeBank-Dense and TDDiscourse: document, source, target, relation (``a``, ``b``, ``i`` …). The
  ends are ids of events and times; ``t0`` is the document's creation time.
* MATRES: document, two verbs, two ids of event instances without ``ei``, relation. It compares
  start points only (reading R28).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tlex.algebra import find_label
from tlex.document import Document
from tlex.errors import ReadError
from tlex.nouns import Code, Event, Instance, Link, Node, Timex
from tlex.readers.assembly import Nouns, assemble, is_time
from tlex.readers.companions import Companions
from tlex.readers.diagnostics import Diagnostics, show
from tlex.readers.lines import Line, split_lines
from tlex.source import NOWHERE, Source

__all__ = ["read_dense", "read_matres", "recognise_dense", "recognise_matres"]

_DENSE = ("document", "source", "target", "relation")
_MATRES = ("document", "verb1", "verb2", "eiid1", "eiid2", "relation")
_ENDINGS = ("", ".tml", ".xml", ".txt")
_HEADINGS = frozenset(("rel", "reltype", "relation", "label", "type", "tlink"))
_FUNCTIONS = ("CREATION_TIME", "PUBLICATION_TIME", "RELEASE_TIME", "MODIFICATION_TIME")
_CREATION = "t0"
_ID = re.compile(r"(?:e|ei|t|tmx)?\d+")
_TABS = re.compile(r"\t[^\t\n]*+\t[^\t\n]*+\t")
"""What every row has."""
_SHOWN = 80


class _TableLink(NamedTuple):
    """A row of a table: a link, with the words of its ends if the table has them."""

    source: str
    target: str
    label: str
    words: tuple[str, str] = ("", "")


def recognise_dense(head: str) -> bool:
    """Whether the beginning of a file has rows as in TimeBank-Dense.

    A table with a fifth column is none: TDDiscourse repeats rows of its tables with notes on them.
    """
    return _has_rows(head, _DENSE, "dense", _is_dense)


def _is_dense(cells: Sequence[str]) -> bool:
    return all(map(_ID.fullmatch, cells[1:3])) and not any(cells[len(_DENSE) :])


def recognise_matres(head: str) -> bool:
    """Whether the beginning of a file has rows as in MATRES."""
    return _has_rows(head, _MATRES, "matres", lambda cells: cells[3].isdigit())


def read_dense(
    data: bytes,
    name: str,
    *,
    encoding: str | None = None,
    companions: Companions | None = None,
) -> tuple[Document, ...]:
    """Read all documents of a table as in TimeBank-Dense or TDDiscourse."""

    def take(cells: Sequence[str]) -> _TableLink:
        return _TableLink(cells[1], cells[2], cells[3])

    table = _Table("dense", _DENSE, take, companions)
    return table.read(data, name, encoding)


def read_matres(
    data: bytes,
    name: str,
    *,
    encoding: str | None = None,
    companions: Companions | None = None,
) -> tuple[Document, ...]:
    """Read all documents of a table as in MATRES."""

    def take(cells: Sequence[str]) -> _TableLink:
        return _TableLink(_instance(cells[3]), _instance(cells[4]), cells[5], (cells[1], cells[2]))

    table = _Table("matres", _MATRES, take, companions)
    return table.read(data, name, encoding)


def _has_rows(
    head: str, columns: Sequence[str], scheme: str, fits: Callable[[Sequence[str]], bool]
) -> bool:
    """Whether one of the first lines is such a row. There may be a heading, and broken rows."""
    least = len(columns) - 1
    if _TABS.search(head) is None:
        return False
    for line in head.removeprefix("\ufeff").splitlines():
        if line.count("\t") < least:
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if all(cells[: len(columns)]):
            label = cells[least]
            known = find_label("TLINK", label, scheme) or find_label("TLINK", label)
            if known and fits(cells):
                return True
    return False


def _find_label(written: str, scheme: str) -> str:
    """Find a label in the table's own scheme, or else in TimeML; keep it if it is in neither."""
    return find_label("TLINK", written, scheme) or find_label("TLINK", written) or written


def _instance(cell: str) -> str:
    return cell if cell.startswith("ei") else f"ei{cell}"


class _Table:
    """How one kind of table is read."""

    def __init__(
        self,
        form: str,
        columns: tuple[str, ...],
        take: Callable[[Sequence[str]], _TableLink],
        companions: Companions | None,
    ) -> None:
        self.form = form
        self.columns = columns
        self.take = take
        self.companions = companions

    def read(self, data: bytes, name: str, encoding: str | None) -> tuple[Document, ...]:
        """Read the rows, and make a document for each name in the first column."""
        source, lines = split_lines(data, name, encoding)
        found: dict[str, _TableDocument] = {}
        last: _TableDocument | None = None
        waiting: list[tuple[int, str]] = []  # broken rows before the first good one
        for line in lines:
            cells = list(map(str.strip, line.text.split("\t")))
            if not any(cells) or (not found and not waiting and self._is_heading(cells)):
                continue
            if len(cells) >= len(self.columns) and all(cells[: len(self.columns)]):
                own = cells[0]
                if own not in found:
                    found[own] = _TableDocument(own, f"{name}:{own}", source)
                last = found[own]
                last.add(self.take(cells), line)
            else:
                message = self._describe(cells)
                rows = found.get(cells[0], last)
                if rows is None:  # it belongs to no document yet
                    waiting.append((line.start, message))
                else:
                    rows.diagnostics.add(Code.MISSING_ATTRIBUTE, line.start, message)
        if not found:
            start, message = waiting[0] if waiting else (0, "the table has no row")
            line_number, column = source.position(start)
            raise ReadError(message, name=name, line=line_number, column=column)
        for start, message in waiting:
            next(iter(found.values())).diagnostics.add(Code.MISSING_ATTRIBUTE, start, message)
        return tuple(self._build(rows) for rows in found.values())

    def _is_heading(self, cells: list[str]) -> bool:
        """Whether a row names the columns, in any words."""
        return cells[-1].lower() in _HEADINGS and find_label("TLINK", cells[-1], self.form) is None

    def _describe(self, cells: list[str]) -> str:
        shown = "\t".join(cells)
        shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
        wanted = ", ".join(self.columns)
        return f"the row is {shown!r}, without all of {wanted}; it is left out"

    def _build(self, rows: _TableDocument) -> Document:
        companion = self._find_companion(rows)
        ends = list(_make_nodes(rows, companion))
        links = [
            Link(
                id=f"l{number}",
                attributes={"relation": row.label},
                byte_start=start,
                file=rows.source,
                kind="TLINK",
                type=_find_label(row.label, self.form),
                source=row.source,
                target=row.target,
            )
            for number, (row, start) in enumerate(rows.rows, 1)
        ]
        placed = {node.id for node in ends if node.text_start >= 0}
        phrases = {name: word for name, word in rows.words.items() if name not in placed}
        text = "" if companion is None else companion.text
        nouns = Nouns(ends=ends, phrases=phrases)
        return assemble(nouns, links, rows.diagnostics, format=self.form, text=text)

    def _find_companion(self, rows: _TableDocument) -> Document | None:
        """Read the file that has the text, if there is one."""
        if self.companions is None or self.companions.named is None:
            return None
        from tlex.readers import parse  # noqa: PLC0415 -- the text may be in any other format

        found = self.companions.find(*(rows.own + ending for ending in _ENDINGS))
        if found is None:
            message = f"the text of {show(rows.own)} is not in {str(self.companions.named)!r}"
            rows.diagnostics.add(Code.DANGLING, rows.rows[0][1], message)
            return None
        path, data = found
        try:
            return parse(data, name=path, max_bytes=self.companions.max_bytes)
        except ReadError as error:
            rows.diagnostics.add(
                Code.DANGLING, rows.rows[0][1], f"its text cannot be read: {error}"
            )
            return None


class _TableDocument:
    """The rows of one document, and what they say of its nodes."""

    def __init__(self, own: str, name: str, source: Source) -> None:
        self.own = own
        self.source = source
        self.diagnostics = Diagnostics(name, source)
        self.rows: list[tuple[_TableLink, int]] = []
        self.first: dict[str, int] = {}
        self.words: dict[str, str] = {}

    def add(self, row: _TableLink, line: Line) -> None:
        """Add a row."""
        self.rows.append((row, line.start))
        for end, word in zip((row.source, row.target), row.words, strict=True):
            self.first.setdefault(end, line.start)
            if word:
                self.words.setdefault(end, word)


def _make_nodes(rows: _TableDocument, companion: Document | None) -> Iterator[Node]:
    """Make a node of each end, with its place and attributes from the companion."""
    known = {} if companion is None else _describe_nodes(companion)
    for name, start in rows.first.items():
        noun, attributes = known.get(name, (None, {}))
        if companion is not None and noun is None:
            message = f"{show(name)} is not defined in {companion.name}"
            rows.diagnostics.add(Code.DANGLING, start, message)
        kind: type[Node] = Event
        if isinstance(noun, Timex) or (noun is None and is_time(name)):
            kind = Timex
        elif isinstance(noun, Instance) or name.startswith("ei"):
            kind = Instance
        yield kind(
            id=name,
            attributes=attributes,
            byte_start=start,
            file=rows.source,
            text_start=noun.text_start if noun else NOWHERE,
            text_end=noun.text_end if noun else NOWHERE,
        )


def _describe_nodes(companion: Document) -> dict[str, tuple[Node, dict[str, str]]]:
    """Find a companion's nouns by id, with attributes of an event joined to its instance's."""
    events = {event.id: event for event in reversed(companion.events)}
    instances = {instance.event: instance for instance in reversed(companion.instances)}
    known: dict[str, tuple[Node, dict[str, str]]] = {}
    for timex in sorted(companion.timexes, key=_by_function, reverse=True):
        known[timex.id] = known[_CREATION] = timex, timex.attributes
    for event in events.values():
        own = instances.get(event.id)
        known[event.id] = event, {**event.attributes, **(own.attributes if own else {})}
    for node in companion.nodes:
        event_of = events.get(node.event or "") if isinstance(node, Instance) else None
        attributes = {**(event_of.attributes if event_of else {}), **node.attributes}
        known[node.id] = node, attributes
    return known


def _by_function(timex: Timex) -> int:
    """Rank a time: the creation time first, then what may stand for it, then all others."""
    function = timex.attributes.get("functionInDocument", "").strip().upper()
    return _FUNCTIONS.index(function) if function in _FUNCTIONS else len(_FUNCTIONS)
