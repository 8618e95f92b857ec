"""What the judges of a sample answered: accuracy, and how far two judges agree."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from msgspec import Struct

from tlex.comparison.coefficients import find_kappa
from tlex.corpus.samples.sample_size import find_z
from tlex.wording import represent

__all__ = ["Accuracy", "Agreement", "compare_answers", "measure_accuracy"]


class Accuracy(Struct, frozen=True, kw_only=True):
    """The share of items that a judge found right, with its confidence interval."""

    right: int
    judged: int
    accuracy: float
    low: float
    high: float


class Agreement(Struct, frozen=True, kw_only=True):
    """Two judges of one sample, as one JSON object.

    ``observed`` is the share of items on which they agree, ``expected`` what chance alone would
    give. ``kappa`` is None where it is undefined: all answers of both judges are the same.
    """

    sample: str
    confidence: float
    first: Accuracy
    second: Accuracy
    agreed: int
    observed: float
    expected: float
    kappa: float | None

    def __repr__(self) -> str:
        kappa = "undefined" if self.kappa is None else f"{self.kappa:.3f}"
        return represent(self, f"{self.sample!r}, kappa {kappa}")


def measure_accuracy(right: int, judged: int, confidence: float = 0.95) -> Accuracy:
    """Give the share that is right with its Wilson score interval.

    Unlike the normal approximation, it also works where everything is right. It assumes an infinite
    population, so for a small one it is wider than necessary.
    """
    z = find_z(confidence)
    share = right / judged
    middle = share + z * z / (2 * judged)
    reach = z * sqrt(share * (1 - share) / judged + z * z / (4 * judged * judged))
    whole = 1 + z * z / judged
    low = 0.0 if not right else (middle - reach) / whole
    high = 1.0 if right == judged else (middle + reach) / whole
    return Accuracy(right=right, judged=judged, accuracy=share, low=low, high=high)


def compare_answers(
    sample: str, first: Sequence[bool], second: Sequence[bool], confidence: float = 0.95
) -> Agreement:
    """Compare the answers of two judges to the same items."""
    observed, expected, kappa = find_kappa(first, second)
    return Agreement(
        sample=sample,
        confidence=confidence,
        first=measure_accuracy(sum(first), len(first), confidence),
        second=measure_accuracy(sum(second), len(second), confidence),
        agreed=sum(one == other for one, other in zip(first, second, strict=True)),
        observed=observed or 0.0,
        expected=expected or 0.0,
        kappa=kappa,
    )
