"""Proofs are taken apart step by step, by code that knows nothing of the solver."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import brute
import pytest
from brute import Stretch, worlds
from hypothesis import given
from strategies import Graph, document_of, number_of, placed_graphs, small_graphs

import tlex
from tlex.records import Proof, Why, Witness

ROOT = Path(__file__).parents[2]


def ask(*rows: tuple[str, str, str], source: str = "a", target: str = "b") -> Why:
    return tlex.extract(tlex.from_links(rows)).why(source, target)


def point(name: str) -> int:
    """Give the number of a point of an interval that `document_of` has named."""
    return 2 * number_of(name[:-1]) + (name[-1] == "+")


def own_constraints(graph: Graph) -> set[tuple[int, str, int]]:
    own = {(2 * i, "<", 2 * i + 1) for i in range(graph.size) if i not in graph.instants}
    own |= {(2 * i, "=", 2 * i + 1) for i in graph.instants}
    return own | {(2 * i + 1, "=", 2 * i) for i in graph.instants}


def check_proof(proof: Proof, graph: Graph) -> None:
    """Walk the walk: each step is said by its link, and together they say what is claimed."""
    at = proof.left
    for step in proof.walk:
        assert step.left == at
        said = own_constraints(graph)
        if step.link is not None:
            said = brute.constraints_of(graph.links[int(step.link[1:]) - 1])
        assert (point(step.left), step.order, point(step.right)) in said
        at = step.right
    assert at == proof.right
    assert proof.order == ("<" if any(step.order == "<" for step in proof.walk) else "=")
    assert proof.links == tuple(step.link for step in proof.walk if step.link is not None)
    assert len(set(proof.links)) == len(proof.links)


def check_witness(witness: Witness, graph: Graph, why: Why, timeline: tlex.Timeline) -> None:
    """Hold every link of the timeline, and every interval, against the steps."""
    assert list(witness.points) == [name + end for name in timeline.intervals for end in "-+"]
    at = {
        number_of(name): Stretch(witness.points[f"{name}-"], witness.points[f"{name}+"])
        for name in timeline.intervals
    }
    for interval, (start, end) in at.items():
        assert start == end if interval in graph.instants else start < end
    for source, label, target in graph.links:
        if source in at and target in at:
            assert brute.holds(label, at[source], at[target])
    assert sorted(set(witness.points.values())) == [*range(1, max(witness.points.values()) + 1)]
    a, b = (at[number_of(end.id)] for end in (why.relation.source, why.relation.target))
    assert brute.holds(brute.ALLEN[witness.relation.name], a, b)
    assert witness.relation in why.relation.relations


def check_why(why: Why, graph: Graph, timeline: tlex.Timeline) -> None:
    """Check everything but that the proofs are the shortest."""
    relation = why.relation
    for proof in why.proofs:
        check_proof(proof, graph)
    used = {link for proof in why.proofs for link in proof.links}
    assert [link.id for link in why.links] == sorted(used, key=lambda name: int(name[1:]))
    for link in why.links:
        source, label, target = graph.links[int(link.id[1:]) - 1]
        assert (link.source.id, link.type, link.target.id) == (f"e{source}", label, f"e{target}")
    open_pairs = [o for o in relation.orders if len(o.orders) == 3]
    assert len(why.witnesses) == (2 if open_pairs else 0)
    for witness in why.witnesses:
        check_witness(witness, graph, why, timeline)
    for pair in open_pairs:
        first, second = (w.points[pair.left] - w.points[pair.right] for w in why.witnesses)
        assert first < 0 < second
    settled = {(o.left, o.orders[0], o.right) for o in relation.orders if len(o.orders) == 1}
    proven = {(p.left, p.order, p.right) for p in why.proofs}
    proven |= {(p.right, ">" if p.order == "<" else "=", p.left) for p in why.proofs}
    assert follow(proven, why) >= settled


def follow(proven: set[tuple[str, str, str]], why: Why) -> set[tuple[str, str, str]]:
    """Find what the proven orders say of all pairs of end points, with what intervals are."""
    names = list(dict.fromkeys(n for o in why.relation.orders for n in (o.left, o.right)))
    number = {name: place for place, name in enumerate(names)}
    known = {(number[a], o, number[b]) for a, o, b in proven if o != ">"}
    for name in (why.relation.source.id, why.relation.target.id):
        instant = name in why.relation.instants
        known.add((number[f"{name}-"], "=" if instant else "<", number[f"{name}+"]))
    answer = brute.close_constraints(len(names), known)
    found = set()
    for a, b in product(names, repeat=2):
        one, other = sorted((number[a], number[b]))
        if (one, other) not in answer.pairs:
            same = any({one, other} <= set(group) for group in answer.compounds)
            before = answer.earliest[number[a]] < answer.earliest[number[b]]
            found.add((a, "=" if same else "<" if before else ">", b))
    return found


@given(graph=small_graphs())
def test_no_fewer_links_entail_an_order_than_its_proof_has(graph):
    result = tlex.extract(document_of(graph), times="point")

    for timeline in result.timelines:
        if not timeline.consistent:
            continue
        part = tuple(map(number_of, timeline.intervals))
        place = {number: k for k, number in enumerate(part)}
        links = brute.restrict(graph.links, part)
        world = worlds(len(part), frozenset(place[n] for n in part if n in graph.instants))
        for one, other in product(timeline.intervals, repeat=2):
            why = result.why(one, other)
            assert why.relation == result.relation(one, other)
            check_why(why, graph, timeline)
            for proof in why.proofs:
                ends = [2 * place[p // 2] + p % 2 for p in map(point, (proof.left, proof.right))]
                for fewer in combinations(links, len(proof.links) - 1) if proof.links else ():
                    assert world.orders(world.meeting(*fewer), *ends) != proof.order


def count_links(graph: Graph) -> dict[tuple[int, int], int]:
    """Find the fewest links between each two points, by trying everything again and again."""
    costs = {(a, b): 0 for a, _, b in own_constraints(graph)}
    costs |= {(p, p): 0 for p in range(2 * graph.size)}
    for link in graph.links:
        for a, _, b in brute.constraints_of(link):
            costs.setdefault((a, b), 1)
    points = range(2 * graph.size)
    for middle, a, b in product(points, repeat=3):
        if (a, middle) in costs and (middle, b) in costs:
            through = costs[a, middle] + costs[middle, b]
            costs[a, b] = min(costs.get((a, b), through), through)
    return costs


@given(graph=placed_graphs(largest=9))
def test_proofs_of_larger_graphs_hold_and_are_the_shortest(graph):
    result = tlex.extract(document_of(graph))
    costs = count_links(graph)

    for timeline in result.timelines:
        for one, other in combinations(timeline.intervals, 2):
            why = result.why(one, other)
            check_why(why, graph, timeline)
            for proof in why.proofs:
                assert len(proof.links) == costs[point(proof.left), point(proof.right)]


def test_a_shorter_way_beats_an_earlier_one():
    chain = [("a", "BEFORE", "x"), ("x", "BEFORE", "y"), ("y", "BEFORE", "b")]

    why = ask(*chain, ("a", "BEFORE", "z"), ("z", "BEFORE", "b"))

    (proof,) = why.proofs
    assert (str(proof), proof.links) == ("a+ < b-", ("l4", "l5"))
    assert [str(step) for step in proof.walk] == ["a+ < z-", "z- < z+", "z+ < b-"]


def test_of_several_links_that_say_the_same_the_first_is_named():
    why = ask(("a", "BEFORE", "b"), ("b", "AFTER", "a"), ("a", "BEFORE", "b"))

    assert why.proofs[0].links == ("l1",)


def test_a_relation_of_two_orders_has_two_proofs():
    why = ask(("a", "INCLUDES", "x"), ("x", "INCLUDES", "b"))

    assert [str(proof) for proof in why.proofs] == ["a- < b-", "b+ < a+"]
    assert why.witnesses == ()


def test_equal_points_are_proven_by_equalities():
    why = ask(("a", "IBEFORE", "x"), ("x", "BEGUN_BY", "b"))

    (proof,) = why.proofs
    assert (str(proof), [step.order for step in proof.walk]) == ("a+ = b-", ["=", "="])


def test_what_is_partly_settled_has_proofs_and_two_timelines():
    rows = [("a", "BEGINS", "x"), ("x", "BEFORE", "c"), ("a", "BEFORE", "b"), ("b", "BEFORE", "c")]

    why = ask(*rows, source="x", target="b")

    assert why.relation.verdict == "possible"
    assert [str(proof) for proof in why.proofs] == ["x- < b-"]
    assert [w.relation.name for w in why.witnesses] == ["before", "includes"]


def test_an_interval_needs_no_links_to_equal_itself():
    why = ask(("a", "BEFORE", "b"), source="a", target="a")

    assert [(str(p), p.walk, p.links) for p in why.proofs] == [
        ("a- = a-", (), ()),
        ("a+ = a+", (), ()),
    ]


@pytest.mark.parametrize(
    ("rows", "verdict"),
    [
        ([("a", "BEFORE", "b"), ("b", "BEFORE", "a")], "inconsistent"),
        ([("a", "MODAL", "b")], "unrelated"),
    ],
)
def test_where_nothing_is_entailed_there_is_nothing_to_prove(rows, verdict):
    why = ask(*rows)

    assert why.relation.verdict == verdict
    assert why.proofs == why.witnesses == why.links == ()


def test_links_come_with_their_words_and_lines():
    why = tlex.extract(tlex.read(ROOT / "examples" / "story.tml")).why("built", "midnight")

    assert [(k.id, k.source.text, k.type, k.target.text, k.line) for k in why.links] == [
        ("l4", "built", "BEFORE", "coughed", 58),
        ("l6", "coughed", "SIMULTANEOUS", "eleven o'clock", 60),
        ("l20", "eleven o'clock", "BEFORE", "midnight", 74),
    ]


def test_a_long_chain_is_proven_without_recursion():
    links = [(f"e{n}", "BEFORE", f"e{n + 1}") for n in range(20_000)]

    why = tlex.extract(tlex.from_links(links)).why("e0", "e20000")

    assert len(why.proofs[0].links) == 20_000


@pytest.mark.corpus
def test_proofs_of_timebank_hold(timebank):
    """A sample of pairs in every document: each step is said by its link, each timeline is met."""
    for document in list(timebank.values()):
        result = tlex.extract(document)
        names = [node.id for node in document.nodes]
        graph = Graph(
            len(names),
            [
                (document.index.get(k.source, 0), k.type, document.index.get(k.target, 0))
                for k in document.links
            ],
        )
        for timeline in result.timelines:
            if not timeline.consistent or len(timeline.intervals) < 2:
                continue
            for one, other in list(combinations(timeline.intervals, 2))[::13]:
                check_in_corpus(result.why(one, other), graph, document, timeline)


def check_in_corpus(
    why: Why, graph: Graph, document: tlex.Document, timeline: tlex.Timeline
) -> None:
    number = {link.id: place for place, link in enumerate(document.links)}

    def numbered(name: str) -> int:
        return 2 * document.index[name[:-1]] + (name[-1] == "+")

    for proof in why.proofs:
        at = proof.left
        for step in proof.walk:
            said = {(numbered(step.left), "<", numbered(step.left) + 1)}
            if step.link is not None:
                said = brute.constraints_of(graph.links[number[step.link]])
            assert (numbered(step.left), step.order, numbered(step.right)) in said
            assert step.left == at
            at = step.right
        assert at == proof.right
        assert proof.order == ("<" if any(s.order == "<" for s in proof.walk) else "=")
    inside = {document.index[name] for name in timeline.intervals}
    for witness in why.witnesses:
        at = {
            document.index[n]: Stretch(witness.points[f"{n}-"], witness.points[f"{n}+"])
            for n in timeline.intervals
        }
        assert all(start < end for start, end in at.values())
        for link, (source, label, target) in zip(document.links, graph.links, strict=True):
            if link.kind != "SLINK" and source in inside:
                assert brute.holds(label, at[source], at[target])
    if why.witnesses:
        for pair in why.relation.orders:
            if len(pair.orders) == 3:
                first, second = (w.points[pair.left] - w.points[pair.right] for w in why.witnesses)
                assert first < 0 < second
