"""Other types for a link: exactly those that leave no contradiction, the nearest first."""

from __future__ import annotations

from itertools import product

import brute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import ORDERING, Graph, document_of, number_of, tangled_graphs

import tlex
from tlex.errors import OptionError
from tlex.repair.relabelling import measure_distance, relabel, suggest_all
from tlex.repair.search import find_repair

LABELS = {"TLINK": brute.TLINKS, "ALINK": brute.ALINKS}


def picture(a: tuple[int, int], b: tuple[int, int]) -> str:
    """The Allen relation of two stretches."""
    return next(
        name
        for name, label in brute.ALLEN.items()
        if brute.holds(label, brute.Stretch(*a), brute.Stretch(*b))
    )


def find_neighbours() -> dict[str, set[str]]:
    """Which relations become which when one end point moves by the least that can be seen.

    Odd places stand between the even ones, so a step goes from beside a point onto it, or away.
    """
    stretches = [(start, end) for start, end in product(range(9), repeat=2) if start < end]
    neighbours: dict[str, set[str]] = {name: set() for name in brute.ALLEN}
    fixed = (2, 6)
    for start, end in stretches:
        for moved in ((start - 1, end), (start + 1, end), (start, end - 1), (start, end + 1)):
            if moved[0] < moved[1]:
                neighbours[picture((start, end), fixed)].add(picture(moved, fixed))
    return neighbours


def walk(start: str) -> dict[str, int]:
    """How many moves lead from a relation to each other one."""
    neighbours = find_neighbours()
    far = {start: 0}
    queue = [start]
    for name in queue:
        for other in sorted(neighbours[name]):
            if other not in far:
                far[other] = far[name] + 1
                queue.append(other)
    return far


FAR = {name: walk(name) for name in brute.ALLEN}
NAME_OF = {label: name for name, label in brute.ALLEN.items()}
NAME_OF |= {label: NAME_OF[same] for label, same in brute.SYNONYMS.items() if same in NAME_OF}


def judge_distance(one: str, other: str) -> int:
    return FAR[NAME_OF[one]][NAME_OF[other]]


def says_the_same(one: str, other: str) -> bool:
    return brute.SYNONYMS.get(one, one) == brute.SYNONYMS.get(other, other)


def list_fitting(graph: Graph, others: list[brute.Link], link: brute.Link, kind: str) -> set[str]:
    """The types that leave no contradiction with other links, by trying each."""
    source, own, target = link
    return {
        label
        for label in LABELS[kind]
        if not says_the_same(label, own)
        and brute.close(graph.size, [*others, (source, label, target)], graph.instants)
    }


def triple(link: tlex.Link) -> brute.Link:
    return number_of(link.source), link.type, number_of(link.target)


def test_the_neighbourhood_is_the_one_that_is_drawn_in_the_books():
    neighbours = find_neighbours()

    assert neighbours["before"] - {"before"} == {"meets"}
    assert neighbours["meets"] - {"meets"} == {"before", "overlaps"}
    assert neighbours["overlaps"] - {"overlaps"} == {"meets", "starts", "finished-by"}
    assert neighbours["equal"] >= {"starts", "finishes", "started-by", "finished-by"}


@pytest.mark.parametrize("one", brute.TLINKS)
def test_the_distance_is_the_number_of_moves(one):
    for other in brute.TLINKS:
        assert measure_distance(one, other) == judge_distance(one, other), other


def test_aspectual_types_are_as_far_from_each_other_as_what_they_say():
    for one, other in product(brute.ALINKS, repeat=2):
        assert measure_distance(one, other, "ALINK") == judge_distance(one, other)


def test_a_wide_type_is_as_near_as_the_nearest_that_it_allows():
    assert measure_distance("OVERLAP", "IBEFORE") == 1
    assert measure_distance("OVERLAP", "INCLUDES") == 0
    assert measure_distance("VAGUE", "AFTER") == 0


