"""A minimum repair: the least costly links whose removal leaves no contradiction.

A repair has to remove a link of every conflict: it is a hitting set. There are too many conflicts
to list, so they are learnt as they are needed. A minimum hitting set of the conflicts known so far
costs no more than any repair. As soon as it leaves no contradiction it is a repair itself, and so a
minimum one. Greedy choices come first. They prove nothing, but they take no time, and with them
most of the conflicts are learnt.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from time import monotonic

from msgspec import Struct

from tlex.conflicts.hitting import QUICK, add_up, choose_greedily, choose_least, list_least
from tlex.conflicts.knots import Knot

__all__ = ["Minimum", "UnrepairableError", "find_minimum"]

_FEW = 400
"""With more conflicts than this, other repairs of the same cost are not searched."""

_WORK = 5_000_000
"""How many links may be looked at while a greedy repair is made smaller."""


class UnrepairableError(Exception):
    """Links that contradict each other, and none of them may be removed."""

    def __init__(self, links: list[int]) -> None:
        super().__init__(links)
        self.links = links


class Minimum(Struct):
    """The least costly repairs of a knot that were found, each in document order.

    Every repair costs at least ``bound``. If ``bound`` equals ``cost``, the repairs are proven to
    be minimum. ``complete`` says whether there are no other repairs of this cost.
    """

    repairs: list[tuple[int, ...]]
    cost: int
    bound: int
    complete: bool


def find_minimum(
    knot: Knot,
    costs: Mapping[int, int],
    kept: Collection[int] = (),
    limit: int = 1,
    deadline: float | None = None,
) -> Minimum:
    """Find up to ``limit`` minimum repairs of a knot, at least one.

    ``costs`` gives the cost of each link, a whole number above 0. Links that are ``kept`` may not
    be removed. Raises `UnrepairableError` if these contradict each other. If the ``deadline`` is
    reached, the best known repair comes back, with the bound that is proven so far.

    Links that say the same are removed together or stay together. So they are one link here, which
    costs what all of them cost, and which is kept if one of them is.
    """
    kept_links = frozenset(kept)
    _check_kept(knot, kept_links)
    classes = knot.classes
    found = _solve(
        knot.core,
        {first: add_up(same, costs) for first, same in classes.items()},
        {first for first, same in classes.items() if not kept_links.isdisjoint(same)},
        limit,
        deadline,
    )
    found.repairs = [
        tuple(sorted(link for first in repair for link in classes[first]))
        for repair in found.repairs
    ]
    return found


def _solve(
    knot: Knot,
    costs: Mapping[int, int],
    kept: Collection[int],
    limit: int,
    deadline: float | None,
) -> Minimum:
    """Find minimum repairs of a knot in which no two links say the same."""
    known: list[list[int]] = []
    rough: Collection[int] = ()
    while not knot.is_consistent(rough):
        if not _learn(known, knot, kept, rough, deadline):
            rough = knot.cut(rough, kept)
            break
        rough = choose_greedily(known, costs)
    least, bound = choose_least(known, costs, deadline)
    while least is not None and not knot.is_consistent(least):
        if _learn(known, knot, kept, least, deadline):
            least, bound = choose_least(known, costs, deadline)
        else:
            least = None
    if least is None:
        best = _put_back(knot, rough, costs)
        return Minimum([best], add_up(best, costs), bound, complete=False)
    repairs, complete = _list_others(known, knot, costs, kept, least, limit, deadline)
    return Minimum(repairs, bound, bound, complete)


def _check_kept(knot: Knot, kept: Collection[int]) -> None:
    """Raise an error if the links that must stay contradict each other."""
    free = [link for link in knot.links if link not in kept]
    for conflict in knot.find_conflicts(free):
        raise UnrepairableError(conflict)


def _learn(
    known: list[list[int]],
    knot: Knot,
    kept: Collection[int],
    removed: Collection[int],
    deadline: float | None,
) -> bool:
    """Learn conflicts among the links that are not removed; False if the deadline is reached."""
    for conflict in knot.find_conflicts(removed):
        known.append([link for link in conflict if link not in kept])
        if _is_late(deadline) and len(known) >= QUICK:
            return False
    return True


def _is_late(deadline: float | None) -> bool:
    return deadline is not None and monotonic() >= deadline


def _list_others(  # noqa: PLR0913, PLR0917 -- the state of one search
    known: list[list[int]],
    knot: Knot,
    costs: Mapping[int, int],
    kept: Collection[int],
    least: tuple[int, ...],
    limit: int,
    deadline: float | None,
) -> tuple[list[tuple[int, ...]], bool]:
    """List the repairs that cost as much as a known minimum one, which comes first.

    They come in the order in which they are found. So a smaller limit gives the first of them.
    """
    cost = add_up(least, costs)
    found = [least]
    while len(known) <= _FEW and limit > 1:
        for chosen in list_least(known, costs, deadline, found):
            if add_up(chosen, costs) > cost:
                return found, True
            if not knot.is_consistent(chosen):
                _learn(known, knot, kept, chosen, deadline)
                break
            if len(found) == limit or _is_late(deadline):
                return found, False
            found.append(chosen)
        else:
            return found, not _is_late(deadline)
    return found, False


def _put_back(knot: Knot, repair: Collection[int], costs: Mapping[int, int]) -> tuple[int, ...]:
    """Put back links that need not be removed, the most costly first, several at once if possible.

    The number of attempts is limited, so a very large repair may stay larger than necessary.
    """
    removed = set(repair)
    groups = [sorted(repair, key=lambda link: (-costs[link], link))]
    tries = _WORK // len(knot.links)
    while groups and tries:
        group = groups.pop()
        tries -= 1
        if knot.is_consistent(removed.difference(group)):
            removed.difference_update(group)
        elif len(group) > 1:
            half = len(group) // 2
            groups += [group[half:], group[:half]]
    return tuple(sorted(removed))
