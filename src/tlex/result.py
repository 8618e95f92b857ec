"""The live answer: the extraction that holds the timelines of a document.

It keeps the steps' integers and puts them into words, or answers a question, when somebody looks.
Its attributes mirror the fields of the JSON contract; ``record()`` gives the same as plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from msgspec import UNSET
from msgspec.structs import asdict, replace

from tlex._version import __version__
from tlex.caching import cached_property
from tlex.document import Document
from tlex.errors import OptionError
from tlex.lookup import find_node
from tlex.nouns import Diagnostic
from tlex.questions import Questions
from tlex.records import (
    SCHEMA,
    Answer,
    Break,
    CalendarLink,
    Closure,
    Conflict,
    Connection,
    DateRange,
    DocumentRecord,
    Events,
    ExtractionRecord,
    NodeRecord,
    Options,
    PairRelation,
    Reduction,
    TimelineRecord,
    Why,
)
from tlex.timeline import Timeline

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from tlex.components import Components
    from tlex.reason.dates import PointDates
    from tlex.reason.every_repair import EveryRepair

__all__ = ["CUT_CALENDAR", "Extraction", "require_few_pairs"]

POLICIES = ("part", "repair", "every")
"""How a question about two events deals with contradictions."""

MOST_PAIRS = 1_000_000
"""How many pairs of unknown order a record may list; they take some 100 MB."""

CUT_CALENDAR = "too many inexact values: not all that follows from the calendar was looked at"
"""What is said of a result whose ``calendar_complete`` is false."""


class Extraction(Questions):
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
        # Timelines have this, and not the result: in a cycle, both would wait for the collector.
        self._find_dates = (
            _Dating(document, components, options.times) if options.calendar else None
        )
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
        ids = list(self.document.index)
        _, detached, offsets = self.arrangement
        left_out = self._share_out(self.repair)
        return tuple(
            Timeline(
                number,
                self.components,
                tuple([ids[member] for member in members]),
                main=number in offsets,
                detached=number in detached,
                offset=offsets.get(number, 0),
                document=self.document,
                mended=left_out.get(number, ()),
                find_dates=self._find_dates,
            )
            for number, members in enumerate(self.components.members)
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
    def calendar(self) -> tuple[CalendarLink, ...]:
        """The links that follow from values, in document order; none without the calendar."""
        return tuple(
            CalendarLink(
                id=link.id,
                type=link.type or "",
                source=link.source or "",
                target=link.target or "",
                words=link.attributes["words"],
            )
            for link in self.document.calendar
        )

    @cached_property
    def dates(self) -> list[DateRange | None]:
        """When each node was, as far as the calendar tells; empty without the calendar."""
        if self.point_dates is None:
            return []
        from tlex.reason.dates import date_nodes  # noqa: PLC0415

        return date_nodes(self.point_dates)

    @property
    def point_dates(self) -> PointDates | None:
        """When each time-point was, as far as the calendar tells; None without the calendar."""
        return self._find_dates() if self._find_dates else None

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
        return self.timelines[self.components.component_of[find_node(self.document, name)]]

    def answer(self, **found: PairRelation | Why | Closure | Reduction | Events) -> Answer:
        """Give an answer as plain data that says which document and options it is about.

        Parameters
        ----------
        **found : PairRelation, Why, Closure, Reduction or Events
            What `relation`, `why`, `closure`, `reduction` or `events` gave, under that name.

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
            policy = (
                relation.contradictions if isinstance(relation, PairRelation | Events) else None
            )
        more: dict[str, Any] = {"mended": self._under(policy)[1].mended}
        if self.options.calendar:
            more |= {"calendar": self.calendar, "calendar_complete": self.calendar_complete}
        return Answer(SCHEMA, __version__, about, self.options, **found, **more)  # type: ignore[arg-type]

    def record(self, *, pairs: bool = False) -> ExtractionRecord:
        """Give the result as plain data.

        Parameters
        ----------
        pairs : bool
            Add the tables of pairs whose order is unknown, up to a million of them.

        Returns
        -------
        ExtractionRecord
            The same attributes as frozen values.

        Raises
        ------
        OptionError
            If there are too many pairs.

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
        if pairs:
            require_few_pairs(self)
        return ExtractionRecord(
            schema=SCHEMA,
            tlex=__version__,
            document=DocumentRecord.of(self.document),
            options=self.options,
            consistent=self.consistent,
            nodes=self.nodes,
            timelines=self._record_timelines(pairs=pairs),
            connections=self.connections,
            breaks=self.breaks,
            conflicts=self.conflicts,
            conflicts_complete=self.conflicts_complete,
            calendar_complete=self.calendar_complete,
            mended=self.mended,
            diagnostics=self.diagnostics,
            calendar=self.calendar if self.options.calendar else UNSET,
        )

    def _record_timelines(self, *, pairs: bool) -> tuple[TimelineRecord, ...]:
        """Give the record of each timeline, without the timelines: a document has many."""
        from tlex.reason.timeline_records import record_timeline  # noqa: PLC0415

        ids = list(self.document.index)
        _, detached, offsets = self.arrangement
        left_out = self._share_out(self.repair)
        return tuple(
            [
                record_timeline(
                    self.components,
                    number,
                    tuple([ids[member] for member in members]),
                    main=number in offsets,
                    detached=number in detached,
                    offset=offsets.get(number, 0),
                    mended=left_out.get(number, ()),
                    pairs=pairs,
                )
                for number, members in enumerate(self.components.members)
            ]
        )

    def to_json(self, *, pairs: bool = False) -> bytes:
        """Encode the result as one line of JSON, without a line end: the contract ``tlex/1``.

        Parameters
        ----------
        pairs : bool
            Add the tables of pairs whose order is unknown, up to a million of them.

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
        """Give the reading view, for a notebook that shows HTML."""
        from tlex.draw.reading.html_painter import html  # noqa: PLC0415

        return html(self)

    def _under(self, contradictions: str | None) -> tuple[str, Extraction, EveryRepair | None]:
        policy = contradictions or ("repair" if self.options.mend else "part")
        if policy not in POLICIES:
            known = ", ".join(POLICIES)
            raise OptionError(f"contradictions cannot be {policy!r}; choose from {known}")
        view = self if (policy == "part") != self.options.mend else self._twin
        return policy, view, self._every if policy == "every" else None

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

        given = {**asdict(options), "confidence": bool(options.confidence)}
        return extract(self.document, **given)

    @cached_property
    def _every(self) -> EveryRepair:
        from tlex.reason.every_repair import EveryRepair  # noqa: PLC0415

        return EveryRepair(self.document, self.whole, confidence=bool(self.options.confidence))

    def _share_out(self, links: Iterable[int]) -> dict[int, tuple[str, ...]]:
        """Name links by the timelines that their ends are on."""
        shares: dict[int, list[str]] = {}
        index, owner = self.document.index, self.components.component_of
        for link in (self.document.links[number] for number in sorted(links)):
            ends = (owner[index[end]] for end in (link.source, link.target) if end)
            for number in dict.fromkeys(ends):
                shares.setdefault(number, []).append(link.id)
        return {number: tuple(ids) for number, ids in shares.items()}


def require_few_pairs(result: Extraction) -> None:
    """Raise an `OptionError` if the tables of pairs would be too large for the memory."""
    known = (timeline for timeline in result.timelines if timeline.consistent)
    number = sum(timeline.count_pairs() for timeline in known)
    if number > MOST_PAIRS:
        raise OptionError(
            f"{result.document.name}: {number:,} pairs have no known order, more than the limit "
            f"of {MOST_PAIRS:,}; in Python, timeline.pairs() gives one after the other"
        )


class _Dating:
    """When each time-point was; found when somebody asks."""

    def __init__(self, document: Document, components: Components, times: str) -> None:
        self._given = document, components, times
        self._found: PointDates | None = None

    def __call__(self) -> PointDates:
        if self._found is None:
            from tlex.reason.dates import date_points  # noqa: PLC0415

            self._found = date_points(*self._given)
        return self._found
