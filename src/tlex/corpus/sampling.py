"""Simple random sampling, as in the paper's evaluation (§4.1): how many, and which.

The draws come from a generator of our own, so that a seed gives the same sample with every
version of Python and on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from math import floor
from statistics import NormalDist

from tlex.errors import OptionError

__all__ = ["Dice", "draw", "find_sample_size", "find_z", "share_out"]

_BITS = 256


def find_sample_size(population: int, confidence: float = 0.95, interval: float = 0.02) -> int:
    """How many of a population to look at, by the paper's formula, rounded to the nearest.

    >>> [find_sample_size(n) for n in (39_534, 1_241, 11_474, 5_701, 11_688)]
    [2264, 818, 1986, 1690, 1992]
    """
    if not 0 < interval < 1:
        raise OptionError(f"the interval is a share between 0 and 1, such as 0.02, not {interval}")
    if population < 1:
        return 0
    unlimited = find_z(confidence) ** 2 / (4 * interval**2)
    size = unlimited / (1 + (unlimited - 1) / population)
    return min(population, max(1, floor(size + 0.5)))


def find_z(confidence: float) -> float:
    """The Z-score of a level of confidence: 1.96 for 0.95."""
    if not 0 < confidence < 1:
        raise OptionError(
            f"the confidence is a share between 0 and 1, such as 0.95, not {confidence}"
        )
    return NormalDist().inv_cdf((1 + confidence) / 2)


def share_out(total: int, sizes: Sequence[int]) -> list[int]:
    """Divide a sample in proportion to sizes; what is left over goes to the largest remainders.

    Of equal remainders the first wins. No share is larger than its size if the total is not
    larger than all sizes together.

    >>> share_out(10, [500, 330, 170])
    [5, 3, 2]
    """
    whole = sum(sizes)
    if not whole:
        return [0] * len(sizes)
    parts = [divmod(total * size, whole) for size in sizes]
    shares = [share for share, _ in parts]
    by_remainder = sorted(range(len(sizes)), key=lambda place: -parts[place][1])
    for place in by_remainder[: total - sum(shares)]:
        shares[place] += 1
    return shares


class Dice:
    """Throws that a seed settles: SHA-256 of the seed and the number of the throw."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.thrown = 0

    def throw(self, sides: int) -> int:
        """Give a number from 0 up to, and without, ``sides``; each is equally likely."""
        if not 0 < sides <= 1 << _BITS:
            raise ValueError(f"no dice has {sides} sides")
        bits = (sides - 1).bit_length()
        while True:
            digest = sha256(f"{self.seed}/{self.thrown}".encode("utf-8", "surrogatepass")).digest()
            self.thrown += 1
            number = int.from_bytes(digest) >> (_BITS - bits)
            if number < sides:
                return number


def draw(population: int, size: int, dice: Dice) -> list[int]:
    """Draw so many different numbers below ``population``, in ascending order.

    Every set of that size is equally likely (Floyd's algorithm); the work is that of the sample,
    however large the population is.
    """
    chosen: set[int] = set()
    for last in range(population - size, population):
        number = dice.throw(last + 1)
        chosen.add(last if number in chosen else number)
    return sorted(chosen)
