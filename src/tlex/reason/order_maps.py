"""The descents of a partial order, from its numbers of weak maps (reading R16, `descents`).

Weak maps are counted over the covers, the pairs in order with nothing between them, and a *bottom*
and a *top* around all steps. An element with one neighbour below and one above becomes a *passage*
between these two: how many ways there are to place it, by their distance. Passages side by side
are multiplied. This is done once for all n. Of what is left, an element with a single neighbour is
summed up for each step of that neighbour. Where this ends, one element is placed on each step in
turn, and the rest falls apart. Annotation is nearly a tree, so this is seldom needed twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import mul
from typing import NamedTuple, TypeAlias

from tlex.reason.descents import Descents, count_by_maps, find_descents

__all__ = ["OrderMaps", "measure_heights"]

Passage: TypeAlias = int
"""A chain of so many elements; or -1, -2, … for the 1st, 2nd, … line of a network's recipe."""

_CALL = 15
"""What it takes to begin with a list, in elements of a list."""

_ENDLESS = 10**18
_DEEPEST = 8
"""How many elements may be placed one inside the other; more would take too long anyway."""


Rows: TypeAlias = list[list[int]]
"""For some numbers of steps at once, how many ways there are for each step of an element."""

_Neighbours: TypeAlias = dict[int, dict[int, Passage]]

_Way: TypeAlias = tuple[bool, Passage]
"""To a neighbour of an element that is left: whether it stands above, and the passage to it."""


class _Plan(NamedTuple):
    """How a connected part is counted.

    ``sums`` are the elements that are summed up, each with the neighbour for which it is and the
    way there. Then only ``root`` is left, or it is placed on each step, with its neighbours
    ``near``, and the ``rest`` is counted.
    """

    sums: list[tuple[int, int, _Way]]
    root: int
    near: dict[int, _Way]
    rest: list[_Plan]


