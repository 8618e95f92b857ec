"""How many orderings a timeline admits, and which (reading R16).

A scenario is an ordering with ties: a sequence of blocks of compounds, each compound in a later
block than whatever precedes it. The number of scenarios is the product over the sections.

Inside a section the partial order is taken apart as far as it goes: *in series* (everything of
one piece precedes everything of the next) and *in parallel* (no relation between two pieces).
Each piece is represented by its `descents`, which are then joined. What cannot be taken apart is
counted by `order_maps` or `down_sets`. Sections of the same shape are counted once.

A count may be too much work. Then the piece is cut in two, as if everything in one part preceded
everything in the other. A stricter order has fewer scenarios, so the result is a proven lower
bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import and_, or_
from typing import TypeAlias

from tlex.points.graphs import CompoundGraph
from tlex.reason.descents import (
    Descents,
    count_beside,
    count_orderings,
    line_up,
    stand_beside,
)
from tlex.reason.down_sets import count_down_sets
from tlex.reason.order_maps import OrderMaps, measure_heights
from tlex.reason.sections import LARGE, SectionOrder

__all__ = ["WORK_LIMIT", "count_scenarios", "forget_shapes", "walk_scenarios"]

WORK_LIMIT = 10_000
"""How many elementary operations a section may take before its count becomes a bound."""

_SMALL, _SMALL_KNOT = 6, 11
"""Up to so many elements, a piece is counted over its down-sets: a tree, or one with cycles."""

_CYCLE = 60
"""What a piece takes at least for each element and each cycle of its covers, as a rule."""

_LATER = 1_000
"""The same limit for a piece of a section that has been cut, where another cut costs little."""

_NARROW = 2
"""So many times its height, a piece may be narrow enough to be counted over its down-sets."""

_LEAST = 8
"""How many elements outside the middle third a piece is also cut."""

_KEPT = 32
"""Up to so many compounds, the count of a section is kept for others of the same shape."""

_SERIES, _PARALLEL, _FORCED, _WHOLE = "series", "parallel", "forced", "whole"
"""How a piece is split. It is forced if nothing splits it and it cannot be counted as a whole."""

_PAIR = 2
_BATCH = 64
_LARGEST = 10**4000
"""A larger count is given as a lower bound, because longer numbers cannot be written as JSON."""

Shape: TypeAlias = tuple[int, ...]
"""For each compound of a section, by step, a bit for each place that precedes it."""


def count_scenarios(sections: Iterable[SectionOrder], limit: int = WORK_LIMIT) -> tuple[int, bool]:
    """Count the scenarios: the number, and whether it is exact (else it is a lower bound)."""
    count, exact = 1, True
    for section in sections:
        size = len(section.compounds)
        if size > LARGE:
            # Compounds are by step, so any of them may be a cut.
            for part in section.split():
                count *= _Section(part.below, limit).count()
            exact = False
            continue
        count_shape = _count_kept if size <= _KEPT else _count_shape
        number, whole = count_shape(section.below, limit)
        count *= number
        exact = exact and whole
    return (count, exact) if count <= _LARGEST else (_LARGEST, False)


def forget_shapes() -> None:
    """Forget the counts that are kept; benchmarks begin each round without them."""
    _count_kept.cache_clear()


def _count_shape(shape: Shape, limit: int) -> tuple[int, bool]:
    section = _Section(shape, limit)
    return section.count(), section.exact


_count_kept = lru_cache(maxsize=4096)(_count_shape)


def walk_scenarios(graph: CompoundGraph) -> Iterator[list[list[int]]]:
    """Give every scenario as blocks of compounds, one at a time; the minimum timeline first.

    A compound is free if all its predecessors are placed. Any choice of free compounds may be the
    next block. The largest choice comes first: to take all is the paper's Algorithm 2.
    """
    waiting = [0] * graph.size
    for others in graph.successors:
        for after in others:
            waiting[after] += 1
    free = [number for number, count in enumerate(waiting) if not count]
    blocks: list[list[int]] = []
    stack = [(free, (1 << len(free)) - 1)]  # the free compounds, and the choice to make next
    while stack:
        free, choice = stack[-1]
        if len(blocks) == len(stack):
            for number in blocks.pop():
                for after in graph.successors[number]:
                    waiting[after] += 1
        if not choice:
            stack.pop()
            continue
        stack[-1] = (free, choice - 1)
        block = [number for place, number in enumerate(free) if choice >> place & 1]
        remaining = [number for place, number in enumerate(free) if not choice >> place & 1]
        blocks.append(block)
        for number in block:
            for after in graph.successors[number]:
                waiting[after] -= 1
                if not waiting[after]:
                    remaining.append(after)
        if remaining:
            stack.append((sorted(remaining), (1 << len(remaining)) - 1))
        else:
            yield [list(block) for block in blocks]


class _Part:
    """Elements of a section, how they are split, and what was found out about them.

    ``chains`` are the sizes of further pieces, of one element or of two in a row. The orderings of
    an ``outer`` part multiply the count. So their number is enough, in place of its descents.
    """

    __slots__ = ("chains", "descents", "inner", "inside", "joint", "outer", "size")

    def __init__(self, inside: int, joint: str, *, outer: bool) -> None:
        self.inside = inside
        self.size = inside.bit_count()
        self.joint = joint  # first how it was split off, which cannot be done again
        self.outer = outer
        self.chains: list[int] = []
        self.inner: list[_Part] = []
        self.descents: Descents = []


class _Section:
    """One section, taken apart by ``count()``. ``exact`` says whether nothing was cut.

    Elements are numbered by step. A set of elements is an integer with a bit for each. Pieces of a
    section have all that is between their elements, so their covers are the same.
    """

    def __init__(self, below: Shape, limit: int) -> None:
        self.below = below
        self.left = limit
        self.exact = True
        self._covers: list[list[int]] = []
        self._above: list[int] = []

    def count(self) -> int:
        """Take the section apart from the top, then put the parts together from the leaves."""
        parts = [_Part((1 << len(self.below)) - 1, _FORCED, outer=True)]
        for part in parts:  # it grows
            inner = self._take_apart(part)
            if part.joint == _WHOLE:
                elements = _list(part.inside)
                part.descents = self._count(elements, outer=part.outer)
                if part.descents:
                    continue
                self.exact = False
                part.joint, inner = _FORCED, self._cut_anyway(elements)
            outer = part.outer and part.joint != _PARALLEL
            part.inner = [_Part(inside, part.joint, outer=outer) for inside in inner]
            parts += part.inner
        for part in reversed(parts):
            if part.joint == _PARALLEL:
                part.descents = self._join(part)
            elif part.joint != _WHOLE:
                part.descents = line_up([piece.descents for piece in part.inner])
        return count_orderings(parts[0].descents)

    def _take_apart(self, part: _Part) -> list[int]:
        """Split a part in parallel, or else in series; give the pieces of two elements or more."""
        below, inside = self.below, part.inside
        while inside:
            last = inside.bit_length() - 1
            rest = inside ^ 1 << last
            if rest & ~below[last]:
                break
            inside = rest  # the last one is in series with the others
        part.inside = rest = common = inside
        pieces: list[int] = []  # so far, each with all that is connected to it from below
        seen = 0
        while rest:
            last = rest.bit_length() - 1
            piece = below[last] & inside
            common &= piece
            piece |= 1 << last
            rest &= ~piece
            if piece & seen:
                for other in pieces:
                    if piece & other:
                        piece |= other
                pieces = [other for other in pieces if not piece & other]
            seen |= piece
            pieces.append(piece)
        if len(pieces) > 1:
            part.joint = _PARALLEL
            sizes = list(map(int.bit_count, pieces))
            part.chains = [size for size in sizes if size <= _PAIR]
            return [piece for piece, size in zip(pieces, sizes, strict=True) if size > _PAIR]
        if not inside:
            part.joint = _SERIES
            return []
        if common and part.joint != _SERIES:
            inner = self._cut(_list(inside))
            if inner != [inside]:
                part.joint = _SERIES
                return inner
        part.joint = _WHOLE
        return []

    def _cut(self, elements: list[int]) -> list[int]:
        """Split in series, at each place where all elements above follow all below."""
        common = list(accumulate([self.below[element] for element in reversed(elements)], and_))
        done = list(accumulate([1 << element for element in elements], or_))
        cuts = [
            lower
            for lower, least in zip(done, common[-2::-1], strict=False)
            if lower & least == lower
        ]
        pieces = [upper ^ lower for lower, upper in pairwise((0, *cuts, done[-1]))]
        return [piece for piece in pieces if piece & (piece - 1)]

    def _cut_anyway(self, elements: list[int]) -> list[int]:
        """Cut in two where few pairs are unordered that the cut would order.

        The elements are cut in the order of their likely places, which follow from how many
        elements precede and follow each of them. A large piece is cut near its middle third, so
        that a few cuts are enough.
        """
        inside = sum([1 << element for element in elements])
        below, above = self.below, self._find_above()
        lower = [(below[element] & inside).bit_count() for element in elements]
        upper = [(above[element] & inside).bit_count() for element in elements]
        likely = [(low + 1) / (low + high + 2) for low, high in zip(lower, upper, strict=True)]
        order = sorted(range(len(elements)), key=likely.__getitem__)
        # How many pairs in order a cut at each place divides.
        divided = list(accumulate([upper[place] - lower[place] for place in order]))
        size = len(elements)
        first = 1 + max(0, size // 3 - _LEAST)
        losses = [
            (place * (size - place) - divided[place - 1]) / min(place, size - place)
            for place in range(first, size + 1 - first)
        ]
        cut = first + losses.index(min(losses))
        piece = sum([1 << elements[place] for place in order[:cut]])
        return [piece for piece in (piece, inside ^ piece) if piece & (piece - 1)]

    def _find_above(self) -> list[int]:
        """What follows each element."""
        if not self._above:
            above = self._above = [0] * len(self.below)
            for element, covers in reversed(list(enumerate(self._find_covers()))):
                upper = above[element] | 1 << element
                for other in covers:
                    above[other] |= upper
        return self._above

    def _find_covers(self) -> list[list[int]]:
        """Find the covers of each element from below: its predecessors with nothing between."""
        if not self._covers:
            others: list[int] = []  # for each element, all that neither is it nor precedes it
            for place, rest in enumerate(self.below):
                others.append(~(rest | 1 << place))
                covers: list[int] = []
                while rest:
                    one = rest.bit_length() - 1
                    covers.append(one)
                    rest &= others[one]  # noqa: PLW2901
                self._covers.append(covers)
        return self._covers

    def _count(self, elements: list[int], *, outer: bool) -> Descents:
        """Count a piece that cannot be taken apart; empty if that is more work than is left."""
        size = len(elements)
        if size**2 > self.left:
            return []
        covers = self._find_covers()
        if size < len(covers):
            place = {element: position for position, element in enumerate(elements)}
            covers = [
                [place[one] for one in covers[element] if one in place] for element in elements
            ]
        cycles = sum(map(len, covers)) + 1 - size
        if size <= (_SMALL_KNOT if cycles else _SMALL):
            return self._count_down_sets(covers, self.left)
        limit = self.left if self.exact or not cycles else min(self.left, _LATER)
        if size * (size + _CYCLE * cycles) > limit:
            narrow = size <= _NARROW * max(measure_heights(covers))
            return self._count_down_sets(covers, self.left // 3) if narrow else []
        maps = OrderMaps(covers)
        if maps.depth > 1:
            descents = self._count_down_sets(covers, min(self.left // 3, maps.work))
            if descents:
                return descents
        if maps.work > self.left:
            return []
        self.left -= maps.work
        return [maps.orderings()] if outer else maps.descents()

    def _count_down_sets(self, covers: list[list[int]], limit: int) -> Descents:
        descents, work = count_down_sets(covers, limit)
        self.left -= work
        return descents

    def _join(self, part: _Part) -> Descents:
        """Join pieces in parallel; if that is too much work, some of them in series."""
        pieces = [(piece.size, tuple(piece.descents)) for piece in part.inner]
        pieces += [(size, (1,)) for size in part.chains]
        size = part.inside.bit_count()
        self.left -= size * size // 4
        if self.left > 0:
            return [count_beside(pieces)] if part.outer else stand_beside(pieces)
        self.exact = False
        batches = []
        while pieces:
            batch, size = [pieces[0]], pieces[0][0]
            while len(batch) < len(pieces) and size + pieces[len(batch)][0] <= _BATCH:
                size += pieces[len(batch)][0]
                batch.append(pieces[len(batch)])
            whole = stand_beside(batch) if len(batch) > 1 else list(batch[0][1])
            most = max(range(len(whole)), key=lambda number: whole[number] << number)
            batches.append([0] * most + [whole[most]])
            pieces = pieces[len(batch) :]
        return line_up(batches)


def _list(inside: int) -> list[int]:
    """The elements of a set, ascending."""
    return [element for element, bit in enumerate(f"{inside:b}"[::-1]) if bit == "1"]
