"""Witnesses: complete timelines that prove that an order is unknown."""

from __future__ import annotations

from tlex.points.graphs import CompoundGraph

__all__ = ["separate"]


def separate(graph: CompoundGraph, firsts: list[int], seconds: list[int]) -> list[int]:
    """Lay out a timeline on which the first compounds precede the second ones where possible.

    Returns the step of each compound. ``firsts`` and ``seconds`` are chains, as the points of an
    interval are. Therefore all pairs whose order is unknown can be ordered the same way at once: a
    cycle would lead from a first compound to a second one, from there to a first one further up
    the chain, and so on, and would never close.
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
    """For each compound, a bit for each source that precedes it or is it."""
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
