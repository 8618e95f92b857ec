"""The sentences in which events and times stand, with their words marked, for people to read.

``He [left] after the bomb [exploded].`` A message shows this when somebody has to decide about
links between these words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import inf

from tlex.document import Document
from tlex.nouns import Node, Span
from tlex.wording import clean, fit, measure

__all__ = ["find_sentences", "quote"]

_ROOM = 240
_DOTS = "\u2026"
_SPACE = re.compile(r"\s+")
_NEAR = 12
"""How many characters of a word are left out, so that a cut does not go through it."""
_WIDE = 8
"""How many characters a column may take, with combining marks and white space."""

Range = tuple[int, int]


def quote(document: Document, nodes: Iterable[Node | str], room: int = _ROOM) -> list[str]:
    """Give the sentences of some nodes, in text order, with the words of the nodes in brackets.

    Nodes are given as such or by their ids. What has no words in the text is left out, so the list
    may be empty. Each sentence is one string of at most ``room`` columns (and never less than 20).
    White space is folded, and nothing in it can steer a terminal. Of a sentence that is too long
    the surroundings of the marked words are kept, with … for the rest. Whoever shows a sentence may
    break it into lines.

    >>> import tlex
    >>> document = tlex.read("examples/story.tml")
    >>> quote(document, ["t4", "ei1"], 40)
    ['It [snowed] all through yesterday …', '… stroke of [midnight] the owl …']
    """
    room = max(room, 20)
    return [
        _show(document.text, whole, marks, room) for whole, marks in find_sentences(document, nodes)
    ]


def find_sentences(
    document: Document, nodes: Iterable[Node | str]
) -> list[tuple[Range, list[Range]]]:
    """Find the sentences of some nodes, in text order, and the words of the nodes in each."""
    quoted: list[tuple[Range, list[Range]]] = []
    for place in sorted({_find_words(document, node) for node in nodes}):
        start, end = place
        if not 0 <= start < end:
            continue
        sentence = document.sentence(Span(start, end))
        if quoted and start < quoted[-1][0][1]:  # in the sentence before, or in words that leave it
            (first, last), marks = quoted.pop()
            quoted.append(((first, max(last, end)), marks))
        elif sentence is not None:
            marks = []
            quoted.append(((min(sentence.start, start), max(sentence.end, end)), marks))
        else:  # only white space
            continue
        if marks and start < marks[-1][1]:
            start, end = marks[-1][0], max(end, marks.pop()[1])
        marks.append((start, end))
    return quoted


def _find_words(document: Document, node: Node | str) -> Range:
    """Find where the words of a node stand in the text; no noun is made for an id."""
    if not isinstance(node, str):
        return node.text_start, node.text_end
    number = document.index.get(node)
    if number is None:
        return -1, -1
    return document.places.starts[number], document.places.ends[number]


class _Context:
    """What stands before, between or behind marked words."""

    def __init__(self, text: str, start: int, end: int, room: int) -> None:
        most = _WIDE * room
        self.head = self.tail = _fold(text[start : min(end, start + most)])
        self.need: float = measure(self.head)
        if end - start > most:
            self.tail = _fold(text[end - most : end])
            self.need = inf

    def cut(self, columns: int, *, first: bool, last: bool) -> str:
        """Give as much as fits: what is near to the marks."""
        if self.need <= columns:
            return self.head
        half = columns - 2 if first or last else (columns - 3) // 2
        before = "" if first else f"{_keep(self.head, half).rstrip()} "
        after = "" if last else f" {_keep(self.tail[::-1], half)[::-1].lstrip()}"
        return f"{before}{_DOTS}{after}"


def _show(text: str, whole: Range, marks: Sequence[Range], room: int) -> str:
    """Give a sentence with its marks within the room."""
    words = []
    for start, end in marks:
        marked = _Context(text, start, end, room)
        words.append(f"[{marked.cut(room // 2, first=False, last=False).strip()}]")
    ends = [whole[0], *(place for mark in marks for place in mark), whole[1]]
    around = [_Context(text, ends[n], ends[n + 1], room) for n in range(0, len(ends), 2)]
    shares = _share([each.need for each in around], room - sum(map(measure, words)))
    last = len(around) - 1
    shown = [
        each.cut(share, first=number == 0, last=number == last)
        for number, (each, share) in enumerate(zip(around, shares, strict=True))
    ]
    line = shown[0] + "".join(map("".join, zip(words, shown[1:], strict=True)))
    return line if measure(line) <= room else f"{fit(line, room - 1)}{_DOTS}"


def _share(needs: Sequence[float], room: int) -> list[int]:
    """Share the room: none gets more than it needs, and those between marks twice as much."""
    last = len(needs) - 1
    weights = [1 if number in {0, last} else 2 for number in range(len(needs))]
    left, heavy = max(room, 0), sum(weights)
    shares = [0] * len(needs)
    for number in sorted(range(len(needs)), key=lambda number: needs[number] / weights[number]):
        shares[number] = int(min(needs[number], left * weights[number] // heavy))
        left -= shares[number]
        heavy -= weights[number]
    return shares


def _keep(words: str, columns: int) -> str:
    """Give the beginning of words that fits, without half a word at its end."""
    kept = fit(words, max(columns, 0))
    if kept == words or words[len(kept)].isspace():
        return kept
    before, blank, half = kept.rpartition(" ")
    return before + blank if blank and len(half) <= _NEAR else kept


def _fold(words: str) -> str:
    return clean(_SPACE.sub(" ", words))
