"""Which events are before, after or during something, or unordered with it (R47).

What is asked about, an *anchor*, is a node or a value of the calendar. From its two ends one pass
up and one pass down the order of a timeline find the points that they are known to precede and to
follow. The ends of a value are instants: what starts after the end of 30 December does not start
before 31 December.

A condition says that some end points do not come after others. An event meets it for certain if
that is entailed, and possibly if it can be added to what is entailed without a
contradiction. Constraints are ``<`` and ``=`` only, so the few points in question decide it: every
order of them that agrees with what is entailed for each two can be extended to a whole timeline.
Linear for each anchor; events with the same known orders are judged once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from tlex.calendar import Dated, find_dated
from tlex.components import Components
from tlex.document import Document
from tlex.nouns import Timex
from tlex.points.graphs import CompoundGraph, Consistent
from tlex.reason.every_repair import UNDECIDED, EveryRepair
from tlex.timex import Bounds, loosen

__all__ = ["Anchor", "Condition", "search_events"]

Anchor = int | Bounds
"""A node, by its number, or a value."""

Condition = tuple[str, Anchor]
"""*before*, *after*, *during* or *unordered*, and what is asked about."""

# Which points do not come after which: an event's start and end are 0 and 1, an anchor's 2 and 3.
_ROWS = {"before": ((1, 2),), "after": ((3, 0),), "during": ((2, 0), (1, 3))}
_UNORDERED = "unordered"
_TURN = str.maketrans("<>[]", "><][")
"""A sign is ``<``, ``=`` or ``>``, ``[`` for "not after", ``]`` for "not before", or ``?``."""
_NOTHING = "????"
_WORST_FIRST = ("excluded", "unrelated", "undecided", "possible", "certain")


def search_events(
    document: Document,
    components: Components,
    conditions: Sequence[Condition],
    *,
    times: str = "interval",
    every: EveryRepair | None = None,
) -> dict[int, str]:
    """Say of each event, by its number, how it stands to all conditions together.

    That is *certain*, *possible*, *undecided*, *unrelated* or *inconsistent*; events that are
    excluded, and those that are asked about, are left out. With ``every``, only what holds after
    every minimum repair is known.
    """
    search = _Search(document, components, conditions, times, every)
    asked = {anchor for _, anchor in conditions if isinstance(anchor, int)}
    found: dict[int, str] = {}
    for number, members in enumerate(components.members):
        events = [
            (place, member)
            for place, member in enumerate(members)
            if member not in asked and not isinstance(document.nodes[member], Timex)
        ]
        if events:
            found |= search.judge(number, events)
    return {number: found[number] for number in sorted(found) if found[number] != "excluded"}


class _Search:
    def __init__(
        self,
        document: Document,
        components: Components,
        conditions: Sequence[Condition],
        times: str,
        every: EveryRepair | None,
    ) -> None:
        self.components = components
        self.conditions = conditions
        self.every = every
        self.anchors = list(dict.fromkeys(anchor for _, anchor in conditions))
        self.dated: dict[int, list[Dated]] = {}
        if any(isinstance(anchor, Bounds) for anchor in self.anchors):
            for time in find_dated(document, times):
                self.dated.setdefault(components.component_of[time.number], []).append(time)

    def judge(self, number: int, events: Sequence[tuple[int, int]]) -> dict[int, str]:
        """Judge the events of a timeline, given by their places in it and their numbers."""
        component = self.components[number]
        if not isinstance(component, Consistent):
            return {member: self._judge_broken(number) for _, member in events}
        judge = _Judge(component, self.anchors, self.conditions)
        for place, anchor in enumerate(self.anchors):
            if isinstance(anchor, Bounds):
                judge.place_value(place, anchor, self.dated.get(number, ()))
            elif self.components.component_of[anchor] == number:
                judge.place_node(place, anchor)
        judge.relate_anchors()
        return {member: self._judge(judge, place, member) for place, member in events}

    def _judge_broken(self, number: int) -> str:
        """Judge the events of a contradictory timeline."""
        if not self.anchors or any(
            number in self.dated
            if isinstance(anchor, Bounds)
            else self.components.component_of[anchor] == number
            for anchor in self.anchors
        ):
            return "inconsistent"
        asked = any(relation != _UNORDERED for relation, _ in self.conditions)
        return "unrelated" if asked else "certain"

    def _judge(self, judge: _Judge, place: int, member: int) -> str:
        signs = judge.read(place)
        if self.every is None:
            return judge.decide(place, signs)
        decided = []
        for anchor, own in zip(self.anchors, signs, strict=True):
            if isinstance(anchor, int) and own is not None:
                decided.append(self.every.filter(member, anchor, own))
            else:
                decided.append(own or "")
        open_ones = tuple(
            None if own is None else each.replace(UNDECIDED, "?")
            for own, each in zip(signs, decided, strict=True)
        )
        found = judge.decide(place, open_ones)
        if not any(UNDECIDED in each for each in decided):
            return found
        closed = tuple(
            None
            if own is None
            else "".join(o if e == UNDECIDED else e for o, e in zip(own, each, strict=True))
            for own, each in zip(signs, decided, strict=True)
        )
        return found if judge.decide(place, closed) == found else "undecided"


Signs = tuple[str | None, ...]
"""For each anchor the orders of an event's ends to its ends, as `CROSSING` has them."""


