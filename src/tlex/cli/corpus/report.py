"""``tlex corpus report``: the figures of a run."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from tlex.cli.command import command, option
from tlex.cli.corpus.shared import need_pyarrow, run_argument, write_page
from tlex.cli.options import output_option
from tlex.cli.progress import track_shards
from tlex.cli.terminal import print_message
from tlex.errors import OptionError
from tlex.wording import count

__all__ = ["report_command"]

_ENDINGS = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".csv": "csv",
    ".tex": "latex",
    ".txt": "text",
}
FORMATS = ("text", "markdown", "csv", "latex", "html")


@command(example="corpus report result -o report.html")
@run_argument
@option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    metavar="NAME",
    help="Format: text, markdown, csv, latex or html.",
)
@output_option("FILE", "Write to this file; its ending may stand for --format.")
@option("--json", "as_json", is_flag=True, help="Write the figures as one JSON object.")
def report_command(*, out: str, form: str | None, output: str | None, as_json: bool) -> int:
    """Show the figures of a run.

    These are the tables of the paper and more: corpora, contradictory texts, lengths of
    timelines, branches, sections, minimum repairs, scenarios, slack, factuality, frequent
    conflicts, breaks and failed documents, for each corpus and in total. The format is text
    unless --format or the ending of the file says otherwise.
    """
    if as_json and form is not None:
        raise OptionError("choose one of --json and --format")
    chosen = form or ("text" if as_json else _choose_format(output))
    need_pyarrow()
    from tlex.corpus.reports.counting import count_figures  # noqa: PLC0415 -- needs pyarrow
    from tlex.corpus.reports.formats import WRITERS  # noqa: PLC0415
    from tlex.corpus.reports.html_report import write_html_report  # noqa: PLC0415
    from tlex.corpus.reports.report_tables import make_report_tables  # noqa: PLC0415
    from tlex.corpus.runs.result import open_run  # noqa: PLC0415

    run = open_run(out)
    figures = count_figures(run, track_shards)
    pending = run.pending()
    if pending:
        print_message(f"note: {count(pending, 'file')} not done yet; the figures are of the rest")
    if figures.total.failed:
        failed = count(figures.total.failed, "document")
        print_message(f"note: {failed} failed; counted, but in no average")
    if as_json:
        page = msgspec.json.encode(figures).decode() + "\n"
    elif chosen == "html":
        page = write_html_report(figures)
    else:
        page = WRITERS[chosen](make_report_tables(figures))
    write_page(page, output)
    return 0


def _choose_format(output: str | None) -> str:
    """The format by the ending of a file; text if it has none."""
    ending = Path(output or "").suffix.lower()
    if ending and ending not in _ENDINGS:
        known = ", ".join(_ENDINGS)
        raise OptionError(f"-o {output}: no report has this ending; known are {known}")
    return _ENDINGS.get(ending, "text")
