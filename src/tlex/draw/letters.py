"""How much room text takes in a picture: the one place where widths are estimated.

A painter cannot know which font a reader's machine has. The widths here are those of the widest of
the usual sans-serif fonts, letter by letter, so that what fits by them fits by the others as well.
"""

from __future__ import annotations

import unicodedata

from tlex.wording import clean

__all__ = ["SIZE", "SMALL", "fit", "room"]

SIZE = 12
"""Pixels of the letters on bars."""

SMALL = 10.5
"""Pixels of all other letters."""

# Hundredths of the size, for the letters of ASCII.
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
    """Estimate the pixels that words take."""
    return sum(map(_width, words)) * size * (_BOLD if bold else 1) / 100


def fit(words: str, pixels: float, size: float = SIZE) -> str:
    """Clean words from a file and shorten them, so that they take no more than some pixels."""
    words = clean(words[:400])
    if room(words, size) <= pixels:
        return words
    left = pixels * 100 / size - _width(_DOTS)
    for place, letter in enumerate(words):
        left -= _width(letter)
        if left < 0:
            return words[:place].rstrip() + _DOTS
    return words


def _width(letter: str) -> int:
    width = _WIDTH.get(letter)
    if width is None:
        width = _WIDTH[letter] = _guess(letter)
    return width


def _guess(letter: str) -> int:
    """An accent takes no room of its own; of other scripts the widest letters count."""
    base = unicodedata.normalize("NFD", letter)[0]
    if base != letter:
        return _width(base)
    if unicodedata.combining(letter):
        return 0
    if unicodedata.east_asian_width(letter) in "WF":
        return _WIDE
    return _CAPITAL if letter.isupper() else _OTHER
