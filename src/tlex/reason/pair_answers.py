"""How two events or times are related, and why, in the annotator's own terms (R20 to R22)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from msgspec.structs import replace

from tlex.algebra import Basic
from tlex.components import Components
from tlex.document import Document
from tlex.lookup import describe_link, express
from tlex.points.graphs import OWN, Consistent
from tlex.points.walks import Walks
from tlex.reason.every_repair import UNDECIDED, EveryRepair
from tlex.reason.relations import CROSSING, find_orders, find_path, list_possible, thin
from tlex.reason.witnesses import separate
from tlex.records import (
    Connection,
    Constraint,
    NodeRecord,
    PairRelation,
    PointOrders,
    PossibleRelation,
    Proof,
    Why,
    Witness,
)

__all__ = ["explain", "relate"]


class _Pair:
    """Two intervals of one consistent component, numbered by their places in it.

    ``orders`` are those that the component entails; ``certain`` are those that are asked for.
    """

    def __init__(self, component: Consistent, source: int, target: int) -> None:
        self.component = component
        self.graph = component.graph
        self.source = bisect_left(component.members, source)
        self.target = bisect_left(component.members, target)
        compound = self.graph.compound
        self.ends = [2 * one + side for one in (self.source, self.target) for side in (0, 1)]
        self.instants = (
            compound[self.ends[0]] == compound[self.ends[1]],
            compound[self.ends[2]] == compound[self.ends[3]],
        )
        self.orders = find_orders(component, self.source, self.target)
        self.certain = self.orders

    def separate(self, *, turned: bool) -> list[int]:
        """A timeline on which the source's points come first where possible; last if ``turned``."""
        compounds = [self.graph.compound[point] for point in self.ends]
        sides = compounds[2:], compounds[:2]
        return separate(self.graph, *(sides if turned else sides[::-1]))


def relate(
    nodes: Sequence[NodeRecord],
    components: Components,
    connections: Sequence[Connection],
    pair: tuple[int, int],
    every: EveryRepair | None = None,
) -> PairRelation:
    """Say how two nodes, given by their numbers, are related. Linear in their timeline.

    With ``every``, only what holds after every minimum repair is entailed.
    """
    return _relate(nodes, components, connections, pair, every)[0]


def explain(  # noqa: PLR0913, PLR0917 -- a result in its pieces
    document: Document,
    nodes: Sequence[NodeRecord],
    components: Components,
    connections: Sequence[Connection],
    pair: tuple[int, int],
    every: EveryRepair | None = None,
) -> Why:
    """Prove how two nodes, given by their numbers, are related. Linear in their timeline.

    With ``every``, only what holds after every minimum repair is proven; the chains are those of
    the chosen repair.
    """
    relation, found = _relate(nodes, components, connections, pair, every)
    if found is None:
        return Why(relation=relation, proofs=(), witnesses=(), links=())
    number = relation.timelines[0]
    names = [nodes[member].id + end for member in found.component.members for end in "-+"]
    search = Walks(components.constraints(number), found.component.levels, distinct=True)
    orders = thin(found.certain, found.instants)
    pairs = [(found.ends[left], found.ends[right]) for left, _, right in orders]
    walks = [search.find(left, right) or [] for left, right in pairs]
    links = document.links
    proofs = tuple(
        Proof(
            left=names[left],
            order=order,
            right=names[right],
            walk=tuple(
                Constraint(
                    names[one],
                    "<" if strict else "=",
                    names[other],
                    None if link == OWN else links[link].id,
                )
                for one, strict, other, link in walk
            ),
            links=tuple(links[link].id for _, _, _, link in walk if link != OWN),
        )
        for (left, right), (_, order, _), walk in zip(pairs, orders, walks, strict=True)
    )
    witnesses: tuple[Witness, ...] = ()
    if "?" in found.orders:
        witnesses = tuple(_witness(found, names, turned=turned) for turned in (False, True))
    used = sorted({link for walk in walks for _, _, _, link in walk if link != OWN})
    described = tuple(describe_link(document, nodes, links[link]) for link in used)
    return Why(relation=relation, proofs=proofs, witnesses=witnesses, links=described)


def _relate(
    nodes: Sequence[NodeRecord],
    components: Components,
    connections: Sequence[Connection],
    numbers: tuple[int, int],
    every: EveryRepair | None,
) -> tuple[PairRelation, _Pair | None]:
    """The answer, and the pair itself if both nodes are on one consistent timeline."""
    source, target = numbers
    timelines = components.component_of[source], components.component_of[target]
    unrelated = PairRelation(
        source=express(nodes[source]),
        target=express(nodes[target]),
        verdict="unrelated",
        timelines=timelines,
        consistent=all(components.lengths[number] for number in timelines),
    )
    if timelines[0] != timelines[1]:
        path = tuple(find_path(connections, *timelines))
        return replace(unrelated, path=path), None
    component = components[timelines[0]]
    if not isinstance(component, Consistent):
        return replace(unrelated, verdict="inconsistent"), None
    pair = _Pair(component, source, target)
    decided = pair.orders if every is None else every.filter(source, target, pair.orders)
    pair.certain = decided.replace(UNDECIDED, "?")
    possible = list_possible(pair.certain, pair.instants)
    verdict = "entailed" if len(possible) == 1 else "possible"
    names = [nodes[number].id + end for number in numbers for end in "-+"]
    relation = replace(
        unrelated,
        verdict="undecided" if UNDECIDED in decided else verdict,
        relations=tuple(_name(basic) for basic in possible),
        orders=tuple(
            PointOrders(names[left], names[right], tuple("<=>" if order == "?" else order))
            for (left, right), order in zip(CROSSING, pair.certain, strict=True)
        ),
        instants=tuple(
            nodes[number].id
            for number, instant in zip(dict.fromkeys(numbers), pair.instants, strict=False)
            if instant
        ),
    )
    return relation, pair


def _witness(pair: _Pair, names: list[str], *, turned: bool) -> Witness:
    step = pair.separate(turned=turned)
    points = {
        name: step[compound] for name, compound in zip(names, pair.graph.compound, strict=True)
    }
    at = [step[pair.graph.compound[point]] for point in pair.ends]
    orders = "".join(
        "=<>"[(at[left] < at[right]) - (at[left] > at[right])] for left, right in CROSSING
    )
    (basic,) = list_possible(orders, pair.instants)
    return Witness(_name(basic), points)


def _name(basic: Basic) -> PossibleRelation:
    return PossibleRelation(basic.name, basic.type)
