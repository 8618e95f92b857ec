"""Lists of events that meet conditions: finds what is asked about, and describes what is found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import asdict

from tlex.calendar import drop_calendar
from tlex.document import Document
from tlex.errors import OptionError, UnknownNameError
from tlex.extraction import extract
from tlex.lookup import express, find_node
from tlex.nouns import Timex
from tlex.points.graphs import Consistent
from tlex.points.reachability import find_preceding
from tlex.quotation import quote
from tlex.reason.event_search import Anchor, search_events
from tlex.reason.every_repair import EveryRepair
from tlex.records import DateRange, EventCondition, EventRecord, Events, Expression
from tlex.result import Extraction
from tlex.source import NOWHERE
from tlex.timeline import PAIRS_LIMIT
from tlex.timex import Bounds, Reason, find_bounds, write_instant

__all__ = ["list_events"]

_DATES = "dates are written like 2013, 2013-03, 2013-W12 or 2013-03-20"


def list_events(
    result: Extraction,
    asked: Mapping[str, str],
    policy: str = "part",
    every: EveryRepair | None = None,
) -> Events:
    """List the events of a result that meet all conditions.

    ``asked`` has what is asked about, by the name of the condition. With ``every``, only what
    holds after every minimum repair is known.
    """
    found = [(relation, _look_up(result, relation, name)) for relation, name in asked.items()]
    lists: dict[str, list[int]] = {}
    for number, status in _search(result, found, every).items():
        lists.setdefault(status, []).append(number)
    describer = _Describer(result)
    return Events(
        conditions=tuple(_describe_condition(result, relation, one) for relation, one in found),
        certain=describer.describe(lists.get("certain", ())),
        possible=describer.describe(lists.get("possible", ())),
        unrelated=describer.describe(lists.get("unrelated", ())),
        inconsistent=describer.describe(lists.get("inconsistent", ())),
        undecided=describer.describe(lists.get("undecided", ())),
        contradictions=policy,
        mended=result.mended,
    )


class _Asked(NamedTuple):
    """What is asked about: how it was given, and the node or value that it stands for."""

    name: str
    anchor: Anchor


def _look_up(result: Extraction, relation: str, name: str) -> _Asked:
    """Find what an id, a date or words stand for, in this order; *on* takes only dates."""
    if not isinstance(name, str):
        raise OptionError(f"{relation} takes an id, words or a date, not {name!r:.80}")
    asked = name.strip()
    if relation != "on" and asked in result.document.index:
        return _Asked(asked, result.document.index[asked])
    bounds = find_bounds(asked)
    if isinstance(bounds, Bounds):
        if result.options.calendar:
            return _Asked(asked, bounds)
        raise OptionError(f"{asked!r:.80} is a date, and dates need the calendar (calendar=True)")
    if relation != "on":
        try:
            return _Asked(asked, find_node(result.document, asked))
        except UnknownNameError as error:
            problem = str(error)
        if not asked[:1].isdigit():
            raise UnknownNameError(problem)
    if bounds in {Reason.MALFORMED, Reason.MISSING} or not asked[:1].isdigit():
        raise OptionError(f"{asked!r:.80} is no date that can be used; {_DATES}")
    raise OptionError(f"{asked!r:.80} is no date that can be used: {bounds}; {_DATES}")


def _describe_condition(result: Extraction, relation: str, asked: _Asked) -> EventCondition:
    anchor = asked.anchor
    if isinstance(anchor, Bounds):
        date = DateRange(write_instant(anchor.earliest_start), write_instant(anchor.latest_end))
        return EventCondition(relation=relation, asked=asked.name, date=date)
    return EventCondition(relation=relation, asked=asked.name, node=express(result.nodes[anchor]))


def _search(
    result: Extraction, found: Sequence[tuple[str, _Asked]], every: EveryRepair | None
) -> dict[int, str]:
    document, components = result.document, result.components
    anchors = [asked.anchor for _, asked in found]
    if every is not None and result.consistent:
        every = None
    if every is not None and any(isinstance(anchor, Bounds) for anchor in anchors):
        # Repairs are compared with an order that is added, so the values must be in the document.
        document, anchors = _add_times(document, [asked for _, asked in found])
        extended = extract(document, **asdict(result.options))
        document, components = extended.document, extended.components
        every = EveryRepair(document, extended.whole)
    names = ["during" if relation == "on" else relation for relation, _ in found]
    conditions = list(zip(names, anchors, strict=True))
    times = result.options.times
    statuses = search_events(document, components, conditions, times=times, every=every)
    return {number: statuses[number] for number in statuses if number < len(result.document.nodes)}


def _add_times(document: Document, asked: Iterable[_Asked]) -> tuple[Document, list[Anchor]]:
    """Give a document with a time for each value that is asked about, and the anchors there."""
    document = drop_calendar(document)
    nodes, index, times = list(document.nodes), dict(document.index), list(document.timexes)
    anchors: list[Anchor] = []
    for name, anchor in asked:
        number = anchor
        if isinstance(anchor, Bounds):
            number = len(nodes)
            own = f"asked:{name}"
            while own in index:
                own += "'"
            attributes = {"type": "DATE", "value": name}
            time = Timex(own, attributes, NOWHERE, None, NOWHERE, NOWHERE)
            index[own] = number
            nodes.append(time)
            times.append(time)
        anchors.append(number)
    return document.replace(nodes=tuple(nodes), index=index, timexes=tuple(times)), anchors


def _sort_instant(instant: str | None) -> tuple[int, str]:
    """Give a key that sorts instants; the year 10000 has a digit more, and None comes first."""
    return (instant.index("-"), instant) if instant else (0, "")


class _Describer:
    """Describes events of a result, and sorts them: by timeline, and there by dates and steps."""

    def __init__(self, result: Extraction) -> None:
        self.result = result
        self.components = result.components
        self.earliest, _, self.compound = result.components.place_points()
        self.mains = frozenset(result.main_worlds[0])
        self.sources: dict[int, Expression] = {}
        for crossing in reversed(result.crossings):
            source = result.nodes[result.document.index[crossing.source]]
            self.sources[crossing.target_timeline] = express(source)

    def describe(self, numbers: Iterable[int]) -> tuple[EventRecord, ...]:
        """Describe events, given by their numbers."""
        ordered = sorted(numbers, key=self._place)
        orders = self._compare(ordered)
        return tuple(
            self._describe(number, order) for number, order in zip(ordered, orders, strict=True)
        )

    def _place(self, number: int) -> tuple[object, ...]:
        """Where an event stands in the list: whatever is known to start later stands later."""
        start, end = self.earliest[2 * number], self.earliest[2 * number + 1]
        dates = self.result.point_dates
        after = dates.after[2 * number] if dates else None
        before = dates.before[2 * number] if dates else None
        return (
            self.components.component_of[number],
            before is None,
            _sort_instant(before),
            _sort_instant(after),
            start or 0,
            end or 0,
            number,
        )

    def _start(self, number: int) -> int:
        return self.compound[2 * number] or 0

    def _describe(self, number: int, order: str | None) -> EventRecord:
        result = self.result
        node, world = result.nodes[number], result.world_of[number]
        role = "main" if world in self.mains else "branch"
        if world in result.main_worlds[1]:
            role = "detached"
        sentences = quote(result.document, [result.document.nodes[number]])
        return EventRecord(
            id=node.id,
            text=node.text,
            line=node.line,
            date=node.date,
            factuality=node.factuality,
            timeline=self.components.component_of[number],
            world=world,
            role=role,
            branch_of=self.sources.get(world) if role == "branch" else None,
            sentence=sentences[0] if sentences else None,
            order=order,
            source=node.source,
        )

    def _compare(self, ordered: Sequence[int]) -> list[str | None]:
        """Say how the start of each event stands to that of the one before it."""
        owner = self.components.component_of
        orders: list[str | None] = ["first"] * len(ordered)
        pairs: dict[int, list[int]] = {}
        for place in range(1, len(ordered)):
            one, other = ordered[place - 1], ordered[place]
            if owner[one] != owner[other]:
                continue
            if self.compound[2 * one] == self.compound[2 * other]:
                orders[place] = "unknown" if self.compound[2 * one] is None else "same"
            else:
                pairs.setdefault(owner[other], []).append(place)
        for number, places in pairs.items():
            component = self.components[number]
            if len(places) > PAIRS_LIMIT or not isinstance(component, Consistent):
                for place in places:
                    orders[place] = None
                continue
            starts = {
                place: (self._start(ordered[place - 1]), self._start(ordered[place]))
                for place in places
            }
            known = find_preceding(component.graph, component.steps, {*starts.values()})
            for place, pair in starts.items():
                orders[place] = "after" if pair in known else "unknown"
        return orders
