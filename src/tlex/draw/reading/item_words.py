"""The words of an item: its phrase, what is known of when it was, and how far it is a fact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tlex.draw.reading.calendar_sections import Span, name_span, widen
from tlex.draw.reading.kinds import list_marks
from tlex.draw.reading.parts import Group, Item, Note, Phrase
from tlex.draw.reading.phrases import LONGEST, find_phrase
from tlex.draw.reading.precedence import Precedence
from tlex.nouns import Timex
from tlex.result import Extraction
from tlex.timex import OPEN
from tlex.wording import clean, shorten, shorten_id

__all__ = ["Bounds", "ItemWords", "list_notes"]

Bounds = dict[int, tuple[list[int], list[int]]]
"""By timeline: the earliest and the latest place of each compound, if the calendar knows any."""

_BRIEF = 44
"""Characters of a phrase that is cut short."""

_NOTES = 2
"""How many events before an item, and how many after it, are named."""


class ItemWords:
    """Describes the nodes of a result for the reading view."""

    def __init__(self, result: Extraction, bounds: Bounds) -> None:
        self.result = result
        self.nodes = result.nodes
        self.owner = result.components.component_of
        self.bounds = bounds
        self.earliest, self.latest, self.compound = result.components.place_points()

    def describe(  # noqa: PLR0913 -- one argument a field
        self,
        number: int,
        *,
        heading: Group | None = None,
        notes: tuple[Note, ...] = (),
        told_by: tuple[int, ...] = (),
        reports: bool = False,
        future: bool = False,
        claimed_by: Sequence[int] = (),
    ) -> Item:
        """Describe a node that stands below a heading."""
        node = self.nodes[number]
        return Item(
            node=number,
            id=node.id,
            kind=node.kind,
            phrase=self._find_phrase(number),
            factuality=node.factuality,
            when=self._say_when(number, heading),
            marks=tuple(
                list_marks(
                    node.factuality,
                    future=future or self._is_future(number),
                    claimed_by=" and ".join(dict.fromkeys(map(self.quote, claimed_by))),
                )
            ),
            notes=notes,
            told_by=told_by,
            reports=reports,
            details=self._list_details(number),
        )

    def quote(self, number: int) -> str:
        """Give the words of a node in quotation marks; its id if it has none."""
        node = self.nodes[number]
        return clean(f"\u201c{shorten(node.text)}\u201d" if node.text else shorten_id(node.id))

    def quote_id(self, name: str) -> str:
        """Give the words of the node with an id in quotation marks."""
        number = self.result.document.index.get(name)
        return clean(shorten_id(name)) if number is None else self.quote(number)

    def cut_phrase(self, number: int) -> Phrase:
        """Give the phrase of a node with few words around its own."""
        phrase = self._find_phrase(number, _BRIEF)
        return replace(phrase, after=phrase.after.rstrip(' ."\u201d'))

    def find_spans(self, number: int) -> tuple[Span, Span]:
        """Find the places between which a node begins, and those between which it ends."""
        bounds = self.bounds.get(self.owner[number])
        ends = self.compound[2 * number], self.compound[2 * number + 1]
        if bounds is None or ends[0] is None or ends[1] is None:
            return (-OPEN, OPEN), (-OPEN, OPEN)
        lower, upper = bounds
        return (lower[ends[0]], upper[ends[0]]), (lower[ends[1]], upper[ends[1]])

    def has_date(self, number: int) -> bool:
        """Whether a time is dated by the calendar, so that headings stand for it."""
        start, end = self.find_spans(number)
        return start[0] > -OPEN and end[1] < OPEN

    def _is_future(self, number: int) -> bool:
        """Whether the annotation says that an event was still to come."""
        attributes = self.result.document.nodes[number].attributes
        return self.nodes[number].kind == "event" and any(
            attributes.get(key, "").strip().upper() == "FUTURE" for key in ("tense", "time")
        )

    def _find_phrase(self, number: int, wide: int = LONGEST) -> Phrase:
        node = self.result.document.nodes[number]
        if isinstance(node, Timex):
            words = self.nodes[number].text or node.value or node.id
            return Phrase("", clean(shorten(words)), "")
        return find_phrase(self.result.document, node, wide)

    def _say_when(self, number: int, heading: Group | None) -> str:
        """Say what is known of when a node was, beyond what the heading above it says."""
        start, end = self.find_spans(number)
        if heading is None or heading.until is None:
            return ""
        over = widen(end)[1] > heading.until
        words = ""
        if heading.unit == "day":
            whole = name_span(start if over else (start[0], end[1]))
            words = whole.removeprefix("on ").removeprefix(heading.title).lstrip(", ")
            if words == whole or words.startswith(("before ", "from ", "the start of ")):
                words = ""  # no more than the order says
        return f"began {words}".rstrip() if over else words

    def _list_details(self, number: int) -> str:
        """List the facts for those who want them: id, class, steps, timeline, line."""
        node = self.nodes[number]
        facts = [
            clean(shorten_id(node.id)),
            clean(shorten_id(node.type or "")),
            self._say_steps(number),
        ]
        facts.append(f"timeline {self.owner[number]}")
        if node.line is not None:
            facts.append(f"line {node.line}")
        if node.source:
            facts.append(clean(shorten_id(node.source)))
        return ", ".join(filter(None, facts))

    def _say_steps(self, number: int) -> str:
        points = 2 * number, 2 * number + 1
        first, last = self.earliest[points[0]], self.earliest[points[1]]
        if first is None or last is None:
            return ""
        slack = max((self.latest[point] or 0) - (self.earliest[point] or 0) for point in points)
        steps = f"step {first}" if first == last else f"steps {first} to {last}"
        return f"{steps}, slack {slack}" if slack else steps


def list_notes(order: Precedence, node: int, near: frozenset[int]) -> Iterator[Note]:
    """List the nearest events that begin before and after a node, without those that are near."""
    number = order.start[node]
    for other in order.list_before(number, _NOTES):
        if other not in near:
            known = order.ends_before(other, node)
            yield Note("after" if known else "begins after the start of", other)
    for other in order.list_after(number, _NOTES):
        if other not in near:
            known = order.ends_before(node, other)
            yield Note("before" if known else "begins before", other)
