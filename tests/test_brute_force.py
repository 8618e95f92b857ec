"""Small graphs, all of them: every answer is compared with an enumeration of all orderings."""

from __future__ import annotations

import random
from itertools import combinations, product

import brute
import pytest
from brute import ALINKS, INVERSES, PICTURES, SYNONYMS, TLINKS, WIDER, Link, Worlds, worlds
from hypothesis import given, settings
from strategies import Graph, document_of, number_of, placed_graphs, small_graphs

import tlex
from tlex.algebra import CODES
from tlex.components import Components
from tlex.conflicts.cycles import find_cycles
from tlex.conflicts.irreducible import reduce_links
from tlex.extraction import run_steps
from tlex.points.graphs import OWN, PointGraph, TemporalGraph, group_by_link
from tlex.points.union_find import merge_equal
from tlex.records import Scenarios
from tlex.timeline import Timeline

NINETEEN = (*TLINKS, *ALINKS)
ELEVEN = tuple(label for label in TLINKS if label not in SYNONYMS)
OTHERS = tuple(label for label in WIDER if label not in SYNONYMS)
CODE = {**CODES["TLINK"], **CODES["ALINK"]}
NAMES = ("e0", "e1", "e2", "e3")


def both_ways(one: int, other: int, labels: tuple[str, ...] = NINETEEN) -> list[Link]:
    """Every link between two intervals, in both directions."""
    return [(a, label, b) for a, b in ((one, other), (other, one)) for label in labels]


def run(size: int, links: tuple[Link, ...]) -> Components:
    """Run the five steps on a graph, without a document."""
    graph = TemporalGraph(
        size=size,
        labels=[CODE[label] for _, label, _ in links],
        sources=[source for source, _, _ in links],
        targets=[target for _, _, target in links],
        numbers=list(range(len(links))),
    )
    return run_steps(graph)


def assert_part(whole: Components, links: tuple[Link, ...], world: Worlds) -> None:
    """Compare a part that is the whole graph with what all orderings say together."""
    (part,) = whole
    mask = world.meeting(*links)
    assert part.consistent == (mask != 0), links
    if mask:
        timeline = Timeline(0, whole, NAMES[: world.size], main=True, detached=False, offset=0)
        assert_timeline(timeline, world.answer(mask), mask.bit_count(), links)
    else:
        assert_cycles(part.points, links, world)


def assert_timeline(
    timeline: Timeline, answer: brute.Answer, scenarios: int | None, links: object
) -> None:
    names = [name + end for name in timeline.intervals for end in "-+"]
    open_pairs = [
        pair
        for pair in combinations(range(len(names)), 2)
        if timeline.indeterminate(names[pair[0]], names[pair[1]])
    ]
    assert brute.claims_of(timeline) == answer, links
    assert tuple(open_pairs) == answer.pairs, links
    assert timeline.count_pairs() == timeline.indeterminate_pairs == len(answer.pairs), links
    assert timeline.score == answer.score, links
    if scenarios is not None:
        assert timeline.scenarios == Scenarios(scenarios, exact=True), links


def assert_cycles(points: PointGraph, links: tuple[Link, ...], world: Worlds) -> None:
    """Walk every walk, step by step, and take every minimal set apart."""
    said = [brute.constraints_of(link) for link in links]
    compound = merge_equal(points)[0]
    rows = group_by_link(points)
    cycles = list(find_cycles(points, compound))
    assert cycles, links
    for cycle in cycles:
        walk = cycle.walk
        assert all(a[2] == b[0] for a, b in zip(walk, [*walk[1:], walk[0]], strict=True)), links
        assert any(strict for _, strict, _, _ in walk), links
        for left, strict, right, link in walk:
            if link == OWN:
                assert strict, links
                assert (left % 2, right) == (0, left + 1), links
            else:
                assert (left, "<" if strict else "=", right) in said[link], links
        assert cycle.compounds == len({compound[step[0]] for step in walk}), links
        involved = {link for _, _, _, link in walk if link != OWN}
        assert walk[0][3] == min(involved), links
        assert_minimal([links[k] for k in reduce_links(rows, involved)], world)


