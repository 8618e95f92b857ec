"""The one sentence at the top of the reading view."""

from __future__ import annotations

from collections.abc import Iterable

from tlex.date_words import say_date
from tlex.draw.reading.calendar_sections import Span
from tlex.draw.reading.item_words import ItemWords
from tlex.draw.reading.left_out import count_contradictions
from tlex.draw.reading.parts import Group, Part, Row
from tlex.result import Extraction
from tlex.timex import DAY, OPEN, write_instant
from tlex.wording import count

__all__ = ["find_loose", "sum_up"]


def sum_up(result: Extraction, words: ItemWords, loose: int) -> str:
    """Say how many events there are, when they were, and what is not known of them.

    ``loose`` is the number of events of unknown order.
    """
    events = [number for number, node in enumerate(result.nodes) if node.kind == "event"]
    spans = [words.find_spans(number)[0] for number in events]
    dated = [span for span in spans if span[0] > -OPEN and span[1] < OPEN]
    first = count(len(events), "event")
    if dated:
        first += f", {_say_range(spans, min(dated)[0], max(span[1] for span in dated))}"
    said = [first]
    if result.options.calendar and events:
        said.append(f"{len(dated):,} dated" if dated else "none dated")
    if loose:
        said.append(f"the {'place' if loose == 1 else 'order'} of {loose:,} is not known")
    elif len(events) > 1:
        said.append("their order is known")
    left_out = len(result.repair)
    if left_out:
        verb = "contradicts others and was" if left_out == 1 else "contradict others and were"
        said.append(f"{count(left_out, 'link')} {verb} left out")
    elif not result.consistent:
        said.append(count_contradictions(result))
    return f"{'; '.join(said)}."


def find_loose(groups: Iterable[Group], events: set[int]) -> set[int]:
    """Find the events whose order is not known: those that stand loose anywhere."""
    loose: set[int] = set()
    stack: list[tuple[Part, bool]] = [(group, False) for group in groups]
    while stack:
        part, inside = stack.pop()
        if isinstance(part, Row):
            loose.update(events.intersection(part.nodes) if inside else ())
        else:
            apart = inside or not part.settled or part.order != "known"
            stack += [(inner, apart) for inner in part.parts]
    return loose


def _say_range(spans: Iterable[Span], first: int, last: int) -> str:
    """Say from when to when something lasts, in whole days: ``2009 to 22 March 2013``.

    If one of the spans is certainly earlier, so that it has no date of its own, this is said too.
    """
    start, end = first // 4 // DAY, -(-last // 4 // DAY)
    words = say_date(write_instant(4 * DAY * start), write_instant(4 * DAY * max(end, start + 1)))
    earlier = any(span[1] <= 4 * DAY * start + 1 for span in spans)  # the place before it
    if words.startswith("between "):
        words = " to ".join(words.removeprefix("between ").split(" and ", 1))
        return f"from before {words}" if earlier else words
    return f"{words} and before" if earlier else words
