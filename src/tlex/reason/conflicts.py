"""Conflicts in the annotator's own terms (§3.4, the paper's MLIC)."""

from __future__ import annotations

from collections.abc import Iterator

from tlex.document import Document
from tlex.graph import OWN, Part
from tlex.records import Conflict, Constraint
from tlex.steps.conflicts import find_cycles, group_by_link, reduce_links
from tlex.steps.consistency import merge_equal

__all__ = ["find_conflicts"]

_KINDS = {1: "i", 2: "ii"}


def find_conflicts(document: Document, number: int, part: Part) -> Iterator[Conflict]:
    """Name the contradictions of an inconsistent part, the timeline of that number."""
    points = part.points
    if points is None:  # the part is consistent
        return
    rows = group_by_link(points)
    names = [document.nodes[member].id + end for member in part.members for end in "-+"]
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
            minimal=tuple(links[link].id for link in reduce_links(rows, involved)),
        )
