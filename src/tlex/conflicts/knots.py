"""Knots: the contradictory pieces of a document, which can be repaired one by one.

A contradiction is a closed walk along constraints, so it stays inside one strongly connected
component of the time-points. Components that share a link, together with all links that have a
constraint inside them, make a knot. Removing links from one knot has no influence on another.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from tlex.caching import cached_property
from tlex.conflicts.cycles import find_closing, find_cycles
from tlex.conflicts.irreducible import find_only, reduce_links
from tlex.conflicts.narrowing import leave_out, narrow
from tlex.points.graphs import OWN, PointConstraint, PointGraph, group_by_link
from tlex.points.tangles import Tangle, find_blocks, tie_tangle
from tlex.points.union_find import join_pairs, merge_equal
from tlex.steps.consistency import check_consistency
from tlex.wording import count, represent

__all__ = [
    "Knot",
    "find_knots",
    "find_tangle",
    "group_links",
    "merge_same",
    "tie_knots",
    "tie_links",
    "tie_rows",
]


class Knot:
    """Some links, numbered as in the document, and their constraints.

    Time-points are numbered anew. ``rows`` has the constraints of each link, and under `OWN` those
    of the instants. ``intervals`` are the old numbers of the intervals. ``weight`` is how many
    things one look at the knot has to look at.
    """

    def __init__(
        self,
        rows: dict[int, list[PointConstraint]],
        own: list[PointConstraint],
        intervals: list[int],
    ) -> None:
        size = 2 * len(intervals)
        self.intervals = intervals
        self.links = [link for link in rows if link != OWN]
        self.rows = rows
        self.weight = sum(map(len, rows.values())) + size
        self._own = own
        self._size = size

    def __repr__(self) -> str:
        return represent(self, count(len(self.links), "link"))

    @property
    def instants(self) -> list[int]:
        """The intervals whose two points are equal."""
        return [left // 2 for left, _, _ in self.rows[OWN]]

    @cached_property
    def classes(self) -> dict[int, list[int]]:
        """The links that say the same, under the first of them (see `merge_same`)."""
        return merge_same({link: self.rows[link] for link in self.links})

    @property
    def core(self) -> Knot:
        """The knot of the first link of each class: the same contradictions, each once."""
        return self if len(self.classes) == len(self.links) else self._core

    @cached_property
    def _core(self) -> Knot:
        rows = {link: self.rows[link] for link in (OWN, *self.classes)}
        return Knot(rows, self._own, self.intervals)

    @cached_property
    def only(self) -> tuple[int, ...]:
        """The conflict of a knot that has only one, by first links of classes; or else nothing.

        Most knots are like that. Nothing comes back if it takes long to find out, too.
        """
        return tuple(find_only(self.rows, self.classes))

    def exchange(
        self, removed: Collection[int], link: int, constraints: Sequence[PointConstraint]
    ) -> Knot:
        """Give the knot without some links, and with one that says something else.

        The constraints are on the points of this knot.
        """
        gone = frozenset(removed)
        rows = {other: own for other, own in self.rows.items() if other not in gone}
        rows[link] = list(constraints)
        knot = Knot(rows, self._own, self.intervals)
        knot.points = leave_out(self.points, gone | {link}, copy=True)
        _add(knot.points, constraints, link)
        return knot

    def is_consistent(self, removed: Collection[int]) -> bool:
        """Whether the other links are consistent without the removed ones. Linear."""
        return not check_consistency(leave_out(self.points, removed)).broken

    def find_conflicts(self, removed: Collection[int]) -> Iterator[list[int]]:
        """Find conflicts (irreducible sets) among the links that are not removed, each once.

        There is none if and only if these links are consistent. If there are some, the list need
        not be complete: without one link of each there may still be a contradiction.
        """
        part = self.narrow(removed)
        return iter(()) if part is None else self.find_inside(part)

    def narrow(self, removed: Collection[int], part: PointGraph | None = None) -> PointGraph | None:
        """Give the part in which the other links contradict each other; None if they do not.

        ``part`` is such a part for fewer removed links, if there is one. Linear.
        """
        return narrow(leave_out(part or self.points, removed))

    def find_inside(self, part: PointGraph) -> Iterator[list[int]]:
        """Find the conflicts of a contradictory part."""
        found = set()
        for cycle in find_cycles(part, merge_equal(part)[0]):
            links = reduce_links(self.rows, {step[3] for step in cycle.walk} - {OWN})
            if tuple(links) not in found:
                found.add(tuple(links))
                yield links

    def place(self, removed: Collection[int]) -> list[int]:
        """Give each point a place on a line on which all links hold that are not removed.

        These links have to be consistent. Linear.
        """
        graph = check_consistency(leave_out(self.points, removed))
        step = {number: at for at, layer in enumerate(graph.layers) for number in layer}
        return [step[number] for number in graph.compound]

    def cut(self, removed: Collection[int], kept: Collection[int]) -> set[int]:
        """Find a repair quickly: links, more than needed, without which the rest is consistent.

        The ``removed`` links are among them. The ``kept`` links are not; these must not contradict
        each other. Linear.
        """
        points = leave_out(self.points, removed)
        closing, _ = find_closing(points, merge_equal(points)[0])
        gone = {points.less_link[edge] for edge in closing}.difference((OWN,), kept)
        if not self.is_consistent(gone.union(removed)):
            gone = set(self.links).difference(kept)
        return gone.union(removed)

    @cached_property
    def points(self) -> PointGraph:
        """The constraints of all links as a graph."""
        points = PointGraph(
            size=self._size,
            less_left=[],
            less_right=[],
            less_link=[],
            equal_left=[],
            equal_right=[],
            equal_link=[],
            cuts=(0, self._size),
        )
        _add(points, self._own, OWN)
        for link in self.links:
            _add(points, self.rows[link], link)
        return points


def merge_same(rows: Mapping[int, Sequence[PointConstraint]]) -> dict[int, list[int]]:
    """Group the links that say the same: that have the same constraints on the same points.

    Direction and name of a link do not matter. Each group stands under its first link in the order
    of ``rows``, and so do the groups.
    """
    first: dict[frozenset[PointConstraint], int] = {}
    classes: dict[int, list[int]] = {}
    for link, constraints in rows.items():
        if link != OWN:
            said = frozenset(
                row if row[1] or row[0] < row[2] else (row[2], False, row[0]) for row in constraints
            )
            classes.setdefault(first.setdefault(said, link), []).append(link)
    return classes


def find_knots(points: PointGraph) -> list[Knot]:
    """Find the knots of a component, in document order of their first links. Near-linear."""
    return tie_knots(find_tangle(points))


def tie_knots(tangle: Tangle) -> list[Knot]:
    """Find the knots of a tangle, in document order of their first links; once."""
    if tangle.knots is None:
        instants = {left for left, _, _ in tangle.rows[OWN]}
        tangle.knots = [tie_rows(links, tangle.rows, instants) for links in group_links(tangle)]
    return tangle.knots


def group_links(tangle: Tangle) -> list[list[int]]:
    """Group the links of a tangle by knots, all in document order."""
    block = tangle.block
    ends = {link: [block[left] for left, _, _ in rows] for link, rows in tangle.inside.items()}
    left = [own[0] for own in ends.values() for _ in own]
    right = [end for own in ends.values() for end in own]
    root = join_pairs(max(right, default=-1) + 1, left, right)
    groups: dict[int, list[int]] = {}
    for link in sorted(ends):
        first = ends[link][0]
        while root[first] != first:
            first = root[first]
        groups.setdefault(first, []).append(link)
    return list(groups.values())


def tie_links(points: PointGraph, links: Iterable[int]) -> Knot:
    """Make a knot of some links of a component, whether they contradict each other or not."""
    rows = group_by_link(points)
    return tie_rows(links, rows, {left for left, _, _ in rows[OWN]})


def tie_rows(
    links: Iterable[int],
    rows: Mapping[int, Sequence[PointConstraint]],
    instants: Collection[int],
) -> Knot:
    """Make a knot of the constraints of some links, with its time-points renumbered.

    ``instants`` are the first points of the intervals whose two points are equal.
    """
    place: dict[int, int] = {}
    own_rows: dict[int, list[PointConstraint]] = {OWN: []}
    own: list[PointConstraint] = []

    def number(point: int) -> int:
        interval = point // 2
        if interval not in place:
            new = place[interval] = len(place)
            row = (2 * new, 2 * interval not in instants, 2 * new + 1)
            own.append(row)
            if not row[1]:
                own_rows[OWN].append(row)
        return 2 * place[interval] + point % 2

    for link in links:
        own_rows[link] = [
            (number(left), strict, number(right)) for left, strict, right in rows[link]
        ]
    return Knot(own_rows, own, list(place))


def _add(points: PointGraph, rows: Iterable[PointConstraint], link: int) -> None:
    for left, strict, right in rows:
        if strict:
            points.less_left.append(left)
            points.less_right.append(right)
            points.less_link.append(link)
        else:
            points.equal_left.append(left)
            points.equal_right.append(right)
            points.equal_link.append(link)


def find_tangle(points: PointGraph) -> Tangle:
    """Find the part of a component in which it contradicts itself. Near-linear."""
    if not points.size:  # what is left of a component whose links were all removed
        return Tangle({OWN: []}, {}, {}, {})
    graph = check_consistency(points)
    blocks = find_blocks(graph)
    inside = {point: number for point, number in enumerate(graph.compound) if number in blocks}
    return tie_tangle(group_by_link(points), inside, blocks)
