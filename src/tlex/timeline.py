"""The live answer: timelines and the extraction that holds them.

They keep the steps' integers and put them into words, or answer a question, when somebody looks.
Their attributes mirror the fields of the JSON contract; ``record()`` gives the same as plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from msgspec import UNSET
from msgspec.structs import asdict, replace

from tlex._version import __version__
from tlex.arguments import require_number
from tlex.document import Diagnostic, Document
from tlex.errors import OptionError, UnknownNameError
from tlex.lookup import find_node, say_relation
from tlex.points.graphs import Component, Consistent
from tlex.records import (
    SCHEMA,
    Answer,
    Break,
    Closure,
    Conflict,
    Connection,
    DateRange,
    DocumentRecord,
    ExtractionRecord,
    NodeRecord,
    Options,
    PairRelation,
    Reduction,
    Scenarios,
    Section,
    TimelineRecord,
    Why,
)

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from tlex.components import Components
    from tlex.reason.every_repair import EveryRepair

__all__ = ["Extraction", "Timeline"]

POLICIES = ("part", "repair", "every")
"""How a question about two events deals with contradictions."""

PAIRS_LIMIT = 20_000
"""Above this many points a timeline's indeterminate pairs are counted only on request."""


class Timeline:
    """The minimum timeline of one temporally connected component, if it is consistent."""

    def __init__(  # noqa: PLR0913 -- one argument a field
        self,
        number: int,
        component: Component,
        names: tuple[str, ...],
        *,
        main: bool,
        detached: bool,
        offset: int,
        document: Document | None = None,
        mended: tuple[str, ...] = (),
    ) -> None:
        self.id = number
        self.mended = mended
        self._document = document
        self.intervals = names
        self.main = main
        self.detached = detached
        self.offset = offset
        self._component = component

    def __repr__(self) -> str:
        found = f"{self.length} steps" if self.consistent else "contradictory"
        return f"<Timeline {self.id}: {self.role}, {len(self.intervals)} intervals, {found}>"

    @property
    def role(self) -> str:
        """*main* on the trunk; *branch* if SLINKs lead to it from there; else *detached*."""
        return "main" if self.main else "detached" if self.detached else "branch"

    @property
    def consistent(self) -> bool:
        """Whether the links of the component do not contradict each other."""
        return self._component.consistent

    @property
    def length(self) -> int | None:
        """The number of steps; None if contradictory."""
        return self._settled.steps.lengths[0] if self.consistent else None

    @cached_property
    def points(self) -> dict[str, tuple[int, int]]:
        """Each time-point's earliest and latest step, in text order; empty if contradictory."""
        if not self.consistent:
            return {}
        settled = self._settled
        earliest, latest = settled.steps.earliest, settled.latest
        return {
            name: (earliest[compound], latest[compound])
            for name, compound in zip(self._names, settled.graph.compound, strict=True)
        }

    @cached_property
    def compounds(self) -> tuple[tuple[str, ...], ...]:
        """The groups of two or more points that are equal in every timeline."""
        if not self.consistent:
            return ()
        groups: dict[int, list[str]] = {}
        for name, compound in zip(self._names, self._settled.graph.compound, strict=True):
            groups.setdefault(compound, []).append(name)
        return tuple(tuple(group) for group in groups.values() if len(group) > 1)

    @property
    def tied_steps(self) -> tuple[int, ...]:
        """The steps that hold two or more compounds."""
        return tuple(self._settled.unsettled.tied) if self.consistent else ()

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The stretches whose order is unknown, first to last (reading R14)."""
        stretches = self._settled.unsettled.sections if self.consistent else ()
        if not stretches:
            return ()
        at = {
            step: place
            for place, stretch in enumerate(stretches)
            for step in range(stretch.first, stretch.last + 1)
        }
        inside: list[list[str]] = [[] for _ in stretches]
        for name, (earliest, _) in self.points.items():
            if earliest in at:
                inside[at[earliest]].append(name)
        return tuple(
            Section(stretch.first, stretch.last, tuple(names))
            for stretch, names in zip(stretches, inside, strict=True)
        )

    @property
    def score(self) -> float | None:
        """The share of time-points that stand in a section; None if contradictory."""
        if not self.consistent:
            return None
        return sum(len(section.points) for section in self.sections) / (2 * len(self.intervals))

    @cached_property
    def indeterminate_pairs(self) -> int | None:
        """How many pairs of points have no known order; None if contradictory or very large."""
        if not self.consistent or 2 * len(self.intervals) > PAIRS_LIMIT:
            return None
        return self.count_pairs()

    @cached_property
    def scenarios(self) -> Scenarios | None:
        """How many orderings there are, within the usual work limit; None if contradictory."""
        return self.count_scenarios() if self.consistent else None

    def step(self, point: str) -> int:
        """Give the step of a time-point on the minimum timeline.

        Parameters
        ----------
        point : str
            A point: an id or words, and ``-`` for the start or ``+`` for the end, such as
            ``"ei4-"`` or ``"fell+"``.

        Returns
        -------
        int
            The earliest step of the point, from 1.

        Raises
        ------
        UnknownNameError
            If the timeline has no such point.
        AmbiguousError
            If several events or times of the timeline have these words.
        OptionError
            If the timeline is contradictory, so that it has no steps.

        Examples
        --------
        >>> import tlex
        >>> trunk = tlex.extract(tlex.read("examples/story.tml")).trunk[0]
        >>> trunk.step("ei2-"), trunk.step("snowed-")
        (4, 2)

        See Also
        --------
        slack : how far the point can move.
        """
        settled = self._settled
        return settled.steps.earliest[settled.graph.compound[self._number(point)]]

    def slack(self, point: str) -> int:
        """Give how many steps later a time-point can stand on a timeline of the same length.

        Parameters
        ----------
        point : str
            A point: an id or words, and ``-`` for the start or ``+`` for the end, such as
            ``"ei4-"`` or ``"fell+"``.

        Returns
        -------
        int
            The difference between its latest and its earliest step.

        Raises
        ------
        UnknownNameError
            If the timeline has no such point.
        AmbiguousError
            If several events or times of the timeline have these words.
        OptionError
            If the timeline is contradictory, so that it has no steps.

        Examples
        --------
        >>> import tlex
        >>> links = [("a", "BEFORE", "b"), ("b", "BEFORE", "c"), ("x", "BEFORE", "c")]
        >>> tlex.extract(tlex.from_links(links)).timelines[0].slack("x+")
        2

        See Also
        --------
        step : where the point stands.
        """
        settled = self._settled
        compound = settled.graph.compound[self._number(point)]
        return settled.latest[compound] - settled.steps.earliest[compound]

    def indeterminate(self, left: str, right: str) -> bool:
        """Say whether the order of two time-points is unknown. Linear; needs no table.

        Parameters
        ----------
        left, right : str
            Points: an id or words, and ``-`` for the start or ``+`` for the end, such as
            ``"ei4-"`` or ``"fell+"``.

        Returns
        -------
        bool
            True if the links allow more than one order.

        Raises
        ------
        UnknownNameError
            If the timeline has no such point.
        AmbiguousError
            If several events or times of the timeline have these words.
        OptionError
            If the timeline is contradictory, so that it has no steps.

        Examples
        --------
        >>> import tlex
        >>> trunk = tlex.extract(tlex.read("examples/story.tml")).trunk[0]
        >>> trunk.indeterminate("built-", "warmed-")
        True

        See Also
        --------
        pairs : all pairs of unknown order.
        Extraction.relation : how two events or times are related.
        """
        from tlex.reason.pairs import is_indeterminate  # noqa: PLC0415 -- see docs/design.md

        settled = self._settled
        compound = settled.graph.compound
        pair = compound[self._number(left)], compound[self._number(right)]
        return is_indeterminate(settled.graph, settled.steps, *pair)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Give every pair of time-points whose order is unknown, section by section (§3.6).

        The table behind it takes one bit for each pair of compounds in a section.

        Yields
        ------
        tuple of str and str
            Two points.

        Raises
        ------
        OptionError
            If the timeline is contradictory, so that it has no order.

        Examples
        --------
        >>> import tlex
        >>> trunk = tlex.extract(tlex.read("examples/story.tml")).trunk[0]
        >>> next(trunk.pairs())
        ('ei2-', 'ei3-')

        See Also
        --------
        count_pairs : how many there are.
        pick_pairs : only some of them.
        """
        from tlex.reason.pairs import walk_pairs  # noqa: PLC0415

        names = self._names
        for left, right in walk_pairs(self._settled.graph, self._settled.steps, self._stretches):
            yield names[left], names[right]

    def count_pairs(self) -> int:
        """Count the pairs of time-points whose order is unknown, however large the timeline is.

        Returns
        -------
        int
            Their number.

        Raises
        ------
        OptionError
            If the timeline is contradictory, so that it has no order.

        Examples
        --------
        >>> import tlex
        >>> trunk = tlex.extract(tlex.read("examples/story.tml")).trunk[0]
        >>> trunk.count_pairs()
        4

        See Also
        --------
        pairs : the pairs themselves.
        """
        from tlex.reason.pairs import count_pairs  # noqa: PLC0415

        return count_pairs(self._settled.graph, self._settled.steps, self._stretches)

    def count_neighbours(self) -> int:
        """Count the pairs of points on neighbouring steps whose order the links entail.

        Returns
        -------
        int
            Their number.

        Raises
        ------
        OptionError
            If the timeline is contradictory, so that it has no order.

        Examples
        --------
        >>> import tlex
        >>> trunk = tlex.extract(tlex.read("examples/story.tml")).trunk[0]
        >>> trunk.count_neighbours()
        86

        See Also
        --------
        pick_neighbours : some of these pairs.
        """
        from tlex.reason.pairs import count_neighbours  # noqa: PLC0415

        return count_neighbours(self._settled.graph, self._settled.steps)

    def pick_neighbours(self, numbers: list[int]) -> list[tuple[str, str]]:
        """Give some of the pairs of points on neighbouring steps whose order the links entail.

        Parameters
        ----------
        numbers : list of int
            Which of them, ascending from 0.

        Returns
        -------
        list of tuple of str and str
            The pairs, the earlier point first.

        Raises
        ------
        OptionError
            If the timeline is contradictory, so that it has no order.

        Examples
        --------
        >>> import tlex
        >>> trunk = tlex.extract(tlex.read("examples/story.tml")).trunk[0]
        >>> trunk.pick_neighbours([0])
        [('t0-', 't4+')]

        See Also
        --------
        count_neighbours : how many there are.
        """
        from tlex.reason.pairs import pick_neighbours  # noqa: PLC0415

        picked = pick_neighbours(self._settled.graph, self._settled.steps, numbers)
        return [(self._names[one], self._names[other]) for one, other in picked]

    def pick_pairs(self, numbers: list[int]) -> list[tuple[str, str]]:
        """Give some of the pairs of time-points whose order is unknown, without making the others.

        Parameters
        ----------
        numbers : list of int
            Which of them, ascending from 0, in the order of `pairs`.

        Returns
        -------
        list of tuple of str and str
            The pairs.

        Raises
        ------
        OptionError
            If the timeline is contradictory, so that it has no order.

        Examples
        --------
        >>> import tlex
        >>> trunk = tlex.extract(tlex.read("examples/story.tml")).trunk[0]
        >>> trunk.pick_pairs([0])
        [('ei2-', 'ei3-')]

        See Also
        --------
        count_pairs : how many there are.
        """
        from tlex.reason.pairs import pick_pairs  # noqa: PLC0415

        settled = self._settled
        picked = pick_pairs(settled.graph, settled.steps, self._stretches, numbers)
        return [(self._names[one], self._names[other]) for one, other in picked]

    def count_scenarios(
        self, limit: int | None = None, section: Section | None = None
    ) -> Scenarios:
        """Count the orderings (with ties) that the links allow, of one section or of all.

        Parameters
        ----------
        limit : int, optional
            The work for each section, in visited sets of compounds. Beyond it the count is a proven
            lower bound, and not ``exact``.
        section : Section, optional
            Count the orderings of this section only.

        Returns
        -------
        Scenarios
            The ``count``, and whether it is ``exact``.

        Raises
        ------
        OptionError
            If the timeline is contradictory, so that it has no order.

        Examples
        --------
        >>> import tlex
        >>> trunk = tlex.extract(tlex.read("examples/story.tml")).trunk[0]
        >>> trunk.count_scenarios()
        Scenarios(count=13, exact=True)

        See Also
        --------
        orderings : the orderings themselves.
        """
        from tlex.reason.scenarios import WORK_LIMIT, count_scenarios  # noqa: PLC0415

        work = WORK_LIMIT if limit is None else limit
        require_number("limit", work, 0, whole=True)
        settled = self._settled
        stretches = self._stretches if section is None else [(section.first, section.last)]
        count, exact = count_scenarios(settled.graph, settled.steps, stretches, work)
        return Scenarios(count, exact)

    def orderings(self) -> Iterator[tuple[tuple[str, ...], ...]]:
        """Give every ordering that the links allow, one at a time.

        The first is the minimum timeline.

        Yields
        ------
        tuple of tuple of str
            Blocks of equal points, in order.

        Raises
        ------
        OptionError
            If the timeline is contradictory, so that it has no order.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.from_links([("a", "BEFORE", "b")]))
        >>> list(result.timelines[0].orderings())
        [(('a-',), ('a+',), ('b-',), ('b+',))]

        See Also
        --------
        count_scenarios : how many there are.
        """
        from tlex.reason.scenarios import walk_scenarios  # noqa: PLC0415

        graph = self._settled.graph
        members: list[list[str]] = [[] for _ in range(graph.size)]
        for name, compound in zip(self._names, graph.compound, strict=True):
            members[compound].append(name)
        for blocks in walk_scenarios(graph):
            yield tuple(
                tuple(name for compound in block for name in members[compound]) for block in blocks
            )

    def record(self, *, pairs: bool = False) -> TimelineRecord:
        """Give the timeline as plain data.

        Parameters
        ----------
        pairs : bool
            Add the table of pairs whose order is unknown.

        Returns
        -------
        TimelineRecord
            The same attributes as frozen values.

        Examples
        --------
        >>> import tlex
        >>> trunk = tlex.extract(tlex.read("examples/story.tml")).trunk[0]
        >>> trunk.record()
        <TimelineRecord 0, 21 intervals, 23 steps>

        See Also
        --------
        Extraction.record : all timelines.
        """
        counted = self.count_pairs() if pairs and self.consistent else self.indeterminate_pairs
        listed = tuple(self.pairs()) if pairs and self.consistent else ()
        return TimelineRecord(
            id=self.id,
            main=self.main,
            detached=self.detached,
            consistent=self.consistent,
            intervals=self.intervals,
            length=self.length,
            offset=self.offset,
            points=self.points,
            compounds=self.compounds,
            tied_steps=self.tied_steps,
            sections=self.sections,
            indeterminate_pairs=counted,
            score=self.score,
            scenarios=self.scenarios,
            mended=self.mended,
            pairs=listed if pairs else UNSET,
        )

    @cached_property
    def _names(self) -> list[str]:
        return [name + end for name in self.intervals for end in "-+"]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self._names)}

    def _number(self, point: str) -> int:
        """The number of a time-point, given by an id or words and ``-`` or ``+``."""
        number = self._numbers.get(point)
        if number is not None:
            return number
        document = self._document
        if document is None or not isinstance(point, str) or point[-1:] not in {"-", "+"}:
            raise UnknownNameError(
                f"timeline {self.id} has no time-point {point!r}; a point is an id or words, and "
                f"then - for the start or + for the end, such as {self._names[0]!r}"
            )
        own = [document.index[name] for name in self.intervals]
        try:
            found = find_node(document, point[:-1], own)
        except UnknownNameError as error:
            message = f"timeline {self.id} has no time-point {point!r}: {error}"
            raise UnknownNameError(message) from None
        return self._numbers[document.nodes[found].id + point[-1]]

    @property
    def _settled(self) -> Consistent:
        if not isinstance(self._component, Consistent):
            raise OptionError(f"timeline {self.id} is contradictory, so its points have no order")
        return self._component

    @property
    def _stretches(self) -> list[tuple[int, int]]:
        """First and last step of each section."""
        return [(stretch.first, stretch.last) for stretch in self._settled.unsettled.sections]


