"""Walking directories and writing files: one place for the command line, the viewer and corpora.

Names of files are strings as Python has them; they may hold bytes that are no text.
"""

from __future__ import annotations

import atexit
import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, NamedTuple

from tlex.errors import WriteError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "FileBeside",
    "Found",
    "find_kind",
    "find_real_path",
    "is_directory",
    "is_plain_file",
    "make_directory",
    "open_within",
    "walk",
    "write_atomically",
]

_NOT_ORDINARY = "not an ordinary file"

_TO_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


_begun: dict[Path, int] = {}
"""The new files that have not taken their place yet, and the process of each."""


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


def open_within(path: str | os.PathLike[str], directory: str | os.PathLike[str]) -> int:
    """Open an ordinary file that lies below a directory, to read; give its descriptor.

    It is opened first, and then what was opened is looked at: a link that changes in between leads
    nowhere. An `OSError` if it is something else or lies elsewhere.
    """
    descriptor = os.open(path, _TO_READ)
    try:
        fault = _find_fault(descriptor, path, directory)
    except OSError:
        os.close(descriptor)
        raise
    if fault is not None:
        os.close(descriptor)
        raise fault
    return descriptor


def _find_fault(
    descriptor: int, path: str | os.PathLike[str], directory: str | os.PathLike[str]
) -> OSError | None:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        return OSError(errno.EINVAL, _NOT_ORDINARY)
    real = _find_opened(descriptor, path)
    top = os.path.realpath(directory).rstrip(os.sep) + os.sep
    if real is None or not real.startswith(top):
        return OSError(errno.EXDEV, "leads out of the directory")
    return None


def _find_opened(descriptor: int, path: str | os.PathLike[str]) -> str | None:
    """Find the real path of a file that is open; None if it has changed since it was opened."""
    try:
        return os.readlink(f"/proc/self/fd/{descriptor}")  # noqa: PTH115
    except OSError:  # not on this system
        real = os.path.realpath(path)
        same = os.path.samestat(os.fstat(descriptor), os.stat(real, follow_symlinks=False))  # noqa: PTH116
        return real if same else None


def is_directory(path: str | os.PathLike[str]) -> bool:
    """Whether a path leads to a directory; a path that cannot be followed does not.

    ``Path.is_dir`` raises an error for a name that is too long and for a closed directory.
    """
    return os.path.isdir(path)  # noqa: PTH112 -- see above


def is_plain_file(path: str | os.PathLike[str]) -> bool:
    """Whether a path leads to an ordinary file; a path that cannot be followed does not."""
    return os.path.isfile(path)  # noqa: PTH113 -- as in `is_directory`


def find_real_path(path: str | os.PathLike[str]) -> Path:
    """Find the path without links; the path as it is if the working directory is gone."""
    from pathlib import Path  # noqa: PLC0415 -- reading alone needs none

    try:
        return Path(path).resolve()
    except (OSError, ValueError):
        return Path(path)


def make_directory(path: Path) -> None:
    """Make a directory and those above it; one that is there stays. Raises `WriteError`."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(f"{path}: cannot be made: {error.strerror or error}") from error


def write_atomically(
    path: str | os.PathLike[str],
    data: bytes | Iterable[bytes],
    *,
    before: bytes | None = None,
    within: str | os.PathLike[str] | None = None,
) -> None:
    """Write a file, all of it or nothing: a reader sees the old file or the new one.

    The data may come part by part, so that they need not be in memory.
    A link stays a link. What is no ordinary file, such as a pipe, is written to directly.
    With ``before``, the file is replaced only if it still has this content: somebody may have
    saved it meanwhile. With ``within``, only an ordinary file below this directory is written, even
    if a link changes meanwhile. Whatever goes wrong, nothing is left behind. Raises `WriteError`.
    """
    from pathlib import Path  # noqa: PLC0415 -- as above

    parts = (data,) if isinstance(data, bytes) else data
    try:
        given = Path(path)
        if os.path.exists(given) and not is_plain_file(given):  # noqa: PTH110 -- raises nothing
            if within is not None:
                raise WriteError(f"{os.fspath(path)}: cannot be written: {_NOT_ORDINARY}")
            with given.open("wb") as file:
                file.writelines(parts)
            return
        new = FileBeside(given)
        try:
            # The new file and the old one have one directory, or the new one cannot take its place.
            fault = within and _find_fault(new.file.fileno(), new.beside, within)
            if fault:
                raise fault
            new.file.writelines(parts)
            new.finish()
            if before is not None and _read(new.target, within) != before:
                raise WriteError(
                    f"{os.fspath(path)}: has changed since it was read; it is left as it is now"
                )
            new.take_place()
        finally:
            new.discard()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise WriteError(f"{os.fspath(path)}: cannot be written: {reason or error}") from error


def _read(path: Path, within: str | os.PathLike[str] | None) -> bytes:
    source = path if within is None else open_within(path, within)
    with open(source, "rb") as file:  # noqa: PTH123 -- or a descriptor
        return file.read()


class FileBeside:
    """A new file, written beside the one whose place it takes when it is complete.

    Write to ``file``; then `finish`, then `take_place`, and in any case `discard`. Several files
    can be finished before the first takes its place. The new file has the permissions of the old
    one; a link stays a link. It lies in the same directory. Every method may raise
    `OSError`.
    """

    def __init__(self, path: Path) -> None:
        from pathlib import Path  # noqa: PLC0415 -- as above

        self.target = Path(os.path.realpath(path))
        # A character may take four bytes, and a name has room for 255.
        name = f".{self.target.name[:32]}.{os.urandom(8).hex()}"
        self.beside = self.target.with_name(name)
        # A new file gets what the user's mask leaves it; a secret one must never lie open.
        self.replaces = self.target.exists()
        mode = 0o600 if self.replaces else 0o666
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        flags |= getattr(os, "O_BINARY", 0)  # for Windows
        _begun[self.beside] = os.getpid()
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
        _begun.pop(self.beside, None)


@atexit.register
def _discard_begun() -> None:
    """Remove what was begun: a signal may end the process before anybody can `discard` it."""
    for path, process in _begun.items():
        if process == os.getpid():  # and not a copy of the process that began it
            with suppress(OSError):
                path.unlink(missing_ok=True)
