"""The columns of every table are those of the schema, and say what the plain data says."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from strategies import document_of, forests, tangled_graphs
from table_rows import list_rows

import tlex
from tlex.export.table_columns import TableMaker
from tlex.export.table_schema import RESULT_TABLES, TABLES, find_table

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
FILES = [
    *sorted((ROOT / "examples").glob("*.tml")),
    *sorted(DATA.glob("*.tml")),
    DATA / "meantime.xml",
    DATA / "story.json",
]


def check(document, **options):
    """Hold every table against the rows that are made slowly from the plain data."""
    result = tlex.extract(document, **options)
    maker = TableMaker(result)
    expected = list_rows(result)
    assert list(RESULT_TABLES) == list(expected)
    for name, table in RESULT_TABLES.items():
        columns = maker.make(name)
        names = [column.name for column in table.result_columns]
        assert list(columns) == names
        rows = [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        assert rows == expected[name], name
        for column in table.result_columns:
            assert column.nullable or None not in columns[column.name], (name, column.name)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@pytest.mark.parametrize(
    "options",
    [{}, {"links": ["ALINK"]}, {"times": "point"}, {"mend": True}, {"calendar": True}],
    ids=str,
)
def test_the_columns_are_those_of_the_plain_data(path, options):
    check(tlex.read(path), **options)


@settings(max_examples=60)
@given(forest=forests())
def test_the_columns_of_any_forest_are_those_of_its_plain_data(forest):
    check(document_of(*forest))


@settings(max_examples=60)
@given(graph=tangled_graphs())
def test_the_columns_of_any_tangle_are_those_of_its_plain_data(graph):
    check(document_of(graph), times="point")
    check(document_of(graph), mend=True)


@pytest.mark.corpus
def test_the_columns_of_timebank_are_those_of_its_plain_data(timebank):
    for document in list(timebank.values())[::8]:
        check(document)


@pytest.mark.corpus
def test_the_columns_of_meantime_are_those_of_its_plain_data(meantime):
    for document in list(meantime.values())[::8]:
        check(document)


def test_without_scenarios_only_their_columns_are_null():
    result = tlex.extract(tlex.read(ROOT / "examples" / "story.tml"))

    whole, lean = (TableMaker(result, scenarios=on).make("timelines") for on in (True, False))

    assert None in lean["scenarios_exact"]
    assert {name for name in whole if whole[name] != lean[name]} == {
        "scenarios_log10",
        "scenarios_exact",
    }


def test_every_table_has_the_document_first_and_no_column_twice():
    for name, table in TABLES.items():
        assert table.name == name
        names = [column.name for column in table.columns]
        assert names[0] == "document"
        assert len(set(names)) == len(names)


def test_an_unknown_table_is_reported_with_the_known_ones():
    with pytest.raises(tlex.TlexError, match="no table 'intervals'; choose from nodes, points"):
        find_table("intervals")


def test_a_table_of_too_many_pairs_is_refused(monkeypatch):
    result = tlex.extract(tlex.from_links([("a", "BEFORE", "b"), ("a", "BEFORE", "c")]))
    maker = TableMaker(result)
    monkeypatch.setattr("tlex.result.MOST_PAIRS", 4)
    assert len(maker.make("pairs")["first"]) == 4

    monkeypatch.setattr("tlex.result.MOST_PAIRS", 3)
    with pytest.raises(tlex.OptionError, match="4 pairs have no known order"):
        maker.make("pairs")
