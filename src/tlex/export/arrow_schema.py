"""The columns of tables as an Arrow schema, for Parquet. Needs pyarrow."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from tlex.export.table_schema import Column

__all__ = ["make_arrow_schema"]

_TYPES = {
    "string": pa.string(),
    "int64": pa.int64(),
    "double": pa.float64(),
    "bool": pa.bool_(),
    "list<string>": pa.list_(pa.string()),
}


def make_arrow_schema(
    columns: Iterable[Column], metadata: dict[str, str] | None = None
) -> pa.Schema:
    """Give the Arrow schema of some columns, with metadata for the file."""
    fields = [pa.field(one.name, _TYPES[one.type], nullable=one.nullable) for one in columns]
    return pa.schema(fields, metadata=metadata)
