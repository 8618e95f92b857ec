"""The first glance at a reading view: what came first, and which events are no plain facts.

*First* is about the story itself, without what stands in boxes, and about the events that happened,
as far as the text says: facts and reported events that were not still to come. It names one that no
other is known to begin before: the one with the earliest date, or else the one that most others are
known to follow. The others that may be earlier are counted. All work is linear in the graph, but
for the search of a few candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tlex.components import Components
from tlex.draw.reading.calendar_sections import Span, name_span
from tlex.draw.reading.parts import First, Item, Kind, Phrase
from tlex.points.graphs import Consistent

__all__ = ["find_first", "find_kinds", "find_look"]

_TRIED = 24
"""How many candidates for the first event are looked at."""

_SHOWN = 3
"""How many events of each kind are named."""

_HAPPENED = frozenset({"factual", "reported"})
_NOT = frozenset({"negated", "counterfactual"})

_ALWAYS = frozenset({"open", "told"})
"""The kinds that are told even if there is no such event."""

_KINDS = {
    "open": "Not certain whether",
    "future": "Still to come",
    "told": "Only claimed",
    "not": "Did not happen",
}


def find_kinds(items: Iterable[Item], cut: Callable[[int], Phrase]) -> tuple[Kind, ...]:
    """Collect the events that are no plain facts, by what they are instead.

    Items come from top to bottom, and so do the events of each kind. ``cut`` gives the short phrase
    of a node.
    """
    found: dict[str, list[int]] = {look: [] for look in _KINDS}
    shown = list(items)
    if not any(item.kind == "event" for item in shown):
        return ()
    for item in shown:
        look = find_look(item)
        if item.kind == "event" and look in found:
            found[look].append(item.node)
    return tuple(
        Kind(look, _KINDS[look], tuple(nodes), tuple(map(cut, nodes[:_SHOWN])))
        for look, nodes in found.items()
        if nodes or look in _ALWAYS
    )


def find_look(item: Item) -> str:
    """Say how an item looks: *fact*, *told*, *open*, *future* or *not*."""
    if item.factuality in _NOT:
        return "not"
    if item.factuality not in _HAPPENED and not item.claimed:
        return "open"
    if item.future:
        return "future"
    return "fact" if item.factuality == "factual" and not item.claimed else "told"


def find_first(
    items: Iterable[Item], components: Components, span_of: Callable[[int], Span]
) -> First | None:
    """Find the event of some that came first, as far as that is known.

    An item may come more than once. ``span_of`` gives the two places of the calendar between which
    an event begins.
    """
    happened = {
        item.node: None
        for item in items
        if item.kind == "event" and item.factuality in _HAPPENED and not item.future
    }
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
    return First(node, name_span(span_of(node)), len(happened) + later_count)


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
