"""The live answer: the extraction that holds the timelines of a document.

It keeps the steps' integers and puts them into words, or answers a question, when somebody looks.
Its attributes mirror the fields of the JSON contract; ``record()`` gives the same as plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from msgspec import UNSET
from msgspec.structs import asdict, replace

from tlex._version import __version__
from tlex.arguments import require_number
from tlex.document import Diagnostic, Document
from tlex.errors import OptionError
from tlex.lookup import find_node, say_relation
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
    Why,
)
from tlex.timeline import Timeline

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

    from tlex.components import Components
    from tlex.reason.dates import PointDates
    from tlex.reason.every_repair import EveryRepair

__all__ = ["Extraction"]

POLICIES = ("part", "repair", "every")
"""How a question about two events deals with contradictions."""


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
                find_dates=lambda: self.point_dates,
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
            for link in self.document.links
            if link.kind == "CALENDAR"
        )

    @cached_property
    def dates(self) -> list[DateRange | None]:
        """When each node was, as far as the calendar tells; empty without the calendar."""
        if self.point_dates is None:
            return []
        from tlex.reason.dates import date_nodes  # noqa: PLC0415

        return date_nodes(self.point_dates)

    @cached_property
    def point_dates(self) -> PointDates | None:
        """When each time-point was, as far as the calendar tells; None without the calendar."""
        if not self.options.calendar:
            return None
        from tlex.reason.dates import date_points  # noqa: PLC0415

        return date_points(self.document, self.components, self.options.times)

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

    def events(  # noqa: PLR0913 -- one argument a condition
        self,
        *,
        before: str | None = None,
        after: str | None = None,
        during: str | None = None,
        on: str | None = None,
        unordered: str | None = None,
        contradictions: str | None = None,
    ) -> Events:
        """List the events, in order: all of them, or those that meet some conditions.

        Several conditions have to hold together.

        Parameters
        ----------
        before, after, during, unordered : str, optional
            As for the methods of these names: an event or time, by id or by words from the text,
            or a date such as ``"2013-03-20"``, ``"2013-03"`` or ``"2009"``.
        on : str, optional
            The same as ``during``, but for dates only.
        contradictions : str, optional
            As for `relation`.

        Returns
        -------
        Events
            The events that meet the conditions for ``certain``, and those that are ``possible``.

        Raises
        ------
        UnknownNameError
            If the document has no such event or time.
        AmbiguousError
            If several events or times have these words; ``candidates`` lists them.
        OptionError
            If a date is given that cannot be used, or without ``calendar=True``.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"), calendar=True)
        >>> result.events(after="coughed", before="2020")
        <Events 7 certain, 0 possible, 5 on other timelines>

        See Also
        --------
        before, after, during, unordered : one condition.
        relation : how two events or times are related.
        """
        from tlex.reason.event_answers import list_events  # noqa: PLC0415

        given = {
            "before": before,
            "after": after,
            "during": during,
            "on": on,
            "unordered": unordered,
        }
        asked = {name: value for name, value in given.items() if value is not None}
        policy, view = self._under(contradictions)
        return list_events(view, asked, policy, self._every if policy == "every" else None)

    def before(self, name: str, *, contradictions: str | None = None) -> Events:
        """List the events that end before something starts, or just when it starts.

        Parameters
        ----------
        name : str
            An event or time, by id or by words from the text, or a date such as ``"2013-03-20"``,
            ``"2013-03"`` or ``"2009"``. A date needs ``calendar=True``.
        contradictions : str, optional
            As for `relation`.

        Returns
        -------
        Events
            Those that are ``certain``, and those that are ``possible``: not excluded.

        Raises
        ------
        UnknownNameError, AmbiguousError, OptionError
            As for `events`.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"), calendar=True)
        >>> [event.text for event in result.before("coughed").certain]
        ['snowed', 'built', 'warmed']

        See Also
        --------
        events : several conditions at once.
        after, during, unordered : other conditions.
        """
        return self.events(before=name, contradictions=contradictions)

    def after(self, name: str, *, contradictions: str | None = None) -> Events:
        """List the events that start after something ends, or just when it ends.

        Parameters
        ----------
        name : str
            As for `before`.
        contradictions : str, optional
            As for `relation`.

        Returns
        -------
        Events
            Those that are ``certain``, and those that are ``possible``: not excluded.

        Raises
        ------
        UnknownNameError, AmbiguousError, OptionError
            As for `events`.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"), calendar=True)
        >>> [event.text for event in result.after("midnight").certain]
        ['cheered', 'asked']

        See Also
        --------
        events : several conditions at once.
        before, during, unordered : other conditions.
        """
        return self.events(after=name, contradictions=contradictions)

    def during(self, name: str, *, contradictions: str | None = None) -> Events:
        """List the events that start and end within something; they may fill all of it.

        Parameters
        ----------
        name : str
            As for `before`.
        contradictions : str, optional
            As for `relation`.

        Returns
        -------
        Events
            Those that are ``certain``, and those that are ``possible``: not excluded.

        Raises
        ------
        UnknownNameError, AmbiguousError, OptionError
            As for `events`.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"), calendar=True)
        >>> [event.text for event in result.during("2020").certain]
        ['began', 'hoot', 'cheered', 'asked']

        See Also
        --------
        events : several conditions at once.
        before, after, unordered : other conditions.
        """
        return self.events(during=name, contradictions=contradictions)

    def unordered(self, name: str, *, contradictions: str | None = None) -> Events:
        """List the events of which it is unknown if they are before, after or at some time.

        Parameters
        ----------
        name : str
            As for `before`.
        contradictions : str, optional
            As for `relation`.

        Returns
        -------
        Events
            Of ``certain`` ones no order of end points is known. Of ``possible`` ones some order
            is, but it does not tell whether they are before, after or at the same time.

        Raises
        ------
        UnknownNameError, AmbiguousError, OptionError
            As for `events`.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.read("examples/story.tml"))
        >>> [event.text for event in result.unordered("built").certain]
        ['warmed', 'brought', 'hoot', 'deny', 'attended', 'learned']

        See Also
        --------
        events : several conditions at once.
        before, after, during : other conditions.
        """
        return self.events(unordered=name, contradictions=contradictions)

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
            calendar=self.calendar if self.options.calendar else UNSET,
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