def assert_minimal(minimal: list[Link], world: Worlds) -> None:
    assert not world.meeting(*minimal), minimal
    for place in range(len(minimal)):
        assert world.meeting(*minimal[:place], *minimal[place + 1 :]), minimal


def assert_extraction(graph: Graph) -> None:
    """Compare all that the public interface says of a graph of at most four intervals."""
    result = tlex.extract(document_of(graph), times="point")

    members = [tuple(map(number_of, timeline.intervals)) for timeline in result.timelines]
    shown = {number for part in members for number in part}
    parts = brute.split(graph.size, graph.links)
    assert sorted(tuple(sorted(part)) for part in members) == [
        part for part in parts if shown.issuperset(part)
    ]
    for timeline, part in zip(result.timelines, members, strict=True):
        links = brute.restrict(graph.links, part)
        instants = frozenset(k for k, number in enumerate(part) if number in graph.instants)
        world = worlds(len(part), instants)
        mask = world.meeting(*links)
        assert timeline.consistent == (mask != 0)
        if mask:
            assert_timeline(timeline, world.answer(mask), mask.bit_count(), links)
            assert_orderings(timeline, world.list(mask))
    assert result.consistent == all(timeline.consistent for timeline in result.timelines)
    broken = {timeline.id for timeline in result.timelines if not timeline.consistent}
    assert {conflict.timeline for conflict in result.conflicts} == broken
    for conflict in result.conflicts:
        assert not brute.find_flaws(conflict, *graph)


def assert_orderings(timeline: Timeline, orderings: list[brute.Ordering]) -> None:
    names = [name + end for name in timeline.intervals for end in "-+"]
    found = list(timeline.orderings())
    ranks = []
    for blocks in found:
        at = {name: step for step, block in enumerate(blocks, 1) for name in block}
        ranks.append(tuple(at[name] for name in names))
    assert sum(len(block) for block in found[0]) == len(names)
    assert ranks[0] == tuple(timeline.step(name) for name in names)
    assert len(set(ranks)) == len(ranks)
    assert set(ranks) == set(orderings)


def test_the_judge_knows_all_orderings():
    assert [len(brute.order_freely(points)) for points in range(5)] == [1, 1, 3, 13, 75]
    assert [len(worlds(size).orderings) for size in range(1, 5)] == [1, 13, 409, 23_917]
    assert [len(set(worlds(size).orderings)) for size in range(1, 5)] == [1, 13, 409, 23_917]
    assert worlds(2, frozenset({1})).orderings.count((1, 2, 1, 1)) == 1
    assert len(worlds(2, frozenset({1})).orderings) == 5


@pytest.mark.parametrize("label", PICTURES)
def test_the_judge_defines_labels_as_they_are_drawn(label):
    drawn = brute.rank([*brute.measure(PICTURES[label][0]), *brute.measure(PICTURES[label][1])])

    meeting = worlds(2).list(worlds(2).meeting((0, label, 1)))

    assert meeting == [drawn]


def test_the_judge_defines_the_wider_overlap_as_sharing_time():
    meeting = worlds(2).list(worlds(2).meeting((0, "OVERLAP", 1)))

    assert len(meeting) == 9
    assert all(range(max(w[0], w[2]), min(w[1], w[3])) for w in meeting)


@pytest.mark.parametrize(("label", "inverse"), INVERSES.items())
def test_the_judge_reads_an_inverse_backwards(label, inverse):
    assert worlds(2).meeting((0, label, 1)) == worlds(2).meeting((1, inverse, 0))


@given(graph=placed_graphs(largest=4))
def test_both_judges_agree(graph):
    world = worlds(graph.size)

    assert brute.close(graph.size, graph.links) == world.answer(world.meeting(*graph.links))


