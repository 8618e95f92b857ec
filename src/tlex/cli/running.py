"""The work behind ``tlex corpus run``: telling how far it is, and what has come of it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from tlex.cli.files import tell
from tlex.corpus.runs.driver import RunProgress, RunSummary, run
from tlex.errors import OptionError
from tlex.readers import read_labels

__all__ = ["read_size", "run_corpus"]

_INTERRUPTED = 130
_EVERY = 10.0
"""In a log: seconds from line to line."""

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def run_corpus(
    inputs: list[str],
    out: str,
    *,
    as_json: bool,
    max_memory: str,
    label_file: str | None,
    **options: Any,  # noqa: ANN401 -- those of `tlex.corpus.run`
) -> int:
    """Run, tell, and give the exit code."""
    labels = None if label_file is None else read_labels(label_file)
    memory = read_size(max_memory)
    with _watching() as watch:
        summary = run(inputs, out, max_memory=memory, labels=labels, progress=watch, **options)
    for told in summary.unread:
        tell(told)
    for told in summary.failures:
        tell(f"failed: {told}")
    _tell_end(summary)
    if as_json:
        sys.stdout.flush()
        sys.stdout.buffer.write(summary.to_json() + b"\n")
    if summary.interrupted and summary.pending:
        return _INTERRUPTED
    return 0 if summary.complete else 2


def read_size(words: str) -> int:
    """Read a size such as 500M or 2G.

    >>> read_size("500M"), read_size("1.5 GB")
    (524288000, 1610612736)
    """
    match = _SIZE.fullmatch(words.strip())
    if match is None:
        raise OptionError(f"a size cannot be {words!r}; write it like 500M or 2G")
    return int(float(match[1]) * _UNITS[match[2].upper()])


def _tell_end(summary: RunSummary) -> None:
    told = len(summary.failures)
    if summary.failed > told:
        listed = "failed in all" if told else "failed earlier; --retry does them again"
        tell(f"{_count(summary.failed, 'document')} {listed}: see the table documents, reason")
    if summary.skipped:
        tell(f"note: skipped {_count(summary.skipped, 'file')} that no reader recognises")
    if summary.left_out:
        what = "link, pipe or device" if summary.left_out == 1 else "links, pipes or devices"
        tell(f"note: left out {summary.left_out:,} {what}")
    if summary.repeated:
        tell(f"note: {_count(summary.repeated, 'file')} named twice, done once")
    if summary.duplicates:
        tell(f"note: {_count(summary.duplicates, 'document')} with the content of another")
    tell(
        f"{_count(summary.done, 'document')} done, {summary.inconsistent:,} inconsistent,"
        f" {summary.failed:,} failed; {summary.processed:,} now, in {_duration(summary.seconds)}"
    )
    if summary.pending:
        tell(f"{summary.pending:,} are left; give the same command again to go on")


@contextmanager
def _watching() -> Iterator[Callable[[RunProgress], None]]:
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
            tell(_describe(progress))

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
        f"{progress.inconsistent:,} inconsistent",
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


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
