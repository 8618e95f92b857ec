"""The links that are left out so that a contradictory document has an order all the same."""

from __future__ import annotations

from tlex.components import Components
from tlex.conflicts.knots import tie_knots
from tlex.conflicts.minimum import find_minimum
from tlex.conflicts.text_order import rank_links
from tlex.conflicts.weights import Weights
from tlex.conflicts.work import SHORT, Work
from tlex.document import Document

__all__ = ["choose_repair", "list_fixed"]

_CALENDAR = "CALENDAR"


def choose_repair(
    document: Document, components: Components, *, confidence: bool = False
) -> frozenset[int]:
    """Choose the links of a minimum repair, by their numbers: the same that `tlex.fix` puts first.

    A link costs its own weight, or 1. With ``confidence`` its weight is a probability (R25). Of
    several minimum repairs it is the one that keeps the first link it can in text order, then the
    next one. In a tangle it is the best one that is found within a limit of work.
    """
    knots = [knot for tangle in components.tangles.values() for knot in tie_knots(tangle)]
    involved = [number for knot in knots for number in knot.links]
    costs = Weights(confidence=confidence).scale_some(document, involved).costs
    ranks = rank_links(document, involved)
    work = Work(SHORT)
    kept = list_fixed(document).intersection(involved)
    return frozenset(
        number
        for knot in knots
        for number in find_minimum(knot, costs, kept, ranks=ranks, work=work).repairs[0]
    )


def list_fixed(document: Document) -> set[int]:
    """List the links that no repair removes: those that follow from the values of times.

    Nouns are made only where that is done anyway.
    """
    relations = document.relations
    if relations is None:
        return {number for number, link in enumerate(document.links) if link.kind == _CALENDAR}
    if _CALENDAR not in relations.kinds:
        return set()
    kinds = zip(relations.numbers, relations.kinds, strict=True)
    return {number for number, kind in kinds if kind == _CALENDAR}
