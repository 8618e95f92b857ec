"""Reading tlex's own JSON: a document without XML, for the output of annotators and models.

``docs/schema-document.json`` is its schema, generated from the types below. What violates it is an
error that names the path inside the JSON; what is wrong beyond that, such as a link that leads
nowhere, is a diagnostic as in every other format.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from tlex.algebra import find_label
from tlex.document import (
    NOWHERE,
    Code,
    Document,
    Event,
    Instance,
    Link,
    Node,
    Signal,
    Source,
    Timex,
)
from tlex.errors import NotWellFormedError
from tlex.readers.assembly import (
    Problems,
    check_links,
    first_of_each,
    gather_nodes,
    number_nodes,
    order_nodes,
    raise_first_error,
    show,
)
from tlex.readers.lines import decode
from tlex.readers.links import find_kind
from tlex.readers.plain import make_nodes
from tlex.readers.xml import detect_encoding

__all__ = ["JsonDocument", "read_json", "recognise_json"]

Id = Annotated[str, Meta(min_length=1, pattern=r"^\S+$", description="Any word without blanks.")]
Place = Annotated[int, Meta(ge=0)]
_Span = tuple[int, int]

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[][{}:]', re.DOTALL)
_FIRST = re.compile(r'\{\s*(?:"(?:text|events|instances|times|signals|links|order)")')
_MARK = re.compile(r'"schema"\s*:\s*"tlex-document/|"(?:links|events|instances|times)"\s*:\s*\[')
_OTHER = re.compile(r'"schema"\s*:\s*"(?!tlex-document/)')
_LINE = re.compile(rb"[^\n]+")
_BYTE = re.compile(r"\(byte (\d+)\)")
_PATH = re.compile(r"\$\.(\w+)\[(\d+)\]")
_LISTS = ("events", "instances", "times", "signals", "links")


class _Marked(Struct, forbid_unknown_fields=True, gc=False):
    """What has words: where they stand in the text, in characters, or what they are."""

    id: Id
    text: str | UnsetType = UNSET
    start: Place | UnsetType = UNSET
    end: Place | UnsetType = UNSET
    attributes: dict[str, str] = {}


class JsonEvent(_Marked, gc=False):
    """An event. ``attributes`` may have whatever TimeML has: tense, aspect, polarity, modality."""

    kind: str | UnsetType = msgspec.field(default=UNSET, name="class")
    polarity: str | UnsetType = UNSET
    modality: str | UnsetType = UNSET


class JsonInstance(_Marked, gc=False):
    """One happening of an event, where it must be told from the event or from another one.

    Links then name the instance. Without a place of its own it stands where its event does.
    """

    event: Id | UnsetType = UNSET
    polarity: str | UnsetType = UNSET
    modality: str | UnsetType = UNSET


class JsonTime(_Marked, gc=False):
    """A time: ``type`` is DATE, TIME, DURATION or SET, ``value`` such as 1989-11-02."""

    type: str | UnsetType = UNSET
    value: str | UnsetType = UNSET


class JsonSignal(_Marked, gc=False):
    """A word such as *before* that makes a relation explicit."""


class JsonLink(Struct, forbid_unknown_fields=True, gc=False):
    """A link, read as "source type target". Without ``kind`` the type tells what kind it is."""

    source: Id
    target: Id
    type: str | None = None
    kind: Literal["TLINK", "ALINK", "SLINK", "GLINK", "CLINK"] | UnsetType = UNSET
    id: Id | UnsetType = UNSET
    signal: Id | UnsetType = UNSET
    weight: float | UnsetType = UNSET
    attributes: dict[str, str] = {}


class JsonDocument(Struct, forbid_unknown_fields=True, gc=False):
    """A document.

    Where it lists no events, instances or times, the ends of links are its nodes.

    ``order`` has ids of nodes in an order for those that the text does not order; without it, they
    come as they are listed: events, instances, times.
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


