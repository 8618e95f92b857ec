"""Minimum hitting sets: the least costly links that meet every known conflict.

A conflict is a list of link numbers. Costs are whole numbers above 0. Of several minimum hitting
sets the one is chosen that keeps the first link it can, then the next one, and so on, in the order
of ``ranks``.

`choices` has a quick way that is enough for nearly all documents. `HittingSets` is for what that
leaves: it asks a SAT solver and raises a lower bound of the cost until it is met (core-guided
search with totalizers, OLL).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, NamedTuple, Self

from tlex.conflicts.work import Work

if TYPE_CHECKING:
    from pysat.card import ITotalizer

__all__ = [
    "HittingSets",
    "add_up",
    "bound_costs",
    "choose_greedily",
]

_SOLVER = "glucose3"
_SIZE = len(("one", "two"))
_CHUNK = 100
"""After so many conflicts of its own the SAT solver is interrupted, and the work is counted."""

_SHORT = 200
"""So many conflicts of its own may the SAT solver have while it makes a core smaller."""

_PER_CONFLICT, _PROPAGATIONS = 40, 8
"""A conflict of the SAT solver is so much work; so many propagations are one unit."""


def add_up(links: Iterable[int], costs: Mapping[int, int]) -> int:
    """The cost of some links together."""
    return sum(costs[link] for link in links)


def choose_greedily(known: list[list[int]], costs: Mapping[int, int]) -> tuple[int, ...]:
    """Choose a hitting set greedily: always the link that meets most conflicts for its cost."""
    holding = _index(known)
    queue = [(-len(own) / costs[link], link) for link, own in holding.items()]
    heapify(queue)
    chosen = []
    left = len(known)
    while left:
        expected, best = heappop(queue)
        worth = -len(holding[best]) / costs[best]
        if worth > expected:  # other links have met some of its conflicts in the meantime
            heappush(queue, (worth, best))
            continue
        chosen.append(best)
        for number in tuple(holding[best]):
            left -= 1
            for link in known[number]:
                holding[link].discard(number)
    return tuple(sorted(chosen))


def bound_costs(known: list[list[int]], costs: Mapping[int, int]) -> int:
    """Find a lower bound of the cost of every hitting set, in one pass.

    Each conflict, short ones first, pays the same amount to all of its links, until one of its
    links has received its full cost. No link receives more than it costs. A hitting set has a link
    of each conflict, so it costs at least what all conflicts have paid.
    """
    open_ = dict(costs)
    paid = 0
    for conflict in sorted(known, key=len):
        share = min(open_[link] for link in conflict)
        for link in conflict if share else ():
            open_[link] -= share
        paid += share
    return paid


class HittingSets:
    """Minimum hitting sets of a growing list of conflicts, by a SAT solver.

    Each link has a variable: true if the link is chosen. ``bound`` is a lower bound of the cost of
    every hitting set. The solver assumes that no link is chosen. If that fails, some of these
    assumptions cannot hold together. The bound rises, and the assumptions are replaced by the
    weaker one that all but one of them hold, which may fail later on in its turn.
    """

    def __init__(self, costs: Mapping[int, int], work: Work) -> None:
        from pysat.solvers import Solver  # noqa: PLC0415 -- not light

        self.bound = 0
        self._costs = costs
        self._work = work
        self._solver = Solver(_SOLVER)
        self._variables: dict[int, int] = {}
        self._links: dict[int, int] = {}
        self._top = 0
        self._hopes: dict[int, int] = {}  # assumptions, and what it costs if one fails
        self._sums: dict[int, _Sum] = {}
        self._clauses: set[frozenset[int]] = set()
        self._done = Counter[str]()
        self._hard = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the memory of the solver."""
        for each in {id(each.total): each.total for each in self._sums.values()}.values():
            each.delete()
        self._sums.clear()
        self._solver.delete()

    def add(self, conflict: Iterable[int]) -> None:
        """Add a conflict: one of its links must be chosen."""
        clause = []
        for link in conflict:
            if link not in self._variables:
                self._top += 1
                self._variables[link] = self._top
                self._links[self._top] = link
                if self._hard:  # a link that it would cost more to choose
                    self._solver.add_clause([-self._top])
                else:
                    self._hopes[-self._top] = self._costs[link]
            clause.append(self._variables[link])
        self._solver.add_clause(clause)
        self._clauses.add(frozenset(-variable for variable in clause))

    def choose(self, pause: int | None = None) -> tuple[int, ...] | None:
        """Find a minimum hitting set; it costs ``bound``. None if the pause is reached before.

        A second call goes on where the first one ended.
        """
        level = max(self._hopes.values(), default=0)
        while True:
            hopes = [hope for hope, cost in self._hopes.items() if cost >= level]
            answer = self._ask(hopes, pause)
            if answer is None:
                return None
            if not answer:
                self._relax(self._shrink(self._solver.get_core(), pause))
            elif len(hopes) == len(self._hopes):
                return self._read()
            else:  # costly links first, or else the bound would rise in small steps
                level = max(cost for cost in self._hopes.values() if cost < level) // 2 + 1

    def choose_first(
        self,
        ranks: Iterable[int],
        start: Collection[int],
        among: Collection[int],
        pause: int | None = None,
    ) -> tuple[int, ...] | None:
        """Find the hitting set of cost ``bound`` that keeps the first link it can, then the next.

        None if the pause is reached before. ``bound`` must be the cost of a minimum hitting set,
        and from now on no hitting set may cost more. ``ranks`` are the links in their order, and
        ``start`` is a hitting set of that cost to begin with. Only the links ``among`` which it is
        known to be are chosen.
        """
        self._harden()
        self._top += 1
        switch = self._top
        best = frozenset(start)
        for link, variable in self._variables.items():
            if link not in among:
                self._solver.add_clause([-switch, -variable])
        if not best.issubset(among):
            if not self._ask([switch], pause):
                return None
            best = frozenset(self._read())
        for link in ranks:
            if link not in self._variables or link not in among:
                continue
            variable = self._variables[link]
            if link in best:
                answer = self._ask([switch, -variable], pause)
                if answer is None:
                    return None
                if answer:
                    best = frozenset(self._read())
            self._solver.add_clause([-switch, variable if link in best else -variable])
        return tuple(sorted(best))

    def choose_with(
        self, links: Iterable[int], pause: int | None = None
    ) -> tuple[int, ...] | bool | None:
        """Find a hitting set of cost ``bound`` that has certain links.

        False if there is none, None if the pause is reached before. ``bound`` must be the cost of a
        minimum hitting set, and from now on no hitting set may cost more.
        """
        self._harden()
        wanted = [self._variables.get(link, 0) for link in links]
        if 0 in wanted:
            return False
        answer = self._ask(wanted, pause)
        return self._read() if answer else answer

    def list_others(
        self, known: Iterable[tuple[int, ...]], pause: int | None = None
    ) -> Iterator[tuple[int, ...] | None]:
        """List all hitting sets of cost ``bound`` but the ``known`` ones; None at the pause.

        ``bound`` must be the cost of a minimum hitting set. Conflicts may be added in between.
        """
        self._harden()
        self._top += 1
        switch = self._top
        for other in known:
            self._exclude(other, switch)
        while answer := self._ask([switch], pause):
            chosen = self._read()
            self._exclude(chosen, switch)
            yield chosen
        if answer is None:
            yield None

    def _harden(self) -> None:
        """Make sure that the assumptions hold: no hitting set costs more than ``bound``."""
        for hope in self._hopes:
            self._solver.add_clause([hope])
        self._hopes.clear()
        self._hard = True

    def _exclude(self, chosen: Iterable[int], switch: int) -> None:
        self._solver.add_clause([-switch, *(-self._variables[link] for link in chosen)])

    def _read(self) -> tuple[int, ...]:
        model = self._solver.get_model()
        return tuple(sorted(self._links[n] for n in model if n in self._links))

    def _ask(self, assumptions: list[int], pause: int | None) -> bool | None:
        """Ask the solver; None if the pause is reached before it has an answer."""
        while not self._work.is_over(pause):
            answer = self._ask_briefly(assumptions, _CHUNK)
            if answer is not None:
                return answer
        return None

    def _ask_briefly(self, assumptions: list[int], budget: int) -> bool | None:
        import pysolvers  # noqa: PLC0415 -- python-sat's own part in C

        self._solver.conf_budget(budget)
        try:
            answer: bool | None = self._solver.solve_limited(assumptions=assumptions)
        except pysolvers.error as error:  # how python-sat reports Ctrl-C
            raise KeyboardInterrupt from error
        now = Counter(self._solver.accum_stats())
        conflicts = now["conflicts"] - self._done["conflicts"]
        propagations = now["propagations"] - self._done["propagations"]
        self._done = now
        work = conflicts * _PER_CONFLICT + propagations // _PROPAGATIONS + len(assumptions)
        self._work.spend(work)
        return answer

    def _shrink(self, core: list[int], pause: int | None) -> list[int]:
        """Leave out assumptions that fail without them too, the cheapest first."""
        if frozenset(core) in self._clauses:  # a conflict, and so nothing can be left out
            return core
        core = sorted(core, key=lambda hope: (self._hopes[hope], abs(hope)))
        place = 0
        while place < len(core) > 1 and not self._work.is_over(pause):
            fewer = core[:place] + core[place + 1 :]
            answer = self._ask_briefly(fewer, _SHORT)
            if answer is None:
                break
            if answer:
                place += 1
            else:
                needed = frozenset(self._solver.get_core())
                core = [hope for hope in fewer if hope in needed]
        return core

    def _relax(self, core: list[int]) -> None:
        """Raise the bound by what it costs that one of these assumptions fails."""
        from pysat.card import ITotalizer  # noqa: PLC0415

        cost = min(self._hopes[hope] for hope in core)
        self.bound += cost
        for hope in core:
            self._hopes[hope] -= cost
            if not self._hopes[hope]:
                del self._hopes[hope]
            if hope in self._sums:
                self._weaken(self._sums[hope], cost)
        if len(core) < _SIZE:
            self._solver.add_clause([-core[0]])
            return
        total = ITotalizer(lits=[-hope for hope in core], ubound=1, top_id=self._top)
        self._top = max(self._top, total.top_id)
        for clause in total.cnf.clauses:
            self._solver.add_clause(clause)
        self._hope(_Sum(total, 1), cost)

    def _weaken(self, sum_: _Sum, cost: int) -> None:
        """Assume that one more may fail of what the sum is about."""
        total, most = sum_.total, sum_.most + 1
        if most >= len(total.lits):
            return
        total.increase(ubound=most, top_id=self._top)
        self._top = max(self._top, total.top_id)
        for clause in total.cnf.clauses[-total.nof_new :] if total.nof_new else ():
            self._solver.add_clause(clause)
        self._hope(_Sum(total, most), cost)

    def _hope(self, sum_: _Sum, cost: int) -> None:
        hope = -sum_.total.rhs[sum_.most]
        self._sums[hope] = sum_
        self._hopes[hope] = self._hopes.get(hope, 0) + cost


class _Sum(NamedTuple):
    """At most so many of the literals of a totalizer are true."""

    total: ITotalizer
    most: int


def _index(known: Iterable[Collection[int]]) -> dict[int, set[int]]:
    """The conflicts of each link."""
    holding: dict[int, set[int]] = {}
    for number, conflict in enumerate(known):
        for link in conflict:
            holding.setdefault(link, set()).add(number)
    return holding
