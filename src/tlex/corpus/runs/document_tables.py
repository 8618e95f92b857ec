"""The tables of one document of a run: what its result says, and what is counted of the whole.

Most tables are those of any result, made by `tlex.export.table_columns`. Here are the table
``documents``, one row for each document, and what a run adds: the minimum repair. None of this
needs the libraries that write tables.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from tlex.conflicts.knots import tie_knots
from tlex.export.table_columns import Columns, TableMaker
from tlex.export.table_schema import RUN_TABLES
from tlex.extraction import extract, extract_without
from tlex.reason.pairs import count_neighbours
from tlex.reason.words import count_words
from tlex.repair.search import Repair, find_repair
from tlex.result import Extraction

__all__ = ["Failure", "Origin", "describe_document", "describe_failure"]


class Origin(NamedTuple):
    """Where a document comes from: the first columns of its row."""

    corpus: str
    name: str
    path: str
    member: str | None
    content: str | None


class Failure(NamedTuple):
    """Why a document is not done: one word, and a sentence."""

    cause: str
    reason: str


class _Extent(NamedTuple):
    """What is counted of a document as annotated, and again after its minimum repair."""

    timelines: int
    inconsistent_timelines: int
    main_timelines: int
    branches: int
    breaks: int
    connections: int
    steps: int
    main_length: int
    longest: int
    longest_main: int
    tied_steps: int
    sections: int
    section_points: int
    main_sections: int
    indeterminate_pairs: int | None
    slack: int
    placed_points: int
    branch_points: int
    neighbours: int


def describe_document(
    result: Extraction, origin: Origin, *, repair: bool, scenarios: bool, seconds: float
) -> dict[str, Columns]:
    """Give the tables of a document that is done, each as columns by name.

    With ``repair`` its minimum repair is searched, for at most ``seconds``; with ``scenarios`` the
    orderings of its timelines are counted.
    """
    maker = TableMaker(result, scenarios=scenarios, positions=False)
    found = find_repair(result, limit=1, seconds=seconds) if repair else None
    tables = {table: maker.make(table) for table in RUN_TABLES if table != "documents"}
    tables["links"]["removed"] = _mark_removed(result, found)
    whole = _describe_whole(maker, origin, found)
    tables["documents"] = {name: (value,) for name, value in whole.items()}
    return tables


def describe_failure(origin: Origin, failure: Failure) -> dict[str, Columns]:
    """Give the one row of a document that failed; the columns that are not there are null."""
    known = {**origin._asdict(), "status": "failed", **failure._asdict()}
    return {"documents": {name: (value,) for name, value in known.items()}}


def _describe_whole(maker: TableMaker, origin: Origin, repair: Repair | None) -> dict[str, object]:
    """The row of a document, by the names of the columns."""
    result, document = maker.result, maker.document
    text = document.places.text
    words, tokens = count_words(text)
    kinds = Counter(document.link_columns.kinds)
    times = sum(document.places.times)
    extent = _measure(maker)
    return {
        **origin._asdict(),
        "status": "done",
        "cause": None,
        "reason": None,
        "format": document.format,
        "characters": len(text),
        "words": words,
        "tokens": tokens,
        "events": document.marks.events,
        "instances": len(document.index) - times,
        "times": times,
        "signals": document.marks.signals,
        "links": kinds.total() - kinds["CALENDAR"],
        "tlinks": kinds["TLINK"],
        "alinks": kinds["ALINK"],
        "slinks": kinds["SLINK"],
        "diagnostics": len(document.diagnostics),
        "consistent": result.consistent,
        "consistent_tlinks": _is_consistent_with_tlinks(result),
        "conflicts": len(result.conflicts) if not result.consistent else 0,
        "conflicts_complete": result.consistent or result.conflicts_complete,
        "mended": len(result.repair),
        "calendar_complete": result.calendar_complete,
        **extent._asdict(),
        "score": extent.section_points / extent.placed_points if extent.placed_points else None,
        **_add_scenarios(maker),
        **_describe_repair(maker, extent, repair),
    }


def _add_scenarios(maker: TableMaker) -> dict[str, object]:
    """The orderings of all timelines together; null unless each was counted."""
    counts = maker.order_counts.values()
    powers = [count.scenarios_log10 for count in counts]
    if None in powers:
        return {}
    return {
        "scenarios_log10": sum(power or 0.0 for power in powers),
        "scenarios_exact": all(count.scenarios_exact for count in counts),
    }


def _describe_repair(
    maker: TableMaker, extent: _Extent, repair: Repair | None
) -> dict[str, object]:
    """The minimum repair, and what is counted of the document after it; null without a repair."""
    if repair is None:
        return {}
    again = bool(repair.removed) and set(repair.removed) != set(maker.result.mended)
    repaired = _measure_repaired(maker, repair) if again else extent
    return {
        "repair_cost": float(repair.cost),
        "repair_bound": float(repair.bound),
        "repair_optimal": repair.optimal,
        "repair_links": list(repair.removed),
        **{f"repaired_{name}": value for name, value in repaired._asdict().items()},
    }


def _measure(maker: TableMaker) -> _Extent:
    lengths, sizes = maker.lengths, maker.sizes
    orders = maker.unknown
    consistent = [length > 0 for length in lengths]
    pairs = [count.pairs for count in maker.order_counts.values()]
    main_lengths = [lengths[number] for number in maker.main]
    main_size = sum(sizes[number] for number in maker.main)
    return _Extent(
        timelines=len(lengths),
        inconsistent_timelines=len(lengths) - sum(consistent),
        main_timelines=len(maker.main),
        branches=len(lengths) - len(maker.main),
        breaks=max(len(maker.main) - 1, 0),
        connections=len(maker.result.connections),
        steps=sum(lengths),
        main_length=sum(main_lengths),
        longest=max(lengths, default=0),
        longest_main=max(main_lengths, default=0),
        tied_steps=sum(order.tied_steps for order in orders.values()),
        sections=sum(len(order.sections) for order in orders.values()),
        section_points=sum(sum(order.points) for order in orders.values()),
        main_sections=sum(
            len(order.sections) for number, order in orders.items() if number in maker.offsets
        ),
        indeterminate_pairs=None if None in pairs else sum(count or 0 for count in pairs),
        slack=sum(order.slack for order in orders.values()),
        placed_points=2 * sum(size for size, good in zip(sizes, consistent, strict=True) if good),
        branch_points=2 * (sum(sizes) - main_size),
        neighbours=_count_neighbours(maker.result),
    )


def _count_neighbours(result: Extraction) -> int:
    """Of all timelines at once; a lone interval has one pair."""
    graph, steps = result.components.whole
    lone = len(result.components) - (len(graph.cuts) - 1)
    return lone + count_neighbours(graph, steps)


def _measure_repaired(maker: TableMaker, repair: Repair) -> _Extent:
    result = maker.result
    repaired = extract_without(result, repair.removed)
    # The calendar may change with the links; and of a mended document other links are left out.
    before = None if result.options.calendar or result.repair else maker
    return _measure(TableMaker(repaired, scenarios=False, before=before))


def _mark_removed(result: Extraction, repair: Repair | None) -> list[bool]:
    names = result.document.link_ids
    removed = frozenset(repair.removed) if repair else ()
    return [name in removed for name in names] if removed else [False] * len(names)


def _is_consistent_with_tlinks(result: Extraction) -> bool:
    """Whether the TLINKs alone are consistent; only knots that have ALINKs can differ."""
    options, document = result.options, result.document
    if options.links == ("TLINK",) or ("TLINK" in options.links and result.consistent):
        return result.consistent
    if "TLINK" not in options.links:
        return extract(
            document, links=("TLINK",), times=options.times, calendar=options.calendar
        ).consistent
    kinds = document.link_columns.kinds
    alinks = {number for number, kind in enumerate(kinds) if kind == "ALINK"}
    return all(
        not alinks.isdisjoint(knot.links) and knot.is_consistent(alinks)
        for tangle in result.whole.tangles.values()
        for knot in tie_knots(tangle)
    )
