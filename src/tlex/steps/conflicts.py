"""Step 3 goes on (§3.4): where an inconsistent part contradicts itself.

One conflict for each ``<`` constraint that lies inside a compound or that closes a cycle when a
depth-first search meets it; without these constraints the part is consistent. The paper reports
the cycle of the search; here the same constraint is closed by a way back with the fewest links,
because an annotator has to read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tlex.graph import OWN, PointGraph

__all__ = [
    "Cycle",
    "Row",
    "WalkStep",
    "Ways",
    "find_closing",
    "find_cycles",
    "find_way",
    "group_by_link",
    "list_ways",
    "reduce_links",
]

Row = tuple[int, bool, int]
"""A constraint: left point, whether the order is strict, right point."""

Way = tuple[int, bool, int]
Ways = list[list[Way]]
"""For each point: another point, whether the order is strict, and the link."""

WalkStep = tuple[int, bool, int, int]
"""A constraint and its link (or OWN)."""


@dataclass(slots=True)
class Cycle:
    """A closed walk with at least one ``<``, and how many compounds it passes."""

    walk: list[WalkStep]
    compounds: int


def find_cycles(points: PointGraph, compound: list[int]) -> Iterator[Cycle]:
    """Find the conflicts of an inconsistent part, in document order of the closing constraints.

    ``compound`` gives each point's compound. Finding the closing constraints is linear; each walk
    takes a breadth-first search, and is found only when asked for.
    """
    closing, finished = find_closing(points, compound)
    rank = [finished[number] for number in compound]
    ways = list_ways(points, frozenset(closing))
    seen: set[tuple[int, int, int]] = set()
    for edge in closing:
        left, right, link = points.less_left[edge], points.less_right[edge], points.less_link[edge]
        if (left, right, link) in seen:  # a self-loop may say the same thing twice
            continue
        seen.add((left, right, link))
        walk = [(left, True, right, link), *find_way(ways, rank, right, left)]
        yield Cycle(_rotate(walk), len({compound[step[0]] for step in walk}))


def group_by_link(points: PointGraph) -> dict[int, list[Row]]:
    """Each link's constraints; those of the instants, ``I- = I+``, stand under OWN."""
    rows: dict[int, list[Row]] = {OWN: []}
    for left, right, link in zip(
        points.less_left, points.less_right, points.less_link, strict=True
    ):
        if link != OWN:
            rows.setdefault(link, []).append((left, True, right))
    for left, right, link in zip(
        points.equal_left, points.equal_right, points.equal_link, strict=True
    ):
        rows.setdefault(link, []).append((left, False, right))
    return rows


