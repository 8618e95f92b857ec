"""Questions, judged by every scenario of four intervals."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenario_judge import MEANING, NAMES, Judge, holds

import tlex
from tlex.comparison.questions import _ALLEN, _read_question

LINKS = st.lists(
    st.tuples(st.sampled_from(NAMES), st.sampled_from([*MEANING]), st.sampled_from(NAMES)).filter(
        lambda link: link[0] != link[2]
    ),
    max_size=6,
)
NAME = st.sampled_from(NAMES)
ANSWERS = {"entailed": "yes", "contradicted": "no", "open": "unknown"}
ALLEN = {
    "BEFORE": "before",
    "IBEFORE": "Meets",
    "BEGINS": "starts",
    "ENDS": "finishes",
    "SIMULTANEOUS": "EQUAL",
    "ENDED_BY": "finished-by",
    "INCLUDES": "includes",
    "BEGUN_BY": "started_by",
    "IAFTER": "met-by",
}


def make(links):
    """A document in which every interval occurs: VAGUE says nothing."""
    return tlex.from_links([*links, ("a", "VAGUE", "b"), ("c", "VAGUE", "d")])


def find_reason(judge, links, one, other, mask):
    """Why an answer is unknown, by definition."""
    spoken = {end for source, _, target in links for end in (source, target)}
    if not {one, other} <= spoken:
        return "in no link"
    group = {name: name for name in NAMES}
    for source, _, target in links:
        old, new = group[source], group[target]
        group = {name: new if own == old else own for name, own in group.items()}
    if group[one] != group[other]:
        return "not connected"
    if judge.policy != "every":
        return "open"
    numbers = range(len(judge.masks))
    verdicts = set()
    for gone in judge.repairs:
        world = judge.everyone
        for number in numbers:
            if number not in gone:
                world &= judge.masks[number]
        verdicts.add("yes" if not world & ~mask else "open" if world & mask else "no")
    return "disputed" if len(verdicts) > 1 else "open"


@settings(max_examples=120)
@given(
    links=LINKS,
    one=NAME,
    label=st.sampled_from([*MEANING]),
    other=NAME,
    policy=st.sampled_from(["every", "repair", "part"]),
)
def test_answers_and_reasons_are_those_of_brute_force(links, one, label, other, policy):
    judge = Judge(links, policy)
    mask = holds(one, label, other)

    reply = tlex.ask(make(links), f"IS {one} {label.lower()} {other}", contradictions=policy)

    assert reply.answer == ANSWERS[judge.judge(mask)]
    if reply.answer == "unknown":
        assert reply.reason == find_reason(judge, links, one, other, mask)
        assert not reply.proof
    else:
        assert reply.reason is None


@given(links=LINKS, one=NAME, label=st.sampled_from([*ALLEN]), other=NAME)
def test_the_names_of_allen_ask_the_same(links, one, label, other):
    document = make(links)

    ours, theirs = (
        tlex.ask(document, f"IS {one} {word} {other}") for word in (label, ALLEN[label])
    )

    assert (ours.answer, ours.reason, ours.possible) == (
        theirs.answer,
        theirs.reason,
        theirs.possible,
    )


@given(links=LINKS, one=NAME, other=NAME)
def test_exactly_the_possible_relations_are_not_answered_with_no(links, one, other):
    document = make(links)
    if not tlex.extract(document).consistent:
        return

    names = {name.lower().replace("_", "-") for name in _ALLEN}
    names = {"is_included" if name == "during" else name for name in names}
    left = {name for name in names if tlex.ask(document, f"IS {one} {name} {other}").answer != "no"}

    (first, *_) = replies = tlex.ask(document, [f"IS {one} before {other}"])
    assert len(replies) == 1
    expected = {"is_included" if r.name == "during" else r.name for r in first.possible}
    assert left == expected


@given(links=LINKS, one=NAME, label=st.sampled_from([*MEANING]), other=NAME)
def test_a_proof_leads_along_links_that_are_believed(links, one, label, other):
    document = make(links)

    reply = tlex.ask(document, f"IS {one} {label} {other}", contradictions="repair")

    known = {link.id for link in document.links} - {*reply.not_believed}
    used = [link for proof in reply.proof for link in proof.links]
    assert {*used} - {"question"} <= known
    assert {link.id for link in reply.links} == {*used} - {"question"}
    for proof in reply.proof:
        steps = proof.walk
        assert all(a.right == b.left for a, b in pairwise(steps))
        strict = any(step.order == "<" for step in steps)
        assert proof.order == ("<" if strict else "=")
        if reply.answer == "no":
            assert strict
            assert steps[0].left == steps[-1].right


def test_without_knots_links_beside_the_contradiction_are_believed():
    document = tlex.from_links([("a", "BEFORE", "b"), ("b", "BEFORE", "a"), ("b", "BEFORE", "c")])

    knot, part = (
        tlex.ask(document, "IS b BEFORE c", contradictions=policy) for policy in ("knot", "part")
    )

    assert (knot.answer, knot.not_believed) == ("yes", ("l1", "l2"))
    assert (part.answer, part.not_believed) == ("unknown", ("l1", "l2", "l3"))
    assert part.reason == "open"


def test_the_calendar_is_always_believed():
    text = (
        '<TimeML><TEXT><TIMEX3 tid="t1" type="DATE" value="2001">2001</TIMEX3> '
        '<TIMEX3 tid="t2" type="DATE" value="1999">1999</TIMEX3></TEXT>'
        '<TLINK lid="l1" timeID="t1" relatedToTime="t2" relType="BEFORE"/></TimeML>'
    )
    document = tlex.parse(text)

    with_it, without = (
        tlex.ask(document, 'IS "2001" BEFORE 1999?', calendar=calendar)
        for calendar in (True, False)
    )

    assert (with_it.answer, with_it.not_believed) == ("no", ("l1",))
    assert with_it.links[0].kind == "CALENDAR"
    assert (without.answer, without.not_believed) == ("yes", ())


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("IS a BEFORE b", ("a", "BEFORE", "b")),
        (
            "  is  'fell asleep'  before \"eleven o'clock\" ? ",
            ("fell asleep", "before", "eleven o'clock"),
        ),
        ("IS \u201cfell asleep\u201d BEFORE o'clock?", ("fell asleep", "BEFORE", "o'clock")),
        ('IS "is" IS_INCLUDED IS', ("is", "IS_INCLUDED", "IS")),
    ],
)
def test_words_with_blanks_stand_in_quotes(question, parts):
    assert _read_question(question) == parts


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("", "a question reads IS x REL y, not ''"),
        ("a BEFORE b", "a question reads IS x REL y"),
        ("IS a BEFORE b c", "words with blanks stand in quotes"),
        ("IS a BEFOR b", "no label 'BEFOR'; did you mean BEFORE or IBEFORE"),
        ("IS a zzzzzz b", "docs/labels.md lists all labels"),
        ("IS a VAGUE b", "VAGUE says nothing about the order of time"),
        ("IS a modal b", "MODAL says nothing about the order of time"),
        (3, "question takes words, not 3"),
    ],
)
def test_what_is_no_question_is_told(question, message):
    document = tlex.from_links([("a", "BEFORE", "b")])

    with pytest.raises(tlex.OptionError) as caught:
        tlex.ask(document, [question])

    assert message in str(caught.value)


def test_an_expression_that_is_not_there_makes_the_answer_unknown():
    document = tlex.read("examples/story.tml")

    reply = tlex.ask(document, 'IS built BEFORE "midnigt"')

    assert (reply.answer, reply.reason) == ("unknown", "no such expression")
    assert reply.source is not None
    assert reply.target is None
    assert 'did you mean "midnight" (t4)' in reply.message


def test_words_of_several_are_ambiguous():
    with pytest.raises(tlex.AmbiguousError) as caught:
        tlex.ask(tlex.read("examples/story.tml"), "IS hoot BEFORE midnight")

    assert len(caught.value.candidates) == 2


def test_own_labels_of_a_document_can_be_asked():
    document = tlex.from_links([("a", "BEFORE", "b")]).replace(
        labels={"TLINK": {"SOON": ("A+ < B-",)}}
    )

    assert tlex.ask(document, "IS a soon b").answer == "yes"


def test_aspectual_links_and_labels_count_unless_told_otherwise():
    document = tlex.read("examples/story.tml")
    (link, *_) = [link for link in document.links if link.kind == "ALINK"]
    question = f"IS {link.source} {link.type} {link.target}"

    assert tlex.ask(document, question).answer == "yes"
    assert tlex.ask(document, question, links=["TLINK"]).answer == "unknown"


def test_a_question_that_is_not_unicode_has_an_answer_as_json():
    document = tlex.from_links([("a", "BEFORE", "b")])

    reply = tlex.ask(document, "IS \udcff BEFORE b")

    assert reply.reason == "no such expression"
    assert b"\\\\udcff" in reply.to_json()


def test_possible_is_what_some_smallest_repair_leaves_possible():
    document = tlex.read("examples/contradiction.tml")

    every, repair = (
        tlex.ask(document, "IS ate BEFORE arrived", contradictions=policy)
        for policy in ("every", "repair")
    )

    assert (every.reason, len(every.possible)) == ("disputed", 13)
    assert [relation.name for relation in repair.possible] == ["after"]


def test_how_many_repairs_are_looked_at_is_limited_and_said(monkeypatch):
    pairs = [("a", "b"), ("b", "a"), ("c", "d"), ("d", "c"), ("a", "c"), ("a", "e"), ("a", "f")]
    document = tlex.from_links([(one, "BEFORE", other) for one, other in pairs])
    assert tlex.ask(document, "IS e BEFORE f").reason == "open"

    monkeypatch.setattr("tlex.comparison.smallest_repairs._LOOKED", 0)

    reply = tlex.ask(document, "IS e BEFORE f")
    assert (reply.answer, reply.reason) == ("unknown", "undecided")
    assert "too many smallest repairs" in reply.message