class _Judge:
    """Judges the events of one timeline. An anchor without place is not related to it."""

    def __init__(
        self, component: Consistent, anchors: Sequence[Anchor], conditions: Sequence[Condition]
    ) -> None:
        self.component = component
        self.graph = component.graph
        self.anchors = anchors
        self.conditions = [
            (relation, list(anchors).index(anchor)) for relation, anchor in conditions
        ]
        self.signs: list[tuple[list[str], list[str]] | None] = [None] * len(anchors)
        self.base: list[tuple[int, str, int]] = []
        self._before: list[list[int]] | None = None
        self._known: dict[tuple[bool, Signs], str] = {}

    def place_node(self, place: int, node: int) -> None:
        """Find the order of the ends of a node to all compounds."""
        own = list(self.component.members).index(node)
        start, end = (
            self._spread([_Seed(compound, 1, 2)], [_Seed(compound, 1, 2)])
            for compound in self.graph.compound[2 * own : 2 * own + 2]
        )
        self.signs[place] = start, end

    def place_value(self, place: int, value: Bounds, dated: Iterable[Dated]) -> None:
        """Find the order of the ends of a value to all compounds, by that to some times."""
        at = {member: number for number, member in enumerate(self.component.members)}
        seeds: list[tuple[list[_Seed], list[_Seed]]] = [([], []), ([], [])]
        for time in dated:
            own, other = _adjust(value, time.bounds)
            for side, bound in product((0, 1), repeat=2):
                compound = self.graph.compound[2 * at[time.number] + bound]
                here, there = _ends(own)[side], _ends(other)[bound]
                for found, levels in zip(
                    seeds[side],
                    (_compare(here, there), _compare_down(here, there)),
                    strict=True,
                ):
                    if levels is not None:
                        found.append(_Seed(compound, *levels))
            if own.part and other.part and own.part[0] == other.part[0]:
                compound = self.graph.compound[2 * at[time.number]]
                if own.part != other.part:
                    seeds[0][own.part > other.part].append(_Seed(compound, 2, 2))
        if any(map(any, seeds)):
            start, end = (self._spread(*pair) for pair in seeds)
            self.signs[place] = start, end

    def relate_anchors(self) -> None:
        """Find the orders of the anchors' ends to each other."""
        for place, (anchor, own) in enumerate(zip(self.anchors, self.signs, strict=True)):
            if own is None:
                continue
            points = 2 + 2 * place, 3 + 2 * place
            if isinstance(anchor, int):
                number = list(self.component.members).index(anchor)
                ends = self.graph.compound[2 * number : 2 * number + 2]
                self.base.append((points[0], own[0][ends[1]], points[1]))
                for other, signs in enumerate(self.signs):
                    if signs is not None and other != place:
                        self.base += [
                            (2 + 2 * other + side, signs[side][ends[end]], points[end])
                            for side, end in product((0, 1), repeat=2)
                        ]
                continue
            self.base.append((points[0], "<", points[1]))
            for other, earlier in enumerate(self.anchors[:place]):
                if isinstance(earlier, Bounds) and self.signs[other] is not None:
                    self.base += [
                        (2 + 2 * other + side, sign, points[end])
                        for side, end, sign in _compare_values(earlier, anchor)
                    ]

    def read(self, place: int) -> Signs:
        """Give the known orders of an event's ends to those of each anchor."""
        start, end = (self.graph.compound[2 * place + side] for side in (0, 1))
        return tuple(
            None
            if own is None
            else "".join(own[side][point] for point in (start, end) for side in (0, 1)).translate(
                _TURN
            )
            for own in self.signs
        )

    def decide(self, place: int, signs: Signs) -> str:
        """Say how an event stands to all conditions, given the known orders."""
        compound = self.graph.compound
        instant = compound[2 * place] == compound[2 * place + 1]
        found = self._known.get((instant, signs))
        if found is None:
            found = self._known[instant, signs] = self._decide(signs, instant=instant)
        return found

    def _decide(self, signs: Signs, *, instant: bool) -> str:
        statuses = set()
        rows: list[tuple[int, ...]] = []
        unordered: list[int] = []
        for relation, place in self.conditions:
            own = signs[place]
            if relation == _UNORDERED:
                unordered.append(place)
            elif own is None:
                statuses.add("unrelated")
            else:
                rows += [
                    tuple(point + 2 * place * (point > 1) for point in row)
                    for row in _ROWS[relation]
                ]
        known = [(0, "=" if instant else "<", 1), *self.base]
        for place, own in enumerate(signs):
            pairs = product((0, 1), (2 + 2 * place, 3 + 2 * place))
            for (one, other), sign in zip(pairs, own or _NOTHING, strict=True):
                known.append((one, sign, other))
        below = _close(2 + 2 * len(signs), known)
        for place in unordered:
            if signs[place] not in {None, _NOTHING}:
                settled = _is_settled(below, 2 + 2 * place, 3 + 2 * place)
                statuses.add("excluded" if settled else "possible")
        if not all(below[one][other] for one, other in rows):
            for one, other in rows:
                below[one][other] = max(below[one][other], _NOT_AFTER)
            _close_again(below)
            contradictory = any(below[point][point] == _BEFORE for point in range(len(below)))
            statuses.add("excluded" if contradictory else "possible")
        return next((status for status in _WORST_FIRST if status in statuses), "certain")

    def _spread(self, up: Iterable[_Seed], down: Iterable[_Seed]) -> list[str]:
        """Give the order of a point to each compound, given some that it precedes or follows."""
        above = _reach(self.graph.successors, up)
        below = _reach(self.predecessors, down)
        return [_SIGNS[one][other] for one, other in zip(above, below, strict=True)]

    @property
    def predecessors(self) -> list[list[int]]:
        """The direct predecessors of each compound."""
        if self._before is None:
            self._before = _turn(self.graph)
        return self._before


