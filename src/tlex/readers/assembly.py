"""From the nouns that a reader collected to a `Document`: what all formats share.

A reader puts what it finds in a file into `Nouns`, makes a list of links, notes what is wrong in
`Diagnostics`, and calls `assemble` once. Here nodes are put into text order, links get ids of their
own, and references are looked up. Whatever is wrong becomes a diagnostic, and reading goes on.
``docs/readers.md`` shows a whole reader.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from operator import attrgetter

import msgspec
from msgspec.structs import replace

from tlex.algebra import CODES, find_label
from tlex.document import Document
from tlex.nouns import Code, Event, Instance, Link, Node, Signal, Span, Timex
from tlex.readers.diagnostics import (
    Diagnostics,
    name_reading,
    say_unknown,
    show,
    suggest_label,
)
from tlex.source import NOWHERE, Source

__all__ = ["Nouns", "assemble", "check_links", "find_kind", "is_time", "make_ends"]

_ELEMENTS = {Event: "EVENT", Instance: "MAKEINSTANCE", Timex: "TIMEX3", Signal: "SIGNAL"}
_TIME_ID = re.compile(r"t(?:mx)?\d+")
# A hint names the nearest id that is defined. It must stay cheap in a hostile file, so there are
# limits: on the diagnostics that get a hint, the ids to look through, and the digits to compare.
_HINTS = 100
_LOOK_AMONG = 20_000
_DIGITS = 18


class Nouns(msgspec.Struct, kw_only=True):
    """What a reader collects from a file; every list is in the order of the file.

    ``has_instances`` says that links name instances (MAKEINSTANCE) in this format. An event without
    one is then reported, and an instance without a span gets the span of its event. In all other
    formats links name events.

    ``ends`` are for a format that lists no events and times at all: the nodes that its links name,
    as `make_ends` gives them. Such a format fills no other list.

    ``phrases`` has the words of nodes, by id, where no single stretch of the text holds them.
    ``skipped`` counts the elements of the file that become no part of the document, by name.
    """

    events: list[Event] = []
    instances: list[Instance] = []
    timexes: list[Timex] = []
    signals: list[Signal] = []
    ends: list[Node] = []
    phrases: dict[str, str] = {}
    has_instances: bool = False
    skipped: Counter[str] = msgspec.field(default_factory=Counter)


def assemble(  # noqa: PLR0913 -- most have defaults
    nouns: Nouns,
    links: list[Link] | Callable[[dict[str, int]], list[Link]],
    diagnostics: Diagnostics,
    *,
    format: str,  # noqa: A002 -- what the command line calls it
    text: str = "",
    untyped: Collection[str] = (),
    order: Sequence[str] = (),
    sentences: Iterable[tuple[int, int]] = (),
) -> Document:
    """Put a document together, and add to ``diagnostics`` what is wrong with its references.

    Parameters
    ----------
    nouns : Nouns
        Events, instances, times and signals, in the order of the file.
    links : list of Link, or callable
        The links. A callable makes them: it is given the numbers of the nodes by id, for formats
        in which a link may name its ends in several ways.
    diagnostics : Diagnostics
        What is wrong so far. The document's name and file are those of the diagnostics.
    format : str
        The name of the format.
    text : str
        The text without its annotation.
    untyped : collection of str
        The kinds of links that need no type in this format.
    order : sequence of str
        Ids of nodes, in an order for those that the text does not order.
    sentences : iterable of pairs of int
        Start and end of the sentences that the file marks, in characters of the text.

    Returns
    -------
    Document
        The document, with its nodes in text order.

    Raises
    ------
    ReadError
        If a reader's callable raises one; what is wrong with references raises nothing.

    Examples
    --------
    >>> import tlex
    >>> from tlex.document import Source
    >>> from tlex.readers import Diagnostics, Nouns, assemble
    >>> source = Source(b"fell", "utf-8")
    >>> fell = tlex.Event(
    ...     id="e1", attributes={}, byte_start=0, file=source, text_start=0, text_end=4
    ... )
    >>> assemble(Nouns(events=[fell]), [], Diagnostics("a", source), format="notes", text="fell")
    <Document 'a': 1 nodes, format notes>

    See Also
    --------
    tlex.from_links : make a document from triples.
    """
    events, instances, timexes = nouns.events, nouns.instances, nouns.timexes
    if nouns.ends:
        nodes, index = _number_nodes(nouns.ends, diagnostics)
        events = [node for node in nodes if isinstance(node, Event)]
        instances = [node for node in nodes if isinstance(node, Instance)]
        timexes = [node for node in nodes if isinstance(node, Timex)]
    elif nouns.has_instances:
        by_id = _first_of_each(events, diagnostics)
        instances = _place_instances(instances, by_id, nouns.phrases)
        nodes, index = _gather_nodes(by_id, instances, timexes, diagnostics)
    else:
        nodes, index = _number_nodes([*events, *timexes], diagnostics)
    if order:
        rank = {name: number for number, name in enumerate(order)}
        nodes, index = _order_nodes(sorted(nodes, key=lambda node: rank.get(node.id, len(rank))))
    made = links(index) if callable(links) else links
    checked = check_links(made, index, instances, diagnostics, untyped)
    return Document(
        name=diagnostics.name,
        format=format,
        text=text,
        events=tuple(events),
        instances=tuple(instances),
        timexes=tuple(timexes),
        signals=tuple(nouns.signals),
        nodes=tuple(nodes),
        index=index,
        links=tuple(checked),
        diagnostics=diagnostics.in_order(),
        source=diagnostics.source,
        phrases=nouns.phrases,
        skipped=dict(nouns.skipped),
        sentences=tuple(Span(start, end) for start, end in sentences),
    )


def make_ends(first: Mapping[str, int], source: Source | None) -> list[Node]:
    """Make a node of each id that links name; ``first`` has the byte offset where it comes up."""
    return [
        (Timex if is_time(name) else Instance)(name, {}, start, source, NOWHERE, NOWHERE)
        for name, start in first.items()
    ]


def is_time(name: str) -> bool:
    """Whether an id looks like a time's: ``t`` and a number."""
    return _TIME_ID.fullmatch(name) is not None


