"""Laws, each named for a claim: on larger graphs than can be enumerated."""

from __future__ import annotations

from itertools import combinations, islice
from math import prod

import brute
from brute import INVERSES, Link, Stretch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import (
    EVERY,
    Graph,
    document_of,
    named,
    number_of,
    placed_graphs,
    tangled_graphs,
)

import tlex
from tlex.conflicts.cycles import find_closing, find_cycles
from tlex.graph import build_graph
from tlex.points.graphs import OWN
from tlex.points.union_find import merge_equal
from tlex.records import Scenarios
from tlex.steps.consistency import check_consistency
from tlex.steps.transform import transform
from tlex.timeline import Timeline

Steps = dict[str, int]
ENOUGH = 100_000_000
"""A work limit that no graph drawn here reaches."""


def extract(graph: Graph) -> tlex.Extraction:
    return tlex.extract(document_of(graph), times="point")


def extract_rows(rows: list[tuple[str, str, str]]) -> tlex.Extraction:
    return tlex.extract(tlex.from_links(rows))


def summarise(result: tlex.Extraction, rename: dict[str, str] | None = None) -> dict:
    """Give all that the timelines say, without the order in which nodes were met."""
    new = rename or {}

    def points(names):
        return frozenset(new.get(name[:-1], name[:-1]) + name[-1] for name in names)

    return {
        frozenset(new.get(name, name) for name in timeline.intervals): (
            timeline.consistent,
            timeline.length,
            frozenset((points([name]), steps) for name, steps in timeline.points.items()),
            frozenset(points(group) for group in timeline.compounds),
            timeline.tied_steps,
            tuple((s.first, s.last, points(s.points)) for s in timeline.sections),
            timeline.consistent and frozenset(points(pair) for pair in timeline.pairs()),
            timeline.indeterminate_pairs,
            timeline.score,
            timeline.scenarios,
        )
        for timeline in result.timelines
    }


def links_on(timeline: Timeline, graph: Graph) -> list[Link]:
    """Keep the links of one timeline, with the intervals numbered as they stand in it."""
    return brute.restrict(graph.links, [number_of(name) for name in timeline.intervals])


def is_met(steps: Steps, timeline: Timeline, graph: Graph) -> bool:
    """Whether points on these steps meet every constraint, the intervals' own included."""
    at = [Stretch(steps[f"{name}-"], steps[f"{name}+"]) for name in timeline.intervals]
    links = links_on(timeline, graph)
    return all(a.start < a.end for a in at) and all(
        brute.holds(label, at[source], at[target]) for source, label, target in links
    )


def shift(steps: Steps, point: str, timeline: Timeline, by: int) -> Steps:
    """Move a point, and what is equal to it."""
    group = next((group for group in timeline.compounds if point in group), (point,))
    return {name: step + by if name in group else step for name, step in steps.items()}


def is_settled(timeline: Timeline, one: str, other: str) -> bool:
    return not timeline.indeterminate(one, other)


@given(graph=placed_graphs())
def test_the_timeline_meets_every_constraint(graph):
    result = extract(graph)

    assert result.consistent
    for timeline in result.timelines:
        earliest = {name: first for name, (first, _) in timeline.points.items()}
        assert is_met(earliest, timeline, graph)


@given(graph=placed_graphs())
def test_the_latest_steps_are_a_timeline_of_the_same_length_too(graph):
    for timeline in extract(graph).timelines:
        latest = {name: last for name, (_, last) in timeline.points.items()}
        assert is_met(latest, timeline, graph)
        assert max(latest.values()) == timeline.length


@given(graph=placed_graphs())
def test_no_point_can_be_moved_earlier(graph):
    for timeline in extract(graph).timelines:
        earliest = {name: first for name, (first, _) in timeline.points.items()}
        for point, step in earliest.items():
            assert step == 1 or not is_met(shift(earliest, point, timeline, -1), timeline, graph)


