"""Which links already follow from others (TLX304), exactly.

A TLINK follows from the other links of its timeline if each constraint of its row of Table 1 does.
One search for each constraint, between the steps of its points, decides.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from tlex.conflicts.mending import list_fixed
from tlex.lint.descriptions import Describer
from tlex.lint.findings import Finding, make_finding
from tlex.lint.guidelines import find_duplicates
from tlex.points.graphs import OWN, PointConstraint, group_by_link
from tlex.points.walks import Walks
from tlex.result import Extraction
from tlex.wording import shorten_id

__all__ = ["WORK_LIMIT", "find_redundant", "find_spare"]

WORK_LIMIT = 5_000_000
"""How many constraints are looked at in one document before the search is given up."""

_SHOWN = 8


def find_redundant(
    result: Extraction, describer: Describer, limit: int = WORK_LIMIT
) -> Iterator[Finding | str]:
    """Find the TLINKs that follow from other links; a remark if there were too many."""
    document = describer.document
    spare, missed = find_spare(result, frozenset(find_duplicates(describer)), limit)
    for number, reasons in spare.items():
        link = document.links[number]
        others = [document.links[reason] for reason in reasons]
        names = ", ".join(shorten_id(other.id) for other in others[:_SHOWN])
        more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
        yield make_finding(
            document,
            "TLX304",
            link.byte_start,
            f"{describer.state_link(link)} already follows from {names}{more}",
            subject=[describer.identify_link(link)],
            notes=[describer.note_link(other) for other in others[:_SHOWN]],
            links=(link.id, *(other.id for other in others)),
            nodes=tuple(end for end in (link.source, link.target) if end),
        )
    if missed:
        yield f"too many links: whether {missed:,} of them follow from others was not found out"


def find_spare(
    result: Extraction, duplicates: Collection[int] = (), limit: int = WORK_LIMIT
) -> tuple[dict[int, list[int]], int]:
    """Find each TLINK of a consistent timeline that follows from the timeline's other links.

    Returns the numbers of links that each one follows from, and how many links were not looked at
    because of the limit. ``duplicates`` are ignored. So are the calendar's links: who reads the
    document without the calendar needs the TLINK. Of TLINKs that say the same in other words, the
    first does not follow from a later one. Self-loops say nothing that could follow.
    """
    links = result.document.links
    found: dict[int, list[int]] = {}
    avoid = {*duplicates, *list_fixed(result.document)}
    missed = work = 0
    for number, component in result.components.list_consistent():
        points = result.components.constraints(number)
        walks = Walks(points, component.levels, limit=limit - work)
        constraints = group_by_link(points)
        tlinks = [
            link
            for link in sorted(constraints)
            if link != OWN and links[link].kind == "TLINK" and link not in duplicates
        ]
        later = _find_later({link: constraints[link] for link in tlinks})
        for link in tlinks:
            if links[link].source == links[link].target:
                continue
            itself = {link, *later.get(link, ())}
            avoid |= itself
            reasons = walks.find_reasons(constraints[link], avoid)
            avoid -= itself
            if reasons is not None:
                found[link] = sorted(reasons)
            elif walks.exhausted:
                missed += 1
        work += walks.work
    return dict(sorted(found.items())), missed


def _find_later(constraints: dict[int, list[PointConstraint]]) -> dict[int, list[int]]:
    """For each link that later links repeat in other words, those links."""
    same: dict[tuple[PointConstraint, ...], list[int]] = {}
    for link, own in constraints.items():
        said = sorted(
            (left, strict, right) if strict else (min(left, right), strict, max(left, right))
            for left, strict, right in own
        )
        same.setdefault(tuple(said), []).append(link)
    return {
        link: group[place + 1 :]
        for group in same.values()
        if len(group) > 1
        for place, link in enumerate(group)
    }
