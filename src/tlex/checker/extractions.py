"""The check of a whole extraction: its parts, their timelines, and how they are connected."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from tlex.checker.calendar import Calendar
from tlex.checker.conflicts import check_conflicts
from tlex.checker.constraints import Constraints
from tlex.checker.listing import check_listing
from tlex.checker.nodes import check_nodes
from tlex.checker.parts import Parts
from tlex.checker.timelines import Line, TimelineProof, listed_pairs, reach
from tlex.checker.trunk import Worlds, check_breaks, check_connections, check_trunk
from tlex.document import Document
from tlex.errors import VerificationError
from tlex.records import DateRange, ExtractionRecord
from tlex.result import Extraction

__all__ = ["Extracted", "Proved", "check_extraction"]

Extracted: TypeAlias = Extraction | ExtractionRecord


class Proved(Struct, frozen=True):
    """How much of an extraction was proved, and what was not."""

    constraints: int
    pairs: int
    unchecked: list[str]


def check_extraction(
    constraints: Constraints,
    whole: Constraints,
    extraction: Extracted,
    calendar: Calendar | None,
) -> Proved:
    """Prove all claims of an extraction, each after those that it relies on.

    ``whole`` has the constraints of all links, ``constraints`` without the mended ones.
    """
    document = constraints.document
    if tuple(extraction.diagnostics) != tuple(document.diagnostics):
        raise VerificationError("the diagnostics are not those of the document")
    timelines: Sequence[Line] = extraction.timelines
    owner = _check_partition(constraints, timelines)
    parts = constraints.share_out(owner, len(timelines))
    pairs = 0
    unchecked: list[str] = []
    dates: dict[int, DateRange] = {}
    for timeline, edges in zip(timelines, parts, strict=True):
        if not timeline.consistent:
            _check_silence(timeline)
            continue
        proof = TimelineProof(document, timeline, edges)
        proof.run()
        pairs += proof.pairs
        unchecked += proof.unchecked
        dates |= calendar.date(edges) if calendar else {}
    if constraints is whole:
        _check_verdicts(extraction)
    elif extraction.consistent:
        raise VerificationError("a mended document is not consistent by itself")
    _check_shares(document, extraction, owner)
    unchecked += check_conflicts(whole, extraction.conflicts, owner)
    complete = extraction.conflicts_complete
    unchecked += check_listing(whole, extraction.conflicts, complete=complete)
    world_of = Parts(constraints, calendar=False).owner if calendar else owner
    worlds = Worlds(document, extraction.options, world_of)
    check_connections(extraction.connections, worlds.place(document, owner))
    check_breaks(document, extraction, check_trunk(extraction, worlds, owner))
    check_nodes(document, extraction.nodes, worlds, dates)
    return Proved(sum(map(len, parts)), pairs, unchecked)


def _check_shares(document: Document, extraction: Extracted, owner: Sequence[int]) -> None:
    """Check that each timeline names the links left out that touch it."""
    touching: dict[int, list[str]] = defaultdict(list)
    mended = set(extraction.mended)
    for link in document.links:
        if link.id in mended:
            ends = {owner[document.index[end or ""]] for end in (link.source, link.target)}
            for number in ends:
                touching[number].append(link.id)
    for timeline in extraction.timelines:
        if list(timeline.mended) != touching[timeline.id]:
            raise VerificationError(
                f"timeline {timeline.id}: the links left out there are {touching[timeline.id]}"
            )


def _check_verdicts(extraction: Extracted) -> None:
    """Check that exactly the contradictory timelines have conflicts."""
    if extraction.consistent != all(timeline.consistent for timeline in extraction.timelines):
        raise VerificationError("the document is consistent if and only if all its timelines are")
    broken = {timeline.id for timeline in extraction.timelines if not timeline.consistent}
    shown = {conflict.timeline for conflict in extraction.conflicts}
    for number in sorted(broken ^ shown):
        problem = "no conflict shows it to be contradictory" if number in broken else "it has none"
        raise VerificationError(f"timeline {number}: {problem}")


def _check_partition(constraints: Constraints, timelines: Sequence[Line]) -> list[int]:
    """Give the timeline of each node."""
    index = constraints.document.index
    owner = [-1] * len(index)
    begin = -1
    for number, timeline in enumerate(timelines):
        members = [index.get(name, -1) for name in timeline.intervals]
        if timeline.id != number:
            raise VerificationError(f"timeline {timeline.id} stands in the place of {number}")
        if not members or members[0] <= begin or members != sorted(set(members)):
            raise VerificationError(
                f"timeline {number}: an interval is not defined, or something is not in text order"
            )
        begin = members[0]
        for name, member in zip(timeline.intervals, members, strict=True):
            if owner[member] >= 0:
                raise VerificationError(
                    f"{name!r} is in the timelines {owner[member]} and {number}"
                )
            owner[member] = number
    if -1 in owner:
        missing = constraints.document.nodes[owner.index(-1)].id
        raise VerificationError(f"{missing!r} stands in no timeline")
    _check_connected(constraints, timelines, owner)
    return owner


def _check_connected(
    constraints: Constraints, timelines: Sequence[Line], owner: Sequence[int]
) -> None:
    near: dict[int, list[int]] = defaultdict(list)
    for link, edges in constraints.stated.items():
        one, other = edges[0].left // 2, edges[0].right // 2
        if owner[one] != owner[other]:
            raise VerificationError(
                f"link {link!r} leads from timeline {owner[one]} to timeline {owner[other]}"
            )
        near[one].append(other)
        near[other].append(one)
    for timeline in timelines:
        first = timeline.intervals[0]
        reached = reach([constraints.document.index[first]], near)
        for name in timeline.intervals:
            if constraints.document.index[name] not in reached:
                raise VerificationError(
                    f"timeline {timeline.id}: no links connect {first!r} and {name!r}"
                )


def _check_silence(timeline: Line) -> None:
    """Check that an inconsistent timeline has no steps, and nothing that needs steps."""
    lists = timeline.points, timeline.compounds, timeline.tied_steps, timeline.sections
    values = timeline.length, timeline.indeterminate_pairs, timeline.score, timeline.scenarios
    if any(lists) or any(value is not None for value in values) or listed_pairs(timeline):
        raise VerificationError(f"timeline {timeline.id} is inconsistent, yet has steps")
