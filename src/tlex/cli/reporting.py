"""The work behind ``tlex corpus report``, ``sample`` and ``agreement``."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import msgspec

from tlex.cli.files import tell, watch
from tlex.corpus.samples.agreement import Accuracy, Agreement, compare_answers
from tlex.corpus.samples.answer_sheets import check_same, read_sheet, write_sheet
from tlex.corpus.samples.populations import WHAT
from tlex.corpus.samples.sample_size import find_sample_size
from tlex.errors import OptionError
from tlex.files import write_atomically
from tlex.readers import load, read_labels
from tlex.wording import count

__all__ = ["write_agreement", "write_report", "write_sample"]

_ENDINGS = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".csv": "csv",
    ".tex": "latex",
    ".txt": "text",
}
_Shard = TypeVar("_Shard")
FORMATS = ("text", "markdown", "csv", "latex", "html")
_SHEET_BYTES = 1 << 28


def write_report(out: str, form: str | None, output: str | None, *, as_json: bool) -> int:
    """Print or write the figures of a run."""
    if as_json and form is not None:
        raise OptionError("choose one of --json and --format")
    chosen = form or ("text" if as_json else _choose_format(output))
    if chosen not in FORMATS:
        raise OptionError(f"format cannot be {chosen!r}; choose from {', '.join(FORMATS)}")
    _need_pyarrow()
    from tlex.corpus.reports.counting import count_figures  # noqa: PLC0415 -- needs pyarrow
    from tlex.corpus.reports.formats import WRITERS  # noqa: PLC0415
    from tlex.corpus.reports.html_report import write_html_report  # noqa: PLC0415
    from tlex.corpus.reports.report_tables import make_report_tables  # noqa: PLC0415
    from tlex.corpus.runs.result import open_run  # noqa: PLC0415

    run = open_run(out)
    figures = count_figures(run, _watch)
    pending = run.pending()
    if pending:
        tell(f"note: still to do: {count(pending, 'file')}; the figures are of the rest")
    if figures.total.failed:
        tell(f"note: {count(figures.total.failed, 'document')} failed; counted, and in no average")
    if as_json:
        page = msgspec.json.encode(figures).decode() + "\n"
    elif chosen == "html":
        page = write_html_report(figures)
    else:
        page = WRITERS[chosen](make_report_tables(figures))
    _write(page, output)
    return 0


def _choose_format(output: str | None) -> str:
    """The format by the ending of a file; text if it has none."""
    ending = Path(output or "").suffix.lower()
    if ending and ending not in _ENDINGS:
        known = ", ".join(_ENDINGS)
        raise OptionError(f"-o {output}: no report has this ending; known are {known}")
    return _ENDINGS.get(ending, "text")


def write_sample(  # noqa: PLR0913 -- what a sample is made of
    out: str,
    what: str,
    output: str | None,
    *,
    limits: tuple[float, float],
    seed: int,
    as_json: bool,
    label_file: str | None,
) -> int:
    """Draw a sample and write its sheet, its form, or both."""
    if what not in WHAT:
        raise OptionError(f"--what cannot be {what!r}; choose from {', '.join(WHAT)}")
    if as_json and output is None:
        raise OptionError("without -o the sheet goes to stdout, where --json writes too")
    find_sample_size(1, *limits)  # before any work: are they shares
    _need_pyarrow()
    from tlex.corpus.runs.result import open_run  # noqa: PLC0415
    from tlex.corpus.samples.html_form import write_html_form  # noqa: PLC0415
    from tlex.corpus.samples.sampler import DrawnSample, draw_sample, plan_sample  # noqa: PLC0415 -- pyarrow

    labels = None if label_file is None else read_labels(label_file)
    targets = _choose_targets(output, what)
    run = open_run(out)
    plan = plan_sample(run, what, *limits, seed)
    if plan.uncounted:
        tell(f"note: {count(plan.uncounted, 'document')} left out, with too many pairs to count")
    if not plan.population:
        raise OptionError(f"{out}: there are no {WHAT[what]} to sample")
    sample = draw_sample(run, plan, watch, labels)
    for target in targets:
        html = target is not None and Path(target).suffix.lower() in {".html", ".htm"}
        _write(write_html_form(sample) if html else write_sheet(sample), target)
    shares = ", ".join(f"{share.size:,} from {name}" for name, share in plan.shares.items())
    tell(f"drew {plan.size:,} of {plan.population:,} {WHAT[what]}: {shares}")
    if as_json:
        summary = DrawnSample(
            sample.name,
            what,
            plan.population,
            plan.size,
            *limits,
            seed,
            plan.shares,
            plan.uncounted,
            [target for target in targets if target is not None],
        )
        print(msgspec.json.encode(summary).decode())
    return 0


def write_agreement(first: str, second: str, confidence: float, *, as_json: bool) -> int:
    """Compare two sheets and print what comes of it."""
    find_sample_size(1, confidence)
    sheets = [(name, *read_sheet(_load(name), name)) for name in (first, second)]
    check_same([(name, sample) for name, sample, _ in sheets])
    found = compare_answers(sheets[0][1], sheets[0][2], sheets[1][2], confidence)
    if as_json:
        print(msgspec.json.encode(found).decode())
    else:
        for line in _describe(found, (first, second)):
            print(line)
    return 0


def _watch(shards: list[_Shard]) -> Iterable[_Shard]:
    """Show how far the tables are read, where a person waits."""
    if not sys.stderr.isatty():
        return shards
    from rich.console import Console  # noqa: PLC0415 -- only here
    from rich.progress import track  # noqa: PLC0415

    return track(shards, "reading tables", console=Console(stderr=True), transient=True)


def _need_pyarrow() -> None:
    try:
        import pyarrow as _  # noqa: F401, ICN001, PLC0415
    except ImportError as error:
        raise OptionError(
            "this needs pyarrow; install it with: pip install tlex[corpus]"
        ) from error


def _describe(found: Agreement, names: tuple[str, str]) -> list[str]:
    judged = found.first.judged
    lines = [f"sample {found.sample}: {count(judged, 'item')}"]
    width = max(map(len, names))
    for name, accuracy in zip(names, (found.first, found.second), strict=True):
        lines.append(f"{name:<{width}}  {_show(accuracy, found.confidence)}")
    agreed = f"agreed on {found.agreed:,} of {judged:,}, {100 * found.observed:.1f} %"
    lines.append(f"{agreed}; by chance {100 * found.expected:.1f} %")
    if found.kappa is None:
        lines.append("Cohen's kappa: undefined, because all answers of both are the same")
    else:
        lines.append(f"Cohen's kappa: {found.kappa:.3f}")
    return lines


def _show(accuracy: Accuracy, confidence: float) -> str:
    share = f"{accuracy.right:,} of {accuracy.judged:,} right, {100 * accuracy.accuracy:.1f} %"
    ends = f"{100 * accuracy.low:.1f} to {100 * accuracy.high:.1f} %"
    return f"{share} ({ends} with {100 * confidence:g} % confidence)"


def _choose_targets(output: str | None, what: str) -> list[str | None]:
    if output is None or output == "-":
        return [None]
    path = Path(output)
    if path.suffix.lower() in {".csv", ".html", ".htm"} and not path.is_dir():
        return [output]
    if path.exists() and not path.is_dir():
        raise OptionError(f"-o {output} is neither .csv nor .html nor a directory")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"-o {output}: cannot be made: {error.strerror or error}") from None
    return [str(path / f"{what}.csv"), str(path / f"{what}.html")]


def _write(page: str, output: str | None) -> None:
    data = page.encode("utf-8", "surrogateescape")
    if output is None or output == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        write_atomically(output, data)


def _load(name: str) -> bytes:
    try:
        with open(name, "rb") as file:  # noqa: PTH123 -- a pipe will do
            return load(file.read, name, _SHEET_BYTES)
    except OSError as error:
        raise OptionError(f"{name}: cannot be read: {error.strerror or error}") from None
