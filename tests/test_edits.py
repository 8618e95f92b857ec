"""Changing a file: every other byte stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tlex.document import Source
from tlex.edits import apply_edits, removal_of, remove_elements


def remove(text: str, *elements: str, encoding: str = "utf-8") -> str:
    """Take elements out of a text, each by its first occurrence."""
    source = Source(text.encode(encoding), encoding)
    places = []
    for element in elements:
        start = len(text[: text.index(element)].encode(encoding))
        places.append((start, start + len(element.encode(encoding))))
    return apply_edits(source.data, remove_elements(source, places)).decode(encoding)


def test_edits_in_any_order_change_their_spans_and_nothing_else():
    edits = [(8, 13, b"3"), (0, 3, b"1"), (4, 4, b"and "), (13, 13, b".")]

    assert apply_edits(b"one two three", edits) == b"1 and two 3."


def test_insertions_at_one_place_keep_their_order_and_come_first():
    edits = [(3, 3, b"a"), (3, 5, b"c"), (3, 3, b"b")]

    assert apply_edits(b"012345", edits) == b"012abc5"


@pytest.mark.parametrize(
    "edits", [[(0, 3, b""), (2, 4, b"")], [(3, 2, b"")], [(0, 9, b"")], [(-2, 1, b"")]]
)
def test_edits_that_overlap_or_leave_the_file_are_a_mistake(edits):
    with pytest.raises(ValueError, match="overlaps"):
        apply_edits(b"012345", edits)


@given(
    pieces=st.lists(st.tuples(st.binary(max_size=4), st.binary(max_size=4)), max_size=6),
    news=st.lists(st.binary(max_size=4), min_size=6, max_size=6),
)
def test_what_is_not_edited_stays(pieces, news):
    data, wanted, edits = b"", b"", []
    for (kept, old), new in zip(pieces, news, strict=False):
        start = len(data + kept)
        edits.append((start, start + len(old), new))
        data += kept + old
        wanted += kept + new

    assert apply_edits(data, edits) == wanted
    assert apply_edits(data, []) == data


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "iso-8859-1"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_an_element_alone_on_its_line_takes_the_line_with_it(encoding, end):
    text = end.join(["<T>é", " \t<L/> ", "", "end</T>"])

    assert remove(text, "<L/>", encoding=encoding) == end.join(["<T>é", "", "end</T>"])


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a\n<L/>b\n", "a\nb\n"),
        ("a <L/>\nb\n", "a \nb\n"),
        ("a <L/> b", "a  b"),
        ("<L/>\nb", "b"),
        ("a\n<L/>", "a\n"),
        ("a\n\n<L/>\n\nb", "a\n\n\nb"),
        ("a\u2000\n\u2000<L/>\n", "a\u2000\n\u2000\n"),
    ],
)
def test_beside_anything_else_only_the_element_goes(text, left):
    assert remove(text, "<L/>") == left


def test_elements_that_share_a_line_with_nothing_else_take_it_with_them():
    text = "a\n  <L1/> <L2/><L3/>\nb <L4/><L5/>\n<L6/> x <L7/>\n"

    left = remove(text, *(f"<L{n}/>" for n in (3, 2, 1, 4, 5, 6, 7)))

    assert left == "a\nb \n x \n"


def test_a_letter_of_two_bytes_is_no_blank_in_utf_16():
    text = "a\n<L1/>\u0920<L2/>\n"

    assert remove(text, "<L1/>", "<L2/>", encoding="utf-16-le") == "a\n\u0920\n"


def test_the_span_of_a_lone_element_is_its_line():
    source = Source(b"a\n  <L/>\nb", "utf-8")

    assert removal_of(source, 4, 8) == (2, 9)