_NOT_AFTER, _BEFORE = 1, 2
_SIGNS = ("?]>", "[==", "<==")
"""The sign of a point to another, by what is known in one direction and in the other.

What lies beyond an end at an instant and is, or lies before, a start there is at that instant.
"""


class _Seed(NamedTuple):
    """A compound, what is known of the order of a point to it, and to all that lie beyond it."""

    compound: int
    own: int
    beyond: int


def _reach(ways: Sequence[Sequence[int]], seeds: Iterable[_Seed]) -> list[int]:
    """Find what is known of each compound, in one direction: `_BEFORE`, `_NOT_AFTER` or 0."""
    known = [0] * len(ways)
    seeds = list(seeds)
    for level in (_BEFORE, _NOT_AFTER):
        stack = [seed.compound for seed in seeds if seed.own == level]
        for seed in seeds:
            if seed.beyond == level:
                stack += ways[seed.compound]
        while stack:
            one = stack.pop()
            if known[one] < level:
                known[one] = level
                stack += ways[one]
    return known


def _adjust(one: Bounds, other: Bounds) -> tuple[Bounds, Bounds]:
    """Give two values such that they can be compared: a zone against none is loose."""
    if one.zoned == other.zoned:
        return one, other
    return (loosen(one), other) if one.zoned else (one, loosen(other))


