"""`fix`: from a document to its repair, and to the document without the contradiction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from tlex._version import __version__
from tlex.arguments import require_document, require_number, take_words
from tlex.caching import cached_property
from tlex.conflicts.mending import list_fixed
from tlex.conflicts.weights import ORDERING, Weights
from tlex.conflicts.work import Work
from tlex.document import Document
from tlex.errors import OptionError, WriteError
from tlex.extraction import choose_options, extract, run_steps
from tlex.graph import build_graph
from tlex.records import SCHEMA, DocumentRecord, FixOptions, FixRecord
from tlex.repair import relabelling
from tlex.repair.certificate import find_further
from tlex.repair.decisions import Course
from tlex.repair.fix_text import fix_lines
from tlex.repair.patch import Patch, describe_file
from tlex.repair.search import LIMIT, Repair, find_reason, find_repair, round_cost
from tlex.repair.writing import (
    Change,
    change_document,
    change_links,
    explain_unwritable,
    is_writable,
    list_changes,
    take_bytes,
)
from tlex.result import Extraction

__all__ = ["SECONDS", "FixResult", "FixTask", "extract_once", "fix", "take_choices"]

SECONDS = 60.0
"""How long a proof is looked for, unless the caller says otherwise."""


class FixResult(FixRecord, frozen=True, kw_only=True, dict=True):
    """The repair of a document: the fields of its JSON, and the repaired document itself.

    ``extraction`` is what was extracted from the document before the repair.
    """

    extraction: Extraction

    def __str__(self) -> str:
        return "\n".join(fix_lines(self))

    @property
    def links(self) -> tuple[str, ...]:
        """The ids of the links that the repair changes."""
        return (*self.removed, *self.relabelled)

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """What is done to each link, in document order."""
        return list_changes(self._original, self.removed, self.relabelled)

    @cached_property
    def document(self) -> Document:
        """The repaired document.

        A file of TimeML, CAT or JSON is changed and read again; nothing but the links of the repair
        is different, or `WriteError` is raised. Of other formats, whose files cannot be written
        back, the document alone is changed.
        """
        before, options = self._original, self.extraction.options
        after = change_document(before, self.changes)
        if after is not before and is_writable(before):
            again = extract(
                after, links=options.links, times=options.times, calendar=options.calendar
            )
            if again.consistent != self.consistent:
                raise WriteError(
                    f"{before.name}: the changed file is not consistent when it is read again; "
                    "nothing is written"
                )
        return after

    @cached_property
    def _original(self) -> Document:
        """The document as it was read: no file has the links of the calendar."""
        document = self.extraction.document
        if not list_fixed(document):
            return document
        from tlex.calendar import drop_calendar  # noqa: PLC0415 -- long patterns

        return drop_calendar(document)

    @property
    def data(self) -> bytes:
        """The bytes of the repaired file: only those of the links concerned are different.

        Raises `WriteError` if the document comes from no file, or if there is something to change
        and the format cannot be written back: TimeML, CAT and JSON can.
        """
        before = self._original
        if self.changes and not is_writable(before):
            raise WriteError(explain_unwritable(before))
        return take_bytes(self.document)

    @property
    def patch(self) -> Patch:
        """The changes alone, for `tlex.repair.apply`: no text, and the hash of the file.

        Raises `WriteError` if the document comes from no file.
        """
        document = self._original
        return Patch.of([describe_file(document, self.changes)] if self.changes else [])

    def find_reason(self, link: str) -> tuple[str, ...] | None:
        """Find links that stay and contradict a link of the repair, as few as possible.

        Parameters
        ----------
        link : str
            The id of a link that the repair removes or changes.

        Returns
        -------
        tuple of str, or None
            Ids of links. There are none in it if the link contradicts itself; None if nothing that
            stays contradicts it.

        Examples
        --------
        >>> import tlex
        >>> fix = tlex.fix(tlex.read("examples/contradiction.tml"))
        >>> fix.removed, fix.find_reason(fix.removed[0])
        (('l3',), ('l2', 'l4'))

        See Also
        --------
        tlex.fix : find a repair.
        """
        return find_reason(self.extraction, link, self.links)

    def record(self) -> FixRecord:
        """Give the fields of the JSON alone.

        Returns
        -------
        FixRecord
            The result as plain data.

        Examples
        --------
        >>> import tlex
        >>> fix = tlex.fix(tlex.read("examples/contradiction.tml"))
        >>> fix.record().removed
        ('l3',)

        See Also
        --------
        to_json : the same as JSON.
        """
        return FixRecord(**{name: getattr(self, name) for name in FixRecord.__struct_fields__})

    def to_json(self) -> bytes:
        """Encode as one line of JSON, without a line end.

        Returns
        -------
        bytes
            What ``tlex fix --json`` prints.

        Examples
        --------
        >>> import tlex
        >>> fix = tlex.fix(tlex.read("examples/contradiction.tml"))
        >>> fix.to_json()[:37]
        b'{"path":"examples/contradiction.tml",'

        See Also
        --------
        record : the same as plain data.
        """
        return msgspec.json.encode(self.record())


def fix(  # noqa: PLR0913 -- one argument an option
    document: Document | Extraction,
    *,
    weights: Mapping[str, float | str | Fraction] | None = None,
    keep: Iterable[str] = (),
    confidence: bool = False,
    only: str | None = None,
    relabel: bool = False,
    choose: Mapping[int, int] | None = None,
    limit: int = LIMIT,
    seconds: float | None = SECONDS,
    work: int | None = None,
    progress: Callable[[float, float], None] | None = None,
    links: Iterable[str] | None = None,
    times: str | None = None,
    calendar: bool | None = None,
) -> FixResult:
    """Find the smallest change that makes a document consistent.

    The TLINKs and ALINKs that cost least together are removed. That no cheaper change is possible
    is proven. The document itself is not changed.

    Parameters
    ----------
    document : Document or Extraction
        A document, or what `extract` made of it.
    weights : mapping of str to number, optional
        What it costs to remove a link: by link id, relation type, ``"tlink"`` or ``"alink"``.
        Without it a link costs its own ``weight``, or 1.
    keep : iterable of str
        Ids of links that must stay.
    confidence : bool
        Take the links' own weights as probabilities, and keep the most probable set of links.
    only : str, optional
        ``"self-loops"``: remove only links of an event or time to itself that contradict
        themselves.
    relabel : bool
        Give a link another type, where one is possible, instead of removing it.
    choose : mapping of int to int, optional
        The options to take, by the numbers of the decisions: ``{3: 2}`` takes option 2 of decision
        3, and ``{3: 0}`` leaves that contradiction as it is. Elsewhere the first option is taken.
    limit : int
        How many repairs of the same cost to list.
    seconds : float, optional
        How long to look for a proof. After that the best known repair is given, and its
        ``optimal`` is false. None: as long as it takes. The time is counted in work, at a rate
        that an ordinary machine exceeds. So the same limit gives the same result on every machine.
        If a machine needs three times as much processor time, the clock ends the search, and
        ``ended_by`` is ``"clock"``.
        The decisions may take a quarter of it, at least a second. What they do
        not come to is changed without any, and ``decisions_complete`` is false.
    work : int, optional
        The same limit in units of work, instead of ``seconds``; no clock ends the search.
    progress : callable, optional
        Called with the cost of the best repair so far and the proven lower bound, whenever one of
        them changes.
    links, times, calendar : optional
        As for `extract`. For an `Extraction` they are those that it was made with. With the
        calendar, links may contradict the values of times. Repairs change links only: the values
        count as right.

    Returns
    -------
    FixResult
        The repair: ``removed``, ``relabelled``, ``cost``, ``alternatives``; the repaired
        ``document`` and its bytes, ``data``; the changes alone, ``patch``; the ``decisions`` that
        lead to it, each with its options; and ``to_json()``.

    Raises
    ------
    OptionError
        For a wrong option, or if the links to keep contradict each other.
    UnknownNameError
        If ``weights`` or ``keep`` names something that the document does not have.

    Examples
    --------
    >>> import tlex
    >>> document = tlex.from_links([("a", "BEFORE", "b"), ("b", "BEFORE", "a")])
    >>> fixed = tlex.fix(document)
    >>> fixed.removed, fixed.optimal, tlex.extract(fixed.document).consistent
    (('l2',), True, True)

    See Also
    --------
    tlex.check : find contradictions and other mistakes.
    tlex.repair.apply : apply the changes of a repair to the original file.
    """
    choices = take_choices(choose)
    task = FixTask(
        document,
        weights=weights,
        keep=keep,
        confidence=confidence,
        only=only,
        relabel=relabel,
        limit=limit,
        seconds=seconds,
        work=work,
        progress=progress,
        links=links,
        times=times,
        calendar=calendar,
    )
    task.follow(choices)
    return task.finish()


class FixTask:
    """A repair that is under way: the search is done, and decisions can be taken.

    ``course`` has the decisions; None if there are none to take.
    """

    def __init__(  # noqa: PLR0913 -- one argument an option
        self,
        document: Document | Extraction,
        *,
        weights: Mapping[str, float | str | Fraction] | None = None,
        keep: Iterable[str] = (),
        confidence: bool = False,
        only: str | None = None,
        relabel: bool = False,
        limit: int = LIMIT,
        seconds: float | None = SECONDS,
        work: int | None = None,
        progress: Callable[[float, float], None] | None = None,
        links: Iterable[str] | None = None,
        times: str | None = None,
        calendar: bool | None = None,
        brief: bool = False,
    ) -> None:
        """Find the repair; the arguments are those of `fix`.

        If ``brief``, the result has only what its text shows: no other repairs, no ``suggestions``
        and no hash of the file.
        """
        require_number("limit", limit, 1, whole=True)
        keep = take_words("keep", keep)
        self.result = result = extract_once(document, links, times, calendar)
        prices = Weights.choose(result.document, weights, keep, confidence=confidence)
        if work is not None:
            seconds = None
        self._repair = find_repair(
            result,
            weights=prices,
            only=only,
            limit=1 if brief else limit,
            seconds=seconds,
            work=work,
            progress=progress,
        )
        self._options = FixOptions(
            links=result.options.links,
            times=result.options.times,
            weights={name: str(weight) for name, weight in (weights or {}).items()},
            keep=keep,
            confidence=confidence,
            only=only,
            relabel=relabel,
            limit=limit,
            calendar=result.options.calendar,
            work=Work(work, seconds).limit,
        )
        self._prices = prices
        self._brief = brief
        self.course = None
        if self._repair.removed and only is None:
            conflicts = (*result.conflicts, *find_further(result, prices))
            self.course = Course(
                result,
                self._repair,
                prices,
                conflicts,
                relabel=relabel,
                seconds=seconds,
                work=work,
            )

    def follow(self, choices: Mapping[int, int]) -> None:
        """Take the decisions: those that are named as they say, all others by their first option.

        Raises `OptionError` if there is no such decision or option.
        """
        course = self.course
        while course is not None and course.current is not None:
            course.choose(choices.get(course.current.number, 1), final=True)
        self.check_numbers(choices)

    def check_numbers(self, choices: Mapping[int, int]) -> None:
        """Raise an `OptionError` if a decision is named that was not to be taken."""
        last = 0 if self.course is None else len(self.course.taken)
        for number in choices:
            if not 1 <= number <= last:
                span = "there is none" if not last else f"there are decisions 1 to {last}"
                raise OptionError(
                    f"there is no decision {number}; {'there is only 1' if last == 1 else span}"
                )

    def finish(self) -> FixResult:
        """Give the result of the decisions that were taken."""
        result, repair, course, options = self.result, self._repair, self.course, self._options
        removed = repair.removed
        ends = [repair.ended_by, None if course is None else course.ended_by]
        new_types: dict[str, str] = {}
        choose: dict[int, int] = {}
        consistent = repair.consistent
        if course is not None:
            removed, new_types = course.changes
            consistent = course.consistent
            choose = {one.number: one.chosen for one in course.taken if one.chosen != 1}
        elif options.relabel:
            new_types = relabelling.relabel(result, removed)
            removed = tuple(link for link in removed if link not in new_types)
        if options.calendar and consistent:
            consistent = self._is_consistent(removed, new_types)
        changed = {*removed, *new_types}
        document = result.document
        ids = document.link_ids if changed else ()
        in_order = tuple(name for name in ids if name in changed)
        standing = repair
        if choose or consistent != repair.consistent:
            cost = self._weigh(in_order)
            standing = _compare(repair, in_order, cost, self._weigh(repair.removed))
            if not consistent:
                standing = Repair(in_order, round_cost(cost[0]), optimal=False, exact=False)
        return FixResult(
            path=document.name,
            removed=removed,
            relabelled=new_types,
            cost=standing.cost,
            optimal=standing.optimal,
            alternatives=standing.alternatives[: max(options.limit - 1, 0)],
            count=standing.count,
            exact=standing.exact,
            consistent=consistent,
            suggestions={} if self._brief else relabelling.suggest_all(result, in_order),
            bound=None if standing.optimal else standing.bound,
            ended_by=max(filter(None, ends), default=None, key="clock".__eq__),
            schema=SCHEMA,
            tlex=__version__,
            about=(
                DocumentRecord(document.name, document.format)
                if self._brief
                else DocumentRecord.of(document)
            ),
            options=replace(options, choose=choose),
            conflicts=result.conflicts if course is None else course.conflicts,
            conflicts_complete=result.conflicts_complete,
            decisions=() if course is None else course.taken,
            decisions_complete=course is None or course.complete,
            calendar=result.calendar if options.calendar else UNSET,
            calendar_complete=result.calendar_complete if options.calendar else UNSET,
            extraction=result,
        )

    def _is_consistent(self, removed: tuple[str, ...], types: dict[str, str]) -> bool:
        """Whether the changed document agrees with its calendar.

        What IBEFORE and IAFTER say of two times decides whether their values touch (R40), so the
        calendar may change with them.
        """
        document, options = self.result.document, self.result.options
        touching = ("IBEFORE", "IAFTER")
        links = [link for link in document.links if link.id in {*removed, *types}]
        if not any(link.type in touching or types.get(link.id) in touching for link in links):
            return True
        after = change_links(document, list_changes(document, removed, types))
        return extract(after, links=options.links, times=options.times, calendar=True).consistent

    def _weigh(self, links: Iterable[str]) -> tuple[Fraction, int]:
        """What links cost together, and how many of them cost nothing."""
        changed = frozenset(links)
        document = self.result.document
        costs = [self._prices.cost_of(link) for link in document.links if link.id in changed]
        return sum(costs, Fraction(0)), sum(1 for cost in costs if not cost)


def take_choices(choose: object) -> dict[int, int]:
    """Check what ``choose`` was given: options by the numbers of decisions."""
    if choose is None:
        return {}
    if not isinstance(choose, Mapping):
        raise OptionError(
            f"choose cannot be {choose!r:.80}; give options by decision: {{3: 2}} takes option 2 "
            "of decision 3"
        )
    for number, option in choose.items():
        require_number("the number of a decision", number, 1, whole=True)
        require_number("the number of an option", option, 0, whole=True)
    return {int(number): int(option) for number, option in choose.items()}


def _compare(
    repair: Repair,
    changed: tuple[str, ...],
    cost: tuple[Fraction, int],
    least: tuple[Fraction, int],
) -> Repair:
    """Say how changes that somebody chose stand to the repair that was found.

    The costs of both are given with the number of links that cost nothing.
    """
    if cost == least:
        others = [one for one in (repair.removed, *repair.alternatives) if one != changed]
        return replace(repair, removed=changed, alternatives=tuple(others))
    real = round_cost(cost[0])
    return Repair(changed, real, real <= repair.bound, repair.bound, exact=False)


def extract_once(
    document: Document | Extraction,
    links: Iterable[str] | None,
    times: str | None,
    calendar: bool | None,  # noqa: FBT001 -- as the others
) -> Extraction:
    """Extract a document, unless that is done already.

    Step 5, whose answers are for those who look at timelines, runs when somebody does.
    """
    if isinstance(document, Extraction):
        if (links, times, calendar) != (None, None, None):
            raise OptionError("links, times and calendar are for a document; a result has its own")
        return document
    links = ORDERING if links is None else links
    times = "interval" if times is None else times
    if calendar:
        return extract(document, links=links, times=times, calendar=True)
    require_document(document)
    options = choose_options(links, times)
    graph = build_graph(document, options.links, options.times)
    return Extraction(document, options, run_steps(graph, postpone=True))
