"""A scorer of the tests' own: every scenario of four intervals is a bit of an integer.

A scenario is a weak order of the eight end points. A claim is the set of the scenarios in which it
holds. So entailment is inclusion, contradiction is an empty intersection, and nothing of the
library is needed.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

NAMES = "abcd"

# label: what holds between the start and end (s, e) of A and those (t, f) of B
MEANING = {
    "BEFORE": "e<t",
    "AFTER": "f<s",
    "IBEFORE": "e=t",
    "IAFTER": "f=s",
    "BEGINS": "s=t e<f",
    "BEGUN_BY": "s=t f<e",
    "ENDS": "t<s e=f",
    "ENDED_BY": "s<t e=f",
    "INCLUDES": "s<t f<e",
    "IS_INCLUDED": "t<s e<f",
    "SIMULTANEOUS": "s=t e=f",
    "IDENTITY": "s=t e=f",
    "DURING": "s=t e=f",
    "OVERLAP": "s<f t<e",
    "STARTS_BEFORE": "s<t",
}
# The first of the labels that mean the same, read from the earlier end, in the order of Table 1.
_ORDER = tuple(MEANING)
_TURNED = {
    "BEFORE": "AFTER",
    "IBEFORE": "IAFTER",
    "BEGINS": "BEGUN_BY",
    "ENDS": "ENDED_BY",
    "INCLUDES": "IS_INCLUDED",
}
_TURNED |= {other: label for label, other in _TURNED.items()}


@cache
def scenarios() -> list[tuple[int, ...]]:
    """All weak orders of the end points of four intervals: the place of each end point."""
    found = [()]
    for _ in NAMES:
        larger = set()
        for places in found:
            steps = max(places, default=-1) + 1
            doubled = [2 * place + 1 for place in places]  # room before, between and behind
            for start in range(2 * steps + 1):
                for end in range(start, 2 * steps + 1):
                    if start == end and start % 2:  # a start and an end are never one instant
                        continue
                    ends = (2 * start, 2 * end + (start == end))
                    whole = [2 * place for place in doubled] + list(ends)
                    rank = {place: number for number, place in enumerate(sorted(set(whole)))}
                    larger.add(tuple(rank[place] for place in whole))
        found = sorted(larger)
    return found


@cache
def holds(one: str, label: str, other: str) -> int:
    """The scenarios in which a link holds."""
    a, b = NAMES.index(one), NAMES.index(other)
    steps = _find_steps(a, label, b)
    return sum(
        1 << number
        for number, places in enumerate(scenarios())
        if all(
            places[left] < places[right] if order == "<" else places[left] == places[right]
            for left, order, right in steps
        )
    )


def _find_steps(a, label, b):
    """The constraints of a link as pairs of numbered end points."""
    ends = {"s": 2 * a, "e": 2 * a + 1, "t": 2 * b, "f": 2 * b + 1}
    return [(ends[left], order, ends[right]) for left, order, right in MEANING[label].split()]


class Judge:
    """One side of a comparison, by brute force."""

    def __init__(self, links, policy):
        claims = {}
        for one, label, other in links:
            pair = tuple(sorted((one, other)))
            claims.setdefault((pair, holds(one, label, other)), (one, label, other))
        self.claims = sorted(claims.items(), key=lambda item: (item[0][0], self._place(item[1])))
        self.masks = [mask for (_, mask), _ in self.claims]
        self.pairs = [pair for (pair, _), _ in self.claims]
        self.policy = policy
        everyone = (1 << len(scenarios())) - 1
        self.repairs = self._find_repairs(everyone)
        self.everyone = everyone
        self.muted = self._mute()
        self.believed = [n for n in range(len(self.masks)) if n not in self.muted]
        self.counted = self._count()

    @staticmethod
    def _place(link):
        one, label, other = link
        if one > other:
            label = _TURNED.get(label, label if label != "STARTS_BEFORE" else "~")
        if label in {"IDENTITY", "DURING"}:
            label = "SIMULTANEOUS"
        return _ORDER.index(label) if label in _ORDER else len(_ORDER)

    def _meet(self, numbers, everyone):
        left = everyone
        for number in numbers:
            left &= self.masks[number]
        return left

    def _find_repairs(self, everyone):
        """All smallest repairs; first the one that keeps the first claim it can."""
        numbers = range(len(self.masks))
        for size in range(len(self.masks) + 1):
            found = [
                gone
                for gone in combinations(numbers, size)
                if self._meet((n for n in numbers if n not in gone), everyone)
            ]
            if found:
                return sorted(found, key=lambda gone: [n in gone for n in numbers])
        raise AssertionError

    def _mute(self):
        if self.repairs == [()]:
            return set()
        if self.policy == "part":
            return {n for part in self._parts() if self._contradictory(part) for n in part}
        if self.policy == "knot":
            return set(self._list_knotted())
        return set(self.repairs[0])

    def _list_knotted(self):
        """The claims with a constraint on a closed walk that has a ``<``."""
        steps = [(2 * n, "<", 2 * n + 1, None) for n in range(len(NAMES))]
        for number, (_, (one, label, other)) in enumerate(self.claims):
            for left, order, right in _find_steps(NAMES.index(one), label, NAMES.index(other)):
                steps.append((left, order, right, number))
                if order == "=":
                    steps.append((right, order, left, number))
        reach = {(point, point) for point in range(2 * len(NAMES))}
        reach |= {(left, right) for left, _, right, _ in steps}
        for _ in range(4):
            reach |= {
                (one, last) for one, middle in reach for start, last in reach if middle == start
            }
        for left, _, right, number in steps:
            strict = any(
                order == "<" and (right, one) in reach and (other, left) in reach
                for one, order, other, _ in steps
            )
            own = (right, left) in reach
            if number is not None and own and strict:
                yield number

    def _contradictory(self, numbers):
        return not self._meet(numbers, self.everyone)

    def _parts(self):
        group = {name: name for name in NAMES}
        for one, other in self.pairs:
            old, new = group[one], group[other]
            group = {name: new if label == old else label for name, label in group.items()}
        parts = {}
        for number, (one, _) in enumerate(self.pairs):
            parts.setdefault(group[one], []).append(number)
        return parts.values()

    def _count(self):
        left = list(self.believed)
        for number in reversed(self.believed):
            rest = [n for n in left if n != number]
            if not self._meet(rest, self.everyone) & ~self.masks[number]:
                left = rest
        return sorted({*left, *self.muted})

    def judge(self, mask):
        """What this side says of a claim of the other one."""
        worlds = [self._meet(self.believed, self.everyone)]
        if self.policy == "every" and self.muted:
            numbers = range(len(self.masks))
            worlds = [
                self._meet((n for n in numbers if n not in gone), self.everyone)
                for gone in self.repairs
            ]
        if all(not world & ~mask for world in worlds):
            return "entailed"
        return "open" if any(world & mask for world in worlds) else "contradicted"
