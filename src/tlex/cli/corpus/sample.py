"""``tlex corpus sample``: a random sample of a run, for human judges."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from tlex.cli.command import command, option
from tlex.cli.corpus.shared import run_argument, write_page
from tlex.cli.options import confidence_option, labels_option, output_option
from tlex.cli.progress import show_progress
from tlex.cli.terminal import print_message
from tlex.corpus import sample
from tlex.corpus.samples.populations import WHAT
from tlex.errors import OptionError
from tlex.readers.labels import Labels
from tlex.wording import count

__all__ = ["sample_command"]


@command(example="corpus sample result --what order --seed 7 -o sample/")
@run_argument
@option(
    "--what",
    required=True,
    type=click.Choice(list(WHAT)),
    metavar="NAME",
    help="What to sample: order, main, placement, connections or sections.",
)
@confidence_option
@option(
    "--interval",
    type=float,
    default=0.02,
    metavar="SHARE",
    help="Half-width of the confidence interval.",
)
@option("--seed", type=int, default=0, metavar="N", help="The same seed gives the same sample.")
@output_option(
    "FILE|DIR", "Write to this .csv or .html file, or both into this directory; else CSV to stdout."
)
@option("--json", "as_json", is_flag=True, help="Describe the sample as one JSON object; needs -o.")
@labels_option
def sample_command(  # noqa: PLR0913 -- one argument an option
    *,
    out: str,
    what: str,
    confidence: float,
    interval: float,
    seed: int,
    output: str | None,
    as_json: bool,
    labels: Labels | None,
) -> int:
    """Draw a random sample of a run for human judges.

    The judges see, as in the evaluation of the paper: neighbouring time-points (order), breaks
    between main timelines (main), time-points on branches (placement), SLINKs between timelines
    (connections), or pairs of unknown order (sections). The sample is as large as confidence and
    interval need, in proportion to each corpus. Judges fill in the sheet in a spreadsheet, or the
    HTML form.
    """
    if as_json and output is None:
        raise OptionError("without -o the sheet goes to stdout, where --json writes too")
    targets = _choose_targets(output, what)
    found = sample(
        out,
        what,
        confidence=confidence,
        interval=interval,
        seed=seed,
        labels=labels,
        progress=show_progress,
    )
    plan = found.plan
    if plan.uncounted:
        left_out = count(plan.uncounted, "document")
        print_message(f"note: {left_out} left out, with too many pairs to count")
    for target in targets:
        html = target is not None and Path(target).suffix.lower() in {".html", ".htm"}
        write_page(found.write_form() if html else found.write_sheet(), target)
    shares = ", ".join(f"{share.size:,} from {name}" for name, share in plan.shares.items())
    print_message(f"drew {plan.size:,} of {plan.population:,} {WHAT[what]}: {shares}")
    if as_json:
        record = found.record(target for target in targets if target is not None)
        print(msgspec.json.encode(record).decode())
    return 0


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
