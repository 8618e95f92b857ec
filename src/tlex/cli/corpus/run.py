"""``tlex corpus run``: whole corpora into tables."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

import click

from tlex.cli.command import INTERRUPTED, argument, command, option
from tlex.cli.options import (
    PATH,
    Reading,
    Reasoning,
    output_option,
    read_size,
    reading_options,
    reasoning_options,
)
from tlex.cli.terminal import print_message, write_bytes
from tlex.corpus.runs.driver import RunProgress, RunSummary, run
from tlex.corpus.runs.result import open_run
from tlex.nouns import Code
from tlex.readers.diagnostics import count_unknown_labels
from tlex.wording import count

__all__ = ["run_command"]

_EVERY = 10.0
"""In a log: seconds from line to line."""


@command(example="corpus run timebank/ more.tar.gz -o result --jobs 8")
@argument(
    "inputs",
    nargs=-1,
    required=True,
    type=PATH,
    metavar="INPUT...",
    explanation="Directories, patterns, archives, JSON Lines, documents.",
)
@output_option("OUT", "The directory of the result.", required=True)
@option(
    "-j",
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Number of processes; as many as there are cores by default.",
)
@option("--dask", metavar="ADDRESS|local", help="Use this Dask cluster, or a new one here.")
@option(
    "--timeout",
    type=click.FloatRange(0.01),
    default=60.0,
    metavar="SECONDS",
    help="Longest time for a document.",
)
@option(
    "--max-memory",
    type=read_size,
    default="2 GB",
    metavar="SIZE",
    help="Largest memory for a document.",
)
@option("--retry", is_flag=True, help="Try documents again that failed earlier.")
@option("--repair/--no-repair", default=True, help="Look for minimum repairs.")
@option("--scenarios/--no-scenarios", default=True, help="Count the possible orders of timelines.")
@option("--json", "as_json", is_flag=True, help="Write a summary as one JSON object at the end.")
@option(
    "--shard-size",
    type=click.IntRange(1),
    metavar="N",
    help="Largest number of documents in one file of the tables.",
)
@reasoning_options(subordinating=True, calendar=True, mend=False, confidence=False)
@reading_options()
def run_command(  # noqa: PLR0913 -- one argument an option
    *,
    inputs: tuple[str, ...],
    output: str,
    jobs: int | None,
    dask: str | None,
    timeout: float,
    max_memory: int,
    retry: bool,
    repair: bool,
    scenarios: bool,
    as_json: bool,
    shard_size: int | None,
    reasoning: Reasoning,
    reading: Reading,
) -> int:
    """Extract whole corpora into tables.

    The results are Parquet files in OUT, described in docs/tables.md. The same command again does
    only what is missing or has changed. Every document ends as done, or as failed with a reason.
    Ctrl-C lets the running documents finish.

    Exit code 0: everything is done; 2: a document failed, an input could not be read, or OUT
    cannot be written; 130: interrupted, continue with the same command.
    """
    with _show_progress() as show:
        summary = run(
            inputs,
            output,
            jobs=jobs,
            dask=dask,
            timeout=timeout,
            max_memory=max_memory,
            retry=retry,
            repair=repair,
            scenarios=scenarios,
            shard_size=shard_size,
            progress=show,
            links=reasoning.links,
            times=reasoning.times,
            subordinating=reasoning.subordinating,
            calendar=reasoning.calendar,
            mend=reasoning.mend,
            **reading._asdict(),
        )
    for message in summary.unread:
        print_message(message)
    for message in summary.failures:
        print_message(f"failed: {message}")
    _print_unknown_labels(output)
    _print_summary(summary)
    if as_json:
        write_bytes(summary.to_json() + b"\n")
    if summary.interrupted and summary.pending:
        return INTERRUPTED
    return 0 if summary.complete else 2


def _print_unknown_labels(output: str) -> None:
    """Print a line for each document and label that no table has."""
    from tlex.corpus.reports.counting import read_columns  # noqa: PLC0415 -- needs pyarrow

    messages: dict[str, list[str]] = {}
    columns = ("document", "code", "message")
    for row in read_columns(open_run(output), "diagnostics", columns):
        if row["code"] == Code.UNKNOWN_TYPE:
            messages.setdefault(row["document"], []).append(row["message"])
    for document, found in messages.items():
        for line in count_unknown_labels(found):
            print_message(f"note: {document}: {line}")


def _print_summary(summary: RunSummary) -> None:
    listed = len(summary.failures)
    if summary.failed > listed:
        how = "failed in all" if listed else "failed earlier; --retry does them again"
        print_message(f"{count(summary.failed, 'document')} {how}: see the table documents, reason")
    if summary.skipped:
        print_message(f"note: skipped {count(summary.skipped, 'file')} that no reader recognises")
    if summary.left_out:
        what = "link, pipe or device" if summary.left_out == 1 else "links, pipes or devices"
        print_message(f"note: left out {summary.left_out:,} {what}")
    if summary.repeated:
        print_message(f"note: {count(summary.repeated, 'file')} named twice, done once")
    if summary.duplicates:
        print_message(f"note: {count(summary.duplicates, 'document')} with the content of another")
    print_message(
        f"{count(summary.done, 'document')} done, {summary.inconsistent:,} contradictory,"
        f" {summary.failed:,} failed; {summary.processed:,} now, in {_duration(summary.seconds)}"
    )
    if summary.pending:
        print_message(f"{summary.pending:,} are left; give the same command again to go on")


@contextmanager
def _show_progress() -> Iterator[Callable[[RunProgress], None]]:
    """A bar where a person watches, lines in a log."""
    if sys.stderr.isatty():
        with _bar() as show:
            yield show
        return
    last = monotonic()
    stopping = False

    def note(progress: RunProgress) -> None:
        nonlocal last, stopping
        if monotonic() - last >= _EVERY or progress.stopping > stopping:
            last, stopping = monotonic(), progress.stopping
            print_message(_describe(progress))

    yield note


@contextmanager
def _bar() -> Iterator[Callable[[RunProgress], None]]:
    from rich.console import Console  # noqa: PLC0415 -- not light
    from rich.progress import BarColumn, TaskProgressColumn  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (BarColumn(), TaskProgressColumn(), "{task.description}")
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None)

        def show(progress: RunProgress) -> None:
            bar.update(
                task,
                total=progress.todo,
                completed=progress.finished,
                description=_describe(progress),
            )

        yield show


def _describe(progress: RunProgress) -> str:
    words = [
        f"{progress.finished:,} of {progress.todo:,}",
        f"{progress.rate:,.0f}/s",
        f"{progress.inconsistent:,} contradictory",
        f"{progress.failed:,} failed",
    ]
    if progress.stopping:
        words.insert(0, "stopping after the running documents; once more ends at once")
    elif progress.left is not None:
        words.append(f"{_duration(progress.left)} left")
    return ", ".join(words)


def _duration(seconds: float) -> str:
    """A duration in words of a few letters.

    >>> _duration(4.25), _duration(200), _duration(9000)
    ('4.2 s', '3 min 20 s', '2 h 30 min')
    """
    whole = round(seconds)
    if seconds < 60:  # noqa: PLR2004
        return f"{seconds:.1f} s"
    if whole < 3600:  # noqa: PLR2004
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
