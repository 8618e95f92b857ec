"""Minimum hitting sets: the least costly links that meet every known conflict.

A conflict is a list of link numbers. Costs are whole numbers above 0. First the problem is made
smaller in ways that keep at least one minimum answer. Then python-sat's RC2 solves it and proves
that the answer is a minimum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from threading import Timer
from time import monotonic
from typing import Self

__all__ = [
    "QUICK",
    "add_up",
    "bound_costs",
    "choose_greedily",
    "choose_least",
    "drop_wider",
    "list_least",
]

QUICK = 64
"""With fewer conflicts than this the deadline is ignored: the answer takes no time."""

_SOLVER = "cadical153"  # several times quicker than RC2's default solver on large problems
_SIZE = len(("one", "two"))


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


def choose_least(
    known: list[list[int]], costs: Mapping[int, int], deadline: float | None = None
) -> tuple[tuple[int, ...] | None, int]:
    """Find a minimum hitting set, and its cost.

    If the deadline is reached, return None and a lower bound of the cost.
    """
    forced, rest = _simplify(known, costs, deadline)
    if not rest:
        return tuple(sorted(forced)), add_up(forced, costs)
    with _Chooser(rest, costs) as chooser:
        chosen = chooser.choose(deadline)
        if chosen is not None:
            return tuple(sorted((*forced, *chosen))), add_up(forced, costs) + chooser.bound
        return None, add_up(forced, costs) + max(chooser.bound, bound_costs(rest, costs))


def list_least(
    known: list[list[int]],
    costs: Mapping[int, int],
    deadline: float | None = None,
    others: Collection[tuple[int, ...]] = (),
) -> Iterator[tuple[int, ...]]:
    """List the hitting sets, the least costly first, until the deadline; leave out ``others``."""
    with _Chooser(known, costs) as chooser:
        for other in others:
            chooser.block(other)
        while (chosen := chooser.choose(deadline)) is not None:
            yield chosen
            chooser.block(chosen)


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


def _index(known: Iterable[Collection[int]]) -> dict[int, set[int]]:
    """The conflicts of each link."""
    holding: dict[int, set[int]] = {}
    for number, conflict in enumerate(known):
        for link in conflict:
            holding.setdefault(link, set()).add(number)
    return holding


def _simplify(
    known: Iterable[Collection[int]], costs: Mapping[int, int], deadline: float | None
) -> tuple[list[int], list[list[int]]]:
    """Make a problem smaller; return links that are in some minimum answer, and what is left.

    A conflict that contains another one is met with it. A link is not needed if all its conflicts
    have another link in common that costs no more. A conflict of one link leaves no choice.
    """
    forced: list[int] = []
    sets = drop_wider(known)
    while True:
        single = {conflict[0] for conflict in sets if len(conflict) < _SIZE}
        forced += sorted(single)
        rest = [conflict for conflict in sets if single.isdisjoint(conflict)]
        late = deadline is not None and monotonic() >= deadline
        needless = set() if late else _find_needless(rest, costs)
        if not needless:
            return forced, rest
        sets = drop_wider(
            [[link for link in conflict if link not in needless] for conflict in rest]
        )


def drop_wider(known: Iterable[Collection[int]]) -> list[list[int]]:
    """Drop the conflicts that contain another one, and repeated ones."""
    ordered = sorted((sorted(set(links)) for links in known), key=lambda c: (len(c), c))
    often = Counter(link for conflict in ordered for link in conflict)
    kept: list[list[int]] = []
    smaller: dict[
        int, list[frozenset[int]]
    ] = {}  # each under its rarest link, so that few have to be compared
    for conflict in ordered:
        whole = frozenset(conflict)
        if not any(other <= whole for link in conflict for other in smaller.get(link, ())):
            rarest = min(conflict, key=lambda link: (often[link], link))
            smaller.setdefault(rarest, []).append(whole)
            kept.append(conflict)
    return kept


def _find_needless(known: list[list[int]], costs: Mapping[int, int]) -> set[int]:
    holding = _index(known)
    needless: set[int] = set()
    for link in sorted(holding):
        own = holding[link]
        for other in known[min(own)]:
            if other == link or other in needless or not own <= holding[other]:
                continue
            if (costs[other], -len(holding[other]), other) < (costs[link], -len(own), link):
                needless.add(link)
                break
    return needless


class _Chooser:
    """RC2 with the conflicts as clauses. Each link has a literal: true if the link is chosen."""

    def __init__(self, known: Iterable[Collection[int]], costs: Mapping[int, int]) -> None:
        from pysat.examples.rc2 import RC2, RC2Stratified  # noqa: PLC0415 -- not light
        from pysat.formula import WCNF  # noqa: PLC0415

        formula = WCNF()
        conflicts = list(dict.fromkeys(tuple(conflict) for conflict in known))
        self._links = sorted({link for conflict in conflicts for link in conflict})
        self._literals = {link: place for place, link in enumerate(self._links, 1)}
        for conflict in conflicts:
            formula.append([self._literals[link] for link in conflict])
        for link, literal in self._literals.items():
            formula.append([-literal], weight=costs[link])
        alike = len({costs[link] for link in self._links}) == 1
        kind = RC2 if alike else RC2Stratified
        self._solver = kind(formula, solver=_SOLVER, minz=True)
        self._quick = len(conflicts) < QUICK

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    @property
    def bound(self) -> int:
        """The proven lower bound of the cost of every hitting set."""
        return int(self._solver.cost)

    def choose(self, deadline: float | None) -> tuple[int, ...] | None:
        """Find a minimum hitting set; None if there is none, or if the deadline is reached."""
        model = self._compute(deadline)
        if model is None:
            return None
        return tuple(self._links[n - 1] for n in sorted(model) if 0 < n <= len(self._links))

    def block(self, chosen: Iterable[int]) -> None:
        """Exclude all hitting sets that contain these links."""
        self._solver.add_clause([-self._literals[link] for link in chosen])

    def _compute(self, deadline: float | None) -> list[int] | None:
        if deadline is None or self._quick:
            return self._ask()
        if monotonic() >= deadline:
            return None
        # CaDiCaL cannot be interrupted, but RC2 asks it many short questions. It stops between two.
        timer = Timer(max(0.0, deadline - monotonic()), self._stop)
        timer.daemon = True
        timer.start()
        try:
            return self._ask()
        finally:
            timer.cancel()

    def _ask(self) -> list[int] | None:
        import pysolvers  # noqa: PLC0415 -- python-sat's own part in C

        try:
            model: list[int] | None = self._solver.compute()
        except pysolvers.error as error:  # how python-sat reports Ctrl-C
            raise KeyboardInterrupt from error
        return model

    def _stop(self) -> None:
        self._solver.interrupted = True
