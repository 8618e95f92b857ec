"""The types of tlex's own JSON. ``docs/schema-document.json`` is generated from them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

__all__ = [
    "LISTS",
    "JsonDocument",
    "JsonEvent",
    "JsonInstance",
    "JsonLink",
    "JsonNoun",
    "JsonPart",
    "JsonSignal",
    "JsonTime",
]

Id = Annotated[str, Meta(min_length=1, pattern=r"^\S+$", description="Any word without blanks.")]
Place = Annotated[int, Meta(ge=0)]
Count = Annotated[int, Meta(ge=1)]
Probability = Annotated[float, Meta(ge=0)]

LISTS = ("events", "instances", "times", "signals", "links")
"""The lists of a document whose members are nouns."""


class JsonNoun(Struct, forbid_unknown_fields=True, gc=False):
    """What all but links have: an id, and words, by their place in the text or as they are.

    Words without a place are looked for in the text, unless they are ``outside`` of it.
    ``line`` and ``column`` are its place in the file that it was first read from, in a document
    that is part of another one.
    """

    id: Id
    text: str | UnsetType = UNSET
    start: Place | UnsetType = UNSET
    end: Place | UnsetType = UNSET
    outside: bool = False
    attributes: dict[str, str] = {}
    line: Count | UnsetType = UNSET
    column: Count | UnsetType = UNSET


class JsonEvent(JsonNoun, gc=False):
    """An event. ``attributes`` may have whatever TimeML has: tense, aspect, polarity, modality."""

    kind: str | UnsetType = msgspec.field(default=UNSET, name="class")
    polarity: str | UnsetType = UNSET
    modality: str | UnsetType = UNSET


class JsonInstance(JsonNoun, gc=False):
    """One happening of an event, where an event has several, or must differ from its instance.

    Links then name the instance. An instance without a place of its own has the place of its event.
    """

    event: Id | UnsetType = UNSET
    polarity: str | UnsetType = UNSET
    modality: str | UnsetType = UNSET


class JsonTime(JsonNoun, gc=False):
    """A time: ``type`` is DATE, TIME, DURATION or SET, ``value`` such as 1989-11-02."""

    type: str | UnsetType = UNSET
    value: str | UnsetType = UNSET


class JsonSignal(JsonNoun, gc=False):
    """A word such as *before* that makes a relation explicit."""


class JsonLink(Struct, forbid_unknown_fields=True, gc=False):
    """A link, read as "source type target". Without ``kind``, the kind follows from the type.

    ``labels`` are candidates for the type, with their probabilities: ``tlex decode`` chooses.
    Without ``type``, the most probable one is the type.
    """

    source: Id
    target: Id
    type: str | None = None
    kind: Literal["TLINK", "ALINK", "SLINK", "GLINK", "CLINK"] | UnsetType = UNSET
    id: Id | UnsetType = UNSET
    signal: Id | UnsetType = UNSET
    weight: float | UnsetType = UNSET
    labels: dict[str, Probability] | UnsetType = UNSET
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
