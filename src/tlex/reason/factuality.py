"""What the annotation says about whether an event happened (SPEC §5).

A reading of our own (R9), outside the proofs: of the SLINKs into an event, both ends of a
CONDITIONAL, its polarity and its modality, the first that applies.
"""

from __future__ import annotations

from tlex.document import Document, Event, Instance, Timex
from tlex.report import Interval

__all__ = ["describe_nodes"]

_LEVELS = ("counterfactual", "conditional", "possible", "negated", "reported", "factual")
_SAID_BY = {
    "COUNTER_FACTIVE": "counterfactual",
    "NEGATIVE_EVIDENTIAL": "counterfactual",
    "CONDITIONAL": "conditional",
    "MODAL": "possible",
    "EVIDENTIAL": "reported",
}


def describe_nodes(document: Document) -> tuple[Interval, ...]:
    """Describe each node of a document, in text order: words, place, value, factuality."""
    events = {event.id: event for event in reversed(document.events)}
    said = _hear_links(document)
    nodes = []
    for node in document.nodes:
        event = events.get(node.event or "") if isinstance(node, Instance) else None
        shown = event or node
        line, column = document.position(shown.byte_start)
        nodes.append(
            Interval(
                id=node.id,
                kind="time" if isinstance(node, Timex) else "event",
                text=document.words(node),
                line=line,
                column=column,
                span=node.span,
                value=node.value if isinstance(node, Timex) else None,
                factuality="factual"
                if isinstance(node, Timex)
                else _judge(node, event, said.get(node.id, set())),
                type=shown.type
                if isinstance(shown, Timex | Event)
                else node.attributes.get("class"),
                event=node.event if isinstance(node, Instance) else None,
            )
        )
    return tuple(nodes)


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


def _judge(node: Instance | Event, event: Event | None, said: set[str]) -> str:
    attributes = {**event.attributes, **node.attributes} if event else node.attributes
    modality = attributes.get("modality", "").strip()
    if modality and modality.upper() != "NONE":
        said = said | {"possible"}
    if attributes.get("polarity", "").strip().upper() == "NEG":
        said = said | {"negated"}
    return next((level for level in _LEVELS if level in said), "factual")
