"""A result as text: for a terminal, a log or a doctest.

A timeline is a list of its steps, from top to bottom. A branch is indented below the event from
which it hangs, a section of unknown order has a bar at its left side, and a contradiction shows its
links in words. A line stands where a year, month or day begins, and where undated steps begin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tlex.answer_text import conflict_headline
from tlex.arguments import require_number
from tlex.date_words import say_date
from tlex.document import Document
from tlex.draw.options import take_result
from tlex.draw.summary import facts, orders
from tlex.nouns import Link
from tlex.records import Conflict, Connection, DateRange, NodeRecord
from tlex.result import Extraction
from tlex.timeline import Timeline
from tlex.wording import clean, count, measure, plain, shorten

if TYPE_CHECKING:
    from tlex.draw.date_axis import DateAxis

__all__ = ["text"]

_STYLES = {"title": "1", "bad": "31", "open": "33", "branch": "36", "date": "32", "dim": "2"}
_GLYPHS = {"top": "┌", "bar": "│", "foot": "└", "line": "─", "dots": "…", "hang": "└─"}
_ASCII = {"top": "+", "bar": "|", "foot": "+", "line": "-", "dots": "...", "hang": "`-"}
_EN_DASH = "\u2013"
_NARROWEST = 40
_LABELS = ("words", "ids", "both")
_UNDATED = "undated"
_BRANCH = 6
_MOST = 100
"""The most contradictions of a timeline, and links or steps of a contradiction, that are shown."""


def text(
    result: Extraction | Document,
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    labels: str = "both",
) -> str:
    """Draw a result as text, for a terminal or a log.

    Parameters
    ----------
    result : Extraction or Document
        What `tlex.extract` gave, or a document, which is extracted with ``calendar=True`` and
        ``mend=True``.
    width : int
        The columns of a line, as far as the words allow.
    colour : bool
        Use the colours of a terminal.
    ascii_only : bool
        Do without box-drawing characters.
    labels : str
        How events and times are named: by ``"words"``, ``"ids"`` or ``"both"``.

    Returns
    -------
    str
        The lines, without a line end behind the last.

    Raises
    ------
    OptionError
        If neither is given, or a wrong option.

    Examples
    --------
    >>> import tlex
    >>> print(tlex.draw.text(tlex.extract(tlex.from_links([("fell", "BEFORE", "broke")]))))
    <links>: consistent
    2 events and times, 1 trunk timeline, 0 branches, 0 sections of unknown order
    <BLANKLINE>
    trunk (timeline 0): 2 events and times, 4 steps
        1   begin fell
        2   end   fell
        3   begin broke
        4   end   broke

    See Also
    --------
    tlex.draw.svg : a picture.
    """
    result = take_result(result, labels, _LABELS)
    require_number("width", width, 0)
    drawing = _Drawing(result, width, colour=colour, ascii_only=ascii_only, labels=labels)
    return "\n".join(drawing.lines())


_Branch = tuple[str, Timeline]
"""A branch, and the bar of the section that it hangs in: a blank if it is in none."""


class _Drawing:
    def __init__(
        self, result: Extraction, width: int, *, colour: bool, ascii_only: bool, labels: str
    ) -> None:
        self.result = result
        self.width = max(width, _NARROWEST)
        self.labels = labels
        self.colour = colour
        self.ascii_only = ascii_only
        self.glyph = _ASCII if ascii_only else _GLYPHS
        self.nodes = {node.id: node for node in result.nodes}
        self.links = {link.id: link for link in result.document.links}
        self.axes = _find_axes(result)
        self.apart = _find_apart(result)
        self.indent = 0
        self.shown: set[int] = set()
        self.conflicts: dict[int, list[Conflict]] = {}
        for conflict in result.conflicts:
            self.conflicts.setdefault(conflict.timeline, []).append(conflict)
        self.leaving: dict[str, list[Connection]] = {}
        for connection in result.connections:
            self.leaving.setdefault(connection.source, []).append(connection)

    def lines(self) -> Iterator[str]:
        """Give the whole drawing, line by line."""
        yield from self._heading()
        alone = []
        for timeline in self.result.trunk:
            if self._is_bare(timeline):
                alone.append(timeline)
                continue
            self.shown.add(timeline.id)
            yield ""
            yield from self._title("trunk", timeline)
            yield from self._unfold(timeline)
        if alone:
            self.shown.update(timeline.id for timeline in alone)
            yield ""
            yield self._paint("title", "trunk, linked to nothing else")
            yield from self._wrap("  ", [self._name(t.intervals[0]) for t in alone])
        for timeline in self.result.timelines:
            if timeline.id not in self.shown:
                self.shown.add(timeline.id)
                yield ""
                yield from self._title(timeline.role, timeline)
                yield from self._unfold(timeline)
        yield from self._problems()

    def _heading(self) -> Iterator[str]:
        result = self.result
        verdict = (
            self._paint("title", "consistent")
            if result.consistent
            else self._paint("bad", "contradictory")
        )
        yield f"{clean(result.document.name)}: {verdict}"
        yield from self._wrap("", facts(result))
        if result.mended:
            yield self._paint("bad", "left out to mend the contradictions:")
            for link in result.mended[:_MOST]:
                yield from self._link(self.links[link])
            if len(result.mended) > _MOST:
                yield f"    and {count(len(result.mended) - _MOST, 'more link')}"

    def _title(self, place: str, timeline: Timeline) -> Iterator[str]:
        found = (
            f"{timeline.length} steps"
            if timeline.consistent
            else self._paint("bad", "contradictory, so it has no steps")
        )
        size = count(len(timeline.intervals), "event or time", "events and times")
        head = self._paint("title", f"{place} (timeline {timeline.id})")
        return self._wrap(f"{head}: ", [size, found], " " * 4)

    def _unfold(self, timeline: Timeline) -> Iterator[str]:
        """Draw a timeline and everything that hangs from it, with a stack instead of recursion."""
        stack = [(0, "", self._timeline(timeline))]
        while stack:
            indent, margin, items = stack[-1]
            self.indent = indent
            item = next(items, None)
            if item is None:
                stack.pop()
            elif isinstance(item, str):
                yield margin + item
            else:
                bar, branch = item
                # Even with deep nesting, lines keep a readable width.
                step = _BRANCH if self.width > 2 * _NARROWEST - 20 else 2
                deeper = min(indent + step, max(self.width - _NARROWEST, self.width // 4))
                if deeper > indent:
                    margin += bar + " " * (deeper - indent - 1)
                stack.append((deeper, margin, self._timeline(branch)))
        self.indent = 0

    def _timeline(self, timeline: Timeline) -> Iterator[str | _Branch]:
        """Give the lines of one timeline, and among them the branches to be drawn there."""
        if not timeline.consistent:
            conflicts = self.conflicts[timeline.id]
            for conflict in conflicts[:_MOST]:
                yield from self._conflict(conflict)
            if len(conflicts) > _MOST:
                more = count(len(conflicts) - _MOST, "more contradiction")
                yield self._paint("bad", f"  and {more}, which --json lists")
            for name in timeline.intervals:
                if name in self.leaving:
                    yield f"  {self._name(name)}"
                    yield from self._branches(name)
            return
        if len(timeline.intervals) == 1 and timeline.role == "branch":
            yield from self._branches(timeline.intervals[0])  # the connector has named it
            return
        groups = _by_step(timeline)
        dates = _list_dates(self.axes.get(timeline.id))
        starts = {section.first: section for section in timeline.sections}
        ends = {section.last for section in timeline.sections}
        inside = False
        for step in sorted(groups):
            if step in starts:
                inside = True
                open_orders = orders(timeline.count_scenarios(section=starts[step]))
                points = count(len(starts[step].points), "point")
                label = f" order unknown: {points}, {open_orders}"
                yield self._paint("open", f"{self.glyph['top']}{self.glyph['line']}{label}")
            bar = self._paint("open", self.glyph["bar"]) if inside else " "
            for date in dates.get(step, ()):
                yield bar + self._paint("date", f"{self.glyph['line'] * 3} {date}")
            for place, compound in enumerate(groups[step]):
                yield from self._compound(bar, f"{step:>4}" if not place else "", compound)
            if step in ends:
                inside = False
                yield self._paint("open", self.glyph["foot"] + self.glyph["line"])

    def _compound(self, bar: str, label: str, points: list[str]) -> Iterator[str | _Branch]:
        """Give the points of one compound: what ends, what begins, and its branches."""
        ending = [point[:-1] for point in points if point.endswith("+")]
        beginning = [point[:-1] for point in points if point.endswith("-")]
        first = True
        for word, names in (("end  ", ending), ("begin", beginning)):
            if names:
                head = f"{bar}{label if first else '':>4} {' ' if first else '='} {word} "
                indent = f"{bar}{'':{measure(plain(head)) - 1}}"
                room = [self._name(name, full=word == "begin") for name in names]
                yield from self._wrap(head, room, indent)
                first = False
        for name in beginning:
            yield from self._branches(name, bar)

    def _branches(self, name: str, bar: str = " ") -> Iterator[str | _Branch]:
        """Give the SLINKs that leave an event, grouped by the timeline to which they lead."""
        by_timeline: dict[int, list[Connection]] = {}
        for connection in self.leaving.get(name, ()):
            by_timeline.setdefault(connection.target_timeline, []).append(connection)
        for number, connections in by_timeline.items():
            timeline = self.result.timelines[number]
            links = [
                f"{self._paint('branch', clean(c.type or 'SLINK'))} "
                f"{self._paint('dim', f'({clean(c.link)})')} to {self._name(c.target, full=True)}"
                for c in connections
            ]
            new = number not in self.shown and not timeline.main
            if not new:
                links.append(f"on timeline {number}")
            elif len(timeline.intervals) > 1:
                branch = f"branch (timeline {number})"
                steps = f"{branch} of {timeline.length} steps"
                links.append(steps if timeline.consistent else f"contradictory {branch}")
            yield from self._wrap(f"{bar}     {self.glyph['hang']} ", links, f"{bar}        ")
            if new:
                self.shown.add(number)
                yield bar, timeline

    def _conflict(self, conflict: Conflict) -> Iterator[str]:
        many = len(conflict.minimal)
        says = conflict_headline(conflict)
        yield self._paint("bad", f"  contradiction {conflict.number}: {says}:")
        for link in conflict.minimal[:_MOST]:
            yield from self._link(self.links[link])
        if many > _MOST:
            yield f"    and {count(many - _MOST, 'more link')}"
        walk = [self._point(conflict.walk[0].left)]
        walk += [f"{step.order} {self._point(step.right)}" for step in conflict.walk[:_MOST]]
        if len(conflict.walk) > _MOST:
            walk.append(f"and so on for {count(len(conflict.walk) - _MOST, 'more step')}")
        yield from self._wrap("    because ", walk, " " * 12, joint=" ")

    def _link(self, link: Link) -> Iterator[str]:
        line, _ = self.result.document.position(link.byte_start)
        where = "" if line is None else f", line {line}"
        if link.kind == "CALENDAR":
            where = f": {clean(link.attributes['words'])}"
        ends = [self._name(end or "?") for end in (link.source, link.target)]
        words = [ends[0], clean(link.type or "?"), ends[1] + self._paint("dim", where)]
        yield from self._wrap(f"    {clean(link.id):<4} ", words, " " * 9, joint=" ")

    def _problems(self) -> Iterator[str]:
        diagnostics = self.result.diagnostics
        if not diagnostics:
            return
        yield ""
        yield self._paint("title", count(len(diagnostics), "problem") + " in the document")
        for problem in diagnostics:
            place = "" if problem.line is None else f"{problem.line}:{problem.column} "
            place = f"{clean(problem.source)}:{place}" if problem.source else place
            message = f"{problem.message}; {problem.hint}" if problem.hint else problem.message
            head = f"  {place}{problem.code} "
            yield from self._wrap(head, clean(message).split(), " " * 4, joint=" ")

    def _is_bare(self, timeline: Timeline) -> bool:
        """Whether a timeline is a single interval from which nothing hangs."""
        return (
            timeline.consistent
            and len(timeline.intervals) == 1
            and timeline.intervals[0] not in self.leaving
        )

    def _name(self, name: str, *, full: bool = False) -> str:
        """Name a node; ``full`` adds its value, branch, factuality if not factual, and date."""
        node = self.nodes.get(name)
        words = self._words(node)
        remarks = [clean(name)] if words and self.labels == "both" else []
        if full and node is not None:
            remarks += [clean(node.value)] if node.value else []
            remarks += ["branch"] if name in self.apart else []
            remarks += [node.factuality] if node.factuality != "factual" else []
            remarks = [", ".join(remarks)] if remarks else []
            if node.date and not (node.value or "")[:1].isdigit():  # such a value is the date
                remarks.append(self._date(node.date))
        shown = f"({'; '.join(remarks)})"
        said = words or clean(name)
        return f"{said} {self._paint('dim', shown)}" if remarks else said

    def _date(self, date: DateRange) -> str:
        said = say_date(date.after, date.before, short=True)
        return said.replace(_EN_DASH, "-") if self.ascii_only else said

    def _point(self, point: str) -> str:
        name, end = point[:-1], "begins" if point.endswith("-") else "ends"
        return f"{self._words(self.nodes.get(name)) or clean(name)} {end}"

    def _words(self, node: NodeRecord | None) -> str:
        if node is None or self.labels == "ids":
            return ""
        return shorten(clean(node.text), dots=self.glyph["dots"])

    def _paint(self, style: str, words: str) -> str:
        return f"\x1b[{_STYLES[style]}m{words}\x1b[0m" if self.colour and words else words

    def _wrap(
        self, head: str, items: Iterable[str], indent: str | None = None, joint: str = ", "
    ) -> Iterator[str]:
        """Wrap items into lines behind a head; an item is split only if no line has room for it."""
        behind = " " * measure(plain(head)) if indent is None else indent
        room = self.width - self.indent - 1
        widest = room - measure(plain(behind))
        line, between = head, ""
        used = measure(plain(head))
        for item in items:
            wide = measure(plain(item)) > widest
            for piece in item.split(" ") if wide else [item]:
                size = measure(plain(piece))
                if between and used + measure(between) + size > room:
                    yield line + between.rstrip()
                    line, between = behind, ""
                    used = measure(plain(line))
                line += between + piece
                used += measure(between) + size
                between = " "
            between = joint
        yield line


def _find_axes(result: Extraction) -> dict[int, DateAxis]:
    if not result.options.calendar:
        return {}
    from tlex.draw.date_axis import find_date_axes  # noqa: PLC0415 -- not light

    return find_date_axes(result)


def _find_apart(result: Extraction) -> set[str]:
    """Find the nodes of branches that the calendar puts on a main timeline."""
    if not result.options.calendar:
        return set()
    mains = set(result.main_worlds[0])
    nodes = {node.id: node.world for node in result.nodes}
    return {
        name for timeline in result.trunk for name in timeline.intervals if nodes[name] not in mains
    }


def _list_dates(axis: DateAxis | None) -> dict[int, list[str]]:
    """List the dates that begin at each step, and where undated steps begin."""
    dates: dict[int, list[str]] = {}
    free = 1
    for unit in axis.units if axis else ():
        if unit.first > free:
            dates.setdefault(free, []).append(_UNDATED)
        dates.setdefault(unit.first, []).append(unit.words)
        free = unit.last + 1
    if free > 1:
        dates.setdefault(free, []).append(_UNDATED)  # perhaps behind the last step
    for start in axis.starts if axis else ():
        dates.setdefault(start.step, []).append(start.words)
    return dates


def _by_step(timeline: Timeline) -> dict[int, list[list[str]]]:
    """Group the points of each step by compound, in text order."""
    first_of = {point: group[0] for group in timeline.compounds for point in group}
    groups: dict[int, dict[str, list[str]]] = {}
    for point, (step, _) in timeline.points.items():
        groups.setdefault(step, {}).setdefault(first_of.get(point, point), []).append(point)
    return {step: list(compounds.values()) for step, compounds in groups.items()}
