"""Measures over points and parts: how much of one timeline the other one has.

All of them count with bits: a set of matched end points is an integer, a few thousand points at a
time, so that the work is a few passes over both graphs and memory stays linear.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from tlex.comparison.records import Orders, Share
from tlex.components import Components
from tlex.points.graphs import Consistent

__all__ = ["PointSide", "count_orders", "count_pairs", "list_in_sections", "share_reduced"]

_BITS = 2048
"""How many end points are looked for at once: a bit each."""


class PointSide:
    """The points of one side: ``points[p]`` is the number there of the matched end point p."""

    def __init__(self, components: Components, nodes: Sequence[int]) -> None:
        self.components = components
        self.points = [2 * node + side for node in nodes for side in (0, 1)]
        located = components.located
        self.compound = [located[point] for point in self.points]
        self._graph, self._steps = components.whole
        self._upwards = sorted(range(self._graph.size), key=self._steps.earliest.__getitem__)

    def list_blocks(self) -> Iterator[tuple[int, int]]:
        """Cut the matched end points into blocks."""
        for first in range(0, len(self.points), _BITS):
            yield first, min(first + _BITS, len(self.points))

    def mask(self, first: int, end: int) -> list[int]:
        """Find the end points of a block that stand in each compound, as bits.

        The last one is for the compound -1, which is that of all lone intervals: it has none.
        """
        own = [0] * (self._graph.size + 1)
        for place, number in enumerate(self.compound[first:end]):
            if number >= 0:
                own[number] |= 1 << place
        return own

    def mask_above(self, own: Sequence[int]) -> list[int]:
        """Find those after each compound; ``own`` are those in it."""
        successors = self._graph.successors
        above = [0] * len(own)
        for number in reversed(self._upwards):
            there = 0
            for after in successors[number]:
                there |= above[after] | own[after]
            above[number] = there
        return above

    def mask_below(self, own: Sequence[int]) -> list[int]:
        """Find those before each compound; ``own`` are those in it."""
        successors = self._graph.successors
        below = [0] * len(own)
        for number in self._upwards:
            here = below[number] | own[number]
            if here:
                for after in successors[number]:
                    below[after] |= here
        return below

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
    """Count the orders of end points of different matched intervals that each side entails.

    Each of two ordered end points meets the other one, so ``<`` is counted at the earlier one, and
    ``=`` at both.
    """
    same = golden = systemic = opposite = 0  # each pair that is equal on both sides counts twice
    for first, end in gold.list_blocks():
        own, others = gold.mask(first, end), system.mask(first, end)
        above, below = gold.mask_above(own), system.mask_below(others)
        others_above = system.mask_above(others)
        compounds = zip(gold.compound, system.compound, strict=True)
        for place, (number, other) in enumerate(compounds):
            equal, later = own[number], above[number]
            others_equal, others_later = others[other], others_above[other]
            earlier = below[other]
            if first <= place < end:
                spared = ~(3 << place // 2 * 2 - first)  # the two points of the interval itself
                equal, later, earlier = equal & spared, later & spared, earlier & spared
                others_equal, others_later = others_equal & spared, others_later & spared
            golden += 2 * later.bit_count() + equal.bit_count()
            systemic += 2 * others_later.bit_count() + others_equal.bit_count()
            same += 2 * (later & others_later).bit_count() + (equal & others_equal).bit_count()
            opposite += (later & (earlier | others_equal)).bit_count()
            opposite += (equal & others_later).bit_count()
    return Orders(same // 2, systemic // 2, golden // 2, opposite)


def share_reduced(side: PointSide, other: PointSide) -> Share:
    """Count how much of the reduced point graph of a side the other side entails.

    A covering order of two compounds counts 1: the share of its pairs of points, one of each
    compound and not both of one interval, that the other side orders so. A compound of k points
    counts k - 1, of which k less its pieces on the other side are right.
    """
    compounds = side.list_compounds()
    matched = {point: place for place, point in enumerate(side.points)}
    right = total = 0
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
    shared: Counter[int] = Counter()  # right pairs, by the number of pairs of their covers
    for first, end in side.list_blocks():
        mine, above = side.mask(first, end), other.mask_above(other.mask(first, end))
        for low, high, pairs in covers:
            there = mine[high]
            if not there:
                continue
            found = 0
            for point in compounds[low]:
                place = matched.get(point)
                if place is not None:
                    spared = ~_shift(3, place // 2 * 2 - first)
                    found += (above[other.compound[place]] & there & spared).bit_count()
            shared[pairs] += found
    correct = right + sum(Fraction(found, pairs) for pairs, found in shared.items())
    return Share(int(correct) if correct.denominator == 1 else float(correct), total)


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
