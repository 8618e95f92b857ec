"""The tables of one result: for each table its columns, by the names of `table_schema`.

CSV, Parquet, pandas and the tables of a corpus run are all made from these columns. They work on
the integers of the steps: in a corpus of short documents, an object for each timeline and each
point would take longer than the extraction itself.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import log10
from operator import attrgetter
from typing import NamedTuple, TypeVar

from tlex.caching import cached_property
from tlex.document import Document
from tlex.points.graphs import Stretch
from tlex.reason.factuality import judge_nodes
from tlex.reason.pairs import count_pairs
from tlex.reason.scenarios import WORK_LIMIT, count_scenarios
from tlex.reason.sections import order_sections
from tlex.result import Extraction, require_few_pairs
from tlex.timeline import PAIRS_LIMIT

__all__ = ["Columns", "OrderCounts", "TableMaker", "UnknownOrder"]

T = TypeVar("T")

Columns = dict[str, Sequence[object]]
"""The columns of a table, by name, without ``document`` and without those of corpus runs only."""


class UnknownOrder(NamedTuple):
    """Where the order of a timeline is unknown; ``points`` counts those in each section."""

    tied_steps: int
    sections: list[Stretch]
    points: list[int]
    slack: int


class OrderCounts(NamedTuple):
    """How much of a timeline's order is unknown; None where that is not counted."""

    pairs: int | None
    scenarios_log10: float | None
    scenarios_exact: bool | None


_KNOWN = UnknownOrder(tied_steps=0, sections=[], points=[], slack=0)
_ONE_ORDER = OrderCounts(pairs=0, scenarios_log10=0.0, scenarios_exact=True)
_NOT_COUNTED = OrderCounts(pairs=None, scenarios_log10=None, scenarios_exact=None)


class TableMaker:
    """Makes the tables of a result; what several of them need is computed once.

    Without ``scenarios`` the orderings of timelines are not counted, and their columns are null.
    Without ``positions`` nodes have no line and column. ``before`` has the tables of the same
    document with some more links, all of them in inconsistent timelines: what is known there of the
    others is not computed again.
    """

    def __init__(
        self,
        result: Extraction,
        *,
        scenarios: bool = True,
        positions: bool = True,
        before: TableMaker | None = None,
    ) -> None:
        self.result = result
        self._before = before
        self.document = result.document
        self.components = result.components
        self.scenarios = scenarios
        self.positions = positions
        self.lengths = result.components.lengths
        self.sizes = [len(members) for members in result.components.members]
        self.main, self.detached, self.offsets = result.arrangement

    def make(self, table: str) -> Columns:
        """Make the columns of a table, those of `schema.Table.result_columns`."""
        return _MAKERS[table](self)

    @cached_property
    def unknown(self) -> dict[int, UnknownOrder]:
        """The timelines, by number, whose order is partly unknown."""
        graph, steps = self.components.whole
        earliest, latest = steps.earliest, self.components.latest
        found = {}
        for number, unsettled in self.components.find_unsettled():
            known = self._find_before(number)
            if known is not None:
                maker, own = known
                found[number] = maker.unknown[own]
                continue
            points, _ = self.components.locate(number)
            compounds = graph.compound[points.start : points.stop]
            places = sorted(map(earliest.__getitem__, compounds))
            found[number] = UnknownOrder(
                tied_steps=len(unsettled.tied),
                sections=unsettled.sections,
                points=[
                    bisect_right(places, run.last) - bisect_left(places, run.first)
                    for run in unsettled.sections
                ],
                slack=sum(map(latest.__getitem__, compounds)) - sum(places),
            )
        return found

    @cached_property
    def places(self) -> tuple[list[int | None], list[int | None]]:
        """Earliest and latest step of each time-point; None in an inconsistent timeline."""
        earliest, latest, _ = self.components.place_points()
        return earliest, latest

    @cached_property
    def slack(self) -> list[int | None]:
        """The slack of each time-point; None in an inconsistent timeline."""
        return [
            None if first is None or last is None else last - first
            for first, last in zip(*self.places, strict=True)
        ]

    @cached_property
    def dates(self) -> tuple[Sequence[str | None], Sequence[str | None]]:
        """The instants after and before which each time-point was; None without the calendar."""
        unknown = [None] * (2 * len(self.ids))
        return self.result.point_dates or (unknown, unknown)

    @cached_property
    def ids(self) -> list[str]:
        """The ids of the nodes, in text order."""
        return self.document.places.ids

    @cached_property
    def order_counts(self) -> dict[int, OrderCounts]:
        """Pairs and orderings of the timelines in ``unknown``, as far as they are counted."""
        return {number: self._count_orders(number) for number in self.unknown}

    def _find_before(self, number: int) -> tuple[TableMaker, int] | None:
        """Find what was ``before``, and the number that a timeline has there if it is the same."""
        if self._before is None:
            return None
        components = self._before.components
        own = components.component_of[self.components.members[number][0]]
        return (self._before, own) if components.is_consistent(own) else None

    def _count_orders(self, number: int) -> OrderCounts:
        known = self._find_before(number)
        if known is not None:
            maker, own = known
            return maker.order_counts[own]
        graph, steps = self.components.whole
        points, compounds = self.components.locate(number)
        ends = ((run.first, run.last) for run in self.unknown[number].sections)
        sections = order_sections(graph, steps, ends, compounds)
        pairs = power = exact = None
        if len(points) <= PAIRS_LIMIT:
            pairs = count_pairs(graph.compound[points.start : points.stop], sections)
        if self.scenarios:
            count, exact = count_scenarios(sections, WORK_LIMIT)
            power = log10(count)
        return OrderCounts(pairs=pairs, scenarios_log10=power, scenarios_exact=exact)