@lru_cache
def find_kind(written: str) -> tuple[str, str]:
    """Find the label and the kind of link, where a format only has the label.

    A label that no table has is taken for a TLINK's.
    """
    for kind in CODES:
        label = find_label(kind, written)
        if label:
            return label, kind
    return written.strip(), "TLINK"


def _first_of_each(events: list[Event], diagnostics: Diagnostics) -> dict[str, Event]:
    """Find events by id; of several with one id the first counts."""
    first = {event.id: event for event in events}
    if len(first) == len(events):
        return first
    first = {}
    for event in events:
        if first.setdefault(event.id, event) is not event:
            _report_repeated(event, first[event.id], diagnostics)
    return first


def _place_instances(
    instances: list[Instance], by_id: dict[str, Event], phrases: dict[str, str]
) -> list[Instance]:
    """Give an instance that has no span the span, and the words, of its event."""
    if NOWHERE not in map(attrgetter("text_start"), instances):
        return instances
    placed = []
    for instance in instances:
        event = by_id.get(instance.event or "") if instance.text_start < 0 else None
        if event is None:
            placed.append(instance)
            continue
        if event.id in phrases:
            phrases.setdefault(instance.id, phrases[event.id])
        placed.append(replace(instance, text_start=event.text_start, text_end=event.text_end))
    return placed


