"""``tlex view``: look at documents in a browser.

Here are the command's options only; pages and server are loaded when they are needed.
"""

from __future__ import annotations

from typing import Annotated

import typer

from tlex.cli.options import Format, LabelFile, Links, MaxBytes, TextFolder, Times, split_list
from tlex.readers import MAX_BYTES

__all__ = ["view_command"]


def view_command(  # noqa: PLR0913 -- one argument an option
    path: Annotated[str, typer.Argument(metavar="FILE|DIR", help="What to look at.")],
    *,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Which port; 0 is any that is free.")
    ] = 0,
    browse: Annotated[bool, typer.Option("--open", help="Open a browser as well.")] = False,
    export: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Write the pages there, with an index, and serve none."),
    ] = None,
    links: Links = "tlink,alink",
    times: Times = "interval",
    form: Format = None,
    text_folder: TextFolder = None,
    label_file: LabelFile = None,
    max_bytes: MaxBytes = MAX_BYTES,
) -> int:
    """Show text and timeline side by side, for a file or all documents of a directory.

    The address is printed; it answers on this machine only, and pages follow the files on the
    disk. Ctrl-C ends it. With --export the same pages are written as files that need no server.
    """
    from tlex.cli.viewing import Viewing  # noqa: PLC0415 -- not light

    viewing = Viewing(path, (form, text_folder, label_file), max_bytes, split_list(links), times)
    return viewing.serve(port, browse=browse) if export is None else viewing.write(export)
