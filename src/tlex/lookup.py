"""Between ids and words: which event or time is meant, and how a link is shown to people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import inf
from typing import TYPE_CHECKING

from msgspec import UNSET

from tlex.answer_text import relation_lines
from tlex.document import JOINT, Document
from tlex.errors import AmbiguousError, OptionError, UnknownNameError
from tlex.nouns import Instance, Link, Node
from tlex.records import Expression, LinkInWords, NodeRecord, PairRelation
from tlex.wording import LONGEST_ID, clean, name_node

if TYPE_CHECKING:
    from tlex.result import Extraction

__all__ = [
    "describe_link",
    "describe_links",
    "express",
    "express_all",
    "find_node",
    "say_relation",
]

_LOOK_AMONG = 20_000
"""Among how many nodes the nearest name is searched: the hint must not take long."""


def find_node(document: Document, asked: str, among: Sequence[int] | None = None) -> int:
    """Find a node's number by its id, by the id of its event, or by its words. Linear.

    Words are compared without regard to case and white space. A node that has exactly these words
    is preferred to one that has them among others; only whole words count. ``among`` has the
    numbers of the nodes that can be meant; without it all can. In several documents as one, the
    name of a document may stand before the words (``story#midnight``) and may be left out before
    an id.

    Raises `AmbiguousError` if several can be meant, and `UnknownNameError` if none can.
    """
    if not isinstance(asked, str):
        raise OptionError(f"an event or time is named by its id or words, not by {asked!r:.80}")
    name = asked.strip()
    own = document.index.get(name)
    if own is not None and (among is None or own in among):
        return own
    numbers = range(len(document.nodes)) if among is None else among
    found = _find_event(document, name, numbers)
    if not found and document.documents:
        found = _find_at_home(document, name, numbers)
    if not found:
        found = _find_words(document, _fold(name), numbers)
    if not found:
        raise UnknownNameError(_explain(document, name, numbers))
    if len(found) > 1:
        message = f"{name!r:.100} may be any of {len(found)}; give the id of one"
        raise AmbiguousError(message, tuple(_show(document, number) for number in found))
    return found[0]


def express(node: NodeRecord | Expression) -> Expression:
    """Give a node as people know it."""
    return Expression(node.id, node.text, node.line)


def express_all(document: Document) -> list[Expression]:
    """Give all nodes, by their numbers, as people know them. Linear."""
    return [_express_number(document, number) for number in range(len(document.index))]


def describe_link(
    document: Document,
    nodes: Sequence[NodeRecord] | Sequence[Expression] | None,
    link: Link,
    *,
    placed: bool = True,
) -> LinkInWords:
    """Give a link, both ends of which are defined, as people know it.

    ``nodes`` are those of a result, or what `express_all` gives; without them only its two ends
    are looked up, and their lines only if ``placed``.
    """
    source, target = (
        _express_number(document, number, placed=placed)
        if nodes is None
        else express(nodes[number])
        for number in (document.index[end or ""] for end in (link.source, link.target))
    )
    line, _ = document.position(link.byte_start)
    return LinkInWords(
        id=link.id,
        kind=link.kind,
        type=link.type,
        source=source,
        target=target,
        line=line,
        words=link.attributes["words"] if link.kind == "CALENDAR" else UNSET,
    )


def describe_links(result: Extraction, ids: Iterable[str]) -> list[LinkInWords]:
    """Give links of a result's document, found by their ids, as people know them."""
    links = {link.id: link for link in result.document.links}
    return [describe_link(result.document, result.nodes, links[own]) for own in ids]


def say_relation(result: Extraction, relation: PairRelation, room: float = inf) -> Iterator[str]:
    """Say how two events or times are related, with the links that show it in words.

    A chain of SLINKs and a contradiction are looked up in the result that gave the answer.
    """
    conflict = None
    if relation.verdict == "inconsistent":
        conflict = next(c for c in result.conflicts if c.timeline == relation.timelines[0])
    return relation_lines(
        relation,
        room,
        path=describe_links(result, [connection.link for connection in relation.path]),
        conflict=conflict,
        minimal=describe_links(result, conflict.minimal) if conflict else (),
    )


def _find_event(document: Document, name: str, numbers: Sequence[int]) -> list[int]:
    nodes = document.nodes
    return [number for number in numbers if name and _event_of(nodes[number]) == name]


def _event_of(node: object) -> str | None:
    return node.event if isinstance(node, Instance) else None


def _find_at_home(document: Document, name: str, numbers: Sequence[int]) -> list[int]:
    """Find the nodes that have this id in their own document, or these words after its name."""
    own, joint, words = name.partition(JOINT)
    if joint and own in document.documents:
        prefix = own + joint
        inside = [number for number in numbers if document.nodes[number].id.startswith(prefix)]
        return _find_words(document, _fold(words), inside)
    ids = {each + JOINT + name for each in document.documents}
    nodes = document.nodes
    return [n for n in numbers if nodes[n].id in ids or _event_of(nodes[n]) in ids]


def _find_words(document: Document, words: str, numbers: Sequence[int]) -> list[int]:
    if not words:
        return []
    texts = [(number, _fold(document.words(document.nodes[number]))) for number in numbers]
    same = [number for number, text in texts if text == words]
    if same:
        return same
    whole = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")
    return [number for number, text in texts if whole.search(text)]


def _fold(words: str) -> str:
    return " ".join(words.split()).casefold()


def _show(document: Document, number: int) -> str:
    """Name a node and the line of its words: ``"said" (ei3), line 5``."""
    node = document.nodes[number]
    line, _ = document.position(_find_shown(document, node).byte_start)
    where = "" if line is None else f", line {line}"
    return clean(name_node(node.id, document.words(node))) + where


def _find_shown(document: Document, node: Node) -> Node:
    """Find what is marked in the text for a node: an instance's event, else the node itself."""
    event = _event_of(node)
    return next((e for e in document.events if e.id == event), node) if event else node


def _explain(document: Document, name: str, numbers: Sequence[int]) -> str:
    """Say that nothing has this name, and which name is nearest to it."""
    few = [(number, document.nodes[number]) for number in islice(numbers, _LOOK_AMONG)]
    ids = {node.id: None for _, node in few}
    events = {event: None for _, node in few if (event := _event_of(node))}
    words = {_fold(document.words(node)): number for number, node in reversed(few)}
    words.pop("", None)
    from difflib import get_close_matches  # noqa: PLC0415 -- only for an error

    near = get_close_matches(_fold(name)[:LONGEST_ID], [*ids, *events, *words], 1)
    hint = ""
    if near:
        known = near[0] in ids or near[0] in events
        hint = f"; did you mean {repr(near[0]) if known else _show(document, words[near[0]])}"
    return f"no event or time has the id or the words {name!r:.100}{hint}"


def _express_number(document: Document, number: int, *, placed: bool = True) -> Expression:
    """Give a node, by its number, as people know it. No noun is made for that."""
    nodes = document.node_columns
    line = document.position(nodes.offsets[number])[0] if placed else None
    return Expression(nodes.ids[number], document.words_of(nodes.ids[number]), line)
