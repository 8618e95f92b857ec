"""The parts of a document that links connect: the checker's own partition."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from tlex.checker.constraints import Constraints, is_satisfiable
from tlex.checker.timelines import Edge, reach

__all__ = ["Parts"]


class Parts:
    """The parts, numbered in text order; ``owner`` gives the part of each node.

    With ``calendar=False``, the parts that links connect without those that follow from values.
    """

    def __init__(self, constraints: Constraints, *, calendar: bool = True) -> None:
        self.constraints = constraints
        near: dict[int, list[int]] = defaultdict(list)
        firm = frozenset(() if calendar else constraints.firm)
        for link, edges in constraints.stated.items():
            if link in firm:
                continue
            one, other = edges[0].left // 2, edges[0].right // 2
            near[one].append(other)
            near[other].append(one)
        self.owner = [-1] * len(constraints.document.index)
        self.members: list[list[int]] = []
        for node, part in enumerate(self.owner):
            if part < 0:
                inside = sorted(reach([node], near))
                for member in inside:
                    self.owner[member] = len(self.members)
                self.members.append(inside)

    @cached_property
    def edges(self) -> list[list[Edge]]:
        """The constraints of each part."""
        return self.constraints.share_out(self.owner, len(self.members))

    @cached_property
    def consistent(self) -> list[bool]:
        """Whether each part can be ordered."""
        return [is_satisfiable(edges) for edges in self.edges]

    @cached_property
    def links(self) -> list[list[str]]:
        """The links of each part that say something, in document order."""
        shared: list[list[str]] = [[] for _ in self.members]
        for link, edges in self.constraints.stated.items():
            shared[self.owner[edges[0].left // 2]].append(link)
        return shared
