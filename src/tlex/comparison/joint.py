"""The nodes of several annotations of one text, put together: who is who among all of them.

Nothing depends on the order in which the annotations are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, combinations

from msgspec import Struct

from tlex.comparison.matching import Matching, match_nodes
from tlex.conflicts.text_order import TextOrder
from tlex.document import Document
from tlex.nouns import Timex
from tlex.wording import count, represent

__all__ = ["Joint", "JointNodes", "join_nodes"]

Joint = tuple[int | None, ...]
"""A node by its number in each annotation; None where an annotation has no such node."""

_Place = tuple[int, int, int, object, bool]


class JointNodes(Struct, frozen=True, gc=False):
    """All nodes of some annotations in text order, and where the nodes of each are among them."""

    nodes: tuple[Joint, ...]
    places: tuple[dict[int, int], ...]
    """For each annotation, the place in ``nodes`` of a node's number there."""

    def __repr__(self) -> str:
        return represent(
            self, f"{count(len(self.nodes), 'node')} of {len(self.places)} annotations"
        )


def join_nodes(documents: Sequence[Document], how: str = "relaxed") -> JointNodes:
    """Put the nodes of several annotations together, at most one of each annotation.

    Nodes are matched by twos (see `match_nodes`). Where that would put two nodes of one annotation
    together, nodes of the same place come first, then the earlier ones.

    Raises `ComparisonError` if the texts differ and nodes are matched by their places.

    >>> import tlex
    >>> one = tlex.from_links([("a", "BEFORE", "b")])
    >>> join_nodes([one, tlex.from_links([("b", "BEFORE", "c")])]).nodes
    ((0, None), (1, 0), (None, 1))
    """
    places = [_list_places(document) for document in documents]
    edges = []
    for one, other in combinations(range(len(documents)), 2):
        found: Matching = match_nodes(documents[one], documents[other], how)
        for left, right in found.gold.items():
            ends = sorted((places[one][left], places[other][right]))
            same = ends[0][:3] == ends[1][:3]
            edges.append((not same, ends, (one, left), (other, right)))
    group = {
        (side, number): {side: number}
        for side, own in enumerate(places)
        for number in range(len(own))
    }
    for _, _, one_end, other_end in sorted(edges, key=lambda edge: edge[:2]):
        ours, theirs = group[one_end], group[other_end]
        if ours is not theirs and ours.keys().isdisjoint(theirs):
            ours.update(theirs)
            for end in theirs.items():
                group[end] = ours
    found_nodes = {id(members): members for members in group.values()}.values()
    ordered = sorted(
        found_nodes,
        key=lambda members: sorted(places[side][number] for side, number in members.items()),
    )
    sides = range(len(documents))
    return JointNodes(
        tuple(tuple(members.get(side) for side in sides) for members in ordered),
        tuple(
            {members[side]: place for place, members in enumerate(ordered) if side in members}
            for side in sides
        ),
    )


def _list_places(document: Document) -> list[_Place]:
    """Give what each node is ordered by in text order; white space does not count."""
    counts = list(accumulate((not c.isspace() for c in document.text), initial=0))
    order = TextOrder(document)
    found: list[_Place] = []
    for number, node in enumerate(document.nodes):
        where, start, end, name = order.find_place(number)
        if node.text_start >= 0 and start == node.text_start and end == node.text_end:
            start, end = counts[start], counts[end]
        found.append((where, start, end, name, isinstance(node, Timex)))
    return found