def _ends(bounds: Bounds) -> tuple[tuple[int, int], tuple[int, int]]:
    """The earliest and latest place of the start and of the end."""
    return (
        (bounds.earliest_start, bounds.latest_start),
        (bounds.earliest_end, bounds.latest_end),
    )


_JUST_BEFORE = 3
_Levels = tuple[int, int] | None


def _compare(here: tuple[int, int], there: tuple[int, int]) -> _Levels:
    """Say whether a point precedes another, and all that lies beyond it; None if not known.

    The places of ends and starts at one instant count as the same.
    """
    latest, earliest = here[1], there[0]
    if latest % 4 == _JUST_BEFORE:
        return (_BEFORE, _BEFORE) if latest < earliest else None
    end = latest - latest % 4
    start = end + 2
    if earliest > start:
        return _BEFORE, _BEFORE
    return (_NOT_AFTER, _BEFORE) if earliest >= end else None


def _compare_down(here: tuple[int, int], there: tuple[int, int]) -> _Levels:
    """Say whether a point follows another, and all that lies before it, in the same way."""
    earliest, latest = here[0], there[1]
    if earliest % 4 == _JUST_BEFORE:
        return (_BEFORE, _BEFORE) if latest < earliest else None
    end = earliest - earliest % 4
    start = end + 2
    if latest < end:
        return _BEFORE, _BEFORE
    return (_NOT_AFTER, _BEFORE) if latest <= start else None


def _close(size: int, known: Iterable[tuple[int, str, int]]) -> list[list[int]]:
    """Close orders of a few points: `_BEFORE`, `_NOT_AFTER`, or 0 if nothing is known."""
    below = [[0] * size for _ in range(size)]
    for one, sign, other in known:
        if sign == "<":
            below[one][other] = _BEFORE
        elif sign == ">":
            below[other][one] = _BEFORE
        if sign in "[=":
            below[one][other] = max(below[one][other], _NOT_AFTER)
        if sign in "]=":
            below[other][one] = max(below[other][one], _NOT_AFTER)
    _close_again(below)
    return below


def _close_again(below: list[list[int]]) -> None:
    points = range(len(below))
    for middle, one in product(points, repeat=2):
        if below[one][middle]:
            for other in points:
                if below[middle][other]:
                    strict = max(below[one][middle], below[middle][other])
                    below[one][other] = max(below[one][other], strict)


def _compare_values(one: Bounds, other: Bounds) -> Iterable[tuple[int, int, str]]:
    """Give the known orders of the ends of two values."""
    one, other = _adjust(one, other)
    for side, end in product((0, 1), repeat=2):
        pair = _ends(one)[side], _ends(other)[end]
        up, down = _compare(*pair), _compare_down(*pair)
        yield side, end, _SIGNS[up[0] if up else 0][down[0] if down else 0]


def _is_settled(below: list[list[int]], start: int, end: int) -> bool:
    """Whether an event is known to be before, after or at the time of an anchor."""
    shares = below[start][1] == below[0][end] == _BEFORE
    return shares or below[1][start] > 0 or below[end][0] > 0


def _turn(graph: CompoundGraph) -> list[list[int]]:
    before: list[list[int]] = [[] for _ in range(graph.size)]
    for number, successors in enumerate(graph.successors):
        for after in successors:
            before[after].append(number)
    return before
