"""From the answer about one document to its rows in the tables: plain lists, a column each.

These are pure functions, and need none of the libraries that write tables. They work on the steps'
integers: on a corpus of short documents, objects for timelines and intervals would take longer
than the extraction itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log10
from typing import NamedTuple

from msgspec import Struct

from tlex.document import Document, Event, Instance, Timex
from tlex.export.schema import TABLES
from tlex.extraction import extract
from tlex.points.graphs import Consistent, Stretch
from tlex.reason.factuality import judge_nodes
from tlex.reason.pairs import count_neighbours, count_pairs
from tlex.reason.scenarios import WORK_LIMIT, count_scenarios
from tlex.repair import Repair, find_repair
from tlex.timeline import PAIRS_LIMIT, Extraction

__all__ = ["Failure", "Origin", "Rows", "describe_document", "describe_failure"]

_TOKEN = re.compile(r"\w+(?:[-'’]\w+)*|[^\w\s]")  # noqa: RUF001 -- the apostrophe of printed text

Rows = dict[str, Sequence[Sequence[object]]]
"""For each table its columns, in the order of the schema and without the document's name."""


class Origin(NamedTuple):
    """Where a document comes from: what the first columns of its row say."""

    corpus: str
    name: str
    path: str
    member: str | None
    content: str | None


class Failure(NamedTuple):
    """Why a document is not done: one word, and a sentence."""

    cause: str
    reason: str


class _Open(NamedTuple):
    """What the order of a timeline leaves open."""

    tied: int
    sections: list[Stretch]
    points: list[int]
    pairs: int | None
    slack: int
    scenarios: tuple[float, bool] | None


class _Survey(Struct):
    """The timelines of a document, as integers."""

    step: list[int | None]
    latest: list[int | None]
    compound: list[int | None]
    section: list[int | None]
    open: dict[int, _Open]
    sizes: list[int]
    lengths: list[int]
    mains: list[int]
    detached: set[int]
    offsets: dict[int, int]


_SETTLED = _Open(0, [], [], 0, 0, (0.0, True))


def describe_document(
    result: Extraction, origin: Origin, *, repair: bool, scenarios: bool, seconds: float
) -> Rows:
    """Give the rows of a document that is done.

    With ``repair`` its minimum repair is looked for, for so many seconds; with ``scenarios`` the
    orderings are counted.
    """
    document = result.document
    survey = _survey(result, scenarios=scenarios)
    found = find_repair(result, limit=1, seconds=seconds) if repair else None
    timelines = _describe_timelines(result, survey)
    return {
        "documents": [[value] for value in _describe_whole(result, origin, survey, found)],
        "intervals": _describe_intervals(document, result.components.component_of),
        "points": _describe_points(document, result.components.component_of, survey),
        "links": _describe_links(document, result.components.component_of, found),
        "timelines": timelines,
        "branches": _describe_branches(result, survey),
        "sections": _describe_sections(survey),
        "conflicts": _describe_conflicts(result),
        "diagnostics": _turn(
            [(d.code, d.severity, d.line, d.column, d.message, d.hint) for d in result.diagnostics]
        ),
        "connections": _turn(
            [
                (c.link, c.type, c.source, c.target, c.source_timeline, c.target_timeline)
                for c in result.connections
            ]
        ),
        "breaks": _turn(
            [
                (b.first_timeline, b.second_timeline, b.first, b.second, b.words)
                for b in result.breaks
            ]
        ),
    }


def describe_failure(origin: Origin, failure: Failure) -> Rows:
    """Give the one row of a document that failed."""
    known = (*origin, "failed", *failure)
    unknown = len(TABLES["documents"].columns) - 1 - len(known)
    return {"documents": [[value] for value in (*known, *[None] * unknown)]}


def _survey(result: Extraction, *, scenarios: bool) -> _Survey:
    parts = result.components
    step, latest, compound = parts.place_points()
    section: list[int | None] = [None] * len(step)
    settled: dict[int, _Open] = {}
    for number, unsettled in parts.find_unsettled():
        runs = unsettled.sections
        at = {place: k for k, run in enumerate(runs) for place in range(run.first, run.last + 1)}
        points = [0] * len(runs)
        slack = 0
        for member in parts.members[number]:
            for point in (2 * member, 2 * member + 1):
                now, then = step[point], latest[point]
                if now is None or then is None:  # never: what is unsettled is consistent
                    continue
                slack += then - now
                if now in at:
                    section[point] = at[now]
                    points[at[now]] += 1
        pairs, counted = _count_open(result, number, runs, scenarios=scenarios)
        settled[number] = _Open(len(unsettled.tied), runs, points, pairs, slack, counted)
    mains, detached, offsets = result.arrangement
    sizes = [len(members) for members in parts.members]
    return _Survey(
        step,
        latest,
        compound,
        section,
        settled,
        sizes,
        parts.lengths,
        mains,
        detached,
        offsets,
    )


