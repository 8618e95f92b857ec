"""Sentences with marked words: whole where there is room, never wider than that, and harmless."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.quotation import quote
from tlex.wording import measure


def document_of(marked):
    """Make a document of a text in which braces stand around the words of events."""
    text, events = "", []
    for number, piece in enumerate(re.split(r"[{}]", marked)):
        if number % 2:
            events.append(tlex.Event(f"e{number // 2}", {}, -1, None, len(text), len(text + piece)))
        text += piece
    index = {event.id: number for number, event in enumerate(events)}
    plain = tlex.from_links([("a", "BEFORE", "b")])
    return plain.replace(text=text, events=tuple(events), nodes=tuple(events), index=index)


def quote_all(marked, room=240):
    document = document_of(marked)
    return quote(document, document.nodes, room)


def test_both_ends_of_a_link_are_marked_in_their_sentence():
    text = "It rained. He {left}\n  after the bomb {exploded}. Nobody came."

    assert quote_all(text) == ["He [left] after the bomb [exploded]."]


def test_words_in_two_sentences_give_both_in_text_order():
    document = document_of("He {left}. It {rained} hard. She {slept}.")

    assert quote(document, ["e2", "e0"]) == ["He [left].", "She [slept]."]


def test_what_has_no_words_in_the_text_is_left_out():
    document = document_of("He {left}. {}{ }")

    assert quote(document, ["e0", "e1", "e2", "nobody"]) == ["He [left]."]
    assert quote(document, []) == quote(tlex.from_links([("a", "BEFORE", "b")]), ["a"]) == []


def test_words_that_overlap_are_marked_once():
    document = document_of("He {fell} asleep.")
    inner, outer = document.nodes[0], tlex.Event("e9", {}, -1, None, 3, 14)

    assert quote(document, [inner, outer, inner]) == ["He [fell asleep]."]


def test_words_that_go_on_in_the_next_sentence_are_shown_whole():
    document = document_of("He {left. She} {slept} long. Rain.")

    assert quote(document, document.nodes) == ["He [left. She]", "She [slept] long."]


def test_a_long_sentence_is_cut_around_the_marks():
    words = "on and on it went " * 40

    line = quote_all(f"Here {words}he {{left}} {words}before it {{ended}} {words}", 80)

    assert line == ["… on it went he [left] on and on it … went before it [ended] on and on it …"]


def test_the_room_goes_to_those_that_need_it():
    words = "on and on it went " * 40

    assert quote_all(f"He {{left}} and {{ran}} {words}", 40) == [
        "He [left] and [ran] on and on it went …"
    ]


def test_nothing_in_a_quotation_can_steer_a_terminal():
    assert quote_all("A\x1b[31m {le\x07ft\x9b} \u202eback.") == [
        "A\ufffd[31m [le\ufffdft\ufffd] \ufffdback."
    ]


@pytest.mark.parametrize("filler", ["x", "word ", " ", "\u591c", "\u0301", "\U0001f600"])
def test_a_sentence_of_any_length_is_quoted_at_once(filler):
    many = filler * 400_000

    line = quote_all(f"a{many} {{left}} {many} {{x{many}x}} {many}", 60)[0]

    assert measure(line) <= 60
    assert "[left]" in line


@given(
    st.lists(st.sampled_from(["{", "a ", "Bc. ", "\u591c", "\n", "\x1b", "long words", "["])),
    st.integers(1, 70),
)
def test_a_quotation_keeps_to_its_room_and_to_the_text(pieces, room):
    marked = "".join("{x y}" if piece == "{" else piece for piece in pieces)

    lines = quote_all(marked, room)

    assert all(measure(line) <= max(room, 20) for line in lines)
    assert all(line.isprintable() for line in lines)
    assert bool(lines) == ("{" in marked)
    whole = "".join(quote_all(marked, 10_000))
    assert whole.count("[x y]") == marked.count("{x y}")
    text = "".join(re.sub("[{}]", "", marked).split()).replace("\x1b", "\ufffd")
    for line in lines:
        for part in line.split("\u2026"):
            assert "".join(part.split()).replace("[", "").replace("]", "") in text.replace("[", "")
