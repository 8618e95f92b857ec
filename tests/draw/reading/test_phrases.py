"""Phrases: the words around an event, within its sentence, and not too many."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import tlex
from tlex.draw.reading.phrases import LONGEST, find_phrase

WORDS = st.lists(
    st.sampled_from(["a", "they", "in,", "Xi.", "extraordinarily", "--", "(and", "so)", '"', "\n"]),
    max_size=40,
)


def phrase_of(before: str, words: str, after: str) -> str:
    document = tlex.parse(
        f'<TimeML>{before}<EVENT eid="e1" class="STATE">{words}</EVENT>{after}'
        '<MAKEINSTANCE eiid="ei1" eventID="e1"/></TimeML>'
    )
    found = find_phrase(document, document.node("ei1"))
    return f"{found.before}[{found.words}]{found.after}"


def test_a_short_sentence_is_shown_whole():
    assert phrase_of("It rained. In all, 348 children ", "died", ". Then") == (
        "In all, 348 children [died]."
    )


def test_of_a_long_one_the_clause_is_shown():
    before = "In the region, which had seen no rain for more than two years, 348 children "
    after = ", the ministry of health and the ministry of the interior said on Friday."

    assert phrase_of(before, "died", after) == "… 348 children [died] …"


def test_a_long_clause_is_cut_between_words():
    before = "All of the many children of the whole of the wide and very poor region "

    found = phrase_of(before, "died", " in the course of the long and terribly cold winter.")

    assert found == "… of the wide and very poor region [died] in the course of the …"


@settings(max_examples=60)
@given(before=WORDS, after=WORDS)
def test_a_phrase_is_part_of_the_text_and_not_longer_than_it_may_be(before, after):
    left, right = " ".join(before) + " ", " " + " ".join(after)

    found = phrase_of(left, "fell", right)

    whole = " ".join(f"{left}[fell]{right}".split())
    shown = " ".join(found.removeprefix("… ").removesuffix(" …").split())
    assert shown in whole
    assert len(shown) <= LONGEST + 2
