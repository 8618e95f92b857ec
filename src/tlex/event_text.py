"""Lists of events for people: what is certain and what is possible, with dates and sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING

from tlex.wording import clean, count, flow, list_lines, name_node

if TYPE_CHECKING:
    from tlex.records import EventCondition, EventRecord, Events

__all__ = ["event_lines", "say_condition", "sum_up_events"]

_STYLES = {"title": "1", "date": "36", "dim": "2", "open": "33"}
_MARKS = {"same": "=", "unknown": "~"}
_LEGEND = {
    "unknown": "~ it is not known whether it starts after the event above",
    "same": "= it starts together with the event above",
}
_INDENT = 6
_NAMED = 8
"""How many of the links that are left out are named."""
_DAY = len("2013-03-20")


def event_lines(
    events: Events,
    room: float = inf,
    *,
    quote: Callable[[EventRecord], str | None] | None = None,
    colour: bool = False,
) -> Iterator[str]:
    """Say which events meet some conditions, within so many columns.

    ``quote`` gives the sentence of an event; without it the one in the record is shown.
    """
    return _Text(events, room, quote or (lambda event: event.sentence), colour=colour).lines()


def say_condition(condition: EventCondition) -> str:
    """Say a condition: ``before "midnight" (t4)``, ``in 2013-03``, ``unordered with "fell"``."""
    asked = condition.asked
    if condition.node is not None:
        asked = name_node(condition.node.id, condition.node.text)
    word = "unordered with" if condition.relation == "unordered" else condition.relation
    if word == "on" and len(asked) < _DAY:
        word = "in"
    return clean(f"{word} {asked}")


def sum_up_events(events: Events) -> str:
    """Say how many events there are of each kind."""
    if not events.conditions:
        found = count(len(events.certain) + len(events.inconsistent), "event")
    else:
        found = f"{len(events.certain):,} certain, {len(events.possible):,} possible"
    more = [
        (events.undecided, "undecided"),
        (events.unrelated, "on other timelines"),
        (events.inconsistent, "on contradictory timelines"),
    ]
    return ", ".join([found, *(f"{len(each):,} {words}" for each, words in more if each)])


class _Text:
    def __init__(
        self,
        events: Events,
        room: float,
        quote: Callable[[EventRecord], str | None],
        *,
        colour: bool,
    ) -> None:
        self.events = events
        self.room = room
        self.quote = quote
        self.colour = colour
        self.used: set[str] = set()

    def lines(self) -> Iterator[str]:
        events = self.events
        asked = " and ".join(map(str, events.conditions))
        words = f"events {asked}: " if asked else ""
        yield from list_lines("", f"{words}{sum_up_events(events)}".split(" "), " ", self.room)
        if events.mended:
            held = "under the repair that leaves out "
            if events.contradictions == "every":
                held = "after every smallest repair, such as the one that leaves out "
            named = [clean(link) for link in events.mended[:_NAMED]]
            more = len(events.mended) - _NAMED
            named += [f"and {more:,} more"] if more > 0 else []
            yield from list_lines(held, named, room=self.room)
        titles = {
            "certain": "certain" if asked else "",
            "possible": "possible: neither known nor excluded",
            "undecided": "undecided: the search reached its limit",
            "unrelated": "on other timelines: nothing is known",
            "inconsistent": "on contradictory timelines: nothing is known",
        }
        for name, title in titles.items():
            found = getattr(events, name)
            if found:
                yield ""
                if title:
                    yield from self._paragraph(f"{title} ({len(found):,})", "title")
                yield from self._name(found) if name == "unrelated" else self._list(found)
        if self.used:
            yield ""
            for order, words in _LEGEND.items():
                if order in self.used:
                    yield from self._paragraph(words, "dim")

    def _list(self, found: Sequence[EventRecord]) -> Iterator[str]:
        """Give the events of each timeline in order, and then those that stand alone on theirs."""
        groups: dict[int, list[EventRecord]] = {}
        for event in found:
            groups.setdefault(event.timeline, []).append(event)
        ordered = [group for group in groups.values() if len(group) > 1]
        alone = [group[0] for group in groups.values() if len(group) == 1]
        if not ordered and len(alone) == 1:
            ordered, alone = [alone], []
        dated = any(event.date for event in found)
        for place, group in enumerate(ordered):
            if place or alone or len(ordered) > 1:
                rest = ", of unknown order with the timelines above" if place else ""
                yield from self._paragraph(f"timeline {group[0].timeline}{rest}", "open", "  ")
            yield from self._group(group, dated=dated)
        if alone:
            says = "one of each timeline, in text order; their order is unknown"
            yield from self._paragraph(says, "open", "  ")
            yield from self._group(alone, dated=dated)

    def _name(self, found: Sequence[EventRecord]) -> Iterator[str]:
        """Give only the names of events, in text order."""
        named = [", ".join(self._describe(event, short=True)) for event in found]
        return list_lines("  ", named, "; ", self.room)

    def _group(self, group: Sequence[EventRecord], *, dated: bool) -> Iterator[str]:
        said = ""
        for event in group:
            when = str(event.date or "undated")
            if dated and when != said:
                yield from self._paragraph(when, "date", "    ")
                said = when
            yield from self._event(event)

    def _event(self, event: EventRecord) -> Iterator[str]:
        mark = " "
        if event.order in _MARKS:
            mark = _MARKS[event.order]
            self.used.add(event.order)
        words = self._describe(event)
        yield from flow(f"    {mark} ", words, " " * (_INDENT + 2), ", ", self.room)
        sentence = self.quote(event)
        if sentence:
            yield from self._paragraph(sentence, "", " " * (_INDENT + 2))

    def _describe(self, event: EventRecord, *, short: bool = False) -> list[str]:
        words = [str(event)]
        if event.line is not None and not short:
            words.append(f"line {event.line}")
        if event.factuality != "factual":
            words.append(event.factuality)
        if event.branch_of is not None and not short:
            words.append(f"branch of {event.branch_of}")
        return words

    def _paragraph(self, words: str, style: str, indent: str = "") -> Iterator[str]:
        for line in flow(indent, words.split(" "), indent, " ", self.room):
            yield self._paint(line, style)

    def _paint(self, words: str, style: str) -> str:
        return f"\x1b[{_STYLES[style]}m{words}\x1b[0m" if self.colour and style else words
