"""Coefficients of agreement: Cohen's kappa and Krippendorff's alpha for labels.

Counts stay whole numbers until the last division, so nothing depends on the order of labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction

__all__ = ["find_alpha", "find_kappa"]

_TWO = 2


def find_kappa(
    first: Sequence[Hashable], second: Sequence[Hashable]
) -> tuple[float | None, float | None, float | None]:
    """Cohen's kappa of two judges: observed agreement, that expected by chance, and kappa.

    All are None if there is no item. Kappa is None if the expected agreement is 1: all labels of
    both judges are the same.

    >>> find_kappa("aabb", "aaab")
    (0.75, 0.5, 0.5)
    """
    judged = len(first)
    if not judged:
        return None, None, None
    agreed = sum(one == other for one, other in zip(first, second, strict=True))
    ones, others = Counter(first), Counter(second)
    by_chance = sum(number * others[label] for label, number in ones.items())
    square = judged * judged
    kappa = None if by_chance == square else (agreed * judged - by_chance) / (square - by_chance)
    return agreed / judged, by_chance / square, kappa


def find_alpha(units: Iterable[Sequence[Hashable]]) -> float | None:
    """Krippendorff's alpha for nominal labels: each unit has the labels that judges gave it.

    Units with fewer than two labels do not count. None if there is nothing to disagree about: no
    such unit, or only one label.

    >>> find_alpha(["aa", "bb", "ab", "c"])
    0.4444444444444444
    """
    totals: Counter[Hashable] = Counter()
    disagreeing = Fraction(0)
    for labels in units:
        many = len(labels)
        if many < _TWO:
            continue
        counts = Counter(labels)
        totals.update(counts)
        same = sum(number * (number - 1) for number in counts.values())
        disagreeing += Fraction(many * (many - 1) - same, many - 1)
    paired = sum(totals.values())
    by_chance = paired * paired - sum(number * number for number in totals.values())
    return float(1 - (paired - 1) * disagreeing / by_chance) if by_chance else None
