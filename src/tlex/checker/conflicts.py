"""The check of conflicts: each is a contradiction, irreducible, with a shortest walk as its proof.

A walk is followed step by step. Its links are the conflict: they contradict each other, and without
any one of them they do not. `listing` checks that no conflict is missing. Links that follow from
values, and those that say the same, count as given: the other links contradict all of them, and
without any one of these others they do not. No two conflicts have the same others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from tlex.checker.constraints import Constraints
from tlex.checker.timelines import merge
from tlex.checker.walks import measure_shortest
from tlex.errors import VerificationError
from tlex.records import Conflict

__all__ = ["check_conflicts", "find_same"]

MINIMAL_LIMIT: Final = 400
"""The largest conflict of which each link is taken away in turn."""

WORK_LIMIT: Final = 300_000
"""The squares of the conflicts' lengths together, as far as each link is taken away in turn."""

FIRM_LIMIT: Final = 100_000
"""The links of a conflict times those that follow from values, if all of them are tried."""

_KINDS: Final = {1: "i", 2: "ii"}


def check_conflicts(
    constraints: Constraints,
    conflicts: Sequence[Conflict],
    owner: Sequence[int],
    *,
    appended: bool = False,
) -> list[str]:
    """Prove each conflict, and their order; return what is unchecked.

    ``owner`` has the timeline of each node. ``appended``: others may follow the list, in any order.
    """
    unchecked: list[str] = []
    earlier: list[int] = []
    found: set[tuple[int, ...]] = set()
    others: set[tuple[str, ...]] = set()
    stated = (edge for edges in constraints.stated.values() for edge in edges)
    merged = merge([*constraints.own, *stated]) if conflicts else {}
    same = find_same(constraints)
    work = 0
    given = frozenset(constraints.firm)
    firm = given.union(link for link, more in same.items() if not given.isdisjoint(more))
    for number, conflict in enumerate(conflicts, 1):
        place = f"conflict {number}, of timeline {conflict.timeline}"
        first = _check_walk(constraints, conflict, merged, place)
        if conflict.timeline != owner[first // 2]:
            raise VerificationError(f"{place}: its walk begins on timeline {owner[first // 2]}")
        links = [constraints.place[link] for link in conflict.links]
        repeated = tuple(links) in found if appended else links <= earlier
        if repeated or conflict.number != number:
            raise VerificationError(f"{place}: it is not in order, or it has another number")
        earlier = links
        found.add(tuple(links))
        if conflict.same != {link: same[link] for link in conflict.links if link in same}:
            raise VerificationError(f"{place}: other links say the same, or it names no first one")
        own = tuple(link for link in conflict.links if link not in firm)
        if own in others:
            raise VerificationError(f"{place}: an earlier one has the same links")
        others.add(own)
        work += len(conflict.links) ** 2
        if work > WORK_LIMIT or not _check_minimal(constraints, conflict, own, place):
            unchecked.append(f"{place}: whether it is irreducible")
    return unchecked


def find_same(constraints: Constraints) -> dict[str, tuple[str, ...]]:
    """Give for the first of the links that say the same all others."""
    alike: dict[frozenset[tuple[int, str, int]], list[str]] = defaultdict(list)
    for link, edges in constraints.stated.items():
        said = {
            (left, order, right) if order == "<" or left < right else (right, order, left)
            for left, order, right, _ in edges
        }
        alike[frozenset(said)].append(link)
    return {links[0]: tuple(links[1:]) for links in alike.values() if len(links) > 1}


def _check_walk(
    constraints: Constraints, conflict: Conflict, merged: dict[int, int], place: str
) -> int:
    """Follow the walk of a conflict; return its first point."""
    steps, walk = [], conflict.walk
    for step, following in zip(walk, [*walk[1:], *walk[:1]], strict=True):
        edge = constraints.find(step)
        if edge is None:
            source = "an interval of its own" if step.link is None else f"link {step.link!r}"
            raise VerificationError(f"{place}: {step} is no constraint of {source}")
        if step.right != following.left:
            raise VerificationError(f"{place}: {step} does not lead to {following}")
        steps.append(edge)
    if all(step.order == "=" for step in walk):
        raise VerificationError(f"{place}: no step of the walk is <")
    named = {step.link for step in walk if step.link is not None}
    links = sorted(named, key=constraints.place.__getitem__)
    if list(conflict.links) != links or conflict.minimal != conflict.links:
        raise VerificationError(f"{place}: the links on the walk are {links}, in document order")
    compounds = len({merged[edge.left] for edge in steps})
    if conflict.kind != _KINDS.get(compounds, "iii"):
        raise VerificationError(f"{place}: {compounds} compounds are not kind {conflict.kind!r}")
    length = sum(edge.link is not None for edge in steps)
    changes = sum(merged[edge.left] != merged[edge.right] for edge in steps)
    stated = [edge for link in links for edge in constraints.stated[link]]
    touched = {point // 2 for edge in stated for point in (edge.left, edge.right)}
    stated += [constraints.own[number] for number in touched]
    shortest = measure_shortest(stated, constraints.stated[links[0]], merged)
    if (length, changes) != shortest or walk[0].link != links[0]:
        raise VerificationError(
            f"{place}: the walk does not begin with its first link, or another one is shorter"
        )
    return steps[0].left


def _check_minimal(
    constraints: Constraints, conflict: Conflict, own: Sequence[str], place: str
) -> bool:
    """Prove that no link of a conflict can be spared; False if it is too large for that.

    Its ``own`` links cannot be spared even with all links that follow from values.
    """
    if len(conflict.links) > MINIMAL_LIMIT:
        return False
    firm = constraints.firm
    if len(own) * len(firm) > FIRM_LIMIT:
        return False
    for link in own if firm else ():
        if constraints.is_contradictory((*(other for other in own if other != link), *firm)):
            raise VerificationError(f"{place}: it contradicts the calendar without {link!r}")
    for link in conflict.links:
        if constraints.is_contradictory(other for other in conflict.links if other != link):
            raise VerificationError(f"{place}: it is contradictory without {link!r}")
    return True
