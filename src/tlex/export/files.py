"""The tables of results as files, CSV or Parquet: a file for each table, with all documents.

Every row begins with its document's name. Parquet needs pyarrow: ``pip install tlex[parquet]``.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Protocol, Self

from tlex.errors import OptionError, WriteError
from tlex.export.losses import Held, Losses, count_unheld
from tlex.export.tables import TABLES, import_optional
from tlex.files import FileBeside
from tlex.timeline import Extraction

__all__ = ["TableFiles", "add_rows", "count_left_out", "name_tables", "open_table"]

_BATCH = 50_000


class _Table(Protocol):
    """A table that is being written."""

    def add(self, rows: Iterable[dict[str, Any]]) -> None: ...
    def close(self) -> None: ...


class _Csv:
    """Comma-separated values in UTF-8, with a line of names; what is not there is empty."""

    def __init__(self, file: BinaryIO, table: str) -> None:
        self.file = file
        self.columns = ("document", *TABLES[table][0])
        self._write([self.columns])

    def add(self, rows: Iterable[dict[str, Any]]) -> None:
        self._write([_show(row[column]) for column in self.columns] for row in rows)

    def close(self) -> None:
        self.file.flush()

    def _write(self, lines: Iterable[Sequence[str]]) -> None:
        text = io.StringIO(newline="")
        plain = csv.writer(text, lineterminator="\n")
        careful = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
        for line in lines:  # a carriage return ends a line for others, but is not quoted by itself
            (careful if "\r" in "".join(line) else plain).writerow(line)
        self.file.write(text.getvalue().encode("utf-8", "backslashreplace"))


class _Parquet:
    """Parquet with a type for each column."""

    def __init__(self, file: BinaryIO, table: str) -> None:
        self.arrow = import_optional("pyarrow", "parquet")
        types = {
            "number": self.arrow.int64(),
            "fraction": self.arrow.float64(),
            "flag": self.arrow.bool_(),
            "text": self.arrow.string(),
        }
        columns = {"document": "text", **TABLES[table][0]}
        self.schema = self.arrow.schema([(name, types[kind]) for name, kind in columns.items()])
        parquet = import_optional("pyarrow.parquet", "parquet")
        self.writer = parquet.ParquetWriter(file, self.schema)
        self.waiting: list[dict[str, Any]] = []

    def add(self, rows: Iterable[dict[str, Any]]) -> None:
        self.waiting += [{key: _clean(value) for key, value in row.items()} for row in rows]
        if len(self.waiting) >= _BATCH:
            self._write()

    def close(self) -> None:
        self._write()
        self.writer.close()

    def _write(self) -> None:
        if self.waiting:
            self.writer.write_table(self.arrow.Table.from_pylist(self.waiting, self.schema))
            self.waiting = []


_KINDS: dict[str, type[_Csv | _Parquet]] = {"csv": _Csv, "parquet": _Parquet}


def open_table(file: BinaryIO, kind: str, table: str) -> _Table:
    """Begin a table in a file that is open for writing."""
    if table not in TABLES:
        raise OptionError(f"there is no table {table!r}; choose from {', '.join(TABLES)}")
    return _KINDS[kind](file, table)


def add_rows(written: _Table, table: str, result: Extraction) -> None:
    """Add what a result has for a table."""
    name = result.document.name
    written.add({"document": name, **row} for row in TABLES[table][1](result))


def name_tables(target: Path, kind: str, table: str | None = None) -> dict[str, Path]:
    """Find where tables go: one into its own file, or all into a directory.

    A file's name tells its table unless another is asked for.
    """
    if not target.suffix or target.is_dir():
        names = TABLES if table is None else (table,)
        return {name: target / f"{name}.{kind}" for name in names}
    own = table or target.stem
    if own not in TABLES:
        raise OptionError(
            f"{target.name!r} does not name a table; choose from {', '.join(TABLES)}, "
            "or give a directory for all of them"
        )
    return {own: target}


def count_left_out(result: Extraction, tables: Iterable[str]) -> Losses:
    """Count what some of the tables do not hold of a result and its document."""
    losses = count_unheld(result.document, Held())
    held = set(tables)
    for table in (table for table in TABLES if table not in held):
        losses.add("rows of other tables", number=len(TABLES[table][1](result)))
    return losses


class TableFiles:
    """Tables in files, one path each, that take their places together when all is written.

    Use it as a context: if something goes wrong inside, or nothing is added, no file is touched.
    """

    def __init__(self, paths: dict[str, Path], kind: str) -> None:
        self.paths = paths
        self.added = 0
        self.tables: dict[str, _Table] = {}
        self.files: list[FileBeside] = []
        try:
            for table, path in paths.items():
                path.parent.mkdir(parents=True, exist_ok=True)
                self.files.append(FileBeside(path))
                self.tables[table] = open_table(self.files[-1].file, kind, table)
        except OSError as error:
            self._leave()
            raise WriteError(f"{path}: cannot be written: {error.strerror or error}") from error
        except BaseException:
            self._leave()
            raise

    def add(self, result: Extraction) -> None:
        """Add the rows of a result to every table."""
        self.added += 1
        for table, written in self.tables.items():
            add_rows(written, table, result)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None and self.added:
                for written in self.tables.values():
                    written.close()
                for new in self.files:
                    new.finish()
                for new in self.files:
                    new.take_place()
        except OSError as failure:
            raise WriteError(f"the tables cannot be written: {failure.strerror}") from failure
        finally:
            self._leave()

    def _leave(self) -> None:
        """Leave nothing behind."""
        for new in self.files:
            new.discard()


def _show(value: object) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _clean(value: object) -> object:
    """Text as Parquet takes it: a name may hold what is no character."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    return value
