"""``tlex corpus``: whole corpora. Here are the options; the work is loaded when it is needed."""

from __future__ import annotations

from typing import Annotated

import typer

from tlex.cli.options import (
    Format,
    LabelFile,
    Links,
    MaxBytes,
    Strict,
    TextFolder,
    Times,
    split_list,
    split_words,
)
from tlex.readers import MAX_BYTES

__all__ = ["run_command"]


def run_command(  # noqa: PLR0913 -- one argument an option
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT ...", help="Directories, patterns, archives, JSON Lines, documents."
        ),
    ],
    *,
    out: Annotated[
        str, typer.Option("--output", "-o", metavar="OUT", help="The directory of the result.")
    ],
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", metavar="N", min=1, help="Processes; all cores by default."),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS|local", help="Work on this Dask cluster, or a new one here."),
    ] = None,
    timeout: Annotated[
        float, typer.Option(metavar="S", min=0.01, help="Seconds that a document may take.")
    ] = 60.0,
    max_memory: Annotated[
        str, typer.Option(metavar="SIZE", help="Memory that a document may take.")
    ] = "2G",
    retry: Annotated[
        bool, typer.Option("--retry", help="Do documents again that failed earlier.")
    ] = False,
    repair: Annotated[
        bool, typer.Option("--repair/--no-repair", help="Look for minimum repairs.")
    ] = True,
    scenarios: Annotated[
        bool, typer.Option("--scenarios/--no-scenarios", help="Count the orderings of timelines.")
    ] = True,
    as_json: Annotated[
        bool, typer.Option("--json", help="A summary as one JSON object in the end.")
    ] = False,
    links: Links = "tlink,alink",
    times: Times = "interval",
    subordinating: Annotated[
        str | None,
        typer.Option(metavar="TYPE,...", help="Which SLINK types count for the trunk."),
    ] = None,
    strict: Strict = False,
    form: Format = None,
    text_folder: TextFolder = None,
    label_file: LabelFile = None,
    max_bytes: MaxBytes = MAX_BYTES,
    shard_size: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Documents in a file of the tables, at most."),
    ] = None,
) -> int:
    """Extract whole corpora into tables; go on where an earlier run stopped.

    Results are Parquet files in OUT, described in docs/corpus.md. The same command again does what
    is missing or has changed. Every document ends as done, or as failed with a reason; Ctrl-C
    finishes the running ones. Exit code 0: everything is done; 2: a document failed, an input
    could not be read, or OUT cannot be written; 130: interrupted, go on with the same command.
    """
    from tlex.cli.running import run_corpus  # noqa: PLC0415 -- not light

    return run_corpus(
        inputs,
        out,
        as_json=as_json,
        max_memory=max_memory,
        label_file=label_file,
        jobs=jobs,
        dask=dask,
        timeout=timeout,
        retry=retry,
        repair=repair,
        scenarios=scenarios,
        links=split_list(links),
        times=times,
        subordinating=split_words(subordinating),
        strict=strict,
        format=form,
        text=text_folder,
        max_bytes=max_bytes,
        shard_size=shard_size,
    )
