"""Shortest contradictory closed walks (§3.4).

A closed walk along constraints is contradictory if it has at least one ``<``. Its length is the
number of its steps that need a link. Of walks of the same length the one that changes least often
from compound to compound is taken, so that the paper's three kinds of cycles come out: inside one
compound, between two, between more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from math import inf
from typing import TypeAlias

from tlex.caching import cached_property
from tlex.conflicts.work import Work
from tlex.points.graphs import OWN, PointConstraint
from tlex.points.union_find import join_pairs
from tlex.points.walks import WalkStep

__all__ = ["ClosedWalks"]

_SHIFT = 40
_LINK = 1 << _SHIFT
"""What a step with a link costs; a change of compound costs 1. No walk has so many changes."""

_ROOM = 1 << 26
"""How many bits the distances of a graph may take. A larger graph is searched without them."""

_WORD = 512
"""So many bits are joined in the time that it takes to look at one constraint."""

_Neighbours: TypeAlias = dict[int, dict[tuple[int, bool], int]]
"""For each point: the next one, whether the step is strict, and its link."""

_Ways: TypeAlias = dict[int, list[tuple[int, bool, int, int]]]
"""For each point: twice the next one, whether the step is strict, its link and its cost."""


class ClosedWalks:
    """Some constraints, ready to be searched for contradictory closed walks.

    ``compound`` gives each point's compound. Of several equal constraints the walks use the first,
    and an interval's own before all others. For ``many`` searches the distances are found first.

    Constraints that do not contradict each other may have ``levels``: for each point a number that
    never falls along them, such as its step. Walks that have some more constraints are then looked
    for only up to the levels where these begin.
    """

    def __init__(
        self,
        steps: Iterable[WalkStep],
        compound: Sequence[int] | Mapping[int, int],
        *,
        many: bool = False,
        levels: Sequence[int] | None = None,
    ) -> None:
        self._compound = compound
        self._many = many
        self._levels = levels
        self._highest: int | None = None
        self._neighbours: _Neighbours = {}
        _join(self._neighbours, steps)

    def extend(self, steps: Iterable[WalkStep]) -> ClosedWalks:
        """Give walks with some more constraints. What is known of the rest is taken over."""
        further = list(steps)
        more = ClosedWalks((), self._compound)
        around: _Neighbours = {
            end: dict(self._neighbours.get(end, ()))
            for step in further
            for end in (step[0], step[2])
        }
        _join(around, further)
        more._neighbours = self._neighbours | around
        more._ways = self._ways | more._list_ways(around)
        if self._levels is not None:
            begins = {
                end for one, less, other, _ in further for end in (one, one if less else other)
            }
            more._levels = self._levels
            more._highest = max(self._levels[point] for point in begins)
        return more

    @cached_property
    def _ways(self) -> _Ways:
        return self._list_ways(self._neighbours)

    def _list_ways(self, neighbours: _Neighbours) -> _Ways:
        compound = self._compound
        return {
            point: [
                (
                    2 * after,
                    less,
                    link,
                    (compound[after] != compound[point]) + (0 if link == OWN else _LINK),
                )
                for (after, less), link in around.items()
            ]
            for point, around in neighbours.items()
        }

    @cached_property
    def _distances(self) -> _Distances | None:
        return _Distances(self._ways) if self._many else None

    def get_link(self, constraint: PointConstraint) -> int | None:
        """The link whose constraint stands for all that are equal to this one."""
        left, strict, right = constraint
        return self._neighbours.get(left, {}).get((right, strict))

    def find(self, link: int, constraints: Iterable[PointConstraint], work: Work) -> list[WalkStep]:
        """Find a shortest contradictory closed walk through one of the constraints of a link.

        It begins with a step of that link. Empty if there is none, or if the limit of work is
        reached.
        """
        best: list[WalkStep] = []
        least = inf
        for left, strict, right in constraints:
            for start, first in ((left, right),) if strict else ((left, right), (right, left)):
                if not work.is_over():
                    cost, walk = self._close((start, strict, first, link), least, work)
                    if walk:
                        best, least = walk, cost
        return [] if work.is_over() else best

    def group_chains(self) -> dict[PointConstraint, int]:
        """Group the constraints: a closed walk with one ``<`` of a group has the whole group.

        A point that one ``<`` leads to and one ``<`` leaves, with nothing else, joins these two.
        Gives the number of each constraint's group.
        """
        steps = [
            (left, strict, right)
            for left, around in self._neighbours.items()
            for right, strict in around
        ]
        into: dict[int, list[int]] = {}
        out: dict[int, list[int]] = {}
        for number, (left, _, right) in enumerate(steps):
            out.setdefault(left, []).append(number)
            into.setdefault(right, []).append(number)
        joined = [
            (into[point][0], out[point][0])
            for point in out
            if len(out[point]) == len(into.get(point, ())) == 1 and steps[out[point][0]][1]
        ]
        group = join_pairs(len(steps), [one for one, _ in joined], [other for _, other in joined])
        for number, parent in enumerate(group):
            group[number] = group[parent]
        return dict(zip(steps, group, strict=True))

    def _close(self, step: WalkStep, limit: float, work: Work) -> tuple[int, list[WalkStep]]:
        """Close a walk that begins with a step, for less than a limit: Dijkstra's algorithm.

        Returns its cost and its steps; no steps if there is no such walk. A state of the search is
        a point, and whether a ``<`` has been met: twice the point, and 1 if so. If distances are
        known, states are left out that are on no walk with the fewest links. These never decide
        which walk is found.
        """
        start, strict, first, _ = step
        compound, ways = self._compound, self._ways
        origin, goal = 2 * first + strict, 2 * start + 1
        within, bit = self._distances.find(origin, goal, work) if self._distances else ([], 0)
        fewest = len(within)
        cost = _LINK + (compound[start] != compound[first])
        best = {origin: cost}
        came: dict[int, tuple[int, bool, int]] = {}
        levels, highest = self._levels or (), self._highest
        queue = [(cost, origin)]
        most = inf  # the cost of a walk that was found; a state that costs as much is no use
        looked, room = 0, inf if work.limit is None else work.limit - work.spent
        while queue and looked <= room:
            cost, state = heappop(queue)
            if state == goal or cost >= limit:
                break
            if best[state] < cost:
                continue
            point, met = state >> 1, state & 1
            if highest is not None and levels[point] > highest:  # no walk leads down from there
                continue
            around = ways.get(point, ())
            looked += len(around)
            for after, less, number, price in around:
                total = cost + price
                following = after | met | less
                if bit:
                    left = fewest - (total >> _SHIFT)
                    if left < 0 or not within[left][following] & bit:
                        continue
                if total < most and total < best.get(following, inf):
                    best[following] = total
                    came[following] = state, less, number
                    heappush(queue, (total, following))
                    if following == goal:
                        most = total
        work.spend(looked)
        found = goal in best and best[goal] == cost < limit
        return cost, [step, *reversed(_trace(came, goal, origin))] if found else []


def _join(neighbours: _Neighbours, steps: Iterable[WalkStep]) -> None:
    """Add constraints to those that are known; an interval's own replaces an equal one."""
    for left, strict, right, link in steps:
        for one, other in ((left, right),) if strict else ((left, right), (right, left)):
            known = neighbours.setdefault(one, {})
            if link == OWN or (other, strict) not in known:
                known[other, strict] = link


