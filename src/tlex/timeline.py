"""One timeline: the steps of its time-points, and what is unknown about their order.

It keeps the steps' integers and puts them into words, or answers a question, when somebody looks.
Its attributes mirror the fields of the JSON contract; ``record()`` gives the same as plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from tlex.arguments import require_number
from tlex.caching import cached_property
from tlex.document import Document
from tlex.errors import OptionError, UnknownNameError
from tlex.lookup import find_node
from tlex.points.graphs import Consistent, Stretch
from tlex.records import DateRange, Scenarios, Section, TimelineRecord

if TYPE_CHECKING:
    from tlex.components import Components
    from tlex.reason.dates import PointDates
    from tlex.reason.sections import SectionOrder

__all__ = ["PAIRS_LIMIT", "Timeline", "name_sections"]

PAIRS_LIMIT = 20_000
"""Above this many points a timeline's indeterminate pairs are counted only on request."""


_ONE = Scenarios(1, exact=True)


class Timeline:
    """The minimum timeline of one temporally connected component, if it is consistent."""

    def __init__(  # noqa: PLR0913 -- one argument a field
        self,
        number: int,
        components: Components,
        names: tuple[str, ...],
        *,
        main: bool,
        detached: bool,
        offset: int,
        document: Document | None = None,
        mended: tuple[str, ...] = (),
        find_dates: Callable[[], PointDates | None] | None = None,
    ) -> None:
        self.id = number
        self.mended = mended
        self._document = document
        self.intervals = names
        self.main = main
        self.detached = detached
        self.offset = offset
        self._components = components
        self._find_dates = find_dates

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
        return self._components.is_consistent(self.id)

    @property
    def length(self) -> int | None:
        """The number of steps; None if contradictory."""
        return self._components.lengths[self.id] if self.consistent else None

    @cached_property
    def points(self) -> dict[str, tuple[int, int]]:
        """Each time-point's earliest and latest step, in text order; empty if contradictory."""
        places = self._components.list_places(self.id)
        return dict(zip(self._names, places, strict=True)) if places else {}

    @cached_property
    def dates(self) -> dict[str, DateRange]:
        """When each time-point was, as far as the calendar tells, in text order.

        ``after`` is the latest instant that the point is known to follow, and ``before`` the
        earliest that it is known to precede. Points of which neither is known are left out. It is
        empty without the calendar, and if the timeline is contradictory.
        """
        dates = self._find_dates() if self._find_dates else None
        if dates is None:
            return {}
        members = self._components.members[self.id]
        points = [2 * member + side for member in members for side in (0, 1)]
        found = zip(self._names, (dates.join(point, point) for point in points), strict=True)
        return {name: date for name, date in found if date is not None}

    @cached_property
    def compounds(self) -> tuple[tuple[str, ...], ...]:
        """The groups of two or more points that are equal in every timeline."""
        names = self._names
        groups = self._components.group_equal(self.id)
        return tuple(tuple(names[place] for place in group) for group in groups)

    @property
    def tied_steps(self) -> tuple[int, ...]:
        """The steps that hold two or more compounds."""
        return tuple(self._components.get_unsettled(self.id).tied)

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The stretches whose order is unknown, first to last (reading R14)."""
        return name_sections(self._components.get_unsettled(self.id).sections, self.points)

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
        return self.count_pairs() if self._components.get_unsettled(self.id).sections else 0

    @cached_property
    def scenarios(self) -> Scenarios | None:
        """How many orderings there are, within the usual work limit; None if contradictory."""
        if not self.consistent:
            return None
        return self.count_scenarios() if self._components.get_unsettled(self.id).sections else _ONE

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
        for left, right in walk_pairs(*self._open_orders):
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

        return count_pairs(*self._open_orders)

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

        picked = pick_pairs(*self._open_orders, numbers)
        return [(self._names[one], self._names[other]) for one, other in picked]

    def count_scenarios(
        self, limit: int | None = None, section: Section | None = None
    ) -> Scenarios:
        """Count the orderings (with ties) that the links allow, of one section or of all.

        Parameters
        ----------
        limit : int, optional
            The work for each section, in elementary operations. Beyond it the count is a proven
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
        from tlex.reason.sections import order_sections  # noqa: PLC0415

        work = WORK_LIMIT if limit is None else limit
        require_number("limit", work, 0, whole=True)
        orders = self._open_orders[1]
        if section is not None:
            graph, steps = self._components.whole
            compounds = self._components.locate(self.id)[1]
            orders = order_sections(graph, steps, [(section.first, section.last)], compounds)
        count, exact = count_scenarios(orders, work)
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
        from tlex.reason.timeline_records import record_timeline  # noqa: PLC0415

        return record_timeline(
            self._components,
            self.id,
            self.intervals,
            main=self.main,
            detached=self.detached,
            offset=self.offset,
            mended=self.mended,
            pairs=pairs,
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

    @cached_property
    def _settled(self) -> Consistent:
        component = self._components[self.id]
        if not isinstance(component, Consistent):
            raise self._no_order()
        return component

    def _no_order(self) -> OptionError:
        return OptionError(f"timeline {self.id} is contradictory, so its points have no order")

    @cached_property
    def _open_orders(self) -> tuple[Sequence[int], list[SectionOrder]]:
        """The compound of each point, and the partial order of each section."""
        from tlex.reason.sections import order_sections  # noqa: PLC0415

        if not self.consistent:
            raise self._no_order()
        stretches = self._components.get_unsettled(self.id).sections
        if not stretches:
            return (), []
        graph, steps = self._components.whole
        points, compounds = self._components.locate(self.id)
        runs = ((stretch.first, stretch.last) for stretch in stretches)
        orders = order_sections(graph, steps, runs, compounds)
        return graph.compound[points.start : points.stop], orders


def name_sections(
    stretches: Sequence[Stretch], points: Mapping[str, tuple[int, int]]
) -> tuple[Section, ...]:
    """Give the sections of a timeline with their points; ``points`` has the steps of all."""
    if not stretches:
        return ()
    if len(stretches) == 1:  # as a rule
        ((first, last),) = [(stretch.first, stretch.last) for stretch in stretches]
        names = [name for name, (earliest, _) in points.items() if first <= earliest <= last]
        return (Section(first, last, tuple(names)),)
    at = {
        step: place
        for place, stretch in enumerate(stretches)
        for step in range(stretch.first, stretch.last + 1)
    }
    inside: list[list[str]] = [[] for _ in stretches]
    for name, (earliest, _) in points.items():
        if earliest in at:
            inside[at[earliest]].append(name)
    return tuple(
        [
            Section(stretch.first, stretch.last, tuple(names))
            for stretch, names in zip(stretches, inside, strict=True)
        ]
    )
