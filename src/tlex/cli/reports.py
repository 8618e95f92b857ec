"""``tlex corpus report``, ``sample`` and ``agreement``: what a run has to say.

Here are the commands' options only; the work is loaded when it is needed.
"""

from __future__ import annotations

from typing import Annotated

import typer

from tlex.cli.options import LabelFile

__all__ = ["agreement_command", "report_command", "sample_command"]

_Run = Annotated[str, typer.Argument(metavar="OUT", help="From tlex corpus run -o OUT.")]
_Confidence = Annotated[
    float, typer.Option(metavar="SHARE", help="How sure the estimate is to be.")
]


def report_command(
    out: _Run,
    *,
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="text|markdown|csv|latex|html", help="How to write it."),
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write it there.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="The figures as one JSON object.")
    ] = False,
) -> int:
    """Give the figures of a run: the paper's tables, and what it could not give.

    Corpora, inconsistent texts, lengths of timelines, branches, sections, minimum repairs,
    scenarios, slack, factuality, frequent conflicts, breaks, failed documents; of each corpus and
    in total. Without --format the ending of FILE decides; without both it is text.
    """
    from tlex.cli.reporting import write_report  # noqa: PLC0415 -- not light

    return write_report(out, form, output, as_json=as_json)


def sample_command(  # noqa: PLR0913 -- one argument an option
    out: _Run,
    *,
    what: Annotated[
        str,
        typer.Option(metavar="order|main|placement|connections|sections", help="What to sample."),
    ],
    confidence: _Confidence = 0.95,
    interval: Annotated[
        float, typer.Option(metavar="SHARE", help="How near the estimate is to be.")
    ] = 0.02,
    seed: Annotated[
        int, typer.Option(metavar="N", help="The same seed gives the same sample.")
    ] = 0,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR|FILE",
            help="A .csv or .html file, or a directory for both; without, CSV to stdout.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Say what was drawn as one JSON object (needs -o).")
    ] = False,
    label_file: LabelFile = None,
) -> int:
    """Draw a random sample of a run for human judges, as in the paper's evaluation.

    order: neighbouring time-points; main: breaks between main timelines; placement: time-points on
    branches; connections: SLINKs between timelines; sections: undetermined pairs. As many as the
    confidence and the interval need, in proportion to each corpus. Judges answer the sheet in a
    spreadsheet, or in the HTML form.
    """
    from tlex.cli.reporting import write_sample  # noqa: PLC0415

    return write_sample(
        out,
        what,
        output,
        limits=(confidence, interval),
        seed=seed,
        as_json=as_json,
        label_file=label_file,
    )


def agreement_command(
    first: Annotated[str, typer.Argument(metavar="A.csv", help="The sheet of one judge.")],
    second: Annotated[str, typer.Argument(metavar="B.csv", help="The sheet of another.")],
    *,
    confidence: _Confidence = 0.95,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> int:
    """Compare two judges' answers to one sample: accuracy, and Cohen's kappa.

    Accuracy is the share of items answered with yes, with its (Wilson) confidence interval.
    """
    from tlex.cli.reporting import write_agreement  # noqa: PLC0415

    return write_agreement(first, second, confidence, as_json=as_json)
