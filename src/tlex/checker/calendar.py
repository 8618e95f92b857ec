"""The check of links that follow from values, and of dates, by the checker's own calendar (R41).

* Each link says all that is certain of its two values, and nothing else.
* Together they entail every order that is certain of two values. A point comes before another if
  its latest place is before the other's earliest one. So it is enough to look at the pairs that no
  third point stands between.
* A date has the nearest known instants before the start and after the end of a node.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import timedelta
from itertools import accumulate, pairwise, product
from typing import Final

from tlex.checker.constraints import Constraints, fold, read_row
from tlex.checker.relations import CELLS, close_facts, read_signs
from tlex.checker.timelines import Edge, name_of, sort_compounds
from tlex.checker.values import (
    FIRST,
    LAST,
    Place,
    Span,
    join,
    loosen,
    narrow,
    read_value,
    write_place,
)
from tlex.document import Document
from tlex.errors import VerificationError
from tlex.nouns import Link, Timex
from tlex.records import CalendarLink, DateRange

__all__ = ["Calendar"]

WORK_LIMIT: Final = 3_000_000
"""Steps that may be taken to see that the links entail all that is certain."""

_WORDS: Final = {
    "BEFORE": "is before",
    "IBEFORE": "is immediately before",
    "OVERLAPS": "overlaps",
    "BEGINS": "begins",
    "IS_INCLUDED": "is included in",
    "ENDS": "ends",
    "SIMULTANEOUS": "is the same as",
    "OVERLAP": "shares time with",
    "BEFORE-OR-OVERLAP": "starts before the end of",
    "STARTS_BEFORE": "starts before",
    "ENDS_BEFORE": "ends before the end of",
    "STARTS_BEFORE_OVERLAP": "starts before and reaches",
    "ENDS_BEFORE_OVERLAP": "ends within",
    "STARTS_AND_ENDS_BEFORE": "starts and ends before",
}
_MOMENTS: Final = (
    "creation_time", "expiration_time", "modification_time", "publication_time", "reception_time",
    "release_time",
)  # fmt: skip
_LONG: Final = (False, False)

_Bounds = tuple[Place, Place]
"""The earliest and the latest place of a point."""


class Calendar:
    """What the values of a document's times say; ``spans`` has those with bounds, by node."""

    def __init__(self, document: Document, times: str) -> None:
        self.document = document
        first = {timex.id: timex for timex in reversed(document.timexes)}
        plain = {name: read_value(timex) for name, timex in first.items()}
        self.spans: dict[int, Span] = {}
        moments = set()
        for number, node in enumerate(document.nodes):
            if isinstance(node, Timex):
                ends = (
                    node.attributes.get(name, "").strip() for name in ("beginPoint", "endPoint")
                )
                span = plain[node.id] or read_value(node, *(plain.get(end) for end in ends))
                if span is not None and _is_moment(node, times):
                    moments.add(number)
                    span = narrow(span)
                if span is not None:
                    self.spans[number] = span
        touching = moments.union(number for number, span in self.spans.items() if span.exact)
        self._joined = {zoned: self._find_joined(touching, zoned=zoned) for zoned in (False, True)}

    def _find_joined(self, numbers: set[int], *, zoned: bool) -> set[timedelta]:
        """Find the instants at which the document says that two values touch."""
        joined = set()
        for link in self.document.links:
            if link.kind == "TLINK" and link.type in {"IBEFORE", "IAFTER"}:
                ends = [
                    self.document.index.get(end or "", -1) for end in (link.source, link.target)
                ]
                if numbers >= set(ends):
                    left, right = (self.spans[end] for end in ends)
                    if link.type == "IAFTER":
                        left, right = right, left
                    if left.zoned == right.zoned == zoned and left.last[0] == right.first[0]:
                        joined.add(left.last[0])
        return joined

    def link(self, claimed: Sequence[CalendarLink]) -> Document:
        """Check each link by its two values; give the document with these links."""
        document = self.document
        used = {link.id for link in document.links}
        earlier = (-1, -1)
        joined: set[frozenset[int]] = set()
        for one in claimed:
            source, target = (document.index.get(end, -1) for end in (one.source, one.target))
            if source not in self.spans or target not in self.spans or source == target:
                raise VerificationError(f"{one.id!r}: it does not join two times with dates")
            name = f"calendar:{one.source}:{one.target}"
            while name in used:
                name += "'"
            used.add(name)
            pair = frozenset((source, target))
            if one.id != name or (source, target) <= earlier or pair in joined:
                raise VerificationError(f"{one.id!r}: it is not in order, or should be {name!r}")
            earlier = source, target
            joined.add(pair)
            self._check_type(one, source, target)
        links = (
            Link(
                id=one.id,
                attributes={"words": one.words},
                byte_start=-1,
                file=None,
                kind="CALENDAR",
                type=one.type,
                source=one.source,
                target=one.target,
            )
            for one in claimed
        )
        return document.replace(links=(*document.links, *links))

    def _check_type(self, link: CalendarLink, source: int, target: int) -> None:
        """Check what a link says, and its words."""
        row = read_row("CALENDAR", link.type, range(4), link.id)
        said = close_facts(((order, left, right) for left, order, right, _ in row), _LONG)
        if link.type not in _WORDS or read_signs(said) != self.compare(source, target):
            raise VerificationError(f"{link.id!r}: the values do not say {link.type!r}")
        values = [
            self.document.nodes[number].attributes.get("value", "").strip()
            for number in (source, target)
        ]
        words = f"{values[0]} {_WORDS[link.type]} {values[1]}, by their values"
        if link.words != words:
            raise VerificationError(f"{link.id!r}: the words are {words!r:.200}")

    def compare(self, one: int, other: int) -> str:
        """Give what is certain of the orders of the end points of two nodes, by `CELLS`."""
        left, right = self.spans[one], self.spans[other]
        wide = not (left.zoned and right.zoned)
        exact = left.exact and right.exact and left.zoned == right.zoned
        points = [
            self._bound(number, side, wide=wide) for number in (one, other) for side in (0, 1)
        ]
        signs = ""
        for near, far in CELLS:
            if points[near][1] < points[far][0]:
                signs += "<"
            elif points[far][1] < points[near][0]:
                signs += ">"
            else:
                signs += "=" if exact else "?"
        if left.part and right.part and left.part[0] == right.part[0]:
            if left.part < right.part:
                return f"<<{signs[2:]}"
            if left.part > right.part:
                return f">{signs[1]}>{signs[3]}"
        return signs

    def _bound(self, number: int, side: int, *, wide: bool) -> _Bounds:
        """Give between which places the start or the end of a node is.

        ``wide``: as all values see it, and not only those with a zone.
        """
        span = loosen(self.spans[number]) if wide else self.spans[number]
        joined = self._joined[not wide]
        if joined:
            first, start, end, last = (join(place, joined) for place in span[:4])
            return (end, last) if side else (first, start)
        return (span.end, span.last) if side else (span.first, span.start)

    def check_entailed(self, constraints: Constraints, *, complete: bool) -> list[str]:
        """Check that the links entail what is certain of all values, or at least of exact ones.

        Returns what is unchecked.
        """
        stated = (edge for link in constraints.firm for edge in constraints.stated[link])
        chains = _Chains([*(constraints.own[number] for number in self.spans), *stated])
        for left, order, right in self.list_needed(complete=complete):
            if not chains.leads(left, order, right):
                one, other = (name_of(self.document, point) for point in (left, right))
                raise VerificationError(f"the values say {one} {order} {other}, no links entail it")
            if chains.work > WORK_LIMIT:
                return [f"whether the values say more, beyond {WORK_LIMIT:,} orders of two"]
        return [] if complete else ["what else the values say: their links are not complete"]

    def list_needed(self, *, complete: bool) -> Iterator[tuple[int, str, int]]:
        """List orders of points that entail all certain ones, with ``I- < I+`` of each interval."""
        zoned = [number for number, span in self.spans.items() if span.zoned]
        for numbers, wide in ((list(self.spans), True), (zoned, False)):
            alike: dict[Place, int] = {}
            points: list[tuple[Place, Place, int]] = []
            for number, side in product(numbers, (0, 1)):
                span, point = self.spans[number], 2 * number + side
                earliest, latest = self._bound(number, side, wide=wide)
                if not span.exact or (wide and span.zoned):
                    if complete:
                        points.append((latest, earliest, point))
                elif earliest in alike:
                    yield alike[earliest], "=", point
                else:
                    alike[earliest] = point
                    points.append((latest, earliest, point))
            for left, right in _list_covers(sorted(points)):
                apart = wide and self.spans[left // 2].zoned and self.spans[right // 2].zoned
                if not (apart or self._follows(left, right, wide=wide)):
                    yield left, "<", right
        if complete:
            yield from self._list_parts()

    def _list_parts(self) -> Iterator[tuple[int, str, int]]:
        """List the orders of mornings, afternoons, evenings and nights of one day."""
        days: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for number, span in self.spans.items():
            if span.part is not None:
                days[span.part[0]][span.part[1]].append(2 * number)
        for parts in days.values():
            for one, other in pairwise(sorted(parts)):
                yield from ((left, "<", right) for left, right in product(parts[one], parts[other]))

    def _follows(self, left: int, right: int, *, wide: bool) -> bool:
        """Whether an order follows from another one and from an interval of its own."""
        if left // 2 == right // 2:
            return True
        if not left % 2 and self._precedes(left + 1, right, wide=wide):
            return True
        return bool(right % 2) and self._precedes(left, right - 1, wide=wide)

    def _precedes(self, left: int, right: int, *, wide: bool) -> bool:
        _, latest = self._bound(left // 2, left % 2, wide=wide)
        earliest, _ = self._bound(right // 2, right % 2, wide=wide)
        return latest < earliest

    def date(self, edges: Collection[Edge]) -> dict[int, DateRange]:
        """Date the nodes of a consistent part; those of which nothing is known are left out."""
        merged, after, upwards = sort_compounds(edges)
        lower, upper = dict.fromkeys(after, FIRST), dict.fromkeys(after, LAST)
        for point, compound in merged.items():
            if point // 2 in self.spans:
                span = loosen(self.spans[point // 2])
                earliest, latest = span[2:4] if point % 2 else span[:2]
                lower[compound] = max(lower[compound], earliest)
                upper[compound] = min(upper[compound], latest)
        for compound in upwards:
            for other in after[compound]:
                lower[other] = max(lower[other], lower[compound])
        for compound in reversed(upwards):
            for other in after[compound]:
                upper[compound] = min(upper[compound], upper[other])
        dates = {}
        for number in {point // 2 for point in merged}:
            known = [
                write_place(place)
                for place in (lower[merged[2 * number]], upper[merged[2 * number + 1]])
            ]
            if any(known):
                dates[number] = DateRange(*known)
        return dates


def _list_covers(points: Sequence[tuple[Place, Place, int]]) -> Iterator[tuple[int, int]]:
    """List the pairs of points, one before the other, that no third one stands between.

    Points are sorted by their latest places. Before a point are those whose latest place is before
    its earliest one. Of these the last ones count: no other starts after their latest places.
    """
    latest = [point[0] for point in points]
    newest = list(accumulate((point[1] for point in points), max))
    for _, earliest, right in points:
        end = bisect_left(latest, earliest)
        for place in range(bisect_left(latest, newest[end - 1]) if end else 0, end):
            yield points[place][2], right


class _Chains:
    """What constraints entail of two points; ``work`` counts what was looked at."""

    def __init__(self, edges: Collection[Edge]) -> None:
        self.work = 0
        self.merged, self.after, upwards = sort_compounds(edges)
        self.step = dict.fromkeys(self.after, 1)
        for compound in upwards:
            for other in self.after[compound]:
                self.step[other] = max(self.step[other], self.step[compound] + 1)

    def leads(self, left: int, order: str, right: int) -> bool:
        """Whether the order of two points is entailed."""
        start, goal = self.merged[left], self.merged[right]
        self.work += 1
        if order == "=" or goal in self.after[start]:
            return order == "<" or start == goal
        seen, fresh = {start}, [start]
        while fresh:
            for other in self.after[fresh.pop()]:
                self.work += 1
                if other == goal:
                    return True
                if other not in seen and self.step[other] < self.step[goal]:
                    seen.add(other)
                    fresh.append(other)
        return False


def _is_moment(timex: Timex, times: str) -> bool:
    """Whether a time is only a part of its value."""
    function = fold(timex.attributes.get("functionInDocument"))
    return function in _MOMENTS or (times == "point" and fold(timex.type) == "time")
