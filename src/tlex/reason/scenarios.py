"""How many orderings a timeline admits, and which (reading R16).

A scenario is an ordering with ties: a sequence of blocks of compounds, each compound in a later
block than whatever precedes it. The number of scenarios is the product over the sections.

Inside a section the partial order is taken apart as far as it goes: *in series* (everything of
one piece precedes everything of the next) and *in parallel* (no relation between two pieces).
Each piece is represented by its profile: how many scenarios it has with exactly 1, 2, 3 … blocks.
In series, profiles are convolved. In parallel, the numbers of strict order-preserving maps into n
steps, sum_k profile[k] * binomial(n, k), are multiplied, and the profile of the whole is read off
by differences. What cannot be taken apart is counted by `order_maps` or `down_sets`. Sections of
the same shape are counted once.

A count may be too much work. Then the piece is cut at a step, as if everything below preceded
everything above. A stricter order has fewer scenarios, so the result is a proven lower bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise, repeat
from operator import and_, mul, or_, sub
from typing import TypeAlias

from tlex.points.graphs import CompoundGraph
from tlex.reason.down_sets import count_down_sets
from tlex.reason.order_maps import OrderMaps
from tlex.reason.sections import LARGE, SectionOrder

__all__ = ["WORK_LIMIT", "count_scenarios", "forget_shapes", "walk_scenarios"]

WORK_LIMIT = 10_000
"""How many elementary operations a section may take before its count becomes a bound."""

_SMALL = 8
"""Up to so many elements, a piece is counted over its down-sets at once."""

_KEPT = 32
"""Up to so many compounds, the count of a section is kept for others of the same shape."""

_SERIES, _PARALLEL, _STRETCH = "series", "parallel", "stretch"
"""How a piece was split off. A stretch is what is between two steps where nothing splits it off."""

_PAIR = 2
_BATCH = 64
_LARGEST = 10**4000
"""A larger count is given as a lower bound, because longer numbers cannot be written as JSON."""

Profile: TypeAlias = list[int]
Shape: TypeAlias = tuple[int, ...]
"""For each compound of a section, by step, a bit for each place that precedes it."""

Kinds: TypeAlias = tuple[tuple[tuple[int, ...], int], ...]
"""Profiles of pieces, and how many pieces have each."""


def count_scenarios(sections: Iterable[SectionOrder], limit: int = WORK_LIMIT) -> tuple[int, bool]:
    """Count the scenarios: the number, and whether it is exact (else it is a lower bound)."""
    count, exact = 1, True
    for section in sections:
        size = len(section.compounds)
        if size > LARGE:
            # Compounds are by step, so any of them may be a cut.
            for part in section.split():
                count *= sum(_Section(tuple(part.below), limit).profile())
            exact = False
            continue
        number, whole = (_count_kept if size <= _KEPT else _count_shape)(
            tuple(section.below), limit
        )
        count *= number
        exact = exact and whole
    return (count, exact) if count <= _LARGEST else (_LARGEST, False)


def forget_shapes() -> None:
    """Forget the counts that are kept; benchmarks begin each round without them."""
    _count_kept.cache_clear()
    _merge_kept.cache_clear()


def _count_shape(shape: Shape, limit: int) -> tuple[int, bool]:
    section = _Section(shape, limit)
    return sum(section.profile()), section.exact


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


class _Section:
    """One section, taken apart by ``profile()``. ``exact`` says whether nothing was cut.

    Elements are numbered by step. A set of elements is an integer with a bit for each. ``covers``
    are those of each element from below: its predecessors with nothing between. Pieces of a section
    have all that is between their elements, so their covers are the same.
    """

    def __init__(self, below: Shape, limit: int) -> None:
        self.below = below
        self.covers: list[list[int]] = []
        self.near = list(below)  # to some elements in order with it, so that these are connected
        for element, rest in enumerate(below):
            covers: list[int] = []
            bit = 1 << element
            while rest:
                one = rest.bit_length() - 1
                covers.append(one)
                self.near[one] |= bit
                rest &= ~(below[one] | 1 << one)  # noqa: PLW2901
            self.covers.append(covers[::-1])
        self.left = limit
        self.exact = True

    @cached_property
    def level(self) -> list[int]:
        """The step of each element, from 0."""
        level: list[int] = []
        for covers in self.covers:
            level.append(1 + max([level[one] for one in covers], default=-1))
        return level

    def profile(self) -> Profile:
        """Take the section apart from the top, then put the profiles together from the leaves."""
        parts = [(list(range(len(self.below))), _STRETCH)]
        joined: list[tuple[int, str, slice]] = []  # a piece, how it is split, and its parts
        profiles: list[Profile] = []
        for elements, origin in parts:  # it grows
            size = len(elements)
            joint, inner = self._take_apart(elements, origin)
            profile = []
            if joint == _SERIES and len(inner) == size:
                profile = [0] * size + [1]
            elif len(inner) == 1:
                profile = self._count(elements)
                if not profile:
                    self.exact = False
                    joint, inner = _STRETCH, self._halve(elements)
            if not profile:
                joined.append((len(profiles), joint, slice(len(parts), len(parts) + len(inner))))
                parts += [(part, joint) for part in inner]
            profiles.append(profile)
        for number, joint, children in reversed(joined):
            profiles[number] = self._join(joint, profiles[children])
        return profiles[0]

    def _take_apart(self, elements: list[int], origin: str) -> tuple[str, list[list[int]]]:
        """Split in series, or else in parallel; one part if neither can be done.

        ``origin`` is how the piece was split off, which cannot be done again.
        """
        size = len(elements)
        if size == 1 or (size == _PAIR and origin == _PARALLEL):
            return _SERIES, [[element] for element in elements]
        if origin != _SERIES:
            parts = self._cut(elements)
            if len(parts) > 1:
                return _SERIES, parts
        return _PARALLEL, [elements] if origin == _PARALLEL else self._separate(elements)

    def _cut(self, elements: list[int]) -> list[list[int]]:
        """Split in series, at each place where all elements above follow all below."""
        under = [self.below[element] for element in elements]
        common = list(accumulate(reversed(under), and_))  # what precedes all from a place on
        done = accumulate([1 << element for element in elements], or_)
        cuts = [
            place
            for place, (lower, least) in enumerate(zip(done, common[-2::-1], strict=False), 1)
            if lower & least == lower
        ]
        return [elements[one:end] for one, end in pairwise((0, *cuts, len(elements)))]

    def _separate(self, elements: list[int]) -> list[list[int]]:
        """Split into pieces that no relation connects."""
        inside = sum([1 << element for element in elements])
        parts = []
        while inside:
            found, part = inside & -inside, []
            while found:
                element = found.bit_length() - 1
                part.append(element)
                inside &= ~(1 << element)
                found = (found | self.near[element]) & inside
            parts.append(sorted(part))
        return parts

    def _halve(self, elements: list[int]) -> list[list[int]]:
        """Cut at the step that is nearest to the middle."""
        middle = len(elements) / 2
        steps = [self.level[element] for element in elements]
        cuts = [place for place in range(1, len(steps)) if steps[place - 1] < steps[place]]
        place = min(cuts, key=lambda cut: abs(cut - middle))
        return [elements[:place], elements[place:]]

    def _count(self, elements: list[int]) -> Profile:
        """Count a piece that cannot be taken apart; empty if that is more work than is left."""
        if len(elements) ** 2 > self.left:
            return []
        place = {element: position for position, element in enumerate(elements)}
        covers = [
            [place[one] for one in self.covers[element] if one in place] for element in elements
        ]
        if len(elements) <= _SMALL:
            profile, work = count_down_sets(covers, self.left)
            self.left -= work
            return profile
        maps = OrderMaps(covers)
        profile = []
        if maps.depth > 1:
            profile, work = count_down_sets(covers, min(self.left // 3, maps.work))
            self.left -= work
        if not profile and maps.work <= self.left:
            profile = maps.profile()
            self.left -= maps.work
        return profile

    def _join(self, joint: str, profiles: list[Profile]) -> Profile:
        if joint != _PARALLEL:
            return _line_up(profiles)
        longest = sum(len(profile) - 1 for profile in profiles)
        self.left -= longest * longest // 4
        if self.left > 0:
            return _interleave(profiles, longest)
        self.exact = False
        # A lower bound: batches of pieces in series, each with its most frequent number of blocks.
        blocks, count = 0, 1
        while profiles:
            batch, longest = [profiles[0]], len(profiles[0]) - 1
            while len(batch) < len(profiles) and longest + len(profiles[len(batch)]) <= _BATCH:
                longest += len(profiles[len(batch)]) - 1
                batch.append(profiles[len(batch)])
            whole = _interleave(batch, longest) if len(batch) > 1 else batch[0]
            most = max(range(len(whole)), key=whole.__getitem__)
            blocks, count = blocks + most, count * whole[most]
            profiles = profiles[len(batch) :]
        return [0] * blocks + [count]


def _line_up(profiles: list[Profile]) -> Profile:
    """The profile of pieces in series."""
    whole, shift = [1], 0
    for profile in profiles:
        first = next(blocks for blocks, count in enumerate(profile) if count)
        shift += first
        if profile[first:] != [1]:
            whole = _append(whole, profile[first:])
    return [0] * shift + whole


def _append(one: Profile, other: Profile) -> Profile:
    """The profile of two pieces in series."""
    whole = [0] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        if a:
            for j, b in enumerate(other):
                whole[i + j] += a * b
    return whole


def _interleave(profiles: list[Profile], longest: int) -> Profile:
    """The profile of pieces in parallel, of at most ``longest`` blocks."""
    kinds = tuple(Counter(map(tuple, profiles)).items())
    return list((_merge_kept if longest <= _KEPT else _merge)(kinds, longest))


def _merge(kinds: Kinds, longest: int) -> tuple[int, ...]:
    maps = [1] * (longest + 1)
    for profile, times in kinds:
        values = _evaluate(profile, longest)
        maps = list(map(mul, maps, values if times == 1 else map(pow, values, repeat(times))))
    whole = []
    while maps:
        whole.append(maps[0])
        maps = list(map(sub, maps[1:], maps))
    return tuple(whole)


_merge_kept = lru_cache(maxsize=1024)(_merge)


def _evaluate(profile: Sequence[int], longest: int) -> list[int]:
    """How many strict maps a piece has into 0, 1, … ``longest`` steps: Newton's sum, by columns."""
    values = [profile[-1]] * (longest + 1)
    for count in profile[-2::-1]:
        values = list(accumulate(values[:longest], initial=count))
    return values
