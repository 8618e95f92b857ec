"""Tables of relations: many documents in one file, and their text in another place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tlex
from tlex.errors import OptionError, ReadError, StrictError, TooLargeError
from tlex.nouns import Code, Event, Instance, Timex
from tlex.readers import parse_all, recognise

DATA = Path(__file__).parents[1] / "data"
DENSE = DATA / "dense.tsv"
MATRES = DATA / "matres.tsv"


def rows(*lines: str, form: str | None = None, **options: object) -> tuple[tlex.Document, ...]:
    text = "".join(line.replace(" ", "\t") + "\n" for line in lines)
    return parse_all(text, name="x.tsv", format=form, **options)


def list_links(document: tlex.Document) -> list[tuple[str | None, ...]]:
    return [(link.id, link.source, link.type, link.target) for link in document.links]


# --- TimeBank-Dense and TDDiscourse -------------------------------------------------------------


def test_one_table_gives_all_its_documents_by_their_own_names():
    documents = tlex.read_all(DENSE, name="dense.tsv")

    assert [document.name for document in documents] == ["dense.tsv:doc_a", "dense.tsv:doc_b"]
    assert {document.format for document in documents} == {"dense"}
    assert list_links(documents[0]) == [
        ("l1", "e1", "BEFORE", "e2"),
        ("l2", "e2", "IS_INCLUDED", "t0"),
        ("l3", "e1", "IS_INCLUDED", "t0"),
    ]
    assert list_links(documents[1]) == [("l1", "e1", "AFTER", "e2"), ("l2", "e2", "VAGUE", "t1")]


def test_ids_reused_across_documents_are_different_nodes():
    one, other = tlex.read_all(DENSE)

    assert tlex.extract(one).relation("e1", "e2").entailed.name == "before"
    assert tlex.extract(other).relation("e1", "e2").entailed.name == "after"
    assert not one.diagnostics
    assert not other.diagnostics


def test_a_link_knows_its_row():
    document = tlex.read_all(DENSE)[0]
    link = document.links[2]

    assert [each.line for each in document.links] == [1, 2, 5]
    assert document.source.data[link.byte_start : link.byte_end] == b"doc_a\te1\tt0\tii"


def test_ends_are_events_and_times():
    document = tlex.read_all(DENSE)[0]

    assert [(node.id, type(node)) for node in document.nodes] == [
        ("e1", Event),
        ("e2", Event),
        ("t0", Timex),
    ]


def test_read_gives_one_document_and_says_so_of_many():
    with pytest.raises(ReadError, match=r"holds 2 documents; read_all gives them all"):
        tlex.read(DENSE)
    assert len(tlex.parse("d\te1\te2\tb\n").links) == 1


def test_words_and_text_order_come_from_the_companion():
    document, other = tlex.read_all(DENSE, text=DATA / "texts")

    assert [(node.id, document.words(node)) for node in document.nodes] == [
        ("t0", "4 March"),
        ("e2", "arrived"),
        ("e1", "left"),
    ]
    assert document.node("t0").value == "2020-03-04"
    assert document.node("e1").type == "OCCURRENCE"
    assert not document.diagnostics
    assert [(d.code, d.line) for d in other.diagnostics] == [(Code.DANGLING, 3)]
    assert "the text of doc_b is not in" in other.diagnostics[0].message


def test_an_end_that_the_companion_does_not_have_is_reported():
    document = rows("doc_a e1 e77 b", text=DATA / "texts")[0]

    assert [d.code for d in document.diagnostics] == [Code.DANGLING]
    assert [node.id for node in document.nodes] == ["e1", "e77"]


def test_a_companion_that_cannot_be_read_is_reported(tmp_path):
    (tmp_path / "doc_a.tml").write_text("<TimeML>")

    document = rows("doc_a e1 e2 b", text=tmp_path)[0]

    assert "its text cannot be read" in document.diagnostics[0].message
    assert len(document.links) == 1


@pytest.mark.parametrize("name", ["../secret", "..", "/etc/passwd", ".", "a/b", "a\\b"])
def test_a_document_cannot_lead_out_of_the_directory(name, tmp_path):
    (tmp_path / "secret.tml").write_text("<TimeML>found</TimeML>")
    inside = tmp_path / "texts"
    inside.mkdir()

    document = rows(f"{name} e1 e2 b", text=inside)[0]

    assert document.text == ""
    assert [d.code for d in document.diagnostics] == [Code.DANGLING]


def test_the_directory_must_be_there(tmp_path):
    with pytest.raises(OptionError, match="is to be a directory"):
        rows("d e1 e2 b", text=tmp_path / "none")


# --- MATRES -------------------------------------------------------------------------------------


def test_matres_compares_start_points_only():
    document, other = tlex.read_all(MATRES)

    assert list_links(document) == [
        ("l1", "ei1", "STARTS_BEFORE", "ei2"),
        ("l2", "ei2", "STARTS_WITH", "ei3"),
    ]
    result = tlex.extract(document)
    orders = {(o.left, o.right): o.orders for o in result.relation("ei1", "ei2").orders}
    assert orders["ei1-", "ei2-"] == ("<",)
    assert set(orders["ei1+", "ei2-"]) == {"<", "=", ">"}
    assert set(orders["ei1+", "ei2+"]) == {"<", "=", ">"}
    assert list_links(other) == [
        ("l1", "ei1", "VAGUE", "ei2"),
        ("l2", "ei2", "STARTS_AFTER", "ei1"),
    ]
    for each in (document, other):
        assert tlex.verify(each, tlex.extract(each))


def test_matres_brings_the_verbs_along():
    document = tlex.read_all(MATRES)[0]

    assert [(node.id, document.words(node), type(node)) for node in document.nodes] == [
        ("ei1", "left", Instance),
        ("ei2", "arrived", Instance),
        ("ei3", "slept", Instance),
    ]


def test_matres_takes_words_from_the_companion_where_there_is_one():
    document = tlex.read_all(MATRES, text=DATA / "texts")[0]

    assert [(node.id, document.words(node)) for node in document.nodes] == [
        ("ei2", "arrived"),
        ("ei1", "left"),
        ("ei3", "slept"),
    ]
    assert {n.id: n.factuality for n in tlex.extract(document).nodes}["ei3"] == "negated"


# --- what can be wrong --------------------------------------------------------------------------


def test_a_short_row_is_reported_at_its_line_and_left_out():
    first, second = rows("a e1 e2 b", "a e1 e2", "c e1 e2 b", "a e1  b", "zz")

    assert [(d.code, d.line) for d in first.diagnostics] == [
        (Code.MISSING_ATTRIBUTE, 2),
        (Code.MISSING_ATTRIBUTE, 4),
    ]
    assert "'a\\te1\\te2', without all of document, source, target, relation" in (
        first.diagnostics[0].message
    )
    assert [d.line for d in second.diagnostics] == [5]
    assert [len(document.links) for document in (first, second)] == [1, 1]


def test_a_short_row_before_all_others_is_reported_too():
    (document,) = rows("broken", "a e1 e2 b")

    assert [d.line for d in document.diagnostics] == [1]


def test_a_heading_is_no_row():
    (document,) = rows("document source target relation", "a e1 e2 b", form="dense")

    assert (len(document.links), document.diagnostics) == (1, ())


def test_a_table_without_a_row_is_an_error():
    with pytest.raises(ReadError, match="without all of"):
        rows("a e1", form="dense")
    with pytest.raises(ReadError, match="no row"):
        rows("", form="matres")


def test_an_unknown_label_is_a_diagnostic():
    (document,) = rows("a e1 e2 b", "a e1 e2 q")

    assert [(d.code, d.line) for d in document.diagnostics] == [(Code.UNKNOWN_TYPE, 2)]


def test_a_label_that_is_spelt_out_is_understood():
    (document,) = rows("a e1 e2 IS_INCLUDED")

    assert list_links(document) == [("l1", "e1", "IS_INCLUDED", "e2")]


def test_strict_raises_the_first_error():
    with pytest.raises(StrictError, match=r"x\.tsv:a:2"):
        rows("a e1 e2 b", "a e1 e2", strict=True)


def test_a_line_without_end_is_refused():
    with pytest.raises(TooLargeError):
        rows("a e1 e2 b", "x" * 100_000)


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("a e1 e2 b", "dense"),
        ("a t0 e2 VAGUE", "dense"),
        ("a said went 1 2 BEFORE", "matres"),
        ("a said went x y BEFORE", None),
        ("a b c d", None),
        ("name grade note b", None),
    ],
)
def test_tables_are_told_apart(line, form):
    data = line.replace(" ", "\t").encode()

    if form:
        assert recognise(data, "x") == form
    else:
        with pytest.raises(ReadError):
            recognise(data, "x")


@given(st.text(alphabet=st.sampled_from("ae12b\t\r\n é"), max_size=80))
def test_any_rows_are_read_and_proven(text):
    for document in parse_all("a\te1\te2\tb\n" + text, format="dense"):
        assert tlex.verify(document, tlex.extract(document))
        assert all(link.line for link in document.links)


def test_a_heading_in_other_words_is_no_document():
    for heading in ("doc\tsrc\ttgt\trel", "docid\tsource\ttarget\trelation"):
        documents = tlex.readers.parse_all(f"{heading}\nd1\te1\te2\tb\n", name="t")
        assert [document.name for document in documents] == ["t:d1"]


def test_a_companion_says_what_it_knows_of_event_and_instance(tmp_path):
    (tmp_path / "d1.tml").write_text(
        '<TimeML><TIMEX3 tid="t7" type="DATE" value="1999" functionInDocument="PUBLICATION_TIME"/>'
        'It <EVENT eid="e1" class="STATE">is</EVENT>.<MAKEINSTANCE eventID="e1" eiid="ei1" '
        'polarity="NEG"/></TimeML>',
        encoding="utf-8",
    )

    dense = tlex.parse("d1\te1\tt0\tb\n", text=tmp_path)
    matres = tlex.parse("d1\tis\tgone\t1\t2\tBEFORE\n", text=tmp_path)

    nodes = {node.id: node for node in tlex.extract(dense).nodes}
    assert (nodes["e1"].factuality, nodes["e1"].type) == ("negated", "STATE")
    assert nodes["t0"].value == "1999"
    words = {node.id: (node.text, node.type) for node in tlex.extract(matres).nodes}
    assert words == {"ei1": ("is", "STATE"), "ei2": ("gone", None)}
