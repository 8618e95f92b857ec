"""The check of chosen labels: they are consistent, and none are more probable (R60).

The bound is proved from the listed sets of orders of time-points. Each of them cannot hold. So a
choice of labels that implies all orders of a set is impossible. A MaxSAT solver of another package
(RC2) finds the least that the other choices cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import log
from typing import Final, NamedTuple

from tlex.checker.constraints import Constraints, is_satisfiable
from tlex.checker.timelines import Edge
from tlex.document import Document
from tlex.errors import VerificationError
from tlex.nouns import Link
from tlex.records import DecodeRecord, FixOptions

__all__ = ["check_decoding"]

LABELS_LIMIT: Final = 600
"""With more labels to choose from, the bound is not checked."""

_NINE: Final = 10**9
_NEAR: Final = 1e-6


class _Choice(NamedTuple):
    """A link, the labels that it may have with their shares, and what each says."""

    link: Link
    shares: dict[str, float]
    edges: dict[str, list[Edge]]


def check_decoding(document: Document, record: DecodeRecord) -> list[str]:
    """Prove a choice of labels; return what could not be checked."""
    options = FixOptions(links=record.options.links, times=record.options.times)
    constraints = Constraints(document, options)
    choices = {one.link.id: one for one in _list_choices(constraints)}
    unchecked = ["the notes"] if record.notes else []
    proof = [_read_set(constraints, orders) for orders in record.proof]
    for blocked in record.blocked:
        names = [choices[name] for name in blocked if name in choices]
        if (
            len(names) != len(blocked)
            or _Problem(constraints, names, proof).find_cost() is not None
        ):
            raise VerificationError(f"the links {blocked} have labels that may be consistent")
    if bool(record.blocked) != (record.consistent is False):
        raise VerificationError("'consistent' and 'blocked' do not agree")
    chosen = _check_choices(choices, record)
    if not record.consistent:
        return unchecked
    edges = [edge for one in choices.values() for edge in one.edges[chosen[one.link.id]]]
    if not is_satisfiable([*constraints.own, *edges]):
        raise VerificationError("the chosen labels contradict each other")
    cost = sum(_weigh(one.shares[chosen[one.link.id]]) for one in choices.values()) / _NINE
    if record.cost is None or abs(cost - record.cost) > _NEAR:
        raise VerificationError(f"the chosen labels cost {cost:g}, not {record.cost}")
    if record.gap is None or abs(record.cost - record.bound - record.gap) > _NEAR:
        raise VerificationError("'gap' is not the difference of cost and bound")
    if record.optimal != (record.gap == 0):
        raise VerificationError("'optimal' and 'gap' do not agree")
    if sum(len(one.shares) for one in choices.values()) > LABELS_LIMIT:
        return [*unchecked, "that no consistent choice costs less than the bound"]
    least = _Problem(constraints, list(choices.values()), proof).find_cost()
    if least is not None and least / _NINE < record.bound - _NEAR:
        raise VerificationError(f"the proof shows that a choice costs {least / _NINE:g}, not more")
    return unchecked


def _list_choices(constraints: Constraints) -> Iterator[_Choice]:
    """List the links that order something, and what they may say."""
    document = constraints.document
    for link in document.links:
        ends = [document.index.get(end or "") for end in (link.source, link.target)]
        if link.kind not in constraints.kinds or ends[0] is None or ends[1] is None:
            continue
        if link.labels:
            most = sum(link.labels.values())
            given = link.labels if most else dict.fromkeys(link.labels, 1.0)
            total = sum(given.values())
            shares = {label: share / total for label, share in given.items() if share}
            yield _Choice(
                link, shares, {label: constraints.relabel(link, label) for label in shares}
            )
        elif link.id in constraints.stated:
            label = link.type or ""
            yield _Choice(link, {label: 1.0}, {label: constraints.stated[link.id]})


def _check_choices(choices: dict[str, _Choice], record: DecodeRecord) -> dict[str, str]:
    """Check what is said of each link; give the chosen labels."""
    chosen = {name: next(iter(one.shares)) for name, one in choices.items() if not one.link.labels}
    for said in record.choices:
        one = choices.get(said.link)
        if one is None or said.link in chosen or said.labels != one.link.labels:
            raise VerificationError(f"the link {said.link!r} has other candidates")
        share = one.shares.get(said.type)
        if share is None or abs(share - said.probability) > _NEAR:
            raise VerificationError(f"the link {said.link!r} has no {said.type!r} so probable")
        first = max(one.shares, key=one.shares.__getitem__)
        ends = (one.link.source, one.link.target)
        if said.most_probable != first or (said.source, said.target) != ends:
            raise VerificationError(f"the link {said.link!r} is described wrongly")
        chosen[said.link] = said.type
    missing = [name for name in choices if name not in chosen]
    if record.consistent and missing:
        raise VerificationError(f"the link {missing[0]!r} has no label")
    return chosen


def _read_set(constraints: Constraints, orders: Iterable[str]) -> list[Edge]:
    """Read orders of time-points, and check that they cannot all hold."""
    edges = []
    for order in orders:
        words = order.split()
        if len(words) != len(("left", "order", "right")) or words[1] not in {"<", "<="}:
            raise VerificationError(f"{order!r:.80} is no order of two points")
        left, right = constraints.number(words[0]), constraints.number(words[2])
        if left is None or right is None:
            raise VerificationError(f"{order!r:.80} names a point that is not there")
        edges.append(Edge(left, words[1], right, None))
    touched = {point // 2 for edge in edges for point in (edge.left, edge.right)}
    own = [constraints.own[number] for number in touched]
    if not _is_closed([*edges, *own]):
        raise VerificationError(f"the orders {', '.join(orders)} can all hold")
    return edges


def _is_closed(edges: list[Edge]) -> bool:
    """Whether a ``<`` lies on a closed walk."""
    after: dict[int, set[int]] = {}
    for left, order, right, _ in edges:
        after.setdefault(left, set()).add(right)
        if order == "=":
            after.setdefault(right, set()).add(left)
    for left, order, right, _ in edges:
        if order == "<":
            seen, waiting = {right}, [right]
            for point in waiting:
                found = after.get(point, set()) - seen
                seen |= found
                waiting += found
            if left in seen:
                return True
    return False


class _Problem:
    """The choices that the proof allows, as clauses."""

    def __init__(
        self, constraints: Constraints, choices: list[_Choice], proof: list[list[Edge]]
    ) -> None:
        from pysat.formula import WCNF  # noqa: PLC0415 -- not light

        self.formula = WCNF()
        self.constraints = constraints
        self.top = 0
        self.between: dict[frozenset[int], list[tuple[int, list[Edge]]]] = {}
        for one in choices:
            self._add(one)
        variables: dict[Edge, int] = {}
        for orders in proof:
            for order in orders:
                if order not in variables:
                    variables[order] = self._imply(order)
            self.formula.append([-variables[order] for order in orders])

    def find_cost(self) -> int | None:
        """Find the least cost of a choice; None if there is none."""
        from pysat.examples.rc2 import RC2Stratified  # noqa: PLC0415 -- not light
        from pysat.solvers import Solver  # noqa: PLC0415

        with Solver("cadical153", bootstrap_with=self.formula.hard) as solver:
            if not solver.solve():
                return None
        if not self.formula.soft:
            return 0
        with RC2Stratified(self.formula) as best:
            best.compute()
            return int(best.cost)

    def _add(self, one: _Choice) -> None:
        index = self.constraints.document.index
        ends = frozenset((index[one.link.source or ""], index[one.link.target or ""]))
        labels = []
        for label, share in one.shares.items():
            self.top += 1
            labels.append(self.top)
            self.between.setdefault(ends, []).append((self.top, one.edges[label]))
            if cost := _weigh(share):
                self.formula.append([-self.top], weight=cost)
        self.formula.append(labels)
        for pair in combinations(labels, 2):
            self.formula.append([-label for label in pair])

    def _imply(self, order: Edge) -> int:
        """Make a variable that is true if a chosen label implies an order."""
        self.top += 1
        variable = self.top
        places = frozenset((order.left // 2, order.right // 2))
        own = [self.constraints.own[number] for number in places]
        signs = "<=" if order.order == "<" else "<"
        for label, edges in self.between.get(places, []):
            others = ([*own, *edges, Edge(order.right, sign, order.left, None)] for sign in signs)
            if not any(map(is_satisfiable, others)):
                self.formula.append([-label, variable])
        return variable


def _weigh(share: float) -> int:
    return round(-log(share) * _NINE)
