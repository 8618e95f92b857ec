"""The phrase of an event: its words, with what stands around them in the sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tlex.document import Document
from tlex.draw.reading.parts import Phrase
from tlex.nouns import Node
from tlex.wording import clean, shorten

__all__ = ["LONGEST", "find_phrase"]

LONGEST = 60
"""Characters of a phrase, with the event's own words."""

_LONGEST_WORDS = 48
_SHORT = 26
"""A clause shorter than this is shown with its neighbours."""

_DOTS = "\u2026"
_SPACE = re.compile(r"\s+")
_CLAUSE = re.compile(r"""(?<!\d)[,:]|[,:](?!\d)|[;()\u2013\u2014\[\]]|--|["\u201c\u201d]|``|''""")
_FAR = 400
"""How far from the words the surroundings are looked at."""


def find_phrase(document: Document, node: Node, longest: int = LONGEST) -> Phrase:
    """Find the words around an event within its sentence; the whole clause if there is room.

    >>> import tlex
    >>> document = tlex.read("examples/story.tml")
    >>> find_phrase(document, document.node("ei4"))
    Phrase(before='… with the whole village below, the church clock ', words='coughed', after='.')
    """
    words = shorten(_fold(document.words(node)).strip(), _LONGEST_WORDS, _DOTS) or node.id
    sentence = document.sentence(node)
    if sentence is None or not 0 <= node.text_start < node.text_end:
        return Phrase("", clean(words), "")
    start, end = min(sentence.start, node.text_start), max(sentence.end, node.text_end)
    left = _fold(document.text[max(start, node.text_start - _FAR) : node.text_start]).lstrip()
    right = _fold(document.text[node.text_end : min(end, node.text_end + _FAR)]).rstrip()
    before, after = _choose(left, right, max(longest - len(words), 0))
    cut_left = before != left or start < node.text_start - _FAR
    cut_right = after != right or node.text_end + _FAR < end
    return Phrase(
        f"{_DOTS} {before.lstrip()}" if cut_left else before,
        words,
        f"{after.rstrip()} {_DOTS}" if cut_right else after,
    )


def _choose(left: str, right: str, room: int) -> tuple[str, str]:
    """Choose how much to show on both sides: as many whole clauses as there is room for.

    If not even the clause of the words has room, or if it is a word or two and its neighbours have
    no room, it is cut between words. Most of the room is for what goes before: this names who
    does it.
    """
    lefts, rights = list(_list_cuts(left)), list(_list_ends(right))
    one, other = left[lefts.pop(0) :], right[: rights.pop(0)]
    if len(one) + len(other) > room:
        return _cut(one, other, room)
    while lefts or rights:  # first what goes before
        if lefts and len(left) - lefts[0] + len(other) <= room and len(one) < _SHORT:
            one = left[lefts.pop(0) :]
        elif rights and len(one) + rights[0] <= room:
            other = right[: rights.pop(0)]
        else:
            break
    short = len(one) + len(other) < _SHORT // 2 and (lefts or rights)
    return _cut(left, right, room) if short else (one, other)


def _cut(left: str, right: str, room: int) -> tuple[str, str]:
    """Cut both sides between words."""
    left = _keep_end(left, max(room * 3 // 5, room - len(right)))
    return left, _keep_start(right, room - len(left))


def _list_cuts(left: str) -> Iterator[int]:
    """Give where the clauses before the words begin, the nearest first."""
    ends = [found.end() for found in _CLAUSE.finditer(left)]
    yield from reversed(ends)
    yield 0


def _list_ends(right: str) -> Iterator[int]:
    """Give where the clauses behind the words end, the nearest first."""
    yield from (found.start() for found in _CLAUSE.finditer(right))
    yield len(right)


def _keep_end(words: str, room: int) -> str:
    if len(words) <= room:
        return words
    kept = words[len(words) - room :] if room > 0 else ""
    head, blank, rest = kept.partition(" ")
    return rest if blank and not words[len(words) - room - 1].isspace() else head + blank + rest


def _keep_start(words: str, room: int) -> str:
    if len(words) <= room:
        return words
    kept = words[:room] if room > 0 else ""
    head, blank, _ = kept.rpartition(" ")
    return kept if not blank or words[room].isspace() else head


def _fold(words: str) -> str:
    return clean(_SPACE.sub(" ", words))
