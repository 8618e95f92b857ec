"""The check of a list of conflicts as a whole (R6): it covers, is thorough, proves the repair.

* It covers: without the links that it names, and those that say the same, nothing contradicts.
* It is thorough: through each constraint of a link in a knot leads a shortest contradictory walk.
  Some conflict of the list must consist of links that are each on such a walk. (That they are all
  on one such walk is not checked.)
* It proves the repair: to meet all its conflicts costs as many links as the minimum repair.

Links that follow from values, and those that say the same, count as given: no repair removes them.
What is said of links here is about the others.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import Final

from tlex.checker.conflicts import find_same
from tlex.checker.constraints import Constraints, is_satisfiable
from tlex.checker.knots import Knot, TooMuchError, find_knots
from tlex.checker.timelines import Edge, name_of
from tlex.checker.walks import turn
from tlex.errors import VerificationError
from tlex.records import Conflict

__all__ = ["check_listing"]

THOROUGH_LIMIT: Final = 5_000_000
"""Constraints that may be looked at to see that a list is thorough."""

_State = tuple[int, bool]
"""A point, and whether a walk that leads there has met a <."""


def check_listing(
    constraints: Constraints, conflicts: Sequence[Conflict], *, complete: bool
) -> list[str]:
    """Prove that no conflict is missing, as far as a list promises that."""
    knots = find_knots(constraints)
    listed = [conflict.minimal for conflict in conflicts]
    for knot in knots:
        if not any(knot.links.issuperset(links) for links in listed):
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
    for knot in knots:
        walks = _Walks(knot)
        inside = [frozenset(links) - knot.firm for links in listed if knot.links.issuperset(links)]
        for edge in knot.edges:
            if edge.link is None or edge.link in same or edge.link in knot.firm:
                continue
            work += 4 * len(knot.edges)
            if work > THOROUGH_LIMIT:
                break
            if not walks.meet(edge, inside):
                said = f"{name_of(constraints.document, edge.left)} {edge.order} "
                said += name_of(constraints.document, edge.right)
                raise VerificationError(
                    f"no conflict shows what contradicts {said} of {edge.link!r}"
                )
        unchecked += _check_proof(constraints, knot, listed)
    if work > THOROUGH_LIMIT:
        unchecked.append(
            f"whether the conflicts are thorough, beyond {THOROUGH_LIMIT:,} constraints"
        )
    return unchecked


def _check_proof(
    constraints: Constraints, knot: Knot, listed: Sequence[tuple[str, ...]]
) -> list[str]:
    """Check that no fewer links meet the conflicts of a knot than its repair needs."""
    one = dict.fromkeys(knot.links, 1)
    try:
        most = knot.guess(listed)
        least, _ = knot.search(most, one, listed, grow=False)
        repair, _ = knot.search(most, one, listed)
    except TooMuchError:
        first = min(knot.links, key=constraints.place.__getitem__)
        return [f"whether the conflicts around link {first!r} prove the minimum repair"]
    if least < repair:
        raise VerificationError(
            f"{least} links meet all conflicts of a knot, but its repair needs {repair}"
        )
    return []


class _Walks:
    """Shortest closed walks in a knot. Their length counts the steps that need a link."""

    def __init__(self, knot: Knot) -> None:
        self.ways: dict[int, list[tuple[int, bool, bool]]] = defaultdict(list)
        self.back: dict[int, list[tuple[int, bool, bool]]] = defaultdict(list)
        self.stated: dict[str, list[Edge]] = defaultdict(list)
        for edge in knot.edges:
            for left, order, right, link in turn(edge):
                strict, cost = order == "<", link is not None
                self.ways[left].append((right, strict, cost))
                self.back[right].append((left, strict, cost))
                if link is not None:
                    self.stated[link].append(Edge(left, order, right, link))

    def meet(self, edge: Edge, conflicts: Iterable[frozenset[str]]) -> bool:
        """Whether some conflict has only links that are on shortest walks through a constraint."""
        found = []
        for left, order, right, link in turn(edge):
            forth = self._measure((right, order == "<"), self.ways)
            if (left, True) in forth:
                found.append((forth[left, True], link, left, forth))
        shortest = min((length for length, *_ in found), default=None)
        on: set[str | None] = set()
        for length, link, goal, forth in found:
            if length == shortest:
                on |= {link} | self._list_links(forth, self._measure_back(goal), length)
        return shortest is None or any(links <= on for links in conflicts)

    def _measure(
        self, start: _State, ways: dict[int, list[tuple[int, bool, bool]]]
    ) -> dict[_State, int]:
        """The fewest links to each state from a start."""
        best = {start: 0}
        queue = deque([start])
        while queue:
            point, met = state = queue.popleft()
            for other, strict, cost in ways[point]:
                following, total = (other, met or strict), best[state] + cost
                if total < best.get(following, total + 1):
                    best[following] = total
                    if cost:
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

    def _list_links(
        self, forth: dict[_State, int], back: dict[_State, int], length: int
    ) -> set[str]:
        """The links with a constraint on a walk of this length."""
        on = set()
        for link, edges in self.stated.items():
            for left, order, right, _ in edges:
                for met in (False, True):
                    after = (right, met or order == "<")
                    if (left, met) in forth and after in back:
                        total = forth[left, met] + 1 + back[after]
                        if total == length:
                            on.add(link)
        return on
