"""Finds the documents that the arguments of a run name, and reads their content.

They are files, members of archives, or lines of a file. Nothing is unpacked to disk, so a name in
an archive can do no harm. Sizes that an archive claims are not trusted: a member is read only up to
the limit for one document.
"""

from __future__ import annotations

import bz2
import errno
import gzip
import lzma
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from glob import has_magic, iglob
from hashlib import sha256
from io import BufferedReader
from pathlib import Path
from typing import IO, NamedTuple, cast

from tlex.errors import ReadError, TooLargeError
from tlex.files import find_kind, walk

__all__ = [
    "FoundInput",
    "InputContent",
    "InputRoot",
    "LeftOut",
    "find_root",
    "list_root",
    "open_file",
    "open_regular",
    "show_name",
    "sign_file",
]

_TARS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_ZIPS = (".zip",)
_LINES = (".jsonl", ".ndjson")
_BROKEN = (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError)
_ODD = (NotImplementedError, RuntimeError, UnicodeError, ValueError, IndexError, KeyError)
"""What zipfile raises for encryption, unknown compression and damaged headers."""

_STRANGE = "neither a file nor a directory"
_LOCKED = 1
_RATIO = 1_000
_LONG = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_LONGEST = 1 << 20
_PIECE = 1 << 16
_RACE = 2_000_000_000


Listing = Generator["FoundInput | LeftOut | Path", "bool | None", None]


class InputRoot(NamedTuple):
    """What an argument names: its path, its kind, and the directory of its documents.

    The last part of ``base`` is the name of the corpus.
    """

    argument: str
    path: str
    kind: str
    base: str

    @property
    def corpus(self) -> str:
        """The name of the corpus."""
        return _strip(_last(self.base)) if self.base == self.path else _last(self.base)


class FoundInput(NamedTuple):
    """Something to read: a file, a member of an archive or a line of a file.

    ``place`` is its position in its container. ``signature`` changes when the content does; an
    empty one says nothing. ``problem`` says why it cannot be read.
    """

    name: str
    path: str
    kind: str = "file"
    member: str | None = None
    place: int = 0
    size: int = 0
    signature: str = ""
    problem: str | None = None
    named: bool = False


class LeftOut(NamedTuple):
    """Something that is left out because it is no document, with the reason."""

    name: str
    reason: str


def show_name(name: str | bytes) -> str:
    """A name as text; bytes that are not UTF-8 are escaped."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def find_root(argument: str) -> InputRoot:
    """Find out what an argument names; a `ReadError` if there is nothing of that name."""
    path = os.path.abspath(argument)  # noqa: PTH100 -- links stay as they are named
    shown = show_name(argument)
    if "\0" in argument:
        raise ReadError("cannot be read: the name holds a NUL", name=shown.replace("\0", "\\0"))
    if os.path.isdir(path):  # noqa: PTH112
        return InputRoot(argument, path, "directory", path)
    if os.path.lexists(path):
        kind = _tell_kind(path)
        base = os.path.dirname(path) if kind == "file" else path  # noqa: PTH120
        return InputRoot(argument, path, kind, base)
    if has_magic(argument):
        return InputRoot(argument, path, "glob", _fixed(path))
    raise ReadError("cannot be read: there is no such file or directory", name=shown)


def open_file(path: str | bytes) -> BufferedReader:
    """Open a file to read from; an `OSError` if it is a pipe or device, which may have no end."""
    return open(path, "rb", opener=open_regular)


def open_regular(path: str | bytes, flags: int) -> int:
    """Open what `open_file` does, for those who want no file object; give the descriptor."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):  # for a directory Python raises an error itself
        return descriptor
    os.close(descriptor)
    raise OSError(errno.EINVAL, _STRANGE)


def sign_file(path: str, now: int) -> str:
    """A string that changes when a file does; empty if the file is too new to be sure."""
    return _sign_state(os.stat(path), now)  # noqa: PTH116


