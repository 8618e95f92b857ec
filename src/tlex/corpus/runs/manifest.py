"""The manifest of a run: which items there are, which shard each is in, and what is done.

It is a SQLite file in the directory of the run, changed in transactions only. A shard's files are
in place before the manifest lists them. So whenever the process ends, what the manifest says is
true; files that it does not list do not count.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from hashlib import file_digest, sha256
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from tlex._version import __version__
from tlex.corpus.runs.shard_work import Outcome, ShardPiece
from tlex.errors import OptionError, WriteError
from tlex.export.table_schema import RUN_TABLES, VERSION

try:
    import fcntl
except ImportError:  # pragma: no cover -- not on this system: nobody is kept out
    fcntl = None  # type: ignore[assignment]

__all__ = ["NAME", "Manifest", "ManifestItem", "Totals", "as_write_errors", "write_file"]

NAME = "manifest.sqlite"
_LOCK = "lock"
_NEW = "new"
_DIGITS = 12
_WRITERS = 8
"""How many files are brought to disk at once."""

_OWN = re.compile(rf"part-\d{{5,}}-[0-9a-f]{{{_DIGITS}}}\.parquet")
_HEAD = b"SQLite format 3\0"

_TABLES = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE arguments (
    number INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, shown TEXT NOT NULL, read INTEGER
);
CREATE TABLE corpora (path BLOB PRIMARY KEY, name TEXT NOT NULL UNIQUE) WITHOUT ROWID;
CREATE TABLE containers (path BLOB PRIMARY KEY, signature TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE items (
    id INTEGER PRIMARY KEY,
    corpus TEXT NOT NULL,
    name TEXT NOT NULL,
    argument INTEGER NOT NULL,
    path BLOB NOT NULL,
    kind TEXT NOT NULL,
    member TEXT,
    place INTEGER NOT NULL,
    size INTEGER NOT NULL,
    signature TEXT NOT NULL,
    problem TEXT,
    named INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    shard INTEGER,
    number INTEGER,
    state TEXT NOT NULL,
    stale INTEGER NOT NULL DEFAULT 0,
    content TEXT,
    documents INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    inconsistent INTEGER NOT NULL DEFAULT 0,
    UNIQUE (corpus, name)
);
CREATE INDEX items_by_path ON items (path, place);
CREATE INDEX items_by_shard ON items (shard, number);
CREATE INDEX items_to_do ON items (shard) WHERE state IN ('pending', 'gone');
CREATE TABLE shards (
    shard INTEGER NOT NULL, name TEXT NOT NULL, file TEXT NOT NULL, PRIMARY KEY (shard, name)
) WITHOUT ROWID;
"""
# state: pending; done or failed (its rows are in the shard); skipped (it has none); gone (it is no
# longer among the input). A pending or gone item is stale if rows of it are in the shard still.


class ManifestItem(NamedTuple):
    """An item of the manifest, as far as the work on it needs it."""

    number: int
    corpus: str
    name: str
    path: bytes
    kind: str
    member: str | None
    place: int
    size: int
    problem: str | None
    named: int
    state: str
    stale: int
    documents: int


class Totals(NamedTuple):
    """The counts of items and documents, over all runs into this directory."""

    items: int
    pending: int
    skipped: int
    documents: int
    failed: int
    inconsistent: int
    duplicates: int


class _Change(Struct):
    """What publishing changes in a shard: old and new files, and the outcomes of its items."""

    old: dict[str, Path]
    files: dict[str, bytes] = {}
    new: dict[str, str] = {}
    outcomes: list[Outcome] = []