class OrderMaps:
    """A partial order, given by the covers of each element from below, in a linear extension.

    ``work`` estimates what counting takes, in elements of lists. ``depth`` is how many elements
    have to be placed on each step, one inside the other; too many make the work endless.
    """

    def __init__(self, covers: Sequence[Sequence[int]]) -> None:
        self.size = len(covers)
        self._network = _Network(covers)
        self.height = max(measure_heights(covers))
        self._missing = self.size + 1 - self.height
        self.depth = _measure_depth(self._network.plans)
        self.work = _ENDLESS
        if self.depth <= _DEEPEST:
            steps = max(self.height - 1, (self.size + 1) // 2)
            once = sum([_estimate(plan, steps) for plan in self._network.plans])
            self.work = self.size * self.size + self._missing * once // (self.depth + 2)

    def descents(self) -> Descents:
        """Count the weak maps into as many steps as decide the descents."""
        return find_descents(self._network.count(self._missing), self.size)

    def orderings(self) -> int:
        """Count the orderings with ties, which is a little quicker."""
        return count_by_maps(self._network.count(self._missing), self.size)


def measure_heights(covers: Sequence[Sequence[int]]) -> list[int]:
    """Measure the longest chain that ends with each element."""
    heights: list[int] = []
    for others in covers:
        if len(others) == 1:
            heights.append(1 + heights[others[0]])
        elif others:
            heights.append(1 + max([heights[other] for other in others]))
        else:
            heights.append(1)
    return heights


class _Network:
    """What is left of an order when passages have taken the place of elements."""

    def __init__(self, covers: Sequence[Sequence[int]]) -> None:
        bottom, top = -1, len(covers)
        followers = [0] * len(covers)
        for others in covers:
            for other in others:
                followers[other] += 1
        self._recipe: list[tuple[bool, Passage, Passage]] = []
        self._tables: list[list[int]] = []  # of the lines of the recipe
        self._chains: list[list[int]] = []  # of chains of 0, 1, 2 … elements
        self._below: _Neighbours = {bottom: {}, top: {}}
        self._above: _Neighbours = {bottom: {}, top: {}}
        starts: list[tuple[int, Passage]] = []  # what begins the passage above each element
        for element, others in enumerate(covers):
            start = starts[others[0]] if len(others) == 1 else (bottom, 0)
            if len(others) <= 1 and followers[element] <= 1:
                start = start[0], start[1] + 1
            else:
                self._below[element], self._above[element] = {}, {}
                for low, passage in [starts[other] for other in others] or [start]:
                    self._connect(low, element, passage)
                start = element, 0
            starts.append(start)
            if not followers[element]:
                self._connect(start[0], top, start[1])
        self._contract()
        below, above = self._below, self._above
        self._through = above[bottom].get(top, 0)
        near: dict[int, dict[int, _Way]] = {
            element: {} for element in below if bottom < element < top
        }
        self._around = [
            (element, below[element].get(bottom, 0), above[element].get(top, 0)) for element in near
        ]
        for element, around in near.items():
            for other, passage in below[element].items():
                if other != bottom:
                    around[other] = False, passage
                    near[other][element] = True, passage
        self.plans = _plan(near, 0)

    def count(self, most: int) -> list[int]:
        """Count the weak maps into 1, 2, … ``most`` steps."""
        self._tables, self._chains = [], [[1] * most]
        for together, one, other in self._recipe:
            row = self._tabulate(one)
            self._tables.append(
                list(map(mul, row, self._tabulate(other)))
                if together
                else self._pass([row], other)[0]
            )
        placed: dict[int, Rows] = {}
        for element, first, last in self._around:
            low, high = self._tabulate(first), self._tabulate(last)[::-1]
            if last:
                rows = [high[place:] for place in range(most - 1, -1, -1)]
                placed[element] = [list(map(mul, low, row)) for row in rows] if first else rows
            else:
                placed[element] = [low[:size] for size in range(1, most + 1)]
        counts = self._tabulate(self._through)
        for plan in self.plans:
            counts = list(map(mul, counts, self._count(plan, placed)))
        return counts

    def _count(self, plan: _Plan, placed: dict[int, Rows]) -> list[int]:
        """Count the maps of a part; ``placed`` has the rows of each element."""
        last = plan.sums[-1][0] if plan.sums and not plan.near else None
        for element, neighbour, (above, passage) in plan.sums:
            rows = placed[element]
            if above:
                ways = self._pass(rows, passage)
            else:
                ways = [way[::-1] for way in self._pass([row[::-1] for row in rows], passage)]
            beside = zip(placed[neighbour], ways, strict=True)
            if element == last:
                return [sum(map(mul, row, way)) for row, way in beside]
            placed[neighbour] = [list(map(mul, row, way)) for row, way in beside]
        return self._place(plan, placed) if plan.near else list(map(sum, placed[plan.root]))

    def _place(self, plan: _Plan, placed: dict[int, Rows]) -> list[int]:
        """Place the root of a part on each step, and count the rest."""
        totals = []
        for number, counts in enumerate(placed[plan.root]):
            size = len(counts)
            inner = {element: [rows[number]] * size for element, rows in placed.items()}
            for other, (above, passage) in plan.near.items():
                ways, row = self._tabulate(passage), placed[other][number]
                inner[other] = [
                    [0] * step + list(map(mul, row[step:], ways))
                    if above
                    else list(map(mul, row, ways[step::-1])) + [0] * (size - 1 - step)
                    for step in range(size)
                ]
            for part in plan.rest:
                counts = list(map(mul, counts, self._count(part, inner)))  # noqa: PLW2901
            totals.append(sum(counts))
        return totals

    def _connect(self, low: int, high: int, passage: Passage) -> None:
        """Add a passage between two elements."""
        if high in self._above[low]:
            passage = self._put_beside(self._above[low][high], passage)
        self._above[low][high] = self._below[high][low] = passage

    def _contract(self) -> None:
        """Turn elements with one neighbour below and one above into passages."""
        waiting = list(self._below)[2:]
        while waiting:
            element = waiting.pop()
            if element not in self._below:
                continue
            below, above = self._below[element], self._above[element]
            if len(below) != 1 or len(above) != 1:
                continue
            (low, first), (high, second) = *below.items(), *above.items()
            del self._below[element], self._above[element]
            del self._above[low][element], self._below[high][element]
            if high in self._above[low]:
                waiting += (low, high)
            self._connect(low, high, self._line_up(first, second))

    def _line_up(self, first: Passage, second: Passage) -> Passage:
        """A passage, an element and another passage."""
        if first >= 0:
            if second >= 0:
                return first + second + 1
            first, second = second, first
        self._recipe.append((False, first, second))
        return -len(self._recipe)

    def _put_beside(self, one: Passage, other: Passage) -> Passage:
        """Two passages side by side, which have elements both: there is no cover beside them."""
        self._recipe.append((True, one, other))
        return -len(self._recipe)

    def _tabulate(self, passage: Passage) -> list[int]:
        """How many ways there are for each distance, from 0."""
        if passage < 0:
            return self._tables[-1 - passage]
        chains = self._chains
        while len(chains) <= passage:
            chains.append(list(accumulate(chains[-1])))
        return chains[passage]

    def _pass(self, rows: Rows, passage: Passage) -> Rows:
        """Sum up over a passage: for each step above, the weights below it and the ways there."""
        if passage >= 0:
            for _ in range(passage + 1):
                rows = [list(accumulate(row)) for row in rows]
            return rows
        ways = self._tables[-1 - passage][::-1]
        size = len(ways)
        return [
            [sum(map(mul, row, ways[size - step :])) for step in range(1, len(row) + 1)]
            for row in rows
        ]


def _plan(near: dict[int, dict[int, _Way]], depth: int) -> list[_Plan]:
    """Plan each connected part of what is left; ``near`` is used up."""
    plans: list[_Plan] = []
    if depth > _DEEPEST:
        return plans
    seen: set[int] = set()
    for start in near:
        if start in seen:
            continue
        seen.add(start)
        part = [start]
        for element in part:
            fresh = [other for other in near[element] if other not in seen]
            seen.update(fresh)
            part += sorted(fresh)
        plans.append(_plan_part({element: near[element] for element in part}, depth))
    return plans


def _plan_part(near: dict[int, dict[int, _Way]], depth: int) -> _Plan:
    sums = []
    leaves = [element for element, others in near.items() if len(others) == 1]
    leaves.reverse()  # the lowest first, because it is quicker to sum up from below
    while leaves:
        element = leaves.pop()
        if len(near[element]) != 1:  # the last one of a tree
            continue
        ((neighbour, way),) = near.pop(element).items()
        sums.append((element, neighbour, way))
        rest = near[neighbour]
        del rest[element]
        if len(rest) == 1:
            leaves.append(neighbour)
    root = max(near, key=lambda element: len(near[element]))
    around = near.pop(root)
    for other in around:
        del near[other][root]
    return _Plan(sums, root, around, _plan(near, depth + 1))


def _measure_depth(plans: list[_Plan]) -> int:
    return max((1 + _measure_depth(plan.rest) for plan in plans if plan.near), default=0)


def _estimate(plan: _Plan, steps: int) -> int:
    """Estimate the work of counting a part once."""
    work = steps + _CALL
    for _, _, (_, passage) in plan.sums:
        times = passage + 2 if passage >= 0 else steps
        work += times * (steps + _CALL)
    if plan.near:
        inside = sum(_estimate(part, steps) for part in plan.rest)
        work += steps * (len(plan.near) * (steps + _CALL) + inside)
    return work
