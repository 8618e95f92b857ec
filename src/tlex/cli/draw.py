"""``tlex draw``: a picture of a document. Here are its options only; it is drawn in `pictures`."""

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
    split_words,
)
from tlex.readers import MAX_BYTES

__all__ = ["draw_command"]


def draw_command(  # noqa: PLR0913 -- one argument an option
    paths: Annotated[
        list[str], typer.Argument(metavar="FILE|DIR|- ...", help="What to read; - is stdin.")
    ],
    *,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE|DIR|-",
            help="A file ending in .svg, .png, .html or .txt; a directory for several documents.",
        ),
    ] = "-",
    kind: Annotated[
        str | None,
        typer.Option(
            "--as", metavar="KIND", help="svg, png, html or txt, whatever the ending of -o is."
        ),
    ] = None,
    links: Links = "tlink,alink",
    times: Times = "interval",
    main: Annotated[
        str | None,
        typer.Option(metavar="ID,...", help="Events or times known to be real: the trunk."),
    ] = None,
    strict: Strict = False,
    form: Format = None,
    text_folder: TextFolder = None,
    label_file: LabelFile = None,
    max_bytes: MaxBytes = MAX_BYTES,
) -> int:
    """Draw the trunk, the branches, and what is undetermined.

    The axis counts steps, so the picture shows what is known, and what is not. Without -o it is
    drawn as text. In a directory every picture has the name of its document, and is an SVG unless
    --as says otherwise. A PNG needs the extra: pip install 'tlex[png]'.
    """
    from tlex.cli.files import Documents  # noqa: PLC0415
    from tlex.cli.pictures import draw_documents  # noqa: PLC0415 -- seldom asked for

    documents = Documents(
        paths, strict=strict, max_bytes=max_bytes, reading=(form, text_folder, label_file)
    )
    options = {"links": split_words(links) or [], "times": times, "main": split_words(main)}
    return draw_documents(documents, options, output, kind)
