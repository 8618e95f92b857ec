"""Ways from point to point that avoid some links: what follows without these.

``a = b`` follows from links iff a chain of their ``=`` leads from a to b; ``a < b`` iff a way along
their ``<`` and ``=``, and along the intervals' own ``I- < I+``, does. Levels, such as the steps of
the minimum timeline, never fall along a way and are the same for equal points. So a way stays
between the levels of its ends, and between equal points it is made of ``=`` alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain

from tlex.graph import OWN, PointGraph

__all__ = ["Ways"]

Constraint = tuple[int, int]
"""Two points, the second above the first or equal to it."""


class Ways:
    """The constraints of a graph, ready to be searched.

    ``work`` counts the looks at a constraint; from ``limit`` on nothing is found any more.
    """

    def __init__(self, points: PointGraph, level: Sequence[int], limit: int | None = None) -> None:
        self.limit = limit
        self.work = 0
        self._level = level
        self._equal: list[list[Constraint]] = [[] for _ in range(points.size)]
        there: list[list[Constraint]] = [[] for _ in range(points.size)]
        back: list[list[Constraint]] = [[] for _ in range(points.size)]
        for left, right, link in zip(
            points.equal_left, points.equal_right, points.equal_link, strict=True
        ):
            self._equal[left].append((right, link))
            self._equal[right].append((left, link))
        for left, right, link in zip(
            points.less_left, points.less_right, points.less_link, strict=True
        ):
            there[left].append((right, link))
            back[right].append((left, link))
        self._less = (there, back)

    @property
    def exhausted(self) -> bool:
        """Whether the limit is reached."""
        return self.limit is not None and self.work > self.limit

    def prove(self, row: Iterable[Constraint], avoid: Collection[int]) -> set[int] | None:
        """The links of one way for each constraint, or None if one has no way."""
        links: set[int] = set()
        for left, right in row:
            way = self._find(left, right, avoid)
            if way is None:
                return None
            links |= way
        return links - {OWN}

    def _find(self, start: int, goal: int, avoid: Collection[int]) -> set[int] | None:
        """The links of a way, found from both ends, from the side with less to look at."""
        if start == goal:
            return set()
        lowest, highest = self._level[start], self._level[goal]
        came: tuple[dict[int, Constraint], ...] = ({start: (start, OWN)}, {goal: (goal, OWN)})
        edge = [[start], [goal]]
        ahead = [self._count(point, side) for side, point in enumerate((start, goal))]
        while edge[0] and edge[1] and not self.exhausted:
            side = int(ahead[1] < ahead[0])
            mine, other = came[side], came[1 - side]
            following = []
            self.work += ahead[side]
            for point in edge[side]:
                for after, link in chain(self._equal[point], self._less[side][point]):
                    if after in mine or link in avoid:
                        continue
                    if not lowest <= self._level[after] <= highest:
                        continue
                    mine[after] = (point, link)
                    if after in other:
                        return _gather_links(came, after)
                    following.append(after)
            edge[side] = following
            ahead[side] = sum(self._count(point, side) for point in following)
        return None

    def _count(self, point: int, side: int) -> int:
        return 1 + len(self._equal[point]) + len(self._less[side][point])


def _gather_links(came: Iterable[dict[int, Constraint]], meeting: int) -> set[int]:
    links = set()
    for known in came:
        point = meeting
        while known[point][0] != point:
            point, link = known[point]
            links.add(link)
    return links
