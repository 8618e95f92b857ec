"""The five populations that can be sampled, and the questions to judges (§4.1 to §4.6).

A population is only counted; a question is made when its number is drawn. So the pairs of a large
section are never listed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from msgspec import Struct

from tlex.document import Document
from tlex.nouns import Node
from tlex.result import Extraction
from tlex.timeline import Timeline
from tlex.wording import represent

__all__ = ["QUESTIONS", "WHAT", "Question", "count_items", "pick_items"]

_AROUND = 160
"""How many characters of the text are shown on each side of the words asked about."""

_LONG = 40
"""How far the end of a word is searched; beyond that the text is cut inside the word."""

_JOINED = 400
"""Two places with at most this many characters between them are shown in one piece."""

WHAT = {
    "order": "neighbouring time-points of a timeline",
    "main": "breaks between main timelines",
    "placement": "time-points on branches",
    "connections": "links that connect timelines",
    "sections": "pairs of time-points whose order is unknown",
}
"""The five populations, by the name that ``--what`` has."""

QUESTIONS = {
    "order": "Is it right that {first} comes before {second}?",
    "main": "Is it right that the text does not put {first} and {second} in an order?",
    "placement": "Is it right that {first} is not presented as something that really happens?",
    "connections": "Is it right that {first} subordinates {second}{type}?",
    "sections": "Is it right that the links leave the order of {first} and {second} unknown?",
}


class Question(Struct, frozen=True):
    """A question to a judge: about which ids it is, its words, and the text around them.

    The text comes in pieces, each with a number: 1 or 2 for the expressions that the question is
    about, 0 for the text around them.
    """

    first: str
    second: str
    question: str
    pieces: tuple[tuple[int, str], ...]

    def __repr__(self) -> str:
        return represent(self, self.question)


def count_items(result: Extraction, what: str) -> int:
    """Count a population of a document."""
    return sum(_list_sizes(result, what))


def pick_items(result: Extraction, what: str, numbers: list[int]) -> list[Question]:
    """Make the questions with these numbers, in ascending order, from 0 to below the count."""
    sizes = _list_sizes(result, what)
    starts = [0, *accumulate(sizes)]
    by_block: dict[int, list[int]] = {}
    for number in numbers:
        block = bisect_right(starts, number) - 1
        by_block.setdefault(block, []).append(number - starts[block])
    items: list[Question] = []
    for block, own in by_block.items():
        items += _PICK[what](result, block, own)
    return items


def _list_sizes(result: Extraction, what: str) -> Sequence[int]:
    """How many items each timeline has, or each break or connection."""
    if what == "main":
        return [1] * len(result.breaks)
    if what == "connections":
        return [1] * len(result.connections)
    return [_COUNT[what](timeline) for timeline in result.timelines]


def _count_order(timeline: Timeline) -> int:
    return timeline.count_neighbours() if timeline.consistent else 0


def _count_placement(timeline: Timeline) -> int:
    return 0 if timeline.main else 2 * len(timeline.intervals)


def _count_open(timeline: Timeline) -> int:
    return timeline.indeterminate_pairs or 0


def _pick_order(result: Extraction, block: int, numbers: list[int]) -> Iterator[Question]:
    for first, second in result.timelines[block].pick_neighbours(numbers):
        yield _ask(result.document, "order", first, second)


def _pick_break(result: Extraction, block: int, numbers: list[int]) -> Iterator[Question]:
    for _ in numbers:
        pair = result.breaks[block]
        yield _ask(result.document, "main", pair.first, pair.second, points=False)


def _pick_placement(result: Extraction, block: int, numbers: list[int]) -> Iterator[Question]:
    intervals = result.timelines[block].intervals
    for number in numbers:
        interval, end = divmod(number, 2)
        yield _ask(result.document, "placement", intervals[interval] + "-+"[end])


def _pick_connection(result: Extraction, block: int, numbers: list[int]) -> Iterator[Question]:
    for _ in numbers:
        link = result.connections[block]
        kind = f" ({link.type})" if link.type else ""
        yield _ask(
            result.document, "connections", link.source, link.target, points=False, kind=kind
        )


def _pick_open(result: Extraction, block: int, numbers: list[int]) -> Iterator[Question]:
    for first, second in result.timelines[block].pick_pairs(numbers):
        yield _ask(result.document, "sections", first, second)


_COUNT: dict[str, Callable[[Timeline], int]] = {
    "order": _count_order,
    "placement": _count_placement,
    "sections": _count_open,
}
_PICK: dict[str, Callable[[Extraction, int, list[int]], Iterator[Question]]] = {
    "order": _pick_order,
    "main": _pick_break,
    "placement": _pick_placement,
    "connections": _pick_connection,
    "sections": _pick_open,
}


def _ask(  # noqa: PLR0913 -- what a question is made of
    document: Document,
    what: str,
    first: str,
    second: str = "",
    *,
    points: bool = True,
    kind: str = "",
) -> Question:
    names = [name for name in (first, second) if name]
    nodes = [document.nodes[document.index[name[:-1] if points else name]] for name in names]
    named = [
        _name(document, node, name if points else "")
        for node, name in zip(nodes, names, strict=True)
    ]
    question = QUESTIONS[what].format(first=named[0], second=named[-1], type=kind)
    pieces = tuple((number, words) for number, words in _show(document, nodes) if words)
    return Question(first, second, question, pieces)


def _name(document: Document, node: Node, point: str) -> str:
    """An event or time in words, or its beginning or end."""
    words = document.words(node)
    name = f'"{words}"' if words else node.id
    ends = {"-": "the beginning of ", "+": "the end of "}
    return ends.get(point[-1:], "") + name


def _show(document: Document, nodes: list[Node]) -> Iterator[tuple[int, str]]:
    """The text around one or two nodes, in pieces; nodes without text come at the end."""
    marks = sorted(
        (node.text_start, node.text_end, number)
        for number, node in enumerate(nodes, 1)
        if node.text_start >= 0
    )
    text, at = document.text, -1
    for start, end, number in marks:
        if at < 0 or start - at > _JOINED:
            before = at
            at = _find_edge(text, start - _AROUND)
            yield 0, _end(text, before) if before >= 0 else "... " if at else ""
        yield 0, text[at:start]
        yield number, text[max(start, at) : end]
        at = max(at, end)
    if at >= 0:
        yield 0, _end(text, at)
    for number, node in enumerate(nodes, 1):
        if node.text_start < 0:
            yield 0, " (not in the text: "
            yield number, document.words(node) or node.id
            yield 0, ")"


def _end(text: str, at: int) -> str:
    """What follows the words, as far as it is shown."""
    edge = _find_edge(text, at + _AROUND)
    return text[at:edge] + (" ... " if edge < len(text) else "")


def _find_edge(text: str, offset: int) -> int:
    """The first place after an offset where a word ends; the offset if no word ends nearby."""
    if offset <= 0:
        return 0
    edges = (at for at in range(offset, offset + _LONG) if at >= len(text) or text[at].isspace())
    return min(next(edges, offset), len(text))