class Manifest:
    """The manifest of a run, open for changes; a lock keeps other runs out."""

    def __init__(self, folder: Path, options: dict[str, object]) -> None:
        self.folder = folder
        _prepare(folder)
        self._lock = _lock(folder)
        self._writers = ThreadPoolExecutor(_WRITERS)
        try:
            with as_write_errors(folder):
                self.database = sqlite3.connect(folder / NAME, isolation_level=None)
                self.database.execute("PRAGMA synchronous = FULL")
                self._begin_or_check(options)
                for name in (_NEW, *RUN_TABLES):
                    (folder / name).mkdir(exist_ok=True)
                self.clean()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the manifest and release the lock."""
        self._writers.shutdown(wait=False)
        if hasattr(self, "database"):
            self.database.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all changes inside take effect, or none."""
        self.database.execute("BEGIN IMMEDIATE")
        try:
            yield self.database
            self.database.execute("COMMIT")
        except BaseException:
            if self.database.in_transaction:
                self.database.execute("ROLLBACK")
            raise

    def list_shards(self) -> Iterator[int]:
        """The shards with items to do, in order; asks the database again after each."""
        last = -1
        while True:
            found = self.database.execute(
                "SELECT min(shard) FROM items WHERE state IN ('pending', 'gone') AND shard > ?",
                (last,),
            ).fetchone()[0]
            if found is None:
                return
            last = found
            yield last

    def count_shards(self) -> int:
        """Count the shards with items to do."""
        count: int = self.database.execute(
            "SELECT count(DISTINCT shard) FROM items WHERE state IN ('pending', 'gone')"
        ).fetchone()[0]
        return count

    def list_items(self, shard: int) -> list[ManifestItem]:
        """The items of a shard, in order."""
        rows = self.database.execute(
            "SELECT number, corpus, name, path, kind, member, place, size, problem, named, state,"
            " stale, documents FROM items WHERE shard = ? ORDER BY number",
            (shard,),
        )
        return [ManifestItem._make(row) for row in rows]

    def list_files(self, shard: int) -> dict[str, Path]:
        """The files of a shard, by table."""
        rows = self.database.execute("SELECT name, file FROM shards WHERE shard = ?", (shard,))
        return {name: self.folder / name / file for name, file in rows}

    def publish(self, pieces: Iterable[ShardPiece]) -> None:
        """Put the files of shards into place, and note what is done with them.

        First the new files are written, under names with a hash of their content; then the manifest
        is changed; then the old files are removed. If the process ends in between, the manifest and
        the files that it lists are either all old or all new. Of several pieces of one shard, the
        files of the last one count.
        """
        shards: dict[int, _Change] = {}
        for piece in pieces:
            change = shards.setdefault(piece.shard, _Change(self.list_files(piece.shard)))
            change.files = piece.files
            change.outcomes += piece.outcomes
            change.new = {
                table: f"part-{piece.shard:05}{_end(sha256(data).hexdigest())}"
                for table, data in piece.files.items()
            }
        # The disk takes its time for each file, and several at once take hardly longer.
        list(
            self._writers.map(
                lambda file: write_file(self.folder, *file),
                [
                    (table, name, change.files[table])
                    for change in shards.values()
                    for table, name in change.new.items()
                    if name != getattr(change.old.get(table), "name", None)
                ],
            )
        )
        changed = {table for change in shards.values() for table in change.new}
        list(self._writers.map(lambda table: _sync(self.folder / table), changed))
        with self.change() as database:
            for shard, change in shards.items():
                _note(database, shard, change)
        for change in shards.values():
            for table, path in change.old.items():
                if path.name != change.new.get(table):
                    path.unlink(missing_ok=True)

    def clean(self) -> None:
        """Remove the files of an interrupted run: those with our names that are not listed.

        If a listed file is missing, or its content is not that of its name, its whole shard is done
        again.
        """
        for path in (self.folder / _NEW).iterdir():
            table, _, name = path.name.partition("-")
            if table in RUN_TABLES and _OWN.fullmatch(name):
                path.unlink()
        lost: set[int] = set()
        for table in RUN_TABLES:
            rows = self.database.execute("SELECT file, shard FROM shards WHERE name = ?", (table,))
            listed = dict(rows.fetchall())
            for path in (self.folder / table).iterdir():
                if not _OWN.fullmatch(path.name):
                    continue
                if path.name not in listed:
                    path.unlink()
                elif path.name.endswith(_name_end(path)):
                    del listed[path.name]
            lost.update(listed.values())
        with self.change() as database:
            for shard in sorted(lost):
                database.execute("DELETE FROM shards WHERE shard = ?", (shard,))
                database.execute("DELETE FROM items WHERE shard = ? AND state = 'gone'", (shard,))
                database.execute(
                    "UPDATE items SET state = 'pending', stale = 0, documents = 0, failed = 0,"
                    " inconsistent = 0 WHERE shard = ? AND state != 'skipped'",
                    (shard,),
                )

    def count(self) -> Totals:
        """Count items and documents by their state."""
        row = self.database.execute(
            "SELECT count(*), coalesce(sum(state IN ('pending', 'gone')), 0),"
            " coalesce(sum(state = 'skipped'), 0),"
            " coalesce(sum(documents), 0), coalesce(sum(failed), 0),"
            " coalesce(sum(inconsistent), 0) FROM items"
        ).fetchone()
        (duplicates,) = self.database.execute(
            "SELECT coalesce(sum(times - 1), 0) FROM (SELECT count(*) AS times FROM items"
            " WHERE content IS NOT NULL AND state IN ('done', 'failed') GROUP BY content)"
        ).fetchone()
        return Totals._make((*row, duplicates))

    def _begin_or_check(self, options: dict[str, object]) -> None:
        """Begin a manifest, or check that its version and options are the same."""
        facts = {"schema": VERSION, "tlex": __version__}
        with self.change() as database:
            tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
            if not tables:
                _check_empty(self.folder)
                for statement in _TABLES.split(";\n"):
                    if statement.strip():
                        database.execute(statement)
                facts["options"] = msgspec.json.encode(options).decode()
                database.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
            elif not {"facts", "arguments", "corpora", "items", "shards"} <= tables:
                raise _refuse(self.folder)
            known = dict(database.execute("SELECT name, value FROM facts"))
        if known.get("schema") != VERSION:
            raise OptionError(
                f"{self.folder}: made with another version of the tables ({known.get('schema')});"
                " choose another directory"
            )
        if known.get("tlex") != __version__:
            raise OptionError(
                f"{self.folder}: made by tlex {known.get('tlex')}, and this is {__version__};"
                " choose another directory"
            )
        before = msgspec.json.decode(known["options"])
        now = msgspec.json.decode(msgspec.json.encode(options))
        for name in now:
            if before.get(name) != now[name]:
                raise OptionError(
                    f"{self.folder}: made with {name} {_show(before.get(name))}, and now it is"
                    f" {_show(now[name])}; give the same options or choose another directory"
                )


