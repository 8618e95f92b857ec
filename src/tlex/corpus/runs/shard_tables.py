"""The tables of a shard as Parquet: from columns to the bytes of files.

The same rows always give the same bytes. Needs pyarrow: ``pip install 'tlex[corpus]'``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain, compress

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tlex.export.arrow_schema import make_arrow_schema
from tlex.export.table_columns import Columns
from tlex.export.table_schema import RUN_TABLES, VERSION

__all__ = ["SCHEMAS", "ShardTables"]

_COUNTS = b"rows"
"""In the metadata of a file: how many rows each document of the shard has in it."""

_FEW = 1_000
"""Up to so many rows, the dictionary of a column takes more time and room than it saves."""

_SOUGHT = ["document"]
"""The columns with statistics. Rows stand in the order of the documents, so that a query for one
of them can pass over files; the values of other columns are in no order.
"""

SCHEMAS = {
    name: make_arrow_schema(table.run_columns, {"schema": VERSION})
    for name, table in RUN_TABLES.items()
}


class ShardTables:
    """Collects the rows of documents as they come; `encode` sorts them and writes the tables."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._places: list[tuple[int, int]] = []
        self._rows = {name: _Rows(schema) for name, schema in SCHEMAS.items()}

    def add(self, name: str, place: tuple[int, int], tables: Mapping[str, Columns]) -> None:
        """Add the rows of one document; its place decides where they stand in the end.

        A column that a table does not have is null in all its rows.
        """
        self._names.append(name)
        self._places.append(place)
        for table, rows in self._rows.items():
            rows.add(tables.get(table, {}))

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
            table, counts = rows.give_table(self._names), rows.counts
            if places:
                old, before = _read(kept[name])
                table, counts = pa.concat_tables([old.cast(table.schema), table]), before + counts
            if owners != list(range(len(known))):
                table = _pick(table, counts, owners)
            files[name] = _write(table.combine_chunks(), [counts[owner] for owner in owners])
        return files


class _Rows:
    """The rows of one table, in the order in which they come, and how many each document has.

    The first column, the names of the documents, is made when all are there.
    """

    def __init__(self, schema: pa.Schema) -> None:
        self.counts: list[int] = []
        self._schema = schema
        self._names = schema.names[1:]
        self._values: list[list[object]] = [[] for _ in self._names]

    def add(self, columns: Columns) -> None:
        """Add the rows of a document."""
        count = len(next(iter(columns.values()), ()))
        self.counts.append(count)
        if count:
            if len(columns) < len(self._names):
                columns = dict.fromkeys(self._names, [None] * count) | columns
            for name, values in zip(self._names, self._values, strict=True):
                values.extend(columns[name])

    def give_table(self, documents: Sequence[str]) -> pa.Table:
        """Give all rows that were added, with the names of their documents."""
        types = self._schema.types[1:]
        columns = [
            _repeat(documents, self.counts),
            *(_make_array(*column) for column in zip(self._values, types, strict=True)),
        ]
        return pa.Table.from_arrays(columns, schema=self._schema)


def _repeat(names: Sequence[str], counts: Sequence[int]) -> pa.Array:
    """Repeat each name so many times."""
    values = pa.array(list(compress(names, counts)), pa.string())
    ends = pa.array(list(compress(accumulate(counts), counts)), pa.int64())
    return pc.run_end_decode(pa.RunEndEncodedArray.from_arrays(ends, values))


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
        write_statistics=_SOUGHT,
        store_schema=False,
    ) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({_COUNTS: msgspec.json.encode(counts)})
    data: bytes = sink.getvalue().to_pybytes()
    return data
