"""From the nouns of a file to a `Document`: the part of reading that all formats share.

Here nodes are put into text order, link ids are made unique, references are looked up, and
whatever is wrong becomes a diagnostic (SPEC §1). Reading goes on after each of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from operator import attrgetter

from msgspec.structs import replace

from tlex.algebra import CODES
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
    Span,
    Timex,
)
from tlex.errors import StrictError

__all__ = ["Problems", "assemble", "first_of_each"]

_ELEMENTS = {Event: "EVENT", Instance: "MAKEINSTANCE", Timex: "TIMEX3", Signal: "SIGNAL"}
_HINTS = 100
_LOOK_AMONG = 20_000
_DIGITS = 18
"""For how many problems, among how many ids, and by how many digits the nearest id is looked for:
a hostile file shall not make a courtesy expensive."""


class Problems:
    """Collects diagnostics, or raises the first error under ``strict``."""

    def __init__(self, name: str, source: Source | None, *, strict: bool = False) -> None:
        self.name = name
        self.source = source
        self.strict = strict
        self.found: list[Diagnostic] = []

    def add(
        self, code: Code, place: tuple[int, int], message: str, hint: str | None = None
    ) -> None:
        """Note a problem at a place, given as a byte span."""
        line, column = self.position(place[0])
        if self.strict and code.severity == "error":
            text = f"{message}; {hint}" if hint else message
            raise StrictError(text, name=self.name, line=line, column=column)
        span = Span(*place) if place[0] >= 0 else None
        self.found.append(Diagnostic(code, code.severity, line, column, message, hint, span))

    def position(self, offset: int) -> tuple[int, int] | tuple[None, None]:
        """Line and column of a byte offset; two Nones where there is no file."""
        if self.source is None or offset < 0:
            return None, None
        return self.source.position(offset)

    def in_order(self) -> tuple[Diagnostic, ...]:
        """Give what was found, by place in the file."""
        return tuple(sorted(self.found, key=lambda d: d.place.start if d.place else 0))


def first_of_each(events: Iterable[Event], problems: Problems) -> dict[str, Event]:
    """Find events by id; of several with one id the first counts."""
    first: dict[str, Event] = {}
    for event in events:
        if first.setdefault(event.id, event) is not event:
            _report_repeated(event, first[event.id], problems)
    return first


def assemble(  # noqa: PLR0913 -- one argument a kind of noun
    *,
    form: str,
    text: str,
    events: list[Event],
    by_id: dict[str, Event],
    instances: list[Instance],
    timexes: list[Timex],
    signals: list[Signal],
    links: list[Link],
    problems: Problems,
    nodes: list[Node] | None = None,
) -> Document:
    """Put a document together from nouns in document order; a link may have the id "" for none.

    ``by_id`` comes from `first_of_each`; the instances have their events' spans already. A
    reader without a file says with ``nodes`` what document order is.
    """
    seen = {instance.event for instance in instances}
    for instance in instances:
        if instance.event not in by_id and instance.event is not None:
            problems.add(
                Code.INSTANCE_WITHOUT_EVENT,
                (instance.byte_start, instance.byte_end),
                f"MAKEINSTANCE {instance.id} is of event {instance.event!r}, "
                "which the document does not define",
                _nearest(instance.event, by_id, "event", problems),
            )
    lone = [event for event in by_id.values() if event.id not in seen]
    for event in lone:
        problems.add(
            Code.EVENT_WITHOUT_INSTANCE,
            (event.byte_start, event.byte_end),
            f"EVENT {event.id} has no MAKEINSTANCE; it takes part under its own id",
        )
    if nodes is None:
        nodes = sorted([*timexes, *instances, *lone], key=attrgetter("byte_start"))
    nodes, index = _order_nodes(nodes, problems)
    return Document(
        name=problems.name,
        format=form,
        text=text,
        events=tuple(events),
        instances=tuple(instances),
        timexes=tuple(timexes),
        signals=tuple(signals),
        nodes=tuple(nodes),
        index=index,
        links=tuple(_check_links(links, index, instances, problems)),
        diagnostics=problems.in_order() if problems.found else (),
        source=problems.source,
    )


def _order_nodes(nodes: list[Node], problems: Problems) -> tuple[list[Node], dict[str, int]]:
    """Put nodes into text order and number them; of several with one id the first counts."""
    if len({node.id for node in nodes}) < len(nodes):
        first: dict[str, Node] = {}
        for node in nodes:
            if first.setdefault(node.id, node) is not node:
                _report_repeated(node, first[node.id], problems)
        nodes = list(first.values())
    nodes.sort(key=attrgetter("text_start"))
    if nodes and nodes[0].text_start < 0:
        placed = [node for node in nodes if node.text_start >= 0]
        nodes = placed + nodes[: len(nodes) - len(placed)]
    return nodes, {node.id: number for number, node in enumerate(nodes)}


def _report_repeated(noun: Node, first: Node, problems: Problems) -> None:
    line, _ = problems.position(first.byte_start)
    where = "" if line is None else f" on line {line}"
    problems.add(
        Code.REPEATED_ID,
        (noun.byte_start, noun.byte_end),
        f"{_ELEMENTS[type(noun)]} repeats the id {noun.id!r} "
        f"of the {_ELEMENTS[type(first)]}{where}; the first counts",
    )


def _check_links(
    links: list[Link],
    index: dict[str, int],
    instances: list[Instance],
    problems: Problems,
) -> list[Link]:
    """Report what is wrong with links, and give an id to those that lack one of their own."""
    sound = len({link.id for link in links}) == len(links)
    for link in links:
        if (
            link.source not in index
            or link.target not in index
            or link.type not in CODES[link.kind]
            or not link.id
        ):
            sound = False
            break
    if sound:
        return links
    own_instance = {instance.event: instance.id for instance in reversed(instances)}
    checked = []
    used: set[str] = set()
    for link in links:
        place = (link.byte_start, link.byte_end)
        named = _name_link(link, used, problems)
        used.add(named.id)
        checked.append(named)
        label = f"{named.kind} {named.id}"
        for role, end in (("source", named.source), ("target", named.target)):
            if end is None:
                problems.add(Code.MISSING_ATTRIBUTE, place, f"{label} has no {role}")
            elif end not in index:
                problems.add(
                    Code.DANGLING,
                    place,
                    f"{label} points to {_KIND_OF_END.get(named.kind, 'event instance or time')} "
                    f"{end!r}, which the document does not define",
                    _instance_of(end, own_instance)
                    or _nearest(end, index, "instance or time", problems),
                )
        if named.type is None:
            problems.add(Code.MISSING_ATTRIBUTE, place, f"{label} has no relation type")
        elif named.type not in CODES[named.kind]:
            problems.add(
                Code.UNKNOWN_TYPE,
                place,
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
    place = (link.byte_start, link.byte_end)
    if link.id:
        message = f"{link.kind} repeats the link id {link.id!r}; it is known as {made_up!r}"
        problems.add(Code.REPEATED_ID, place, message)
    else:
        message = f"{link.kind} has no id; it is known as {made_up!r}"
        problems.add(Code.MISSING_ATTRIBUTE, place, message)
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
    kinds = [kind for kind, labels in CODES.items() if link.type in labels]
    return f"{link.type} is a type of {kinds[0]}s" if kinds else None


def _nearest_label(link: Link) -> str | None:
    near = get_close_matches((link.type or "").upper()[:80], CODES[link.kind], 1)
    return f"the nearest known relation is {near[0]!r}" if near else None
