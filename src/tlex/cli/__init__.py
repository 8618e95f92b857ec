"""The command line. ``main`` answers ``--version`` by itself; all else is loaded when needed."""

from __future__ import annotations

import os
import sys

from tlex._version import __version__

__all__ = ["main"]


def main() -> None:
    """Run ``tlex`` with the arguments of this process, and exit."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    if sys.argv[1:] in (["--version"], ["-V"]):
        try:
            print(f"tlex {__version__}", flush=True)
        except OSError:
            os._exit(2)  # nobody can be told
        return
    try:
        from tlex.cli.app import run  # noqa: PLC0415 -- only --version is this quick
    except KeyboardInterrupt:
        os._exit(130)  # before there was anything to interrupt
    sys.exit(run(sys.argv[1:]))
