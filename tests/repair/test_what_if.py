"""What if: the verdict and the counts are those of every ordering."""

from __future__ import annotations

from itertools import permutations
from random import Random

import brute
import pytest
from contradictory import is_consistent, make_document

import tlex
from tlex.errors import OptionError
from tlex.repair.relabelling import TYPES
from tlex.repair.what_if import NewLink, Standing, compare, say_effect

CHAIN = tlex.from_links(
    [("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("c", "BEFORE", "a"), ("d", "BEFORE", "e")]
)


def stand(document: tlex.Document) -> Standing:
    return Standing(document, tlex.extract(document).options)


def judge(standing: Standing) -> set[tuple[int, int, str]]:
    """The orders of points that follow from the links that are in no listed contradiction."""
    document = standing.document
    disputed = {
        link
        for conflict in tlex.extract(document).conflicts
        for first in conflict.minimal
        for link in (first, *conflict.same.get(first, ()))
    }
    index = document.index
    links = [
        (index[link.source], link.type, index[link.target])
        for link in document.links
        if link.id not in disputed
    ]
    closed = brute.close(len(document.nodes), links)
    group = {point: number for number, some in enumerate(closed.compounds) for point in some}
    return {
        (one, other, "=" if group[one] == group[other] else "<")
        for one, other in permutations(range(2 * len(document.nodes)), 2)
        if group[one] == group[other]
        or (
            closed.earliest[one] < closed.earliest[other]
            and (min(one, other), max(one, other)) not in closed.pairs
        )
    }


@pytest.mark.parametrize("seed", range(25))
def test_verdict_and_gains_are_those_of_the_judge(seed):
    document, random = make_document(seed), Random(seed)  # noqa: S311 -- a test
    before = stand(document)
    link = random.choice(document.links)
    ends = [random.choice(document.nodes).id for _ in range(2)]
    new = NewLink(ends[0], random.choice(TYPES["TLINK"]), ends[1])
    changes = random.choice(
        [{"removed": [link.id]}, {"types": {link.id: "SIMULTANEOUS"}}, {"added": [new]}]
    )

    try:
        after = before.change(**changes)
    except OptionError:  # it says so already
        after = before.change(removed=[link.id])
    effect = compare(before, after)

    assert effect.consistent == is_consistent(after.document)
    old, now = judge(before), judge(after)
    gained = {one // 2 for one, *_ in now - old} | {other // 2 for _, other, _ in now - old}
    lost = {one // 2 for one, *_ in old - now} | {other // 2 for _, other, _ in old - now}
    assert (effect.gains, effect.loses) == (len(gained), len(lost))


def test_a_removed_link_settles_what_it_is_part_of():
    before = stand(CHAIN)

    effect = compare(before, before.change(removed=["l3"]))

    assert (effect.consistent, effect.settles, effect.creates, effect.left) == (True, 1, 0, 0)
    assert say_effect(effect) == "settles 1, creates 0, 3 events gain an order"


def test_a_link_can_be_tried_that_is_not_there():
    before = stand(CHAIN)

    worse = compare(before, before.change(added=[NewLink("e", "BEFORE", "d")]))
    fine = compare(before, before.change(added=[NewLink("a", "BEFORE", "e")]))

    assert (worse.creates, worse.left, worse.loses) == (1, 2, 2)
    assert (fine.creates, fine.gains, fine.consistent) == (0, 2, False)
    assert worse.says == "settles 0, creates 1, 0 events gain an order, 2 events lose one"


def test_a_type_that_still_contradicts_settles_nothing():
    document = tlex.from_links([("a", "BEFORE", "b"), ("b", "BEFORE", "a")])

    effect = compare(stand(document), stand(document).change(types={"l2": "IBEFORE"}))

    assert (effect.settles, effect.creates, effect.consistent) == (0, 0, False)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"removed": ["l9"]}, "there is no link 'l9'"),
        ({"types": {"l1": "SOON"}}, "'SOON' is no other type of a TLINK"),
        ({"added": [NewLink("a", "BEFORE", "z")]}, "there is no event or time 'z'"),
        ({"added": [NewLink("a", "SOON", "b")]}, "'SOON' is no type of a TLINK"),
    ],
)
def test_what_cannot_be_tried_is_refused(changes, message):
    with pytest.raises(OptionError, match=message):
        stand(CHAIN).change(**changes)


def test_who_gains_an_order_need_not_be_at_the_link():
    document = tlex.from_links([("a", "BEFORE", "b"), ("c", "BEFORE", "d")])

    effect = compare(stand(document), stand(document).change(added=[NewLink("b", "BEFORE", "c")]))

    assert effect.says == "settles 0, creates 0, 4 events gain an order"


@pytest.mark.parametrize("seed", range(40))
def test_to_remove_a_link_creates_nothing(seed):
    before = stand(make_document(seed))

    for link in before.document.links:
        effect = compare(before, before.change(removed=[link.id]))
        listed = sum(link.id in conflict.minimal for conflict in before.result.conflicts)
        assert (effect.settles, effect.creates) == (listed, 0)
