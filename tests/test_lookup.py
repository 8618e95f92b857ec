"""What a user writes, and which event or time is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

import tlex
from tlex.errors import AmbiguousError, OptionError, UnknownNameError
from tlex.lookup import find_node

ROOT = Path(__file__).parents[1]
TEXT = """<TimeML>
<EVENT eid="e1">fell   asleep</EVENT> and <EVENT eid="e2">Said</EVENT>
<EVENT eid="e3">said</EVENT> <EVENT eid="e4">asleep at last</EVENT> <EVENT eid="e5">late</EVENT>
<TIMEX3 tid="t1" type="DATE" value="1">late</TIMEX3> <TIMEX3 tid="t2" type="DATE" value="1">very
late</TIMEX3> <EVENT eid="e6">C++ (again)</EVENT> <EVENT eid="e7">STRASSE</EVENT>
<EVENT eid="e8">e1</EVENT>
<MAKEINSTANCE eiid="ei1" eventID="e1"/><MAKEINSTANCE eiid="ei2" eventID="e2"/>
<MAKEINSTANCE eiid="ei3" eventID="e3"/><MAKEINSTANCE eiid="ei4" eventID="e4"/>
<MAKEINSTANCE eiid="ei5" eventID="e5"/><MAKEINSTANCE eiid="ei55" eventID="e5"/>
<MAKEINSTANCE eiid="ei6" eventID="e6"/><MAKEINSTANCE eiid="ei7" eventID="e7"/>
<MAKEINSTANCE eiid="ei9" eventID="e99"/>
</TimeML>"""


@pytest.fixture
def find():
    document = tlex.parse(TEXT, name="a.tml")

    return lambda asked: document.nodes[find_node(document, asked)].id


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("ei1", "ei1"),
        (" t1 ", "t1"),
        ("e8", "e8"),  # an event without an instance
        ("e1", "ei1"),  # the event's one instance, though another event has the words
        ("e99", "ei9"),  # the instance of an event that is missing
        ("fell asleep", "ei1"),
        ("FELL \n asleep", "ei1"),
        ("fell", "ei1"),
        ("at last", "ei4"),
        ("very late", "t2"),
        ("very", "t2"),
        ("c++ (again)", "ei6"),
        ("C++", "ei6"),
        ("straße", "ei7"),
    ],
)
def test_an_id_comes_first_then_an_event_then_words(find, asked, meant):
    assert find(asked) == meant


@pytest.mark.parametrize(
    ("asked", "candidates"),
    [
        ("said", ('"Said" (ei2), line 2', '"said" (ei3), line 3')),
        ("asleep", ('"fell asleep" (ei1), line 2', '"asleep at last" (ei4), line 3')),
        # Only those whose words are just these.
        ("late", ('"late" (ei5), line 3', '"late" (ei55), line 3', '"late" (t1), line 4')),
        ("e5", ('"late" (ei5), line 3', '"late" (ei55), line 3')),
    ],
)
def test_what_several_have_is_answered_with_all_of_them(find, asked, candidates):
    with pytest.raises(AmbiguousError) as caught:
        find(asked)

    assert caught.value.candidates == candidates
    assert str(caught.value) == (
        f"{asked!r} may be any of {len(candidates)}; give the id of one: {'; '.join(candidates)}"
    )


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        ("ei11", "; did you mean 'ei1'"),
        ("fel aslep", '; did you mean "fell asleep" (ei1), line 2'),
        ("asleepat", '; did you mean "asleep at last" (ei4), line 3'),
        ("sleep", ""),  # no whole word, and too far from any
        ("", ""),
        ("  ", ""),
        ("xyzzy", ""),
    ],
)
def test_what_nobody_has_is_an_error_with_the_nearest(find, asked, hint):
    with pytest.raises(UnknownNameError) as caught:
        find(asked)

    message = f"no event or time has the id or the words {asked.strip()!r}"
    assert str(caught.value).startswith(message + hint)
    assert hint or "mean" not in str(caught.value) or asked == "sleep"


def test_something_that_is_no_text_is_an_error(find):
    with pytest.raises(OptionError, match="named by its id or words, not by 3"):
        find(3)


def test_a_long_list_is_cut_in_the_message_but_not_in_the_candidates():
    texts = {f"e{number}": "said" for number in range(12)}
    links = [(f"e{number}", "BEFORE", f"e{number + 1}") for number in range(11)]
    result = tlex.extract(tlex.from_links(links, texts=texts))

    with pytest.raises(AmbiguousError) as caught:
        result.relation("said", "e1")

    assert len(caught.value.candidates) == 12
    assert str(caught.value).endswith('"said" (e9) and 2 more')


def test_both_questions_take_words():
    result = tlex.extract(tlex.read(ROOT / "examples" / "story.tml"))

    assert result.relation("snowed", "MIDNIGHT") == result.relation("ei1", "t4")
    assert result.why("snowed", "e4") == result.why("ei1", "ei4")
