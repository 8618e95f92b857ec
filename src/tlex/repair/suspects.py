"""Contradictions with the calendar: which values may be wrong, and what they say in words.

Links and values contradict each other there, so a link or a value is wrong. The suspects are the
times between which the calendar's part of a contradiction leads: those on the way follow from them.
"""

from __future__ import annotations

from collections.abc import Sequence

from tlex.algebra import CALENDAR
from tlex.caching import cached_property
from tlex.calendar import Dated, compare_values, find_dated, find_values
from tlex.conflicts.mending import list_fixed
from tlex.nouns import Link, Timex
from tlex.records import Conflict, SuspectValue
from tlex.result import Extraction
from tlex.timex import Bounds, Reason, find_bounds
from tlex.wording import count, name_node, shorten

__all__ = ["Suspects", "list_ends"]

_LONGEST = 40
"""How many characters of a value are shown."""


class Suspects:
    """The values of a result's document that have a part in its contradictions."""

    def __init__(self, result: Extraction) -> None:
        self.result = result
        self.document = result.document

    @cached_property
    def calendar(self) -> frozenset[str]:
        """The ids of the links that follow from values."""
        ids = self.document.link_ids
        return frozenset(ids[number] for number in list_fixed(self.document))

    @cached_property
    def links(self) -> dict[str, Link]:
        """The links by id."""
        return {link.id: link for link in self.document.links}

    @cached_property
    def times(self) -> dict[str, Timex]:
        """The times by id; the first of those that have the same id."""
        return {timex.id: timex for timex in reversed(self.document.timexes)}

    @cached_property
    def bounds(self) -> dict[str, Bounds | Reason]:
        """The bounds of the times, by id."""
        found = [*zip(self.document.timexes, find_values(self.document), strict=True)]
        return {timex.id: bounds for timex, bounds in reversed(found)}

    def is_involved(self, conflict: Conflict) -> bool:
        """Whether values have a part in a contradiction."""
        if not self.calendar:
            return False
        others = (link for same in conflict.same.values() for link in same)
        return not self.calendar.isdisjoint((*conflict.minimal, *others))

    def find(self, conflict: Conflict) -> tuple[SuspectValue, ...]:
        """Find the values that may be wrong if no link is, in text order."""
        document = self.document
        found = {name for pair in self._list_pairs(conflict) for name in pair}
        found |= {end for name in found for end in list_ends(self.times[name])}
        suspects = []
        for name in sorted(found, key=document.index.__getitem__):
            timex = self.times[name]
            line, column = document.position(timex.byte_start)
            value = (timex.value or "").strip()
            words = document.words(timex)
            suspects.append(
                SuspectValue(id=name, text=words, value=value, line=line, column=column)
            )
        return tuple(suspects)

    def say(self, conflict: Conflict) -> tuple[str, ...]:
        """Say what follows from the values: ``"12 March" (t1, 1998-03-12) is before ...``."""
        said = []
        for pair in self._list_pairs(conflict):
            found = compare_values(self.document, *(self._dated[name] for name in pair))
            if found is not None:
                *ends, label = found
                one, other = (self.name(self.document.nodes[end.number].id) for end in ends)
                said.append(f"{one} {CALENDAR[label][2]} {other}, by their values")
        return tuple(dict.fromkeys(said))

    def say_value(self, name: str, new: str, field: str, sources: Sequence[str]) -> str:
        """Say that a value would fit: ``"last quarter" (t3, 1998-Q4) would fit as 1989-Q4 ...``."""
        more = f" and {count(len(sources) - 1, 'other time')}" if len(sources) > 1 else ""
        return (
            f"{self.name(name)} would fit as {shorten(new, _LONGEST)}, with the {field} of "
            f"{self.name(sources[0])}{more}"
        )

    def name(self, name: str) -> str:
        """Name a time by its words, its id and its value."""
        timex = self.times[name]
        facts = [self._show_value(name)]
        ends = [self._show_value(end) for end in list_ends(timex) if end in self.times]
        if len(ends) > 1:
            facts.append(f"from {ends[0]} to {ends[1]}")
        facts.append(shorten(timex.attributes.get("mod", "").strip(), _LONGEST))
        if name in self._dated and self._dated[name].moment:
            facts.append("a moment in it")
        said = ", ".join(fact for fact in facts if fact)
        shown = name_node(name, self.document.words(timex))
        return f"{shown[:-1]}, {said})" if shown.endswith(")") else f"{shown} ({said})"

    @cached_property
    def _dated(self) -> dict[str, Dated]:
        nodes, times = self.document.nodes, self.result.options.times
        return {nodes[time.number].id: time for time in find_dated(self.document, times)}

    def _show_value(self, name: str) -> str:
        return shorten((self.times[name].value or "").strip(), _LONGEST)

    def _list_pairs(self, conflict: Conflict) -> list[tuple[str, str]]:
        """List the times between which what follows from values leads."""
        walk, calendar = conflict.walk, self.calendar
        pairs = []
        for first, others in conflict.same.items():
            if not calendar.isdisjoint(others):  # a link that says what follows from values, too
                link = self.links[first]
                pairs.append((link.source or "", link.target or ""))
        own = [step.link is not None and step.link not in calendar for step in walk]
        start = own.index(True)
        run: list[str] = []
        for step in (*walk[start:], *walk[: start + 1]):
            if step.link in calendar:
                run += [step.left[:-1], step.right[:-1]]
            elif step.link is not None:
                if run and run[0] != run[-1]:
                    pairs.append((run[0], run[-1]))
                run = []
        return list(dict.fromkeys(pairs))


def list_ends(timex: Timex) -> tuple[str, ...]:
    """Give the times between which a duration lies, if it has both; its type may be another."""
    mod = timex.attributes.get("mod", "")
    if find_bounds(timex.value or "", kind=timex.type or "", mod=mod) is not Reason.DURATION:
        return ()
    ends = tuple(timex.attributes.get(key, "").strip() for key in ("beginPoint", "endPoint"))
    return ends if all(ends) else ()
