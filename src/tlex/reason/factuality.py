"""Factuality: what the annotation says about whether an event happened.

A reading of our own (R9), outside the proofs. What marks an event itself decides: the SLINKs into
it, both ends of a CONDITIONAL, its polarity and its modality; of these the first that applies. An
event that nothing marks is what its timeline is: factual on the trunk, and on a branch what the
SLINKs say that lead into the branch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat

from msgspec import UNSET
from msgspec.structs import replace

from tlex.document import Document
from tlex.nouns import Span
from tlex.records import NodeRecord
from tlex.result import Extraction

__all__ = ["count_negated", "describe_nodes", "judge_nodes"]

_FACTUAL, _UNASSERTED = "factual", "unasserted"
_LEVELS = ("counterfactual", "conditional", "possible", "negated", "reported", _FACTUAL)
"""What may mark an event, by rank: the first that applies decides."""
_POSSIBLE, _NEGATED, _UNMARKED = _LEVELS.index("possible"), _LEVELS.index("negated"), len(_LEVELS)
_SAID_BY = {
    "COUNTER_FACTIVE": "counterfactual",
    "NEGATIVE_EVIDENTIAL": "counterfactual",
    "CONDITIONAL": "conditional",
    "MODAL": "possible",
    "EVIDENTIAL": "reported",
    "FACTIVE": _FACTUAL,
}
_RANKS = {label: _LEVELS.index(level) for label, level in _SAID_BY.items()}


def describe_nodes(result: Extraction) -> tuple[NodeRecord, ...]:
    """Describe each node of a result, in text order: words, place, value, factuality."""
    document = result.document
    columns = document.node_columns
    source, text, starts = document.source, columns.text, columns.starts
    positions = source.positions([at for at in columns.offsets if at >= 0]) if source else {}
    nowhere = None, None
    places = [positions.get(offset, nowhere) for offset in columns.offsets]
    spans = [
        Span(start, end) if start >= 0 else None
        for start, end in zip(starts, columns.ends, strict=True)
    ]
    words = [text[span.start : span.end] if span else "" for span in spans]
    nodes: Iterable[NodeRecord] = map(
        NodeRecord,
        columns.ids,
        ["time" if is_time else "event" for is_time in columns.times],
        [word if word.isalnum() else " ".join(word.split()) for word in words],
        [line for line, _ in places],
        [column for _, column in places],
        spans,
        columns.values,
        judge_nodes(result),
        columns.types,
        columns.events,
        result.world_of,
        result.dates or repeat(None),
    )
    if document.phrases:
        nodes = [_put_phrase(node, document.phrases) for node in nodes]
    return tuple(_send_home(nodes, document) if document.documents else nodes)


def _put_phrase(node: NodeRecord, phrases: Mapping[str, str]) -> NodeRecord:
    """Give a node the words that no single stretch of the text holds."""
    phrase = phrases.get(node.id)
    return node if phrase is None else replace(node, text=" ".join(phrase.split()))


def _send_home(nodes: Iterable[NodeRecord], document: Document) -> Iterator[NodeRecord]:
    """Give the nodes of several documents as one the names and spans of their own documents."""
    for number, node in enumerate(nodes):
        home, inside = document.home(node.id)
        own = home.get(inside) or document.nodes[number]
        yield replace(node, span=own.span, source=UNSET if home is document else home.name)


def judge_nodes(result: Extraction) -> list[str]:
    """Give the factuality of each node of a result, in text order."""
    columns = result.document.node_columns
    said = _hear_links(result.document)
    unmarked = _judge_worlds(result)
    judged = []
    for name, is_time, modality, polarity, world in zip(
        columns.ids,
        columns.times,
        columns.modalities,
        columns.polarities,
        result.world_of,
        strict=True,
    ):
        if is_time:
            judged.append(_FACTUAL)
            continue
        rank = said.get(name, _UNMARKED)
        if rank > _POSSIBLE and modality and modality.strip().upper() not in {"", "NONE"}:
            rank = _POSSIBLE
        elif rank > _NEGATED and polarity != "POS" and _is_negative(polarity):
            rank = _NEGATED
        judged.append(unmarked[world] if rank == _UNMARKED else _LEVELS[rank])
    return judged


def _judge_worlds(result: Extraction) -> list[str]:
    """Say for each world what its events are that nothing marks.

    A world is a part that links connect, a timeline if there is no calendar. On a main one they
    are factual. On any other they are what the SLINKs into it say of their
    targets, if these agree. If they do not, if one has no known type, or if there are none, they
    are unasserted. Only SLINKs that make a branch count (R10).
    """
    said: dict[int, set[str]] = {}
    types = result.options.subordinating
    for connection in result.crossings:
        if types is None or connection.type in types:
            words = said.setdefault(connection.target_timeline, set())
            words.add(_SAID_BY.get(connection.type or "", _UNASSERTED))
    judged = [_UNASSERTED] * (max(result.world_of, default=-1) + 1)
    for number, words in said.items():
        if len(words) == 1:
            judged[number] = words.pop()
    for number in result.main_worlds[0]:
        judged[number] = _FACTUAL
    return judged


def _hear_links(document: Document) -> dict[str, int]:
    """Find the rank of what the SLINKs say about each event."""
    said: dict[str, int] = {}
    index = document.index
    for _, label, source, target in document.slinks:
        rank = _RANKS.get(label or "")
        if rank is None or source not in index or target not in index:
            continue
        for end in (source, target) if label == "CONDITIONAL" else (target,):
            if end is not None and said.get(end, _UNMARKED) > rank:
                said[end] = rank
    return said


def count_negated(document: Document) -> Counter[bool]:
    """Count the events of a document that are negated, and those that are not."""
    columns = document.node_columns
    return Counter(
        _is_negative(polarity)
        for is_time, polarity in zip(columns.times, columns.polarities, strict=True)
        if not is_time
    )


def _is_negative(polarity: str) -> bool:
    return polarity.strip().upper() == "NEG"
