"""The check of an answer to `why`: walks for what is entailed, two timelines for what is unknown.

Each step of a walk must be a constraint that the document states, and no walk with fewer links may
exist. Each witness must be a timeline of all points that are connected with the pair. The walks
must prove all orders that the answer calls known. The witnesses must show all other orders both
ways. The relations named must be those that agree with this.
"""

from __future__ import annotations

from collections import defaultdict, deque
from itertools import product
from typing import Final

from tlex.checker.constraints import CELLS, Constraints, is_satisfiable
from tlex.checker.timelines import Edge, reach
from tlex.document import Document
from tlex.errors import VerificationError
from tlex.records import Options, Proof, Why, Witness

__all__ = ["verify_why"]

# How the end points compare under each relation, in the order of CELLS: Allen's thirteen, and what
# is left of them where A or B is an instant (R20).
_ALLEN: Final = {
    ("before", "BEFORE"): "<<<<",
    ("after", "AFTER"): ">>>>",
    ("meets", "IBEFORE"): "<<=<",
    ("met-by", "IAFTER"): ">=>>",
    ("overlaps", None): "<<><",
    ("overlapped-by", None): "><>>",
    ("starts", "BEGINS"): "=<><",
    ("started-by", "BEGUN_BY"): "=<>>",
    ("finishes", "ENDS"): "><>=",
    ("finished-by", "ENDED_BY"): "<<>=",
    ("during", "IS_INCLUDED"): "><><",
    ("includes", "INCLUDES"): "<<>>",
    ("equal", "SIMULTANEOUS"): "=<>=",
}
_OUTSIDE: Final[dict[tuple[str, str | None], str]] = {
    ("before", "BEFORE"): "<<<<",
    ("after", "AFTER"): ">>>>",
}
_RELATIONS: Final[dict[tuple[bool, bool], dict[tuple[str, str | None], str]]] = {
    (False, False): _ALLEN,
    (True, False): {
        **_OUTSIDE,
        ("starts", "BEGINS"): "=<=<",
        ("finishes", "ENDS"): ">=>=",
        ("during", "IS_INCLUDED"): "><><",
    },
    (False, True): {
        **_OUTSIDE,
        ("started-by", "BEGUN_BY"): "==>>",
        ("finished-by", "ENDED_BY"): "<<==",
        ("includes", "INCLUDES"): "<<>>",
    },
    (True, True): {**_OUTSIDE, ("equal", "SIMULTANEOUS"): "===="},
}
_SETTLED: Final = ("entailed", "possible")


