"""Plans a run: finds what there is to do and writes it into the manifest.

Items that are known keep their shard. New ones get the next shards, in sorted order, so that the
same input always gives the same shards. Members of a tar stay in the order of the archive: it can
be read from its beginning to its end only. Items that have changed are done again in their shard,
and items that are gone are removed from it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from hashlib import sha256
from time import time_ns
from typing import NamedTuple

from msgspec import Struct

from tlex.corpus.runs.manifest import Manifest
from tlex.corpus.runs.sources import (
    FoundInput,
    InputRoot,
    LeftOut,
    find_root,
    list_root,
    open_file,
    show_name,
    sign_file,
)
from tlex.errors import OptionError, ReadError

__all__ = ["InputNotes", "plan_run"]

_SHARDS = 64
_SMALLEST, _LARGEST = 25, 1_000
_BYTES = 32 << 20
_EXAMPLES = 10

_ADD = (
    "INSERT INTO items (argument, path, kind, member, place, size, signature, problem, named, seen,"
    " corpus, name, state) SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending'"
)
_SAME = "SELECT 1 FROM items WHERE path = ? AND place = ? AND seen = ?"


class InputNotes(Struct):
    """Notes on the input: arguments that could not be read, and what was left out.

    ``unread`` lists each argument; of what was ``left_out`` there are the number and examples.
    """

    unread: list[str]
    left_out: int = 0
    examples: list[str] = []
    repeated: int = 0


def plan_run(
    manifest: Manifest,
    arguments: Iterable[str],
    *,
    max_bytes: int,
    shard_size: int | None = None,
    retry: bool = False,
) -> InputNotes:
    """Write what is to be done into the manifest: all of it, or nothing if that fails."""
    notes = InputNotes([])
    with manifest.change() as database:
        planner = _Planner(database, notes, max_bytes, str(manifest.folder))
        planner.take_arguments(arguments)
        planner.find_gone()
        if retry:
            database.execute(
                "UPDATE items SET state = 'pending', stale = documents > 0 WHERE state = 'failed'"
            )
        planner.assign_shards(shard_size)
    return notes


class _KnownItem(NamedTuple):
    """An item as an earlier run left it in the manifest."""

    id: int
    state: str
    signature: str
    content: str | None
    problem: str | None
    seen: int


class _Planner:
    """Compares the input with the manifest, once for each run."""

    def __init__(
        self, database: sqlite3.Connection, notes: InputNotes, max_bytes: int, out: str
    ) -> None:
        self.database = database
        self.notes = notes
        self.max_bytes = max_bytes
        self.out = os.path.realpath(out)
        self.now = time_ns()
        (last,) = database.execute("SELECT coalesce(max(seen), 0) FROM items").fetchone()
        self.seen = last + 1

    def take_arguments(self, arguments: Iterable[str]) -> None:
        """List what the arguments name; those of earlier runs must be among them."""
        named = list(arguments)
        if not named:
            raise OptionError("there is no input; name a directory, an archive or a file")
        given = {}
        for argument in named:
            try:
                given[os.path.abspath(argument)] = argument  # noqa: PTH100
            except OSError as error:  # the working directory is gone
                reason = error.strerror or str(error)
                self.notes.unread.append(f"{show_name(argument)}: cannot be read: {reason}")
        for path, shown in self.database.execute("SELECT path, shown FROM arguments"):
            if os.fsdecode(path) not in given:
                raise OptionError(
                    f"an earlier run had the input {shown!r} too, and it is missing now;"
                    " give it again or choose another directory for the result"
                )
        for path, argument in given.items():
            self.database.execute(
                "INSERT OR IGNORE INTO arguments (path, shown) VALUES (?, ?)",
                (os.fsencode(path), show_name(argument)),
            )
            (number,) = self.database.execute(
                "SELECT number FROM arguments WHERE path = ?", (os.fsencode(path),)
            ).fetchone()
            read = self._take(argument, number)
            self.database.execute("UPDATE arguments SET read = ? WHERE number = ?", (read, number))

    def find_gone(self) -> None:
        """Mark items that are gone, unless their whole argument is gone or empty."""
        self.database.execute(
            "UPDATE items SET state = 'gone', stale = documents > 0 WHERE seen < ?"
            " AND argument IN (SELECT number FROM arguments WHERE read)",
            (self.seen,),
        )
        self.database.execute("DELETE FROM items WHERE state = 'gone' AND NOT stale")

    def assign_shards(self, shard_size: int | None) -> None:
        """Give the new items the next shards."""
        database = self.database
        database.execute(
            "CREATE TEMP TABLE fresh AS SELECT id, size FROM ("
            " SELECT *, CASE kind WHEN 'tar' THEN min(name) OVER (PARTITION BY argument, path)"
            " ELSE name END AS sorted FROM items WHERE shard IS NULL)"
            " ORDER BY argument, corpus, sorted, CASE kind WHEN 'tar' THEN place END, name"
        )
        (count,) = database.execute("SELECT count(*) FROM fresh").fetchone()
        most = shard_size or max(_SMALLEST, min(_LARGEST, -(-count // _SHARDS)))
        shard, number = database.execute(
            "SELECT coalesce(max(shard), -1) + 1, coalesce(max(number), -1) + 1 FROM items"
        ).fetchone()
        fresh = database.execute("SELECT id, size FROM fresh ORDER BY rowid")
        database.executemany(
            "UPDATE items SET shard = ?, number = ? WHERE id = ?",
            _divide(fresh, most, shard, number),
        )
        database.execute("DROP TABLE fresh")

    def _take(self, argument: str, number: int) -> bool:
        """List what one argument names; return whether there was anything."""
        try:
            root = find_root(argument)
        except ReadError as error:
            self.notes.unread.append(str(error))
            return False
        corpus = self._name_corpus(root)
        listing = list_root(root, self.max_bytes, self.now, self.out)
        any_ = False
        known: bool | None = None
        while True:
            try:
                found = listing.send(known)
            except StopIteration:
                break
            known = None
            if isinstance(found, LeftOut):
                self._leave_out(f"{corpus}/{found.name}: {found.reason}")
            elif isinstance(found, FoundInput):
                any_ = True
                self._note(found, corpus, number)
            else:
                known = self._know_container(str(found), number)
                any_ = any_ or known
        if not any_:
            self.notes.unread.append(f"{show_name(argument)}: no document in there")
        return any_

    def _name_corpus(self, root: InputRoot) -> str:
        """The name of a corpus: the last part of its path, with a number if that name is taken."""
        base = os.fsencode(root.base)
        row = self.database.execute("SELECT name FROM corpora WHERE path = ?", (base,)).fetchone()
        if row:
            return str(row[0])
        taken = {name for (name,) in self.database.execute("SELECT name FROM corpora")}
        name, count = root.corpus, 1
        while name in taken:
            count += 1
            name = f"{root.corpus}-{count}"
        self.database.execute("INSERT INTO corpora VALUES (?, ?)", (base, name))
        return name

    def _leave_out(self, reason: str) -> None:
        self.notes.left_out += 1
        if self.notes.left_out <= _EXAMPLES:
            self.notes.examples.append(reason)

    def _know_container(self, path: str, argument: int) -> bool:
        """Whether an archive has not changed; then all its members are still there."""
        try:
            signature = sign_file(path, self.now)
        except OSError:
            signature = ""
        key = os.fsencode(path)
        row = self.database.execute(
            "SELECT signature FROM containers WHERE path = ?", (key,)
        ).fetchone()
        self.database.execute("REPLACE INTO containers VALUES (?, ?)", (key, signature))
        if not row or not signature or row[0] != signature:
            return False
        changed = self.database.execute(
            "UPDATE items SET seen = ?, argument = ? WHERE path = ? AND seen < ?"
            " AND state != 'gone'",
            (self.seen, argument, key, self.seen),
        )
        return changed.rowcount > 0

    def _note(self, found: FoundInput, corpus: str, argument: int) -> None:
        """Write one item into the manifest: new, unchanged, or changed."""
        path = os.fsencode(found.path)
        facts = (
            *(argument, path, found.kind, found.member, found.place, found.size),
            *(found.signature, found.problem, found.named, self.seen),
        )
        where = path, found.place, self.seen
        if self.seen == 1:  # in a first run, nearly all items are new
            added = self.database.execute(
                f"{_ADD} WHERE NOT EXISTS ({_SAME}) ON CONFLICT DO NOTHING",
                (*facts, corpus, found.name, *where),
            )
            if added.rowcount:
                return
        if self.database.execute(_SAME, where).fetchone():
            self.notes.repeated += 1
            return
        name, known = self._find(found, corpus)
        if known is None:
            self.database.execute(_ADD, (*facts, corpus, name))
            return
        self.database.execute(
            "UPDATE items SET argument = ?, path = ?, kind = ?, member = ?, place = ?, size = ?,"
            " signature = ?, problem = ?, named = ?, seen = ? WHERE id = ?",
            (*facts, known.id),
        )
        if not self._is_same(found, known):
            self.database.execute(
                "UPDATE items SET state = 'pending', stale = documents > 0 WHERE id = ?",
                (known.id,),
            )

    def _find(self, found: FoundInput, corpus: str) -> tuple[str, _KnownItem | None]:
        """The name of an item, with a number if it is taken; and the item of an earlier run."""
        name, count = found.name, 1
        while True:
            row = self.database.execute(
                "SELECT id, state, signature, content, problem, seen FROM items"
                " WHERE corpus = ? AND name = ?",
                (corpus, name),
            ).fetchone()
            if row is None:
                return name, None
            known = _KnownItem._make(row)
            if known.seen < self.seen:
                return name, known
            count += 1
            name = f"{found.name}#{count}"

    def _is_same(self, found: FoundInput, known: _KnownItem) -> bool:
        """Whether an item is unchanged since it was done; its file is read only if in doubt."""
        if known.state == "gone" or known.problem != found.problem:
            return False
        if known.state == "pending":
            return True
        if known.signature and known.signature == found.signature:
            return True
        if found.problem is not None:  # the same as before
            return True
        return found.kind == "file" and _digest(found.path) == known.content


def _divide(
    fresh: Iterable[tuple[int, int]], most: int, shard: int, number: int
) -> Iterator[tuple[int, int, int]]:
    """Give items, by id and size, the shards and numbers from these on: shard, number and id."""
    items = size = 0
    for item, bytes_ in fresh:
        if items and (items == most or size + bytes_ > _BYTES):
            shard, items, size = shard + 1, 0, 0
        yield shard, number, item
        number, items, size = number + 1, items + 1, size + bytes_


def _digest(path: str) -> str | None:
    """The digest of a file; None if it cannot be read."""
    digest = sha256()
    try:
        with open_file(path) as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    except OSError:
        return None
    return digest.hexdigest()
