"""The full way from elements to nouns: it copes with everything, and reports what is wrong."""

from __future__ import annotations

from collections.abc import Collection
from itertools import repeat
from math import isfinite, nan
from operator import attrgetter, itemgetter
from typing import TypeVar

from tlex.algebra import CODES, find_label
from tlex.document import Document
from tlex.nouns import Code, Event, Instance, Link, Signal, Timex
from tlex.readers.assembly import Nouns, assemble
from tlex.readers.diagnostics import Diagnostics, show
from tlex.readers.timeml.dialects import find_ends, find_event
from tlex.readers.timeml.parsing import ID_ATTRIBUTES, OWN_ID, Elements, EmptyElements
from tlex.source import NOWHERE, Source

__all__ = ["USUAL_ATTRIBUTES", "are_clean", "build_document", "clean_ids"]

USUAL_ATTRIBUTES = 4
"""A link has an id, a type and two ends. One with more attributes is looked at more closely."""

Noun = TypeVar("Noun", Event, Timex, Signal)


def build_document(
    source: Source, elements: Elements, diagnostics: Diagnostics, *, dialect: bool = False
) -> Document:
    """Make the nouns of a file, and the document.

    With ``dialect``, links may name their ends in the way of an older dialect. Every element of a
    corpus may come through here: the loops are written for speed.
    """
    places = elements.places

    def build(noun: type[Noun], element: str) -> list[Noun]:
        key = OWN_ID[element]
        return [
            noun(attributes[key], attributes, start, source, places[first], places[end])
            for attributes, start, first, end in elements.in_text[element]
        ]

    events, timexes, signals = (
        build(Event, "EVENT"),
        build(Timex, "TIMEX3"),
        build(Signal, "SIGNAL"),
    )
    for made in (events, timexes, signals):
        made.sort(key=attrgetter("byte_start"))  # the parser ends inner elements first
    first = {event.id: event for event in reversed(events)}  # of several with one id
    instances = _make_instances(elements.instances, first, source, diagnostics)

    def make_links(index: dict[str, int]) -> list[Link]:
        links = elements.links
        ends = find_ends(links.walk(), index, instances, diagnostics) if dialect else {}
        return _make_links(links, index, ends, source, diagnostics)

    nouns = Nouns(
        events=events, instances=instances, timexes=timexes, signals=signals, has_instances=True
    )
    return assemble(
        nouns,
        make_links,
        diagnostics,
        format="timeml",
        text=elements.text,
        sentences=((places[first], places[end]) for _, _, first, end in elements.in_text["s"]),
    )


def clean_ids(elements: Elements, diagnostics: Diagnostics) -> tuple[Elements, bool]:
    """Remove blanks around ids, and elements without the id they need, which are reported.

    The flag says whether anything was changed.
    """
    changed = False

    def trim(element: str, attributes: dict[str, str], start: int) -> dict[str, str] | None:
        nonlocal changed
        trimmed = {k: v.strip() if k in ID_ATTRIBUTES else v for k, v in attributes.items()}
        changed = changed or trimmed != attributes
        if element in OWN_ID and not trimmed.get(OWN_ID[element]):
            changed = True
            message = f"{element} has no {OWN_ID[element]} and takes no part"
            diagnostics.add(Code.MISSING_ATTRIBUTE, start, message)
            return None
        return trimmed

    def clean(empty: EmptyElements) -> EmptyElements:
        kept = EmptyElements([], [], [])
        for element, attributes, start in empty.walk():
            trimmed = trim(element, attributes, start)
            if trimmed is not None:
                kept.names.append(element)
                kept.attributes.append(trimmed)
                kept.starts.append(start)
        return kept

    instances, links = clean(elements.instances), clean(elements.links)
    in_text = {
        element: [
            (trimmed, start, first, end)
            for attributes, start, first, end in found
            if (trimmed := trim(element, attributes, start)) is not None
        ]
        for element, found in elements.in_text.items()
    }
    return elements._replace(in_text=in_text, instances=instances, links=links), changed


def _make_instances(
    elements: EmptyElements, events: dict[str, Event], source: Source, diagnostics: Diagnostics
) -> list[Instance]:
    """Make the instances; each has the span of its event."""
    attributes = elements.attributes
    try:  # in columns, which is faster than a loop
        names: list[str | None] = list(map(itemgetter("eventID"), attributes))
        found = list(map(events.__getitem__, names))  # type: ignore[arg-type]
    except KeyError:  # an instance without event
        nowhere = Event("", {}, NOWHERE, None, NOWHERE, NOWHERE)
        names = [find_event(own.get("eventID", own.get("eid")), events) for own in attributes]
        found = [events.get(name or "", nowhere) for name in names]
    for name, own, start in (
        zip(names, attributes, elements.starts, strict=True) if None in names else ()
    ):
        if name is None:
            message = f"MAKEINSTANCE {show(own['eiid'])} has no eventID"
            diagnostics.add(Code.MISSING_ATTRIBUTE, start, message)
    return list(
        map(
            Instance,
            map(itemgetter("eiid"), attributes),
            attributes,
            elements.starts,
            repeat(source),
            map(attrgetter("text_start"), found),
            map(attrgetter("text_end"), found),
            names,
        )
    )


def _make_links(
    elements: EmptyElements,
    index: dict[str, int],
    ends: dict[int, tuple[str | None, str | None]],
    file: Source,
    diagnostics: Diagnostics,
) -> list[Link]:
    """Make the links; ``ends`` has those of a dialect's links, by the link's byte offset."""
    links = []
    for kind, attributes, start in elements.walk():
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
            len(attributes) > USUAL_ATTRIBUTES
            or source not in index
            or target not in index
            or written not in CODES[kind]
            or not own
        ):
            signal = get("signalID", "").strip() or None
            weight = _look_closer(kind, attributes, start, diagnostics)
            source, target = ends.get(start, (source or None, target or None))
            own = own or (get("id", "") if kind == "CLINK" else "")
            written = (find_label(kind, written or "") or (written or "").strip()) or None
        links.append(
            Link(own, attributes, start, file, kind, written, source, target, signal, weight)
        )
    return links


def _look_closer(
    kind: str, attributes: dict[str, str], start: int, diagnostics: Diagnostics
) -> float | None:
    """Return the weight of a link, if it has one; report two names for one end."""
    link = f"{kind} {show(attributes['lid'])}" if attributes.get("lid") else kind
    for event, time in (("eventInstanceID", "timeID"), ("relatedToEventInstance", "relatedToTime")):
        if kind != "SLINK" and event in attributes and time in attributes:
            message = f"{link} has both {event} and {time} for one of its ends"
            diagnostics.add(Code.TWO_ENDS, start, message, f"{attributes[event]!r} is used")
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
    diagnostics.add(Code.BAD_WEIGHT, start, message)
    return None


def are_clean(ids: Collection[str]) -> bool:
    """Whether no id is empty or has a blank."""
    together = "".join(ids)
    return not ids or ("" not in ids and together.split(None, 1) == [together])
