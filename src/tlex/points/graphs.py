"""What the five steps hand to each other: plain integers and flat lists.

Intervals are numbered from 0 in text order, links in document order. Interval i has the points
2i (its start) and 2i + 1 (its end). Edges are parallel lists. The types hold integers and lists of
integers and no cycles, so the garbage collector need not visit them (``gc=False``).

Step 1 renumbers the intervals so that each temporally connected component is a range of numbers.
The other steps then treat all components of a document at once: ``cuts`` says where each component
begins and where the last one ends.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Sequence
from typing import ClassVar, Literal, TypeAlias, overload

from msgspec import Struct

__all__ = [
    "OWN",
    "Component",
    "CompoundGraph",
    "Consistent",
    "Inconsistent",
    "LayeredGraph",
    "Numbers",
    "PointConstraint",
    "PointGraph",
    "Steps",
    "Stretch",
    "Successors",
    "TemporalGraph",
    "Unsettled",
    "group_by_link",
]

OWN = -1
"""In place of a link's number: the constraint is the interval's own, ``I- < I+`` or ``I- = I+``."""

PointConstraint: TypeAlias = tuple[int, bool, int]
"""Left point, whether the order is strict (``<``) or not (``=``), right point."""


class TemporalGraph(Struct, gc=False, kw_only=True):
    """Intervals and the links that order them, numbered.

    ``labels``, ``sources``, ``targets`` and ``numbers`` are parallel, one entry per link: the
    label's code, the two intervals, and the link's number in its document. ``instants`` are the
    intervals whose two points are equal. Step 1 adds ``cuts``. A graph without cuts is one
    component.
    """

    size: int
    labels: Sequence[int] = ()
    sources: Sequence[int] = ()
    targets: Sequence[int] = ()
    numbers: Sequence[int] = ()
    instants: Sequence[int] = ()
    cuts: Sequence[int] = ()


Numbers: TypeAlias = "list[int] | array[int]"
"""Many numbers: a list, or an array in a large graph."""


class PointGraph(Struct, gc=False, kw_only=True):
    """Constraints on time-points: three parallel columns for ``<`` and three for ``=``."""

    size: int
    less_left: Numbers
    less_right: Numbers
    less_link: Numbers
    equal_left: Numbers
    equal_right: Numbers
    equal_link: Numbers
    cuts: Sequence[int]


class Successors(Sequence[Sequence[int]]):
    """Many short lists of numbers in one array: list i goes from ``starts[i]`` to ``ends[i]``.

    A large graph keeps its successors in this form. It takes a tenth of the memory of as many
    lists, and memory is what the time depends on once a graph outgrows the processor's caches.
    """

    def __init__(self, starts: array[int], ends: array[int], whole: array[int]) -> None:
        self.starts, self.ends, self.whole = starts, ends, whole

    def __len__(self) -> int:
        return len(self.starts)

    def __iter__(self) -> Iterator[Sequence[int]]:
        whole = self.whole
        return (whole[start:end] for start, end in zip(self.starts, self.ends, strict=True))

    @overload
    def __getitem__(self, place: int) -> Sequence[int]: ...

    @overload
    def __getitem__(self, place: slice) -> Successors: ...

    def __getitem__(self, place: int | slice) -> Sequence[int] | Successors:
        if isinstance(place, slice):
            return Successors(self.starts[place], self.ends[place], self.whole)
        return self.whole[self.starts[place] : self.ends[place]]


class CompoundGraph(Struct, gc=False, kw_only=True):
    """Compound time-points under ``<``: a directed acyclic graph, apart from its broken components.

    ``compound`` gives each point's compound. ``successors`` may name a compound twice. ``broken``
    are the components that contradict themselves.
    """

    size: int
    compound: Sequence[int]
    successors: Sequence[Sequence[int]]
    cuts: Sequence[int]
    broken: Sequence[int] = ()


class LayeredGraph(CompoundGraph, gc=False, kw_only=True):
    """Compound time-points with a topological order in layers: what step 3 hands to step 4.

    A compound stands in the first layer above all its predecessors. Some compounds of a broken
    component stand in no layer.
    """

    layers: Sequence[Sequence[int]]


class Steps(Struct, gc=False):
    """The minimum timelines: each component's length, and the earliest step of each compound.

    The values of a broken component mean nothing.
    """

    lengths: list[int]
    earliest: list[int]


class Stretch(Struct, gc=False):
    """The steps ``first`` to ``last`` between two firm boundaries, with ``size`` compounds."""

    first: int
    last: int
    size: int


class Unsettled(Struct, gc=False):
    """What the order of a component leaves open: its tied steps, and its sections."""

    tied: list[int]
    sections: list[Stretch]


class Consistent(Struct, gc=False, kw_only=True):
    """A temporally connected component that has a timeline, and what the steps found out about it.

    ``members`` are the intervals' numbers in the document, ascending. Interval ``members[i]`` has
    the points 2i and 2i + 1 here. Compounds are numbered from 0. ``latest`` gives their latest
    steps on a timeline of the same length.
    """

    members: list[int]
    graph: CompoundGraph
    steps: Steps
    unsettled: Unsettled
    latest: Sequence[int]
    consistent: ClassVar[Literal[True]] = True

    @property
    def levels(self) -> list[int]:
        """The earliest step of each point. It never falls along a walk."""
        earliest = self.steps.earliest
        return [earliest[compound] for compound in self.graph.compound]


class Inconsistent(Struct, gc=False):
    """A temporally connected component that contradicts itself: its intervals and constraints."""

    members: list[int]
    points: PointGraph
    consistent: ClassVar[Literal[False]] = False


Component: TypeAlias = Consistent | Inconsistent


def group_by_link(
    points: PointGraph, links: Collection[int] | None = None
) -> dict[int, list[PointConstraint]]:
    """Group the constraints by their links: by all of them, or by some.

    The constraints of the instants, ``I- = I+``, stand under `OWN` if all are asked for. The
    intervals' own ``I- < I+`` are left out.
    """
    constraints: dict[int, list[PointConstraint]] = {OWN: []} if links is None else {}
    for left, right, link in zip(
        points.less_left, points.less_right, points.less_link, strict=True
    ):
        if link != OWN if links is None else link in links:
            constraints.setdefault(link, []).append((left, True, right))
    for left, right, link in zip(
        points.equal_left, points.equal_right, points.equal_link, strict=True
    ):
        if links is None or link in links:
            constraints.setdefault(link, []).append((left, False, right))
    return constraints
