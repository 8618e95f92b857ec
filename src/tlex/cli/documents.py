"""The documents that the arguments of a command name, read one at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice

from tlex.cli.faults import explain_fault, name_document
from tlex.cli.options import Reading, Reasoning
from tlex.cli.progress import show_progress
from tlex.cli.terminal import print_message
from tlex.document import Document
from tlex.errors import NotRecognisedError, ReadError, TlexError
from tlex.extraction import extract
from tlex.files import is_directory, walk
from tlex.nouns import Code
from tlex.readers import load, parse_all, read_all
from tlex.readers.diagnostics import count_unknown_labels
from tlex.result import CUT_CALENDAR, Extraction
from tlex.wording import count

__all__ = ["Documents"]

_NAMED = 3
_LINES = 20
_TOLD = (Code.FORGIVEN_JSON, Code.UNCLEAR_JSON, Code.TEXT_AND_SPAN)


class Documents:
    """The documents that the arguments name: files, directories, ``-`` for standard input.

    Iterating reads them in order. For a file that cannot be read there is one message on stderr,
    and ``failed`` becomes true; the other files are still read. Directories are walked in sorted
    order, without dot-files; files there that no reader recognises are skipped, with one note at
    the end. A ``quiet`` one prints nothing. One that ``decodes`` says nothing of candidates, and
    one whose problems are ``shown_later`` by the command says nothing of JSON.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        reading: Reading,
        *,
        quiet: bool = False,
        decodes: bool = False,
        shown_later: bool = False,
    ) -> None:
        self.arguments = arguments
        self.reading = reading
        self.quiet = quiet
        self.decodes = decodes
        self.shown_later = shown_later
        self.failed = False
        self.path = ""  # of the file that was read last
        self.shown = ""  # and how messages call it
        self.left = 0  # how many documents of that file are still to come
        self.skipped: list[str] = []

    @property
    def exit_code(self) -> int:
        """The exit code of a command that did what it could."""
        return 2 if self.failed else 0

    def __iter__(self) -> Iterator[Document]:
        for argument in self.arguments:
            if argument == "-":
                yield from self._read(argument, argument)
            elif is_directory(argument):
                yield from self._walk(argument)
            else:
                yield from self._read(argument, argument)
        if self.skipped and not self.quiet:
            names = ", ".join(self.skipped[:_NAMED])
            more = len(self.skipped) - _NAMED
            rest = f" and {more:,} more" if more > 0 else ""
            files = count(len(self.skipped), "file")
            print_message(f"note: skipped {files} that no reader recognises: {names}{rest}")

    def extract(self, reasoning: Reasoning) -> Iterator[Extraction]:
        """Extract the timelines of each document, and show the progress."""
        reasoning.check()
        for document in show_progress(self):
            result = None
            with self.guard(document.name):
                result = extract(document, **reasoning._asdict())
                if not result.calendar_complete and not self.quiet:
                    print_message(f"note: {document.name}: {CUT_CALENDAR}")
            if result is not None:
                yield result

    def look_ahead(self) -> tuple[bool, Iterator[tuple[Document, str]]]:
        """Find out whether there is more than one document; a single file may hold many.

        Returns that, and all documents, each with the name of its file.
        """
        every = ((document, self.shown) for document in show_progress(self))
        first = list(islice(every, 2))
        return len(first) > 1, chain(first, every)

    @contextmanager
    def guard(self, name: str) -> Iterator[None]:
        """Print what goes wrong with one document, so that the others are still done.

        An `OSError` is raised again: the output cannot be written, so nothing can be done.
        """
        try:
            yield
        except TlexError as error:
            self.fail(name_document(name, error))
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001 -- whatever it is, it concerns one document
            self.fail(f"{name}: {explain_fault(error)}")

    def fail(self, message: str) -> None:
        """Print that something could not be done, and remember it."""
        self.failed = True
        if not self.quiet:
            print_message(message)

    def refuse(self, error: ReadError) -> None:
        """Print that a file could not be read; its path is ``self.path``."""
        self.fail(str(error))

    def miss(self, directory: str) -> None:
        """Print that a directory has no document."""
        self.fail(f"{directory}: no document in this directory")

    def _walk(self, directory: str) -> Iterator[Document]:
        found = False
        top = _write_plainly(directory)
        for one in walk(directory):
            before = len(self.skipped)
            if one.kind == "closed":
                found = True
                self.fail(f"{one.path}: cannot be read: {one.reason}")
            elif one.kind == "special":
                self.skipped.append(one.name)
            elif one.kind == "file":
                path = one.name if top == "." else os.path.join(top, one.name)  # noqa: PTH118
                yield from self._read(path, one.name, inside=True)
                found = found or len(self.skipped) == before
        if not found:
            self.miss(directory)

    def _read(self, path: str, shown: str, *, inside: bool = False) -> Iterator[Document]:
        self.path, self.shown = path, shown
        try:
            if path == "-":
                data = load(sys.stdin.buffer.read, path, self.reading.max_bytes)
                documents = parse_all(data, name=shown, **self.reading._asdict())
            else:
                documents = read_all(path, name=shown, **self.reading._asdict())
        except NotRecognisedError as error:
            if inside:
                self.skipped.append(shown)
            else:
                self.refuse(error)
        except ReadError as error:
            self.refuse(error)
        except TlexError:
            raise
        except Exception as error:  # noqa: BLE001 -- whatever it is, it concerns one file
            self.refuse(ReadError(explain_fault(error), name=shown))
        else:
            for self.left in reversed(range(len(documents))):
                document = documents[-1 - self.left]
                self._report_labels(document)
                self._report_json(document)
                yield document

    def _report_json(self, document: Document) -> None:
        """Print a line for each liberty that was taken with JSON, and for what was left out."""
        if self.quiet or self.shown_later or document.format != "json":
            return
        codes = _TOLD if self.decodes else (*_TOLD, Code.CANDIDATES)
        told = [each for each in document.diagnostics if each.code in codes]
        for each in told[:_LINES]:
            hint = f"; {each.hint}" if each.hint else ""
            level = "note" if each.severity == "warning" else "error"
            place = f"{document.name}:{each.line}:{each.column}"
            print_message(f"{level}: {place}: {each.message}{hint}")
        if len(told) > _LINES:
            more = count(len(told) - _LINES, "more note")
            print_message(f"note: {document.name}: and {more}; tlex check lists them all")

    def _report_labels(self, document: Document) -> None:
        """Print a line for each unknown label of a document."""
        if self.quiet or not document.diagnostics:
            return
        problems = document.diagnostics
        unknown = (each.message for each in problems if each.code == Code.UNKNOWN_TYPE)
        for line in count_unknown_labels(unknown):
            print_message(f"note: {document.name}: {line}")
        for each in problems:
            if each.code == Code.OTHER_READING:
                print_message(f"note: {document.name}: {each.message}; {each.hint}")


def _write_plainly(directory: str) -> str:
    """Write the path of a directory, which can be written in many ways, as `pathlib` does."""
    parts = directory.split("/")
    if os.sep == "/" and "." not in parts and "" not in parts[1:]:
        return directory
    from pathlib import Path  # noqa: PLC0415 -- not light, and seldom needed

    return str(Path(directory))
