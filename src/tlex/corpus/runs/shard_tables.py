"""The tables of a shard as Parquet: from columns to the bytes of files.

The same rows always give the same bytes. Needs pyarrow: ``pip install 'tlex[corpus]'``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from tlex.export.arrow_schema import make_arrow_schema
from tlex.export.table_columns import Columns
from tlex.export.table_schema import RUN_TABLES, VERSION

__all__ = ["SCHEMAS", "ShardTables"]

_COUNTS = b"rows"
"""In the metadata of a file: how many rows each document of the shard has in it."""

_FEW = 1_000
"""Up to so many rows, the dictionary of a column takes more time and room than it saves."""

SCHEMAS = {
    name: make_arrow_schema(table.run_columns, {"schema": VERSION})
    for name, table in RUN_TABLES.items()
}


class ShardTables:
    """Collects the rows of documents as they come; `encode` sorts them and writes the tables."""

    def __init__(self) -> None:
        self._places: list[tuple[int, int]] = []
        self._rows = {name: _Rows(schema) for name, schema in SCHEMAS.items()}

    def add(self, name: str, place: tuple[int, int], tables: Mapping[str, Columns]) -> None:
        """Add the rows of one document; its place decides where they stand in the end.

        A column that a table does not have is null in all its rows.
        """
        self._places.append(place)
        for table, rows in self._rows.items():
            rows.add(name, tables.get(table, {}))

    def encode(
        self, kept: Mapping[str, bytes], places: Sequence[tuple[int, int] | None]
    ) -> dict[str, bytes]:
        """Give the file of each table, as bytes.

        ``kept`` are files written earlier, and ``places`` has the place of each document in them,
        or None if its rows are removed. Two documents may have the same name.
        """
        known = [*places, *self._places]
        order = sorted((place, owner) for owner, place in enumerate(known) if place is not None)
        if not order:
            return {}
        owners = [owner for _, owner in order]
        files = {}
        for name, rows in self._rows.items():
            table, counts = rows.give_table(), rows.counts
            if places:
                old, before = _read(kept[name])
                table, counts = pa.concat_tables([old.cast(table.schema), table]), before + counts
            if owners != list(range(len(known))):
                table = _pick(table, counts, owners)
            files[name] = _write(table.combine_chunks(), [counts[owner] for owner in owners])
        return files


class _Rows:
    """The rows of one table, in the order in which they come, and how many each document has."""

    def __init__(self, schema: pa.Schema) -> None:
        self.counts: list[int] = []
        self._schema = schema
        self._values: dict[str, list[object]] = {name: [] for name in schema.names}

    def add(self, document: str, columns: Columns) -> None:
        """Add the rows of a document."""
        count = len(next(iter(columns.values()), ()))
        self.counts.append(count)
        if count:
            given = {**columns, "document": [document] * count}
            nulls = [None] * count
            for name, values in self._values.items():
                values.extend(given.get(name, nulls))

    def give_table(self) -> pa.Table:
        """Give all rows that were added."""
        columns = [
            _make_array(values, field.type)
            for values, field in zip(self._values.values(), self._schema, strict=True)
        ]
        return pa.Table.from_arrays(columns, schema=self._schema)


def _make_array(values: list[object], type_: pa.DataType) -> pa.Array:
    """Values as Arrow has them; many columns have none, which need not be looked at one by one."""
    if values and values[0] is None and values.count(None) == len(values):
        return pa.nulls(len(values), type_)
    return pa.array(values, type_)


def _pick(table: pa.Table, counts: Sequence[int], owners: Sequence[int]) -> pa.Table:
    """The rows of some documents, in this order; ``counts`` are the rows of each, as they stand."""
    firsts = list(accumulate(counts, initial=0))
    numbers = chain.from_iterable(range(firsts[owner], firsts[owner + 1]) for owner in owners)
    return table.take(pa.array(numbers, pa.int64()))


def _read(data: bytes) -> tuple[pa.Table, list[int]]:
    """A table, and how many rows each document of its shard has in it."""
    with pq.ParquetFile(pa.BufferReader(data)) as file:
        counts: list[int] = msgspec.json.decode(file.metadata.metadata[_COUNTS])
        return file.read(), counts


def _write(table: pa.Table, counts: list[int]) -> bytes:
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(
        sink,
        table.schema,
        compression="zstd",
        use_dictionary=table.num_rows > _FEW,
        store_schema=False,
    ) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({_COUNTS: msgspec.json.encode(counts)})
    data: bytes = sink.getvalue().to_pybytes()
    return data
