"""Sampling: the paper's sizes, fair shares, and draws in which every set is equally likely."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tlex.corpus.samples.sample_size import find_sample_size, find_z, share_out
from tlex.corpus.samples.seeded_random import Dice, draw
from tlex.errors import OptionError

# §4.2 to §4.6 of the paper.
PRINTED = {39_534: 2_264, 1_241: 818, 11_474: 1_986, 5_701: 1_690, 11_688: 1_992}


@pytest.mark.parametrize(("population", "size"), PRINTED.items())
def test_the_sizes_are_those_that_the_paper_prints(population, size):
    assert find_sample_size(population) == size


@pytest.mark.parametrize(("population", "size"), PRINTED.items())
def test_the_sizes_come_out_with_the_papers_rounded_z_as_well(population, size):
    unlimited = Fraction("1.96") ** 2 / (4 * Fraction("0.02") ** 2)

    assert round(unlimited / (1 + (unlimited - 1) / population)) == size


@pytest.mark.parametrize("population", [1, 2, 100])
@pytest.mark.parametrize("least", [5e-324, 1e-20, 1e-9])
def test_a_confidence_next_to_nothing_takes_one(population, least):
    assert find_sample_size(population, confidence=least) == 1
    assert find_sample_size(population, confidence=least, interval=1 - 1e-16) == 1


@pytest.mark.parametrize("population", [1, 2, 100])
def test_an_interval_next_to_nothing_takes_all(population):
    assert find_sample_size(population, interval=5e-324) == population
    assert find_sample_size(population, confidence=1 - 1e-16, interval=1e-9) == population


def test_an_endless_population_needs_no_more_than_2401():
    assert find_sample_size(10**30) == 2_401


@given(
    population=st.integers(0, 10**9),
    confidence=st.floats(0, 1, exclude_min=True, exclude_max=True),
    interval=st.floats(0, 1, exclude_min=True, exclude_max=True),
)
def test_a_sample_is_never_empty_or_larger_than_its_population(population, confidence, interval):
    size = find_sample_size(population, confidence, interval)

    assert min(population, 1) <= size <= population
    assert find_sample_size(population + 1, confidence, interval) >= size


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99, 0.999])
def test_z_is_that_of_the_normal_distribution(confidence):
    assert find_z(confidence) == pytest.approx(stats.norm.ppf((1 + confidence) / 2), abs=1e-12)


@pytest.mark.parametrize("wrong", [0, 1, -0.5, 95, float("nan")])
def test_a_share_that_is_none_is_refused(wrong):
    with pytest.raises(OptionError, match="between 0 and 1"):
        find_sample_size(100, confidence=wrong)
    with pytest.raises(OptionError, match="between 0 and 1"):
        find_sample_size(100, interval=wrong)


@given(sizes=st.lists(st.integers(0, 10**6), max_size=8), data=st.data())
def test_shares_add_up_and_are_within_one_of_what_is_due(sizes, data):
    total = data.draw(st.integers(0, sum(sizes)))

    shares = share_out(total, sizes)

    assert sum(shares) == total
    for share, size in zip(shares, sizes, strict=True):
        assert 0 <= share <= size
        assert abs(share - Fraction(total * size, sum(sizes) or 1)) < 1


@given(sizes=st.lists(st.integers(0, 1000), min_size=1, max_size=6), data=st.data())
def test_what_is_left_over_goes_to_the_largest_remainders(sizes, data):
    total = data.draw(st.integers(0, sum(sizes)))
    whole = sum(sizes) or 1

    shares = share_out(total, sizes)

    due = [Fraction(total * size, whole) for size in sizes]
    raised = [d - int(d) for d, share in zip(due, shares, strict=True) if share > int(d)]
    kept = [d - int(d) for d, share in zip(due, shares, strict=True) if share == int(d)]
    assert not raised or not kept or min(raised) >= max(kept)


@given(
    population=st.integers(0, 10**40),
    share=st.integers(0, 60),
    seed=st.text(max_size=5).filter(str.isprintable),
)
def test_a_draw_has_different_numbers_below_the_population_in_order(population, share, seed):
    size = min(share, population)

    drawn = draw(population, size, Dice(seed))

    assert len(drawn) == size
    assert all(0 <= number < population for number in drawn)
    assert drawn == sorted(set(drawn))
    assert drawn == draw(population, size, Dice(seed))


@pytest.mark.parametrize(("population", "size"), [(5, 2), (6, 3), (4, 4), (7, 1), (3, 0)])
def test_every_set_is_equally_likely(population, size):
    draws = 400 * comb(population, size)

    found = Counter(tuple(draw(population, size, Dice(f"x{seed}"))) for seed in range(draws))

    assert set(found) == set(combinations(range(population), size))
    if len(found) > 1:
        assert stats.chisquare(list(found.values())).pvalue > 1e-4


def test_every_side_of_the_dice_is_equally_likely():
    dice = Dice("fair")

    thrown = Counter(dice.throw(11) for _ in range(22_000))

    assert set(thrown) == set(range(11))
    assert stats.chisquare(list(thrown.values())).pvalue > 1e-4


def test_a_seed_gives_what_it_gave():
    """Written down once, so that no machine and no version of Python gives another sample."""
    dice = Dice("seven")

    assert [dice.throw(1000) for _ in range(6)] == [310, 405, 774, 197, 320, 683]
    assert draw(10**12, 3, Dice("0")) == [365405924027, 677635320352, 726796729936]


def test_the_hash_seed_changes_nothing():
    code = "from tlex.corpus.samples.seeded_random import *; print(draw(10**6, 50, Dice('a')))"
    outputs = {
        subprocess.run(  # noqa: S603 -- our own code
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("0", "1")
    }

    assert len(outputs) == 1


def test_a_dice_without_sides_is_a_mistake():
    with pytest.raises(ValueError, match="sides"):
        Dice("").throw(0)


@pytest.mark.parametrize("interval", [1e-9, 1e-160, 1e-300, 5e-324])
def test_an_interval_of_nearly_nothing_needs_the_whole_population(interval):
    assert find_sample_size(39_534, 0.95, interval) == 39_534


def test_a_confidence_of_nearly_one_has_a_z_score():
    assert find_z(0.9999999999999999) == pytest.approx(8.29, abs=0.01)
    assert find_sample_size(39_534, 0.9999999999999999) > find_sample_size(39_534, 0.999999)
