"""Who is who: which node of one annotation is which node of another.

Nodes are matched by their place in the text, one to one, events with events and times with times.
Places count the characters that are not white space, so line ends and indentation do not matter.
No rule prefers a side: swapped sides give the same pairs, swapped.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import chain, islice

from msgspec import Struct

from tlex.caching import cached_property
from tlex.conflicts.text_order import TextOrder, find_creation_times, take_numbers
from tlex.document import Document
from tlex.errors import ComparisonError
from tlex.wording import count, represent, shorten

__all__ = ["MATCHES", "Expressions", "Matching", "match_nodes"]

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
    same: bool = False
    """Whether all nodes have the same numbers on both sides."""

    def __repr__(self) -> str:
        return represent(self, count(len(self.gold), "node"))


_Key = tuple[int, int, Hashable, int]
"""Start, end, name of what has no place, and the number among those of the same place."""

_Entities = dict[_Key, tuple[str, tuple[int, ...]]]
"""Times, or events with their instances: the id, and the nodes in order."""


class Expressions:
    """The events and times of a document, ready to be matched with those of others."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def __repr__(self) -> str:
        return represent(self, repr(self.document.name))

    @cached_property
    def ink(self) -> str:
        """The text without white space."""
        return "".join(self.document.places.text.split())

    @cached_property
    def order(self) -> list[int]:
        """The numbers of the nodes, in text order."""
        return TextOrder(self.document).sort()

    @cached_property
    def same(self) -> Matching:
        """The matching with a document that has the same nodes."""
        numbers = range(len(self.document.places.ids))
        pairing = dict(zip(numbers, numbers, strict=True))
        return Matching(pairing, pairing, same=True)

    @cached_property
    def entities(self) -> tuple[_Entities, _Entities]:
        """The events with their instances, and the times."""
        return _list_entities(self.document, _find_spaces(self.document.places.text))

    def equals(self, other: Expressions) -> bool:
        """Whether the other document marks the same expressions by the same ids."""
        return self is other or self._columns == other._columns

    @cached_property
    def _columns(self) -> tuple[object, ...]:
        nodes = self.document.places
        columns = nodes.text, nodes.ids, nodes.starts, nodes.ends, nodes.events, nodes.times
        return *columns, find_creation_times(self.document)


def match_nodes(
    gold: Document | Expressions, system: Document | Expressions, how: str = "relaxed"
) -> Matching:
    """Match the nodes of two annotations of one text.

    Raises `ComparisonError` if the texts differ in more than white space and nodes are matched by
    their places.

    >>> import tlex
    >>> story = tlex.read("examples/story.tml")
    >>> matching = match_nodes(story, story)
    >>> len(matching.gold) == len(story.nodes)
    True
    """
    one, other = (
        side if isinstance(side, Expressions) else Expressions(side) for side in (gold, system)
    )
    if one.equals(other):  # as where systems order the events of the gold
        return one.same
    if how == "ids":
        pairs = _match_ids(one.document, other.document)
    else:
        texts = one.document.places.text, other.document.places.text
        if texts[0] != texts[1] and one.ink != other.ink:
            raise ComparisonError(_tell_difference(one, other))
        pairs = []
        for sides in zip(one.entities, other.entities, strict=True):
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
        if gold.places.times[one] == system.places.times[other]:
            pairs.append((one, other))
    return pairs


def _zip_creation_times(gold: Document, system: Document) -> list[tuple[int, int]]:
    sides = [
        [side.index[name] for name in sorted(find_creation_times(side), key=take_numbers)]
        for side in (gold, system)
    ]
    return list(zip(*sides, strict=False))


def _tell_difference(golden: Expressions, other: Expressions) -> str:
    gold, system = golden.document, other.document
    if not golden.ink or not other.ink:
        empty = system if golden.ink else gold
        return f"{empty.name}: has no text, and the other side has one; match by ids instead"
    letters = enumerate(zip(golden.ink, other.ink, strict=False))
    at = next(
        (place for place, pair in letters if pair[0] != pair[1]),
        min(len(golden.ink), len(other.ink)),
    )
    shown = [
        repr(shorten(side.text[_find(side.text, at) :].replace("\n", " "), _SHOWN)) or "its end"
        for side in (gold, system)
    ]
    line = gold.text.count("\n", 0, _find(gold.text, at)) + 1
    if gold.name == system.name:
        return (
            f"{gold.name}: the texts of the two sides differ in line {line} of the text: "
            f"{shown[1]} in the second, not {shown[0]}"
        )
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


@lru_cache(32)
def _find_spaces(text: str) -> list[int]:
    """Find where a text has white space; the text of one document comes once for each side."""
    return [match.start() for match in _SPACE.finditer(text)]


def _list_entities(document: Document, spaces: Sequence[int]) -> tuple[_Entities, _Entities]:
    """List the events with their instances, and the times; ``spaces`` are where white space is.

    Places count the characters before them that are not white space.
    """
    found: tuple[_Entities, _Entities] = ({}, {})
    crowded: dict[tuple[bool, _Key], list[tuple[str, tuple[int, ...]]]] = {}
    nodes = document.places
    creation_times = find_creation_times(document)
    events: dict[str, list[int]] = {}
    lists: list[tuple[str, list[int]]] = []
    columns = zip(nodes.ids, nodes.starts, nodes.events, strict=True)
    for number, (name, start, event) in enumerate(columns):
        if event is not None and start >= 0:
            events.setdefault(event, []).append(number)
        else:
            lists.append((name, [number]))
    for name, own in chain(lists, events.items()):
        if len(own) > 1:
            own.sort(key=lambda number: take_numbers(nodes.ids[number]))
        start, end = nodes.starts[own[0]], nodes.ends[own[0]]
        time = nodes.times[own[0]]
        key: _Key
        if time and name in creation_times:
            key = -1, -1, True, 0
        elif start < 0:
            key = -1, -1, name, 0
        else:
            key = start - bisect_left(spaces, start), end - bisect_left(spaces, end), None, 0
        entity = name, tuple(own)
        first = found[time].setdefault(key, entity)
        if first is not entity:
            crowded.setdefault((time, key), [first]).append(entity)
    for (time, key), group in crowded.items():
        group.sort(key=lambda entity: take_numbers(entity[0]))
        found[time].update(((*key[:3], place), entity) for place, entity in enumerate(group))
    return found


def _match_entities(gold: _Entities, system: _Entities, *, strict: bool) -> list[tuple[int, int]]:
    """Match entities: the same place or name first, then the larger overlap, then the earlier."""
    pairs: list[tuple[int, int]] = []
    for key, (_, nodes) in gold.items():
        other = system.get(key)
        if other is None:
            continue
        if len(nodes) == 1:
            pairs.append((nodes[0], other[1][0]))
        else:
            pairs += zip(nodes, other[1], strict=False)
    if not strict:
        left = [
            sorted(key for key in ours.keys() - theirs.keys() if key[0] < key[1])
            for ours, theirs in ((gold, system), (system, gold))
        ]
        for one, there in _match_overlaps(*left) if all(left) else ():
            pairs += zip(gold[one][1], system[there][1], strict=False)
    return pairs


def _match_overlaps(gold: Sequence[_Key], system: Sequence[_Key]) -> list[tuple[_Key, _Key]]:
    """Match sorted places that overlap: the largest overlap first, then the earliest."""
    candidates = []
    active: list[tuple[int, int, int]] = []
    pending = iter([(*key[:2], place) for place, key in enumerate(system)])
    following = next(pending, None)
    for one, (start, end, _, _) in enumerate(gold):
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
