"""The check of answers about two events or times: `relation` and `why`.

The orders of the four end points are found again, by what can be reached from each of them. A walk
is followed step by step, and no walk with fewer links may exist. A witness must be a timeline of
all points that are connected with the pair.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence

from tlex.checker.constraints import Constraints
from tlex.checker.mending import list_repairs
from tlex.checker.nodes import express, express_link
from tlex.checker.parts import Parts
from tlex.checker.relations import CELLS, Fact, close_facts, list_fitting, read_signs
from tlex.checker.timelines import Edge, name_of, reach
from tlex.checker.trunk import Worlds
from tlex.errors import VerificationError
from tlex.records import Answer, Connection, PairRelation, PossibleRelation, Proof, Why, Witness

__all__ = ["check_relation", "check_why"]


def check_relation(
    constraints: Constraints, whole: Constraints, answer: Answer, relation: PairRelation
) -> list[str]:
    """Prove what is said about two events or times; return what is unchecked.

    ``whole`` has the constraints of all links, ``constraints`` without the mended ones.
    """
    return _Pair(constraints, whole, answer, relation).unchecked


def check_why(constraints: Constraints, whole: Constraints, answer: Answer, why: Why) -> list[str]:
    """Prove what is said about two events or times, and each of its proofs."""
    pair = _Pair(constraints, whole, answer, why.relation)
    if pair.verdict != "settled":
        if why.proofs or why.witnesses or why.links:
            raise VerificationError(f"the two are {pair.verdict}: there is nothing to prove")
        return pair.unchecked
    for proof in why.proofs:
        _check_walk(constraints, proof, pair.edges)
    pair.check_proofs(why.proofs)
    pair.check_witnesses(why.witnesses)
    named = {link for proof in why.proofs for link in proof.links}
    links = [link for link in constraints.document.links if link.id in named]
    if [link.id for link in why.links] != [link.id for link in links]:
        raise VerificationError("the links are not those of the walks, in document order")
    for claimed, link in zip(why.links, links, strict=True):
        real = express_link(constraints.document, link)
        for field in real.__struct_fields__:
            _compare(
                f"link {link.id!r}: the {field}", getattr(real, field), getattr(claimed, field)
            )
    return pair.unchecked


class _Pair:
    """Two events or times, and what is true of them; made, it has checked the relation."""

    def __init__(
        self, constraints: Constraints, whole: Constraints, answer: Answer, relation: PairRelation
    ) -> None:
        self.constraints = constraints
        self.unchecked: list[str] = []
        document = constraints.document
        names = relation.source.id, relation.target.id
        known = express(document, names)
        for side, name in zip(("source", "target"), names, strict=True):
            if name not in known:
                raise VerificationError(f"the document does not define {name!r}")
            _compare(f"the {side}", known[name], getattr(relation, side))
        numbers = [document.index[name] for name in names]
        self.points = [2 * number + end for number in numbers for end in (0, 1)]
        first, second = (constraints.own[number].order == "=" for number in numbers)
        self.moments = first, second
        parts = Parts(constraints)
        owners = tuple(parts.owner[number] for number in numbers)
        self.edges = parts.edges[owners[0]]
        consistent = all(parts.consistent[owner] for owner in owners)
        self.verdict = "settled" if consistent else "inconsistent"
        path = relation.path
        if owners[0] != owners[1]:
            self.verdict = "unrelated"
            worlds = Parts(constraints, calendar=False).owner
            crossing = Worlds(document, answer.options, worlds).place(document, parts.owner)
            _check_path(crossing, owners, path)
            path = ()
        self.signs = self._find_signs(self.edges) if self.verdict == "settled" else ""
        self.certain = self.signs
        if relation.contradictions == "every" and self.signs:
            self._filter(whole, answer, relation)
        fitting = list_fitting(self.certain, self.moments) if self.signs else ()
        shown = "entailed" if len(fitting) == 1 else "possible"
        if relation.verdict == "undecided" and relation.contradictions == "every":
            shown = "undecided"
            self.unchecked.append("what holds after every repair: the answer is undecided")
        if relation.contradictions not in ("part", "repair", "every"):
            raise VerificationError(f"contradictions cannot be {relation.contradictions!r}")
        for field, real, claimed in (
            ("timelines", owners, relation.timelines),
            ("consistent", consistent, relation.consistent),
            ("path", (), path),
            ("verdict", shown if self.signs else self.verdict, relation.verdict),
            ("relations", tuple(PossibleRelation(*one) for one in fitting), relation.relations),
            ("instants", self._list_moments(names), relation.instants),
            ("orders", self._list_orders(), tuple(map(_plain_orders, relation.orders))),
            ("mended", self._list_mended(parts, answer, owners), relation.mended),
        ):
            _compare(f"the field {field!r}", real, claimed)

    def _list_mended(
        self, parts: Parts, answer: Answer, owners: tuple[int, ...]
    ) -> tuple[str, ...]:
        """The links left out that touch the timelines of the two."""
        index, mended = self.constraints.document.index, set(answer.mended)
        ends = {
            link.id: {parts.owner[index[end or ""]] for end in (link.source, link.target)}
            for link in self.constraints.document.links
            if link.id in mended
        }
        return tuple(link for link in answer.mended if ends[link].intersection(owners))

    def _filter(self, whole: Constraints, answer: Answer, relation: PairRelation) -> None:
        """Leave only the orders that hold after every minimum repair."""
        parts = Parts(whole)
        number = parts.owner[self.points[0] // 2]
        repairs = list_repairs(whole, answer.options, answer.mended, parts.links[number])
        if repairs is None or relation.verdict == "undecided":
            # Take what is claimed, as far as it holds after the chosen repair.
            claims = [
                "?" if len(one.orders) > 1 else "".join(one.orders) for one in relation.orders
            ]
            pairs = zip(self.signs, claims, strict=False)
            self.certain = "".join(sign if claim == sign else "?" for sign, claim in pairs)
            self.unchecked += [] if repairs else ["what holds after every repair"]
            return
        for repair in repairs:
            left = [edge for edge in parts.edges[number] if edge.link not in repair]
            pairs = zip(self.certain, self._find_signs(left), strict=True)
            self.certain = "".join(one if one == other else "?" for one, other in pairs)

    def _find_signs(self, edges: Iterable[Edge]) -> str:
        """Compare each two end points; ``?`` where neither leads to the other."""
        ways: dict[int, list[int]] = defaultdict(list)
        for left, order, right, _ in edges:
            ways[left].append(right)
            if order == "=":
                ways[right].append(left)
        reached = [reach([point], ways) for point in self.points]
        signs = ""
        for left, right in CELLS:
            there, back = self.points[right] in reached[left], self.points[left] in reached[right]
            signs += "=" if there and back else "<" if there else ">" if back else "?"
        return signs

    def _list_moments(self, names: tuple[str, str]) -> tuple[str, ...]:
        pairs = zip(names, self.moments, strict=True)
        return tuple(dict.fromkeys(name for name, moment in pairs if moment and self.signs))

    def _list_orders(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        names = [name_of(self.constraints.document, point) for point in self.points]
        return tuple(
            (names[left], names[right], tuple("<=>" if sign == "?" else sign))
            for (left, right), sign in zip(CELLS, self.certain, strict=bool(self.signs))
        )

    def check_proofs(self, proofs: Sequence[Proof]) -> None:
        """Check that the proofs entail all known orders, and that none follows from the others."""
        facts = [self._read_proof(proof) for proof in proofs]
        cells = [CELLS.index((min(one, other), max(one, other))) for _, one, other in facts]
        if cells != sorted(cells):
            raise VerificationError("the proofs are not in the order of the end points")
        if read_signs(close_facts(facts, self.moments)) != self.certain:
            raise VerificationError("the walks do not prove all orders that are known")
        for place, proof in enumerate(proofs):
            others = facts[:place] + facts[place + 1 :]
            if read_signs(close_facts(others, self.moments)) == self.certain:
                raise VerificationError(f"the walk for {proof} is not needed")

    def _read_proof(self, proof: Proof) -> Fact:
        """Give what a proof says: of an end point of the one and an end point of the other."""
        left, right = self.constraints.number(proof.left), self.constraints.number(proof.right)
        for one, other in (*CELLS, *((other, one) for one, other in CELLS)):
            if (self.points[one], self.points[other]) == (left, right):
                return proof.order, one, other
        raise VerificationError(f"the order {proof} is not asked for")

    def check_witnesses(self, witnesses: Sequence[Witness]) -> None:
        """Check that all unknown orders are shown both ways: first <, then >."""
        if len(witnesses) != (2 if "?" in self.signs else 0):
            raise VerificationError("two timelines show an unknown order, and only that")
        for witness, shown in zip(witnesses, "<>", strict=False):
            steps = self._read_timeline(witness)
            pairs = [(steps[self.points[one]], steps[self.points[other]]) for one, other in CELLS]
            signs = "".join("=<>"[(left < right) - (left > right)] for left, right in pairs)
            if signs != self.signs.replace("?", shown):
                raise VerificationError(f"a witness does not show that each order can be {shown}")
            named = witness.relation.name, witness.relation.type
            if list_fitting(signs, self.moments) != (named,):
                raise VerificationError(f"on a witness the two are not {witness.relation.name!r}")

    def _read_timeline(self, witness: Witness) -> dict[int, int]:
        steps: dict[int, int] = {}
        for name, step in witness.points.items():
            point = self.constraints.number(name)
            steps[-1 if point is None else point] = step
        points = {point for edge in self.edges for point in (edge.left, edge.right)}
        if set(steps) != points or len(steps) != len(witness.points):
            raise VerificationError("a witness does not have the points of the timeline")
        used = set(steps.values())
        if used != set(range(1, len(used) + 1)):
            raise VerificationError("the steps of a witness are not 1, 2, 3 and so on")
        for left, order, right, link in self.edges:
            if not (steps[left] < steps[right] if order == "<" else steps[left] == steps[right]):
                said = "an interval" if link is None else f"link {link!r}"
                raise VerificationError(f"a witness breaks what {said} says")
        return steps


def _check_walk(constraints: Constraints, proof: Proof, edges: list[Edge]) -> None:
    at = proof.left
    for step in proof.walk:
        if step.left != at or constraints.find(step) is None:
            raise VerificationError(f"the walk for {proof} breaks at {step}")
        at = step.right
    strict = any(step.order == "<" for step in proof.walk)
    if at != proof.right or proof.order != ("<" if strict else "="):
        raise VerificationError(f"the walk for {proof} leads to {at}, and not to that")
    links = tuple(step.link for step in proof.walk if step.link is not None)
    if links != proof.links:
        raise VerificationError(f"the links of the walk for {proof} are others")
    left, right = constraints.number(proof.left), constraints.number(proof.right)
    if left is None or right is None or len(links) > _count_links(edges, left, right):
        raise VerificationError(f"there is a walk for {proof} with fewer links")


def _count_links(edges: list[Edge], start: int, goal: int) -> int:
    """The fewest links on a walk from one point to another."""
    ways: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for left, order, right, link in edges:
        ways[left].append((right, link is not None))
        if order == "=":
            ways[right].append((left, link is not None))
    best = {start: 0}
    queue = deque([start])
    while queue:
        point = queue.popleft()
        for other, cost in ways[point]:
            total = best[point] + cost
            if total < best.get(other, total + 1):
                best[other] = total
                if cost:
                    queue.append(other)
                else:
                    queue.appendleft(other)
    return best.get(goal, -1)


def _check_path(
    crossing: list[Connection], ends: tuple[int, ...], path: Sequence[Connection]
) -> None:
    """Check that a chain of SLINKs joins two timelines, and that none is shorter."""
    near: dict[int, list[int]] = defaultdict(list)
    for link in crossing:
        near[link.source_timeline].append(link.target_timeline)
        near[link.target_timeline].append(link.source_timeline)
    far = {ends[0]: 0}
    queue = deque([ends[0]])
    while queue:
        at = queue.popleft()
        for other in near[at]:
            if other not in far:
                far[other] = far[at] + 1
                queue.append(other)
    if len(path) != far.get(ends[1], 0):
        raise VerificationError(
            f"the shortest chain of SLINKs has {far.get(ends[1], 0)}, not {len(path)}"
        )
    known = {link.link: link for link in crossing}
    at = ends[0]
    for link in path:
        if known.get(link.link) != link:
            raise VerificationError(f"{link.link!r} is no such connection of two timelines")
        if at not in (link.source_timeline, link.target_timeline):
            raise VerificationError(f"the chain of SLINKs breaks at {link.link!r}")
        at = link.target_timeline if at == link.source_timeline else link.source_timeline
    if path and at != ends[1]:
        raise VerificationError(f"the chain of SLINKs leads to timeline {at}, not {ends[1]}")


def _plain_orders(orders: object) -> tuple[object, ...]:
    return tuple(getattr(orders, field) for field in ("left", "right", "orders"))


def _compare(what: str, real: object, claimed: object) -> None:
    if real != claimed:
        raise VerificationError(f"{what} is {real!r:.200}, not {claimed!r:.200}")
