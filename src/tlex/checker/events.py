"""The check of lists of events: which are before, after or during something (R47).

What is asked about, an event, a time or a value, has two end points. What constraints lead from
them and to them says how the end points of each event stand to them. A condition says that one
point does not come after another. It is certain if it follows, and possible if it can be added
without a contradiction. Of a few points that is seen by closing what is known of each two.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import product
from typing import Final, TypeAlias

from tlex.checker.calendar import Calendar
from tlex.checker.constraints import Constraints, fold
from tlex.checker.nodes import describe_nodes, express
from tlex.checker.parts import Parts
from tlex.checker.timelines import sort_compounds
from tlex.checker.trunk import Worlds
from tlex.checker.values import (
    AFTER,
    BEFORE,
    END,
    START,
    Place,
    Span,
    loosen,
    read_value,
    write_place,
)
from tlex.document import Document
from tlex.errors import VerificationError
from tlex.nouns import Instance, Timex
from tlex.records import Answer, DateRange, EventCondition, EventRecord, Events
from tlex.wording import clean

__all__ = ["check_events"]

SEARCH_LIMIT: Final = 5_000_000
"""Constraints that may be followed to see how neighbours in a list stand to each other."""

_LISTS: Final = ("certain", "possible", "unrelated", "inconsistent", "undecided")
_WORST: Final = ("excluded", "unrelated", "possible")
_ROWS: Final = {"before": ((1, 2),), "after": ((3, 0),), "during": ((2, 0), (1, 3))}
"""Which points do not come after which: 0 and 1 are the event's, 2 and 3 those asked about."""
_LONGEST: Final = 60

Anchor: TypeAlias = int | Span
"""What is asked about: a node, by its number, or a value."""
Levels: TypeAlias = dict[int, int]
"""By point, 2 if it is known to be beyond another point, 1 if it is beyond it or there."""


def check_events(
    constraints: Constraints,
    whole: Constraints,
    answer: Answer,
    events: Events,
    calendar: Calendar | None,
) -> list[str]:
    """Prove a list of events; return what is unchecked.

    ``whole`` has the constraints of all links, ``constraints`` without the mended ones.
    """
    document = constraints.document
    if events.contradictions not in {"part", "repair", "every"} or events.mended != answer.mended:
        raise VerificationError("the events are listed under another repair")
    listing = _Listing(constraints, answer, calendar)
    conditions = [(one.relation, _find_asked(document, one, calendar)) for one in events.conditions]
    if len({relation for relation, _ in conditions}) != len(conditions):
        raise VerificationError("a condition is there twice")
    unchecked = []
    claimed = {name: [event.id for event in getattr(events, name)] for name in _LISTS}
    if events.contradictions == "every" and not all(Parts(whole).consistent):
        unchecked.append("which events these are after every repair")
    else:
        real = listing.judge(conditions)
        for name in _LISTS:
            if set(claimed[name]) != {document.nodes[number].id for number in real[name]}:
                raise VerificationError(f"other events are {name} under these conditions")
    everyone = [name for names in claimed.values() for name in names]
    if len(set(everyone)) != len(everyone):
        raise VerificationError("an event is listed twice")
    for name in _LISTS:
        listing.check(getattr(events, name))
    if listing.work > SEARCH_LIMIT:
        unchecked.append(f"the order of all neighbours, beyond {SEARCH_LIMIT:,} constraints")
    return unchecked


