"""``tlex apply``: corrections that ``tlex fix --patch`` has written, applied to files."""

from __future__ import annotations

from typing import Literal

from tlex.cli.command import argument, command
from tlex.cli.corrected_files import CorrectedFiles
from tlex.cli.documents import Documents
from tlex.cli.options import PATH, Reading, output_option, reading_options
from tlex.cli.progress import show_progress
from tlex.cli.terminal import print_message
from tlex.document import Document
from tlex.errors import OptionError, PatchError
from tlex.readers import load
from tlex.repair import FilePatch, Patch, apply
from tlex.repair.patch import is_applied
from tlex.wording import count

__all__ = ["apply_command"]

_State = Literal["changed", "applied", "none"]


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
@reading_options(strict=False)
def apply_command(
    *, patch: str, paths: tuple[str, ...], output: str | None, reading: Reading
) -> int:
    """Apply corrections that tlex fix --patch has written.

    The files are found by their content; they may have another name or place now. They are
    changed where they are, or written elsewhere with -o. A file to which the corrections have been
    applied already stays as it is; one that has changed otherwise is refused. TimeML, CAT and JSON
    can be changed; documents of other formats are written as JSON with -o.
    """
    try:
        with open(patch, "rb") as file:  # noqa: PTH123 -- a pipe will do
            corrections = Patch.from_json(load(file.read, patch), patch)
    except OSError as error:
        raise PatchError(f"{patch}: cannot be read: {error.strerror or error}") from None
    if "-" in paths:
        raise OptionError("a patch is applied to files, not to standard input")
    documents = Documents(paths, reading)
    files = CorrectedFiles(documents, output, write=output is None)
    met: set[tuple[str, str | None]] = set()
    states: list[_State] = []  # of the documents of one file
    changed = 0
    for document in show_progress(documents):
        with documents.guard(document.name):
            own = corrections.find(document)
            if own is not None:
                met.add((own.sha256, own.part))
            states.append(_correct(document, own, files))
        if documents.left:
            continue
        with documents.guard(documents.shown):
            files.finish()
            changed += states.count("changed")
            if "applied" in states:
                print_message(f"{documents.shown}: already applied")
        states = []
    for missing in corrections.files:
        if (missing.sha256, missing.part) not in met:
            documents.fail(f"{patch}: no file given is the original of {missing.path}")
    print_message(f"changed {count(changed, 'document')}")
    return documents.exit_code


def _correct(document: Document, own: FilePatch | None, files: CorrectedFiles) -> _State:
    """Make the corrections of a document, and say what they did."""
    if own is None or is_applied(document, own):
        files.add(document, tuple, lambda: document, changed=False)
        return "none" if own is None else "applied"
    changes = own.changes
    files.add(document, lambda: changes, lambda: apply(document, own), changed=bool(changes))
    return "changed"
