"""The check of conflicts: each is a contradiction, irreducible, and together they name all.

A walk is followed step by step. A minimal set is taken apart: it contradicts itself, and without
any one of its links it does not. Without the links that the list names, nothing is contradictory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from tlex.checker.constraints import Constraints, is_satisfiable
from tlex.checker.timelines import Edge, merge
from tlex.errors import VerificationError
from tlex.records import Conflict

__all__ = ["check_conflicts"]

MINIMAL_LIMIT: Final = 400
"""The largest minimal set of which each link is taken away in turn."""

_KINDS: Final = {1: "i", 2: "ii"}


def check_conflicts(
    constraints: Constraints, conflicts: Sequence[Conflict], parts: Sequence[list[Edge]]
) -> list[str]:
    """Prove each conflict, and that nothing else contradicts itself; return what is unchecked.

    ``parts`` has the constraints of each timeline.
    """
    unchecked: list[str] = []
    earlier: list[int] = []
    merged: dict[int, dict[int, int]] = {}
    named: set[str | None] = set()
    for number, conflict in enumerate(conflicts, 1):
        place = f"conflict {number}, of timeline {conflict.timeline}"
        if not 0 <= conflict.timeline < len(parts):
            raise VerificationError(f"{place}: there is no such timeline")
        if conflict.timeline not in merged:
            merged[conflict.timeline] = merge(parts[conflict.timeline])
        _check_walk(constraints, conflict, merged[conflict.timeline], place)
        links = [constraints.place[link] for link in conflict.minimal]
        if links <= earlier or conflict.number != number:
            raise VerificationError(f"{place}: it is not in order, or it has another number")
        earlier = links
        if not _check_minimal(constraints, conflict, place):
            unchecked.append(f"{place}: whether its minimal set is irreducible")
        named.update(conflict.minimal, *conflict.same.values())
    for number, edges in enumerate(parts):
        if not is_satisfiable([edge for edge in edges if edge.link not in named]):
            raise VerificationError(f"timeline {number}: not all its contradictions are reported")
    return unchecked


def _check_walk(
    constraints: Constraints, conflict: Conflict, merged: dict[int, int], place: str
) -> frozenset[Edge]:
    """Follow the walk of a conflict; return its steps."""
    steps, walk = [], conflict.walk
    for step, following in zip(walk, [*walk[1:], *walk[:1]], strict=True):
        edge = constraints.find(step)
        if edge is None or edge.left not in merged:
            source = "an interval of its own" if step.link is None else f"link {step.link!r}"
            raise VerificationError(
                f"{place}: {step} is no constraint of {source} in that timeline"
            )
        if step.right != following.left:
            raise VerificationError(f"{place}: {step} does not lead to {following}")
        steps.append(edge)
    if all(step.order == "=" for step in walk):
        raise VerificationError(f"{place}: no step of the walk is <")
    named = {step.link for step in walk if step.link is not None}
    links = sorted(named, key=constraints.place.__getitem__)
    if list(conflict.links) != links:
        raise VerificationError(f"{place}: the links on the walk are {links}, in document order")
    compounds = len({merged[edge.left] for edge in steps})
    if conflict.kind != _KINDS.get(compounds, "iii"):
        raise VerificationError(f"{place}: {compounds} compounds are not kind {conflict.kind!r}")
    return frozenset(steps)


def _check_minimal(constraints: Constraints, conflict: Conflict, place: str) -> bool:
    """Prove a minimal set contradictory and irreducible; False if too large for the second."""
    minimal = list(conflict.minimal)
    if minimal != [link for link in conflict.links if link in set(minimal)]:
        raise VerificationError(f"{place}: the minimal set is not of its links, in document order")
    if not constraints.is_contradictory(minimal):
        raise VerificationError(f"{place}: the minimal set does not contradict itself")
    if len(minimal) > MINIMAL_LIMIT:
        return False
    for link in minimal:
        if constraints.is_contradictory(other for other in minimal if other != link):
            raise VerificationError(f"{place}: the minimal set is contradictory without {link!r}")
    return True