def _find_asked(document: Document, condition: EventCondition, calendar: Calendar | None) -> Anchor:
    """Find what a condition asks about: an event or time, or a value."""
    relation, asked, node = condition.relation, condition.asked, condition.node
    if relation not in {*_ROWS, "on", "unordered"}:
        raise VerificationError(f"{relation!r} is no condition")
    if node is None:
        attributes = {"type": "DATE", "value": asked}
        span = read_value(Timex("", attributes, -1, None, -1, -1))
        if calendar is None or span is None or (relation != "on" and asked in document.index):
            raise VerificationError(f"{asked!r:.80} is no value that can be asked about")
        if condition.date != DateRange(write_place(span.first), write_place(span.last)):
            raise VerificationError(f"the date of {asked!r:.80} is another one")
        return span
    known = express(document, [node.id]).get(node.id)
    if known != node or condition.date is not None or relation == "on":
        raise VerificationError(f"{node.id!r} is no such event or time")
    number = document.index[node.id]
    own = document.nodes[number]
    names = {node.id, own.event} if isinstance(own, Instance) else {node.id}
    words = f" {' '.join(fold(asked.rpartition('#')[2]).split())} "
    ends = node.id.endswith(f"#{asked}")
    if asked not in names and not ends and words not in f" {' '.join(fold(node.text).split())} ":
        raise VerificationError(f"{asked!r:.80} does not name {node.id!r}")
    return number


