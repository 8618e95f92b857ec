"""Building a document from plain triples, without a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

from tlex.algebra import CODES, find_label
from tlex.document import NOWHERE, Document, Instance, Link, Node, Timex
from tlex.errors import OptionError
from tlex.readers.assembly import Problems, assemble

__all__ = ["from_links"]

_TIME = re.compile(r"t(?:mx)?\d+")
_COLUMNS = ("source", "type", "target")


def from_links(
    links: Iterable[Any],
    *,
    texts: Mapping[str, str] | None = None,
    times: Mapping[str, str] | None = None,
    name: str = "<links>",
    strict: bool = False,
) -> Document:
    """Build a document from links ``(source, type, target)``.

    A link may be a sequence of these three, or a mapping with these keys and, if you like, an
    ``id`` and a ``weight``. A pandas data frame with such columns will do as well. The kind of
    link follows from its type. Nodes are numbered in the order in which they come up; one whose
    id is ``t`` and a number is a time, every other one an event. ``times`` names further times
    and their TIMEX3 types, ``texts`` the words of a node.

    >>> document = from_links([("e1", "BEFORE", "e2"), ("e2", "IS_INCLUDED", "t1")])
    >>> [node.id for node in document.nodes]
    ['e1', 'e2', 't1']
    """
    problems = Problems(name, None, strict=strict)
    words, given = dict(texts or {}), dict(times or {})
    names: dict[str, None] = {}
    nouns = []
    for number, row in enumerate(_rows(links), 1):
        source, written, target, own, weight = _read_row(row, number)
        label, kind = _find_kind(written)
        names.update({source: None, target: None})
        nouns.append(
            Link(own or f"l{number}", kind, label, source, target, None, weight, {}, -1, -1)
        )
    names.update(dict.fromkeys((*words, *given)))
    text, nodes = _write_text(names, words, given)
    return assemble(
        form="links",
        text=text,
        events=[],
        by_id={},
        instances=[node for node in nodes if isinstance(node, Instance)],
        timexes=[node for node in nodes if isinstance(node, Timex)],
        signals=[],
        links=nouns,
        problems=problems,
        nodes=nodes,
    )


def _rows(links: Any) -> Iterable[Any]:  # noqa: ANN401 -- whatever the caller has
    if hasattr(links, "to_dict") and hasattr(links, "columns"):
        frame = links.to_dict("records")
        return frame if set(_COLUMNS) <= set(links.columns) else [tuple(r.values()) for r in frame]
    if isinstance(links, str) or not isinstance(links, Iterable):
        raise OptionError(f"links must be rows of source, type and target, not {links!r:.80}")
    return links


def _read_row(row: Any, number: int) -> tuple[str, str, str, str | None, float | None]:  # noqa: ANN401
    """Take a row apart: source, type, target, and id and weight if it has them."""
    own = weight = None
    if isinstance(row, Mapping):
        values = [row.get(column) for column in _COLUMNS]
        own, weight = row.get("id"), row.get("weight")
    else:
        values = list(row) if isinstance(row, Sequence) and not isinstance(row, str) else []
    if len(values) != len(_COLUMNS) or not all(isinstance(v, str) and v for v in values):
        raise OptionError(f"link {number} is {row!r:.200}, not a source, a type and a target")
    if not isinstance(own, str) or not own:
        own = None
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not isfinite(weight):
        weight = None
    source, written, target = (str(value) for value in values)
    return source, written, target, own, weight


def _find_kind(written: str) -> tuple[str, str]:
    """The label and the kind of link; a label that no table has is taken for a TLINK's."""
    for kind in CODES:
        label = find_label(kind, written)
        if label:
            return label, kind
    return written.strip(), "TLINK"


def _write_text(
    names: Iterable[str], words: Mapping[str, str], times: Mapping[str, str]
) -> tuple[str, list[Node]]:
    """Make the nodes, and a text of their words in the same order if there are any."""
    nodes: list[Node] = []
    pieces: list[str] = []
    at = 0
    for name in names:
        first = last = NOWHERE
        if words:
            piece = words.get(name, "")
            first, last = at, at + len(piece)
            pieces.append(piece + " ")
            at = last + 1
        if name in times or _TIME.fullmatch(name):
            attributes = {"type": times[name]} if name in times else {}
            nodes.append(Timex(name, attributes, first, last, NOWHERE, NOWHERE))
        else:
            nodes.append(Instance(name, {}, first, last, NOWHERE, NOWHERE))
    return "".join(pieces).rstrip(" "), nodes
