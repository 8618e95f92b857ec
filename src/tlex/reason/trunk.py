"""Joining timelines to a trunk and its branches (§3.7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tlex.document import Document
from tlex.nouns import Instance
from tlex.points.strong_components import find_strong_components
from tlex.records import Connection, Options

__all__ = ["arrange", "find_connections"]


def find_connections(document: Document, component_of: Sequence[int]) -> tuple[Connection, ...]:
    """Find the SLINKs that cross between timelines, in document order."""
    index = document.index
    found = []
    for name, label, first, last in document.slinks:
        if first is None or last is None:
            continue
        source, target = index.get(first), index.get(last)
        if source is None or target is None or component_of[source] == component_of[target]:
            continue
        found.append(
            Connection(
                link=name,
                type=label,
                source=first,
                target=last,
                source_timeline=component_of[source],
                target_timeline=component_of[target],
            )
        )
    return tuple(found)


def arrange(
    document: Document,
    options: Options,
    connections: Sequence[Connection],
    component_of: Sequence[int],
) -> tuple[list[int], set[int]]:
    """Find the main timelines, in the order of concatenation, and the detached ones."""
    count = max(component_of, default=-1) + 1
    following: list[list[int]] = [[] for _ in range(count)]
    for connection in connections:
        if options.subordinating is None or connection.type in options.subordinating:
            following[connection.source_timeline].append(connection.target_timeline)
    detached: set[int] = set()
    if options.main is None:
        sizes = [0] * count
        for number in component_of:
            sizes[number] += 1
        mains = _find_sources(following, sizes)
    else:
        mains = _find_named(document, options.main, component_of)
        detached = set(range(count)) - _reach(mains, following)
    return mains, detached


def _find_named(
    document: Document, main: tuple[str, ...], component_of: Sequence[int]
) -> list[int]:
    instances: dict[str, list[int]] = {}
    for number, node in enumerate(document.nodes):
        if isinstance(node, Instance) and node.event is not None:
            instances.setdefault(node.event, []).append(number)
    mains: dict[int, None] = {}
    for name in main:
        own = [document.index[name]] if name in document.index else instances.get(name, [])
        for number in own:
            mains[component_of[number]] = None
    return list(mains)


def _find_sources(following: list[list[int]], sizes: list[int]) -> list[int]:
    """Find the largest timeline of each strongly connected group that no other group leads to.

    A timeline into which none leads is such a group. If all others can be reached from these, there
    are no other groups.
    """
    if not any(following):  # as in most short documents
        return list(range(len(following)))
    led_to = {after for others in following for after in others}
    sources = [number for number in range(len(following)) if number not in led_to]
    if len(_reach(sources, following)) == len(following):
        return sources
    group_of, groups = find_strong_components(following)
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


def _reach(first: Iterable[int], following: list[list[int]]) -> set[int]:
    """Find all that can be reached from some timelines, themselves among them."""
    queue = list(first)
    reached = set(queue)
    for number in queue:
        for after in following[number]:
            if after not in reached:
                reached.add(after)
                queue.append(after)
    return reached
