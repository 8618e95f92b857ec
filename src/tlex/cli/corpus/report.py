"""``tlex corpus report``: the figures of a run."""

from __future__ import annotations

from pathlib import Path

import click

from tlex.cli.command import command, option
from tlex.cli.corpus.shared import run_argument, write_page
from tlex.cli.options import output_option
from tlex.cli.progress import track_shards
from tlex.cli.terminal import print_message
from tlex.corpus import report
from tlex.corpus.reports.run_report import FORMATS
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
    found = report(out, progress=track_shards)
    if found.pending:
        pending = count(found.pending, "file")
        print_message(f"note: {pending} not done yet; the figures are of the rest")
    if found.figures.total.failed:
        failed = count(found.figures.total.failed, "document")
        print_message(f"note: {failed} failed; counted, but in no average")
    write_page(found.to_json().decode() + "\n" if as_json else found.write(chosen), output)
    return 0


def _choose_format(output: str | None) -> str:
    """The format by the ending of a file; text if it has none."""
    ending = Path(output or "").suffix.lower()
    if ending and ending not in _ENDINGS:
        known = ", ".join(_ENDINGS)
        raise OptionError(f"-o {output}: no report has this ending; known are {known}")
    return _ENDINGS.get(ending, "text")
