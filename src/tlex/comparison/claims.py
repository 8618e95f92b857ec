"""What a side claims: the rows of point constraints that its links assert, in text order.

Links with the same row on the same pair are one claim, whatever their direction and name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tlex.algebra import ROWS
from tlex.conflicts.text_order import Row, TextOrder, read_row
from tlex.document import Document
from tlex.graph import build_graph, find_code
from tlex.points.graphs import TemporalGraph

__all__ = ["Claim", "Claims", "count_silent", "find_claims"]


class Claim(Struct, frozen=True, gc=False):
    """A row of constraints on two nodes: ``first`` stands before ``second`` in text order.

    ``links`` are the numbers of the links that say it, in the order of the file. The first of them
    speaks for it: ``code`` is its label's, and ``turned`` tells that it leads from ``second`` to
    ``first``.
    """

    first: int
    second: int
    row: Row
    links: tuple[int, ...]
    code: int
    turned: bool


class Claims(Struct, frozen=True, gc=False):
    """All claims of a document in text order."""

    claims: tuple[Claim, ...]
    graph: TemporalGraph
    """The graph of the claims: instead of the numbers of links it has the numbers of claims."""


def find_claims(
    document: Document,
    kinds: Collection[str] = ("TLINK",),
    times: str = "interval",
    *,
    order: Sequence[int] | None = None,
) -> Claims:
    """Find what the links of a document claim; ``order`` has its nodes in text order, if known.

    >>> import tlex
    >>> said = [
    ...     ("b", "BEFORE", "c"),
    ...     ("a", "BEFORE", "b"),
    ...     ("b", "AFTER", "a"),
    ...     ("a", "VAGUE", "c"),
    ... ]
    >>> found = find_claims(tlex.from_links(said))
    >>> [(claim.first, claim.second, claim.links) for claim in found.claims]
    [(2, 0, (1, 2)), (0, 1, (0,))]
    """
    graph = build_graph(document, kinds, times)
    places = TextOrder(document).sort() if order is None else order
    rank = [0] * len(places)
    for place, number in enumerate(places):
        rank[number] = place
    said = []
    columns = zip(graph.labels, graph.sources, graph.targets, graph.numbers, strict=True)
    for code, source, target, number in columns:
        first, second = rank[source], rank[target]
        turned = second < first
        row, place = read_row(code, turned)
        if turned:
            first, second = second, first
        said.append((first, second, place, row, number, code, turned))
    said.sort()  # no two have the same number, so this comes before code and direction
    claims: list[Claim] = []
    further: dict[int, list[int]] = {}  # links that say a claim again, by its number
    before: tuple[int, int, int, Row] | None = None
    for first, second, place, row, number, code, turned in said:
        key = first, second, place, row
        if key == before:
            further.setdefault(len(claims) - 1, []).append(number)
        else:
            claims.append(Claim(places[first], places[second], row, (number,), code, turned))
            before = key
    for place, numbers in further.items():
        claims[place] = replace(claims[place], links=(*claims[place].links, *numbers))
    return Claims(tuple(claims), _build(graph, claims))


def _build(graph: TemporalGraph, claims: Sequence[Claim]) -> TemporalGraph:
    return TemporalGraph(
        size=graph.size,
        labels=[claim.code for claim in claims],
        sources=[claim.second if claim.turned else claim.first for claim in claims],
        targets=[claim.first if claim.turned else claim.second for claim in claims],
        numbers=list(range(len(claims))),
        instants=graph.instants,
    )


def count_silent(
    document: Document, kinds: Collection[str], claims: Iterable[Claim]
) -> dict[str, int]:
    """Count the links that claim nothing: by label, or as ``dangling`` or ``without a label``.

    >>> import tlex
    >>> document = tlex.from_links([("a", "BEFORE", "b"), ("a", "VAGUE", "c")])
    >>> count_silent(document, ["TLINK"], find_claims(document).claims)
    {'VAGUE': 1}
    """
    counts: dict[str, int] = {}
    spoken = {number for claim in claims for number in claim.links}
    for number, link in enumerate(document.links):
        if link.kind not in kinds or number in spoken:
            continue
        code = find_code(document, link.kind, link.type)
        dangling = code is not None and ROWS[code]
        reason = "dangling" if dangling else link.type or "without a label"
        counts[reason] = counts.get(reason, 0) + 1
    return dict(sorted(counts.items()))
