"""Guidelines: advice, one rule at a time; what the table's examples do not show."""

from __future__ import annotations

from itertools import product

import brute
import pytest
from linted import codes, found, only, whole

import tlex
from tlex.lint.descriptions import Describer
from tlex.lint.guidelines import find_duplicates

BACKWARDS = {**brute.INVERSES, **{b: a for a, b in brute.INVERSES.items()}}


def links(*rows: tuple[str, str, str]) -> tlex.Document:
    return tlex.from_links(rows)


@pytest.mark.parametrize("label", [*brute.TLINKS, *brute.WIDER])
def test_a_tlink_read_backwards_is_the_same_and_nothing_else_is(label):
    others = [*brute.TLINKS, *brute.WIDER]

    same = [
        other
        for other in others
        if find_duplicates(Describer(links(("a", label, "b"), ("b", other, "a"))))
    ]

    if label == "BEFORE/OVERLAP":  # no label says it from the other end
        assert not same
        return
    assert len(same) == 1
    for a, b in product([(0, 2), (0, 4), (2, 4), (0, 6), (2, 3)], repeat=2):
        first, second = brute.Stretch(*a), brute.Stretch(*b)
        assert brute.holds(label, first, second) == brute.holds(same[0], second, first)


@pytest.mark.parametrize(
    "rows",
    [
        [("a", "SIMULTANEOUS", "b"), ("a", "IDENTITY", "b")],
        [("a", "INITIATES", "b"), ("a", "BEGINS", "b")],
        [("a", "BEFORE", "b"), ("b", "BEFORE", "a")],
        [("a", "MODAL", "b"), ("b", "MODAL", "a")],
    ],
)
def test_what_is_no_duplicate(rows):
    assert codes(links(*rows), "TLX301") == []


def test_a_third_copy_points_at_the_first():
    reported = found(links(*[("a", "MODAL", "b")] * 3), "TLX301")

    assert [finding.message.rpartition("as ")[2] for finding in reported] == [
        "SLINK l1",
        "SLINK l1",
    ]


def test_links_with_something_missing_are_no_duplicates():
    text = whole('<SLINK lid="l3" eventInstanceID="ei1"/>\n<SLINK lid="l4" eventInstanceID="ei1"/>')

    assert codes(text, "TLX3") == []


def test_two_alinks_on_one_pair_are_reported_and_two_slinks_are_not():
    rows = [("a", "INITIATES", "b"), ("b", "TERMINATES", "a")]

    finding = only(links(*rows), "TLX302")

    assert finding.message == "ALINK l2: b TERMINATES a stands on the same pair as ALINK l1"
    assert codes(links(("a", "MODAL", "b"), ("a", "FACTIVE", "b")), "TLX302") == []
    assert codes(links(("a", "BEFORE", "b"), ("a", "INITIATES", "b")), "TLX302") == []


@pytest.mark.parametrize("label", [*brute.TLINKS, *brute.WIDER, *brute.WITHOUT_ORDER])
@pytest.mark.parametrize("aspect", brute.ALINKS)
@pytest.mark.parametrize("backwards", [False, True])
def test_a_tlink_and_an_alink_disagree_if_no_ordering_meets_both(label, aspect, backwards):
    source, target = ("b", "a") if backwards else ("a", "b")
    ends = (1, 0) if backwards else (0, 1)
    rows = [(source, label, target), ("a", aspect, "b")]

    reported = codes(links(*rows), "TLX303", links=["TLINK"])

    possible = brute.worlds(2).meeting((ends[0], label, ends[1]), (0, aspect, 1))
    assert bool(reported) == (not possible)


def test_an_alink_is_compared_with_every_tlink_of_its_pair():
    rows = [
        ("a", "OVERLAP", "b"),
        ("a", "BEFORE", "b"),
        ("b", "AFTER", "a"),
        ("a", "INITIATES", "b"),
    ]

    reported = codes(links(*rows), "TLX303", links=["TLINK"])

    assert reported == ["TLX303"]


