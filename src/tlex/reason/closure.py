"""Closure: every relation that is entailed between two events or times of one timeline.

A set of intervals is an integer with one bit per interval. For every compound we keep the sets of
intervals that begin before it, with it and after it, and the same for ends. The relation of an
interval to all others then takes a few bitwise ands. So the work is that of writing the answer
down, plus n²/64 words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from tlex.algebra import BASIC, ROWS, Basic
from tlex.components import Components
from tlex.document import Document
from tlex.errors import OptionError
from tlex.points.graphs import CompoundGraph, Consistent, Steps
from tlex.reason.relations import close_orders, list_possible, read_orders
from tlex.records import Closure, EntailedLink

__all__ = ["close_timelines", "walk_closure"]

Sets = list[dict[str, int]]
"""For each compound and each order, the intervals of which a point has this order to it."""


LIMIT = 1_000_000
"""For how many pairs of events and times the relations are written down; they take some 200 MB."""


def close_timelines(document: Document, components: Components, limit: int = LIMIT) -> Closure:
    """Find all entailed relations of a document, timeline by timeline.

    Raises `OptionError` if more than ``limit`` pairs would have to be looked at.
    """
    sizes = [
        len(members)
        for members, length in zip(components.members, components.lengths, strict=True)
        if length
    ]
    pairs = sum(size * (size - 1) // 2 for size in sizes)
    if pairs > limit:
        raise OptionError(
            f"{document.name}: the closure has up to {pairs:,} relations, more than the limit of "
            f"{limit:,}"
        )
    nodes = document.nodes
    typed: list[EntailedLink] = []
    untyped: list[EntailedLink] = []
    inconsistent = []
    partial = 0
    for number, component in enumerate(components):
        members = component.members
        if not isinstance(component, Consistent):
            inconsistent.append(number)
            continue
        if len(members) == 1:
            continue
        said = _read_links(components, number, _find_instants(component.graph))
        for one, entailed, open_ in walk_closure(component):
            partial += open_
            for other, basic in entailed:
                links = tuple(
                    document.links[link].id
                    for link, name in said.get((one, other), ())
                    if name == basic.name and document.links[link].kind != "CALENDAR"
                )
                source, target = nodes[members[one]].id, nodes[members[other]].id
                link = EntailedLink(
                    source=source, type=basic.type, target=target, name=basic.name, links=links
                )
                (typed if basic.type else untyped).append(link)
    annotated = sum(bool(link.links) for link in typed)
    return Closure(
        links=tuple(typed),
        untyped=tuple(untyped),
        annotated=annotated,
        new=len(typed) - annotated,
        partial=partial,
        inconsistent=tuple(inconsistent),
    )


def walk_closure(component: Consistent) -> Iterator[tuple[int, list[tuple[int, Basic]], int]]:
    """For each interval of a component: the later ones to which its relation is entailed.

    Yields the interval, the later intervals with the relation to each, and the number of later
    intervals of which only a part of the order is entailed.
    """
    graph, steps = component.graph, component.steps
    count = len(component.members)
    starts = _sort_intervals(graph, steps, graph.compound[0::2])
    ends = _sort_intervals(graph, steps, graph.compound[1::2])
    instants = _find_instants(graph)
    everyone = (1 << count) - 1
    for one in range(count):
        later = everyone >> one + 1 << one + 1
        first, last = graph.compound[2 * one], graph.compound[2 * one + 1]
        crossing = starts[first], ends[first], starts[last], ends[last]
        entailed: list[tuple[int, Basic]] = []
        settled = 0
        for instant in (False, True):
            others = later & (instants if instant else everyone ^ instants)
            for basic in BASIC[bool(instants >> one & 1), instant] if others else ():
                found = others
                for order, sets in zip(basic.orders, crossing, strict=True):
                    found &= sets[order]
                settled |= found
                entailed += [(other, basic) for other in _list_bits(found)]
        entailed.sort(key=lambda pair: pair[0])
        known = 0
        for sets in crossing:
            known |= sets["<"] | sets["="] | sets[">"]
        yield one, entailed, (known & later & ~settled).bit_count()


def _sort_intervals(graph: CompoundGraph, steps: Steps, ends: Sequence[int]) -> Sets:
    """For each compound, the intervals whose start (or end) it precedes, equals or follows.

    ``ends`` gives the compound of each interval's start (or of each one's end).
    """
    sets: Sets = [{"<": 0, "=": 0, ">": 0} for _ in range(graph.size)]
    for interval, compound in enumerate(ends):
        sets[compound]["="] |= 1 << interval
    upwards = sorted(range(graph.size), key=steps.earliest.__getitem__)
    for number in upwards:
        below = sets[number][">"] | sets[number]["="]
        for after in graph.successors[number]:
            sets[after][">"] |= below
    for number in reversed(upwards):
        for after in graph.successors[number]:
            sets[number]["<"] |= sets[after]["<"] | sets[after]["="]
    return sets


def _find_instants(graph: CompoundGraph) -> int:
    """The intervals whose two points are equal, a bit each."""
    compound = graph.compound
    return sum(
        1 << place
        for place, (first, last) in enumerate(zip(compound[0::2], compound[1::2], strict=True))
        if first == last
    )


def _list_bits(bits: int) -> list[int]:
    """The places of the ones, ascending."""
    return (
        [place for place, digit in enumerate(reversed(f"{bits:b}")) if digit == "1"] if bits else []
    )


def _read_links(
    components: Components, number: int, instants: int
) -> dict[tuple[int, int], list[tuple[int, str]]]:
    """The relations that links of a component state, by pair of intervals, the earlier first."""
    said: dict[tuple[int, int], list[tuple[int, str]]] = {}
    for link, code, source, target in components.list_links(number):
        kinds = bool(instants >> source & 1), bool(instants >> target & 1)
        turned = source > target
        name = _read_label(code, kinds, turned)
        if name is not None and source != target:
            pair = (target, source) if turned else (source, target)
            said.setdefault(pair, []).append((link, name))
    return said


@lru_cache
def _read_label(code: int, instants: tuple[bool, bool], turned: bool) -> str | None:  # noqa: FBT001
    """The relation that a label says to hold, if it is one; read from the other end if turned."""
    turn = (2, 3, 0, 1) if turned else (0, 1, 2, 3)
    kinds = (instants[1], instants[0]) if turned else instants
    row = {(turn[left], "<" if strict else "=", turn[right]) for left, strict, right in ROWS[code]}
    possible = list_possible(read_orders(close_orders(row, kinds)), kinds)
    return possible[0].name if len(possible) == 1 else None
