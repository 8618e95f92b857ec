"""The check of nodes: what the document says of each event and time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from tlex.checker.constraints import fold
from tlex.checker.trunk import Worlds
from tlex.document import Document
from tlex.errors import VerificationError
from tlex.nouns import Event, Instance, Link, Node, Timex
from tlex.records import DateRange, Expression, LinkInWords, NodeRecord

__all__ = ["check_nodes", "describe_nodes", "express", "express_link"]


def check_nodes(
    document: Document,
    nodes: Sequence[NodeRecord],
    worlds: Worlds,
    dates: Mapping[int, DateRange],
) -> None:
    """Compare each node with what the document says of it, and with its world and its date."""
    if len(nodes) != len(document.nodes):
        raise VerificationError(f"the document has {len(document.nodes)} nodes, not {len(nodes)}")
    for claimed, real in zip(nodes, describe_nodes(document, worlds, dates), strict=True):
        for field in NodeRecord.__struct_fields__:
            said, found = getattr(claimed, field), getattr(real, field)
            if said != found:
                raise VerificationError(f"node {real.id!r}: the {field} is {found!r}, not {said!r}")


def describe_nodes(
    document: Document, worlds: Worlds, dates: Mapping[int, DateRange]
) -> list[NodeRecord]:
    """Describe each node from the document, with its world and its date."""
    into = _hear_links(document)
    events = _first_events(document)
    unmarked = _judge_worlds(worlds)
    found = []
    for number, node in enumerate(document.nodes):
        world = worlds.of[number]
        real = _describe(document, node, _event_of(node, events), into[node.id], unmarked[world])
        found.append(replace(real, world=world, date=dates.get(number)))
    return found


def _judge_worlds(worlds: Worlds) -> dict[int, str]:
    """Find for each world what its events are if nothing marks them, by the SLINKs into it (R9)."""
    given: dict[int, set[str]] = defaultdict(set)
    for link in worlds.counted:
        given[link.target_timeline].add(_judge({}, {link.type or ""}, "unasserted"))
    judged = {}
    for world in set(worlds.of):
        agreed, *others = given[world] or {"unasserted"}
        judged[world] = "unasserted" if others else agreed
    return judged | dict.fromkeys(worlds.mains, "factual")


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
        words=link.attributes["words"] if link.kind == "CALENDAR" else UNSET,
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
    home, own = document.home(node)
    return NodeRecord(
        id=node.id,
        kind="time" if time else "event",
        text=document.words(node),
        line=line,
        column=column,
        span=home.nodes[home.index[own]].span,
        value=attributes.get("value") if time else None,
        factuality="factual" if time else _judge(attributes, into, world),
        type=attributes.get("type" if time else "class"),
        event=node.event if isinstance(node, Instance) else None,
        source=home.name if document.documents else UNSET,
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
