"""Agreement of annotators, judged by definition."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenario_judge import MEANING, NAMES, Judge, scenarios

import tlex
from tlex.comparison.agreeing import group_names
from tlex.comparison.coefficients import find_alpha, find_kappa

LINKS = st.lists(
    st.tuples(
        st.sampled_from(NAMES), st.sampled_from([*MEANING, "VAGUE"]), st.sampled_from(NAMES)
    ).filter(lambda link: link[0] != link[2]),
    max_size=6,
)
TURNED = {
    "BEFORE": "AFTER",
    "IBEFORE": "IAFTER",
    "BEGINS": "BEGUN_BY",
    "ENDS": "ENDED_BY",
    "INCLUDES": "IS_INCLUDED",
    "STARTS_BEFORE": "STARTS_AFTER",
}
TURNED |= {other: label for label, other in TURNED.items()}
SAME = {"IDENTITY": "SIMULTANEOUS", "DURING": "SIMULTANEOUS"}
CLAIM = [label for label in MEANING if label != "VAGUE"]


def make(links):
    """A document in which every interval occurs: an SLINK orders nothing."""
    document = tlex.from_links([*links, *(("a", "BEFORE", name) for name in NAMES[1:])])
    return document.replace(links=document.links[: len(links)])


def label_pairs(links):
    """What is said of each pair, read from the earlier end (by id)."""
    found = {}
    for one, label, other in links:
        name = SAME.get(label, label)
        if other < one:
            one, other, name = other, one, TURNED.get(name, name)  # noqa: PLW2901
        found.setdefault((one, other), set()).add(name)
    return {pair: " + ".join(sorted(labels)) for pair, labels in found.items()}


def list_orders(links):
    judge = Judge([link for link in links if link[1] != "VAGUE"], "repair")
    world = judge._meet(judge.believed, judge.everyone)  # noqa: SLF001
    left = [places for number, places in enumerate(scenarios()) if world >> number & 1]
    found = {}
    for one, other in combinations(range(8), 2):
        if one // 2 != other // 2:
            signs = {(p[one] > p[other]) - (p[one] < p[other]) for p in left}
            if len(signs) == 1:
                found[one, other] = signs.pop()
    return found


@settings(max_examples=40)
@given(sides=st.lists(LINKS, min_size=2, max_size=3))
def test_figures_are_those_of_their_definitions(sides):
    found = tlex.agree([make(links) for links in sides], match="ids")

    labels = [label_pairs(links) for links in sides]
    orders = [list_orders(links) for links in sides]
    for figures, (one, other) in zip(found.pairs, combinations(range(len(sides)), 2), strict=True):
        shared = sorted(labels[one].keys() & labels[other].keys())
        ours, theirs = ([labels[side][pair] for pair in shared] for side in (one, other))
        assert figures.pairs == len(shared)
        assert (figures.equal, figures.kappa) == find_kappa(ours, theirs)[::2]
        same = sum(orders[one][pair] == orders[other].get(pair) for pair in orders[one])
        total = len(orders[one]) + len(orders[other])
        assert figures.orders == (2 * same / total if total else None)
        assert figures.expressions == 1
    units = {pair for side in labels for pair in side}
    given_labels = [[side[pair] for side in labels if pair in side] for pair in sorted(units)]
    assert found.alpha == find_alpha(given_labels)


@given(sides=st.lists(LINKS, min_size=3, max_size=3), data=st.data())
def test_the_order_of_annotators_does_not_matter(sides, data):
    order = data.draw(st.permutations(range(3)))
    documents = {str(number): make(links) for number, links in enumerate(sides)}

    one = tlex.agree(documents, match="ids")
    other = tlex.agree({str(number): documents[str(number)] for number in order}, match="ids")

    assert one.alpha == other.alpha
    ours, theirs = one.together, other.together
    assert (ours.expressions, ours.orders, ours.equal, ours.kappa) == (
        theirs.expressions,
        theirs.orders,
        theirs.equal,
        theirs.kappa,
    )
    ours, theirs = ({frozenset(f.annotators): f for f in each.pairs} for each in (one, other))
    for pair, figures in ours.items():
        assert (figures.orders, figures.kappa) == (theirs[pair].orders, theirs[pair].kappa)
    places = [
        {(p.kind, p.source.id, p.target.id, tuple(sorted(p.labels.items(), key=str))) for p in each}
        for each in (one.documents[0].places, other.documents[0].places)
    ]
    assert places[0] == places[1]


@given(links=LINKS)
def test_an_annotator_agrees_with_themself(links):
    found = tlex.agree([make(links), make(links)], match="ids")

    assert found.together.equal in {None, 1}
    assert found.together.kappa in {None, 1}
    assert found.together.orders in {None, 1}
    contradictory = not tlex.extract(make(links), links=["TLINK"]).consistent
    assert contradictory or not found.documents[0].places


@given(one=LINKS, other=LINKS)
def test_places_are_the_pairs_with_other_labels_and_those_that_one_excludes(one, other):
    places = tlex.agree([make(one), make(other)], match="ids").documents[0].places

    ours, theirs = label_pairs(one), label_pairs(other)
    differing = {pair for pair in ours.keys() & theirs.keys() if ours[pair] != theirs[pair]}
    judges = [
        Judge([link for link in links if link[1] != "VAGUE"], "every") for links in (one, other)
    ]
    excluded = {
        pair
        for judge, by in (judges, judges[::-1])
        for pair, mask in zip(judge.pairs, judge.masks, strict=True)
        if by.judge(mask) == "contradicted"
    }
    found = {(place.source.id, place.target.id): place.kind for place in places}
    assert found.keys() == differing | excluded
    assert {pair for pair, kind in found.items() if kind == "contradiction"} == excluded


TEXT = "<TimeML><TEXT>{}</TEXT>{}</TimeML>"


def mark(*words, links=""):
    """A document of the text *He left and she came home* in which some words are events."""
    text = "He left and she came home"
    made = ""
    for number, word in enumerate(words, 1):
        text = text.replace(word, f'<EVENT eid="e{number}" class="OCCURRENCE">{word}</EVENT>')
        made += f'<MAKEINSTANCE eiid="ei{number}" eventID="e{number}"/>'
    return tlex.parse(TEXT.format(text, made + links))


def test_expressions_that_not_all_have_marked_are_places_to_talk_about():
    found = tlex.agree({"Anna": mark("left", "came"), "Ben": mark("left")})

    assert found.together.expressions == pytest.approx(2 / 3)
    (place,) = found.documents[0].places
    assert place.kind == "expression"
    assert place.labels == {"Anna": "marked", "Ben": None}
    assert place.sentences == ("He left and she [came] home",)


def test_overlapping_expressions_of_three_annotators_are_put_together_once():
    first, second, third = mark("she came"), mark("came home"), mark("came")

    found = tlex.agree([first, second, third], match="relaxed")

    assert [len(joint) - joint.count(None) for joint in found.documents[0].joint.nodes] == [3]
    assert found.together.expressions == 1
    strict = tlex.agree([first, second, third], match="strict")
    assert strict.together.expressions == 0


def test_no_two_expressions_of_three_annotators_are_put_together_by_way_of_another():
    sides = [mark("and she"), mark("she came home"), mark("and", "came home")]

    for order in permutations(sides):
        joint = tlex.agree(list(order)).documents[0].joint

        assert [len(places) for places in joint.places] == [len(one.nodes) for one in order]
        assert len(joint.nodes) == 2


def test_a_sentence_shows_both_words_of_a_pair():
    link = '<TLINK lid="l1" eventInstanceID="ei1" relatedToEventInstance="ei2" relType="{}"/>'
    sides = [mark("left", "came", links=link.format(label)) for label in ("BEFORE", "VAGUE")]

    (place,) = tlex.agree(sides).documents[0].places

    assert (place.kind, place.compatible) == ("label", True)
    assert place.labels == {"1": "BEFORE", "2": "VAGUE"}
    assert place.sentences == ("He [left] and she [came] home",)


def test_documents_are_sorted_by_disagreement():
    def corpus(*labels):
        return [
            tlex.from_links([("a", label, "b")]).replace(name=f"{number}.tml")
            for number, label in enumerate(labels)
        ]

    found = tlex.agree({"A": corpus("BEFORE", "BEFORE"), "B": corpus("BEFORE", "AFTER")})

    assert [one.name for one in found.documents] == ["1.tml", "0.tml"]
    assert found.together.equal_pairs == 1
    assert found.together.opposite_orders == 4


def test_names_go_together_whatever_their_endings():
    groups, missing = group_names(
        {"A": ["a.tml", "b.tml"], "B": ["a.xml"], "C": ["a.json", "c.tml"]}
    )

    assert groups == {"a.tml": {"A": "a.tml", "B": "a.xml", "C": "a.json"}}
    assert missing == {"A": ["c.tml"], "B": ["b.tml", "c.tml"], "C": ["b.tml"]}


def test_annotations_of_other_texts_are_refused():
    with pytest.raises(tlex.ComparisonError, match="texts of the two sides differ"):
        tlex.agree([tlex.parse("<TimeML><TEXT>one</TEXT></TimeML>"), mark("left")])


@pytest.mark.parametrize(
    ("given_annotators", "message"),
    [
        ([], "two annotators or more"),
        ([tlex.from_links([])], "two annotators or more"),
        (tlex.from_links([]), "annotators cannot be <Document"),
        ("ab", "annotators cannot be 'ab'"),
        (["a.tml", "b.tml"], "this is a path"),
        (3, "annotators cannot be 3"),
    ],
)
def test_what_are_no_annotators_is_told(given_annotators, message):
    with pytest.raises(tlex.OptionError, match=message):
        tlex.agree(given_annotators)