def _count_open(
    result: Extraction, number: int, runs: list[Stretch], *, scenarios: bool
) -> tuple[int | None, tuple[float, bool] | None]:
    """Pairs and orderings of a timeline, each as far as it is counted."""
    part = result.components[number]
    if not isinstance(part, Consistent):
        return None, None
    ends = [(run.first, run.last) for run in runs]
    pairs = None
    if len(part.graph.compound) <= PAIRS_LIMIT:
        pairs = count_pairs(part.graph, part.steps, ends)
    if not scenarios:
        return pairs, None
    count, exact = count_scenarios(part.graph, part.steps, ends, WORK_LIMIT)
    return pairs, (log10(count), exact)


def _measure(result: Extraction, survey: _Survey) -> list[int | None]:
    """What is counted of a document as annotated, and again after its repair."""
    consistent = [length > 0 for length in survey.lengths]
    opened = survey.open.values()
    pairs = [one.pairs for one in opened]
    mains = [survey.lengths[number] for number in survey.mains]
    return [
        len(survey.lengths),
        len(consistent) - sum(consistent),
        len(survey.mains),
        len(survey.lengths) - len(survey.mains),
        max(len(survey.mains) - 1, 0),
        len(result.connections),
        sum(survey.lengths),
        sum(mains),
        max(survey.lengths, default=0),
        max(mains, default=0),
        sum(one.tied for one in opened),
        sum(len(one.sections) for one in opened),
        sum(sum(one.points) for one in opened),
        sum(len(one.sections) for number, one in survey.open.items() if number in survey.offsets),
        None if None in pairs else sum(count or 0 for count in pairs),
        sum(one.slack for one in opened),
        2 * sum(size for size, good in zip(survey.sizes, consistent, strict=True) if good),
        2 * (sum(survey.sizes) - sum(survey.sizes[number] for number in survey.mains)),
        _count_neighbours(result),
    ]


def _count_neighbours(result: Extraction) -> int:
    """Of all timelines at once; a lone interval has one pair."""
    graph, steps = result.components.whole
    lone = len(result.components) - (len(graph.cuts) - 1)
    return lone + count_neighbours(graph, steps)


_POINTS_IN_SECTIONS, _PLACED = 12, 16


def _describe_whole(
    result: Extraction, origin: Origin, survey: _Survey, repair: Repair | None
) -> list[object]:
    document = result.document
    kinds = Counter([link.kind for link in document.links])
    extent = _measure(result, survey)
    inside, placed = extent[_POINTS_IN_SECTIONS], extent[_PLACED]
    counted = [one.scenarios for one in survey.open.values()]
    known = [count for count in counted if count is not None]
    complete = len(known) == len(counted)
    mended: list[int | None] = extent
    if repair is None:
        mended = [None] * len(extent)
    elif repair.removed:
        mended = _measure_mended(result, repair)
    times = sum(isinstance(node, Timex) for node in document.nodes)
    return [
        *origin,
        "done",
        None,
        None,
        document.format,
        len(document.text),
        len(document.text.split()),
        len(_TOKEN.findall(document.text)),
        len(document.events),
        len(document.nodes) - times,
        times,
        len(document.signals),
        len(document.links),
        kinds["TLINK"],
        kinds["ALINK"],
        kinds["SLINK"],
        len(document.diagnostics),
        result.consistent,
        _is_consistent_with_tlinks(result, kinds["ALINK"]),
        len(result.conflicts) if not result.consistent else 0,
        *extent,
        inside / placed if inside is not None and placed else None,
        sum(count for count, _ in known) if complete else None,
        all(exact for _, exact in known) if complete else None,
        None if repair is None else float(repair.cost),
        None if repair is None else float(repair.bound),
        None if repair is None else repair.optimal,
        None if repair is None else list(repair.removed),
        *mended,
    ]


def _is_consistent_with_tlinks(result: Extraction, alinks: int) -> bool:
    """Whether the TLINKs alone are consistent; nothing is run again where it cannot differ."""
    if "TLINK" in result.options.links and (result.consistent or not alinks):
        return result.consistent
    if result.options.links == ("TLINK",):
        return result.consistent
    return extract(result.document, links=("TLINK",), times=result.options.times).consistent


def _measure_mended(result: Extraction, repair: Repair) -> list[int | None]:
    removed = frozenset(repair.removed)
    document, options = result.document, result.options
    links = tuple(link for link in document.links if link.id not in removed)
    mended = extract(
        document.replace(links=links),
        links=options.links,
        times=options.times,
        main=options.main,
        subordinating=options.subordinating,
    )
    return _measure(mended, _survey(mended, scenarios=False))


