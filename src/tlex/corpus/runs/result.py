"""The result of a run, open for reading: its options, its tables, its documents.

Only files that the manifest lists are read. So a result can be read while a run goes on.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from tlex.arguments import take_words
from tlex.corpus.runs.manifest import NAME
from tlex.corpus.runs.shard_work import RunSettings, WorkItem, name_documents, read_item
from tlex.corpus.runs.sources import InputContent
from tlex.document import Document
from tlex.errors import OptionError, ReadError, UnknownNameError
from tlex.export.table_schema import RUN_TABLES, VERSION
from tlex.readers import Labels
from tlex.readers.labels import take_labels
from tlex.readers.layers import Layers
from tlex.records import Options
from tlex.wording import represent

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["RunResult", "open_run", "read_file"]

_TRIES = 10
_REASONS = {
    "no such table": "the run has not begun, or it is another database",
    "file is not a database": "it is not a database",
}


class RunResult:
    """The result of a run; the keys of ``options`` are the names of the command line."""

    def __init__(self, folder: Path, facts: dict[str, str]) -> None:
        self.folder = folder
        self.tlex = facts["tlex"]
        self.options: dict[str, Any] = msgspec.json.decode(facts["options"])

    def __repr__(self) -> str:
        return represent(self, repr(str(self.folder)))

    def corpora(self) -> tuple[str, ...]:
        """The names of the corpora, in the order of the input."""
        rows = self._ask("SELECT corpus FROM items GROUP BY corpus ORDER BY min(number)")
        return tuple(name for (name,) in rows)

    def pending(self) -> int:
        """How many files, members of archives or lines are still to be done."""
        ((count,),) = self._ask("SELECT count(*) FROM items WHERE state IN ('pending', 'gone')")
        return int(count)

    def files(self, table: str) -> list[Path]:
        """The files of a table, in order."""
        _check_name("table", table, RUN_TABLES)
        rows = self._ask("SELECT file FROM shards WHERE name = ? ORDER BY shard", table)
        return [self.folder / table / file for (file,) in rows]

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Give a table, or some columns of it, with all rows in the order of the documents."""
        import pyarrow as pa  # noqa: PLC0415 -- not light

        from tlex.corpus.runs.shard_tables import SCHEMAS  # noqa: PLC0415

        _check_name("table", name, RUN_TABLES)
        every = [column.name for column in RUN_TABLES[name].run_columns]
        wanted = every if columns is None else list(take_words("columns", columns))
        for column in wanted:
            _check_name("column", column, every)
        for _ in range(_TRIES):
            try:
                pieces = [read_file(file, wanted) for file in self.files(name)]
            except FileNotFoundError:  # a run in progress has replaced it: try again
                continue
            except (pa.ArrowException, OSError) as error:
                message = f"a file of the table {name} is damaged; the same run again mends it"
                raise ReadError(message, name=str(self.folder)) from error
            empty = SCHEMAS[name].empty_table().select(wanted)
            return pa.concat_tables([empty, *pieces])
        raise ReadError("the tables change all the time while a run goes on", name=str(self.folder))

    def read(
        self, document: str, labels: Labels | str | os.PathLike[str] | None = None
    ) -> Document:
        """Read a document again from where it came from; a `ReadError` if it has changed.

        The run does not keep ``labels`` of the user: they must be given again.
        """
        corpus, _, name = document.partition("/")
        settings = self._choose_settings(take_labels(labels))
        for number, item, path, kind, member, place, size, content in self._find(corpus, name):
            with closing(InputContent(settings.max_bytes)) as reader:
                data = reader.read(kind, os.fsdecode(path), place, size)
            if sha256(data).hexdigest() != content:
                raise ReadError("has changed since the run", name=document)
            source = WorkItem(
                number=number,
                corpus=corpus,
                name=item,
                path=path,
                member=member,
                line=kind == "lines",
            )
            for own, found in name_documents(read_item(source, data, settings)):
                if own == name:
                    return found
        raise UnknownNameError(f"the run has no document {document!r}")

    def _find(self, corpus: str, name: str) -> Iterator[tuple[Any, ...]]:
        """The items that may hold a document: first that of its name, then those with several."""
        asked = "SELECT number, name, path, kind, member, place, size, content FROM items WHERE"
        yield from self._ask(f"{asked} corpus = ? AND name = ?", corpus, name)
        yield from self._ask(
            f"{asked} corpus = ?1 AND (substr(?2, 1, length(name) + 1) = name || ':'"
            " OR substr(?2, 1, length(name) + 1) = name || '#') ORDER BY length(name) DESC",
            corpus,
            name,
        )

    def _choose_settings(self, labels: Labels | None) -> RunSettings:
        """How documents were read."""
        options = self.options
        known = None if labels is None else sha256(msgspec.json.encode(labels)).hexdigest()
        if known != options["labels"]:
            raise OptionError(f"{self.folder}: the run had other --labels; give the same file")
        return RunSettings(
            options=Options(links=tuple(options["links"]), times=options["times"]),
            format=options["format"],
            text=options["text"],
            labels=labels,
            layers=_read_layers(options.get("layers")),
            max_bytes=options["max-bytes"],
        )

    def _ask(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        return _ask(self.folder, question, *values)


def _read_layers(kept: object) -> Layers | None:
    return None if kept is None else msgspec.convert(kept, Layers)


def open_run(out: str | os.PathLike[str]) -> RunResult:
    """Open the result of a run.

    Parameters
    ----------
    out : path
        The directory of the run.

    Returns
    -------
    RunResult
        The tables, the options, and where the documents are.

    Raises
    ------
    OptionError
        If the directory is not the result of a run.

    Examples
    --------
    >>> import tempfile, tlex
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     summary = tlex.corpus.run(["examples/*.tml"], folder, jobs=1)
    ...     tlex.corpus.open_run(folder).corpora()
    ('examples',)

    See Also
    --------
    tlex.corpus.run : run over a corpus.
    """
    folder = Path(out)
    if not (folder / NAME).is_file():
        raise OptionError(f"{folder}: not the result of a run: it has no {NAME}")
    facts = dict(_ask(folder, "SELECT name, value FROM facts"))
    if facts.get("schema") != VERSION:
        raise OptionError(
            f"{folder}: made with another version of the tables ({facts.get('schema')})"
        )
    return RunResult(folder, facts)


def read_file(file: Path, columns: Sequence[str]) -> pa.Table:
    """Read some columns of a file of a table, in this order.

    With `pyarrow.parquet.read_table`, pyarrow would load pandas for it.
    """
    from pyarrow.parquet import ParquetFile  # noqa: PLC0415 -- not light

    with ParquetFile(file) as opened:
        return opened.read(list(columns)).select(list(columns))


def _check_name(what: str, name: str, known: Iterable[str]) -> None:
    if name not in known:
        raise UnknownNameError(f"there is no {what} {name!r:.80}; choose from {', '.join(known)}")


def _ask(folder: Path, question: str, *values: object) -> list[tuple[Any, ...]]:
    address = (folder / NAME).absolute().as_uri()
    # SQLite must undo what an interrupted run has left half written: for that it must write.
    for mode in ("rw", "ro"):
        try:
            with closing(
                sqlite3.connect(f"{address}?mode={mode}", uri=True, timeout=30)
            ) as database:
                return database.execute(question, values).fetchall()
        except sqlite3.Error as error:
            reason = _REASONS.get(str(error).partition(":")[0], str(error))
    raise OptionError(f"{folder / NAME}: not the manifest of a run: {reason}")
