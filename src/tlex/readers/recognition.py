"""Recognising the format of a file by its beginning.

A directory may have very many files of formats that tlex does not know. So what is asked of a file
first is what takes least time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple
from warnings import warn

from tlex.document import Document
from tlex.errors import NotRecognisedError
from tlex.readers.others import explain_other, is_binary
from tlex.readers.timeml import read_timeml, recognise_timeml
from tlex.readers.xml import detect_encoding

__all__ = ["FORMATS", "Format", "list_formats", "recognise"]

_HEAD, _LONG_HEAD = 1 << 10, 1 << 16
_FENCED = 200
"""A fence of Markdown that comes so early says that a file is no table and no list of links."""

_MARKUP = ("<", "{")
_JSON = ("{", "[")
_HAS_LINES = re.compile(r"(?:\s*+(?:#[^\n]*+\n\s*+)*+[^#\s][^\n]*+\n){2}")
"""Two lines that are no comments show what a file of lines is."""


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

    @cache
    def find(verb: str) -> Callable[..., Any]:
        found: Callable[..., Any]
        found = getattr(import_module(f"tlex.readers.{module}"), f"{verb}_{form}")
        return found

    def recognise(head: str) -> bool:
        found: bool = find("recognise")(head)
        return found

    def read(*data: object, **options: object) -> Document | Sequence[Document]:
        found: Document | Sequence[Document] = find("read")(*data, **options)
        return found

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
    if "```" in head[:_FENCED] and _is_wrapped(head):
        return "json"
    # A file of lines shows what it is in its first lines, unless they are comments.
    short = len(data) <= _HEAD or (first not in _MARKUP and _HAS_LINES.match(head) is not None)
    sizes = (_HEAD,) if short else (_HEAD, _LONG_HEAD)
    foreign = first in _JSON and _is_foreign(data[:_LONG_HEAD].decode(encoding, "replace"))
    for size in () if foreign else sizes:
        if size > _HEAD:
            head = data[:size].decode(encoding, "replace")
        for form, reader in FORMATS.items():
            asked = first in reader.begins if reader.begins else first not in _MARKUP
            if asked and reader.recognise(head):
                return form
    # Readers of other packages come last: finding them takes time.
    for form, reader in _find_others().items():
        if form not in FORMATS and any(
            _ask(form, reader, data[:size].decode(encoding, "replace")) for size in sizes
        ):
            return form
    if not foreign and _is_wrapped(head, tagged=first in _MARKUP):
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


def _is_foreign(head: str) -> bool:
    """Whether a file is JSON that no reader of tlex knows, by its outermost keys."""
    found: bool = import_module("tlex.readers.json").is_foreign(head)
    return found


def _is_wrapped(head: str, *, tagged: bool = False) -> bool:
    """Whether there is JSON inside Markdown or prose, as language models write it.

    With ``tagged`` it is inside tags that they write.
    """
    if "{" not in head and "[" not in head:
        return False
    module = import_module("tlex.readers.json")
    found: bool = module.is_tagged(head) if tagged else module.is_wrapped(head)
    return found


def _ask(form: str, reader: Format, head: str) -> bool:
    """Whether the reader of another package recognises a file. It must not stop the others."""
    try:
        return reader.recognise(head)
    except Exception as error:  # noqa: BLE001 -- whatever another package may raise
        warn(f"the reader {form!r} cannot look at a file: {error}", stacklevel=2)
        return False


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