def _sign_state(state: os.stat_result, now: int) -> str:
    if now - max(state.st_ctime_ns, state.st_mtime_ns) < _RACE:
        return ""
    return f"{state.st_size}:{state.st_mtime_ns}:{state.st_ctime_ns}:{state.st_ino}"


def list_root(root: InputRoot, max_bytes: int, now: int, out: str) -> Listing:
    """List all that an argument names, in any order, except what lies in ``out``.

    Before the members of an archive (or the lines of a file) its path is given: ``send(True)`` says
    that it has not changed and need not be listed.
    """
    if root.kind == "directory":
        yield from _walk(root.path, root.path, max_bytes, now, out)
    elif root.kind == "glob":
        yield from _match(root, max_bytes, now, out)
    elif root.kind == "file":
        yield _sign(FoundInput(show_name(_last(root.path)), root.path, named=True), now)
    else:
        yield from _open(root.path, "", max_bytes)


def _match(root: InputRoot, max_bytes: int, now: int, out: str) -> Listing:
    folder = root.base
    for path in iglob(root.path, recursive=True):  # noqa: PTH207 -- names may be no text
        if _lies_in(path, out):
            continue
        if os.path.isdir(path):  # noqa: PTH112
            if "**" not in root.path:
                yield from _walk(path, folder, max_bytes, now, out)
        else:
            name = show_name(os.path.relpath(path, folder))
            if find_kind(path) == "file":
                yield from _take(path, name, max_bytes, now)
            else:
                yield LeftOut(name, _STRANGE)


def _lies_in(path: str, out: str) -> bool:
    """Whether a path is the directory of the result, or lies in it, also through links."""
    real = os.path.realpath(path)
    return real == out or real.startswith(out + os.sep)


def _fixed(path: str) -> str:
    """The part of a path before the first wildcard."""
    while has_magic(path):
        path = os.path.dirname(path)  # noqa: PTH120
    return path


def _walk(path: str, top: str, max_bytes: int, now: int, out: str) -> Listing:
    """All files below a directory, in any order: there may be millions."""
    if _lies_in(path, out):
        return
    # Links are not followed from here on: there is one name by which the result can turn up.
    result = os.path.join(path, os.path.relpath(out, os.path.realpath(path)))  # noqa: PTH118
    above = "" if path == top else os.path.relpath(path, top)
    for one in walk(path, ordered=False, omit=result):
        name = show_name(os.path.join(above, one.name) or ".")  # noqa: PTH118
        if one.kind == "closed":
            yield FoundInput(name, one.path, problem=f"cannot be read: {one.reason}")
        elif one.kind == "file":
            yield from _take(one.path, name, max_bytes, now)
        else:
            yield LeftOut(name, "a link to a directory" if one.kind == "link" else _STRANGE)


def _take(path: str, name: str, max_bytes: int, now: int) -> Listing:
    if _tell_kind(path) == "file":
        yield _sign(FoundInput(name, path), now)
    else:
        yield from _open(path, name, max_bytes)


def _sign(found: FoundInput, now: int) -> FoundInput:
    try:
        state = os.stat(found.path)  # noqa: PTH116
    except OSError:  # reading it will report the error
        return found
    return found._replace(size=state.st_size, signature=_sign_state(state, now))


def _open(path: str, name: str, max_bytes: int) -> Listing:
    """List the members of an archive or the lines of a file."""
    known = yield Path(path)
    if known:
        return
    kind = _tell_kind(path)
    lister = {"tar": _list_tar, "zip": _list_zip, "lines": _list_lines}[kind]
    try:
        yield from lister(path, name, max_bytes)
    except (*_BROKEN, *_ODD) as error:
        whole = name or show_name(_last(path))
        reason = f"the {'file' if kind == 'lines' else 'archive'} cannot be read: {_why(error)}"
        yield FoundInput(whole, path, kind, member="", place=-1, problem=reason)


