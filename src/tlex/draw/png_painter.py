"""A picture as PNG: the SVG, rendered by resvg.

resvg has no fonts, and a machine may have none. So the extra ``png`` also installs a font, Source
Sans Pro, under the SIL Open Font License. The fonts of the machine are used only if a text has
letters that this font lacks. So the same document gives the same bytes on every machine, as long as
its letters are in the font.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from math import sqrt
from pathlib import Path

from tlex.document import Document
from tlex.draw.svg_painter import svg
from tlex.errors import OptionError
from tlex.result import Extraction

__all__ = ["LACKING", "choose_scale", "png"]

_FONT = "Source Sans Pro"
_PACKAGE = "font_source_sans_pro"
_FILES = ("SourceSansPro-Regular.ttf", "SourceSansPro-Bold.ttf")
_LATIN, _GREEK, _CYRILLIC = " -~\xa0-\u017e", "\u0391-\u03a1\u03a3-\u03ce", "\u0400-\u045f"
_MARKS = "\u2013\u2014\u2018\u2019\u201c\u201d\u2026"
LACKING = re.compile(f"[^\t\n{_LATIN}{_GREEK}{_CYRILLIC}{_MARKS}]")
"""Matches a letter that may not be in the font."""

_SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)"')
_FINE, _MOST = 16_000_000, 80_000_000  # pixels: up to which it may be enlarged; the limit
_LEAST = 0.5  # the smallest scale at which letters can be read


def png(
    result: Extraction | Document,
    *,
    scale: float = 2,
    width: float | None = None,
    theme: str = "light",
    labels: str = "words",
) -> bytes:
    """Draw a result as a PNG; needs the extra ``png``.

    Parameters
    ----------
    result : Extraction or Document
        What `tlex.extract` gave, or a document, which is extracted with ``calendar=True`` and
        ``mend=True``.
    scale : float
        Pixels of the PNG to a pixel of the SVG. A picture that would be too large is drawn smaller,
        as long as it can be read.
    width : float, optional
        The width of the picture before it is scaled, as for `tlex.draw.svg`.
    theme : str
        The colours: ``"light"`` or ``"dark"``.
    labels : str
        What is written on events and times: ``"words"``, ``"phrases"`` (of an event also what
        stands around it in its sentence), ``"ids"``, ``"both"`` or ``"none"``. A contradiction is
        shown by ids if there are no labels.

    Returns
    -------
    bytes
        The PNG.

    Raises
    ------
    OptionError
        If neither is given, or a wrong option; if the picture is too large;
        if the extra is not installed.

    Examples
    --------
    >>> import tlex
    >>> result = tlex.extract(tlex.from_links([("fell", "BEFORE", "broke")]))
    >>> tlex.draw.png(result, width=700, scale=1)[1:4]
    b'PNG'

    See Also
    --------
    tlex.draw.svg : the same picture as SVG.
    """
    try:
        from resvg_py import svg_to_bytes  # noqa: PLC0415 -- an optional package
    except ImportError:
        raise OptionError("a PNG needs resvg; install it with: pip install 'tlex[png]'") from None
    drawn = svg(result, width=width, theme=theme, labels=labels)
    return svg_to_bytes(
        svg_string=drawn,
        zoom=choose_scale(drawn, scale),
        skip_system_fonts=not LACKING.search(drawn),
        font_files=_find_fonts(),
        font_family=_FONT,
        sans_serif_family=_FONT,
    )


def choose_scale(drawn: str, scale: float) -> float:
    """Reduce the scale for a large picture; raise `OptionError` if it is too large for a PNG."""
    if not scale > 0:
        raise OptionError(f"the scale of a PNG cannot be {scale!r}; choose a number above 0")
    found = _SIZE.search(drawn)
    width, height = (float(found[1]), float(found[2])) if found else (1.0, 1.0)
    size = width * height
    if size * _LEAST**2 > _MOST:
        raise OptionError(
            f"a picture of {width:,.0f} by {height:,.0f} pixels is too large for a PNG; "
            "draw it as SVG"
        )
    return min(scale, max(sqrt(_FINE / size), min(1.0, sqrt(_MOST / size))))


def _find_fonts() -> list[str]:
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise OptionError("a PNG needs a font; install it with: pip install 'tlex[png]'")
    folder = Path(spec.submodule_search_locations[0]) / "files"
    return [str(folder / name) for name in _FILES]