class _Listing:
    """The events of a document, what is known of them, and how they may be listed."""

    def __init__(self, constraints: Constraints, answer: Answer, calendar: Calendar | None) -> None:
        self.constraints = constraints
        self.document = document = constraints.document
        self.calendar = calendar
        self.parts = parts = Parts(constraints)
        self.work = 0
        owner = Parts(constraints, calendar=False).owner if calendar else parts.owner
        self.worlds = Worlds(document, answer.options, owner)
        dates: dict[int, DateRange] = {}
        for edges, consistent in zip(parts.edges, parts.consistent, strict=True):
            if calendar and consistent:
                dates |= calendar.date(edges)
        self.nodes = describe_nodes(document, self.worlds, dates)
        self.sources: dict[int, str] = {}
        for link in self.worlds.crossing:
            self.sources.setdefault(link.target_timeline, link.source)

    def judge(self, conditions: Sequence[tuple[str, Anchor]]) -> dict[str, list[int]]:
        """Find the events of each list."""
        asked = {anchor for _, anchor in conditions if isinstance(anchor, int)}
        found: dict[str, list[int]] = {name: [] for name in (*_LISTS, "excluded")}
        for number, members in enumerate(self.parts.members):
            events = [
                member
                for member in members
                if member not in asked and not isinstance(self.document.nodes[member], Timex)
            ]
            if not self.parts.consistent[number]:
                found[self._judge_broken(number, conditions)] += events
            elif events:
                part = _Part(self, number, list(dict.fromkeys(anchor for _, anchor in conditions)))
                for event in events:
                    found[part.judge(event, conditions)].append(event)
        return found

    def _judge_broken(self, number: int, conditions: Sequence[tuple[str, Anchor]]) -> str:
        """Say in which list the events of a contradictory part are."""
        members = self.parts.members[number]
        dated = self.calendar is not None and not self.calendar.spans.keys().isdisjoint(members)
        involved = (
            dated if isinstance(anchor, Span) else self.parts.owner[anchor] == number
            for _, anchor in conditions
        )
        if not conditions or any(involved):
            return "inconsistent"
        ordering = any(relation != "unordered" for relation, _ in conditions)
        return "unrelated" if ordering else "certain"

    def check(self, events: Sequence[EventRecord]) -> None:
        """Check what is said of the events of a list, and their order."""
        index = self.document.index
        place: dict[int, int] = {}
        last = -1
        for number, event in enumerate(events):
            self._check_event(event)
            own = index[event.id]
            place[2 * own] = number
            if self.parts.owner[own] < last:
                raise VerificationError("the events are not listed timeline by timeline")
            last = self.parts.owner[own]
        for number in {self.parts.owner[point // 2] for point in place}:
            if self.parts.consistent[number]:
                self._check_order(number, place)
        for number, event in enumerate(events):
            before = events[number - 1] if number else None
            self._check_neighbour(before, event)

    def _check_event(self, event: EventRecord) -> None:
        number = self.document.index.get(event.id)
        if number is None or isinstance(self.document.nodes[number], Timex):
            raise VerificationError(f"{event.id!r} is no event")
        real = self.nodes[number]
        world = self.worlds.of[number]
        role = "branch" if world in self.worlds.reached else "detached"
        role = "main" if world in self.worlds.mains else role
        source = self.sources.get(world) if role == "branch" else None
        for field, found in (
            ("text", real.text),
            ("line", real.line),
            ("date", real.date),
            ("factuality", real.factuality),
            ("timeline", self.parts.owner[number]),
            ("world", world),
            ("role", role),
            ("branch_of", express(self.document, [source])[source] if source else None),
            ("source", real.source),
        ):
            if getattr(event, field) != found:
                raise VerificationError(f"event {event.id!r}: the {field} is {found!r:.200}")
        self._check_sentence(event, number)

    def _check_sentence(self, event: EventRecord, number: int) -> None:
        """Check that a sentence is that of the event, as far as it is shown, with its words."""
        node = self.document.nodes[number]
        span = self.document.sentence(node) if 0 <= node.text_start < node.text_end else None
        if span is None or event.sentence is None:
            if span is not None or event.sentence is not None:
                raise VerificationError(f"event {event.id!r}: it has a sentence, or it has none")
            return
        first, last = min(span.start, node.text_start), max(span.end, node.text_end)
        text = clean(" ".join(self.document.text[first:last].split()))
        words = clean(" ".join(self.document.text[node.text_start : node.text_end].split()))
        bare = "[", "]", " "
        for mark in bare:
            text = text.replace(mark, "")
        shown = event.sentence
        marked = f"[{words}]" in shown or len(words) > _LONGEST
        for mark in bare:
            shown = shown.replace(mark, "")
        pieces = shown.split("\u2026")
        whole = text.startswith(pieces[0]) and text.endswith(pieces[-1])
        if not (marked and whole and all(piece in text for piece in pieces)):
            raise VerificationError(f"event {event.id!r}: the sentence is another one")

    def _check_order(self, number: int, place: dict[int, int]) -> None:
        """Check that no event of a part is listed behind one that it is known to precede."""
        merged, after, upwards = self._sorted(number)
        latest: dict[int, int] = defaultdict(lambda: -1)
        own: dict[int, list[int]] = defaultdict(list)
        for point, listed in place.items():
            if point in merged:
                own[merged[point]].append(listed)
        for compound in upwards:
            if own[compound] and min(own[compound]) < latest[compound]:
                raise VerificationError("an event is listed behind one that it precedes")
            reached = max([latest[compound], *own[compound]])
            for other in after[compound]:
                latest[other] = max(latest[other], reached)

    def _sorted(self, number: int) -> tuple[dict[int, int], dict[int, set[int]], list[int]]:
        if number not in self._known:
            self._known[number] = sort_compounds(self.parts.edges[number])
        return self._known[number]

    @cached_property
    def _known(self) -> dict[int, tuple[dict[int, int], dict[int, set[int]], list[int]]]:
        return {}

    def _check_neighbour(self, before: EventRecord | None, event: EventRecord) -> None:
        """Check how an event is said to stand to the one before it in the list."""
        index = self.document.index
        part = self.parts.owner[index[event.id]]
        if before is None or self.parts.owner[index[before.id]] != part:
            real = "first"
        elif not self.parts.consistent[part]:
            real = "unknown"
        elif self.work > SEARCH_LIMIT or event.order is None:
            return
        else:
            merged = self._sorted(part)[0]
            start, goal = (merged[2 * index[one.id]] for one in (before, event))
            real = (
                "same"
                if start == goal
                else "after"
                if self._leads(part, start, goal)
                else "unknown"
            )
        if event.order != real:
            raise VerificationError(f"event {event.id!r}: its order is {real!r}")

    def _leads(self, part: int, start: int, goal: int) -> bool:
        after, step = self._sorted(part)[1], self._steps(part)
        seen, fresh = {start}, [start]
        while fresh:
            for other in after[fresh.pop()]:
                self.work += 1
                if other == goal:
                    return True
                if other not in seen and step[other] < step[goal]:
                    seen.add(other)
                    fresh.append(other)
        return False

    def _steps(self, part: int) -> dict[int, int]:
        if part not in self._stepped:
            _, after, upwards = self._sorted(part)
            step = dict.fromkeys(after, 1)
            for compound in upwards:
                for other in after[compound]:
                    step[other] = max(step[other], step[compound] + 1)
            self._stepped[part] = step
        return self._stepped[part]

    @cached_property
    def _stepped(self) -> dict[int, dict[int, int]]:
        return {}


class _Part:
    """One consistent part, and how its points stand to what is asked about."""

    def __init__(self, listing: _Listing, number: int, anchors: Sequence[Anchor]) -> None:
        self.own = listing.constraints.own
        self.anchors = anchors
        self.up: dict[int, list[tuple[int, bool]]] = defaultdict(list)
        self.down: dict[int, list[tuple[int, bool]]] = defaultdict(list)
        self.equal: dict[int, int] = sort_compounds(listing.parts.edges[number])[0]
        for left, order, right, _ in listing.parts.edges[number]:
            strict = order == "<"
            self.up[left].append((right, strict))
            self.down[right].append((left, strict))
            if not strict:
                self.up[right].append((left, strict))
                self.down[left].append((right, strict))
        dated = {}
        if listing.calendar:
            spans = listing.calendar.spans
            dated = {
                member: spans[member] for member in listing.parts.members[number] if member in spans
            }
        self.known: list[tuple[tuple[Levels, Levels], tuple[Levels, Levels]] | None] = []
        for anchor in anchors:
            if isinstance(anchor, Span):
                self.known.append(self._place_value(anchor, dated))
            elif listing.parts.owner[anchor] == number:
                ends = ({2 * anchor + side: 1} for side in (0, 1))
                first, second = (
                    (self._spread(end, self.up), self._spread(end, self.down)) for end in ends
                )
                self.known.append((first, second))
            else:
                self.known.append(None)
        self.base = list(self._relate())

    def _place_value(
        self, value: Span, dated: dict[int, Span]
    ) -> tuple[tuple[Levels, Levels], tuple[Levels, Levels]] | None:
        seeds: list[tuple[Levels, Levels]] = [({}, {}), ({}, {})]
        for member, span in dated.items():
            for side, end, up, down in _compare_values(value, span):
                point = 2 * member + end
                for found, level in zip(seeds[side], (up, down), strict=True):
                    if level:
                        found[point] = max(level, found.get(point, 0))
            one, other = value.part or (0, 0), span.part or (-1, 0)
            if one[0] == other[0] and one != other:
                seeds[0][one > other][2 * member] = 2
        if not any(map(any, seeds)):
            return None
        first, second = (
            (self._spread(up, self.up), self._spread(down, self.down)) for up, down in seeds
        )
        return first, second

    def _spread(self, seeds: Levels, ways: dict[int, list[tuple[int, bool]]]) -> Levels:
        """Follow constraints from some points: a < on the way makes an order strict."""
        known: Levels = {}
        stack = list(seeds.items())
        while stack:
            point, level = stack.pop()
            if known.get(point, 0) < level:
                known[point] = level
                stack += ((other, 2 if strict else level) for other, strict in ways[point])
        return known

    def _sign(self, place: int, side: int, point: int) -> tuple[int, int]:
        """How far an end asked about is known to be before a point, and behind it."""
        known = self.known[place]
        if known is None:
            return 0, 0
        up, down = (levels.get(point, 0) for levels in known[side])
        return (1, 1) if up and down else (up, down)

    def _relate(self) -> Iterable[tuple[int, int, int]]:
        """List what is known of the ends asked about: one point, another, and how far before."""
        for place, anchor in enumerate(self.anchors):
            if self.known[place] is None:
                continue
            start = 2 + 2 * place
            if isinstance(anchor, int):
                yield start, start + 1, 1 if self.own[anchor].order == "=" else 2
                for other, side, end in product(range(len(self.anchors)), (0, 1), (0, 1)):
                    before, behind = self._sign(other, side, 2 * anchor + end)
                    yield 2 + 2 * other + side, start + end, before
                    yield start + end, 2 + 2 * other + side, behind
                continue
            yield start, start + 1, 2
            for other, earlier in enumerate(self.anchors[:place]):
                if isinstance(earlier, Span) and self.known[other] is not None:
                    for side, end, up, down in _compare_values(earlier, anchor):
                        both = bool(up and down)
                        yield 2 + 2 * other + side, start + end, 1 if both else up
                        yield start + end, 2 + 2 * other + side, 1 if both else down

    def judge(self, event: int, conditions: Sequence[tuple[str, Anchor]]) -> str:
        """Say how an event stands to all conditions together."""
        size = 2 + 2 * len(self.anchors)
        below = [[0] * size for _ in range(size)]
        instant = self.equal[2 * event] == self.equal[2 * event + 1]
        known = [*self.base, (0, 1, 1 if instant else 2), (1, 0, int(instant))]
        statuses = set()
        rows = []
        silent = []
        for relation, anchor in conditions:
            place = self.anchors.index(anchor)
            signs = [
                (2 + 2 * place + side, end, *self._sign(place, side, 2 * event + end))
                for side, end in product((0, 1), repeat=2)
            ]
            for point, end, before, behind in signs:
                known += [(point, end, before), (end, point, behind)]
            if relation == "unordered":
                if any(before or behind for _, _, before, behind in signs):
                    silent.append(place)
            elif self.known[place] is None:
                statuses.add("unrelated")
            else:
                shift = 2 * place
                condition = _ROWS["during" if relation == "on" else relation]
                rows += [tuple(point + shift * (point > 1) for point in row) for row in condition]
        for one, other, level in known:
            below[one][other] = max(below[one][other], level)
        _close(below)
        for place in silent:
            start, end = 2 + 2 * place, 3 + 2 * place
            shares = below[start][1] == below[0][end] == 2  # noqa: PLR2004
            settled = shares or below[1][start] or below[end][0]
            statuses.add("excluded" if settled else "possible")
        if not all(below[one][other] for one, other in rows):
            for one, other in rows:
                below[one][other] = max(below[one][other], 1)
            _close(below)
            broken = any(below[point][point] == 2 for point in range(size))  # noqa: PLR2004
            statuses.add("excluded" if broken else "possible")
        return next((status for status in _WORST if status in statuses), "certain")


def _close(below: list[list[int]]) -> None:
    """Add what follows from what is known of each two points."""
    points = range(len(below))
    for middle, one, other in product(points, repeat=3):
        if below[one][middle] and below[middle][other]:
            level = max(below[one][middle], below[middle][other])
            below[one][other] = max(below[one][other], level)


def _compare_values(one: Span, other: Span) -> Iterable[tuple[int, int, int, int]]:
    """Compare the ends of a value as instants with those of another: before, and behind.

    2 if that is certain, 1 if both may be at one instant.
    """
    if one.zoned != other.zoned:
        one, other = loosen(one), loosen(other)
    ends = [((span.first, span.start), (span.end, span.last)) for span in (one, other)]
    for side, end in product((0, 1), repeat=2):
        here, there = ends[0][side], ends[1][end]
        yield side, end, _precedes(here[1], there[0]), _follows(here[0], there[1])


def _precedes(latest: Place, earliest: Place) -> int:
    instant, what = latest
    if what == BEFORE:
        return 2 * (latest < earliest)
    return 2 if earliest > (instant, START) else int(earliest >= (instant, END))


def _follows(earliest: Place, latest: Place) -> int:
    instant, what = earliest
    if what == AFTER:
        return 2 * (latest < earliest)
    return 2 if latest < (instant, END) else int(latest <= (instant, START))
