"""The first glance at a reading view: what came first, and what is not certain or only claimed.

*First* is about the story itself, without what stands in boxes, and about the events that happened,
as far as the text says: facts and events that are only claimed, without those that had not happened
yet. It names one that no other is known to begin before: the one with the earliest date, or else
the one that most others are known to follow. The others without a known order to it are counted.
All work is linear in the graph, but for the search of a few candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from tlex.components import Components
from tlex.draw.reading.calendar_sections import Span, name_span, widen
from tlex.draw.reading.kinds import HAPPENED, KINDS, LOOSE
from tlex.draw.reading.parts import First, Item, Kind, Phrase
from tlex.points.graphs import Consistent

__all__ = ["find_first", "find_kinds"]

_TRIED = 24
"""How many candidates for the first event are looked at."""

_SHOWN = 3
"""How many events of each kind are named."""

_ALWAYS = frozenset({"open", "told"})
"""The kinds that have a row even if there is no such event."""


def find_kinds(
    items: Iterable[Item], loose: Collection[int], cut: Callable[[int], Phrase]
) -> tuple[Kind, ...]:
    """Collect the events of each kind: those that are ``loose``, and those with its mark.

    Items come from top to bottom, and so do the events of each kind. ``cut`` gives the short phrase
    of a node.
    """
    events = [item for item in items if item.kind == "event"]
    found: dict[str, list[int]] = {look: [] for look in KINDS}
    found[LOOSE] += (item.node for item in events if item.node in loose)
    for item in events:
        for mark in item.marks:
            found[mark.look].append(item.node)
    return tuple(
        Kind(look, KINDS[look], tuple(nodes), tuple(map(cut, nodes[:_SHOWN])))
        for look, nodes in found.items()
        if nodes or (events and look in _ALWAYS)
    )


def find_first(
    items: Iterable[Item], components: Components, spans_of: Callable[[int], tuple[Span, Span]]
) -> First | None:
    """Find the event of some that came first, as far as that is known.

    An item may come more than once. ``spans_of`` gives the places of the calendar between which an
    event begins, and those between which it ends.
    """
    happened = {item.node: None for item in items if item.kind == "event" and item.look in HAPPENED}

    def span_of(node: int) -> Span:
        return spans_of(node)[0]

    owner = components.component_of
    by_timeline: dict[int, list[int]] = {}
    for node in happened:
        by_timeline.setdefault(owner[node], []).append(node)
    orders = {
        timeline: _Order(component, nodes)
        for timeline, nodes in by_timeline.items()
        if isinstance(component := components[timeline], Consistent)
    }
    lowest = [node for order in orders.values() for node in order.find_lowest()]
    lowest.sort(key=lambda node: (span_of(node)[1], -len(by_timeline[owner[node]]), node))
    best: tuple[int, int, int] | None = None
    for node in lowest[:_TRIED]:
        last = span_of(node)[1]
        later = orders[owner[node]].find_later(node)
        later.update(one for one in by_timeline[owner[node]] if span_of(one)[0] > last)
        found = last, -len(later), node
        best = found if best is None else min(best, found)
    if best is None:
        return None
    _, later_count, node = best
    return First(node, _say_when(*spans_of(node)), len(happened) + later_count)


def _say_when(start: Span, end: Span) -> str:
    """Say when an event was, or when it began if its end may be later than that."""
    when = name_span(start)
    return when if when and widen(end)[1] <= widen(start)[1] else f"began {when}".rstrip()


class _Order:
    """Some events of a timeline, by the compounds of their starts."""

    def __init__(self, component: Consistent, nodes: list[int]) -> None:
        place = {member: number for number, member in enumerate(component.members)}
        compound = component.graph.compound
        self.successors = component.graph.successors
        self.earliest = component.steps.earliest
        self.start = {node: compound[2 * place[node]] for node in nodes}
        self.nodes: dict[int, list[int]] = {}
        for node, start in self.start.items():
            self.nodes.setdefault(start, []).append(node)

    def find_lowest(self) -> list[int]:
        """Find the first node of each start that no other is known to precede."""
        behind: set[int] = set()
        for one in sorted(range(len(self.earliest)), key=self.earliest.__getitem__):
            if one in behind or one in self.nodes:
                behind.update(self.successors[one])
        return [nodes[0] for start, nodes in self.nodes.items() if start not in behind]

    def find_later(self, node: int) -> set[int]:
        """Find the nodes that are known to begin with a node, or later."""
        seen = {self.start[node]}
        stack = [*seen]
        while stack:
            for one in self.successors[stack.pop()]:
                if one not in seen:
                    seen.add(one)
                    stack.append(one)
        return {one for start in seen for one in self.nodes.get(start, ())}
