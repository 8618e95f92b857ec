"""Factuality: what the annotation says about whether an event happened.

A reading of our own (R9), outside the proofs. It is decided by the SLINKs into an event, by both
ends of a CONDITIONAL, by its polarity and its modality: the first of them that applies.
"""

from __future__ import annotations

from collections import Counter

from tlex.document import Document, Event, Instance, Node, Timex
from tlex.records import NodeRecord

__all__ = ["count_negated", "describe_nodes", "judge_nodes"]

_LEVELS = ("counterfactual", "conditional", "possible", "negated", "reported", "factual")
_SAID_BY = {
    "COUNTER_FACTIVE": "counterfactual",
    "NEGATIVE_EVIDENTIAL": "counterfactual",
    "CONDITIONAL": "conditional",
    "MODAL": "possible",
    "EVIDENTIAL": "reported",
}


def describe_nodes(document: Document) -> tuple[NodeRecord, ...]:
    """Describe each node of a document, in text order: words, place, value, factuality."""
    marked = _find_marked(document)
    source = document.source
    places = (
        source.positions(shown.byte_start for shown in marked if shown.byte_start >= 0)
        if source
        else {}
    )
    nodes = []
    judged = _judge_shown(document, marked)
    for node, shown, factuality in zip(document.nodes, marked, judged, strict=True):
        line, column = places.get(shown.byte_start, (None, None))
        nodes.append(
            NodeRecord(
                id=node.id,
                kind="time" if isinstance(node, Timex) else "event",
                text=document.words(node),
                line=line,
                column=column,
                span=node.span,
                value=node.value if isinstance(node, Timex) else None,
                factuality=factuality,
                type=shown.type
                if isinstance(shown, Timex | Event)
                else node.attributes.get("class"),
                event=node.event if isinstance(node, Instance) else None,
            )
        )
    return tuple(nodes)


def judge_nodes(document: Document) -> list[str]:
    """Give the factuality of each node of a document, in text order."""
    return _judge_shown(document, _find_marked(document))


def _judge_shown(document: Document, marked: list[Node]) -> list[str]:
    said = _hear_links(document)
    return [
        _LEVELS[-1] if isinstance(node, Timex) else _judge(node, shown, said.get(node.id))
        for node, shown in zip(document.nodes, marked, strict=True)
    ]


def _find_marked(document: Document) -> list[Node]:
    """What is marked in the text for each node: an instance's event, else the node itself.

    Of several events with one id it is the first.
    """
    events = {event.id: event for event in reversed(document.events)}
    return [
        events.get(node.event or "", node) if isinstance(node, Instance) else node
        for node in document.nodes
    ]


def _hear_links(document: Document) -> dict[str, set[str]]:
    """What the SLINKs say about each event."""
    said: dict[str, set[str]] = {}
    for link in document.links:
        word = _SAID_BY.get(link.type or "") if link.kind == "SLINK" else None
        if word is None or link.source not in document.index or link.target not in document.index:
            continue
        ends = (link.source, link.target) if link.type == "CONDITIONAL" else (link.target,)
        for end in ends:
            if end is not None:
                said.setdefault(end, set()).add(word)
    return said


def _judge(node: Node, shown: Node, said: set[str] | None) -> str:
    own, shared = node.attributes, shown.attributes
    modality = own["modality"] if "modality" in own else shared.get("modality")
    if modality and modality.strip() and modality.strip().upper() != "NONE":
        said = (said or set()) | {"possible"}
    if _is_negated(node, shown):
        said = (said or set()) | {"negated"}
    return next(level for level in _LEVELS if level in said) if said else _LEVELS[-1]


def count_negated(document: Document) -> Counter[bool]:
    """Count the events of a document that are negated, and those that are not."""
    return Counter(
        _is_negated(node, shown)
        for node, shown in zip(document.nodes, _find_marked(document), strict=True)
        if not isinstance(node, Timex)
    )


def _is_negated(node: Node, shown: Node) -> bool:
    """Whether the polarity is NEG: that of an instance, or else that of its event."""
    own = node.attributes
    polarity = own["polarity"] if "polarity" in own else shown.attributes.get("polarity", "")
    return polarity.strip().upper() == "NEG"
