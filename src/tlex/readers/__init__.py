"""Reading: one module per format; here a format is recognised by its content.

This is the only part of the library, besides export and command line, that opens files.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from io import FileIO
from typing import BinaryIO, NamedTuple

from tlex.document import Document, Source
from tlex.errors import NotRecognisedError, ReadError, TooLargeError
from tlex.readers.cat import read_cat, recognise_cat
from tlex.readers.links import from_links
from tlex.readers.timeml import read_timeml, recognise_timeml
from tlex.readers.xml import detect_encoding

__all__ = ["FORMATS", "MAX_BYTES", "from_links", "load", "parse", "read", "read_all", "recognise"]

MAX_BYTES = 64 << 20
"""The largest file that is read unless the caller allows more."""

_HEAD, _LONG_HEAD = 1 << 10, 1 << 16
_PIECE = 1 << 16


class Format(NamedTuple):
    """A reader: does it recognise the beginning of a file, and how does it read the whole."""

    recognise: Callable[[str], bool]
    read: Callable[..., Document]


FORMATS = {
    "timeml": Format(recognise_timeml, read_timeml),
    "cat": Format(recognise_cat, read_cat),
}


def read(
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    strict: bool = False,
    max_bytes: int = MAX_BYTES,
) -> Document:
    """Read a file of any known format; the document's name is the path unless another is given.

    What is wrong inside becomes ``document.diagnostics``; with ``strict`` the first error is
    raised. A file that cannot be read at all raises a `ReadError` that names the place.
    """
    # A file name may hold bytes that are no text; a document's name is always text.
    name = os.fsencode(name or path).decode("utf-8", "backslashreplace")
    try:
        # A Path and a buffer would take longer than the reading.
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123
            data = load(file, name, max_bytes, os.fstat(file.fileno()).st_size)
    except OSError as error:
        raise ReadError(f"cannot be read: {error.strerror or error}", name=name) from error
    except ValueError as error:  # a NUL in the path
        name = name.replace("\0", "\\0")
        raise ReadError(f"cannot be read: {error}", name=name) from error
    return parse(data, name=name, strict=strict, max_bytes=max_bytes)


def read_all(
    path: str | os.PathLike[str], *, strict: bool = False, max_bytes: int = MAX_BYTES
) -> tuple[Document, ...]:
    """Read all documents of a file; a TimeML file holds one."""
    return (read(path, strict=strict, max_bytes=max_bytes),)


def parse(
    content: str | bytes,
    *,
    name: str = "<document>",
    strict: bool = False,
    max_bytes: int = MAX_BYTES,
) -> Document:
    """Read a document from a string, or from bytes in the encoding that they declare."""
    encoding = None
    if isinstance(content, str):
        encoding = "utf-8"
        try:
            data = content.encode(encoding)
        except UnicodeEncodeError as error:
            line, column = Source(content[: error.start].encode("utf-8"), "utf-8").position(
                len(content[: error.start].encode("utf-8"))
            )
            message = f"character {content[error.start]!r} cannot stand in a text"
            raise ReadError(message, name=name, line=line, column=column) from None
    elif isinstance(content, bytes | bytearray | memoryview):
        data = bytes(content)
    else:
        message = f"expected a str or bytes, not {type(content).__name__}"
        raise ReadError(message, name=name)
    if len(data) > max_bytes:
        raise _too_large(name, max_bytes)
    form = recognise(data, name, encoding)
    return FORMATS[form].read(data, name, strict=strict, encoding=encoding)


def recognise(data: bytes, name: str, encoding: str | None = None) -> str:
    """Name the format of a file by its beginning, or raise `NotRecognisedError`."""
    encoding = encoding or detect_encoding(data)
    for size in (_HEAD, _LONG_HEAD):
        head = data[:size].decode(encoding, "replace")
        for form, reader in FORMATS.items():
            if reader.recognise(head):
                return form
    if not head.strip("\ufeff \t\r\n"):
        message = "the file is empty"
    else:
        message = f"no reader recognises this file; formats known here: {', '.join(FORMATS)}"
    raise NotRecognisedError(message, name=name, line=1, column=1)


def load(
    file: BinaryIO | FileIO, name: str, max_bytes: int = MAX_BYTES, expected: int = 0
) -> bytes:
    """Take the bytes of an open file, and refuse one that is too large.

    ``expected`` is its size as far as that is known: a pipe has none.
    """
    pieces = []
    left = max_bytes
    size = min(expected, max_bytes) + 1 if expected else _PIECE
    while piece := file.read(size):
        left -= len(piece)
        if left < 0:
            raise _too_large(name, max_bytes)
        pieces.append(piece)
        if len(piece) == expected:  # the whole file, as it was
            break
        size = _PIECE
    return b"".join(pieces)


def _too_large(name: str, max_bytes: int) -> TooLargeError:
    message = f"the file is larger than {max_bytes:,} bytes, the limit set for one document"
    return TooLargeError(message, name=name)
