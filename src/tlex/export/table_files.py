"""Tables as files, CSV or Parquet: one file for each table, with the rows of all documents.

Every row begins with its document's name. Parquet needs pyarrow: ``pip install 'tlex[parquet]'``.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Protocol, Self

from tlex.errors import OptionError, WriteError
from tlex.export.data_frames import import_optional
from tlex.export.losses import Held, Losses, count_unheld
from tlex.export.spreadsheets import disarm
from tlex.export.table_columns import Columns, TableMaker
from tlex.export.table_schema import RESULT_TABLES, Table, find_table
from tlex.files import FileBeside
from tlex.result import Extraction

__all__ = ["TableFiles", "add_rows", "count_left_out", "name_tables", "open_table"]

_BATCH = 50_000


class _TableWriter(Protocol):
    """Writes one table into a file."""

    def add(self, document: str, columns: Columns) -> None: ...
    def close(self) -> None: ...
    def abandon(self) -> None: ...


class _Csv:
    """Comma-separated values in UTF-8, with a line of column names; null is empty.

    Text that a spreadsheet would take for a formula begins with an apostrophe.
    """

    def __init__(self, file: BinaryIO, table: Table) -> None:
        self.file = file
        self.names = [column.name for column in table.result_columns]
        self._write([("document", *self.names)])

    def add(self, document: str, columns: Columns) -> None:
        rows = zip(*(columns[name] for name in self.names), strict=True)
        name = disarm(document)
        self._write([name, *map(_show, row)] for row in rows)

    def close(self) -> None:
        self.file.flush()

    def abandon(self) -> None:
        pass

    def _write(self, lines: Iterable[Sequence[str]]) -> None:
        text = io.StringIO(newline="")
        plain = csv.writer(text, lineterminator="\n")
        careful = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
        for line in lines:
            # csv does not quote a carriage return, but other programs take it as a line end.
            (careful if "\r" in "".join(line) else plain).writerow(line)
        self.file.write(text.getvalue().encode("utf-8", "backslashreplace"))


class _Parquet:
    """Parquet with a type for each column."""

    def __init__(self, file: BinaryIO, table: Table) -> None:
        self.arrow = import_optional("pyarrow", "parquet")
        parquet = import_optional("pyarrow.parquet", "parquet")
        from tlex.export.arrow_schema import make_arrow_schema  # noqa: PLC0415 -- needs pyarrow

        self.schema = make_arrow_schema((table.columns[0], *table.result_columns))
        self.writer = parquet.ParquetWriter(file, self.schema)
        self.waiting: dict[str, list[object]] = {name: [] for name in self.schema.names}

    def add(self, document: str, columns: Columns) -> None:
        count = len(next(iter(columns.values())))
        self.waiting["document"] += [_clean(document)] * count
        for name, values in columns.items():
            self.waiting[name] += map(_clean, values)
        if len(self.waiting["document"]) >= _BATCH:
            self._write()

    def close(self) -> None:
        self._write()
        self.writer.close()

    def abandon(self) -> None:
        """End without an error: else pyarrow prints one when it finds its file closed."""
        with suppress(Exception):
            self.writer.close()
        self.writer.is_open = False

    def _write(self) -> None:
        if self.waiting["document"]:
            self.writer.write_table(self.arrow.Table.from_pydict(self.waiting, self.schema))
            self.waiting = {name: [] for name in self.schema.names}


_KINDS: dict[str, type[_Csv | _Parquet]] = {"csv": _Csv, "parquet": _Parquet}


def open_table(file: BinaryIO, kind: str, table: str) -> _TableWriter:
    """Start writing a table into a file that is open for writing."""
    return _KINDS[kind](file, find_table(table))


def add_rows(written: _TableWriter, table: str, result: Extraction) -> None:
    """Add the rows of a result to a table."""
    written.add(result.document.name, TableMaker(result).make(table))


def name_tables(target: Path, kind: str, table: str | None = None) -> dict[str, Path]:
    """Find the file of each table: of one table if ``target`` is a file, of all if a directory.

    The table is named by ``table``, or else by the file's name. ``pairs`` and ``closure`` can be
    very long, so they are written only if they are named.
    """
    if not target.suffix or target.is_dir():
        names = _list_usual() if table is None else [table]
        return {name: target / f"{name}.{kind}" for name in names}
    own = table or target.stem
    if own not in RESULT_TABLES:
        raise OptionError(
            f"{target.name!r} does not name a table; choose from {', '.join(RESULT_TABLES)}, "
            "or give a directory for several"
        )
    return {own: target}


def count_left_out(result: Extraction, tables: Iterable[str]) -> Losses:
    """Count what of a result and its document is in none of these tables."""
    losses = count_unheld(result.document, Held())
    others = [table for table in _list_usual() if table not in set(tables)]
    if others:
        maker = TableMaker(result, scenarios=False)
        for table in others:
            columns = maker.make(table)
            losses.add("rows of other tables", number=len(next(iter(columns.values()))))
    return losses


def _list_usual() -> list[str]:
    """List the tables that are written if none is named."""
    return [name for name, table in RESULT_TABLES.items() if not table.on_request]


class TableFiles:
    """Tables in files, which are replaced only when all of them are complete.

    Use it as a context: after an error, or if nothing was added, no file is changed.
    """

    def __init__(self, paths: dict[str, Path], kind: str) -> None:
        self.paths = paths
        self.added = 0
        self.tables: dict[str, _TableWriter] = {}
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
        maker = TableMaker(result)
        try:
            for table, written in self.tables.items():
                written.add(result.document.name, maker.make(table))
        except OSError as failure:
            raise _explain(failure) from failure

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
            raise _explain(failure) from failure
        finally:
            self._leave()

    def _leave(self) -> None:
        """Remove the temporary files that are left."""
        for written in self.tables.values():
            written.abandon()
        for new in self.files:
            new.discard()


def _explain(failure: OSError) -> WriteError:
    return WriteError(f"the tables cannot be written: {failure.strerror}")


def _show(value: object) -> str:
    """Format a value for CSV; the ids of a list are separated by blanks."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return disarm(" ".join(value))
    if isinstance(value, str):
        return disarm(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _clean(value: object) -> object:
    """Replace what cannot be encoded as UTF-8, such as bytes of a file name."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, tuple):
        return [_clean(word) for word in value]
    return value
