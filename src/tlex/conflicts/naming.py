"""The conflicts of a document in the annotator's own ids."""

from __future__ import annotations

from collections.abc import Sequence

from tlex.components import Components
from tlex.conflicts.listing import Listing, NumberedConflict, list_conflicts
from tlex.conflicts.mending import list_fixed
from tlex.conflicts.work import RATE, Work
from tlex.document import Document
from tlex.points.graphs import OWN
from tlex.records import Conflict, Constraint

__all__ = ["name_conflict", "name_conflicts"]

_KINDS = {1: "i", 2: "ii"}


def name_conflicts(
    document: Document, components: Components, timeline_of: Sequence[int]
) -> tuple[tuple[Conflict, ...], bool]:
    """List the conflicts of a document, by the place of their first links.

    ``components`` are those of the whole document. ``timeline_of`` gives each node's timeline; that
    of the first point of the walk is the conflict's. Returns the list, and whether it is complete.
    """
    work = Work(RATE)
    kept = list_fixed(document)
    found: list[tuple[NumberedConflict, Sequence[int], Listing]] = []
    complete = True
    for component, tangle in components.tangles.items():
        listing = list_conflicts(tangle, work, kept)
        complete = complete and listing.complete
        members = components.members[component]
        found += [(conflict, members, listing) for conflict in listing.conflicts]
    found.sort(key=lambda one: one[0].links)
    named = (
        name_conflict(document, timeline_of, *one, number) for number, one in enumerate(found, 1)
    )
    return tuple(named), complete


def name_conflict(  # noqa: PLR0913, PLR0917 -- what each conflict has, and what all have
    document: Document,
    timeline_of: Sequence[int],
    conflict: NumberedConflict,
    members: Sequence[int],
    listing: Listing,
    number: int,
) -> Conflict:
    """Give a conflict in the annotator's own ids; ``members`` are the nodes of its intervals."""
    nodes, links = document.places.ids, document.link_ids

    def name(point: int) -> str:
        return nodes[members[point // 2]] + "-+"[point % 2]

    ids = tuple(links[link] for link in conflict.links)
    return Conflict(
        number=number,
        timeline=timeline_of[members[conflict.walk[0][0] // 2]],
        kind=_KINDS.get(conflict.compounds, "iii"),
        walk=tuple(
            Constraint(
                left=name(left),
                order="<" if strict else "=",
                right=name(right),
                link=None if link == OWN else links[link],
            )
            for left, strict, right, link in conflict.walk
        ),
        links=ids,
        minimal=ids,
        same={
            links[first]: tuple(links[other] for other in listing.same[first])
            for first in conflict.links
            if first in listing.same
        },
    )