def _gather_nodes(
    by_id: dict[str, Event],
    instances: list[Instance],
    timexes: list[Timex],
    diagnostics: Diagnostics,
) -> tuple[list[Node], dict[str, int]]:
    """Put instances and times into text order, and number them by id.

    ``by_id`` has the events. An event without instance is a node under its own id; of several
    nodes with one id the first counts.
    """
    nodes: list[Node] = sorted([*timexes, *instances], key=attrgetter("byte_start"))
    used = {instance.event for instance in instances}
    ordered, index = _order_nodes(nodes)
    if len(index) == len(ordered) and used == by_id.keys():  # nothing is wrong
        return ordered, index
    nodes = _drop_repeated(nodes, diagnostics)
    instances = [node for node in nodes if isinstance(node, Instance)]
    used = {instance.event for instance in instances}
    _report_orphans(instances, by_id, diagnostics)
    nodes += _find_lone(by_id, used, nodes, diagnostics)
    nodes.sort(key=attrgetter("byte_start"))
    return _order_nodes(nodes)


def _number_nodes(nodes: list[Node], diagnostics: Diagnostics) -> tuple[list[Node], dict[str, int]]:
    """Put nodes of any kind into text order, and number them; of several with one id the first."""
    return _order_nodes(_drop_repeated(sorted(nodes, key=attrgetter("byte_start")), diagnostics))


def _order_nodes(nodes: list[Node]) -> tuple[list[Node], dict[str, int]]:
    """Put nodes that are in document order into text order, and number them by id."""
    nodes = sorted(nodes, key=attrgetter("text_start"))
    if nodes and nodes[0].text_start < 0:
        placed = [node for node in nodes if node.text_start >= 0]
        nodes = placed + nodes[: len(nodes) - len(placed)]
    return nodes, dict(zip(map(attrgetter("id"), nodes), range(len(nodes)), strict=True))


def _drop_repeated(nodes: list[Node], diagnostics: Diagnostics) -> list[Node]:
    first: dict[str, Node] = {}
    for node in nodes:
        if first.setdefault(node.id, node) is not node:
            _report_repeated(node, first[node.id], diagnostics)
    return list(first.values())


def _find_lone(
    by_id: dict[str, Event], used: set[str | None], nodes: list[Node], diagnostics: Diagnostics
) -> list[Event]:
    """The events without instance, which are nodes unless something else has their id."""
    taken = {node.id: node for node in nodes}
    lone = []
    for name, event in by_id.items():
        if name in taken and name not in used:
            _report_repeated(event, taken[name], diagnostics)
        elif name not in used:
            message = f"EVENT {show(name)} has no MAKEINSTANCE; it takes part under its own id"
            diagnostics.add(Code.EVENT_WITHOUT_INSTANCE, event.byte_start, message)
            lone.append(event)
    return lone


def _report_orphans(
    instances: list[Instance], by_id: dict[str, Event], diagnostics: Diagnostics
) -> None:
    for instance in instances:
        if instance.event is not None and instance.event not in by_id:
            diagnostics.add(
                Code.INSTANCE_WITHOUT_EVENT,
                instance.byte_start,
                f"MAKEINSTANCE {show(instance.id)} is of event {instance.event!r}, "
                "which the document does not define",
                _nearest(instance.event, by_id, "event", diagnostics),
            )


def _report_repeated(noun: Node, first: Node, diagnostics: Diagnostics) -> None:
    line, _ = diagnostics.position(first.byte_start)
    where = "" if line is None else f" on line {line}"
    diagnostics.add(
        Code.REPEATED_ID,
        noun.byte_start,
        f"{_ELEMENTS[type(noun)]} repeats the id {noun.id!r} "
        f"of the {_ELEMENTS[type(first)]}{where}; the first counts",
    )