@given(graph=placed_graphs())
def test_no_point_can_be_moved_later_at_the_same_length(graph):
    for timeline in extract(graph).timelines:
        latest = {name: last for name, (_, last) in timeline.points.items()}
        for point, step in latest.items():
            moved = shift(latest, point, timeline, 1)
            assert step == timeline.length or not is_met(moved, timeline, graph)


@given(graph=placed_graphs())
def test_steps_begin_at_1_and_leave_no_gap(graph):
    for timeline in extract(graph).timelines:
        steps = {first for first, _ in timeline.points.values()}
        assert steps == set(range(1, timeline.length + 1))
        assert all(
            timeline.slack(point) == last - first
            for point, (first, last) in timeline.points.items()
        )


@given(graph=placed_graphs())
def test_everything_follows_from_the_closure_of_the_constraints(graph):
    for timeline in extract(graph).timelines:
        answer = brute.close(len(timeline.intervals), links_on(timeline, graph))

        assert brute.claims_of(timeline) == answer
        assert timeline.score == answer.score


@given(graph=tangled_graphs())
def test_a_timeline_is_inconsistent_only_if_the_closure_is(graph):
    for timeline in extract(graph).timelines:
        members = [number_of(name) for name in timeline.intervals]
        instants = [place for place, number in enumerate(members) if number in graph.instants]
        answer = brute.close(len(members), links_on(timeline, graph), instants)

        assert timeline.consistent == (answer is not None)
        if answer is not None:
            assert brute.claims_of(timeline) == answer


ONE_WAY = {"BEFORE/OVERLAP"}
"""The labels that have no label for what they say from the other end."""


@given(graph=tangled_graphs(), data=st.data())
def test_writing_a_link_backwards_leaves_the_timeline_as_it_was(graph, data):
    turned = data.draw(st.sets(st.integers(0, len(graph.links) - 1), min_size=1))
    backwards = [
        (target, INVERSES.get(label, label), source)
        if place in turned and label not in ONE_WAY
        else (source, label, target)
        for place, (source, label, target) in enumerate(graph.links)
    ]

    assert summarise(extract(graph._replace(links=backwards))) == summarise(extract(graph))


@given(graph=tangled_graphs(), order=st.randoms(use_true_random=False))
def test_shuffling_links_leaves_the_timeline_as_it_was(graph, order):
    shuffled = list(graph.links)
    order.shuffle(shuffled)

    assert summarise(extract(graph._replace(links=shuffled))) == summarise(extract(graph))


@given(graph=tangled_graphs())
def test_saying_a_thing_twice_leaves_the_timeline_as_it_was(graph):
    twice = graph._replace(links=graph.links * 2)

    assert summarise(extract(twice)) == summarise(extract(graph))


@given(graph=tangled_graphs(), order=st.randoms(use_true_random=False))
def test_renaming_nodes_leaves_the_timeline_as_it_was(graph, order):
    names = [f"n{number}" for number in range(graph.size)]
    order.shuffle(names)
    rename = {f"e{number}": name for number, name in enumerate(names)}
    rows = named(graph.links)
    renamed = [(rename[source], label, rename[target]) for source, label, target in rows]

    assert summarise(extract_rows(renamed)) == summarise(extract_rows(rows), rename)


@given(graph=placed_graphs())
def test_adding_a_link_that_already_follows_leaves_the_timeline_as_it_was(graph):
    result = extract(graph)
    more = []
    for timeline in result.timelines:
        for one, other in combinations(timeline.intervals, 2):
            for first, second in ((one, other), (other, one)):
                end, start = f"{first}+", f"{second}-"
                if timeline.step(end) < timeline.step(start) and is_settled(timeline, end, start):
                    more.append((first, "BEFORE", second))
                if any({end, start} <= {*group} for group in timeline.compounds):
                    more.append((first, "IBEFORE", second))
                inner = timeline.step(f"{first}-") < timeline.step(f"{second}-")
                outer = timeline.step(f"{second}+") < timeline.step(f"{first}+")
                if (
                    inner
                    and outer
                    and is_settled(timeline, f"{first}-", f"{second}-")
                    and is_settled(timeline, f"{first}+", f"{second}+")
                ):
                    more.append((first, "INCLUDES", second))

    assert summarise(extract_rows([*named(graph.links), *more])) == summarise(result)


