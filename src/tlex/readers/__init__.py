"""Reading: one module per format. Here a file is opened, and the reader of its format called.

Other packages can add formats: an entry point of the group ``tlex.readers`` names a `Format`.
``docs/readers.md`` shows how to write a reader.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from stat import S_ISREG
from typing import Any, NamedTuple

from tlex.arguments import require_number
from tlex.document import Document
from tlex.errors import NotRecognisedError, OptionError, ReadError, TlexError, TooLargeError
from tlex.readers.assembly import Nouns, assemble
from tlex.readers.companions import Companions
from tlex.readers.diagnostics import Diagnostics, raise_first_error
from tlex.readers.labels import (
    Labels,
    add_labels,
    find_reading,
    parse_labels,
    read_labels,
    take_labels,
)
from tlex.readers.layers import Layers, take_layers
from tlex.readers.links import from_links
from tlex.readers.recognition import FORMATS, Format, list_formats, recognise
from tlex.source import Source

__all__ = [
    "FORMATS",
    "MAX_BYTES",
    "Companions",
    "Diagnostics",
    "Format",
    "Labels",
    "Layers",
    "Nouns",
    "assemble",
    "from_links",
    "list_formats",
    "parse",
    "parse_all",
    "parse_labels",
    "read",
    "read_all",
    "read_labels",
    "recognise",
]

MAX_BYTES = 64 << 20
"""The largest file that is read unless the caller allows more."""

_ZIP = b"PK\x03\x04"
_ZIPPED = frozenset(("xmi", "casjson"))
_PIECE = 1 << 16
_TO_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0)  # the latter for Windows
_LONGEST_PATH = 1 << 12
_PATH = re.compile(r"[^<>{}\r\n\t]*(?:\.[A-Za-z]\w{1,7}|[\\/][^<>{}\s]*)")


class _Options(NamedTuple):
    """The options of the functions below."""

    strict: bool = False
    strict_labels: bool = False
    max_bytes: int = MAX_BYTES
    format: str | None = None
    text: str | os.PathLike[str] | None = None
    path: str | os.PathLike[str] | None = None
    labels: Labels | str | os.PathLike[str] | None = None
    layers: Layers | str | os.PathLike[str] | None = None
    within: str | os.PathLike[str] | None = None


def __dir__() -> list[str]:
    return sorted(__all__)


def read(  # noqa: PLR0913 -- one argument an option
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    strict: bool = False,
    max_bytes: int = MAX_BYTES,
    format: str | None = None,  # noqa: A002 -- what the command line calls it
    text: str | os.PathLike[str] | None = None,
    labels: Labels | str | os.PathLike[str] | None = None,
    strict_labels: bool = False,
    layers: Layers | str | os.PathLike[str] | None = None,
) -> Document:
    """Read a document from a file of any known format.

    Parameters
    ----------
    path : path
        The file.
    name : str, optional
        The document's name. Without it, it is the path.
    strict : bool
        Raise the first error in the annotation. Without it, what is wrong is in ``diagnostics``.
    max_bytes : int
        Refuse more than so many bytes.
    format : str, optional
        The format, such as ``"timeml"``. Without it, it is recognised by the content.
    text : path, optional
        Directory with the texts of stand-off annotation.
    labels : path or table, optional
        Labels of one's own: a TOML file, or what `tlex.readers.read_labels` gave. Or the name of a
        corpus in which labels mean something else, such as ``"caters"``.
    strict_labels : bool
        Raise an error if a link has a label that no table has.
    layers : path or Layers, optional
        Which layers are events, times and links, where the format leaves it open: a TOML file.

    Returns
    -------
    Document
        The text, its events, times and links, and in ``diagnostics`` what is wrong with them.

    Raises
    ------
    ReadError
        If the file cannot be read, holds no document, or holds several.
    OptionError
        If something that is no path, or a wrong option, is given.

    Examples
    --------
    >>> import tlex
    >>> tlex.read("examples/story.tml")
    <Document 'examples/story.tml': 26 nodes, format timeml>

    See Also
    --------
    tlex.read_all : read a file that holds many documents.
    tlex.parse : read a document from a string or bytes.
    tlex.from_links : make a document from triples.
    """
    options = _Options(
        strict=strict,
        strict_labels=strict_labels,
        max_bytes=max_bytes,
        format=format,
        text=text,
        path=path,
        labels=labels,
        layers=layers,
    )
    return _only(_open(path, name, options))


def read_all(  # noqa: PLR0913
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    strict: bool = False,
    max_bytes: int = MAX_BYTES,
    format: str | None = None,  # noqa: A002
    text: str | os.PathLike[str] | None = None,
    labels: Labels | str | os.PathLike[str] | None = None,
    strict_labels: bool = False,
    layers: Layers | str | os.PathLike[str] | None = None,
) -> tuple[Document, ...]:
    """Read all documents of a file: a table of relations holds many, other formats one.

    Parameters
    ----------
    path : path
        The file.
    name : str, optional
        The document's name. Without it, it is the path, and
        for one of many the path and its own name: ``table.tsv:wsj_0006``.
    strict : bool
        Raise the first error in the annotation. Without it, what is wrong is in ``diagnostics``.
    max_bytes : int
        Refuse more than so many bytes.
    format : str, optional
        The format, such as ``"timeml"``. Without it, it is recognised by the content.
    text : path, optional
        Directory with the texts of stand-off annotation.
    labels : path or table, optional
        Labels of one's own: a TOML file, or what `tlex.readers.read_labels` gave. Or the name of a
        corpus in which labels mean something else, such as ``"caters"``.
    strict_labels : bool
        Raise an error if a link has a label that no table has.
    layers : path or Layers, optional
        Which layers are events, times and links, where the format leaves it open: a TOML file.

    Returns
    -------
    tuple of Document
        The documents, in the order of the file.

    Raises
    ------
    ReadError
        If the file cannot be read, or holds no document.
    OptionError
        If something that is no path, or a wrong option, is given.

    Examples
    --------
    >>> import tlex
    >>> [document.name for document in tlex.read_all("examples/story.tml")]
    ['examples/story.tml']

    See Also
    --------
    tlex.read : read a file that holds one document.
    """
    options = _Options(
        strict=strict,
        strict_labels=strict_labels,
        max_bytes=max_bytes,
        format=format,
        text=text,
        path=path,
        labels=labels,
        layers=layers,
    )
    return _open(path, name, options)


def _open(
    path: str | os.PathLike[str], name: str | None, options: _Options
) -> tuple[Document, ...]:
    if not isinstance(path, str | os.PathLike):
        raise OptionError(_explain_path(path))
    require_number("max_bytes", options.max_bytes, 0, whole=True)
    # A file name may hold bytes that are no text; a document's name is always text.
    name = os.fsencode(name or path).decode("utf-8", "backslashreplace") or "''"
    try:
        # A Path, a file object and a buffer would take longer than the options.
        handle = os.open(path, _TO_READ)
        try:
            known = os.fstat(handle)
            size = known.st_size if S_ISREG(known.st_mode) else 0  # of a pipe: what waits now
            data = load(partial(os.read, handle), name, options.max_bytes, size)
        finally:
            os.close(handle)
    except OSError as error:
        if _is_content(path):
            raise OptionError(_explain_path(path)) from None
        raise ReadError(f"cannot be read: {error.strerror or error}", name=name) from error
    except ValueError as error:  # a NUL in the path
        if _is_content(path):
            raise OptionError(_explain_path(path)) from None
        name = name.replace("\0", "\\0")
        raise ReadError(f"cannot be read: {error}", name=name) from error
    return _read(data, name, None, options)


def _is_content(path: object) -> bool:
    """Whether a path that cannot be opened looks like the content of a document."""
    return isinstance(path, str) and ("\n" in path or path.lstrip().startswith(("<", "{")))


def _explain_path(given: object) -> str:
    """Say what to do with something that is no path."""
    if isinstance(given, Document):
        return "this is a document already: use tlex.extract"
    if isinstance(given, bytes | bytearray | memoryview) or _is_content(given):
        return f"this is a document's content, not a path: use tlex.parse ({given!r:.40})"
    return f"a document is read from a path, not from {given!r:.80}"


def parse(  # noqa: PLR0913
    content: str | bytes,
    *,
    name: str = "<document>",
    strict: bool = False,
    max_bytes: int = MAX_BYTES,
    format: str | None = None,  # noqa: A002
    text: str | os.PathLike[str] | None = None,
    labels: Labels | str | os.PathLike[str] | None = None,
    strict_labels: bool = False,
    layers: Layers | str | os.PathLike[str] | None = None,
) -> Document:
    """Read a document from a string, or from bytes in the encoding that they declare.

    Parameters
    ----------
    content : str or bytes
        The document itself, not its path.
    name : str
        The document's name. Without it, it is ``<document>``.
    strict : bool
        Raise the first error in the annotation. Without it, what is wrong is in ``diagnostics``.
    max_bytes : int
        Refuse more than so many bytes.
    format : str, optional
        The format, such as ``"timeml"``. Without it, it is recognised by the content.
    text : path, optional
        Directory with the texts of stand-off annotation.
    labels : path or table, optional
        Labels of one's own: a TOML file, or what `tlex.readers.read_labels` gave. Or the name of a
        corpus in which labels mean something else, such as ``"caters"``.
    strict_labels : bool
        Raise an error if a link has a label that no table has.
    layers : path or Layers, optional
        Which layers are events, times and links, where the format leaves it open: a TOML file.

    Returns
    -------
    Document
        The text, its events, times and links, and in ``diagnostics`` what is wrong with them.

    Raises
    ------
    ReadError
        If the content cannot be read, holds no document, or holds several.
    OptionError
        If a path, or a wrong option, is given.

    Examples
    --------
    >>> import tlex
    >>> tlex.parse("fell BEFORE broke")
    <Document '<document>': 2 nodes, format plain>

    See Also
    --------
    tlex.read : read a document from a file.
    tlex.from_links : make a document from triples.
    """
    options = _Options(
        strict=strict,
        strict_labels=strict_labels,
        max_bytes=max_bytes,
        format=format,
        text=text,
        labels=labels,
        layers=layers,
    )
    return _only(_parse(content, name, options))


def parse_all(  # noqa: PLR0913
    content: str | bytes,
    *,
    name: str = "<document>",
    strict: bool = False,
    max_bytes: int = MAX_BYTES,
    format: str | None = None,  # noqa: A002
    text: str | os.PathLike[str] | None = None,
    labels: Labels | str | os.PathLike[str] | None = None,
    strict_labels: bool = False,
    layers: Layers | str | os.PathLike[str] | None = None,
    path: str | os.PathLike[str] | None = None,
    within: str | os.PathLike[str] | None = None,
) -> tuple[Document, ...]:
    """Read all documents that a string or bytes hold.

    Parameters
    ----------
    content : str or bytes
        The documents themselves, not their path.
    name, strict, max_bytes, format, text, labels, strict_labels, layers : optional
        As for `tlex.read_all`.
    path : path, optional
        The file that the content is from, for formats that have files beside it.
    within : path, optional
        The directory that these files must not lie outside of.

    Returns
    -------
    tuple of Document
        The documents, in the order of the content.

    Raises
    ------
    ReadError
        If the content cannot be read, or holds no document.
    OptionError
        If a path, or a wrong option, is given.

    Examples
    --------
    >>> import tlex
    >>> tlex.readers.parse_all("fell BEFORE broke")
    (<Document '<document>': 2 nodes, format plain>,)

    See Also
    --------
    tlex.read_all : read all documents of a file.
    tlex.parse : read content that holds one document.
    """
    options = _Options(
        strict=strict,
        strict_labels=strict_labels,
        max_bytes=max_bytes,
        format=format,
        text=text,
        path=path,
        labels=labels,
        layers=layers,
        within=within,
    )
    return _parse(content, name, options)


def _parse(content: str | bytes, name: str, options: _Options) -> tuple[Document, ...]:
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
        if isinstance(content, os.PathLike):
            raise OptionError(f"this is a path: use tlex.read ({os.fspath(content)!r:.80})")
        raise OptionError(f"expected a str or bytes, not {content!r:.80}")
    require_number("max_bytes", options.max_bytes, 0, whole=True)
    if len(data) > options.max_bytes:
        raise _too_large(name, options.max_bytes)
    try:
        return _read(data, name, encoding, options)
    except ReadError:
        if isinstance(content, str) and _is_path(content):
            raise OptionError(f"this is a path: use tlex.read ({content!r:.80})") from None
        raise


def _is_path(content: str) -> bool:
    """Whether content that cannot be read looks like the path of a file."""
    return len(content) <= _LONGEST_PATH and _PATH.fullmatch(content) is not None


def _read(data: bytes, name: str, encoding: str | None, options: _Options) -> tuple[Document, ...]:
    """Read the documents of a file, or of a zip archive of UIMA documents, as INCEpTION exports."""
    if options.format is None and data.startswith(_ZIP):
        from tlex.readers.archives import list_members  # noqa: PLC0415 -- few files are archives

        return _read_members(list_members(data, name, options.max_bytes), name, encoding, options)
    return _read_one(data, name, encoding, options)


def _read_members(
    members: list[tuple[str, bytes]], name: str, encoding: str | None, options: _Options
) -> tuple[Document, ...]:
    """Read the members of an archive that are documents of UIMA; other JSON may be among them."""
    documents: list[Document] = []
    for own, content in members:
        called = own if len(members) > 1 else name
        try:
            form = recognise(content, called, encoding)
            if form in _ZIPPED:
                chosen = options._replace(format=form)
                documents += _read_one(content, called, encoding, chosen)
        except NotRecognisedError:
            continue
    if not documents:
        message = "no reader recognises this file: it is a zip archive without a document of UIMA"
        raise NotRecognisedError(message, name=name, line=1, column=1)
    return tuple(documents)


def _read_one(
    data: bytes, name: str, encoding: str | None, options: _Options
) -> tuple[Document, ...]:
    labels, layers = take_labels(options.labels), take_layers(options.layers)
    form = options.format or _find_format(data, name, encoding)
    reader = FORMATS.get(form) or list_formats().get(form)
    if reader is None:
        known = ", ".join(list_formats())
        raise OptionError(f"format cannot be {form!r}; choose from {known}")
    given: dict[str, Any] = {}
    if reader.companions:
        beside = None if options.path is None else os.path.dirname(options.path)  # noqa: PTH120
        given["companions"] = Companions(options.text, beside, options.max_bytes, options.within)
    if reader.layers:
        given["layers"] = layers
    try:
        found = reader.read(data, name, encoding=encoding, **given)
        documents = (found,) if isinstance(found, Document) else tuple(found)
    except (TlexError, MemoryError):
        raise
    except Exception as error:
        if form in FORMATS:
            raise
        raise ReadError(f"the reader {form!r} failed: {error}", name=name) from error
    for document in documents:
        if not isinstance(document, Document):
            message = f"the reader {form!r} gave {document!r:.80}, which is no document"
            raise ReadError(message, name=name)
    if not documents:
        raise ReadError("the file holds no document", name=name)
    if labels is not None:
        reading = find_reading(labels)
        documents = tuple(add_labels(document, labels, reading) for document in documents)
    if reader.companions and options.text is not None:
        named = os.fspath(options.text)
        documents = tuple(document.replace(text_directory=named) for document in documents)
    for document in documents if options.strict or options.strict_labels else ():
        raise_first_error(document, labels_only=not options.strict)
    return documents


def _find_format(data: bytes, name: str, encoding: str | None) -> str:
    """Name the format of a file. An empty ``.ann`` is a document without annotation."""
    if name.endswith(".ann") and not data.strip():
        return "brat"
    return recognise(data, name, encoding)


def _only(documents: tuple[Document, ...]) -> Document:
    if len(documents) == 1:
        return documents[0]
    message = f"the file holds {len(documents)} documents; read_all gives them all"
    raise ReadError(message, name=documents[0].name.rpartition(":")[0])


def load(
    read: Callable[[int], bytes], name: str, max_bytes: int = MAX_BYTES, expected: int = 0
) -> bytes:
    """Read the bytes of an open file; a file that is too large is refused.

    ``read`` returns the next bytes, at most as many as it is asked for. ``expected`` is the size of
    the file, or 0 if it is unknown, as for a pipe.
    """
    pieces = []
    left = max_bytes
    size = max(min(expected, max_bytes), 0) + 1 if expected else _PIECE
    while piece := read(size):
        left -= len(piece)
        if left < 0:
            raise _too_large(name, max_bytes)
        pieces.append(piece)
        if len(piece) == expected:  # the whole file, as it was
            break
        size = _PIECE
    return b"".join(pieces)


def _too_large(name: str, max_bytes: int) -> TooLargeError:
    limit = f"{max_bytes:,} bytes, the limit set for one file"
    message = f"the file is larger than {limit}; --max-bytes (max_bytes=) allows more"
    return TooLargeError(message, name=name)
