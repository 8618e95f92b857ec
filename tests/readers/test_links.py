"""A document from plain rows: triples, mappings, a data frame."""

from __future__ import annotations

import pandas as pd
import pytest

import tlex
from tlex.errors import OptionError, StrictError
from tlex.nouns import Instance, Timex

ROWS = [("e1", "BEFORE", "e2"), ("e2", "IS_INCLUDED", "t1"), ("e1", "MODAL", "e3")]
READ = [
    ("l1", "TLINK", "e1", "BEFORE", "e2"),
    ("l2", "TLINK", "e2", "IS_INCLUDED", "t1"),
    ("l3", "SLINK", "e1", "MODAL", "e3"),
]
COLUMNS = ["source", "type", "target"]


def listed(document: tlex.Document) -> list[tuple[str | None, ...]]:
    return [(link.id, link.kind, link.source, link.type, link.target) for link in document.links]


@pytest.mark.parametrize(
    "rows",
    [
        ROWS,
        tuple(ROWS),
        [list(row) for row in ROWS],
        iter(ROWS),
        [dict(zip(COLUMNS, row, strict=True)) for row in ROWS],
        pd.DataFrame(ROWS, columns=COLUMNS),
        pd.DataFrame(ROWS, columns=COLUMNS)[["target", "type", "source"]],
        pd.DataFrame(ROWS, columns=COLUMNS, index=["x", "y", "z"]),
        pd.DataFrame(ROWS, columns=["from", "label", "to"]),
        pd.DataFrame(ROWS),
        pd.DataFrame(ROWS, columns=COLUMNS).itertuples(index=False),
        pd.DataFrame(ROWS, columns=COLUMNS).to_dict("records"),
    ],
    ids=[
        "list",
        "tuple",
        "lists",
        "iterator",
        "mappings",
        "frame",
        "frame in another order",
        "frame with an index",
        "frame with other names",
        "frame without names",
        "named tuples",
        "records",
    ],
)
def test_rows_of_any_shape_give_the_same_document(rows):
    document = tlex.from_links(rows)

    assert listed(document) == READ
    assert [(type(node), node.id) for node in document.nodes] == [
        (Instance, "e1"),
        (Instance, "e2"),
        (Timex, "t1"),
        (Instance, "e3"),
    ]
    assert (document.format, document.name, document.text) == ("links", "<links>", "")
    assert document.diagnostics == ()


@pytest.mark.parametrize("way", ["iterrows", "values", "to_records"])
def test_rows_of_a_data_frame_may_be_taken_one_by_one(way):
    frame = pd.DataFrame(ROWS, columns=COLUMNS)
    rows = {
        "iterrows": [row for _, row in frame.iterrows()],
        "values": frame.to_numpy(),
        "to_records": frame.to_records(index=False),
    }

    assert listed(tlex.from_links(rows[way])) == READ


def test_no_rows_give_an_empty_document():
    document = tlex.from_links([])

    assert (document.nodes, document.links, document.diagnostics) == ((), (), ())
    assert tlex.extract(document).timelines == ()


def test_a_row_may_have_an_id_and_a_weight():
    frame = pd.DataFrame(ROWS, columns=COLUMNS).assign(
        id=["first", None, "third"], weight=[2, 0.5, None]
    )

    document = tlex.from_links(frame)

    assert [(link.id, link.weight) for link in document.links] == [
        ("first", 2.0),
        ("l2", 0.5),
        ("third", None),
    ]


def test_the_kind_of_a_link_follows_from_its_type():
    document = tlex.from_links(
        [
            ("a", "during", "b"),
            ("a", " Initiates ", "b"),
            ("a", "NEG_EVIDENTIAL", "b"),
            ("a", "vague", "b"),
        ]
    )

    assert [(link.kind, link.type) for link in document.links] == [
        ("TLINK", "DURING"),
        ("ALINK", "INITIATES"),
        ("SLINK", "NEGATIVE_EVIDENTIAL"),
        ("TLINK", "VAGUE"),
    ]


