"""What the five steps work on: plain integers and flat lists.

Intervals are numbered from 0 in text order, links in document order. Interval i has the points
2i (its start) and 2i + 1 (its end). Edges are parallel lists. `build_graph` is the way in from a
`Document`; the other types here are what the steps hand to each other. They hold integers and
lists of these, no cycles, so the garbage collector need not look at them (``gc=False``).

Step 1 numbers the intervals anew so that each temporally connected part is a run of numbers. The
other steps then treat all parts of a document at once: ``cuts`` says where each part begins, and
where the last one ends.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Sequence
from itertools import compress
from typing import overload

from msgspec import Struct

from tlex.algebra import CODES, ROWS, encode_row
from tlex.document import Document, Relations, Timex

__all__ = [
    "OWN",
    "CompoundGraph",
    "Part",
    "PointGraph",
    "Run",
    "Runs",
    "Steps",
    "TemporalGraph",
    "Unsettled",
    "build_graph",
    "find_code",
    "find_groups",
    "join_pairs",
    "list_relations",
]

OWN = -1
"""In place of a link's number: the constraint is the interval's own, ``I- < I+`` or ``I- = I+``."""


class TemporalGraph(Struct, gc=False):
    """Intervals and the links that order them, numbered.

    ``labels``, ``sources``, ``targets`` and ``numbers`` are parallel, one entry a link: the
    label's code, the two intervals, and the link's number in its document. ``instants`` are the
    intervals whose two points are one. ``cuts`` is what step 1 adds; without, all is one part.
    """

    size: int
    labels: Sequence[int] = ()
    sources: Sequence[int] = ()
    targets: Sequence[int] = ()
    numbers: Sequence[int] = ()
    instants: Sequence[int] = ()
    cuts: Sequence[int] = ()


class PointGraph(Struct, gc=False):
    """Constraints on time-points: ``less`` and ``equal``, three parallel lists each."""

    size: int
    less_left: list[int]
    less_right: list[int]
    less_link: list[int]
    equal_left: list[int]
    equal_right: list[int]
    equal_link: list[int]
    cuts: Sequence[int]


class Runs(Sequence[Sequence[int]]):
    """Many short lists of numbers in one array: list i goes from ``starts[i]`` to ``ends[i]``.

    A large graph keeps its successors so: a tenth of the memory of as many lists, which is what
    its time depends on once it outgrows the processor's caches.
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
    def __getitem__(self, place: slice) -> Runs: ...

    def __getitem__(self, place: int | slice) -> Sequence[int] | Runs:
        if isinstance(place, slice):
            return Runs(self.starts[place], self.ends[place], self.whole)
        return self.whole[self.starts[place] : self.ends[place]]


class CompoundGraph(Struct, gc=False):
    """Compound time-points under ``<``: without its broken parts a directed acyclic graph.

    ``compound`` gives each point's compound. ``successors`` may name a compound twice. ``layers``
    is a topological order in layers: a compound stands in the first layer that is above all its
    predecessors'. ``broken`` are the parts that contradict themselves; in each of them some
    compounds stand in no layer.
    """

    size: int
    compound: list[int]
    successors: Sequence[Sequence[int]]
    layers: list[list[int]]
    cuts: Sequence[int]
    broken: Sequence[int] = ()


class Steps(Struct, gc=False):
    """The minimum timelines: each part's length, and the earliest step of each compound.

    Of the compounds of a broken part this says nothing.
    """

    lengths: list[int]
    earliest: list[int]


class Run(Struct, gc=False):
    """The steps ``first`` to ``last`` between two firm boundaries, with ``size`` compounds."""

    first: int
    last: int
    size: int


class Unsettled(Struct, gc=False):
    """What the order of a part leaves open: tied steps, and the runs of steps that are sections."""

    tied: list[int]
    sections: list[Run]


class Part(Struct, gc=False):
    """A temporally connected part of a document, and what the steps found out about it.

    ``members`` are the intervals' numbers in the document, ascending; interval ``members[i]`` has
    the points 2i and 2i + 1 here. An inconsistent part has its ``points`` and nothing else; a
    consistent one has the rest, with the compounds numbered from 0; ``latest`` are their latest
    steps on a timeline of the same length.
    """

    members: list[int]
    points: PointGraph | None
    graph: CompoundGraph | None = None
    steps: Steps | None = None
    unsettled: Unsettled | None = None
    latest: Sequence[int] = ()

    @property
    def consistent(self) -> bool:
        """Whether there is a timeline."""
        return self.points is None


