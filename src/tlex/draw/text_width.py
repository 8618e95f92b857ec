"""The estimated width of text in a picture.

The fonts of a reader's machine are not known here. For each letter, the width is that of the widest
of the usual sans-serif fonts. So what fits by these widths fits in any of these fonts.
"""

from __future__ import annotations

import unicodedata

from tlex.wording import clean

__all__ = ["SIZE", "SMALL", "fit", "fit_id", "room"]

SIZE = 12
"""Font size on bars, in pixels."""

SMALL = 11
"""Font size of all other text, in pixels."""

# Widths of ASCII letters, in hundredths of the font size.
_WIDTHS = {
    28: "'ijl",
    32: " ,.I",
    36: "/:;\\f|",
    40: "()[]-t",
    44: "!r",
    48: '"',
    52: "*J",
    56: "?L_`csz",
    60: "kvxy",
    64: "$0123456789FTabdeghnopqu{}",
    68: "EKPSY",
    72: "ABVXZ",
    76: "CHNRU",
    80: "&DGOQ",
    84: "#+<=>^w~",
    88: "M",
    96: "%",
    100: "Wm",
    104: "@",
}
_WIDTH = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_OTHER, _CAPITAL, _WIDE = 104, 120, 130
_BOLD = 1.15
_DOTS = "…"


def room(words: str, size: float = SIZE, *, bold: bool = False) -> float:
    """Estimate the width of words, in pixels."""
    return sum(map(_width, words)) * size * (_BOLD if bold else 1) / 100


def fit(words: str, pixels: float, size: float = SIZE) -> str:
    """Clean words from a file, and shorten them to at most ``pixels``."""
    words = clean(words[:400])
    if room(words, size) <= pixels:
        return words
    left = pixels * 100 / size - _width(_DOTS)
    for place, letter in enumerate(words):
        left -= _width(letter)
        if left < 0:
            return words[:place].rstrip() + _DOTS
    return words


def fit_id(name: str, pixels: float, size: float = SIZE, *, before: str = "") -> str:
    """Shorten an id with words ``before`` it; of a merged document's id the part after # stays.

    >>> fit_id("ei12", 60), fit_id("a_long_name_of_a_document#ei12", 60)
    ('ei12', '…#ei12')
    """
    shown = fit(before + name, pixels, size)
    _, mark, own = name.rpartition("#")
    return fit(f"{before}{_DOTS}#{own}", pixels, size) if mark and shown[-1:] == _DOTS else shown


def _width(letter: str) -> int:
    width = _WIDTH.get(letter)
    if width is None:
        width = _WIDTH[letter] = _guess(letter)
    return width


def _guess(letter: str) -> int:
    """Estimate the width of a letter outside ASCII; an accent has no width of its own."""
    base = unicodedata.normalize("NFD", letter)[0]
    if base != letter:
        return _width(base)
    if unicodedata.combining(letter):
        return 0
    if unicodedata.east_asian_width(letter) in "WF":
        return _WIDE
    return _CAPITAL if letter.isupper() else _OTHER
