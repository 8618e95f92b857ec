"""Reading: one module per format. Here the format of a file is recognised, and its reader called.

Other packages can add formats: an entry point of the group ``tlex.readers`` names a `Format`.
``docs/readers.md`` shows how to write a reader.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from stat import S_ISREG
from typing import Any, NamedTuple
from warnings import warn

from tlex.arguments import require_number
from tlex.document import Document, Source
from tlex.errors import NotRecognisedError, OptionError, ReadError, TlexError, TooLargeError
from tlex.readers.archives import list_members
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
from tlex.readers.others import explain_other, is_binary
from tlex.readers.timeml import read_timeml, recognise_timeml
from tlex.readers.xml import detect_encoding

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

_HEAD, _LONG_HEAD = 1 << 10, 1 << 16
_FENCED = 200
"""A fence of Markdown that comes so early says that a file is no table and no list of links."""

_ZIP = b"PK\x03\x04"
_ZIPPED = frozenset(("xmi", "casjson"))
_MARKUP = ("<", "{")
_LINES = re.compile(r"(?:^[ \t]*[^#\s][^\n]*\n\s*){2}", re.MULTILINE)
"""Two lines that are no comments."""
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


class Format(NamedTuple):
    """A reader: how it recognises a file by its beginning, and how it reads the whole.

    ``recognise`` is given the first characters. ``read`` is given the bytes, a name, and by keyword
    ``encoding``, which overrules what the file declares. It returns a document or, where a file may
    hold many, a sequence of documents. With ``companions`` it is also given, by that keyword, the
    files beside this one (`Companions`). ``begins`` has the characters that such a file may begin
    with, after blanks: ``<`` for XML. If it is empty, the reader is asked about every file. With
    ``layers`` it is also given the settings of layers (`Layers`).
    """

    recognise: Callable[[str], bool]
    read: Callable[..., Document | Sequence[Document]]
    companions: bool = False
    begins: str = ""
    layers: bool = False


def _later(
    module: str,
    *,
    format: str = "",  # noqa: A002
    companions: bool = False,
    begins: str = "",
    layers: bool = False,
) -> Format:
    """A format whose module is loaded when it is needed: most files are TimeML."""
    form = format or module

    def recognise(head: str) -> bool:
        found: bool = getattr(import_module(f"tlex.readers.{module}"), f"recognise_{form}")(head)
        return found

    def read(*data: object, **options: object) -> Document | Sequence[Document]:
        reader: Callable[..., Document | Sequence[Document]]
        reader = getattr(import_module(f"tlex.readers.{module}"), f"read_{form}")
        return reader(*data, **options)

    return Format(recognise, read, companions, begins, layers)


FORMATS = {
    "timeml": Format(recognise_timeml, read_timeml, begins="<"),
    "cat": _later("cat", begins="<"),
    "anafora": _later("anafora", companions=True, begins="<"),
    "sty": _later("story_workbench", format="sty", begins="<"),
    "json": _later("json", begins="{["),
    "xmi": _later("uima", format="xmi", begins="<", layers=True),
    "mae": _later("mae", begins="<", layers=True),
    "casjson": _later("uima", format="casjson", begins="{", layers=True),
    "eventfull": _later("eventfull", begins="{"),
    "maven": _later("maven", begins="{"),
    "brat": _later("brat", companions=True, layers=True),
    "matres": _later("tables", format="matres", companions=True),
    "dense": _later("tables", format="dense", companions=True),
    "plain": _later("plain"),
}


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


def list_formats() -> dict[str, Format]:
    """Give all formats by name: those of tlex, then those that other packages add.

    A package adds one by an entry point of the group ``tlex.readers``, whose name is the format's
    and whose value is a `Format`. It cannot replace a format of tlex.

    Returns
    -------
    dict of str to Format
        How each format is recognised and read.

    Examples
    --------
    >>> import tlex
    >>> list(tlex.readers.list_formats())[:3]
    ['timeml', 'cat', 'anafora']

    See Also
    --------
    tlex.readers.recognise : name the format of a file.
    """
    return FORMATS | {name: form for name, form in _find_others().items() if name not in FORMATS}


def recognise(data: bytes, name: str, encoding: str | None = None) -> str:
    """Name the format of a file by its beginning.

    Parameters
    ----------
    data : bytes
        The content of the file.
    name : str
        The name of the file, for the error.
    encoding : str, optional
        The encoding. Without it, it is the one that the file declares.

    Returns
    -------
    str
        The format, such as ``"timeml"``.

    Raises
    ------
    NotRecognisedError
        If no reader recognises the file.

    Examples
    --------
    >>> import tlex
    >>> tlex.readers.recognise(b"fell BEFORE broke", "notes.txt")
    'plain'

    See Also
    --------
    tlex.readers.list_formats : all formats.
    """
    if is_binary(data):
        message = "no reader recognises this file: it is binary"
        raise NotRecognisedError(message, name=name, line=1, column=1)
    encoding = encoding or detect_encoding(data)
    head = data[:_HEAD].decode(encoding, "replace")
    first = head.lstrip("\ufeff \t\r\n")[:1]
    # A file of lines shows what it is in its first lines, unless they are comments.
    enough = first not in _MARKUP and _LINES.search(head) is not None
    sizes = (_HEAD,) if enough else (_HEAD, _LONG_HEAD)
    if "```" in head[:_FENCED] and _is_wrapped(head):
        return "json"
    # Readers of other packages come last: finding them takes time.
    for find in (_find_own, _find_others):
        for size in sizes:
            head = data[:size].decode(encoding, "replace")
            for form, reader in find().items():
                asked = first in reader.begins if reader.begins else first not in _MARKUP
                if (asked or form not in FORMATS) and _ask(form, reader, head):
                    return form
    if first not in _MARKUP and _is_wrapped(head):
        return "json"
    if not head.strip("\ufeff \t\r\n"):
        message = "the file is empty"
    else:
        other = explain_other(head)
        message = (
            f"no reader recognises this file: {other}"
            if other
            else f"no reader recognises this file; formats known here: {', '.join(list_formats())}"
        )
    raise NotRecognisedError(message, name=name, line=1, column=1)


def _is_wrapped(head: str) -> bool:
    """Whether there is JSON inside Markdown or prose, as language models write it."""
    if "{" not in head and "[" not in head:
        return False
    found: bool = import_module("tlex.readers.json").is_wrapped(head)
    return found


def _ask(form: str, reader: Format, head: str) -> bool:
    """Whether a reader recognises a file. One of another package must not stop the others."""
    try:
        return reader.recognise(head)
    except Exception as error:
        if form in FORMATS:
            raise
        warn(f"the reader {form!r} cannot look at a file: {error}", stacklevel=2)
        return False


def _read(data: bytes, name: str, encoding: str | None, options: _Options) -> tuple[Document, ...]:
    """Read the documents of a file, or of a zip archive of UIMA documents, as INCEpTION exports."""
    if options.format is None and data.startswith(_ZIP):
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
        beside = None if options.path is None else Path(options.path).parent
        given["companions"] = Companions(options.text, beside, options.max_bytes)
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


def _find_own() -> dict[str, Format]:
    return FORMATS


@cache
def _find_others() -> dict[str, Format]:
    """Find the formats of other packages. One may fail to load without harm to the others."""
    from importlib.metadata import entry_points  # noqa: PLC0415 -- not light

    found: dict[str, Format] = {}
    for entry in entry_points(group="tlex.readers"):
        try:
            found[entry.name] = Format(*entry.load())
        except Exception as error:  # noqa: BLE001 -- whatever another package may raise
            warn(f"the reader {entry.name!r} cannot be loaded: {error}", stacklevel=2)
    return found


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
