"""Draws a sample from a run.

The tables of the run say how many items there are. Only the documents with a drawn item are read
again, to make the questions. Needs pyarrow.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate

from msgspec import Struct

from tlex.corpus.reports.counting import read_columns
from tlex.corpus.runs.result import RunResult
from tlex.corpus.samples.answer_sheets import Sample, SampledQuestion
from tlex.corpus.samples.populations import count_items, pick_items
from tlex.corpus.samples.sample_size import find_sample_size, share_out
from tlex.corpus.samples.seeded_random import Dice, draw
from tlex.document import Document
from tlex.errors import OptionError, ReadError
from tlex.extraction import extract
from tlex.readers import Labels
from tlex.wording import represent

__all__ = ["DrawnSample", "SamplePlan", "Share", "Stratum", "draw_sample", "plan_sample"]

_COLUMNS = {
    "order": "neighbours",
    "main": "breaks",
    "placement": "branch_points",
    "connections": "connections",
    "sections": "indeterminate_pairs",
}


class Share(Struct, frozen=True):
    """How many items a corpus has, and how many of them are drawn."""

    population: int
    size: int


class DrawnSample(Struct, frozen=True, kw_only=True):
    """A sample as one JSON object, without its questions."""

    sample: str
    what: str
    population: int
    size: int
    confidence: float
    interval: float
    seed: int
    corpora: dict[str, Share]
    uncounted: int
    files: list[str]

    def __repr__(self) -> str:
        return represent(self, f"{self.what}: {self.size:,} of {self.population:,}")


class Stratum(Struct):
    """A corpus: its documents, how many items each has, and the numbers of the drawn items."""

    corpus: str
    documents: list[str]
    counts: list[int]
    drawn: list[int]

    def __repr__(self) -> str:
        return represent(self, f"{self.corpus!r}: {len(self.drawn):,} of {self.population:,}")

    @property
    def population(self) -> int:
        """How many items the corpus has."""
        return sum(self.counts)

    def find_numbers(self) -> Iterator[tuple[str, int, list[int]]]:
        """Each document with drawn items: its name, how many items it has, the drawn numbers."""
        starts = [0, *accumulate(self.counts)]
        numbers: dict[int, list[int]] = {}
        for item in self.drawn:
            place = bisect_right(starts, item) - 1
            numbers.setdefault(place, []).append(item - starts[place])
        for place, own in numbers.items():
            yield self.documents[place], self.counts[place], own


class SamplePlan(Struct):
    """Which items of a run are drawn; ``uncounted`` documents have too many pairs to count."""

    what: str
    strata: list[Stratum]
    uncounted: int

    def __repr__(self) -> str:
        return represent(self, f"{self.what}: {self.size:,} of {self.population:,}")

    @property
    def population(self) -> int:
        """How many items the run has."""
        return sum(stratum.population for stratum in self.strata)

    @property
    def size(self) -> int:
        """How many of them are drawn."""
        return sum(len(stratum.drawn) for stratum in self.strata)

    @property
    def shares(self) -> dict[str, Share]:
        """How they are spread over the corpora."""
        return {one.corpus: Share(one.population, len(one.drawn)) for one in self.strata}


def plan_sample(
    run: RunResult, what: str, confidence: float, interval: float, seed: int
) -> SamplePlan:
    """Decide which items are drawn: as many as the formula says, in proportion to each corpus."""
    strata = {name: Stratum(name, [], [], []) for name in run.corpora()}
    uncounted = 0
    column = _COLUMNS[what]
    for row in read_columns(run, "documents", ("document", "corpus", "status", column)):
        if row["status"] != "done":
            continue
        if row[column] is None:
            uncounted += 1
        elif row[column]:
            name = row["corpus"]
            stratum = strata.setdefault(name, Stratum(name, [], [], []))
            stratum.documents.append(row["document"])
            stratum.counts.append(row[column])
    plan = SamplePlan(what, list(strata.values()), uncounted)
    size = find_sample_size(plan.population, confidence, interval)
    shares = share_out(size, [stratum.population for stratum in plan.strata])
    for stratum, share in zip(plan.strata, shares, strict=True):
        dice = Dice(f"{seed}/{what}/{stratum.corpus}")
        stratum.drawn = draw(stratum.population, share, dice)
    return plan


def draw_sample(
    run: RunResult,
    plan: SamplePlan,
    progress: Callable[[Iterable[Document]], Iterable[Document]] = iter,
    labels: Labels | None = None,
) -> Sample:
    """Read the documents again and make the questions; a `ReadError` if one has changed.

    ``labels`` are those that the run was made with, if it has any of its own.
    """
    wanted = [
        (stratum.corpus, document, count, numbers)
        for stratum in plan.strata
        for document, count, numbers in stratum.find_numbers()
    ]
    options = run.options
    documents = progress(_read(run, document, labels) for _, document, _, _ in wanted)
    rows: list[SampledQuestion] = []
    for (corpus, name, count, numbers), document in zip(wanted, documents, strict=True):
        result = extract(
            document,
            links=options["links"],
            times=options["times"],
            subordinating=options.get("subordinating"),
            calendar=options.get("calendar", False),
            mend=options.get("mend", False),
        )
        if count_items(result, plan.what) != count:
            raise OptionError(f"{name}: gives another answer than in the run; run it again")
        own = name.removeprefix(f"{corpus}/")
        rows += [
            SampledQuestion(corpus, own, item) for item in pick_items(result, plan.what, numbers)
        ]
    return Sample(plan.what, plan.population, tuple(rows))


def _read(run: RunResult, name: str, labels: Labels | None) -> Document:
    try:
        return run.read(name, labels)
    except ReadError as error:
        message = f"{error.message}; nothing is written, since a sample needs all its items"
        raise ReadError(message, name=name) from None
