"""``tlex merge``: several documents as one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tlex.cli.command import command, option
from tlex.cli.destination import Inputs
from tlex.cli.documents import Documents
from tlex.cli.options import PATH, Reading, paths_argument, reading_options
from tlex.cli.progress import show_progress
from tlex.cli.terminal import print_message, write_bytes
from tlex.document import Document
from tlex.errors import OptionError
from tlex.export.json import write_json
from tlex.files import find_real_path, is_directory, write_atomically
from tlex.merging import merge
from tlex.wording import count

__all__ = ["merge_command"]


@command(example="merge monday.tml tuesday.tml --same pairs.csv -o week.json")
@paths_argument
@option(
    "--same",
    type=PATH,
    metavar="FILE",
    help="Table (CSV) with pairs of ids that are the same event or time, such as "
    "monday#ei4,tuesday#ei7.",
)
@option(
    "-o",
    "--output",
    type=PATH,
    metavar="FILE",
    help="The JSON file to write; stdout by default.",
)
@reading_options()
def merge_command(
    *, paths: tuple[str, ...], same: str | None, output: str | None, reading: Reading
) -> int:
    """Put several documents together as one.

    Each id gets the name of its document in front (monday#ei4). Events and times keep their own
    text and their lines. Pairs of the table, and mentions of one instance that CAT files share,
    become links of type IDENTITY; nothing else is merged. All other commands take the result:
    with --calendar the dates give one timeline over all documents.

    If one of the documents cannot be read, nothing is written.
    """
    documents = Documents(paths, reading)
    if output is not None and output != "-":
        if not output or is_directory(output):
            raise OptionError("-o needs the name of a file")
        Inputs([*paths, *([same] if same else [])]).refuse(Path(output))
    read = list(_list_once(documents))
    if documents.failed:
        print_message("nothing is merged: not all documents could be read")
        return documents.exit_code
    merged = merge(read, same=same or ())
    data, losses = write_json(merged)
    if output is None or output == "-":
        write_bytes(data)
    else:
        write_atomically(Path(output), data)
        joined = len(merged.links) - sum(len(one.links) for one in merged.documents.values())
        print_message(
            f"merged {count(len(merged.documents), 'document')}: "
            f"{count(len(merged.nodes), 'event or time', 'events and times')}, "
            f"{count(len(merged.links), 'link')}, {joined:,} of them between documents"
        )
    lost = sum(loss.count for loss in losses if not loss.kept)
    if lost:
        print_message("note: JSON cannot hold all of it; tlex convert --losses counts what is lost")
    return documents.exit_code


def _list_once(documents: Documents) -> Iterator[Document]:
    """Read the documents; refuse a file that two arguments name."""
    known: dict[tuple[str, str], str] = {}
    for document in show_progress(documents):
        path = documents.path
        file = path if path == "-" else str(find_real_path(path))
        inner = document.name.removeprefix(documents.shown)
        if (file, inner) in known:
            other = known[file, inner]
            also = "" if other == path else f", as {other!r} too"
            raise OptionError(
                f"{path}: is given twice{also}; "
                "a document can be merged with others, not with itself"
            )
        known[file, inner] = path
        yield document
