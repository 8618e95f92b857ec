"""From a document to numbers: which nodes there are, and which links order them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from itertools import compress
from typing import NamedTuple

from msgspec.structs import replace

from tlex.algebra import CALENDAR, CODES, ROWS, encode_row
from tlex.columns import Relations
from tlex.document import Document
from tlex.points.graphs import TemporalGraph

__all__ = [
    "Relation",
    "build_graph",
    "extend",
    "find_code",
    "leave_out",
    "list_relations",
    "pick_relations",
]


def build_graph(
    document: Document,
    kinds: Collection[str] = ("TLINK", "ALINK"),
    times: str = "interval",
) -> TemporalGraph:
    """Number a document's nodes and those of its links that order them.

    A link takes part if its kind is asked for, its type is known and constrains something, and
    both of its ends are defined. With ``times="point"`` a TIMEX3 of type TIME is one point.
    """
    found = document.relations or list_relations(document)
    columns = labels, sources, targets, numbers = (
        found.labels,
        found.sources,
        found.targets,
        found.numbers,
    )
    if not {*found.kinds} <= {*kinds}:
        chosen = [kind in kinds for kind in found.kinds]
        labels, sources, targets, numbers = (list(compress(each, chosen)) for each in columns)
    instants: Sequence[int] = ()
    if times == "point":
        instants = sorted(
            document.index[name]
            for name, attributes in document.times.items()
            if attributes.get("type", "").strip().upper() == "TIME"
        )
    size = len(document.nodes if document.relations is None else document.index)
    return TemporalGraph(
        size=size,
        labels=labels,
        sources=sources,
        targets=targets,
        numbers=numbers,
        instants=instants,
    )


def extend(graph: TemporalGraph, document: Document, first: int) -> TemporalGraph:
    """Give a graph with the links of a document from a number on; their ends are all defined."""
    found = document.relations or list_relations(document)
    start = bisect_left(found.numbers, first)
    return replace(
        graph,
        labels=[*graph.labels, *found.labels[start:]],
        sources=[*graph.sources, *found.sources[start:]],
        targets=[*graph.targets, *found.targets[start:]],
        numbers=[*graph.numbers, *found.numbers[start:]],
    )


def leave_out(graph: TemporalGraph, links: Collection[int]) -> TemporalGraph:
    """Give a graph without some links, by their numbers in the document."""
    stays = [number not in links for number in graph.numbers]
    return replace(
        graph,
        labels=list(compress(graph.labels, stays)),
        sources=list(compress(graph.sources, stays)),
        targets=list(compress(graph.targets, stays)),
        numbers=list(compress(graph.numbers, stays)),
    )


def list_relations(document: Document) -> Relations:
    """Put the links that order nodes into columns: those of known type with both ends defined."""
    index = document.index
    codes = _add_own(document) if document.labels else _CODES
    found = Relations([], [], [], [], [], len(document.links))
    for number, link in enumerate(document.links):
        code = codes[link.kind].get(link.type)
        if code is None:
            continue
        source, target = index.get(link.source), index.get(link.target)  # type: ignore[arg-type]
        if source is None or target is None:
            continue
        found.kinds.append(link.kind)
        found.labels.append(code)
        found.sources.append(source)
        found.targets.append(target)
        found.numbers.append(number)
    return found


class Relation(NamedTuple):
    """A link that orders two nodes: its kind, the code of its label, and the nodes' numbers."""

    kind: str
    label: int
    source: int
    target: int


def pick_relations(document: Document, numbers: Iterable[int]) -> dict[int, Relation]:
    """Give what some links say, by their numbers; they have to be links between two nodes.

    Where a document has relations, nouns are made only for links that order nothing.
    """
    found, wanted = document.relations, sorted(frozenset(numbers))
    known: dict[int, Relation] = {}
    if found is not None:
        for number in wanted:
            at = bisect_left(found.numbers, number)
            if found.numbers[at : at + 1] == [number]:
                known[number] = Relation(
                    found.kinds[at], found.labels[at], found.sources[at], found.targets[at]
                )
    for number in (number for number in wanted if number not in known):
        link, index = document.links[number], document.index
        code = find_code(document, link.kind, link.type) or 0
        ends = index[link.source or ""], index[link.target or ""]
        known[number] = Relation(link.kind, code, *ends)
    return known


def find_code(document: Document, kind: str, label: str | None) -> int | None:
    """Find the code of a label: a document's own tables go before those that all share."""
    own = document.labels.get(kind, {}).get(label or "")
    return _ALL_CODES[kind].get(label or "") if own is None else encode_row(own)


def _add_own(document: Document) -> dict[str, dict[str | None, int]]:
    """The codes, with those of the document's own labels in place of the common ones."""
    codes = {kind: dict(table) for kind, table in _CODES.items()}
    for kind, table in document.labels.items():
        for label, row in table.items():
            codes[kind].pop(label, None)
            if row:
                codes[kind][label] = encode_row(row)
    return codes


_ALL_CODES = {
    **CODES,
    "CALENDAR": {label: encode_row(row) for label, (_, row, _) in CALENDAR.items()},
}
"""The codes of all labels: no file can have CALENDAR links, so no reader knows their labels."""

_CODES: dict[str, dict[str | None, int]] = {
    kind: {label: code for label, code in table.items() if ROWS[code]}
    for kind, table in _ALL_CODES.items()
}
"""The codes of the labels that order something, by kind."""
