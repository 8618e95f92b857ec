"""A session: any order, any change of one's own, and always an end without contradictions."""

from __future__ import annotations

from random import Random

import pytest
from contradictory import is_consistent, make_document

import tlex
from tlex.errors import OptionError
from tlex.repair.fixes import FixTask
from tlex.repair.session import Session
from tlex.repair.writing import change_links

PAIRS = tlex.from_links(
    [
        ("a", "BEFORE", "b"),
        ("a", "BEGINS", "b"),
        ("c", "BEFORE", "d"),
        ("d", "BEFORE", "c"),
        ("e", "BEFORE", "f"),
        ("e", "BEGINS", "f"),
        ("h", "BEFORE", "g"),
        ("h", "BEGINS", "g"),
    ]
)


def begin(document: tlex.Document) -> Session:
    return Session(FixTask(document))


@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_decided_in_any_order_the_end_is_consistent_and_can_be_repeated(seed):
    document, random = make_document(seed), Random(seed)  # noqa: S311 -- a test
    session = begin(document)

    while session.current is not None:
        assert session.turn_to(random.choice(session.open).minimal)
        decision = session.current
        links = {link.id: link for link in document.links}
        if random.random() < 0.4:
            name = random.choice(decision.links)
            types = sorted(tlex.repair.relabelling.list_nearest(document, links[name]))
            try:
                session.change(name, random.choice([None, *types]))
            except OptionError:
                session.choose(1)
        else:
            session.choose(random.randint(1, len(decision.options)))
        assert len(session.answers) < 40

    after = change_links(document, session.changes)
    assert is_consistent(after)
    assert session.standing.result.consistent
    again = begin(document)
    assert again.repeat(session.answers) == len(session.answers)
    assert (again.changes, again.answers) == (session.changes, session.answers)


@pytest.mark.parametrize("seed", range(12))
def test_undoing_everything_leads_back_to_the_beginning(seed):
    document, random = make_document(seed), Random(seed)  # noqa: S311 -- a test
    session = begin(document)
    first, left = session.current, session.left

    seen = []
    while session.current is not None:
        seen.append((session.current.links, session.left))
        session.choose(random.randint(0, len(session.current.options)))
    while session.undo():
        links, many = seen.pop()
        assert session.current is not None
        assert (session.current.links, session.left) == (links, many)

    assert seen == []
    assert (session.current, session.left, session.changes) == (first, left, ())


def test_decisions_of_one_pattern_are_settled_and_undone_together():
    session = begin(PAIRS)
    assert session.say_pattern() == "BEFORE and BEGINS on one pair"
    assert [conflict.minimal for conflict in session.list_alike()] == [("l5", "l6"), ("l7", "l8")]
    option = next(one.number for one in session.current.options if one.links == ("l1",))

    settled = session.choose_alike(option, note="a start is no end")

    assert settled == 3
    assert [change.link for change in session.changes] == ["l1", "l5", "l7"]
    assert {change.why for change in session.changes} == {"a start is no end"}
    assert session.current.links == ("l3", "l4")
    again = begin(PAIRS)
    assert again.repeat(session.answers) == 3
    for one in (session, again):
        assert one.undo()
        assert one.changes == ()
        assert not one.undo()


def test_a_reason_of_the_program_is_no_note_of_an_annotator():
    links = [("a", "b"), ("b", "c"), ("c", "a"), ("b", "d"), ("d", "a")]
    session = begin(tlex.from_links((one, "BEFORE", other) for one, other in links))
    noted = begin(session.document)

    session.choose(1)
    noted.choose(1, note="read twice")

    assert [(one.link, one.why) for one in session.changes] == [
        ("l1", "tlex: the smallest repair in all")
    ]
    assert [one.why for one in noted.changes] == ["read twice"]


def test_a_choice_of_ones_own_takes_links_along_that_say_the_same():
    document = tlex.from_links(
        [("a", "BEFORE", "b"), ("b", "AFTER", "a"), ("b", "BEFORE", "a"), ("c", "BEFORE", "d")]
    )
    session = begin(document)

    session.change("l1", "INCLUDES", note="seen")

    assert [(change.link, change.new) for change in session.changes] == [
        ("l1", "INCLUDES"),
        ("l2", "IS_INCLUDED"),
    ]
    assert session.current is not None
    with pytest.raises(OptionError, match="decided already"):
        session.change("l1", "BEFORE")
    with pytest.raises(OptionError, match="in no part"):
        session.change("l4", "AFTER")
    with pytest.raises(OptionError, match="is no other type"):
        session.change("l3", "SOMETIME")


def test_a_contradiction_that_was_left_as_it_is_is_still_there():
    session = begin(PAIRS)

    session.skip_rest()

    assert session.changes == ()
    assert len(session.answers) == 4
    assert not session.standing.result.consistent


def test_only_what_was_decided_is_changed():
    session = begin(PAIRS)

    session.choose(1)

    assert len(session.changes) == 1
    assert session.left == 3
