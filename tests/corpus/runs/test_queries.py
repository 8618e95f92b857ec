"""The tables as DuckDB sees them: the one-liners of the documentation run."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest
from runs import make_corpus

import tlex
from tlex.corpus import open_run, run
from tlex.export.table_schema import RUN_TABLES, TABLES

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
QUERY = re.compile(r'^duckdb -c "(.*)"$', re.MULTILINE)


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """Give the result of a run over the examples and some made-up documents."""
    place = tmp_path_factory.mktemp("queried")
    make_corpus(place / "corpus", 10)
    (place / "corpus" / "apart.txt").write_text("a BEFORE b\nc BEFORE d\n")
    untidy = (ROOT / "tests" / "data" / "untidy.tml").read_bytes()
    (place / "corpus" / "untidy.tml").write_bytes(untidy)
    run([*sorted((ROOT / "examples").glob("*.tml")), place / "corpus"], place / "out")
    return place / "out"


def test_the_page_has_a_query_for_every_table():
    queries = QUERY.findall(PAGE)

    assert len(queries) == len(TABLES)
    for name, query in zip(TABLES, queries, strict=True):
        assert f"OUT/{name}/*.parquet" in query or f"'{name}.parquet'" in query


@pytest.mark.parametrize("query", QUERY.findall(PAGE))
def test_every_query_of_the_page_runs_and_finds_something(out, query):
    story = tlex.extract(tlex.read(ROOT / "examples" / "story.tml"))
    for name in ("pairs", "closure"):
        tlex.write(story, out / f"{name}.parquet")
        query = query.replace(f"'{name}.parquet'", f"'{out}/{name}.parquet'")

    found = duckdb.sql(query.replace("OUT/", f"{out}/")).fetchall()

    assert found


def test_what_duckdb_finds_is_what_is_there(out):
    rows = open_run(out).table("documents").to_pylist()

    query = RUN_TABLES["documents"].query.format(table=f"'{out}/documents/*.parquet'")
    found = duckdb.sql(query).fetchall()

    assert found == [
        (
            corpus,
            sum(row["corpus"] == corpus for row in rows),
            sum(row["words"] for row in rows if row["corpus"] == corpus),
            sum(not row["consistent"] for row in rows if row["corpus"] == corpus),
        )
        for corpus in ("corpus", "examples")
    ]


def test_the_types_are_those_of_the_schema(out):
    names = {
        "string": "VARCHAR",
        "int64": "BIGINT",
        "double": "DOUBLE",
        "bool": "BOOLEAN",
        "list<string>": "VARCHAR[]",
    }
    for name, table in RUN_TABLES.items():
        files = f"{out}/{name}/*.parquet"
        found = duckdb.sql("DESCRIBE SELECT * FROM read_parquet($1)", params=[files]).fetchall()
        assert [(row[0], row[1]) for row in found] == [
            (column.name, names[column.type]) for column in table.run_columns
        ]
