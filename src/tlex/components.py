"""What the five steps found, component by component.

The steps treat all temporally connected components of a document at once, on one set of lists. A
component is cut out of these when somebody asks for it, with its points and compounds numbered
from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tlex.caching import cached_property
from tlex.points.graphs import (
    Component,
    CompoundGraph,
    Consistent,
    Inconsistent,
    LayeredGraph,
    PointGraph,
    Steps,
    TemporalGraph,
    Unsettled,
)
from tlex.points.tangles import Tangle, cut_tangles
from tlex.steps.generation import find_latest
from tlex.steps.indeterminacy import SETTLED, detect_indeterminacy
from tlex.steps.partition import Partition
from tlex.steps.transform import transform
from tlex.wording import count, represent

__all__ = ["Components"]

_LONE_GRAPH = CompoundGraph(size=2, compound=[0, 1], successors=[[1], []], cuts=(0, 2))
_LONE_STEPS = Steps([2], [1, 2])
_LONE_PLACES = [(1, 1), (2, 2)]
"""What is known about an interval that no link touches: no step needs to run."""


class Components:
    """The components of a document in text order of their first interval.

    ``members`` gives each component's intervals, ``component_of`` each interval's component. What
    step 5 finds, ``unsettled``, may be left out: it is found when somebody asks for it then.
    ``points`` are the constraints on all points; they too may be left out, to be found again.
    """

    def __init__(
        self,
        partition: Partition,
        graph: LayeredGraph,
        steps: Steps,
        unsettled: list[Unsettled] | None = None,
        points: PointGraph | None = None,
    ) -> None:
        self.members = partition.members
        self.component_of = partition.component_of
        self.consistent = not graph.broken
        self._partition = partition
        self._graph = graph
        self._steps = steps
        if unsettled is not None:
            self._unsettled = unsettled
        self._points = points

    def __repr__(self) -> str:
        intervals = count(len(self.component_of), "interval")
        return represent(self, f"{len(self.members):,}, of {intervals}")

    def __len__(self) -> int:
        return len(self.members)

    def __getitem__(self, number: int) -> Component:
        number = range(len(self))[number]  # from the end if it is negative
        members = self.members[number]
        block = self._blocks.get(number)
        if block is None:
            return Consistent(
                members=members,
                graph=_LONE_GRAPH,
                steps=_LONE_STEPS,
                unsettled=SETTLED,
                latest=(1, 2),
            )
        if block in self._broken:
            return Inconsistent(members, self.constraints(number))
        whole, steps, cuts = self._graph, self._steps, self._graph.cuts
        unsettled = self._unsettled[block]
        first, end = cuts[block], cuts[block + 1]
        if end - first == whole.size:
            return Consistent(
                members=members, graph=whole, steps=steps, unsettled=unsettled, latest=self.latest
            )
        bounds = self._partition.graph.cuts
        start, stop = 2 * bounds[block], 2 * bounds[block + 1]
        earliest = steps.earliest[first:end]
        length = steps.lengths[block]
        compounds, successors = whole.compound[start:stop], whole.successors[first:end]
        if first:  # else the numbers are as they should be
            compounds = [compound - first for compound in compounds]
            successors = [[other - first for other in after] for after in successors]
        graph = CompoundGraph(
            size=end - first, compound=compounds, successors=successors, cuts=(0, end - first)
        )
        own = Steps([length], earliest)
        return Consistent(
            members=members,
            graph=graph,
            steps=own,
            unsettled=unsettled,
            latest=self.latest[first:end],
        )

    def __iter__(self) -> Iterator[Component]:
        return map(self.__getitem__, range(len(self)))

    def is_lone(self, number: int) -> bool:
        """Whether a component is an interval that no link touches, and no instant."""
        return number not in self._blocks

    def is_consistent(self, number: int) -> bool:
        """Whether the links of a component do not contradict each other."""
        return self._blocks.get(number) not in self._broken

    def list_places(self, number: int) -> list[tuple[int, int]]:
        """The earliest and latest step of each point; empty if the component is inconsistent."""
        block = self._blocks.get(number)
        if block is None:
            return _LONE_PLACES
        if block in self._broken:
            return []
        bounds = self._partition.graph.cuts
        return self.places[2 * bounds[block] : 2 * bounds[block + 1]]

    def group_equal(self, number: int) -> list[list[int]]:
        """The groups of two or more equal points, as places among the component's points."""
        block = self._blocks.get(number)
        if block is None or block in self._broken:
            return []
        bounds, cuts = self._partition.graph.cuts, self._graph.cuts
        start, end = 2 * bounds[block], 2 * bounds[block + 1]
        if cuts[block + 1] - cuts[block] == end - start:
            return []
        groups: dict[int, list[int]] = {}
        for place, compound in enumerate(self._graph.compound[start:end]):
            if compound in groups:
                groups[compound].append(place)
            else:
                groups[compound] = [place]
        return [group for group in groups.values() if len(group) > 1]

    def locate(self, number: int) -> tuple[range, range]:
        """The points and the compounds of a component in the graph that is `whole`."""
        block = self._blocks.get(number)
        if block is None:
            return range(0), range(0)
        bounds, cuts = self._partition.graph.cuts, self._graph.cuts
        return range(2 * bounds[block], 2 * bounds[block + 1]), range(cuts[block], cuts[block + 1])

    def get_unsettled(self, number: int) -> Unsettled:
        """What is unknown of the order of a component; nothing if it is inconsistent."""
        block = self._blocks.get(number)
        return SETTLED if block is None else self._unsettled[block]

    def constraints(self, number: int) -> PointGraph:
        """The constraints on the points of a component, consistent or not, each with its link."""
        block = self._blocks.get(number)
        lone = TemporalGraph(size=1)
        return transform(
            lone if block is None else self._cut_graph(block, len(self.members[number]))
        )

    def list_links(self, number: int) -> Iterator[tuple[int, int, int, int]]:
        """The links of a component: number in the document, label's code, and its two intervals.

        Intervals are numbered by their places in the component.
        """
        block = self._blocks.get(number)
        if block is None:
            return
        graph, first = self._partition.graph, self._partition.graph.cuts[block]
        for link in self._links[block]:
            source, target = graph.sources[link] - first, graph.targets[link] - first
            yield graph.numbers[link], graph.labels[link], source, target

    def list_consistent(self) -> Iterator[tuple[int, Consistent]]:
        """The consistent components that have links, with their numbers."""
        for number in self._blocks:
            component = self[number]
            if isinstance(component, Consistent):
                yield number, component

    def list_inconsistent(self) -> Iterator[tuple[int, Inconsistent]]:
        """The inconsistent components, with their numbers."""
        for number in self._broken.values():
            yield number, Inconsistent(self.members[number], self.constraints(number))

    @cached_property
    def tangles(self) -> dict[int, Tangle]:
        """Where the inconsistent components contradict themselves, by their numbers.

        Points are numbered as in `list_inconsistent`.
        """
        tangles = cut_tangles(self._partition.graph, self._graph, self._broken)
        return dict(zip(self._broken.values(), tangles, strict=True))

    def find_unsettled(self) -> Iterator[tuple[int, Unsettled]]:
        """The consistent components whose order is partly unknown: number, and what is unknown."""
        for number, unsettled in zip(self._partition.blocks, self._unsettled, strict=True):
            if unsettled.sections:
                yield number, unsettled

    def place_points(self) -> tuple[list[int | None], list[int | None], list[int | None]]:
        """Earliest step, latest step and compound of the points of all intervals, in text order.

        Interval i has the points 2i and 2i + 1. Compounds are numbered from 0 in each component.
        The points of an inconsistent component have None.
        """
        size = len(self.component_of)
        earliest: list[int | None] = [1, 2] * size
        latest: list[int | None] = [1, 2] * size
        numbers: list[int | None] = [0, 1] * size
        compound, cuts = self._graph.compound, self._graph.cuts
        first_steps, last_steps = self._steps.earliest, self.latest
        at = 0
        for block, number in enumerate(self._partition.blocks):
            broken = block in self._broken
            first = cuts[block]
            for member in self.members[number]:
                for point in (2 * member, 2 * member + 1):
                    if broken:
                        earliest[point] = latest[point] = numbers[point] = None
                    else:
                        place = compound[at]
                        earliest[point] = first_steps[place]
                        latest[point] = last_steps[place]
                        numbers[point] = place - first
                    at += 1
        return earliest, latest, numbers

    def list_constraints(self) -> PointGraph:
        """The constraints of all components with links, each with its link.

        The points have numbers of their own: those of the graph that is `whole`.
        """
        return self._points or transform(self._partition.graph)

    @cached_property
    def located(self) -> list[int]:
        """The compound of each point in the graph of all components; -1 for a lone interval's.

        Points are numbered as in `place_points`.
        """
        found = [-1] * (2 * len(self.component_of))
        compound = self._graph.compound
        at = 0
        for number in self._partition.blocks:
            for member in self.members[number]:
                found[2 * member : 2 * member + 2] = compound[at : at + 2]
                at += 2
        return found

    @property
    def whole(self) -> tuple[CompoundGraph, Steps]:
        """The graph of all components except lone intervals, and its steps."""
        return self._graph, self._steps

    @cached_property
    def latest(self) -> Sequence[int]:
        """The latest step of each compound of the graph that is `whole`."""
        return find_latest(self._graph, self._steps)

    @cached_property
    def lengths(self) -> list[int]:
        """The number of steps of each component; 0 for an inconsistent one."""
        lengths = [_LONE_STEPS.lengths[0]] * len(self)
        for number, block in self._blocks.items():
            lengths[number] = 0 if block in self._broken else self._steps.lengths[block]
        return lengths

    @cached_property
    def _unsettled(self) -> list[Unsettled]:
        return detect_indeterminacy(self._graph, self._steps)

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """The earliest and the latest step of each point of the graph that is `whole`.

        Those of an inconsistent component mean nothing.
        """
        steps = list(zip(self._steps.earliest, self.latest, strict=True))
        return list(map(steps.__getitem__, self._graph.compound))

    @cached_property
    def _blocks(self) -> dict[int, int]:
        """The components on which the steps have run: each one's place among them."""
        return {number: block for block, number in enumerate(self._partition.blocks)}

    @cached_property
    def _broken(self) -> dict[int, int]:
        """The inconsistent components: place among those on which the steps ran, and number."""
        return {block: self._partition.blocks[block] for block in self._graph.broken}

    @cached_property
    def _links(self) -> list[list[int]]:
        """The links inside each component on which the steps have run."""
        graph = self._partition.graph
        links: list[list[int]] = [[] for _ in self._partition.blocks]
        block_of = [
            block
            for block, (first, end) in enumerate(pairwise(graph.cuts))
            for _ in range(first, end)
        ]
        for link, source in enumerate(graph.sources):
            links[block_of[source]].append(link)
        return links

    def _cut_graph(self, block: int, size: int) -> TemporalGraph:
        """Cut a component's own graph out of the whole."""
        whole, links, first = (
            self._partition.graph,
            self._links[block],
            self._partition.graph.cuts[block],
        )
        return TemporalGraph(
            size=size,
            labels=[whole.labels[link] for link in links],
            sources=[whole.sources[link] - first for link in links],
            targets=[whole.targets[link] - first for link in links],
            numbers=[whole.numbers[link] for link in links],
            instants=[i - first for i in whole.instants if first <= i < first + size],
        )