class _Json(Source):
    """The bytes of a JSON file, in which each noun is an object."""

    __slots__ = ()

    def find_end(self, start: int, most: int | None = None) -> int:
        """Find the byte offset behind the object that begins at an offset."""
        stop = len(self.data) if most is None else start + most
        depth = 0
        for token in _TOKEN.finditer(self.data, start, stop):
            depth += (token[0] in b"[{") - (token[0] in b"]}")
            if not depth:
                return token.end()
        return NOWHERE


def recognise_json(head: str) -> bool:
    """Whether the beginning of a file looks like a document in JSON, and not like other JSON."""
    head = head.lstrip("\ufeff \t\r\n")
    if not head.startswith("{") or _OTHER.search(head):
        return False
    return _FIRST.match(head) is not None or _MARK.search(head) is not None


def read_json(
    data: bytes, name: str, *, strict: bool = False, encoding: str | None = None
) -> tuple[Document, ...]:
    """Read a document, or several with one on each line (JSON Lines), named by their lines.

    JSON that is broken or violates the schema is an error with its path.
    """
    data = data.removeprefix(codecs.BOM_UTF8)
    encoding = encoding or detect_encoding(data)
    if encoding != "utf-8":
        data = decode(Source(data, encoding), name).encode()
    source = _Json(data, "utf-8")
    decode(source, name)
    documents = tuple(
        _build(_decode(source, name, span), span, source, Problems(own, source))
        for own, span in _find_documents(data, name)
    )
    for document in documents if strict else ():
        raise_first_error(document)
    return documents


def _find_documents(data: bytes, name: str) -> list[tuple[str, _Span]]:
    """Where the documents are: one in the whole file, or one on each line."""
    lines = [line for line in _LINE.finditer(data) if line[0].strip()]
    first = lines[0][0].strip() if lines else b""
    if len(lines) > 1 and first.endswith(b"}") and _ends(first):
        numbers = (1 + data.count(b"\n", 0, line.start()) for line in lines)
        return [(f"{name}:{n}", line.span()) for n, line in zip(numbers, lines, strict=True)]
    return [(name, (0, len(data)))]


def _ends(line: bytes) -> bool:
    """Whether a line is JSON by itself."""
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
    except msgspec.DecodeError:
        return False
    return True


def _decode(source: Source, name: str, span: _Span) -> JsonDocument:
    try:
        return msgspec.json.decode(source.data[slice(*span)], type=JsonDocument)
    except msgspec.DecodeError as error:
        raise _explain(str(error), source, name, span) from None


def _explain(message: str, source: Source, name: str, span: _Span) -> NotWellFormedError:
    """Say where in the file the trouble is, and where in the JSON."""
    offset = span[0]
    byte, path = _BYTE.search(message), _PATH.search(message)
    if byte:
        offset = min(span[0] + int(byte[1]), len(source.data))
        message = message.replace(byte[0], "").strip()
    elif path:
        places = _find_places(source.data, span).get(path[1], [])
        offset = places[int(path[2])] if int(path[2]) < len(places) else span[0]
    line, column = source.position(offset)
    message = message if message.startswith("JSON") else f"{message[:1].lower()}{message[1:]}"
    told = f"not a document in tlex's JSON: {message}"
    return NotWellFormedError(told, name=name, line=line, column=column)


def _find_places(data: bytes, span: _Span) -> dict[str, list[int]]:
    """Find where each member of the document's lists begins."""
    places: dict[str, list[int]] = {}
    depth, key, before = 0, "", b""
    for token in _TOKEN.finditer(data, *span):
        word = token[0]
        if word == b":":
            if depth == 1:
                key = before.decode("utf-8", "replace").strip('"')
                places[key] = []  # of a repeated key the last counts
        elif word in b"[{":
            depth += 1
            if depth == len(("document", "list", "member")):
                places.setdefault(key, []).append(token.start())
        elif word in b"]}":
            depth -= 1
        before = word
    return places


