"""How two events or times are related: what is entailed, or what is still possible.

Constraints are ``<`` and ``=`` only. So every order of the four end points that agrees with what is
entailed for each two of them can be extended to a timeline of all points. The closure of the four
points is all one needs to know.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from itertools import product

from tlex.algebra import BASIC, Basic
from tlex.points.graphs import Consistent
from tlex.reason.pairs import is_indeterminate
from tlex.records import Connection

__all__ = [
    "CROSSING",
    "Order",
    "close_orders",
    "find_orders",
    "find_path",
    "list_possible",
    "read_orders",
    "thin",
]

CROSSING = ((0, 2), (0, 3), (1, 2), (1, 3))
"""The pairs of end points, one of A and one of B: 0 to 3 stand for A-, A+, B-, B+."""

Order = tuple[int, str, int]
"""Two of the four end points, and ``<`` or ``=`` between them."""

# In which order `thin` tries to drop them: those of a start and an end first.
_THIN_OUT = ((0, 3), (1, 2), (1, 3), (0, 2))


def find_orders(component: Consistent, source: int, target: int) -> str:
    """The order of each crossing pair of end points of two intervals: ``<=>``, or ``?``."""
    graph, steps = component.graph, component.steps
    ends = [graph.compound[2 * source + side] for side in (0, 1)]
    ends += [graph.compound[2 * target + side] for side in (0, 1)]
    found = ""
    for left, right in CROSSING:
        one, other = ends[left], ends[right]
        if one == other:
            found += "="
        elif is_indeterminate(graph, steps, one, other):
            found += "?"
        else:
            found += "<" if steps.earliest[one] < steps.earliest[other] else ">"
    return found


@cache
def list_possible(orders: str, instants: tuple[bool, bool]) -> tuple[Basic, ...]:
    """List the relations that agree with the known orders, in Allen's sequence."""
    return tuple(
        basic
        for basic in BASIC[instants]
        if all(known in ("?", order) for known, order in zip(orders, basic.orders, strict=True))
    )


def thin(orders: str, instants: tuple[bool, bool]) -> list[Order]:
    """Drop the known orders that follow from the others: a row of Table 1, or part of one, is left.

    >>> thin("<<=<", (False, False))  # meets
    [(1, '=', 2)]
    """
    known = {
        pair: _signed(pair[0], order, pair[1])
        for pair, order in zip(CROSSING, orders, strict=True)
        if order != "?"
    }
    for pair in _THIN_OUT:
        rest = {other: order for other, order in known.items() if other != pair}
        if pair in known and known[pair] in close_orders(rest.values(), instants):
            known = rest
    return list(known.values())


def close_orders(orders: Collection[Order], instants: tuple[bool, bool]) -> set[Order]:
    """Find all orders of the four end points that follow. The given ones must be consistent."""
    closed = {(2 * one, "=" if instants[one] else "<", 2 * one + 1) for one in (0, 1)}
    closed |= set(orders) | {(point, "=", point) for point in range(4)}
    closed |= {(right, "=", left) for left, order, right in closed if order == "="}
    for middle, left, right in product(range(4), repeat=3):
        for first, second in product("<=", repeat=2):
            if (left, first, middle) in closed and (middle, second, right) in closed:
                closed.add((left, min(first, second), right))
    return closed


def read_orders(closed: Collection[Order]) -> str:
    """Give closed orders in the form of `find_orders`: one sign for each crossing pair."""
    return "".join(
        next((sign for sign in "<=>" if _signed(left, sign, right) in closed), "?")
        for left, right in CROSSING
    )


def find_path(connections: Sequence[Connection], start: int, goal: int) -> list[Connection]:
    """Find the shortest chain of SLINKs from one timeline to another, in either direction.

    Of several, the one that the earlier links lead to. Empty if there is none.
    """
    touching: dict[int, list[tuple[int, Connection]]] = {}
    for connection in connections:
        ends = connection.source_timeline, connection.target_timeline
        touching.setdefault(ends[0], []).append((ends[1], connection))
        touching.setdefault(ends[1], []).append((ends[0], connection))
    came: dict[int, tuple[int, Connection]] = {}
    queue = [start]
    for number in queue:
        if number == goal:
            break
        for other, connection in touching.get(number, ()):
            if other != start and other not in came:
                came[other] = (number, connection)
                queue.append(other)
    path: list[Connection] = []
    while goal in came:
        goal, connection = came[goal]
        path.append(connection)
    return path[::-1]


def _signed(left: int, sign: str, right: int) -> Order:
    return (right, "<", left) if sign == ">" else (left, sign, right)
