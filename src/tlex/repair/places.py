"""Where a document contradicts itself, and what becomes of it while decisions are taken."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from msgspec import Struct

from tlex.algebra import CODES, ROWS
from tlex.conflicts.knots import Knot, find_knots, merge_same, tie_rows
from tlex.document import Document
from tlex.points.graphs import OWN, Inconsistent, PointConstraint, group_by_link
from tlex.records import Conflict, Decision

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
    """

    plan: frozenset[int]
    plan_types: dict[int, str]
    proven: bool
    listed: tuple[Listed, ...]
    position: int = 0
    removed: frozenset[int] = frozenset()
    labels: dict[int, str] = {}
    aside: frozenset[int] = frozenset()
    spent: Fraction = Fraction(0)
    taken: tuple[Decision, ...] = ()


class Choice(Struct, frozen=True, kw_only=True):
    """An option: links that say the same; those without a new type in ``types`` are removed.

    ``cost`` is what the whole repair costs with it, and ``then`` the repair of what is left; None
    if they are not worked out.
    """

    links: tuple[int, ...]
    types: dict[int, str] = {}
    settles: int = 0
    creates: bool = False
    cost: Fraction | None = None
    then: frozenset[int] | None = None


class Place:
    """A contradictory component: its constraints, also with other types of its links."""

    def __init__(self, document: Document, component: Inconsistent) -> None:
        self.points = component.points
        self.members = component.members
        self._document = document
        self._rows = group_by_link(component.points)
        self._instants = {left for left, _, _ in self._rows[OWN]}
        self._tied: tuple[dict[int, str], Knot] | None = None

    @cached_property
    def links(self) -> list[int]:
        """The links, in document order."""
        return sorted(link for link in self._rows if link != OWN)

    @cached_property
    def classes(self) -> dict[int, list[int]]:
        """The links that say the same, under the first of them."""
        return merge_same({link: self._rows[link] for link in self.links})

    @cached_property
    def _knots(self) -> dict[int, Knot]:
        return {link: knot for knot in find_knots(self.points) for link in knot.links}

    def find_knot(self, labels: Mapping[int, str], link: int) -> Knot:
        """Give the links that a change of one link can have to do with."""
        if link in self._knots and labels.keys().isdisjoint(self.links):
            return self._knots[link]
        return self.tie(labels)

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

    def read(self, link: int, label: str) -> list[PointConstraint]:
        """Give the constraints that a link has with a type."""
        one = self._document.links[link]
        index = self._document.index
        at = [bisect_left(self.members, index[end or ""]) for end in (one.source, one.target)]
        ends = [2 * place + side for place in at for side in (0, 1)]
        return [
            (ends[left], strict, ends[right])
            for left, strict, right in ROWS[CODES[one.kind][label]]
        ]
