"""Where a graph contradicts itself, found without the constraints of the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ORDERING, document_of, tangled_graphs

import tlex
from tlex.components import Components
from tlex.conflicts.knots import find_tangle
from tlex.points.graphs import OWN


def components_of(document: tlex.Document) -> Components:
    return tlex.extract(document, times="point").whole


@given(graph=st.one_of(tangled_graphs(ORDERING)), other=tangled_graphs(ORDERING))
def test_a_tangle_that_is_cut_out_is_the_one_among_all_constraints(graph, other):
    both = [
        (f"{part}{end.source}", end.type, f"{part}{end.target}")
        for part, some in (("a", graph), ("b", other))
        for end in document_of(some).links
    ]
    for document in (document_of(graph), tlex.from_links(both)):
        whole = components_of(document)

        found = {number: find_tangle(part.points) for number, part in whole.list_inconsistent()}

        assert whole.tangles.keys() == found.keys()
        for number, tangle in whole.tangles.items():
            expected = found[number]
            assert [*tangle.rows.items()][1:] == [*expected.rows.items()][1:]
            assert tangle.inside == expected.inside
            assert group(tangle.block) == group(expected.block)
            assert group(tangle.compound) == group(expected.compound)
            assert {*tangle.rows[OWN]} <= {*expected.rows[OWN]}


def group(numbers: dict[int, int]) -> set[frozenset[int]]:
    """Group the keys by their values."""
    return {
        frozenset(key for key, own in numbers.items() if own == value) for value in numbers.values()
    }


@pytest.mark.parametrize("label", ["BEFORE", "IBEFORE"])
def test_what_stands_before_and_after_a_contradiction_is_not_in_it(label):
    rows = ["a BEFORE b", "b BEFORE c", f"c {label} b", "c BEFORE d", "d BEFORE e"]

    (tangle,) = components_of(tlex.from_links([row.split() for row in rows])).tangles.values()

    assert [link for link in tangle.rows if link != OWN] == [1, 2]
