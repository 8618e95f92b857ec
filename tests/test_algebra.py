"""The table is the paper's, and a label belongs to its kind."""

from __future__ import annotations

from itertools import chain, product

import brute
import pytest
from brute import ALINKS, INVERSES, PICTURES, SLINKS, SYNONYMS, TLINKS, WIDER, WITHOUT_ORDER
from hypothesis import given
from hypothesis import strategies as st

from tlex import algebra
from tlex.algebra import (
    CODES,
    LABELS,
    ROWS,
    SAME_AS,
    SUBORDINATING,
    TABLE_1,
    Relation,
    compile_row,
    encode_row,
    find_label,
    list_basic,
)

ROW_OF = {**LABELS["TLINK"], **LABELS["ALINK"]}
ENDS = {"A-": 0, "A+": 1, "B-": 2, "B+": 3}


def holds(row: tuple[str, ...], ranks: tuple[int, ...]) -> bool:
    """Whether four points, A- to B+, meet a row of the table."""
    true = []
    for constraint in row:
        left, order, right = constraint.split()
        a, b = ranks[ENDS[left]], ranks[ENDS[right]]
        true.append({"<": a < b, "=": a == b}[order])
    return all(true)


def world_of(one: str, other: str) -> tuple[int, ...]:
    return (*brute.measure(one), *brute.measure(other))


def test_every_relation_is_judged_below():
    assert {*Relation} == {*TLINKS, *ALINKS}
    others = {*WITHOUT_ORDER, "OVERLAP", "BEFORE/OVERLAP"}  # the last two by their definitions
    assert {*ROW_OF} - others == {*PICTURES, *INVERSES, *SYNONYMS} - others


@pytest.mark.parametrize("label", algebra.INVERSES)
def test_an_inverse_has_the_row_with_both_ends_exchanged(label):
    turned = [(left ^ 2, strict, right ^ 2) for left, strict, right in compile_row(ROW_OF[label])]
    inverse = compile_row(ROW_OF[algebra.INVERSES[label]])

    assert sorted(map(str, list_basic(tuple(turned)))) == sorted(map(str, list_basic(inverse)))


def test_every_relation_has_an_inverse_whose_inverse_says_the_same():
    for relation in Relation:
        assert ROW_OF[relation.inverse.inverse] == ROW_OF[relation]


def test_there_are_14_temporal_5_aspectual_and_6_subordinating_types():
    assert tuple(TABLE_1) == TLINKS
    assert tuple(SAME_AS) == ALINKS
    assert SUBORDINATING == SLINKS


@pytest.mark.parametrize("label", PICTURES)
def test_a_picture_satisfies_its_own_row_and_no_other(label):
    world = world_of(*PICTURES[label])

    assert [other for other in PICTURES if holds(ROW_OF[other], world)] == [label]


@pytest.mark.parametrize("label", PICTURES)
def test_an_inverse_is_the_relation_read_backwards(label):
    for world in brute.order_freely(4):
        backwards = (*world[2:], *world[:2])
        assert holds(ROW_OF[INVERSES[label]], world) == holds(ROW_OF[label], backwards)


@pytest.mark.parametrize(("label", "same"), SYNONYMS.items())
def test_a_synonym_says_the_same_as_its_relation(label, same):
    for world in brute.order_freely(4):
        assert holds(ROW_OF[label], world) == holds(ROW_OF[same], world)


@pytest.mark.parametrize("label", [*TLINKS, *ALINKS, *WIDER])
def test_a_row_says_what_the_label_means_even_of_points_in_any_order(label):
    for world in brute.order_freely(4):
        a, b = brute.stretch(world, 0), brute.stretch(world, 1)
        assert holds(ROW_OF[label], world) == brute.holds(label, a, b)


@pytest.mark.parametrize("label", [*TLINKS, *ALINKS])
def test_a_row_of_table_1_has_at_most_two_constraints(label):
    assert 1 <= len(ROW_OF[label]) <= 2


def test_before_or_overlap_is_what_before_and_overlap_have_in_common():
    for world in brute.order_intervals(2):
        a, b = brute.stretch(world, 0), brute.stretch(world, 1)
        either = any(brute.holds(label, a, b) for label in ("BEFORE", "IBEFORE", "OVERLAP"))
        assert holds(ROW_OF["BEFORE-OR-OVERLAP"], world) == either


