"""What a link costs: whose word counts, exactly how much, and what a probability is worth."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import exp, prod

import brute
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import ORDERING, Graph, named, tangled_graphs

import tlex
from tlex.conflicts.weights import CERTAIN, Weights, read_weight
from tlex.errors import OptionError
from tlex.repair.search import find_repair

SURE = [Fraction(k, 20) for k in (1, 6, 10, 11, 12, 14, 16, 18, 19)]


def weighted(*rows: tuple[str, str, str, float | None]) -> tlex.Document:
    return tlex.from_links(
        [
            {"source": source, "type": label, "target": target, "weight": weight}
            for source, label, target, weight in rows
        ]
    )


def circle(*weights: float | None) -> tlex.Document:
    """Links that cannot all hold, but any of them may go."""
    last = len(weights) - 1
    return weighted(
        *(
            (f"e{k}", "BEFORE", f"e{0 if k == last else k + 1}", weight)
            for k, weight in enumerate(weights)
        )
    )


def repair(document: tlex.Document, **options: object) -> tlex.repair.search.Repair:
    return find_repair(tlex.extract(document), **options)


class TestWhoseWordCounts:
    def cost(self, weights, weight=None, label="BEFORE"):
        document = weighted(("a", label, "b", weight))
        return Weights.choose(document, weights).cost_of(document.links[0])

    def test_a_link_costs_1_if_nothing_is_said(self):
        assert self.cost({}) == 1

    def test_a_type_says_more_than_a_kind_in_any_case_of_letters(self):
        assert self.cost({"tlink": 2, "Before": 3}) == 3
        assert self.cost({"TLINK": 2, "AFTER": 3}) == 2
        assert self.cost({"alink": 2, "initiates": 3, "tlink": 4}, label="INITIATES") == 3

    def test_the_links_own_weight_says_more_than_its_type_and_an_id_says_most(self):
        assert self.cost({"BEFORE": 3, "tlink": 2}, weight=0.5) == Fraction(1, 2)
        assert self.cost({"BEFORE": 3, "tlink": 2, "l1": 7}, weight=0.5) == 7

    def test_an_id_comes_before_a_word_that_is_spelt_alike(self):
        document = tlex.from_links(
            [
                {"source": "a", "type": "BEFORE", "target": "b", "id": "after"},
                {"source": "a", "type": "AFTER", "target": "b", "id": "l2"},
            ]
        )

        weights = Weights.choose(document, {"after": 5})

        assert [weights.cost_of(link) for link in document.links] == [5, 1]

    def test_a_negative_weight_of_its_own_counts_as_nothing(self):
        assert self.cost({}, weight=-3.5) == 0
        assert repair(circle(1, -2, 0.5)).removed == ("l2",)
        assert repair(circle(1, -2, 0.5)).cost == 0

    def test_a_number_is_taken_as_it_is_written(self):
        assert self.cost({}, weight=0.1) == Fraction(1, 10)
        assert self.cost({"l1": "1/3"}) == Fraction(1, 3)
        assert self.cost({"l1": 0.1}) == Fraction(1, 10)
        assert self.cost({"l1": Fraction(2, 7)}) == Fraction(2, 7)
        assert self.cost({"l1": " 1e-3 "}) == Fraction(1, 1_000)


@pytest.mark.parametrize(
    "number", ["", "heavy", "nan", "inf", "-1", "-0.5", "1/0", "0x10", "1,5", "1e309", "1e9999"]
)
def test_what_is_no_number_from_0_on_is_refused_at_once(number):
    with pytest.raises(OptionError, match=r"the weight of 'x' is .*; it must be a number from 0"):
        read_weight("x", number)


@pytest.mark.parametrize("number", ["1e999999999", "1e-999999999", "1E+1_0000_0000"])
def test_a_number_that_would_fill_the_memory_is_refused_at_once(number):
    with pytest.raises(OptionError, match="it must be a number from 0 on"):
        read_weight("x", number)


class TestScaling:
    @given(
        weights=st.lists(
            st.one_of(
                st.fractions(min_value=0, max_value=9, max_denominator=50), st.just(Fraction(0))
            ),
            min_size=1,
            max_size=12,
        ),
        data=st.data(),
    )
    def test_whole_numbers_compare_as_the_real_ones_do_and_count_the_free_ones(self, weights, data):
        document = tlex.from_links([("a", "BEFORE", f"b{k}") for k in range(len(weights))])
        given_ = {f"l{k}": weight for k, weight in enumerate(weights, 1)}
        scale = Weights.choose(document, given_).scale(dict(enumerate(document.links)))
        numbers = st.sets(st.sampled_from(range(len(weights))))
        one, other = data.draw(numbers), data.draw(numbers)

        def real(links):
            return sum(weights[k] for k in links), sum(not weights[k] for k in links)

        def whole(links):
            return sum(scale.costs[k] for k in links)

        assert all(type(cost) is int and cost > 0 for cost in scale.costs.values())
        assert scale.measure(whole(one)) == real(one)[0]
        assert (whole(one) < whole(other)) == (real(one) < real(other))

    def test_tenths_are_added_without_rounding(self):
        rows = [(f"{a}{k}", "BEFORE", f"{b}{k}", 0.1) for k in range(10) for a, b in ("xy", "yx")]

        assert repair(weighted(*rows)).cost == 1
        assert type(repair(weighted(*rows)).cost) is int

    def test_thirds_that_make_a_whole_are_as_good_as_it(self):
        rows = [
            ("a", "BEFORE", "b"),
            ("b", "BEFORE", "a"),
            ("b", "BEFORE", "a"),
            ("b", "BEFORE", "a"),
        ]
        weights = {"l1": 1, "l2": "1/3", "l3": "1/3", "l4": "1/3"}

        found = repair(tlex.from_links(rows), weights=weights)

        assert {found.removed, *found.alternatives} == {("l1",), ("l2", "l3", "l4")}
        assert found.cost == 1

    @pytest.mark.parametrize("number", [1e300, 1.7e308])
    def test_very_large_weights_are_compared_and_added(self, number):
        rows = [(f"{a}{k}", "BEFORE", f"{b}{k}", number) for k in range(3) for a, b in ("xy", "yx")]

        found = repair(weighted(*rows))

        assert found.optimal
        assert found.cost >= number
        assert found.cost < float("inf")

    def test_a_very_small_weight_is_more_than_none(self):
        assert repair(circle(5e-324, 0, 1)).removed == ("l2",)
        assert repair(circle(5e-324, 1, 1)).removed == ("l1",)


class TestWeightsOfNothing:
    def test_a_free_link_goes_first_but_only_if_it_has_to(self):
        document = weighted(
            ("a", "BEFORE", "b", 0), ("b", "BEFORE", "c", 0), ("b", "BEFORE", "a", 2)
        )

        found = repair(document)

        assert (found.removed, found.cost, found.optimal) == (("l1",), 0, True)

    def test_many_free_links_go_before_one_that_costs_the_least(self):
        rows = [("a", "BEFORE", "b", 0)] * 9

        found = repair(weighted(*rows, ("b", "BEFORE", "a", 1e-9)))

        assert found.removed == tuple(f"l{k}" for k in range(1, 10))
        assert found.cost == 0

    def test_of_free_links_as_few_go_as_will_do(self):
        rows = [("a", "BEFORE", "b", 0)] * 3

        found = repair(weighted(("b", "BEFORE", "a", 0), *rows))

        assert found.removed == ("l1",)
        assert found.count == 1

    def test_what_is_not_proven_is_never_bounded_from_above_the_truth(self):
        rows = [
            (f"e{k}", "BEFORE", f"e{(k * 7 + 3 * step) % 60}", 0)
            for k in range(60)
            for step in range(1, 8)
        ]

        found = repair(weighted(*rows), seconds=0)

        assert (found.cost, found.bound, found.optimal) == (0, 0, True)


class TestConfidence:
    def test_the_cost_is_the_logarithm_of_the_odds(self):
        document = circle(0.9, 0.8, 0.75)

        found = repair(document, confidence=True)

        assert found.removed == ("l3",)
        assert exp(found.cost) == pytest.approx(3, abs=1e-8)

    def test_two_likely_links_outweigh_a_likelier_one_if_their_odds_do(self):
        rows = [("a", "BEFORE", "b", 0.9), ("b", "BEFORE", "a", 0.7), ("b", "BEFORE", "a", 0.7)]

        # Odds of 9 against 7/3 times 7/3: but 0.9 is less than 0.7 and 0.7 together.
        assert repair(weighted(*rows), confidence=True).removed == ("l2", "l3")
        assert repair(weighted(*rows)).removed == ("l1",)

    def test_a_link_no_likelier_than_not_costs_nothing(self):
        document = circle(0.5, 0.51, 0.2, 0)
        weights = Weights.choose(document, confidence=True)

        assert [weights.cost_of(link) > 0 for link in document.links] == [False, True, False, False]
        assert [weights.cost_of(link) < 0 for link in document.links] == [False] * 4
        assert repair(document, confidence=True).cost == 0

    def test_an_unlikely_link_stays_as_long_as_nothing_contradicts_it(self):
        assert repair(weighted(("a", "BEFORE", "b", 0.01)), confidence=True).removed == ()

    def test_a_certain_link_stays_if_any_other_choice_is_left(self):
        rows = [("b", "BEFORE", "a", 1 - 2**-53)] * 40

        found = repair(weighted(("a", "BEFORE", "b", 1), *rows), confidence=True)

        assert len(found.removed) == 40

    def test_among_certain_links_as_few_go_as_will_do(self):
        rows = [("b", "BEFORE", "a", 1)] * 2

        found = repair(weighted(("a", "BEFORE", "b", 1), *rows), confidence=True)

        assert (found.removed, found.cost) == (("l1",), CERTAIN)

    def test_what_a_user_says_of_a_link_is_a_cost(self):
        found = repair(circle(0.9, 0.8, 0.75), confidence=True, weights={"l1": "0.1"})

        assert (found.removed, found.cost) == (("l1",), 0.1)

    def test_a_link_without_a_probability_costs_what_it_would_without(self):
        assert repair(circle(None, 0.8), confidence=True).removed == ("l1",)
        assert repair(circle(None, 0.7), confidence=True).removed == ("l2",)

    @pytest.mark.parametrize("weight", [-0.1, 1.5, 100.0])
    def test_what_is_no_probability_is_reported_with_the_link(self, weight):
        with pytest.raises(OptionError, match=f"link 'l2' has weight {weight:g}, which is no prob"):
            repair(
                weighted(("a", "BEFORE", "b", 0.5), ("b", "BEFORE", "c", weight)), confidence=True
            )

    @settings(max_examples=60)
    @given(graph=tangled_graphs(ORDERING, most=8), data=st.data())
    def test_the_likely_links_that_stay_are_the_most_probable_set_that_can_hold(self, graph, data):
        """And of the others, which may be wrong anyway, as many stay as can with some such set.

        The probability of a set is that of its links being right and all other likely ones wrong.
        """
        trust = [data.draw(st.sampled_from(SURE)) for _ in graph.links]
        document = tlex.from_links(
            [
                {"source": source, "type": label, "target": target, "weight": float(own)}
                for (source, label, target), own in zip(named(graph.links), trust, strict=True)
            ],
            times={f"e{number}": "TIME" for number in sorted(graph.instants)},
        )
        likely = [k for k, own in enumerate(trust) if own > Fraction(1, 2)]

        result = tlex.extract(document, times="point")
        removed = {int(name[1:]) - 1 for name in find_repair(result, confidence=True).removed}

        def measure(stay):
            right = [trust[k] if k in stay else 1 - trust[k] for k in likely]
            return prod(right, start=Fraction(1)), len(set(stay) - set(likely))

        possible = [
            stay
            for size in range(len(trust) + 1)
            for stay in combinations(range(len(trust)), size)
            if can_hold(graph, stay)
        ]
        found = set(range(len(trust))) - removed
        assert can_hold(graph, found)
        assert measure(found) == max(map(measure, possible))


def can_hold(graph: Graph, links: object) -> bool:
    return brute.close(graph.size, [graph.links[k] for k in links], graph.instants) is not None
