"""What it costs to remove a link."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from math import lcm, log, log1p

from msgspec import Struct

from tlex.algebra import CODES
from tlex.arguments import require_kind, require_word, take_words
from tlex.document import Document
from tlex.errors import OptionError, UnknownNameError
from tlex.nouns import Link

__all__ = ["Scale", "Weights", "is_general", "read_weight"]

ORDERING = ("TLINK", "ALINK")
TYPES = frozenset(label for kind in ORDERING for label in CODES[kind])

CERTAIN = Fraction(10**9)
"""The cost of a link of probability 1: more than 25 million less certain links cost together."""

_DIGITS = 10**9
"""Log-odds are rounded to nine decimal places."""

_ONE = Fraction(1)
_LARGEST = Fraction(sys.float_info.max)
_ENDLESS = re.compile(r"[eE][-+]?[0-9_]{4,}")


class Weights(Struct, frozen=True, kw_only=True):
    """Costs by link id, by relation type and by kind of link, and links that must stay.

    The most specific cost counts: that of the link's id, then the link's own ``weight`` in the
    document, then that of its type, then that of its kind. Without any of these a link costs 1. A
    link of weight 0 is removed before any other, but only if it is necessary.

    With ``confidence`` a link's own ``weight`` is a probability, and its cost is the logarithm of
    its odds. Then the links that stay are the most probable set without a contradiction, if links
    are right or wrong independently of each other. A link of probability 0.5 or less costs nothing.
    A link of probability 1 costs more than all less certain links together.
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
        """Take weights by the names of kinds, types or link ids, and the ids of links to keep.

        Raises `UnknownNameError` for a name that the document does not have.

        >>> import tlex
        >>> document = tlex.from_links([("a", "BEFORE", "b")])
        >>> Weights.choose(document, {"alink": 0.5, "l1": 2}).ids
        {'l1': Fraction(2, 1)}
        """
        kept = take_words("keep", keep)
        if weights is not None:
            require_kind("weights", weights, Mapping, "a mapping of names to numbers")
        if not weights and not kept and not confidence:
            return cls()  # no noun of the document is needed for that
        known = {link.id for link in document.links if link.kind in ORDERING}
        types = TYPES.union(*document.labels.values())
        ids: dict[str, Fraction] = {}
        by_type: dict[str, Fraction] = {}
        by_kind: dict[str, Fraction] = {}
        for name, value in (weights or {}).items():
            weight = read_weight(require_word("weights", name), value)
            if name in known:
                ids[name] = weight
            elif name.upper() in ORDERING:
                by_kind[name.upper()] = weight
            elif name.upper() in types:
                by_type[name.upper()] = weight
            else:
                raise _unknown(name, "weight", {*known, *types, *ORDERING})
        for name in kept:
            if name not in known:
                raise _unknown(name, "keep", known)
        chosen = cls(
            ids=ids, types=by_type, kinds=by_kind, keep=frozenset(kept), confidence=confidence
        )
        for link in document.links if confidence else ():
            if link.kind in ORDERING:
                chosen.cost_of(link)  # raises if its weight is no probability
        return chosen

    def cost_of(self, link: Link) -> Fraction:
        """Give the cost of removing a link; never below 0."""
        if link.id in self.ids:
            return self.ids[link.id]
        if link.weight is not None:
            own = Fraction(str(link.weight))
            return _take_odds(link.id, own) if self.confidence else max(own, Fraction(0))
        by_kind = self.kinds.get(link.kind, _ONE)
        return self.types.get(link.type or "", by_kind)

    def are_alike(self, document: Document) -> bool:
        """Whether each link of a document costs 1, as far as that is known without a noun."""
        return document.relations is not None and not (self.ids or self.types or self.kinds)

    def scale_some(self, document: Document, numbers: Iterable[int]) -> Scale:
        """Give the costs of some links; no noun is made where each costs 1."""
        if self.are_alike(document):
            return Scale(costs=dict.fromkeys(numbers, 1), whole=1, step=1)
        return self.scale({number: document.link(number) for number in numbers})

    def scale(self, links: Mapping[int, Link]) -> Scale:
        """Give the costs as whole numbers above 0.

        A link that costs nothing gets the cost 1. The other costs are multiplied by so much that
        all those links together still cost less than any other link.
        """
        costs = {number: self.cost_of(link) for number, link in links.items()}
        whole = lcm(*{cost.denominator for cost in costs.values()})
        free = sum(1 for cost in costs.values() if not cost.numerator)
        unit = whole * (free + 1)
        return Scale(
            costs={
                number: cost.numerator * (unit // cost.denominator) or 1
                for number, cost in costs.items()
            },
            whole=whole,
            step=free + 1,
        )


class Scale(Struct, frozen=True, kw_only=True):
    """Costs as whole numbers: the real ones times ``whole`` times ``step``."""

    costs: dict[int, int]
    whole: int
    step: int

    def measure(self, total: int) -> Fraction:
        """Give the real cost for a sum of whole numbers."""
        return Fraction(total // self.step, self.whole)


def is_general(name: str, labels: Mapping[str, Collection[str]] | None = None) -> bool:
    """Whether a name is that of a kind of link or a relation type, not the id of one link.

    ``labels`` are types of the user's own, by kind.
    """
    own = (name.upper() in table for table in (labels or {}).values())
    return name.upper() in ORDERING or name.upper() in TYPES or any(own)


def read_weight(name: str, value: float | str | Fraction) -> Fraction:
    """Read a weight exactly as it is written; raises `OptionError` if it is no number from 0 on."""
    words = str(value).strip()
    try:
        weight = Fraction(-1 if _ENDLESS.search(words) else words)
    except (ValueError, ZeroDivisionError):
        weight = Fraction(-1)
    if not 0 <= weight <= _LARGEST:
        raise OptionError(f"the weight of {name!r} is {value!r}; it must be a number from 0 on")
    return weight


def _take_odds(link: str, probability: Fraction) -> Fraction:
    """Give the log-odds of a link; 0 for a probability of 0.5 or less."""
    if not 0 <= probability <= 1:
        raise OptionError(
            f"link {link!r} has weight {float(probability):g}, which is no probability from 0 to 1"
        )
    if probability == 1:
        return CERTAIN
    odds = 0.0 if 2 * probability <= 1 else log(probability) - log1p(-probability)
    return Fraction(round(odds * _DIGITS), _DIGITS)


def _unknown(name: str, option: str, known: Iterable[str]) -> UnknownNameError:
    from difflib import get_close_matches  # noqa: PLC0415 -- only for an error

    near = get_close_matches(name, [*known, *(word.lower() for word in known)], 1)
    hint = f"; did you mean {near[0]!r}" if near else ""
    what = "link id, relation type or kind of link" if option == "weight" else "TLINK or ALINK"
    return UnknownNameError(f"{option} names {name!r}, which is no {what} of the document{hint}")
