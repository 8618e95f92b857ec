"""Step 1, partitioning (§3.2): the temporally connected components of a graph."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tlex.points.graphs import TemporalGraph
from tlex.points.union_find import join_pairs

__all__ = ["Partition", "partition"]


class Partition(Struct, gc=False):
    """The components in text order of their first interval.

    ``members`` gives each component's intervals, ascending. ``component_of`` gives each interval's
    component. ``graph`` has what the other steps work on: the intervals of the components
    ``blocks``, renumbered so that each of these is a range of numbers, and the links in document
    order. The other components are lone intervals that no link touches and that are no instants.
    """

    members: list[list[int]]
    component_of: list[int]
    blocks: list[int]
    graph: TemporalGraph


def partition(graph: TemporalGraph) -> Partition:
    """Split a graph into the components that its links connect.

    Links are read without direction. Near-linear (union by smallest member, paths halved).
    """
    component_of, members = _number_components(join_pairs(graph.size, graph.sources, graph.targets))
    blocks = sorted({component_of[interval] for interval in (*graph.sources, *graph.instants)})
    if len(blocks) == len(members) == 1:  # the numbers are as they should be
        return Partition(members, component_of, blocks, replace(graph, cuts=(0, graph.size)))
    place = [0] * graph.size
    cuts = [0]
    at = 0
    for component in blocks:
        for interval in members[component]:
            place[interval] = at
            at += 1
        cuts.append(at)
    renumbered = TemporalGraph(
        size=at,
        labels=graph.labels,
        sources=[place[interval] for interval in graph.sources],
        targets=[place[interval] for interval in graph.targets],
        numbers=graph.numbers,
        instants=[place[interval] for interval in graph.instants],
        cuts=cuts,
    )
    return Partition(members, component_of, blocks, renumbered)


def _number_components(root: list[int]) -> tuple[list[int], list[list[int]]]:
    """Number the components: return each interval's component, and each component's members."""
    component_of = [0] * len(root)
    members: list[list[int]] = []
    for interval, parent in enumerate(root):
        if parent == interval:
            component_of[interval] = len(members)
            members.append([interval])
        else:
            # The parent has a smaller number, so its component is known already.
            component = component_of[interval] = component_of[parent]
            members[component].append(interval)
    return component_of, members
