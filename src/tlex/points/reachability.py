"""Which compounds precede which, for many questions at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from tlex.points.graphs import CompoundGraph, Steps
from tlex.wording import count, represent

__all__ = ["Reach", "find_detours", "find_preceding"]

_BITS = 4096
"""How many goals are looked for at once: a bit each."""


class Reach:
    """Which compounds precede which, in a graph that may be asked again and again.

    The graph has no broken component.
    """

    def __init__(self, graph: CompoundGraph, steps: Steps) -> None:
        self._graph, self._steps = graph, steps
        self._whole: list[tuple[dict[int, int], list[int]]] | None = None

    def __repr__(self) -> str:
        return represent(self, count(self._graph.size, "compound"))

    def list_blocks(self, goals: Iterable[int]) -> Iterable[tuple[dict[int, int], list[int]]]:
        """Give for some goals at a time the bit of each, and the goals that each compound reaches.

        A goal reaches itself. In a small graph all compounds are goals, and that is found once.
        """
        if self._graph.size > _BITS:
            return _reach(self._graph, self._steps, goals)
        if self._whole is None:
            self._whole = list(_reach(self._graph, self._steps, range(self._graph.size)))
        return self._whole


def find_preceding(
    graph: CompoundGraph, steps: Steps, pairs: Collection[tuple[int, int]]
) -> set[tuple[int, int]]:
    """Find the pairs of compounds whose first precedes its second in every timeline.

    One pass over the graph for each few thousand second compounds. The graph has no broken
    component.
    """
    found: set[tuple[int, int]] = set()
    for bit, reached in _reach(graph, steps, (goal for _, goal in pairs)):
        found.update(
            pair for pair in pairs if pair[0] != pair[1] and reached[pair[0]] & bit.get(pair[1], 0)
        )
    return found


def find_detours(
    graph: CompoundGraph,
    steps: Steps,
    pairs: Collection[tuple[int, int]],
    reach: Reach | None = None,
) -> set[tuple[int, int]]:
    """Find the pairs of compounds with a third one between them in every timeline.

    The costs are those of `find_preceding`, and the graph has no broken component either. ``reach``
    is that of the graph, if it is kept.
    """
    if not pairs:
        return set()
    goals: dict[int, list[int]] = defaultdict(list)
    for low, high in pairs:
        goals[low].append(high)
    found: set[tuple[int, int]] = set()
    wanted = (goal for _, goal in pairs)
    blocks = _reach(graph, steps, wanted) if reach is None else reach.list_blocks(wanted)
    for bit, reached in blocks:
        for low, highs in goals.items():
            further = 0
            for after in graph.successors[low]:
                further |= reached[after] & ~bit.get(after, 0)
            if further:
                found.update((low, high) for high in highs if further & bit.get(high, 0))
    return found


def _reach(
    graph: CompoundGraph, steps: Steps, wanted: Iterable[int]
) -> Iterator[tuple[dict[int, int], list[int]]]:
    """For some of the goals at a time: the bit of each, and the goals that each compound reaches.

    A goal reaches itself.
    """
    downwards = sorted(range(graph.size), key=steps.earliest.__getitem__, reverse=True)
    successors = graph.successors
    goals = sorted({*wanted})
    for first in range(0, len(goals), _BITS):
        bit = {goal: 1 << place for place, goal in enumerate(goals[first : first + _BITS])}
        reached = [0] * graph.size
        for goal, own in bit.items():
            reached[goal] = own
        for number in downwards:
            here = reached[number]
            for after in successors[number]:
                here |= reached[after]
            reached[number] = here
        yield bit, reached
