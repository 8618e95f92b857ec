"""A plain graph: one link per line, from a file or a pipe."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.errors import NotRecognisedError, NotWellFormedError, TooLargeError
from tlex.nouns import Code
from tlex.readers.plain import recognise_plain


def test_a_line_is_a_link():
    document = tlex.parse("# a day\nwake BEFORE eat\n\n eat  IS_INCLUDED\tt1 # morning\n")

    assert document.format == "plain"
    assert [
        (link.id, link.kind, link.source, link.type, link.target) for link in document.links
    ] == [
        ("l1", "TLINK", "wake", "BEFORE", "eat"),
        ("l2", "TLINK", "eat", "IS_INCLUDED", "t1"),
    ]
    assert [node.id for node in document.nodes] == ["wake", "eat", "t1"]
    assert [time.id for time in document.timexes] == ["t1"]
    assert not document.diagnostics


def test_the_kind_follows_from_the_label():
    document = tlex.parse("A BEFORE B\nA MODAL C\nD INITIATES E\n")

    assert [link.kind for link in document.links] == ["TLINK", "SLINK", "ALINK"]


def test_every_noun_has_its_line():
    document = tlex.parse("\r\nA BEFORE B\r\n  é AFTER B\n")

    assert [(link.line, link.column) for link in document.links] == [(2, 1), (3, 1)]
    assert (document.node("é").line, document.node("B").line) == (3, 2)
    link = document.links[1]
    assert document.source.data[link.byte_start : link.byte_end].decode() == "  é AFTER B"


def test_a_line_that_is_no_link_is_reported_and_left_out():
    document = tlex.parse("A BEFORE B\nA B\nA BEFORE B C\n", format="plain")

    assert [(d.code, d.line) for d in document.diagnostics] == [
        (Code.MISSING_ATTRIBUTE, 2),
        (Code.MISSING_ATTRIBUTE, 3),
    ]
    assert "'A B'" in document.diagnostics[0].message
    assert len(document.links) == 1


def test_an_unknown_label_is_a_diagnostic():
    document = tlex.parse("A BEFORE B\nA BEFOER B\n")

    assert [(d.code, d.line) for d in document.diagnostics] == [(Code.UNKNOWN_TYPE, 2)]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("A BEFORE B", True),
        ("\ufeffA BEFORE B\nC AF", True),
        ("A XYZ B\nA AFTER B\n", True),
        ("sleeping during lessons", False),
        ("A BEFORE B\nand so on, as they say\n", False),
        ("# nothing\n", False),
        ("", False),
    ],
)
def test_a_graph_is_distinguished_from_prose(head, expected):
    assert recognise_plain(head) == expected


def test_prose_is_not_recognised():
    with pytest.raises(
        NotRecognisedError,
        match="formats known here: timeml, cat, anafora, sty, json",
    ):
        tlex.parse("The ferry left.")


def test_a_line_without_end_is_refused():
    with pytest.raises(TooLargeError) as caught:
        tlex.parse("A BEFORE B\n" + "x" * 100_000, format="plain")

    assert caught.value.line == 2


def test_bytes_that_are_no_text_are_refused_where_they_stand():
    with pytest.raises(NotWellFormedError) as caught:
        tlex.parse(b"A BEFORE B\nA\xff BEFORE B\n", format="plain")

    assert (caught.value.line, caught.value.column) == (2, 2)


def test_utf_16_is_read():
    document = tlex.parse("A BEFORE ü\nB AFTER A\n".encode("utf-16"))

    assert [(link.source, link.line) for link in document.links] == [("A", 1), ("B", 2)]


@given(st.text(alphabet=st.sampled_from("AB#t1 \t\r\n\x0b\u2028"), max_size=60))
def test_any_lines_are_read_and_proven(text):
    document = tlex.parse("A BEFORE B\n" + text, format="plain")

    assert all(len(link.id) > 1 for link in document.links)
    assert tlex.verify(document, tlex.extract(document))


def test_a_broken_line_does_not_hide_that_it_is_a_graph():
    document = tlex.parse("A BEFORE B\nC AFTER\nB BEFORE D\n")

    assert document.format == "plain"
    assert [problem.line for problem in document.diagnostics] == [2]


def test_labels_may_be_in_small_letters_where_all_are():
    assert tlex.parse("a before b\nb after c\n").format == "plain"
