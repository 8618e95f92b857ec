"""Decisions: in sequence, with honest costs, and always an end without contradictions."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from contradictory import TYPES, is_consistent, make_document
from hypothesis import given, settings
from strategies import document_of, tangled_graphs

import tlex
from tlex.conflicts.work import Work
from tlex.repair.decisions import _LEAST, Course
from tlex.repair.fix_text import fix_lines
from tlex.repair.fixes import FixTask


def find_least(document: tlex.Document, removed: tuple[str, ...], keep: set[str]) -> int | None:
    """The fewest links that have to go as well; None if those to keep contradict each other."""
    free = [link.id for link in document.links if link.id not in keep | set(removed)]
    for number in range(len(free) + 1):
        for more in combinations(free, number):
            if is_consistent(document, (*removed, *more)):
                return number
    return None


@pytest.mark.parametrize("seed", range(25))
def test_the_first_options_lead_to_the_smallest_repair(seed):
    document = make_document(seed)

    fixed = tlex.fix(document)

    assert len(fixed.removed) == find_least(document, (), set())
    assert is_consistent(document, fixed.removed)
    taken = [link for one in fixed.decisions for link in one.options[0].links]
    assert sorted(taken) == sorted(fixed.removed)
    assert tlex.fix(document, choose={d.number: 1 for d in fixed.decisions}) == fixed
    if fixed.count > 1:  # the one that keeps the first links it can
        ranks = tlex.repair.search.rank_links(document, range(len(document.links)))
        place = {link.id: ranks[n] for n, link in enumerate(document.links)}
        listed = [fixed.removed, *tlex.fix(document, limit=500).alternatives]
        assert fixed.removed == max(listed, key=lambda one: sorted(place[link] for link in one))


@pytest.mark.parametrize("seed", range(25))
def test_what_fits_with_all_that_stays_needs_no_other_look(seed, monkeypatch):
    document = make_document(seed)
    fixed = tlex.fix(document)

    def agree(course, state, one, types):
        return course._is_consistent(state.labels | types, one)  # noqa: SLF001 -- the long way

    monkeypatch.setattr(Course, "_agree", agree)

    assert tlex.fix(document) == fixed


@pytest.mark.parametrize("seed", range(25))
def test_what_the_text_does_not_show_need_not_be_worked_out(seed):
    document = make_document(seed)
    whole = tlex.fix(document)
    task = FixTask(document, brief=True)
    task.follow({})
    brief = task.finish()

    assert (brief.suggestions, brief.alternatives) == ({}, ())
    assert brief.changes == whole.changes
    assert list(fix_lines(brief, 80)) == list(fix_lines(whole, 80))


@pytest.mark.parametrize("seed", range(25))
def test_every_way_through_the_decisions_ends_without_contradiction(seed):
    document = make_document(seed)
    random = Random(seed)  # noqa: S311 -- a test
    choose: dict[int, int] = {}
    while True:
        fixed = tlex.fix(document, choose=choose)
        assert fixed.consistent
        assert is_consistent(fixed.document)
        assert [d.number for d in fixed.decisions] == list(range(1, len(fixed.decisions) + 1))
        tlex.verify(document, fixed.record())
        if len(fixed.decisions) == len(choose):
            break
        decision = fixed.decisions[len(choose)]
        option = random.choice(decision.options)
        choose[decision.number] = option.number
        again = tlex.fix(document, choose=choose)
        assert again.decisions[: len(choose) - 1] == fixed.decisions[: len(choose) - 1]
        assert again.cost == option.cost


@pytest.mark.parametrize("seed", range(25))
def test_the_options_of_the_first_decision_cost_what_they_say(seed):
    document = make_document(seed)

    for option in tlex.fix(document).decisions[0].options if not is_consistent(document) else ():
        changed = document.replace(
            links=tuple(
                link
                if link.id not in option.links
                else tlex.Link(
                    **{f: getattr(link, f) for f in link.__struct_fields__ if f != "type"},
                    type=option.types[link.id],
                )
                for link in document.links
                if link.id not in option.links or link.id in option.types
            )
        )
        rest = find_least(changed, (), set(option.types))
        assert rest is not None
        assert option.cost == len(option.links) + rest
        alone = find_least(document, option.links, set())
        assert option.creates is (rest > (alone or 0))


def test_links_that_say_the_same_are_one_option():
    document = tlex.from_links(
        [("a", "BEFORE", "b"), ("b", "BEFORE", "a"), ("b", "AFTER", "a"), ("b", "BEFORE", "a")]
    )

    options = tlex.fix(document).decisions[0].options

    assert {option.links for option in options} == {("l1", "l3"), ("l2", "l4")}
    assert {"l1": "AFTER", "l3": "BEFORE"} in [option.types for option in options]


def test_a_mended_result_has_the_same_decisions():
    document = tlex.read("examples/contradiction.tml")

    assert tlex.fix(tlex.extract(document, mend=True)).to_json() == tlex.fix(document).to_json()


def test_kept_links_are_no_option():
    document = tlex.from_links([("a", "BEFORE", "b"), ("b", "BEFORE", "a")])

    options = tlex.fix(document, keep=["l2"]).decisions[0].options

    assert {option.links for option in options} == {("l1",)}
    assert options[0].reason == "the other links must stay"


@pytest.mark.parametrize(
    ("links", "says"),
    [
        ("a BEFORE b; b BEFORE a", "l1 says that a comes first, l2 that b does"),
        ("a INCLUDES b; b BEFORE a", "l1 says that a begins first, l2 that b does"),
        ("a BEFORE a", "a begins before it ends, but l1 says that a ends before it begins"),
        (
            "a IBEFORE b; a ENDS b",
            "l1 says that a ends when b begins, l2 that b ends when a ends",
        ),
        (
            "a BEFORE b; b BEFORE c; c BEFORE a",
            (
                "c ends before a begins (l3), a ends before b begins (l1); so c begins before b "
                "ends, but l2 says that b ends before c begins"
            ),
        ),
    ],
)
def test_what_links_disagree_about_is_one_plain_sentence(links, says):
    document = tlex.from_links([tuple(link.split()) for link in links.split("; ")])

    assert tlex.fix(document).decisions[0].says == says


@pytest.mark.parametrize("room", [80, 40])
def test_decisions_fit_into_the_columns(room):
    fixed = tlex.fix(tlex.read("examples/contradiction.tml"))

    lines = list(fix_lines(fixed, room))

    assert all(len(line) <= room for line in lines[3:])
    assert any("[arrived]" in line for line in lines)


def test_a_tangle_has_bounded_decisions():
    random = Random(1)  # noqa: S311 -- a test
    rows = [
        (f"e{a}", random.choice(TYPES[:12]), f"e{b}")
        for a, b in (random.sample(range(40), 2) for _ in range(150))
    ]

    fixed = tlex.fix(tlex.from_links(rows), seconds=0.2)

    changed = [link for one in fixed.decisions for link in one.options[0].links]
    assert set(changed) <= set(fixed.removed)
    assert len(fixed.to_json()) < 600_000
    assert tlex.extract(fixed.document).consistent


def make_table(events, seed):
    random = Random(seed)  # noqa: S311 -- a test
    pairs = combinations(range(events), 2)
    return tlex.from_links([(f"e{a}", random.choice(TYPES[:12]), f"e{b}") for a, b in pairs])


@pytest.mark.parametrize("relabel", [False, True])
def test_a_limit_of_the_search_holds_for_the_decisions_too(monkeypatch, relabel):
    limit, share = 40_000, 10_000
    monkeypatch.setattr("tlex.repair.decisions._LEAST", share)
    monkeypatch.setattr("tlex.repair.decisions._SHARE", share)
    works = count_works(monkeypatch)
    document = make_table(26, 3)

    fixed = tlex.fix(document, work=limit, relabel=relabel)

    most = 16 * 3 * len(document.links)  # what is done between two looks at the limit
    assert [work for work in works if work.limit == share]
    assert all(work.spent < share + most for work in works if work.limit == share)
    assert tlex.extract(fixed.document).consistent


def count_works(monkeypatch):
    """Collect what counts the work of decisions."""
    works = []

    class Counted(Work):
        def __init__(self, *given):
            super().__init__(*given)
            works.append(self)

    monkeypatch.setattr("tlex.repair.decisions.Work", Counted)
    return works


def test_what_is_taken_back_costs_nothing(monkeypatch):
    works = count_works(monkeypatch)
    course = FixTask(make_table(26, 3), work=40_000).course
    for _ in range(3):
        course.choose(1)
    counts = [work for work in works if work.limit == _LEAST][:1]
    before = [work.spent for work in counts]
    while course.current is not None:
        course.choose(1)
    after = [work.spent for work in counts]
    while len(course.taken) > 3:
        course.undo()

    assert before != after
    assert [work.spent for work in counts] == before


def test_a_final_choice_cannot_be_taken_back():
    course = FixTask(make_table(8, 1), work=40_000).course

    course.choose(1, final=True)
    assert not course.undo()
    assert len(course.taken) == 1


def test_of_equal_options_the_one_that_keeps_the_earlier_links_comes_first():
    ring = [(f"e{n}", "BEFORE", f"e{(n + 1) % 4}") for n in range(4)]

    options = tlex.fix(tlex.from_links(ring)).decisions[0].options

    # In text order the links are e0-e1, e0-e3, e1-e2, e2-e3.
    assert [option.links for option in options[:4]] == [("l3",), ("l2",), ("l4",), ("l1",)]
    assert [option.action for option in options] == ["remove"] * 4 + ["relabel"] * 4


def test_links_that_say_the_same_are_shown_with_the_first():
    rows = [("a", "BEFORE", "b"), ("b", "BEFORE", "a"), ("b", "AFTER", "a"), ("b", "AFTER", "a")]

    said = str(tlex.fix(tlex.from_links(rows)))

    assert "l1   a BEFORE b\n        l3, l4 say the same\n      l2   b BEFORE a" in said


@settings(max_examples=80)
@given(graph=tangled_graphs())
def test_a_new_type_that_does_not_settle_its_contradiction_alone_says_so(graph):
    document = document_of(graph)
    fixed = tlex.fix(document, relabel=True)
    types: dict[str, str] = {}

    for decision in fixed.decisions:
        for option in decision.options:
            if option.types:
                new = types | option.types
                links = [link for link in document.links if link.id in decision.links]
                rows = [(link.source, new.get(link.id, link.type), link.target) for link in links]
                settled = tlex.extract(tlex.from_links(rows)).consistent
                assert settled != ("together with other changes" in option.reason)
        types |= decision.options[0].types
