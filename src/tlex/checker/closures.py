"""The check of closures and reductions.

A relation is entailed if and only if one end point leads to the other by a chain of constraints. So
the closure is found again, by what each point leads to, and compared link by link. Of a reduction
it is checked that each dropped link follows from the kept ones, and that no kept link does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from tlex.checker.constraints import Constraints
from tlex.checker.parts import Parts
from tlex.checker.relations import CELLS, close_facts, list_fitting, read_signs
from tlex.checker.timelines import Edge, sort_compounds
from tlex.errors import VerificationError
from tlex.records import Closure, EntailedLink, Reduction

__all__ = ["check_closure", "check_reduction"]

PAIRS_LIMIT: Final = 2_000_000
"""Pairs of events and times whose relations are found again."""
SEARCH_LIMIT: Final = 20_000_000
"""Constraints that may be followed to see that no kept link is redundant."""


def check_closure(constraints: Constraints, closure: Closure) -> list[str]:
    """Prove that a closure has every entailed relation and no other; return what is unchecked."""
    parts = Parts(constraints)
    _check_inconsistent(parts, closure.inconsistent)
    sizes = [len(members) for members in parts.members]
    pairs = sum(
        size * (size - 1) // 2
        for size, consistent in zip(sizes, parts.consistent, strict=True)
        if consistent
    )
    if pairs > PAIRS_LIMIT:
        return [f"the closure: {pairs:,} pairs, more than {PAIRS_LIMIT:,}"]
    claims = {"links": closure.links, "untyped": closure.untyped}
    found = dict.fromkeys(claims, 0)
    annotated = partial = 0
    for number, consistent in enumerate(parts.consistent):
        for link in _find_entailed(constraints, parts, number) if consistent else ():
            if link is None:
                partial += 1
                continue
            name = "links" if link.type else "untyped"
            place, claimed = found[name], claims[name]
            if place < len(claimed) and link != claimed[place]:
                message = f"{name}, number {place + 1}: it is {link}, not {claimed[place]}"
                raise VerificationError(message)
            found[name] += 1
            annotated += bool(link.type and link.links)
    for name, claimed in claims.items():
        if found[name] != len(claimed):
            raise VerificationError(f"there are {found[name]} {name}, not {len(claimed)}")
    for name, count in (
        ("annotated", annotated),
        ("new", found["links"] - annotated),
        ("partial", partial),
    ):
        if getattr(closure, name) != count:
            raise VerificationError(f"{name} is {count}, not {getattr(closure, name)}")
    return []


def _find_entailed(
    constraints: Constraints, parts: Parts, number: int
) -> Iterator[EntailedLink | None]:
    """List what is entailed in a part, each pair once; None for what is entailed only in part."""
    members = parts.members[number]
    compound, above = _close(parts.edges[number])
    said = _read_links(constraints, parts.links[number])
    nodes = constraints.document.nodes
    firm = frozenset(constraints.firm)
    for place, one in enumerate(members):
        for other in members[place + 1 :]:
            points = (2 * one, 2 * one + 1, 2 * other, 2 * other + 1)
            signs = ""
            for left, right in CELLS:
                low, high = compound[points[left]], compound[points[right]]
                if low == high:
                    signs += "="
                elif above[low] >> high & 1:
                    signs += "<"
                else:
                    signs += ">" if above[high] >> low & 1 else "?"
            fitting = list_fitting(signs, _moments(constraints, one, other))
            if len(fitting) == 1:
                name, label = fitting[0]
                links = tuple(
                    link for link, stated in said[one, other] if stated == name and link not in firm
                )
                yield EntailedLink(
                    source=nodes[one].id, type=label, target=nodes[other].id, name=name, links=links
                )
            elif signs != "????":
                yield None


def _close(edges: list[Edge]) -> tuple[dict[int, int], list[int]]:
    """Number the compounds of a part from below; for each, a bit for each one above it."""
    merged, after, upwards = sort_compounds(edges)
    bit = {compound: place for place, compound in enumerate(upwards)}
    above = [0] * len(upwards)
    for place in reversed(range(len(upwards))):
        for other in after[upwards[place]]:
            above[place] |= above[bit[other]] | 1 << bit[other]
    return {point: bit[compound] for point, compound in merged.items()}, above


def _read_links(
    constraints: Constraints, links: list[str]
) -> dict[tuple[int, int], list[tuple[str, str]]]:
    """The links of each pair that state one relation, with its name, read from the first node."""
    said: dict[tuple[int, int], list[tuple[str, str]]] = defaultdict(list)
    for link in links:
        edges = constraints.stated[link]
        ends = sorted({edges[0].left // 2, edges[0].right // 2})
        if len(ends) == 1:
            continue
        one, other = ends
        place = {2 * one: 0, 2 * one + 1: 1, 2 * other: 2, 2 * other + 1: 3}
        facts = [(edge.order, place[edge.left], place[edge.right]) for edge in edges]
        moments = _moments(constraints, one, other)
        fitting = list_fitting(read_signs(close_facts(facts, moments)), moments)
        if len(fitting) == 1:
            said[one, other].append((link, fitting[0][0]))
    return said


def _moments(constraints: Constraints, one: int, other: int) -> tuple[bool, bool]:
    return constraints.own[one].order == "=", constraints.own[other].order == "="


def check_reduction(constraints: Constraints, reduction: Reduction) -> list[str]:
    """Prove that the kept links entail the dropped ones, and that none of them can be spared."""
    parts = Parts(constraints)
    _check_inconsistent(parts, reduction.inconsistent)
    kept, dropped = set(reduction.kept), set(reduction.dropped)
    own = [link for link in constraints.stated if link not in set(constraints.firm)]
    both = [link for link in own if link in kept or link in dropped]
    free = [
        link for link in own if parts.consistent[parts.owner[constraints.stated[link][0].left // 2]]
    ]
    consistent = set(free)
    untouched = [link for link in own if link not in consistent]
    if both != free or kept & dropped:
        raise VerificationError("the kept and dropped links are not those of consistent timelines")
    for name, links in (
        ("kept", [link for link in both if link in kept]),
        ("dropped", [link for link in both if link in dropped]),
        ("untouched", untouched),
    ):
        if list(getattr(reduction, name)) != links:
            raise VerificationError(f"the {name} links are others, or not in document order")
    search = _Search([edge for edges in parts.edges for edge in edges], dropped)
    for link in reduction.dropped:
        if not search.follows(constraints.stated[link], None):
            raise VerificationError(f"the link {link!r} is dropped, but does not follow")
    for link in reduction.kept:
        if search.follows(constraints.stated[link], link):
            raise VerificationError(f"the link {link!r} is kept, but follows from the others")
        if search.work > SEARCH_LIMIT:
            return [f"whether all kept links are needed, beyond {SEARCH_LIMIT:,} constraints"]
    return []


def _check_inconsistent(parts: Parts, claimed: tuple[int, ...]) -> None:
    real = [number for number, consistent in enumerate(parts.consistent) if not consistent]
    if list(claimed) != real:
        raise VerificationError(f"the contradictory timelines are {real}, not {list(claimed)}")


class _Search:
    """Searches for chains of constraints, in a graph that is consistent with all its links.

    A chain never leaves the steps between its ends. A chain of = alone leads back as well, and one
    with a < never does: so any chain proves the order that the two points have.
    """

    def __init__(self, edges: list[Edge], without: set[str]) -> None:
        self.work = 0
        self.ways: dict[int, list[tuple[int, str | None]]] = defaultdict(list)
        for left, order, right, link in edges:
            if link not in without:
                self.ways[left].append((right, link))
                if order == "=":
                    self.ways[right].append((left, link))
        merged, after, upwards = sort_compounds(edges)
        step = dict.fromkeys(after, 1)
        for compound in upwards:
            for other in after[compound]:
                step[other] = max(step[other], step[compound] + 1)
        self.step = {point: step[compound] for point, compound in merged.items()}

    def follows(self, edges: list[Edge], without: str | None) -> bool:
        """Whether constraints follow from the links that are left, without one of them."""
        return all(self._leads(edge.left, edge.right, without) for edge in edges)

    def _leads(self, start: int, goal: int, without: str | None) -> bool:
        highest = self.step[goal]
        seen, fresh = {start}, [start]
        while fresh:
            point = fresh.pop()
            if point == goal:
                return True
            for other, link in self.ways[point]:
                self.work += 1
                if other not in seen and self.step[other] <= highest:
                    if link is not None and link == without:
                        continue
                    seen.add(other)
                    fresh.append(other)
        return False
