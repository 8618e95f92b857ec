"""Conflicts that prove a repair where links weigh differently, or where some must stay.

The list of a document's conflicts proves the smallest repair if every link weighs one. With other
weights, or with links to keep, a cheaper set of links may meet all of them and still be no repair.
Then more conflicts are needed to see that no repair costs less.
"""

from __future__ import annotations

from tlex.conflicts.knots import tie_knots
from tlex.conflicts.listing import find_needed, list_these
from tlex.conflicts.mending import list_fixed
from tlex.conflicts.naming import name_conflict
from tlex.conflicts.weights import Weights
from tlex.conflicts.work import SHORT, Work
from tlex.records import Conflict
from tlex.result import Extraction

__all__ = ["find_further"]


def find_further(result: Extraction, weights: Weights) -> tuple[Conflict, ...]:
    """Find the conflicts that a proof needs beyond those of the result, numbered on from these.

    There are none if every link that matters weighs the same and none must stay. In a tangle that
    cannot be proven within a limit of work there are none either.
    """
    document = result.document
    if weights.are_alike(document) and not weights.keep:
        return ()
    numbers = {link.id: number for number, link in enumerate(document.links)}
    listed = [tuple(numbers[link] for link in conflict.minimal) for conflict in result.conflicts]
    every_fixed = list_fixed(document)
    work = Work(SHORT)
    found: list[Conflict] = []
    for component, tangle in result.whole.tangles.items():
        members = result.whole.members[component]
        for knot in tie_knots(tangle):
            own = frozenset(knot.links)
            known = [links for links in listed if links[0] in own]
            involved = {number: document.links[number] for number in knot.links}
            costs = weights.scale(involved).costs
            fixed = every_fixed.intersection(involved)
            kept = {number for number, link in involved.items() if link.id in weights.keep}
            alike = not kept and len({costs[own] for own in involved if own not in fixed}) == 1
            kept |= fixed
            sets = None if alike else find_needed(knot, known, costs, kept, work)
            listing = list_these(tangle, sorted(sets), fixed) if sets else None
            fresh = listing.conflicts if listing else ()
            for conflict in (one for one in fresh if one.links not in known):
                number = len(listed) + len(found) + 1
                owner = result.components.component_of
                found.append(
                    name_conflict(document, owner, conflict, members, listing, number)  # type: ignore[arg-type]
                )
    return tuple(found)
