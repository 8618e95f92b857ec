"""What a link costs: the checker's own reading of the weights of a repair (R24)."""

from __future__ import annotations

import re
from fractions import Fraction
from math import lcm, log, log1p
from sys import float_info
from typing import Final

from tlex.document import Document
from tlex.errors import VerificationError
from tlex.nouns import Link
from tlex.records import FixOptions

__all__ = ["Costs", "write_cost"]

CERTAIN: Final = Fraction(10**9)
_NUMBER: Final = re.compile(r"\d{1,400}(\.\d{0,400})?([eE][-+]?\d{1,3})?|\.\d{1,400}|\d+/\d+")


class Costs:
    """The cost of each link. Of links that cost nothing, as few as possible are removed."""

    def __init__(self, document: Document, options: FixOptions) -> None:
        self.options = options
        self.by_name = {name: _read(name, said) for name, said in options.weights.items()}
        self.general = {
            name.upper(): cost
            for name, cost in self.by_name.items()
            if name not in {link.id for link in document.links if link.kind in ("TLINK", "ALINK")}
        }
        links = [link for link in document.links if link.kind in options.links]
        self.exact = {link.id: self._cost_of(link) for link in links}
        self._unit = lcm(*(cost.denominator for cost in self.exact.values()))
        self._step = 1 + sum(not cost for cost in self.exact.values())
        scale = self._unit * self._step
        self.whole = {name: int(cost * scale) or 1 for name, cost in self.exact.items()}
        """The costs as whole numbers: all links that cost nothing are less than any other."""

    def measure(self, total: int) -> Fraction:
        """Give the cost for a sum of whole numbers."""
        return Fraction(total // self._step, self._unit)

    def _cost_of(self, link: Link) -> Fraction:
        if link.id in self.by_name:
            return self.by_name[link.id]
        if link.weight is not None:
            own = Fraction(str(link.weight))
            return _take_odds(own) if self.options.confidence else max(own, Fraction(0))
        by_kind = self.general.get(link.kind, Fraction(1))
        return self.general.get(link.type or "", by_kind)


def write_cost(cost: Fraction) -> float:
    """Give a cost as a result has it: the nearest float, the largest one for all that is larger."""
    return float(min(cost, Fraction(float_info.max)))


def _read(name: str, said: str) -> Fraction:
    words = said.strip()
    try:
        return Fraction(words if _NUMBER.fullmatch(words) else "")
    except (ValueError, ZeroDivisionError):
        raise VerificationError(f"the weight of {name!r} is {said!r:.80}, no number") from None


def _take_odds(probability: Fraction) -> Fraction:
    """The logarithm of the odds, to nine places; nothing below even odds."""
    if not 0 <= probability <= 1:
        raise VerificationError(f"{float(probability):g} is no probability")
    if probability == 1:
        return CERTAIN
    if 2 * probability <= 1:
        return Fraction(0)
    return Fraction(round((log(probability) - log1p(-probability)) * 10**9), 10**9)
