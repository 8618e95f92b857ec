"""Where ``tlex fix`` and ``tlex apply`` put what they change: one file at a time.

A file may hold many documents. Their changes are made together, so that each file is written once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from tlex.cli.documents import Documents
from tlex.cli.terminal import print_message
from tlex.document import Document
from tlex.errors import WriteError
from tlex.files import write_atomically
from tlex.markup import Edit
from tlex.repair import Change, FilePatch
from tlex.repair.patch import describe_file, hash_bytes
from tlex.repair.writing import (
    apply_file_edits,
    change_links,
    explain_unwritable,
    is_writable,
    list_edits,
    spares_all_else,
    take_bytes,
)

__all__ = ["CorrectedFiles"]


class _Corrected(NamedTuple):
    """A document as it was, its changes and edits, and what to write if it cannot be edited.

    The changes may be left out where nobody sees them; ``changed`` says whether there are any.
    """

    document: Document
    changed: bool
    changes: tuple[Change, ...]
    edits: list[Edit]
    after: Document


class CorrectedFiles:
    """Collects the changes of a file's documents, and writes the file when it is complete.

    ``output`` is where -o leads. Without it, ``write`` says that the files themselves change;
    without both, nothing is written. ``patched`` says that the patches are asked for, and
    ``shown`` that the edits are.
    """

    def __init__(
        self,
        documents: Documents,
        output: str | None,
        *,
        write: bool,
        patched: bool = False,
        shown: bool = True,
    ) -> None:
        self.documents = documents
        self.write = write
        self.patched = patched
        self.kept = patched or write or output is not None
        self.shown = shown or self.kept
        self.target = None
        if output is not None:
            from tlex.cli.destination import Destination  # noqa: PLC0415 -- seldom asked for

            self.target = Destination(output, documents.arguments, rewrites=True)
        self.patches: list[FilePatch] = []
        self.unwritable: set[str] = set()
        self.writable = False
        """Whether a file with changes was met that can be written back."""
        self.held: list[_Corrected] = []

    def require_writable(self, document: Document) -> None:
        """Raise a `WriteError` if changes of a document could not be written where they should."""
        if is_writable(document):
            return
        if self.target is None:
            if self.write:
                raise WriteError(explain_unwritable(document))
            return
        target = self.target
        if not (target.stdout or target.folder or target.path.suffix.lower() == ".json"):
            raise WriteError(explain_unwritable(document))

    def add(
        self,
        document: Document,
        find_changes: Callable[[], Collection[Change]],
        make: Callable[[], Document],
        *,
        changed: bool,
    ) -> None:
        """Add a document of the file that is being read; ``changed`` says whether it has changes.

        ``make`` gives what it is with its changes, or raises an error if it cannot be changed. It
        need not be made where nothing is kept, and the edits are seen to be right without it.
        """
        after = make() if self.kept else document
        writable = is_writable(document)
        changes = find_changes() if self.shown and changed else ()
        edits: list[Edit] = []
        if writable and changes:
            edits = list_edits(document, changes)
            if not self.kept and not spares_all_else(document, changes, edits):
                make()
        # The changed documents of one file would each keep a copy of the file.
        kept = document if writable else after
        self.held.append(_Corrected(document, changed, tuple(changes), edits, kept))

    def finish(self) -> list[Edit]:
        """Write the file that is complete now, and return the edits that were made.

        Raises `WriteError` if it cannot be written; the changes are in ``patches`` all the same.
        """
        held, self.held = self.held, []
        if not held:
            return []
        changed = [one for one in held if one.changed]
        # JSON that was not tlex's to the letter is written as the schema has it.
        forgiven = any(one.document.source and not one.document.source.editable for one in held)
        if (changed and not is_writable(held[0].document)) or (
            forgiven and (changed or self.target)
        ):
            self._finish_unwritable(held, changed)
            return []
        self.writable = self.writable or bool(changed)
        if not self.shown:
            return []
        edits = [edit for one in changed for edit in one.edits]
        first = held[0].document
        if not self.kept:
            return edits
        data = apply_file_edits(first, edits) if edits else take_bytes(first)
        if self.patched:
            self.patches += [
                describe_file(one.document, one.changes, hash_bytes(data)) for one in changed
            ]
        if self.target is not None:
            self.target.write(self.documents.shown, data, before=take_bytes(first))
        elif self.write and edits:
            write_atomically(self.documents.path, data, before=take_bytes(first))
        return edits

    def _finish_unwritable(self, held: list[_Corrected], changed: list[_Corrected]) -> None:
        """Write documents as JSON whose file cannot be changed, if they go elsewhere."""
        first = next(one.document for one in held if not is_writable(one.document))
        if first.source is not None and self.patched:
            self.patches += [describe_file(one.document, one.changes) for one in changed]
        self.unwritable.add(first.format)
        self.require_writable(first)
        if self.target is None:
            return
        from tlex.cli.destination import name_file  # noqa: PLC0415
        from tlex.export import convert  # noqa: PLC0415

        for one in held:
            after = one.after
            if is_writable(one.document):  # beside one that is not, in the same file
                after = change_links(one.document, one.changes)
            data, _ = convert(after, "json")
            self.target.write(
                self.documents.shown, data, name_file(one.document, self.documents.shown, "json")
            )
        if first.format == "json":
            print_message(f"note: {self.documents.shown}: written as tlex's JSON has it")
            return
        print_message(
            f"note: {self.documents.shown}: written as JSON; "
            f"a file of format {first.format!r} cannot be written back"
        )
