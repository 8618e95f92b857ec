"""Which events are before, after or during something, judged by every ordering there is."""

from __future__ import annotations

from itertools import combinations, product
from typing import NamedTuple

import brute
from calendar_documents import EACH_TIME, write
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import Graph, consistent_graphs, document_of, number_of, placed_graphs

import tlex
from tlex.timex import find_bounds

CONDITIONS = {
    "before": lambda e, x: e.end <= x.start,
    "after": lambda e, x: x.end <= e.start,
    "during": lambda e, x: x.start <= e.start and e.end <= x.end,
}
SEVERAL = [*combinations(CONDITIONS, 2), tuple(CONDITIONS)]
LISTS = ("certain", "possible", "unrelated", "inconsistent", "undecided")


def sort_out(found) -> dict[str, str]:
    """Which list each event is in."""
    listed = [(event.id, name) for name in LISTS for event in getattr(found, name)]
    assert len(dict(listed)) == len(listed)
    return dict(listed)


def judge(truths) -> str | None:
    """What holds in all of some worlds is certain; what holds in none is excluded."""
    truths = set(truths)
    if truths == {True}:
        return "certain"
    return "possible" if True in truths else None


def judge_unordered(orderings, event: int, asked: int) -> str | None:
    pictures = [(brute.stretch(w, event), brute.stretch(w, asked)) for w in orderings]
    before = {e.end <= x.start for e, x in pictures}
    after = {x.end <= e.start for e, x in pictures}
    if before == {True} or after == {True} or before == after == {False}:
        return None
    for one, other in product((0, 1), repeat=2):
        if len({(e[one] > x[other]) - (e[one] < x[other]) for e, x in pictures}) != 3:
            return "possible"
    return "certain"


def worlds_of(graph: Graph):
    worlds = brute.worlds(graph.size, graph.instants)
    return worlds.list(worlds.meeting(*graph.links))


@settings(max_examples=60)
@given(graph=consistent_graphs())
def test_one_condition_is_judged_by_every_ordering(graph):
    orderings = worlds_of(graph)
    result = tlex.extract(document_of(graph), times="point")
    part = {member: own for own in brute.split(graph.size, graph.links) for member in own}
    events = [node.id for node in result.nodes if node.kind == "event"]

    for asked in result.document.index:
        number = number_of(asked)
        for relation, holds in CONDITIONS.items():
            found = sort_out(getattr(result, relation)(asked))
            for event in events:
                own = number_of(event)
                truths = [holds(brute.stretch(w, own), brute.stretch(w, number)) for w in orderings]
                related = part[own] == part[number]
                expected = judge(truths) if related else "unrelated"
                assert found.get(event) == (None if event == asked else expected)
        found = sort_out(result.unordered(asked))
        for event in events:
            own = number_of(event)
            expected = judge_unordered(orderings, own, number)
            expected = expected if part[own] == part[number] else "certain"
            assert found.get(event) == (None if event == asked else expected)


class Asked(NamedTuple):
    """A graph, one of its parts, and conditions on intervals of this part, by relation."""

    graph: Graph
    part: tuple[int, ...]
    conditions: dict[str, int]


@st.composite
def several_conditions(draw: st.DrawFn) -> Asked:
    graph = draw(consistent_graphs() | placed_graphs(4))
    named = {
        *graph.instants,
        *(end for source, _, target in graph.links for end in (source, target)),
    }
    part = draw(st.sampled_from([p for p in brute.split(graph.size, graph.links) if p[0] in named]))
    relations = draw(st.sampled_from(SEVERAL))
    return Asked(graph, part, {relation: draw(st.sampled_from(part)) for relation in relations})


@settings(max_examples=60)
@given(several_conditions())
def test_conditions_are_judged_together(asked):
    graph, own, conditions = asked
    orderings = worlds_of(graph)
    result = tlex.extract(document_of(graph), times="point")
    names = {relation: f"e{number}" for relation, number in conditions.items()}

    found = sort_out(result.events(**names))

    for node in result.nodes:
        event = number_of(node.id)
        if node.kind == "event" and node.id not in names.values():
            truths = [
                all(
                    CONDITIONS[relation](brute.stretch(w, event), brute.stretch(w, number))
                    for relation, number in conditions.items()
                )
                for w in orderings
            ]
            assert found.get(node.id) == (judge(truths) if event in own else "unrelated")


LINKS = st.lists(
    st.tuples(
        st.sampled_from(["ei1", "ei2"]),
        st.sampled_from(brute.TLINKS),
        st.sampled_from(["ei1", "ei2", "t1", "t2", "t3"]),
    ),
    max_size=4,
)
DAYS = ["2000-01-01", "2000-01-02", "2000-01-03"]
GRID = [*(instant + part / 10 for instant in range(-1, 4) for part in (2, 4, 6, 8)), *range(4)]
STRETCHES = [brute.Stretch(*pair) for pair in product(sorted(GRID), repeat=2) if pair[0] < pair[1]]


