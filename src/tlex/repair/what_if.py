"""What if: what a change of links does to a document, before anybody makes it.

A link may get another type, be removed, or be added. The changed document is extracted anew, so
nothing is reasoned in a second way. Its contradictions are compared with those before. So is the
order that nobody disputes: what follows from the links that are in no contradiction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from tlex.caching import cached_property
from tlex.calendar import KIND as CALENDAR
from tlex.document import Document
from tlex.errors import OptionError
from tlex.extraction import extract
from tlex.nouns import Link
from tlex.points.graphs import CompoundGraph, Steps
from tlex.records import Options
from tlex.repair.relabelling import TYPES, list_nearest
from tlex.result import Extraction
from tlex.wording import count

__all__ = ["Effect", "NewLink", "Standing", "compare", "say_effect"]


class NewLink(Struct, frozen=True):
    """A TLINK that is not in the document, to see what it would do."""

    source: str
    type: str
    target: str


class Effect(Struct, frozen=True, kw_only=True):
    """What a change does: how many contradictions it settles, creates, and leaves.

    ``gains`` is how many events get an order, to another event or time, that nobody disputes and
    that they did not have; ``loses`` is how many lose one. ``complete`` says that no contradiction
    is missing in the lists that were compared. ``says`` is all this in words.
    """

    consistent: bool
    settles: int
    creates: int
    left: int
    gains: int
    loses: int
    complete: bool
    says: str = ""


class Standing:
    """A document as it stands with some changes; what is asked for is worked out once."""

    def __init__(self, document: Document, options: Options) -> None:
        self.document = document
        self._options = options

    @cached_property
    def result(self) -> Extraction:
        """The timelines, mended where the document is contradictory."""
        return self._extract(self.document, mend=True)

    @cached_property
    def conflicts(self) -> list[frozenset[str]]:
        """The contradictions, each by its links; those of the calendar have no lasting ids."""
        links = {link.id: link for link in self.result.document.links}
        return [
            frozenset(_identify(links[link]) for link in conflict.minimal)
            for conflict in self.result.conflicts
        ]

    @cached_property
    def said(self) -> frozenset[tuple[str, str | None, str | None, str | None]]:
        """What each link of the document says."""
        return frozenset(
            (link.id, link.type, link.source, link.target) for link in self.document.links
        )

    @cached_property
    def known(self) -> list[tuple[int, ...]]:
        """For each node, the points of which the order to its own points is undisputed."""
        disputed = {
            link
            for conflict in self.result.conflicts
            for first in conflict.minimal
            for link in (first, *conflict.same.get(first, ()))
        }
        result = self.result
        if disputed:
            kept = tuple(link for link in self.document.links if link.id not in disputed)
            result = self._extract(self.document.replace(links=kept), mend=False)
        nothing = (0,) * 6
        known: list[tuple[int, ...]] = [nothing] * len(self.document.nodes)
        for _, component in result.components.list_consistent():
            sets = _close(component.graph, component.steps, component.members)
            for place, node in enumerate(component.members):
                others = ~(3 << 2 * node)
                ends = component.graph.compound[2 * place : 2 * place + 2]
                known[node] = tuple(some[end] & others for end in ends for some in sets)
        return known

    def change(
        self,
        removed: Collection[str] = (),
        types: Mapping[str, str] | None = None,
        added: Iterable[NewLink] = (),
    ) -> Standing:
        """Give the document as it stands with more changes.

        Raises `OptionError` if there is no such link, type, event or time.
        """
        types, links = types or {}, {link.id: link for link in self.document.links}
        for name in (*removed, *types):
            if name not in links:
                raise OptionError(f"there is no link {name!r:.80}")
        for name, label in types.items():
            if label not in list_nearest(self.document, links[name]):
                raise OptionError(f"{label!r:.80} is no other type of a {links[name].kind}")
        gone = frozenset(removed)
        kept = [
            replace(link, type=types.get(link.id, link.type))
            for link in self.document.links
            if link.id not in gone
        ]
        fresh = [self._make(number, link) for number, link in enumerate(added, 1)]
        return Standing(self.document.replace(links=(*kept, *fresh)), self._options)

    def _make(self, number: int, new: NewLink) -> Link:
        for end in (new.source, new.target):
            if end not in self.document.index:
                raise OptionError(f"there is no event or time {end!r:.80}")
        if new.type not in TYPES["TLINK"]:
            raise OptionError(f"{new.type!r:.80} is no type of a TLINK")
        return Link(
            id=f"new link {number}",
            attributes={},
            byte_start=-1,
            file=None,
            kind="TLINK",
            type=new.type,
            source=new.source,
            target=new.target,
        )

    def _extract(self, document: Document, *, mend: bool) -> Extraction:
        options = self._options
        return extract(
            document,
            links=options.links,
            times=options.times,
            calendar=options.calendar,
            mend=mend,
        )


def compare(before: Standing, after: Standing) -> Effect:
    """Say what becomes of a document, with changes compared to without.

    The lists of contradictions need not be all that there are, and a change may lead to another
    list. So only contradictions count that a changed link is in: nothing else can have come or
    gone.
    """
    changed = {name for name, *_ in before.said ^ after.said}
    old, new = (
        {conflict for conflict in one.conflicts if not changed.isdisjoint(conflict)}
        for one in (before, after)
    )
    pairs = [
        (one, other)
        for node, one, other in zip(before.result.nodes, before.known, after.known, strict=True)
        if node.kind == "event"
    ]
    effect = Effect(
        consistent=after.result.consistent,
        settles=len(old - new),
        creates=len(new - old),
        left=len(after.conflicts),
        gains=sum(any(map(_exceeds, other, one)) for one, other in pairs),
        loses=sum(any(map(_exceeds, one, other)) for one, other in pairs),
        complete=before.result.conflicts_complete and after.result.conflicts_complete,
    )
    return replace(effect, says=say_effect(effect))


def say_effect(effect: Effect) -> str:
    """Say what a change does: ``settles 1, creates 0, 12 events gain an order``."""
    said = [f"settles {effect.settles}", f"creates {effect.creates}"]
    said.append(
        f"{count(effect.gains, 'event')} {'gains' if effect.gains == 1 else 'gain'} an order"
    )
    if effect.loses:
        verb = "loses" if effect.loses == 1 else "lose"
        said.append(f"{count(effect.loses, 'event')} {verb} one")
    return ", ".join(said) + ("" if effect.complete else " (of the contradictions that are listed)")


def _exceeds(one: int, other: int) -> bool:
    return one & ~other != 0


def _identify(link: Link) -> str:
    """Recognise a link in another extraction."""
    return f"calendar {link.source} {link.target}" if link.kind == CALENDAR else link.id


def _close(
    graph: CompoundGraph, steps: Steps, members: Collection[int]
) -> tuple[list[int], list[int], list[int]]:
    """For each compound, the points that it equals, precedes and follows.

    A set of points is an integer with one bit a point of the document.
    """
    own = [0] * graph.size
    for place, node in enumerate(members):
        for side in (0, 1):
            own[graph.compound[2 * place + side]] |= 1 << 2 * node + side
    after, before = [0] * graph.size, [0] * graph.size
    order = sorted(range(graph.size), key=steps.earliest.__getitem__)
    for one in reversed(order):
        for other in graph.successors[one]:
            after[one] |= after[other] | own[other]
    for one in order:
        for other in graph.successors[one]:
            before[other] |= before[one] | own[one]
    return own, after, before