def _make_nodes(maker: TableMaker) -> Columns:
    """Give the nodes, without looking at the nouns of the document, which need not be made."""
    document = maker.document
    columns, phrases = document.node_columns, document.phrases
    times, text, starts, ends = columns.times, columns.text, columns.starts, columns.ends
    spans = [text[start:end] if start >= 0 else "" for start, end in zip(starts, ends, strict=True)]
    words = list(map(phrases.get, maker.ids, spans)) if phrases else spans
    homes = [document.home(name) for name in maker.ids] if document.documents else []
    if homes:  # of several documents as one, each has places of its own
        own = [(home.places, home.index[name]) for home, name in homes]
        starts = [there.starts[number] for there, number in own]
        ends = [there.ends[number] for there, number in own]
    return {
        "number": range(len(times)),
        "id": maker.ids,
        "kind": ["time" if is_time else "event" for is_time in times],
        "type": columns.types,
        "event": columns.events,
        "text": [piece if piece.isalnum() else " ".join(piece.split()) for piece in words],
        **(_find_positions(document, columns.offsets) if maker.positions else {}),
        "span_start": [start if start >= 0 else None for start in starts],
        "span_end": [end if start >= 0 else None for start, end in zip(starts, ends, strict=True)],
        "value": columns.values,
        "factuality": judge_nodes(maker.result),
        "timeline": maker.components.component_of,
        "start": maker.places[0][::2],
        "end": maker.places[0][1::2],
        "start_slack": maker.slack[::2],
        "end_slack": maker.slack[1::2],
        "world": maker.result.world_of,
        "date_after": maker.dates[0][::2],
        "date_before": maker.dates[1][1::2],
        "source": [home.name for home, _ in homes] or [None] * len(times),
    }


def _find_positions(document: Document, places: Sequence[int]) -> Columns:
    """Line and column of places in the file, given in bytes; a negative one is nowhere."""
    known = document.source.positions(at for at in places if at >= 0) if document.source else {}
    found = [known.get(at, (None, None)) for at in places]
    return {"line": [line for line, _ in found], "column": [column for _, column in found]}


def _make_points(maker: TableMaker) -> Columns:
    ids, owners = maker.ids, maker.components.component_of
    return {
        "timeline": _alternate(owners, owners),
        "node": _alternate(ids, ids),
        "side": ["start", "end"] * len(ids),
        "point": _alternate([name + "-" for name in ids], [name + "+" for name in ids]),
        "earliest": maker.places[0],
        "latest": maker.places[1],
        "slack": maker.slack,
        "compound": _number_compounds(maker),
        "section": _number_sections(maker),
        "date_after": maker.dates[0],
        "date_before": maker.dates[1],
    }


def _alternate(starts: Sequence[T], ends: Sequence[T]) -> list[T]:
    """The values of all points, in turns of a start and of an end."""
    values = [*starts, *ends]
    values[::2], values[1::2] = starts, ends
    return values


