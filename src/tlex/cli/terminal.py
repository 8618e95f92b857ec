"""What stdout can show: columns, colours, characters."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TypedDict

__all__ = ["Screen", "describe_screen", "page_width"]

_PAGE = 80


class Screen(TypedDict):
    """The options of everything that draws."""

    width: int
    colour: bool
    ascii_only: bool


def page_width() -> int:
    """The columns of the terminal, or of a page: what goes elsewhere is the same everywhere."""
    return shutil.get_terminal_size((_PAGE, 24)).columns if sys.stdout.isatty() else _PAGE


def describe_screen() -> Screen:
    """Find out what to draw with: colours are for terminals, and NO_COLOR is obeyed."""
    terminal = sys.stdout.isatty()
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    return Screen(
        width=page_width(),
        colour=terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb",
        ascii_only=not encoding.startswith("utf"),
    )
