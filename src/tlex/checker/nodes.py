"""The check of nodes: what the document says of each event and time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from tlex.checker.constraints import fold
from tlex.document import Document, Event, Instance, Link, Node, Timex
from tlex.errors import VerificationError
from tlex.records import Expression, LinkInWords, NodeRecord

__all__ = ["check_nodes", "express", "express_link"]


def check_nodes(document: Document, nodes: Sequence[NodeRecord]) -> None:
    """Compare each node with what the document says of it."""
    into = _hear_links(document)
    events = _first_events(document)
    if len(nodes) != len(document.nodes):
        raise VerificationError(f"the document has {len(document.nodes)} nodes, not {len(nodes)}")
    for claimed, node in zip(nodes, document.nodes, strict=True):
        real = _describe(document, node, _event_of(node, events), into[node.id])
        for field in NodeRecord.__struct_fields__:
            said, found = getattr(claimed, field), getattr(real, field)
            if said != found:
                raise VerificationError(f"node {node.id!r}: the {field} is {found!r}, not {said!r}")


def express(document: Document, names: Collection[str]) -> dict[str, Expression]:
    """Give some nodes with their words and their lines; names that no node has are left out."""
    events = _first_events(document)
    found = {}
    for name in names:
        if name in document.index:
            node = document.nodes[document.index[name]]
            line, _ = document.position((_event_of(node, events) or node).byte_start)
            found[name] = Expression(name, document.words(node), line)
    return found


def express_link(document: Document, link: Link) -> LinkInWords:
    """Give a link, both ends of which are defined, with the words of its ends and its line."""
    ends = link.source or "", link.target or ""
    known = express(document, ends)
    line, _ = document.position(link.byte_start)
    return LinkInWords(
        id=link.id,
        kind=link.kind,
        type=link.type,
        source=known[ends[0]],
        target=known[ends[1]],
        line=line,
    )


def _first_events(document: Document) -> dict[str, Event]:
    return {event.id: event for event in reversed(document.events)}  # the first one wins


def _event_of(node: Node, events: dict[str, Event]) -> Event | None:
    return events.get(node.event or "") if isinstance(node, Instance) else None


def _hear_links(document: Document) -> dict[str, set[str]]:
    """The types of the SLINKs into each event; a CONDITIONAL counts for both its ends."""
    into: dict[str, set[str]] = defaultdict(set)
    for link in document.links:
        if link.kind != "SLINK" or link.type is None:
            continue
        source, target = link.source or "", link.target or ""
        if source in document.index and target in document.index:
            into[target].add(link.type)
            if link.type == "CONDITIONAL":
                into[source].add(link.type)
    return into


def _describe(
    document: Document, node: Node, event: Event | None, into: Collection[str]
) -> NodeRecord:
    """Describe a node from the document; an instance has the place of its event's words."""
    attributes = {**event.attributes, **node.attributes} if event else node.attributes
    line, column = document.position((event or node).byte_start)
    time = isinstance(node, Timex)
    return NodeRecord(
        id=node.id,
        kind="time" if time else "event",
        text=document.words(node),
        line=line,
        column=column,
        span=node.span,
        value=attributes.get("value") if time else None,
        factuality="factual" if time else _judge(attributes, into),
        type=attributes.get("type" if time else "class"),
        event=node.event if isinstance(node, Instance) else None,
    )


def _judge(attributes: dict[str, str], into: Collection[str]) -> str:
    """Find an event's factuality from the SLINKs into it, its modality and its polarity (R9)."""
    if "COUNTER_FACTIVE" in into or "NEGATIVE_EVIDENTIAL" in into:
        return "counterfactual"
    if "CONDITIONAL" in into:
        return "conditional"
    if "MODAL" in into or fold(attributes.get("modality")) not in {"", "none"}:
        return "possible"
    if fold(attributes.get("polarity")) == "neg":
        return "negated"
    return "reported" if "EVIDENTIAL" in into else "factual"