class Extraction:
    """The trunk-and-branch timeline of a document: what `tlex.extract` gives.

    The five steps have run when it is made. Joining the timelines to trunk and branches, and
    putting the answers into the annotator's words, happens when somebody looks. ``components``
    has what the steps found, as integers: for programs that look at very many documents.

    With ``mend=True`` the links of a minimum repair are left out (``mended``; ``repair`` has their
    numbers). Then ``components`` and the timelines are those of the rest. ``whole`` has what the
    steps found with all links. ``consistent`` and ``conflicts`` are about the whole document.

    With ``calendar=True`` the document has the links that follow from values, and timelines are the
    parts that these and all other links connect. Trunk, branches, connections and factuality are
    those of the other links alone: ``world_of`` gives the part of each node that these connect.
    ``calendar_complete`` says whether the calendar's links entail all that is certain; of very many
    loose values it does not. ``dates`` has what is known of when each node was.
    """

    def __init__(  # noqa: PLR0913 -- one argument a field
        self,
        document: Document,
        options: Options,
        components: Components,
        *,
        whole: Components | None = None,
        repair: frozenset[int] = frozenset(),
        find_worlds: Callable[[], list[int]] | None = None,
        calendar_complete: bool = True,
    ) -> None:
        self.document = document
        self.options = options
        self.components = components
        self.whole = components if whole is None else whole
        self.repair = repair
        self.consistent = self.whole.consistent
        self._find_worlds = find_worlds
        self.calendar_complete = calendar_complete

    def __repr__(self) -> str:
        verdict = "consistent" if self.consistent else "contradictory"
        many = len(self.components)
        return f"<Extraction of {self.document.name!r}: {verdict}, {many} timelines>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Extraction):
            return NotImplemented
        return (self.options, self.document) == (other.options, other.document)

    def __hash__(self) -> int:
        return hash((self.options, self.document))

    @cached_property
    def timelines(self) -> tuple[Timeline, ...]:
        """One for each connected component, contradictory ones too, in text order."""
        nodes = self.document.nodes
        _, detached, offsets = self.arrangement
        left_out = self._share_out(self.repair)
        return tuple(
            Timeline(
                number,
                component,
                tuple([nodes[member].id for member in component.members]),
                main=number in offsets,
                detached=number in detached,
                offset=offsets.get(number, 0),
                document=self.document,
                mended=left_out.get(number, ()),
            )
            for number, component in enumerate(self.components)
        )

    @property
    def mended(self) -> tuple[str, ...]:
        """The links left out to mend the contradictions, in document order."""
        return tuple(self.document.links[number].id for number in sorted(self.repair))

    @property
    def trunk(self) -> tuple[Timeline, ...]:
        """The main timelines, in the order in which they are concatenated."""
        return tuple(self.timelines[number] for number in self.arrangement[0])

    @property
    def branches(self) -> tuple[Timeline, ...]:
        """The other timelines, in text order; detached ones too."""
        return tuple(timeline for timeline in self.timelines if not timeline.main)

    @cached_property
    def arrangement(self) -> tuple[list[int], set[int], dict[int, int]]:
        """The numbers of the main timelines, those that are detached, the main ones' offsets."""
        mains, detached = self.main_worlds
        owner = self.components.component_of
        if self.world_of is not owner:  # a timeline may hold several worlds
            timeline = dict(zip(self.world_of, owner, strict=True))
            attached = {timeline[world] for world in timeline.keys() - detached}
            mains = list(dict.fromkeys(timeline[world] for world in mains))
            detached = set(owner) - attached
            if self.options.main is None:
                mains.sort()
        lengths = self.components.lengths
        starts = accumulate((lengths[number] for number in mains), initial=0)
        return mains, detached, dict(zip(mains, starts, strict=False))

    @cached_property
    def world_of(self) -> list[int]:
        """The part of each node that links connect: its timeline, if there is no calendar."""
        return self._find_worlds() if self._find_worlds else self.components.component_of

    @cached_property
    def main_worlds(self) -> tuple[list[int], set[int]]:
        """The numbers of the main worlds, and of those that are detached."""
        from tlex.reason.trunk import arrange  # noqa: PLC0415

        return arrange(self.document, self.options, self.crossings, self.world_of)

    @cached_property
    def connections(self) -> tuple[Connection, ...]:
        """The SLINKs that cross between timelines, in document order.

        With the calendar, those that cross between worlds; a timeline may hold both ends.
        """
        index, owner = self.document.index, self.components.component_of
        if self.world_of is owner:
            return self.crossings
        return tuple(
            replace(
                connection,
                source_timeline=owner[index[connection.source]],
                target_timeline=owner[index[connection.target]],
            )
            for connection in self.crossings
        )

    @cached_property
    def crossings(self) -> tuple[Connection, ...]:
        """The SLINKs that cross between worlds, with the worlds' numbers as timelines."""
        from tlex.reason.trunk import find_connections  # noqa: PLC0415

        return find_connections(self.document, self.world_of)

    @cached_property
    def dates(self) -> list[DateRange | None]:
        """When each node was, as far as the calendar tells; empty without the calendar."""
        if not self.options.calendar:
            return []
        from tlex.reason.dates import date_nodes  # noqa: PLC0415

        return date_nodes(self.document, self.components, self.options.times)

    @cached_property
    def breaks(self) -> tuple[Break, ...]:
        """One between each two main timelines that are neighbours."""
        from tlex.reason.breaks import find_breaks  # noqa: PLC0415

        members = [self.components.members[number] for number in self.arrangement[0]]
        return find_breaks(self.document, self.arrangement[0], members)

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The contradictions of the document, by the place of their first links (reading R6)."""
        return self._listing[0]

    @property
    def conflicts_complete(self) -> bool:
        """Whether the list of conflicts is whole; a tangle of very many is cut at a limit."""
        return self._listing[1]

    @cached_property
    def _listing(self) -> tuple[tuple[Conflict, ...], bool]:
        if self.consistent:
            return (), True
        from tlex.conflicts.naming import name_conflicts  # noqa: PLC0415

        return name_conflicts(self.document, self.whole, self.components.component_of)

    @cached_property
    def nodes(self) -> tuple[NodeRecord, ...]:
        """The events and times, in text order, with their words, place and factuality."""
        from tlex.reason.factuality import describe_nodes  # noqa: PLC0415

        return describe_nodes(self)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the document itself."""
        return self.document.diagnostics

    def timeline_of(self, name: str) -> Timeline:
        """Find the timeline of an event or time.

        Parameters
        ----------
        name : str
            Its id, or its words in the text.

        Returns
        -------
        Timeline
            The timeline that holds it.

        Raises
        ------
        UnknownNameError
            If the document has no such event or time.
        AmbiguousError
            If several events or times have these words; ``candidates`` lists them.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"))
        >>> result.timeline_of("midnight")
        <Timeline 0: main, 21 intervals, 23 steps>

        See Also
        --------
        timelines : all timelines.
        """
        return self.timelines[self.components.component_of[self._find(name)]]

    def relation(
        self, source: str, target: str, *, contradictions: str | None = None
    ) -> PairRelation:
        """Say how two events or times are related.

        Parameters
        ----------
        source, target : str
            Two events or times, by id or by words from the text.
        contradictions : str, optional
            ``"part"``: nothing is entailed on a contradictory timeline. ``"repair"``: what holds
            under the chosen minimum repair; the default with ``mend=True``. ``"every"``: what holds
            after every minimum repair.

        Returns
        -------
        PairRelation
            One relation is entailed, or several are possible. Across timelines there is none.

        Raises
        ------
        UnknownNameError
            If the document has no such event or time.
        AmbiguousError
            If several events or times have these words; ``candidates`` lists them.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"))
        >>> print(result.relation("built", "midnight"))
        "built" (ei2) is BEFORE "midnight" (t4)   [Allen: before]

        See Also
        --------
        why : the same with a proof.
        closure : all entailed relations.
        """
        from tlex.reason.pair_answers import relate  # noqa: PLC0415

        policy, view = self._under(contradictions)
        pair = self._find(source), self._find(target)
        every = self._every if policy == "every" else None
        found = relate(self.nodes, view.components, view.connections, pair, every)
        relation = _add_repair(view, found, policy)
        relation.say_with(partial(say_relation, view))
        return relation

    def why(self, source: str, target: str, *, contradictions: str | None = None) -> Why:
        """Prove how two events or times are related.

        Parameters
        ----------
        source, target : str
            Two events or times, by id or by words from the text.
        contradictions : str, optional
            As for `relation`.

        Returns
        -------
        Why
            The relation. What is entailed comes with a chain of the fewest links for each order of
            end points; what is unknown with two timelines that order it differently.

        Raises
        ------
        UnknownNameError
            If the document has no such event or time.
        AmbiguousError
            If several events or times have these words; ``candidates`` lists them.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"))
        >>> result.why("built", "midnight").proofs
        (<Proof ei2+ < t4-, by l4, l6, l20>,)

        See Also
        --------
        relation : the relation alone.
        tlex.verify : check the proof, of ``result.answer(why=...)``.
        """
        from tlex.reason.pair_answers import explain  # noqa: PLC0415

        policy, view = self._under(contradictions)
        pair = self._find(source), self._find(target)
        every = self._every if policy == "every" else None
        why = explain(self.document, self.nodes, view.components, view.connections, pair, every)
        why = replace(why, relation=_add_repair(view, why.relation, policy))
        why.relation.say_with(partial(say_relation, view))
        return why

    def closure(self, limit: int | None = None) -> Closure:
        """Find every entailed relation between two events or times of one timeline.

        Parameters
        ----------
        limit : int, optional
            The largest number of pairs to look at; without it a million.

        Returns
        -------
        Closure
            The relations, as links; which of them are new.

        Raises
        ------
        OptionError
            If there are more pairs than ``limit``.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"))
        >>> print(result.closure())
        213 entailed relations, 186 of them new

        See Also
        --------
        reduction : the links from which all others follow.
        """
        from tlex.reason.closure import LIMIT, close_timelines  # noqa: PLC0415

        most = LIMIT if limit is None else limit
        require_number("limit", most, 0, whole=True)
        return close_timelines(self.document, self.components, most)

    def reduction(self) -> Reduction:
        """Find a minimal set of links that implies the rest.

        Returns
        -------
        Reduction
            The links that are ``kept``, and those that are ``dropped``.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"))
        >>> result.reduction().dropped
        ('l20',)

        See Also
        --------
        closure : all that follows.
        """
        from tlex.reason.reduction import reduce_timelines  # noqa: PLC0415

        return reduce_timelines(self.document, self.components)

    def answer(self, **found: PairRelation | Why | Closure | Reduction) -> Answer:
        """Give an answer as plain data that says which document and options it is about.

        Parameters
        ----------
        **found : PairRelation, Why, Closure or Reduction
            What `relation`, `why`, `closure` or `reduction` gave, under that name.

        Returns
        -------
        Answer
            One JSON object of the contract ``tlex/1``, by ``to_json()``.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"))
        >>> result.answer(relation=result.relation("ei1", "ei2")).to_json()[:18]
        b'{"schema":"tlex/1"'

        See Also
        --------
        record : the whole result.
        """
        about = DocumentRecord.of(self.document)
        policy = None
        for answer in found.values():
            relation = answer.relation if isinstance(answer, Why) else answer
            policy = relation.contradictions if isinstance(relation, PairRelation) else None
        mended = self._under(policy)[1].mended
        return Answer(SCHEMA, __version__, about, self.options, **found, mended=mended)  # type: ignore[arg-type]

    def record(self, *, pairs: bool = False) -> ExtractionRecord:
        """Give the result as plain data.

        Parameters
        ----------
        pairs : bool
            Add the tables of pairs whose order is unknown.

        Returns
        -------
        ExtractionRecord
            The same attributes as frozen values.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"))
        >>> result.record()
        <ExtractionRecord 'examples/story.tml', 3 timelines>

        See Also
        --------
        to_json : the same as JSON.
        """
        return ExtractionRecord(
            schema=SCHEMA,
            tlex=__version__,
            document=DocumentRecord.of(self.document),
            options=self.options,
            consistent=self.consistent,
            nodes=self.nodes,
            timelines=tuple(timeline.record(pairs=pairs) for timeline in self.timelines),
            connections=self.connections,
            breaks=self.breaks,
            conflicts=self.conflicts,
            conflicts_complete=self.conflicts_complete,
            calendar_complete=self.calendar_complete,
            mended=self.mended,
            diagnostics=self.diagnostics,
        )

    def to_json(self, *, pairs: bool = False) -> bytes:
        """Encode the result as one line of JSON, without a line end: the contract ``tlex/1``.

        Parameters
        ----------
        pairs : bool
            Add the tables of pairs whose order is unknown.

        Returns
        -------
        bytes
            What ``tlex extract --json`` prints.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"))
        >>> tlex.ExtractionRecord.from_json(result.to_json()) == result.record()
        True

        See Also
        --------
        record : the same as plain data.
        """
        return self.record(pairs=pairs).to_json()

    def to_pandas(self, table: str = "nodes") -> pd.DataFrame:
        """Give one table as a pandas data frame; needs pandas.

        Parameters
        ----------
        table : str
            nodes, points, links, timelines, branches, sections, conflicts, diagnostics,
            connections, breaks, pairs or closure; docs/tables.md says what is in them.

        Returns
        -------
        pandas.DataFrame
            The table. Integers stay integers (``Int64``).

        Raises
        ------
        UnknownNameError
            If there is no such table.
        OptionError
            If pandas is not installed.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"))
        >>> len(result.to_pandas("timelines"))
        3

        See Also
        --------
        to_networkx : the graph.
        tlex.write : tables as files.
        """
        from tlex.export.data_frames import to_pandas  # noqa: PLC0415

        return to_pandas(self, table)

    def to_networkx(self) -> nx.MultiDiGraph[Any]:
        """Give the TimeML graph as a networkx ``MultiDiGraph``; needs networkx.

        Returns
        -------
        networkx.MultiDiGraph
            Nodes carry their words, factuality, timeline and steps; edges their kind and type, and
            whether they are left out.

        Raises
        ------
        OptionError
            If networkx is not installed.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"))
        >>> result.to_networkx().number_of_nodes()
        26

        See Also
        --------
        to_pandas : tables.
        """
        from tlex.export.data_frames import to_networkx  # noqa: PLC0415

        return to_networkx(self)

    def _repr_svg_(self) -> str:
        """Draw the picture that a notebook shows."""
        from tlex.draw.svg_painter import svg  # noqa: PLC0415

        return svg(self)

    def _repr_html_(self) -> str:
        """The same for a notebook that would rather have HTML: it may be scrolled sideways."""
        return f'<div style="overflow-x: auto">{self._repr_svg_()}</div>'

    def _under(self, contradictions: str | None) -> tuple[str, Extraction]:
        """How a question deals with contradictions, and the result that answers it."""
        policy = contradictions or ("repair" if self.options.mend else "part")
        if policy not in POLICIES:
            known = ", ".join(POLICIES)
            raise OptionError(f"contradictions cannot be {policy!r}; choose from {known}")
        if (policy == "part") != self.options.mend:
            return policy, self
        return policy, self._twin

    @cached_property
    def _twin(self) -> Extraction:
        """The same document with its contradictions mended; without that, if they are."""
        options = replace(self.options, mend=not self.options.mend)
        if self.consistent or (self.options.mend and not self.options.calendar):
            return Extraction(
                self.document,
                options,
                self.whole,
                find_worlds=self._find_worlds,
                calendar_complete=self.calendar_complete,
            )
        from tlex.extraction import extract  # noqa: PLC0415

        return extract(self.document, **asdict(options))

    @cached_property
    def _every(self) -> EveryRepair:
        from tlex.reason.every_repair import EveryRepair  # noqa: PLC0415

        return EveryRepair(self.document, self.whole)

    def _share_out(self, links: Iterable[int]) -> dict[int, tuple[str, ...]]:
        """Name links by the timelines that their ends are on."""
        shares: dict[int, list[str]] = {}
        index, owner = self.document.index, self.components.component_of
        for link in (self.document.links[number] for number in sorted(links)):
            ends = (owner[index[end]] for end in (link.source, link.target) if end)
            for number in dict.fromkeys(ends):
                shares.setdefault(number, []).append(link.id)
        return {number: tuple(ids) for number, ids in shares.items()}

    def _find(self, asked: str) -> int:
        """The number of the node that an id or words stand for."""
        return find_node(self.document, asked)


def _add_repair(result: Extraction, relation: PairRelation, policy: str) -> PairRelation:
    """Add to an answer how it deals with contradictions, and the links that are left out."""
    touching = {
        link for number in set(relation.timelines) for link in result.timelines[number].mended
    }
    mended = tuple(link for link in result.mended if link in touching)
    return replace(relation, contradictions=policy, mended=mended)
