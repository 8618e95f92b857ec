"""What holds after every minimum repair.

An order of two points holds after every minimum repair if and only if repairing the document
together with the opposite order, which may not be removed, costs more. If it costs the same, such a
repair is a minimum repair after which the order need not hold. If it costs more, no minimum repair
leaves room for the opposite. So one more search decides it, and no repairs are listed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from tlex.conflicts.knots import Knot, find_knots
from tlex.conflicts.minimum import Minimum, Search, UnrepairableError, find_minimum
from tlex.conflicts.work import Work
from tlex.points.graphs import PointConstraint, PointGraph

__all__ = ["EXTRA", "Certainty", "add_constraint"]

EXTRA = -2
"""In place of a link's number: a constraint that comes from no link and may not be removed."""


class Certainty:
    """The minimum repairs of a contradictory component, and what holds after each of them.

    ``costs`` gives the cost of each link. Links that are ``kept`` may not be removed, and they must
    not contradict each other. ``proven`` says whether the cost of the minimum repairs is known for
    sure; if not, nothing is decided. All searches share the limit of ``work``; another may be set.
    """

    def __init__(
        self,
        points: PointGraph,
        costs: Mapping[int, int],
        kept: Collection[int] = (),
        *,
        work: Work | None = None,
    ) -> None:
        self._points = points
        self._costs = {**costs, EXTRA: 1}
        self._kept = {*kept, EXTRA}
        self.work = work or Work()
        self._found: list[tuple[Knot, Minimum]] = [
            (knot, find_minimum(knot, costs, kept, work=self.work)) for knot in find_knots(points)
        ]

    @property
    def proven(self) -> bool:
        """Whether the cost of the minimum repairs is known for sure."""
        return all(minimum.cost == minimum.bound for _, minimum in self._found)

    def holds(self, constraint: PointConstraint) -> bool | None:
        """Whether an order holds after every minimum repair; None if the limit is reached before.

        The opposite of ``u < v`` is that v is before u or equal to it. The opposite of ``u = v`` is
        that one of them is before the other. Either is two cases, and both have to cost more.
        """
        left, strict, right = constraint
        if left == right:
            return not strict
        other = (left, True, right) if not strict else (right, False, left)
        answers = [self._costs_more(case) for case in ((right, True, left), other)]
        if False in answers:
            return False
        return None if None in answers or not self.proven else True

    def excludes(self, constraints: Collection[PointConstraint]) -> bool | None:
        """Whether constraints together contradict what is left, after every minimum repair."""
        answer = self._costs_more(*constraints)
        return answer if self.proven or answer is False else None

    def _costs_more(self, *constraints: PointConstraint) -> bool | None:
        """Whether a repair costs more together with constraints that may not be removed."""
        points = self._points
        for constraint in constraints:
            points = add_constraint(points, constraint)
        for knot in find_knots(points):
            if EXTRA in knot.links:
                return self._compare(knot)
        return False

    def _compare(self, knot: Knot) -> bool | None:
        """Compare a knot with those that it has swallowed; all others are as they were."""
        swallowed = [
            minimum for own, minimum in self._found if not {*own.links}.isdisjoint(knot.links)
        ]
        cost = sum(minimum.cost for minimum in swallowed)
        if any(minimum.bound < minimum.cost for minimum in swallowed):
            return None
        known = [conflict for minimum in swallowed for conflict in minimum.conflicts]
        try:
            search = Search(knot, self._costs, self._kept, known=known, work=self.work)
        except UnrepairableError:
            return True
        try:
            return search.exceeds(cost)
        finally:
            search.close()


def add_constraint(points: PointGraph, constraint: PointConstraint) -> PointGraph:
    """Give a graph with one more constraint, which stands under `EXTRA`."""
    left, strict, right = constraint
    if strict:
        return replace(
            points,
            less_left=[*points.less_left, left],
            less_right=[*points.less_right, right],
            less_link=[*points.less_link, EXTRA],
        )
    return replace(
        points,
        equal_left=[*points.equal_left, left],
        equal_right=[*points.equal_right, right],
        equal_link=[*points.equal_link, EXTRA],
    )