@given(graph=placed_graphs())
def test_settling_an_open_pair_shrinks_what_is_open(graph):
    for timeline in extract(graph).timelines:
        table = [
            (left[:-1], right[:-1])
            for left, right in timeline.pairs()
            if left[-1] == "+" and right[-1] == "-" and left[:-1] != right[:-1]
        ]
        for first, second in table[:2]:
            more = [*named(graph.links), (first, "BEFORE", second)]
            settled = tlex.extract(tlex.from_links(more)).timeline_of(first)
            assert settled.consistent
            assert settled.indeterminate_pairs < timeline.indeterminate_pairs


@given(graph=placed_graphs())
def test_sections_never_interleave(graph):
    for timeline in extract(graph).timelines:
        edges = [edge for section in timeline.sections for edge in (section.first, section.last)]
        assert edges == sorted(edges)
        assert all(one.last < other.first for one, other in combinations(timeline.sections, 2))


@given(graph=placed_graphs())
def test_everything_before_a_section_precedes_everything_in_it_and_after_it(graph):
    for timeline in extract(graph).timelines:
        for section in timeline.sections:
            for one, other in combinations(timeline.points, 2):
                low, high = sorted((one, other), key=timeline.step)
                leaves = timeline.step(low) < section.first <= timeline.step(high)
                enters = timeline.step(low) <= section.last < timeline.step(high)
                if leaves or enters:
                    assert is_settled(timeline, low, high)


@given(graph=placed_graphs())
def test_a_tied_step_lies_in_a_section(graph):
    for timeline in extract(graph).timelines:
        for step in timeline.tied_steps:
            assert any(section.first <= step <= section.last for section in timeline.sections)


@given(graph=placed_graphs())
def test_the_single_question_agrees_with_the_table_of_pairs(graph):
    for timeline in extract(graph).timelines:
        table = set(timeline.pairs())
        for one, other in combinations(timeline.points, 2):
            assert timeline.indeterminate(one, other) == ((one, other) in table)
            assert timeline.indeterminate(other, one) == timeline.indeterminate(one, other)
        assert not any(timeline.indeterminate(point, point) for point in timeline.points)


@given(graph=placed_graphs())
def test_counting_pairs_agrees_with_listing_them(graph):
    for timeline in extract(graph).timelines:
        listed = list(timeline.pairs())

        assert timeline.count_pairs() == timeline.indeterminate_pairs == len(listed)
        assert len(set(listed)) == len(listed)


@settings(max_examples=120)
@given(graph=tangled_graphs())
def test_every_conflict_is_a_certificate(graph):
    result = extract(graph)

    for conflict in result.conflicts:
        assert brute.find_flaws(conflict, *graph) == []
    broken = [timeline.id for timeline in result.timelines if not timeline.consistent]
    assert sorted({conflict.timeline for conflict in result.conflicts}) == broken


@settings(max_examples=120)
@given(graph=tangled_graphs())
def test_without_the_closing_constraints_the_rest_is_consistent(graph):
    points = transform(build_graph(document_of(graph), times="point"))
    compound = merge_equal(points)[0]
    closing = set(find_closing(points, compound)[0])
    less = list(zip(points.less_left, points.less_right, strict=True))
    kept = {(left, "<", right) for edge, (left, right) in enumerate(less) if edge not in closing}
    kept |= {(p, "=", q) for p, q in zip(points.equal_left, points.equal_right, strict=True)}

    assert bool(closing) == bool(check_consistency(points).broken)
    assert brute.close_constraints(points.size, kept) is not None


