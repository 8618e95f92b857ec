"""Which other types a link could have, nearest first.

How near two relations are is the distance in the conceptual neighbourhood of Allen's relations:
how many times an end point has to be moved past, or onto, one of the other interval.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from itertools import product

from tlex.algebra import CODES, ROWS, SAME_AS, TABLE_1
from tlex.document import Link
from tlex.errors import OptionError
from tlex.graph import TemporalGraph, build_graph, find_code
from tlex.steps.consistency import check_consistency
from tlex.steps.transform import transform
from tlex.timeline import Extraction

__all__ = ["measure_distance", "relabel", "suggest_types"]

Signs = tuple[int, ...]
"""How A- and A+ stand to B- and B+: -1 before, 0 equal, 1 after; in the order of `PAIRS`."""

PAIRS = ((0, 2), (0, 3), (1, 2), (1, 3))
TYPES = {
    "TLINK": tuple(str(relation) for relation in TABLE_1),
    "ALINK": tuple(str(relation) for relation in SAME_AS),
}


def suggest_types(result: Extraction, link: str, removed: Collection[str]) -> tuple[str, ...]:
    """The types that a removed link could have, with every link kept that is not removed.

    Nearest to its own type first. Types that say the same as its own are never among them.
    """
    document = result.document
    found = {other.id: number for number, other in enumerate(document.links)}
    for name in (link, *removed):
        if name not in found:
            raise OptionError(f"the document has no link {name!r}")
    world = _World(result, {found[name] for name in (link, *removed)})
    return world.suggest(document.links[found[link]])


def relabel(result: Extraction, removed: Collection[str]) -> dict[str, str]:
    """Find a new type for each removed link that can have one with all the others in place.

    One link after the other, in document order, each with the type that is nearest to its own.
    What is left out can only be removed.
    """
    document = result.document
    gone = [n for n, link in enumerate(document.links) if link.id in set(removed)]
    world = _World(result, set(gone))
    chosen = {}
    for number in gone:
        link = document.links[number]
        types = world.suggest(link)
        if types:
            chosen[link.id] = types[0]
            world.add(link, types[0])
    return chosen


def measure_distance(one: str, other: str, kind: str = "TLINK") -> int:
    """How far two types are from each other in the conceptual neighbourhood.

    >>> measure_distance("BEFORE", "IBEFORE"), measure_distance("BEFORE", "AFTER")
    (1, 8)
    """
    return _measure(CODES[kind][one], CODES[kind][other])


def _measure(one: int, other: int) -> int:
    return min(
        sum(abs(a - b) for a, b in zip(left, right, strict=True))
        for left in _list_signs(one)
        for right in _list_signs(other)
    )


@cache
def _list_signs(code: int) -> tuple[Signs, ...]:
    """The ways in which two intervals can stand to each other under a label: Allen's relations."""
    found: dict[Signs, None] = {}
    for a, b, c, d in product(range(4), repeat=4):
        at = (a, b, c, d)
        if (
            a < b
            and c < d
            and all(
                at[left] < at[right] if strict else at[left] == at[right]
                for left, strict, right in ROWS[code]
            )
        ):
            signs = tuple((at[i] > at[j]) - (at[i] < at[j]) for i, j in PAIRS)
            found[signs] = None
    return tuple(found)


class _World:
    """The links that stay, to which others can be added as long as that makes no contradiction."""

    def __init__(self, result: Extraction, removed: Collection[int]) -> None:
        options = result.options
        graph = build_graph(result.document, options.links, options.times)
        rows = zip(graph.labels, graph.sources, graph.targets, graph.numbers, strict=True)
        self._document = result.document
        self._index = result.document.index
        self._size = graph.size
        self._instants = graph.instants
        self._rows = [row[:3] for row in rows if row[3] not in removed]

    def suggest(self, link: Link) -> tuple[str, ...]:
        """The types that a link could have, nearest to its own first."""
        own = find_code(self._document, link.kind, link.type)
        if own is None:
            return ()
        fitting = [
            (_measure(own, CODES[link.kind][label]), place, label)
            for place, label in enumerate(TYPES[link.kind])
            if ROWS[CODES[link.kind][label]] != ROWS[own] and self._fits(self._number(link, label))
        ]
        return tuple(label for _, _, label in sorted(fitting))

    def add(self, link: Link, label: str) -> None:
        """Keep a link with a new type."""
        self._rows.append(self._number(link, label))

    def _number(self, link: Link, label: str) -> tuple[int, int, int]:
        source, target = self._index[link.source or ""], self._index[link.target or ""]
        return CODES[link.kind][label], source, target

    def _fits(self, row: tuple[int, int, int]) -> bool:
        labels, sources, targets = zip(*self._rows, row, strict=True)
        graph = TemporalGraph(self._size, labels, sources, targets, labels, self._instants)
        return not check_consistency(transform(graph)).broken