class _Distances:
    """How many links it takes to come from one state of a search to another.

    For each number of links there is a table. It has the states that a state leads to with so many
    links at most, as bits. All states are worked out at once, one more link at a time, and only as
    far as a search needs it.
    """

    def __init__(self, ways: _Ways) -> None:
        points = {after >> 1 for around in ways.values() for after, *_ in around}.union(ways)
        states = [2 * point + met for point in sorted(points) for met in (0, 1)]
        self._bits = {state: 1 << number for number, state in enumerate(states)}
        self._links: list[tuple[int, list[int]]] = []
        self._own: list[tuple[int, int]] = []
        for state in states:
            following = []
            for after, less, link, _ in ways.get(state >> 1, ()):
                other = after | state & 1 | less
                if link == OWN:
                    self._own.append((state, other))
                else:
                    following.append(other)
            self._links.append((state, following))
        self._cost = sum(len(some) for _, some in self._links) * (1 + len(states) // _WORD)
        self._most = _ROOM // max(len(states) ** 2, 1)
        self._tables: list[dict[int, int]] = []

    def find(self, origin: int, goal: int, work: Work) -> tuple[list[dict[int, int]], int]:
        """Give the tables of up to as many links as it takes, and the bit of the goal in them.

        No bit if there is not enough room to find that out, or no walk.
        """
        bit, tables = self._bits[goal], self._tables
        for number in range(self._most):
            if number == len(tables):
                work.spend(self._cost)
                table = self._extend()
                if tables and table == tables[-1]:
                    break
                tables.append(table)
            if tables[number][origin] & bit:
                return tables[: number + 1], bit
        return [], 0

    def _extend(self) -> dict[int, int]:
        """Work out the table of one more link."""
        if not self._tables:
            table = dict(self._bits)
        else:
            last = self._tables[-1]
            table = {}
            for state, following in self._links:
                mask = last[state]
                for other in following:
                    mask |= last[other]
                table[state] = mask
        for state, other in self._own:  # one step at most leads on without a link
            table[state] |= table[other]
        return table


def _trace(came: dict[int, tuple[int, bool, int]], goal: int, origin: int) -> list[WalkStep]:
    """Follow the states of a search back from the goal."""
    steps = []
    state = goal
    while state != origin:
        before, strict, link = came[state]
        steps.append((before >> 1, strict, state >> 1, link))
        state = before
    return steps
