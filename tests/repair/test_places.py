"""What is known of a place where a document contradicts itself."""

from __future__ import annotations

import tlex
from tlex.repair.places import Place


def place_of(*rows: tuple[str, str, str]) -> Place:
    document = tlex.from_links(rows)
    whole = tlex.extract(document).whole
    ((number, component),) = whole.list_inconsistent()
    return Place(document, component, whole.tangles[number])


RING = [("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("c", "BEFORE", "a")]


def test_any_link_repairs_a_knot_with_one_conflict():
    place = place_of(*RING, ("a", "BEFORE", "d"))

    assert [place.has_repair({}, 0, {link}) for link in range(4)] == [True, True, True, False]
    assert place.has_repair({1: "AFTER"}, 0, {0}) is None
    assert place.has_repair({}, 3, {0}) is None


def test_links_that_say_the_same_repair_a_knot_together():
    place = place_of(*RING, ("b", "AFTER", "a"))

    assert [place.has_repair({}, 0, gone) for gone in ({0}, {3}, {0, 3})] == [False, False, True]


def test_a_knot_with_two_conflicts_has_to_be_looked_at():
    place = place_of(*RING, ("a", "SIMULTANEOUS", "b"))

    assert place.has_repair({}, 0, {0}) is None