@settings(max_examples=30, deadline=None)
@given(
    times=st.lists(st.sampled_from(range(3)), min_size=3, max_size=3),
    links=LINKS,
    asked=st.sampled_from(range(3)),
)
def test_a_date_is_judged_by_everything_that_can_have_been(times, links, asked):
    links = [link for link in links if link[0] != link[2]]
    document = write([(DAYS[day], {}) for day in times], links, events=2)
    result = tlex.extract(document, calendar=True)
    assume(result.consistent)
    known = {f"t{place + 1}": brute.Stretch(day, day + 1) for place, day in enumerate(times)}
    mixed = [link for link in links if not {link[0], link[2]} <= {"ei1", "ei2"}]
    both = [link for link in links if link not in mixed]
    fits = {
        name: [
            own
            for own in STRETCHES
            if all(
                brute.holds(label, own, known[target])
                for source, label, target in mixed
                if source == name
            )
        ]
        for name in ("ei1", "ei2")
    }
    possible = [
        dict(zip(("ei1", "ei2"), pair, strict=True))
        for pair in product(fits["ei1"], fits["ei2"])
        if all(
            brute.holds(label, *(pair[int(end[2]) - 1] for end in (source, target)))
            for source, label, target in both
        )
    ]
    assume(possible)

    for relation, holds in CONDITIONS.items():
        found = sort_out(getattr(result, relation)(DAYS[asked]))
        for event in ("ei1", "ei2"):
            truths = [holds(own[event], brute.Stretch(asked, asked + 1)) for own in possible]
            related = result.timeline_of(event) is result.timeline_of("t1")
            assert found.get(event) == (judge(truths) if related else "unrelated"), relation


QUESTIONS = (
    *("1998", "199", "1998-03-12", "1998-02", "1998-07-04", "1998-W20", "1998-03-12T12:00"),
    *("1998-Q1", "1998-03-12TMO", "1998-03-12TAF", "1998-03-12T12:00Z", "1998-W12-WE", "1996-SU"),
)


def touches(one: str, other) -> bool:
    """Whether values that are not the same begin or end at one instant."""
    left, right = find_bounds(one), find_bounds(other[0], mod=other[1].get("mod", ""))
    if one == other[0] and not other[1] and left.exact:
        return False
    edges = [
        {
            (place + 1) // 4
            for place in (own.earliest_start, own.latest_start, own.earliest_end, own.latest_end)
        }
        for own in (left, right)
    ]
    return bool(edges[0] & edges[1])


APART = {asked: [time for time in EACH_TIME if not touches(asked, time)] for asked in QUESTIONS}
"""The times that a document may have for each question."""


@st.composite
def questions(draw: st.DrawFn):
    """A date, times that it does not touch, and links that do not contradict them."""
    asked = draw(st.sampled_from(QUESTIONS))
    times = draw(st.lists(st.sampled_from(APART[asked]), min_size=1, max_size=4))
    names = [f"t{number + 1}" for number in range(len(times))] + ["ei1", "ei2", "ei3"]
    links = []
    for link in draw(
        st.lists(
            st.tuples(
                st.sampled_from(names),
                st.sampled_from(("BEFORE", "IS_INCLUDED", "OVERLAP", "BEGINS", "IAFTER")),
                st.sampled_from(names),
            ),
            max_size=6,
        )
    ):
        more = [*links, link]
        if tlex.extract(write(times, more, events=3), calendar=True).consistent:
            links = more
    return asked, times, links


@settings(max_examples=60)
@given(questions())
def test_a_date_is_answered_as_if_the_document_had_such_a_time(question):
    asked, times, links = question
    result = tlex.extract(write(times, links, events=3), calendar=True)
    assert result.consistent
    more = f"t{len(times) + 1}"
    added = tlex.extract(write([*times, (asked, {})], links, events=3), calendar=True)
    assert added.consistent

    for relation in (*CONDITIONS, "unordered"):
        assert sort_out(getattr(result, relation)(asked)) == sort_out(
            getattr(added, relation)(more)
        )
    # and what a node gives is what the relation says
    for event in ("ei1", "ei2", "ei3"):
        said = {own.name for own in added.relation(event, more).relations}
        listed = sort_out(added.before(more)).get(event)
        if said:
            inside = said <= {"before", "meets"}
            touching = bool(said & {"before", "meets"})
            assert listed == ("certain" if inside else "possible" if touching else None)
