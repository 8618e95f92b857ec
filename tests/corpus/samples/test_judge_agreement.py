"""Accuracy with its interval, and Cohen's kappa: against a library and published examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tlex.comparison.coefficients import find_kappa
from tlex.corpus.samples.judge_agreement import compare_answers, measure_accuracy

ANSWERS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


def judged(both_yes: int, yes_no: int, no_yes: int, both_no: int) -> tuple[list[bool], list[bool]]:
    pairs = (
        [(True, True)] * both_yes
        + [(True, False)] * yes_no
        + [(False, True)] * no_yes
        + [(False, False)] * both_no
    )
    return [one for one, _ in pairs], [other for _, other in pairs]


@given(judged=st.integers(1, 5000), data=st.data(), confidence=st.sampled_from([0.8, 0.95, 0.99]))
def test_the_interval_is_wilsons(judged, data, confidence):
    right = data.draw(st.integers(0, judged))

    found = measure_accuracy(right, judged, confidence)

    expected = stats.binomtest(right, judged).proportion_ci(confidence, method="wilson")
    assert found.low == pytest.approx(expected.low, abs=1e-12)
    assert found.high == pytest.approx(expected.high, abs=1e-12)
    assert 0 <= found.low <= found.accuracy <= found.high <= 1


def test_where_all_are_right_the_interval_ends_at_one():
    """The paper's first sample: 2,264 of 2,264, which it gives as 98 to 100 per cent."""
    found = measure_accuracy(2_264, 2_264)

    assert (found.accuracy, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(2264 / (2264 + 1.959964**2), abs=1e-9)


# Worked examples that textbooks give: fifty proposals read by two people; then twice the same
# agreement, with judges who say yes more or less often.
@pytest.mark.parametrize(
    ("table", "observed", "kappa"),
    [
        ((20, 5, 10, 15), 0.70, 0.40),
        ((45, 15, 25, 15), 0.60, 0.1304),
        ((25, 35, 5, 35), 0.60, 0.2593),
        ((0, 10, 10, 0), 0.0, -1.0),
        ((10, 0, 0, 10), 1.0, 1.0),
    ],
)
def test_published_examples_come_out(table, observed, kappa):
    agreed, _, found = find_kappa(*judged(*table))

    assert agreed == pytest.approx(observed)
    assert found == pytest.approx(kappa, abs=5e-5)


@pytest.mark.parametrize("answer", [True, False])
def test_kappa_is_undefined_where_all_answers_are_one_and_the_same(answer):
    agreed, expected, kappa = find_kappa([answer] * 5, [answer] * 5)

    assert (agreed, expected, kappa) == (1.0, 1.0, None)


@given(pairs=ANSWERS)
def test_kappa_is_what_its_definition_says(pairs):
    first, second = zip(*pairs, strict=True)
    size = len(pairs)
    agree = sum(a == b for a, b in pairs) / size
    chance = sum((first.count(word) / size) * (second.count(word) / size) for word in (True, False))

    observed, expected, kappa = find_kappa(first, second)

    assert observed == pytest.approx(agree)
    assert expected == pytest.approx(chance)
    if kappa is None:
        assert len({*first, *second}) == 1
    else:
        assert kappa == pytest.approx((agree - chance) / (1 - chance))
        assert -1 <= kappa <= 1
        assert find_kappa(second, first)[2] == kappa


@given(pairs=ANSWERS)
def test_a_comparison_has_both_judges_and_their_agreement(pairs):
    first, second = map(list, zip(*pairs, strict=True))

    found = compare_answers("order/1/x", first, second, 0.9)

    assert found.first == measure_accuracy(sum(first), len(first), 0.9)
    assert found.second == measure_accuracy(sum(second), len(second), 0.9)
    assert found.agreed == sum(a == b for a, b in pairs)
    assert (found.observed, found.expected, found.kappa) == find_kappa(first, second)
