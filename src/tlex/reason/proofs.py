"""What makes an answer believable: a walk for an entailed order, two timelines for an open one.

A walk with the fewest steps that need a link also has the fewest links: no such walk needs one
link twice. Between two uses it would come back to the interval that it left, or leave it a second
time, and from an interval's start to its end there is a way without any link.
"""

from __future__ import annotations

from collections.abc import Iterable

from tlex.graph import CompoundGraph, PointGraph, Steps
from tlex.steps.conflicts import WalkStep, find_way, list_ways

__all__ = ["find_walks", "separate"]


def find_walks(
    points: PointGraph, graph: CompoundGraph, steps: Steps, pairs: Iterable[tuple[int, int]]
) -> list[list[WalkStep]]:
    """For each pair of points, the second equal to the first or entailed to follow it, a walk.

    It has the fewest links; an interval's own constraint costs nothing. As steps rise along a
    ``<`` and only there, the walk between equal points is made of ``=`` alone. Linear for each.
    """
    ways = list_ways(points)
    rank = [-steps.earliest[compound] for compound in graph.compound]
    return [find_way(ways, rank, left, right) for left, right in pairs]


def separate(graph: CompoundGraph, firsts: list[int], seconds: list[int]) -> list[int]:
    """Lay out a timeline on which the one compounds precede the others wherever that is open.

    The step of each compound comes back. ``firsts`` and ``seconds`` are chains, as the points of
    an interval are: therefore all the open pairs can be ordered the same way at once. (A cycle
    would lead from a first to a second, which is open, and on to a first that must come later
    than the one before; and so on, which never closes.)
    """
    above = _reach(graph, seconds)
    extra = {
        one: [other for place, other in enumerate(seconds) if not above[one] >> place & 1]
        for one in firsts
    }
    waiting = [0] * graph.size
    for number, others in enumerate(graph.successors):
        for after in (*others, *extra.get(number, ())):
            waiting[after] += 1
    step = [1] * graph.size
    free = [number for number, count in enumerate(waiting) if not count]
    for number in free:
        for after in (*graph.successors[number], *extra.get(number, ())):
            step[after] = step[number] + 1  # steps never fall along the queue
            waiting[after] -= 1
            if not waiting[after]:
                free.append(after)
    return step


def _reach(graph: CompoundGraph, sources: list[int]) -> list[int]:
    """For each compound, the bits of the sources that precede it or are it."""
    bits = [0] * graph.size
    for place, number in enumerate(sources):
        if bits[number] >> place & 1:
            continue
        queue = [number]
        bits[number] |= 1 << place
        for one in queue:
            for after in graph.successors[one]:
                if not bits[after] >> place & 1:
                    bits[after] |= 1 << place
                    queue.append(after)
    return bits