@pytest.mark.parametrize(
    ("scheme", "written", "label"),
    [
        ("dense", "b", "BEFORE"),
        ("dense", "a", "AFTER"),
        ("dense", "i", "INCLUDES"),
        ("dense", "ii", "IS_INCLUDED"),
        ("dense", "s", "SIMULTANEOUS"),
        ("dense", "v", "VAGUE"),
        ("dense", "BEFORE", None),
        ("matres", "BEFORE", "STARTS_BEFORE"),
        ("matres", "AFTER", "STARTS_AFTER"),
        ("matres", "EQUAL", "STARTS_WITH"),
        ("matres", "VAGUE", "VAGUE"),
        ("matres", "INCLUDES", None),
        ("", "before_or_overlap", "BEFORE-OR-OVERLAP"),
        ("", "Begins-On", "BEGINS_ON"),
    ],
)
def test_a_scheme_has_its_own_words_for_labels(scheme, written, label):
    assert find_label("TLINK", written, scheme) == label


@pytest.mark.parametrize("label", WITHOUT_ORDER)
def test_a_label_without_order_constrains_nothing(label):
    assert LABELS["TLINK"][label] == ()


@pytest.mark.parametrize("label", SLINKS)
def test_a_subordinating_label_constrains_nothing(label):
    assert LABELS["SLINK"][label] == ()


def test_a_row_is_compiled_to_offsets():
    assert compile_row(("A- = B-", "B+ < A+")) == ((0, False, 2), (3, True, 1))
    assert compile_row(()) == ()


def test_each_label_has_a_code_and_the_code_its_row():
    codes = [code for table in CODES.values() for code in table.values()]

    assert codes == list(range(len(codes)))
    for kind, label in chain(*([(kind, label) for label in LABELS[kind]] for kind in LABELS)):
        assert ROWS[CODES[kind][label]] == compile_row(LABELS[kind][label])


@pytest.mark.parametrize(
    ("kind", "written", "label"),
    [
        ("TLINK", "BEFORE", "BEFORE"),
        ("TLINK", " is_included\t", "IS_INCLUDED"),
        ("TLINK", "Overlap", "OVERLAP"),
        ("TLINK", "INITIATES", None),
        ("TLINK", "MODAL", None),
        ("TLINK", "", None),
        ("ALINK", "initiates", "INITIATES"),
        ("ALINK", "BEGINS", None),
        ("SLINK", "neg_evidential ", "NEGATIVE_EVIDENTIAL"),
        ("SLINK", "NEGATIVE_EVIDENTIAL", "NEGATIVE_EVIDENTIAL"),
        ("SLINK", "BEFORE", None),
        ("CLINK", "BEFORE", None),
    ],
)
def test_a_label_belongs_to_its_kind_and_neither_case_nor_blanks_count(kind, written, label):
    assert find_label(kind, written) == label


@given(
    row=st.lists(
        st.builds(
            "{} {} {}".format,
            st.sampled_from(["A-", "A+", "B-", "B+"]),
            st.sampled_from("<="),
            st.sampled_from(["A-", "A+", "B-", "B+"]),
        ),
        max_size=6,
    ).map(tuple)
)
def test_the_code_of_a_row_of_ones_own_says_the_row(row):
    known = len(ROWS)

    code = encode_row(row)

    assert ROWS[code] == compile_row(row)
    assert code not in range(known)
    assert len(ROWS) == known


@pytest.mark.parametrize("code", range(len(ROWS)))
def test_the_relations_under_a_row_are_those_that_an_enumeration_finds(code):
    worlds = [at for at in product(range(4), repeat=4) if at[0] < at[1] and at[2] < at[3]]
    fitting = [
        at
        for at in worlds
        if all(at[a] < at[b] if strict else at[a] == at[b] for a, strict, b in ROWS[code])
    ]
    ends = [(0, 2), (0, 3), (1, 2), (1, 3)]
    seen = {
        "".join("<=>"[(at[a] > at[b]) - (at[a] < at[b]) + 1] for a, b in ends) for at in fitting
    }

    assert {basic.orders for basic in list_basic(ROWS[code])} == seen