def _number_compounds(maker: TableMaker) -> list[int | None]:
    """Number the groups of two or more equal points of each timeline from 0, as the JSON does."""
    numbers: list[int | None] = [None] * (2 * len(maker.ids))
    for timeline, members in enumerate(maker.components.members):
        for group, places in enumerate(maker.components.group_equal(timeline)):
            for place in places:
                numbers[2 * members[place // 2] + place % 2] = group
    return numbers


def _number_sections(maker: TableMaker) -> list[int | None]:
    """The section of each point, by its number in its timeline."""
    numbers: list[int | None] = [None] * (2 * len(maker.ids))
    earliest = maker.places[0]
    for timeline, order in maker.unknown.items():
        section_at: dict[int | None, int] = {
            step: section
            for section, run in enumerate(order.sections)
            for step in range(run.first, run.last + 1)
        }
        for member in maker.components.members[timeline]:
            start, end = 2 * member, 2 * member + 1
            numbers[start] = section_at.get(earliest[start])
            numbers[end] = section_at.get(earliest[end])
    return numbers


def _make_links(maker: TableMaker) -> Columns:
    links = maker.document.link_columns
    component_of = maker.components.component_of
    timeline: dict[str | None, int] = {
        name: component_of[at] for name, at in maker.document.index.items()
    }
    return {
        "number": range(len(links.ids)),
        "id": links.ids,
        "kind": links.kinds,
        "type": links.types,
        "source": links.sources,
        "target": links.targets,
        "signal": links.signals,
        "weight": links.weights,
        "source_timeline": list(map(timeline.get, links.sources)),
        "target_timeline": list(map(timeline.get, links.targets)),
        "left_out": _mark_left_out(len(links.ids), maker.result.repair),
    }


def _mark_left_out(many: int, repair: frozenset[int]) -> list[bool]:
    return [number in repair for number in range(many)] if repair else [False] * many


def _make_timelines(maker: TableMaker) -> Columns:
    lengths, sizes = maker.lengths, maker.sizes
    numbers = range(len(lengths))
    orders = [maker.unknown.get(n, _KNOWN) if lengths[n] else None for n in numbers]
    counts = [
        maker.order_counts.get(n, _ONE_ORDER) if lengths[n] else _NOT_COUNTED for n in numbers
    ]
    inside = [order and sum(order.points) for order in orders]
    return {
        "id": numbers,
        "main": [number in maker.offsets for number in numbers],
        "detached": [number in maker.detached for number in numbers],
        "consistent": [length > 0 for length in lengths],
        "interval_count": sizes,
        "first": [maker.ids[members[0]] for members in maker.components.members],
        "length": [length or None for length in lengths],
        "offset": [maker.offsets.get(number, 0) for number in numbers],
        "tied_step_count": [order and order.tied_steps for order in orders],
        "section_count": [order and len(order.sections) for order in orders],
        "section_points": inside,
        "indeterminate_pairs": [count.pairs for count in counts],
        "score": [
            None if count is None else count / (2 * size)
            for count, size in zip(inside, sizes, strict=True)
        ],
        "slack": [order and order.slack for order in orders],
        "scenarios_log10": [count.scenarios_log10 for count in counts],
        "scenarios_exact": [count.scenarios_exact for count in counts],
        "mended_count": [0] * len(lengths)
        if not maker.result.repair
        else [len(timeline.mended) for timeline in maker.result.timelines],
        "date_after": _span_dates(maker.components.members, maker.dates[0][::2], min),
        "date_before": _span_dates(maker.components.members, maker.dates[1][1::2], max),
    }


def _span_dates(
    members: Sequence[Sequence[int]],
    instants: Sequence[str | None],
    choose: Callable[[Iterable[str]], str],
) -> list[str | None]:
    """The instant that all nodes of each timeline are known to follow, or to precede, if any."""
    if not any(instants):  # there is no calendar
        return [None] * len(members)
    found = ([instants[member] for member in own] for own in members)
    return [None if None in own else choose(filter(None, own)) for own in found]


def _make_branches(maker: TableMaker) -> Columns:
    numbers = [n for n in range(len(maker.lengths)) if n not in maker.offsets]
    connections = maker.result.connections
    count = Counter([connection.target_timeline for connection in connections])
    first = {connection.target_timeline: connection for connection in reversed(connections)}
    leads = [first.get(number) for number in numbers]
    return {
        "timeline": numbers,
        "detached": [number in maker.detached for number in numbers],
        "consistent": [maker.lengths[number] > 0 for number in numbers],
        "interval_count": [maker.sizes[number] for number in numbers],
        "length": [maker.lengths[number] or None for number in numbers],
        "connection_count": [count[number] for number in numbers],
        "link": [lead and lead.link for lead in leads],
        "type": [lead and lead.type for lead in leads],
        "source": [lead and lead.source for lead in leads],
        "source_timeline": [lead and lead.source_timeline for lead in leads],
        "target": [lead and lead.target for lead in leads],
    }


def _make_sections(maker: TableMaker) -> Columns:
    rows = [
        (number, k, run, points)
        for number, order in maker.unknown.items()
        for k, (run, points) in enumerate(zip(order.sections, order.points, strict=True))
    ]
    return {
        "timeline": [number for number, _, _, _ in rows],
        "section": [k for _, k, _, _ in rows],
        "first": [run.first for _, _, run, _ in rows],
        "last": [run.last for _, _, run, _ in rows],
        "point_count": [points for _, _, _, points in rows],
        "distinct_point_count": [run.size for _, _, run, _ in rows],
        "main": [number in maker.offsets for number, _, _, _ in rows],
    }


def _make_conflicts(maker: TableMaker) -> Columns:
    conflicts = () if maker.result.consistent else maker.result.conflicts
    links = maker.document.link_columns
    # Of several links with one id, the first counts.
    types = dict(zip(reversed(links.ids), reversed(links.types), strict=True)) if conflicts else {}
    return {
        "conflict": [conflict.number for conflict in conflicts],
        "timeline": [conflict.timeline for conflict in conflicts],
        "kind": [conflict.kind for conflict in conflicts],
        "walk": [str(conflict) for conflict in conflicts],
        "links": [conflict.links for conflict in conflicts],
        "minimal": [conflict.minimal for conflict in conflicts],
        "pattern": [
            " + ".join(sorted(types[link] or "" for link in conflict.minimal))
            for conflict in conflicts
        ],
        "same": [
            tuple(link for others in conflict.same.values() for link in others)
            for conflict in conflicts
        ],
    }


def _make_diagnostics(maker: TableMaker) -> Columns:
    return _take(maker.result.diagnostics, "code", "severity", "line", "column", "message", "hint")


def _make_connections(maker: TableMaker) -> Columns:
    return _take(
        maker.result.connections,
        "link",
        "type",
        "source",
        "target",
        "source_timeline",
        "target_timeline",
    )


def _make_breaks(maker: TableMaker) -> Columns:
    return _take(
        maker.result.breaks, "first_timeline", "second_timeline", "first", "second", "words"
    )


def _make_pairs(maker: TableMaker) -> Columns:
    require_few_pairs(maker.result)
    pairs = [
        (timeline.id, *pair)
        for timeline in maker.result.timelines
        if timeline.consistent
        for pair in timeline.pairs()
    ]
    return {
        "timeline": [number for number, _, _ in pairs],
        "first": [first for _, first, _ in pairs],
        "second": [second for _, _, second in pairs],
    }


def _make_closure(maker: TableMaker) -> Columns:
    closure = maker.result.closure()
    place = maker.document.index
    relations = sorted(
        (*closure.links, *closure.untyped),
        key=lambda relation: (place[relation.source], place[relation.target]),
    )
    return _take(relations, "source", "type", "target", "name", "links")


def _take(things: Sequence[object], *fields: str) -> Columns:
    """Give the fields of things, a column each."""
    return {field: list(map(attrgetter(field), things)) for field in fields}


_MAKERS: dict[str, Callable[[TableMaker], Columns]] = {
    "nodes": _make_nodes,
    "points": _make_points,
    "links": _make_links,
    "timelines": _make_timelines,
    "branches": _make_branches,
    "sections": _make_sections,
    "conflicts": _make_conflicts,
    "diagnostics": _make_diagnostics,
    "connections": _make_connections,
    "breaks": _make_breaks,
    "pairs": _make_pairs,
    "closure": _make_closure,
}