def _list_tar(path: str, name: str, max_bytes: int) -> Iterator[FoundInput | LeftOut]:
    with ExitStack() as stack:
        archive = _open_tar(path, stack, max_bytes)
        while (member := archive.next()) is not None:
            _forget(archive)
            shown = show_name(member.name)
            inside = _join(name, shown)
            if member.isdir() or _is_hidden(shown):
                continue
            if not member.isreg():
                yield LeftOut(inside, "a link or a device in an archive")
                continue
            found = FoundInput(
                inside,
                path,
                "tar",
                member=shown,
                place=member.offset_data,
                size=member.size,
            )
            try:
                content = _read_tar(archive, member, max_bytes)
            except TooLargeError as error:
                yield found._replace(problem=error.message)
            else:
                yield found._replace(signature=sha256(content).hexdigest())


def _list_zip(path: str, name: str, max_bytes: int) -> Iterator[FoundInput | LeftOut]:
    with open_file(path) as file, zipfile.ZipFile(file) as archive:
        for place, member in enumerate(archive.infolist()):
            shown = show_name(member.filename)
            if member.is_dir() or _is_hidden(shown):
                continue
            kind = member.external_attr >> 16 & 0o170000
            if kind not in (0, 0o100000):
                yield LeftOut(_join(name, shown), "a link or a device in an archive")
                continue
            signature = f"{member.CRC:08x}:{member.file_size}"
            problem = _find_problem(member, max_bytes)
            yield FoundInput(
                _join(name, shown),
                path,
                "zip",
                member=shown,
                place=place,
                size=min(member.file_size, max_bytes),
                signature=signature,
                problem=problem,
            )


def _find_problem(member: zipfile.ZipInfo, max_bytes: int) -> str | None:
    if member.flag_bits & _LOCKED:
        return "the member is encrypted"
    if member.file_size > max_bytes:
        return _too_large(max_bytes).message
    if member.file_size > _PIECE and member.file_size > _RATIO * max(member.compress_size, 1):
        return f"packed more than {_RATIO:,} to 1, as archive bombs are"
    return None


def _list_lines(path: str, name: str, max_bytes: int) -> Iterator[FoundInput | LeftOut]:
    with open_file(path) as file:
        place, number = 0, 0
        while line := file.readline(max_bytes + 1):
            number += 1
            start, size = place, len(line)
            place += size
            found = FoundInput(
                f"{name}:{number}" if name else str(number),
                path,
                "lines",
                member=str(number),
                place=start,
                size=size,
            )
            if size > max_bytes:
                while line and not line.endswith(b"\n"):
                    line = file.readline(_PIECE)
                    place += len(line)
                yield found._replace(problem=_too_large(max_bytes).message)
            elif line.strip():
                yield found._replace(signature=sha256(line).hexdigest())


class InputContent:
    """Reads the content of what was found; fastest in the order in which it was listed.

    A compressed tar cannot be read from the middle. It is read on from the last position, or from
    its beginning if the position wanted lies before that.
    """

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self._path = ""
        self._stack = ExitStack()
        self._tar: tarfile.TarFile | None = None
        self._at = -1
        self._zip: zipfile.ZipFile | None = None

    def read(self, kind: str, path: str, place: int, size: int) -> bytes:
        """Give the bytes; a `ReadError` says why not."""
        try:
            if kind == "tar":
                return self._read_tar(path, place)
            if kind == "zip":
                return self._read_zip(path, place)
            with open_file(path) as file:
                file.seek(place)
                return file.read(size if kind == "lines" else self.max_bytes + 1)
        except ReadError:
            raise
        except (*_BROKEN, *_ODD) as error:
            self.close()
            raise ReadError(f"cannot be read: {_why(error)}") from error

    def close(self) -> None:
        """Close what is open."""
        self._stack.close()
        self._path, self._tar, self._zip, self._at = "", None, None, -1

    def _read_tar(self, path: str, place: int) -> bytes:
        if self._path != path or self._tar is None or place <= self._at:
            self.close()
            self._tar, self._path = _open_tar(path, self._stack, self.max_bytes), path
        while (member := self._tar.next()) is not None:
            _forget(self._tar)
            self._at = member.offset_data
            if member.offset_data == place:
                return _read_tar(self._tar, member, self.max_bytes)
        self.close()
        raise ReadError("cannot be read: the archive has changed")

    def _read_zip(self, path: str, place: int) -> bytes:
        if self._path != path or self._zip is None:
            self.close()
            file = self._stack.enter_context(open_file(path))
            self._zip, self._path = self._stack.enter_context(zipfile.ZipFile(file)), path
        member = self._zip.infolist()[place]
        with self._zip.open(member) as content:
            return content.read(self.max_bytes + 1)


