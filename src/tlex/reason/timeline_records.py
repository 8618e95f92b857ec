"""Timelines as plain data, straight from the numbers that the steps found.

A document has many timelines, and most are short. So a record is not put together from the
attributes of a live `Timeline`, which says the same; tests compare the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, UnsetType

from tlex import timeline
from tlex.reason.pairs import count_pairs, walk_pairs
from tlex.reason.scenarios import WORK_LIMIT, count_scenarios
from tlex.reason.sections import order_sections
from tlex.records import Scenarios, Section, TimelineRecord

if TYPE_CHECKING:
    from tlex.components import Components

__all__ = ["record_timeline"]

_ONE = Scenarios(1, exact=True)


def record_timeline(  # noqa: PLR0913 -- one argument a field
    components: Components,
    number: int,
    intervals: tuple[str, ...],
    *,
    main: bool,
    detached: bool,
    offset: int,
    mended: tuple[str, ...],
    pairs: bool = False,
) -> TimelineRecord:
    """Give the record of a component, with the ids of its ``intervals``.

    With ``pairs``, the record lists the pairs whose order is unknown, and counts them in any case.
    """
    length: int | None = 2
    compounds: tuple[tuple[str, ...], ...] = ()
    tied: tuple[int, ...] = ()
    sections: tuple[Section, ...] = ()
    counted: int | None = 0
    score: float | None = 0.0
    scenarios: Scenarios | None = _ONE
    listed: tuple[tuple[str, str], ...] | UnsetType = () if pairs else UNSET
    if components.is_lone(number):
        (name,) = intervals
        points = {f"{name}-": (1, 1), f"{name}+": (2, 2)}
    elif not components.is_consistent(number):
        length, points, counted, score, scenarios = None, {}, None, None, None
    else:
        length = components.lengths[number]
        names = [name + end for name in intervals for end in "-+"]
        points = dict(zip(names, components.list_places(number), strict=True))
        groups = components.group_equal(number)
        if groups:
            compounds = tuple([tuple([names[place] for place in group]) for group in groups])
        unsettled = components.get_unsettled(number)
        tied = tuple(unsettled.tied)
        if unsettled.sections:
            sections = timeline.name_sections(unsettled.sections, points)
            score = sum([len(section.points) for section in sections]) / len(points)
            graph, steps = components.whole
            span, inside = components.locate(number)
            runs = [(stretch.first, stretch.last) for stretch in unsettled.sections]
            orders = order_sections(graph, steps, runs, inside)
            compound = graph.compound[span.start : span.stop]
            few = len(names) <= timeline.PAIRS_LIMIT
            counted = count_pairs(compound, orders) if pairs or few else None
            scenarios = Scenarios(*count_scenarios(orders, WORK_LIMIT))
            if pairs:
                listed = tuple(
                    [(names[left], names[right]) for left, right in walk_pairs(compound, orders)]
                )
    return TimelineRecord(
        id=number,
        main=main,
        detached=detached,
        consistent=length is not None,
        intervals=intervals,
        length=length,
        offset=offset,
        points=points,
        compounds=compounds,
        tied_steps=tied,
        sections=sections,
        indeterminate_pairs=counted,
        score=score,
        scenarios=scenarios,
        mended=mended,
        pairs=listed,
    )
