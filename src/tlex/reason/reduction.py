"""Links that say it all: an irredundant set that entails the rest (SPEC §7).

A link goes if every constraint of its row follows from the links that are left. What is left
entails the same as before, so compounds and steps stay what they were while links go, and a
search for another way between two points never has to leave the steps between them. A link that
was needed once stays needed, since the others only become fewer: one pass is enough.
"""

from __future__ import annotations

from typing import cast

from tlex.document import Document
from tlex.graph import CompoundGraph, Part, PointGraph, Steps
from tlex.parts import Parts
from tlex.reason.ways import Ways
from tlex.records import Reduction
from tlex.steps.conflicts import group_by_link

__all__ = ["drop_links", "reduce_timelines"]


def reduce_timelines(document: Document, parts: Parts) -> Reduction:
    """Reduce the links of each timeline of a document that does not contradict itself.

    TLINKs go before ALINKs, which say more than time, and later ones before earlier ones.
    """
    kept: list[int] = []
    dropped: list[int] = []
    untouched: list[int] = []
    inconsistent = []
    for number in range(len(parts)):
        links = [link for link, _, _, _ in parts.list_links(number)]
        if not parts.lengths[number]:
            inconsistent.append(number)
            untouched += links
        elif links:
            order = sorted(links, key=lambda link: (document.links[link].kind != "TLINK", -link))
            gone = drop_links(parts[number], parts.constraints(number), order)
            dropped += gone
            kept += sorted(set(links).difference(gone))
    kept_ids, dropped_ids, untouched_ids = (
        tuple(document.links[link].id for link in sorted(links))
        for links in (kept, dropped, untouched)
    )
    return Reduction(kept_ids, dropped_ids, untouched_ids, tuple(inconsistent))


def drop_links(part: Part, points: PointGraph, order: list[int]) -> list[int]:
    """Drop the links that follow from those left, tried in the order given; tell which.

    For each constraint a search from both ends, between the steps of the two.
    """
    graph, steps = cast("CompoundGraph", part.graph), cast("Steps", part.steps)
    ways = Ways(points, [steps.earliest[compound] for compound in graph.compound])
    rows = group_by_link(points)
    gone: set[int] = set()
    dropped = []
    for link in order:
        gone.add(link)
        if ways.prove([(left, right) for left, _, right in rows[link]], gone) is None:
            gone.discard(link)
        else:
            dropped.append(link)
    return dropped
