"""Reading a plain graph: ``A BEFORE B``, one link per line, for experiments and for teaching.

Words are separated by blanks. The kind of link follows from its label; a node whose id is ``t`` and
a number is a time, every other one an event. What stands behind a ``#`` is a remark.
"""

from __future__ import annotations

import re

from tlex.algebra import CODES, find_label
from tlex.document import NOWHERE, Code, Document, Instance, Link, Node, Source, Timex
from tlex.readers.assembly import Problems, check_links, order_nodes, raise_first_error
from tlex.readers.lines import split_lines
from tlex.readers.links import find_kind, is_time

__all__ = ["make_nodes", "read_plain", "recognise_plain"]

_REMARK = re.compile(r"(?:^|\s)#.*")
_TRIPLE = 3
_SHOWN = 80


def recognise_plain(head: str) -> bool:
    """Whether a file is a graph: it begins with a link, and most of its lines are links.

    A label in capitals makes sure of it, or all lines with known labels: *sleeping during lessons*
    may be three words of a text.
    """
    lines = head.removeprefix("\ufeff").replace("\r", "\n").split("\n")
    rows = [words for line in lines if (words := _REMARK.sub("", line).split())]
    if len(rows) > 1 and not head.endswith("\n"):
        rows.pop()  # it may be half a line
    triples = [words for words in rows if len(words) == _TRIPLE]
    if not rows or len(rows[0]) != _TRIPLE or 2 * len(triples) <= len(rows):
        return False
    known = [words[1] for words in triples if _is_label(words[1])]
    return any(map(str.isupper, known)) or 1 < len(known) == len(rows)


def _is_label(word: str) -> bool:
    return any(find_label(kind, word) for kind in CODES)


def read_plain(
    data: bytes, name: str, *, strict: bool = False, encoding: str | None = None
) -> Document:
    """Read a graph; a line that is no link is a diagnostic."""
    source, lines = split_lines(data, name, encoding)
    problems = Problems(name, source)
    links: list[Link] = []
    first: dict[str, int] = {}
    for line in lines:
        words = (_REMARK.sub("", line.text) if "#" in line.text else line.text).split()
        if len(words) == _TRIPLE:
            start, label, end = words
            label, kind = find_kind(label)
            first.setdefault(start, line.start)
            first.setdefault(end, line.start)
            own = f"l{len(links) + 1}"
            links.append(Link(own, {}, line.start, source, kind, label, start, end, None, None))
        elif words:
            shown = " ".join(words)
            shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
            message = f"the line is {shown!r}, not a source, a type and a target; it is left out"
            problems.add(Code.MISSING_ATTRIBUTE, line.start, message)
    nodes, index = order_nodes(make_nodes(first, source))
    instances = [node for node in nodes if isinstance(node, Instance)]
    document = Document(
        name=name,
        format="plain",
        text="",
        events=(),
        instances=tuple(instances),
        timexes=tuple(node for node in nodes if isinstance(node, Timex)),
        signals=(),
        nodes=tuple(nodes),
        index=index,
        links=tuple(check_links(links, index, instances, problems)),
        diagnostics=problems.in_order(),
        source=source,
    )
    if strict:
        raise_first_error(document)
    return document


def make_nodes(first: dict[str, int], source: Source) -> list[Node]:
    """Make a node of each id that links name, placed where it comes up first."""
    return [
        (Timex if is_time(name) else Instance)(name, {}, start, source, NOWHERE, NOWHERE)
        for name, start in first.items()
    ]