def _describe_intervals(document: Document, part_of: list[int]) -> list[Sequence[object]]:
    nodes = document.nodes
    events = {event.id: event for event in reversed(document.events)}
    kinds: list[str] = []
    types: list[str | None] = []
    of: list[str | None] = []
    starts: list[int | None] = []
    ends: list[int | None] = []
    values: list[str | None] = []
    for node in nodes:
        if isinstance(node, Timex):
            kinds.append("time")
            types.append(node.attributes.get("type"))
            of.append(None)
            values.append(node.attributes.get("value"))
        else:
            kinds.append("event")
            event: Event | None
            if isinstance(node, Instance):
                event = events.get(node.event or "")
                of.append(node.event)
            else:
                event = node
                of.append(None)
            types.append(event.attributes.get("class") if event else None)
            values.append(None)
        if node.text_start < 0:
            starts.append(None)
            ends.append(None)
        else:
            starts.append(node.text_start)
            ends.append(node.text_end)
    return [
        range(len(nodes)),
        [node.id for node in nodes],
        kinds,
        types,
        of,
        [document.words(node) for node in nodes],
        starts,
        ends,
        values,
        judge_nodes(document),
        part_of,
    ]


def _describe_points(
    document: Document, part_of: list[int], survey: _Survey
) -> list[Sequence[object]]:
    names = [node.id for node in document.nodes]
    return [
        [part for part in part_of for _ in "-+"],
        [name for name in names for _ in "-+"],
        [name + end for name in names for end in "-+"],
        survey.step,
        survey.latest,
        survey.compound,
        survey.section,
    ]


def _describe_links(
    document: Document, part_of: list[int], repair: Repair | None
) -> list[Sequence[object]]:
    links = document.links
    place: dict[str | None, int] = {name: part_of[at] for name, at in document.index.items()}
    removed = frozenset(repair.removed) if repair else ()
    return [
        range(len(links)),
        [link.id for link in links],
        [link.kind for link in links],
        [link.type for link in links],
        [link.source for link in links],
        [link.target for link in links],
        [link.signal for link in links],
        [link.weight for link in links],
        [place.get(link.source) for link in links],
        [place.get(link.target) for link in links],
        [link.id in removed for link in links] if removed else [False] * len(links),
    ]


def _describe_timelines(result: Extraction, survey: _Survey) -> list[Sequence[object]]:
    nodes, members = result.document.nodes, result.components.members
    rows = []
    for number, length in enumerate(survey.lengths):
        head = (
            number,
            number in survey.offsets,
            number in survey.detached,
            length > 0,
            len(members[number]),
            nodes[members[number][0]].id,
            length or None,
            survey.offsets.get(number, 0),
        )
        if not length:
            rows.append((*head, *[None] * 7))
            continue
        one = survey.open.get(number, _SETTLED)
        counted = one.scenarios or (None, None)
        rows.append(
            (
                *head,
                one.tied,
                len(one.sections),
                sum(one.points),
                one.pairs,
                one.slack,
                *counted,
            )
        )
    return _turn(rows)


def _describe_branches(result: Extraction, survey: _Survey) -> list[Sequence[object]]:
    if len(survey.mains) == len(survey.lengths):
        return []
    into = Counter([connection.target_timeline for connection in result.connections])
    first = {c.target_timeline: c for c in reversed(result.connections)}
    rows: list[tuple[object, ...]] = []
    for number, length in enumerate(survey.lengths):
        if number in survey.offsets:
            continue
        lead = first.get(number)
        ends = (
            (lead.link, lead.type, lead.source, lead.source_timeline, lead.target)
            if lead
            else [None] * 5
        )
        rows.append(
            (
                number,
                number in survey.detached,
                length > 0,
                survey.sizes[number],
                length or None,
                into[number],
                *ends,
            )
        )
    return _turn(rows)


def _describe_sections(survey: _Survey) -> list[Sequence[object]]:
    return _turn(
        [
            (number, k, run.first, run.last, run.size, points, number in survey.offsets)
            for number, one in survey.open.items()
            for k, (run, points) in enumerate(zip(one.sections, one.points, strict=True))
        ]
    )


def _describe_conflicts(result: Extraction) -> list[Sequence[object]]:
    if result.consistent:
        return []
    types = {link.id: link.type or "" for link in reversed(result.document.links)}
    return _turn(
        [
            (
                number,
                conflict.timeline,
                conflict.kind,
                str(conflict),
                list(conflict.links),
                list(conflict.minimal),
                " + ".join(sorted(types[link] for link in conflict.minimal)),
            )
            for number, conflict in enumerate(result.conflicts)
        ]
    )


def _turn(rows: Sequence[Sequence[object]]) -> list[Sequence[object]]:
    """Rows as columns; none at all where there is no row."""
    return list(zip(*rows, strict=True))
