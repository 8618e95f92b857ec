"""Finding the place of a noun by its words, where the numbers in the file are missing or wrong."""

from __future__ import annotations

import re

from tlex.readers.json.source import Span
from tlex.source import NOWHERE

__all__ = ["SpanFinder"]

_MOST = 1 << 28
"""So many characters are looked through in one document; a hostile one could ask for more."""

_OCCURRENCES = 1000
"""So many places of the same words are looked at."""


class SpanFinder:
    """Finds words in a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._left = _MOST
        self._found: dict[str, list[int]] = {}
        self._last = 0

    def fits(self, words: str, first: int, last: int) -> bool:
        """Whether a stretch of the text has these words, perhaps with others between them."""
        inside = iter(self.text[first:last].split())
        return all(word in inside for word in words.split())

    def find(self, words: str, near: int) -> tuple[Span, int] | None:
        """Find the place of words nearest to an offset, and how many places there are.

        Where ``near`` is nowhere, the place is the first behind the one that was found before.
        None if the text does not have the words, or is too long to look.
        """
        places = self._list(words)
        if not places:
            return None
        if near == NOWHERE:
            start = next((place for place in places if place >= self._last), places[0])
        else:
            start = min(places, key=lambda place: abs(place - near))
        self._last = start + len(words)
        return (start, start + len(words)), len(places)

    def pass_by(self, last: int) -> None:
        """Note where the noun before ends."""
        self._last = max(last, 0)

    def _list(self, words: str) -> list[int]:
        """List the places of words: whole words if there are any."""
        if words not in self._found:
            self._left -= len(self.text)
            self._found[words] = [] if self._left < 0 or not words else self._search(words)
        return self._found[words]

    def _search(self, words: str) -> list[int]:
        parts: list[int] = []
        whole: list[int] = []
        place = self.text.find(words)
        while place >= 0 and len(parts) < _OCCURRENCES:
            parts.append(place)
            before, after = (
                self.text[place - 1 : place],
                self.text[place + len(words) : place + len(words) + 1],
            )
            if not _is_word(before + words[:1]) and not _is_word(words[-1:] + after):
                whole.append(place)
            place = self.text.find(words, place + 1)
        return whole or parts


def _is_word(pair: str) -> bool:
    """Whether two characters belong to one word."""
    return re.fullmatch(r"\w\w", pair) is not None
