"""Where a command writes documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from tlex.cli.terminal import write_parts
from tlex.document import Document
from tlex.errors import OptionError, WriteError
from tlex.export import ENDINGS, TARGETS
from tlex.files import find_real_path, is_directory, make_directory, write_atomically

__all__ = ["Destination", "Inputs", "name_file"]

_ENDINGS = frozenset((*ENDINGS, ".timeml", ".txt", ".tsv", ".jsonl"))
"""Endings that are not part of a document's name; anything else behind a point is."""
_UNSAFE = re.compile(r"[^\w.@+-]")


class Inputs:
    """The files that arguments name, and all that lies in the directories among them."""

    def __init__(self, arguments: Iterable[str]) -> None:
        paths = [Path(argument) for argument in arguments if argument != "-"]
        self.folders = {find_real_path(path) for path in paths if is_directory(path)}
        self.files = {found for path in paths if (found := _identify(path))}

    def refuse(self, path: Path) -> None:
        """Refuse to write where something is read."""
        inside = not self.folders.isdisjoint(find_real_path(path).parents)
        if inside or _identify(path) in self.files:
            raise WriteError(f"{path} is being read and would be replaced; give -o another name")


def _identify(path: Path) -> tuple[int, int] | None:
    """Identify a file on the disk; two paths to one file give the same."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


class Destination:
    """Where documents are written: one file, stdout, or a directory.

    A document may go back into its own file if the command ``rewrites`` it.
    """

    def __init__(
        self,
        output: str,
        arguments: Sequence[str],
        *,
        several: bool = False,
        rewrites: bool = False,
    ) -> None:
        if not output:
            raise OptionError("-o is empty; name a file, a directory, or - for stdout")
        self.path = Path(output)
        self.stdout = output == "-"
        several = several or len(arguments) > 1 or is_directory(arguments[0])
        self.folder = not self.stdout and (several or is_directory(output) or output.endswith("/"))
        self.below = {argument for argument in arguments if is_directory(argument)}
        self.named = frozenset(arguments) - self.below
        self.rewrites = rewrites
        self.inputs = Inputs(arguments)
        self.written: set[Path] = set()
        if self.stdout and several:
            raise OptionError("-o - takes one document; give a directory for several")
        for folder in sorted(self.below):
            inside = find_real_path(output)
            if find_real_path(folder) == inside:
                raise OptionError(f"-o {output} is the directory that is being read")
            if find_real_path(folder) in inside.parents:
                raise OptionError(f"-o {output} lies inside {folder}, which is being read")
        if self.folder and _identify(self.path) and not is_directory(output):
            raise OptionError(f"-o {output} is a file; several documents need a directory")

    def write(
        self,
        document: str,
        data: bytes | Iterable[bytes],
        name: str | None = None,
        *,
        before: bytes | None = None,
    ) -> Path:
        """Write a document, whole or part by part, and return the path of its file.

        ``document`` is its path, or its path below a directory argument. If the destination is a
        directory, its file there has this name, or ``name``. Where it goes back into its own file,
        that must still have the content ``before``.
        """
        path = self.path if self.stdout or not self.folder else self._find(document, name)
        if self.stdout:
            write_parts((data,) if isinstance(data, bytes) else data)
            return path
        if not self.rewrites:
            self.inputs.refuse(path)
        own = _identify(path) in self.inputs.files
        if path in self.written and not self.folder:
            raise WriteError(f"{path} holds another document of the same file; give -o a directory")
        if path in self.written:
            raise WriteError(f"{document}: {path} has been written already, by another document")
        if self.folder:
            make_directory(path.parent)
        write_atomically(path, data, before=before if own else None)
        self.written.add(path)
        return path

    def _find(self, document: str, name: str | None) -> Path:
        """Find the file of a document in the directory."""
        if document == "-":
            raise OptionError("standard input has no name to be written under; give -o a file")
        own = Path(name or document)
        if document in self.named or own.is_absolute() or ".." in own.parts:
            above = len(own.parts) - len(Path(document).parts)  # a table has a directory of its own
            own = Path(*own.parts[-1 - above :])
        return self.path / own


def name_file(document: Document, shown: str, to: str) -> str:
    """The file that a document goes into; those of a table into a directory named like it.

    ``shown`` is the name of the file that the document comes from, and ``to`` a format.
    """
    path = Path(shown)
    stem = path.with_suffix("") if path.suffix.lower() in _ENDINGS else path
    inner = document.name.removeprefix(f"{shown}:")
    if inner == document.name:
        return f"{stem}{TARGETS[to]}"
    safe = _UNSAFE.sub("_", inner).lstrip(".") or "document"
    return str(stem / (safe + TARGETS[to]))
