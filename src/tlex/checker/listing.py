"""The check of a list of conflicts as a whole (R6): it covers, is thorough, proves the repair.

* It covers: without the links that it names, and those that say the same, nothing contradicts.
* It is thorough: through each constraint of a link in a knot leads a shortest contradictory walk.
  Some conflict of the list must consist of links that are all on one such walk.
* It proves the repair: to meet all its conflicts costs as many links as the minimum repair.

Links that follow from values, and those that say the same, count as given: no repair removes them.
What is said of links here is about the others.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from tlex.checker.conflicts import find_same
from tlex.checker.constraints import Constraints, is_satisfiable
from tlex.checker.knots import Knot, TooMuchError, find_knots, share_out
from tlex.checker.timelines import Edge, name_of
from tlex.checker.walks import turn
from tlex.errors import VerificationError
from tlex.records import Conflict

__all__ = ["check_listing"]

THOROUGH_LIMIT: Final = 5_000_000
"""Constraints that may be looked at to see that a list is thorough."""

_State = tuple[int, bool]
"""A point, and whether a walk that leads there has met a <."""

_Way = tuple[int, bool, str | None]
"""Where a step leads, whether by a <, and the link that states it."""


def check_listing(
    constraints: Constraints, conflicts: Sequence[Conflict], *, complete: bool
) -> list[str]:
    """Prove that no conflict is missing, as far as a list promises that."""
    knots = find_knots(constraints)
    shares = share_out(knots, conflicts)
    for knot, own in zip(knots, shares, strict=True):
        if not own:
            first = min(knot.links, key=constraints.place.__getitem__, default="")
            raise VerificationError(f"no conflict shows the contradiction around link {first!r}")
    if not complete and not knots:
        raise VerificationError("a list without any conflict is complete")
    if not complete:
        return ["which other conflicts there are: the list says that it is not complete"]
    named = {link for conflict in conflicts for link in conflict.minimal}
    named.update(
        link for conflict in conflicts for links in conflict.same.values() for link in links
    )
    named.difference_update(constraints.firm)
    left = [edges for link, edges in constraints.stated.items() if link not in named]
    if not is_satisfiable([*constraints.own, *(edge for edges in left for edge in edges)]):
        raise VerificationError("the conflicts do not name all contradictions")
    same = {link for links in find_same(constraints).values() for link in links}
    unchecked = []
    work = 0
    for knot, own in zip(knots, shares, strict=True):
        around = f"the conflicts around link {min(knot.links, key=constraints.place.__getitem__)!r}"
        repair = _check_proof(knot, [conflict.minimal for conflict in own])
        walks = _Walks(knot, THOROUGH_LIMIT - work)
        try:
            _check_thorough(constraints, walks, own, same, repair)
        except TooMuchError:
            unchecked.append(f"whether {around} are thorough")
        work += walks.work
        if repair is None:
            unchecked.append(f"whether {around} prove the minimum repair")
    return unchecked


def _check_proof(knot: Knot, listed: Sequence[tuple[str, ...]]) -> frozenset[str] | None:
    """Check that no fewer links meet the conflicts of a knot than its repair needs.

    Returns a minimum repair, which names the first of links that say the same; None if finding one
    is too much work.
    """
    one = dict.fromkeys(knot.links, 1)
    try:
        most = knot.guess(listed)
        least, _ = knot.search(most, one, listed, grow=False, every=False)
        repair, found = knot.search(most, one, listed, every=False)
    except TooMuchError:
        return None
    if least < repair:
        raise VerificationError(
            f"{least} links meet all conflicts of a knot, but its repair needs {repair}"
        )
    return found[0]


def _check_thorough(
    constraints: Constraints,
    walks: _Walks,
    conflicts: Sequence[Conflict],
    same: Collection[str],
    repair: frozenset[str] | None,
) -> None:
    """Check that each constraint of a knot has a shortest walk with all links of a conflict.

    That is known of those on the walk of a conflict if no closed walk of the knot is shorter. Each
    of these passes a link of the repair. Raises `TooMuchError` at the limit of work.
    """
    knot = walks.knot
    inside = [frozenset(conflict.minimal) - knot.firm for conflict in conflicts]
    known: set[Edge | None] = set()
    if repair is not None:
        hubs = [edge for edge in knot.edges if knot.first.get(edge.link or "") in repair]
        least = walks.measure(hubs)
        for conflict in conflicts:
            if sum(step.link is not None for step in conflict.walk) == least:
                known.update(map(constraints.find, conflict.walk))
    for edge in knot.edges:
        if edge.link is None or edge.link in same or edge.link in knot.firm:
            continue
        if known.isdisjoint(turn(edge)) and not walks.meet(edge, inside):
            said = f"{name_of(constraints.document, edge.left)} {edge.order} "
            said += name_of(constraints.document, edge.right)
            raise VerificationError(f"no conflict shows what contradicts {said} of {edge.link!r}")


class _Walks:
    """Shortest closed walks in a knot. Their length counts the steps that need a link."""

    def __init__(self, knot: Knot, limit: int) -> None:
        self.knot = knot
        self.ways: dict[int, list[_Way]] = defaultdict(list)
        self.back: dict[int, list[_Way]] = defaultdict(list)
        self.work = 0
        self.limit = limit
        for edge in knot.edges:
            for left, order, right, link in turn(edge):
                strict = order == "<"
                self.ways[left].append((right, strict, link))
                self.back[right].append((left, strict, link))

    def measure(self, edges: Iterable[Edge]) -> int | None:
        """The length of the shortest closed walks through some constraints of links.

        None if there are none. Raises `TooMuchError` at the limit of work.
        """
        return min((1 + length for edge in edges for length, *_ in self._find(edge)), default=None)

    def meet(self, edge: Edge, conflicts: Iterable[frozenset[str]]) -> bool:
        """Whether a shortest walk through a constraint has all links of some conflict.

        Raises `TooMuchError` at the limit of work.
        """
        found = list(self._find(edge))
        shortest = min((length for length, *_ in found), default=None)
        if shortest is None:
            return True
        for length, step, forth in found:
            if length == shortest:
                ways = self._list_ways(forth, self._measure_back(step.left), length)
                on = {step.link, *(link for some in ways.values() for _, link in some)}
                if any(self._passes(step, ways, links) for links in conflicts if links <= on):
                    return True
        return False

    def _find(self, edge: Edge) -> Iterator[tuple[int, Edge, dict[_State, int]]]:
        """For each way along a constraint that a closed walk can go: the fewest links behind it.

        And the fewest links to each state behind it.
        """
        for step in turn(edge):
            forth = self._measure((step.right, step.order == "<"), self.ways)
            if (step.left, True) in forth:
                yield forth[step.left, True], step, forth

    def _passes(
        self, step: Edge, ways: dict[_State, list[tuple[_State, str | None]]], links: frozenset[str]
    ) -> bool:
        """Whether one of the shortest walks that begin with a step has all these links.

        They are followed from state to state, with a bit for each link that was met so far.
        """
        bits = {link: 1 << place for place, link in enumerate(links)}
        start = (step.right, step.order == "<"), bits.get(step.link or "", 0)
        goal = (step.left, True), (1 << len(links)) - 1
        seen = {start}
        waiting = [start]
        while waiting:
            state, met = waiting.pop()
            if (state, met) == goal:
                return True
            around = ways.get(state, ())
            self._count(len(around))
            for following, link in around:
                after = following, met | bits.get(link or "", 0)
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
        return False

    def _count(self, amount: int) -> None:
        self.work += 1 + amount
        if self.work > self.limit:
            raise TooMuchError

    def _measure(self, start: _State, ways: dict[int, list[_Way]]) -> dict[_State, int]:
        """The fewest links to each state from a start."""
        best = {start: 0}
        queue = deque([start])
        while queue:
            point, met = state = queue.popleft()
            self._count(len(ways[point]))
            for other, strict, link in ways[point]:
                following, total = (other, met or strict), best[state] + (link is not None)
                if total < best.get(following, total + 1):
                    best[following] = total
                    if link is not None:
                        queue.append(following)
                    else:
                        queue.appendleft(following)
        return best

    def _measure_back(self, goal: int) -> dict[_State, int]:
        """The fewest links from each state to a point, with a < met before or on the way."""
        found: dict[_State, int] = {}
        for (point, strict), length in self._measure((goal, False), self.back).items():
            found[point, True] = min(length, found.get((point, True), length))
            if strict:
                found[point, False] = length
        return found

    def _list_ways(
        self, forth: dict[_State, int], back: dict[_State, int], length: int
    ) -> dict[_State, list[tuple[_State, str | None]]]:
        """For each state the steps that lie on a walk of this length, and their links."""
        found: dict[_State, list[tuple[_State, str | None]]] = {}
        for state, before in forth.items():
            if before + back.get(state, length + 1) > length:
                continue
            point, met = state
            self._count(len(self.ways[point]))
            for other, strict, link in self.ways[point]:
                after = other, met or strict
                if before + (link is not None) + back.get(after, length + 1) == length:
                    found.setdefault(state, []).append((after, link))
        return found
