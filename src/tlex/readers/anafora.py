"""Reading Anafora's stand-off XML, with the text from a file beside it.

Entities have spans in the text; MAKEINSTANCE and links are relations, and links point at the ids
of these. The property elements carry TimeML's attribute names. The text of ``doc.x.gold.xml`` is
the file ``doc.x.gold``, ``doc.x`` or ``doc``, with or without ``.txt``, or the one that the ids
name; it is looked for in the same directory, or in one that the caller names, and nowhere else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePath
from typing import NamedTuple
from xml.parsers import expat

from tlex.algebra import find_label
from tlex.document import NOWHERE, Code, Document, Event, Instance, Link, Signal, Source, Timex
from tlex.errors import ReadError, TooLargeError
from tlex.readers.assembly import (
    Problems,
    check_links,
    first_of_each,
    gather_nodes,
    raise_first_error,
    show,
)
from tlex.readers.companions import Companions
from tlex.readers.lines import decode
from tlex.readers.xml import (
    check_element,
    detect_encoding,
    find_root,
    guard,
    open_source,
    refuse,
    run_parser,
)

__all__ = ["read_anafora", "recognise_anafora"]

_ANNOTATION = frozenset(("entity", "relation"))
_TIMES = frozenset(("TIMEX3", "DOCTIME", "SECTIONTIME"))
_LINKS = frozenset(("TLINK", "SLINK", "ALINK", "GLINK", "CLINK"))
_SOURCES = ("eventInstanceID", "timeID", "eventID", "Source")
_TARGETS = (
    *("relatedToEventInstance", "subordinatedEventInstance", "relatedToTime"),
    *("relatedToEvent", "Target"),
)
_TYPES = ("relType", "Type")
_SPAN = re.compile(r"\s*(\d{1,18})\s*,\s*(\d{1,18})\s*")


class _Row(NamedTuple):
    """An entity or a relation: its own fields, its properties, and its place."""

    fields: dict[str, str]
    properties: dict[str, str]
    start: int

    @property
    def id(self) -> str:
        """The id, as the file has it."""
        return self.fields.get("id", "").strip()

    @property
    def type(self) -> str:
        """What it is, such as EVENT, TIMEX3 or TLINK."""
        return self.fields.get("type", "").strip().upper()

    def first(self, keys: tuple[str, ...]) -> str | None:
        """The first of several properties that there is."""
        return next((v for key in keys if (v := self.properties.get(key, "").strip())), None)


def recognise_anafora(head: str) -> bool:
    """Whether the beginning of a file looks like Anafora's XML."""
    return (
        find_root(head) == "data" and re.search(r"<(?:annotations|entity)[\s>/]", head) is not None
    )


def read_anafora(
    data: bytes,
    name: str,
    *,
    strict: bool = False,
    encoding: str | None = None,
    companions: Companions | None = None,
) -> Document:
    """Read a document; without its text a diagnostic says so, and words are missing."""
    source, encoding = open_source(data, name, encoding)
    problems = Problems(name, source)
    rows = _parse(source, problems, encoding)
    text = _find_text(rows, name, companions, problems)
    document = _Builder(source, rows, text, problems).build()
    if strict:
        raise_first_error(document)
    return document


def _parse(source: Source, problems: Problems, encoding: str | None) -> list[_Row]:
    """Run expat over the file."""
    parser = expat.ParserCreate(encoding)
    parser.buffer_text = True
    parser.specified_attributes = True
    rows: list[_Row] = []
    stack: list[str] = []
    parts: list[str] = []
    level = 0  # the depth of the annotation that is open; 0 if there is none

    def start(element: str, attributes: dict[str, str]) -> None:
        nonlocal level
        stack.append(element)
        too_large = check_element(element, attributes, len(stack))
        if too_large:
            refuse(too_large, parser, source, problems, TooLargeError)
        if level == 0 and element in _ANNOTATION:
            level = len(stack)
            rows.append(_Row({}, {}, parser.CurrentByteIndex))
        parts.clear()
        parser.CharacterDataHandler = parts.append if level else None

    def end(element: str) -> None:
        nonlocal level
        below = len(stack) - level if level else 0
        if below == 1 and element != "properties":
            rows[-1].fields.setdefault(element, "".join(parts))
        elif below == len(("properties", "property")) and stack[-2] == "properties":
            rows[-1].properties.setdefault(element, "".join(parts).strip())
        stack.pop()
        parts.clear()
        if len(stack) < level:
            level = 0

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = guard(parser, source, parts.append, problems)
    run_parser(parser, source, problems)
    return rows


