"""The terminal: what it can show, and messages on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from math import inf
from typing import TypedDict

__all__ = [
    "Screen",
    "StoppedError",
    "describe_screen",
    "is_terminal",
    "line_width",
    "page_width",
    "print_message",
    "write_bytes",
    "write_parts",
]

_PAGE = 80


class Screen(TypedDict):
    """The options of everything that draws."""

    width: int
    colour: bool
    ascii_only: bool


class StoppedError(Exception):
    """Somebody pressed Ctrl-C, or the terminal is gone. What was decided is printed already."""

    def __init__(self, exit_code: int) -> None:
        super().__init__(exit_code)
        self.exit_code = exit_code


def is_terminal() -> bool:
    """Whether somebody reads stdout now, and not a file or a program."""
    return sys.stdout.isatty()


def page_width() -> int:
    """The columns of the terminal; 80 where stdout is none, so that files are always the same."""
    if not is_terminal():
        return _PAGE
    from shutil import get_terminal_size  # noqa: PLC0415 -- loads all kinds of compression

    return get_terminal_size((_PAGE, 24)).columns


def line_width() -> float:
    """The columns of the terminal; no limit where stdout is none, for programs that read lines."""
    return page_width() if is_terminal() else inf


def describe_screen() -> Screen:
    """Find out what to draw with: colours are for terminals, and NO_COLOR is obeyed."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    return Screen(
        width=page_width(),
        colour=is_terminal() and not plain,
        ascii_only=not encoding.startswith("utf"),
    )


def print_message(message: str) -> None:
    """Print a message on stderr, in one line whatever it contains."""
    words = message.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in words)
    print(f"tlex: {line}", file=sys.stderr)


def write_bytes(*data: bytes) -> None:
    """Write bytes to stdout, after what was printed before, without a copy of them."""
    write_parts(data)


def write_parts(parts: Iterable[bytes]) -> None:
    """Write bytes to stdout as `write_bytes` does, part by part as they come."""
    sys.stdout.flush()
    sys.stdout.buffer.writelines(parts)
