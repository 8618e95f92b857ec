"""Which events of a timeline are known to begin before which: bits, one section at a time.

Events that begin together are one *class*. Two classes have an unknown order only if they stand in
the same section of the timeline (§3.6), so bits are needed inside sections only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tlex.caching import cached_property
from tlex.points.graphs import Consistent

__all__ = ["Precedence", "Stretch"]

LIMIT = 1 << 29
"""The most bits that a section may take; of a larger one nothing is shown."""


class Stretch:
    """The classes of a section: their numbers in order, and as bits what each precedes and follows.

    Bit i stands for the class ``classes[i]``. ``above`` has the same bits by compound.
    """

    def __init__(self, classes: list[int], above: dict[int, int], below: dict[int, int]) -> None:
        self.classes = classes
        self.above = above
        self.place = {number: place for place, number in enumerate(classes)}
        self.follows = [above[number] for number in classes]
        self.precedes = [below[number] for number in classes]


class Precedence:
    """The order in which the events and times of a consistent timeline begin.

    Nodes are given by their numbers in the document. A class is the compound of their starts.
    """

    def __init__(self, component: Consistent, nodes: Iterable[int]) -> None:
        self.component = component
        compound, earliest = component.graph.compound, component.steps.earliest
        place = {member: number for number, member in enumerate(component.members)}
        self.start = {node: compound[2 * place[node]] for node in nodes}
        self.end = {node: compound[2 * place[node] + 1] for node in self.start}
        self.earliest = earliest
        self.members: dict[int, list[int]] = {}
        for node, start in self.start.items():
            self.members.setdefault(start, []).append(node)
        self.section_of_step: dict[int, int] = {}
        for number, section in enumerate(component.unsettled.sections):
            for step in range(section.first, section.last + 1):
                self.section_of_step[step] = number
        self._stretches: dict[int, Stretch | None] = {}
        self._levels: dict[int, list[int]] | None = None

    def section(self, compound: int) -> int:
        """Give the number of the section in which a compound stands; -1 outside of all."""
        return self.section_of_step.get(self.earliest[compound], -1)

    def sort(self, classes: Iterable[int]) -> list[int]:
        """Sort classes by their steps, and then by their first node in the text."""
        return sorted(classes, key=lambda one: (self.earliest[one], self.members[one][0]))

    def stretch(self, section: int) -> Stretch | None:
        """Give the order inside a section; None if it is too large."""
        if section not in self._stretches:
            self._stretches[section] = self._look(section)
        return self._stretches[section]

    def precedes(self, one: int, other: int) -> bool:
        """Whether a compound certainly precedes a class."""
        if one == other or self.earliest[one] >= self.earliest[other]:
            return False
        section = self.section(one)
        if section < 0 or section != self.section(other):
            return True
        stretch = self.stretch(section)
        return stretch is not None and bool(stretch.above[one] >> stretch.place[other] & 1)

    def ends_before(self, node: int, other: int) -> bool:
        """Whether a node certainly ends before another begins, or just when it begins."""
        end, start = self.end[node], self.start[other]
        return end == start or self.precedes(end, start)

    def all_precede(self, ones: Iterable[int], others: Iterable[int]) -> bool:
        """Whether all of some nodes certainly begin before all of others."""
        before = {self.start[node] for node in ones}
        after = {self.start[node] for node in others}
        last = max((self.earliest[one] for one in before), default=0)
        section = self.section_of_step.get(last, -1)
        inside = {one for one in after if self.section(one) == section}
        if any(self.earliest[other] <= last for other in after - inside):
            return False
        if section < 0:
            return all(self.earliest[other] > last for other in inside)
        stretch = self.stretch(section)
        if stretch is None:
            return not inside
        mask = 0
        for one in before:
            if self.section(one) == section:
                mask |= 1 << stretch.place[one]
        return all(not mask & ~stretch.precedes[stretch.place[other]] for other in inside)

    def list_before(self, number: int, most: int) -> list[int]:
        """List nodes of the last classes that precede a class; none of them precedes another."""
        stretch = self._find_stretch(number)
        if stretch is None:
            return self._find_neighbour(number, -1)
        found: list[int] = []
        left = stretch.precedes[stretch.place[number]]
        while left and len(found) < most:
            place = left.bit_length() - 1
            found.append(self.members[stretch.classes[place]][0])
            left &= ~(stretch.precedes[place] | 1 << place)
        return found or self._find_neighbour(stretch.classes[0], -1)

    def list_after(self, number: int, most: int) -> list[int]:
        """List nodes of the first classes that follow a class; none of them follows another."""
        stretch = self._find_stretch(number)
        if stretch is None:
            return self._find_neighbour(number, 1)
        found: list[int] = []
        left = stretch.follows[stretch.place[number]]
        while left and len(found) < most:
            place = (left & -left).bit_length() - 1
            found.append(self.members[stretch.classes[place]][0])
            left &= ~(stretch.follows[place] | 1 << place)
        return found or self._find_neighbour(stretch.classes[-1], 1)

    def _find_stretch(self, number: int) -> Stretch | None:
        section = self.section(number)
        return None if section < 0 else self.stretch(section)

    def _find_neighbour(self, number: int, way: int) -> list[int]:
        """Give a node of the class next to one; none if it is in the same section, too large."""
        place = self._rank[number] + way
        if not 0 <= place < len(self._sorted):
            return []
        other = self._sorted[place]
        if self.section(number) >= 0 and self.section(number) == self.section(other):
            return []
        return [self.members[other][0]]

    @cached_property
    def _sorted(self) -> list[int]:
        return self.sort(self.members)

    @cached_property
    def _rank(self) -> dict[int, int]:
        return {number: place for place, number in enumerate(self._sorted)}

    def _look(self, section: int) -> Stretch | None:
        found = self.component.unsettled.sections[section]
        if self._levels is None:
            self._levels = {}
            for compound, step in enumerate(self.earliest):
                self._levels.setdefault(step, []).append(compound)
        inside = [
            compound
            for step in range(found.first, found.last + 1)
            for compound in self._levels.get(step, ())
        ]
        classes = self.sort(compound for compound in inside if compound in self.members)
        if len(inside) * len(classes) > LIMIT:
            return None
        bit = {number: 1 << place for place, number in enumerate(classes)}
        successors: Sequence[Sequence[int]] = self.component.graph.successors
        above = dict.fromkeys(inside, 0)
        below = dict.fromkeys(inside, 0)
        for compound in reversed(inside):
            for after in successors[compound]:
                if after in above:
                    above[compound] |= above[after] | bit.get(after, 0)
        for compound in inside:
            own = below[compound] | bit.get(compound, 0)
            for after in successors[compound]:
                if after in below:
                    below[after] |= own
        return Stretch(classes, above, below)
