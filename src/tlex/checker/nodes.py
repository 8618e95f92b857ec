"""The check of nodes: what the document says of each event and time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from msgspec.structs import replace

from tlex.checker.constraints import fold
from tlex.document import Document, Event, Instance, Link, Node, Timex
from tlex.errors import VerificationError
from tlex.records import Expression, ExtractionRecord, LinkInWords, NodeRecord
from tlex.result import Extraction

__all__ = ["check_nodes", "express", "express_link", "find_worlds"]


def check_nodes(
    document: Document,
    nodes: Sequence[NodeRecord],
    unmarked: Sequence[str],
    owner: Sequence[int],
) -> None:
    """Compare each node with what the document says of it, and its world with its timeline.

    ``unmarked`` is the factuality of each node if nothing marks it: `find_worlds` tells it.
    ``owner`` has the timeline of each node.
    """
    into = _hear_links(document)
    events = _first_events(document)
    if len(nodes) != len(document.nodes):
        raise VerificationError(f"the document has {len(document.nodes)} nodes, not {len(nodes)}")
    for claimed, node, world, number in zip(nodes, document.nodes, unmarked, owner, strict=True):
        real = _describe(document, node, _event_of(node, events), into[node.id], world)
        real = replace(real, world=number)
        for field in NodeRecord.__struct_fields__:
            said, found = getattr(claimed, field), getattr(real, field)
            if said != found:
                raise VerificationError(f"node {node.id!r}: the {field} is {found!r}, not {said!r}")


def find_worlds(extraction: Extraction | ExtractionRecord, owner: Sequence[int]) -> list[str]:
    """Find for each node what it is if nothing marks it, by the SLINKs into its timeline (R9).

    Connections and main timelines must have been proved; ``owner`` has the timeline of each node.
    """
    counted = extraction.options.subordinating
    given: dict[int, set[str]] = defaultdict(set)
    for connection in extraction.connections:
        if counted is None or connection.type in counted:
            status = _judge({}, {connection.type or ""}, "unasserted")
            given[connection.target_timeline].add(status)
    worlds = []
    for timeline in extraction.timelines:
        agreed, *others = given[timeline.id] or {"unasserted"}
        worlds.append("factual" if timeline.main else "unasserted" if others else agreed)
    return [worlds[number] for number in owner]


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
    document: Document, node: Node, event: Event | None, into: Collection[str], world: str
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
        factuality="factual" if time else _judge(attributes, into, world),
        type=attributes.get("type" if time else "class"),
        event=node.event if isinstance(node, Instance) else None,
    )


def _judge(attributes: dict[str, str], into: Collection[str], world: str) -> str:
    """Find an event's factuality from the SLINKs into it, its modality and its polarity (R9)."""
    if "COUNTER_FACTIVE" in into or "NEGATIVE_EVIDENTIAL" in into:
        return "counterfactual"
    if "CONDITIONAL" in into:
        return "conditional"
    if "MODAL" in into or fold(attributes.get("modality")) not in {"", "none"}:
        return "possible"
    if fold(attributes.get("polarity")) == "neg":
        return "negated"
    if "EVIDENTIAL" in into:
        return "reported"
    return "factual" if "FACTIVE" in into else world
