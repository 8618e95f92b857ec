"""Whether one system is better than another, or only luckier: a paired test over documents.

If both systems were equally good, a document's two scores could as well be swapped. So they are
swapped at random, many times; the p-value is the share of times in which the difference of F1 is at
least as large as the one found (approximate randomisation). The interval of the difference comes
from drawing documents with replacement, the same for both systems.
"""

from __future__ import annotations

from random import Random

from msgspec import Struct

from tlex.comparison.records import Share, harmonise
from tlex.comparison.scores import Score, find_interval

__all__ = ["PairedTest", "compare_systems"]

_Figures = tuple[Share, Share]


class PairedTest(Struct, frozen=True, kw_only=True):
    """The difference of F1 of two systems, its interval, and how likely it is by luck alone."""

    documents: int
    difference: float | None
    interval: tuple[float, float] | None
    p_value: float | None
    rounds: int
    seed: int


def compare_systems(
    first: Score, second: Score, *, rounds: int = 1000, seed: int = 0
) -> PairedTest:
    """Test two systems that were scored against the same gold, over the documents of both."""
    others = {one.name: one for one in second.documents}
    pairs = [
        ((one.precision, one.recall), (others[one.name].precision, others[one.name].recall))
        for one in first.documents
        if one.name in others
    ]
    found = _subtract(pairs)
    if found is None:
        return PairedTest(
            documents=len(pairs), difference=None, interval=None, p_value=None, rounds=0, seed=seed
        )
    draw = Random(seed)  # noqa: S311 -- a sample, no secret
    drawn = [_subtract(draw.choices(pairs, k=len(pairs))) for _ in range(rounds)]
    extreme = 0
    for _ in range(rounds):
        swapped = [pair[::-1] if draw.random() < 0.5 else pair for pair in pairs]  # noqa: PLR2004
        difference = _subtract([(one, other) for one, other in swapped])
        extreme += difference is None or abs(difference) >= abs(found) - 1e-12
    return PairedTest(
        documents=len(pairs),
        difference=found,
        interval=find_interval([value for value in drawn if value is not None]),
        p_value=(extreme + 1) / (rounds + 1),
        rounds=rounds,
        seed=seed,
    )


def _subtract(pairs: list[tuple[_Figures, _Figures]]) -> float | None:
    """The micro F1 of the first of each pair less that of the second."""
    figures = []
    for number in (0, 1):
        precision = sum((pair[number][0] for pair in pairs), Share(0, 0))
        recall = sum((pair[number][1] for pair in pairs), Share(0, 0))
        figures.append(harmonise(precision, recall))
    one, other = figures
    return None if one is None or other is None else one - other
