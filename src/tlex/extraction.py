"""The conductor: the only place that knows the order of the paper's five steps."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial

from msgspec.structs import replace

from tlex.algebra import SUBORDINATING, find_label
from tlex.arguments import require_document, take_words
from tlex.components import Components
from tlex.conflicts.weights import Weights
from tlex.document import Document
from tlex.errors import AmbiguousError, OptionError, UnknownNameError
from tlex.graph import build_graph, extend, leave_out
from tlex.lookup import find_node
from tlex.nouns import Instance
from tlex.points.graphs import TemporalGraph
from tlex.records import Options
from tlex.result import Extraction
from tlex.steps.consistency import check_consistency
from tlex.steps.generation import generate_timeline
from tlex.steps.indeterminacy import detect_indeterminacy
from tlex.steps.partition import partition
from tlex.steps.transform import transform

__all__ = ["choose_options", "extract", "extract_without", "run_steps"]

ORDERING = ("TLINK", "ALINK")
TIMES = ("interval", "point")
_USUAL = Options()


def extract(  # noqa: PLR0913 -- one argument an option
    document: Document,
    *,
    links: Iterable[str] = ORDERING,
    times: str = "interval",
    main: Iterable[str] | None = None,
    subordinating: Iterable[str] | None = None,
    calendar: bool = False,
    mend: bool = False,
    confidence: bool = False,
) -> Extraction:
    """Extract the trunk-and-branch timeline of a document (§3 of the paper).

    A contradictory document is an answer too, not an error: see ``consistent`` and ``conflicts``
    of the result.

    Parameters
    ----------
    document : Document
        What `tlex.read`, `tlex.parse` or `tlex.from_links` gave.
    links : iterable of str
        The kinds of links that order events and times: ``"TLINK"``, ``"ALINK"`` or both.
    times : str
        ``"interval"``, or ``"point"`` to treat a TIMEX3 of type TIME as a single point.
    main : iterable of str, optional
        Events or times, by id or words, that are known to be real. Their timelines are the trunk.
    subordinating : iterable of str, optional
        The types of SLINK that count when the trunk is looked for. Without it, all count.
    calendar : bool
        Order times by their values too (2009 is before 2013-03-22), by links of kind CALENDAR. Main
        timelines and branches stay those that the other links make.
    mend : bool
        Leave out the links of a minimum repair, so that a contradictory document has an order all
        the same. ``mended`` of the result names them. It is the repair that `tlex.fix` puts first.
    confidence : bool
        For ``mend``: take the links' own weights as probabilities, as `tlex.fix` does with
        ``confidence=True``. So the most probable links stay.

    Returns
    -------
    Extraction
        The timelines, how they are connected, and the contradictions.

    Raises
    ------
    OptionError
        If something that is no document, or a wrong option, is given.
    UnknownNameError
        If ``main`` names something that the document does not have.
    AmbiguousError
        If words in ``main`` belong to several events or times.

    Examples
    --------
    >>> import tlex
    >>> result = tlex.extract(tlex.read("examples/story.tml"))
    >>> result
    <Extraction of 'examples/story.tml': consistent, 3 timelines>

    See Also
    --------
    tlex.verify : prove that the result is right.
    tlex.fix : find the smallest change that makes a document consistent.
    tlex.draw : draw the result.
    """
    require_document(document)
    options = _USUAL
    if links is not ORDERING or times != "interval" or subordinating is not None:
        options = choose_options(links, times, subordinating)
    if main is not None:
        options = replace(options, main=_choose_main(document, main))
    if mend or calendar:
        options = replace(options, mend=bool(mend), calendar=bool(calendar))
    if confidence:
        options = replace(options, confidence=True)
        Weights.choose(document, None, (), confidence=True)  # raises if a weight is no probability
    complete = True
    if calendar:
        from tlex.calendar import add_calendar, drop_calendar  # noqa: PLC0415 -- long patterns

        document = drop_calendar(document)  # that of an earlier call
        linked = graph = build_graph(document, options.links, options.times)
        first = document.relations.count if document.relations else len(document.links)
        dated, complete = add_calendar(document, options.times)
        if dated is not document:
            document, graph = dated, extend(linked, dated, first)
    else:
        linked = graph = build_graph(document, options.links, options.times)
    whole = components = run_steps(graph)
    repair: frozenset[int] = frozenset()
    if mend and not components.consistent:
        from tlex.conflicts.mending import choose_repair  # noqa: PLC0415 -- not light

        repair = choose_repair(document, components, confidence=bool(confidence))
        components = run_steps(leave_out(graph, repair))
    return Extraction(
        document,
        options,
        components,
        whole=whole,
        repair=repair,
        find_worlds=partial(_find_worlds, linked, repair) if calendar else None,
        calendar_complete=complete,
    )


def extract_without(result: Extraction, removed: Collection[str]) -> Extraction:
    """Extract again as if some links, by their ids, were not in the document.

    ``document`` of the new result still lists them, unless the calendar takes part.
    """
    document, options = result.document, replace(result.options, mend=False)
    gone = frozenset(removed)
    if options.calendar:
        links = tuple(link for link in document.links if link.id not in gone)
        return extract(
            document.replace(links=links),
            links=options.links,
            times=options.times,
            main=options.main,
            subordinating=options.subordinating,
            calendar=True,
        )
    numbers = {number for number, name in enumerate(document.link_ids) if name in gone}
    graph = build_graph(document, options.links, options.times)
    rest = Extraction(document, options, run_steps(leave_out(graph, numbers)))
    if rest.components.component_of == result.world_of:  # no part falls apart, as a rule
        rest.crossings, rest.main_worlds = result.crossings, result.main_worlds
    return rest


def _find_worlds(linked: TemporalGraph, repair: frozenset[int]) -> list[int]:
    """Find the part of each node that links connect, without the calendar."""
    return partition(leave_out(linked, repair) if repair else linked).component_of


def choose_options(
    links: Iterable[str] = ORDERING,
    times: str = "interval",
    subordinating: Iterable[str] | None = None,
) -> Options:
    """Check the options that do not depend on a document, and put them into canonical form."""
    return Options(
        links=_choose_links(links),
        times=_choose_times(times),
        subordinating=None if subordinating is None else _choose_types(subordinating),
    )


def run_steps(graph: TemporalGraph, *, postpone: bool = False) -> Components:
    """Run the five steps for all components of a graph at once.

    With ``postpone``, step 5 runs when somebody asks for what it finds, and the constraints on
    points are kept.
    """
    partitioned = partition(graph)  # step 1, §3.2
    points = transform(partitioned.graph)  # step 2, §3.3
    compounds = check_consistency(points)  # step 3, §3.4
    steps = generate_timeline(compounds)  # step 4, §3.5
    if postpone:
        return Components(partitioned, compounds, steps, points=points)
    del points  # much memory, which step 5 does not need
    unsettled = detect_indeterminacy(compounds, steps)  # step 5, §3.6
    return Components(partitioned, compounds, steps, unsettled)


def _choose_links(links: Iterable[str]) -> tuple[str, ...]:
    asked = {kind.strip().upper() for kind in take_words("links", links)}
    for kind in sorted(asked.difference(ORDERING)):
        raise OptionError(f"links cannot be {kind!r}; choose from {_list(ORDERING)}")
    if not asked:
        raise OptionError(f"links is empty; choose from {_list(ORDERING)}")
    return tuple(kind for kind in ORDERING if kind in asked)


def _choose_times(times: str) -> str:
    if times not in TIMES:
        raise OptionError(f"times cannot be {times!r}; choose from {_list(TIMES)}")
    return times


def _choose_main(document: Document, main: Iterable[str]) -> tuple[str, ...]:
    """Find the named events and times by id or words; an EVENT stands for all its instances."""
    events = {node.event for node in document.nodes if isinstance(node, Instance)}
    chosen = []
    for name in take_words("main", main):
        if name not in events:
            try:
                name = document.nodes[find_node(document, name)].id  # noqa: PLW2901
            except UnknownNameError as error:
                raise UnknownNameError(f"main: {error}") from None
            except AmbiguousError as error:
                raise AmbiguousError(f"main: {error.message}", error.candidates) from None
        chosen.append(name)
    if not chosen:
        raise OptionError("main is empty; name an event or time, or leave it out")
    return tuple(chosen)


def _choose_types(types: Iterable[str]) -> tuple[str, ...]:
    chosen = []
    for written in take_words("subordinating", types):
        label = find_label("SLINK", written)
        if label is None:
            raise OptionError(
                f"subordinating cannot be {written!r}; choose from {_list(SUBORDINATING)}"
            )
        chosen.append(label)
    return tuple(label for label in SUBORDINATING if label in chosen)


def _list(words: Iterable[str]) -> str:
    return ", ".join(words)
