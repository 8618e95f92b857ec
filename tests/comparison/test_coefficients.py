"""Coefficients of agreement, judged by their definitions."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tlex.comparison.coefficients import find_alpha, find_kappa

LABEL = st.sampled_from("abc")
PAIRS = st.lists(st.tuples(LABEL, LABEL), max_size=12)
UNITS = st.lists(st.lists(LABEL, max_size=4), max_size=8)


@given(pairs=PAIRS)
def test_kappa_is_the_agreement_beyond_that_of_labels_drawn_at_random(pairs):
    first, second = [one for one, _ in pairs], [other for _, other in pairs]

    observed, expected, kappa = find_kappa(first, second)

    if not pairs:
        assert (observed, expected, kappa) == (None, None, None)
        return
    met = Fraction(sum(one == other for one, other in pairs), len(pairs))
    drawn = [one == other for one, other in product(first, second)]
    chance = Fraction(sum(drawn), len(drawn))
    assert (observed, expected) == (float(met), float(chance))
    if chance == 1:
        assert kappa is None
    else:
        assert kappa == pytest.approx(float((met - chance) / (1 - chance)))
        assert find_kappa(second, first)[2] == kappa


@given(units=UNITS, data=st.data())
def test_alpha_is_one_less_the_ratio_of_observed_and_expected_disagreement(units, data):
    alpha = find_alpha(units)

    paired = [unit for unit in units if len(unit) > 1]
    values = [label for unit in paired for label in unit]
    among_all = [one != other for one, other in permutations(values, 2)]
    if not any(among_all):
        assert alpha is None
        return
    # The disagreement within units: each value counts once, so a pair counts 1 / (m - 1).
    within = sum(
        Fraction(sum(one != other for one, other in permutations(unit, 2)), len(unit) - 1)
        for unit in paired
    )
    observed = within / len(values)
    expected = Fraction(sum(among_all), len(among_all))
    assert alpha == float(1 - observed / expected)
    shuffled = [data.draw(st.permutations(unit)) for unit in data.draw(st.permutations(units))]
    assert find_alpha(shuffled) == alpha


def test_alpha_of_the_example_of_krippendorff():
    # Krippendorff (2011), Computing Krippendorff's alpha-reliability, example C, nominal data.
    judges = [
        "123321412...",
        "1233224125.3",
        ".3332342251.",
        "12332441251.",
    ]
    units = [[label for label in column if label != "."] for column in zip(*judges, strict=True)]

    assert round(find_alpha(units), 3) == 0.743
