"""How two intervals are related: compared with every ordering there is."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import brute
import pytest
from brute import worlds
from hypothesis import given
from strategies import Graph, document_of, forests, number_of, placed_graphs, small_graphs

import tlex
from tlex.algebra import BASIC, LABELS, TABLE_1, WIDER, compile_row
from tlex.reason.relations import close_orders, list_possible, read_orders, thin
from tlex.records import PairRelation

ROOT = Path(__file__).parents[2]
INSTANTS = list(product((False, True), repeat=2))


def ask(*rows: tuple[str, str, str], source: str = "a", target: str = "b", **options: object):
    return tlex.extract(tlex.from_links(rows), **options).relation(source, target)


def expected(graph: Graph, part: tuple[int, ...]) -> tuple[brute.Worlds, int]:
    instants = frozenset(k for k, number in enumerate(part) if number in graph.instants)
    world = worlds(len(part), instants)
    return world, world.meeting(*brute.restrict(graph.links, part))


@pytest.mark.parametrize("instants", INSTANTS)
def test_the_relations_are_the_ways_in_which_two_can_stand(instants):
    world = worlds(2, frozenset(k for k in (0, 1) if instants[k]))
    every = {
        "".join(world.orders(1 << place, left, right) for left, right in brute_pairs())
        for place in range(len(world.orderings))
    }

    assert {basic.orders for basic in BASIC[instants]} == every
    assert len(BASIC[instants]) == len(every) == len({basic.name for basic in BASIC[instants]})


def brute_pairs() -> list[tuple[int, int]]:
    return [(0, 2), (0, 3), (1, 2), (1, 3)]


@pytest.mark.parametrize("instants", INSTANTS)
def test_each_goes_by_its_name_and_its_type_says_just_that(instants):
    world = worlds(2, frozenset(k for k in (0, 1) if instants[k]))

    for basic in BASIC[instants]:
        label = basic.type or basic.name.upper().replace("-", "_")
        mask = world.meeting((0, label, 1))
        assert world.relations(mask, 0, 1) == [basic.name]
        found = "".join(world.orders(mask, left, right) for left, right in brute_pairs())
        assert found == basic.orders
        assert (basic.type is None) == (basic.name in {"overlaps", "overlapped-by"})


@pytest.mark.parametrize("basic", BASIC[False, False])
def test_what_makes_up_a_relation_is_its_row_of_table_1(basic):
    row = TABLE_1[basic.type] if basic.type else WIDER[basic.name.upper().replace("-", "_")]
    wanted = {
        (a, "<", b) if strict else (min(a, b), "=", max(a, b)) for a, strict, b in compile_row(row)
    }

    assert set(thin(basic.orders, (False, False))) == wanted


@pytest.mark.parametrize("instants", INSTANTS)
def test_what_is_thinned_out_follows_and_nothing_more_can_be_spared(instants):
    for signs in product("<=>?", repeat=4):
        orders = "".join(signs)
        if not list_possible(orders, instants) or orders != settle(orders, instants):
            continue

        kept = thin(orders, instants)

        assert read_orders(close_orders(kept, instants)) == orders
        for place in range(len(kept)):
            fewer = kept[:place] + kept[place + 1 :]
            assert read_orders(close_orders(fewer, instants)) != orders


def settle(orders: str, instants: tuple[bool, bool]) -> str:
    """What the orders that are possible together have in common: an answer that can occur."""
    columns = zip(*(basic.orders for basic in list_possible(orders, instants)), strict=True)
    return "".join(column[0] if len(set(column)) == 1 else "?" for column in columns)


@pytest.mark.parametrize("label", [*LABELS["TLINK"], *LABELS["ALINK"]])
def test_a_link_entails_what_it_says(label):
    if label in brute.WITHOUT_ORDER:
        assert ask(("a", label, "b")).verdict == "unrelated"
        return
    world = worlds(2)

    relation = ask(("a", label, "b"))

    assert list(relation.names) == world.relations(world.meeting((0, label, 1)), 0, 1)
    assert relation.verdict == ("possible" if len(relation.names) > 1 else "entailed")


@given(graph=small_graphs())
def test_every_answer_is_what_all_orderings_say_together(graph):
    result = tlex.extract(document_of(graph), times="point")

    for timeline in result.timelines:
        part = tuple(map(number_of, timeline.intervals))
        world, mask = expected(graph, part)
        for one, other in product(range(len(part)), repeat=2):
            relation = result.relation(timeline.intervals[one], timeline.intervals[other])
            check(relation, world, mask, one, other)


def check(relation: PairRelation, world: brute.Worlds, mask: int, one: int, other: int) -> None:
    assert relation.timelines[0] == relation.timelines[1]
    assert relation.path == ()
    if not mask:
        assert (relation.verdict, relation.consistent) == ("inconsistent", False)
        assert relation.relations == relation.orders == ()
        assert relation.entailed is None
        return
    names = world.relations(mask, one, other)
    assert relation.consistent
    assert list(relation.names) == names
    assert relation.verdict == ("entailed" if len(names) == 1 else "possible")
    assert relation.entailed == (relation.relations[0] if len(names) == 1 else None)
    ends = (2 * one, 2 * one + 1, 2 * other, 2 * other + 1)
    for pair, (left, right) in zip(relation.orders, brute_pairs(), strict=True):
        assert "".join(pair.orders) == world.orders(mask, ends[left], ends[right])


@given(graph=placed_graphs(largest=7))
def test_reading_backwards_gives_the_inverses(graph):
    result = tlex.extract(document_of(graph))
    inverse = {name: name for name in ("equal",)}
    for name, other in (
        ("before", "after"),
        ("meets", "met-by"),
        ("overlaps", "overlapped-by"),
        ("starts", "started-by"),
        ("during", "includes"),
        ("finishes", "finished-by"),
    ):
        inverse |= {name: other, other: name}

    for timeline in result.timelines:
        for one, other in product(timeline.intervals, repeat=2):
            there, back = result.relation(one, other), result.relation(other, one)
            assert {inverse[name] for name in there.names} == set(back.names)


@given(graph=placed_graphs(largest=9))
def test_a_question_about_points_and_one_about_intervals_agree(graph):
    result = tlex.extract(document_of(graph))

    for timeline in result.timelines:
        for one, other in product(timeline.intervals, repeat=2):
            for pair in result.relation(one, other).orders:
                is_open = timeline.indeterminate(pair.left, pair.right)
                assert is_open == (len(pair.orders) == 3)
                assert is_open or len(pair.orders) == 1


def test_an_interval_equals_itself():
    relation = ask(("a", "BEFORE", "b"), source="a", target="a")

    assert (relation.verdict, relation.names, relation.types) == (
        "entailed",
        ("equal",),
        ("SIMULTANEOUS",),
    )


def test_an_order_that_timeml_has_no_type_for_has_its_name_only():
    relation = ask(("a", "OVERLAPS", "b"))

    assert (relation.entailed.name, relation.entailed.type) == ("overlaps", None)
    assert relation.types == ()


@pytest.mark.parametrize(
    ("label", "name", "type_"),
    [
        ("IBEFORE", "starts", "BEGINS"),
        ("BEGINS", "starts", "BEGINS"),
        ("IAFTER", "finishes", "ENDS"),
        ("IS_INCLUDED", "during", "IS_INCLUDED"),
        ("BEFORE", "before", "BEFORE"),
    ],
)
def test_an_instant_has_the_relations_of_a_point(label, name, type_):
    document = tlex.from_links([("a", label, "b")], times={"a": "TIME"})

    relation = tlex.extract(document, times="point").relation("a", "b")

    assert (relation.entailed.name, relation.entailed.type) == (name, type_)
    assert relation.instants == ("a",)
    assert tlex.extract(document).relation("a", "b").instants == ()


def test_two_instants_are_before_after_or_equal():
    document = tlex.from_links(
        [("t1", "BEFORE", "e"), ("t2", "BEFORE", "e")], times={"t1": "TIME", "t2": "TIME"}
    )

    relation = tlex.extract(document, times="point").relation("t1", "t2")

    assert relation.names == ("before", "equal", "after")
    assert relation.instants == ("t1", "t2")
    assert tlex.extract(document, times="point").relation("t1", "t1").instants == ("t1",)


class TestAcrossTimelines:
    """Nothing is entailed; the SLINKs between them are shown."""

    def test_the_story_shows_its_path(self):
        result = tlex.extract(tlex.read(ROOT / "examples" / "story.tml"))

        relation = result.relation("ei1", "ei16")

        assert (relation.verdict, relation.timelines) == ("unrelated", (0, 2))
        assert [(c.link, c.source_timeline, c.target_timeline) for c in relation.path] == [
            ("l28", 0, 1),
            ("l31", 1, 2),
        ]
        assert relation.relations == relation.orders == ()

    def test_links_are_followed_against_their_direction_too(self):
        rows = [("a", "MODAL", "b"), ("c", "MODAL", "b"), ("c", "EVIDENTIAL", "d")]

        relation = ask(*rows, source="a", target="d")

        assert [c.link for c in relation.path] == ["l1", "l2", "l3"]

    def test_without_a_chain_there_is_no_path(self):
        relation = ask(("a", "MODAL", "b"), ("c", "MODAL", "d"), source="a", target="d")

        assert (relation.verdict, relation.path) == ("unrelated", ())

    def test_an_inconsistent_timeline_is_mentioned(self):
        relation = ask(("a", "BEFORE", "a"), ("a", "MODAL", "b"))

        assert (relation.verdict, relation.consistent) == ("unrelated", False)

    @given(forest=forests())
    def test_a_path_is_a_chain_and_none_is_shorter(self, forest):
        result = tlex.extract(document_of(forest.graph, forest.slinks))
        count = len(result.timelines)
        far = [[0 if a == b else count + 1 for b in range(count)] for a in range(count)]
        for c in result.connections:
            far[c.source_timeline][c.target_timeline] = 1
            far[c.target_timeline][c.source_timeline] = 1
        for middle, a, b in product(range(count), repeat=3):
            far[a][b] = min(far[a][b], far[a][middle] + far[middle][b])

        for one, other in product(result.timelines, repeat=2):
            if one.id == other.id:
                continue
            relation = result.relation(one.intervals[0], other.intervals[0])
            assert relation.verdict == "unrelated"
            at = one.id
            for c in relation.path:
                ends = [c.source_timeline, c.target_timeline]
                ends.remove(at)
                (at,) = ends
                assert c in result.connections
            assert at == (other.id if far[one.id][other.id] <= count else one.id)
            assert len(relation.path) == far[one.id][other.id] % (count + 1)
