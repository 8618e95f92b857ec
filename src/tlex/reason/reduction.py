"""Links that say it all: an irredundant set that entails the rest (SPEC §7).

A link goes if every constraint of its row follows from the links that are left. What is left
entails the same as before, so compounds and steps stay what they were while links go, and a
search for another way between two points never has to leave the steps between them. A link that
was needed once stays needed, since the others only become fewer: one pass is enough.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import cast

from tlex.document import Document
from tlex.graph import CompoundGraph, Part, PointGraph, Steps
from tlex.parts import Parts
from tlex.report import Reduction

__all__ = ["drop_links", "reduce_timelines"]

Constraint = tuple[int, int]
"""Two points, the second above the first or equal to it."""


def reduce_timelines(document: Document, parts: Parts) -> Reduction:
    """Reduce the links of each timeline of a document that does not contradict itself.

    TLINKs go before ALINKs, which say more than time, and later ones before earlier ones.
    """
    kept: list[int] = []
    dropped: list[int] = []
    untouched: list[int] = []
    inconsistent = []
    for number in range(len(parts)):
        links = [link for link, _, _, _ in parts.list_links(number)]
        if not parts.lengths[number]:
            inconsistent.append(number)
            untouched += links
        elif links:
            order = sorted(links, key=lambda link: (document.links[link].kind != "TLINK", -link))
            gone = drop_links(parts[number], parts.constraints(number), order)
            dropped += gone
            kept += sorted(set(links).difference(gone))
    kept_ids, dropped_ids, untouched_ids = (
        tuple(document.links[link].id for link in sorted(links))
        for links in (kept, dropped, untouched)
    )
    return Reduction(kept_ids, dropped_ids, untouched_ids, tuple(inconsistent))


def drop_links(part: Part, points: PointGraph, order: list[int]) -> list[int]:
    """Drop the links that follow from those left, tried in the order given; tell which.

    For each constraint a search from both ends; each step on one side is answered by one on the
    other, so that it costs no more than twice what the easier side has to look at.
    """
    search = _Search(part, points)
    dropped = []
    for link in order:
        rows = search.rows[link]
        search.gone.add(link)
        if all(search.connects(*pair) for pair in rows):
            dropped.append(link)
        else:
            search.gone.discard(link)
    return dropped


class _Search:
    """Ways between points that avoid the links that are gone."""

    def __init__(self, part: Part, points: PointGraph) -> None:
        graph, steps = cast("CompoundGraph", part.graph), cast("Steps", part.steps)
        self.level = [steps.earliest[compound] for compound in graph.compound]
        self.gone: set[int] = set()
        self.rows: defaultdict[int, list[Constraint]] = defaultdict(list)
        self.ways: tuple[list[list[Constraint]], list[list[Constraint]]] = (
            [[] for _ in range(points.size)],
            [[] for _ in range(points.size)],
        )
        less = zip(points.less_left, points.less_right, points.less_link, strict=True)
        for left, right, link in less:
            self.rows[link].append((left, right))
            self._add(left, right, link)
        equal = zip(points.equal_left, points.equal_right, points.equal_link, strict=True)
        for left, right, link in equal:
            self.rows[link].append((left, right))
            self._add(left, right, link)
            self._add(right, left, link)

    def _add(self, left: int, right: int, link: int) -> None:
        self.ways[0][left].append((right, link))
        self.ways[1][right].append((left, link))

    def connects(self, start: int, goal: int) -> bool:
        """Whether a way leads from one point to another; between compounds it rises by itself."""
        if start == goal:
            return True
        seen = ({start}, {goal})
        lowest, highest = self.level[start], self.level[goal]
        walks = [self._walk(side, seen, lowest, highest) for side in (0, 1)]
        while True:
            for walk in walks:
                met = next(walk, None)
                if met is None:
                    return False
                if met:
                    return True

    def _walk(
        self, side: int, seen: tuple[set[int], set[int]], lowest: int, highest: int
    ) -> Iterator[bool]:
        """Go on by one way at a time, and tell whether it met the other side."""
        mine, other = seen[side], seen[1 - side]
        queue = list(mine)
        for point in queue:
            for after, link in self.ways[side][point]:
                if (
                    link not in self.gone
                    and after not in mine
                    and lowest <= self.level[after] <= highest
                ):
                    mine.add(after)
                    queue.append(after)
                    if after in other:
                        yield True
                yield False
