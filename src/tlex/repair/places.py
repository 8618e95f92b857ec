"""Where a document contradicts itself, and what becomes of it while decisions are taken."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from tlex.algebra import CODES, ROWS
from tlex.caching import cached_property
from tlex.conflicts.irreducible import is_contradictory
from tlex.conflicts.knots import Knot, merge_same, tie_knots, tie_rows
from tlex.document import Document
from tlex.graph import Relation, pick_relations
from tlex.points.graphs import OWN, Inconsistent, PointConstraint, group_by_link
from tlex.points.tangles import Tangle
from tlex.records import Conflict, Decision
from tlex.repair.relabelling import find_room

__all__ = ["Choice", "Listed", "Place", "State"]


class Listed(Struct, frozen=True):
    """A contradiction: the numbers of its links, and its record.

    The record has the number 0 if the contradiction is there only because of a new type.
    """

    links: tuple[int, ...]
    conflict: Conflict


class State(Struct, frozen=True, kw_only=True):
    """What was decided so far, and what is left.

    ``removed`` are the links that are removed, ``labels`` the new types of others, and ``spent`` is
    what both cost. ``plan`` is the repair of what is left, ``plan_types`` the new types of some of
    its links; ``proven`` says that no repair costs less. ``listed`` are the contradictions. Those
    before ``position`` are settled, or were left as they are: ``aside`` are the links of these.
    ``work`` is what it took to come here.
    """

    plan: frozenset[int]
    plan_types: dict[int, str]
    proven: bool
    listed: tuple[Listed, ...]
    position: int = 0
    removed: frozenset[int] = frozenset()
    labels: dict[int, str] = {}
    aside: frozenset[int] = frozenset()
    spent: Fraction | int = 0
    taken: tuple[Decision, ...] = ()
    work: int = 0


class Choice(Struct, frozen=True, kw_only=True):
    """An option: links that say the same; those without a new type in ``types`` are removed.

    ``cost`` is what the whole repair costs with it, and ``then`` the repair of what is left; None
    if they are not worked out.
    """

    links: tuple[int, ...]
    types: dict[int, str] = {}
    settles: int = 0
    creates: bool = False
    cost: Fraction | int | None = None
    then: frozenset[int] | None = None


class Place:
    """A contradictory component: its constraints, also with other types of its links."""

    def __init__(self, document: Document, component: Inconsistent, tangle: Tangle) -> None:
        self.tangle = tangle
        self.members = component.members
        self._document = document
        self._rows = group_by_link(component.points)
        self._instants = {left for left, _, _ in self._rows[OWN]}
        self._tied: tuple[dict[int, str], Knot] | None = None
        self._ways: tuple[dict[int, str], list[list[tuple[int, bool, int]]]] | None = None
        self._read: dict[tuple[int, str], list[PointConstraint]] = {}
        self._rooms: dict[tuple[tuple[int, ...], int, tuple[str | None, ...]], int] = {}

    @cached_property
    def links(self) -> list[int]:
        """The links, in document order."""
        return sorted(link for link in self._rows if link != OWN)

    @cached_property
    def relations(self) -> dict[int, Relation]:
        """What each link says, as it is written."""
        return pick_relations(self._document, self.links)

    @cached_property
    def classes(self) -> dict[int, list[int]]:
        """The links that say the same, under the first of them."""
        return merge_same({link: self._rows[link] for link in self.links})

    @cached_property
    def _knots(self) -> dict[int, Knot]:
        return {link: knot for knot in tie_knots(self.tangle) for link in knot.links}

    def find_knot(self, labels: Mapping[int, str], link: int) -> Knot:
        """Give the links that a change of one link can have to do with."""
        if link in self._knots and labels.keys().isdisjoint(self.links):
            return self._knots[link]
        return self.tie(labels)

    def has_repair(
        self, labels: Mapping[int, str], link: int, gone: Collection[int]
    ) -> bool | None:
        """Whether the knot of a link is consistent without some links; None if that takes a look.

        It takes none if the knot has only one conflict.
        """
        knot = self._knots.get(link)
        if knot is None or not knot.only or not labels.keys().isdisjoint(self.links):
            return None
        return any(frozenset(knot.classes[first]) <= frozenset(gone) for first in knot.only)

    def tie(self, labels: Mapping[int, str]) -> Knot:
        """Give all links, some of them with other types."""
        inside = {link: label for link, label in labels.items() if link in self._rows}
        if self._tied is None or self._tied[0] != inside:
            self._tied = inside, self.tie_some(inside, self.links)
        return self._tied[1]

    def tie_some(self, labels: Mapping[int, str], links: Sequence[int]) -> Knot:
        """Give certain links, some of them with other types."""
        rows = self._rows
        changed = {link: self.read(link, labels[link]) for link in links if link in labels}
        if changed:
            rows = {link: changed.get(link) or rows[link] for link in (OWN, *links)}
        return tie_rows(links, rows, self._instants)

    def is_consistent(self, labels: Mapping[int, str], links: Sequence[int]) -> bool:
        """Whether certain links agree with each other, some of them with other types."""
        rows = self._rows
        said = {
            link: self.read(link, labels[link]) if link in labels else rows[link] for link in links
        }
        return not is_contradictory({OWN: rows[OWN]} | said, links)

    def read(self, link: int, label: str) -> list[PointConstraint]:
        """Give the constraints that a link has with a type."""
        known = self._read.get((link, label))
        if known is None:
            at = self._find_ends(link)
            ends = [2 * place + side for place in at for side in (0, 1)]
            row = ROWS[CODES[self.relations[link].kind][label]]
            known = [(ends[left], strict, ends[right]) for left, strict, right in row]
            self._read[link, label] = known
        return known

    def weigh(self, labels: Mapping[int, str]) -> int:
        """Count the things that one look at all links has to look at, some with other types."""
        rows = self._rows
        more = (
            len(self.read(link, label)) - len(rows[link])
            for link, label in labels.items()
            if link in rows
        )
        return sum(map(len, rows.values())) + 2 * len(self.members) + sum(more)

    def find_room(self, labels: Mapping[int, str], link: int, gone: Collection[int]) -> int:
        """Find the placements of the ends of a link that the other links leave open.

        Those that are ``gone`` do not count; the others, some of them with other types, have to
        agree with each other. There is one bit for each placement (see `tlex.repair.relabelling`).
        """
        ends = [2 * place + side for place in self._find_ends(link) for side in (0, 1)]
        return _find_room(self._find_ways(labels), ends, frozenset(gone))

    def _find_ways(self, labels: Mapping[int, str]) -> list[list[tuple[int, bool, int]]]:
        """List the steps that lead from each point, with other types for some links; kept."""
        inside = {link: label for link, label in labels.items() if link in self._rows}
        if self._ways is None or self._ways[0] != inside:
            ways: list[list[tuple[int, bool, int]]] = [[] for _ in range(2 * len(self.members))]
            for start in range(0, len(ways), 2):
                ways[start].append((start + 1, start not in self._instants, OWN))
                if start in self._instants:
                    ways[start + 1].append((start, False, OWN))
            for link in self.links:
                rows = self.read(link, inside[link]) if link in inside else self._rows[link]
                for left, strict, right in rows:
                    ways[left].append((right, strict, link))
                    if not strict:
                        ways[right].append((left, False, link))
            self._ways = inside, ways
        return self._ways[1]

    def find_room_in(self, conflict: tuple[int, ...], link: int, labels: Mapping[int, str]) -> int:
        """Find the placements of the ends of a link that the rest of a conflict leaves open.

        None, that is 0, if the rest is contradictory; new types can make it so. Worked out once.
        """
        key = conflict, link, tuple(map(labels.get, conflict))
        if key not in self._rooms:
            self._rooms[key] = self._find_room_in(conflict, link, labels)
        return self._rooms[key]

    def _find_room_in(self, conflict: tuple[int, ...], link: int, labels: Mapping[int, str]) -> int:
        rest = [other for other in conflict if other != link]
        if not labels.keys().isdisjoint(rest) and not self.is_consistent(labels, rest):
            return 0
        ends = [2 * place + side for place in self._find_ends(link) for side in (0, 1)]
        ways: dict[int, list[tuple[int, bool, int]]] = {end: [] for end in ends}
        for other in rest:
            rows = self.read(other, labels[other]) if other in labels else self._rows[other]
            for left, strict, right in rows:
                for point in (left, right):
                    if point not in ways:
                        ways[point], ways[point ^ 1] = [], []
                ways[left].append((right, strict, other))
                if not strict:
                    ways[right].append((left, strict, other))
        for point, around in ways.items():
            if point % 2 == 0:
                around.append((point + 1, point not in self._instants, OWN))
            elif point - 1 in self._instants:
                around.append((point - 1, False, OWN))
        return _find_room(ways, ends, frozenset())

    def _find_ends(self, link: int) -> tuple[int, int]:
        """Give the intervals of a link."""
        _, _, source, target = self.relations[link]
        return bisect_left(self.members, source), bisect_left(self.members, target)


_Ways = Mapping[int, Sequence[tuple[int, bool, int]]] | Sequence[Sequence[tuple[int, bool, int]]]
"""The steps that lead from each point: where to, whether by a ``<``, and by which link."""


def _find_room(ways: _Ways, ends: list[int], gone: Collection[int]) -> int:
    """Find the placements of the four ends of a link that a consistent graph leaves open."""
    less, equal = [], []
    for number, start in enumerate(ends):
        after, alike = _follow(ways, start, gone)
        for other, end in enumerate(ends):
            if end in after:
                less.append((number, other))
            elif end in alike and other != number:
                equal.append((number, other))
    return find_room(less, equal)


def _follow(ways: _Ways, start: int, gone: Collection[int]) -> tuple[set[int], set[int]]:
    """Find the points after a point, and those equal to it, without links that are gone."""
    alike, after = {start}, set[int]()
    waiting = [start]
    for point in waiting:
        for other, strict, link in ways[point]:
            if link in gone:
                continue
            if strict:
                after.add(other)
            elif other not in alike:
                alike.add(other)
                waiting.append(other)
    waiting = list(after)
    for point in waiting:
        for other, _, link in ways[point]:
            if other not in after and link not in gone:
                after.add(other)
                waiting.append(other)
    return after, alike
