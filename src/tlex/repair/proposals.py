"""Values that would end a contradiction with the calendar (reading R44).

A value is proposed only if one field (year, month, week or day) of another time of the document,
copied into a suspect value, ends the contradiction and makes no other one. All values that can be
made in this way are tried, within a limit of work. Of several those are proposed whose field most
times have. Nothing else is guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from tlex.caching import cached_property
from tlex.calendar import KIND, add_calendar
from tlex.document import Document
from tlex.extraction import extract, run_steps
from tlex.graph import build_graph
from tlex.nouns import Link, Timex
from tlex.records import Conflict, SuspectValue, ValueProposal
from tlex.repair.suspects import Suspects, list_ends
from tlex.timex import Bounds, Reason, find_bounds

__all__ = ["Proposals"]

_FIELDS = re.compile(
    r"(?:FY)?(?P<year>[0-9]{4})"
    r"(?:-(?:(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2}))?|W(?P<week>[0-9]{2})(?:-\w+)?|[A-Z]\w+))?"
    r"(?:T.*)?"
)
_ORDER = ("year", "month", "week", "day")
_NO_VALUES = (Reason.MALFORMED, Reason.NO_SUCH, Reason.MISSING)

_WORK = 1_000_000
"""How much work it may be to try values in one document: about a second."""

_TRY = 500
"""The work of a try, besides what grows with the document."""

_LONGEST = 64
"""Longer values are not looked at."""

_KEPT = 3
"""How many values may be proposed for one contradiction."""


class Proposals:
    """Tries other values in a document that contradicts the calendar."""

    def __init__(self, suspects: Suspects) -> None:
        self._suspects = suspects
        self._result = suspects.result
        self._document = document = suspects.document
        self._options = suspects.result.options
        self._real = tuple(link for link in document.links if link.kind != KIND)
        self._size = len(document.nodes) + len(document.links) + len(document.timexes)
        self._work = _WORK
        self.complete = True
        """Whether no value was left untried because of the limit of work."""

    def find(self, conflict: Conflict) -> tuple[ValueProposal, ...]:
        """Find values that end a contradiction: of several those with the commonest field.

        There are none if there are more than three such values: then the document does not tell.
        """
        found: list[ValueProposal] = []
        for suspect in self._suspects.find(conflict):
            for field, new, sources in self._list_values(suspect):
                if self._work <= 0:
                    self.complete = False
                    return ()
                if self._mends(conflict, suspect.id, new):
                    proposal = ValueProposal(
                        id=suspect.id,
                        field=field,
                        old=suspect.value,
                        new=new,
                        source=sources[0],
                        support=len(sources),
                        says=self._suspects.say_value(suspect.id, new, field, sources),
                    )
                    found.append(proposal)
        most = max((one.support for one in found), default=0)
        best = tuple(one for one in found if one.support == most)
        return best if len(best) <= _KEPT else ()

    @cached_property
    def _fields(self) -> dict[str, dict[str, list[str]]]:
        """By field, what is written there, and in the values of which times, in text order."""
        found: dict[str, dict[str, list[str]]] = {field: {} for field in _ORDER}
        bounds, index = self._suspects.bounds, self._document.index
        for name, timex in sorted(
            self._suspects.times.items(), key=lambda one: index.get(one[0], len(index))
        ):
            read = _read(timex.value or "")
            if read is None or bounds[name] in _NO_VALUES:
                continue
            for field, written in read.groupdict().items():
                if written is not None:
                    found[field].setdefault(written, []).append(name)
        return found

    def _list_values(self, suspect: SuspectValue) -> Iterator[tuple[str, str, list[str]]]:
        """List the values that a time could have: the field, the value, where the field is from."""
        value = suspect.value
        read = _read(value)
        if read is None or not isinstance(self._suspects.bounds[suspect.id], Bounds):
            return
        for field in _ORDER:
            start, end = read.span(field)
            if start >= 0:
                for written, everywhere in self._fields[field].items():
                    sources = self._list_here(suspect.id, everywhere)
                    if sources and written != value[start:end]:
                        yield field, value[:start] + written + value[end:], sources

    def _list_here(self, name: str, others: list[str]) -> list[str]:
        """List those of some times that are in the same document, if this one is several."""
        if not self._document.documents:
            return others
        home = self._document.home(name)[0]
        return [other for other in others if self._document.home(other)[0] is home]

    def _mends(self, conflict: Conflict, name: str, new: str) -> bool:
        """Whether another value of a time ends a contradiction and makes no other one."""
        suspects = self._suspects
        timex = suspects.times[name]
        kind, mod = timex.type or "", timex.attributes.get("mod", "")
        if not isinstance(find_bounds(new, kind=kind, mod=mod), Bounds):
            return False
        changed = replace(timex, attributes={**timex.attributes, "value": new})
        times = [changed if time is timex else time for time in self._document.timexes]
        links = [suspects.links[link] for link in conflict.minimal]
        involved = {end for link in links for end in (link.source, link.target)}
        involved |= {end for own in involved if own in suspects.times for end in self._ends(own)}
        few = [time for time in times if time.id in involved]
        if not self._fits(few, [link for link in links if link.kind != KIND]):
            return False
        result = extract(
            self._take(times),
            links=self._options.links,
            times=self._options.times,
            calendar=True,
        )
        own = _TRY + 4 * self._size  # each contradiction is looked for in the whole document
        self._work -= 10 * (_TRY + self._size) + own * len(result.conflicts)
        return all(self._is_known(one) for one in result.conflicts)

    def _ends(self, name: str) -> tuple[str, ...]:
        return list_ends(self._suspects.times[name])

    def _is_known(self, conflict: Conflict) -> bool:
        """Whether the links of a contradiction contradict each other, or the values, already."""
        own = self._name_real(conflict)
        if own in self._known:
            return True
        links = [self._suspects.links[name] for name in own]
        return not self._fits(self._document.timexes, links)

    @cached_property
    def _known(self) -> frozenset[tuple[str, ...]]:
        return frozenset(map(self._name_real, self._result.conflicts))

    def _name_real(self, conflict: Conflict) -> tuple[str, ...]:
        """Name the links of a contradiction that the document has itself."""
        return tuple(link for link in conflict.minimal if link in self._own)

    @cached_property
    def _own(self) -> frozenset[str]:
        return frozenset(link.id for link in self._real)

    def _take(self, times: Sequence[Timex], ends: Collection[str] | None = None) -> Document:
        """Give the document with these times and without its calendar.

        ``ends`` are the other nodes that it has; without it, all.
        """
        document = self._document
        first = {time.id: time for time in reversed(times)}
        known = {*first, *document.index} if ends is None else {*first, *ends}
        numbers = sorted(document.index[name] for name in known if name in document.index)
        every = (document.nodes[number] for number in numbers)
        nodes = tuple(first.get(one.id, one) if isinstance(one, Timex) else one for one in every)
        index = {node.id: number for number, node in enumerate(nodes)}
        return document.replace(timexes=tuple(times), nodes=nodes, index=index, links=self._real)

    def _fits(self, times: Sequence[Timex], links: Sequence[Link]) -> bool:
        """Whether some links agree with each other and with the values of some times."""
        self._work -= _TRY + len(self._real) + len(times)
        options = self._options
        ends = {end for link in links for end in (link.source, link.target) if end}
        dated, _ = add_calendar(self._take(times, ends), options.times)
        calendar = dated.links[len(self._real) :]
        few = dated.replace(links=(*links, *calendar))
        return run_steps(build_graph(few, options.kinds, options.times)).consistent


def _read(value: str) -> re.Match[str] | None:
    """Find the fields of a value."""
    value = value.strip()
    return _FIELDS.fullmatch(value) if len(value) <= _LONGEST else None
