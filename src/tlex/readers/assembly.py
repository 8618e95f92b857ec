"""From the nouns of a file to a `Document`: the part of reading that all formats share.

Here nodes are put into text order, link ids are made unique, references are looked up, and
whatever is wrong becomes a diagnostic (SPEC §1). Reading goes on after each of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from itertools import islice
from operator import attrgetter

from msgspec.structs import replace

from tlex.algebra import CODES, find_label
from tlex.document import (
    Code,
    Diagnostic,
    Document,
    Event,
    Instance,
    Link,
    Node,
    Signal,
    Source,
    Timex,
)
from tlex.errors import StrictError

__all__ = [
    "Problems",
    "check_links",
    "first_of_each",
    "gather_nodes",
    "number_nodes",
    "order_nodes",
    "raise_first_error",
    "show",
]

_ELEMENTS = {Event: "EVENT", Instance: "MAKEINSTANCE", Timex: "TIMEX3", Signal: "SIGNAL"}
_HINTS = 100
_LOOK_AMONG = 20_000
_DIGITS = 18
"""For how many problems, among how many ids, and by how many digits the nearest id is looked for:
a hostile file shall not make a courtesy expensive."""


class Problems:
    """Collects what is wrong with a document."""

    def __init__(self, name: str, source: Source | None) -> None:
        self.name = name
        self.source = source
        self.outside = False  # whether a DTD elsewhere could define entities
        self.found: list[Diagnostic] = []

    def add(self, code: Code, start: int, message: str, hint: str | None = None) -> None:
        """Note a problem at a byte offset."""
        line, column = self.position(start)
        offset = None if line is None else start
        self.found.append(Diagnostic(code, code.severity, line, column, message, hint, offset))

    def position(self, offset: int) -> tuple[int, int] | tuple[None, None]:
        """Line and column of a byte offset; two Nones where there is no file."""
        if self.source is None or offset < 0:
            return None, None
        return self.source.position(offset)

    def in_order(self) -> tuple[Diagnostic, ...]:
        """Give what was found, by place in the file."""
        return tuple(sorted(self.found, key=lambda problem: problem.offset or 0))


def show(name: str) -> str:
    """An id as it may stand in a message: bare if it is an ordinary word, else quoted."""
    return name if name.isprintable() and " " not in name and name else repr(name)


def raise_first_error(document: Document) -> None:
    """Raise the first diagnostic of severity error, if there is one: what ``strict`` asks for."""
    for problem in document.diagnostics:
        if problem.severity == "error":
            text = f"{problem.message}; {problem.hint}" if problem.hint else problem.message
            raise StrictError(text, name=document.name, line=problem.line, column=problem.column)


def first_of_each(events: list[Event], problems: Problems) -> dict[str, Event]:
    """Find events by id; of several with one id the first counts."""
    first = {event.id: event for event in events}
    if len(first) == len(events):
        return first
    first = {}
    for event in events:
        if first.setdefault(event.id, event) is not event:
            _report_repeated(event, first[event.id], problems)
    return first


def gather_nodes(
    by_id: dict[str, Event],
    instances: list[Instance],
    timexes: list[Timex],
    problems: Problems,
) -> tuple[list[Node], dict[str, int]]:
    """Put the nodes of a file into text order, and number them by id.

    ``by_id`` has the events, from `first_of_each`. An event without instance is a node under its
    own id; of several nodes with one id the first counts.
    """
    nodes: list[Node] = sorted([*timexes, *instances], key=attrgetter("byte_start"))
    seen = {instance.event for instance in instances}
    ordered, index = order_nodes(nodes)
    if len(index) == len(ordered) and seen == by_id.keys():  # as it should be
        return ordered, index
    nodes = _drop_repeated(nodes, problems)
    instances = [node for node in nodes if isinstance(node, Instance)]
    seen = {instance.event for instance in instances}
    _report_orphans(instances, by_id, problems)
    nodes += _find_lone(by_id, seen, nodes, problems)
    nodes.sort(key=attrgetter("byte_start"))
    return order_nodes(nodes)


def number_nodes(nodes: list[Node], problems: Problems) -> tuple[list[Node], dict[str, int]]:
    """Put nodes of any kind into text order, and number them; of several with one id the first."""
    return order_nodes(_drop_repeated(sorted(nodes, key=attrgetter("byte_start")), problems))


def order_nodes(nodes: list[Node]) -> tuple[list[Node], dict[str, int]]:
    """Put nodes that are in document order into text order, and number them by id."""
    nodes = sorted(nodes, key=attrgetter("text_start"))
    if nodes and nodes[0].text_start < 0:
        placed = [node for node in nodes if node.text_start >= 0]
        nodes = placed + nodes[: len(nodes) - len(placed)]
    return nodes, dict(zip(map(attrgetter("id"), nodes), range(len(nodes)), strict=True))


def _drop_repeated(nodes: list[Node], problems: Problems) -> list[Node]:
    first: dict[str, Node] = {}
    for node in nodes:
        if first.setdefault(node.id, node) is not node:
            _report_repeated(node, first[node.id], problems)
    return list(first.values())


def _find_lone(
    by_id: dict[str, Event], seen: set[str | None], nodes: list[Node], problems: Problems
) -> list[Event]:
    """The events without instance, which are nodes unless something else has their id."""
    taken = {node.id: node for node in nodes}
    lone = []
    for name, event in by_id.items():
        if name in taken and name not in seen:
            _report_repeated(event, taken[name], problems)
        elif name not in seen:
            message = f"EVENT {show(name)} has no MAKEINSTANCE; it takes part under its own id"
            problems.add(Code.EVENT_WITHOUT_INSTANCE, event.byte_start, message)
            lone.append(event)
    return lone


def _report_orphans(instances: list[Instance], by_id: dict[str, Event], problems: Problems) -> None:
    for instance in instances:
        if instance.event is not None and instance.event not in by_id:
            problems.add(
                Code.INSTANCE_WITHOUT_EVENT,
                instance.byte_start,
                f"MAKEINSTANCE {show(instance.id)} is of event {instance.event!r}, "
                "which the document does not define",
                _nearest(instance.event, by_id, "event", problems),
            )


def _report_repeated(noun: Node, first: Node, problems: Problems) -> None:
    line, _ = problems.position(first.byte_start)
    where = "" if line is None else f" on line {line}"
    problems.add(
        Code.REPEATED_ID,
        noun.byte_start,
        f"{_ELEMENTS[type(noun)]} repeats the id {noun.id!r} "
        f"of the {_ELEMENTS[type(first)]}{where}; the first counts",
    )


def check_links(
    links: list[Link],
    index: dict[str, int],
    instances: list[Instance],
    problems: Problems,
    untyped: Collection[str] = (),
) -> list[Link]:
    """Report what is wrong with links, and give an id to those that lack one of their own.

    ``untyped`` are kinds of links that need no type in this format; a kind without labels never
    needs one.
    """
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
        ):  # as it should be
            used.add(link.id)
            checked.append(link)
            continue
        named = _name_link(link, used, problems)
        used.add(named.id)
        checked.append(named)
        label = f"{named.kind} {show(named.id)}"
        for role, end in (("source", named.source), ("target", named.target)):
            if end is None:
                problems.add(Code.MISSING_ATTRIBUTE, link.byte_start, f"{label} has no {role}")
            elif end not in index:
                problems.add(
                    Code.DANGLING,
                    link.byte_start,
                    f"{label} points to {_KIND_OF_END.get(named.kind, 'event instance or time')} "
                    f"{end!r}, which the document does not define",
                    _instance_of(end, own_instance)
                    or _nearest(end, index, "instance or time", problems),
                )
        if not CODES[named.kind]:
            continue
        if named.type is None:
            if named.kind in untyped:
                continue
            problems.add(Code.MISSING_ATTRIBUTE, link.byte_start, f"{label} has no relation type")
        elif named.type not in CODES[named.kind]:
            problems.add(
                Code.UNKNOWN_TYPE,
                link.byte_start,
                f"{label} has relation {named.type!r}, which no label table for {named.kind}s has",
                _other_kind(named) or _nearest_label(named),
            )
    return checked


_KIND_OF_END = {"ALINK": "event instance", "SLINK": "event instance"}


def _name_link(link: Link, used: set[str], problems: Problems) -> Link:
    if link.id and link.id not in used:
        return link
    line, column = problems.position(link.byte_start)
    made_up = f"{link.kind}@{line}:{column}" if line else f"{link.kind}@{len(used) + 1}"
    while made_up in used:
        made_up += "'"
    if link.id:
        message = f"{link.kind} repeats the link id {link.id!r}; it is known as {made_up!r}"
        problems.add(Code.REPEATED_ID, link.byte_start, message)
    else:
        message = f"{link.kind} has no id; it is known as {made_up!r}"
        problems.add(Code.MISSING_ATTRIBUTE, link.byte_start, message)
    return replace(link, id=made_up)


def _nearest(written: str, known: Iterable[str], what: str, problems: Problems) -> str | None:
    """Name the id that was probably meant: the same letters and the nearest number."""
    if len(problems.found) >= _HINTS:
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
    near = get_close_matches((link.type or "").upper()[:80], CODES[link.kind], 1)
    return f"the nearest known relation is {near[0]!r}" if near else None
