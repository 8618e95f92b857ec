"""Walks along constraints: what leads to what and back, and closed walks that contradict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush

from tlex.checker.timelines import Edge

__all__ = ["find_closed_walk", "find_strong_parts", "measure_shortest", "turn"]


def find_strong_parts(edges: Iterable[Edge]) -> dict[int, int]:
    """Map each point to one of those that it leads to and that lead back to it (Kosaraju)."""
    forward: dict[int, list[int]] = {}
    backward: dict[int, list[int]] = {}
    for left, order, right, _ in edges:
        for one, other in ((left, right), (right, left)) if order == "=" else ((left, right),):
            forward.setdefault(one, []).append(other)
            backward.setdefault(other, []).append(one)
            forward.setdefault(other, [])
            backward.setdefault(one, [])
    finished: list[int] = []
    seen: set[int] = set()
    for start, onward in forward.items():
        stack = [(start, iter(onward))] if start not in seen else []
        seen.add(start)
        while stack:
            point, ways = stack[-1]
            fresh = next((other for other in ways if other not in seen), None)
            if fresh is None:
                finished.append(point)
                stack.pop()
            else:
                seen.add(fresh)
                stack.append((fresh, iter(forward[fresh])))
    part: dict[int, int] = {}
    for root in reversed(finished):
        waiting = [root] if root not in part else []
        while waiting:
            point = waiting.pop()
            if point not in part:
                part[point] = root
                waiting.extend(backward[point])
    return part


def find_closed_walk(edges: Sequence[Edge]) -> list[Edge] | None:
    """Find a closed walk with a <; None if the constraints can be met."""
    part = find_strong_parts(edges)
    ways: dict[int, list[Edge]] = defaultdict(list)
    strict = None
    for edge in edges:
        if part[edge.left] == part[edge.right]:
            ways[edge.left].append(edge)
            if edge.order == "=":
                ways[edge.right].append(Edge(edge.right, "=", edge.left, edge.link))
            elif strict is None:
                strict = edge
    if strict is None:
        return None
    came: dict[int, Edge] = {}
    queue = [strict.right]
    for point in queue:  # grows
        if point == strict.left:
            break
        for way in ways[point]:
            if way.right != strict.right and way.right not in came:
                came[way.right] = way
                queue.append(way.right)
    walk = [strict]
    at = strict.left
    while at != strict.right:
        walk.append(came[at])
        at = came[at].left
    return walk


def turn(edge: Edge) -> list[Edge]:
    """Give the ways in which a walk can go along a constraint: a = can be turned around."""
    left, order, right, link = edge
    return [edge] if order == "<" else [edge, Edge(right, order, left, link)]


def measure_shortest(
    edges: Iterable[Edge], starts: Iterable[Edge], compound: Mapping[int, int]
) -> tuple[int, int] | None:
    """Measure the shortest contradictory closed walk through one of the starts; None without any.

    First the steps with a link count, then the steps from one compound to another.
    """
    ways: dict[int, list[Edge]] = defaultdict(list)
    for edge in edges:
        for way in turn(edge):
            ways[way.left].append(way)

    def price(step: Edge) -> tuple[int, int]:
        return step.link is not None, compound[step.left] != compound[step.right]

    shortest = None
    for start in (way for edge in starts for way in turn(edge)):
        queue = [(*price(start), start.right, start.order == "<")]
        done: set[tuple[int, bool]] = set()
        while queue:
            links, changes, point, met = heappop(queue)
            if (point, met) == (start.left, True):
                shortest = min(shortest or (links, changes), (links, changes))
                break
            if (point, met) not in done:
                done.add((point, met))
                for way in ways[point]:
                    more, change = price(way)
                    state = way.right, met or way.order == "<"
                    heappush(queue, (links + more, changes + change, *state))
    return shortest
