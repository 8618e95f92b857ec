"""`report`: the figures of a run, in any format."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from tlex.corpus.reports.figures import Figures
from tlex.corpus.reports.formats import WRITERS
from tlex.corpus.reports.html_report import write_html_report
from tlex.corpus.reports.report_tables import make_report_tables
from tlex.errors import OptionError
from tlex.wording import count, represent

if TYPE_CHECKING:
    from tlex.corpus.reports.counting import Shard

__all__ = ["FORMATS", "RunReport", "report"]

FORMATS = (*WRITERS, "html")


class RunReport(Struct, frozen=True, kw_only=True):
    """The figures of a run. ``pending`` files are not done yet; the figures are of the others."""

    figures: Figures
    pending: int

    def __str__(self) -> str:
        return self.write().rstrip("\n")

    def __repr__(self) -> str:
        documents = count(self.figures.total.documents, "document")
        return represent(self, f"{documents}, {self.pending:,} pending")

    def write(self, format: str = "text") -> str:  # noqa: A002 -- what the command line calls it
        """Write the report as text, markdown, csv, latex or html."""
        if format not in FORMATS:
            raise OptionError(f"format cannot be {format!r}; choose from {', '.join(FORMATS)}")
        if format == "html":
            return write_html_report(self.figures)
        return WRITERS[format](make_report_tables(self.figures))

    def to_json(self) -> bytes:
        """Encode the figures as one JSON object, without a line end."""
        return msgspec.json.encode(self.figures)


def report(
    out: str | os.PathLike[str],
    *,
    progress: Callable[[list[Shard]], Iterable[Any]] = iter,
) -> RunReport:
    """Count the figures of a run. Needs pyarrow: ``pip install 'tlex[corpus]'``.

    Parameters
    ----------
    out : path
        The directory that `tlex.corpus.run` has written.
    progress : callable
        Takes the files of the tables, and gives them back one by one.

    Returns
    -------
    RunReport
        The ``figures``, and ``write(format)`` for text, markdown, csv, latex and html.

    Raises
    ------
    OptionError
        If the directory has no run in it, a table cannot be read, or pyarrow is missing.

    Examples
    --------
    >>> import tempfile, tlex
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = tlex.corpus.run(["examples/*.tml"], folder, jobs=1)
    ...     tlex.corpus.report(folder).figures.total.inconsistent
    1

    See Also
    --------
    tlex.corpus.sample : a sample for human judges
    """
    try:
        import pyarrow as _  # noqa: F401, ICN001, PLC0415

        from tlex.corpus.reports.counting import count_figures  # noqa: PLC0415 -- needs pyarrow
        from tlex.corpus.runs.result import open_run  # noqa: PLC0415
    except ImportError as error:
        raise OptionError(
            "this needs pyarrow; install it with: pip install 'tlex[corpus]'"
        ) from error
    run = open_run(out)
    return RunReport(figures=count_figures(run, progress), pending=run.pending())
