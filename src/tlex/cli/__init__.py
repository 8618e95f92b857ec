"""The command line. ``main`` answers ``--version`` by itself; all else is loaded when needed."""

from __future__ import annotations

import sys

from tlex._version import __version__

__all__ = ["main"]


def main() -> None:
    """Run ``tlex`` with the arguments of this process, and exit."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        print(f"tlex {__version__}")
        return
    from tlex.cli.app import run  # noqa: PLC0415 -- only --version is this quick

    sys.exit(run(sys.argv[1:]))
