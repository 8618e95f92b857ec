"""From an inconsistent extraction to its minimum repair, in the annotator's own link ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import islice, product
from math import prod
from time import monotonic

from msgspec import Struct

from tlex.document import Document
from tlex.errors import OptionError
from tlex.graph import Part
from tlex.repair.knots import Knot, find_knots, tie_links
from tlex.repair.minimum import Minimum, UnrepairableError, find_minimum
from tlex.repair.weights import Weights
from tlex.timeline import Extraction

__all__ = ["Repair", "find_repair"]

LIMIT = 20
SELF_LOOPS = "self-loops"


class Repair(Struct, frozen=True):
    """The links to remove, in document order, and how good that is.

    ``cost`` is what they weigh together; ``optimal`` says that nothing cheaper makes the document
    consistent, and ``bound`` what every repair costs at least. ``alternatives`` are other repairs
    of the same cost, and ``count`` how many repairs of that cost there are, this one too; at least
    that many where it is not ``exact``. ``consistent`` says whether the document is, afterwards.
    """

    removed: tuple[str, ...] = ()
    cost: float = 0
    optimal: bool = True
    bound: float = 0
    alternatives: tuple[tuple[str, ...], ...] = ()
    count: int = 1
    exact: bool = True
    consistent: bool = True


def find_repair(  # noqa: PLR0913 -- one argument an option
    result: Extraction,
    *,
    weights: Mapping[str, float | str | Fraction] | Weights | None = None,
    keep: Iterable[str] = (),
    only: str | None = None,
    limit: int = LIMIT,
    seconds: float | None = None,
) -> Repair:
    """Find the least costly TLINKs and ALINKs whose removal makes a document consistent.

    ``weights`` gives costs by link id, relation type or kind of link; without, a link costs its
    own ``weight`` or 1. Links to ``keep`` stay. ``only="self-loops"`` removes the links that
    contradict themselves on one interval, and nothing else. Up to ``limit`` repairs of the least
    cost are listed. The answer is proven to be the best; where that takes more than ``seconds``,
    it is the best that is known, and ``optimal`` says so.

    >>> import tlex
    >>> document = tlex.from_links([("a", "BEFORE", "b"), ("b", "BEFORE", "a")])
    >>> find_repair(tlex.extract(document)).removed
    ('l1',)
    """
    if only not in (None, SELF_LOOPS):
        raise OptionError(f"only cannot be {only!r}; it can be {SELF_LOOPS!r}")
    if not isinstance(weights, Weights):
        weights = Weights.choose(result.document, weights, keep)
    if result.consistent:
        return Repair()
    document = result.document
    if only:
        return _remove_loops(result, weights)
    deadline = None if seconds is None else monotonic() + seconds
    knots = [knot for _, part in result.broken() for knot in _knots_of(part)]
    involved = {number: document.links[number] for knot in knots for number in knot.links}
    costs, unit = weights.scale(involved)
    kept = {number for number, link in involved.items() if link.id in weights.keep}
    try:
        found = [find_minimum(knot, costs, kept, limit, deadline) for knot in knots]
    except UnrepairableError as error:
        raise OptionError(_tell_unrepairable(document, error.links)) from None
    return _combine(document, found, limit, weights, unit)


def _knots_of(part: Part) -> list[Knot]:
    return find_knots(part.points) if part.points else []


def _combine(
    document: Document, found: list[Minimum], limit: int, weights: Weights, unit: Fraction
) -> Repair:
    """Put the repairs of the knots together: any one of each."""
    chosen = islice(product(*(minimum.repairs for minimum in found)), max(limit, 1))
    first, *others = (sorted(number for piece in pieces for number in piece) for pieces in chosen)
    names = [tuple(document.links[number].id for number in piece) for piece in (first, *others)]
    cost = sum(weights.cost_of(document.links[number]) for number in first)
    optimal = all(minimum.cost == minimum.bound for minimum in found)
    bound = cost if optimal else sum(minimum.bound for minimum in found) * unit
    return Repair(
        removed=names[0],
        cost=_plain(cost),
        optimal=optimal,
        bound=_plain(bound),
        alternatives=tuple(names[1:]),
        count=prod(len(minimum.repairs) for minimum in found),
        exact=all(minimum.complete for minimum in found),
    )


def _remove_loops(result: Extraction, weights: Weights) -> Repair:
    """Remove what the paper's authors removed automatically: links that contradict themselves."""
    document = result.document
    removed: list[int] = []
    consistent = True
    for _, part in result.broken():
        if part.points is None:
            continue
        loops = [
            number
            for number in dict.fromkeys(part.points.less_link + part.points.equal_link)
            if number >= 0
            and document.links[number].source == document.links[number].target
            and not tie_links(part.points, [number]).is_consistent(())
        ]
        kept = [document.links[n].id for n in loops if document.links[n].id in weights.keep]
        if kept:
            raise OptionError(f"keep names {kept[0]!r}, which contradicts itself")
        removed += loops
        consistent = consistent and all(
            knot.is_consistent(loops) for knot in find_knots(part.points)
        )
    cost = _plain(sum(weights.cost_of(document.links[number]) for number in removed))
    names = tuple(document.links[number].id for number in sorted(removed))
    return Repair(names, cost, consistent, cost, consistent=consistent)


def _tell_unrepairable(document: Document, numbers: list[int]) -> str:
    links = [document.links[number] for number in numbers]
    if len(links) == 1:
        return f"keep names {links[0].id!r}, which contradicts itself"
    names = ", ".join(link.id for link in links)
    return f"the links {names} contradict each other and are all to be kept"


def _plain(number: Fraction | int) -> float:
    """A whole number as one, and any other as the nearest float."""
    return int(number) if number == int(number) else float(number)
