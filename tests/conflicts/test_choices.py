"""Hitting sets by trying: the cheapest one, and of several the one that keeps the first links."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from tlex.conflicts.choices import Choices, choose_quickly
from tlex.conflicts.work import Work


@pytest.mark.parametrize("seed", range(60))
def test_problems_that_cannot_be_made_smaller_are_tried(seed):
    dice = Random(seed)  # noqa: S311
    pairs = list(combinations(range(10), 2))
    known = dice.sample(pairs, 16) + [tuple(dice.sample(range(10), 3)) for _ in range(4)]
    costs = {link: dice.choice((1, 1, 2)) if seed % 2 else 1 for link in range(10)}
    order = dice.sample(range(10), 10)

    found = choose_quickly(known, costs, {link: rank for rank, link in enumerate(order)}, 10_000)
    any_one = choose_quickly(known, costs, None, 10_000)

    hitting = [
        frozenset(links)
        for size in range(11)
        for links in combinations(range(10), size)
        if all(set(links) & set(conflict) for conflict in known)
    ]
    least = min(sum(costs[link] for link in links) for links in hitting)
    best = [links for links in hitting if sum(costs[link] for link in links) == least]
    assert found == tuple(sorted(min(best, key=lambda own: [link in own for link in order])))
    ranks = {n: rank for rank, n in enumerate(order)}
    assert Choices(known, costs, ranks).choose(0, Work()) == found
    assert Choices(known, costs, ranks).choose(0, Work(0)) in {found, None}
    assert Choices(known, costs, ranks).candidates >= set(found)
    assert any_one is not None
    assert frozenset(any_one) in best
