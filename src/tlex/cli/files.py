"""From the arguments of a command to documents, one at a time; what fails is told and counted."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, Protocol, TypeVar

from tlex.document import Document
from tlex.errors import NotRecognisedError, ReadError
from tlex.files import walk
from tlex.readers import MAX_BYTES, load, parse_all, read_all, read_labels
from tlex.wording import count

__all__ = ["Documents", "look_ahead", "tell", "watch"]

_NAMED = 3


def tell(message: str) -> None:
    """Say something on stderr, in one line whatever the message holds."""
    words = message.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in words)
    print(f"tlex: {line}", file=sys.stderr)


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_Thing = TypeVar("_Thing", bound=_Named)


def watch(documents: Iterable[_Thing], *, silent: bool = False) -> Iterator[_Thing]:
    """Show how many documents are done, where a person waits and the results go elsewhere.

    ``silent``: nothing is printed meanwhile, so that they do go elsewhere.
    """
    if (sys.stdout.isatty() and not silent) or not sys.stderr.isatty():
        yield from documents
        return
    from rich.console import Console  # noqa: PLC0415 -- only here, and not light
    from rich.progress import Progress, SpinnerColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (SpinnerColumn(), "{task.completed} documents", TimeElapsedColumn())
    with Progress(
        *columns, "{task.description}", console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task("", total=None)
        for document in documents:
            name = "".join(c if c.isprintable() and c not in "[]" else "?" for c in document.name)
            bar.update(task, description=name)
            yield document
            bar.advance(task)


def look_ahead(
    found: Iterable[Document], documents: Documents
) -> tuple[bool, Iterator[tuple[Document, str]]]:
    """Find out whether there is more than one document; a single file may hold many.

    Each comes with the name of its file.
    """
    every = ((document, documents.shown) for document in found)
    first = list(islice(every, 2))
    return len(first) > 1, chain(first, every)


class Documents:
    """The documents that the arguments name: files, directories, ``-`` for standard input.

    Iterating gives them in order. A file that cannot be read gets one line on stderr and
    ``failed`` becomes true; the others are still given. Directories are walked in sorted order,
    without dot-files; what no reader recognises there is skipped, with one note in the end.
    ``reading`` is what the options --format, --text and --labels have.
    """

    def __init__(
        self,
        arguments: list[str],
        *,
        strict: bool = False,
        max_bytes: int = MAX_BYTES,
        quiet: bool = False,
        reading: tuple[str | None, str | None, str | None] = (None, None, None),
    ) -> None:
        self.arguments = arguments
        self.max_bytes = max_bytes
        form, text, labels = reading
        self.options: dict[str, Any] = {
            "strict": strict,
            "max_bytes": max_bytes,
            "format": form,
            "text": text,
            "labels": None if labels is None else read_labels(labels),
        }
        self.quiet = quiet
        self.failed = False
        self.path = ""  # of the document that was read last
        self.shown = ""  # and as it is shown
        self.skipped: list[str] = []

    def __iter__(self) -> Iterator[Document]:
        for argument in self.arguments:
            if argument == "-":
                yield from self._read(argument, argument)
            elif argument and Path(argument).is_dir():  # an empty one names nothing
                yield from self._walk(argument)
            else:
                yield from self._read(argument, argument)
        if self.skipped and not self.quiet:
            names = ", ".join(self.skipped[:_NAMED])
            more = len(self.skipped) - _NAMED
            rest = f" and {more:,} more" if more > 0 else ""
            files = count(len(self.skipped), "file")
            tell(f"note: skipped {files} that no reader recognises: {names}{rest}")

    def fail(self, message: str) -> None:
        """Tell that something could not be done, and remember it."""
        self.failed = True
        if not self.quiet:
            tell(message)

    def refuse(self, error: ReadError) -> None:
        """Tell that a file could not be read; its path is ``self.path``."""
        self.fail(str(error))

    def _walk(self, directory: str) -> Iterator[Document]:
        found = False
        for one in walk(directory):
            before = len(self.skipped)
            if one.kind == "closed":
                found = True
                self.fail(f"{one.path}: cannot be read: {one.reason}")
            elif one.kind == "special":
                self.skipped.append(one.name)
            elif one.kind == "file":
                yield from self._read(str(Path(one.path)), one.name, inside=True)
                found = found or len(self.skipped) == before
        if not found:
            self.fail(f"{directory}: no document in this directory")

    def _read(self, path: str, shown: str, *, inside: bool = False) -> Iterator[Document]:
        self.path, self.shown = path, shown
        try:
            if path == "-":
                data = load(sys.stdin.buffer.read, path, self.max_bytes)
                documents = parse_all(data, name=shown, **self.options)
            else:
                documents = read_all(path, name=shown, **self.options)
        except NotRecognisedError as error:
            if inside:
                self.skipped.append(shown)
            else:
                self.refuse(error)
        except ReadError as error:
            self.refuse(error)
        else:
            yield from documents
