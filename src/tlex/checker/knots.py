"""Knots: the contradictory parts of the points, with the links inside, and their repairs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from tlex.checker.constraints import Constraints
from tlex.checker.timelines import Edge
from tlex.checker.walks import find_closed_walk, find_strong_parts
from tlex.records import Conflict

__all__ = ["Knot", "TooMuchError", "find_knots", "find_knots_in", "share_out"]

SEARCH_LIMIT: Final = 2_000_000
"""Constraints and conflicts that the search for repairs may look at, for each knot."""


class TooMuchError(Exception):
    """The search has come to its limit."""


class _Choice(NamedTuple):
    """Removing one of the links of a conflict, after those that are ``gone``.

    The links before it stay, as do those that did already. Of a conflict of thousands of links,
    only the choices that are looked at become sets: there are as many as links.
    """

    cost: int
    gone: frozenset[str]
    stays: frozenset[str]
    links: Sequence[str]
    place: int


class Knot:
    """Links and constraints that contradict each other, and a search for its repairs.

    No repair removes a ``firm`` link, or one that says the same.
    """

    def __init__(self, edges: list[Edge], firm: Collection[str] = ()) -> None:
        self.edges = edges
        self.links = frozenset(edge.link for edge in edges if edge.link is not None)
        said: dict[str, set[tuple[int, str, int]]] = defaultdict(set)
        for left, order, right, link in edges:
            if link is not None:
                ends = (left, right) if order == "<" else (min(left, right), max(left, right))
                said[link].add((ends[0], order, ends[1]))
        alike: dict[frozenset[tuple[int, str, int]], list[str]] = defaultdict(list)
        for link, says in said.items():
            alike[frozenset(says)].append(link)
        self.classes = {links[0]: links for links in alike.values()}
        self.first = {link: links[0] for links in alike.values() for link in links}
        self.firm = frozenset(self.first[link] for link in firm if link in self.first)
        self.work = 0
        self.limit = SEARCH_LIMIT

    def search(  # noqa: PLR0913 -- a search and its options
        self,
        most: int,
        whole: Mapping[str, int],
        listed: Iterable[Collection[str]],
        keep: Iterable[str] = (),
        *,
        grow: bool = True,
        every: bool = True,
    ) -> tuple[int, list[frozenset[str]]]:
        """Find the least cost of a repair, up to a cost, and all repairs of that cost.

        Depth first: of the shortest conflict that is not met, each link is removed in turn, and the
        ones before it then stay. Links that say the same go together; repairs name the first.
        Without ``grow`` only the listed conflicts have to be met. Without ``every``, one repair of
        the least cost is enough. Raises `TooMuchError` at the limit of work.
        """
        price = {
            first: sum(whole[link] for link in links)
            for first, links in self.classes.items()
            if first not in self.firm
        }
        firm = self.firm.union(self.first[link] for link in keep if link in self.first)
        conflicts = [
            frozenset(self.first[link] for link in links)
            for links in listed
            if self.links.issuperset(links)
        ]
        best = most
        found: list[frozenset[str]] = []
        stack = [_Choice(0, frozenset(), firm, (), 0)]
        while stack:
            choice = stack.pop()
            cost = choice.cost
            gone = choice.gone.union(choice.links[choice.place : choice.place + 1])
            self._work(len(conflicts))
            stays = choice.stays
            unmet = [conflict for conflict in conflicts if conflict.isdisjoint(gone)]
            if unmet:
                stays = stays.union(choice.links[: choice.place])
                unmet = [conflict - stays for conflict in unmet]
            bound = cost + _pack(unmet, price)
            if bound > best or (found and bound == best and not every):
                continue
            if not unmet:
                fresh = self._find_conflict(gone) if grow else None
                if fresh is not None:
                    conflicts.append(fresh)
                    stack.append(choice)
                elif cost < best:
                    best, found = cost, [gone]
                else:
                    found.append(gone)
                continue
            shortest = min(unmet, key=len)
            links = sorted(shortest, key=price.__getitem__)
            stack += (
                _Choice(cost + price[link], gone, stays, links, place)
                for place, link in enumerate(links)
            )
        return best, found

    def guess(self, listed: Iterable[Collection[str]]) -> int:
        """Give the number of links of some small repair."""
        unmet = [
            frozenset(self.first[link] for link in links) - self.firm
            for links in listed
            if self.links.issuperset(links)
        ]
        gone: set[str] = set()
        while True:
            if not unmet:
                fresh = self._find_conflict(frozenset(gone))
                if fresh is None:
                    break
                unmet = [fresh - self.firm]
            often = Counter(link for links in unmet for link in sorted(links))
            gone.add(max(often, key=lambda link: often[link] / len(self.classes[link])))
            unmet = [links for links in unmet if gone.isdisjoint(links)]
        return sum(len(self.classes[link]) for link in gone)

    def _work(self, amount: int) -> None:
        self.work += 1 + amount
        if self.work > self.limit:
            raise TooMuchError

    def _find_conflict(self, gone: frozenset[str]) -> frozenset[str] | None:
        """Find links that contradict each other and are all left; None if there are none."""
        self._work(10 * len(self.edges))  # which are walked several times
        left = [edge for edge in self.edges if self.first.get(edge.link or "") not in gone]
        walk = find_closed_walk(left)
        if walk is None:
            return None
        return frozenset(self.first[edge.link] for edge in walk if edge.link is not None)


def _pack(conflicts: Sequence[frozenset[str]], price: Mapping[str, int]) -> int:
    """Bound from below what it costs to meet conflicts: by those that share nothing."""
    met: set[str] = set()
    bound = 0
    for conflict in sorted(conflicts, key=len):
        if met.isdisjoint(conflict):
            met |= conflict
            bound += min((price[link] for link in conflict), default=sum(price.values()) + 1)
    return bound


def find_knots(constraints: Constraints) -> list[Knot]:
    """Find the contradictory parts of the points, joined where a link is in two of them."""
    return find_knots_in(constraints, constraints.stated)


def find_knots_in(constraints: Constraints, stated: Mapping[str, list[Edge]]) -> list[Knot]:
    """Find the same where the links state something else than in the document."""
    everything = [*constraints.own, *(e for edges in stated.values() for e in edges)]
    part = find_strong_parts(everything)
    inside: dict[int, list[Edge]] = defaultdict(list)
    for edge in everything:
        if part[edge.left] == part[edge.right]:
            inside[part[edge.left]].append(edge)
    broken = [edges for edges in inside.values() if any(edge.order == "<" for edge in edges)]
    holders: dict[str, list[int]] = defaultdict(list)
    for number, edges in enumerate(broken):
        for edge in edges:
            if edge.link is not None:
                holders[edge.link].append(number)
    knots = []
    left = set(range(len(broken)))
    for start in range(len(broken)):
        if start not in left:
            continue
        left.discard(start)
        reached = [start]
        joined: list[Edge] = []
        for number in reached:  # it grows
            joined += broken[number]
            for edge in broken[number]:
                for other in holders.pop(edge.link or "", ()):
                    if other in left:
                        left.discard(other)
                        reached.append(other)
        knots.append(Knot(joined, constraints.firm))
    return [knot for knot in knots if knot.links]


def share_out(knots: Sequence[Knot], conflicts: Iterable[Conflict]) -> list[list[Conflict]]:
    """Find the conflicts of each knot: those that have all their links in it. Linear."""
    holder = {link: number for number, knot in enumerate(knots) for link in knot.links}
    own: list[list[Conflict]] = [[] for _ in knots]
    for conflict in conflicts:
        numbers = {holder.get(link, -1) for link in conflict.minimal}
        if len(numbers) == 1 and -1 not in numbers:
            own[numbers.pop()].append(conflict)
    return own
