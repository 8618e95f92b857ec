"""What the known orders of end points make of a row: entailed, contradicted or open."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache

from tlex.algebra import list_basic
from tlex.components import Components
from tlex.conflicts.text_order import Row
from tlex.points.reachability import find_preceding
from tlex.reason.relations import CROSSING, list_possible

__all__ = ["Asked", "find_ends", "find_pair_orders", "judge_row"]

Asked = tuple[int, int, Row]
"""Two nodes, by their numbers, and a row of constraints on them."""

_SAME = "=<>="
_UNKNOWN = "????"
_INTERVALS = (False, False)


@cache
def judge_row(orders: str, row: Row) -> str:
    """Say what known orders of the end points make of a row.

    Every relation that agrees with the known orders is possible, so the row is entailed if it
    holds in all of them, and contradicted if it holds in none.

    >>> judge_row("<<<<", ((1, True, 2),)), judge_row("????", ((1, True, 2),))
    ('entailed', 'open')
    """
    possible, allowed = {*list_possible(orders, _INTERVALS)}, {*list_basic(row)}
    if possible <= allowed:
        return "entailed"
    return "contradicted" if possible.isdisjoint(allowed) else "open"


def find_pair_orders(components: Components, pairs: Sequence[tuple[int, int]]) -> list[str]:
    """Find the orders of the end points of pairs of nodes, all of them with a few passes.

    ``components`` are consistent.
    """
    if not pairs:
        return []
    located = components.located
    graph, steps = components.whole
    earliest, part = steps.earliest, components.component_of
    asked: set[tuple[int, int]] = set()
    places: list[tuple[int, ...] | None] = []
    for one, other in pairs:
        if one == other or part[one] != part[other]:
            places.append(None)
            continue
        ends = (*located[2 * one : 2 * one + 2], *located[2 * other : 2 * other + 2])
        places.append(ends)
        for left, right in CROSSING:
            low, high = ends[left], ends[right]
            if earliest[low] < earliest[high]:
                asked.add((low, high))
            elif earliest[high] < earliest[low]:
                asked.add((high, low))
    preceding = find_preceding(graph, steps, asked)
    found = []
    for (one, other), place in zip(pairs, places, strict=True):
        if place is None:
            found.append(_SAME if one == other else _UNKNOWN)
            continue
        orders = ""
        for left, right in CROSSING:
            low, high = place[left], place[right]
            if low == high:
                orders += "="
            elif (low, high) in preceding:
                orders += "<"
            else:
                orders += ">" if (high, low) in preceding else "?"
        found.append(orders)
    return found


def find_ends(members: Sequence[int], one: int, other: int) -> list[int]:
    """Find the numbers of the end points of two nodes in their part, by its ``members``."""
    return [2 * bisect_left(members, node) + side for node in (one, other) for side in (0, 1)]
