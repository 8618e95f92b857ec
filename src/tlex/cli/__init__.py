"""The command line. `main` answers ``--version`` itself; everything else is loaded when needed."""

from __future__ import annotations

import os
import sys

from tlex._version import __version__

__all__ = ["main"]


def main() -> None:
    """Run ``tlex`` with the arguments of this process, and exit."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the process that started this one
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    if sys.argv[1:] in (["--version"], ["-V"]):
        try:
            print(f"tlex {__version__}", flush=True)
        except OSError:
            os._exit(2)  # there is no stream left for a message
        return
    try:
        from tlex.cli.app import complete, run  # noqa: PLC0415 -- --version needs none of it
    except KeyboardInterrupt:
        os.write(2, b"tlex: interrupted\n")
        os._exit(130)
    if "_TLEX_COMPLETE" in os.environ:
        sys.exit(complete(os.environ["_TLEX_COMPLETE"]))
    sys.exit(run(sys.argv[1:]))
