"""Tables as Parquet: from plain lists to the bytes of files, the same bytes for the same rows.

Needs pyarrow: ``pip install tlex[corpus]``.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tlex.corpus.rows import Rows
from tlex.corpus.schemas import TABLES, VERSION, Table

__all__ = ["SCHEMAS", "Batch", "list_documents"]

_TYPES = {
    "string": pa.string(),
    "int64": pa.int64(),
    "double": pa.float64(),
    "bool": pa.bool_(),
    "list<string>": pa.list_(pa.string()),
}


def _make_schema(table: Table) -> pa.Schema:
    return pa.schema(
        [pa.field(c.name, _TYPES[c.type], nullable=c.nullable) for c in table.columns],
        metadata={"schema": VERSION},
    )


SCHEMAS = {name: _make_schema(table) for name, table in TABLES.items()}


class Batch:
    """Rows of documents as they come; `encode` puts them into order and writes the tables."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._places: list[tuple[int, int]] = []
        self._columns: dict[str, list[list[object]]] = {
            name: [[] for _ in table.columns[1:]] for name, table in TABLES.items()
        }
        self._owners: dict[str, array[int]] = {name: array("i") for name in TABLES}

    def add(self, name: str, place: tuple[int, int], rows: Rows) -> None:
        """Add the rows of one document; its place decides where they stand in the end."""
        number = len(self._names)
        self._names.append(name)
        self._places.append(place)
        for table, found in rows.items():
            if found:
                for column, values in zip(self._columns[table], found, strict=True):
                    column.extend(values)
                self._owners[table].extend(array("i", [number]) * len(found[0]))

    def encode(
        self, kept: Mapping[str, bytes], places: Mapping[str, tuple[int, int]]
    ) -> dict[str, bytes]:
        """Give the file of each table, as bytes.

        ``kept`` are files written earlier: of these, the rows of the documents that have a place
        in ``places`` stay.
        """
        known = dict(places) | dict(zip(self._names, self._places, strict=True))
        order = sorted(known, key=known.__getitem__)
        if not order:
            return {}
        in_order = not kept and order == self._names
        names = pa.array(self._names, pa.string())
        files = {}
        for name, schema in SCHEMAS.items():
            owners = pa.array(self._owners[name], pa.int32())
            columns = [
                pa.array(values, field.type)
                for values, field in zip(self._columns[name], list(schema)[1:], strict=True)
            ]
            table = pa.Table.from_arrays([names.take(owners), *columns], schema=schema)
            if not in_order:
                table = _sort(_join(kept.get(name), table, places, self._names), order)
            files[name] = _write(table)
        return files


def list_documents(files: Mapping[str, bytes]) -> list[str]:
    """The names of the documents of a shard, in its order."""
    if "documents" not in files:
        return []
    table = pq.read_table(pa.BufferReader(files["documents"]), columns=["document"])
    names: list[str] = table.column("document").to_pylist()
    return names


def _join(
    old: bytes | None, new: pa.Table, places: Mapping[str, tuple[int, int]], names: Sequence[str]
) -> pa.Table:
    if old is None:
        return new
    staying = pa.array([name for name in places if name not in set(names)], pa.string())
    table = pq.read_table(pa.BufferReader(old))
    table = table.filter(pc.is_in(table.column("document"), value_set=staying))
    return pa.concat_tables([table.cast(new.schema), new])


def _sort(table: pa.Table, order: Sequence[str]) -> pa.Table:
    """The rows in the order of their documents; those of a document stay as they are."""
    ranks = pc.index_in(table.column("document"), value_set=pa.array(order, pa.string()))
    return table.take(pc.sort_indices(ranks)).combine_chunks()


def _write(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", store_schema=False)
    data: bytes = sink.getvalue().to_pybytes()
    return data
