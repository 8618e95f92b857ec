"""Before a run: what there is to do, written into the manifest.

What is known keeps its shard. What is new gets the next shards, in sorted order, so that the same
input gives the same shards whoever works on them. What has changed, or has gone, is to be done
anew, or taken out, in the shard where it was.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from hashlib import sha256
from time import time_ns

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
_TOLD = 10


class InputNotes(Struct):
    """What came up: arguments that could not be read, and what was left out.

    ``unread`` are told one by one; of the others there is the number, and the first few.
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
    """Write into the manifest what is to be done: all of it, or nothing if that fails."""
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


class _Planner:
    """One look at the input."""

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
        """List what the arguments stand for; those of earlier runs must be among them."""
        given = {os.path.abspath(argument): argument for argument in arguments}  # noqa: PTH100
        if not given:
            raise OptionError("there is no input; name a directory, an archive or a file")
        for path, shown in self.database.execute("SELECT path, shown FROM arguments"):
            if os.fsdecode(path) not in given:
                raise OptionError(
                    f"earlier the input had {shown!r} too, and now it has not;"
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
        """Mark what is no longer there, unless nothing at all is where it was."""
        self.database.execute(
            "UPDATE items SET state = 'gone', stale = documents > 0 WHERE seen < ?"
            " AND argument IN (SELECT number FROM arguments WHERE read)",
            (self.seen,),
        )
        self.database.execute("DELETE FROM items WHERE state = 'gone' AND NOT stale")

    def assign_shards(self, shard_size: int | None) -> None:
        """Give the next shards to what is new."""
        database = self.database
        database.execute(
            "CREATE TEMP TABLE fresh AS SELECT id, size FROM items WHERE shard IS NULL"
            " ORDER BY argument, corpus, name"
        )
        (count,) = database.execute("SELECT count(*) FROM fresh").fetchone()
        most = shard_size or max(_SMALLEST, min(_LARGEST, -(-count // _SHARDS)))
        shard, number = database.execute(
            "SELECT coalesce(max(shard), -1) + 1, coalesce(max(number), -1) + 1 FROM items"
        ).fetchone()
        items = size = 0
        for item, bytes_ in database.execute("SELECT id, size FROM fresh ORDER BY rowid"):
            if items and (items == most or size + bytes_ > _BYTES):
                shard, items, size = shard + 1, 0, 0
            database.execute(
                "UPDATE items SET shard = ?, number = ? WHERE id = ?", (shard, number, item)
            )
            number, items, size = number + 1, items + 1, size + bytes_
        database.execute("DROP TABLE fresh")

    def _take(self, argument: str, number: int) -> bool:
        """List what one argument stands for; say whether there was anything."""
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
        """The name of a corpus: the last part of its path, with a number where that is taken."""
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

    def _leave_out(self, told: str) -> None:
        self.notes.left_out += 1
        if self.notes.left_out <= _TOLD:
            self.notes.examples.append(told)

    def _know_container(self, path: str, argument: int) -> bool:
        """Whether an archive is as it was: then all that it holds is there still."""
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
        """Note one item: new, as it was, or changed."""
        path = os.fsencode(found.path)
        twice = self.database.execute(
            "SELECT 1 FROM items WHERE path = ? AND place = ? AND seen = ?",
            (path, found.place, self.seen),
        ).fetchone()
        if twice:
            self.notes.repeated += 1
            return
        name, row = self._find(found, corpus)
        facts = (
            *(argument, path, found.kind, found.member, found.place, found.size),
            *(found.signature, found.problem, found.named, self.seen),
        )
        if row is None:
            self.database.execute(
                "INSERT INTO items (argument, path, kind, member, place, size, signature, problem,"
                " named, seen, corpus, name, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                " 'pending')",
                (*facts, corpus, name),
            )
            return
        self.database.execute(
            "UPDATE items SET argument = ?, path = ?, kind = ?, member = ?, place = ?, size = ?,"
            " signature = ?, problem = ?, named = ?, seen = ? WHERE id = ?",
            (*facts, row[0]),
        )
        if not self._is_same(found, row):
            self.database.execute(
                "UPDATE items SET state = 'pending', stale = documents > 0 WHERE id = ?", row[:1]
            )

    def _find(
        self, found: FoundInput, corpus: str
    ) -> tuple[str, tuple[int, str, str, str, str] | None]:
        """The name of an item, with a number where it is taken; and what is known of it."""
        name, count = found.name, 1
        while True:
            row = self.database.execute(
                "SELECT id, state, signature, content, problem, seen FROM items"
                " WHERE corpus = ? AND name = ?",
                (corpus, name),
            ).fetchone()
            if row is None or row[5] < self.seen:
                return name, row and row[:5]
            count += 1
            name = f"{found.name}#{count}"

    def _is_same(self, found: FoundInput, row: tuple[int, str, str, str, str]) -> bool:
        """Whether an item is as it was when it was done; read again only if that is in doubt."""
        _, state, signature, content, problem = row
        if state == "gone" or problem != found.problem:
            return False
        if state == "pending" or (signature and signature == found.signature):
            return True
        if found.problem is not None:  # the same as before
            return True
        return found.kind == "file" and _digest(found.path) == content


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
