"""Laying out the reading view of a result: what stands below what, and in which words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from msgspec.structs import replace

from tlex.caching import cached_property
from tlex.conflicts.text_order import is_creation_time
from tlex.draw.reading.arrangement import arrange
from tlex.draw.reading.calendar_sections import divide
from tlex.draw.reading.glance import find_first, find_kinds
from tlex.draw.reading.item_words import Bounds, ItemWords, list_notes
from tlex.draw.reading.kinds import HAPPENED, say_what_is_told
from tlex.draw.reading.left_out import count_contradictions, list_left_out
from tlex.draw.reading.parts import Box, First, Group, Item, Part, Reading, Row
from tlex.draw.reading.phrases import find_phrase
from tlex.draw.reading.precedence import Precedence
from tlex.draw.reading.summary import find_loose, sum_up
from tlex.draw.reading.titles import add_titles
from tlex.draw.reading.worlds import Branch, find_worlds, name_branch
from tlex.draw.summary import orders
from tlex.points.graphs import Consistent
from tlex.reason.dates import bound_compounds
from tlex.result import Extraction
from tlex.timex import OPEN
from tlex.wording import count

__all__ = ["lay_out_reading", "list_nodes"]

_STORY = -1
_DEEP = 4
"""How many boxes stand in each other; deeper ones stand beside the last."""

_CONDITION = 40
"""Characters of a condition in the title of a box."""


def lay_out_reading(result: Extraction) -> Reading:
    """Lay out the reading view of a result."""
    return _Layout(result).lay_out()


def list_nodes(part: Part) -> list[int]:
    """List the nodes of a part, from top to bottom, without those in boxes."""
    found: list[int] = []
    stack = [part]
    while stack:
        one = stack.pop()
        if isinstance(one, Row):
            found += one.nodes
        else:
            stack += reversed(one.parts)
    return found


class _Layout:
    def __init__(self, result: Extraction) -> None:
        self.result = result
        self.nodes = result.nodes
        self.components = result.components
        self.owner = result.components.component_of
        self.worlds = find_worlds(result)
        self.branches = self.worlds.branches
        self.home = {w: n for n, branch in enumerate(self.branches) for w in branch.worlds}
        self.words = ItemWords(result, _find_bounds(result))
        self.items: dict[int, Item] = {}
        self.future: set[int] = set()
        self.tellers = {one for many in self.worlds.told_by.values() for one in many}
        self.anchors = {branch.source for branch in self.branches}
        self.folded = self._find_folded()

    def lay_out(self) -> Reading:
        """Lay out everything."""
        inside: dict[int, list[int]] = {}  # the nodes of the story and of each box
        silent = 0
        for number, node in enumerate(self.nodes):
            if number in self.folded:
                self.items[number] = self.words.describe(number)
            elif node.kind == "event" or number in self.anchors or self._has_row(number):
                inside.setdefault(self.home.get(node.world, _STORY), []).append(number)
            else:
                silent += self._is_alone(number)
        story = self._lay_out_story(inside.get(_STORY, []))
        boxes = self._hang_boxes(inside)
        events = {number for number, node in enumerate(self.nodes) if node.kind == "event"}
        items = [self.items[node] for node in self._list_all(story)]
        told = [self.items[node] for group in story for node in list_nodes(group)]
        happened = [*told, *(self.items[one] for item in told for one in item.told_by)]
        loose = find_loose((*story, *boxes), events)
        return Reading(
            name=self.result.document.name,
            summary=sum_up(self.result, self.words, len(loose)),
            groups=tuple(story),
            items=self.items,
            first=self._find_first(happened, items),
            kinds=find_kinds(items, loose, self.words.cut_phrase),
            left_out=tuple(list_left_out(self.result, self.words)),
            contradictions=count_contradictions(self.result) if self.result.repair else "",
            silent=silent,
        )

    def _find_first(self, happened: Iterable[Item], shown: Iterable[Item]) -> First | None:
        first = find_first(happened, self.components, self.words.find_spans)
        if first is None:
            return None
        links = (self.result.document.links[number] for number in self.result.repair)
        doubted = {end for link in links for end in (link.source, link.target)}
        start = self.words.find_spans(first.node)[0]
        unsure = sum(
            item.kind == "event"
            and item.look not in HAPPENED
            and self.words.find_spans(item.node)[0][1] < start[0]
            for item in shown
        )
        return replace(first, unsure=unsure, doubted=self.nodes[first.node].id in doubted)

    def _list_all(self, groups: Iterable[Group]) -> list[int]:
        """List all that is shown, from top to bottom: boxes and folded verbs too."""
        found: list[int] = []
        stack = [node for group in groups for node in list_nodes(group)][::-1]
        while stack:
            node = stack.pop()
            found.append(node)
            item = self.items[node]
            inside = [one for box in item.boxes for one in list_nodes(box.group)]
            stack += reversed(inside)
            found += item.told_by
        return list(dict.fromkeys(found))

    def _has_row(self, number: int) -> bool:
        """Whether a time has a row: no heading stands for it, and something is known of it."""
        return not self._is_alone(number) and not self.words.has_date(number)

    def _is_alone(self, number: int) -> bool:
        return len(self.components.members[self.owner[number]]) == 1

    def _find_folded(self) -> set[int]:
        """Find the reporting verbs that are shown only as marks of what they tell.

        Verbs that introduce a box, and those that others tell, keep their rows.
        """
        return {one for one in self.tellers - self.anchors if one not in self.worlds.told_by}

    def _lay_out_story(self, shown: list[int]) -> list[Group]:
        """Lay out the story: a group for each timeline, and one for all that stand alone.

        An event that is alone on a timeline with dates is a story too.
        """
        by_timeline: dict[int, list[int]] = {}
        for number in shown:
            by_timeline.setdefault(self.owner[number], []).append(number)
        ordered = sorted(by_timeline.items(), key=lambda pair: (-len(pair[1]), pair[0]))
        alone: list[int] = []
        groups: list[Group] = []
        for timeline, nodes in ordered:
            if len(nodes) == 1 and timeline not in self.words.bounds:
                alone += nodes
            else:
                title = "apart from the above: no order to it is known" if groups else ""
                groups.append(self._lay_out_timeline(timeline, nodes, title))
        if alone:
            groups.append(self._lay_out_alone(sorted(alone), first=not groups))
        return groups

    def _lay_out_timeline(self, timeline: int, nodes: list[int], title: str = "") -> Group:
        """Lay out nodes of one timeline; with a title they stand apart."""
        details = self._describe_timeline(timeline)
        component = self.components[timeline]
        if isinstance(component, Consistent):
            order = Precedence(component, nodes)
            self.future.update(self._find_future(component, order))
            parts = self._arrange(order, nodes, timeline)
            group = Group(order="known", parts=parts, settled=not title, title=title)
        else:
            parts = tuple(Row(nodes=(node,)) for node in nodes)
            self._describe(parts, None)
            title = "their links contradict each other, so that no order is known"
            group = Group(order="partly", parts=parts, settled=False, title=title)
        return replace(add_titles(group, self.words.quote), details=details)

    def _find_future(self, component: Consistent, order: Precedence) -> Iterator[int]:
        """Find the events that are known to begin after the creation time of their document."""
        nodes = self.result.document.nodes
        place = {member: number for number, member in enumerate(component.members)}
        written = {
            self.nodes[member].source: component.graph.compound[2 * place[member] + 1]
            for member in component.members
            if is_creation_time(nodes[member])
        }
        for node, start in order.start.items():
            end = written.get(self.nodes[node].source)
            if end is not None and self.nodes[node].kind == "event" and order.precedes(end, start):
                yield node

    def _lay_out_alone(self, nodes: list[int], *, first: bool) -> Group:
        """Lay out events that stand alone on their timelines."""
        parts = tuple(Row(nodes=(node,)) for node in nodes)
        self._describe(parts, None)
        if len(nodes) == 1:
            title = "" if first else "not known when"
            return Group(order="known", parts=parts, settled=first, title=title)
        group = Group(order="unknown", parts=parts, settled=first, title="not known when")
        return add_titles(group, self.words.quote)

    def _arrange(self, order: Precedence, nodes: list[int], timeline: int) -> tuple[Part, ...]:
        bounds = self.words.bounds.get(timeline)
        if bounds is None:
            parts = arrange(order, nodes)
        else:
            lower, upper = bounds
            starts = {node: order.start[node] for node in nodes}
            spans = {node: (lower[start], upper[start]) for node, start in starts.items()}
            parts = divide(spans, partial(arrange, order), order.all_precede)
        self._describe(parts, order)
        return parts

    def _describe(self, parts: tuple[Part, ...], order: Precedence | None) -> None:
        """Describe the items of parts. Those that stand loose have notes of what is known."""
        stack: list[tuple[Part, Group | None, frozenset[int] | None]]
        stack = [(part, None, None) for part in parts]
        while stack:
            part, heading, near = stack.pop()
            if isinstance(part, Group):
                heading = part if part.unit else heading
                if not part.settled or part.order == "partly":
                    own = [] if part.order == "partly" else list_nodes(part)
                    ends = (end for end in (part.after, part.before) if end is not None)
                    near = frozenset((*own, *ends))
                stack += [(inner, heading, near) for inner in part.parts]
                continue
            for node in part.nodes:
                known = () if near is None or order is None else list_notes(order, node, near)
                told_by = self.worlds.told_by.get(node, ())
                self.items[node] = self.words.describe(
                    node,
                    heading=heading,
                    notes=tuple(known),
                    told_by=tuple(one for one in told_by if one in self.folded),
                    reports=node in self.tellers,
                    future=node in self.future,
                    claimed_by=self.worlds.claimed_by.get(node, ()),
                )

    def _hang_boxes(self, inside: dict[int, list[int]]) -> list[Group]:
        """Lay out the boxes and hang each from its event; give their groups."""
        depth, anchor = self._find_anchors()
        groups = []
        hanging: dict[int, list[Box]] = {}
        for number, branch in enumerate(self.branches):
            nodes = inside.get(number)
            if nodes:
                group = self._lay_out_timeline(self.owner[nodes[0]], nodes)
                groups.append(group)
                box = Box(
                    title=self._name_branch(branch, nodes),
                    source=branch.source,
                    depth=depth[number],
                    group=group,
                )
                hanging.setdefault(anchor[number], []).append(box)
        for node, boxes in hanging.items():
            self.items[node] = replace(self.items[node], boxes=tuple(boxes))
        return groups

    def _find_anchors(self) -> tuple[list[int], list[int]]:
        """Find how deep each box stands, and below which event; outer boxes come first."""
        depth: list[int] = []
        anchor: list[int] = []
        for branch in self.branches:
            outer = self.home.get(self.nodes[branch.source].world, _STORY)
            deep = 1 if outer == _STORY else depth[outer] + 1
            depth.append(min(deep, _DEEP))
            anchor.append(branch.source if deep <= _DEEP else anchor[outer])
        return depth, anchor

    def _name_branch(self, branch: Branch, nodes: list[int]) -> str:
        conditions = [one for node in nodes for one in self._conditions.get(node, ())]
        return name_branch(
            branch.links,
            say_what_is_told(self.items[node] for node in nodes),
            self.words.quote_id,
            map(self._quote_phrase, conditions),
        )

    def _quote_phrase(self, name: str) -> str:
        phrase = find_phrase(self.result.document, self.result.document.node(name), _CONDITION)
        before = phrase.before.rpartition(" if ")[2]
        return f"\u201c{before}{phrase.words}{phrase.after.rstrip('.')}\u201d"

    @cached_property
    def _conditions(self) -> dict[int, list[str]]:
        """By event: the other events on which it depends, by the CONDITIONAL SLINKs."""
        index = self.result.document.index
        found: dict[int, list[str]] = {}
        for _, label, source, target in self.result.document.slinks:
            if label == "CONDITIONAL" and source in index and target in index and source != target:
                found.setdefault(index[target], []).append(source)
        return found

    def _describe_timeline(self, timeline: int) -> str:
        """Say for those who want it how long a timeline is, and how many orders are possible."""
        found = self.result.timelines[timeline]
        facts = [f"timeline {timeline} ({found.role})"]
        if found.length is not None:
            facts.append(count(found.length, "step"))
        if found.sections and found.scenarios is not None:
            facts.append(orders(found.scenarios))
        return ", ".join(facts)


def _find_bounds(result: Extraction) -> Bounds:
    """Give the places between which the compounds of each dated timeline are."""
    if not result.options.calendar:
        return {}
    owner = result.components.component_of
    found = bound_compounds(result.document, result.components, result.options.times)
    return {
        owner[component.members[0]]: (
            [-OPEN if place <= -OPEN + 1 else place for place in lower],
            [OPEN if place >= OPEN - 1 else place for place in upper],
        )
        for component, lower, upper in found
    }