@given(graph=small_graphs())
def test_both_judges_agree_on_what_contradicts_itself(graph):
    mask = worlds(graph.size, graph.instants).meeting(*graph.links)

    assert (brute.close(*graph) is None) == (mask == 0)


@pytest.mark.parametrize("label", [*NINETEEN, *WIDER])
@pytest.mark.parametrize(("source", "target"), [(0, 1), (1, 0)])
def test_one_link_between_two_intervals_is_exact(label, source, target):
    links = ((source, label, target),)

    assert_part(run(2, links), links, worlds(2))
    assert_extraction(Graph(2, list(links)))


def test_two_links_between_two_intervals_are_exact():
    for links in product(both_ways(0, 1), repeat=2):
        assert_part(run(2, links), links, worlds(2))


def test_two_links_between_two_intervals_are_exact_under_their_names():
    for links in product(both_ways(0, 1, (*ELEVEN, *OTHERS)), repeat=2):
        assert_extraction(Graph(2, list(links)))


def test_an_interval_linked_to_itself_is_exact():
    for links in product([(0, label, 0) for label in (*NINETEEN, *WIDER)], repeat=2):
        assert_part(run(1, links), links, worlds(1))
        assert_extraction(Graph(1, list(links)))
        assert_extraction(Graph(1, list(links), frozenset({0})))


def test_every_triangle_is_exact():
    """Each way to write a link on each side, with every meaning of the two other sides."""
    pairs = ((0, 1), (1, 2), (0, 2))
    meanings = [[(a, label, b) for label in ELEVEN] for a, b in pairs]
    count = 0

    for place, pair in enumerate(pairs):
        sides = [both_ways(*pair) if other == place else meanings[other] for other in range(3)]
        for links in product(*sides):
            assert_part(run(3, links), links, worlds(3))
            count += 1

    assert count == 3 * 38 * 11 * 11


def test_every_triangle_with_wider_labels_is_exact():
    labels = (*ELEVEN, *OTHERS)
    sides = [[(a, label, b) for label in labels] for a, b in ((0, 1), (1, 2), (0, 2))]

    for links in product(*sides):
        assert_part(run(3, links), links, worlds(3))


def test_triangles_under_their_names_are_exact():
    triangles = list(product(both_ways(0, 1), both_ways(1, 2), both_ways(0, 2)))

    for links in random.Random(1).sample(triangles, 600):  # noqa: S311 -- not for secrets
        assert_extraction(Graph(3, list(links)))


def test_every_pair_of_links_over_three_intervals_is_exact():
    for one, middle, other in ((0, 1, 2), (1, 0, 2), (0, 2, 1)):
        for links in product(both_ways(one, middle), both_ways(middle, other)):
            assert_part(run(3, links), links, worlds(3))


@pytest.mark.parametrize(
    "edges", [((0, 1), (1, 2), (2, 3)), ((0, 1), (0, 2), (0, 3))], ids=["path", "star"]
)
def test_every_tree_of_four_intervals_is_exact(edges):
    sides = [[(a, label, b) for label in (*ELEVEN, "OVERLAP")] for a, b in edges]

    for links in product(*sides):
        assert_part(run(4, links), links, worlds(4))


def test_every_square_of_four_intervals_is_exact():
    edges = ((0, 1), (1, 2), (2, 3), (0, 3))
    sides = [[(a, label, b) for label in ELEVEN] for a, b in edges]

    for links in product(*sides):
        assert_part(run(4, links), links, worlds(4))


@settings(max_examples=250)
@given(graph=small_graphs())
def test_any_small_graph_is_exact(graph):
    assert_extraction(graph)


@settings(max_examples=250)
@given(graph=placed_graphs(largest=4))
def test_any_small_consistent_graph_is_exact(graph):
    assert_extraction(graph)
