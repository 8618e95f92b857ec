"""How many orderings there are, and which."""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product
from math import comb

import brute
import pytest
from hypothesis import given
from strategies import named, upward_edges

import tlex
from tlex.points.graphs import OWN, PointGraph
from tlex.reason.scenarios import count_scenarios, walk_scenarios
from tlex.reason.sections import order_sections
from tlex.records import Scenarios
from tlex.steps.consistency import check_consistency
from tlex.steps.generation import generate_timeline
from tlex.steps.indeterminacy import detect_indeterminacy
from tlex.timeline import Timeline

# The number of ways in which n intervals can stand to each other: 13 are Allen's.
INTERVALS = {1: 1, 2: 13, 3: 409, 4: 23_917, 5: 2_244_361, 6: 308_682_013}


def timeline_of(*rows: tuple[str, str, str]) -> Timeline:
    (timeline,) = tlex.extract(tlex.from_links(rows)).timelines
    return timeline


def loose(count: int, around: str = "a") -> list[tuple[str, str, str]]:
    return [(around, "INCLUDES", f"{around}{number}") for number in range(count)]


def zigzag(count: int) -> Timeline:
    """Make a section that neither series nor parallel takes apart: each overlaps the next."""
    return timeline_of(*[(f"e{k}", "OVERLAP", f"e{k + 1}") for k in range(count)])


@pytest.mark.parametrize(("count", "scenarios"), INTERVALS.items())
def test_loose_intervals_stand_to_each_other_in_every_way(count, scenarios):
    assert timeline_of(*loose(count)).count_scenarios(10**9) == Scenarios(scenarios, exact=True)


def test_a_settled_timeline_has_one_scenario():
    timeline = timeline_of(("a", "BEFORE", "b"), ("b", "IBEFORE", "c"))

    assert timeline.scenarios == Scenarios(1, exact=True)
    assert list(timeline.orderings()) == [(("a-",), ("a+",), ("b-",), ("b+", "c-"), ("c+",))]


def test_scenarios_multiply_over_sections():
    timeline = timeline_of(*loose(2), ("a", "BEFORE", "b"), *loose(3, around="b"))

    assert timeline.scenarios == Scenarios(13 * 409, exact=True)


def test_chains_in_parallel_interleave():
    # Chains of i and j points: in k blocks, choose the blocks that hold the one and the other.
    timeline = timeline_of(
        ("a", "INCLUDES", "b"), ("a", "INCLUDES", "c"), ("b", "BEFORE", "d"), ("a", "INCLUDES", "d")
    )

    delannoy = sum(comb(4, k) * comb(2, k) * 2**k for k in range(3))
    assert timeline.scenarios == Scenarios(delannoy, exact=True)


def test_open_pieces_in_series_beside_another_are_convolved():
    # Two intervals that overlap: their starts are loose, then their ends are. And one beside them.
    links = [(0, "INCLUDES", 1), (0, "INCLUDES", 2), (1, "OVERLAP", 2), (0, "INCLUDES", 3)]
    judged = brute.worlds(4).meeting(*links).bit_count()

    timeline = timeline_of(*named(links))

    assert timeline.scenarios == Scenarios(judged, exact=True)


def test_many_open_pieces_in_series_are_little_work():
    # Four times four intervals that nothing orders, and one more beside them all.
    groups = [[f"g{k}_{n}" for n in range(4)] for k in range(4)]
    inside = [("a", "INCLUDES", one) for group in (*groups, ["beside"]) for one in group]
    along = [
        (one, "BEFORE", other)
        for before, after in pairwise(groups)
        for one, other in product(before, after)
    ]

    assert timeline_of(*inside, *along).scenarios.exact