def verify_why(document: Document, why: Why, options: Options | None = None) -> None:
    """Prove that an answer to *why* is right about its document.

    Parameters
    ----------
    document : Document
        The document.
    why : Why
        What `Extraction.why` gave, or the same from JSON.
    options : Options, optional
        The options of the extraction; without them, the usual ones.

    Raises
    ------
    VerificationError
        On the first claim that is wrong.

    Examples
    --------
    >>> import tlex
    >>> document = tlex.read("examples/story.tml")
    >>> result = tlex.extract(document)
    >>> tlex.checker.verify_why(document, result.why("built", "midnight"), result.options)

    See Also
    --------
    tlex.verify : prove a whole extraction.
    """
    constraints = Constraints(document, options or Options())
    relation = why.relation
    ends = [
        constraints.number(node.id + end)
        for node in (relation.source, relation.target)
        for end in "-+"
    ]
    if None in ends:
        raise VerificationError("the answer is about something that the document does not define")
    points = [point for point in ends if point is not None]
    edges = _connected(constraints, points[0])
    together = any(edge.left // 2 == points[2] // 2 for edge in edges)
    consistent = is_satisfiable(edges)
    verdict = "unrelated" if not together else "inconsistent" if not consistent else "settled"
    if relation.verdict != verdict and not (verdict == "settled" and relation.verdict in _SETTLED):
        raise VerificationError(f"the two are {verdict}, not {relation.verdict}")
    if verdict != "settled":
        claims = why.proofs, why.witnesses, why.links
        if any((*claims, relation.relations, relation.orders, relation.instants)):
            raise VerificationError(f"the two are {verdict}, so that there is nothing to prove")
        return
    for proof in why.proofs:
        _check_walk(constraints, proof, edges)
    for witness in why.witnesses:
        _check_timeline(constraints, witness, edges)
    _check_orders(constraints, why, points)
    _check_relations(constraints, why, points)
    named = {link for proof in why.proofs for link in proof.links}
    if [link.id for link in why.links] != sorted(named, key=constraints.place.__getitem__):
        raise VerificationError("the links are not those of the walks, in document order")


def _connected(constraints: Constraints, point: int) -> list[Edge]:
    """All constraints on the intervals that links connect with one."""
    near: dict[int, list[int]] = defaultdict(list)
    for edges in constraints.stated.values():
        one, other = edges[0].left // 2, edges[0].right // 2
        near[one].append(other)
        near[other].append(one)
    inside = reach([point // 2], near)
    said = [edge for edges in constraints.stated.values() for edge in edges]
    return [edge for edge in (*constraints.own, *said) if edge.left // 2 in inside]


def _check_walk(constraints: Constraints, proof: Proof, edges: list[Edge]) -> None:
    at = proof.left
    for step in proof.walk:
        if step.left != at or constraints.find(step) is None:
            raise VerificationError(f"the walk for {proof} breaks at {step}")
        at = step.right
    strict = any(step.order == "<" for step in proof.walk)
    if at != proof.right or strict != (proof.order == "<"):
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


def _check_timeline(constraints: Constraints, witness: Witness, edges: list[Edge]) -> None:
    steps = {constraints.number(name): step for name, step in witness.points.items()}
    if set(steps) != {point for edge in edges for point in (edge.left, edge.right)}:
        raise VerificationError("a witness does not have all points of the timeline, and no others")
    for left, order, right, link in edges:
        if not (steps[left] < steps[right] if order == "<" else steps[left] == steps[right]):
            said = "an interval" if link is None else f"link {link!r}"
            raise VerificationError(f"a witness breaks what {said} says")


def _check_orders(constraints: Constraints, why: Why, points: list[int]) -> None:
    """Check each pair of end points: its order is proved by the walks, or shown both ways."""
    known = {("<", point, point + 1) for point in (points[0], points[2])}
    known = {(constraints.own[point // 2].order, point, other) for _, point, other in known}
    known |= {("=", point, point) for point in points}
    for proof in why.proofs:
        left, right = constraints.number(proof.left), constraints.number(proof.right)
        if left is not None and right is not None:
            known.add((proof.order, left, right))
    known |= {("=", right, left) for order, left, right in known if order == "="}
    for middle, left, right in product(points, repeat=3):
        for first, second in product("<=", repeat=2):
            if {(first, left, middle), (second, middle, right)} <= known:
                known.add((min(first, second), left, right))
    claimed = why.relation.orders
    if len(claimed) != len(CELLS):
        raise VerificationError("an order of two end points is missing")
    shown = [
        {constraints.number(name): step for name, step in witness.points.items()}
        for witness in why.witnesses
    ]
    for (one, other), claim in zip(CELLS, claimed, strict=True):
        left, right = points[one], points[other]
        if (constraints.number(claim.left), constraints.number(claim.right)) != (left, right):
            raise VerificationError(f"the order of {claim.left} and {claim.right} is not asked for")
        settled = [
            sign
            for sign, fact in (
                ("<", ("<", left, right)),
                ("=", ("=", left, right)),
                (">", ("<", right, left)),
            )
            if fact in known
        ]
        seen = {(steps[left] > steps[right]) - (steps[left] < steps[right]) for steps in shown}
        if tuple(settled) != claim.orders and not (
            not settled and claim.orders == ("<", "=", ">") and {-1, 1} <= seen
        ):
            raise VerificationError(f"the order of {claim.left} and {claim.right} is not proven")


def _check_relations(constraints: Constraints, why: Why, points: list[int]) -> None:
    """Check that the relations named are those that agree with the orders."""
    relation = why.relation
    moments = tuple(constraints.own[point // 2].order == "=" for point in (points[0], points[2]))
    names = (relation.source.id, relation.target.id)
    instants = [name for name, moment in zip(names, moments, strict=True) if moment]
    if list(dict.fromkeys(instants)) != list(relation.instants):
        raise VerificationError("the instants are others")
    fitting = {
        name
        for name, signs in _RELATIONS[moments[0], moments[1]].items()
        if all(sign in claim.orders for sign, claim in zip(signs, relation.orders, strict=True))
    }
    if fitting != {(found.name, found.type) for found in relation.relations}:
        raise VerificationError("the relations are not those that agree with the orders")
    if (relation.verdict == "entailed") != (len(relation.relations) == 1):
        raise VerificationError("one relation is entailed, several are possible")
    for witness in why.witnesses:
        signs = _compare(constraints, witness, points)
        if (
            _RELATIONS[moments[0], moments[1]].get((witness.relation.name, witness.relation.type))
            != signs
        ):
            raise VerificationError(f"on a witness the two are not {witness.relation.name}")


def _compare(constraints: Constraints, witness: Witness, points: list[int]) -> str:
    steps = {constraints.number(name): step for name, step in witness.points.items()}
    pairs = [(steps[points[one]], steps[points[other]]) for one, other in CELLS]
    return "".join("=<>"[(left < right) - (left > right)] for left, right in pairs)
