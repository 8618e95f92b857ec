"""``tlex apply``: corrections that ``tlex fix --patch`` has written, applied to files."""

from __future__ import annotations

from tlex.cli.command import argument, command
from tlex.cli.destination import Destination
from tlex.cli.documents import Documents
from tlex.cli.options import PATH, Reading, max_bytes_option, output_option
from tlex.cli.progress import show_progress
from tlex.cli.terminal import print_message
from tlex.errors import OptionError, PatchError, TlexError
from tlex.files import write_atomically
from tlex.readers import load
from tlex.repair import Patch, apply
from tlex.repair.patch import take_bytes
from tlex.wording import count

__all__ = ["apply_command"]


@command(example="apply corrections.json corpus/ -o corrected/")
@argument("patch", type=PATH, metavar="PATCH", explanation="The file that tlex fix --patch wrote.")
@argument(
    "paths",
    nargs=-1,
    required=True,
    type=PATH,
    metavar="FILE|DIR...",
    explanation="The files that the corrections are for.",
)
@output_option("FILE|DIR|-", "Write the changed documents to this file or directory.")
@max_bytes_option
def apply_command(*, patch: str, paths: tuple[str, ...], output: str | None, max_bytes: int) -> int:
    """Apply corrections that tlex fix --patch has written.

    The files are found by their content; they may have another name or place now. They are
    changed where they are, or written elsewhere with -o.
    """
    try:
        with open(patch, "rb") as file:  # noqa: PTH123 -- a pipe will do
            corrections = Patch.from_json(load(file.read, patch), patch)
    except OSError as error:
        raise PatchError(f"{patch}: cannot be read: {error.strerror or error}") from None
    if "-" in paths:
        raise OptionError("a patch is applied to files, not to standard input")
    target = None if output is None else Destination(output, paths, rewrites=True)
    documents = Documents(paths, Reading(max_bytes=max_bytes))
    met: set[str] = set()
    changed = 0
    for document in show_progress(documents):
        try:
            own = corrections.find(document)
            data = take_bytes(document if own is None else apply(document, own))
            if own is not None:
                met.add(own.sha256)
            if target is not None:
                target.write(document.name, data)
            elif own is not None:
                write_atomically(documents.path, data)
            changed += own is not None
        except TlexError as error:
            documents.fail(str(error))
    for missing in corrections.files:
        if missing.sha256 not in met:
            documents.fail(f"{patch}: no file given is the original of {missing.path}")
    print_message(f"changed {count(changed, 'document')}")
    return documents.exit_code
