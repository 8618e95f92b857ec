"""The documents of a file or directory, with a verdict for each, kept up to date with the disk.

A requested name is looked up among the names found on the disk and is never used as a path. So
nothing outside the directory can be reached. Symbolic links that lead out of it are ignored. A file
is opened first and then checked, so that a link that changes meanwhile is noticed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Lock
from typing import Any, Final
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from tlex.document import Document
from tlex.errors import NotRecognisedError, ReadError, TlexError
from tlex.extraction import extract
from tlex.files import is_directory, open_within, walk
from tlex.readers import MAX_BYTES, load, parse_all
from tlex.result import Extraction
from tlex.viewer.data import Entry, Place

__all__ = ["Library", "UnknownDocumentError"]

WAITING: Final = "waiting"
BROKEN: Final = "broken"


class UnknownDocumentError(KeyError):
    """There is no document with this name."""


class _File(Struct):
    """A file, its state on the disk, and the names of its documents."""

    path: str
    stamp: str
    names: list[str]
    settled: bool = False


class Library:
    """The documents below a directory, or in one file.

    `scan` lists the files, `settle` reads those that are new or have changed, `follow` does both
    until it is stopped. These three must be called from one thread; everything else may be called
    from any thread. ``reading`` are arguments of `parse_all`, ``options`` those of `extract`.
    """

    def __init__(
        self,
        root: str,
        reading: dict[str, Any] | None = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.root = Path(root)
        self.single = not is_directory(self.root)
        self.version = 1
        self.shrunk = 1  # the version at which documents were last removed
        self._reading = reading or {}
        self.options = options or {}
        self._lock = Lock()
        self._files: dict[str, _File] = {}
        self._entries: dict[str, Entry] = {}
        self._home: dict[str, tuple[str, int]] = {}
        self._several: tuple[str, bytes, tuple[Document, ...]] = "", b"", ()

    @property
    def name(self) -> str:
        """The name of the directory or file."""
        return _show(self.root.name or str(self.root.resolve()))

    def list_entries(self, since: int = 0) -> tuple[Entry, ...]:
        """List the entries that are newer than a version, in order."""
        with self._lock:
            names = [name for file in self._files.values() for name in file.names]
            entries = [self._entries[name] for name in names]
        return tuple(entry for entry in entries if entry.version > since)

    def open(self, name: str, *, calendar: bool | None = None) -> Extraction:
        """Read a document anew and extract its timeline; ``calendar`` as asked for, if it is.

        Raises `UnknownDocumentError` if no document has this name, and a `TlexError` if it cannot
        be read.
        """
        document, _ = self.read(name)
        options = self.options if calendar is None else {**self.options, "calendar": calendar}
        return extract(document, **options)

    def read(self, name: str) -> tuple[Document, str]:
        """Read a document anew; give it and the path of its file. Raises errors as `open` does."""
        with self._lock:
            if name not in self._home:
                raise UnknownDocumentError(name)
            path, number = self._home[name]
            file = self._files[path]
        documents = self._read(path, file.path)
        if number >= len(documents):
            raise UnknownDocumentError(name)
        return documents[number], file.path

    @property
    def within(self) -> Path | None:
        """The directory that no file may lie outside of; None for a single file."""
        return None if self.single else self.root

    def load(self, shown: str, path: str) -> bytes:
        """Load a file, unless it is a link that leads out of the directory.

        Raises `ReadError`, with the name that is ``shown``.
        """
        most = self._reading.get("max_bytes", MAX_BYTES)
        try:
            source = path if self.within is None else open_within(path, self.within)
            with open(source, "rb", buffering=0) as file:  # noqa: PTH123 -- or a descriptor
                return load(file.read, shown, most, os.fstat(file.fileno()).st_size)
        except OSError as error:
            raise ReadError(f"cannot be read: {error.strerror or error}", name=shown) from error

    def address(self, name: str) -> str:
        """Give the address of the page of a document."""
        return _address(name)

    def find_place(self, name: str, *, live: bool = True) -> Place:
        """Find the place of a document in the list."""
        with self._lock:
            names = [name for file in self._files.values() for name in file.names]
            index = None if self.single and len(names) <= 1 else "/"
            now = self.version if live else None
            if name not in names:
                return Place(index=index, live=now)
            at = names.index(name)
            return Place(
                index=index,
                previous=self._entries[names[at - 1]].href if at else None,
                next=self._entries[names[at + 1]].href if at + 1 < len(names) else None,
                number=at + 1,
                total=len(names),
                live=now,
                stamp=self._entries[name].stamp,
            )

    def scan(self) -> None:
        """List the files, and find which have changed. No file is opened."""
        found = dict(self._walk())
        with self._lock:
            known = self._files
            if {shown: stamp for shown, (_, stamp) in found.items()} == {
                shown: file.stamp for shown, file in known.items()
            }:
                return
            self.version += 1
            if known.keys() - found.keys():
                self.shrunk = self.version
            self._files = {}
            for shown, (path, stamp) in found.items():
                file = known.get(shown)
                if file is None or file.stamp != stamp:
                    # Until the file has been read, it is listed in place of its documents.
                    names = file.names if file and file.names else [shown]
                    file = _File(path, stamp, names)
                    self._announce(shown, file)
                self._files[shown] = file
            self._index()

    def settle(self, use: Callable[[Extraction], None] | None = None) -> Iterator[Entry]:
        """Read the files that are new or have changed, one by one; give an entry for each document.

        ``use`` is called with each extraction, in the order of the entries that are not broken. So
        a caller that needs entries and extractions reads each file only once.
        """
        while True:
            with self._lock:
                waiting = [shown for shown, file in self._files.items() if not file.settled]
            if not waiting:
                return
            for shown in waiting:
                yield from self._settle(shown, use)

    def follow(self, stop: Event, every: float = 0.7) -> None:
        """Repeat `scan` and `settle` until ``stop`` is set."""
        while True:
            self.scan()
            for _ in self.settle():
                if stop.is_set():
                    return
            if stop.wait(every):
                return

    def _walk(self) -> Iterator[tuple[str, tuple[str, str]]]:
        """List every file in order: its name, its path, and its state."""
        if self.single:
            paths = iter([(_show(self.root.name), str(self.root))])
        else:
            paths = self._walk_folders()
        for shown, path in paths:
            try:
                state = os.stat(path)  # noqa: PTH116 -- faster than Path, and called often
            except OSError:
                continue
            yield shown, (path, f"{state.st_mtime_ns:x}.{state.st_size:x}.{state.st_ino:x}")

    def _walk_folders(self) -> Iterator[tuple[str, str]]:
        for one in walk(str(self.root)):
            try:
                leads_out = one.kind != "file" or self._leads_out(one.path)
            except OSError:  # it was replaced while it was looked at
                continue
            if not leads_out:
                yield _show(one.name), one.path

    def _leads_out(self, path: str) -> bool:
        """Whether this is a link that leads out of the directory, or not a regular file."""
        if os.path.islink(path):  # noqa: PTH114
            target = Path(os.path.realpath(path))
            inside = self.root.resolve() in target.parents
            return not inside or not os.path.isfile(target)  # noqa: PTH113 -- raises nothing
        return not os.path.isfile(path)  # noqa: PTH113 -- reading a pipe would never end

    def _read(self, shown: str, path: str) -> tuple[Document, ...]:
        """Read a file; neither it nor its companions may be links that lead out of the directory.

        The documents of the last file that has several are kept, as each has a page of its own.
        """
        within = self.within
        data = self.load(shown, path)
        with self._lock:
            last, content, documents = self._several
        if last == path and content == data:
            return documents
        if self._reading.get("text"):  # the user has named their directory
            within = None
        documents = parse_all(data, name=shown, path=path, within=within, **self._reading)
        if len(documents) > 1:
            with self._lock:
                self._several = path, data, documents
        return documents

    def _settle(
        self, shown: str, use: Callable[[Extraction], None] | None = None
    ) -> Iterator[Entry]:
        with self._lock:
            file = self._files.get(shown)
            if file is None:
                return
            stamp = file.stamp
        entries: list[Entry]
        try:
            entries = [self._judge(document, use) for document in self._read(shown, file.path)]
        except NotRecognisedError as error:
            entries = [_refuse(shown, error)] if self.single else []
        except (TlexError, MemoryError, RecursionError) as error:
            entries = [_refuse(shown, error)]
        with self._lock:
            self.version += 1
            file.settled = True
            if [entry.name for entry in entries] != file.names:
                self.shrunk = self.version
            for name in file.names:
                self._entries.pop(name, None)
                self._home.pop(name, None)
            file.names = []
            for entry in entries:
                name = self._name_anew(entry.name)
                self._home[name] = (shown, len(file.names))
                file.names.append(name)
                self._entries[name] = replace(
                    entry, name=name, href=_address(name), version=self.version, stamp=stamp
                )
            settled = [self._entries[name] for name in file.names]
        yield from settled

    def _name_anew(self, wanted: str) -> str:
        """Make a name unique: a file may contain two documents with the same name."""
        name, number = wanted, 2
        while name in self._home:
            name, number = f"{wanted} ({number})", number + 1
        return name

    def _judge(self, document: Document, use: Callable[[Extraction], None] | None) -> Entry:
        try:
            result = extract(document, **self.options)
            entry = Entry(
                name=document.name,
                href="",
                verdict="consistent" if result.consistent else "inconsistent",
                nodes=len(document.nodes),
                links=len(document.links),
                timelines=len(result.timelines),
                sections=sum(len(timeline.sections) for timeline in result.timelines),
                conflicts=len(result.conflicts),
                conflicts_complete=result.conflicts_complete,
            )
            if use is not None:
                use(result)
        except (TlexError, MemoryError, RecursionError) as error:
            return _refuse(document.name, error)
        return entry

    def _announce(self, shown: str, file: _File) -> None:
        """List the documents of a file as waiting to be read."""
        for name in file.names:
            known = self._entries.get(name, Entry(name=name, href=_address(name), verdict=WAITING))
            self._entries[name] = replace(known, version=self.version, stamp=file.stamp)
        if file.names == [shown]:
            entry = self._entries[shown]
            self._entries[shown] = replace(entry, verdict=WAITING, message="")

    def _index(self) -> None:
        self._home = {
            name: (shown, number)
            for shown, file in self._files.items()
            for number, name in enumerate(file.names)
        }
        self._entries = {name: self._entries[name] for name in self._home}


def _address(name: str) -> str:
    return "/document/" + quote(name, safe="/")


def _show(name: str) -> str:
    """Give a file name as text, also if it has bytes that are not UTF-8."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _refuse(name: str, error: Exception) -> Entry:
    if isinstance(error, MemoryError):
        return Entry(
            name=name, href="", verdict=BROKEN, message="there is not enough memory for this"
        )
    return Entry(name=name, href="", verdict=BROKEN, message=str(error))
