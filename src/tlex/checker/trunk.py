"""The check of trunk, branches, connections and breaks (R8 to R12).

Main timelines are found again: the SLINKs that cross make groups of parts that lead to each other,
and of each group that no other leads to the largest part is main. With the calendar these are the
parts that the other links connect. A break is proved by one sweep of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from tlex.checker.timelines import Edge, reach
from tlex.checker.walks import find_strong_parts
from tlex.document import Document
from tlex.errors import VerificationError
from tlex.nouns import Instance, Node
from tlex.records import Break, Connection, ExtractionRecord, Options
from tlex.result import Extraction

__all__ = ["Worlds", "check_breaks", "check_connections", "check_trunk"]

_WORD: Final = re.compile(r"\w+(?:[-'\u2019]\w+)*")


class Worlds:
    """The parts that links alone connect, and the SLINKs that cross from one to another.

    Without the calendar these parts are the timelines. ``of`` gives the world of each node,
    ``mains`` the numbers of the main worlds, and ``reached`` those to which SLINKs lead from these.
    """

    def __init__(self, document: Document, options: Options, of: Sequence[int]) -> None:
        self.of = of
        self.crossing = _find_crossing(document, of)
        counted = options.subordinating
        self.counted = [link for link in self.crossing if counted is None or link.type in counted]
        forward: dict[int, list[int]] = defaultdict(list)
        for link in self.counted:
            forward[link.source_timeline].append(link.target_timeline)
        if options.main is None:
            self.mains = self._find_sources()
        else:
            self.mains = _find_named(document, options.main, of)
        self.reached = reach(self.mains, forward)

    def _find_sources(self) -> list[int]:
        """Find the largest world of each group that no world outside the group leads to."""
        part = find_strong_parts(
            Edge(link.source_timeline, "<", link.target_timeline, None) for link in self.counted
        )
        entered = {
            part[link.target_timeline]
            for link in self.counted
            if part[link.source_timeline] != part[link.target_timeline]
        }
        sizes = Counter(self.of)
        best: dict[int, int] = {}
        for world in sorted(sizes):
            group = part.get(world, world)
            if group not in entered and sizes[world] > sizes.get(best.get(group, -1), 0):
                best[group] = world
        return sorted(best.values())

    def place(self, document: Document, owner: Sequence[int]) -> list[Connection]:
        """Give the SLINKs that cross with the timelines of their ends."""
        return [
            replace(
                link,
                source_timeline=owner[document.index[link.source]],
                target_timeline=owner[document.index[link.target]],
            )
            for link in self.crossing
        ]


def _find_crossing(document: Document, owner: Sequence[int]) -> list[Connection]:
    """List the SLINKs that cross from one part to another, in document order."""
    crossing = []
    for link in document.links:
        source, target = link.source or "", link.target or ""
        if link.kind == "SLINK" and source in document.index and target in document.index:
            left, reached = owner[document.index[source]], owner[document.index[target]]
            if left != reached:
                crossing.append(
                    Connection(
                        link=link.id,
                        type=link.type,
                        source=source,
                        target=target,
                        source_timeline=left,
                        target_timeline=reached,
                    )
                )
    return crossing


def check_connections(connections: Sequence[Connection], crossing: Sequence[Connection]) -> None:
    """Prove that the connections are the SLINKs that cross, in document order."""
    for claimed, real in zip(connections, crossing, strict=False):
        if claimed != real:
            raise VerificationError(f"connection {claimed.link!r} should read {real}")
    if len(connections) != len(crossing):
        raise VerificationError(f"{len(crossing)} SLINKs cross, {len(connections)} are connections")


def check_trunk(
    extraction: Extraction | ExtractionRecord, worlds: Worlds, owner: Sequence[int]
) -> list[int]:
    """Prove which timelines are main and where they stand; give them in order.

    A timeline is main if it holds a main world, and detached if it holds none that is reached.
    """
    holder = dict(zip(worlds.of, owner, strict=True))
    trunk = list(dict.fromkeys(holder[world] for world in worlds.mains))
    if extraction.options.main is None:
        trunk.sort()
    mains = [timeline.id for timeline in extraction.timelines if timeline.main]
    if sorted(trunk) != mains:
        raise VerificationError(f"the main timelines are {sorted(trunk)}, not {mains}")
    attached = {holder[world] for world in worlds.reached}
    offsets, offset = {}, 0
    for number in trunk:
        offsets[number] = offset
        offset += extraction.timelines[number].length or 0
    for timeline in extraction.timelines:
        if timeline.detached != (timeline.id not in attached):
            raise VerificationError(
                f"timeline {timeline.id} is detached if and only if no main timeline leads to it"
            )
        if timeline.offset != offsets.get(timeline.id, 0):
            raise VerificationError(
                f"timeline {timeline.id}: the offset is {offsets.get(timeline.id, 0)}, "
                f"not {timeline.offset}"
            )
    return trunk


def _find_named(document: Document, main: Sequence[str], owner: Sequence[int]) -> list[int]:
    """Find the timelines of the events and times that the caller named, in that order."""
    trunk: dict[int, None] = {}
    instances: dict[str | None, list[int]] = defaultdict(list)
    for number, node in enumerate(document.nodes):
        if isinstance(node, Instance):
            instances[node.event].append(number)
    for name in main:
        nodes = [document.index[name]] if name in document.index else instances[name]
        trunk.update(dict.fromkeys(owner[number] for number in nodes))
    return list(trunk)


def check_breaks(
    document: Document, extraction: Extraction | ExtractionRecord, trunk: Sequence[int]
) -> None:
    """Prove that one break stands between each two neighbours, and that no pair is closer."""
    neighbours = list(pairwise(trunk))
    claimed = [(gap.first_timeline, gap.second_timeline) for gap in extraction.breaks]
    if claimed != neighbours:
        raise VerificationError(f"breaks stand between the timelines {neighbours}, not {claimed}")
    starts = [word.start() for word in _WORD.finditer(document.text)] if neighbours else []
    for gap in extraction.breaks:
        sides = [
            [
                document.nodes[document.index[name]]
                for name in extraction.timelines[number].intervals
            ]
            for number in (gap.first_timeline, gap.second_timeline)
        ]
        _check_break(document, gap, sides, starts)


def _check_break(
    document: Document, gap: Break, sides: list[list[Node]], starts: list[int]
) -> None:
    """Check one break by a sweep of the text that keeps where each side ended last."""
    place = f"the break between the timelines {gap.first_timeline} and {gap.second_timeline}"
    spoken = [{node.id: node for node in side if node.text_start >= 0} for side in sides]
    homes = [{id(document.home(node)[0]) for node in side.values()} for side in spoken]
    if homes[0].isdisjoint(homes[1]):
        if (gap.first, gap.second, gap.words) != (sides[0][0].id, sides[1][0].id, None):
            raise VerificationError(
                f"{place}: no document has words of both, so the first intervals stand here"
            )
        return
    if gap.first not in spoken[0] or gap.second not in spoken[1]:
        raise VerificationError(f"{place}: {gap.first!r} or {gap.second!r} is no expression of it")

    def count_words(end: int, start: int) -> int:
        return max(0, bisect_left(starts, start) - bisect_left(starts, end))

    one, other = sorted(
        (spoken[0][gap.first], spoken[1][gap.second]), key=lambda node: node.text_start
    )
    if document.home(one)[0] is not document.home(other)[0]:
        raise VerificationError(f"{place}: {one.id!r} and {other.id!r} are of two documents")
    words = count_words(one.text_end, other.text_start)
    if gap.words != words:
        raise VerificationError(f"{place}: {words} words stand between, not {gap.words}")
    ends = [-1, -1]
    home = None
    along = [
        (node.text_start, node.text_end, side, node.id)
        for side in (0, 1)
        for node in spoken[side].values()
    ]
    for start, end, side, name in sorted(along):
        if document.home(name)[0] is not home:
            home, ends = document.home(name)[0], [-1, -1]
        if ends[1 - side] >= 0 and count_words(ends[1 - side], start) < words:
            raise VerificationError(f"{place}: another pair is closer than {words} words")
        ends[side] = max(ends[side], end)
