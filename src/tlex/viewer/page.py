"""One self-contained HTML file: the text, the timeline, and the script that answers questions.

Script, style sheets and data are in the file, and it loads nothing. The reading view is plain HTML,
so it can be read and printed without the script. The content of a document cannot become a script:
it is escaped in the reading view, and otherwise stands in a data element, with every character
escaped that could end this element. The content security policy allows only the script with a given
hash.
"""

from __future__ import annotations

import base64
import hashlib
from collections import deque
from functools import cache
from html import escape
from importlib.resources import files
from tempfile import TemporaryFile
from typing import Self

import msgspec

from tlex._version import __version__
from tlex.arguments import require_kind
from tlex.document import Document
from tlex.draw.reading.html_painter import make_colours, paint, read_style
from tlex.draw.reading.layout import lay_out_reading
from tlex.errors import OptionError
from tlex.extraction import extract
from tlex.result import Extraction
from tlex.viewer.data import (
    Entry,
    ErrorData,
    IndexData,
    Place,
    View,
    describe_document,
)
from tlex.viewer.repair_data import RepairData, RepairIndexData
from tlex.wording import entitle

__all__ = [
    "VIEWS",
    "PagesToCome",
    "find_policy",
    "html",
    "list_page",
    "refusal_page",
    "repair_list_page",
    "repair_page",
]

_ESCAPES = {
    b"<": rb"\u003c",
    b">": rb"\u003e",
    b"&": rb"\u0026",
    "\u2028".encode(): rb"\u2028",
    "\u2029".encode(): rb"\u2029",
}
_ALONE = Place()

VIEWS: tuple[View, ...] = ("reading", "map")
"""What a page can open with."""


def html(result: Extraction | Document, place: Place = _ALONE, *, view: View = "reading") -> str:
    """Give the page of a document: its text and timeline, as one HTML file that loads nothing.

    Parameters
    ----------
    result : Extraction or Document
        What `tlex.extract` gave, or a document, which is extracted with ``calendar=True`` and
        ``mend=True``.
    place : Place, optional
        The place of the page among others, if there are others.
    view : str
        What the page opens with: the ``"reading"`` view or the ``"map"``. It has both.

    Returns
    -------
    str
        The HTML.

    Raises
    ------
    OptionError
        If this is neither, or if there is no such view.

    Examples
    --------
    >>> import tlex
    >>> page = tlex.viewer.html(tlex.extract(tlex.from_links([("fell", "BEFORE", "broke")])))
    >>> page[:15], page.count("<script")
    ('<!doctype html>', 2)

    See Also
    --------
    tlex.draw.svg : a picture that does not move.
    """
    if isinstance(result, Document):
        result = extract(result, calendar=True, mend=True)
    require_kind("result", result, Extraction, "what tlex.extract gave, or a document")
    if view not in VIEWS:
        raise OptionError(f"view cannot be {view!r:.80}; choose from {', '.join(VIEWS)}")
    data = msgspec.json.encode(describe_document(result, place, view))
    return _write(data, entitle(result.document.name), place, paint(lay_out_reading(result)))


class PagesToCome:
    """The data of pages, kept in a temporary file until the places of all pages are known.

    Pages are taken in the order in which they were added. Use it as a context: the temporary file
    is removed at the end. Every method may raise `OSError`.
    """

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 -- closed on leaving
        self._sizes: deque[tuple[int, int]] = deque()
        self._at = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, result: Extraction) -> None:
        """Store the data of a document's page."""
        data = msgspec.json.encode(describe_document(result, _ALONE))
        reading = paint(lay_out_reading(result)).encode()
        self._file.write(data + reading)
        self._sizes.append((len(data), len(reading)))

    def take(self, place: Place) -> str:
        """Give the next page; it is the same as from `html`."""
        self._file.seek(self._at)
        data, reading = (self._file.read(size) for size in self._sizes.popleft())
        self._at += len(data) + len(reading)
        fields = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        fields["place"] = msgspec.Raw(msgspec.json.encode(place))
        name = msgspec.json.decode(fields["name"])
        return _write(msgspec.json.encode(fields), name, place, reading.decode())


def list_page(name: str, entries: tuple[Entry, ...], place: Place = _ALONE) -> str:
    """Give the page that lists documents with their verdicts."""
    return _write(
        msgspec.json.encode(IndexData(tlex=__version__, name=name, entries=entries, place=place)),
        name,
        place,
    )


def repair_page(data: RepairData) -> str:
    """Give the page on which the contradictions of a document are decided."""
    return _write(msgspec.json.encode(data), data.headline or data.name, data.place)


def repair_list_page(data: RepairIndexData) -> str:
    """Give the page that lists the documents of a repair session."""
    return _write(msgspec.json.encode(data), data.name, data.place)


def refusal_page(name: str, message: str, place: Place = _ALONE, *, missing: bool = False) -> str:
    """Give the page of a document that cannot be read, or is missing."""
    data = ErrorData(tlex=__version__, name=name, message=message, place=place, missing=missing)
    return _write(msgspec.json.encode(data), name, place)


@cache
def _load(name: str) -> str:
    return (files("tlex.viewer") / "static" / name).read_text("utf-8")


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


@cache
def find_policy(*, live: bool) -> str:
    """Give the content security policy; a ``live`` page may ask its server for changes."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(_load('viewer.js'))}",
            f"style-src {' '.join(_hash(style) for style in _list_styles())}",
            "img-src data:",
            "connect-src 'self'" if live else "connect-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _list_styles() -> tuple[str, ...]:
    """List the style sheets of a page: colours, the reading view, and everything else."""
    return make_colours(), read_style(), _load("viewer.css")


def _write(encoded: bytes, title: str, place: Place, reading: str = "") -> str:
    for letter, instead in _ESCAPES.items():
        encoded = encoded.replace(letter, instead)
    return _PAGE.format(
        policy=escape(find_policy(live=place.live is not None)),
        title=escape(title),
        styles="\n".join(f"<style>{style}</style>" for style in _list_styles()),
        reading=_FRAME.format(reading=reading) if reading else "",
        data=encoded.decode(),
        script=_load("viewer.js"),
    )


# The script builds the rest of the page around the reading view, which stays where it is.
_FRAME = """<div class="app reads"><main>
<section class="reading pane" id="reading" aria-label="Reading view">{reading}</section>
</main></div>"""

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>{title} · tlex</title>
<link rel="icon" href="data:,">
{styles}
</head>
<body>
{reading}
<noscript>This is all without JavaScript. For a picture: tlex draw FILE -o out.svg</noscript>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""
