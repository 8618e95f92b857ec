"""The tables of a shard as Parquet: from columns to the bytes of files.

The same rows always give the same bytes. Needs pyarrow: ``pip install 'tlex[corpus]'``.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence

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

SCHEMAS = {
    name: make_arrow_schema(table.run_columns, {"schema": VERSION})
    for name, table in RUN_TABLES.items()
}


class ShardTables:
    """Collects the rows of documents as they come; `encode` sorts them and writes the tables."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._places: list[tuple[int, int]] = []
        self._columns: dict[str, dict[str, list[object]]] = {
            name: {column.name: [] for column in table.run_columns[1:]}
            for name, table in RUN_TABLES.items()
        }
        self._owners: dict[str, array[int]] = {name: array("i") for name in RUN_TABLES}

    def add(self, name: str, place: tuple[int, int], tables: Mapping[str, Columns]) -> None:
        """Add the rows of one document; its place decides where they stand in the end.

        A column that a table does not have is null in all its rows.
        """
        number = len(self._names)
        self._names.append(name)
        self._places.append(place)
        for table, columns in tables.items():
            count = len(next(iter(columns.values())))
            if not count:
                continue
            nulls = [None] * count
            for column, values in self._columns[table].items():
                values.extend(columns.get(column, nulls))
            self._owners[table].extend(array("i", [number]) * count)

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
        ranks = [-1] * len(known)
        for rank, (_, owner) in enumerate(order):
            ranks[owner] = rank
        names = pa.array(self._names, pa.string())
        files = {}
        for name, schema in SCHEMAS.items():
            owners = pa.array(self._owners[name], pa.int32())
            columns = [
                _make_array(values, schema.field(column).type)
                for column, values in self._columns[name].items()
            ]
            table = pa.Table.from_arrays([names.take(owners), *columns], schema=schema)
            found = [ranks[owner + len(places)] for owner in self._owners[name]]
            if places:
                old, counts = _read(kept[name])
                before = [
                    rank
                    for rank, count in zip(ranks[: len(places)], counts, strict=True)
                    for _ in range(count)
                ]
                table = pa.concat_tables([old.cast(schema), table])
                found = before + found
            files[name] = _write(*_sort(table, found, len(order)))
        return files


def _make_array(values: list[object], type_: pa.DataType) -> pa.Array:
    """Values as Arrow has them; many columns have none, which need not be looked at one by one."""
    if values and values[0] is None and values.count(None) == len(values):
        return pa.nulls(len(values), type_)
    return pa.array(values, type_)


def _sort(table: pa.Table, ranks: list[int], documents: int) -> tuple[pa.Table, list[int]]:
    """Sort rows by the ranks of their documents, and count the rows of each document.

    Rows with a rank below 0 are removed. The rows of one document keep their order.
    """
    found = Counter(ranks)
    counts = [found[rank] for rank in range(documents)]
    if ranks != sorted(ranks) or (ranks and ranks[0] < 0):
        gone = len(ranks) - sum(counts)
        table = table.take(pc.sort_indices(pa.array(ranks, pa.int32()))[gone:]).combine_chunks()
    return table, counts


def _read(data: bytes) -> tuple[pa.Table, list[int]]:
    """A table, and how many rows each document of its shard has in it."""
    with pq.ParquetFile(pa.BufferReader(data)) as file:
        counts: list[int] = msgspec.json.decode(file.metadata.metadata[_COUNTS])
        return file.read(), counts


def _write(table: pa.Table, counts: list[int]) -> bytes:
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, table.schema, compression="zstd", store_schema=False) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({_COUNTS: msgspec.json.encode(counts)})
    data: bytes = sink.getvalue().to_pybytes()
    return data