def reduce_links(rows: dict[int, list[Row]], links: Iterable[int]) -> list[int]:
    """Shrink a contradictory set of links until none can be spared, in document order.

    A link that the rest can spare is dropped; one that is needed now is needed for good, because
    the rest only shrinks. One check, linear in the set, for each link; none for a ring of
    intervals, each linked to the next, as most conflicts are: what remains of it without one link
    is a chain, and intervals can always be placed along a chain, one after the other.
    """
    instants = {left // 2 for left, _, _ in rows[OWN]}
    kept = sorted(links)
    if _is_ring([rows[link] for link in kept], instants):
        return kept
    for link in tuple(kept):
        fewer = [other for other in kept if other != link]
        if not _is_consistent([row for other in fewer for row in rows[other]], instants):
            kept = fewer
    return kept


def find_closing(points: PointGraph, compound: list[int]) -> tuple[list[int], list[int]]:
    """The ``<`` constraints inside a compound, and those that close a cycle of a search.

    With them, the order in which the search finished the compounds: without the closing
    constraints every ``<`` leads to a compound that was finished earlier.
    """
    outgoing: list[list[int]] = [[] for _ in range(max(compound) + 1)]
    closing = []
    for edge, (left, right) in enumerate(zip(points.less_left, points.less_right, strict=True)):
        if compound[left] == compound[right]:
            closing.append(edge)
        else:
            outgoing[compound[left]].append(edge)
    unseen, open_, done = 0, 1, 2
    colour = [unseen] * len(outgoing)
    finished = [0] * len(outgoing)
    clock = 0
    for start in range(len(outgoing)):
        if colour[start] != unseen:
            continue
        colour[start] = open_
        stack = [(start, iter(outgoing[start]))]
        while stack:
            number, edges = stack[-1]
            for edge in edges:
                after = compound[points.less_right[edge]]
                if colour[after] == unseen:
                    colour[after] = open_
                    stack.append((after, iter(outgoing[after])))
                    break
                if colour[after] == open_:
                    closing.append(edge)
            else:
                colour[number] = done
                finished[number] = clock = clock + 1
                stack.pop()
    return sorted(closing), finished


def list_ways(points: PointGraph, closing: frozenset[int] = frozenset()) -> tuple[Ways, Ways]:
    """From each point the points one constraint away, and the same against the constraints.

    Of several constraints between two points the interval's own or the first link's is taken.
    """
    there: list[dict[int, Way]] = [{} for _ in range(points.size)]
    back: list[dict[int, Way]] = [{} for _ in range(points.size)]
    rows = zip(points.less_left, points.less_right, points.less_link, strict=True)
    for edge, (left, right, link) in enumerate(rows):
        if edge not in closing:
            there[left].setdefault(right, (right, True, link))
            back[right].setdefault(left, (left, True, link))
    rows = zip(points.equal_left, points.equal_right, points.equal_link, strict=True)
    for one, other, link in rows:
        for left, right in ((one, other), (other, one)):
            there[left].setdefault(right, (right, False, link))
            back[right].setdefault(left, (left, False, link))
    return [list(ways.values()) for ways in there], [list(ways.values()) for ways in back]


def find_way(ways: tuple[Ways, Ways], rank: list[int], start: int, goal: int) -> list[WalkStep]:
    """A way from start to goal with the fewest links; an interval's own constraint is free.

    The search goes from both ends, one link at a time from the side that has less to look at,
    until no way through what is left can be shorter. Rank never rises along a way.
    """
    if start == goal:
        return []
    lowest, highest = rank[goal], rank[start]
    cost = ({start: 0}, {goal: 0})
    came: tuple[dict[int, WalkStep], dict[int, WalkStep]] = ({}, {})
    edge = [[start], [goal]]  # the points reached with as many links as were spent
    spent = [0, 0]
    best, meeting = len(rank) + 1, start
    while sum(spent) < best and edge[0] and edge[1]:
        side = int(len(edge[1]) < len(edge[0]))
        mine, other = cost[side], cost[1 - side]
        following: list[int] = []
        for point in edge[side]:  # grows by what is free
            if mine[point] < spent[side]:
                continue
            for after, strict, link in ways[side][point]:
                total = spent[side] + (link != OWN)
                if not lowest <= rank[after] <= highest or total >= mine.get(after, total + 1):
                    continue
                mine[after] = total
                came[side][after] = (
                    (after, strict, point, link) if side else (point, strict, after, link)
                )
                (following if link != OWN else edge[side]).append(after)
                if after in other and total + other[after] < best:
                    best, meeting = total + other[after], after
        edge[side] = following
        spent[side] += 1
    walk = []
    point = meeting
    while point != start:
        walk.append(came[0][point])
        point = walk[-1][0]
    walk.reverse()
    point = meeting
    while point != goal:
        walk.append(came[1][point])
        point = walk[-1][2]
    return walk


def _rotate(walk: list[WalkStep]) -> list[WalkStep]:
    """Start the walk at the step of its first link in document order."""
    first = min(range(len(walk)), key=lambda i: (walk[i][3] == OWN, walk[i][3]))
    return walk[first:] + walk[:first]


def _is_ring(links: list[list[Row]], instants: set[int]) -> bool:
    """Whether each interval is touched by two links and each link by two intervals.

    The links come from one closed walk, so they hang together. An instant cannot be placed in
    every relation to something else, so it does not count.
    """
    degree: dict[int, int] = {}
    for rows in links:
        touched = {point // 2 for left, _, right in rows for point in (left, right)}
        if len(touched) == 1 or not instants.isdisjoint(touched):
            return False
        for interval in touched:
            degree[interval] = degree.get(interval, 0) + 1
    return len(degree) == len(links) and set(degree.values()) == {2}


def _is_consistent(rows: list[Row], instants: set[int]) -> bool:
    """Whether some constraints and the own ones of the intervals they touch can all hold."""
    touched = {point // 2 for left, _, right in rows for point in (left, right)}
    own = [(2 * i, i not in instants, 2 * i + 1) for i in touched]
    root = {point: point for i in touched for point in (2 * i, 2 * i + 1)}

    def find(point: int) -> int:
        while root[point] != point:
            root[point] = point = root[root[point]]
        return point

    everything = own + rows
    for left, strict, right in everything:
        if not strict:
            root[find(left)] = find(right)
    after: dict[int, list[int]] = {find(point): [] for point in root}
    waiting = dict.fromkeys(after, 0)
    for left, strict, right in everything:
        if strict:
            after[find(left)].append(find(right))
            waiting[find(right)] += 1
    free = [point for point, count in waiting.items() if not count]
    for point in free:
        for other in after[point]:
            waiting[other] -= 1
            if not waiting[other]:
                free.append(other)
    return len(free) == len(after)
