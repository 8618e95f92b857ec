"""Reading Anafora's stand-off XML, with the text from a file beside it.

Events, times and signals are entities with spans in the text. MAKEINSTANCE and links are relations.
A link names its ends by their ids. The elements inside ``properties`` have the names of TimeML's
attributes, or in THYME names of its own. There a ``DocTimeRel`` relates an event to the time of the
document.

The text of ``doc.x.gold.xml`` is the file ``doc.x.gold``, ``doc.x`` or ``doc``, with or without
``.txt``, or the file that the ids name. It is looked for in the directory that the caller names,
or else in the directory of the annotation, and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import NamedTuple
from xml.parsers import expat

from tlex.algebra import find_label
from tlex.document import Document
from tlex.errors import NotRecognisedError, ReadError, TooLargeError
from tlex.nouns import Code, Event, Instance, Link, Signal, Timex
from tlex.readers.assembly import Nouns, assemble
from tlex.readers.companions import Companions
from tlex.readers.diagnostics import Diagnostics, show
from tlex.readers.document_time import TimeRelation, relate_to_document_time
from tlex.readers.lines import decode
from tlex.readers.xml import (
    check_element,
    detect_encoding,
    find_root,
    make_doctype_handler,
    open_source,
    refuse,
    run_parser,
)
from tlex.source import NOWHERE, Source

__all__ = ["read_anafora", "recognise_anafora"]

_ANNOTATIONS = frozenset(("entity", "relation"))
_NOUNS = frozenset(("EVENT", "MAKEINSTANCE", "SIGNAL", "TIMEX3", "DOCTIME", "SECTIONTIME"))
_LINKS = frozenset(("TLINK", "SLINK", "ALINK", "GLINK", "CLINK"))
_TEMPORAL = frozenset(("EVENT", "TIMEX3", "DOCTIME", "SECTIONTIME", "TLINK"))
"""What makes a file one with temporal annotation. SCATE's ``Event`` is none."""
_TYPE = re.compile(rb">\s*(?:EVENT|TIMEX3|DOCTIME|SECTIONTIME|TLINK)\s*<")
_SOURCES = ("eventInstanceID", "timeID", "eventID", "Source")
_TARGETS = (
    *("relatedToEventInstance", "subordinatedEventInstance", "relatedToTime"),
    *("relatedToEvent", "Target"),
)
_TYPES = ("relType", "Type")
_OWN_NAMES = {"Polarity": "polarity", "Class": "type"}
"""How THYME names attributes of TimeML; the latter is the type of a time."""
_DOC_TIME_REL = "DocTimeRel"
_SPAN = re.compile(r"\s*(\d{1,18})\s*,\s*(\d{1,18})\s*")


class _Annotation(NamedTuple):
    """An entity or a relation: its fields, its properties, and its byte offset."""

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
        return self.fields.get("type", "").strip()

    def first(self, keys: tuple[str, ...]) -> str | None:
        """Give the first of these properties that is not empty; None if all are."""
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
    encoding: str | None = None,
    companions: Companions | None = None,
) -> Document:
    """Read a document; if its text is not found, a diagnostic says so and nodes have no words."""
    source, encoding = open_source(data, name, encoding)
    diagnostics = Diagnostics(name, source)
    annotations = _parse(source, diagnostics, encoding) if _may_be_temporal(source) else []
    if not any(row.type in _TEMPORAL for row in annotations):
        message = "an Anafora file without temporal annotation: no EVENT, TIMEX3 or TLINK"
        raise NotRecognisedError(message, name=name, line=1, column=1)
    text = _find_text(annotations, name, companions, diagnostics)
    return _AnaforaBuilder(source, text, diagnostics).build(annotations)


def _may_be_temporal(source: Source) -> bool:
    """Whether a file is broken, or has one of the types anywhere: thousands have none."""
    data = source.data
    return not data.endswith(b"</data>", 0, len(data.rstrip())) or _TYPE.search(data) is not None


def _parse(source: Source, diagnostics: Diagnostics, encoding: str | None) -> list[_Annotation]:
    """Run expat over the file."""
    parser = expat.ParserCreate(encoding)
    parser.buffer_text = True
    parser.specified_attributes = True
    annotations: list[_Annotation] = []
    stack: list[str] = []
    parts: list[str] = []
    level = 0  # the depth of the annotation that is open; 0 if there is none

    def start(element: str, attributes: dict[str, str]) -> None:
        nonlocal level
        stack.append(element)
        too_large = check_element(element, attributes, len(stack))
        if too_large:
            refuse(too_large, parser, source, diagnostics, TooLargeError)
        if level == 0 and element in _ANNOTATIONS:
            level = len(stack)
            annotations.append(_Annotation({}, {}, parser.CurrentByteIndex))
        parts.clear()
        parser.CharacterDataHandler = parts.append if level else None

    def end(element: str) -> None:
        nonlocal level
        below = len(stack) - level if level else 0
        if below == 1 and element != "properties":
            annotations[-1].fields.setdefault(element, "".join(parts))
        elif below == len(("properties", "property")) and stack[-2] == "properties":
            annotations[-1].properties.setdefault(element, "".join(parts).strip())
        stack.pop()
        parts.clear()
        if len(stack) < level:
            level = 0

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = make_doctype_handler(parser, source, parts.append, diagnostics)
    run_parser(parser, source, diagnostics)
    return annotations


