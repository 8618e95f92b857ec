"""The live answer: timelines and the extraction that holds them.

They keep the steps' integers and put them into words, or answer a question, when somebody looks.
Their attributes mirror the fields of the JSON contract; ``report()`` gives the same as plain data.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from msgspec import UNSET

from tlex._version import __version__
from tlex.document import Diagnostic, Document
from tlex.errors import OptionError
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

    from tlex.graph import CompoundGraph, Part, Steps
    from tlex.parts import Parts

__all__ = ["Extraction", "Timeline"]

PAIRS_LIMIT = 20_000
"""Above this many points a timeline's indeterminate pairs are counted only on request."""


class Timeline:
    """The minimum timeline of one temporally connected part, or the news that it has none."""

    def __init__(  # noqa: PLR0913 -- one argument a field
        self,
        number: int,
        part: Part,
        names: tuple[str, ...],
        *,
        main: bool,
        detached: bool,
        offset: int,
    ) -> None:
        self.id = number
        self.intervals = names
        self.main = main
        self.detached = detached
        self.offset = offset
        self._part = part

    def __repr__(self) -> str:
        place = "main" if self.main else "detached" if self.detached else "branch"
        found = f"{self.length} steps" if self.consistent else "inconsistent"
        return f"<Timeline {self.id}: {place}, {len(self.intervals)} intervals, {found}>"

    @property
    def consistent(self) -> bool:
        """Whether the part has a timeline at all."""
        return self._part.consistent

    @property
    def length(self) -> int | None:
        """The number of steps; None if inconsistent."""
        return self._steps.lengths[0] if self.consistent else None

    @cached_property
    def points(self) -> dict[str, tuple[int, int]]:
        """Each time-point's earliest and latest step, in text order; empty if inconsistent."""
        if not self.consistent:
            return {}
        earliest, latest = self._steps.earliest, self._part.latest
        return {
            name: (earliest[compound], latest[compound])
            for name, compound in zip(self._names, self._graph.compound, strict=True)
        }

    @cached_property
    def compounds(self) -> tuple[tuple[str, ...], ...]:
        """The groups of two or more points that are equal in every timeline."""
        if not self.consistent:
            return ()
        groups: dict[int, list[str]] = {}
        for name, compound in zip(self._names, self._graph.compound, strict=True):
            groups.setdefault(compound, []).append(name)
        return tuple(tuple(group) for group in groups.values() if len(group) > 1)

    @property
    def tied_steps(self) -> tuple[int, ...]:
        """The steps that hold two or more compounds."""
        return tuple(self._part.unsettled.tied) if self._part.unsettled else ()

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The undetermined stretches, first to last (SPEC §6)."""
        if not self._part.unsettled or not self._part.unsettled.sections:
            return ()
        runs = self._part.unsettled.sections
        at = {step: k for k, run in enumerate(runs) for step in range(run.first, run.last + 1)}
        inside: list[list[str]] = [[] for _ in runs]
        for name, (earliest, _) in self.points.items():
            if earliest in at:
                inside[at[earliest]].append(name)
        return tuple(
            Section(run.first, run.last, tuple(names))
            for run, names in zip(runs, inside, strict=True)
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
        return self._steps.earliest[self._graph.compound[self._number(point)]]

    def slack(self, point: str) -> int:
        """How many steps later a time-point can stand on a timeline of the same length."""
        compound = self._graph.compound[self._number(point)]
        return self._part.latest[compound] - self._steps.earliest[compound]

    def indeterminate(self, left: str, right: str) -> bool:
        """Whether the order of two time-points is open. Linear; needs no table."""
        from tlex.reason.pairs import is_indeterminate  # noqa: PLC0415 -- see DESIGN, layers

        compound = self._graph.compound
        pair = compound[self._number(left)], compound[self._number(right)]
        return is_indeterminate(self._graph, self._steps, *pair)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Every indeterminate pair of time-points, section by section, one at a time.

        The table behind it takes one bit for each pair of compounds in a section.
        """
        from tlex.reason.pairs import walk_pairs  # noqa: PLC0415

        names = self._names
        for left, right in walk_pairs(self._graph, self._steps, self._runs):
            yield names[left], names[right]

    def count_pairs(self) -> int:
        """Count the indeterminate pairs of time-points, however large the timeline is."""
        from tlex.reason.pairs import count_pairs  # noqa: PLC0415

        return count_pairs(self._graph, self._steps, self._runs)

    def count_neighbours(self) -> int:
        """Count the pairs of points on neighbouring steps whose order the links entail."""
        from tlex.reason.pairs import count_neighbours  # noqa: PLC0415

        return count_neighbours(self._graph, self._steps)

    def pick_neighbours(self, numbers: list[int]) -> list[tuple[str, str]]:
        """Give such pairs by their numbers, which ascend from 0: what a sample needs."""
        from tlex.reason.pairs import pick_neighbours  # noqa: PLC0415

        picked = pick_neighbours(self._graph, self._steps, numbers)
        return [(self._names[one], self._names[other]) for one, other in picked]

    def pick_pairs(self, numbers: list[int]) -> list[tuple[str, str]]:
        """Give indeterminate pairs by their numbers, which ascend from 0, and make no others."""
        from tlex.reason.pairs import pick_pairs  # noqa: PLC0415

        picked = pick_pairs(self._graph, self._steps, self._runs, numbers)
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
        runs = self._runs if section is None else [(section.first, section.last)]
        count, exact = count_scenarios(self._graph, self._steps, runs, work)
        return Scenarios(count, exact)

    def orderings(self) -> Iterator[tuple[tuple[str, ...], ...]]:
        """Every ordering that the constraints admit, lazily: blocks of equal points, in order.

        The first is the minimum timeline.
        """
        from tlex.reason.scenarios import walk_scenarios  # noqa: PLC0415

        members: list[list[str]] = [[] for _ in range(self._graph.size)]
        for name, compound in zip(self._names, self._graph.compound, strict=True):
            members[compound].append(name)
        for blocks in walk_scenarios(self._graph):
            yield tuple(
                tuple(name for compound in block for name in members[compound]) for block in blocks
            )

    def record(self, *, pairs: bool = False) -> TimelineRecord:
        """Give the timeline as plain data; with ``pairs`` also the table of pairs."""
        counted = self.count_pairs() if pairs and self.consistent else self.indeterminate_pairs
        listed = tuple(self.pairs()) if pairs and self.consistent else ()
        return TimelineRecord(
            self.id,
            self.main,
            self.detached,
            self.consistent,
            self.intervals,
            self.length,
            self.offset,
            self.points,
            self.compounds,
            self.tied_steps,
            self.sections,
            counted,
            self.score,
            self.scenarios,
            listed if pairs else UNSET,
        )

    @cached_property
    def _names(self) -> list[str]:
        return [name + end for name in self.intervals for end in "-+"]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self._names)}

    def _number(self, point: str) -> int:
        try:
            return self._numbers[point]
        except KeyError:
            raise OptionError(
                f"timeline {self.id} has no time-point {point!r}; "
                "a point is an id with - for its start or + for its end, such as "
                f"{self._names[0]!r}"
            ) from None

    @property
    def _graph(self) -> CompoundGraph:
        if not self.consistent:
            raise OptionError(f"timeline {self.id} is inconsistent, so its points have no order")
        return cast("CompoundGraph", self._part.graph)

    @property
    def _steps(self) -> Steps:
        if not self.consistent:
            raise OptionError(f"timeline {self.id} is inconsistent, so it has no steps")
        return cast("Steps", self._part.steps)

    @property
    def _runs(self) -> list[tuple[int, int]]:
        unsettled = self._part.unsettled
        return [(run.first, run.last) for run in unsettled.sections] if unsettled else []


