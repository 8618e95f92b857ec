"""Relabelling: which other types a removed link could have, nearest first.

The distance of two relations is that of the conceptual neighbourhood of Allen's relations: how many
times an end point has to be moved past, or onto, an end point of the other interval.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable
from functools import cache, reduce
from itertools import permutations, product
from operator import and_

from msgspec import Struct

from tlex.algebra import CODES, ROWS, SAME_AS, TABLE_1, Offsets, list_basic
from tlex.document import Document, Link
from tlex.errors import OptionError, UnknownNameError
from tlex.extraction import run_steps
from tlex.graph import build_graph, find_code
from tlex.points.graphs import Consistent, TemporalGraph
from tlex.points.reachability import find_preceding
from tlex.result import Extraction

__all__ = [
    "find_room",
    "find_row_room",
    "list_nearest",
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
    orders = _World(result, removed).find_orders(links)
    if orders is None:
        return dict.fromkeys(removed, ())
    return {
        link.id: _list_fitting(link.kind, _code_of(result, link), own)
        for link, own in zip(links, orders, strict=True)
    }


def relabel(result: Extraction, removed: Collection[str]) -> dict[str, str]:
    """Find new types for removed links, so that they can all come back together.

    One link after the other, in document order, gets the nearest type that fits. Links that are not
    in the result fit with no type. The work is limited: in a very large document with thousands of
    removed links, the last ones may be missing too.
    """
    links = _find_links(result, removed)
    world = _World(result, removed)
    chosen: dict[str, str] = {}
    first = world.find_orders(links)
    if first is None:
        return chosen
    tries = 1 + _WORK // max(len(result.document.link_ids), 1)
    changed = False
    for link, before in zip(links, first, strict=True):
        orders = before
        own = _code_of(result, link)
        if changed and not before.settled and _list_fitting(link.kind, own, before):
            # The links that came back in the meantime may imply more.
            tries -= 1
            if tries < 0:
                continue
            orders = (world.find_orders([link]) or [before])[0]
        types = _list_fitting(link.kind, own, orders)
        if types:
            chosen[link.id] = types[0]
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
    if own is None or link.kind not in TYPES:
        return []
    redefined = document.labels.get(link.kind, {})
    return [label for label in _sort_types(link.kind, own) if label not in redefined]


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


def _find_links(result: Extraction, names: Collection[str]) -> list[Link]:
    """The links with these ids, in document order; each of them must constrain something."""
    wanted = frozenset(names)
    document = result.document
    ids = document.link_ids
    links = [document.link(number) for number, name in enumerate(ids) if name in wanted]
    known = {link.id for link in links}
    for name in names:
        if name not in known:
            raise UnknownNameError(f"the document has no link {name!r}")
    index = document.index
    for link in links:
        if _code_of(result, link) is None or link.source not in index or link.target not in index:
            raise OptionError(f"link {link.id!r} orders nothing, so it has no other type")
    return links


def _code_of(result: Extraction, link: Link) -> int | None:
    """The code of a link's label; None if no table has it."""
    return find_code(result.document, link.kind, link.type) if link.kind in TYPES else None


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


_NOTHING = Orders(frozenset(), frozenset())


@cache
def _list_fitting(kind: str, own: int | None, orders: Orders) -> tuple[str, ...]:
    """List the types that agree with what is entailed, nearest to the own one first.

    Only ``<`` and ``=`` occur, so what is entailed of the four end points decides.
    """
    if own is None:
        return ()
    fitting = [
        (_measure(own, CODES[kind][label]), place, label)
        for place, label in enumerate(TYPES[kind])
        if ROWS[CODES[kind][label]] != ROWS[own] and agrees(ROWS[CODES[kind][label]], orders)
    ]
    return tuple(label for _, _, label in sorted(fitting))


def agrees(row: Offsets, orders: Orders) -> bool:
    """Whether four points can meet a row of Table 1 and what is entailed."""
    return bool(find_row_room(row) & find_room(orders.less, orders.equal))


def find_room(less: Iterable[tuple[int, int]], equal: Iterable[tuple[int, int]]) -> int:
    """Find the placements of A-, A+, B- and B+ (0 to 3) that meet some orders: one bit for each."""
    room = _find_meeting((0, False, 0))
    for left, right in less:
        room &= _find_meeting((left, True, right))
    for left, right in equal:
        room &= _find_meeting((left, False, right))
    return room


@cache
def find_row_room(row: Offsets) -> int:
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
    """The links that stay. Others can be added as long as that makes no contradiction."""

    def __init__(self, result: Extraction, removed: Collection[str]) -> None:
        options, ids = result.options, result.document.link_ids
        graph = build_graph(result.document, options.kinds, options.times)
        rows = zip(graph.labels, graph.sources, graph.targets, graph.numbers, strict=True)
        gone = frozenset(removed)
        self._index = result.document.index
        self._size = graph.size
        self._instants = graph.instants
        self._rows = [row[:3] for row in rows if ids[row[3]] not in gone]

    def add(self, link: Link, label: str) -> None:
        """Keep a link with a new type."""
        self._rows.append((CODES[link.kind][label], *self._ends(link)))

    def find_orders(self, links: list[Link]) -> list[Orders] | None:
        """What is entailed of the end points of each link; None if there is a contradiction."""
        labels, sources, targets = zip(*self._rows, strict=True) if self._rows else ((), (), ())
        components = run_steps(
            TemporalGraph(
                size=self._size,
                labels=labels,
                sources=sources,
                targets=targets,
                numbers=labels,
                instants=self._instants,
            )
        )
        if not components.consistent:
            return None
        found = [_NOTHING] * len(links)
        inside: dict[int, list[int]] = {}  # by component, the links with both ends in it
        for place, link in enumerate(links):
            one, other = (components.component_of[end] for end in self._ends(link))
            if one == other:
                inside.setdefault(one, []).append(place)
            else:
                found[place] = self._order_apart(link)
        for number, places in inside.items():
            component = components[number]
            if isinstance(component, Consistent):
                ends = [self._ends(links[place]) for place in places]
                for place, orders in zip(places, _find_orders(component, ends), strict=True):
                    found[place] = orders
        return found

    def _order_apart(self, link: Link) -> Orders:
        """What is entailed of two intervals that nothing connects: only each one's own order."""
        own = [(2 * side, 2 * side + 1) for side in (0, 1)]
        points = [end in self._instants for end in self._ends(link)]
        equal = {pair for pair, point in zip(own, points, strict=True) if point}
        return Orders(
            less=frozenset(pair for pair in own if pair not in equal),
            equal=frozenset(each for pair in equal for each in (pair, pair[::-1])),
        )

    def _ends(self, link: Link) -> tuple[int, int]:
        return self._index[link.source or ""], self._index[link.target or ""]


def _find_orders(component: Consistent, ends: list[tuple[int, int]]) -> list[Orders]:
    """What is entailed of the end points of pairs of intervals, given by number in the document."""
    compound, members = component.graph.compound, component.members
    points = [
        [compound[2 * bisect_left(members, end) + side] for end in both for side in (0, 1)]
        for both in ends
    ]
    pairs = {(four[a], four[b]) for four in points for a, b in _ALL}
    less = find_preceding(component.graph, component.steps, pairs)
    return [
        Orders(
            less=frozenset((a, b) for a, b in _ALL if (four[a], four[b]) in less),
            equal=frozenset((a, b) for a, b in _ALL if four[a] == four[b]),
        )
        for four in points
    ]