def build_graph(
    document: Document,
    kinds: Collection[str] = ("TLINK", "ALINK"),
    times: str = "interval",
) -> TemporalGraph:
    """Number a document's nodes and those of its links that order them.

    A link takes part if its kind is asked for, its type is known and constrains something, and
    both of its ends are defined. With ``times="point"`` a TIMEX3 of type TIME is one point.
    """
    found = document.relations or list_relations(document)
    columns = labels, sources, targets, numbers = (
        found.labels,
        found.sources,
        found.targets,
        found.numbers,
    )
    if not {*found.kinds} <= {*kinds}:
        chosen = [kind in kinds for kind in found.kinds]
        labels, sources, targets, numbers = (list(compress(each, chosen)) for each in columns)
    instants: Sequence[int] = ()
    if times == "point":
        instants = [
            number
            for number, node in enumerate(document.nodes)
            if isinstance(node, Timex) and (node.type or "").strip().upper() == "TIME"
        ]
    size = len(document.nodes if document.relations is None else document.index)
    return TemporalGraph(size, labels, sources, targets, numbers, instants)


def list_relations(document: Document) -> Relations:
    """Put the links that order nodes into columns: those of known type with both ends defined."""
    index = document.index
    codes = _add_own(document) if document.labels else _CODES
    found = Relations([], [], [], [], [])
    for number, link in enumerate(document.links):
        code = codes[link.kind].get(link.type)
        if code is None:
            continue
        source, target = index.get(link.source), index.get(link.target)  # type: ignore[arg-type]
        if source is None or target is None:
            continue
        found.kinds.append(link.kind)
        found.labels.append(code)
        found.sources.append(source)
        found.targets.append(target)
        found.numbers.append(number)
    return found


def join_pairs(size: int, left: Sequence[int], right: Sequence[int]) -> list[int]:
    """Join the numbers below ``size`` that pairs connect: to each the way to its group's smallest.

    The result leads from each number to a smaller one of its group, and from the smallest to
    itself. Near-linear: ways are shortened as they are walked.
    """
    root = list(range(size))
    for one, other in zip(left, right, strict=True):
        first, second = one, other
        while root[first] != first:
            root[first] = first = root[root[first]]
        while root[second] != second:
            root[second] = second = root[root[second]]
        if first < second:
            root[second] = first
        elif second < first:
            root[first] = second
    return root


def find_groups(following: list[list[int]]) -> tuple[list[int], list[list[int]]]:
    """The strongly connected groups of a graph: each number's group, and each group's numbers.

    Tarjan's algorithm, with a stack of its own. Linear.
    """
    count = len(following)
    seen = [0] * count  # order of discovery from 1; 0 means unseen
    low = [0] * count
    group_of = [-1] * count
    groups: list[list[int]] = []
    pending: list[int] = []
    clock = 0
    for start in range(count):
        if seen[start]:
            continue
        if not following[start]:
            clock += 1
            seen[start] = clock
            group_of[start] = len(groups)
            groups.append([start])
            continue
        stack = [(start, iter(following[start]))]
        clock += 1
        seen[start] = low[start] = clock
        pending.append(start)
        while stack:
            number, others = stack[-1]
            for after in others:
                if not seen[after]:
                    clock += 1
                    seen[after] = low[after] = clock
                    pending.append(after)
                    stack.append((after, iter(following[after])))
                    break
                if group_of[after] < 0:
                    low[number] = min(low[number], seen[after])
            else:
                stack.pop()
                if stack:
                    parent = stack[-1][0]
                    low[parent] = min(low[parent], low[number])
                if low[number] == seen[number]:
                    group: list[int] = []
                    while not group or group[-1] != number:
                        group.append(pending.pop())
                        group_of[group[-1]] = len(groups)
                    groups.append(group)
    return group_of, groups


def find_code(document: Document, kind: str, label: str | None) -> int | None:
    """Find the code of a label: a document's own tables go before those that all share."""
    own = document.labels.get(kind, {}).get(label or "")
    return CODES[kind].get(label or "") if own is None else encode_row(own)


def _add_own(document: Document) -> dict[str, dict[str | None, int]]:
    """The codes, with those of the document's own labels in place of the common ones."""
    codes = {kind: dict(table) for kind, table in _CODES.items()}
    for kind, table in document.labels.items():
        for label, row in table.items():
            codes[kind].pop(label, None)
            if row:
                codes[kind][label] = encode_row(row)
    return codes


_CODES: dict[str, dict[str | None, int]] = {
    kind: {label: code for label, code in table.items() if ROWS[code]}
    for kind, table in CODES.items()
}
"""The codes of the labels that order something, by kind."""
