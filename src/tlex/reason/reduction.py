"""Reduction: an irredundant set of links that entails the rest.

A link is dropped if each of its constraints follows from the links that are left. What is left
entails the same as before, so compounds and steps stay the same. So a search for another walk
between two points never has to leave the steps between them. A link that is needed once stays
needed, because the others only become fewer: one pass is enough.
"""

from __future__ import annotations

from collections.abc import Iterable

from tlex.components import Components
from tlex.document import Document
from tlex.points.graphs import (
    CompoundGraph,
    Consistent,
    PointConstraint,
    PointGraph,
    Steps,
    group_by_link,
)
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
    points: PointGraph, graph: CompoundGraph, steps: Steps, order: Iterable[int]
) -> list[int]:
    """Drop the links that follow from those left, tried in the order given; return the dropped.

    ``graph`` and ``steps`` are what the five steps made of the points, consistent ones. One search
    per constraint, between the steps of its two points, unless it is easy to see that the
    constraint follows from no other.
    """
    needed = _list_needed(points, graph)
    tried = [link for link in order if link not in needed]
    constraints = group_by_link(points, {*tried}) if tried else {}
    detours = _Detours(graph, steps)
    tried = [link for link in tried if detours.may_follow(constraints[link])]
    if not tried:
        return []
    walks = Walks(points, list(map(steps.earliest.__getitem__, graph.compound)))
    gone: set[int] = set()
    dropped = []
    for link in tried:
        gone.add(link)
        if walks.find_reasons(constraints[link], gone) is None:
            gone.discard(link)
        else:
            dropped.append(link)
    return dropped


class _Detours:
    """Ways from one compound to another besides a direct ``<``."""

    def __init__(self, graph: CompoundGraph, steps: Steps) -> None:
        self._graph = graph
        self._earliest = steps.earliest

    def may_follow(self, constraints: Iterable[PointConstraint]) -> bool:
        """Whether each ``<`` of a link has a detour, maybe along the link's other constraints."""
        compound = self._graph.compound
        return all(
            self._has_detour(compound[left], compound[right])
            for left, strict, right in constraints
            if strict
        )

    def _has_detour(self, low: int, high: int) -> bool:
        successors, earliest = self._graph.successors, self._earliest
        after = [*successors[low]]
        after.remove(high)  # the constraint itself, once
        seen = {*after}
        limit = earliest[high]
        while after:
            number = after.pop()
            if number == high:
                return True
            if earliest[number] < limit:
                for other in successors[number]:
                    if other not in seen:
                        seen.add(other)
                        after.append(other)
        return False


def _list_needed(points: PointGraph, graph: CompoundGraph) -> set[int]:
    """List links with a constraint that clearly follows from no others; there may be more of them.

    Such are a ``<`` that alone leaves its left compound or alone leads to its right one, and the
    ``=`` of a compound that has only as many as hold it together.
    """
    compound, size = graph.compound, graph.size
    left = [compound[point] for point in points.less_left]
    right = [compound[point] for point in points.less_right]
    leaving, arriving, spare = [0] * size, [0] * size, [1] * size
    for low, high in zip(left, right, strict=True):
        leaving[low] += 1
        arriving[high] += 1
    needed = {
        link
        for low, high, link in zip(left, right, points.less_link, strict=True)
        if leaving[low] == 1 or arriving[high] == 1
    }
    if points.equal_left:
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
