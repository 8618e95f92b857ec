"""Lists of events: their order, their words, and how they deal with contradictions."""

from __future__ import annotations

from itertools import combinations, pairwise

import brute
import pytest
from calendar_documents import DURATION, MOMENT, TIMES, write
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import document_of, links_among, tangled_graphs

import tlex
from tlex.reason import event_answers

STORY = "examples/story.tml"
LISTS = ("certain", "possible", "unrelated", "inconsistent", "undecided")
INSIDE = {
    "before": {"before", "meets"},
    "after": {"after", "met-by"},
    "during": {"during", "starts", "finishes", "equal"},
}


def sort_out(found) -> dict[str, str]:
    return {event.id: name for name in LISTS for event in getattr(found, name)}


@settings(max_examples=12)
@given(graph=tangled_graphs(brute.TLINKS))
@pytest.mark.parametrize("policy", ["part", "repair", "every"])
def test_contradictions_are_dealt_with_as_in_relations(policy, graph):
    result = tlex.extract(document_of(graph._replace(instants=frozenset())))
    names = [*result.document.index][:4]

    for asked in names:
        for condition, inside in INSIDE.items():
            found = getattr(result, condition)(asked, contradictions=policy)
            listed = sort_out(found)
            assert found.contradictions == policy
            for event in names:
                relation = result.relation(event, asked, contradictions=policy)
                said = set(relation.names)
                if event == asked:
                    assert event not in listed
                elif relation.verdict in {"unrelated", "inconsistent"}:
                    assert listed[event] == relation.verdict
                elif relation.verdict != "undecided":
                    expected = (
                        "certain" if said <= inside else "possible" if said & inside else None
                    )
                    assert listed.get(event) == expected


def test_every_repair_knows_dates_too():
    days = [("1998-03-11", {}), ("1998-03-13", {})]
    links = [
        ("ei1", "IS_INCLUDED", "t1"),
        ("ei1", "IS_INCLUDED", "t2"),
        ("ei2", "AFTER", "t2"),
        ("ei3", "AFTER", "ei1"),
    ]
    result = tlex.extract(write(days, links, events=3), calendar=True)

    chosen = sort_out(result.after("1998-03-12", contradictions="repair"))
    every = sort_out(result.after("1998-03-12", contradictions="every"))
    part = sort_out(result.after("1998-03-12"))

    assert result.events(contradictions="repair").mended == ("l2",)
    assert chosen == {"ei2": "certain", "ei3": "possible"}
    assert every == {"ei1": "possible", "ei2": "certain", "ei3": "possible"}
    assert set(part.values()) == {"inconsistent"}


LINKS = st.lists(
    st.tuples(
        st.integers(0, 6),
        st.sampled_from(("BEFORE", "IS_INCLUDED", "SIMULTANEOUS", "BEGINS", "IAFTER")),
        st.integers(0, 6),
    ),
    max_size=8,
)


@given(times=st.lists(TIMES, max_size=2), links=LINKS, calendar=st.booleans())
def test_what_is_known_to_start_later_is_listed_later(times, links, calendar):
    names = [f"ei{number}" for number in range(1, 6)]
    names += [f"t{number + 1}" for number in range(len(times))]
    ends = [
        (names[one % len(names)], label, names[other % len(names)]) for one, label, other in links
    ]
    document = write(times, [link for link in ends if link[0] != link[2]], events=5)
    result = tlex.extract(document, calendar=calendar, mend=True)

    found = result.events().certain

    assert sorted(event.id for event in found) == names[:5]
    for one, other in combinations(found, 2):
        orders = result.relation(other.id, one.id).orders
        assert not orders or orders[0].orders != ("<",)
    assert not found or found[0].order == "first"
    for one, other in pairwise(found):
        orders = result.relation(one.id, other.id).orders
        said = {"<": "after", "=": "same", "<=>": "unknown"}
        expected = said["".join(orders[0].orders)] if orders else "first"
        assert other.order == expected


def test_the_order_of_very_many_neighbours_is_not_worked_out(monkeypatch):
    monkeypatch.setattr(event_answers, "PAIRS_LIMIT", 2)

    found = tlex.extract(tlex.read(STORY)).events().certain

    assert {event.order for event in found if event.timeline == 0} == {"first", "same", None}


