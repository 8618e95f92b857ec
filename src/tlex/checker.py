"""The independent checker (SPEC §8): every answer is proved again, by other means.

`verify` takes a document and what tlex says of it and shares no line of code with the solver: it
reads Table 1 from a copy of its own, drawn as comparisons, and asks of each claim only what
proves it.

* Steps: all constraints hold, and each point is pushed by one a step below (for the latest, above).
* Sections: each stretch wholly precedes the next, as direct constraints between its last points and
  the next one's first show; inside, the closure shows that the indeterminate pairs hold it together.
* Scenarios: counted again by splitting a section into parallel and consecutive parts, and what
  cannot be split by its linear extensions (each stands for ``2 ** descents`` orderings).
* Conflicts: each walk is walked; without the ``<`` that stand on walks the rest is consistent.
* Trunk: everything is reached from a main timeline, and all that leads to one is reached from it.

All of it takes near-linear time, save the closure of one section, the recount, and whether a
minimal set is irreducible: above the limits below these are named in `Verdict.unchecked`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import comb, prod
from typing import Final, NamedTuple, TypeAlias

from msgspec import UNSET, Struct

from tlex.document import Document, Instance, Link, Node, Timex
from tlex.errors import VerificationError
from tlex.timeline import (
    Break,
    Conflict,
    Connection,
    Extraction,
    Interval,
    Options,
    Report,
    Section,
    Timeline,
    TimelineReport,
)

__all__ = ["Verdict", "verify"]

CLOSURE_LIMIT: Final = 8_000
"""Compounds in a section whose pairs are looked at one by one."""
RECOUNT_LIMIT: Final = 400
"""Compounds in a section whose scenarios are counted again."""
RECOUNT_WORK: Final = 100_000
"""Steps that a recount may take, for each part that cannot be split."""
MINIMAL_LIMIT: Final = 400
"""Links in a minimal set from which each is taken away in turn."""
UNCOUNTED_ABOVE: Final = 20_000
"""Points in a timeline whose indeterminate pairs need not be counted."""

# How A-:B-, A-:B+, A+:B- and A+:B+ compare; a dot where the type says nothing.
_CELLS: Final = ((0, 2), (0, 3), (1, 2), (1, 3))
_TEMPORAL: Final = {
    "BEFORE": "..<.",
    "AFTER": ".>..",
    "IBEFORE": "..=.",
    "IAFTER": ".=..",
    "BEGINS": "=..<",
    "BEGUN_BY": "=..>",
    "ENDS": ">..=",
    "ENDED_BY": "<..=",
    "INCLUDES": "<..>",
    "IS_INCLUDED": ">..<",
    "SIMULTANEOUS": "=..=",
    "IDENTITY": "=..=",
    "DURING": "=..=",
    "DURING_INV": "=..=",
    "OVERLAPS": "<.><",
    "OVERLAPPED_BY": "><.>",
    "OVERLAP": ".<>.",
    "VAGUE": "....",
    "NONE": "....",
    "MEASURE": "....",
}
_ASPECTUAL: Final = {
    "INITIATES": "=..<",
    "CULMINATES": ">..=",
    "TERMINATES": ">..=",
    "CONTINUES": ">..<",
    "REINITIATES": ">..<",
}
_TABLES: Final = {"TLINK": _TEMPORAL, "ALINK": _ASPECTUAL}
_WORD: Final = re.compile(r"\w+(?:[-'’]\w+)*")

Answer: TypeAlias = Extraction | Report
Line: TypeAlias = Timeline | TimelineReport


class Verdict(Struct, frozen=True):
    """What was proved, counted; ``unchecked`` says what was too large to be proved again."""

    timelines: int
    points: int
    constraints: int
    sections: int
    pairs: int
    conflicts: int
    connections: int
    breaks: int
    nodes: int
    unchecked: tuple[str, ...]


class _Edge(NamedTuple):
    """A constraint between two points; interval ``i`` of the document has ``2i`` and ``2i + 1``."""

    left: int
    order: str
    right: int
    link: str | None


def verify(document: Document, extraction: Answer) -> Verdict:
    """Prove that an extraction, or the report of one, is right about the document.

    Raises `VerificationError` on the first claim that is wrong. What comes back is true in a
    condition, and says how much was proved and what was too large for it.
    """
    problem = _Problem(document, extraction.options)
    _check_nodes(document, extraction.nodes)
    if tuple(extraction.diagnostics) != tuple(document.diagnostics):
        raise VerificationError("the diagnostics are not those of the document")
    owner = _check_partition(problem, extraction.timelines)
    tally: Counter[str] = Counter()
    unchecked: list[str] = []
    parts = problem.share_out(owner)
    for timeline, edges in zip(extraction.timelines, parts, strict=True):
        tally["constraints"] += len(edges)
        if timeline.consistent:
            _Proof(document, timeline, edges, tally, unchecked).run()
        else:
            _check_silence(timeline)
    _check_conflicts(problem, extraction, owner, parts, unchecked)
    if extraction.consistent != all(timeline.consistent for timeline in extraction.timelines):
        raise VerificationError("the document is consistent if and only if all its timelines are")
    _check_connections(document, extraction.connections, owner)
    mains = _check_trunk(problem, extraction, owner)
    _check_breaks(document, extraction, mains)
    return Verdict(
        timelines=len(extraction.timelines),
        points=2 * len(document.nodes),
        constraints=tally["constraints"],
        sections=tally["sections"],
        pairs=tally["pairs"],
        conflicts=len(extraction.conflicts),
        connections=len(extraction.connections),
        breaks=len(extraction.breaks),
        nodes=len(extraction.nodes),
        unchecked=tuple(unchecked),
    )


class _Problem:
    """What the document says, in constraints."""

    def __init__(self, document: Document, options: Options) -> None:
        if options.times not in {"interval", "point"}:
            raise VerificationError(f"the option times is {options.times!r}, not interval or point")
        self.document = document
        self.options = options
        self.order = {link.id: number for number, link in enumerate(document.links)}
        self.said = {link.id: edges for link in document.links if (edges := self._read(link))}
        self.own = [self._span(number, node) for number, node in enumerate(document.nodes)]

    def _read(self, link: Link) -> list[_Edge]:
        index = self.document.index
        source, target = index.get(link.source or ""), index.get(link.target or "")
        if link.kind not in self.options.links or source is None or target is None:
            return []
        row = _TABLES.get(link.kind, {}).get(link.type or "", "")
        ends = (2 * source, 2 * source + 1, 2 * target, 2 * target + 1)
        return [
            _Edge(ends[b], "<", ends[a], link.id)
            if order == ">"
            else _Edge(ends[a], order, ends[b], link.id)
            for (a, b), order in zip(_CELLS, row, strict=False)
            if order != "."
        ]

    def _span(self, number: int, node: Node) -> _Edge:
        moment = self.options.times == "point" and isinstance(node, Timex) and node.type == "TIME"
        return _Edge(2 * number, "=" if moment else "<", 2 * number + 1, None)

    def share_out(self, owner: Sequence[int]) -> list[list[_Edge]]:
        """Give each timeline its constraints."""
        parts: list[list[_Edge]] = [[] for _ in range(max(owner, default=-1) + 1)]
        for edge in self.own:
            parts[owner[edge.left // 2]].append(edge)
        for edges in self.said.values():
            parts[owner[edges[0].left // 2]].extend(edges)
        return parts

    def with_own(self, links: Iterable[str]) -> list[_Edge]:
        """Collect what some links say, and the intervals they speak of."""
        edges = [edge for link in links for edge in self.said[link]]
        touched = {point // 2 for edge in edges for point in (edge.left, edge.right)}
        return edges + [self.own[number] for number in touched]


def _name(document: Document, point: int) -> str:
    return document.nodes[point // 2].id + "-+"[point % 2]


def _number(document: Document, name: str) -> int | None:
    node = document.index.get(name[:-1])
    return None if node is None or not name.endswith(("-", "+")) else 2 * node + (name[-1] == "+")


def _reach(starts: Iterable[int], near: Mapping[int, Collection[int]]) -> set[int]:
    reached = set(starts)
    fresh = list(reached)
    while fresh:
        for step in near.get(fresh.pop(), ()):
            if step not in reached:
                reached.add(step)
                fresh.append(step)
    return reached


def _merge(edges: Iterable[_Edge]) -> dict[int, int]:
    """Map each point to the first of the points that ``=`` joins with it."""
    beside: dict[int, list[int]] = {}
    for left, order, right, _ in edges:
        near, far = beside.setdefault(left, []), beside.setdefault(right, [])
        if order == "=":
            near.append(right)
            far.append(left)
    merged: dict[int, int] = {}
    for point in sorted(beside):
        if point not in merged:
            merged.update(dict.fromkeys(_reach([point], beside), point))
    return merged


def _satisfiable(edges: Collection[_Edge]) -> bool:
    """Whether constraints can be met: take away, again and again, what nothing stands before."""
    merged = _merge(edges)
    waiting = Counter(merged[edge.right] for edge in edges if edge.order == "<")
    after = defaultdict(list)
    for left, order, right, _ in edges:
        if order == "<":
            after[merged[left]].append(merged[right])
    ready = [compound for compound in set(merged.values()) if not waiting[compound]]
    while ready:
        for compound in after[ready.pop()]:
            waiting[compound] -= 1
            if not waiting[compound]:
                ready.append(compound)
    return not any(waiting.values())


def _check_partition(problem: _Problem, timelines: Sequence[Line]) -> list[int]:
    """Say which timeline each interval stands in."""
    index = problem.document.index
    owner = [-1] * len(problem.document.nodes)
    latest = -1
    for number, timeline in enumerate(timelines):
        if timeline.id != number:
            raise VerificationError(f"the timeline in place {number} has the id {timeline.id}")
        members = [index.get(name, -1) for name in timeline.intervals]
        if not members or -1 in members:
            raise VerificationError(f"timeline {number} has no interval, or an undefined one")
        if members != sorted(set(members)):
            raise VerificationError(f"timeline {number}: the intervals are not in text order")
        if members[0] < latest:
            raise VerificationError(f"timeline {number} begins in the text before the one above it")
        latest = members[0]
        for name, member in zip(timeline.intervals, members, strict=True):
            if owner[member] >= 0:
                raise VerificationError(f"{name!r} is in timelines {owner[member]} and {number}")
            owner[member] = number
    if -1 in owner:
        missing = problem.document.nodes[owner.index(-1)].id
        raise VerificationError(f"{missing!r} stands in no timeline")
    _check_connected(problem, timelines, owner)
    return owner


def _check_connected(problem: _Problem, timelines: Sequence[Line], owner: list[int]) -> None:
    near: dict[int, list[int]] = defaultdict(list)
    for link, edges in problem.said.items():
        left, right = edges[0].left // 2, edges[0].right // 2
        if owner[left] != owner[right]:
            raise VerificationError(
                f"link {link!r} leads from timeline {owner[left]} to timeline {owner[right]}"
            )
        near[left].append(right)
        near[right].append(left)
    for timeline in timelines:
        reached = _reach([problem.document.index[timeline.intervals[0]]], near)
        if len(reached) != len(timeline.intervals):
            raise VerificationError(
                f"timeline {timeline.id}: no links connect {timeline.intervals[0]!r} with all others"
            )


def _check_silence(timeline: Line) -> None:
    """Hold an inconsistent timeline to having no steps, and nothing that follows from steps."""
    listed = timeline.points, timeline.compounds, timeline.tied_steps, timeline.sections
    counted = timeline.length, timeline.indeterminate_pairs, timeline.score, timeline.scenarios
    if any(listed) or any(value is not None for value in counted) or _pairs_of(timeline):
        raise VerificationError(f"timeline {timeline.id} is inconsistent and still has steps")


def _pairs_of(timeline: Line) -> tuple[tuple[str, str], ...] | None:
    """Give the pairs a report lists; None where it lists none, as a live timeline does."""
    if not isinstance(timeline, TimelineReport) or timeline.pairs is UNSET:
        return None
    return timeline.pairs


class _Proof:
    """The proof that one consistent timeline is right, claim by claim."""

    def __init__(
        self,
        document: Document,
        timeline: Line,
        edges: list[_Edge],
        tally: Counter[str],
        unchecked: list[str],
    ) -> None:
        self.document = document
        self.timeline = timeline
        self.edges = edges
        self.tally = tally
        self.unchecked = unchecked
        self.merged = _merge(edges)
        self.members: dict[int, list[int]] = {}
        for point in sorted(self.merged):
            self.members.setdefault(self.merged[point], []).append(point)
        self.earliest: dict[int, int] = {}
        self.latest: dict[int, int] = {}

    def run(self) -> None:
        """Check the claims in an order in which each may rely on those before it."""
        self.check_steps()
        self.check_pushed()
        self.check_compounds()
        blocks = self.check_sections()
        self.check_boundaries(blocks)
        self.check_indeterminacy([block for block in blocks if len(block) > 1])

    def reject(self, problem: str) -> VerificationError:
        return VerificationError(f"timeline {self.timeline.id}: {problem}")

    def name(self, point: int) -> str:
        return _name(self.document, point)

    def check_steps(self) -> None:
        """The right points have steps, and these satisfy every constraint."""
        points = self.timeline.points
        if len(points) != len(self.merged):
            raise self.reject(f"{len(self.merged)} points should have steps, {len(points)} have")
        for point in self.merged:
            if (name := self.name(point)) not in points:
                raise self.reject(f"point {name!r} has no steps")
            self.earliest[point], self.latest[point] = points[name]
        for what, step in (("earliest", self.earliest), ("latest", self.latest)):
            for left, order, right, link in self.edges:
                a, b = step[left], step[right]
                if not (a < b if order == "<" else a == b):
                    source = f"link {link!r}" if link else "the interval itself"
                    raise self.reject(
                        f"the {what} steps {a} and {b} break "
                        f"{self.name(left)} {order} {self.name(right)} of {source}"
                    )

    def check_pushed(self) -> None:
        """No point can stand earlier, or later without making the timeline longer."""
        length = max(self.earliest.values())
        if self.timeline.length != length:
            raise self.reject(f"the length is {length}, not {self.timeline.length}")
        from_below, from_above = set(), set()
        for left, order, right, _ in self.edges:
            if order == "<" and self.earliest[left] + 1 == self.earliest[right]:
                from_below.add(self.merged[right])
            if order == "<" and self.latest[left] + 1 == self.latest[right]:
                from_above.add(self.merged[left])
        for point, compound in self.merged.items():
            first, last = self.earliest[point], self.latest[point]
            if first < 1 or (first > 1 and compound not in from_below):
                raise self.reject(f"{first} is not the earliest step of {self.name(point)!r}")
            if last > length or (last < length and compound not in from_above):
                raise self.reject(f"{last} is not the latest step of {self.name(point)!r}")

    def check_compounds(self) -> None:
        """The compounds are the classes of ``=``; a tied step holds two of them."""
        names = (tuple(map(self.name, points)) for points in self.members.values())
        if list(map(tuple, self.timeline.compounds)) != [group for group in names if group[1:]]:
            raise self.reject("the compounds are not the groups of points joined by =")
        crowd = Counter(self.earliest[compound] for compound in self.members)
        tied = sorted(step for step, compounds in crowd.items() if compounds > 1)
        if list(self.timeline.tied_steps) != tied:
            raise self.reject(f"the tied steps are {tied}, not {list(self.timeline.tied_steps)}")

    def check_sections(self) -> list[list[int]]:
        """Cut the compounds, in order of their steps, where the sections say."""
        compounds = sorted(self.members, key=self.earliest.__getitem__)
        blocks: list[list[int]] = []
        position, undetermined = 0, 0
        for section in self.timeline.sections:
            while position < len(compounds) and self.earliest[compounds[position]] < section.first:
                blocks.append([compounds[position]])
                position += 1
            end = position
            while end < len(compounds) and self.earliest[compounds[end]] <= section.last:
                end += 1
            self.check_section(section, compounds[position:end])
            blocks.append(compounds[position:end])
            undetermined += len(section.points)
            position = end
        blocks.extend([compound] for compound in compounds[position:])
        if self.timeline.score != undetermined / len(self.merged):
            raise self.reject(f"{self.timeline.score} is not the share of points in a section")
        self.tally["sections"] += len(self.timeline.sections)
        return blocks

    def check_section(self, section: Section, block: list[int]) -> None:
        place = f"the section on steps {section.first} to {section.last}"
        if len(block) < 2:  # noqa: PLR2004 -- a section is two compounds at least
            raise self.reject(f"{place} does not hold two compounds")
        if (section.first, section.last) != (self.earliest[block[0]], self.earliest[block[-1]]):
            raise self.reject(f"{place} has no point on its first or on its last step")
        points = sorted(point for compound in block for point in self.members[compound])
        if list(section.points) != [self.name(point) for point in points]:
            raise self.reject(f"{place} does not list the points on these steps")

    def check_boundaries(self, blocks: list[list[int]]) -> None:
        """Each block precedes the next: its last points have constraints with the next's first.

        A chain between a last point of one and a first point of the other can be no longer.
        """
        block_of = {compound: number for number, block in enumerate(blocks) for compound in block}
        direct = {
            (self.merged[left], self.merged[right])
            for left, order, right, _ in self.edges
            if order == "<"
        }
        inside = [(a, b) for a, b in direct if block_of[a] == block_of[b]]
        followed, preceded = {a for a, _ in inside}, {b for _, b in inside}
        for lower, upper in zip(blocks, blocks[1:], strict=False):
            firsts = [compound for compound in upper if compound not in preceded]
            for last in (compound for compound in lower if compound not in followed):
                for first in firsts:
                    if (last, first) not in direct:
                        raise self.reject(
                            f"{self.name(last)!r} and {self.name(first)!r} are indeterminate "
                            "and not in one section"
                        )

    def check_indeterminacy(self, blocks: list[list[int]]) -> None:
        """Inside the sections: that they hold together, their pairs, their scenarios."""
        steps: dict[int, list[int]] = defaultdict(list)
        for left, order, right, _ in self.edges:
            if order == "<":
                steps[self.merged[left]].append(self.merged[right])
        pairs: int | None = 0
        scenarios: list[int | None] = []
        unordered: dict[int, tuple[dict[int, int], list[int]]] = {}
        for block in blocks:
            place = f"section on steps {self.earliest[block[0]]} to {self.earliest[block[-1]]}"
            if len(block) > CLOSURE_LIMIT:
                self.leave(f"the pairs of the {place}")
                pairs = None
                scenarios.append(None)
                continue
            below, above = _close(block, steps)
            whole = (1 << len(block)) - 1
            free = [
                whole & ~(below[i] | above[i] | 1 << i) for i in range(len(block))
            ]
            if len(_split(whole, free)) > 1:
                raise self.reject(f"the {place} is not one section")
            position = {compound: number for number, compound in enumerate(block)}
            unordered.update(dict.fromkeys(block, (position, free)))
            if pairs is not None:
                pairs += self.weigh(block, free)
            scenarios.append(_recount(below, above))
            if scenarios[-1] is None:
                self.leave(f"the number of scenarios of the {place}")
        self.check_pairs(pairs, unordered)
        self.check_scenarios(scenarios)

    def leave(self, what: str) -> None:
        self.unchecked.append(f"timeline {self.timeline.id}: {what}")
