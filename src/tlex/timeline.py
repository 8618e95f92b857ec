"""The live answer: timelines and the extraction that holds them.

They keep the steps' integers and put them into words, or answer a question, when somebody looks.
Their attributes mirror the fields of the JSON contract; ``report()`` gives the same as plain data.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from tlex._version import __version__
from tlex.document import Diagnostic, Document
from tlex.errors import OptionError, UnknownNameError
from tlex.lookup import find_node
from tlex.points.graphs import Component, Consistent
from tlex.records import (
    SCHEMA,
    Answer,
    Break,
    Closure,
    Conflict,
    Connection,
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

__all__ = ["Extraction", "Timeline"]

PAIRS_LIMIT = 20_000
"""Above this many points a timeline's indeterminate pairs are counted only on request."""


class Timeline:
    """The minimum timeline of one temporally connected component.

    A contradictory component has a `Timeline` too, without steps: see ``consistent``.
    """

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
    ) -> None:
        self.id = number
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
        """The number of steps; None if inconsistent."""
        return self._settled.steps.lengths[0] if self.consistent else None

    @cached_property
    def points(self) -> dict[str, tuple[int, int]]:
        """Each time-point's earliest and latest step, in text order; empty if inconsistent."""
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
        """The share of time-points that stand in a section; None if inconsistent."""
        if not self.consistent:
            return None
        return sum(len(section.points) for section in self.sections) / (2 * len(self.intervals))

    @cached_property
    def indeterminate_pairs(self) -> int | None:
        """How many pairs of time-points are indeterminate; None if inconsistent or very large."""
        if not self.consistent or 2 * len(self.intervals) > PAIRS_LIMIT:
            return None
        return self.count_pairs()

    @cached_property
    def scenarios(self) -> Scenarios | None:
        """How many orderings there are, within the usual work limit; None if inconsistent."""
        return self.count_scenarios() if self.consistent else None

    def step(self, point: str) -> int:
        """Give the step of a time-point such as ``ei4-`` on the minimum timeline."""
        settled = self._settled
        return settled.steps.earliest[settled.graph.compound[self._number(point)]]

    def slack(self, point: str) -> int:
        """How many steps later a time-point can stand on a timeline of the same length."""
        settled = self._settled
        compound = settled.graph.compound[self._number(point)]
        return settled.latest[compound] - settled.steps.earliest[compound]

    def indeterminate(self, left: str, right: str) -> bool:
        """Whether the order of two time-points is open. Linear; needs no table."""
        from tlex.reason.pairs import is_indeterminate  # noqa: PLC0415 -- see docs/design.md

        settled = self._settled
        compound = settled.graph.compound
        pair = compound[self._number(left)], compound[self._number(right)]
        return is_indeterminate(settled.graph, settled.steps, *pair)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Every indeterminate pair of time-points, section by section, one at a time.

        The table behind it takes one bit for each pair of compounds in a section.
        """
        from tlex.reason.pairs import walk_pairs  # noqa: PLC0415

        names = self._names
        for left, right in walk_pairs(self._settled.graph, self._settled.steps, self._stretches):
            yield names[left], names[right]

    def count_pairs(self) -> int:
        """Count the indeterminate pairs of time-points, however large the timeline is."""
        from tlex.reason.pairs import count_pairs  # noqa: PLC0415

        return count_pairs(self._settled.graph, self._settled.steps, self._stretches)

    def count_neighbours(self) -> int:
        """Count the pairs of points on neighbouring steps whose order the links entail."""
        from tlex.reason.pairs import count_neighbours  # noqa: PLC0415

        return count_neighbours(self._settled.graph, self._settled.steps)

    def pick_neighbours(self, numbers: list[int]) -> list[tuple[str, str]]:
        """Give such pairs by their numbers, which ascend from 0: what a sample needs."""
        from tlex.reason.pairs import pick_neighbours  # noqa: PLC0415

        picked = pick_neighbours(self._settled.graph, self._settled.steps, numbers)
        return [(self._names[one], self._names[other]) for one, other in picked]

    def pick_pairs(self, numbers: list[int]) -> list[tuple[str, str]]:
        """Give indeterminate pairs by their numbers, which ascend from 0, and make no others."""
        from tlex.reason.pairs import pick_pairs  # noqa: PLC0415

        settled = self._settled
        picked = pick_pairs(settled.graph, settled.steps, self._stretches, numbers)
        return [(self._names[one], self._names[other]) for one, other in picked]

    def count_scenarios(
        self, limit: int | None = None, section: Section | None = None
    ) -> Scenarios:
        """Count the orderings (with ties) that the constraints admit, of one section or of all.

        ``limit`` bounds the work for each section, in visited sets of compounds; beyond it the
        count is a proven lower bound and says so.
        """
        from tlex.reason.scenarios import WORK_LIMIT, count_scenarios  # noqa: PLC0415

        work = WORK_LIMIT if limit is None else limit
        settled = self._settled
        stretches = self._stretches if section is None else [(section.first, section.last)]
        count, exact = count_scenarios(settled.graph, settled.steps, stretches, work)
        return Scenarios(count, exact)

    def orderings(self) -> Iterator[tuple[tuple[str, ...], ...]]:
        """Every ordering that the constraints admit, lazily: blocks of equal points, in order.

        The first is the minimum timeline.
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
        """Give the timeline as plain data; with ``pairs`` also the table of pairs."""
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
    """

    def __init__(self, document: Document, options: Options, components: Components) -> None:
        self.document = document
        self.options = options
        self.consistent = components.consistent
        self.components = components

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
        return tuple(
            Timeline(
                number,
                component,
                tuple([nodes[member].id for member in component.members]),
                main=number in offsets,
                detached=number in detached,
                offset=offsets.get(number, 0),
                document=self.document,
            )
            for number, component in enumerate(self.components)
        )

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
        from tlex.reason.trunk import arrange  # noqa: PLC0415

        return arrange(
            self.document,
            self.options,
            self.connections,
            self.components.component_of,
            self.components.lengths,
        )

    @cached_property
    def connections(self) -> tuple[Connection, ...]:
        """The SLINKs that cross between timelines, in document order."""
        from tlex.reason.trunk import find_connections  # noqa: PLC0415

        return find_connections(self.document, self.components.component_of)

    @cached_property
    def breaks(self) -> tuple[Break, ...]:
        """One between each two main timelines that are neighbours."""
        from tlex.reason.breaks import find_breaks  # noqa: PLC0415

        members = [self.components.members[number] for number in self.arrangement[0]]
        return find_breaks(self.document, self.arrangement[0], members)

    @cached_property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The contradictions of the document (reading R6)."""
        from tlex.conflicts.naming import name_conflicts  # noqa: PLC0415

        return tuple(
            conflict
            for number, component in self.components.list_inconsistent()
            for conflict in name_conflicts(self.document, number, component)
        )

    @cached_property
    def nodes(self) -> tuple[NodeRecord, ...]:
        """The events and times, in text order, with their words, place and factuality."""
        from tlex.reason.factuality import describe_nodes  # noqa: PLC0415

        return describe_nodes(self.document)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the document itself."""
        return self.document.diagnostics

    def timeline_of(self, name: str) -> Timeline:
        """Find the timeline that holds an event or time, given by id or words."""
        return self.timelines[self.components.component_of[self._find(name)]]

    def relation(self, source: str, target: str) -> PairRelation:
        """Say how two events or times, given by id or words, are related.

        One relation is entailed, or several are possible; across timelines there is none.
        """
        from tlex.reason.questions import relate  # noqa: PLC0415

        pair = self._find(source), self._find(target)
        return relate(self.nodes, self.components, self.connections, pair)

    def why(self, source: str, target: str) -> Why:
        """Prove how two events or times, given by id or words, are related.

        What is entailed comes with a walk of the fewest links for each order of end points, what
        is open with two timelines that order it both ways.
        """
        from tlex.reason.questions import explain  # noqa: PLC0415

        pair = self._find(source), self._find(target)
        return explain(self.document, self.nodes, self.components, self.connections, pair)

    def closure(self, limit: int | None = None) -> Closure:
        """Find every entailed relation between two events or times of one timeline.

        There are as many as there are pairs, at worst. Of more than ``limit`` pairs, a million
        without it, an `OptionError` tells.
        """
        from tlex.reason.closure import LIMIT, close_timelines  # noqa: PLC0415

        return close_timelines(self.document, self.components, LIMIT if limit is None else limit)

    def reduction(self) -> Reduction:
        """Find links that entail all others, and none of which can be spared."""
        from tlex.reason.reduction import reduce_timelines  # noqa: PLC0415

        return reduce_timelines(self.document, self.components)

    def answer(self, **found: PairRelation | Why | Closure | Reduction) -> Answer:
        """Give an answer as plain data that says what it is about: one JSON object.

        ``found`` is what `relation`, `why`, `closure` or `reduction` gave, under that name.
        """
        about = DocumentRecord(self.document.name, self.document.format)
        return Answer(SCHEMA, __version__, about, self.options, **found)  # type: ignore[arg-type]

    def record(self, *, pairs: bool = False) -> ExtractionRecord:
        """Give everything as plain data; with ``pairs`` also the tables of pairs."""
        return ExtractionRecord(
            schema=SCHEMA,
            tlex=__version__,
            document=DocumentRecord(self.document.name, self.document.format),
            options=self.options,
            consistent=self.consistent,
            nodes=self.nodes,
            timelines=tuple(timeline.record(pairs=pairs) for timeline in self.timelines),
            connections=self.connections,
            breaks=self.breaks,
            conflicts=self.conflicts,
            diagnostics=self.diagnostics,
        )

    def to_json(self, *, pairs: bool = False) -> bytes:
        """Encode as one line of JSON, without a line end: the contract ``tlex/1``."""
        return self.record(pairs=pairs).to_json()

    def to_pandas(self, table: str = "nodes") -> pd.DataFrame:
        """Give one table as a pandas data frame; needs pandas.

        Tables: nodes, points, links, timelines, branches, sections, conflicts, diagnostics,
        connections, breaks, pairs, closure; docs/tables.md says what is in them.
        """
        from tlex.export.tables import to_pandas  # noqa: PLC0415

        return to_pandas(self, table)

    def to_networkx(self) -> nx.MultiDiGraph[Any]:
        """Give the TimeML graph as a networkx ``MultiDiGraph``; needs networkx.

        Nodes carry their words, factuality, timeline and steps; edges their kind and type.
        """
        from tlex.export.tables import to_networkx  # noqa: PLC0415

        return to_networkx(self)

    def _repr_svg_(self) -> str:
        """Draw the picture that a notebook shows."""
        from tlex.draw.vector import svg  # noqa: PLC0415

        return svg(self)

    def _repr_html_(self) -> str:
        """The same for a notebook that would rather have HTML: it may be scrolled sideways."""
        return f'<div style="overflow-x: auto">{self._repr_svg_()}</div>'

    def _find(self, asked: str) -> int:
        """The number of the node that an id or words stand for."""
        return find_node(self.document, asked)
