"""What a document says, in constraints: the checker's own Table 1, and what follows from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from tlex.checker.relations import CELLS
from tlex.checker.timelines import Edge, merge
from tlex.document import Document
from tlex.errors import VerificationError
from tlex.nouns import Link, Node, Timex
from tlex.records import Constraint, FixOptions, Options

__all__ = ["TYPES", "Constraints", "fold", "is_satisfiable", "read_row"]

# How A-:B-, A-:B+, A+:B- and A+:B+ compare; a dot where the type says nothing.
_TABLES: Final = {
    "TLINK": {
        "BEFORE": "..<.",
        "AFTER": ".>..",
        "IBEFORE": "..=.",
        "IAFTER": ".=..",
        "BEGINS": "=..<",
        "BEGUN_BY": "=..>",
        "ENDS": ">..=",
        "ENDED_BY": "<..=",
        "INCLUDES": "<..>",
        "IS_INCLUDED": ">..<",
        "SIMULTANEOUS": "=..=",
        "IDENTITY": "=..=",
        "DURING": "=..=",
        "DURING_INV": "=..=",
        "OVERLAPS": "<.><",
        "OVERLAPPED_BY": "><.>",
        "OVERLAP": ".<>.",
        "BEFORE-OR-OVERLAP": ".<..",
        "OVERLAP-OR-AFTER": "..>.",
        "BEFORE/OVERLAP": "<.>.",
        "CONTAINS": "<..>",
        "CONTAINED_BY": ">..<",
        "BEGUN_ON": "=...",
        "BEGINS_ON": "=...",
        "ENDED_ON": "...=",
        "ENDS_ON": "...=",
        "STARTS_BEFORE": "<...",
        "STARTS_AFTER": ">...",
        "STARTS_WITH": "=...",
        "VAGUE": "....",
        "NONE": "....",
        "MEASURE": "....",
        "NON-RELATED": "....",
        "UNKNOWN": "....",
    },
    "ALINK": {
        "INITIATES": "=..<",
        "CULMINATES": ">..=",
        "TERMINATES": ">..=",
        "CONTINUES": ">..<",
        "REINITIATES": ">..<",
    },
    "CALENDAR": {
        "BEFORE": "..<.",
        "IBEFORE": "..=.",
        "OVERLAPS": "<.><",
        "BEGINS": "=..<",
        "IS_INCLUDED": ">..<",
        "ENDS": ">..=",
        "SIMULTANEOUS": "=..=",
        "OVERLAP": ".<>.",
        "BEFORE-OR-OVERLAP": ".<..",
        "STARTS_BEFORE": "<...",
        "ENDS_BEFORE": "...<",
        "STARTS_BEFORE_OVERLAP": "<.>.",
        "ENDS_BEFORE_OVERLAP": "..><",
        "STARTS_AND_ENDS_BEFORE": "<..<",
    },
}

TYPES: Final = {
    "TLINK": (
        "BEFORE", "AFTER", "IBEFORE", "IAFTER", "BEGINS", "BEGUN_BY", "ENDS", "ENDED_BY",
        "INCLUDES", "IS_INCLUDED", "SIMULTANEOUS", "IDENTITY", "DURING", "DURING_INV",
    ),
    "ALINK": ("INITIATES", "CULMINATES", "TERMINATES", "CONTINUES", "REINITIATES"),
}  # fmt: skip
"""The types that a link can get instead of its own."""

_SUBORDINATING: Final = (
    "MODAL", "FACTIVE", "COUNTER_FACTIVE", "EVIDENTIAL", "NEGATIVE_EVIDENTIAL", "CONDITIONAL",
)  # fmt: skip


def read_row(kind: str, label: str, ends: Sequence[int], link: str) -> list[Edge]:
    """Give the constraints of a label between four end points: A-, A+, B-, B+."""
    edges = []
    row = _TABLES.get(kind, {}).get(label, "....")
    for (one, other), order in zip(CELLS, row, strict=True):
        if order == ">":
            edges.append(Edge(ends[other], "<", ends[one], link))
        elif order != ".":
            edges.append(Edge(ends[one], order, ends[other], link))
    return edges


def _read_constraint(constraint: str, ends: Sequence[int], link: str) -> Edge:
    """Read a constraint of a label that the document brings along, such as ``A+ < B-``."""
    left, order, right = constraint.split()
    numbers = {"A-": ends[0], "A+": ends[1], "B-": ends[2], "B+": ends[3]}
    return Edge(numbers[left], order, numbers[right], link)


def _check_names(document: Document, options: Options) -> None:
    """Check what the options for the trunk name, also where the answer does not depend on it."""
    known = {*document.index, *(one.event for one in document.instances)}
    unknown = [name for name in options.main or () if name not in known]
    if unknown or options.main == ():
        raise VerificationError(f"the option main names {unknown}, which are not defined")
    types = options.subordinating
    if types is not None and list(types) != [name for name in _SUBORDINATING if name in types]:
        raise VerificationError(f"subordinating is {types!r}, which are no SLINK types in order")


class Constraints:
    """The constraints of a document: of each interval, and of each link that has any.

    Links that are left ``without`` have none. ``firm`` are the links that follow from values, which
    no repair removes.
    """

    def __init__(
        self, document: Document, options: Options | FixOptions, without: Collection[str] = ()
    ) -> None:
        if options.times not in {"interval", "point"}:
            raise VerificationError(f"times are interval or point, not {options.times!r}")
        if options.links not in {("TLINK", "ALINK"), ("TLINK",), ("ALINK",)}:
            raise VerificationError(f"links are TLINK, ALINK, not {options.links!r}")
        if isinstance(options, Options):
            _check_names(document, options)
        self.document = document
        self.options = options
        self.kinds = (*options.links, "CALENDAR") if options.calendar else options.links
        self.place = {link.id: number for number, link in enumerate(document.links)}
        gone = set(without)
        self.stated = {
            link.id: edges
            for link in document.links
            if link.id not in gone and (edges := self._read(link))
        }
        self.own = [
            Edge(2 * number, "=" if self._is_moment(node) else "<", 2 * number + 1, None)
            for number, node in enumerate(document.nodes)
        ]
        self.firm = tuple(
            link.id for link in document.links if link.kind == "CALENDAR" and link.id in self.stated
        )

    def _read(self, link: Link) -> list[Edge]:
        source = self.document.index.get(link.source or "")
        target = self.document.index.get(link.target or "")
        if source is None or target is None or link.kind not in self.kinds:
            return []
        return self.read_label(link, link.type or "", source, target)

    def read_label(self, link: Link, label: str, source: int, target: int) -> list[Edge]:
        """Give the constraints of a link between two nodes if it had this label."""
        ends = (2 * source, 2 * source + 1, 2 * target, 2 * target + 1)
        own = self.document.labels.get(link.kind, {}).get(label)
        if own is not None:
            return [_read_constraint(constraint, ends, link.id) for constraint in own]
        return read_row(link.kind, label, ends, link.id)

    def relabel(self, link: Link, label: str) -> list[Edge]:
        """Give the constraints of a link, whose ends are there, if it had another type."""
        index = self.document.index
        return self.read_label(link, label, index[link.source or ""], index[link.target or ""])

    def _is_moment(self, node: Node) -> bool:
        kind = fold(node.type) if isinstance(node, Timex) else ""
        return kind == "time" and self.options.times == "point"

    def share_out(self, owner: Sequence[int], timelines: int) -> list[list[Edge]]:
        """Give each timeline its constraints."""
        parts: list[list[Edge]] = [[] for _ in range(timelines)]
        for edge in self.own:
            parts[owner[edge.left // 2]].append(edge)
        for edges in self.stated.values():
            parts[owner[edges[0].left // 2]].extend(edges)
        return parts

    def is_contradictory(
        self, links: Iterable[str], types: Mapping[str, str] = MappingProxyType({})
    ) -> bool:
        """Whether links contradict each other, some with new types, with their intervals."""
        edges = [
            edge
            for link in links
            for edge in (
                self.relabel(self.document.links[self.place[link]], types[link])
                if link in types
                else self.stated[link]
            )
        ]
        touched = {point // 2 for edge in edges for point in (edge.left, edge.right)}
        return not is_satisfiable([*edges, *(self.own[number] for number in touched)])

    def find(self, step: Constraint) -> Edge | None:
        """Find the constraint that a step of a walk claims to be; None if there is none."""
        left, right = self.number(step.left), self.number(step.right)
        if left is None or right is None:
            return None
        edge = Edge(left, step.order, right, step.link)
        backwards = Edge(right, step.order, left, step.link)
        said = [self.own[left // 2]] if step.link is None else self.stated.get(step.link, [])
        real = edge in said or (step.order == "=" and backwards in said)
        return edge if real else None

    def number(self, name: str) -> int | None:
        """Give the number of a point such as ``ei4-``; None if there is no such point."""
        node = self.document.index.get(name[:-1])
        if node is None or not name.endswith(("-", "+")):
            return None
        return 2 * node + name.endswith("+")


def is_satisfiable(edges: Collection[Edge]) -> bool:
    """Whether constraints can be met: remove points without predecessors until none is left."""
    merged = merge(edges)
    waiting = dict.fromkeys(merged.values(), 0)
    after: dict[int, list[int]] = defaultdict(list)
    for left, order, right, _ in edges:
        if order == "<":
            after[merged[left]].append(merged[right])
            waiting[merged[right]] += 1
    ready = [compound for compound, before in waiting.items() if not before]
    while ready:
        for compound in after[ready.pop()]:
            waiting[compound] -= 1
            if not waiting[compound]:
                ready.append(compound)
    return not any(waiting.values())


def fold(written: str | None) -> str:
    """Normalise a type name: its case and the blanks around it do not matter."""
    return (written or "").strip().lower()