def check_links(
    links: list[Link],
    index: dict[str, int],
    instances: list[Instance],
    diagnostics: Diagnostics,
    untyped: Collection[str],
) -> list[Link]:
    """Report what is wrong with links, and give an id to those that lack one of their own.

    ``untyped`` are kinds of links that need no type in this format; a kind without labels never
    needs one.
    """
    if _are_sound(links, index):
        return links
    own_instance = {instance.event: instance.id for instance in reversed(instances)}
    checked = []
    used: set[str] = set()
    for link in links:
        if (
            link.id
            and link.id not in used
            and link.source in index
            and link.target in index
            and link.type in CODES[link.kind]
        ):  # nothing is wrong
            used.add(link.id)
            checked.append(link)
            continue
        named = _name_link(link, used, diagnostics)
        used.add(named.id)
        checked.append(named)
        label = f"{named.kind} {show(named.id)}"
        for role, end in (("source", named.source), ("target", named.target)):
            if end is None:
                diagnostics.add(Code.MISSING_ATTRIBUTE, link.byte_start, f"{label} has no {role}")
            elif end not in index:
                diagnostics.add(
                    Code.DANGLING,
                    link.byte_start,
                    f"{label} points to {_KIND_OF_END.get(named.kind, 'event instance or time')} "
                    f"{end!r}, which the document does not define",
                    _instance_of(end, own_instance)
                    or _nearest(end, index, "instance or time", diagnostics),
                )
        if not CODES[named.kind]:
            continue
        if named.type is None:
            if named.kind in untyped:
                continue
            diagnostics.add(
                Code.MISSING_ATTRIBUTE, link.byte_start, f"{label} has no relation type"
            )
        elif named.type not in CODES[named.kind]:
            diagnostics.add(
                Code.UNKNOWN_TYPE,
                link.byte_start,
                say_unknown(named.kind, show(named.id), named.type),
                _other_kind(named) or name_reading(named.kind, named.type) or _nearest_label(named),
            )
    return checked


def _are_sound(links: list[Link], index: dict[str, int]) -> bool:
    """Whether nothing is wrong with any of the links."""
    names = {link.id for link in links}
    return (
        "" not in names
        and len(names) == len(links)
        and all(
            link.source in index and link.target in index and link.type in CODES[link.kind]
            for link in links
        )
    )


_KIND_OF_END = {"ALINK": "event instance", "SLINK": "event instance"}


def _name_link(link: Link, used: set[str], diagnostics: Diagnostics) -> Link:
    if link.id and link.id not in used:
        return link
    line, column = diagnostics.position(link.byte_start)
    made_up = f"{link.kind}@{line}:{column}" if line else f"{link.kind}@{len(used) + 1}"
    while made_up in used:
        made_up += "'"
    if link.id:
        message = f"{link.kind} repeats the link id {link.id!r}; it is known as {made_up!r}"
        diagnostics.add(Code.REPEATED_ID, link.byte_start, message)
    else:
        message = f"{link.kind} has no id; it is known as {made_up!r}"
        diagnostics.add(Code.MISSING_ATTRIBUTE, link.byte_start, message)
    return replace(link, id=made_up)


def _nearest(written: str, known: Iterable[str], what: str, diagnostics: Diagnostics) -> str | None:
    """Name the id that was probably meant: the same letters and the nearest number."""
    if len(diagnostics.found) >= _HINTS:
        return None
    letters, number = _split_id(written)
    best = None
    for name in islice(known, _LOOK_AMONG):
        others, value = _split_id(name)
        if others == letters and (best is None or abs(value - number) < best[0]):
            best = (abs(value - number), name)
    return f"the nearest defined {what} is {best[1]!r}" if best else None


def _split_id(name: str) -> tuple[str, int]:
    letters = name.rstrip("0123456789")
    return letters, int(name[len(letters) :][:_DIGITS] or 0)


def _instance_of(end: str, own_instance: dict[str | None, str]) -> str | None:
    """What to say of a link that points at an EVENT in place of its instance."""
    own = own_instance.get(end)
    return None if own is None else f"{end!r} is an event; its instance is {own!r}"


def _other_kind(link: Link) -> str | None:
    for kind in CODES:
        label = find_label(kind, link.type or "")
        if label:
            return f"{label} is a type of {kind}s"
    return None


def _nearest_label(link: Link) -> str | None:
    near = suggest_label(link.kind, link.type or "")
    return f"did you mean {near}?" if near else None
