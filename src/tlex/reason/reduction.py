"""Reduction: an irredundant set of links that entails the rest.

A link is dropped if each of its constraints follows from the links that are left. What is left
entails the same as before, so compounds and steps stay the same. So a search for another walk
between two points never has to leave the steps between them. A link that is needed once stays
needed, because the others only become fewer: one pass is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain

from tlex.components import Components
from tlex.document import Document
from tlex.points.graphs import (
    OWN,
    CompoundGraph,
    Consistent,
    PointConstraint,
    PointGraph,
    Steps,
    group_by_link,
)
from tlex.points.reachability import Reach, find_detours
from tlex.points.walks import Walks
from tlex.records import Reduction

__all__ = ["drop_links", "reduce_timelines"]


def reduce_timelines(document: Document, components: Components) -> Reduction:
    """Reduce the links of each consistent timeline of a document.

    TLINKs are dropped before ALINKs, which say more than time, and later links before earlier ones.
    The calendar's links are no links of the document: what follows with their help is dropped.
    """
    kept: list[int] = []
    dropped: list[int] = []
    untouched: list[int] = []
    inconsistent = []
    for number, component in enumerate(components):
        links = [
            link
            for link, _, _, _ in components.list_links(number)
            if document.links[link].kind != "CALENDAR"
        ]
        if not isinstance(component, Consistent):
            inconsistent.append(number)
            untouched += links
        elif links:
            order = sorted(links, key=lambda link: (document.links[link].kind != "TLINK", -link))
            points = components.constraints(number)
            gone = drop_links(points, component.graph, component.steps, order)
            dropped += gone
            kept += sorted(set(links).difference(gone))
    kept_ids, dropped_ids, untouched_ids = (
        tuple(document.links[link].id for link in sorted(links))
        for links in (kept, dropped, untouched)
    )
    return Reduction(
        kept=kept_ids,
        dropped=dropped_ids,
        untouched=untouched_ids,
        inconsistent=tuple(inconsistent),
    )


def drop_links(
    points: PointGraph,
    graph: CompoundGraph,
    steps: Steps,
    order: Iterable[int],
    reach: Reach | None = None,
) -> list[int]:
    """Drop the links that follow from those left, tried in the order given; return the dropped.

    ``graph`` and ``steps`` are what the five steps made of the points, consistent ones. One search
    per constraint, between the steps of its two points, unless the compounds show the answer: that
    a ``<`` follows from no other, or that a third compound stands between its two. A link that
    only says such a ``<`` follows from what leads there, which does not lead along the link.
    ``reach`` is that of the graph, if it is kept.
    """
    needed = _list_needed(points, graph)
    tried = [link for link in order if link not in needed]
    constraints = group_by_link(points, {*tried}) if tried else {}
    lower = _list_lower(graph, constraints)
    detours = find_detours(
        graph, steps, {pair for pairs in lower.values() for pair in pairs}, reach
    )
    walks: Walks | None = None
    gone: set[int] = set()
    dropped = []
    for link in tried:
        clear = [pair in detours for pair in lower[link]]
        if not all(
            known or graph.successors[low].count(high) > 1
            for known, (low, high) in zip(clear, lower[link], strict=True)
        ):
            continue
        gone.add(link)
        if len(constraints[link]) == 1 and clear == [True]:
            dropped.append(link)
            continue
        if walks is None:
            walks = Walks(points, list(map(steps.earliest.__getitem__, graph.compound)))
        if walks.find_reasons(constraints[link], gone) is None:
            gone.discard(link)
        else:
            dropped.append(link)
    return dropped


def _list_lower(
    graph: CompoundGraph, constraints: Mapping[int, Iterable[PointConstraint]]
) -> dict[int, list[tuple[int, int]]]:
    """The compounds of each ``<`` of some links."""
    compound = graph.compound
    return {
        link: [(compound[left], compound[right]) for left, strict, right in own if strict]
        for link, own in constraints.items()
    }


def _list_needed(points: PointGraph, graph: CompoundGraph) -> set[int]:
    """List links with a constraint that clearly follows from no others; there may be more of them.

    Such are a ``<`` that alone leaves its left compound or alone leads to its right one, and the
    ``=`` of a compound that has only as many as hold it together.
    """
    compound = graph.compound
    arriving = [0] * graph.size
    for after in chain.from_iterable(graph.successors):
        arriving[after] += 1
    needed = {
        link
        for left, right, link in zip(
            points.less_left, points.less_right, points.less_link, strict=True
        )
        if link != OWN
        and (arriving[compound[right]] == 1 or len(graph.successors[compound[left]]) == 1)
    }
    if points.equal_left:
        spare = [1] * graph.size
        for number in compound:
            spare[number] -= 1
        for point in points.equal_left:
            spare[compound[point]] += 1
        needed.update(
            link
            for point, link in zip(points.equal_left, points.equal_link, strict=True)
            if not spare[compound[point]]
        )
    return needed
