"""Step 1, partitioning (§3.2): the temporally connected parts of a graph."""

from __future__ import annotations

from msgspec import Struct

from tlex.graph import TemporalGraph, join_pairs

__all__ = ["Partition", "partition"]


class Partition(Struct):
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
    part_of, place, members = _number_parts(join_pairs(graph.size, graph.sources, graph.targets))
    if len(members) == 1:
        return Partition(members, part_of, [graph if graph.labels or graph.instants else None])
    links: dict[int, list[int]] = {}
    for link, source in enumerate(graph.sources):
        part = part_of[source]
        if part in links:
            links[part].append(link)
        else:
            links[part] = [link]
    instants: dict[int, list[int]] = {part_of[interval]: [] for interval in graph.instants}
    for interval in graph.instants:
        instants[part_of[interval]].append(place[interval])
    graphs: list[TemporalGraph | None] = [None] * len(members)
    labels, sources, targets, numbers = graph.labels, graph.sources, graph.targets, graph.numbers
    for part, own in links.items():
        if len(own) == 1:  # the most frequent case, without the detours
            link = own[0]
            graphs[part] = TemporalGraph(
                len(members[part]),
                (labels[link],),
                (place[sources[link]],),
                (place[targets[link]],),
                (numbers[link],),
                instants.get(part, ()),
            )
            continue
        graphs[part] = TemporalGraph(
            len(members[part]),
            [labels[link] for link in own],
            [place[sources[link]] for link in own],
            [place[targets[link]] for link in own],
            [numbers[link] for link in own],
            instants.get(part, ()),
        )
    for part, inside in instants.items():
        if graphs[part] is None:
            graphs[part] = TemporalGraph(len(members[part]), instants=inside)
    return Partition(members, part_of, graphs)


def _number_parts(root: list[int]) -> tuple[list[int], list[int], list[list[int]]]:
    """Number the parts: each interval's part, its place among the part's members, the members."""
    part_of = [0] * len(root)
    place = [0] * len(root)
    members: list[list[int]] = []
    for interval, parent in enumerate(root):
        if parent == interval:
            part_of[interval] = len(members)
            members.append([interval])
        else:
            # The parent has a smaller number, so its part is known already.
            part = part_of[interval] = part_of[parent]
            inside = members[part]
            place[interval] = len(inside)
            inside.append(interval)
    return part_of, place, members
