"""The worlds of a timeline: its base, and the branches that the calendar puts on the same axis.

Worlds are the parts that links make. The calendar may connect several of them to one timeline. The
base is the main worlds, or in a branch the world that its SLINK leads to. Every other world is a
strand: a branch with rows of its own below the base, on the same axis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tlex.records import Connection, NodeRecord
from tlex.result import Extraction

__all__ = ["StrandDraft", "Worlds"]


class StrandDraft:
    """A strand: its intervals, the connections that arrive, and the one from which it hangs."""

    def __init__(self, world: int, place: str) -> None:
        self.world = world
        self.place = place
        self.intervals: list[str] = []
        self.arriving: list[Connection] = []
        self.by: Connection | None = None


class Worlds:
    """The worlds of the nodes of a result."""

    def __init__(self, result: Extraction, nodes: Mapping[str, NodeRecord]) -> None:
        self._nodes = nodes
        mains, detached = result.main_worlds
        self._mains = set(mains)
        self._detached = detached
        self._several = result.options.calendar

    def split(
        self,
        intervals: Sequence[str],
        arriving: Sequence[Connection],
        by: Connection | None,
    ) -> list[StrandDraft]:
        """Find the strands of a timeline, each after the one that it hangs from.

        ``arriving`` are the connections to the timeline, and ``by`` the one from which it hangs.
        """
        if not self._several:
            return []
        worlds = dict.fromkeys(self._nodes[name].world for name in intervals)
        if len(worlds) == 1:
            return []
        base = {world for world in worlds if world in self._mains}
        if not base:
            base = {self._nodes[by.target if by else intervals[0]].world}
        found = {
            world: StrandDraft(world, "detached" if world in self._detached else "branch")
            for world in self._sort(worlds, base, arriving)
        }
        for name in intervals:
            world = self._nodes[name].world
            if world in found:
                found[world].intervals.append(name)
        for connection in arriving:
            strand = found.get(self._nodes[connection.target].world)
            if strand is not None:
                strand.arriving.append(connection)
        seen = base.copy()
        for strand in found.values():
            inside = (
                connection
                for connection in strand.arriving
                if self._nodes[connection.source].world in seen
            )
            strand.by = next(inside, strand.arriving[0] if strand.arriving else None)
            seen.add(strand.world)
        return list(found.values())

    def _sort(
        self, worlds: Mapping[int, None], base: set[int], arriving: Sequence[Connection]
    ) -> list[int]:
        """Sort the worlds that are not in the base, in breadth-first order from it."""
        following: dict[int, list[int]] = {}
        for connection in arriving:
            source = self._nodes[connection.source].world
            if source in worlds:
                following.setdefault(source, []).append(self._nodes[connection.target].world)
        order = [world for world in worlds if world in base]
        known = set(order)
        for world in order:
            for after in following.get(world, ()):
                if after not in known:
                    known.add(after)
                    order.append(after)
        order += [world for world in worlds if world not in known]
        return [world for world in order if world not in base]
