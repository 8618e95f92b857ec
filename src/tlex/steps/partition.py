"""Step 1, partitioning (§3.2): the temporally connected parts of a graph."""

from __future__ import annotations

from dataclasses import dataclass

from tlex.graph import TemporalGraph

__all__ = ["Partition", "partition"]


@dataclass(slots=True)
class Partition:
    """The parts in text order of their first interval.

    ``members`` gives each part's intervals, ascending; ``part_of`` each interval's part.
    ``graphs`` has the part's own graph, with its intervals numbered from 0 and its links in
    document order, or None for an interval that no link touches and that is no instant.
    """

    members: list[list[int]]
    part_of: list[int]
    graphs: list[TemporalGraph | None]


def partition(graph: TemporalGraph) -> Partition:
    """Split a graph into the parts that its links hold together.

    Links are read without direction. Near-linear (union by smallest member, paths halved).
    """
    part_of, members = _number_parts(_find_roots(graph))
    graphs: list[TemporalGraph | None] = [None] * len(members)
    place = [0] * graph.size
    for inside in members:
        if len(inside) > 1:
            for position, interval in enumerate(inside):
                place[interval] = position
    for label, source, target, number in zip(
        graph.labels, graph.sources, graph.targets, graph.numbers, strict=True
    ):
        part = part_of[source]
        own = graphs[part]
        if own is None:
            own = graphs[part] = TemporalGraph(len(members[part]))
        own.labels.append(label)
        own.sources.append(place[source])
        own.targets.append(place[target])
        own.numbers.append(number)
    for interval in graph.instants:
        part = part_of[interval]
        own = graphs[part]
        if own is None:
            own = graphs[part] = TemporalGraph(len(members[part]))
        own.instants.append(place[interval])
    return Partition(members, part_of, graphs)


def _find_roots(graph: TemporalGraph) -> list[int]:
    """Give each interval the smallest number of its part, through a chain of smaller ones."""
    root = list(range(graph.size))
    for source, target in zip(graph.sources, graph.targets, strict=True):
        one, other = source, target
        while root[one] != one:
            root[one] = one = root[root[one]]
        while root[other] != other:
            root[other] = other = root[root[other]]
        if one < other:
            root[other] = one
        elif other < one:
            root[one] = other
    return root


def _number_parts(root: list[int]) -> tuple[list[int], list[list[int]]]:
    part_of = [0] * len(root)
    members: list[list[int]] = []
    for interval, parent in enumerate(root):
        if parent == interval:
            part_of[interval] = len(members)
            members.append([interval])
        else:
            # The parent has a smaller number, so its part is known already.
            part = part_of[interval] = part_of[parent]
            members[part].append(interval)
    return part_of, members
