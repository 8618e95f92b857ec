"""Closure: every relation that is entailed between two events or times of one timeline.

A set of intervals is an integer with one bit per interval. For every compound we keep the sets of
intervals that begin before it, with it and after it, and the same for ends. The relation of an
interval to all others then takes a few bitwise ands. So the work is that of writing the answer
down, plus n²/64 words. Only these words are kept: the relations are made when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from tlex.algebra import BASIC, ROWS, Basic
from tlex.answer_text import sum_up_closure
from tlex.arguments import require_number
from tlex.components import Components
from tlex.document import Document
from tlex.errors import OptionError
from tlex.points.graphs import CompoundGraph, Consistent, Steps
from tlex.reason.relations import close_orders, list_possible, read_orders
from tlex.records import Closure, EntailedLink

__all__ = ["Entailed", "close_timelines"]

Sets = list[dict[str, int]]
"""For each compound and each order, the intervals of which a point has this order to it."""


LIMIT = 1_000_000
"""For how many pairs of events and times relations are looked for; as a list they take 200 MB."""


class Row(NamedTuple):
    """An interval of a timeline, and the later ones to which its relation is entailed.

    ``relations`` has the intervals that it has each relation to, a bit each. ``said`` has, by the
    later interval, the links that state a relation: their ids and the relation's name.
    """

    members: Sequence[int]
    one: int
    relations: list[tuple[Basic, int]]
    said: dict[int, list[tuple[str, str]]]


class Entailed:
    """All relations that are entailed in a document: counted, and listed one by one when asked.

    It keeps some n² bits for a timeline of n intervals, and not the relations. ``typed`` and
    ``untyped`` count the relations, the other numbers are those of a `Closure`.

    Raises `OptionError` if more than ``limit`` pairs would have to be looked at.
    """

    def __init__(self, document: Document, components: Components, limit: int = LIMIT) -> None:
        _check_limit(document, components, limit)
        self.document = document
        self.rows: list[Row] = []
        self.typed = self.untyped = self.annotated = self.partial = 0
        inconsistent = []
        for number, component in enumerate(components):
            if not isinstance(component, Consistent):
                inconsistent.append(number)
            elif len(component.members) > 1:
                said = _read_links(document, components, number, _find_instants(component.graph))
                for one, relations, partial in _walk(component):
                    self.partial += partial
                    self._add(Row(component.members, one, relations, said.get(one, {})))
        self.inconsistent = tuple(inconsistent)

    @property
    def new(self) -> int:
        """The number of relations with a type that no link states."""
        return self.typed - self.annotated

    def _add(self, row: Row) -> None:
        """Keep and count the relations of an interval."""
        if not row.relations:
            return
        self.rows.append(row)
        for basic, found in row.relations:
            if not basic.type:
                self.untyped += found.bit_count()
                continue
            self.typed += found.bit_count()
            self.annotated += sum(
                bool(found >> other & 1) and any(name == basic.name for _, name in links)
                for other, links in row.said.items()
            )

    def list_links(self, *, typed: bool = True) -> Iterator[EntailedLink]:
        """List the relations that TimeML has a type for, or else the others, in text order."""
        nodes = self.document.nodes
        for members, one, relations, said in self.rows:
            entailed = [
                (other, basic)
                for basic, found in relations
                if bool(basic.type) == typed
                for other in _list_bits(found)
            ]
            entailed.sort(key=lambda pair: pair[0])
            source = nodes[members[one]].id
            for other, basic in entailed:
                links = tuple(link for link, name in said.get(other, ()) if name == basic.name)
                yield EntailedLink(
                    source=source,
                    type=basic.type,
                    target=nodes[members[other]].id,
                    name=basic.name,
                    links=links,
                )

    def list_fields(self) -> dict[str, object]:
        """Give the fields of the `Closure`, in their order; the relations come one by one."""
        return {
            "links": self.list_links(),
            "untyped": self.list_links(typed=False),
            "annotated": self.annotated,
            "new": self.new,
            "partial": self.partial,
            "inconsistent": self.inconsistent,
        }

    def __str__(self) -> str:
        facts = sum_up_closure(
            links=self.typed,
            new=self.new,
            untyped=self.untyped,
            partial=self.partial,
            inconsistent=self.inconsistent,
        )
        return "; ".join(facts)


def close_timelines(document: Document, components: Components, limit: int = LIMIT) -> Closure:
    """Find all entailed relations of a document, timeline by timeline.

    Raises `OptionError` if more than ``limit`` pairs would have to be looked at.
    """
    entailed = Entailed(document, components, limit)
    return Closure(
        links=tuple(entailed.list_links()),
        untyped=tuple(entailed.list_links(typed=False)),
        annotated=entailed.annotated,
        new=entailed.new,
        partial=entailed.partial,
        inconsistent=entailed.inconsistent,
    )


def _check_limit(document: Document, components: Components, limit: int) -> None:
    require_number("limit", limit, 0, whole=True)
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


def _walk(component: Consistent) -> Iterator[tuple[int, list[tuple[Basic, int]], int]]:
    """For each interval of a component: the later ones to which its relation is entailed.

    Yields the interval, each relation with the later intervals that it holds to, and the number of
    later intervals of which only a part of the order is entailed.
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
        relations: list[tuple[Basic, int]] = []
        settled = 0
        for instant in (False, True):
            others = later & (instants if instant else everyone ^ instants)
            for basic in BASIC[bool(instants >> one & 1), instant] if others else ():
                found = others
                for order, sets in zip(basic.orders, crossing, strict=True):
                    found &= sets[order]
                settled |= found
                if found:
                    relations.append((basic, found))
        known = 0
        for sets in crossing:
            known |= sets["<"] | sets["="] | sets[">"]
        yield one, relations, (known & later & ~settled).bit_count()


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
    document: Document, components: Components, number: int, instants: int
) -> dict[int, dict[int, list[tuple[str, str]]]]:
    """The relations that the document's links of a component state, with the id of the link.

    They come by the earlier interval, then by the later one.
    """
    said: dict[int, dict[int, list[tuple[str, str]]]] = {}
    for link, code, source, target in components.list_links(number):
        kinds = bool(instants >> source & 1), bool(instants >> target & 1)
        turned = source > target
        name = _read_label(code, kinds, turned)
        own = document.links[link]
        if name is not None and source != target and own.kind != "CALENDAR":
            one, other = (target, source) if turned else (source, target)
            said.setdefault(one, {}).setdefault(other, []).append((own.id, name))
    return said


@lru_cache
def _read_label(code: int, instants: tuple[bool, bool], turned: bool) -> str | None:  # noqa: FBT001
    """The relation that a label says to hold, if it is one; read from the other end if turned."""
    turn = (2, 3, 0, 1) if turned else (0, 1, 2, 3)
    kinds = (instants[1], instants[0]) if turned else instants
    row = {(turn[left], "<" if strict else "=", turn[right]) for left, strict, right in ROWS[code]}
    possible = list_possible(read_orders(close_orders(row, kinds)), kinds)
    return possible[0].name if len(possible) == 1 else None
