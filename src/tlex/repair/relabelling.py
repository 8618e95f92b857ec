"""Relabelling: which other types a removed link could have, nearest first.

The distance of two relations is that of the conceptual neighbourhood of Allen's relations: how many
times an end point has to be moved past, or onto, an end point of the other interval.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache, reduce
from itertools import count, permutations, product
from operator import and_

from msgspec import Struct

from tlex.algebra import CODES, ROWS, SAME_AS, TABLE_1, Offsets, list_basic
from tlex.document import Document
from tlex.errors import OptionError, UnknownNameError
from tlex.extraction import run_steps
from tlex.graph import Relation, build_graph, find_code, pick_relations
from tlex.nouns import Link
from tlex.points.graphs import TemporalGraph
from tlex.points.reachability import find_preceding
from tlex.result import Extraction

__all__ = [
    "find_room",
    "find_type_room",
    "list_nearest",
    "list_nearest_to",
    "measure_distance",
    "relabel",
    "suggest_all",
]

Signs = tuple[int, ...]
"""How A- and A+ stand to B- and B+: -1 before, 0 equal, 1 after; in the order of `PAIRS`."""

PAIRS = ((0, 2), (0, 3), (1, 2), (1, 3))
_ALL = tuple(permutations(range(4), 2))
TYPES = {
    "TLINK": tuple(str(relation) for relation in TABLE_1),
    "ALINK": tuple(str(relation) for relation in SAME_AS),
}

_WORK = 10_000_000
"""How many links may be looked at while types are chosen one after the other."""


def suggest_all(result: Extraction, removed: Collection[str]) -> dict[str, tuple[str, ...]]:
    """List the types that each of the removed links could have if it alone came back.

    The nearest to its own type comes first. Types that say the same as its own are left out. There
    is none if the links that are kept contradict each other.
    """
    if not removed:
        return {}
    links = _find_links(result, removed)
    orders = _World(result, links).find_orders(links.values())
    if orders is None:
        return dict.fromkeys(removed, ())
    return {
        name: _list_fitting(link.kind, link.label, own)
        for (name, link), own in zip(links.items(), orders, strict=True)
    }


def relabel(result: Extraction, removed: Collection[str]) -> dict[str, str]:
    """Find new types for removed links, so that they can all come back together.

    One link after the other, in document order, gets the nearest type that fits. Links that are not
    in the result fit with no type. The work is limited: in a very large document with thousands of
    removed links, the last ones may be missing too.
    """
    links = _find_links(result, removed)
    world = _World(result, links)
    chosen: dict[str, str] = {}
    first = world.find_orders(links.values())
    if first is None:
        return chosen
    tries = 1 + _WORK // max(len(result.document.link_ids), 1)
    changed = False
    for (name, link), before in zip(links.items(), first, strict=True):
        orders = before
        if changed and not before.settled and _list_fitting(link.kind, link.label, before):
            # The links that came back in the meantime may imply more.
            tries -= 1
            if tries < 0:
                continue
            orders = (world.find_orders([link]) or [before])[0]
        types = _list_fitting(link.kind, link.label, orders)
        if types:
            chosen[name] = types[0]
            if not orders.settled:
                world.add(link, types[0])
                changed = True
    return chosen


def measure_distance(one: str, other: str, kind: str = "TLINK") -> int:
    """How far two types are from each other in the conceptual neighbourhood.

    >>> measure_distance("BEFORE", "IBEFORE"), measure_distance("BEFORE", "AFTER")
    (1, 8)
    """
    return _measure(CODES[kind][one], CODES[kind][other])


def list_nearest(document: Document, link: Link) -> list[str]:
    """List the other types that a link can have, nearest first.

    Types that say the same as its own are left out, and types to which the document gives another
    meaning.
    """
    own = find_code(document, link.kind, link.type)
    return [] if own is None else list_nearest_to(document, link.kind, own)


def list_nearest_to(document: Document, kind: str, own: int) -> list[str]:
    """Do the same for a kind of link and the code of a type."""
    if kind not in TYPES:
        return []
    redefined = document.labels.get(kind, {})
    return [label for label in _sort_types(kind, own) if label not in redefined]


@cache
def _sort_types(kind: str, own: int) -> tuple[str, ...]:
    """Sort the types that do not say the same as the own one, nearest first."""
    codes = CODES[kind]
    others = [label for label in TYPES[kind] if ROWS[codes[label]] != ROWS[own]]
    return tuple(sorted(others, key=lambda label: _measure(own, codes[label])))


def _measure(one: int, other: int) -> int:
    return min(
        sum(abs(a - b) for a, b in zip(left, right, strict=True))
        for left in _list_signs(one)
        for right in _list_signs(other)
    )


@cache
def _list_signs(code: int) -> tuple[Signs, ...]:
    """The relations of Allen that a label allows."""
    return tuple(
        tuple("<=>".index(order) - 1 for order in basic.orders) for basic in list_basic(ROWS[code])
    )


def _find_links(result: Extraction, names: Collection[str]) -> dict[str, Relation]:
    """Find what the links with these ids say, in document order; each has to relate two nodes."""
    document, wanted = result.document, frozenset(names)
    numbers = {name: n for n, name in enumerate(document.link_ids) if name in wanted}
    for name in names:
        if name not in numbers:
            raise UnknownNameError(f"the document has no link {name!r}")
    found = document.relations
    rows = () if found is None else zip(found.numbers, found.kinds, strict=True)
    ordering = {number for number, kind in rows if kind in TYPES}
    for name, number in numbers.items():
        if number not in ordering and not _is_known(document, document.link(number)):
            raise OptionError(f"link {name!r} orders nothing, so it has no other type")
    relations = pick_relations(document, numbers.values())
    return {name: relations[number] for name, number in numbers.items()}


def _is_known(document: Document, link: Link) -> bool:
    """Whether a table has the label of a link, and the document its two ends."""
    known = link.kind in TYPES and find_code(document, link.kind, link.type) is not None
    return known and link.source in document.index and link.target in document.index


class Orders(Struct, frozen=True):
    """What is entailed of A-, A+, B- and B+ (0 to 3): which come before which, which are equal."""

    less: frozenset[tuple[int, int]]
    equal: frozenset[tuple[int, int]]

    @property
    def settled(self) -> bool:
        """Whether no two of them can be ordered in another way."""
        return all(
            pair in self.equal or pair in self.less or pair[::-1] in self.less for pair in PAIRS
        )


@cache
def _list_fitting(kind: str, own: int, orders: Orders) -> tuple[str, ...]:
    """List the types that agree with what is entailed, nearest to the own one first.

    Only ``<`` and ``=`` occur, so what is entailed of the four end points decides.
    """
    fitting = [
        (_measure(own, CODES[kind][label]), place, label)
        for place, label in enumerate(TYPES[kind])
        if ROWS[CODES[kind][label]] != ROWS[own] and agrees(ROWS[CODES[kind][label]], orders)
    ]
    return tuple(label for _, _, label in sorted(fitting))


def agrees(row: Offsets, orders: Orders) -> bool:
    """Whether four points can meet a row of Table 1 and what is entailed."""
    return bool(_find_row_room(row) & find_room(orders.less, orders.equal))


def find_room(less: Iterable[tuple[int, int]], equal: Iterable[tuple[int, int]]) -> int:
    """Find the placements of A-, A+, B- and B+ (0 to 3) that meet some orders: one bit for each."""
    room = _find_meeting((0, False, 0))
    for left, right in less:
        room &= _find_meeting((left, True, right))
    for left, right in equal:
        room &= _find_meeting((left, False, right))
    return room


@cache
def find_type_room(kind: str, label: str) -> int:
    """Find the placements of the ends of a link that one of its other types allows."""
    return _find_row_room(ROWS[CODES[kind][label]])


@cache
def _find_row_room(row: Offsets) -> int:
    """Find the placements of four points that meet a row of Table 1."""
    return reduce(and_, map(_find_meeting, row), _find_meeting((0, False, 0)))


@cache
def _find_meeting(constraint: tuple[int, bool, int]) -> int:
    """Find the placements of four points that meet a constraint: one bit for each."""
    left, strict, right = constraint
    return sum(
        1 << number
        for number, at in enumerate(product(range(4), repeat=4))
        if (at[left] < at[right] if strict else at[left] == at[right])
    )


class _World:
    """The links that stay, in the components that matter. Others can be added while they agree.

    These are the components of the links that are asked for, and the inconsistent ones.
    """

    def __init__(self, result: Extraction, removed: Mapping[str, Relation]) -> None:
        document, options, whole = result.document, result.options, result.whole
        ends = (end for link in removed.values() for end in (link.source, link.target))
        needed = {*map(whole.component_of.__getitem__, ends), *whole.tangles}
        self._place: dict[int, int] = {}
        """The intervals of these components, numbered anew in each component's order."""
        self._rows: list[tuple[int, int, int]] = []
        ids = document.link_ids
        for component in sorted(needed):
            first = len(self._place)
            self._place.update(zip(whole.members[component], count(first), strict=False))
            self._rows += [
                (label, first + source, first + target)
                for number, label, source, target in whole.list_links(component)
                if ids[number] not in removed
            ]
        self._instants: list[int] = []
        if options.times == "point":
            instants = build_graph(document, options.kinds, options.times).instants
            self._instants = sorted(self._place[each] for each in instants if each in self._place)

    def add(self, link: Relation, label: str) -> None:
        """Keep a link with a new type."""
        self._rows.append((CODES[link.kind][label], *self._ends(link)))

    def find_orders(self, links: Iterable[Relation]) -> list[Orders] | None:
        """What is entailed of the end points of each link; None if there is a contradiction."""
        labels, sources, targets = zip(*self._rows, strict=True) if self._rows else ((), (), ())
        found = run_steps(
            TemporalGraph(
                size=len(self._place),
                labels=labels,
                sources=sources,
                targets=targets,
                numbers=labels,
                instants=self._instants,
            ),
            postpone=True,
        )
        if not found.consistent:
            return None
        graph, steps = found.whole
        located = found.located
        every: list[list[int]] = []
        lone: set[tuple[int, int]] = set()  # the points of intervals that no link touches
        for link in links:
            four: list[int] = []
            for start in (2 * end for end in self._ends(link)):
                own = located[start], located[start + 1]
                if own[0] < 0:
                    own = graph.size + start, graph.size + start + 1
                    lone.add(own)
                four += own
            every.append(four)
        pairs = {(four[a], four[b]) for four in every for a, b in _ALL}
        inside = {pair for pair in pairs if max(pair) < graph.size}
        less = find_preceding(graph, steps, inside) | lone
        return [
            Orders(
                less=frozenset((a, b) for a, b in _ALL if (four[a], four[b]) in less),
                equal=frozenset((a, b) for a, b in _ALL if four[a] == four[b]),
            )
            for four in every
        ]

    def _ends(self, link: Relation) -> tuple[int, int]:
        return self._place[link.source], self._place[link.target]
