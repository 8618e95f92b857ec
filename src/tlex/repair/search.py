"""From an inconsistent extraction to its minimum repair, in the annotator's own link ids."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from functools import partial
from itertools import chain, islice, product
from math import prod
from sys import float_info

from msgspec import Struct
from msgspec.structs import replace

from tlex.arguments import require_number
from tlex.conflicts.knots import find_knots, tie_knots, tie_links
from tlex.conflicts.mending import list_fixed
from tlex.conflicts.minimum import (
    Minimum,
    Search,
    UnrepairableError,
    find_minimum,
    repair_only,
)
from tlex.conflicts.text_order import rank_links
from tlex.conflicts.weights import Scale, Weights
from tlex.conflicts.work import SHORT, Work
from tlex.document import Document
from tlex.errors import OptionError
from tlex.points.graphs import OWN, group_by_link
from tlex.result import Extraction
from tlex.wording import represent

__all__ = ["Repair", "find_reason", "find_repair", "round_cost"]

LIMIT = 20
WORK = SHORT
"""The usual limit of work where nobody asks for a proof."""

SELF_LOOPS = "self-loops"
_EXACT = 2**53
_LARGEST = Fraction(float_info.max)


class Repair(Struct, frozen=True):
    """The links to remove, in document order, and what is proven about them.

    ``cost`` is their weight together. Every repair costs at least ``bound``. ``optimal`` says that
    there is no cheaper repair. ``alternatives`` are other repairs of the same cost. ``count`` is
    the number of repairs of that cost, with this one; if not ``exact``, there are at least so many.
    ``consistent`` says whether the document is consistent afterwards. ``ended_by`` is what ended
    the search before it was done: ``"work"``, ``"clock"`` or nothing.
    """

    removed: tuple[str, ...] = ()
    cost: float = 0
    optimal: bool = True
    bound: float = 0
    alternatives: tuple[tuple[str, ...], ...] = ()
    count: int = 1
    exact: bool = True
    consistent: bool = True
    ended_by: str | None = None

    def __repr__(self) -> str:
        return represent(self, f"cost {self.cost:g}, remove {', '.join(self.removed) or 'nothing'}")


def find_repair(  # noqa: PLR0913 -- one argument an option
    result: Extraction,
    *,
    weights: Mapping[str, float | str | Fraction] | Weights | None = None,
    keep: Iterable[str] = (),
    confidence: bool = False,
    only: str | None = None,
    limit: int = LIMIT,
    seconds: float | None = None,
    work: int | None = None,
    progress: Callable[[float, float], None] | None = None,
) -> Repair:
    """Find the least costly TLINKs and ALINKs whose removal makes a document consistent.

    ``weights`` gives costs by link id, relation type or kind of link. A link that has none there
    costs its own ``weight``, or 1. With ``confidence`` its own weight is a probability, and what
    stays is the most probable consistent graph (see `Weights`). Links to ``keep`` stay.
    ``only="self-loops"`` removes only links of one interval to itself that contradict themselves.
    Up to ``limit`` repairs of the least cost are listed; the first is the one that keeps the first
    links it can, in text order. The answer is proven to be a minimum, unless a limit is reached.
    Then it is the best known repair, and ``optimal`` is false. ``progress`` is told the cost of the
    best repair and the proven bound whenever one of them changes.

    ``work`` is a limit that gives the same answer on every machine (see `tlex.conflicts.work`).
    ``seconds`` is translated into such a limit, unless there is one. The clock ends the search only
    if a machine needs several times as much processor time; then ``ended_by`` is ``"clock"``.

    >>> import tlex
    >>> document = tlex.from_links([("a", "BEFORE", "b"), ("b", "BEFORE", "a")])
    >>> find_repair(tlex.extract(document)).removed
    ('l2',)
    """
    require_number("limit", limit, 1, whole=True)
    if seconds is not None:
        require_number("seconds", seconds, 0)
    if work is not None:
        require_number("work", work, 0, whole=True)
    if only not in (None, SELF_LOOPS):
        raise OptionError(f"only cannot be {only!r}; it can be {SELF_LOOPS!r}")
    if not isinstance(weights, Weights):
        weights = Weights.choose(result.document, weights, keep, confidence=confidence)
    if result.consistent:
        return Repair()
    document = result.document
    if only:
        return _remove_loops(result, weights)
    knots = [knot for tangle in result.whole.tangles.values() for knot in tie_knots(tangle)]
    involved = [number for knot in knots for number in knot.links]
    names = document.link_ids
    scale = weights.scale_some(document, involved)
    kept = {number for number in involved if names[number] in weights.keep}
    kept |= list_fixed(document).intersection(involved)
    ranks = rank_links(document, involved)
    budget = Work(work, seconds)
    quick = [repair_only(knot, scale.costs, kept, ranks=ranks) for knot in knots]
    done = [minimum for minimum in quick if minimum is not None]
    searches: list[Search] = []

    def tell(*_: int) -> None:
        if progress is not None and len(done) + len(searches) == len(knots):
            known: list[Minimum | Search] = [*done, *searches]
            cost = scale.measure(sum(one.cost for one in known))
            bound = scale.measure(sum(one.bound for one in known))
            progress(round_cost(cost), round_cost(bound))

    try:
        searches.extend(  # one by one, so that all are closed if there is an error
            Search(knot, scale.costs, kept, ranks=ranks, work=budget, progress=tell)
            for knot, minimum in zip(knots, quick, strict=True)
            if minimum is None
        )
        tell()
        while not budget.is_over() and (left := [one for one in searches if not one.proven]):
            for search in left:
                search.step()
        for search in searches:  # all repairs are chosen before work is spent on further ones
            search.choose()
        rest = (search.finish(limit) for search in searches)
        list_all = partial(
            find_minimum, costs=scale.costs, kept=kept, ranks=ranks, limit=limit, work=budget
        )
        found = [
            next(rest) if minimum is None else _list_others(minimum, partial(list_all, knot), limit)
            for knot, minimum in zip(knots, quick, strict=True)
        ]
    except UnrepairableError as error:
        raise OptionError(_tell_unrepairable(document, error.links)) from None
    finally:
        for search in searches:
            search.close()
    ended = "clock" if budget.late else "work" if budget.is_over() else None
    return replace(_combine(document, found, limit, scale), ended_by=ended)


def find_reason(result: Extraction, link: str, removed: Collection[str]) -> tuple[str, ...] | None:
    """Find links that stay and contradict a removed link: an irreducible set, in document order.

    Empty if the link contradicts itself. None if the links that stay do not contradict it.
    """
    ids = result.document.link_ids
    gone = frozenset(removed)
    for _, component in result.whole.list_inconsistent():
        inside = [number for number in group_by_link(component.points) if number != OWN]
        own = next((number for number in inside if ids[number] == link), None)
        if own is None:
            continue
        if not tie_links(component.points, [own]).is_consistent(()):
            return ()
        stays = [n for n in inside if n == own or ids[n] not in gone]
        for conflict in tie_links(component.points, sorted(stays)).find_conflicts(()):
            if own in conflict:
                return tuple(ids[n] for n in conflict if n != own)
    return None


def _list_others(minimum: Minimum, list_all: Callable[[], Minimum], limit: int) -> Minimum:
    """List the other repairs of a knot that needed no search, if more than one is asked for."""
    if limit == 1:
        return minimum
    whole = list_all()
    # Where a limit of work is reached, the list may begin with another repair.
    return whole if whole.repairs[0] == minimum.repairs[0] else minimum


def _combine(document: Document, found: list[Minimum], limit: int, scale: Scale) -> Repair:
    """Put the repairs of the knots together: any one of each."""
    chosen = islice(product(*(minimum.repairs for minimum in found)), max(limit, 1))
    first, *others = (sorted(number for piece in pieces for number in piece) for pieces in chosen)
    ids = document.link_ids
    names = [tuple(ids[number] for number in piece) for piece in (first, *others)]
    cost = scale.measure(sum(minimum.cost for minimum in found))
    bound = scale.measure(sum(minimum.bound for minimum in found))
    return Repair(
        removed=names[0],
        cost=round_cost(cost),
        optimal=cost == bound,
        bound=round_cost(bound),
        alternatives=tuple(names[1:]),
        count=prod(len(minimum.repairs) for minimum in found),
        exact=all(minimum.complete for minimum in found),
    )


def _remove_loops(result: Extraction, weights: Weights) -> Repair:
    """Remove the links that contradict themselves, as the paper's authors did automatically."""
    document = result.document
    removed: list[int] = []
    consistent = True
    for _, component in result.whole.list_inconsistent():
        loops = [
            number
            for number in dict.fromkeys(
                chain(component.points.less_link, component.points.equal_link)
            )
            if number >= 0
            and document.links[number].source == document.links[number].target
            and not tie_links(component.points, [number]).is_consistent(())
        ]
        kept = [document.links[n].id for n in loops if document.links[n].id in weights.keep]
        if kept:
            raise OptionError(f"keep names {kept[0]!r}, which contradicts itself")
        removed += loops
        consistent = consistent and all(
            knot.is_consistent(loops) for knot in find_knots(component.points)
        )
    cost = round_cost(sum(weights.cost_of(document.links[number]) for number in removed))
    names = tuple(document.links[number].id for number in sorted(removed))
    return Repair(names, cost, consistent, cost, consistent=consistent)


def _tell_unrepairable(document: Document, numbers: list[int]) -> str:
    links = [document.links[number] for number in numbers]
    if len(links) == 1:
        return f"keep names {links[0].id!r}, which contradicts itself"
    names = ", ".join(link.id for link in links)
    return f"the links {names} contradict each other and are all to be kept"


def round_cost(number: Fraction | int) -> float:
    """Give a whole number as int, and any other or very large one as the nearest float."""
    if number == int(number) and number <= _EXACT:
        return int(number)
    return float(min(number, _LARGEST))
