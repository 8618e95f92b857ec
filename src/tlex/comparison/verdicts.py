"""What the known orders of end points make of a row: entailed, contradicted or open."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache

from tlex.algebra import list_basic
from tlex.components import Components
from tlex.conflicts.text_order import Row
from tlex.points.reachability import Reach
from tlex.reason.relations import CROSSING, list_possible

__all__ = ["Asked", "find_ends", "find_pair_orders", "judge_row"]

Asked = tuple[int, int, Row]
"""Two nodes, by their numbers, and a row of constraints on them."""

_SAME = "=<>="
_BEFORE, _AFTER = "<<<<", ">>>>"
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


def find_pair_orders(
    components: Components, pairs: Sequence[tuple[int, int]], reach: Reach | None = None
) -> list[str]:
    """Find the orders of the end points of pairs of nodes, all of them with a few passes.

    ``components`` are consistent. ``reach`` is that of their whole graph, if it is kept.
    """
    part, located = components.component_of, components.located
    found = []
    places: list[tuple[list[str], list[int]]] = []
    for one, other in pairs:
        signs = list(_SAME if one == other else _UNKNOWN)
        found.append(signs)
        if one != other and part[one] == part[other]:
            ends = [*located[2 * one : 2 * one + 2], *located[2 * other : 2 * other + 2]]
            places.append((signs, ends))
    if places:
        goals = (end for _, ends in places for end in ends)
        for bit, reached in (reach or Reach(*components.whole)).list_blocks(goals):
            for signs, ends in places:
                first, last, start, end = ends
                if last != start and reached[last] & bit.get(start, 0):
                    signs[:] = _BEFORE
                    continue
                if end != first and reached[end] & bit.get(first, 0):
                    signs[:] = _AFTER
                    continue
                for crossing, (left, right) in enumerate(CROSSING):
                    low, high = ends[left], ends[right]
                    if low == high:
                        signs[crossing] = "="
                    elif reached[low] & bit.get(high, 0):
                        signs[crossing] = "<"
                    elif reached[high] & bit.get(low, 0):
                        signs[crossing] = ">"
    return list(map("".join, found))


def find_ends(members: Sequence[int], one: int, other: int) -> list[int]:
    """Find the numbers of the end points of two nodes in their part, by its ``members``."""
    return [2 * bisect_left(members, node) + side for node in (one, other) for side in (0, 1)]
