"""The nouns, and the way from a byte to a line and a column."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.document import Document
from tlex.export.json import write_json
from tlex.nouns import Code, Diagnostic, Span
from tlex.source import Source

TEXT = """<TimeML>
The <EVENT eid="e1" class="STATE">cat
  slept</EVENT> <TIMEX3 tid="t1" type="TIME" value="T12">at noon</TIMEX3>.
<MAKEINSTANCE eiid="ei1" eventID="e1"/><MAKEINSTANCE eiid="ei9" eventID="e9"/>
<TLINK lid="l1" relType="BEFORE" eventInstanceID="ei1" relatedToTime="t1"/>
</TimeML>"""


@pytest.fixture(scope="module")
def document() -> Document:
    return tlex.parse(TEXT)


# --- documents ----------------------------------------------------------------------------------


def test_the_words_of_a_node_have_their_white_space_folded(document):
    assert [document.words(node) for node in document.nodes] == ["cat slept", "at noon", ""]


def test_a_node_is_found_by_its_id(document):
    assert document.get("t1") is document.timexes[0]
    assert document.get("ei1") is document.instances[0]
    assert document.get("e1") is None
    assert document.get("nobody") is None


def test_a_node_is_found_by_its_words_too(document):
    assert document.node("t1") is document.node("At noon") is document.timexes[0]
    assert document.node("e1") is document.node("slept") is document.instances[0]
    assert document.words("ei1") == document.words("slept") == "cat slept"
    for find in (document.node, document.words):
        with pytest.raises(tlex.UnknownNameError, match="'slpt'; did you mean"):
            find("slpt")


def test_index_and_nodes_agree(document):
    assert [document.nodes[number].id for number in document.index.values()] == list(document.index)


def test_a_noun_has_its_span_and_its_place(document):
    event, time, lost = document.events[0], document.timexes[0], document.node("ei9")

    assert event.span == Span(5, 16)
    assert document.text[event.span.start : event.span.end] == "cat\n  slept"
    assert TEXT[time.place.start : time.place.end].startswith('<TIMEX3 tid="t1"')
    assert TEXT[time.place.start : time.place.end].endswith("at noon</TIMEX3>")
    assert lost.span is None
    assert lost.place == Span(lost.byte_start, lost.byte_end)


def test_nouns_cannot_be_changed(document):
    for noun in (document.events[0], document.links[0], document.diagnostics[0], document):
        with pytest.raises(AttributeError):
            noun.id = "other"


def test_positions_are_found_for_any_byte_of_the_file(document):
    assert document.position(0) == (1, 1)
    assert document.position(TEXT.index("<EVENT")) == (2, 5)
    assert document.position(len(TEXT)) == (6, 10)
    assert document.position(-1) == (None, None)


def test_a_link_reads_source_type_target(document):
    (link,) = document.links

    assert (link.source, link.type, link.target) == ("ei1", "BEFORE", "t1")
    assert TEXT[link.place.start : link.place.end] == TEXT.splitlines()[4]


# --- codes and diagnostics ----------------------------------------------------------------------


def test_codes_are_unique_and_of_one_form():
    assert all(re.fullmatch(r"TLX\d{3}", code) for code in Code)
    assert len(set(Code)) == len(Code.__members__)


def test_what_loses_something_is_an_error_and_the_rest_a_warning():
    assert {code.name for code in Code if code.severity == "warning"} == {
        "EVENT_WITHOUT_INSTANCE",
        "TWO_ENDS",
        "UNEXPANDED_ENTITY",
        "BAD_WEIGHT",
        "NO_CREATION_TIME",
        "FORGIVEN_JSON",
        "TEXT_AND_SPAN",
        "CANDIDATES",
        "OTHER_READING",
    }
    assert {code.severity for code in Code} == {"error", "warning"}


def test_a_diagnostic_survives_json(document):
    diagnostic = document.diagnostics[0]

    again = msgspec.json.decode(msgspec.json.encode(diagnostic), type=Diagnostic)

    assert again == diagnostic


# --- lines and columns --------------------------------------------------------------------------


def count_lines(text: str, at: int) -> tuple[int, int]:
    """Find the line and the column of a character, one character at a time."""
    line = column = 1
    for number in range(at):
        if text[number] == "\n" or (text[number] == "\r" and text[number + 1 : number + 2] != "\n"):
            line, column = line + 1, 1
        else:
            column += 1
    return line, column


# Line ends, the bytes of line ends inside of other characters, one to four bytes a character, and
# characters that end a line elsewhere but not in a file.
ALPHABET = st.sampled_from("ab<>\n\r é\u0a0a\u0d0d\u0a0d\u010a\u000c\u0085\u2028𝄞")
CODECS = ["utf-8", "utf-16-le", "utf-16-be"]


@pytest.mark.parametrize("codec", CODECS)
@given(text=st.text(ALPHABET, max_size=60), data=st.data())
def test_line_and_column_are_those_of_an_editor(codec, text, data):
    at = data.draw(st.integers(0, len(text)).filter(lambda at: text[at - 1 : at + 1] != "\r\n"))
    source = Source(text.encode(codec), codec)

    assert source.position(len(text[:at].encode(codec))) == count_lines(text, at)


@pytest.mark.parametrize("codec", CODECS)
@given(text=st.text(ALPHABET, max_size=60), mark=st.sampled_from(["", "\ufeff"]))
def test_many_places_at_once_are_the_same_places(codec, text, mark):
    text = mark + text
    source = Source(text.encode(codec), codec)
    offsets = [len(text[:at].encode(codec)) for at, letter in enumerate(text) if letter == "<"]

    assert source.positions(offsets) == {offset: source.position(offset) for offset in offsets}


@given(text=st.text(st.sampled_from("a<\n"), max_size=60), data=st.data())
def test_many_places_of_a_plain_file_are_the_same_places(text, data):
    source = Source(text.encode(), "utf-8")
    offsets = data.draw(st.lists(st.integers(0, len(text))))

    known = {offset: source.position(offset) for offset in offsets}
    assert source.positions(offsets) == known
    # What lies behind the file, as nouns of another file may, ends nothing.
    behind = source.positions([*offsets, len(text) + 9])
    assert {offset: behind[offset] for offset in offsets} == known


@given(text=st.text(st.sampled_from("ab\n\réÿ\x85\xa0"), max_size=40))
def test_single_byte_encodings_count_bytes(text):
    source = Source(text.encode("latin-1"), "iso8859-1")

    assert source.position(len(text)) == count_lines(text, len(text))


@pytest.mark.parametrize("codec", CODECS)
def test_a_byte_order_mark_takes_no_column(codec):
    data = "\ufeffab\ncd".encode(codec)

    source = Source(data, codec)

    assert source.position(0) == (1, 1)
    assert source.position(len("\ufeff".encode(codec))) == (1, 1)
    assert source.position(len("\ufeffa".encode(codec))) == (1, 2)
    assert source.position(len("\ufeffab\nc".encode(codec))) == (2, 2)


def test_positions_can_be_asked_for_in_any_order():
    text = "one\ntwö\r\nthree\rfour 𝄞 five"
    source = Source(text.encode(), "utf-8")
    places = [n for n in range(len(text)) if text[n - 1 : n + 1] != "\r\n"]

    for at in [*reversed(places), *places, *places[::3]]:
        assert source.position(len(text[:at].encode())) == count_lines(text, at)


@given(text=st.text(st.sampled_from("ab \n"), max_size=40), at=st.integers(0, 50))
def test_bytes_that_are_characters_are_counted_as_such(text, at):
    plain, other = (Source(text.encode(), codec) for codec in ("utf-8", "latin-1"))

    assert plain.position(at) == other.position(at)


@pytest.mark.parametrize("codec", CODECS)
def test_many_places_far_behind_are_the_same_places(codec):
    text = "\ufeffone\ntwö\r\nthree\rfour 𝄞 five <" * 2_000
    offsets = [len(text[:at].encode(codec)) for at in range(40_000, len(text)) if text[at] == "<"]

    source, other = (Source(text.encode(codec), codec) for _ in range(2))

    found = source.positions(offsets)

    assert found == {offset: other.position(offset) for offset in offsets}
    assert found[offsets[-1]] == count_lines(text, len(text) - 1)


class CountingSource(Source):
    """Counts the bytes that are looked at."""

    __slots__ = ("looked",)

    def _advance(self, mark, offset):
        self.looked = getattr(self, "looked", 0) + offset - mark[0]
        return super()._advance(mark, offset)


def test_each_of_many_documents_in_a_file_finds_its_lines_without_the_others():
    line = b"x" * 99 + b"\n"
    source = CountingSource(line * 5_000, "utf-8")

    for number in range(5_000):
        assert source.positions([100 * number, 100 * number + 7])[100 * number] == (number + 1, 1)

    assert source.looked < 25 * len(
        source.data
    )  # once, and half a stride for each; not 2,500 times


def test_an_empty_file_has_one_place():
    assert Source(b"", "utf-8").position(0) == (1, 1)


STORY = Path(__file__).parents[1] / "examples" / "story.tml"


def test_two_reads_of_one_file_are_equal():
    one, other = tlex.read(STORY), tlex.read(STORY)

    assert one == other
    assert hash(one) == hash(other)
    assert {*one.events, *one.links} == {*other.events, *other.links}
    assert tlex.extract(one) == tlex.extract(other)


def test_a_document_with_another_name_text_or_link_is_another_one():
    document = tlex.read(STORY)

    assert document != tlex.read(STORY, name="other.tml")
    assert document != tlex.parse(STORY.read_bytes().replace(b"snowed", b"rained"))
    assert document != document.replace(links=document.links[1:])
    assert document == document.replace(links=document.links)
    assert document != "examples/story.tml"


def test_a_noun_shows_itself_in_one_short_line():
    document = tlex.read(STORY)

    assert repr(document.events[0]) == "<Event e1 OCCURRENCE [36:42]>"
    assert repr(document.instances[0]) == "<Instance ei1 of e1 [36:42]>"
    assert repr(document.timexes[0]) == "<Timex t0 DATE 2020-01-01 [17:31]>"
    assert repr(document.signals[0]) == "<Signal s1 [43:54]>"
    assert repr(document.links[3]) == "<Link l4: TLINK ei2 BEFORE ei4>"
    assert repr(document.source) == "<Source of 8,370 bytes, utf-8>"


def test_what_a_document_has_is_listed_once():
    listed = dir(tlex.read(STORY))

    assert len(listed) == len(set(listed))
    assert {"events", "links", "words"} < set(listed)


# --- sentences ----------------------------------------------------------------------------------

MARKED = """<TimeML>
Title <s>it <EVENT eid="e1">rained</EVENT>. Then <EVENT eid="e2">snow</EVENT></s>
<s><TIMEX3 tid="t1"/>We <EVENT eid="e3">left</EVENT>.</s> Then <EVENT eid="e4">rest</EVENT>
<MAKEINSTANCE eiid="ei1" eventID="e1"/><MAKEINSTANCE eiid="ei2" eventID="e2"/>
<MAKEINSTANCE eiid="ei3" eventID="e3"/><MAKEINSTANCE eiid="ei4" eventID="e4"/>
%s
</TimeML>"""


def sentences_of(document):
    return [document.text[span.start : span.end] for span in document.sentences]


@pytest.mark.parametrize("more", ["", '<MAKEINSTANCE eiid="ei9" eventID="e9"/>'])
def test_sentences_are_those_that_the_file_marks_and_a_rule_divides_the_rest(more):
    document = tlex.parse(MARKED % more)  # on the fast path, and on the other one

    assert sentences_of(document) == ["Title", "it rained. Then snow", "We left.", "Then rest"]


def test_the_sentence_of_a_node_holds_its_words():
    document = tlex.parse(MARKED % '<MAKEINSTANCE eiid="ei9" eventID="e9"/>')
    two, three, four = document.sentences[1:]

    assert document.sentence("ei2") == document.sentence("rained") == two
    assert document.sentence(document.nodes[document.index["t1"]]) == three
    assert [document.sentence(name) for name in ("ei3", "ei4")] == [three, four]
    assert document.sentence("ei9") is None
    with pytest.raises(tlex.UnknownNameError):
        document.sentence("nobody")


@given(st.text(" .ab\nT", max_size=30), st.data())
def test_the_sentence_of_a_node_is_the_first_that_shares_a_character_with_it(text, data):
    start, end = sorted(data.draw(st.integers(0, len(text))) for _ in "12")
    event = tlex.Event("e", {}, -1, None, start, end)
    document = tlex.from_links([("e", "BEFORE", "f")]).replace(text=text)

    found = document.sentence(event)

    words = set(range(start, end))
    shared = [s for s in document.sentences if words & set(range(s.start, s.end))]
    touched = [s for s in document.sentences if s.start <= start <= s.end]
    assert found == next(iter(shared if start < end else touched), None)


def test_sentences_survive_pickling_a_change_of_links_and_json():
    document = tlex.parse(MARKED % "")
    unseen = tlex.parse(MARKED % "")
    sentences = document.sentences

    assert pickle.loads(pickle.dumps(document)).sentences == sentences  # noqa: S301
    assert pickle.loads(pickle.dumps(unseen)).sentences == sentences  # noqa: S301
    assert unseen.replace(links=()).sentences == sentences
    assert tlex.parse(write_json(document)[0]).sentences == sentences
    assert document == unseen
    assert document.replace(sentences=()) != document


def test_another_text_has_sentences_of_its_own():
    document = tlex.parse(MARKED % "")

    assert sentences_of(document.replace(text="Wait. Now go.")) == ["Wait.", "Now go."]
    assert document.replace(text=document.text).sentences == document.sentences


def test_cat_has_sentences_by_the_numbers_of_tokens():
    words = ["Rain", ".", "mr", "He", "left", ".", "She"]
    numbers = [' sentence="1"', ' sentence="1"', ' sentence="2"', "", "", "", ""]
    tokens = "".join(
        f'<token t_id="{word}"{number}>{word}</token>'
        for word, number in zip(words, numbers, strict=True)
    )

    document = tlex.parse(f"<Document>{tokens}<Markables/><Relations/></Document>")

    assert sentences_of(document) == ["Rain .", "mr", "He left .", "She"]


def test_a_json_document_may_mark_its_sentences_and_an_impossible_one_is_reported():
    document = tlex.parse('{"text": "a b c", "sentences": [[0, 1], [1, 99], [4, 2]], "links": []}')

    assert sentences_of(document) == ["a", "b c"]
    assert [(d.code, d.column) for d in document.diagnostics] == [("TLX119", 41), ("TLX119", 50)]
