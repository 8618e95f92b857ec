"""Words are counted as the pattern of a word finds them."""

from __future__ import annotations

import re
from itertools import product

from hypothesis import example, given
from hypothesis import strategies as st

from tlex.reason.words import WordCounts, count_words

WORD = re.compile(r"\w+(?:[-'’]\w+)*")  # noqa: RUF001
TOKEN = re.compile(WORD.pattern + r"|[^\w\s]")
LETTERS = st.sampled_from([*"ab1_-'’ .\n\x1f\u2003", "é", "中", "²", "\u0301", "\U0001d400", "\0"])  # noqa: RUF001


@given(st.text(LETTERS, max_size=30), st.integers(0, 600), st.data())
@example("a-b-c-d", 0, None)
def test_words_are_those_that_the_pattern_finds(text, repeated, data):
    text = text + "a-b'c d " * repeated + text
    places = range(len(text) + 1)
    if data is not None:
        places = data.draw(st.lists(st.sampled_from(places), max_size=10))
    begins = [match.start() for match in WORD.finditer(text)]
    counts = WordCounts(text)

    for start, end in product(places, repeat=2):
        assert counts.count(start, end) == sum(start <= begin < end for begin in begins)


def test_each_ascii_character_is_part_of_a_word_or_not_as_the_pattern_says():
    for character in map(chr, range(128)):
        for text in (f"{character} a", f"a{character}b", f"a {character}b"):
            starts = [match.start() for match in WORD.finditer(text)]

            assert WordCounts(text).count(0, len(text)) == len(starts)


@given(st.text(LETTERS | st.characters(), max_size=40))
@example("it's late -- 'tis a-b-c-d")
@example("a- b -c -")
@example("".join(map(chr, range(0x3100))))
def test_words_and_tokens_are_counted_as_patterns_count_them(text):
    assert count_words(text) == (len(text.split()), len(TOKEN.findall(text)))
