"""Sentences: what the file marks counts, and a small rule divides the rest."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tlex.sentences import divide


def split(text, marked=()):
    return [text[start:end] for start, end in divide(text, marked)]


def divides(*sentences, joint=" "):
    return split(joint.join(sentences)) == list(sentences)


@pytest.mark.parametrize(
    "sentences",
    [
        ["He left.", "She stayed!", "Why?", "Nobody knows."],
        ["Mr. Ray met Dr. Low and Sen. Hill at St. Paul.", "They ate."],
        ["The U.S. Army left.", "It is back in the U.S.", "The war ended."],
        ["No. 5 was empty.", "He said no.", "Nos. 6 and 7 were full."],
        ["J. R. R. Tolkien and B. A. A. Milne wrote it.", "George W. Bush read it."],
        ["It closed at 5 p.m. Monday.", "It opened at 9 a.m.", "The bell rang."],
        ["On Nov. 3 he left.", "She came on Dec. 5, 1998."],
        ["Apple Inc. Chairman Jobs spoke.", "He had left Apple Inc.", "The firm fell."],
        ["They paid $3.5 million, or 2.75% more.", "It rose 0.5 points."],
        ["It ended in 1998.", "In 1999 it began again."],
        ["Stocks fell vs. bonds, e.g. Treasury bills.", "Gold rose."],
        ["1. The first rule.", "2. The second rule."],
        ["Shares sold.", "eBay fell."],
    ],
)
def test_a_full_stop_ends_a_sentence_unless_it_belongs_to_an_abbreviation(sentences):
    assert divides(*sentences)


@pytest.mark.parametrize(
    "sentences",
    [
        ['"I left," he said.', '"She stayed."', "They slept."],
        ["``I left,'' he said.", "``She stayed.''", "They slept."],
        ["\u201cStop!\u201d he cried.", "\u201cNow!\u201d", "She did."],
        ['"Why?" she asked.', "(He knew.)", "[He did.]", "She left."],
        ["\u00abQuoi ?\u00bb dit-il.", "\u00abRien.\u00bb", "Elle partit."],
    ],
)
def test_quotes_and_brackets_belong_to_their_sentence(sentences):
    assert divides(*sentences)


@pytest.mark.parametrize(
    "sentences",
    [
        ["Well ... maybe he left.", "Then she did..."],
        ["He was . . . late.", "She was not."],
        ["He waited\u2026", "She came."],
        ["Really?!", "Yes!!!"],
    ],
)
def test_an_ellipsis_ends_a_sentence_only_before_a_capital(sentences):
    assert divides(*sentences)


@pytest.mark.parametrize(
    "text",
    [
        "BOMB KILLS THREE\nThe bomb went off at noon.",
        "Bomb Kills Three in Paris\nThe bomb went off at noon, the police said.",
        "Bomb kills three\nThe bomb went off at noon, the police said.",
        "Bomb kills three\n\nThe bomb went off.",
        "Bomb kills three\n   The bomb went off.",
        "11/02/89 \nThe bomb went off.",
        "Made in the U.S. \n   Bombs went off.",
    ],
)
def test_a_headline_or_dateline_is_a_sentence_of_its_own(text):
    head, _, rest = text.partition("\n")

    assert split(text) == [head.strip(), rest.strip()]


@pytest.mark.parametrize(
    "text",
    [
        "The bomb that went off in front of\nParis Opera killed three.",
        "It rained. The bomb in Paris\nOpera, near the old library of the town, killed three.",
        "The bomb went off\n\nin Paris.",
        "WASHINGTON _ The president\nleft.",
    ],
)
def test_a_line_break_inside_a_sentence_does_not_end_it(text):
    assert split(text)[-1].endswith(text.rpartition("\n")[2])
    assert "\n" in split(text)[-1]


def test_a_text_without_full_stops_is_one_sentence_and_one_without_words_has_none():
    assert split("no full stop at all") == ["no full stop at all"]
    assert split("") == split(" \n\t\n ") == []


def test_a_text_without_capitals_is_divided_at_full_stops():
    assert divides("he left.", "she stayed.", "nobody knows why.")


def test_other_scripts_have_full_stops_of_their_own():
    assert divides("\u5f7c\u306f\u53bb\u3063\u305f\u3002", "\u96e8\u3060\u3002", joint="")
    assert divides("\u0930\u093e\u092e \u0917\u092f\u093e\u0964", "\u0938\u0940\u0924\u093e\u0964")


def test_what_the_file_marks_counts_and_the_rule_divides_the_rest():
    text = "Title Here he left. Then rain. She came. It snowed. End"
    marked = [(text.index("he"), text.index(" She")), (text.index("rain"), text.index("She") + 3)]

    assert split(text, marked) == [
        "Title Here",
        "he left. Then rain. She",
        "came.",
        "It snowed.",
        "End",
    ]


def test_of_nested_marks_the_outer_one_counts():
    text = "he left. Then rain. She came"

    assert split(text, [(0, 19), (9, 13)]) == ["he left. Then rain.", "She came"]


def test_impossible_marks_are_ignored():
    assert split("He left. Rain.", [(9, 3), (-5, 0), (99, 120), (8, 9)]) == ["He left.", "Rain."]


PIECES = st.sampled_from(
    [
        *" \n\t.!?\u2026\"'`()[]aAzZ15,;:-\u2019\u201c\u3002\u0964\x1f\u00a0",
        "Mr",
        "U.S",
        "The",
        "\n\n  ",
    ]
)


@given(st.lists(PIECES, max_size=60).map("".join), st.data())
def test_sentences_are_in_order_trimmed_and_hold_every_character_but_white_space(text, data):
    places = st.integers(0, len(text))
    marked = data.draw(st.lists(st.tuples(places, places), max_size=4))

    found = list(divide(text, marked))

    assert all(0 <= start < end <= len(text) for start, end in found)
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(found))
    assert all(text[start:end].strip() == text[start:end] for start, end in found)
    held = {place for start, end in found for place in range(start, end)}
    assert all(place in held or text[place].isspace() for place in range(len(text)))


@given(st.lists(PIECES, max_size=60).map("".join), st.data())
def test_a_marked_sentence_is_not_divided(text, data):
    start, end = sorted(
        (data.draw(st.integers(0, len(text))), data.draw(st.integers(0, len(text))))
    )
    inner = text[start:end].strip()

    found = split(text, [(start, end)])

    assert not inner or inner in found


@pytest.mark.parametrize(
    "piece",
    ["x", ".", ". ", "\n", "\n ", ".'", "a b ", "A\n", "No. 5 ", '."', "1. ", " .\n", "Aa\n"],
)
def test_no_text_takes_more_than_linear_time(piece):
    text = piece * (400_000 // len(piece))  # squared, this would never end

    assert sum(end - start for start, end in divide(text)) <= len(text)