@settings(max_examples=120)
@given(graph=tangled_graphs())
def test_there_is_one_conflict_for_each_closing_constraint_and_no_other_closes_it(graph):
    points = transform(build_graph(document_of(graph), times="point"))
    compound = merge_equal(points)[0]
    closing, _ = find_closing(points, compound)
    rows = list(zip(points.less_left, points.less_right, points.less_link, strict=True))

    cycles = list(find_cycles(points, compound))

    closed = dict.fromkeys(rows[edge] for edge in closing)  # a self-loop may say a thing twice
    assert len(cycles) == len(closed)
    for row, cycle in zip(closed, cycles, strict=True):
        on_walk = {(left, right, link) for left, strict, right, link in cycle.walk if strict}
        assert closed.keys() & on_walk == {row}


@settings(max_examples=120)
@given(graph=tangled_graphs())
def test_a_walk_goes_back_by_the_fewest_links(graph):
    points = transform(build_graph(document_of(graph), times="point"))
    compound = merge_equal(points)[0]
    closing, _ = find_closing(points, compound)
    less = list(zip(points.less_left, points.less_right, points.less_link, strict=True))
    equal = list(zip(points.equal_left, points.equal_right, points.equal_link, strict=True))
    ways = [row for edge, row in enumerate(less) if edge not in closing]
    ways += [*equal, *((right, left, link) for left, right, link in equal)]
    closed = dict.fromkeys(less[edge] for edge in closing)

    for row, cycle in zip(closed, find_cycles(points, compound), strict=True):
        goal, start, own = row
        cost = {start: int(own != OWN)}
        for _ in range(points.size):
            for left, right, link in ways:
                if left in cost:
                    total = cost[left] + (link != OWN)
                    cost[right] = min(total, cost.get(right, total))
        assert sum(link != OWN for *_, link in cycle.walk) == cost[goal]


@given(graph=placed_graphs())
def test_a_point_never_leaves_its_section(graph):
    for timeline in extract(graph).timelines:
        for section in timeline.sections:
            for point in section.points:
                first, last = timeline.points[point]
                assert section.first <= first <= last <= section.last


@given(graph=placed_graphs(largest=7))
def test_there_are_as_many_scenarios_as_orderings(graph):
    for timeline in extract(graph).timelines:
        most = 3_000
        found = list(islice(timeline.orderings(), most))
        scenarios = timeline.count_scenarios(ENOUGH)
        if len(found) < most:
            assert scenarios == Scenarios(len(found), exact=True)
        else:
            assert scenarios.count >= most


@given(graph=placed_graphs(largest=7))
def test_every_ordering_meets_every_constraint(graph):
    for timeline in extract(graph).timelines:
        for blocks in islice(timeline.orderings(), 40):
            at = {name: step for step, block in enumerate(blocks, 1) for name in block}
            assert len(at) == 2 * len(timeline.intervals)
            assert is_met(at, timeline, graph)


@given(graph=placed_graphs(largest=6), limit=st.sampled_from([0, 1, 5, 20, 80, 300, 1_000]))
def test_with_little_work_the_count_is_a_lower_bound_and_says_so(graph, limit):
    for timeline in extract(graph).timelines:
        whole = timeline.count_scenarios(ENOUGH)
        bound = timeline.count_scenarios(limit)

        assert whole.exact
        assert 1 <= bound.count <= whole.count
        assert bound.exact == (bound.count == whole.count)
        if limit == 0:
            assert bound.exact == (not timeline.sections)


@given(graph=placed_graphs(largest=6, labels=EVERY))
def test_scenarios_are_the_product_over_the_sections(graph):
    for timeline in extract(graph).timelines:
        within = []
        for section in timeline.sections:
            seen = set()
            for blocks in islice(timeline.orderings(), 2_000):
                inside = [{*block} & {*section.points} for block in blocks]
                seen.add(tuple(frozenset(block) for block in inside if block))
            within.append(len(seen))
        scenarios = timeline.count_scenarios(ENOUGH)
        if scenarios.count <= 2_000:
            assert scenarios.count == prod(within)