def _note(database: sqlite3.Connection, shard: int, change: _Change) -> None:
    """Change the manifest as the files of a shard were changed."""
    database.execute("DELETE FROM shards WHERE shard = ?", (shard,))
    database.executemany(
        "INSERT INTO shards VALUES (?, ?, ?)",
        [(shard, table, name) for table, name in change.new.items()],
    )
    # The new files have no rows of items that changed or are gone, redone or not.
    database.execute("DELETE FROM items WHERE shard = ? AND state = 'gone'", (shard,))
    database.execute(
        "UPDATE items SET stale = 0, documents = 0, failed = 0, inconsistent = 0"
        " WHERE shard = ? AND stale",
        (shard,),
    )
    database.executemany(
        "UPDATE items SET state = ?, content = ?, documents = ?, failed = ?,"
        " inconsistent = ? WHERE shard = ? AND number = ?",
        [
            (o.state, o.content, o.documents, o.failed, o.inconsistent, shard, o.number)
            for o in change.outcomes
        ],
    )


def write_file(folder: Path, table: str, name: str, data: bytes) -> None:
    """Write a file so that it is there whole or not at all, even if the power fails."""
    new = folder / _NEW / f"{table}-{name}"
    try:
        with new.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(folder / table / name)
    except BaseException:
        with suppress(OSError):  # the next run removes it
            new.unlink(missing_ok=True)
        raise


@contextmanager
def as_write_errors(folder: Path) -> Iterator[None]:
    """Turn errors of files and database into a `WriteError` about the directory of a run."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
    except sqlite3.Error as error:
        reason = str(error)
    else:
        return
    raise WriteError(f"{folder}: cannot be written: {reason}")


def _prepare(folder: Path) -> None:
    """Check that the directory is new or holds a run, and create it."""
    if folder.exists() and not folder.is_dir():
        raise OptionError(f"{folder}: not a directory")
    with as_write_errors(folder):
        manifest = folder / NAME
        if manifest.is_file():
            with manifest.open("rb") as file:
                head = file.read(len(_HEAD))
            if head != _HEAD and head:
                raise _refuse(folder)
        if folder.is_dir() and (not manifest.is_file() or not head):
            _check_empty(folder)
        folder.mkdir(parents=True, exist_ok=True)


def _check_empty(folder: Path) -> None:
    """Check that nothing is in the directory but what a run leaves that ended early."""
    ours = {_LOCK, NAME, f"{NAME}-journal"}
    strange = next((p.name for p in sorted(folder.iterdir()) if p.name not in ours), None)
    if strange is not None:
        raise OptionError(
            f"{folder}: holds {strange!r} and is not the result of a run;"
            " choose a new or empty directory"
        )


def _refuse(folder: Path) -> OptionError:
    return OptionError(
        f"{folder}: is not the result of a run: its {NAME} was not made by tlex;"
        " choose a new or empty directory"
    )


def _lock(folder: Path) -> int | None:
    if fcntl is None:
        return None
    with as_write_errors(folder):
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise OptionError(f"{folder}: another run is writing there; wait for its end") from None
    return lock


def _end(digest: str) -> str:
    """The end of the name of a file, with the beginning of the digest of its content."""
    return f"-{digest[:_DIGITS]}.parquet"


def _name_end(path: Path) -> str:
    """The end that the name of a file must have; none if the file cannot be read."""
    try:
        with path.open("rb") as file:
            return _end(file_digest(file, "sha256").hexdigest())
    except OSError:
        return "\0"


def _sync(folder: Path) -> None:
    """Bring the names in a directory to disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _show(value: object) -> str:
    return msgspec.json.encode(value).decode()
