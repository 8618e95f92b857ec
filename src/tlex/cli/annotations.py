"""The annotations that arguments name, as a whole: what one side, or one annotator, has made."""

from __future__ import annotations

import os
from pathlib import Path

from tlex.cli.documents import Documents
from tlex.cli.options import Reading
from tlex.cli.progress import show_progress
from tlex.cli.terminal import print_message
from tlex.document import Document
from tlex.errors import ReadError
from tlex.files import is_directory

__all__ = ["Annotation", "show_path"]


def show_path(path: str) -> str:
    """Give a path as documents are named: what is not UTF-8 in it is escaped."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


class Annotation(Documents):
    """The documents of one argument, by the names that they share with those of another.

    ``single`` tells that the argument is a file with one document: its name does not matter.
    A ``lenient`` one does not fail because of a file that is there and cannot be read.
    """

    def __init__(self, path: str, reading: Reading, *, lenient: bool = False) -> None:
        super().__init__([path], reading)
        self.lenient = lenient
        self.single = False
        self.unreadable: list[str] = []

    @property
    def is_file(self) -> bool:
        """Whether the argument is a file, or standard input, and no directory."""
        (argument,) = self.arguments
        return argument == "-" or not is_directory(argument)

    def show(self, name: str) -> str:
        """Give the name of a document with that of the argument."""
        (argument,) = self.arguments
        if self.is_file:
            shown = show_path(argument)
            return shown if self.single else f"{shown}:{name}"
        return str(Path(show_path(argument), name))

    def refuse(self, error: ReadError) -> None:
        """Print that a file could not be read, and of which side; remember its name."""
        (argument,) = self.arguments
        self.unreadable.append(self.shown)
        if not self.is_file:
            name = self.show(error.name)
            error = type(error)(error.message, name=name, line=error.line, column=error.column)
        if self.lenient and (argument == "-" or os.path.lexists(argument)):
            print_message(f"note: {error}; it counts as empty")
        else:
            super().refuse(error)

    def miss(self, directory: str) -> None:
        """Print that a directory has no document; a file that counts as empty is one."""
        if not (self.lenient and self.skipped):
            super().miss(directory)

    def load(self) -> dict[str, Document]:
        """Read all documents, by their names below the argument."""
        (argument,) = self.arguments
        found: dict[str, Document] = {}
        inside = not self.is_file
        for document in show_progress(self):
            name = document.name
            if not inside:
                below = name.removeprefix(f"{show_path(argument)}:")
                name = below if below != name else Path(name).name
            if name in found:
                self.fail(f"{document.name}: a second document of this name; it is not compared")
            found.setdefault(name, document)
        self.single = not inside and len(found) == 1
        return found
