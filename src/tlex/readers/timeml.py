"""Reading TimeML 1.2.1 (``.tml``), as in TimeBank, its TempEval-3 variant and older dialects.

In-line XML, read with expat, which tells the byte offset of everything. The text is all character
data; elements that TimeML does not know are transparent. Input is hostile until parsed: entity
declarations are refused, nothing outside the file is ever loaded, and depth and attribute size
have limits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import accumulate, repeat
from math import isfinite, nan
from operator import attrgetter, itemgetter
from typing import Any, TypeVar
from xml.parsers import expat

from tlex.algebra import CODES, find_label
from tlex.document import NOWHERE, Code, Document, Event, Instance, Link, Signal, Source, Timex
from tlex.errors import TooLargeError
from tlex.readers.assembly import (
    Problems,
    check_links,
    first_of_each,
    gather_nodes,
    raise_first_error,
    show,
)
from tlex.readers.dialects import find_ends, find_event, speaks_dialect
from tlex.readers.xml import (
    MAX_ATTRIBUTE,
    MAX_DEPTH,
    check_element,
    find_root,
    guard,
    open_source,
    refuse,
    run_parser,
)

__all__ = ["read_timeml", "recognise_timeml"]

Noun = TypeVar("Noun", Event, Timex, Signal)

_MARK = re.compile(r"<(?:EVENT|TIMEX3|MAKEINSTANCE|TLINK|SLINK|ALINK)[\s>/]")
_IDS = frozenset(
    {
        *("eid", "eiid", "tid", "sid", "lid", "eventID", "signalID", "eventInstanceID", "timeID"),
        *("relatedToEventInstance", "relatedToTime", "subordinatedEventInstance"),
    }
)
_USUAL = 4
"""A link has a name, a type and two ends; one with more attributes deserves a closer look."""
_END_IN_TAIL = re.compile(rb"</(?:[TSAGC]LINK|MAKEINSTANCE)")
_LINKS = frozenset(("TLINK", "SLINK", "ALINK", "GLINK", "CLINK"))
_EMPTY = _LINKS | {"MAKEINSTANCE"}
_KEYS = {"EVENT": "eid", "MAKEINSTANCE": "eiid", "TIMEX3": "tid", "SIGNAL": "sid"}

_NAMES = {
    name: name
    for name in (
        *_IDS,
        *_KEYS,
        *("TLINK", "SLINK", "ALINK", "TimeML", "relType", "signalID", "weight", "class", "stem"),
        *("type", "value", "mod", "temporalFunction", "functionInDocument", "anchorTimeID"),
        *("tense", "aspect", "polarity", "pos", "modality", "cardinality", "syntax", "origin"),
        *("beginPoint", "endPoint", "quant", "freq", "comment", "valueFromFunction"),
    )
}
"""The names that TimeML uses: the parser then gives these very strings, which are found quicker."""

Opened = tuple[str, dict[str, str], int, int]
"""An element when it begins: name, attributes, byte offset, number of text parts so far."""

Marked = tuple[Opened, int]
"""An element that marks words: when it began, and the number of text parts at its end."""


class Empty:
    """Elements without words, in the order of the file: parallel lists, the quickest to fill."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.attributes: list[dict[str, str]] = []
        self.starts: list[int] = []

    def __iter__(self) -> Iterator[tuple[str, dict[str, str], int]]:
        return zip(self.names, self.attributes, self.starts, strict=True)

    def add(self, name: str, attributes: dict[str, str], start: int) -> None:
        """Add one."""
        self.names.append(name)
        self.attributes.append(attributes)
        self.starts.append(start)

    def columns(
        self,
    ) -> tuple[Callable[[str], None], Callable[[dict[str, str]], None], Callable[[int], None]]:
        """What adds to each of the lists."""
        return self.names.append, self.attributes.append, self.starts.append


class Rows:
    """What the parser met, in the order of the file."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.marked: dict[str, list[Marked]] = {"EVENT": [], "TIMEX3": [], "SIGNAL": []}
        self.instances = Empty()
        self.links = Empty()
        self.dialect = False


def recognise_timeml(head: str) -> bool:
    """Whether the beginning of a file looks like TimeML: by its root, or by TimeML's own tags."""
    root = find_root(head)
    if root is None:
        return False
    if root.upper() == "TIMEML":
        return True
    return root not in {"Document", "data"} and _MARK.search(head) is not None


def read_timeml(
    data: bytes, name: str, *, strict: bool = False, encoding: str | None = None
) -> Document:
    """Read a TimeML document; ``encoding`` overrules what the file declares."""
    source, encoding = open_source(data, name, encoding)
    problems = Problems(name, source)
    rows = _parse(source, problems, encoding)
    met = list(problems.found)
    try:
        document: Document | None = _build(source, rows, problems)
    except KeyError:  # an element without its id
        document = None
    if document is None or document.diagnostics or not _has_plain_ids(document):
        # Something does not fit. Perhaps it does without the blanks around an id.
        tidied = Problems(name, source)
        tidied.found = met
        changed = _tidy(rows, tidied)
        rows.dialect = speaks_dialect(rows.links, {} if document is None else document.index)
        if changed or rows.dialect or document is None:
            document = _build(source, rows, tidied)
    if strict:
        raise_first_error(document)
    return document


