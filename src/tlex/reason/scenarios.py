"""How many orderings a timeline admits, and which (reading R16).

A scenario is an ordering with ties: a sequence of blocks of compounds, each compound in a later
block than whatever precedes it. The number of scenarios is the product over the sections.

Inside a section the partial order is taken apart as far as it goes: *in series* (everything of
one piece precedes everything of the next) and *in parallel* (no relation between two pieces).
Each piece is represented by its profile: how many scenarios it has with exactly 1, 2, 3 … blocks.
In series, profiles are convolved. In parallel, the numbers of strict order-preserving maps into n
steps, sum_k profile[k] * binomial(n, k), are multiplied, and the profile of the whole is read off
by differences. What cannot be taken apart is counted over its down-sets.

That count may be too much work. Then the piece is cut at a step, as if everything below preceded
everything above. A stricter order has fewer scenarios, so the result is a proven lower bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import comb, prod

from tlex.points.graphs import CompoundGraph, Steps

__all__ = ["WORK_LIMIT", "count_scenarios", "walk_scenarios"]

WORK_LIMIT = 50_000
"""How many elementary operations a section may take before its count becomes a bound."""

_BATCH = 64
_LARGEST = 10**4000
"""A larger count is given as a lower bound, because longer numbers cannot be written as JSON."""

Profile = list[int]


def count_scenarios(
    graph: CompoundGraph, steps: Steps, runs: list[tuple[int, int]], limit: int = WORK_LIMIT
) -> tuple[int, bool]:
    """Count the scenarios: the number, and whether it is exact (else it is a lower bound)."""
    counts = []
    exact = True
    levels: dict[int, list[int]] = {}
    for number, step in enumerate(steps.earliest):
        levels.setdefault(step, []).append(number)
    for first, last in runs:
        inside = [number for step in range(first, last + 1) for number in levels[step]]
        section = _Section(graph, inside, limit)
        counts.append(sum(section.profile()))
        exact = exact and section.exact
    count = prod(counts)
    return (count, exact) if count <= _LARGEST else (_LARGEST, False)


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


@dataclass(slots=True)
class _Piece:
    """A node of the decomposition: its elements, or how its children are put together."""

    elements: list[int]
    joint: str = ""
    children: list[int] = field(default_factory=list)
    profile: Profile = field(default_factory=list)


class _Section:
    """One section, taken apart by ``profile()``. ``exact`` says whether nothing was cut."""

    def __init__(self, graph: CompoundGraph, inside: list[int], limit: int) -> None:
        place = {number: position for position, number in enumerate(inside)}
        self.after = [
            sorted({place[other] for other in graph.successors[number] if other in place})
            for number in inside
        ]
        self.before: list[list[int]] = [[] for _ in inside]
        for one, others in enumerate(self.after):
            for other in others:
                self.before[other].append(one)
        self.left = limit
        self.exact = True

    def profile(self) -> Profile:
        """Take the section apart from the top, then put the profiles together from the leaves."""
        pieces = [_Piece(list(range(len(self.after))))]
        for piece in pieces:
            if len(piece.elements) == 1:
                piece.profile = [0, 1]
                continue
            joint, parts = "series", self._cut(piece.elements)
            if len(parts) == 1:
                joint, parts = "parallel", self._separate(piece.elements)
            if len(parts) == 1:
                piece.profile = self._count(piece.elements)
                if piece.profile:
                    continue
                self.exact = False
                joint, parts = "series", self._halve(piece.elements)
            piece.joint = joint
            piece.children = list(range(len(pieces), len(pieces) + len(parts)))
            pieces.extend(_Piece(part) for part in parts)
        for piece in reversed(pieces):
            if piece.children:
                profiles = [pieces[child].profile for child in piece.children]
                piece.profile = self._join(piece.joint, profiles)
        return pieces[0].profile

    def _levels(self, elements: list[int]) -> dict[int, int]:
        """Each element's step within a piece. The elements are sorted by step in the section."""
        level = dict.fromkeys(elements, 1)
        for one in elements:
            for other in self.after[one]:
                if other in level and level[other] <= level[one]:
                    level[other] = level[one] + 1
        return level

    def _cut(self, elements: list[int]) -> list[list[int]]:
        """Split in series where all maximal elements below precede all minimal ones above."""
        level = self._levels(elements)
        rows: dict[int, list[int]] = {}
        for element in elements:
            rows.setdefault(level[element], []).append(element)
        parts: list[list[int]] = [[]]
        maximal: set[int] = set()
        for step in range(1, len(rows) + 1):
            row = rows[step]
            if maximal and all(maximal.issubset(self.before[element]) for element in row):
                parts.append([])
            parts[-1].extend(row)
            maximal.difference_update(*(self.before[element] for element in row))
            maximal.update(row)
        return [sorted(part) for part in parts]

    def _separate(self, elements: list[int]) -> list[list[int]]:
        """Split into pieces that no relation connects."""
        inside = set(elements)
        parts = []
        for start in elements:
            if start not in inside:
                continue
            inside.discard(start)
            part = [start]
            for one in part:
                for other in (*self.after[one], *self.before[one]):
                    if other in inside:
                        inside.discard(other)
                        part.append(other)
            parts.append(sorted(part))
        return parts

    def _halve(self, elements: list[int]) -> list[list[int]]:
        """Cut at the middle step, or below the last one."""
        level = self._levels(elements)
        middle = max(1, max(level.values()) // 2)
        low = [element for element in elements if level[element] <= middle]
        high = [element for element in elements if level[element] > middle]
        return [low, high]

    def _count(self, elements: list[int]) -> Profile:
        """Count over down-sets; empty if that takes more than half of the work that is left.

        Profiles are packed into one integer each, ``width`` bits for a number of blocks: adding
        them is one addition and one more block is a shift.
        """
        size = len(elements)
        place = {element: position for position, element in enumerate(elements)}
        needs = [
            sum(1 << place[one] for one in self.before[element] if one in place)
            for element in elements
        ]
        width = size * size.bit_length() + size + 1
        allowance = self.left // 2
        work = 0
        by_size: list[dict[int, int]] = [{} for _ in range(size + 1)]
        by_size[0][0] = 1
        for grown in range(size):
            for done, packed in by_size[grown].items():
                free = [
                    1 << position
                    for position in range(size)
                    if not done >> position & 1 and needs[position] & ~done == 0
                ]
                work += size + (1 << len(free))
                if work > allowance:
                    self.left -= allowance
                    return []
                shifted = packed << width
                choices = [0]
                for bit in free:
                    choices += [choice | bit for choice in choices]
                for choice in choices[1:]:
                    table = by_size[grown + choice.bit_count()]
                    table[done | choice] = table.get(done | choice, 0) + shifted
            by_size[grown] = {}
        self.left -= work
        packed = by_size[size][(1 << size) - 1]
        mask = (1 << width) - 1
        return [packed >> blocks * width & mask for blocks in range(size + 1)]

    def _join(self, joint: str, profiles: list[Profile]) -> Profile:
        if joint == "series":
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
    kinds: dict[tuple[int, ...], int] = {}
    for profile in profiles:
        key = tuple(profile)
        kinds[key] = kinds.get(key, 0) + 1
    maps = [
        prod(
            sum(count * comb(steps, blocks) for blocks, count in enumerate(profile) if count)
            ** times
            for profile, times in kinds.items()
        )
        for steps in range(longest + 1)
    ]
    whole = []
    while maps:
        whole.append(maps[0])
        maps = [right - left for left, right in pairwise(maps)]
    return whole
