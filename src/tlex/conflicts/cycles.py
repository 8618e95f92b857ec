"""Closed walks that prove a contradiction (§3.4).

There is one for each ``<`` constraint that lies inside a compound or that closes a cycle when a
depth-first search meets it. Without these constraints the graph is consistent. The paper reports
the cycle of the search. Here the same constraint is closed by a walk back with the fewest links,
because an annotator has to read it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from tlex.points.graphs import OWN, PointGraph
from tlex.points.walks import Walks, WalkStep

__all__ = ["Cycle", "find_closing", "find_cycles"]


class Cycle(Struct):
    """A closed walk with at least one ``<``, and how many compounds it passes."""

    walk: list[WalkStep]
    compounds: int


def find_cycles(points: PointGraph, compound: Sequence[int]) -> Iterator[Cycle]:
    """Find closed walks of an inconsistent graph, in document order of the closing constraints.

    ``compound`` gives each point's compound. Finding the closing constraints is linear. Each walk
    takes a breadth-first search, and is found only when asked for.
    """
    closing, finished = find_closing(points, compound)
    level = [-finished[number] for number in compound]
    walks = Walks(points, level, closing=frozenset(closing), distinct=True)
    seen: set[tuple[int, int, int]] = set()
    for edge in closing:
        left, right, link = points.less_left[edge], points.less_right[edge], points.less_link[edge]
        if (left, right, link) in seen:  # a self-loop may have the same constraint twice
            continue
        seen.add((left, right, link))
        back = walks.find(right, left)
        if back is not None:  # always: the constraint closes a cycle
            walk = [(left, True, right, link), *back]
            yield Cycle(_rotate(walk), len({compound[step[0]] for step in walk}))


def find_closing(points: PointGraph, compound: Sequence[int]) -> tuple[list[int], list[int]]:
    """Find the ``<`` constraints inside a compound, and those that close a cycle of a search.

    Returns their places, and the order in which the search finished the compounds. Without the
    closing constraints every ``<`` leads to a compound that was finished earlier.
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


def _rotate(walk: list[WalkStep]) -> list[WalkStep]:
    """Start the walk at the step of its first link in document order."""
    first = min(range(len(walk)), key=lambda i: (walk[i][3] == OWN, walk[i][3]))
    return walk[first:] + walk[:first]
