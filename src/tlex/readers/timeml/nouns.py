"""From the rows of a TimeML file to nouns, and whatever is wrong with them."""

from __future__ import annotations

from collections.abc import Collection
from itertools import accumulate, repeat
from math import isfinite, nan
from operator import attrgetter, itemgetter
from typing import TypeVar

from tlex.algebra import CODES, find_label
from tlex.document import NOWHERE, Code, Document, Event, Instance, Link, Signal, Source, Timex
from tlex.readers.assembly import Problems, check_links, first_of_each, gather_nodes, show
from tlex.readers.timeml.dialects import find_ends, find_event
from tlex.readers.timeml.rows import IDS, KEYS, Empty, Rows

__all__ = ["USUAL", "are_plain", "build_document", "tidy_rows"]

USUAL = 4
"""A link has a name, a type and two ends; one with more attributes deserves a closer look."""

Noun = TypeVar("Noun", Event, Timex, Signal)


def build_document(
    source: Source, rows: Rows, problems: Problems, *, dialect: bool = False
) -> Document:
    """Turn rows into nouns. Every element of a corpus comes through here: loops are plain.

    With ``dialect`` links may name their ends in the way of an older dialect.
    """
    places = [0, *accumulate(map(len, rows.parts))]

    def build(noun: type[Noun], element: str) -> list[Noun]:
        key = KEYS[element]
        return [
            noun(attributes[key], attributes, start, source, places[first], places[end])
            for attributes, start, first, end in rows.marked[element]
        ]

    events, timexes, signals = (
        build(Event, "EVENT"),
        build(Timex, "TIMEX3"),
        build(Signal, "SIGNAL"),
    )
    for nouns in (events, timexes, signals):
        nouns.sort(key=attrgetter("byte_start"))  # the parser met inner ones first
    by_id = first_of_each(events, problems)
    instances = _build_instances(rows.instances, by_id, source, problems)
    nodes, index = gather_nodes(by_id, instances, timexes, problems)
    ends = find_ends(rows.links.walk(), index, instances, problems) if dialect else {}
    links, sound = _build_links(rows.links, index, ends, source, problems)
    names = {link.id for link in links}
    if not sound or "" in names or len(names) < len(links):
        links = check_links(links, index, instances, problems)
    return Document(
        name=problems.name,
        format="timeml",
        text=rows.text,
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


def tidy_rows(rows: Rows, problems: Problems) -> tuple[Rows, bool]:
    """Drop the blanks around ids, and elements without the id they need; the latter are told.

    Say also whether anything had to be changed.
    """
    changed = False

    def trim(element: str, attributes: dict[str, str], start: int) -> dict[str, str] | None:
        nonlocal changed
        trimmed = {k: v.strip() if k in IDS else v for k, v in attributes.items()}
        changed = changed or trimmed != attributes
        if element in KEYS and not trimmed.get(KEYS[element]):
            changed = True
            message = f"{element} has no {KEYS[element]} and takes no part"
            problems.add(Code.MISSING_ATTRIBUTE, start, message)
            return None
        return trimmed

    def tidy(empty: Empty) -> Empty:
        kept = Empty([], [], [])
        for element, attributes, start in empty.walk():
            trimmed = trim(element, attributes, start)
            if trimmed is not None:
                kept.names.append(element)
                kept.attributes.append(trimmed)
                kept.starts.append(start)
        return kept

    instances, links = tidy(rows.instances), tidy(rows.links)
    marked = {
        element: [
            (trimmed, start, first, end)
            for attributes, start, first, end in found
            if (trimmed := trim(element, attributes, start)) is not None
        ]
        for element, found in rows.marked.items()
    }
    return rows._replace(marked=marked, instances=instances, links=links), changed


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
    for kind, attributes, start in rows.walk():
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
            len(attributes) > USUAL
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


def are_plain(ids: Collection[str]) -> bool:
    """Whether no id is empty or has a blank."""
    together = "".join(ids)
    return not ids or ("" not in ids and together.split(None, 1) == [together])
