"""Joining timelines to a trunk and its branches (§3.7, SPEC §5)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from tlex.document import Document, Instance
from tlex.graph import find_groups
from tlex.records import Break, Connection, Options

__all__ = ["arrange", "find_breaks", "find_connections"]

_WORD = re.compile(r"\w+(?:[-'’]\w+)*")  # noqa: RUF001 -- the apostrophe of printed text


def find_connections(document: Document, part_of: list[int]) -> tuple[Connection, ...]:
    """Find the SLINKs that cross between timelines, in document order."""
    index = document.index
    found = []
    for link in document.links:
        if link.kind != "SLINK" or link.source is None or link.target is None:
            continue
        source, target = index.get(link.source), index.get(link.target)
        if source is None or target is None or part_of[source] == part_of[target]:
            continue
        found.append(
            Connection(
                link.id, link.type, link.source, link.target, part_of[source], part_of[target]
            )
        )
    return tuple(found)


def arrange(
    document: Document,
    options: Options,
    connections: Sequence[Connection],
    part_of: list[int],
    lengths: list[int],
) -> tuple[list[int], set[int], dict[int, int]]:
    """Say which timelines are main, which are detached, and where each main one begins.

    The main ones come in the order in which they are concatenated, with their offsets.
    ``lengths`` has each timeline's number of steps, 0 for an inconsistent one.
    """
    following: list[list[int]] = [[] for _ in lengths]
    for connection in connections:
        if options.subordinating is None or connection.type in options.subordinating:
            following[connection.source_timeline].append(connection.target_timeline)
    detached: set[int] = set()
    if options.main is None:
        sizes = [0] * len(lengths)
        for part in part_of:
            sizes[part] += 1
        mains = _find_sources(following, sizes)
    else:
        mains = _find_named(document, options.main, part_of)
        reached = set(mains)
        queue = list(mains)
        for number in queue:
            for after in following[number]:
                if after not in reached:
                    reached.add(after)
                    queue.append(after)
        detached = set(range(len(lengths))) - reached
    offsets = {}
    total = 0
    for number in mains:
        offsets[number] = total
        total += lengths[number]
    return mains, detached, offsets


def find_breaks(
    document: Document, mains: Sequence[int], members: Sequence[list[int]]
) -> tuple[Break, ...]:
    """Find the breaking pair between each two neighbouring main timelines.

    ``members`` has the intervals of each main timeline, in the same order as ``mains``.
    """
    if len(mains) <= 1:
        return ()
    starts = [match.start() for match in _WORD.finditer(document.text)]
    nodes = document.nodes
    breaks = []
    for (number, one), (following, other) in pairwise(zip(mains, members, strict=True)):
        best = _find_closest(document, starts, one, other)
        first, second, words = best or (one[0], other[0], None)
        breaks.append(Break(number, following, nodes[first].id, nodes[second].id, words))
    return tuple(breaks)


def _find_named(document: Document, main: tuple[str, ...], part_of: list[int]) -> list[int]:
    instances: dict[str, list[int]] = {}
    for number, node in enumerate(document.nodes):
        if isinstance(node, Instance) and node.event is not None:
            instances.setdefault(node.event, []).append(number)
    mains: dict[int, None] = {}
    for name in main:
        own = [document.index[name]] if name in document.index else instances.get(name, [])
        for number in own:
            mains[part_of[number]] = None
    return list(mains)


def _find_sources(following: list[list[int]], sizes: list[int]) -> list[int]:
    """Of each strongly connected group into which no other leads, the largest timeline."""
    group_of, groups = find_groups(following)
    led_into = {
        group_of[after]
        for number, others in enumerate(following)
        for after in others
        if group_of[after] != group_of[number]
    }
    return sorted(
        max(group, key=lambda number: (sizes[number], -number))
        for place, group in enumerate(groups)
        if place not in led_into
    )


def _find_closest(
    document: Document, starts: list[int], one: list[int], other: list[int]
) -> tuple[int, int, int] | None:
    """The pair, one node from each side, with the fewest words between; None without spans.

    A sweep over both in text order: the nearest on the left of a node is the one of the other
    side that reaches farthest. Of equals the first in the text wins.
    """
    nodes = document.nodes
    merged = sorted(
        [(number, 0) for number in one if nodes[number].text_start >= 0]
        + [(number, 1) for number in other if nodes[number].text_start >= 0]
    )
    farthest: list[int | None] = [None, None]
    best: tuple[int, int, int] | None = None
    for number, side in merged:
        left = farthest[1 - side]
        if left is not None:
            end, start = nodes[left].text_end, nodes[number].text_start
            words = max(0, bisect_left(starts, start) - bisect_left(starts, end))
            if best is None or words < best[2]:
                best = (left, number, words) if side else (number, left, words)
        reach = farthest[side]
        if reach is None or nodes[number].text_end > nodes[reach].text_end:
            farthest[side] = number
    return best
