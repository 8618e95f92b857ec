"""Who is who: which node of one annotation is which node of another.

Nodes are matched by their place in the text, one to one, events with events and times with times.
Places count the characters that are not white space, so line ends and indentation do not matter.
No rule prefers a side: swapped sides give the same pairs, swapped.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import islice

from msgspec import Struct

from tlex.conflicts.text_order import is_creation_time, take_numbers
from tlex.document import Document, Event, Instance, Node, Timex
from tlex.errors import ComparisonError
from tlex.wording import shorten

__all__ = ["MATCHES", "Matching", "match_nodes"]

MATCHES = ("relaxed", "strict", "ids")
"""By place, where an overlap is enough; by exact place; by id."""

_SHOWN = 30
_SPACE = re.compile(r"\s")
_MOST = 1_000_000
"""How many overlaps of expressions are looked at."""


class Matching(Struct, frozen=True, gc=False):
    """The nodes of two documents that are one and the same, by their numbers on both sides."""

    gold: dict[int, int]
    """For a number on the gold side the number on the system side."""
    system: dict[int, int]
    """For a number on the system side the number on the gold side."""


class _Entity(Struct, frozen=True, gc=False):
    """A time, or an event with its instances: its nodes in order, and its place if it has one."""

    start: int
    end: int
    name: Hashable
    nodes: list[int]
    id: str


def match_nodes(gold: Document, system: Document, how: str = "relaxed") -> Matching:
    """Match the nodes of two annotations of one text.

    Raises `ComparisonError` if the texts differ in more than white space and nodes are matched by
    their places.

    >>> import tlex
    >>> story = tlex.read("examples/story.tml")
    >>> matching = match_nodes(story, story)
    >>> len(matching.gold) == len(story.nodes)
    True
    """
    if how == "ids":
        pairs = _match_ids(gold, system)
    else:
        places = _measure(gold, system)
        pairs = []
        for kind in (Event, Timex):
            sides = [_list_entities(side, kind, places[side is system]) for side in (gold, system)]
            pairs += _match_entities(*sides, strict=how == "strict")
    return Matching(dict(pairs), {system: gold for gold, system in pairs})


def _match_ids(gold: Document, system: Document) -> list[tuple[int, int]]:
    """Match nodes of the same id and kind; creation times match whatever their ids."""
    pairs = _zip_creation_times(gold, system)
    taken = {one for one, _ in pairs}, {other for _, other in pairs}
    for name, one in gold.index.items():
        other = system.index.get(name)
        if other is None or one in taken[0] or other in taken[1]:
            continue
        if isinstance(gold.nodes[one], Timex) == isinstance(system.nodes[other], Timex):
            pairs.append((one, other))
    return pairs


def _zip_creation_times(gold: Document, system: Document) -> list[tuple[int, int]]:
    sides = [_sort(side, filter(is_creation_time, side.nodes)) for side in (gold, system)]
    return list(zip(*sides, strict=False))


def _sort(document: Document, nodes: Iterable[Node]) -> list[int]:
    """Give the numbers of nodes by their ids, numbers in ids counting as numbers."""
    found = list(nodes)
    if len(found) > 1:
        found.sort(key=lambda node: take_numbers(node.id))
    return [document.index[node.id] for node in found]


def _measure(gold: Document, system: Document) -> tuple[_Places, _Places]:
    """Make ready to count the characters of both texts that are not white space."""
    texts = "".join(gold.text.split()), "".join(system.text.split())
    if texts[0] != texts[1]:
        raise ComparisonError(_tell_difference(gold, system, *texts))
    first = _Places(gold.text)
    return first, first if gold.text == system.text else _Places(system.text)


class _Places:
    """Places in a text by the number of characters before them that are not white space."""

    def __init__(self, text: str) -> None:
        self._spaces = [match.start() for match in _SPACE.finditer(text)]

    def __getitem__(self, offset: int) -> int:
        return offset - bisect_left(self._spaces, offset)


def _tell_difference(gold: Document, system: Document, one: str, other: str) -> str:
    if not one or not other:
        empty = system if one else gold
        return f"{empty.name}: has no text, and the other side has one; match by ids instead"
    at = next(
        (place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        min(len(one), len(other)),
    )
    shown = [
        repr(shorten(side.text[_find(side.text, at) :].replace("\n", " "), _SHOWN)) or "its end"
        for side in (gold, system)
    ]
    line = gold.text.count("\n", 0, _find(gold.text, at)) + 1
    return (
        f"{system.name}: its text differs from that of {gold.name} in line {line} of the text: "
        f"{shown[1]}, not {shown[0]}"
    )


def _find(text: str, at: int) -> int:
    """Find the word of the character that has ``at`` others before it that are no white space."""
    ink = (offset for offset, character in enumerate(text) if not character.isspace())
    found = next(islice(ink, at, None), len(text))
    while found and not text[found - 1].isspace():
        found -= 1
    return found


def _list_entities(document: Document, kind: type[Node], places: _Places) -> list[_Entity]:
    """List the times, or the events with their instances."""
    groups: dict[Hashable, list[Node]] = {}
    for node in document.nodes:
        if isinstance(node, Timex) != (kind is Timex):
            continue
        name: Hashable = (
            node.event if isinstance(node, Instance) and node.text_start >= 0 else node.id
        )
        groups.setdefault(name, []).append(node)
    found = []
    for own, group in groups.items():
        node = group[0]
        nodes = _sort(document, group)
        if is_creation_time(node):
            found.append(_Entity(-1, -1, True, nodes, node.id))  # noqa: FBT003 -- no id is True
        elif node.text_start < 0:
            found.append(_Entity(-1, -1, own, nodes, node.id))
        else:
            found.append(
                _Entity(places[node.text_start], places[node.text_end], None, nodes, str(own))
            )
    return found


def _match_entities(
    gold: Sequence[_Entity], system: Sequence[_Entity], *, strict: bool
) -> list[tuple[int, int]]:
    """Match entities: the same place or name first, then the larger overlap, then the earlier."""
    pairs = []
    left: tuple[list[_Entity], list[_Entity]] = ([], [])
    groups = [_group(side) for side in (gold, system)]
    for key in {**groups[0], **groups[1]}:
        ones, others = (side.get(key, []) for side in groups)
        pairs += list(zip(ones, others, strict=False))
        left[0].extend(ones[len(others) :])
        left[1].extend(others[len(ones) :])
    if not strict:
        pairs += _match_overlaps(*left)
    return [
        numbers for one, other in pairs for numbers in zip(one.nodes, other.nodes, strict=False)
    ]


def _group(entities: Iterable[_Entity]) -> Mapping[Hashable, list[_Entity]]:
    groups: dict[Hashable, list[_Entity]] = {}
    for entity in entities:
        groups.setdefault((entity.start, entity.end, entity.name), []).append(entity)
    for group in groups.values():
        if len(group) > 1:
            group.sort(key=lambda entity: take_numbers(entity.id))
    return groups


def _match_overlaps(
    gold: Sequence[_Entity], system: Sequence[_Entity]
) -> list[tuple[_Entity, _Entity]]:
    candidates = []
    ordered = [
        sorted(
            (entity.start, entity.end, place)
            for place, entity in enumerate(side)
            if entity.start < entity.end
        )
        for side in (gold, system)
    ]
    active: list[tuple[int, int, int]] = []
    pending = iter(ordered[1])
    following = next(pending, None)
    for start, end, one in ordered[0]:
        while following is not None and following[0] < end:
            active.append(following)
            following = next(pending, None)
        active = [span for span in active if span[1] > start]
        for first, last, other in active:
            overlap = min(end, last) - max(start, first)
            if overlap > 0:
                spans = sorted((start, first)), sorted((end, last))
                candidates.append((-overlap, spans, sorted((one, other)), one, other))
        if len(candidates) > _MOST:
            raise ComparisonError(
                f"more than {_MOST:,} overlaps of expressions; match by ids instead"
            )
    pairs = []
    taken: tuple[set[int], set[int]] = (set(), set())
    for *_, one, other in sorted(candidates):
        if one not in taken[0] and other not in taken[1]:
            taken[0].add(one)
            taken[1].add(other)
            pairs.append((gold[one], system[other]))
    return pairs
