"""What a comparison hands out: frozen structs that become JSON as they are."""

from __future__ import annotations

from msgspec import Struct

from tlex.records import SCHEMA, Proof
from tlex.wording import represent

__all__ = [
    "ClaimVerdict",
    "DocumentScoreRecord",
    "Measures",
    "Orders",
    "Share",
    "TotalRecord",
    "average",
    "harmonise",
]


class Share(Struct, frozen=True, gc=False):
    """How many of a total are correct. Of nothing there is no share."""

    correct: float
    total: int

    @property
    def value(self) -> float | None:
        """The share as a number from 0 to 1; None if the total is 0."""
        return self.correct / self.total if self.total else None

    def __add__(self, other: Share) -> Share:
        return Share(self.correct + other.correct, self.total + other.total)

    def __str__(self) -> str:
        return "none" if self.value is None else f"{100 * self.value:.1f}"


class Orders(Struct, frozen=True, gc=False):
    """Orders of end points: entailed on both sides, by the system, by the gold; and opposite ones.

    Opposite are those that both sides entail and that exclude each other.
    """

    same: int
    system: int
    gold: int
    opposite: int


class ClaimVerdict(Struct, frozen=True, kw_only=True):
    """What the other side says of a counted claim, and why.

    ``side`` is the side that claims it; ``links`` are all its links that say so. ``proof`` has a
    walk for each constraint if the claim is entailed, and one closed walk if it is contradicted,
    which begins with a step of the claim itself. The links of a proof are those of the other side.
    A claim that is not ``counted`` follows
    from others of its own side.
    """

    side: str
    links: tuple[str, ...]
    source: str
    type: str
    target: str
    verdict: str
    muted: bool = False
    counted: bool = True
    proof: tuple[Proof, ...] = ()

    def __repr__(self) -> str:
        words = f"{self.side}: {self.source} {self.type} {self.target}: {self.verdict}"
        return represent(self, words)


class Measures(Struct, frozen=True, kw_only=True):
    """Figures of a measure: precision, recall and their harmonic mean."""

    precision: Share
    recall: Share
    f1: float | None


class DocumentScoreRecord(Struct, frozen=True, kw_only=True):
    """The score of one document: a line of the JSON."""

    schema: str = SCHEMA
    document: str
    mode: str = "tlex"
    precision: Share
    recall: Share
    f1: float | None
    consistent: dict[str, bool]
    well_defined: bool = True
    nodes: dict[str, int]
    muted: dict[str, tuple[str, ...]]
    silent: dict[str, dict[str, int]]
    orders: Orders
    measures: dict[str, Measures]
    verdicts: tuple[ClaimVerdict, ...]


class TotalRecord(Struct, frozen=True, kw_only=True):
    """The score over all documents: the last line of the JSON."""

    precision: Share
    recall: Share
    f1: float | None
    macro: dict[str, float | None]
    interval: dict[str, tuple[float, float] | None] | None = None
    documents: int
    without_system: tuple[str, ...] = ()
    without_gold: tuple[str, ...] = ()
    errors: dict[str, str] = {}


def harmonise(precision: Share, recall: Share) -> float | None:
    """Give F1: None if neither figure exists, 0 if only one does.

    >>> harmonise(Share(1, 2), Share(1, 1)), harmonise(Share(0, 0), Share(1, 1))
    (0.6666666666666666, 0.0)
    """
    if precision.value is None and recall.value is None:
        return None
    if not precision.value or not recall.value:
        return 0.0
    return 2 * precision.value * recall.value / (precision.value + recall.value)


def average(values: list[float | None]) -> float | None:
    """Give the mean of the figures that exist; None if there is none."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
