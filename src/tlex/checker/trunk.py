"""The check of trunk, branches, connections and breaks (R8 to R12).

The trunk is proved by reachability: every timeline is reached from a main one, and every timeline
that leads to a main one is reached from it. A break is proved by one sweep of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from tlex.checker.timelines import reach
from tlex.document import Document, Instance, Node
from tlex.errors import VerificationError
from tlex.records import Break, Connection, ExtractionRecord
from tlex.result import Extraction

__all__ = ["check_breaks", "check_connections", "check_trunk", "find_crossing"]

_WORD: Final = re.compile(r"\w+(?:[-'\u2019]\w+)*")


def find_crossing(document: Document, owner: Sequence[int]) -> list[Connection]:
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


def check_connections(
    document: Document, connections: Sequence[Connection], owner: Sequence[int]
) -> None:
    """Prove that the connections are the SLINKs that cross, in document order."""
    crossing = find_crossing(document, owner)
    for claimed, real in zip(connections, crossing, strict=False):
        if claimed != real:
            raise VerificationError(f"connection {claimed.link!r} should read {real}")
    if len(connections) != len(crossing):
        raise VerificationError(f"{len(crossing)} SLINKs cross, {len(connections)} are connections")


def check_trunk(
    document: Document, extraction: Extraction | ExtractionRecord, owner: Sequence[int]
) -> list[int]:
    """Prove which timelines are main and where they stand; give them in order."""
    forward: dict[int, list[int]] = defaultdict(list)
    backward: dict[int, list[int]] = defaultdict(list)
    options = extraction.options
    counted = options.subordinating
    for link in extraction.connections:
        if counted is None or link.type in counted:
            forward[link.source_timeline].append(link.target_timeline)
            backward[link.target_timeline].append(link.source_timeline)
    mains = [timeline.id for timeline in extraction.timelines if timeline.main]
    trunk, reached = mains, reach(mains, forward)
    if options.main is None:
        sizes = [len(timeline.intervals) for timeline in extraction.timelines]
        _check_sources(mains, sizes, forward, backward)
    else:
        trunk = _find_named(document, options.main, owner)
        if sorted(trunk) != mains:
            raise VerificationError(f"the main timelines are {sorted(trunk)}, not {mains}")
    offsets, offset = {}, 0
    for number in trunk:
        offsets[number] = offset
        offset += extraction.timelines[number].length or 0
    for timeline in extraction.timelines:
        if timeline.detached != (timeline.id not in reached):
            raise VerificationError(
                f"timeline {timeline.id} is detached if and only if no main timeline leads to it"
            )
        if timeline.offset != offsets.get(timeline.id, 0):
            raise VerificationError(
                f"timeline {timeline.id}: the offset is {offsets.get(timeline.id, 0)}, "
                f"not {timeline.offset}"
            )
    return trunk


def _check_sources(
    mains: Sequence[int],
    sizes: Sequence[int],
    forward: dict[int, list[int]],
    backward: dict[int, list[int]],
) -> None:
    """Prove that exactly the largest timeline of each group that no other leads to is main.

    The timelines that lead to a main one are such a group if the main one leads to all of them. No
    group is left out if every timeline is reached from some main one.
    """
    if len(reach(mains, forward)) != len(sizes):
        raise VerificationError(f"the main timelines {mains} do not lead to all others")
    for main in mains:
        group = reach([main], backward)
        back = reach([main], {number: forward.get(number, []) for number in group})
        if not group <= back:
            raise VerificationError(
                f"timeline {main} is main, but one outside its group leads to it"
            )
        if main != min(group, key=lambda number: (-sizes[number], number)):
            raise VerificationError(f"timeline {main} is main, but not the largest of its group")


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
        _check_break(gap, sides, starts)


def _check_break(gap: Break, sides: list[list[Node]], starts: list[int]) -> None:
    """Check one break by a sweep of the text that keeps where each side ended last."""
    place = f"the break between the timelines {gap.first_timeline} and {gap.second_timeline}"
    spoken = [{node.id: node for node in side if node.text_start >= 0} for side in sides]
    if not all(spoken):
        if (gap.first, gap.second, gap.words) != (sides[0][0].id, sides[1][0].id, None):
            raise VerificationError(
                f"{place}: a side has no words, so the first intervals stand here"
            )
        return
    if gap.first not in spoken[0] or gap.second not in spoken[1]:
        raise VerificationError(f"{place}: {gap.first!r} or {gap.second!r} is no expression of it")

    def count_words(end: int, start: int) -> int:
        return max(0, bisect_left(starts, start) - bisect_left(starts, end))

    one, other = sorted(
        (spoken[0][gap.first], spoken[1][gap.second]), key=lambda node: node.text_start
    )
    words = count_words(one.text_end, other.text_start)
    if gap.words != words:
        raise VerificationError(f"{place}: {words} words stand between, not {gap.words}")
    ends = [-1, -1]
    along = [
        (node.text_start, node.text_end, side) for side in (0, 1) for node in spoken[side].values()
    ]
    for start, end, side in sorted(along):
        if ends[1 - side] >= 0 and count_words(ends[1 - side], start) < words:
            raise VerificationError(f"{place}: another pair is closer than {words} words")
        ends[side] = max(ends[side], end)
