"""`sample` and `agreement`: a random sample of a run, and what two judges say of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from tlex.corpus.samples.agreement import Agreement, compare_answers
from tlex.corpus.samples.answer_sheets import Sample, check_same, read_sheet, write_sheet
from tlex.corpus.samples.html_form import write_html_form
from tlex.corpus.samples.populations import WHAT
from tlex.corpus.samples.sample_size import find_sample_size
from tlex.document import Document
from tlex.errors import OptionError
from tlex.readers import Labels, load

if TYPE_CHECKING:
    from tlex.corpus.samples.sampler import DrawnSample, SamplePlan

__all__ = ["RunSample", "agreement", "sample"]

_SHEET_BYTES = 1 << 28


class RunSample(Struct, frozen=True, kw_only=True):
    """A sample of a run, and how it was drawn."""

    plan: SamplePlan
    items: Sample
    confidence: float
    interval: float
    seed: int

    def write_sheet(self) -> str:
        """Write the sheet that a judge fills in, as CSV."""
        return write_sheet(self.items)

    def write_form(self) -> str:
        """Write the same sheet as a web page."""
        return write_html_form(self.items)

    def record(self, files: Iterable[str] = ()) -> DrawnSample:
        """Describe the sample as ``tlex corpus sample --json`` does."""
        from tlex.corpus.samples.sampler import DrawnSample  # noqa: PLC0415 -- needs pyarrow

        return DrawnSample(
            sample=self.items.name,
            what=self.plan.what,
            population=self.plan.population,
            size=self.plan.size,
            confidence=self.confidence,
            interval=self.interval,
            seed=self.seed,
            corpora=self.plan.shares,
            uncounted=self.plan.uncounted,
            files=list(files),
        )


def sample(  # noqa: PLR0913 -- one argument an option
    out: str | os.PathLike[str],
    what: str,
    *,
    confidence: float = 0.95,
    interval: float = 0.02,
    seed: int = 0,
    labels: Labels | None = None,
    progress: Callable[[Iterable[Document]], Iterable[Document]] = iter,
) -> RunSample:
    """Draw a random sample of a run for human judges, as in the paper's evaluation (§4.1).

    ``out`` is the directory that `tlex.corpus.run` has written; ``what`` is order, main, placement,
    connections or sections. The sample is as large as ``confidence`` and ``interval``, the
    half-width of the confidence interval, need. The same ``seed`` gives the same sample.
    ``labels`` are those of the run. ``progress`` is given the documents as they are read again,
    and gives them back. Needs pyarrow: ``pip install tlex[corpus]``.
    """
    if what not in WHAT:
        raise OptionError(f"what cannot be {what!r}; choose from {', '.join(WHAT)}")
    find_sample_size(1, confidence, interval)  # before any work: are they shares
    try:
        import pyarrow as _  # noqa: F401, ICN001, PLC0415

        from tlex.corpus.runs.result import open_run  # noqa: PLC0415 -- needs pyarrow
        from tlex.corpus.samples.sampler import draw_sample, plan_sample  # noqa: PLC0415
    except ImportError as error:
        raise OptionError(
            "this needs pyarrow; install it with: pip install tlex[corpus]"
        ) from error
    run = open_run(out)
    plan = plan_sample(run, what, confidence, interval, seed)
    if not plan.population:
        raise OptionError(f"{os.fspath(out)}: there are no {WHAT[what]} to sample")
    return RunSample(
        plan=plan,
        items=draw_sample(run, plan, progress, labels),
        confidence=confidence,
        interval=interval,
        seed=seed,
    )


def agreement(
    first: str | os.PathLike[str], second: str | os.PathLike[str], *, confidence: float = 0.95
) -> Agreement:
    """Compare the answers of two judges to one sample: accuracy, agreement, Cohen's kappa.

    ``first`` and ``second`` are the sheets, as CSV files. Raises `OptionError` if one cannot be
    read, is not answered, or is of another sample.
    """
    find_sample_size(1, confidence)
    names = (os.fspath(first), os.fspath(second))
    sheets = [(name, *read_sheet(_load(name), name)) for name in names]
    check_same([(name, own) for name, own, _ in sheets])
    return compare_answers(sheets[0][1], sheets[0][2], sheets[1][2], confidence)


def _load(name: str) -> bytes:
    try:
        with open(name, "rb") as file:  # noqa: PTH123 -- a pipe will do
            return load(file.read, name, _SHEET_BYTES)
    except OSError as error:
        raise OptionError(f"{name}: cannot be read: {error.strerror or error}") from None