class _Nouns:
    """Makes nouns of what was read."""

    def __init__(self, content: JsonDocument, source: Source, problems: Problems) -> None:
        self.content = content
        self.source = source
        self.problems = problems
        self.phrases: dict[str, str] = {}

    def place(
        self, found: _Marked, start: int, given: dict[str, str | UnsetType]
    ) -> tuple[str, dict[str, str], int, Source, int, int]:
        """What the nouns with words are made from."""
        known = {key: value for key, value in given.items() if isinstance(value, str)}
        first, last = self._find_span(found, start)
        words = "" if first < 0 else self.content.text[first:last]
        signal = isinstance(found, JsonSignal)  # a signal may have the id of a node
        if isinstance(found.text, str) and found.text.split() != words.split() and not signal:
            self.phrases.setdefault(found.id, found.text)
        return found.id, {**found.attributes, **known}, start, self.source, first, last

    def _find_span(self, found: _Marked, start: int) -> tuple[int, int]:
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
        self.problems.add(Code.DANGLING, start, message)
        return NOWHERE, NOWHERE


def _build(content: JsonDocument, span: _Span, source: Source, problems: Problems) -> Document:
    places = _find_places(source.data, span)
    events_at, instances_at, times_at, signals_at, links_at = (
        places.get(each, []) for each in _LISTS
    )
    nouns = _Nouns(content, source, problems)
    events = [
        Event(
            *nouns.place(
                event,
                start,
                {"class": event.kind, "polarity": event.polarity, "modality": event.modality},
            )
        )
        for event, start in zip(content.events, events_at, strict=True)
    ]
    timexes = [
        Timex(*nouns.place(time, start, {"type": time.type, "value": time.value}))
        for time, start in zip(content.times, times_at, strict=True)
    ]
    signals = [
        Signal(*nouns.place(signal, start, {}))
        for signal, start in zip(content.signals, signals_at, strict=True)
    ]
    every: list[Node] = [*events, *timexes]
    instances: Sequence[Instance] = ()
    if content.instances:
        by_id = first_of_each(events, problems)
        instances = _build_instances(content.instances, instances_at, by_id, nouns)
        nodes, index = gather_nodes(by_id, list(instances), timexes, problems)
    elif every:
        nodes, index = number_nodes(every, problems)
    else:
        first: dict[str, int] = {}
        for link, start in zip(content.links, links_at, strict=True):
            first.setdefault(link.source, start)
            first.setdefault(link.target, start)
        nodes, index = order_nodes(make_nodes(first, source))
        instances = [node for node in nodes if isinstance(node, Instance)]
        timexes = [node for node in nodes if isinstance(node, Timex)]
    if content.order:
        rank = {name: number for number, name in enumerate(content.order)}
        nodes, index = order_nodes(sorted(nodes, key=lambda node: rank.get(node.id, len(rank))))
    links = _build_links(content.links, links_at, source)
    return Document(
        name=problems.name,
        format="json",
        text=content.text,
        events=tuple(events),
        instances=tuple(instances),
        timexes=tuple(timexes),
        signals=tuple(signals),
        nodes=tuple(nodes),
        index=index,
        links=tuple(check_links(links, index, list(instances), problems, untyped=("SLINK",))),
        diagnostics=problems.in_order(),
        source=source,
        phrases=nouns.phrases,
    )


def _build_instances(
    found: list[JsonInstance], places: list[int], events: dict[str, Event], nouns: _Nouns
) -> list[Instance]:
    instances = []
    for instance, start in zip(found, places, strict=True):
        given = {"polarity": instance.polarity, "modality": instance.modality}
        _, attributes, _, _, first, last = nouns.place(instance, start, given)
        name = instance.event if isinstance(instance.event, str) else None
        event = events.get(name or "")
        if event is not None and first < 0:
            first, last = event.text_start, event.text_end
            if event.id in nouns.phrases:
                nouns.phrases.setdefault(instance.id, nouns.phrases[event.id])
        instances.append(Instance(instance.id, attributes, start, nouns.source, first, last, name))
    return instances


def _build_links(found: list[JsonLink], places: list[int], source: Source) -> list[Link]:
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
        signal = link.signal if isinstance(link.signal, str) else None
        weight = link.weight if isinstance(link.weight, float) else None
        links.append(
            Link(
                own,
                link.attributes,
                start,
                source,
                kind,
                label or None,
                link.source,
                link.target,
                signal,
                weight,
            )
        )
    return links
