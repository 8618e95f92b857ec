"""Conflicts in the annotator's own terms (§3.4, the paper's MLIC)."""

from __future__ import annotations

from collections.abc import Iterator

from tlex.conflicts.cycles import find_cycles
from tlex.conflicts.irreducible import reduce_links
from tlex.document import Document
from tlex.points.graphs import OWN, Inconsistent, group_by_link
from tlex.points.union_find import merge_equal
from tlex.records import Conflict, Constraint

__all__ = ["name_conflicts"]

_KINDS = {1: "i", 2: "ii"}


def name_conflicts(document: Document, number: int, component: Inconsistent) -> Iterator[Conflict]:
    """Name the contradictions of an inconsistent component, the timeline of that number."""
    points = component.points
    constraints = group_by_link(points)
    names = [document.nodes[member].id + end for member in component.members for end in "-+"]
    links = document.links
    for cycle in find_cycles(points, merge_equal(points)[0]):
        involved = {link for _, _, _, link in cycle.walk if link != OWN}
        yield Conflict(
            timeline=number,
            kind=_KINDS.get(cycle.compounds, "iii"),
            walk=tuple(
                Constraint(
                    names[left],
                    "<" if strict else "=",
                    names[right],
                    None if link == OWN else links[link].id,
                )
                for left, strict, right, link in cycle.walk
            ),
            links=tuple(links[link].id for link in sorted(involved)),
            minimal=tuple(links[link].id for link in reduce_links(constraints, involved)),
        )
