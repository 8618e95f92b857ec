"""Decisions are kept as they are made: in a file beside the output, one line a change.

A line holds all answers of a document, so the last line of a document counts. A line that was cut
when the machine stopped is passed over.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from msgspec import Struct

from tlex.errors import WriteError
from tlex.repair.session import Answer

__all__ = ["KeptDecisions", "find_place"]


class _Line(Struct, frozen=True):
    """The answers of a document, and the hash of the file that they were given for."""

    document: str
    sha256: str
    who: str
    answers: tuple[Answer, ...]


def find_place(output: Path) -> Path:
    """Find where decisions are kept: in a directory, or beside a file."""
    if output.is_dir():
        return output / ".tlex-decisions.jsonl"
    return output.with_name(f".{output.name}.tlex-decisions.jsonl")


class KeptDecisions:
    """The answers of all documents of a session, on the disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, tuple[Answer, ...]]:
        """Read the answers of each document that has some."""
        try:
            lines = self.path.read_bytes().splitlines()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise WriteError(f"{self.path}: cannot be read: {error.strerror}") from error
        kept: dict[str, tuple[Answer, ...]] = {}
        for line in lines:
            try:
                one = msgspec.json.decode(line, type=_Line)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                continue
            kept[one.document] = one.answers
        return {name: answers for name, answers in kept.items() if answers}

    def add(self, document: str, sha256: str, who: str, answers: tuple[Answer, ...]) -> None:
        """Keep the answers of a document. When this returns, they are on the disk.

        Raises `WriteError` if they cannot be kept.
        """
        line = msgspec.json.encode(_Line(document, sha256, who, answers))
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
        flags |= getattr(os, "O_NOFOLLOW", 0)  # a directory from elsewhere may hold a link
        try:
            with os.fdopen(os.open(self.path, flags, 0o666), "r+b", buffering=0) as file:
                size = file.seek(0, os.SEEK_END)
                cut = False
                if size:
                    file.seek(size - 1)
                    cut = file.read(1) != b"\n"
                file.write((b"\n" if cut else b"") + line + b"\n")
                os.fsync(file.fileno())
        except OSError as error:
            raise WriteError(
                f"{self.path}: decisions cannot be kept: {error.strerror or error}"
            ) from error

    def tidy(self) -> None:
        """Remove the file if it holds no answers any more."""
        if not self.read():
            self.path.unlink(missing_ok=True)
