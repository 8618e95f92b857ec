"""Where a graph contradicts itself: closed walks of constraints with at least one ``<``.

Such a walk stays inside one strongly connected component of the compounds. So everything about
contradictions is found in these components alone, and they are often a small part of a document.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import chain
from typing import TYPE_CHECKING

from msgspec import Struct

from tlex.algebra import ROWS
from tlex.points.graphs import OWN, LayeredGraph, PointConstraint, TemporalGraph
from tlex.points.strong_components import find_strong_components
from tlex.wording import count, represent

if TYPE_CHECKING:
    from tlex.conflicts.knots import Knot

__all__ = ["Tangle", "cut_tangles", "find_blocks", "tie_tangle"]


class Tangle(Struct):
    """The links of a component that have a constraint on a contradictory closed walk.

    ``rows`` has all constraints of these links, and under `OWN` those of the instants. ``inside``
    has those of the links that lie on such walks. ``compound`` and ``block`` give each point of
    such walks its compound and its strongly connected component. ``knots`` are those that
    `tlex.conflicts.knots.tie_knots` finds, once.
    """

    rows: dict[int, list[PointConstraint]]
    inside: dict[int, list[PointConstraint]]
    compound: dict[int, int]
    block: dict[int, int]
    knots: list[Knot] | None = None

    def __repr__(self) -> str:
        return represent(self, count(len(self.inside), "link"))

    def has(self, constraint: PointConstraint) -> bool:
        """Whether a constraint of the component lies on a contradictory closed walk."""
        left, _, right = constraint
        return left in self.block and self.block[left] == self.block.get(right)


def tie_tangle(
    rows: Mapping[int, list[PointConstraint]],
    compound: dict[int, int],
    blocks: Mapping[int, int],
) -> Tangle:
    """Make the tangle of a component; ``rows`` has all links that may be in it, and more.

    ``blocks`` is what `find_blocks` gives, and ``compound`` the compounds of the points there.
    """
    block = {point: blocks[number] for point, number in compound.items()}
    tangle = Tangle({OWN: rows[OWN]}, {}, compound, block)
    for link, constraints in rows.items():
        inside = [
            row for row in constraints if row[0] in block and block[row[0]] == block.get(row[2])
        ]
        if inside and link != OWN:
            tangle.rows[link], tangle.inside[link] = constraints, inside
    return tangle


def find_blocks(graph: LayeredGraph) -> dict[int, int]:
    """Give each compound that lies on a contradictory closed walk the number of its component.

    These are the strongly connected components with a ``<`` inside. Linear in the compounds that
    stand in no layer.
    """
    stuck = sorted(set(range(graph.size)).difference(chain.from_iterable(graph.layers)))
    place = {number: at for at, number in enumerate(stuck)}
    # What follows a compound without a layer has none either.
    following = [[place[after] for after in graph.successors[number]] for number in stuck]
    _, components = find_strong_components(following)
    return {
        stuck[at]: block
        for block, members in enumerate(components)
        if len(members) > 1 or members[0] in following[members[0]]
        for at in members
    }


def cut_tangles(
    graph: TemporalGraph, points: LayeredGraph, broken: Collection[int]
) -> list[Tangle]:
    """Cut the tangles of the ``broken`` components out of a graph and its points.

    Points are numbered from 0 in each component. Links and constraints come in the order in which
    `group_by_link` gives them: constraints with ``<`` first, and so links that have one. The same
    could be found among all constraints of each component; but most of these need not be made.
    """
    blocks = find_blocks(points)
    compounds: list[dict[int, int]] = []
    owner: dict[int, int] = {}  # for each interval that is touched, the place of its component
    firsts = [2 * graph.cuts[component] for component in broken]
    for component, first in zip(broken, firsts, strict=True):
        cut = points.compound[first : 2 * graph.cuts[component + 1]]
        inside = {point: number for point, number in enumerate(cut) if number in blocks}
        owner.update(((first + point) // 2, len(compounds)) for point in inside)
        compounds.append(inside)
    rows: list[dict[int, list[PointConstraint]]] = [{OWN: []} for _ in broken]
    for interval in graph.instants:
        if interval in owner:
            start = 2 * interval - firsts[owner[interval]]
            rows[owner[interval]][OWN].append((start, False, start + 1))
    columns = zip(graph.labels, graph.sources, graph.targets, graph.numbers, strict=True)
    links = [link for link in columns if link[1] in owner and link[2] in owner]
    for wanted in (True, False):
        for label, source, target, number in links:
            place = owner[source]
            one, other = 2 * source - firsts[place], 2 * target - firsts[place]
            ends = one, one + 1, other, other + 1
            own = [
                (ends[left], strict, ends[right])
                for left, strict, right in ROWS[label]
                if strict is wanted
            ]
            if own:
                rows[place].setdefault(number, []).extend(own)
    return [tie_tangle(*each, blocks) for each in zip(rows, compounds, strict=True)]
