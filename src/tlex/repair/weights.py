"""What it costs to remove a link."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from fractions import Fraction
from math import lcm, log, log1p

from msgspec import Struct

from tlex.algebra import CODES
from tlex.document import Document, Link
from tlex.errors import OptionError

__all__ = ["Scale", "Weights", "is_general", "read_weight"]

ORDERING = ("TLINK", "ALINK")
TYPES = frozenset(label for kind in ORDERING for label in CODES[kind])

CERTAIN = Fraction(10**9)
"""The cost of a link of probability 1: more than 25 million others can cost together."""

_DIGITS = 10**9
"""Log-odds are rounded to nine digits behind the point."""

_LARGEST = Fraction(sys.float_info.max)
_ENDLESS = re.compile(r"[eE][-+]?[0-9_]{4,}")


class Weights(Struct, frozen=True):
    """Costs by link id, by relation type and by kind of link, and links that must stay.

    Of what is said about a link the most specific counts: its id, then its own ``weight`` in the
    document, then its type, then its kind. A link of which nothing is said costs 1. A weight of 0
    means that a link may go before any other; it still goes only if it has to.

    With ``confidence`` a link's own ``weight`` is a probability, and its cost is the logarithm of
    its odds: then the likely links that stay are the most probable set without a contradiction, if
    each is right or wrong by itself. A link that is no more likely than not costs nothing; one of
    probability 1 costs more than all those that are less certain.
    """

    ids: Mapping[str, Fraction] = {}
    types: Mapping[str, Fraction] = {}
    kinds: Mapping[str, Fraction] = {}
    keep: frozenset[str] = frozenset()
    confidence: bool = False

    @classmethod
    def choose(
        cls,
        document: Document,
        weights: Mapping[str, float | str | Fraction] | None = None,
        keep: Iterable[str] = (),
        *,
        confidence: bool = False,
    ) -> Weights:
        """Sort out what a user says: names of kinds, types or link ids, and ids to keep.

        >>> import tlex
        >>> document = tlex.from_links([("a", "BEFORE", "b")])
        >>> Weights.choose(document, {"alink": 0.5, "l1": 2}).ids
        {'l1': Fraction(2, 1)}
        """
        known = {link.id for link in document.links if link.kind in ORDERING}
        types = TYPES.union(*document.labels.values())
        ids: dict[str, Fraction] = {}
        by_type: dict[str, Fraction] = {}
        by_kind: dict[str, Fraction] = {}
        for name, value in (weights or {}).items():
            weight = read_weight(name, value)
            if name in known:
                ids[name] = weight
            elif name.upper() in ORDERING:
                by_kind[name.upper()] = weight
            elif name.upper() in types:
                by_type[name.upper()] = weight
            else:
                raise _unknown(name, "weight", {*known, *types, *ORDERING})
        kept = (keep,) if isinstance(keep, str) else tuple(keep)
        for name in kept:
            if name not in known:
                raise _unknown(name, "keep", known)
        chosen = cls(ids, by_type, by_kind, frozenset(kept), confidence)
        for link in document.links if confidence else ():
            if link.kind in ORDERING:
                chosen.cost_of(link)
        return chosen

    def cost_of(self, link: Link) -> Fraction:
        """What it costs to remove a link; never below 0."""
        if link.id in self.ids:
            return self.ids[link.id]
        if link.weight is not None:
            own = Fraction(str(link.weight))
            return _take_odds(link.id, own) if self.confidence else max(own, Fraction(0))
        by_kind = self.kinds.get(link.kind, Fraction(1))
        return self.types.get(link.type or "", by_kind)

    def scale(self, links: Mapping[int, Link]) -> Scale:
        """Give the costs as whole numbers above 0.

        Links that cost nothing get the cost 1, and all others so much more that the former never
        weigh as much as any of the latter, however many they are.
        """
        costs = {number: self.cost_of(link) for number, link in links.items()}
        whole = lcm(*(cost.denominator for cost in costs.values())) if costs else 1
        free = sum(1 for cost in costs.values() if not cost)
        unit = whole * (free + 1)
        return Scale({n: int(cost * unit) or 1 for n, cost in costs.items()}, whole, free + 1)


class Scale(Struct, frozen=True):
    """Costs as whole numbers: ``whole`` times the real ones, times ``step``."""

    costs: dict[int, int]
    whole: int
    step: int

    def measure(self, total: int) -> Fraction:
        """What some links really cost that cost so much in whole numbers, or at least so much."""
        return Fraction(total // self.step, self.whole)


def is_general(name: str, labels: Mapping[str, Collection[str]] | None = None) -> bool:
    """Whether a name is that of a kind or a type, and not of one link.

    ``labels`` are types of the user's own, by kind.
    """
    own = (name.upper() in table for table in (labels or {}).values())
    return name.upper() in ORDERING or name.upper() in TYPES or any(own)


def read_weight(name: str, value: float | str | Fraction) -> Fraction:
    """Take a number as it is written, or say what is wrong with it."""
    words = str(value).strip()
    try:
        weight = Fraction(-1 if _ENDLESS.search(words) else words)
    except (ValueError, ZeroDivisionError):
        weight = Fraction(-1)
    if not 0 <= weight <= _LARGEST:
        raise OptionError(f"the weight of {name!r} is {value!r}; it must be a number from 0 on")
    return weight


def _take_odds(link: str, probability: Fraction) -> Fraction:
    """What it costs to take a link for wrong: the log-odds, if it is more likely right."""
    if not 0 <= probability <= 1:
        raise OptionError(
            f"link {link!r} has weight {float(probability):g}, which is no probability from 0 to 1"
        )
    if probability == 1:
        return CERTAIN
    odds = 0.0 if 2 * probability <= 1 else log(probability) - log1p(-probability)
    return Fraction(round(odds * _DIGITS), _DIGITS)


def _unknown(name: str, option: str, known: Iterable[str]) -> OptionError:
    near = get_close_matches(name, [*known, *(word.lower() for word in known)], 1)
    hint = f"; did you mean {near[0]!r}" if near else ""
    what = "link id, relation type or kind of link" if option == "weight" else "TLINK or ALINK"
    return OptionError(f"{option} names {name!r}, which is no {what} of the document{hint}")