def _find_text(
    rows: list[_Row], name: str, companions: Companions | None, problems: Problems
) -> str | None:
    """Read the text file; None, and a diagnostic, if there is none."""
    names = dict.fromkeys(_name_texts(rows, name))
    found = companions.find(*names, beside=True) if companions else None
    if found is None:
        message = f"the text is not there: no file {next(iter(names), 'beside it')!r} or the like"
        problems.add(Code.DANGLING, 0, message)
        return None
    path, data = found
    try:
        return decode(Source(data, detect_encoding(data)), path)
    except ReadError as error:
        problems.add(Code.DANGLING, 0, f"its text cannot be read: {error}")
        return None


def _name_texts(rows: list[_Row], name: str) -> Iterator[str]:
    """The names that the text file may have, the longest first."""
    own = PurePath(name).name
    stems = [own[: dot.start()] for dot in re.finditer(r"\.", own)][::-1]
    parts = rows[0].id.split("@") if rows else []
    if len(parts) > len(("number", "kind")):
        stems.append(parts[2])
    for stem in stems:
        yield stem
        yield f"{stem}.txt"


class _Builder:
    """Turns rows into nouns."""

    def __init__(
        self, source: Source, rows: list[_Row], text: str | None, problems: Problems
    ) -> None:
        self.source = source
        self.rows = rows
        self.text = text
        self.problems = problems
        self.phrases: dict[str, str] = {}

    def build(self) -> Document:
        """Put a document together."""
        events: list[Event] = []
        timexes: list[Timex] = []
        signals: list[Signal] = []
        made: list[_Row] = []
        links: list[Link] = []
        passed: Counter[str] = Counter()
        for row in self.rows:
            if row.type in _LINKS:
                links.append(self._link(row))
            elif row.type not in _TIMES | {"EVENT", "SIGNAL", "MAKEINSTANCE"}:
                passed[row.type] += 1
            elif not row.id:
                message = f"{row.type} has no id and takes no part"
                self.problems.add(Code.MISSING_ATTRIBUTE, row.start, message)
            elif row.type == "MAKEINSTANCE":
                made.append(row)
            else:
                place = (row.id, row.properties, row.start, self.source, *self._find_span(row))
                if row.type == "EVENT":
                    events.append(Event(*place))
                elif row.type == "SIGNAL":
                    signals.append(Signal(*place))
                else:
                    timexes.append(Timex(*place))
        by_id = first_of_each(events, self.problems)
        instances = [self._instance(row, by_id) for row in made]
        nodes, index = gather_nodes(by_id, instances, timexes, self.problems)
        return Document(
            name=self.problems.name,
            format="anafora",
            text=self.text or "",
            events=tuple(events),
            instances=tuple(instances),
            timexes=tuple(timexes),
            signals=tuple(signals),
            nodes=tuple(nodes),
            index=index,
            links=tuple(check_links(links, index, instances, self.problems)),
            diagnostics=self.problems.in_order(),
            source=self.source,
            phrases=self.phrases,
            passed=dict(passed),
        )

    def _instance(self, row: _Row, events: dict[str, Event]) -> Instance:
        name = row.first(("eventID",))
        event = events.get(name or "")
        if name is None:
            message = f"MAKEINSTANCE {show(row.id)} has no eventID"
            self.problems.add(Code.MISSING_ATTRIBUTE, row.start, message)
        if name in self.phrases:
            self.phrases.setdefault(row.id, self.phrases[name])
        span = (event.text_start, event.text_end) if event else (NOWHERE, NOWHERE)
        return Instance(row.id, row.properties, row.start, self.source, *span, name)

    def _link(self, row: _Row) -> Link:
        written = row.first(_TYPES) or ""
        return Link(
            row.id,
            row.properties,
            row.start,
            self.source,
            row.type,
            find_label(row.type, written) or written or None,
            row.first(_SOURCES),
            row.first(_TARGETS),
            row.first(("signalID",)),
            None,
        )

    def _find_span(self, row: _Row) -> tuple[int, int]:
        """From where to where an entity goes; it may have several pieces."""
        written = row.fields.get("span", "").strip()
        if not written or self.text is None:
            return NOWHERE, NOWHERE
        found = [_SPAN.fullmatch(piece) for piece in written.split(";")]
        spans = sorted((int(piece[1]), int(piece[2])) for piece in found if piece)
        most = len(self.text)
        if len(spans) < len(found) or any(first > last or last > most for first, last in spans):
            message = f"{row.type} {show(row.id)} has span {written[:80]!r}, which the text has not"
            self.problems.add(Code.DANGLING, row.start, message)
            return NOWHERE, NOWHERE
        if len(spans) > 1:
            words = " ".join(self.text[first:last] for first, last in spans)
            self.phrases.setdefault(row.id, words)
        return spans[0][0], max(last for _, last in spans)
