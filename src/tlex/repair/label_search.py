"""The most probable choice of labels that is consistent: MaxSAT with contradictions as they come.

Each label of a link but the most probable one has a variable, and costs what it is less probable.
A link has one label: no two of its variables are true, and if none is, it has its most probable
one. What labels say of two points has variables too: a label implies them. A contradiction is a
closed walk along such orders; it becomes a clause when it is met. Each order in it is as weak as
possible, so one clause excludes many choices. The solver (`HittingSets`) raises a lower bound of
the cost until a choice meets it.

Of several choices of the same cost the one is taken that gives the first link in text order the
most probable label it can have, then the next one, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from msgspec import Struct

from tlex.conflicts.cycles import find_cycles
from tlex.conflicts.hitting import HittingSets
from tlex.conflicts.knots import Knot, tie_rows
from tlex.conflicts.narrowing import leave_out
from tlex.conflicts.placement import Placement
from tlex.conflicts.work import RATE, Work
from tlex.points.graphs import OWN, PointConstraint
from tlex.points.union_find import merge_equal
from tlex.points.walks import WalkStep
from tlex.repair.candidates import Question, implies

__all__ = ["Chosen", "choose_labels"]

_HASTY = 2 * RATE
"""A first choice may take so much work, even if the limit is lower."""

_TURN = 4 * RATE
"""How long the proof and the local search take turns; the less promising one half as long."""

_NEAR = 4
"""A proof is near if the gap is such a part of the cost."""

Order = PointConstraint
"""Two points of the document, and whether the first is before the second, or not after it."""


class Chosen(Struct):
    """The best choice for some questions: the number of a label for each of them.

    None if there is none, or none was found. No choice costs less than ``bound``. ``conflicts`` are
    the orders that were met and contradict each other: they prove the bound. If no choice is
    consistent, ``blocked`` are questions that have no consistent answers together.
    """

    labels: list[int] | None
    cost: int
    bound: int
    conflicts: list[tuple[Order, ...]]
    blocked: list[int]


def choose_labels(
    questions: Sequence[Question],
    instants: Iterable[int],
    work: Work,
    progress: Callable[[int, int], None] | None = None,
) -> Chosen:
    """Choose a label for each question, so that all are consistent and cost least together."""
    if _orders_nothing(questions):
        return Chosen(labels=[0] * len(questions), cost=0, bound=0, conflicts=[], blocked=[])
    search = _Search(questions, instants, work, progress)
    try:
        return search.run()
    finally:
        search.solver.close()


class _Labellings(HittingSets):
    """Choices of labels: a variable stands for a label that is not the most probable one."""

    def __init__(
        self,
        groups: list[list[int]],
        costs: dict[int, int],
        imply: Callable[[Order], list[int]],
        work: Work,
    ) -> None:
        super().__init__(costs, work)
        self.groups = groups
        self._imply = imply
        self.most: int | None = None  # what the best choice so far costs
        self._orders: dict[Order, int] = {}
        self.home = {label: group for group in groups for label in group}
        for group in groups:
            for label in group[1:]:
                self._top += 1
                self._variables[label] = self._top
                self._links[self._top] = label
                if costs[label]:
                    self._hopes[-self._top] = costs[label]
            for one, other in combinations(group[1:], 2):
                self._solver.add_clause([-self._variables[one], -self._variables[other]])

    def forbid(self, orders: Iterable[Order]) -> None:
        """Do not choose labels that imply all of these orders together."""
        clause = [-self._find(order) for order in orders]
        self._solver.add_clause(clause)

    def _find(self, order: Order) -> int:
        """Find the variable of an order. If a label implies it that is chosen, it is true."""
        if order not in self._orders:
            self._top += 1
            self._orders[order] = variable = self._top
            for label in self._imply(order):
                group = self.home[label]
                if label != group[0]:
                    self._solver.add_clause([variable, -self._variables[label]])
                else:
                    others = (self._variables[other] for other in group[1:])
                    self._solver.add_clause([variable, *others])
        return self._orders[order]

    def explore(
        self, learn: Callable[[set[int]], bool], pause: int | None = None, *, any_: bool = False
    ) -> bool | None:
        """Look for the best choice that ``learn`` accepts; it may forbid something instead.

        ``learn`` is asked about choices that are best for some of the costs, the large ones first.
        False if there is no choice at all; None if the pause is reached. With ``any_``, costs do
        not count.
        """
        level = 0 if any_ else max(self._hopes.values(), default=0)
        while True:
            self._settle()
            hopes = [] if any_ else [hope for hope, cost in self._hopes.items() if cost >= level]
            answer = self._ask(hopes, pause)
            if answer is None:
                return None
            if not answer:
                core = self._solver.get_core() or []
                if not core:
                    return False
                self._relax(self._shrink(core, pause))
            elif learn(self._choose(self._read())):
                continue
            elif any_ or len(hopes) == len(self._hopes):
                return True
            else:
                level = max(cost for cost in self._hopes.values() if cost < level) // 2 + 1

    def _settle(self) -> None:
        """Make sure of what would cost more than the best choice so far if it failed."""
        if self.most is None:
            return
        for hope in [one for one, cost in self._hopes.items() if self.bound + cost > self.most]:
            self._solver.add_clause([hope])
            del self._hopes[hope]

    def prefer(
        self, learn: Callable[[set[int]], bool], best: set[int], pause: int | None = None
    ) -> set[int]:
        """Find the choice of the same cost that gives the first links their most probable labels.

        ``best`` is one whose cost is the bound.
        """
        self._harden()
        for group in self.groups:
            current = next(label for label in group if label in best)
            for label in group[: group.index(current)]:
                found = self._try(label, learn, pause)
                if found is not None:
                    best, current = found, label
                    break
            for literal in self._say(current):
                self._solver.add_clause([literal])
        return best

    def _try(
        self, label: int, learn: Callable[[set[int]], bool], pause: int | None
    ) -> set[int] | None:
        """Look for a choice with a label."""
        while self._ask(self._say(label), pause):
            chosen = self._choose(self._read())
            if not learn(chosen):
                return chosen
        return None

    def _say(self, label: int) -> list[int]:
        """Give the literals that say that a label is chosen."""
        group = self.home[label]
        if label != group[0]:
            return [self._variables[label]]
        return [-self._variables[other] for other in group[1:]]

    def _choose(self, others: Iterable[int]) -> set[int]:
        """Give all labels of a choice, from those that are not the most probable ones."""
        chosen = set(others)
        left = {id(self.home[label]) for label in chosen}
        chosen.update(group[0] for group in self.groups if id(group) not in left)
        return chosen


class _Search:
    def __init__(
        self,
        questions: Sequence[Question],
        instants: Iterable[int],
        work: Work,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.questions = questions
        self.instants = set(instants)
        self.work = work
        self.progress = progress
        self.names: list[tuple[int, int]] = []  # question and place of each label
        self.costs: dict[int, int] = {}
        rows: dict[int, Sequence[PointConstraint]] = {}
        groups: list[list[int]] = []
        for number, question in enumerate(questions):
            groups.append([])
            for place, row in enumerate(question.rows):
                label = len(self.names)
                self.names.append((number, place))
                self.costs[label] = question.costs[place]
                rows[label] = row
                groups[-1].append(label)
        self.groups = groups
        self.knot: Knot = tie_rows(rows, rows, self.instants)
        self.pairs: dict[frozenset[int], list[int]] = {}  # the labels between two intervals
        for label, (number, _) in enumerate(self.names):
            self.pairs.setdefault(frozenset(questions[number].ends), []).append(label)
        self.known: dict[Order, list[int]] = {}
        self.solver = _Labellings(groups, self.costs, self._imply, work)
        self.conflicts: dict[tuple[Order, ...], None] = {}
        self.best: set[int] | None = None
        self.cost = 0
        self.placement: Placement | None = None

    def run(self) -> Chosen:
        """Search until the best choice is proven, or the limit of work is reached."""
        work = self.work
        limit, work.limit = work.limit, None
        pause = max(work.spent + _HASTY, limit or 0)
        found = self.solver.explore(self._learn, pause, any_=True)
        work.limit = limit
        if found:
            self._take_turns()
        if self.best is not None and self.solver.bound == self.cost and not work.is_over():
            self.best = self.solver.prefer(self._learn, self.best)
        self._tell()
        labels = None
        if self.best is not None:
            places = dict(self.names[label] for label in sorted(self.best))
            labels = [places[number] for number in range(len(self.questions))]
        return Chosen(
            labels=labels,
            cost=self.cost,
            bound=self.solver.bound,
            conflicts=list(self.conflicts),
            blocked=self._find_blocked() if found is False else [],
        )

    def _take_turns(self) -> None:
        """Look for a proof and for a better choice in turns, until they meet or the limit."""
        work, near = self.work, True
        while not work.is_over() and self.solver.bound < self.cost:
            if self.solver.explore(self._learn, work.spent + (_TURN if near else _TURN // 2)):
                self.solver.bound = self.cost
            elif not work.is_over():
                near = _NEAR * (self.cost - self.solver.bound) < self.cost
                self._place(work.spent + (_TURN // 2 if near else _TURN))
        self.solver.bound = min(self.solver.bound, self.cost)

    def _place(self, pause: int) -> None:
        """Look for a better choice by local search: move intervals so that better labels hold.

        A label is worth what it costs less than the worst one of its link. That some label holds at
        all is worth more than that, unless one without constraints always does.
        """
        if self.best is None:
            return
        if self.placement is None:
            all_ = sum(self.costs.values()) + 1
            worth = {}
            for group in self.groups:
                free = not self.knot.rows[group[-1]]
                for label in group:
                    if self.knot.rows[label]:
                        more = self.costs[group[-1]] - self.costs[label]
                        worth[label] = more + (0 if free else all_) or 1
            rows = {label: self.knot.rows[label] for label in worth}
            removed = [label for label in range(len(self.names)) if label not in self.best]
            line = self.knot.place(removed)
            self.placement = Placement(rows, worth, (), self.knot.instants, line)
        self.placement.improve(self.work, pause)
        broken = set(self.placement.best)
        held = [[label for label in group if label not in broken] for group in self.groups]
        if all(held):
            choice = {labels[0] for labels in held}
            cost = sum(self.costs[label] for label in choice)
            if cost < self.cost:
                self.best, self.cost = choice, cost
                self.solver.most = cost
                self._tell()

    def _tell(self) -> None:
        if self.progress is not None and self.best is not None:
            self.progress(self.cost, min(self.solver.bound, self.cost))

    def _learn(self, chosen: set[int]) -> bool:
        """Forbid what contradicts itself in a choice; False if nothing does."""
        knot = self.knot
        removed = [label for label in range(len(self.names)) if label not in chosen]
        self.work.spend(knot.weight)
        if knot.is_consistent(removed):
            self._accept(chosen)
            return False
        points = leave_out(knot.points, removed)
        for cycle in find_cycles(points, merge_equal(points)[0]):
            conflict = self._weaken(cycle.walk)
            self.work.spend(knot.weight // 4 + len(conflict))
            if conflict not in self.conflicts:
                self.conflicts[conflict] = None
                self.solver.forbid(conflict)
        return True

    def _weaken(self, walk: list[WalkStep]) -> tuple[Order, ...]:
        """Give the orders of a closed walk, each as weak as possible.

        A step from the start of an interval to its end becomes part of the step before it. One
        order has to be strict; it is one that as many labels imply as its weak form. The orders of
        a link from an interval to itself are left as they are.
        """
        points = [2 * interval + side for interval in self.knot.intervals for side in (0, 1)]
        first = next(place for place, step in enumerate(walk) if step[3] != OWN)
        orders: list[Order] = []
        strict_enough = False
        for left, strict, right, link in (*walk[first:], *walk[:first]):
            if link != OWN:
                orders.append((points[left], strict, points[right]))
            elif strict and _is_own(orders[-1]):
                strict_enough = True
            elif strict:
                orders[-1] = (orders[-1][0], True, points[right])
        found = [order for order in orders if order[1] and not _is_own(order)]
        kept = None
        if found and not strict_enough and not any(order[1] and _is_own(order) for order in orders):
            kept = min(found, key=self._count_lost)
        weak = (order if order == kept or _is_own(order) else _relax(order) for order in orders)
        return tuple(dict.fromkeys(weak))

    def _count_lost(self, order: Order) -> int:
        """How many labels imply the weak form of an order but not the order."""
        return len(self._imply(_relax(order))) - len(self._imply(order))

    def _imply(self, order: Order) -> list[int]:
        """List the labels that imply an order."""
        if order not in self.known:
            left, _, right = order
            labels = self.pairs.get(frozenset((left // 2, right // 2)), [])
            self.known[order] = [label for label in labels if self._implies(label, order)]
        return self.known[order]

    def _implies(self, label: int, order: Order) -> bool:
        number, place = self.names[label]
        question = self.questions[number]
        return implies(question.ends, question.rows[place], order)

    def _accept(self, chosen: set[int]) -> None:
        """Take a consistent choice as the best, if it is, with better labels where some hold too.

        A consistent choice has a line. On it every link can have the best label that holds there.
        """
        self.work.spend(self.knot.weight)
        line = self.knot.place([label for label in range(len(self.names)) if label not in chosen])
        better = {
            next(label for label in group if label in chosen or self._holds(label, line))
            for group in self.groups
        }
        for choice in (chosen, better):
            cost = sum(self.costs[label] for label in choice)
            if self.best is None or cost < self.cost:
                self.best, self.cost = choice, cost
                self.solver.most = cost
                self._tell()

    def _holds(self, label: int, line: list[int]) -> bool:
        return all(
            line[left] < line[right] if strict else line[left] == line[right]
            for left, strict, right in self.knot.rows[label]
        )

    def _find_blocked(self) -> list[int]:
        """Find questions without consistent answers together; without any of them there are some.

        As far as the limit of work allows: one that is not needed may stay.
        """
        kept = list(range(len(self.questions)))
        spent = self.work.spent
        for number in reversed(range(len(self.questions))):
            if len(kept) > 1 and not self._can_answer([one for one in kept if one != number]):
                kept.remove(number)
            if self.work.spent > spent + 4 * _HASTY:
                break
        return kept

    def _can_answer(self, numbers: list[int]) -> bool:
        """Whether some questions have consistent answers together; True if that takes too long."""
        if _orders_nothing([self.questions[number] for number in numbers]):
            return True
        work = Work(_HASTY)
        search = _Search([self.questions[number] for number in numbers], self.instants, work, None)
        try:
            for conflict in self.conflicts:
                if all(
                    frozenset((left // 2, right // 2)) in search.pairs
                    for left, _, right in conflict
                ):
                    search.solver.forbid(conflict)
            found = search.solver.explore(search._learn, any_=True)
        finally:
            search.solver.close()
        self.work.spend(work.spent)
        return found is not False


def _is_own(order: Order) -> bool:
    """Whether both points are of one interval."""
    return order[0] // 2 == order[2] // 2


def _relax(order: Order) -> Order:
    return order[0], False, order[2]


def _orders_nothing(questions: Sequence[Question]) -> bool:
    return not any(row for question in questions for row in question.rows)
