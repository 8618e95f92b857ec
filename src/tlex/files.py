"""Walking directories and writing files: one place for the command line, the viewer and corpora.

Names of files are strings as Python has them; they may hold bytes that are no text.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple

from tlex.errors import WriteError

__all__ = ["FileBeside", "Found", "find_kind", "make_directory", "walk", "write_atomically"]


class Found(NamedTuple):
    """Something that lies below a directory.

    ``name`` is the path below the directory. ``kind`` is one of

    * ``file``: an ordinary file, or a link to one, or a link that leads nowhere (opening it says
      what is wrong with it);
    * ``link``: a link to a directory, which is not followed;
    * ``special``: a pipe, a socket or a device; reading it may never end;
    * ``closed``: a directory that cannot be listed; ``reason`` says why.
    """

    path: str
    name: str
    kind: Literal["file", "link", "special", "closed"]
    reason: str = ""


def walk(directory: str, *, ordered: bool = True, omit: str | None = None) -> Iterator[Found]:
    """List what lies below a directory, without dot-files and dot-directories.

    The files of a directory come first, then those of its subdirectories, both sorted by name.
    With ``ordered=False`` they come as the system gives them: a directory of millions of files is
    then not held in memory. The path ``omit`` is passed over, with all that is in it.
    """
    pending = [(directory, "")]
    while pending:
        path, below = pending.pop()
        folders: list[tuple[str, str]] = []
        try:
            with os.scandir(path) as entries:
                for entry in sorted(entries, key=_name_of) if ordered else entries:
                    if entry.name.startswith(".") or entry.path == omit:
                        continue
                    name = os.path.join(below, entry.name)  # noqa: PTH118 -- quicker than a Path
                    if entry.is_dir(follow_symlinks=False):
                        folders.append((entry.path, name))
                    else:
                        plain = entry.is_file(follow_symlinks=False)
                        yield Found(entry.path, name, "file" if plain else find_kind(entry.path))
        except OSError as error:
            yield Found(path, below, "closed", error.strerror or str(error))
        pending += reversed(folders)


def _name_of(entry: os.DirEntry[str]) -> str:
    return entry.name


def find_kind(path: str) -> Literal["file", "link", "special"]:
    """Find the kind of something in a directory that is no directory itself; see `Found`."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 -- quicker than a Path
    except OSError:  # whoever opens it learns why
        return "file"
    if stat.S_ISREG(mode):
        return "file"
    return "link" if stat.S_ISDIR(mode) else "special"


def make_directory(path: Path) -> None:
    """Make a directory and those above it; one that is there stays. Raises `WriteError`."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(f"{path}: cannot be made: {error.strerror or error}") from error


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file, all of it or nothing: a reader sees the old file or the new one.

    A link stays a link. What is no ordinary file, such as a pipe, is written to directly.
    Whatever goes wrong, nothing is left behind. Raises `WriteError`.
    """
    try:
        given = Path(path)
        if given.exists() and not given.is_file():
            given.write_bytes(data)
            return
        new = FileBeside(given)
        try:
            new.file.write(data)
            new.finish()
            new.take_place()
        finally:
            new.discard()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise WriteError(f"{os.fspath(path)}: cannot be written: {reason or error}") from error


class FileBeside:
    """A new file, written beside the one whose place it takes when it is complete.

    Write to ``file``; then `finish`, then `take_place`, and in any case `discard`. Several files
    can be finished before the first takes its place. The new file has the permissions of the old
    one; a link stays a link. It lies in the same directory, or at ``beside``, on the same disk.
    Every method may raise `OSError`.
    """

    def __init__(self, path: Path, beside: Path | None = None) -> None:
        self.target = Path(os.path.realpath(path))
        self.beside = beside or self.target.with_name(
            f".{self.target.name[:64]}.{os.urandom(8).hex()}"
        )
        # A new file gets what the user's mask leaves it; a secret one must never lie open.
        self.replaces = self.target.exists()
        mode = 0o600 if self.replaces else 0o666
        flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0)  # the latter for Windows
        flags |= os.O_TRUNC if beside else os.O_EXCL
        descriptor = os.open(self.beside, flags, mode)
        self.file = os.fdopen(descriptor, "wb")

    def finish(self) -> None:
        """See that all that was written is on the disk."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()

    def take_place(self) -> None:
        """Replace the old file, in one step."""
        if self.replaces:
            self.beside.chmod(stat.S_IMODE(self.target.stat().st_mode))
        os.replace(self.beside, self.target)  # noqa: PTH105 -- the atomic one, by its name

    def discard(self) -> None:
        """Remove the new file, unless it has taken its place."""
        with suppress(OSError):  # what could not be written cannot be written now
            self.file.close()
        self.beside.unlink(missing_ok=True)
