"""Reading tlex's own JSON: a document without XML, for the output of annotators and models.

Its schema, ``docs/schema-document.json``, is generated from the types below. A file that violates
the schema is refused; the error names the path inside the JSON. Anything else that is wrong, such
as a link to a node that is not defined, is a diagnostic as in every other format.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import suppress
from operator import itemgetter
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from tlex.algebra import find_label
from tlex.document import NOWHERE, Code, Document, Event, Instance, Link, Signal, Source, Timex
from tlex.errors import NotWellFormedError, OptionError
from tlex.merging import join, name_documents
from tlex.readers.assembly import Nouns, assemble, check_links, find_kind, make_ends
from tlex.readers.diagnostics import Diagnostics, show
from tlex.readers.lines import decode
from tlex.readers.xml import detect_encoding

__all__ = [
    "JsonDocument",
    "JsonSource",
    "find_places",
    "list_json_documents",
    "open_json",
    "read_again",
    "read_json",
    "recognise_json",
]

Id = Annotated[str, Meta(min_length=1, pattern=r"^\S+$", description="Any word without blanks.")]
Place = Annotated[int, Meta(ge=0)]
Count = Annotated[int, Meta(ge=1)]
_Span = tuple[int, int]
Content = TypeVar("Content")

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[][{}:]', re.DOTALL)
_VALUE = re.compile(rb'\s*("[^"\\]*(?:\\.[^"\\]*)*"|[^][{},"\s]+)')
_FIRST = re.compile(r'\{\s*(?:"(?:text|events|instances|times|signals|links|order|documents)")')
_MARK = re.compile(
    r'"schema"\s*:\s*"tlex-document/|"(?:links|events|instances|times|documents)"\s*:\s*\['
)
_OTHER = re.compile(
    r'"schema"\s*:\s*"(?!tlex-document/)'
    r'|"(?:timex|TIMEX|event_order|allMentions|allPairs|main_doc|tokens|%TYPES)"\s*:'
)
"""What other JSON has: NarrativeTime, EventFull, MAVEN-ERE, UIMA CAS."""
_LINE = re.compile(rb"[^\n]+")
_BYTE = re.compile(r"\(byte (\d+)\)")
_PATH = re.compile(r"\.(\w+)\[(\d+)\]")
_LISTS = ("events", "instances", "times", "signals", "links")


class _JsonNoun(Struct, forbid_unknown_fields=True, gc=False):
    """What all but links have: an id, and words, by their place in the text or as they are.

    ``line`` and ``column`` are its place in the file that it was first read from, in a document
    that is part of another one.
    """

    id: Id
    text: str | UnsetType = UNSET
    start: Place | UnsetType = UNSET
    end: Place | UnsetType = UNSET
    attributes: dict[str, str] = {}
    line: Count | UnsetType = UNSET
    column: Count | UnsetType = UNSET


class JsonEvent(_JsonNoun, gc=False):
    """An event. ``attributes`` may have whatever TimeML has: tense, aspect, polarity, modality."""

    kind: str | UnsetType = msgspec.field(default=UNSET, name="class")
    polarity: str | UnsetType = UNSET
    modality: str | UnsetType = UNSET


class JsonInstance(_JsonNoun, gc=False):
    """One happening of an event, where an event has several, or must differ from its instance.

    Links then name the instance. An instance without a place of its own has the place of its event.
    """

    event: Id | UnsetType = UNSET
    polarity: str | UnsetType = UNSET
    modality: str | UnsetType = UNSET


class JsonTime(_JsonNoun, gc=False):
    """A time: ``type`` is DATE, TIME, DURATION or SET, ``value`` such as 1989-11-02."""

    type: str | UnsetType = UNSET
    value: str | UnsetType = UNSET


class JsonSignal(_JsonNoun, gc=False):
    """A word such as *before* that makes a relation explicit."""


class JsonLink(Struct, forbid_unknown_fields=True, gc=False):
    """A link, read as "source type target". Without ``kind``, the kind follows from the type."""

    source: Id
    target: Id
    type: str | None = None
    kind: Literal["TLINK", "ALINK", "SLINK", "GLINK", "CLINK"] | UnsetType = UNSET
    id: Id | UnsetType = UNSET
    signal: Id | UnsetType = UNSET
    weight: float | UnsetType = UNSET
    attributes: dict[str, str] = {}
    line: Count | UnsetType = UNSET
    column: Count | UnsetType = UNSET


class JsonPart(Struct, forbid_unknown_fields=True, gc=False):
    """A single document.

    Where it lists no events, instances or times, the ends of links are its nodes.

    ``order`` has ids of nodes, in an order for those that have no place in the text. Without it,
    these come as they are listed: events, instances, times.

    ``sentences`` has the start and end of each sentence of the text. A rule finds sentences in what
    none of them holds.
    """

    schema: Literal["tlex-document/1"] = "tlex-document/1"
    name: str = ""
    text: str = ""
    events: list[JsonEvent] = []
    instances: list[JsonInstance] = []
    times: list[JsonTime] = []
    signals: list[JsonSignal] = []
    links: list[JsonLink] = []
    order: list[Id] = []
    sentences: list[tuple[Place, Place]] = []


class JsonDocument(JsonPart, gc=False):
    """A document, or several as one.

    ``documents`` are the single ones. In ``links``, which then join them, an id has the name of its
    document in front (``story#ei4``); the other lists and ``text`` are empty.
    """

    documents: list[JsonPart] = []


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

    def find_document(self, offset: int) -> _Span:
        """Find where the document begins and ends that an offset lies in."""
        if not self.many:
            return 0, len(self.data)
        end = self.data.find(b"\n", offset)
        return self.data.rfind(b"\n", 0, offset) + 1, len(self.data) if end < 0 else end

    def find_value(self, start: int, key: str) -> _Span | None:
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


def recognise_json(head: str) -> bool:
    """Whether the beginning of a file looks like a document in JSON, and not like other JSON."""
    head = head.lstrip("\ufeff \t\r\n")
    if not head.startswith("{") or _OTHER.search(head):
        return False
    return _FIRST.match(head) is not None or _MARK.search(head) is not None


def read_json(data: bytes, name: str, *, encoding: str | None = None) -> tuple[Document, ...]:
    """Read a document, or several with one on each line (JSON Lines), named by their lines.

    JSON that is broken or violates the schema is an error with its path.
    """
    source, documents = _open(data, name, encoding)
    return tuple(_build(source, own, name, span) for own, span in documents)


def open_json(
    data: bytes, name: str, encoding: str | None, form: type[Content]
) -> tuple[JsonSource, Content]:
    """Give a file of JSON and its content, for formats with one document in a file."""
    source, _ = _open(data, name, encoding)
    return source, _decode_as(source, name, (0, len(source.data)), form, "not such a document")


def list_json_documents(
    data: bytes, name: str, encoding: str | None, form: type[Content]
) -> Iterator[tuple[str, int, JsonSource, Content]]:
    """Give the documents of a file of JSON Lines: name, byte offset, file, content."""
    source, documents = _open(data, name, encoding)
    for own, span in documents:
        content = _decode_as(source, name, span, form, "not such a document")
        yield own, source.data.index(b"{", span[0]), source, content


def _open(
    data: bytes, name: str, encoding: str | None
) -> tuple[JsonSource, list[tuple[str, _Span]]]:
    """Decode a file, and find its documents."""
    content = data.removeprefix(codecs.BOM_UTF8)
    codec = encoding or detect_encoding(content)
    mark = data[: len(data) - len(content)]
    if codec != "utf-8":
        content = decode(Source(content, codec), name).encode()
        written = "\ufeff".encode(codec, "ignore")
        mark += written if written and data[len(mark) :].startswith(written) else b""
    decode(Source(content, "utf-8"), name)
    documents = _find_documents(content, name)
    return JsonSource(data, content, codec, mark, many=len(documents) > 1), documents


def read_again(source: JsonSource, name: str, offset: int) -> Document:
    """Read the one document that an offset lies in; a file may have very many."""
    return _build(source, name, name, source.find_document(offset))


def _build(source: JsonSource, name: str, file: str, span: _Span) -> Document:
    """Make the document that stands at a span of the file."""
    content = _decode(source, file, span)
    if not content.documents:
        return _JsonBuilder(content, source, Diagnostics(name, source)).build(span)
    places = find_places(source.data, span)
    try:
        return _build_merged(source, name, content, places)
    except OptionError as error:
        line, column = source.position(span[0])
        raise NotWellFormedError(str(error), name=file, line=line, column=column) from None


def _build_merged(
    source: JsonSource, name: str, content: JsonDocument, places: dict[str, list[int]]
) -> Document:
    """Make one document of several, and check the links between them."""
    filled = [key for key in (*_LISTS[:-1], "text", "order") if getattr(content, key)]
    if filled:
        raise OptionError(
            f"a document with 'documents' has no {filled[0]!r} of its own; put them into these"
        )
    starts = places["documents"]
    ends = [source.data.rfind(b"}", 0, following) + 1 for following in starts[1:]]
    ends.append(source.find_end(starts[-1]))
    parts = []
    for number, (part, *span) in enumerate(zip(content.documents, starts, ends, strict=True), 1):
        own = part.name or f"{number}"
        builder = _JsonBuilder(part, source, Diagnostics(own, source))
        parts.append(builder.build((span[0], span[1])))
    base = join(parts, name_documents(parts), name=name, format="json", source=source)
    used = {link.id for link in base.links}
    links = [
        msgspec.structs.replace(link, id="") if link.id in used else link
        for link in _make_links(content.links, places.get("links", []), source)
    ]
    diagnostics = Diagnostics(name, source)
    checked = check_links(links, base.index, list(base.instances), diagnostics, ("SLINK",))
    return base.replace(
        links=(*base.links, *checked),
        diagnostics=(*base.diagnostics, *diagnostics.in_order()),
    )


def _find_documents(data: bytes, name: str) -> list[tuple[str, _Span]]:
    """Find where the documents are: one in the whole file, or one on each line."""
    lines = [line for line in _LINE.finditer(data) if line[0].strip()]
    first = lines[0][0].strip() if lines else b""
    if len(lines) > 1 and first.endswith(b"}") and _ends(first):
        documents = []
        number, at = 1, 0
        for line in lines:
            number += data.count(b"\n", at, line.start())
            at = line.start()
            documents.append((f"{name}:{number}", line.span()))
        return documents
    return [(name, (0, len(data)))]


def _ends(line: bytes) -> bool:
    """Whether a line is JSON by itself."""
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
    except msgspec.DecodeError:
        return False
    return True


def _decode(source: JsonSource, name: str, span: _Span) -> JsonDocument:
    return _decode_as(source, name, span, JsonDocument, "not a document in tlex's JSON")


def _decode_as(
    source: JsonSource, name: str, span: _Span, form: type[Content], what: str
) -> Content:
    try:
        return msgspec.json.decode(source.data[slice(*span)], type=form)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _explain(str(error), source, name, span, what) from None


def _explain(
    message: str, source: JsonSource, name: str, span: _Span, what: str
) -> NotWellFormedError:
    """Make an error that names the place in the file, and the path in the JSON."""
    offset = span[0]
    byte = _BYTE.search(message)
    if byte:
        offset = min(span[0] + int(byte[1]), len(source.data))
        message = message.replace(byte[0], "").strip()
    else:
        for key, number in _PATH.findall(message):
            whole = offset, max(source.find_end(offset), offset)
            places = find_places(source.data, whole).get(key, [])
            offset = places[int(number)] if int(number) < len(places) else offset
    line, column = source.position(offset)
    message = message if message.startswith("JSON") else f"{message[:1].lower()}{message[1:]}"
    message = f"{what}: {message}"
    return NotWellFormedError(message, name=name, line=line, column=column)


def find_places(data: bytes, span: _Span) -> dict[str, list[int]]:
    """Find where each member of the document's lists begins."""
    places: dict[str, list[int]] = {}
    depth, key, before = 0, "", b""
    for token in _TOKEN.finditer(data, *span):
        word = token[0]
        if word == b":":
            if depth == 1:
                key = _read_key(before)
                places[key] = []  # of a repeated key the last counts
        elif word in b"[{":
            depth += 1
            if depth == len(("document", "list", "member")):
                places.setdefault(key, []).append(token.start())
        elif word in b"]}":
            depth -= 1
        before = word
    return places


def _read_key(token: bytes) -> str:
    """Give the name of a member, which may be written with escapes."""
    if b"\\" in token:
        with suppress(msgspec.DecodeError):
            return msgspec.json.decode(token, type=str)
    return token.decode("utf-8", "replace").strip('"')


class _JsonBuilder:
    """Makes nouns of what was decoded."""

    def __init__(self, content: JsonPart, source: JsonSource, diagnostics: Diagnostics) -> None:
        self.content = content
        self.source = source
        self.diagnostics = diagnostics
        self.nouns = Nouns(has_instances=bool(content.instances))

    def build(self, span: _Span) -> Document:
        """Make the document that stands at a span of the file."""
        places = find_places(self.source.data, span)
        events_at, instances_at, times_at, signals_at, links_at = (
            places.get(each, []) for each in _LISTS
        )
        content, nouns = self.content, self.nouns
        self._remember(span[0], places)
        for event, start in zip(content.events, events_at, strict=True):
            given = {"class": event.kind, "polarity": event.polarity, "modality": event.modality}
            nouns.events.append(Event(*self._place(event, start, given)))
        for time, start in zip(content.times, times_at, strict=True):
            given = {"type": time.type, "value": time.value}
            nouns.timexes.append(Timex(*self._place(time, start, given)))
        for signal, start in zip(content.signals, signals_at, strict=True):
            nouns.signals.append(Signal(*self._place(signal, start, {})))
        for instance, start in zip(content.instances, instances_at, strict=True):
            given = {"polarity": instance.polarity, "modality": instance.modality}
            event_id = instance.event if isinstance(instance.event, str) else None
            nouns.instances.append(Instance(*self._place(instance, start, given), event_id))
        if not (content.events or content.times or content.instances):
            first: dict[str, int] = {}
            for link, start in zip(content.links, links_at, strict=True):
                first.setdefault(link.source, start)
                first.setdefault(link.target, start)
            nouns.ends = make_ends(first, self.source)
        return assemble(
            nouns,
            _make_links(content.links, links_at, self.source),
            self.diagnostics,
            format="json",
            text=content.text,
            untyped=("SLINK",),
            order=content.order,
            sentences=self._find_sentences(places.get("sentences", [])),
        )

    def _place(
        self, found: _JsonNoun, start: int, given: dict[str, str | UnsetType]
    ) -> tuple[str, dict[str, str], int, Source, int, int]:
        """Give what the nouns with words are made from, up to their span in the text."""
        known = {key: value for key, value in given.items() if isinstance(value, str)}
        first, last = self._find_span(found, start)
        words = "" if first < 0 else self.content.text[first:last]
        signal = isinstance(found, JsonSignal)  # a signal may have the id of a node
        if isinstance(found.text, str) and found.text.split() != words.split() and not signal:
            self.nouns.phrases.setdefault(found.id, found.text)
        return found.id, {**found.attributes, **known}, start, self.source, first, last

    def _remember(self, start: int, places: dict[str, list[int]]) -> None:
        """Take over the lines and columns that the document has of its nouns."""
        known = {
            at: (noun.line, noun.column)
            for key in _LISTS
            for noun, at in zip(getattr(self.content, key), places.get(key, []), strict=True)
            if isinstance(noun.line, int) and isinstance(noun.column, int)
        }
        if known:
            self.source.remember(start, self.diagnostics.name, known)

    def _find_sentences(self, places: list[int]) -> list[_Span]:
        kept = []
        for number, ((first, last), start) in enumerate(
            zip(self.content.sentences, places, strict=True), 1
        ):
            if first <= last <= len(self.content.text):
                kept.append((first, last))
                continue
            message = (
                f"sentence {number} goes from {first} to {last} in a text of "
                f"{len(self.content.text):,} characters; it is left out"
            )
            self.diagnostics.add(Code.DANGLING, start, message)
        return kept

    def _find_span(self, found: _JsonNoun, start: int) -> tuple[int, int]:
        if isinstance(found.start, UnsetType) and isinstance(found.end, UnsetType):
            return NOWHERE, NOWHERE
        first = found.start if isinstance(found.start, int) else NOWHERE
        last = found.end if isinstance(found.end, int) else NOWHERE
        if 0 <= first <= last <= len(self.content.text):
            return first, last
        shown = [str(place) if place >= 0 else "nowhere" for place in (first, last)]
        message = (
            f"{show(found.id)} goes from {shown[0]} to {shown[1]} in a text of "
            f"{len(self.content.text):,} characters; it is taken to be outside the text"
        )
        self.diagnostics.add(Code.DANGLING, start, message)
        return NOWHERE, NOWHERE


def _make_links(found: list[JsonLink], places: list[int], source: Source) -> list[Link]:
    taken = {link.id for link in found if isinstance(link.id, str)}
    links = []
    for number, (link, start) in enumerate(zip(found, places, strict=True), 1):
        label, kind = find_kind(link.type or "")
        if isinstance(link.kind, str):
            kind = link.kind
            label = find_label(kind, link.type or "") or (link.type or "").strip()
        own = link.id if isinstance(link.id, str) else f"l{number}"
        while own in taken and not isinstance(link.id, str):
            own += "'"
        links.append(
            Link(
                id=own,
                attributes=link.attributes,
                byte_start=start,
                file=source,
                kind=kind,
                type=label or None,
                source=link.source,
                target=link.target,
                signal=link.signal if isinstance(link.signal, str) else None,
                weight=link.weight if isinstance(link.weight, float) else None,
            )
        )
    return links
