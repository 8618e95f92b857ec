"""The list of conflicts of a contradictory component (reading R6).

A conflict is an irreducible set of links that contradict each other. Its proof is a closed walk
over exactly these links. The list

* has no set twice, and of links that say the same it names the first;
* is thorough: for each constraint of a link that lies on a contradictory closed walk, it has a
  shortest such walk, reduced to an irreducible set;
* covers: without the links that it names the component is consistent;
* proves the minimum repair, every link weighing one: no smaller set of links meets all conflicts.

Links that no repair removes are firm: those that follow from values, and those that say the same.
They count as given. A conflict is then an irreducible set of other links that contradict each other
or the firm links, with the firm links of a shortest walk. So no two conflicts have the same other
links, thoroughness is about the constraints of these, and a cover is made of these.

If there are very many, the list ends at a limit of work. Then each knot still has a conflict.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec import Struct

from tlex.caching import cached_property
from tlex.conflicts.choices import choose_quickly
from tlex.conflicts.closed_walks import ClosedWalks
from tlex.conflicts.hitting import add_up
from tlex.conflicts.irreducible import reduce_links
from tlex.conflicts.knots import Knot, merge_same, tie_knots
from tlex.conflicts.minimum import Search
from tlex.conflicts.work import SHORT, Work
from tlex.points.graphs import OWN, PointConstraint
from tlex.points.tangles import Tangle
from tlex.points.walks import WalkStep

__all__ = ["Listing", "NumberedConflict", "find_needed", "list_conflicts", "list_these"]

_STEPS = 100_000
"""How many steps the walks of a list may have together. The first walk may have more."""

_TRIES = 20
"""How often the proof of the repair is tried with fewer conflicts."""


class NumberedConflict(Struct, frozen=True):
    """An irreducible set of links in document order, its proof, and the compounds on the proof."""

    links: tuple[int, ...]
    walk: list[WalkStep]
    compounds: int


class Listing(Struct, frozen=True):
    """The conflicts of a component, by their first links.

    ``same`` gives the other links that say the same as the first one. ``complete`` says that no
    limit was reached.
    """

    conflicts: list[NumberedConflict]
    same: dict[int, list[int]]
    complete: bool


def list_conflicts(tangle: Tangle, work: Work, kept: Collection[int] = ()) -> Listing:
    """List the conflicts of an inconsistent component; no repair removes the ``kept`` links."""
    collector = _Collector(tangle, work, kept)
    collector.search_thoroughly()
    collector.complete_knots()
    conflicts = sorted(collector.found.values(), key=lambda conflict: conflict.links)
    return Listing(conflicts, collector.same, complete=collector.complete)


def list_these(
    tangle: Tangle, sets: Iterable[Collection[int]], kept: Collection[int] = ()
) -> Listing:
    """List certain conflicts of a component, which are given as contradictory sets of links."""
    collector = _Collector(tangle, Work(), kept)
    found = dict.fromkeys(collector.add(links) for links in sets)
    conflicts = [collector.found[links] for links in found if links in collector.found]
    return Listing(conflicts, collector.same, complete=collector.complete)


def find_needed(
    knot: Knot,
    known: list[tuple[int, ...]],
    costs: Mapping[int, int],
    kept: Collection[int],
    work: Work,
) -> list[tuple[int, ...]] | None:
    """Find conflicts that prove a minimum repair of a knot, beside the known ones.

    No set of links cheaper than the repair meets them all. ``costs`` and ``kept`` are as for
    `find_minimum`. None if nothing is proven within the limit of work.
    """
    classes = knot.classes
    total = {first: add_up(same, costs) for first, same in classes.items()}
    stays = {first for first, same in classes.items() if not frozenset(kept).isdisjoint(same)}

    def choose(sets: Iterable[tuple[int, ...]]) -> tuple[int, ...] | None:
        free = [[link for link in one if link not in stays] for one in sets]
        return choose_quickly(free, total, None)

    least = choose(known)
    if least is not None and knot.core.is_consistent(least):
        return []
    search = Search(knot, costs, kept, known=known, work=work)
    try:
        search.run()
    finally:
        search.close()
    if not search.proven:
        return None
    seen = frozenset(known)
    more = [links for links in search.conflicts if links not in seen]
    groups = [more]
    for _ in range(_TRIES):  # without half of them, a quarter, and so on
        if not groups:
            break
        group = groups.pop()
        fewer = [links for links in more if links not in group]
        least = choose([*known, *fewer])
        if least is not None and add_up(least, total) == search.cost:
            more = fewer
        elif len(group) > 1:
            half = len(group) // 2
            groups += [group[half:], group[:half]]
    return more


class _Collector:
    """The conflicts of a component that were found so far, by their links."""

    def __init__(self, tangle: Tangle, work: Work, kept: Collection[int] = ()) -> None:
        self._kept = kept
        self.found: dict[tuple[int, ...], NumberedConflict] = {}
        self.complete = True
        self._reduced: dict[frozenset[int], tuple[int, ...]] = {}
        self._work = work
        self._room = _STEPS
        self._tangle = tangle
        self._rows, self._inside = tangle.rows, tangle.inside
        self._compound, self._block = tangle.compound, tangle.block
        self._instants = {left // 2 for left, _, _ in self._rows[OWN]}
        classes = merge_same({link: self._rows[link] for link in self._inside})
        self._links = list(classes)
        self.same = {first: links[1:] for first, links in classes.items() if len(links) > 1}
        fixed = frozenset(kept)
        self._firm = {
            first for first, same in classes.items() if fixed and not fixed.isdisjoint(same)
        }
        self._firm_of: dict[int, list[int]] = {}  # by strongly connected component of points
        for link in sorted(self._firm):
            for block in self._find_blocks([link]):
                self._firm_of.setdefault(block, []).append(link)

    @cached_property
    def _groups(self) -> list[_Group]:
        return [_Group(knot) for knot in tie_knots(self._tangle)]

    def search_thoroughly(self) -> None:
        """Find a shortest contradictory walk through each constraint that is on one."""
        group_of = {link: group for group in self._groups for link in group.knot.links}
        for link in self._links:
            group_of[link].firsts.append(link)
        for link in (link for link in self._links if link not in self._firm):
            group = group_of[link]
            if group.walks is None and not group.settled:
                self._settle(group)
            if group.settled:
                continue
            walks = group.walks
            if walks is None:
                steps = self._list_steps(group.firsts)
                walks = group.walks = ClosedWalks(steps, self._compound, many=True)
                group.chains = walks.group_chains()
            for constraint in self._inside[link]:
                if walks.get_link(constraint) == link:
                    if group.chains[constraint] in group.done:
                        continue
                    group.done.add(group.chains[constraint])
                walk = walks.find(link, [constraint], self._work)
                if not walk or self._room <= 0:
                    self.complete = False
                    return
                self.add({step[3] for step in walk} - {OWN}, walk)

    def _settle(self, group: _Group) -> None:
        """List the conflict of a knot that has only one: most knots are like that.

        Each walk that a thorough search finds would be reduced to it. It covers the knot. Any of
        its links is a minimum repair, and it proves that there is no smaller one. So there is
        nothing else to search for.
        """
        if self._firm or self._room <= 0 or self._work.is_over():
            return
        self._work.spend(len(group.firsts))
        if group.knot.only:
            self._enter(group.knot.only)
            group.settled = True

    def complete_knots(self) -> None:
        """Add what the knots still need."""
        for group in self._groups:
            if not group.settled:
                self._complete(group.knot)

    def _complete(self, knot: Knot) -> None:
        """Add what a knot still needs: a first conflict, a cover, and the proof of its repair."""
        core, own = knot.core, frozenset(knot.links)
        known = [links for links in self.found if links[0] in own]
        named = {link for links in known for link in links} - self._firm
        while (not known or self.complete) and (links := next(core.find_conflicts(named), None)):
            known.append(self.add(links))
            more = frozenset(known[-1]) - self._firm
            if named.issuperset(more):
                break  # the firm links contradict each other
            named |= more
        if self.complete:
            self._prove_repair(knot, known)

    def _prove_repair(self, knot: Knot, known: list[tuple[int, ...]]) -> None:
        """Add conflicts until no set of links smaller than the minimum repair meets them all."""
        left = SHORT if self._work.limit is None else self._work.limit - self._work.spent
        work = Work(max(0, min(SHORT, left)))
        more = find_needed(knot, known, dict.fromkeys(knot.links, 1), self._kept, work)
        self._work.spend(work.spent)
        self.complete = more is not None
        for links in more or ():
            self.add(links)

    def add(self, links: Collection[int], walk: list[WalkStep] | None = None) -> tuple[int, ...]:
        """Add the conflict that the links of a contradictory walk contain, and return its links.

        ``walk`` is the walk if it has the fewest links.
        """
        whole = frozenset(links)
        conflict = self._reduced.get(whole)
        if conflict is None:
            conflict = self._reduced[whole] = self._reduce(links)
        if conflict not in self.found and (self._room > 0 or not self.found):
            if walk is not None and self._is_only_walk(conflict, whole):
                first = [step[3] for step in walk].index(conflict[0])
                self._enter(conflict, walk[first:] + walk[:first])
            else:
                self._enter(conflict)
        return conflict

    def _enter(self, conflict: tuple[int, ...], walk: list[WalkStep] | None = None) -> None:
        """Put a conflict on the list, with a shortest walk along its own links."""
        if walk is None:
            walks = ClosedWalks(self._list_steps(conflict), self._compound)
            walk = walks.find(conflict[0], self._inside[conflict[0]], Work())
        compounds = len({self._compound[step[0]] for step in walk})
        self.found[conflict] = NumberedConflict(conflict, walk, compounds)
        self._room -= len(walk)
        self.complete = self.complete and self._room > 0

    def _is_only_walk(self, conflict: tuple[int, ...], links: Collection[int]) -> bool:
        """Whether a shortest walk with these links is the only one that proves the conflict.

        All links are needed, and a shortest walk has no link twice. So if each link has one
        constraint only, and no more than two of them meet at an interval, nothing is left open.
        """
        if self._firm or len(conflict) != len(links):
            return False
        if any(len(self._inside[link]) > 1 for link in conflict):
            return False
        ends = [point // 2 for link in conflict for point in self._inside[link][0][::2]]
        return len(set(ends)) == len(conflict) > 1

    def _reduce(self, links: Collection[int]) -> tuple[int, ...]:
        """Reduce the links of a contradictory walk to an irreducible set.

        The firm links are chosen anew, so that the same other links always have the same ones.
        """
        own = [link for link in links if link not in self._firm]
        near = (self._firm_of.get(block, ()) for block in self._find_blocks(links))
        firm = sorted({link for some in near for link in some})
        if not own or not firm:
            return tuple(reduce_links(self._rows, links))
        self._work.spend(len(own) * (len(own) + len(firm)))
        needed = reduce_links(self._rows, own, firm)
        walks = ClosedWalks(self._list_steps([*needed, *firm]), self._compound)
        walk = walks.find(needed[0], self._inside[needed[0]], Work())
        return tuple(reduce_links(self._rows, {step[3] for step in walk} - {OWN}))

    def _find_blocks(self, links: Iterable[int]) -> set[int]:
        """Find the components of points in which links have constraints on contradictory walks."""
        return {self._block[row[0]] for link in links for row in self._inside[link]}

    def _list_steps(self, links: Iterable[int]) -> Iterator[WalkStep]:
        """The constraints of some links on contradictory walks, and of the intervals there."""
        intervals: dict[int, None] = {}
        for link in links:
            for left, strict, right in self._inside[link]:
                yield left, strict, right, link
                intervals[left // 2] = intervals[right // 2] = None
        for interval in intervals:
            own = 2 * interval, interval not in self._instants, 2 * interval + 1
            if self._tangle.has(own):
                yield *own, OWN


class _Group(Struct):
    """A knot, and how far the search in it is.

    ``firsts`` are the first links of those that say the same, in the order of the search. ``done``
    are the ``chains`` that were searched. A knot is ``settled`` if all its conflicts are listed.
    """

    knot: Knot
    firsts: list[int] = []
    walks: ClosedWalks | None = None
    chains: dict[PointConstraint, int] = {}
    done: set[int] = set()
    settled: bool = False