def test_a_link_with_an_unknown_type_or_end_is_not_judged_by_the_guidelines():
    text = whole(
        '<TLINK lid="l3" relType="NEVER" eventInstanceID="ei1" relatedToEventInstance="ei1"/>\n'
        '<ALINK lid="l4" relType="INITIATES" eventInstanceID="ei7" relatedToEventInstance="ei1"/>\n'
        '<SLINK lid="l5" eventInstanceID="ei8" subordinatedEventInstance="ei8"/>\n'
        '<TLINK lid="l6" relType="IDENTITY" eventInstanceID="ei7" relatedToTime="t0"/>\n'
    )

    assert codes(text, "TLX3") == []


def test_an_event_without_class_is_not_judged_by_it():
    text = whole(
        'x <EVENT eid="e3">began</EVENT>\n<MAKEINSTANCE eiid="ei3" eventID="e3"/>\n'
        '<ALINK lid="l3" relType="INITIATES" eventInstanceID="ei3" relatedToEventInstance="ei1"/>\n'
    )

    assert codes(text, "TLX306") == []


@pytest.mark.parametrize(
    ("relation", "reported"),
    [
        ("EVIDENTIAL", 0),
        ("NEG_EVIDENTIAL", 0),
        ("NEGATIVE_EVIDENTIAL", 0),
        ("MODAL", 1),
        ("CONDITIONAL", 1),
    ],
)
def test_what_is_perceived_is_evidence(relation, reported):
    text = whole(
        'x <EVENT eid="e3" class="PERCEPTION">saw</EVENT>\n<MAKEINSTANCE eiid="ei3" eventID="e3"/>'
        f'<SLINK lid="l3" relType="{relation}" eventInstanceID="ei3"'
        ' subordinatedEventInstance="ei1"/>'
    )

    assert len(codes(text, "TLX307")) == reported


@pytest.mark.parametrize("kind", ["ALINK", "SLINK"])
@pytest.mark.parametrize("ends", [("t0", "ei1"), ("ei1", "t0")])
def test_a_time_at_either_end_is_reported(kind, ends):
    target = "subordinatedEventInstance" if kind == "SLINK" else "relatedToEventInstance"
    relation = "MODAL" if kind == "SLINK" else "INITIATES"
    text = whole(
        f'<{kind} lid="l3" relType="{relation}" eventInstanceID="{ends[0]}" {target}="{ends[1]}"/>'
    )

    assert only(text, "TLX308").message.endswith(f"touches a time, and {kind}s relate events only")


@pytest.mark.parametrize(
    "label", [*brute.TLINKS, *brute.ALINKS, *brute.WIDER, *brute.WITHOUT_ORDER, *brute.SLINKS]
)
def test_a_self_loop_says_nothing_or_contradicts_itself(label):
    fired = codes(links(("a", label, "a")), "TLX2", "TLX3")

    assert fired in (["TLX201"], ["TLX309"])


def test_identity_of_two_events_or_two_times_is_fine():
    assert codes(links(("e1", "IDENTITY", "e2"), ("t1", "IDENTITY", "t2")), "TLX310") == []
    assert codes(links(("t1", "IDENTITY", "e2")), "TLX310") == ["TLX310"]


def test_an_end_of_any_link_is_linked_even_if_the_link_is_broken():
    text = whole(
        'x <EVENT eid="e3" class="STATE">y</EVENT>\n<MAKEINSTANCE eiid="ei3" eventID="e3"/>{}'
    )

    finding = only(text.replace("{}", ""), "TLX305")

    assert (finding.line, finding.column, finding.message) == (8, 3, '"y" (ei3) is in no link')
    assert codes(text.replace("{}", '<TLINK lid="l3" eventInstanceID="ei3"/>'), "TLX305") == []
