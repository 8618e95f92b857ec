"""`sample` and `agreement`: a random sample of a run, and what two judges say of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from tlex.corpus.samples.answer_sheets import Sample, check_same, read_sheet, write_sheet
from tlex.corpus.samples.html_form import write_html_form
from tlex.corpus.samples.judge_agreement import Agreement, compare_answers
from tlex.corpus.samples.populations import WHAT
from tlex.corpus.samples.sample_size import find_sample_size
from tlex.document import Document
from tlex.errors import OptionError
from tlex.readers import Labels, load
from tlex.wording import represent

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

    def __repr__(self) -> str:
        return represent(self, f"{self.plan.what}: {self.plan.size:,} of {self.plan.population:,}")

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

    The sample is as large as the confidence level and the interval need, in proportion to each
    corpus. Needs pyarrow: ``pip install 'tlex[corpus]'``.

    Parameters
    ----------
    out : path
        The directory that `tlex.corpus.run` has written.
    what : str
        ``order``, ``main``, ``placement``, ``connections`` or ``sections``.
    confidence : float
        The confidence level.
    interval : float
        The half-width of the confidence interval.
    seed : int
        The same seed gives the same sample.
    labels : optional
        The labels that the run was made with, if it has any of its own.
    progress : callable
        Takes the documents that are read again, and gives them back one by one.

    Returns
    -------
    RunSample
        The ``items``; ``write_sheet()`` and ``write_form()`` for the judges.

    Raises
    ------
    OptionError
        If there is nothing to sample, an option is wrong, or pyarrow is missing.

    Examples
    --------
    >>> import tempfile, tlex
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = tlex.corpus.run(["examples/*.tml"], folder, jobs=1)
    ...     tlex.corpus.sample(folder, "connections").plan.size
    5

    See Also
    --------
    tlex.corpus.agreement : what two judges say
    tlex.corpus.report : the figures of a run
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
            "this needs pyarrow; install it with: pip install 'tlex[corpus]'"
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

    Parameters
    ----------
    first, second : path
        The sheets of the judges, as CSV files.
    confidence : float
        The confidence level of the intervals.

    Returns
    -------
    Agreement
        The accuracy that each judge finds, and Cohen's ``kappa``.

    Raises
    ------
    OptionError
        If a sheet cannot be read, is not answered, or is of another sample.

    Examples
    --------
    >>> import tempfile, tlex
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = tlex.corpus.run(["examples/*.tml"], folder, jobs=1)
    ...     sheet = tlex.corpus.sample(folder, "connections").write_sheet()
    ...     path = Path(folder, "answers.csv")
    ...     _ = path.write_text(sheet.replace(",,", ",yes,"), encoding="utf-8")
    ...     tlex.corpus.agreement(path, path).kappa is None  # all answers are the same
    True

    See Also
    --------
    tlex.corpus.sample : draws the sample
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
