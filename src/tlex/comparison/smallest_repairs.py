"""The smallest repairs of a side that contradicts itself, and what holds after all of them.

Only the contradictory parts are looked at: a repair changes nothing in the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, compress, islice, product

from tlex.caching import cached_property
from tlex.comparison.verdicts import Asked, find_ends, find_pair_orders, judge_row
from tlex.components import Components
from tlex.conflicts.certainty import Certainty
from tlex.conflicts.knots import Knot, tie_knots
from tlex.conflicts.minimum import Minimum, find_minimum
from tlex.conflicts.work import RATE, Work
from tlex.extraction import run_steps
from tlex.graph import leave_out
from tlex.points.graphs import PointGraph, TemporalGraph

__all__ = ["SmallestRepairs"]

_REPAIRS = 200
"""How many smallest repairs of a part are looked at one by one."""

_LOOKED = 100_000
"""How many claims may be looked at for this, but for the first two repairs."""

_FEW = 32
"""Up to how many smallest repairs are all looked at, instead of searching for each answer."""

_PASSES = 8
"""How often a search looks at all constraints of a part, before there is anything to decide."""


class SmallestRepairs:
    """The smallest repairs of the claims of a graph.

    ``whole`` are the parts of ``graph``. The claims ``fixed`` are never removed. ``every`` says
    that all smallest repairs will be asked for, and not only the first.
    """

    def __init__(
        self, graph: TemporalGraph, whole: Components, fixed: Collection[int], *, every: bool
    ) -> None:
        self._whole = whole
        self._parts = whole.tangles
        self._part_of = whole.component_of
        self._fixed = fixed
        self._every = every
        self._costs = dict.fromkeys(graph.numbers, 1)
        members = chain.from_iterable(whole.members[number] for number in self._parts)
        self._place = {node: place for place, node in enumerate(members)}
        self._graph = _cut(graph, self._place)

    def __repr__(self) -> str:
        return f"<SmallestRepairs: {len(self._parts)} contradictory parts>"

    @cached_property
    def knotted(self) -> frozenset[int]:
        """The claims with a constraint on a contradictory closed walk."""
        return frozenset(
            claim for knot in self._knots for claim in knot.links if claim not in self._fixed
        )

    @cached_property
    def _knots(self) -> list[Knot]:
        """The pieces that can be repaired one by one."""
        return [knot for tangle in self._parts.values() for knot in tie_knots(tangle)]

    @cached_property
    def first(self) -> frozenset[int]:
        """The smallest repair that keeps the first claim it can, then the next, in text order."""
        return frozenset(claim for minimum in self._minimums for claim in minimum.repairs[0])

    @cached_property
    def doubtful(self) -> frozenset[int]:
        """The claims that a smallest repair removes, and maybe others."""
        return frozenset(chain.from_iterable(self._repairs[0]))

    @cached_property
    def disputed(self) -> frozenset[int]:
        """Claims that one smallest repair removes and another one keeps; there may be more.

        Such a claim holds after the second repair. It does not follow after the first: that could
        keep it then, and would not be a smallest one.
        """
        found: set[int] = set()
        for knot, minimum in zip(self._knots, self._minimums, strict=True):
            if minimum.cost == minimum.bound:
                repairs = [frozenset(repair) for repair in minimum.repairs]
                if not minimum.complete:
                    repairs += self._list_single(knot, minimum)
                found.update(repairs[0].union(*repairs) - repairs[0].intersection(*repairs))
        return frozenset(found)

    def _list_single(self, knot: Knot, minimum: Minimum) -> Iterator[frozenset[int]]:
        """The smallest repairs of a knot that is a single conflict.

        A conflict is irreducible. So it is enough to remove one of its links, with those that say
        the same.
        """
        if any(len(conflict) == len(knot.classes) for conflict in minimum.conflicts):
            for same in knot.classes.values():
                if len(same) == minimum.cost and same[0] not in self._fixed:
                    yield frozenset(same)

    def keep_certain(
        self, asked: Sequence[Asked], verdicts: list[str], places: Iterable[int]
    ) -> None:
        """Make verdicts open, at some places, that do not hold after every smallest repair.

        They have to be what holds after the first of them.
        What claims entail that no smallest repair removes needs no further look. If there are few
        repairs, the rest is looked up after each of them; else a search decides, and the verdict is
        ``undecided`` if it reaches its limit.
        """
        repairs, complete = self._repairs
        if complete and len(repairs) == 1:
            return
        unsure = [
            place
            for place in places
            if verdicts[place] != "open" and self._find_part(*asked[place][:2]) is not None
        ]
        unsure = self._find_changed(asked, verdicts, unsure, self.doubtful)
        if not complete:
            work = Work(RATE)  # for these questions, whatever was asked before
            for place in unsure:
                verdicts[place] = self._search(verdicts[place], asked[place], work)
            return
        for repair in repairs[1:]:
            for place in self._find_changed(asked, verdicts, unsure, repair):
                verdicts[place] = "open"
                unsure.remove(place)

    def is_disputed(self, asked: Asked) -> bool | None:
        """Whether smallest repairs differ in what they make of a row.

        None if there are more repairs than are looked at, and those do not differ.
        """
        one, other, row = asked
        part = self._find_part(one, other)
        if part is None:
            return False
        own = {link for link, _, _, _ in self._whole.list_links(part)}
        found = [
            minimum
            for knot, minimum in zip(self._knots, self._minimums, strict=True)
            if not own.isdisjoint(knot.links)
        ]
        complete = all(minimum.complete and minimum.cost == minimum.bound for minimum in found)
        elsewhere = self.first - own
        verdicts: set[str] = set()
        choices = product(*(minimum.repairs for minimum in found))
        most = min(_REPAIRS, max(2, _LOOKED // max(len(self._graph.numbers), 1)))
        for repairs in islice(choices, most):
            (orders,) = self._find_orders([asked], elsewhere.union(*repairs))
            verdicts.add(judge_row(orders, row))
            if len(verdicts) > 1:
                return True
        return False if complete and next(choices, None) is None else None

    @cached_property
    def _minimums(self) -> list[Minimum]:
        """The smallest repairs of each knot: some, if all of them are asked for, else one."""
        limit = _FEW + 1 if self._every else 1
        work = Work(RATE)
        return [
            find_minimum(knot, self._costs, self._fixed, limit=limit, ordered=False, work=work)
            for knot in self._knots
        ]

    @cached_property
    def _repairs(self) -> tuple[list[frozenset[int]], bool]:
        """The smallest repairs, and whether these are all; else one set of all that may go."""
        found = [frozenset[int]()]
        touched: set[int] = set()
        complete = True
        for knot, minimum in zip(self._knots, self._minimums, strict=True):
            if not minimum.complete or minimum.cost > minimum.bound:
                touched.update(knot.links)
                complete = False
                continue
            touched.update(claim for repair in minimum.repairs for claim in repair)
            if complete and len(found) * len(minimum.repairs) <= _FEW:
                found = [one.union(other) for one in found for other in minimum.repairs]
            else:
                complete = False
        return (found, True) if complete else ([frozenset(touched)], False)

    def _find_part(self, one: int, other: int) -> int | None:
        """The number of the contradictory part of two different nodes, if they have one."""
        number = self._part_of[one]
        alike = one != other and number == self._part_of[other]
        return number if alike and number in self._parts else None

    def _find_orders(self, asked: Sequence[Asked], removed: Collection[int]) -> list[str]:
        """Find the orders of pairs of nodes in contradictory parts without some claims."""
        components = self._undoubted if removed is self.doubtful else self._leave_out(removed)
        pairs = [(self._place[one], self._place[other]) for one, other, _ in asked]
        return find_pair_orders(components, pairs)

    def _find_changed(
        self,
        asked: Sequence[Asked],
        verdicts: Sequence[str],
        places: Sequence[int],
        removed: Collection[int],
    ) -> list[int]:
        """Find the places of verdicts that are others without some claims."""
        if not places:
            return []
        orders = self._find_orders([asked[place] for place in places], removed)
        return [
            place
            for place, known in zip(places, orders, strict=True)
            if judge_row(known, asked[place][2]) != verdicts[place]
        ]

    @cached_property
    def _undoubted(self) -> Components:
        """What is left of the contradictory parts without doubtful claims: many ask for it."""
        return self._leave_out(self.doubtful)

    def _leave_out(self, removed: Collection[int]) -> Components:
        return run_steps(leave_out(self._graph, removed), postpone=True)

    @cached_property
    def _points(self) -> dict[int, PointGraph]:
        """The constraints of contradictory parts that were searched, by their numbers."""
        return {}

    @cached_property
    def _certain(self) -> dict[int, Certainty]:
        return {}

    def _search(self, verdict: str, asked: Asked, work: Work) -> str:
        """Keep a verdict only if it holds after every smallest repair: one search, or two."""
        one, other, row = asked
        number = self._part_of[one]
        if number not in self._points:
            self._points[number] = self._whole.constraints(number)
        points = self._points[number]
        work.spend(_PASSES * (len(points.less_link) + len(points.equal_link)))
        if work.is_over():
            return "undecided"
        if number not in self._certain:
            self._certain[number] = Certainty(points, self._costs, self._fixed, work=Work(RATE))
        certain = self._certain[number]
        certain.work = work
        ends = find_ends(self._whole.members[number], one, other)
        constraints = [(ends[left], strict, ends[right]) for left, strict, right in row]
        if verdict == "contradicted":
            answers = [certain.excludes(constraints)]
        else:
            answers = [certain.holds(constraint) for constraint in constraints]
        if False in answers:
            return "open"
        return "undecided" if None in answers else verdict


def _cut(graph: TemporalGraph, place: dict[int, int]) -> TemporalGraph:
    """Cut some parts out of a graph; ``place`` are the new numbers of their nodes."""
    stays = [source in place for source in graph.sources]
    return TemporalGraph(
        size=len(place),
        labels=list(compress(graph.labels, stays)),
        sources=[place[node] for node in compress(graph.sources, stays)],
        targets=[place[node] for node in compress(graph.targets, stays)],
        numbers=list(compress(graph.numbers, stays)),
        instants=[place[node] for node in graph.instants if node in place],
    )