def test_an_event_says_in_which_world_it_is():
    result = tlex.extract(
        write(
            [("1998-03-12", MOMENT), ("1999", {})],
            [
                ("ei1", "BEFORE", "t1"),
                ("ei2", "IS_INCLUDED", "t2"),
                ("ei1", "MODAL", "ei2", "SLINK"),
            ],
            events=3,
        ),
        calendar=True,
    )

    found = {event.id: event for event in result.after("ei1").certain}

    assert found["ei2"].role == "branch"
    assert found["ei2"].branch_of.id == "ei1"
    assert found["ei2"].factuality == "possible"
    assert [event.id for event in result.after("ei1").unrelated] == ["ei3"]
    assert [event.role for event in result.events().certain] == ["main", "branch", "main"]


def test_ids_go_before_dates_and_dates_before_words():
    document = tlex.parse(
        '<TimeML><TIMEX3 tid="2009" type="DATE" value="1998">1999</TIMEX3>'
        '<TIMEX3 tid="t2" type="DATE" value="2001">1999</TIMEX3>'
        '<EVENT eid="e1" class="OCCURRENCE">fell</EVENT>'
        '<TLINK lid="l1" eventInstanceID="e1" relType="IS_INCLUDED" relatedToTime="2009"/></TimeML>'
    )
    result = tlex.extract(document, calendar=True)

    assert result.during("2009").conditions[0].node.id == "2009"
    assert result.during("1999").conditions[0].node is None
    assert sort_out(result.during("2009")) == {"e1": "certain"}
    assert sort_out(result.before("1999")) == {"e1": "certain"}
    assert sort_out(result.events(on="2009")) == {}
    with pytest.raises(tlex.OptionError, match="dates need the calendar"):
        tlex.extract(document).before("1999")


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({"before": 7}, "before takes an id, words or a date, not 7"),
        ({"on": "ei4"}, "'ei4' is no date that can be used; dates are written like"),
        ({"on": "XXXX-12-25"}, "'XXXX-12-25' is no date"),
        ({"during": "2013-W53"}, "not on the calendar"),
        ({"after": "0000"}, "outside the years"),
        ({"after": "2013-03-12T25:00"}, "is no date that can be used"),
        ({"after": ""}, "no event or time has the id or the words ''"),
    ],
)
def test_what_cannot_be_asked_about_is_refused(asked, problem):
    result = tlex.extract(tlex.read(STORY), calendar=True)

    with pytest.raises(tlex.OptionError, match=problem):
        result.events(**asked)


def test_a_date_needs_the_calendar():
    result = tlex.extract(tlex.read(STORY))

    with pytest.raises(tlex.OptionError, match=r"need the calendar \(calendar=True\)"):
        result.before("1998-03-12")


def test_a_duration_and_loose_values_are_known_as_far_as_their_bounds_go():
    document = write(
        [("1998", {}), ("2000", {}), DURATION, ("1998-Q3", {})],
        [("ei1", "IS_INCLUDED", "t3"), ("ei2", "IS_INCLUDED", "t4"), ("ei3", "ENDS", "t3")],
        events=3,
    )
    result = tlex.extract(document, calendar=True)

    assert sort_out(result.after("1997")) == {
        "ei1": "certain",
        "ei2": "possible",
        "ei3": "certain",
    }
    assert sort_out(result.before("2000")) == {
        "ei1": "possible",
        "ei2": "certain",
        "ei3": "possible",  # it may end with the first instant of 2000
    }
    assert sort_out(result.during("1998-Q3")) == {"ei1": "possible", "ei2": "possible"}


@given(graph=links_among(4, ("BEFORE", "INCLUDES"), 4, least=1))
def test_an_answer_is_written_as_json_and_read_again(graph):
    import msgspec  # noqa: PLC0415

    result = tlex.extract(tlex.from_links([(f"e{a}", b, f"e{c}") for a, b, c in graph]))

    line = result.answer(events=result.events()).to_json()

    assert msgspec.json.decode(line, type=tlex.Answer).events == result.events()
