"""The check of one consistent timeline, claim by claim.

* Steps: all constraints hold, and each point has a predecessor one step below (for its latest
  step: a successor one step above), so it can stand no earlier (no later).
* Sections: the stretches between two boundaries precede one another. Direct constraints between the
  last points of one and the first points of the next show that. Inside a section the closure shows
  that the indeterminate pairs connect it.
* Scenarios are counted again. A section is split, as often as possible, into parts that are
  unordered with each other or follow each other. A part that cannot be split is counted by its
  linear extensions, each of which stands for ``2 ** descents`` orderings with ties. A part that is
  too large for that is at least bounded: it has no more orderings than its chains side by side.

Near-linear, except for the closure and the recount, which have limits.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from math import comb, lgamma, log, log2, prod
from typing import Final, NamedTuple, TypeAlias

from msgspec import UNSET

from tlex.document import Document
from tlex.errors import VerificationError
from tlex.records import Scenarios, Section, TimelineRecord
from tlex.timeline import Timeline

__all__ = [
    "Edge",
    "Line",
    "TimelineProof",
    "listed_pairs",
    "merge",
    "name_of",
    "reach",
    "sort_compounds",
]

CLOSURE_LIMIT: Final = 12_000
"""Compounds in a section whose pairs are looked at one by one."""
RECOUNT_LIMIT: Final = 400
"""Compounds in a section whose scenarios are counted again."""
RECOUNT_WORK: Final = 30_000
"""Steps that the recount of a part that cannot be split may take."""
UNCOUNTED_ABOVE: Final = 20_000
"""Points in a timeline whose indeterminate pairs need not be counted."""

Line: TypeAlias = Timeline | TimelineRecord


class Edge(NamedTuple):
    """A constraint between two points: node ``i`` of the document has ``2i`` and ``2i + 1``."""

    left: int
    order: str
    right: int
    link: str | None


def name_of(document: Document, point: int) -> str:
    """Give a point's name, such as ``ei4-``."""
    return document.nodes[point // 2].id + "-+"[point % 2]


def reach(starts: Iterable[int], near: Mapping[int, Collection[int]]) -> set[int]:
    """Collect everything to which steps lead from the starts, these too."""
    reached = set(starts)
    fresh = list(reached)
    while fresh:
        for step in near.get(fresh.pop(), ()):
            if step not in reached:
                reached.add(step)
                fresh.append(step)
    return reached


def merge(edges: Iterable[Edge]) -> dict[int, int]:
    """Map each point, in point order, to the first of the points that ``=`` joins with it."""
    beside: dict[int, list[int]] = {}
    for left, order, right, _ in edges:
        near, far = beside.setdefault(left, []), beside.setdefault(right, [])
        if order == "=":
            near.append(right)
            far.append(left)
    merged: dict[int, int] = {}
    for point in sorted(beside):
        if point not in merged:
            merged.update(dict.fromkeys(reach([point], beside), point))
    return {point: merged[point] for point in sorted(merged)}


def sort_compounds(
    edges: Collection[Edge],
) -> tuple[dict[int, int], dict[int, set[int]], list[int]]:
    """Give the compound of each point, what each directly precedes, and all of them from below.

    Those of a contradiction, and what follows them, are not in the last list.
    """
    merged = merge(edges)
    after: dict[int, set[int]] = {compound: set() for compound in merged.values()}
    for left, order, right, _ in edges:
        if order == "<":
            after[merged[left]].add(merged[right])
    waiting = dict.fromkeys(after, 0)
    for others in after.values():
        for other in others:
            waiting[other] += 1
    ready = [compound for compound, before in waiting.items() if not before]
    for compound in ready:  # grows
        for other in after[compound]:
            waiting[other] -= 1
            if not waiting[other]:
                ready.append(other)
    return merged, after, ready


def listed_pairs(timeline: Line) -> tuple[tuple[str, str], ...] | None:
    """Give the pairs that a report lists; a live timeline, or a shorter report, lists none."""
    if not isinstance(timeline, TimelineRecord) or timeline.pairs is UNSET:
        return None
    return timeline.pairs


class TimelineProof:
    """The proof of one timeline; `run` raises `VerificationError` where it fails.

    A compound has the number of its first point. ``unchecked`` names what is too large to be
    checked. ``pairs`` counts the indeterminate pairs that were checked.
    """

    def __init__(self, document: Document, timeline: Line, edges: list[Edge]) -> None:
        self.document = document
        self.timeline = timeline
        self.edges = edges
        self.unchecked: list[str] = []
        self.pairs = 0
        self._merged = merge(edges)
        self._members: dict[int, list[int]] = {}
        self._earliest: dict[int, int] = {}
        self._latest: dict[int, int] = {}
        self._after: dict[int, set[int]] = {}

    def run(self) -> None:
        """Check the claims in an order in which each may rely on those before it."""
        for point, compound in self._merged.items():
            self._members.setdefault(compound, []).append(point)
            self._after.setdefault(compound, set())
        self._check_points()
        self._check_constraints()
        for left, order, right, _ in self.edges:
            if order == "<":
                self._after[self._merged[left]].add(self._merged[right])
        self._check_pushed()
        self._check_compounds()
        blocks = self._check_sections()
        self._check_boundaries(blocks)
        self._check_indeterminacy([block for block in blocks if len(block) > 1])

    def _reject(self, problem: str) -> VerificationError:
        return VerificationError(f"timeline {self.timeline.id}: {problem}")

    def _leave(self, what: str) -> None:
        self.unchecked.append(f"timeline {self.timeline.id}: {what}")

    def _name(self, point: int) -> str:
        return name_of(self.document, point)

    def _check_points(self) -> None:
        points = self.timeline.points
        for point in self._merged:
            name = self._name(point)
            if name not in points:
                raise self._reject(f"point {name!r} has no steps")
            self._earliest[point], self._latest[point] = points[name]
        if len(points) != len(self._merged):
            known = {self._name(point) for point in self._merged}
            stranger = next(name for name in points if name not in known)
            raise self._reject(f"it has no point {stranger!r}")

    def _check_constraints(self) -> None:
        for what, steps in (("earliest", self._earliest), ("latest", self._latest)):
            for left, order, right, link in self.edges:
                a, b = steps[left], steps[right]
                if not (a < b if order == "<" else a == b):
                    source = "the interval itself" if link is None else f"link {link!r}"
                    raise self._reject(
                        f"the {what} steps {a} and {b} break "
                        f"{self._name(left)} {order} {self._name(right)} of {source}"
                    )

    def _check_pushed(self) -> None:
        """Check that each point is at its earliest and at its latest step."""
        length = max(self._earliest.values())
        if self.timeline.length != length:
            raise self._reject(f"the length is {length}, not {self.timeline.length}")
        from_below, from_above = set(), set()
        for compound, others in self._after.items():
            for other in others:
                if self._earliest[compound] + 1 == self._earliest[other]:
                    from_below.add(other)
                if self._latest[compound] + 1 == self._latest[other]:
                    from_above.add(compound)
        for compound in self._members:
            first, last = self._earliest[compound], self._latest[compound]
            if first < 1 or (first > 1 and compound not in from_below):
                raise self._reject(f"{first} is not the earliest step of {self._name(compound)!r}")
            if last > length or (last < length and compound not in from_above):
                raise self._reject(f"{last} is not the latest step of {self._name(compound)!r}")

    def _check_compounds(self) -> None:
        names = [tuple(map(self._name, points)) for points in self._members.values()]
        groups = [group for group in names if len(group) > 1]
        if list(map(tuple, self.timeline.compounds)) != groups:
            raise self._reject("the compounds are not the groups of points that = joins")
        crowds = Counter(self._earliest[compound] for compound in self._members)
        tied = sorted(step for step, crowd in crowds.items() if crowd > 1)
        if list(self.timeline.tied_steps) != tied:
            raise self._reject(f"the tied steps are {tied}, not {list(self.timeline.tied_steps)}")

    def _check_sections(self) -> list[list[int]]:
        """Cut the compounds, in order of their steps, where the sections say."""
        compounds = sorted(self._members, key=self._earliest.__getitem__)
        steps = [self._earliest[compound] for compound in compounds]
        blocks: list[list[int]] = []
        position = 0
        for section in self.timeline.sections:
            begin, end = bisect_left(steps, section.first), bisect_right(steps, section.last)
            if begin < position:
                raise self._reject(f"{_place(section)} does not follow the one above it")
            self._check_section(section, compounds[begin:end])
            blocks.extend([compound] for compound in compounds[position:begin])
            blocks.append(compounds[begin:end])
            position = end
        blocks.extend([compound] for compound in compounds[position:])
        unsettled = sum(len(section.points) for section in self.timeline.sections)
        if self.timeline.score != unsettled / len(self._merged):
            raise self._reject(
                f"the score is {unsettled} of {len(self._merged)} points, not {self.timeline.score}"
            )
        return blocks

    def _check_section(self, section: Section, block: list[int]) -> None:
        if len(block) <= 1:
            raise self._reject(f"{_place(section)} does not hold two compounds")
        if (section.first, section.last) != (self._earliest[block[0]], self._earliest[block[-1]]):
            raise self._reject(f"{_place(section)} has no point on its first or on its last step")
        points = sorted(point for compound in block for point in self._members[compound])
        if list(section.points) != [self._name(point) for point in points]:
            raise self._reject(f"{_place(section)} does not list the points on these steps")

    def _check_boundaries(self, blocks: list[list[int]]) -> None:
        """Prove that each block wholly precedes the next.

        It does if every last point of the one has a constraint with every first point of the other,
        and only then: between these two a chain has no room for a third.
        """
        preceded: set[int] = set()
        ends: list[tuple[list[int], list[int]]] = []
        for block in blocks:
            inside = set(block)
            lasts = [compound for compound in block if inside.isdisjoint(self._after[compound])]
            preceded.update(*(inside & self._after[compound] for compound in block))
            ends.append(([compound for compound in block if compound not in preceded], lasts))
        for (_, lasts), (firsts, _) in pairwise(ends):
            for last in lasts:
                for first in firsts:
                    if first not in self._after[last]:
                        raise self._reject(
                            f"the pair {self._name(last)!r}, {self._name(first)!r} is "
                            "indeterminate, but no section holds both"
                        )

    def _check_indeterminacy(self, blocks: list[list[int]]) -> None:
        """Look inside the sections: they hold together, and have these pairs and scenarios."""
        counts: list[int | None] = []
        most = 0.0
        orders: dict[int, _Order | None] = {}
        for block, section in zip(blocks, self.timeline.sections, strict=True):
            if len(block) > CLOSURE_LIMIT:
                self._leave(f"pairs and scenarios of {_place(section)}")
                counts.append(None)
                most += _bound_orderings(len(block))
                orders.update(dict.fromkeys(block))
                continue
            order = _Order(block, self._after)
            if len(order.parts(order.everything, order.unordered)) > 1:
                raise self._reject(f"{_place(section)} is more than one section")
            orders.update(dict.fromkeys(block, order))
            self.pairs += order.weigh([len(self._members[compound]) for compound in block])
            counts.append(order.count_scenarios() if len(block) <= RECOUNT_LIMIT else None)
            if counts[-1] is None:
                self._leave(f"scenarios of {_place(section)}")
                few = len(block) <= RECOUNT_LIMIT
                most += order.bound_scenarios() if few else _bound_orderings(len(block))
        self._check_count(complete=None not in orders.values())
        self._check_list(orders)
        self._check_scenarios(counts, most, self.timeline.scenarios)

    def _check_count(self, *, complete: bool) -> None:
        counted = self.timeline.indeterminate_pairs
        if counted is None:
            if len(self._merged) <= UNCOUNTED_ABOVE:
                raise self._reject("the indeterminate pairs are not counted")
        elif counted < self.pairs or (complete and counted > self.pairs):
            raise self._reject(f"{self.pairs} pairs are indeterminate, not {counted}")

    def _check_list(self, orders: Mapping[int, _Order | None]) -> None:
        listed = listed_pairs(self.timeline)
        if listed is None:
            return
        numbers = {self._name(point): point for point in self._merged}
        met = set()
        for left, right in listed:
            if left not in numbers or right not in numbers:
                raise self._reject(f"the pair {left!r}, {right!r} is not of its points")
            if numbers[left] > numbers[right]:
                raise self._reject(f"the pair {left!r}, {right!r} is not in text order")
            one, other = self._merged[numbers[left]], self._merged[numbers[right]]
            order = orders.get(one)
            if one not in orders or (order and not order.leaves_open(one, other)):
                raise self._reject(f"the pair {left!r}, {right!r} is not indeterminate")
            met.add(frozenset((left, right)))
        if len(met) != len(listed):
            raise self._reject("a pair is listed twice")
        if len(met) < self.pairs:
            raise self._reject(f"{self.pairs} pairs are indeterminate, {len(met)} are listed")

    def _check_scenarios(
        self, counts: list[int | None], most: float, claim: Scenarios | None
    ) -> None:
        """Compare a claim with the recount; ``most`` bounds what was not counted, in bits."""
        if claim is None:
            raise self._reject("the scenarios are not counted")
        known = prod(count for count in counts if count is not None)
        if None in counts:
            wrong = (
                claim.count < 1
                or (claim.exact and claim.count % known != 0)
                or log2(claim.count) > log2(known) + most + 1
            )
        else:
            wrong = not 1 <= claim.count <= known or (claim.exact and claim.count != known)
        if wrong or not (counts or claim.exact):
            kind = "exactly" if claim.exact else "at least"
            raise self._reject(f"the scenarios are not {kind} {claim.count}; recounted: {known}")


def _place(section: Section) -> str:
    return f"the section on steps {section.first} to {section.last}"


class _Order:
    """The closure of a section: for each compound what precedes it, follows it, is unordered.

    Sets are the bits of an integer; bit ``i`` is the block's compound ``i``. The block is in order
    of the steps, so that whatever precedes a compound has a lower bit.
    """

    def __init__(self, block: list[int], after: Mapping[int, Collection[int]]) -> None:
        self.everything = (1 << len(block)) - 1
        self._bit = {compound: bit for bit, compound in enumerate(block)}
        self.above = [0] * len(block)
        self.below = [0] * len(block)
        self._direct = [
            [self._bit[other] for other in after[one] if other in self._bit] for one in block
        ]
        for bit in reversed(range(len(block))):
            for other in self._direct[bit]:
                self.above[bit] |= self.above[other] | 1 << other
        for bit, others in enumerate(self._direct):
            for other in others:
                self.below[other] |= self.below[bit] | 1 << bit
        self.unordered = [
            self.everything & ~(above | below | 1 << bit)
            for bit, (above, below) in enumerate(zip(self.above, self.below, strict=True))
        ]

    @cached_property
    def ordered(self) -> list[int]:
        """What precedes or follows each compound."""
        return [below | above for below, above in zip(self.below, self.above, strict=True)]

    @cached_property
    def next(self) -> list[int]:
        """What directly follows each compound."""
        return [sum(1 << other for other in others) for others in self._direct]

    def leaves_open(self, one: int, other: int) -> bool:
        """Whether two compounds are an indeterminate pair; the second may stand elsewhere."""
        return other in self._bit and bool(self.unordered[self._bit[one]] >> self._bit[other] & 1)

    def weigh(self, sizes: list[int]) -> int:
        """Count the unordered pairs of points, given how many points each compound has."""
        alike: dict[int, int] = defaultdict(int)
        for bit, size in enumerate(sizes):
            alike[size] |= 1 << bit
        twice = sum(
            size * other_size * (others & unordered).bit_count()
            for size, unordered in zip(sizes, self.unordered, strict=True)
            for other_size, others in alike.items()
        )
        return twice // 2

    def parts(self, members: int, near: list[int]) -> list[int]:
        """Split members into connected parts."""
        parts = []
        while members:
            part, fresh = 0, members & -members
            while fresh:
                part |= fresh
                grown = 0
                for bit in _bits(fresh):
                    grown |= near[bit]
                fresh = grown & members & ~part
            parts.append(part)
            members &= ~part
        return parts

    def count_scenarios(self) -> int | None:
        """Count the orderings with ties; None if that takes too long."""
        parts = [self.everything]
        plans: list[tuple[_Joiner, int, int]] = []
        for part in parts:  # grows: the pieces of a part stand behind it
            join: _Joiner = _stand_beside
            pieces = self.parts(part, self.ordered)
            if len(pieces) == 1:
                join = _stand_in_line
                pieces = self.parts(part, self.unordered)
            first = len(parts)
            parts.extend(pieces if len(pieces) > 1 else [])
            plans.append((join, first, len(parts)))
        counts: list[list[int]] = [[]] * len(parts)
        for number, (join, first, last) in reversed(list(enumerate(plans))):
            found = (
                join(counts[first:last]) if first < last else self._count_extensions(parts[number])
            )
            if found is None:
                return None
            counts[number] = found
        return sum(counts[0])

    def bound_scenarios(self) -> float:
        """Bound the number of orderings, in bits: as if the section were chains side by side."""
        chains: list[list[int]] = []
        for bit in range(len(self.above)):
            for chain in chains:
                if self.above[chain[-1]] >> bit & 1:
                    chain.append(bit)
                    break
            else:
                chains.append([bit])
        return log2(sum(_stand_beside([[0] * len(chain) + [1] for chain in chains])))

    def _count_extensions(self, part: int) -> list[int] | None:
        """Count the orderings of a part by the number of their steps, one point after the other.

        An ordering is written as a linear extension, each of its steps from the highest bit down.
        So where a higher bit follows a lower one a new step begins, and where a lower bit follows
        a higher one (the two are then unordered) a new step may begin. The counts for all numbers
        of steps travel in one integer, in fields wide enough for ``(2n) ** n``.
        """
        size = part.bit_count()
        field = size * (2 * size).bit_length()
        work = 0
        level: dict[int, dict[int, int]] = {0: {-1: 1}}
        ready = {0: sum(1 << bit for bit in _bits(part) if not self.below[bit] & part)}
        for _ in range(size):
            grown: dict[int, dict[int, int]] = {}
            for done, lasts in level.items():
                total = sum(lasts.values())
                for bit in _bits(ready[done]):
                    tied = sum(count for last, count in lasts.items() if last > bit)
                    longer = done | 1 << bit
                    if longer not in grown:
                        freed = (
                            1 << other
                            for other in _bits(self.next[bit] & part)
                            if not self.below[other] & part & ~longer
                        )
                        ready[longer] = sum(freed, ready[done] ^ 1 << bit)
                        grown[longer] = {}
                    grown[longer][bit] = (total << field) + tied
                    work += 1
                if work > RECOUNT_WORK:
                    return None
                del ready[done]
            level = grown
        packed = sum(level[part].values())
        return [packed >> field * steps & (1 << field) - 1 for steps in range(size + 1)]


def _bound_orderings(size: int) -> float:
    """Bound the number of orderings with ties of so many compounds, in bits.

    Each is a row of all of them with a step, or none, between each two neighbours.
    """
    return lgamma(size + 1) / log(2) + size - 1


def _bits(members: int) -> Iterator[int]:
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest


# What follows counts orderings by the number of their steps: counts[k] have k.


def _stand_in_line(parts: list[list[int]]) -> list[int]:
    """Join parts that follow each other: the numbers of steps add up."""
    joined = [1]
    for counts in parts:
        longer = [0] * (len(joined) + len(counts) - 1)
        for steps, count in enumerate(joined):
            for more, other in enumerate(counts, steps):
                longer[more] += count * other
        joined = longer
    return joined


def _stand_beside(parts: list[list[int]]) -> list[int]:
    """Join parts that are unordered with each other.

    On n given steps, of which some may stay empty, they stand independently. Differences bring
    back the orderings that leave none empty.
    """
    most = sum(len(counts) - 1 for counts in parts)
    ways = [
        prod(sum(count * comb(n, k) for k, count in enumerate(counts)) for counts in parts)
        for n in range(most + 1)
    ]
    joined = []
    while ways:
        joined.append(ways[0])
        ways = [after - before for before, after in pairwise(ways)]
    return joined


_Joiner: TypeAlias = Callable[[list[list[int]]], list[int]]
