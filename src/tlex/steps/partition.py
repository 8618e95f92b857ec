"""Step 1, partitioning (§3.2): the temporally connected parts of a graph."""

from __future__ import annotations

from msgspec import Struct

from tlex.graph import TemporalGraph, join_pairs

__all__ = ["Partition", "partition"]


class Partition(Struct, gc=False):
    """The parts in text order of their first interval.

    ``members`` gives each part's intervals, ascending; ``part_of`` each interval's part. ``graph``
    has all there is to settle: the intervals of the parts ``blocks``, numbered anew so that each
    of these parts is a run of numbers, and the links in document order. The other parts are lone
    intervals that no link touches and that are no instants.
    """

    members: list[list[int]]
    part_of: list[int]
    blocks: list[int]
    graph: TemporalGraph


def partition(graph: TemporalGraph) -> Partition:
    """Split a graph into the parts that its links hold together.

    Links are read without direction. Near-linear (union by smallest member, paths halved).
    """
    part_of, members = _number_parts(join_pairs(graph.size, graph.sources, graph.targets))
    blocks = sorted({part_of[interval] for interval in (*graph.sources, *graph.instants)})
    if len(blocks) == len(members) == 1:  # the numbers are as they should be
        whole = (graph.size, graph.labels, graph.sources, graph.targets, graph.numbers)
        return Partition(
            members, part_of, blocks, TemporalGraph(*whole, graph.instants, (0, graph.size))
        )
    place = [0] * graph.size
    cuts = [0]
    at = 0
    for part in blocks:
        for interval in members[part]:
            place[interval] = at
            at += 1
        cuts.append(at)
    renumbered = TemporalGraph(
        at,
        graph.labels,
        [place[interval] for interval in graph.sources],
        [place[interval] for interval in graph.targets],
        graph.numbers,
        [place[interval] for interval in graph.instants],
        cuts,
    )
    return Partition(members, part_of, blocks, renumbered)


def _number_parts(root: list[int]) -> tuple[list[int], list[list[int]]]:
    """Number the parts: each interval's part, and each part's members."""
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
