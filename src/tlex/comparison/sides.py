"""One side of a comparison: what it claims, what it believes, and what of it is counted.

A consistent side believes all its claims. Of a contradictory one some claims are muted: which ones
is a policy. What a side believes is consistent, so it entails orders of end points.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from tlex.caching import cached_property
from tlex.comparison.claims import Claim, count_silent, find_claims
from tlex.comparison.matching import Expressions
from tlex.comparison.smallest_repairs import SmallestRepairs
from tlex.comparison.verdicts import Asked, find_ends, find_pair_orders, judge_row
from tlex.components import Components
from tlex.conflicts.certainty import EXTRA
from tlex.conflicts.closed_walks import ClosedWalks
from tlex.conflicts.text_order import Row
from tlex.conflicts.work import Work
from tlex.document import Document
from tlex.extraction import run_steps
from tlex.graph import extend, leave_out
from tlex.nouns import Link
from tlex.points.graphs import OWN, Consistent, TemporalGraph, group_by_link
from tlex.points.reachability import Reach
from tlex.points.walks import Walks, WalkStep
from tlex.reason.reduction import drop_links
from tlex.reason.relations import CROSSING
from tlex.reason.trunk import arrange, find_connections
from tlex.records import Constraint, Options, Proof
from tlex.steps.partition import partition
from tlex.wording import count, represent

__all__ = ["POLICIES", "Side"]

POLICIES = ("every", "repair", "knot", "part")
"""What a contradictory side does not believe."""


class Side:
    """What one annotation claims, believes and is measured by.

    ``claims`` are numbered in text order. ``background`` are the numbers of CALENDAR links, which
    are believed and never counted. ``contradictions`` is one of `POLICIES`. ``expressions`` are the
    events and times, ready to be matched; those of another document that has the same nodes will
    do.
    """

    def __init__(
        self,
        document: Document,
        *,
        links: Collection[str] = ("TLINK",),
        contradictions: str = "every",
        calendar: bool = False,
        expressions: Expressions | None = None,
    ) -> None:
        self.document = document
        self.expressions = expressions or Expressions(document)
        self.policy = contradictions
        self.kinds = tuple(links)
        found = find_claims(document, links, order=self.expressions.order)
        self.claims = found.claims
        self._graph = found.graph
        self._shift = 0
        if calendar:
            self._add_calendar()

    def __repr__(self) -> str:
        return represent(self, f"{self.document.name!r}: {count(len(self.claims), 'claim')}")

    def _add_calendar(self) -> None:
        """Add what follows from values; its links have the numbers behind those of the claims."""
        from tlex.calendar import add_calendar, drop_calendar  # noqa: PLC0415 -- long patterns

        plain = drop_calendar(self.document)
        self.document, _ = add_calendar(plain)
        first = len(plain.links)
        graph = extend(self._graph, self.document, first)
        self._shift = first - len(self.claims)
        numbers = [*self._graph.numbers]
        numbers += [number - self._shift for number in graph.numbers[len(numbers) :]]
        self._graph = TemporalGraph(
            size=graph.size,
            labels=graph.labels,
            sources=graph.sources,
            targets=graph.targets,
            numbers=numbers,
            instants=graph.instants,
        )

    @cached_property
    def said(self) -> list[Asked]:
        """What each claim says: its two nodes, and its row."""
        return [(claim.first, claim.second, claim.row) for claim in self.claims]

    @cached_property
    def silent(self) -> dict[str, int]:
        """How many links claim nothing, by reason."""
        return count_silent(self.document, self.kinds, self.claims)

    @cached_property
    def whole(self) -> Components:
        """The parts of all claims, contradictory or not."""
        return run_steps(self._graph, postpone=True)

    @property
    def consistent(self) -> bool:
        """Whether the claims do not contradict each other."""
        return self.whole.consistent

    @cached_property
    def involved(self) -> frozenset[int]:
        """The nodes that claims, or the calendar, speak of."""
        return frozenset((*self._graph.sources, *self._graph.targets))

    @cached_property
    def repairs(self) -> SmallestRepairs:
        """The smallest sets of claims without which the others are consistent."""
        every = self.policy == "every"
        return SmallestRepairs(self._graph, self.whole, self._fixed, every=every)

    @property
    def repair(self) -> frozenset[int]:
        """The first of the smallest repairs in text order."""
        return frozenset() if self.consistent else self.repairs.first

    @cached_property
    def muted(self) -> frozenset[int]:
        """The claims that are not believed, under the side's policy."""
        if self.consistent:
            return frozenset()
        if self.policy == "part":
            return frozenset(
                claim
                for number, _ in self.whole.list_inconsistent()
                for claim, _, _, _ in self.whole.list_links(number)
                if claim not in self._fixed
            )
        if self.policy == "knot":
            return self.repairs.knotted
        return self.repair

    @cached_property
    def believed(self) -> Components:
        """The parts of what is believed, all of them consistent."""
        return (
            run_steps(leave_out(self._graph, self.muted), postpone=True)
            if self.muted
            else self.whole
        )

    @cached_property
    def mended(self) -> Components:
        """The parts of what the smallest repair leaves: what points are measured by."""
        if self.repair == self.muted:
            return self.believed
        return run_steps(leave_out(self._graph, self.repair), postpone=True)

    @cached_property
    def counted(self) -> list[int]:
        """The claims that are counted, in text order: a reduction of the believed, and the muted.

        Believed claims are tried from the last to the first and dropped if those left entail them.
        """
        tried = [claim for claim in range(len(self.claims)) if claim not in self.muted]
        points = self.believed.list_constraints()
        dropped = {*drop_links(points, *self.believed.whole, tried[::-1], self._reach)}
        return [claim for claim in range(len(self.claims)) if claim not in dropped]

    def find_orders(self, pairs: Sequence[tuple[int, int]]) -> list[str]:
        """Find the orders of the end points of pairs of nodes, as far as believed claims tell.

        Each answer has a sign for each crossing pair of end points: ``<=>``, or ``?``.
        """
        return find_pair_orders(self.believed, pairs, self._reach)

    def judge(self, asked: Sequence[Asked]) -> list[str]:
        """Say of rows on pairs of nodes: ``entailed``, ``contradicted`` or ``open``.

        Under the policy ``every`` that has to be so after every smallest repair. It is
        ``undecided`` if a search for that reaches its limit.
        """
        verdicts = ["entailed"] * len(asked)
        silenced = self._silenced
        said = list(map(self._claim_of.get, asked))
        rest = [place for place, claim in enumerate(said) if claim in silenced]
        orders = self.find_orders([asked[place][:2] for place in rest])
        for place, known in zip(rest, orders, strict=True):
            verdicts[place] = judge_row(known, asked[place][2])
        if self.policy == "every" and not self.consistent:
            disputed, doubtful = self.repairs.disputed, {None, *self.repairs.doubtful}
            unsure = []
            for place, claim in enumerate(said):
                if claim in disputed:
                    verdicts[place] = "open"
                elif claim in doubtful:
                    unsure.append(place)
            self.repairs.keep_certain(asked, verdicts, unsure)
        return verdicts

    def prove(self, one: int, other: int, row: Row) -> list[list[WalkStep]]:
        """Find the walks that prove a row on two nodes, one for each of its constraints.

        Points are numbered by the nodes of the document. The row has to be entailed.
        """
        component, search, ends = self._open(one, other)
        found = []
        for left, _, right in row:
            walk = search.find(ends[left], ends[right]) or []
            found.append(_translate(walk, component.members))
        return found

    def refute(self, one: int, other: int, row: Row) -> list[WalkStep]:
        """Find the closed walk that a row on two nodes makes with believed claims.

        The steps of the row have the link `EXTRA`. The row has to be contradicted.
        """
        if one == other:
            members, ends = [one], [0, 1, 0, 1]
            walks = ClosedWalks([(0, True, 1, OWN)], range(2))
        else:
            component, _, ends = self._open(one, other)
            members = component.members
            walks = self._prepare(self.believed.component_of[one], component)
        added = [(ends[left], strict, ends[right]) for left, strict, right in row]
        search = walks.extend((*constraint, EXTRA) for constraint in added)
        return _translate(search.find(EXTRA, added, Work()), members)

    def name_walk(self, walk: Sequence[WalkStep], own: str) -> Proof:
        """Give a walk in the ids of the document; ``own`` stands for a claim of the other side."""
        nodes = self.document.nodes

        def name(point: int) -> str:
            return nodes[point // 2].id + "-+"[point % 2]

        def name_link(number: int) -> str | None:
            if number == OWN:
                return None
            return own if number == EXTRA else self.list_ids(number)[0]

        steps = tuple(
            Constraint(name(left), "<" if strict else "=", name(right), name_link(link))
            for left, strict, right, link in walk
        )
        strict = any(step[1] for step in walk)
        return Proof(
            left=steps[0].left,
            order="<" if strict else "=",
            right=steps[-1].right,
            walk=steps,
            links=tuple(
                dict.fromkeys(
                    self.list_ids(link)[0] for _, _, _, link in walk if link not in {OWN, EXTRA}
                )
            ),
        )

    def find_certain_orders(self, one: int, other: int) -> str:
        """Find the orders of the end points of two nodes that `judge` would call entailed.

        There is a sign for each crossing pair of end points: ``<=>``, or ``?``.
        """
        (orders,) = self.find_orders([(one, other)])
        if self.policy != "every" or self.consistent:
            return orders
        asked = []
        for (left, right), order in zip(CROSSING, orders, strict=True):
            ends = (right, left) if order == ">" else (left, right)
            asked.append((one, other, ((ends[0], order != "=", ends[1]),)))
        sure = [verdict == "entailed" for verdict in self.judge(asked)]
        return "".join(
            order if order != "?" and known else "?"
            for order, known in zip(orders, sure, strict=True)
        )

    def find_worlds(self, *, mend: bool = False) -> list[int]:
        """The part of each node that claims connect; with ``mend``, those that a repair leaves.

        The calendar connects no parts here.
        """
        claims = leave_out(self._graph, self._fixed)
        return partition(leave_out(claims, self.repair) if mend else claims).component_of

    def list_trunk(self, *, mend: bool = False) -> set[int]:
        """The nodes of the main parts, by their numbers."""
        worlds = self.find_worlds(mend=mend)
        connections = find_connections(self.document, worlds)
        mains = {*arrange(self.document, Options(), connections, worlds)[0]}
        return {node for node, world in enumerate(worlds) if world in mains}

    def name_claim(self, number: int) -> Claim | None:
        """The claim of a number; None for a CALENDAR link."""
        return self.claims[number] if number < len(self.claims) else None

    def list_ids(self, number: int) -> tuple[str, ...]:
        """The ids of the links that make a claim, or of a CALENDAR link."""
        if number < len(self.claims):
            links = self.document.links
            return tuple(links[link].id for link in self.claims[number].links)
        return (self.find_link(number).id,)

    def find_link(self, number: int) -> Link:
        """The first link that makes a claim, or a CALENDAR link."""
        claim = self.name_claim(number)
        return self.document.links[number + self._shift if claim is None else claim.links[0]]

    @cached_property
    def _reach(self) -> Reach:
        return Reach(*self.believed.whole)

    @cached_property
    def _claim_of(self) -> dict[Asked, int]:
        """The claims by what they say."""
        return dict(zip(self.said, range(len(self.said)), strict=True))

    @cached_property
    def _silenced(self) -> set[int | None]:
        return {None, *self.muted}

    @cached_property
    def _fixed(self) -> range:
        """The numbers of CALENDAR links."""
        return range(len(self.claims), len(self._graph.numbers))

    def _open(self, one: int, other: int) -> tuple[Consistent, Walks, list[int]]:
        """The part of two nodes, a search in it, and the numbers of the four end points there."""
        number = self.believed.component_of[one]
        if number not in self._searches:
            component = self.believed[number]
            assert isinstance(component, Consistent)  # noqa: S101 -- for the type checker
            constraints = self.believed.constraints(number)
            walks = Walks(constraints, component.levels, distinct=True)
            self._searches[number] = component, walks
        component, walks = self._searches[number]
        return component, walks, find_ends(component.members, one, other)

    @cached_property
    def _searches(self) -> dict[int, tuple[Consistent, Walks]]:
        return {}

    def _prepare(self, number: int, component: Consistent) -> ClosedWalks:
        """Prepare what is believed in a part to be searched for closed walks, once."""
        if number not in self._closed_walks:
            size = len(component.members)
            steps: list[WalkStep] = [(2 * one, True, 2 * one + 1, OWN) for one in range(size)]
            steps += [
                (left, strict, right, claim)
                for claim, constraints in group_by_link(self.believed.constraints(number)).items()
                for left, strict, right in constraints
            ]
            self._closed_walks[number] = ClosedWalks(
                steps, range(2 * size), levels=component.levels
            )
        return self._closed_walks[number]

    @cached_property
    def _closed_walks(self) -> dict[int, ClosedWalks]:
        return {}


def _translate(walk: Iterable[WalkStep], members: Sequence[int]) -> list[WalkStep]:
    """Number the points of a walk by the nodes of the document."""
    return [
        (2 * members[left // 2] + left % 2, strict, 2 * members[right // 2] + right % 2, link)
        for left, strict, right, link in walk
    ]
