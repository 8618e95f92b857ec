"""Where a command writes documents."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tlex.edits import write_atomically
from tlex.errors import OptionError, WriteError

__all__ = ["Target"]


class Target:
    """Where documents are written: one file, stdout, or a directory."""

    def __init__(self, output: str, arguments: list[str], *, several: bool = False) -> None:
        self.path = Path(output)
        self.stdout = output == "-"
        several = several or len(arguments) > 1 or Path(arguments[0]).is_dir()
        self.folder = not self.stdout and (
            several or self.path.is_dir() or output.endswith(("/", os.sep))
        )
        self.below = {argument for argument in arguments if Path(argument).is_dir()}
        self.named = frozenset(arguments) - self.below
        self.written: set[Path] = set()
        if self.stdout and several:
            raise OptionError("-o - takes one document; give a directory for several")
        for folder in sorted(self.below):
            inside = self.path.resolve()
            if Path(folder).resolve() == inside:
                raise OptionError(f"-o {output} is the directory that is being read")
            if Path(folder).resolve() in inside.parents:
                raise OptionError(f"-o {output} lies inside {folder}, which is being read")
        if self.folder and self.path.exists() and not self.path.is_dir():
            raise OptionError(f"-o {output} is a file; several documents need a directory")

    def write(self, document: str, data: bytes, name: str | None = None) -> None:
        """Write a document, given its name, which is a path or the path below a directory.

        ``name`` is what it shall be called instead.
        """
        if self.stdout:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            return
        if not self.folder:
            write_atomically(self.path, data)
            return
        if document == "-":
            raise OptionError("standard input has no name to be written under; give -o a file")
        own = Path(name or document)
        if document in self.named or own.is_absolute() or ".." in own.parts:
            above = len(own.parts) - len(Path(document).parts)  # a table has a directory of its own
            own = Path(*own.parts[-1 - above :])
        path = self.path / own
        if path in self.written:
            raise WriteError(f"{document}: {path} has been written already, by another document")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or error
            raise WriteError(f"{path.parent}: cannot be made: {reason}") from error
        write_atomically(path, data)
        self.written.add(path)
