"""What several commands about a run have in common."""

from __future__ import annotations

import sys

from tlex.cli.command import argument
from tlex.cli.options import PATH
from tlex.cli.terminal import write_bytes
from tlex.files import write_atomically

__all__ = ["run_argument", "write_page"]

run_argument = argument(
    "out", type=PATH, metavar="OUT", explanation="The directory that tlex corpus run has written."
)


def write_page(page: str, output: str | None) -> None:
    """Write a page to a file, or to stdout."""
    data = page.encode("utf-8", "surrogateescape")
    if output is None or output == "-":
        write_bytes(data)
        sys.stdout.buffer.flush()
    else:
        write_atomically(output, data)