@pytest.mark.parametrize("name", ["t1", "t0", "t999", "tmx4"])
def test_an_id_of_t_and_a_number_is_a_time(name):
    document = tlex.from_links([("e1", "BEFORE", name)])

    assert isinstance(document.node(name), Timex)


@pytest.mark.parametrize("name", ["e1", "t", "time", "t1a", "at1", "ei4", "T1"])
def test_any_other_id_is_an_event(name):
    document = tlex.from_links([("x", "BEFORE", name)])

    assert isinstance(document.node(name), Instance)


def test_times_name_further_times_and_their_types():
    document = tlex.from_links(
        [("e1", "BEFORE", "noon")], times={"noon": "TIME", "1998": "DATE", "t1": "DATE"}
    )

    assert [(n.id, type(n).__name__) for n in document.nodes] == [
        ("e1", "Instance"),
        ("noon", "Timex"),
        ("1998", "Timex"),
        ("t1", "Timex"),
    ]
    assert [t.type for t in document.timexes] == ["TIME", "DATE", "DATE"]
    assert tlex.extract(document, times="point").timelines[0].points["noon+"] == (3, 3)


def test_texts_are_the_words_of_the_nodes():
    document = tlex.from_links(
        [("e1", "BEFORE", "e2"), ("e2", "BEFORE", "t1")],
        texts={"t1": "Monday", "e1": "fell  down", "e9": "rose"},
    )

    assert {n.id: document.words(n) for n in document.nodes} == {
        "e1": "fell down",
        "e2": "",
        "t1": "Monday",
        "e9": "rose",
    }
    node = document.node("t1")
    assert document.text[node.text_start : node.text_end] == "Monday"


def test_nodes_come_in_the_order_in_which_they_come_up():
    document = tlex.from_links([("z", "AFTER", "b"), ("a", "AFTER", "z")], texts={"a": "x"})

    assert list(document.index) == ["z", "b", "a"]


def test_what_comes_from_no_file_has_no_place():
    document = tlex.from_links([("a", "NEAR", "b")])

    assert document.source is None
    assert [node.place for node in document.nodes] == [None, None]
    assert document.links[0].place is None
    assert document.position(3) == (None, None)
    (diagnostic,) = document.diagnostics
    assert (diagnostic.line, diagnostic.column, diagnostic.offset) == (None, None, None)


def test_an_unknown_type_is_a_diagnostic_and_the_link_is_kept():
    document = tlex.from_links([("a", "BEFOR", "b"), ("a", "AFTER", "b")])

    (diagnostic,) = document.diagnostics
    assert (diagnostic.code, diagnostic.severity) == ("TLX103", "error")
    assert "l1" in diagnostic.message
    assert "'BEFOR'" in diagnostic.message
    assert diagnostic.hint == "did you mean BEFORE?"
    assert listed(document)[0] == ("l1", "TLINK", "a", "BEFOR", "b")
    assert tlex.extract(document).timelines[0].points["a-"] == (3, 3)


def test_strict_raises_for_an_unknown_type():
    with pytest.raises(StrictError) as caught:
        tlex.from_links([("a", "BEFOR", "b")], strict=True, name="mine")

    assert str(caught.value).startswith("mine: TLINK l1 has relation 'BEFOR'")
    assert caught.value.line is None


def test_a_repeated_id_is_a_diagnostic_and_both_links_take_part():
    row = {"source": "a", "type": "BEFORE", "target": "b", "id": "x"}

    document = tlex.from_links([row, {**row, "target": "c"}])

    assert [d.code for d in document.diagnostics] == ["TLX104"]
    assert document.links[0].id == "x"
    assert len({link.id for link in document.links}) == 2
    assert tlex.extract(document).timelines[0].intervals == ("a", "b", "c")


