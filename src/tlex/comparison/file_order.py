"""A side as TempEval-3's toolkit takes it: claim by claim in the order of the file.

A claim that follows from the earlier ones is not counted. One that contradicts them is set aside
but counted. A claim of the other side is right if this side says it literally, or entails it. So
the figures depend on the order of links; they are here for comparison with published tables.
"""

from __future__ import annotations

from collections.abc import Sequence

from tlex.caching import cached_property
from tlex.comparison.sides import Side
from tlex.comparison.verdicts import Asked, judge_row
from tlex.conflicts.text_order import sort_row
from tlex.reason.relations import CROSSING

__all__ = ["FileOrderSide"]


class FileOrderSide(Side):
    """What one annotation claims, believes and is measured by, under TempEval-3's rules."""

    @cached_property
    def muted(self) -> frozenset[int]:
        """The claims that contradict earlier ones in the file."""
        return frozenset(
            claim for claim, verdict in self._sorted.items() if verdict == "contradicted"
        )

    @cached_property
    def counted(self) -> list[int]:
        """The claims that do not follow from earlier ones in the file."""
        return sorted(claim for claim, verdict in self._sorted.items() if verdict != "entailed")

    def judge(self, asked: Sequence[Asked]) -> list[str]:
        """Say of rows on pairs of nodes: ``entailed`` (or said), ``contradicted`` or ``open``."""
        said = {(claim.first, claim.second, claim.row) for claim in self.claims}
        verdicts = super().judge(asked)
        for place, (one, other, row) in enumerate(asked):
            if (one, other, row) in said or (other, one, sort_row(row, turned=True)) in said:
                verdicts[place] = "entailed"
        return verdicts

    @cached_property
    def _sorted(self) -> dict[int, str]:
        """What the earlier claims of the file make of each claim."""
        order = _GrowingOrder(2 * len(self.document.index))
        found = {}
        for number in sorted(range(len(self.claims)), key=lambda one: self.claims[one].links[0]):
            claim = self.claims[number]
            ends = [2 * node + side for node in (claim.first, claim.second) for side in (0, 1)]
            found[number] = judge_row(order.compare(ends), claim.row)
            if found[number] == "open":
                for left, strict, right in claim.row:
                    order.add(ends[left], ends[right], strict=strict)
        return found


class _GrowingOrder:
    """An order of end points that grows: sets of points are integers with a bit for each."""

    def __init__(self, size: int) -> None:
        self._from = [1 << point for point in range(size)]
        """For each point those that are not before it, as far as is known: itself and later."""
        self._after = [0] * size
        for start in range(0, size, 2):
            self.add(start, start + 1, strict=True)

    def compare(self, ends: Sequence[int]) -> str:
        """The orders of the crossing pairs of four end points."""
        return "".join(self._sign(ends[left], ends[right]) for left, right in CROSSING)

    def _sign(self, one: int, other: int) -> str:
        if self._after[one] >> other & 1:
            return "<"
        if self._after[other] >> one & 1:
            return ">"
        return "=" if self._from[one] >> other & self._from[other] >> one & 1 else "?"

    def add(self, one: int, other: int, *, strict: bool) -> None:
        """Add ``one < other``, or ``one = other``; it must not contradict what is known."""
        self._lead(one, other, strict=strict)
        if not strict:
            self._lead(other, one, strict=False)

    def _lead(self, one: int, other: int, *, strict: bool) -> None:
        reached, later = self._from[other], self._after[other]
        for point, known in enumerate(self._from):
            if known >> one & 1:
                self._from[point] |= reached
                before = strict or self._after[point] >> one & 1
                self._after[point] |= reached if before else later
