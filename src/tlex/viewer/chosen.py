"""What the page says of a chosen event beside its order: its sentence, and what dates it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tlex.calendar import find_dated
from tlex.document import Document
from tlex.points.graphs import Consistent
from tlex.reason.dates import bound_compounds
from tlex.result import Extraction
from tlex.timex import OPEN

__all__ = ["find_dating_times", "find_sentences"]

_SPACE = re.compile(r"\s+")
_LONGEST = 600
"""Characters of a sentence; of a longer one the surroundings of the words are kept."""


def find_sentences(
    document: Document,
) -> tuple[tuple[str, ...], list[tuple[int, int, int] | None]]:
    """Find the sentences of all nodes, and for each node its sentence and its words there."""
    numbers: dict[str, int] = {}
    found: list[tuple[int, int, int] | None] = []
    for node in document.nodes:
        sentence = document.sentence(node)
        if sentence is None or not 0 <= node.text_start < node.text_end:
            found.append(None)
            continue
        first = max(min(sentence.start, node.text_start), node.text_start - _LONGEST)
        last = min(max(sentence.end, node.text_end), node.text_end + _LONGEST)
        before = _SPACE.sub(" ", document.text[first : node.text_start])
        words = _SPACE.sub(" ", document.text[node.text_start : node.text_end])
        after = _SPACE.sub(" ", document.text[node.text_end : last])
        number = numbers.setdefault(before + words + after, len(numbers))
        found.append((number, len(before), len(before) + len(words)))
    return tuple(numbers), found


def find_dating_times(result: Extraction) -> tuple[dict[int, int], dict[int, int]]:
    """Find the times by which the order dates each node: since when, and until when. Linear."""
    since: dict[int, int] = {}
    until: dict[int, int] = {}
    if not result.options.calendar:
        return since, until
    times = {time.number for time in find_dated(result.document, result.options.times)}
    bounds = bound_compounds(result.document, result.components, result.options.times)
    for component, lower, upper in bounds:
        firsts, lasts = _trace(component, lower, upper, times)
        compound = component.graph.compound
        for place, number in enumerate(component.members):
            first, last = firsts.get(compound[2 * place]), lasts.get(compound[2 * place + 1])
            if first is not None and first != number:
                since[number] = first
            if last is not None and last != number:
                until[number] = last
    return since, until


def _trace(
    component: Consistent, lower: Sequence[int], upper: Sequence[int], times: set[int]
) -> tuple[dict[int, int], dict[int, int]]:
    """Find for each compound the time from which its bounds come."""
    graph = component.graph
    own: dict[int, int] = {}
    for place, number in enumerate(component.members):
        if number in times:
            own.setdefault(graph.compound[2 * place], number)
            own.setdefault(graph.compound[2 * place + 1], number)
    order = sorted(range(graph.size), key=component.steps.earliest.__getitem__)
    firsts: dict[int, int] = {}
    for one in order:
        if one not in firsts and one in own:
            firsts[one] = own[one]
        if one in firsts and lower[one] > -OPEN + 1:
            for after in graph.successors[one]:
                if lower[after] == lower[one] | 1:
                    firsts.setdefault(after, firsts[one])
    lasts: dict[int, int] = {}
    for one in reversed(order):
        for after in graph.successors[one]:
            if upper[one] == (upper[after] - 1) | 1 and after in lasts and upper[one] < OPEN - 1:
                lasts.setdefault(one, lasts[after])
        if one not in lasts and one in own:
            lasts[one] = own[one]
    return firsts, lasts
