"""What is left of a place after a choice, and its minimum repair.

Options differ in little: a link of the contradiction is removed, all others stay. Conflicts that do
not have the link are the same for all of them. So what is learnt for one option is used for the
others, and most of them need one look to see that nothing contradicts itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from tlex.conflicts.choices import choose_quickly
from tlex.conflicts.hitting import HittingSets, add_up
from tlex.conflicts.knots import Knot
from tlex.conflicts.work import Work
from tlex.points.graphs import PointConstraint, PointGraph

__all__ = ["Rests"]

_Answer = TypeVar("_Answer")

_FEW = 40
"""With more known conflicts than this, a solver is asked at once."""


class Rests:
    """A knot, and the conflicts that are known of it; ``known`` are those to begin with.

    ``costs``, ``kept`` and ``ranks`` are as for `tlex.conflicts.minimum.find_minimum`.
    """

    def __init__(
        self,
        knot: Knot,
        costs: Mapping[int, int],
        kept: Collection[int],
        ranks: Mapping[int, int],
        known: Iterable[Collection[int]],
    ) -> None:
        self._knot = knot.core
        self._classes = classes = knot.classes
        self._first = {link: first for first, same in classes.items() for link in same}
        self._costs = {first: add_up(same, costs) for first, same in classes.items()}
        firm = frozenset(kept)
        self._kept = {first for first, same in classes.items() if not firm.isdisjoint(same)}
        in_order = sorted(classes, key=lambda first: min(ranks[link] for link in classes[first]))
        self._ranks = {first: rank for rank, first in enumerate(in_order)}
        self._known = dict.fromkeys(
            tuple(sorted({self._first[link] for link in conflict})) for conflict in known
        )
        self._base: tuple[Collection[int], PointGraph | None] | None = None
        self._solver: HittingSets | None = None
        self._solving = Work()
        self._before: set[int] = set()

    @property
    def known(self) -> list[tuple[int, ...]]:
        """The known conflicts; of links that say the same each names the first."""
        return list(self._known)

    @property
    def alike(self) -> bool:
        """Whether all links that may be removed cost the same."""
        return len({self._costs[first] for first in self._classes.keys() - self._kept}) == 1

    def close(self) -> None:
        """Free the memory of the SAT solver."""
        if self._solver is not None:
            self._solver.close()
            self._solver = None

    def find_repair(
        self, removed: frozenset[int], work: Work, *, ordered: bool = True
    ) -> frozenset[int] | None:
        """Find a minimum repair of what is left without the ``removed`` links.

        If ``ordered``, it is the one that keeps the first links it can. None if it takes long to
        find, or if there is none.
        """
        part = self._narrow(removed, work)
        if part is None:
            return frozenset()
        gone = self._take_classes(removed)
        if gone is None:
            return None
        known = [conflict for conflict in self._known if gone.isdisjoint(conflict)]
        while not work.is_over():
            chosen = self._choose(known, self._kept, self._ranks if ordered else None, work)
            if chosen is None:
                return None
            work.spend(part.size)
            left = self._knot.narrow(gone.union(chosen), part)
            if left is None:
                return self._list_links(chosen)
            known += self._learn(left, work)
        return None

    def find_changed(
        self,
        removed: frozenset[int],
        changed: Sequence[int],
        says: Sequence[PointConstraint],
        near: Collection[int],
        work: Work,
    ) -> frozenset[int] | None:
        """Find a minimum repair of what is left if ``changed`` links say something else, and stay.

        They say the same, before and after. ``says`` are constraints on the points of the place.
        ``near`` is a minimum repair of what is left without these links. None if it takes long to
        find, or if there is none.
        """
        gone = self._take_classes(removed)
        own, chosen = self._take_classes(changed), self._take_classes(near)
        if gone is None or own is None or chosen is None:
            return None
        gone |= own
        link = changed[0]
        work.spend(2 * self._knot.weight)
        place = {interval: number for number, interval in enumerate(self._knot.intervals)}
        knot = self._knot.exchange(
            gone,
            link,
            [
                (2 * place[left // 2] + left % 2, strict, 2 * place[right // 2] + right % 2)
                for left, strict, right in says
            ],
        )
        known = [conflict for conflict in self._known if gone.isdisjoint(conflict)]
        while not work.is_over():
            work.spend(knot.weight)
            left = knot.narrow(chosen)
            if left is None:
                return self._list_links(chosen)
            for conflict in knot.find_inside(left):
                work.spend(left.size)
                known.append(tuple(conflict))
                if link not in conflict:
                    self._known[tuple(conflict)] = None
            found = self._choose(known, self._kept | {link}, None, work)
            if found is None:
                return None
            chosen = set(found)
        return None

    def _choose(
        self,
        known: Iterable[Collection[int]],
        kept: Collection[int],
        ranks: Mapping[int, int] | None,
        work: Work,
    ) -> tuple[int, ...] | None:
        """Choose links that meet all known conflicts; None if that takes long."""
        free = [[link for link in conflict if link not in kept] for conflict in known]
        if not all(free):
            return None
        work.spend(sum(map(len, free)))
        return choose_quickly(free, self._costs, ranks)

    def _list_links(self, chosen: Iterable[int]) -> frozenset[int]:
        """List the links of chosen classes."""
        return frozenset(link for first in chosen for link in self._classes[first])

    def find_minimum_with(
        self, removed: frozenset[int], more: Collection[int], plan: Collection[int], work: Work
    ) -> frozenset[int] | bool | None:
        """Find a minimum repair of what is left after ``removed`` that has certain ``more`` links.

        ``plan`` is some minimum repair. Returns the other links of the repair; False if no minimum
        repair has these links, None if it takes long to find out. A solver is asked, which knows
        the minimum repairs of some moment before: what was removed since then is part of one.
        """
        part = self._narrow(removed, work)
        gone, own = self._take_classes(removed), self._take_classes(more)
        rest = self._take_classes(link for link in plan if link in self._first)
        if part is None or gone is None or own is None or rest is None:
            return None
        least = add_up(rest, self._costs)
        if self._solver is None and len(self._known) <= _FEW:
            found = self._find_quickly(gone, own, least, part, work)
            if found is not None:
                return found
        solver = self._use_solver(gone, least, part, work)
        if solver is None:
            return None
        needed = (gone - self._before) | own
        while not work.is_over():
            chosen = self._count(work, lambda: solver.choose_with(needed))
            if chosen is None or isinstance(chosen, bool):
                return chosen
            work.spend(part.size)
            left = self._knot.narrow(gone.union(chosen), part)
            if left is None:
                others = set(chosen).difference(needed)
                return frozenset(link for first in others for link in self._classes[first])
            for conflict in self._learn(left, work):
                solver.add(link for link in conflict if link not in self._kept)
        return None

    def _find_quickly(
        self, gone: set[int], own: set[int], least: int, part: PointGraph, work: Work
    ) -> frozenset[int] | bool | None:
        """Do so without a solver: it takes a while to load one. None if that takes long."""
        removed = gone | own
        room = least - add_up(own - gone, self._costs)
        while not work.is_over():
            known = [conflict for conflict in self._known if removed.isdisjoint(conflict)]
            chosen = self._choose(known, self._kept, None, work)
            if chosen is None:
                return None
            if add_up(chosen, self._costs) > room:
                return False
            work.spend(part.size)
            left = self._knot.narrow(removed.union(chosen), part)
            if left is None:
                return self._list_links(chosen)
            self._learn(left, work)
        return None

    def _use_solver(
        self, gone: set[int], least: int, part: PointGraph, work: Work
    ) -> HittingSets | None:
        """Give a solver that knows the minimum repairs, which cost ``least``."""
        if self._solver is not None and self._before <= gone:
            since = add_up(gone - self._before, self._costs)
            if self._solver.bound == least + since:
                return self._solver
        self.close()
        self._before = gone
        self._solver = solver = HittingSets(self._costs, self._solving)
        for conflict in self._known:
            if gone.isdisjoint(conflict):
                solver.add(link for link in conflict if link not in self._kept)
        while solver.bound < least:
            chosen = self._count(work, solver.choose)
            if chosen is None:
                return None
            if solver.bound < least:
                left = self._knot.narrow(gone.union(chosen), part)
                for conflict in () if left is None else self._learn(left, work):
                    solver.add(link for link in conflict if link not in self._kept)
        return solver if solver.bound == least else None

    def _count(self, work: Work, ask: Callable[[], _Answer]) -> _Answer:
        """Ask the solver within a limit of work."""
        before = self._solving.spent
        self._solving.limit = None if work.limit is None else before + work.limit - work.spent
        answer = ask()
        work.spend(self._solving.spent - before)
        return answer

    def _learn(self, part: PointGraph, work: Work) -> list[tuple[int, ...]]:
        """Learn the conflicts of a contradictory part."""
        found = []
        for conflict in self._knot.find_inside(part):
            work.spend(part.size)
            found.append(tuple(conflict))
            self._known[tuple(conflict)] = None
        return found

    def _take_classes(self, links: Iterable[int]) -> set[int] | None:
        """Give the first ones of links that say the same; None if not all of a class are there."""
        inside = [link for link in links if link in self._first]
        found = {self._first[link] for link in inside}
        whole = sum(len(self._classes[first]) for first in found) == len(inside)
        return found if whole else None

    def _narrow(self, removed: frozenset[int], work: Work) -> PointGraph | None:
        """Give the part of the knot in which it contradicts itself without the removed links."""
        if self._base is None or self._base[0] != removed:
            work.spend(2 * self._knot.weight)
            whole = {first for first, same in self._classes.items() if removed.issuperset(same)}
            self._base = removed, self._knot.narrow(whole)
        return self._base[1]
