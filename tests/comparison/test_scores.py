"""Scores, judged by a scorer that shares nothing with the library."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenario_judge import MEANING, NAMES, Judge, holds, scenarios

import tlex
from tlex.comparison import smallest_repairs
from tlex.comparison.scores import DocumentScore
from tlex.comparison.sides import Side

LINKS = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from([*MEANING]), st.sampled_from(NAMES)).filter(
        lambda link: link[0] != link[2]
    ),
    min_size=1,
    max_size=6,
)
POLICY = st.sampled_from(["every", "repair", "knot", "part"])


def make(links):
    """A document in which every interval occurs: VAGUE says nothing."""
    silent = [("a", "VAGUE", "b"), ("c", "VAGUE", "d")]
    return tlex.from_links([*links, *silent])


def score(gold, system, policy="every"):
    sides = [Side(make(links), contradictions=policy) for links in (gold, system)]
    return DocumentScore("test", *sides, match="ids")


def test_four_intervals_have_as_many_scenarios_as_theory_says():
    assert len(scenarios()) == 23_917


@settings(max_examples=120)
@given(gold=LINKS, system=LINKS, policy=POLICY)
def test_verdicts_and_figures_are_those_of_brute_force(gold, system, policy):
    found = score(gold, system, policy)
    judges = Judge(gold, policy), Judge(system, policy)
    for number, (own, other) in enumerate((judges, judges[::-1])):
        side = found.sides[number]
        assert len(side.claims) == len(own.masks)
        assert side.consistent == (own.repairs == [()])
        assert set(side.muted) == own.muted
        assert side.counted == own.counted
        expected = [other.judge(own.masks[claim]) for claim in own.counted]
        verdicts = [verdict.verdict for verdict in found.verdicts if verdict.side == _NAMES[number]]
        assert verdicts == expected
        share = (found.recall, found.precision)[number]
        assert (share.correct, share.total) == (expected.count("entailed"), len(expected))


_NAMES = ("gold", "system")


@given(gold=LINKS, system=LINKS, policy=POLICY)
def test_swapped_sides_swap_precision_and_recall(gold, system, policy):
    one, other = score(gold, system, policy), score(system, gold, policy)
    assert (one.precision, one.recall) == (other.recall, other.precision)
    assert (one.orders.gold, one.orders.system) == (other.orders.system, other.orders.gold)
    for name, measure in one.measures.items():
        assert measure.precision == other.measures[name].recall


@given(links=LINKS, data=st.data(), policy=POLICY)
def test_neither_order_nor_direction_nor_repetition_of_links_matters(links, data, policy):
    again = data.draw(st.permutations([*links, *links[:2]]))
    turned = [_turn(*link) if data.draw(st.booleans()) else link for link in again]
    one, other = score(links, links, policy), score(links, turned, policy)
    assert (one.precision, one.recall, one.orders) == (other.precision, other.recall, other.orders)


@given(gold=LINKS, system=LINKS, names=st.permutations(range(10, 14)), policy=POLICY)
def test_names_of_expressions_and_links_do_not_matter(gold, system, names, policy):
    usual = write(gold, range(4)), write(system, range(4))
    renamed = usual[0], write(system, names, first=70)

    one, other = (
        tlex.score(*sides, contradictions=policy).documents[0] for sides in (usual, renamed)
    )

    assert (one.precision, one.recall, one.orders) == (other.precision, other.recall, other.orders)
    assert one.measures == other.measures


def write(links, numbers, first=0):
    """A text of four words as TimeML; the events have these numbers, and the links follow."""
    number = dict(zip(NAMES, numbers, strict=True))
    words = " ".join(
        f'<EVENT eid="e{own}" class="OCCURRENCE">{name}</EVENT>' for name, own in number.items()
    )
    made = "".join(
        f'<MAKEINSTANCE eiid="ei{own}" eventID="e{own}"/>' for own in sorted(number.values())
    )
    said = "".join(
        f'<TLINK lid="l{first + place}" eventInstanceID="ei{number[one]}" relType="{label}"'
        f' relatedToEventInstance="ei{number[other]}"/>'
        for place, (one, label, other) in enumerate(links)
    )
    return tlex.parse(f"<TimeML>{words}{made}{said}</TimeML>".encode(), name="story")


def _turn(one, label, other):
    inverse = {
        "BEFORE": "AFTER",
        "BEGINS": "BEGUN_BY",
        "ENDS": "ENDED_BY",
        "INCLUDES": "IS_INCLUDED",
    }
    inverse |= {value: key for key, value in inverse.items()}
    inverse |= {"IBEFORE": "IAFTER", "IAFTER": "IBEFORE", "SIMULTANEOUS": "DURING"}
    return (other, inverse[label], one) if label in inverse else (one, label, other)


@given(links=LINKS)
def test_a_consistent_side_scores_all_against_itself(links):
    found = score(links, links)
    if found.gold.consistent:
        assert found.f1 == pytest.approx(1)
        assert found.orders.same == found.orders.gold == found.orders.system
        assert {measure.f1 for measure in found.measures.values()} <= {None, 1.0}


@given(links=LINKS)
def test_a_consistent_side_scores_all_against_its_closure_and_its_reduction(links):
    document = make(links)
    result = tlex.extract(document)
    if not result.consistent:
        return
    kept = {*result.reduction().kept}
    reduced = [(link.source, link.type, link.target) for link in document.links if link.id in kept]
    closed = [(link.source, link.type, link.target) for link in result.closure().links]
    assert score(links, reduced).f1 == pytest.approx(1)
    # The closure leaves out what has no label of its own.
    assert score(links, links + closed).f1 == pytest.approx(1)


@given(gold=LINKS, system=LINKS, data=st.data())
def test_a_consistent_system_with_a_link_less_never_recalls_more(gold, system, data):
    whole = score(gold, system)
    if whole.system.consistent:
        fewer = list(system)
        fewer.pop(data.draw(st.integers(0, len(fewer) - 1)))
        assert score(gold, fewer).recall.correct <= whole.recall.correct
        assert score(gold, fewer).recall.total == whole.recall.total


@given(gold=LINKS, system=LINKS, policy=POLICY)
def test_orders_of_end_points_are_counted_as_brute_force_counts_them(gold, system, policy):
    found = score(gold, system, policy)
    orders = [_list_orders(Judge(links, "repair")) for links in (gold, system)]
    both = orders[0].keys() & orders[1].keys()
    same = sum(orders[0][pair] == orders[1][pair] for pair in both)
    assert found.orders.same == same
    assert (found.orders.gold, found.orders.system) == (len(orders[0]), len(orders[1]))
    assert found.orders.opposite == len(both) - same


def _list_orders(judge, *, own=False):
    """The orders of end points that hold in all scenarios; those of one interval too, if asked."""
    world = judge._meet(judge.believed, judge.everyone)  # noqa: SLF001
    left = [places for number, places in enumerate(scenarios()) if world >> number & 1]
    found = {}
    for one in range(8):
        for other in range(one + 1, 8):
            if own or one // 2 != other // 2:
                signs = {(p[one] > p[other]) - (p[one] < p[other]) for p in left}
                if len(signs) == 1:
                    found[one, other] = signs.pop()
    return found


@settings(max_examples=60)
@given(gold=LINKS, system=LINKS)
def test_reduced_point_graphs_are_shared_as_brute_force_shares_them(gold, system):
    found = score(gold, system).measures["reduced_points"]
    orders = [_list_orders(Judge(links, "repair"), own=True) for links in (gold, system)]
    for share, (own, other) in ((found.recall, orders), (found.precision, orders[::-1])):
        correct, total = _share_reduced(own, other)
        assert share.correct == pytest.approx(float(correct))
        assert share.total == total


def _share_reduced(own, other):
    equal, before = [
        [{pair for pair, sign in one.items() if sign == 0} for one in (own, other)],
        [
            {pair if sign < 0 else pair[::-1] for pair, sign in one.items() if sign}
            for one in (own, other)
        ],
    ]
    groups = [
        {frozenset(q for q in range(8) if p == q or {(p, q), (q, p)} & same) for p in range(8)}
        for same in equal
    ]
    correct, total = Fraction(0), 0
    for group in groups[0]:
        total += len(group) - 1
        correct += len(group) - sum(bool(group & there) for there in groups[1])
    for low, high in permutations(groups[0], 2):
        pairs = [(p, q) for p in low for q in high if p // 2 != q // 2]
        if not pairs or not {*pairs} <= before[0]:
            continue
        between = (
            (min(low), min(third)) in before[0] and (min(third), min(high)) in before[0]
            for third in groups[0]
        )
        if not any(between):
            total += 1
            correct += Fraction(len({*pairs} & before[1]), len(pairs))
    return correct, total


@given(gold=LINKS, system=LINKS)
def test_pairs_in_one_timeline_are_those_that_a_chain_of_claims_connects(gold, system):
    found = score(gold, system).measures["one_timeline"]
    both = [_list_connected(links) for links in (gold, system)]
    for share, own in ((found.recall, both[0]), (found.precision, both[1])):
        assert (share.correct, share.total) == (len(both[0] & both[1]), len(own))


def _list_connected(links):
    pairs = {frozenset((one, other)) for one, _, other in links}
    for middle in NAMES:
        around = [name for name in NAMES if {name, middle} in pairs]
        pairs |= {frozenset(pair) for pair in permutations(around, 2)}
    return pairs


@given(gold=LINKS, system=LINKS, policy=POLICY)
def test_proofs_lead_along_links_of_the_other_side(gold, system, policy):
    found = score(gold, system, policy)
    for verdict in found.verdicts:
        if verdict.verdict not in {"entailed", "contradicted"}:
            assert not verdict.proof
            continue
        other = found.sides[verdict.side == "gold"].document
        known = {link.id for link in other.links}
        assert all(
            link in known or link in verdict.links for p in verdict.proof for link in p.links
        )
        if verdict.verdict == "contradicted":
            (walk,) = verdict.proof
            assert walk.left == walk.right
            assert any(step.order == "<" for step in walk.walk)
            assert walk.walk[0].link == verdict.links[0]


def test_names_of_links_are_those_of_the_other_side():
    gold, system = [("a", "BEFORE", "b"), ("b", "BEFORE", "c")], [("c", "BEFORE", "a")]
    verdicts = score(gold, system).why("l1")
    assert [verdict.proof[0].links for verdict in verdicts if verdict.proof] == [("l1", "l2")]


@given(gold=LINKS, system=LINKS)
def test_tempeval3_counts_in_the_order_of_the_file(gold, system):
    found = tlex.score(make(gold), make(system), match="ids", mode="tempeval3")
    sides = [_read_in_order(links) for links in (gold, system)]
    for number, share in enumerate((found.recall, found.precision)):
        (counted, _, _), (_, kept, said) = sides[number], sides[1 - number]
        right = sum(mask in said or not kept & ~mask for mask in counted)
        assert (share.correct, share.total) == (right, len(counted))
    can_hold = [Judge(links, "repair").repairs == [()] for links in (gold, system)]
    assert found.documents[0].record().well_defined == all(can_hold)


def _read_in_order(links):
    """The masks that are counted, what the believed ones leave, and all masks."""
    left = (1 << len(scenarios())) - 1
    counted, said = [], set()
    for link in links:
        mask = holds(*link)
        if mask in said:
            continue
        said.add(mask)
        if not left & ~mask:
            continue
        counted.append(mask)
        if left & mask:
            left &= mask
    return counted, left, said


@pytest.mark.parametrize("figure", ["precision", "recall", "f1"])
def test_nothing_over_nothing_is_no_figure(figure):
    empty = make([])
    found = tlex.score(empty, empty, match="ids")
    assert found.record().macro[figure] is None
    assert found.precision.value is None
    assert found.f1 is None


def test_f1_is_zero_if_only_one_figure_exists():
    found = tlex.score(make([("a", "BEFORE", "b")]), make([]), match="ids")
    assert (found.precision.value, found.recall.value, found.f1) == (None, 0, 0)


def test_what_was_asked_before_changes_no_verdict(monkeypatch):
    monkeypatch.setattr(smallest_repairs, "RATE", 12_000)  # enough for one system
    pairs = [(f"e{number}", f"e{number + 1}") for number in range(8)]  # 2 to the 8th repairs
    links = [link for a, b in pairs for link in ((a, "BEFORE", b), (b, "BEFORE", a))]
    gold, scorer = tlex.from_links(links), tlex.Scorer(match="ids")
    system = tlex.from_links([(a, "SIMULTANEOUS", b) for a, b in pairs])

    found = [scorer.score(gold, system).documents[0].count_verdicts()[1] for _ in range(5)]

    assert found == [{"contradicted": 8}] * 5


def test_a_long_contradiction_disputes_each_of_its_claims(monkeypatch):
    monkeypatch.setattr(smallest_repairs, "Certainty", None)  # no search is needed
    ring = [(f"e{n}", "BEFORE", f"e{(n + 1) % 100}") for n in range(100)]
    document = tlex.from_links([*ring, ("e100", "BEFORE", "e0")])

    found = tlex.score(document, document)

    counts = {"open": 100, "entailed": 1}
    assert found.documents[0].count_verdicts() == (counts, counts)


def test_a_claim_that_every_smallest_repair_removes_is_not_disputed():
    chain = [("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("a", "BEFORE", "c")]
    side = Side(make([*chain, ("c", "BEFORE", "a")]))

    verdicts = side.judge([(claim.first, claim.second, claim.row) for claim in side.claims])

    assert sorted(verdicts) == ["contradicted", "entailed", "entailed", "entailed"]


def test_a_claim_that_no_smallest_repair_removes_is_not_disputed():
    ring = [(f"e{n}", "BEFORE", f"e{(n + 1) % 100}") for n in range(100)]
    side = Side(tlex.from_links([*ring, ("e0", "BEFORE", "e50")]))

    disputed = {side.claims[number].first for number in side.repairs.disputed}

    assert len(disputed) > 20
    assert disputed.isdisjoint(range(1, 50))  # there the ring has a way around


def test_a_tangle_with_too_many_questions_is_undecided(monkeypatch):
    monkeypatch.setattr(smallest_repairs, "RATE", 5_000)
    asked = []
    for name in ("holds", "excludes"):
        monkeypatch.setattr(smallest_repairs.Certainty, name, lambda *_: asked.append(1))
    draw = Random(1)  # noqa: S311
    links = [
        (f"e{draw.randrange(40)}", draw.choice(["BEFORE", "AFTER", "INCLUDES"]), f"e4{n % 10}")
        for n in range(150)
    ]
    found = tlex.score(tlex.from_links(links), tlex.from_links(links[::2]), match="ids")

    assert found.documents[0].count_verdicts()[1]["undecided"] > 20
    assert len(asked) < 10


def test_what_only_the_first_of_two_smallest_repairs_entails_is_open():
    gold = tlex.from_links([("a", "BEFORE", "c")])
    said = [("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("c", "BEFORE", "b")]

    verdicts = [
        tlex.score(gold, tlex.from_links(said), match="ids", contradictions=policy)
        .documents[0]
        .verdicts[0]
        .verdict
        for policy in ("repair", "every")
    ]

    assert verdicts == ["entailed", "open"]


@pytest.mark.parametrize("options", [{}, {"mode": "tempeval3"}, {"calendar": True}])
def test_what_is_known_of_the_nodes_is_used_for_all_systems_and_changes_no_figure(options):
    link = '<TLINK lid="l{}" relType="{}" eventInstanceID="i{}" relatedToEventInstance="i{}"/>'
    chance = Random(4)  # noqa: S311

    def annotate(names, labels):
        marks = [f'<EVENT eid="e{n}">was</EVENT> ' for n in names]
        times = [f'<TIMEX3 tid="t{n}" type="DATE" value="200{n}">x</TIMEX3> ' for n in range(2)]
        made = [f'<MAKEINSTANCE eiid="i{n}" eventID="e{n}"/>' for n in names]
        ends = [chance.sample(names, 2) for _ in range(5)]
        links = [link.format(n, chance.choice(labels), *own) for n, own in enumerate(ends)]
        return tlex.parse("".join(("<TimeML>", *marks, *times, *made, *links, "</TimeML>")))

    gold = annotate(range(6), ["BEFORE"])
    systems = [annotate(range(6), ["BEFORE", "IBEFORE", "INCLUDES"]) for _ in range(10)]
    systems += [annotate([5, 4, 3, 2, 1, 0], ["BEFORE"]), annotate(range(5), ["BEFORE"])]
    assert [gold.has_nodes_of(system) for system in systems] == [True] * 10 + [False] * 2
    scorer = tlex.Scorer(match="ids", **options)
    scores = [scorer.score(gold, system).documents[0] for system in systems]

    for system, found in zip(systems, scores, strict=True):
        alone = tlex.score(gold.replace(), system.replace(), match="ids", **options).documents[0]
        assert found.record() == alone.record()
        assert found.literal == alone.literal
