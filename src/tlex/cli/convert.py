"""``tlex convert``: documents and results in other formats."""

from __future__ import annotations

from typing import Annotated

import typer

from tlex.cli.options import (
    Format,
    LabelFile,
    Links,
    Main,
    MaxBytes,
    Paths,
    Strict,
    Subordinating,
    TextFolder,
    Times,
)
from tlex.readers import MAX_BYTES

__all__ = ["convert_command"]


def convert_command(  # noqa: PLR0913 -- one argument an option
    paths: Paths,
    *,
    to: Annotated[
        str | None,
        typer.Option(metavar="FORMAT", help="timeml, json, csv, dot or parquet."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE|DIR|-", help="Where to write; its ending tells --to."
        ),
    ] = None,
    points: Annotated[
        bool, typer.Option("--points", help="With dot: the graph of time-points.")
    ] = False,
    table: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="With csv and parquet: one table, such as points."),
    ] = None,
    report: Annotated[
        bool,
        typer.Option("--report", help="Count what the format cannot hold; without -o, only that."),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="The report as JSON, one object per document.")
    ] = False,
    links: Links = "tlink,alink",
    times: Times = "interval",
    main: Main = None,
    subordinating: Subordinating = None,
    strict: Strict = False,
    form: Format = None,
    text_folder: TextFolder = None,
    label_file: LabelFile = None,
    max_bytes: MaxBytes = MAX_BYTES,
) -> int:
    """Write documents as TimeML, JSON or CSV, as a graph for dot, or as Parquet.

    TimeML and JSON hold the document and can be read again; csv, dot and parquet hold its
    timelines. Tables of all documents go into one directory, a file each: nodes, links, timelines,
    points, sections, connections, breaks, conflicts, diagnostics. What a format cannot hold is
    never lost in silence: --report counts it.
    """
    from tlex.cli.converting import Conversion, run_conversion  # noqa: PLC0415 -- when needed
    from tlex.cli.files import Documents  # noqa: PLC0415
    from tlex.cli.options import split_list, split_words  # noqa: PLC0415

    documents = Documents(
        paths, strict=strict, max_bytes=max_bytes, reading=(form, text_folder, label_file)
    )
    options = {
        "links": split_list(links),
        "times": times,
        "main": split_words(main),
        "subordinating": split_words(subordinating),
    }
    conversion = Conversion(to, output, points, table, report, as_json, options)
    return run_conversion(documents, conversion)
