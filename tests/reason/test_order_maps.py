"""Descents of partial orders: how many linear extensions have so many."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations

import brute
import pytest
from hypothesis import given
from strategies import upward_edges

from tlex.reason.descents import count_beside, count_orderings, line_up, stand_beside
from tlex.reason.down_sets import count_down_sets
from tlex.reason.order_maps import OrderMaps

NO_LIMIT = 10**12


def covers_of(size: int, edges: list[tuple[int, int]]) -> list[list[int]]:
    """Find what each element covers, by trying what lies between."""
    order = set(edges)
    for middle in range(size):
        lower = [one for one, other in order if other == middle]
        upper = [other for one, other in order if one == middle]
        order |= {(one, other) for one in lower for other in upper}
    between = {(one, other) for one, middle in order for also, other in order if also == middle}
    return [[one for one in range(size) if (one, top) in order - between] for top in range(size)]


def judge(size: int, edges: list[tuple[int, int]]) -> list[int]:
    """Count the descents of all linear extensions."""
    descents = Counter(
        sum(one > other for one, other in pairwise(listed))
        for listed in permutations(range(size))
        if all(listed.index(one) < listed.index(other) for one, other in edges)
    )
    return [descents[number] for number in range(max(descents) + 1)]


def count_orderings_of(size: int, edges: list[tuple[int, int]]) -> int:
    """Count the orderings with ties that meet the edges."""
    return sum(
        all(ordering[one] < ordering[other] for one, other in edges)
        for ordering in brute.order_freely(size)
    )


@given(edges=upward_edges(6, 9))
def test_both_ways_to_count_give_what_all_linear_extensions_say(edges):
    covers = covers_of(6, edges)

    judged = judge(6, edges)

    assert OrderMaps(covers).descents() == judged
    assert count_down_sets(covers, NO_LIMIT)[0] == judged


@given(edges=upward_edges(6, 9))
def test_descents_tell_the_number_of_orderings_with_ties(edges):
    covers = covers_of(6, edges)

    judged = count_orderings_of(6, edges)

    assert OrderMaps(covers).orderings() == judged
    assert count_orderings(count_down_sets(covers, NO_LIMIT)[0]) == judged


@given(edges=upward_edges(13, 18))
def test_both_ways_to_count_agree_about_larger_orders(edges):
    covers = covers_of(13, edges)

    assert OrderMaps(covers).descents() == count_down_sets(covers, NO_LIMIT)[0]


@given(upper=upward_edges(3, 3), lower=upward_edges(3, 3))
def test_pieces_in_series_and_in_parallel_are_joined_by_their_descents(upper, lower):
    beside = [*lower, *((one + 3, other + 3) for one, other in upper)]
    above = [*beside, *((one, other) for one in range(3) for other in range(3, 6))]
    pieces = [(3, tuple(judge(3, edges))) for edges in (lower, upper)]

    assert line_up([list(descents) for _, descents in pieces]) == judge(6, above)
    assert stand_beside(pieces) == judge(6, beside)
    assert count_beside(pieces) == count_orderings_of(6, beside)


@pytest.mark.parametrize(
    ("depth", "edges"),
    [
        (0, [(0, 2), (1, 2), (1, 3)]),
        (0, [(0, 1), (1, 3), (0, 2), (2, 3), (3, 5), (4, 5)]),
        (1, [(0, 2), (0, 3), (1, 2), (1, 3), (0, 4), (1, 5)]),
        (2, [(a, b) for a in range(3) for b in range(3, 6)]),
    ],
)
def test_only_a_knot_has_elements_that_are_placed_on_each_step(depth, edges):
    maps = OrderMaps(covers_of(6, edges))

    assert maps.depth == depth
    assert maps.descents() == judge(6, edges)


def test_a_tree_of_a_hundred_elements_is_little_work():
    covers = [[], *([number // 2] for number in range(100))]

    assert OrderMaps(covers).work < 10**6


def test_a_knot_that_is_too_deep_is_endless_work():
    covers = [[] for _ in range(30)] + [[n for n in range(30) if n != k] for k in range(30)]

    assert OrderMaps(covers).work > 10**15


def test_the_limit_ends_a_count_over_down_sets():
    loose: list[list[int]] = [[] for _ in range(40)]

    descents, work = count_down_sets(loose, 1_000)

    assert not descents
    assert work < 2_000
