"""The tables of a shard: rows in the order of the items, null where a document gives no column."""

from __future__ import annotations

import pytest

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from tlex.corpus.runs.shard_tables import SCHEMAS, ShardTables  # noqa: E402


def make_rows(table, *values):
    """Make the columns of a table: in each row its value stands in every column."""
    casts = {pa.string(): str, pa.int64(): int, pa.float64(): float, pa.bool_(): bool}
    columns = {
        field.name: [casts[field.type](value) for value in values] for field in SCHEMAS[table]
    }
    del columns["document"]
    return columns


def open_file(data):
    return pq.ParquetFile(pa.BufferReader(data))


def test_rows_stand_in_the_order_of_the_items_with_the_names_of_their_documents():
    tables = ShardTables()
    tables.add("c/z", (2, 0), {"connections": make_rows("connections", 5, 6)})
    tables.add("c/none", (1, 0), {})
    tables.add("c/a", (0, 0), {"connections": make_rows("connections", 7)})

    files = tables.encode({}, [])
    found = open_file(files["connections"]).read().to_pydict()

    assert list(files) == list(SCHEMAS)
    assert found["document"] == ["c/a", "c/z", "c/z"]
    assert found["source"] == ["7", "5", "6"]
    assert found["target_timeline"] == [7, 5, 6]
    assert open_file(files["breaks"]).read().num_rows == 0


def test_a_column_that_a_document_does_not_give_is_null():
    tables = ShardTables()
    tables.add("c/a", (0, 0), {"connections": make_rows("connections", 1)})
    partly = make_rows("connections", 2, 3)
    del partly["type"]
    tables.add("c/b", (1, 0), {"connections": partly})

    found = open_file(tables.encode({}, [])["connections"]).read().to_pydict()

    assert found["type"] == ["1", None, None]
    assert found["link"] == ["1", "2", "3"]


def test_rows_of_an_earlier_piece_are_kept_or_dropped():
    first = ShardTables()
    for number, name in enumerate(("c/a", "c/b")):
        first.add(name, (number, 0), {"connections": make_rows("connections", number)})
    kept = first.encode({}, [])
    second = ShardTables()
    second.add("c/a", (0, 0), {"connections": make_rows("connections", 8, 9)})

    found = open_file(second.encode(kept, [None, (1, 0)])["connections"]).read().to_pydict()

    assert found["document"] == ["c/a", "c/a", "c/b"]
    assert found["link"] == ["8", "9", "1"]


def test_only_the_names_of_documents_have_statistics():
    tables = ShardTables()
    tables.add("c/a", (0, 0), {"connections": make_rows("connections", 1)})
    tables.add("c/b", (1, 0), {"connections": make_rows("connections", 2)})

    group = open_file(tables.encode({}, [])["connections"]).metadata.row_group(0)
    columns = [group.column(number) for number in range(group.num_columns)]

    assert [one.path_in_schema for one in columns if one.is_stats_set] == ["document"]
    assert (columns[0].statistics.min, columns[0].statistics.max) == ("c/a", "c/b")