def _parse(  # noqa: PLR0915 -- the handlers share their variables
    source: Source, problems: Problems, encoding: str | None
) -> Rows:
    """Run expat over the file."""
    parser = expat.ParserCreate(encoding, None, _NAMES.copy())
    parser.buffer_text = True
    parser.specified_attributes = True  # an internal DTD's default values are not annotation
    rows = Rows()
    marked, parts, instances, links = rows.marked, rows.parts, rows.instances, rows.links
    stack: list[Opened] = []
    push, pop = stack.append, stack.pop
    careful = not _has_plain_tail(source)

    in_text: list[Any] = []
    in_tail: list[Any] = []

    def look_closer(element: str, attributes: dict[str, str]) -> None:
        if element in _EMPTY:
            found = instances if element == "MAKEINSTANCE" else links
            found.add(element, attributes, parser.CurrentByteIndex)
            if not careful and len(stack) == len(("root", "instance or link")):
                pop()
                parser.StartElementHandler, parser.EndElementHandler = in_tail
        if careful or len(stack) > MAX_DEPTH:
            too_large = check_element(element, attributes, len(stack))
            if too_large:
                refuse(too_large, parser, source, problems, TooLargeError)

    def start(element: str, attributes: dict[str, str]) -> None:
        push((element, attributes, parser.CurrentByteIndex, len(parts)))
        if element in _EMPTY or careful or len(stack) > MAX_DEPTH:
            look_closer(element, attributes)

    def end(element: str) -> None:
        opened = pop()
        if element in marked:
            marked[element].append((opened, len(parts)))

    # Half of all elements come through here: no call of ours for each.
    add_link, add_link_attributes, add_link_start = links.columns()
    add_instance, add_instance_attributes, add_instance_start = instances.columns()

    def start_in_tail(element: str, attributes: dict[str, str]) -> None:
        if element in _LINKS:
            add_link(element)
            add_link_attributes(attributes)
            add_link_start(parser.CurrentByteIndex)
        elif element == "MAKEINSTANCE":
            add_instance(element)
            add_instance_attributes(attributes)
            add_instance_start(parser.CurrentByteIndex)
        else:
            parser.StartElementHandler, parser.EndElementHandler = in_text
            in_text[0](element, attributes)

    in_text += start, end
    in_tail += start_in_tail, None
    parser.StartElementHandler, parser.EndElementHandler = in_text
    parser.CharacterDataHandler = parts.append
    parser.StartDoctypeDeclHandler = guard(parser, source, parts.append, problems)
    run_parser(parser, source, problems.name)
    # Left alone, the handlers, which know each other, and the rows would wait for the garbage
    # collector, document after document: that takes a tenth of the time of reading.
    in_text.clear()
    in_tail.clear()
    return rows


def _has_plain_tail(source: Source) -> bool:
    """Whether instances and links are written as empty-element tags, without exception.

    Then those right below the root, as most files have them behind the text, need no waiting for
    their ends, which saves a good part of the time. A large file is read with all precautions.
    """
    return (
        len(source.data) <= MAX_ATTRIBUTE
        and not source.encoding.startswith("utf-16")
        and _END_IN_TAIL.search(source.data) is None
    )


def _build(source: Source, rows: Rows, problems: Problems) -> Document:
    """Turn rows into nouns. Every element of a corpus comes through here: loops are plain."""
    # The text behind the last marked words, white space between links, need not be measured.
    last = max((found[-1][1] for found in rows.marked.values() if found), default=0)
    at = [0, *accumulate(map(len, rows.parts[:last]))]

    def build(noun: type[Noun], element: str) -> list[Noun]:
        key = _KEYS[element]
        return [
            noun(attributes[key], attributes, start, source, at[first], at[last])
            for (_, attributes, start, first), last in rows.marked[element]
        ]

    events, timexes, signals = (
        build(Event, "EVENT"),
        build(Timex, "TIMEX3"),
        build(Signal, "SIGNAL"),
    )
    events.sort(key=attrgetter("byte_start"))  # the parser met inner ones first
    by_id = first_of_each(events, problems)
    instances = _build_instances(rows.instances, by_id, source, problems)
    nodes, index = gather_nodes(by_id, instances, timexes, problems)
    ends = find_ends(rows.links, index, instances, problems) if rows.dialect else {}
    links, sound = _build_links(rows.links, index, ends, source, problems)
    names = {link.id for link in links}
    if not sound or "" in names or len(names) < len(links):
        links = check_links(links, index, instances, problems)
    return Document(
        name=problems.name,
        format="timeml",
        text="".join(rows.parts),
        events=tuple(events),
        instances=tuple(instances),
        timexes=tuple(timexes),
        signals=tuple(signals),
        nodes=tuple(nodes),
        index=index,
        links=tuple(links),
        diagnostics=problems.in_order() if problems.found else (),
        source=source,
    )


