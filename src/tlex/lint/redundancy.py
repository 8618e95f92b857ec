"""Which links already follow from others (TLX304), exactly.

A TLINK follows from the other links of its part if every constraint of its row of Table 1 does: one
search for each constraint, through what lies between the steps of its ends, decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tlex.document import Document
from tlex.graph import OWN, PointGraph, TemporalGraph, build_graph
from tlex.lint.findings import Finding, make_finding, make_note
from tlex.lint.guidelines import find_duplicates
from tlex.lint.wording import Wording, shorten
from tlex.reason.ways import Ways
from tlex.records import Options
from tlex.steps.consistency import check_consistency
from tlex.steps.generation import generate_timeline
from tlex.steps.partition import partition
from tlex.steps.transform import transform

__all__ = ["WORK_LIMIT", "find_redundant", "find_spare"]

WORK_LIMIT = 5_000_000
"""After how many looks at a constraint the search in one document is given up."""

_SHOWN = 8


def find_redundant(
    wording: Wording, options: Options, limit: int = WORK_LIMIT
) -> Iterator[Finding | str]:
    """Find the TLINKs that follow from other links; a remark in words if there was too much."""
    document = wording.document
    spare, missed = find_spare(document, options, list(find_duplicates(wording)), limit)
    for number, reasons in spare.items():
        link = document.links[number]
        others = [document.links[reason] for reason in reasons]
        names = ", ".join(shorten(other.id) for other in others[:_SHOWN])
        more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
        yield make_finding(
            document,
            "TLX304",
            link.byte_start,
            f"{wording.name(link)}: {wording.say(link)} already follows from {names}{more}",
            subject=[wording.sign(link)],
            notes=[
                make_note(
                    document,
                    other.byte_start,
                    f"{wording.name(other)}: {wording.say(other)}{wording.where(other.byte_start)}",
                )
                for other in others[:_SHOWN]
            ],
            links=(link.id, *(other.id for other in others)),
            nodes=tuple(end for end in (link.source, link.target) if end),
        )
    if missed:
        yield f"too many links: whether {missed:,} of them follow from others was not found out"


def find_spare(
    document: Document, options: Options, duplicates: Sequence[int] = (), limit: int = WORK_LIMIT
) -> tuple[dict[int, list[int]], int]:
    """Find each TLINK of a consistent part that follows from the part's other links.

    To the number of each, the numbers of links that it follows from; and how many links were not
    looked at because of the limit. ``duplicates`` are left out altogether; of TLINKs that say the
    same, the first is not spared for the sake of a later one. Self-loops say nothing to follow.
    """
    graph = _leave_out(build_graph(document, options.links, options.times), set(duplicates))
    parts = partition(graph)
    points = transform(parts.graph)
    compounds = check_consistency(points)
    steps = generate_timeline(compounds)
    rank = [steps.earliest[compound] for compound in compounds.compound]
    for broken in compounds.broken:  # no step there: nothing is found and nothing looked for
        first, end = (2 * cut for cut in parts.graph.cuts[broken : broken + 2])
        rank[first:end] = [OWN] * (end - first)
    ways = Ways(points, rank, limit)
    found: dict[int, list[int]] = {}
    missed = 0
    rows = _gather_rows(points)
    tlinks = [number for number in rows if document.links[number].kind == "TLINK"]
    later = _find_later({number: rows[number] for number in tlinks})
    for number in tlinks:
        row = rows[number]
        ends = {point // 2 for left, _, right in row for point in (left, right)}
        if len(ends) == 1 or rank[row[0][0]] == OWN:
            continue
        constraints = [(left, right) for left, _, right in row]
        reasons = ways.prove(constraints, {number, *later.get(number, ())})
        if reasons is not None:
            found[number] = sorted(reasons)
        elif ways.exhausted:
            missed += 1
    return found, missed


def _leave_out(graph: TemporalGraph, links: set[int]) -> TemporalGraph:
    kept = [place for place, number in enumerate(graph.numbers) if number not in links]
    return TemporalGraph(
        graph.size,
        [graph.labels[place] for place in kept],
        [graph.sources[place] for place in kept],
        [graph.targets[place] for place in kept],
        [graph.numbers[place] for place in kept],
        graph.instants,
    )


def _gather_rows(points: PointGraph) -> dict[int, list[tuple[int, bool, int]]]:
    """Each link's constraints, in document order of the links."""
    rows: dict[int, list[tuple[int, bool, int]]] = {}
    for left, right, link in zip(
        points.less_left, points.less_right, points.less_link, strict=True
    ):
        rows.setdefault(link, []).append((left, True, right))
    for left, right, link in zip(
        points.equal_left, points.equal_right, points.equal_link, strict=True
    ):
        rows.setdefault(link, []).append((min(left, right), False, max(left, right)))
    rows.pop(OWN, None)
    return dict(sorted(rows.items()))


def _find_later(rows: dict[int, list[tuple[int, bool, int]]]) -> dict[int, list[int]]:
    """For each link that others repeat in other words, those of them that come later."""
    same: dict[tuple[tuple[int, bool, int], ...], list[int]] = {}
    for number, row in rows.items():
        same.setdefault(tuple(sorted(row)), []).append(number)
    return {
        number: group[place + 1 :]
        for group in same.values()
        if len(group) > 1
        for place, number in enumerate(group)
    }
