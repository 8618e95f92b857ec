"""Walks along constraints, with the fewest links.

``a = b`` follows from some links if and only if a chain of their ``=`` leads from a to b. ``a < b``
follows if and only if a walk along their ``<`` and ``=``, and along the intervals' own ``I- < I+``,
leads from a to b. So a walk is a proof, and "does this link follow from the others?" is a search
for walks that avoid the link.

A walk with the fewest steps that need a link also has the fewest links: no such walk needs one link
twice. Between two uses it would come back to the interval that it left, or leave it a second time,
and from an interval's start to its end there is a step that needs no link.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeAlias

from tlex.points.graphs import OWN, PointConstraint, PointGraph

__all__ = ["WalkStep", "Walks"]

WalkStep: TypeAlias = tuple[int, bool, int, int]
"""Left point, whether the order is strict, right point, and the link (or `OWN`)."""

_Neighbours: TypeAlias = list[list[tuple[int, bool, int]]]
"""For each point its neighbours: the other point, whether the order is strict, and the link."""

_HUB = 256
"""A point with more neighbours than this, such as a creation time, is better reached than left."""


class Walks:
    """The constraints of a graph, ready to be searched.

    ``level`` gives each point a number that never falls along a walk and is the same for equal
    points, such as its step on the minimum timeline. So a walk stays between the levels of its
    ends, and a walk between equal points has no ``<``. ``closing`` are the places of ``<``
    constraints that break this rule. They are left out. With ``distinct``, only the first of
    several equal constraints is kept: quicker, and enough for searches that avoid no link.

    ``work`` counts the constraints that were looked at. Above ``limit`` nothing is found any more.
    """

    def __init__(
        self,
        points: PointGraph,
        level: Sequence[int],
        *,
        closing: Collection[int] = (),
        distinct: bool = False,
        limit: int | None = None,
    ) -> None:
        self.limit = limit
        self.work = 0
        self._level = level
        there: _Neighbours = [[] for _ in range(points.size)]
        back: _Neighbours = [[] for _ in range(points.size)]
        steps = _list_steps(points, closing)
        for left, strict, right, link in _keep_first(steps) if distinct else steps:
            there[left].append((right, strict, link))
            back[right].append((left, strict, link))
        self._neighbours = there, back
        self._sizes = [1 + len(around) for around in there], [1 + len(around) for around in back]

    @property
    def exhausted(self) -> bool:
        """Whether the limit is reached."""
        return self.limit is not None and self.work > self.limit

    def find_reasons(
        self, constraints: Iterable[PointConstraint], avoid: Collection[int]
    ) -> set[int] | None:
        """Find links that imply all the constraints, without the links to avoid.

        One walk for each constraint, with as few links as possible that no earlier walk has. None
        if a constraint has no walk, or if the limit is reached.
        """
        links = {OWN}
        for left, _, right in constraints:
            walk = self.find(left, right, avoid, free=links)
            if walk is None:
                return None
            links.update(step[3] for step in walk)
        return links - {OWN}

    def find(
        self,
        start: int,
        goal: int,
        avoid: Collection[int] = (),
        free: Collection[int] = frozenset({OWN}),
    ) -> list[WalkStep] | None:
        """Find a walk from start to goal with the fewest links; None if there is none.

        Links that are ``free`` do not count: an interval's own constraint is. The search goes from
        both ends, one link at a time from the side that has less to look at, until no walk through
        the rest can be shorter.
        """
        if start == goal:
            return []
        lowest, highest = self._level[start], self._level[goal]
        level = self._level
        cost = ({start: 0}, {goal: 0})
        came: tuple[dict[int, WalkStep], dict[int, WalkStep]] = ({}, {})
        border = [[start], [goal]]  # the points reached with as many links as were spent
        ahead = [self._count(0, [start]), self._count(1, [goal])]
        spent = [0, 0]
        best, meeting = len(level) + 1, start
        while sum(spent) < best and border[0] and border[1] and not self.exhausted:
            side = int((ahead[1] // _HUB, len(border[1])) < (ahead[0] // _HUB, len(border[0])))
            mine, other = cost[side], cost[1 - side]
            neighbours = self._neighbours[side]
            following: list[int] = []
            for point in border[side]:  # grows by the points that are reached for free
                if mine[point] < spent[side]:
                    continue
                self.work += len(neighbours[point])
                for after, strict, link in neighbours[point]:
                    total = spent[side] + (link not in free)
                    if total >= mine.get(after, total + 1) or link in avoid:
                        continue
                    if not lowest <= level[after] <= highest:
                        continue
                    mine[after] = total
                    came[side][after] = (
                        (after, strict, point, link) if side else (point, strict, after, link)
                    )
                    (border[side] if link in free else following).append(after)
                    if after in other and total + other[after] < best:
                        best, meeting = total + other[after], after
            border[side] = following
            ahead[side] = self._count(side, following)
            spent[side] += 1
        return _join(came, start, meeting, goal) if best <= len(level) else None

    def _count(self, side: int, points: list[int]) -> int:
        return sum(map(self._sizes[side].__getitem__, points))


def _list_steps(points: PointGraph, closing: Collection[int]) -> list[WalkStep]:
    """List the steps that a walk can have: along ``<``, and along ``=`` in both directions."""
    steps = [
        (left, True, right, link)
        for left, right, link in zip(
            points.less_left, points.less_right, points.less_link, strict=True
        )
    ]
    if closing:
        steps = [step for place, step in enumerate(steps) if place not in closing]
    for one, other, link in zip(
        points.equal_left, points.equal_right, points.equal_link, strict=True
    ):
        steps += ((one, False, other, link), (other, False, one, link))
    return steps


def _keep_first(steps: Iterable[WalkStep]) -> Iterator[WalkStep]:
    """Leave out the steps that are equal to an earlier one but for the link."""
    seen: set[PointConstraint] = set()
    for step in steps:
        if step[:3] not in seen:
            seen.add(step[:3])
            yield step


def _join(
    came: tuple[dict[int, WalkStep], dict[int, WalkStep]], start: int, meeting: int, goal: int
) -> list[WalkStep]:
    """Put the walk together from the point where the two searches met."""
    walk = []
    point = meeting
    while point != start:
        walk.append(came[0][point])
        point = walk[-1][0]
    walk.reverse()
    point = meeting
    while point != goal:
        walk.append(came[1][point])
        point = walk[-1][2]
    return walk
