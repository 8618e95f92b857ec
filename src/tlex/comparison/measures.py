"""Measures over points and parts: how much of one timeline the other one has.

All of them count with bits: a set of matched end points is an integer, a few thousand points at a
time, so that the work is a few passes over both graphs and memory stays linear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from msgspec import Struct

from tlex.comparison.records import Orders, Share
from tlex.components import Components
from tlex.points.graphs import Consistent

__all__ = ["PointSide", "count_orders", "count_pairs", "list_in_sections", "share_reduced"]

_BITS = 2048
"""How many end points are looked for at once: a bit each."""


class _Masks(Struct, gc=False):
    """For each compound the matched end points, of one block, in it, after it and before it."""

    own: list[int]
    above: list[int]
    below: list[int]

    def find(self, number: int) -> tuple[int, ...]:
        """The end points after a compound, in it and before it; none if it is a lone interval's."""
        if number < 0:
            return 0, 0, 0
        return self.above[number], self.own[number], self.below[number]


class PointSide:
    """The points of one side: ``points[p]`` is the number there of the matched end point p."""

    def __init__(self, components: Components, nodes: Sequence[int]) -> None:
        self.components = components
        self.points = [2 * node + side for node in nodes for side in (0, 1)]
        located = components.located
        self.compound = [located[point] for point in self.points]
        self._graph, self._steps = components.whole
        self._upwards = sorted(range(self._graph.size), key=self._steps.earliest.__getitem__)
        self._below: list[list[int]] | None = None

    def list_blocks(self) -> Iterator[tuple[int, int]]:
        """Cut the matched end points into blocks."""
        for first in range(0, len(self.points), _BITS):
            yield first, min(first + _BITS, len(self.points))

    def mask(self, first: int, end: int) -> _Masks:
        """Find where the end points of a block stand."""
        graph = self._graph
        own, above, below = ([0] * graph.size for _ in range(3))
        for place in range(first, end):
            if self.compound[place] >= 0:
                own[self.compound[place]] |= 1 << place - first
        for number in reversed(self._upwards):
            for after in graph.successors[number]:
                above[number] |= above[after] | own[after]
        for number in self._upwards:
            here = below[number] | own[number]
            if here:
                for after in graph.successors[number]:
                    below[after] |= here
        return _Masks(own, above, below)

    def list_covers(self) -> Iterator[tuple[int, int]]:
        """List the orders of compounds between which no third compound stands."""
        graph = self._graph
        for first in range(0, graph.size, _BITS):
            end = min(first + _BITS, graph.size)
            above = [0] * graph.size
            for number in reversed(self._upwards):
                further = 0
                direct = 0
                for after in graph.successors[number]:
                    further |= above[after]
                    if first <= after < end:
                        direct |= 1 << after - first
                above[number] = further | direct
                for after in {*graph.successors[number]}:
                    if first <= after < end and not further >> after - first & 1:
                        yield number, after

    def list_compounds(self) -> list[list[int]]:
        """The points of each compound, by their numbers on this side."""
        found: list[list[int]] = [[] for _ in range(self._graph.size)]
        for point, compound in enumerate(self.components.located):
            if compound >= 0:
                found[compound].append(point)
        return found


def count_orders(gold: PointSide, system: PointSide) -> Orders:
    """Count the orders of end points of different matched intervals that each side entails."""
    same = golden = systemic = opposite = 0
    for first, end in gold.list_blocks():
        masks = [side.mask(first, end) for side in (gold, system)]
        for place in range(len(gold.points)):
            own, other = (
                mask.find(side.compound[place])
                for side, mask in zip((gold, system), masks, strict=True)
            )
            if first <= place < end:
                spared = ~(3 << place // 2 * 2 - first)  # the two points of the interval itself
                own, other = (tuple(bits & spared for bits in row) for row in (own, other))
            before, equal, after = zip(own, other, strict=True)
            same += 2 * (before[0] & before[1]).bit_count() + (equal[0] & equal[1]).bit_count()
            golden += 2 * before[0].bit_count() + equal[0].bit_count()
            systemic += 2 * before[1].bit_count() + equal[1].bit_count()
            opposite += (before[0] & (after[1] | equal[1])).bit_count()
            opposite += (after[0] & before[1]).bit_count()
            opposite += (after[0] & equal[1]).bit_count()
            opposite += (equal[0] & (before[1] | after[1])).bit_count()
    return Orders(same // 2, systemic // 2, golden // 2, opposite // 2)


def share_reduced(side: PointSide, other: PointSide) -> Share:
    """Count how much of the reduced point graph of a side the other side entails.

    A covering order of two compounds counts 1: the share of its pairs of points, one of each
    compound and not both of one interval, that the other side orders so. A compound of k points
    counts k - 1, of which k less its pieces on the other side are right.
    """
    compounds = side.list_compounds()
    matched = {point: place for place, point in enumerate(side.points)}
    right = Fraction(0)
    total = 0
    for points in compounds:
        pieces = {
            other.compound[matched[point]]
            if point in matched and other.compound[matched[point]] >= 0
            else ~point - 1
            for point in points
        }
        total += len(points) - 1
        right += len(points) - len(pieces)
    covers = []
    for low, high in side.list_covers():
        ends = {point // 2 for point in compounds[high]}
        own = sum(point // 2 in ends for point in compounds[low])
        pairs = len(compounds[low]) * len(compounds[high]) - own
        if pairs:
            covers.append((low, high, pairs))
    total += len(covers)
    for first, end in side.list_blocks():
        mine, theirs = side.mask(first, end), other.mask(first, end)
        for low, high, pairs in covers:
            there = mine.own[high]
            if not there:
                continue
            found = 0
            for point in compounds[low]:
                place = matched.get(point)
                if place is not None and other.compound[place] >= 0:
                    spared = ~_shift(3, place // 2 * 2 - first)
                    found += (theirs.above[other.compound[place]] & there & spared).bit_count()
            right += Fraction(found, pairs)
    return Share(int(right) if right.denominator == 1 else float(right), total)


def count_pairs(parts: Sequence[Sequence[int]]) -> tuple[int, int, int]:
    """Count the pairs of matched nodes in one part: on both sides, and on each.

    ``parts`` has the parts of the matched nodes on the gold side, and on the system side.
    """
    counts = []
    for keys in (list(zip(*parts, strict=True)), *parts):
        sizes: dict[object, int] = {}
        for key in keys:
            sizes[key] = sizes.get(key, 0) + 1
        counts.append(sum(size * (size - 1) // 2 for size in sizes.values()))
    return counts[0], counts[1], counts[2]


def list_in_sections(components: Components) -> set[int]:
    """List the end points, by their numbers, that stand in a section of unknown order."""
    found = set()
    for number, unsettled in components.find_unsettled():
        component = components[number]
        if not isinstance(component, Consistent):
            continue
        open_steps = {
            step
            for section in unsettled.sections
            for step in range(section.first, section.last + 1)
        }
        for place, step in enumerate(component.levels):
            if step in open_steps:
                found.add(2 * component.members[place // 2] + place % 2)
    return found


def _shift(mask: int, by: int) -> int:
    return mask << by if by >= 0 else mask >> -by