class _Member(tarfile.TarInfo):
    """A header of a tar; one with a name or the like that is far too long is refused."""

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        if self.type in _LONG and self.size > _LONGEST:
            raise tarfile.ReadError(f"a header of {self.size:,} bytes")
        return super()._proc_member(archive)  # type: ignore[misc,no-any-return]


class _Unpacked:
    """Unpacks a file; an error if the result is far larger than the file (archive bombs)."""

    def __init__(self, file: IO[bytes], raw: IO[bytes], free: int) -> None:
        self.file = file
        self.raw = raw
        self.free = free
        self.given = 0

    def read(self, size: int) -> bytes:
        piece = self.file.read(size)
        self.given += len(piece)
        if self.given > self.free + _RATIO * self.raw.tell():
            raise tarfile.ReadError(f"packed more than {_RATIO:,} to 1, as archive bombs are")
        return piece


def _forget(archive: tarfile.TarFile) -> None:
    """Let an archive forget its members: there may be millions."""
    archive.members = []  # type: ignore[attr-defined]


def _open_tar(path: str, stack: ExitStack, max_bytes: int) -> tarfile.TarFile:
    """Open a tar as a stream; it is unpacked piece by piece."""
    raw = stack.enter_context(open_file(path))
    head = raw.read(6)
    raw.seek(0)
    file: IO[bytes] = raw
    if head.startswith(b"\x1f\x8b"):
        file = cast("IO[bytes]", stack.enter_context(gzip.GzipFile(fileobj=raw)))
    elif head.startswith(b"BZh"):
        file = stack.enter_context(bz2.BZ2File(raw))
    elif head.startswith(b"\xfd7zXZ"):
        file = stack.enter_context(lzma.LZMAFile(raw))  # noqa: SIM115
    stream = cast("IO[bytes]", _Unpacked(file, raw, max_bytes))
    archive = tarfile.open(fileobj=stream, mode="r|", tarinfo=_Member)  # noqa: SIM115
    return stack.enter_context(archive)


def _read_tar(archive: tarfile.TarFile, member: tarfile.TarInfo, max_bytes: int) -> bytes:
    if member.size > max_bytes:
        raise _too_large(max_bytes)
    file = archive.extractfile(member)
    return b"" if file is None else file.read()


def _too_large(max_bytes: int) -> TooLargeError:
    return TooLargeError(f"larger than {max_bytes:,} bytes, the limit set for one document")


def _tell_kind(path: str) -> str:
    name = path.lower()
    for kind, endings in (("tar", _TARS), ("zip", _ZIPS), ("lines", _LINES)):
        if name.endswith(endings):
            return kind
    return "file"


def _strip(name: str) -> str:
    lower = name.lower()
    endings = sorted((*_TARS, *_ZIPS, *_LINES), key=len, reverse=True)
    return next((name[: -len(e)] for e in endings if lower.endswith(e) and lower != e), name)


def _last(path: str) -> str:
    return show_name(os.path.basename(path.rstrip("/")) or "documents")  # noqa: PTH119


def _join(name: str, member: str) -> str:
    return f"{name}/{member}" if name else member


def _is_hidden(name: str) -> bool:
    return any(
        part.startswith(".") and part != "." and not part.startswith("..")
        for part in name.split("/")
    )


def _why(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return " ".join(str(error).split()) or type(error).__name__
