"""The checker proves every answer to *why*, and rejects every corrupted one."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from strategies import document_of, placed_graphs, tangled_graphs

import tlex
from tlex.checker import verify
from tlex.errors import VerificationError
from tlex.records import SCHEMA, Answer, DocumentRecord, Options, PossibleRelation

POINT = Options(times="point")


def verify_why(document, why, options=None):
    about = DocumentRecord.of(document)
    return verify(document, Answer(SCHEMA, "0", about, options or Options(), why=why))


@settings(max_examples=80)
@given(graph=st.one_of(placed_graphs(largest=6), tangled_graphs()), data=st.data())
def test_every_answer_is_proven(graph, data):
    document = document_of(graph)
    result = tlex.extract(document, times="point")
    nodes = st.sampled_from([node.id for node in document.nodes])
    if document.nodes:
        verify_why(document, result.why(data.draw(nodes), data.draw(nodes)), POINT)


@pytest.mark.corpus
def test_the_answers_about_timebank_are_proven(timebank):
    for document in list(timebank.values())[::12]:
        result = tlex.extract(document)
        names = [node.id for node in document.nodes]
        for source, target in zip(names[::5], names[3::4], strict=False):
            verify_why(document, result.why(source, target))


def shrink(items: tuple) -> list[tuple]:
    """The same without one of its items, for each of them."""
    return [items[:k] + items[k + 1 :] for k in range(len(items))]


WRONG = PossibleRelation("meets", "BEFORE")


def corruptions(why):
    """Everything that can be made wrong with an answer, one at a time."""
    yield from corrupt_relation(why)
    yield from corrupt_proofs(why)
    yield from corrupt_witnesses(why)
    for links in shrink(why.links):
        yield replace(why, links=links)


def corrupt_relation(why):
    relation = why.relation
    verdicts = {"entailed", "possible", "unrelated", "inconsistent"} - {relation.verdict}
    for verdict in sorted(verdicts):
        yield replace(why, relation=replace(relation, verdict=verdict))
    for relations in shrink(relation.relations):
        yield replace(why, relation=replace(relation, relations=relations))
    yield replace(why, relation=replace(relation, relations=(*relation.relations, WRONG)))
    yield replace(why, relation=replace(relation, instants=("a",)))
    for k, claim in enumerate(relation.orders):
        for orders in {("<",), ("=",), (">",), ("<", "=", ">"), ("<", ">")} - {claim.orders}:
            changed = (
                *relation.orders[:k],
                replace(claim, orders=orders),
                *relation.orders[k + 1 :],
            )
            yield replace(why, relation=replace(relation, orders=changed))


def corrupt_proofs(why):
    for proofs in shrink(why.proofs):
        yield replace(why, proofs=proofs)
    for k, proof in enumerate(why.proofs):
        others = why.proofs[:k], why.proofs[k + 1 :]
        for walk in shrink(proof.walk):
            yield replace(why, proofs=(*others[0], replace(proof, walk=walk), *others[1]))
        turned = replace(proof, left=proof.right, right=proof.left)
        yield replace(why, proofs=(*others[0], turned, *others[1]))
        other_order = replace(proof, order="=" if proof.order == "<" else "<")
        yield replace(why, proofs=(*others[0], other_order, *others[1]))
        yield replace(why, proofs=(*others[0], replace(proof, links=()), *others[1]))
        for j, step in enumerate(proof.walk):
            for field, value in (("order", "=" if step.order == "<" else "<"), ("link", "l9")):
                bent = (*proof.walk[:j], replace(step, **{field: value}), *proof.walk[j + 1 :])
                yield replace(why, proofs=(*others[0], replace(proof, walk=bent), *others[1]))


def corrupt_witnesses(why):
    for witnesses in shrink(why.witnesses):
        yield replace(why, witnesses=witnesses)
    for k, witness in enumerate(why.witnesses):
        others = why.witnesses[:k], why.witnesses[k + 1 :]
        for name in witness.points:
            for moved in (None, 0, 99):
                points = {key: step for key, step in witness.points.items() if key != name}
                if moved is not None:
                    points[name] = moved
                changed = replace(witness, points=points)
                yield replace(why, witnesses=(*others[0], changed, *others[1]))
        yield replace(why, witnesses=(*others[0], replace(witness, relation=WRONG), *others[1]))


@pytest.mark.parametrize(
    "pair",
    [
        ("a", "c"),
        ("a", "e"),
        ("a", "b"),
        ("c", "a"),
        ("d", "e"),
        ("c", "f"),
        ("b", "f"),
        ("a", "x"),
    ],
    ids="".join,
)
def test_a_corrupted_answer_is_rejected(pair):
    rows = [
        "a BEFORE b",
        "b IBEFORE c",
        "d SIMULTANEOUS c",
        "a BEFORE e",
        "f INCLUDES c",
        "x BEFORE y",
    ]
    document = tlex.from_links([row.split() for row in rows])
    why = tlex.extract(document).why(*pair)
    verify_why(document, why)

    accepted = []
    for number, corrupted in enumerate(corruptions(why)):
        try:
            verify_why(document, corrupted)
        except VerificationError:
            continue
        accepted.append((number, corrupted))

    # A witness may be another timeline that is right as well: a point may stand elsewhere.
    for _, corrupted in accepted:
        assert corrupted.witnesses != why.witnesses
        assert replace(corrupted, witnesses=why.witnesses) == why


def test_a_walk_with_a_detour_is_rejected():
    rows = ["a BEFORE b", "b BEFORE c", "a BEFORE c"]
    document = tlex.from_links([row.split() for row in rows])
    result = tlex.extract(document)
    detour = tlex.extract(tlex.from_links([row.split() for row in rows[:2]])).why("a", "c")

    verify_why(document, result.why("a", "c"))
    with pytest.raises(VerificationError, match="fewer links"):
        verify_why(document, replace(detour, links=detour.links))


@pytest.mark.parametrize("pair", list(product(["a", "t1", "t2"], repeat=2)), ids="-".join)
def test_instants_have_relations_of_their_own(pair):
    document = tlex.from_links(
        [("t1", "BEGINS", "a"), ("t2", "ENDS", "a")], times={"t1": "TIME", "t2": "TIME"}
    )
    why = tlex.extract(document, times="point").why(*pair)

    verify_why(document, why, POINT)
    if pair[0] != pair[1]:
        with pytest.raises(VerificationError):
            verify_why(document, why)


def test_an_answer_about_another_document_is_rejected():
    why = tlex.extract(tlex.from_links([("a", "BEFORE", "b")])).why("a", "b")

    with pytest.raises(VerificationError, match="does not define"):
        verify_why(tlex.from_links([("a", "BEFORE", "c")]), why)