@pytest.mark.parametrize(
    "row",
    [
        ("a", "BEFORE"),
        ("a", "BEFORE", "b", "c"),
        "abc",
        ("a", "BEFORE", 3.5),
        ("a", None, "b"),
        ("", "BEFORE", "b"),
        {"source": "a", "type": "BEFORE"},
        None,
        7,
        (b"a", "BEFORE", "b"),
    ],
    ids=repr,
)
def test_a_row_that_is_no_link_is_an_error_that_shows_it(row):
    with pytest.raises(OptionError) as caught:
        tlex.from_links([("a", "BEFORE", "b"), row])

    assert "link 2" in str(caught.value)
    assert repr(row) in str(caught.value)


def test_a_row_with_an_empty_cell_is_an_error():
    frame = pd.DataFrame([("a", "BEFORE", None)], columns=COLUMNS)

    with pytest.raises(OptionError, match="link 1"):
        tlex.from_links(frame)


@pytest.mark.parametrize("links", ["e1 BEFORE e2", 7, None], ids=repr)
def test_what_is_no_rows_at_all_is_an_error(links):
    with pytest.raises(OptionError) as caught:
        tlex.from_links(links)

    assert repr(links) in str(caught.value)


def test_a_document_from_links_can_be_extracted_and_verified():
    document = tlex.from_links([*ROWS, ("e2", "BEFORE", "e1")], texts={"e1": "fell"})

    result = tlex.extract(document)

    assert not result.consistent
    assert result.conflicts[0].links == ("l1", "l4")
    assert [c.link for c in result.connections] == ["l3"]
    tlex.verify(document, result)
    assert tlex.ExtractionRecord.from_json(result.to_json()).document.name == "<links>"


def test_a_weight_may_be_written_as_a_word():
    row = {"source": "a", "type": "BEFORE", "target": "b", "weight": "3"}

    assert tlex.from_links([row]).links[0].weight == 3.0


@pytest.mark.parametrize("written", [float("nan"), "heavy", [1]], ids=repr)
def test_what_is_no_weight_is_left_out(written):
    row = {"source": "a", "type": "BEFORE", "target": "b", "weight": written}

    assert tlex.from_links([row]).links[0].weight is None


# --- ids and weights that need care -------------------------------------------------------------


def test_blanks_around_ids_do_not_count():
    document = tlex.from_links([("e1 ", "BEFORE", " e2"), ("e1", "BEFORE", "e2")])

    assert list(document.index) == ["e1", "e2"]


def test_a_given_id_is_never_taken_for_a_row_without_one():
    row = {"source": "a", "type": "BEFORE", "target": "b", "id": "l2"}

    document = tlex.from_links([row, ("b", "BEFORE", "c")])

    assert document.diagnostics == ()
    assert document.links[0].id == "l2"


@pytest.mark.parametrize("extra", [{"weight": "heavy"}, {"weight": 10**400}, {"id": 7}])
def test_a_weight_or_an_id_that_cannot_be_used_is_reported(extra):
    row = {"source": "a", "type": "BEFORE", "target": "b", **extra}

    assert tlex.from_links([row]).diagnostics or tlex.from_links([row]).links[0].id == "7"


@pytest.mark.parametrize(
    ("row", "options"),
    [
        ({}, {"texts": {"a": 3}}),
        ({}, {"texts": 5}),
    ],
)
def test_wrong_arguments_are_errors_of_tlex(row, options):
    with pytest.raises(tlex.TlexError):
        tlex.from_links([{"source": "a", "type": "BEFORE", "target": "b", **row}], **options)


def test_an_id_that_cannot_be_written_is_an_error_of_tlex():
    with pytest.raises(tlex.TlexError):
        tlex.extract(tlex.from_links([("a", "BEFORE", "\ud800")])).to_json()


def test_ids_may_be_numbers_and_rows_named_tuples():
    frame = pd.DataFrame({"source": [1], "type": ["BEFORE"], "target": [2], "remark": ["x"]})

    for rows in (frame, frame.itertuples(), frame.to_dict("records")):
        link = tlex.from_links(rows).links[0]
        assert (link.source, link.type, link.target) == ("1", "BEFORE", "2")
