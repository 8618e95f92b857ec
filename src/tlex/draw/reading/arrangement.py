"""How events that begin in a partly known order stand below each other.

A set of classes (see `precedence`) is cut into blocks, as many as there can be, so that everything
in a block begins before everything in the next one. A block of one class is a row. In any other
block some order is unknown:

* no two of its classes have a known order: they stand side by side;
* it falls into strands without any order between them, none with more than half of it: the strands
  stand side by side;
* else a longest chain is put in order. Whatever is known to begin after the neighbour above and
  before the neighbour below stands side by side with its element of the chain. All others stand
  apart, in groups between the two events of the chain that they are known to begin after and
  before. A group stands as late as it can be: just before the latter.

What stands side by side or apart is arranged in the same way, to a small depth. All work is on
integers and bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from tlex.draw.reading.parts import Group, Part, Row
from tlex.draw.reading.precedence import Precedence, Stretch

__all__ = ["arrange"]

_DEEP = 3
"""How deep groups are in each other, at most."""


def arrange(order: Precedence, nodes: Iterable[int]) -> tuple[Part, ...]:
    """Arrange nodes of a timeline: parts of which each begins before the next, if it is settled."""
    shown = frozenset(nodes)
    classes = order.sort({order.start[node] for node in shown})
    return tuple(_Arranger(order, shown).arrange(classes, 0))


class _Arranger:
    def __init__(self, order: Precedence, nodes: frozenset[int]) -> None:
        self.order = order
        self.nodes = nodes

    def arrange(self, classes: list[int], depth: int) -> list[Part]:
        """Arrange sorted classes."""
        blocks: list[list[Part]] = []
        for block in self._cut(classes):
            if len(block) == 1:
                blocks.append([self._row(block[0])])
                continue
            stretch = self.order.stretch(self.order.section(block[0]))
            if stretch is None:
                blocks.append([self._list("partly", block)])
            else:
                blocks.append(self._loosen(stretch, block, depth))
        return list(_bound_blocks(blocks))

    def _row(self, number: int) -> Row:
        nodes = tuple(node for node in self.order.members[number] if node in self.nodes)
        return Row(nodes=nodes, whole=len({self.order.end[node] for node in nodes}) == 1)

    def _list(self, known: str, classes: list[int]) -> Group:
        return Group(order=known, parts=tuple(map(self._row, classes)))

    def _cut(self, classes: list[int]) -> Iterator[list[int]]:
        """Cut sorted classes into blocks of which each begins before the next."""
        first = 0
        while first < len(classes):
            section = self.order.section(classes[first])
            last = first + 1
            while section >= 0 and last < len(classes):
                if self.order.section(classes[last]) != section:
                    break
                last += 1
            inside = classes[first:last]
            stretch = self.order.stretch(section) if section >= 0 and len(inside) > 1 else None
            if stretch is None:
                yield inside
            else:
                yield from _cut_stretch(stretch, inside)
            first = last

    def _loosen(self, stretch: Stretch, block: list[int], depth: int) -> list[Part]:
        """Arrange a block of which some order is unknown."""
        places = [stretch.place[one] for one in block]
        strands = _find_strands(stretch, places)
        if len(strands) == len(places):
            return [self._list("unknown", block)]
        if depth > _DEEP:
            return [self._list("partly", block)]
        if 2 * max(map(len, strands)) > len(places):
            return self._follow_chain(stretch, places, depth)
        strands.sort(key=lambda strand: (len(strand) == 1, strand))
        sides = (self._unite(self._name(stretch, strand), depth) for strand in strands)
        return [Group(order="unknown", parts=tuple(sides))]

    def _follow_chain(self, stretch: Stretch, places: list[int], depth: int) -> list[Part]:
        """Put a longest chain in order, and all others beside it or apart."""
        chain = _find_chain(stretch, places)
        beside, apart = _relate_to_chain(stretch, places, chain)
        behind: dict[int, list[Part]] = {}
        for (lower, upper), inside in sorted(apart.items()):
            ends = (
                self._row(stretch.classes[chain[at]]).nodes[0] if 0 <= at < len(chain) else None
                for at in (lower, upper)
            )
            group = self._set_apart(self._name(stretch, inside), depth, *ends)
            behind.setdefault(upper - 1, []).append(group)
        parts = behind.get(-1, [])
        for number, together in enumerate(beside):
            parts.append(self._unite(self._name(stretch, together), depth))
            parts += behind.get(number, ())
        return parts

    def _set_apart(
        self, classes: list[int], depth: int, after: int | None, before: int | None
    ) -> Group:
        """Give a group that is not settled, between two nodes if these are known."""
        only = self._unite(classes, depth)
        known, parts = (only.order, only.parts) if isinstance(only, Group) else ("known", (only,))
        return Group(order=known, parts=parts, settled=False, after=after, before=before)

    def _unite(self, classes: list[int], depth: int) -> Part:
        """Arrange classes as one part."""
        parts = self.arrange(classes, depth + 1)
        if len(parts) == 1:
            return parts[0]
        return Group(order="known", parts=tuple(parts))

    def _name(self, stretch: Stretch, places: Iterable[int]) -> list[int]:
        return [stretch.classes[place] for place in sorted(places)]


def _bound_blocks(blocks: list[list[Part]]) -> Iterator[Part]:
    """Give the parts of blocks. What stands apart in one is after the block above, if no better."""
    for number, block in enumerate(blocks):
        for part in block:
            if isinstance(part, Row) or part.settled:
                yield part
                continue
            after, before = part.after, part.before
            if after is None and number:
                after = _name_end(blocks[number - 1][::-1])
            if before is None and number + 1 < len(blocks):
                before = _name_end(blocks[number + 1])
            yield replace(part, after=after, before=before)


def _name_end(block: list[Part]) -> int:
    """Give the first node of the first settled part."""
    part = next(part for part in block if isinstance(part, Row) or part.settled)
    while isinstance(part, Group):
        part = part.parts[0]
    return part.nodes[0]


def _cut_stretch(stretch: Stretch, classes: list[int]) -> Iterator[list[int]]:
    """Cut classes of one section, sorted, into blocks of which each begins before the next."""
    places = [stretch.place[one] for one in classes]
    rank = {place: number for number, place in enumerate(places)}
    mask = _join(places)
    # How many of the first classes all precede this one.
    known = []
    for place in places:
        missing = mask & ~stretch.precedes[place]
        known.append(rank[_lowest(missing)])
    cuts = []
    least = len(places)
    for number in range(len(places) - 1, 0, -1):
        least = min(least, known[number])
        if least >= number:
            cuts.append(number)
    first = 0
    for cut in [*reversed(cuts), len(places)]:
        yield classes[first:cut]
        first = cut


def _find_strands(stretch: Stretch, places: list[int]) -> list[list[int]]:
    """Divide places into strands between which no order is known."""
    left = _join(places)
    strands = []
    for place in places:
        if not left >> place & 1:
            continue
        left ^= 1 << place
        strand = [place]
        for one in strand:
            near = (stretch.follows[one] | stretch.precedes[one]) & left
            left ^= near
            while near:
                strand.append(near.bit_length() - 1)
                near ^= 1 << strand[-1]
        strands.append(strand)
    return strands


def _find_chain(stretch: Stretch, places: list[int]) -> list[int]:
    """Find a longest chain of places, in order.

    ``levels[n]`` has the places that end a chain of n + 1 and of no more. A place that follows one
    of level n follows one of each level below, so the level of a place is found by bisection.
    """
    levels: list[int] = []
    for place in places:
        low, high = 0, len(levels)
        while low < high:
            middle = (low + high) // 2
            if levels[middle] & stretch.precedes[place]:
                low = middle + 1
            else:
                high = middle
        if low == len(levels):
            levels.append(0)
        levels[low] |= 1 << place
    chain = [_lowest(levels[-1])]
    for level in reversed(levels[:-1]):
        chain.append(_lowest(level & stretch.precedes[chain[-1]]))
    return chain[::-1]


def _relate_to_chain(
    stretch: Stretch, places: list[int], chain: list[int]
) -> tuple[list[list[int]], dict[tuple[int, int], list[int]]]:
    """Find what can stand beside each element of a chain, and what stands apart from it.

    What stands apart has the numbers of the last element that it follows (-1: none) and of the
    first that it precedes (the length of the chain: none).
    """
    mask = _join(chain)
    at = {place: number for number, place in enumerate(chain)}
    around: dict[tuple[int, int], list[int]] = {}
    for place in places:
        if mask >> place & 1:
            continue
        lower, upper = stretch.precedes[place] & mask, stretch.follows[place] & mask
        ends = (
            at[lower.bit_length() - 1] if lower else -1,
            at[_lowest(upper)] if upper else len(chain),
        )
        around.setdefault(ends, []).append(place)
    beside = []
    before = 0
    for number, place in enumerate(chain):
        near = around.pop((number - 1, number + 1), [])
        fitting = [one for one in near if not before & ~stretch.precedes[one]]
        others = [one for one in near if before & ~stretch.precedes[one]]
        if others:
            around[number - 1, number + 1] = others
        beside.append([place, *fitting])
        before = _join(beside[-1])
    return beside, around


def _join(places: Iterable[int]) -> int:
    joined = 0
    for place in places:
        joined |= 1 << place
    return joined


def _lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1