def test_a_section_that_is_very_large_is_counted_in_stretches(monkeypatch):
    monkeypatch.setattr("tlex.reason.sections.LARGE", 5)
    monkeypatch.setattr("tlex.reason.scenarios.LARGE", 5)

    # Of the first five points one precedes another, in 541 - 75 orderings one way or the other.
    assert timeline_of(*loose(4)).scenarios == Scenarios((541 - 75) // 2 * 13, exact=False)


@cache
def orderings_with(one: int, other: int) -> int:
    """Find which orderings of six points, of 4,683, put one before the other: one bit for each."""
    return sum(1 << k for k, w in enumerate(brute.order_freely(6)) if w[one] < w[other])


@given(edges=upward_edges(6, 10))
def test_any_order_of_six_points_is_counted_and_listed_exactly(edges):
    left, right = [one for one, _ in edges], [other for _, other in edges]
    graph = check_consistency(
        PointGraph(
            size=6,
            less_left=left,
            less_right=right,
            less_link=[OWN] * len(edges),
            equal_left=[],
            equal_right=[],
            equal_link=[],
            cuts=(0, 6),
        )
    )
    steps = generate_timeline(graph)
    runs = [(run.first, run.last) for run in detect_indeterminacy(graph, steps)[0].sections]
    mask = (1 << 4_683) - 1
    for edge in edges:
        mask &= orderings_with(*edge)

    listed = []
    for blocks in walk_scenarios(graph):
        at = {point: step for step, block in enumerate(blocks, 1) for point in block}
        listed.append(tuple(at[point] for point in range(6)))

    judged = [w for k, w in enumerate(brute.order_freely(6)) if mask >> k & 1]
    assert count_scenarios(order_sections(graph, steps, runs)) == (len(judged), True)
    assert sorted(listed) == sorted(judged)
    assert listed[0] == tuple(steps.earliest)


def test_a_section_that_cannot_be_taken_apart_is_counted_over_its_down_sets():
    timeline = zigzag(2)

    found = list(timeline.orderings())

    assert timeline.scenarios == Scenarios(len(found), exact=True)
    assert len(set(found)) == len(found) > 13


@pytest.mark.parametrize("limit", [0, 1, 10, 100])
def test_a_count_that_is_too_much_work_becomes_a_lower_bound(limit):
    timeline = zigzag(4)

    whole = timeline.count_scenarios(10**7)
    bound = timeline.count_scenarios(limit)

    assert whole.exact
    assert not bound.exact
    assert 1 <= bound.count < whole.count


def test_more_work_never_gives_less():
    timeline = zigzag(4)

    counts = [timeline.count_scenarios(limit).count for limit in (0, 10**3, 10**4, 10**7)]

    assert counts == sorted(counts)


def test_one_inexact_section_makes_the_count_inexact():
    rows = [(f"e{k}", "OVERLAP", f"e{k + 1}") for k in range(5)]
    last = [(f"e{k}", "BEFORE", "z") for k in range(6)]
    timeline = timeline_of(*rows, *last, *loose(2, around="z"))
    assert len(timeline.sections) == 2

    bound = timeline.count_scenarios(40)

    assert not bound.exact
    assert bound.count % 13 == 0


def test_a_large_section_is_counted_within_the_usual_limit():
    timeline = timeline_of(*loose(60))

    assert timeline.scenarios.count > 10**80


def test_a_number_too_long_to_be_written_becomes_a_bound():
    def in_a_row(count: int) -> Timeline:
        inside = [row for k in range(count) for row in loose(2, around=f"e{k}_")]
        along = [(f"e{k}_", "BEFORE", f"e{k + 1}_") for k in range(count - 1)]
        return timeline_of(*inside, *along)

    assert in_a_row(300).scenarios == Scenarios(13**300, exact=True)
    assert in_a_row(3_600).scenarios == Scenarios(10**4_000, exact=False)
    assert 13**3_600 > 10**4_000


def test_a_bound_within_the_usual_limit_is_worth_having():
    timeline = zigzag(30)

    assert timeline.scenarios == timeline.count_scenarios()
    assert not timeline.scenarios.exact
    assert timeline.scenarios.count > 10**12


def test_orderings_come_one_at_a_time_and_the_first_is_the_minimum_timeline():
    timeline = timeline_of(*loose(40))

    first = next(timeline.orderings())

    assert first == (
        ("a-",),
        tuple(f"a{k}-" for k in range(40)),
        tuple(f"a{k}+" for k in range(40)),
        ("a+",),
    )


def test_equal_points_stand_in_one_block_of_every_ordering():
    timeline = timeline_of(*loose(2), ("a0", "IBEFORE", "x"), ("a", "INCLUDES", "x"))

    for blocks in timeline.orderings():
        assert any({"a0+", "x-"} <= {*block} for block in blocks)


def test_a_lone_interval_has_one_ordering():
    (timeline, _) = tlex.extract(tlex.from_links([("a", "VAGUE", "b")])).timelines

    assert list(timeline.orderings()) == [(("a-",), ("a+",))]
    assert timeline.scenarios == Scenarios(1, exact=True)


def test_an_inconsistent_timeline_has_no_scenarios():
    (timeline,) = tlex.extract(tlex.from_links([("a", "BEFORE", "a")])).timelines

    assert timeline.scenarios is None