def _has_plain_ids(document: Document) -> bool:
    """Whether no id is empty or has a blank."""
    signals = [signal.id for signal in document.signals]
    if "" in document.index or "" in signals:
        return False
    together = "".join([*document.index, *[link.id for link in document.links], *signals])
    return together.split(None, 1) == [together] if together else True


def _tidy(rows: Rows, problems: Problems) -> bool:
    """Drop the blanks around ids, and elements without the id they need; the latter are told.

    Say whether anything had to be changed.
    """
    changed = False

    def trim(element: str, attributes: dict[str, str], start: int) -> dict[str, str] | None:
        nonlocal changed
        trimmed = {k: v.strip() if k in _IDS else v for k, v in attributes.items()}
        changed = changed or trimmed != attributes
        if element in _KEYS and not trimmed.get(_KEYS[element]):
            changed = True
            message = f"{element} has no {_KEYS[element]} and takes no part"
            problems.add(Code.MISSING_ATTRIBUTE, start, message)
            return None
        return trimmed

    def tidy(empty: Empty) -> Empty:
        kept = Empty()
        for element, attributes, start in empty:
            trimmed = trim(element, attributes, start)
            if trimmed is not None:
                kept.add(element, trimmed, start)
        return kept

    rows.instances, rows.links = tidy(rows.instances), tidy(rows.links)
    for element, found in rows.marked.items():
        rows.marked[element] = [
            ((element, trimmed, start, first), last)
            for (_, attributes, start, first), last in found
            if (trimmed := trim(element, attributes, start)) is not None
        ]
    return changed


def _build_instances(
    rows: Empty, events: dict[str, Event], source: Source, problems: Problems
) -> list[Instance]:
    """Give each instance the span of its event."""
    attributes = rows.attributes
    try:  # in columns, without a line of Python for each
        names: list[str | None] = list(map(itemgetter("eventID"), attributes))
        found = list(map(events.__getitem__, names))  # type: ignore[arg-type]
    except KeyError:  # an instance without event
        nowhere = Event("", {}, NOWHERE, None, NOWHERE, NOWHERE)
        names = [find_event(own.get("eventID", own.get("eid")), events) for own in attributes]
        found = [events.get(name or "", nowhere) for name in names]
    for name, own, start in (
        zip(names, attributes, rows.starts, strict=True) if None in names else ()
    ):
        if name is None:
            message = f"MAKEINSTANCE {show(own['eiid'])} has no eventID"
            problems.add(Code.MISSING_ATTRIBUTE, start, message)
    return list(
        map(
            Instance,
            map(itemgetter("eiid"), attributes),
            attributes,
            rows.starts,
            repeat(source),
            map(attrgetter("text_start"), found),
            map(attrgetter("text_end"), found),
            names,
        )
    )


def _build_links(
    rows: Empty,
    index: dict[str, int],
    ends: dict[int, tuple[str | None, str | None]],
    file: Source,
    problems: Problems,
) -> tuple[list[Link], bool]:
    """Make the links, and say whether they are sound: nothing missing or undefined.

    ``ends`` has the ends of a link, by its byte offset, where a dialect names them in its own way.
    """
    links = []
    sound = True
    for kind, attributes, start in rows:
        get = attributes.get
        own, written, source = get("lid", ""), get("relType"), get("eventInstanceID")
        signal = weight = None
        if kind == "SLINK":
            target = get("subordinatedEventInstance")
        else:
            target = get("relatedToEventInstance")
            if source is None:
                source = get("timeID")
            if target is None:
                target = get("relatedToTime")
        if (
            len(attributes) > _USUAL
            or source not in index
            or target not in index
            or written not in CODES[kind]
            or not own
        ):
            signal = get("signalID", "").strip() or None
            weight = _look_closer(kind, attributes, start, problems)
            source, target = ends.get(start, (source or None, target or None))
            own = own or (get("id", "") if kind == "CLINK" else "")
            written = (find_label(kind, written or "") or (written or "").strip()) or None
            sound = sound and source in index and target in index and written in CODES[kind]
        links.append(
            Link(own, attributes, start, file, kind, written, source, target, signal, weight)
        )
    return links, sound


def _look_closer(
    kind: str, attributes: dict[str, str], start: int, problems: Problems
) -> float | None:
    """Look at what few links have: a weight, which is given back, and two names for one end."""
    link = f"{kind} {show(attributes['lid'])}" if attributes.get("lid") else kind
    for event, time in (("eventInstanceID", "timeID"), ("relatedToEventInstance", "relatedToTime")):
        if kind != "SLINK" and event in attributes and time in attributes:
            message = f"{link} has both {event} and {time} for one of its ends"
            problems.add(Code.TWO_ENDS, start, message, f"{attributes[event]!r} is used")
    written = attributes.get("weight")
    if written is None:
        return None
    try:
        weight = float(written)
    except ValueError:
        weight = nan
    if isfinite(weight):
        return weight
    message = f"{link} has weight {written!r}, which is not a number; it is left out"
    problems.add(Code.BAD_WEIGHT, start, message)
    return None
