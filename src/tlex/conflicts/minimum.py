"""A minimum repair: the least costly links whose removal leaves no contradiction.

A repair has to remove a link of every conflict: it is a hitting set. There are too many conflicts
to list, so they are learnt as they are needed. A minimum hitting set of the conflicts known so far
costs no more than any repair. As soon as it leaves no contradiction it is a repair itself, and so a
minimum one. Greedy choices come first. They prove nothing, but they take no time, and with them
most of the conflicts are learnt.

A dense tangle cannot be proven in reasonable time. There a local search gives a good repair at
once, and takes turns with the search for a proof until they meet or the limit of work is reached.

Of several minimum repairs the one is chosen that keeps the first link it can, then the next one,
and so on, in the order of ``ranks`` (text order).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct

from tlex.conflicts.choices import TRIES, Choices
from tlex.conflicts.hitting import (
    HittingSets,
    add_up,
    bound_costs,
    choose_greedily,
)
from tlex.conflicts.knots import Knot
from tlex.conflicts.narrowing import weigh
from tlex.conflicts.work import Work
from tlex.points.graphs import PointGraph

if TYPE_CHECKING:
    from tlex.conflicts.placement import Placement

__all__ = ["Minimum", "Search", "UnrepairableError", "find_minimum", "repair_only"]

_SLICE = 150_000
"""Work after which the proof and the local search take turns for the first time."""

_FIRST = 100_000
"""Work for the local search if it comes first."""

_LOOKS = 500
"""If the knot is so large that it takes more work to look at it so often, then that much."""

_FEW = 400
"""With more conflicts than this, the problem is not made smaller each time that it grows."""

_BRIEF = 50_000
"""Work after which a problem that was made smaller is given up, and the whole one is solved."""

_FEW_TRIES = 40
"""So many choices are tried at first for the repair that keeps the first links."""

_LONGEST = 8_000_000
"""The turns become longer, up to this. The local search gets half as much as the proof."""

_HASTY = 20_000
"""A first repair may take so much work, even if the limit is lower."""

_WORK = 2_000_000
"""How much work it may be to make a repair smaller."""

_LISTING = 2_000_000
"""How much work it may be to list other repairs of the same cost."""


class UnrepairableError(Exception):
    """Links that contradict each other, and none of them may be removed."""

    def __init__(self, links: list[int]) -> None:
        super().__init__(links)
        self.links = links


class Minimum(Struct):
    """The least costly repairs of a knot that were found, each in document order.

    The first is the one to choose. Every repair costs at least ``bound``. If ``bound`` equals
    ``cost``, the repairs are proven to be minimum, and ``conflicts`` is the certificate: no set of
    links that costs less meets them all. Each is irreducible, and has one link of a class for all
    that say the same (see `Knot.classes`). ``complete`` says whether there are no other repairs of
    this cost.
    """

    repairs: list[tuple[int, ...]]
    cost: int
    bound: int
    complete: bool
    conflicts: list[tuple[int, ...]]


def find_minimum(  # noqa: PLR0913 -- one argument an option
    knot: Knot,
    costs: Mapping[int, int],
    kept: Collection[int] = (),
    *,
    ranks: Mapping[int, int] | None = None,
    known: Iterable[Collection[int]] = (),
    limit: int = 1,
    ordered: bool = True,
    work: Work | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Minimum:
    """Find up to ``limit`` minimum repairs of a knot, at least one.

    ``costs`` gives the cost of each link, a whole number above 0. Links that are ``kept`` may not
    be removed. Raises `UnrepairableError` if these contradict each other. ``ranks`` is the order in
    which links stay if there is a choice; without it, document order. ``known`` are conflicts to
    begin with. If the limit of ``work`` is reached, the best known repair comes back, with the
    bound that is proven so far. The first repair does not depend on ``limit``; the order of the
    others does, unless they are to be ``ordered``. ``progress`` is told cost and bound whenever one
    of them changes.

    Links that say the same are removed together or stay together. So they are one link here, which
    costs what all of them cost, and which is kept if one of them is.
    """
    minimum = repair_only(knot, costs, kept, ranks=ranks, limit=limit, ordered=ordered)
    if minimum is not None:
        if progress is not None:
            progress(minimum.cost, minimum.bound)
        return minimum
    search = Search(knot, costs, kept, ranks=ranks, known=known, work=work, progress=progress)
    try:
        search.run()
        return search.finish(limit)
    finally:
        search.close()


def repair_only(  # noqa: PLR0913 -- one argument an option
    knot: Knot,
    costs: Mapping[int, int],
    kept: Collection[int] = (),
    *,
    ranks: Mapping[int, int] | None = None,
    limit: int = 1,
    ordered: bool = True,
) -> Minimum | None:
    """Give the minimum repair of a knot that has one conflict, as `Search` does, but at once.

    Most knots are like that. The cheapest link of the conflict is removed, the last of several. For
    any other knot None comes back, and where all links of the conflict are kept, and where more
    than one other repair is to be listed in the order of `Search`: it knows what to do then.
    """
    alike = [knot.classes[first] for first in knot.only]
    free = [same for same in alike if not any(link in kept for link in same)] if kept else alike
    if not free:
        return None
    prices = [add_up(same, costs) for same in free]
    cost = min(prices)
    cheapest = [same for same, price in zip(free, prices, strict=True) if price == cost]
    most = 2 if ordered else limit  # of the first and one other there is only one order
    if limit > 1 and len(cheapest) > most:
        return None
    if len(cheapest) > 1:
        cheapest.sort(key=lambda same: _rank(same, ranks or {}), reverse=True)
    return Minimum(
        repairs=[tuple(sorted(same)) for same in (cheapest if limit > 1 else cheapest[:1])],
        cost=cost,
        bound=cost,
        complete=limit > 1,
        conflicts=[knot.only],
    )


class Search:
    """The search for a minimum repair of one knot, which can be continued.

    ``cost`` is that of the best repair so far, ``bound`` that below which there is none.
    """

    def __init__(  # noqa: PLR0913
        self,
        knot: Knot,
        costs: Mapping[int, int],
        kept: Collection[int] = (),
        *,
        ranks: Mapping[int, int] | None = None,
        known: Iterable[Collection[int]] = (),
        work: Work | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self._work = work or Work()
        self._progress, self._told = progress, (0, 0)
        kept_links = frozenset(kept).intersection(knot.links)
        if kept_links:
            _check_kept(knot, kept_links)
        self._classes = knot.classes
        self._knot = core = knot.core
        self._costs = {first: add_up(same, costs) for first, same in knot.classes.items()}
        self._kept = {
            first for first, same in knot.classes.items() if not kept_links.isdisjoint(same)
        }
        order = ranks or {}
        ranked = sorted(core.links, key=lambda first: _rank(knot.classes[first], order))
        self._ranks = {first: rank for rank, first in enumerate(ranked)}
        self._known: list[list[int]] = []  # without the links that are kept
        self._conflicts: dict[tuple[int, ...], None] = {}
        self._hitting: HittingSets | None = None
        self._placement: Placement | None = None
        self._choices: tuple[int, Choices] | None = None
        self._part: PointGraph | None = None
        self._quick, self._canonical = True, False
        self._certificate: list[tuple[int, ...]] | None = None
        self._slice = max(_SLICE, _LOOKS * core.weight)
        self.bound = 0
        names = {link: first for first, same in knot.classes.items() for link in same}
        for conflict in (knot.only,) if knot.only else known:
            self._take(sorted({names[link] for link in conflict}))
        self._all_known = bool(knot.only)
        self._best: tuple[int, ...] = ()
        self.cost = 0
        self._choose_roughly()

    @property
    def conflicts(self) -> list[tuple[int, ...]]:
        """The conflicts that are known; of links that say the same each names the first."""
        return list(self._conflicts)

    @property
    def proven(self) -> bool:
        """Whether there is no cheaper repair."""
        return self.bound == self.cost

    def close(self) -> None:
        """Free the memory of the SAT solver."""
        if self._hitting is not None:
            self._hitting.close()
            self._hitting = None

    def run(self) -> None:
        """Search until the best repair is proven, or until the limit of work is reached."""
        while not self.proven and not self._work.is_over():
            self.step()

    def step(self) -> None:
        """Search for a while: for a proof, and then for a cheaper repair.

        If the first repair is far from the bound, then the other way round.
        """
        self._prove_quickly(self._work.spent + self._slice)
        if self._placement is None and 2 * self.cost > 3 * self.bound:
            self._place(self._work.spent + _FIRST)
        self._prove(self._work.spent + self._slice)
        if not self.proven and not self._work.is_over():
            self._place(self._work.spent + self._slice // 2)
        self._slice = min(2 * self._slice, max(_LONGEST, self._slice))

    def exceeds(self, cost: int) -> bool | None:
        """Whether every repair costs more than that; None if the limit of work is reached before.

        Decided as soon as a repair is found that does not, or a bound is proven above it.
        """
        while self.bound <= cost < self.cost and not self._work.is_over():
            self.step()
        if self.cost <= cost:
            return False
        return True if self.bound > cost else None

    def choose(self) -> None:
        """Choose between repairs of the same cost, once."""
        if self._certificate is not None:
            return
        self._certificate = self.conflicts
        if not self.proven:
            self._swap()
            fewer = self._put_back(self._best)
            if add_up(fewer, self._costs) < self.cost:
                self._accept(fewer)
        elif not self._canonical:
            self._keep_first()

    def finish(self, limit: int = 1) -> Minimum:
        """Choose between repairs of the same cost, list up to ``limit`` of them."""
        self.choose()
        repairs, complete = [self._best], False
        if self.proven and limit > 1:
            repairs, complete = self._list_others(limit)
        return Minimum(
            repairs=[
                tuple(sorted(chain.from_iterable(self._classes[first] for first in repair)))
                for repair in repairs
            ],
            cost=self.cost,
            bound=self.bound,
            complete=complete,
            conflicts=self._certificate or [],
        )

    def _take(self, conflict: list[int]) -> bool:
        """Learn a conflict; False if it is known."""
        if tuple(conflict) in self._conflicts:
            return False
        self._conflicts[tuple(conflict)] = None
        free = [link for link in conflict if link not in self._kept]
        self._known.append(free)
        if self._hitting is not None:
            self._hitting.add(free)
        return True

    def _learn(
        self,
        removed: Collection[int],
        pause: int | None,
        least: int = 0,
        *,
        more: bool = False,
    ) -> bool | None:
        """Learn conflicts among the links that are not removed; False if there is none.

        What is removed meets all known conflicts.

        None if the pause is reached. The limit of work counts only from ``least`` on. ``more``:
        more links are removed than the last time.
        """
        knot, work = self._knot, self._work
        before = self._part if more else None
        if self._all_known:  # what is removed meets all that are known
            return False
        work.spend(knot.weight if before is None else weigh(before))
        part = self._part = knot.narrow(removed, before)
        if part is None:
            return False
        weight = weigh(part)
        for conflict in knot.find_inside(part):
            self._take(conflict)
            work.spend(weight // 2 + len(conflict))
            if work.spent >= least and work.is_over(pause):
                return None
        return True

    def _is_consistent(self, removed: Collection[int]) -> bool:
        self._work.spend(self._knot.weight)
        return self._knot.is_consistent(removed)

    def _choose_roughly(self) -> None:
        """Find a first repair by greedy choices; most conflicts are learnt on the way."""
        spent = self._work.spent
        least = spent + _HASTY  # a few conflicts are learnt in any case, for a bound above 0
        pause = max(least, spent + max(_SLICE, 8 * self._knot.weight))
        rough: Collection[int] = choose_greedily(self._known, self._costs)
        before, repair = len(self._known), None
        while learnt := self._learn(rough, pause, least):
            found = self._remove_more(rough, before, pause, least)
            if found is None:
                break
            repair = found
            rough, before = choose_greedily(self._known, self._costs), len(self._known)
        whole = learnt is False
        if not whole:
            rough = self._cut(rough) if repair is None else repair
        self.bound = bound_costs(self._known, self._costs)
        self._accept(self._put_back(rough) if not whole or self._work.is_over() else rough)

    def _cut(self, removed: Collection[int]) -> Collection[int]:
        """Find some repair at once, without learning more conflicts.

        If many conflicts have one cause, the few that are known name it.
        """
        met = choose_greedily(self._known, self._costs)
        return met if self._is_consistent(met) else self._knot.cut(removed, self._kept)

    def _accept(self, repair: Collection[int]) -> None:
        """Take a repair as the best one so far."""
        self._best = tuple(sorted(repair))
        self.cost = add_up(self._best, self._costs)
        self._tell()

    def _raise_bound(self, bound: int) -> None:
        if bound > self.bound:
            self.bound = bound
            self._tell()

    def _tell(self) -> None:
        now = self.cost, self.bound
        if self._progress is not None and self._told != now:
            self._told = now
            self._progress(*now)

    def _prove(self, pause: int) -> None:
        """Look for a proof until the pause."""
        self._prove_quickly(pause)
        while not self.proven and not self._work.is_over(pause):
            chosen = self._use_solver().choose(pause)
            self._raise_bound(self._use_solver().bound)
            if chosen is not None and not self.proven:
                self._settle(chosen, pause)

    def _prove_quickly(self, pause: int | None = None) -> None:
        """Look for a proof by small problems; often that gives the repair to choose."""
        while not self.proven and self._is_quick(pause):
            few = self._try(self._order_choices(), _FEW_TRIES)
            chosen = few or self._try(Choices(self._known, self._costs, None))
            if chosen is None:
                self._quick = False
            else:
                self._canonical = self._settle(chosen, pause) and few is not None

    def _is_quick(self, pause: int | None = None) -> bool:
        """Whether it is worth while to try choices one by one; if so, count the work."""
        self._quick = self._quick and len(self._known) <= _FEW
        if not self._quick or self._work.is_over(pause):
            return False
        self._work.spend(sum(map(len, self._known)))
        return True

    def _try(self, choices: Choices, tries: int = TRIES) -> tuple[int, ...] | None:
        """Choose links that meet the known conflicts; None if that takes long."""
        limit = self._work.limit
        left = _BRIEF if limit is None else limit - self._work.spent
        work = Work(min(_BRIEF, left))
        chosen = choices.choose(tries, work)
        self._work.spend(work.spent)
        return chosen

    def _order_choices(self) -> Choices:
        """Give the known conflicts as a problem in which the order of links counts."""
        if self._choices is None or self._choices[0] != len(self._known):
            choices = Choices(self._known, self._costs, self._ranks)
            self._choices = len(self._known), choices
        return self._choices[1]

    def _use_solver(self) -> HittingSets:
        if self._hitting is None:
            self._hitting = HittingSets(self._costs, self._work)
            for conflict in self._known:
                self._hitting.add(conflict)
        return self._hitting

    def _settle(self, chosen: Collection[int], pause: int | None) -> bool:
        """Take a minimum hitting set as the repair if it is one; otherwise learn why it is not.

        More links are then removed greedily until nothing contradicts itself. So many conflicts
        are learnt at once.
        """
        self._raise_bound(add_up(chosen, self._costs))
        removed, before = set(chosen), len(self._known)
        if removed == {*self._best} or (learnt := self._learn(removed, pause)) is False:
            self._accept(chosen)
            return True
        whole = self._remove_more(removed, before, pause) if learnt else None
        if whole is not None and add_up(whole, self._costs) < self.cost:
            self._accept(whole)
        return False

    def _remove_more(
        self, removed: Collection[int], before: int, pause: int | None, least: int = 0
    ) -> set[int] | None:
        """Remove more links greedily until nothing contradicts itself, and learn on the way.

        The links meet all known conflicts but those from number ``before`` on. None at the pause.
        """
        more, learnt = set(removed), True
        while learnt:
            more.update(choose_greedily(self._known[before:], self._costs))
            before = len(self._known)
            found = self._learn(more, pause, least, more=True)
            if found is None:
                return None
            learnt = found
        return more

    def _place(self, pause: int) -> None:
        """Look for a cheaper repair by local search until the pause."""
        if self._placement is None:
            from tlex.conflicts.placement import Placement  # noqa: PLC0415 -- seldom needed

            rows = {link: self._knot.rows[link] for link in self._knot.links}
            self._placement = Placement(
                rows, self._costs, self._kept, self._knot.instants, self._knot.place(self._best)
            )
        self._placement.improve(self._work, pause)
        if self._placement.cost < self.cost:
            self._accept(self._put_back(self._placement.best))

    def _put_back(self, repair: Collection[int]) -> set[int]:
        """Put back links that need not be removed, the most costly first, then the first ones.

        With each all those come back that hold on the same line. The number of attempts is limited,
        so a very large repair may stay larger than necessary.
        """
        order = sorted(repair, key=lambda link: (-self._costs[link], self._ranks[link]))
        removed = self._leave_broken(order)
        tries = _WORK // self._knot.weight
        for link in order:
            if link in removed and tries > 0:
                tries -= 1
                if self._is_consistent(removed - {link}):
                    removed = self._leave_broken(
                        [other for other in order if other in removed and other != link]
                    )
        return removed

    def _leave_broken(self, removed: list[int]) -> set[int]:
        """Find the removed links that do not hold on a line on which all other links hold."""
        self._work.spend(self._knot.weight)
        place = self._knot.place(removed)
        return {
            link
            for link in removed
            if not all(
                place[left] < place[right] if strict else place[left] == place[right]
                for left, strict, right in self._knot.rows[link]
            )
        }

    def _keep_first(self) -> None:
        """Find the minimum repair that keeps the first link it can, then the next one.

        A link of the repair is put back if there is a repair of the same cost without it that puts
        back no less of the links before it.
        """
        while not self._canonical and self._is_quick():
            few = self._try(self._order_choices())
            if few is None:
                break
            self._canonical = self._settle(few, None)
        if self._canonical:
            return
        solver = self._use_solver()
        if solver.bound < self.cost and solver.choose() is None:
            self._swap()
            return
        start = self._best
        while True:
            among = self._order_choices().candidates
            chosen = solver.choose_first(self._ranks, start, among)
            if chosen is None:
                break
            if self._learn(chosen, None) is False:
                self._best = chosen
                return
        self._swap()

    def _swap(self) -> None:
        """Put back a link wherever a later one of the same cost can be removed instead."""
        pause = self._work.spent + _SLICE
        for link in self._ranks:
            if link not in self._best or self._work.spent > pause:
                continue
            without = set(self._best) - {link}
            self._work.spend(2 * self._knot.weight)
            for other in next(iter(self._knot.find_conflicts(without)), ()):
                if (
                    self._ranks[other] > self._ranks[link]
                    and self._costs[other] == self._costs[link]
                    and other not in self._kept
                    and self._is_consistent(without | {other})
                ):
                    self._best = tuple(sorted(without | {other}))
                    break

    def _list_others(self, limit: int) -> tuple[list[tuple[int, ...]], bool]:
        """List the repairs that cost as much as the chosen one, which comes first.

        They come in the order in which they are found. So a smaller limit gives the first of them.
        """
        pause = self._work.spent + _LISTING
        found = [self._best]
        solver = self._use_solver()
        if solver.bound < self.cost and solver.choose(pause) is None:
            return found, False
        for chosen in solver.list_others(found, pause):
            if chosen is None:
                return found, False
            if self._learn(chosen, None) is not False:
                continue
            if len(found) == limit:
                return found, False
            found.append(chosen)
        return found, True


def _rank(same: Iterable[int], ranks: Mapping[int, int]) -> tuple[int, int]:
    """The place of links that say the same: that of the first of them."""
    return min((ranks.get(link, link), link) for link in same)


def _check_kept(knot: Knot, kept: Collection[int]) -> None:
    """Raise an error if the links that must stay contradict each other."""
    free = [link for link in knot.links if link not in kept]
    for conflict in knot.find_conflicts(free):
        raise UnrepairableError(conflict)