@settings(max_examples=100)
@given(graph=tangled_graphs(ORDERING), data=st.data())
def test_suggestions_are_the_types_that_fit_nearest_first(graph, data):
    document = document_of(graph)
    result = tlex.extract(document, times="point")
    removed = set(find_repair(result).removed)
    names = [link.id for link in document.links]
    removed |= data.draw(st.sets(st.sampled_from(names), min_size=1, max_size=3))
    stays = [triple(link) for link in document.links if link.id not in removed]

    suggestions = suggest_all(result, removed)

    assert set(suggestions) == removed
    for link in document.links:
        if link.id in removed:
            types = suggestions[link.id]
            assert set(types) == list_fitting(graph, stays, triple(link), link.kind)
            distances = [judge_distance(link.type, label) for label in types]
            assert distances == sorted(distances)


@settings(max_examples=100)
@given(graph=tangled_graphs(ORDERING), data=st.data())
def test_relabelling_takes_the_nearest_type_one_link_after_the_other(graph, data):
    document = document_of(graph)
    result = tlex.extract(document, times="point")
    names = [link.id for link in document.links]
    removed = {*find_repair(result).removed, *data.draw(st.sets(st.sampled_from(names)))}
    world = [triple(link) for link in document.links if link.id not in removed]

    chosen = relabel(result, removed)

    for link in document.links:
        if link.id not in removed:
            continue
        fitting = list_fitting(graph, world, triple(link), link.kind)
        assert (link.id in chosen) == bool(fitting)
        if fitting:
            assert chosen[link.id] in fitting
            nearest = min(judge_distance(link.type, label) for label in fitting)
            assert judge_distance(link.type, chosen[link.id]) == nearest
            source, _, target = triple(link)
            world.append((source, chosen[link.id], target))
    assert brute.close(graph.size, world, graph.instants)


def test_of_types_that_are_equally_near_the_first_of_the_table_comes_first():
    rows = [("a", "BEFORE", "b"), ("b", "BEFORE", "a")]
    result = tlex.extract(tlex.from_links([*rows, ("a", "SIMULTANEOUS", "c")]))

    assert suggest_all(result, ("l1", "l3"))["l3"][:4] == (
        "BEGINS",
        "BEGUN_BY",
        "ENDS",
        "ENDED_BY",
    )


def test_a_self_loop_can_only_be_simultaneous():
    result = tlex.extract(tlex.from_links([("a", "BEFORE", "a")]))

    assert set(suggest_all(result, ("l1",))["l1"]) == {
        "SIMULTANEOUS", "IDENTITY", "DURING", "DURING_INV",
    }  # fmt: skip


def test_where_what_stays_contradicts_itself_nothing_fits():
    rows = [("a", "BEFORE", "a"), ("a", "BEFORE", "b"), ("b", "BEFORE", "a")]
    result = tlex.extract(tlex.from_links(rows))

    assert suggest_all(result, ("l1",))["l1"] == ()
    assert relabel(result, ("l1",)) == {}


def test_types_of_the_wrong_kind_are_never_suggested():
    rows = [("a", "INITIATES", "b"), ("b", "BEFORE", "a")]
    result = tlex.extract(tlex.from_links(rows))

    assert suggest_all(result, ("l1",))["l1"] == ()
    assert set(suggest_all(result, ("l2",))["l2"]) == {"BEGUN_BY"}


@pytest.mark.parametrize("name", ["l9", "l2", "l3", "l4"])
def test_a_link_that_orders_nothing_is_reported(name):
    rows = [("a", "BEFORE", "b"), ("a", "MODAL", "b"), ("a", "NONSENSE", "b"), ("a", "VAGUE", "b")]
    result = tlex.extract(tlex.from_links(rows))

    if name == "l4":
        assert len(suggest_all(result, (name,))[name]) == 1
    else:
        with pytest.raises(OptionError, match=name):
            suggest_all(result, (name,))


def test_many_links_are_looked_up_in_batches():
    # More end points than fit into one batch; every second link contradicts the one before it.
    rows = [
        (f"{one}{k}", "BEFORE", f"{other}{k}") for k in range(1_500) for one, other in ("ab", "ba")
    ]
    result = tlex.extract(tlex.from_links(rows))
    removed = [f"l{2 * k + 2}" for k in range(1_500)]

    suggestions = suggest_all(result, removed)

    assert suggestions == dict.fromkeys(removed, ("AFTER",))
    assert relabel(result, removed) == dict.fromkeys(removed, "AFTER")
