"""Reading a plain graph: ``A BEFORE B``, one link per line, for experiments and for teaching.

Words are separated by blanks. The kind of link follows from its label. A node whose id is ``t`` and
a number is a time, every other node an event. A ``#`` begins a comment.
"""

from __future__ import annotations

import re

from tlex.algebra import CODES, find_label
from tlex.document import Document
from tlex.nouns import Code, Link
from tlex.readers.assembly import Nouns, assemble, find_kind, make_ends
from tlex.readers.diagnostics import Diagnostics
from tlex.readers.lines import split_lines

__all__ = ["read_plain", "recognise_plain"]

_COMMENT = re.compile(r"(?:^|\s)#.*")
_TRIPLE = 3
_SHOWN = 80


def recognise_plain(head: str) -> bool:
    """Whether a file is a graph: it begins with a link, and most of its lines are links.

    Three words with a label in the middle can be ordinary text (*sleeping during lessons*). So one
    label must be in capitals, or every line must have a known label.
    """
    head = head.removeprefix("\ufeff").replace("\r", "\n")
    lines = head.split("\n")
    filled = filter(None, map(_split, lines))
    first = next(filled, [])
    if len(first) != _TRIPLE:  # most files are none, and there may be very many of them
        return False
    rows = [first, *filled]
    if len(rows) > 1 and not head.endswith("\n"):
        rows.pop()  # it may be half a line
    triples = [words for words in rows if len(words) == _TRIPLE]
    if not rows or 2 * len(triples) <= len(rows):
        return False
    known = [words[1] for words in triples if _is_label(words[1])]
    return any(map(str.isupper, known)) or 1 < len(known) == len(rows)


def _split(line: str) -> list[str]:
    """Give the words of a line that are in no comment; what follows the third is one piece."""
    return (_COMMENT.sub("", line) if "#" in line else line).split(maxsplit=_TRIPLE)


def _is_label(word: str) -> bool:
    return any(find_label(kind, word) for kind in CODES)


def read_plain(data: bytes, name: str, *, encoding: str | None = None) -> Document:
    """Read a graph; a line that is no link is a diagnostic."""
    source, lines = split_lines(data, name, encoding)
    diagnostics = Diagnostics(name, source)
    links: list[Link] = []
    first: dict[str, int] = {}
    for line in lines:
        words = (_COMMENT.sub("", line.text) if "#" in line.text else line.text).split()
        if len(words) == _TRIPLE:
            start, label, end = words
            label, kind = find_kind(label)
            first.setdefault(start, line.start)
            first.setdefault(end, line.start)
            link = Link(
                id=f"l{len(links) + 1}",
                attributes={},
                byte_start=line.start,
                file=source,
                kind=kind,
                type=label,
                source=start,
                target=end,
            )
            links.append(link)
        elif words:
            shown = " ".join(words)
            shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
            message = f"the line is {shown!r}, not a source, a type and a target; it is left out"
            diagnostics.add(Code.MISSING_ATTRIBUTE, line.start, message)
    return assemble(Nouns(ends=make_ends(first, source)), links, diagnostics, format="plain")