def _find_text(
    annotations: list[_Annotation],
    name: str,
    companions: Companions | None,
    diagnostics: Diagnostics,
) -> str | None:
    """Read the text file. If there is none, add a diagnostic and return None."""
    names = dict.fromkeys(_name_texts(annotations, name))
    found = companions.find(*names, beside=True) if companions else None
    if found is None:
        message = f"the text is not there: no file {next(iter(names), 'beside it')!r} or the like"
        diagnostics.add(Code.DANGLING, 0, message)
        return None
    path, data = found
    try:
        return decode(Source(data, detect_encoding(data)), path)
    except ReadError as error:
        diagnostics.add(Code.DANGLING, 0, f"its text cannot be read: {error}")
        return None


def _name_texts(annotations: list[_Annotation], name: str) -> Iterator[str]:
    """List the names that the text file may have, the longest first."""
    own = PurePath(name).name
    stems = [own[: dot.start()] for dot in re.finditer(r"\.", own)][::-1]
    parts = annotations[0].id.split("@") if annotations else []
    if len(parts) > len(("number", "kind")):
        stems.append(parts[2])
    for stem in stems:
        yield stem
        yield f"{stem}.txt"


class _AnaforaBuilder:
    """Makes nouns of the annotations."""

    def __init__(self, source: Source, text: str | None, diagnostics: Diagnostics) -> None:
        self.source = source
        self.text = text
        self.diagnostics = diagnostics
        self.nouns = Nouns()
        self.time: str | None = None
        self.relations: list[TimeRelation] = []

    def build(self, annotations: list[_Annotation]) -> Document:
        """Make the document."""
        self.nouns.has_instances = any(row.type == "MAKEINSTANCE" for row in annotations)
        links = []
        for row in annotations:
            if row.type in _LINKS:
                links.append(self._make_link(row))
            elif row.type not in _NOUNS:
                self.nouns.skipped[row.type] += 1
            elif row.id:
                self._add(row)
            else:
                message = f"{row.type} has no id and takes no part"
                self.diagnostics.add(Code.MISSING_ATTRIBUTE, row.start, message)
        links += relate_to_document_time(
            self.relations, self.nouns, self.time, self.diagnostics, _DOC_TIME_REL
        )
        text = self.text or ""
        return assemble(self.nouns, links, self.diagnostics, format="anafora", text=text)

    def _add(self, row: _Annotation) -> None:
        """Make a noun of an entity, or of a MAKEINSTANCE."""
        own = (row.id, self._describe(row), row.start, self.source)
        if row.type == "MAKEINSTANCE":
            event = row.first(("eventID",))
            if event is None:
                message = f"MAKEINSTANCE {show(row.id)} has no eventID"
                self.diagnostics.add(Code.MISSING_ATTRIBUTE, row.start, message)
            self.nouns.instances.append(Instance(*own, NOWHERE, NOWHERE, event))
        elif row.type == "EVENT":
            self.nouns.events.append(Event(*own, *self._find_span(row)))
            relation = row.properties.get(_DOC_TIME_REL, "").strip()
            if relation:
                self.relations.append(TimeRelation(row.id, relation, row.start))
        elif row.type == "SIGNAL":
            self.nouns.signals.append(Signal(*own, *self._find_span(row)))
        else:
            self.nouns.timexes.append(Timex(*own, *self._find_span(row)))

    def _describe(self, row: _Annotation) -> dict[str, str]:
        """Give the attributes under TimeML's names too. The first DOCTIME is the creation time."""
        known = {
            name: row.properties[own]
            for own, name in _OWN_NAMES.items()
            if row.properties.get(own) and (own != "Class" or row.type != "EVENT")
        }
        if row.type == "DOCTIME" and self.time is None:
            self.time = row.id
            known["functionInDocument"] = "CREATION_TIME"
        return {**known, **row.properties} if known else row.properties

    def _make_link(self, row: _Annotation) -> Link:
        written = row.first(_TYPES) or ""
        return Link(
            id=row.id,
            attributes=row.properties,
            byte_start=row.start,
            file=self.source,
            kind=row.type,
            type=find_label(row.type, written) or written or None,
            source=row.first(_SOURCES),
            target=row.first(_TARGETS),
            signal=row.first(("signalID",)),
        )

    def _find_span(self, row: _Annotation) -> tuple[int, int]:
        """Where an entity begins and ends in the text; it may have several pieces."""
        written = row.fields.get("span", "").strip()
        if not written or self.text is None:
            return NOWHERE, NOWHERE
        found = [_SPAN.fullmatch(piece) for piece in written.split(";")]
        spans = sorted((int(piece[1]), int(piece[2])) for piece in found if piece)
        most = len(self.text)
        if len(spans) < len(found) or any(first > last or last > most for first, last in spans):
            message = f"{row.type} {show(row.id)} has span {written[:80]!r}, which the text has not"
            self.diagnostics.add(Code.DANGLING, row.start, message)
            return NOWHERE, NOWHERE
        if len(spans) > 1:
            words = " ".join(self.text[first:last] for first, last in spans)
            self.nouns.phrases.setdefault(row.id, words)
        return spans[0][0], max(last for _, last in spans)
