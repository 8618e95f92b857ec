"""Reading MAVEN-ERE: JSON Lines with a document on each line.

Nodes are chains of coreferent mentions, at the place of their first mention, and times. Relations
are closed under inference, so there are very many; they are known by their label and number.
Causes and subevents order nothing and are left out. The text is the words with a blank between two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field

from tlex.algebra import find_label
from tlex.document import Document
from tlex.nouns import Code, Event, Link, Timex
from tlex.readers.assembly import Nouns, assemble
from tlex.readers.diagnostics import Diagnostics, show
from tlex.readers.json import JsonSource, list_json_documents
from tlex.source import NOWHERE

__all__ = ["read_maven", "recognise_maven"]

_TOKENS = re.compile(r'"tokens"\s*:\s*\[\s*\[')
_KEYS = re.compile(r'"(?:TIMEX|temporal_relations|event_mentions|mention)"\s*:')


class _Mention(Struct):
    id: str
    sentence: int = field(default=-1, name="sent_id")
    offset: list[int] = []
    type: str = ""


class _Chain(Struct):
    id: str
    mention: list[_Mention] = []
    type: str = ""


class _Line(Struct):
    tokens: list[list[str]]
    times: list[_Mention] = field(default_factory=list, name="TIMEX")
    events: list[_Chain] = []
    event_mentions: list[_Mention] = []
    relations: dict[str, list[tuple[str, str]]] = field(
        default_factory=dict, name="temporal_relations"
    )
    causes: dict[str, list[object]] = field(default_factory=dict, name="causal_relations")
    subevents: list[object] = field(default_factory=list, name="subevent_relations")


def recognise_maven(head: str) -> bool:
    """Whether the beginning of a file looks like MAVEN-ERE: lists of words, and its keys."""
    return _TOKENS.search(head) is not None and (
        _KEYS.search(head) is not None or '"sentences"' in head
    )


def read_maven(data: bytes, name: str, *, encoding: str | None = None) -> tuple[Document, ...]:
    """Read all documents of a file; they are named by their lines."""
    return tuple(
        _build(content, start, source, Diagnostics(own, source))
        for own, start, source, content in list_json_documents(data, name, encoding, _Line)
    )


def _build(content: _Line, start: int, source: JsonSource, diagnostics: Diagnostics) -> Document:
    starts: list[list[int]] = []
    sentences: list[tuple[int, int]] = []
    at = 0
    for words in content.tokens:
        first, row = at, []
        for word in words:
            row.append(at)
            at += len(word) + 1
        starts.append([*row, max(at, first + 1)])
        at = max(at, first + 1)
        sentences.append((first, at - 1))
    text = "\n".join(" ".join(words) for words in content.tokens)

    def find_span(mention: _Mention) -> tuple[int, int]:
        number, offset = mention.sentence, mention.offset
        if 0 <= number < len(starts) and len(offset) == len(("from", "to")):
            first, last = offset
            if 0 <= first < last < len(starts[number]):
                return starts[number][first], starts[number][last] - 1
        message = f"{show(mention.id)} has a place that the document does not have"
        diagnostics.add(Code.DANGLING, start, message)
        return NOWHERE, NOWHERE

    def has_id(noun: _Mention | _Chain) -> bool:
        if not noun.id.strip():
            message = "an event or a time has no id and takes no part"
            diagnostics.add(Code.MISSING_ATTRIBUTE, start, message)
        return bool(noun.id.strip())

    nouns = Nouns()
    chain_of: dict[str, str] = {}
    for chain in filter(has_id, content.events):
        span = find_span(chain.mention[0]) if chain.mention else (NOWHERE, NOWHERE)
        given = {"class": chain.type} if chain.type else {}
        nouns.events.append(Event(chain.id, given, start, source, *span))
        chain_of |= {mention.id: chain.id for mention in chain.mention}
    for mention in filter(has_id, content.event_mentions):
        if mention.id not in chain_of:
            given = {"class": mention.type} if mention.type else {}
            nouns.events.append(Event(mention.id, given, start, source, *find_span(mention)))
    for time in filter(has_id, content.times):
        given = {"type": time.type} if time.type else {}
        nouns.timexes.append(Timex(time.id, given, start, source, *find_span(time)))
    nouns.skipped["causal_relations"] += sum(map(len, content.causes.values()))
    nouns.skipped["subevent_relations"] += len(content.subevents)
    nouns.skipped = +nouns.skipped
    return assemble(
        nouns,
        list(_make_links(content, chain_of, start, source)),
        diagnostics,
        format="maven",
        text=text,
        sentences=[span for span in sentences if span[0] < span[1]],
    )


def _make_links(
    content: _Line, chain_of: dict[str, str], start: int, source: JsonSource
) -> Iterator[Link]:
    for written, pairs in content.relations.items():
        label = find_label("TLINK", written) or written
        for number, (one, other) in enumerate(pairs, 1):
            yield Link(
                f"{label}{number}",
                {},
                start,
                source,
                "TLINK",
                label,
                chain_of.get(one, one) or None,
                chain_of.get(other, other) or None,
            )
