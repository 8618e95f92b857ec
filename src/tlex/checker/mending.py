"""The check of mended results: the links left out are a minimum repair of the document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Final

from tlex.checker.constraints import Constraints, is_satisfiable
from tlex.checker.knots import Knot, TooMuchError, find_knots
from tlex.checker.text_order import find_first
from tlex.checker.weights import Costs
from tlex.errors import VerificationError
from tlex.records import FixOptions, Options

__all__ = ["check_mended", "list_repairs"]

REPAIRS_LIMIT: Final = 300
"""Minimum repairs that are looked at to see what holds after every one."""


def check_mended(whole: Constraints, options: Options, mended: Sequence[str]) -> list[str]:
    """Prove that the links left out are a repair, and that none costs less.

    ``whole`` has the constraints of all links. Returns what is unchecked.
    """
    place = whole.place
    if not whole.stated.keys() - set(whole.firm) >= set(mended):
        raise VerificationError("a link that is left out says nothing, or is not there")
    if list(mended) != sorted(set(mended), key=place.__getitem__):
        raise VerificationError("the links left out are not in document order")
    knots = find_knots(whole)
    if len(mended) > sum(len(knot.links & set(mended)) for knot in knots):
        raise VerificationError("a link is left out that contradicts nothing")
    stays = [edges for link, edges in whole.stated.items() if link not in set(mended)]
    if not is_satisfiable([*whole.own, *(edge for edges in stays for edge in edges)]):
        raise VerificationError("the document is contradictory without the links left out, too")
    costs = _weigh(whole, options)
    unchecked = []
    for knot in knots:
        cost = sum(costs[link] for link in knot.links & set(mended))
        first = min(knot.links, key=place.__getitem__)
        try:
            least, repairs = knot.search(cost, costs, ())
        except TooMuchError:
            unchecked.append(f"that no smaller repair exists around link {first!r}")
            unchecked.append(f"which of the smallest repairs is left out around link {first!r}")
            continue
        if least < cost:
            raise VerificationError("there is a repair that costs less than the links left out")
        chosen = find_first(whole, knot, repairs)
        if chosen is None:
            unchecked.append(f"which of the smallest repairs is left out around link {first!r}")
        elif chosen != knot.links & set(mended):
            raise VerificationError(
                f"of the smallest repairs {sorted(chosen)} keeps the first links in text order"
            )
    return unchecked


def list_repairs(
    whole: Constraints, options: Options, mended: Sequence[str], links: Sequence[str]
) -> Iterator[frozenset[str]] | None:
    """List the minimum repairs of the knots with some links; None if there are too many."""
    costs = _weigh(whole, options)
    found: list[list[frozenset[str]]] = []
    for knot in find_knots(whole):
        if knot.links & set(links):
            cost = sum(costs[link] for link in knot.links & set(mended))
            try:
                found.append(_list_sets(knot, knot.search(cost, costs, ())[1]))
            except TooMuchError:
                return None
    if prod(map(len, found)) > REPAIRS_LIMIT:
        return None
    return (frozenset().union(*sets) for sets in product(*found))


def _weigh(whole: Constraints, options: Options) -> dict[str, int]:
    """Links cost their own weights, or 1; with confidence weights are probabilities."""
    chosen = FixOptions(
        links=options.links, times=options.times, confidence=bool(options.confidence)
    )
    return Costs(whole.document, chosen).whole


def _list_sets(knot: Knot, repairs: list[frozenset[str]]) -> list[frozenset[str]]:
    return [
        frozenset(link for first in repair for link in knot.classes[first]) for repair in repairs
    ]
