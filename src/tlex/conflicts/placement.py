"""Local search for a cheap repair: intervals on a line, moved one at a time.

Wherever the intervals stand, some links hold and the others do not. Those that do not are a repair.
One interval is moved at a time, to where the links that hold weigh most while all other intervals
stay. That place is found exactly: with the others fixed, a link allows some places for the start
and some for the end. After a while without progress some intervals are put anywhere.

This finds good repairs of dense tangles in hundredths of a second. It proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random

from tlex.conflicts.work import Work
from tlex.points.graphs import PointConstraint

__all__ = ["Placement"]

_PATIENCE = 12
"""Rounds without progress after which some intervals are put anywhere."""

_SHARE = 8
"""One in so many intervals is then put anywhere, at least two."""

_WIDE = 120
"""With more places than this, start and end are chosen one after the other."""

_LARGEST = 40_000
"""An interval with more links times places than this is not moved."""


class Placement:
    """Intervals on a line. Interval i has the points 2i and 2i + 1.

    ``costs`` are those of the links. Links that are ``kept`` hold in every ``best``. ``places``
    gives each point its place to begin with, and the kept links have to hold there.
    """

    def __init__(
        self,
        rows: Mapping[int, Sequence[PointConstraint]],
        costs: Mapping[int, int],
        kept: Collection[int],
        instants: Collection[int],
        places: Sequence[float],
    ) -> None:
        self._dice = Random(1)  # noqa: S311 -- the same in every run
        self._rows = rows
        self._instants = frozenset(instants)
        self._most = sum(costs.values()) + 1
        self._costs = {link: self._most if link in kept else costs[link] for link in rows}
        self._place = [float(place) for place in places]
        self._around: list[list[int]] = [[] for _ in range(len(places) // 2)]
        for link, own in rows.items():
            touched = sorted({point // 2 for left, _, right in own for point in (left, right)})
            for interval in touched if len(touched) > 1 else ():
                self._around[interval].append(link)
        self._order = [interval for interval, links in enumerate(self._around) if links]
        self._patience = _PATIENCE
        self._size = sum(map(len, rows.values()))
        self._count = [_make_counter([self._costs[link] for link in own]) for own in self._around]
        self.best = self._list_broken()
        self.cost = self._add_up(self.best)
        self._safe = self._place[:]

    def improve(self, work: Work, pause: int) -> bool:
        """Search until the pause; whether something better was found."""
        before = self.cost
        while not work.is_over(pause) and self._order:
            self._dice.shuffle(self._order)
            for interval in self._order:
                work.spend(self._move(interval))
            broken = self._list_broken()
            work.spend(self._size)
            cost = self._add_up(broken)
            if cost < self.cost:
                self.best, self.cost, self._safe = broken, cost, self._place[:]
                self._patience = _PATIENCE
            else:
                self._patience -= 1
            if not self._patience:
                self._shake()
        return self.cost < before

    def _shake(self) -> None:
        """Go back to the best places, and put some intervals anywhere."""
        self._patience = _PATIENCE
        ranks = {place: float(rank) for rank, place in enumerate(sorted(set(self._safe)))}
        self._place = [ranks[place] for place in self._safe]
        self._safe = self._place[:]
        most = min(len(self._order), max(2, len(self._order) // _SHARE))
        for interval in self._dice.sample(self._order, most):
            ends = sorted(self._dice.uniform(0, len(ranks)) for _ in "-+")
            self._set(interval, ends[0], ends[1])

    def _set(self, interval: int, start: float, end: float) -> None:
        if interval in self._instants:
            end = start
        elif end <= start:  # the places between two others are used up
            return
        self._place[2 * interval : 2 * interval + 2] = start, end

    def _move(self, interval: int) -> int:
        """Move an interval to a place where most holds; return the work that it took."""
        place = self._place
        points = {
            point
            for link in self._around[interval]
            for left, _, right in self._rows[link]
            for point in (left, right)
        }
        values = sorted({place[point] for point in points if point // 2 != interval})
        size = 2 * len(values) + 1
        if len(self._around[interval]) * size > _LARGEST:
            return 1
        starts, ends = self._allow(interval, values, size)
        count = self._count[interval]
        if interval in self._instants:
            first, last = _pick_instant(starts, ends, count, self._dice)
        elif size > _WIDE:
            first, last = self._pick_in_turn(interval, values, starts, ends)
        else:
            first, last = _pick_both(starts, ends, count, self._dice)
        begin, end = self._draw(values, first), self._draw(values, last)
        if first == last:
            begin, end = min(begin, end), max(begin, end)
        self._set(interval, begin, end)
        return len(self._around[interval]) * size // 4 + min(size, _WIDE) ** 2 // 8

    def _allow(self, interval: int, values: list[float], size: int) -> tuple[list[int], list[int]]:
        """For each place of the start and of the end, the links that allow it, as bits.

        Place 2i + 1 is the i-th value; even places lie between two values.
        """
        where = {value: 2 * number + 1 for number, value in enumerate(values)}
        full = (1 << len(self._around[interval])) - 1
        allowed = [full] * size, [full] * size
        place = self._place
        for number, link in enumerate(self._around[interval]):
            without = ~(1 << number)
            for left, strict, right in self._rows[link]:
                if left // 2 == right // 2:
                    continue
                mine, other = (left, right) if left // 2 == interval else (right, left)
                at = where[place[other]]
                bits = allowed[mine % 2]
                if not strict:
                    forbidden: Sequence[int] = (*range(at), *range(at + 1, size))
                elif mine == left:
                    forbidden = range(at, size)
                else:
                    forbidden = range(at + 1)
                for position in forbidden:
                    bits[position] &= without
        return allowed

    def _pick_in_turn(
        self, interval: int, values: list[float], starts: list[int], ends: list[int]
    ) -> tuple[int, int]:
        """Pick the start that suits the present end, and the end that suits that start."""
        count = self._count[interval]
        last = _find_place(values, self._place[2 * interval + 1])
        options = range(last + 1 - last % 2)
        first = self._pick(options, [count(starts[at] & ends[last]) for at in options])
        options = range(first + first % 2, len(ends))
        last = self._pick(options, [count(starts[first] & ends[at]) for at in options])
        return first, last

    def _pick(self, options: range, counts: list[int]) -> int:
        most = max(counts)
        return self._dice.choice([at for at, n in zip(options, counts, strict=True) if n == most])

    def _draw(self, values: list[float], at: int) -> float:
        """Draw a number for a place."""
        if at % 2:
            return values[at // 2]
        low = values[at // 2 - 1] if at else values[0] - 1
        high = values[at // 2] if at // 2 < len(values) else values[-1] + 1
        drawn = self._dice.uniform(low, high)
        return drawn if low < drawn < high else (low + high) / 2

    def _list_broken(self) -> list[int]:
        place = self._place
        return [
            link
            for link, rows in self._rows.items()
            if not all(
                place[left] < place[right] if strict else place[left] == place[right]
                for left, strict, right in rows
            )
        ]

    def _add_up(self, links: list[int]) -> int:
        return sum(self._costs[link] for link in links)


def _make_counter(weights: list[int]) -> Callable[[int], int]:
    """Make a function that adds up the weights of the bits of a number."""
    groups: dict[int, int] = {}
    for number, weight in enumerate(weights):
        groups[weight] = groups.get(weight, 0) | 1 << number
    if len(groups) == 1:
        return int.bit_count
    pairs = list(groups.items())
    return lambda bits: sum(weight * (bits & own).bit_count() for weight, own in pairs)


def _find_place(values: list[float], value: float) -> int:
    below = sum(1 for other in values if other < value)
    return 2 * below + (below < len(values) and values[below] == value)


def _pick_instant(
    starts: list[int], ends: list[int], count: Callable[[int], int], dice: Random
) -> tuple[int, int]:
    counts = [count(one & other) for one, other in zip(starts, ends, strict=True)]
    most = max(counts)
    at = dice.choice([number for number, held in enumerate(counts) if held == most])
    return at, at


def _pick_both(
    starts: list[int], ends: list[int], count: Callable[[int], int], dice: Random
) -> tuple[int, int]:
    """Pick start and end so that as much as possible holds; of several pairs one by chance."""
    size = len(starts)
    most = -1
    options: list[tuple[int, int]] = []
    for first, allowed in enumerate(starts):
        if count(allowed) < most:
            continue
        for last in range(first + first % 2, size):
            held = count(allowed & ends[last])
            if held >= most:
                if held > most:
                    most, options = held, []
                options.append((first, last))
    return dice.choice(options)
