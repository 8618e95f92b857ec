"""The terminal: what it can show, and messages on stderr."""

from __future__ import annotations

import os
import sys
from math import inf
from typing import TypedDict

__all__ = ["Screen", "describe_screen", "line_width", "page_width", "print_message", "write_bytes"]

_PAGE = 80


class Screen(TypedDict):
    """The options of everything that draws."""

    width: int
    colour: bool
    ascii_only: bool


def page_width() -> int:
    """The columns of the terminal; 80 where stdout is none, so that files are always the same."""
    if not sys.stdout.isatty():
        return _PAGE
    from shutil import get_terminal_size  # noqa: PLC0415 -- loads all kinds of compression

    return get_terminal_size((_PAGE, 24)).columns


def line_width() -> float:
    """The columns of the terminal; no limit where stdout is none, for programs that read lines."""
    return page_width() if sys.stdout.isatty() else inf


def describe_screen() -> Screen:
    """Find out what to draw with: colours are for terminals, and NO_COLOR is obeyed."""
    terminal = sys.stdout.isatty()
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    return Screen(
        width=page_width(),
        colour=terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb",
        ascii_only=not encoding.startswith("utf"),
    )


def print_message(message: str) -> None:
    """Print a message on stderr, in one line whatever it contains."""
    words = message.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in words)
    print(f"tlex: {line}", file=sys.stderr)


def write_bytes(data: bytes) -> None:
    """Write bytes to stdout, after what was printed before."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
