"""Reading the JSON of EventFull, as in OmniTemp: tokens, mentions of events, and pairs.

The text is the tokens with a blank between two. Nodes are mentions on the main axis. Labels compare
start points (``SPELLINGS["eventfull"]``); ``--labels intervals`` reads them as whole intervals, as
in EventFull's export of other corpora.
"""

from __future__ import annotations

import re
from itertools import accumulate

from msgspec import Struct, field

from tlex.algebra import find_label
from tlex.document import Document
from tlex.nouns import Code, Event, Link
from tlex.readers.assembly import Nouns, assemble
from tlex.readers.diagnostics import Diagnostics, show
from tlex.readers.json import find_places, open_json
from tlex.source import NOWHERE

__all__ = ["read_eventfull", "recognise_eventfull"]

_MARK = re.compile(r'"(?:allMentions|allPairs)"\s*:')
_OPEN = frozenset(("UNKNOWN", "CANDIDATE", ""))
"""What a pair has that is not annotated."""


class _Mention(Struct):
    m_id: str | int
    tokens: str | None = None
    tokens_ids: list[int] | None = None
    axis: str | None = field(default=None, name="axisType")


class _Pair(Struct):
    first: str | int | None = field(default=None, name="_firstId")
    second: str | int | None = field(default=None, name="_secondId")
    relation: str | None = field(default=None, name="_relation")


class _File(Struct):
    tokens: list[str]
    mentions: list[_Mention] = field(name="allMentions")
    pairs: list[_Pair] = field(name="allPairs")


def recognise_eventfull(head: str) -> bool:
    """Whether the beginning of a file looks like EventFull's export."""
    return _MARK.search(head) is not None and '"main_doc"' not in head


def read_eventfull(data: bytes, name: str, *, encoding: str | None = None) -> Document:
    """Read a document."""
    source, content = open_json(data, name, encoding, _File)
    diagnostics = Diagnostics(name, source)
    places = find_places(source.data, (0, len(source.data)))
    starts = [0, *accumulate(len(token) + 1 for token in content.tokens)]
    nouns = Nouns()
    for mention, at in zip(content.mentions, places["allMentions"], strict=True):
        if mention.axis != "main":
            nouns.skipped[mention.axis or "mention"] += 1
            continue
        own = str(mention.m_id).strip()
        if not own:
            diagnostics.add(Code.MISSING_ATTRIBUTE, at, "mention has no m_id and takes no part")
            continue
        numbers = sorted(set(mention.tokens_ids or ()))
        span = NOWHERE, NOWHERE
        if numbers and numbers[0] >= 0 and numbers[-1] < len(content.tokens):
            span = starts[numbers[0]], starts[numbers[-1] + 1] - 1
            if numbers[-1] - numbers[0] >= len(numbers):
                words = " ".join(content.tokens[number] for number in numbers)
                nouns.phrases.setdefault(own, words)
        else:
            message = f"mention {show(own)} names tokens that the document does not have"
            diagnostics.add(Code.DANGLING, at, message)
            if mention.tokens:
                nouns.phrases.setdefault(own, mention.tokens)
        nouns.events.append(Event(own, {}, at, source, *span))
    links = [
        Link(
            id=f"l{number}",
            attributes={"relation": pair.relation or ""},
            byte_start=at,
            file=source,
            kind="TLINK",
            type=_find_type(pair.relation or ""),
            source=_find_end(pair.first),
            target=_find_end(pair.second),
        )
        for number, (pair, at) in enumerate(zip(content.pairs, places["allPairs"], strict=True), 1)
    ]
    return assemble(
        nouns,
        links,
        diagnostics,
        format="eventfull",
        text=" ".join(content.tokens),
        untyped=("TLINK",),
    )


def _find_end(written: str | int | None) -> str | None:
    return None if written is None else str(written).strip() or None


def _find_type(written: str) -> str | None:
    if written.strip().upper() in _OPEN:
        return None
    return find_label("TLINK", written, "eventfull") or written