class Extraction:
    """The trunk-and-branch timeline of a document: what `tlex.extract` gives.

    The five steps have run when it is made; joining the parts to trunk and branches, and putting
    the answers into the annotator's words, happens when somebody looks.
    """

    def __init__(self, document: Document, options: Options, parts: Parts) -> None:
        self.document = document
        self.options = options
        self.consistent = parts.consistent
        self._parts = parts

    def __repr__(self) -> str:
        verdict = "consistent" if self.consistent else "inconsistent"
        return f"<Extraction of {self.document.name!r}: {verdict}, {len(self._parts)} timelines>"

    @property
    def parts(self) -> Parts:
        """What the steps found, as integers: for whoever looks at very many documents."""
        return self._parts

    @cached_property
    def timelines(self) -> tuple[Timeline, ...]:
        """One for each connected part, inconsistent ones too, in text order."""
        nodes = self.document.nodes
        _, detached, offsets = self.arrangement
        return tuple(
            Timeline(
                number,
                part,
                tuple([nodes[member].id for member in part.members]),
                main=number in offsets,
                detached=number in detached,
                offset=offsets.get(number, 0),
            )
            for number, part in enumerate(self._parts)
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

        part_of, lengths = self._parts.part_of, self._parts.lengths
        return arrange(self.document, self.options, self.connections, part_of, lengths)

    @cached_property
    def connections(self) -> tuple[Connection, ...]:
        """The SLINKs that cross between timelines, in document order."""
        from tlex.reason.trunk import find_connections  # noqa: PLC0415

        return find_connections(self.document, self._parts.part_of)

    @cached_property
    def breaks(self) -> tuple[Break, ...]:
        """One between each two main timelines that are neighbours."""
        from tlex.reason.trunk import find_breaks  # noqa: PLC0415

        members = [self._parts.members[number] for number in self.arrangement[0]]
        return find_breaks(self.document, self.arrangement[0], members)

    @cached_property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The contradictions of the inconsistent timelines (SPEC §3)."""
        from tlex.reason.conflicts import find_conflicts  # noqa: PLC0415

        return tuple(
            conflict
            for number, part in self._parts.find_broken()
            for conflict in find_conflicts(self.document, number, part)
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
        """Find the timeline that holds an event or time."""
        number = self.document.index.get(name)
        if number is None:
            raise OptionError(f"the document has no event instance or time {name!r}")
        return self.timelines[self._parts.part_of[number]]

    def broken(self) -> Iterator[tuple[int, Part]]:
        """The inconsistent timelines: number, and the part with its constraints (for repair)."""
        return self._parts.find_broken()

    def relation(self, source: str, target: str) -> PairRelation:
        """Say how two events or times, given by id or words, are related (SPEC §7).

        One relation is entailed, or several are possible; across timelines there is none.
        """
        from tlex.reason.questions import relate  # noqa: PLC0415

        pair = self._find(source), self._find(target)
        return relate(self.nodes, self._parts, self.connections, pair)

    def why(self, source: str, target: str) -> Why:
        """Prove how two events or times, given by id or words, are related.

        What is entailed comes with a walk of the fewest links for each order of end points, what
        is open with two timelines that order it both ways.
        """
        from tlex.reason.questions import explain  # noqa: PLC0415

        pair = self._find(source), self._find(target)
        return explain(self.document, self.nodes, self._parts, self.connections, pair)

    def closure(self, limit: int | None = None) -> Closure:
        """Find every entailed relation between two events or times of one timeline.

        There are as many as there are pairs, at worst. Of more than ``limit`` pairs, a million
        without it, an `OptionError` tells.
        """
        from tlex.reason.closure import LIMIT, close_timelines  # noqa: PLC0415

        return close_timelines(self.document, self._parts, LIMIT if limit is None else limit)

    def reduction(self) -> Reduction:
        """Find links that entail all others, and none of which can be spared."""
        from tlex.reason.reduction import reduce_timelines  # noqa: PLC0415

        return reduce_timelines(self.document, self._parts)

    def answer(self, **found: PairRelation | Why | Closure | Reduction) -> Answer:
        """Give an answer as plain data that says what it is about: one JSON object.

        ``found`` is what `relation`, `why`, `closure` or `reduction` gave, under that name.
        """
        about = DocumentRecord(self.document.name, self.document.format)
        return Answer(SCHEMA, __version__, about, self.options, **found)  # type: ignore[arg-type]

    def record(self, *, pairs: bool = False) -> ExtractionRecord:
        """Give everything as plain data; with ``pairs`` also the tables of pairs."""
        return ExtractionRecord(
            SCHEMA,
            __version__,
            DocumentRecord(self.document.name, self.document.format),
            self.options,
            self.consistent,
            self.nodes,
            tuple(timeline.record(pairs=pairs) for timeline in self.timelines),
            self.connections,
            self.breaks,
            self.conflicts,
            self.diagnostics,
        )

    def to_json(self, *, pairs: bool = False) -> bytes:
        """Encode as one line of JSON, without a line end: the contract ``tlex/1``."""
        return self.record(pairs=pairs).to_json()

    def to_pandas(self, table: str = "points") -> pd.DataFrame:
        """Give one table as a pandas data frame; needs pandas.

        Tables: nodes, links, timelines, points, sections, connections, breaks, conflicts,
        diagnostics.
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
        from tlex.reason.lookup import find_node  # noqa: PLC0415

        return find_node(self.document.index, self.nodes, asked)
