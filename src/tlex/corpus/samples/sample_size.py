"""How large a random sample must be (§4.1), and how it is divided among corpora."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, inf
from statistics import NormalDist

from tlex.errors import OptionError

__all__ = ["find_sample_size", "find_z", "share_out"]


def find_sample_size(population: int, confidence: float = 0.95, interval: float = 0.02) -> int:
    """The size of a sample by the paper's formula (§4.1), rounded to the nearest.

    >>> [find_sample_size(n) for n in (39_534, 1_241, 11_474, 5_701, 11_688)]
    [2264, 818, 1986, 1690, 1992]
    """
    if not 0 < interval < 1:
        raise OptionError(f"the interval is a share between 0 and 1, such as 0.02, not {interval}")
    if population < 1:
        return 0
    width = 4 * interval**2
    unlimited = max(1.0, find_z(confidence) ** 2 / width if width else inf)  # at least one unit
    if unlimited == inf:  # the interval is as good as 0: only the whole population will do
        return population
    size = unlimited / (1 + (unlimited - 1) / population)
    return min(population, max(1, floor(size + 0.5)))


def find_z(confidence: float) -> float:
    """The Z-score of a level of confidence: 1.96 for 0.95."""
    if not 0 < confidence < 1:
        raise OptionError(
            f"the confidence is a share between 0 and 1, such as 0.95, not {confidence}"
        )
    below = (1 + confidence) / 2
    if below < 1:
        return NormalDist().inv_cdf(below)
    return -NormalDist().inv_cdf((1 - confidence) / 2)  # so near to 1 that the sum is rounded


def share_out(total: int, sizes: Sequence[int]) -> list[int]:
    """Divide a sample in proportion to sizes; the rest goes to the largest remainders.

    Of equal remainders the first comes first. No share is larger than its size, unless the total is
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
