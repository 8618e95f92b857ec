"""From what a user writes to the event or time that is meant: by id, or by words of the text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from itertools import islice

from tlex.document import Document, Link
from tlex.errors import AmbiguousError, OptionError
from tlex.records import Expression, LinkInWords, NodeRecord

__all__ = ["describe_link", "express", "find_node"]

_LOOK_AMONG = 20_000
"""Among how many nodes the nearest is looked for: a courtesy shall not take long."""
_LONGEST = 80


def find_node(index: Mapping[str, int], nodes: Sequence[NodeRecord], asked: str) -> int:
    """Find a node's number by its id, by the id of its event, or by its words.

    Words are compared without regard to case and white space. A node whose words are just these
    is preferred to one that has them among others; only whole words count. Linear.

    Raises `AmbiguousError` if several are meant, and `OptionError` if none is.
    """
    if not isinstance(asked, str):
        raise OptionError(f"an event or time goes by its id or its words, not by {asked!r:.80}")
    name = asked.strip()
    number = index.get(name)
    if number is not None:
        return number
    found = [number for number, node in enumerate(nodes) if node.event == name] if name else []
    if not found:
        found = _find_words(nodes, _fold(name))
    if not found:
        raise OptionError(_explain(index, nodes, name))
    if len(found) > 1:
        candidates = tuple(_show(nodes[number]) for number in found)
        message = f"{name!r:.100} may be any of {len(found)}; give the id of one"
        raise AmbiguousError(message, candidates)
    return found[0]


def express(node: NodeRecord) -> Expression:
    """Give a node as people know it."""
    return Expression(node.id, node.text, node.line)


def describe_link(document: Document, nodes: Sequence[NodeRecord], link: Link) -> LinkInWords:
    """Give a link, both ends of which are defined, as people know it."""
    source, target = (
        express(nodes[document.index[end]]) for end in (link.source or "", link.target or "")
    )
    line, _ = document.position(link.byte_start)
    return LinkInWords(link.id, link.kind, link.type, source, target, line)


def _find_words(nodes: Sequence[NodeRecord], words: str) -> list[int]:
    if not words:
        return []
    folded = [_fold(node.text) for node in nodes]
    same = [number for number, text in enumerate(folded) if text == words]
    if same:
        return same
    whole = re.compile(rf"(?<!\w){re.escape(words)}(?!\w)")
    return [number for number, text in enumerate(folded) if whole.search(text)]


def _fold(words: str) -> str:
    return " ".join(words.split()).casefold()


def _show(node: NodeRecord) -> str:
    words = node.text if len(node.text) <= _LONGEST else node.text[: _LONGEST - 3] + "..."
    return node.id + (f' "{words}"' if words else "") + (f" line {node.line}" if node.line else "")


def _explain(index: Mapping[str, int], nodes: Sequence[NodeRecord], name: str) -> str:
    ids = dict.fromkeys(islice(index, _LOOK_AMONG))
    events = {node.event: None for node in islice(nodes, _LOOK_AMONG) if node.event}
    words = {_fold(node.text): node for node in reversed(nodes[:_LOOK_AMONG]) if node.text}
    near = get_close_matches(_fold(name)[:_LONGEST], [*ids, *events, *words], 1)
    hint = ""
    if near:
        meant = near[0]
        known = meant in ids or meant in events
        hint = f"; did you mean {meant!r}" if known else f"; did you mean {_show(words[meant])}"
    return f"no event or time has the id or the words {name!r:.100}{hint}"
