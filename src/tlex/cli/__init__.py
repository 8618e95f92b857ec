"""The command line. `main` answers ``--version`` itself; everything else is loaded when needed.

Ctrl-C may come while modules are loaded. So nothing that takes a while is loaded before `start` can
deal with it.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys

from tlex._version import __version__

TYPE_CHECKING = False  # as in the package
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["main", "start"]

_OBJECTS = 50_000
"""How many new objects there are when the garbage collector looks at them. Loading makes many, and
none of them is garbage."""


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
        _stop()
    if "_TLEX_COMPLETE" in os.environ:
        sys.exit(complete(os.environ["_TLEX_COMPLETE"]))
    sys.exit(run(sys.argv[1:]))


def start() -> NoReturn:
    """Run ``tlex`` as a process of its own: what begins and ends a process costs little here."""
    gc.set_threshold(_OBJECTS)
    try:
        import signal  # noqa: PLC0415 -- see above

        sys.unraisablehook = _end_anyway
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, _end)
        main()
    except SystemExit as exit_:
        code = exit_.code
    except KeyboardInterrupt:
        _stop()
    else:
        code = 0
    if not isinstance(code, int) or sys.getprofile() or sys.gettrace() or sys.flags.interactive:
        sys.exit(code)
    _leave(code)


def _stop() -> NoReturn:
    """End a process that is interrupted before it has begun its work."""
    os.write(2, b"tlex: interrupted\n")
    os._exit(130)


def _end(number: int, _frame: object) -> NoReturn:
    """End the process in good order: no file that was begun is left behind."""
    sys.exit(128 + number)


def _end_anyway(ignored: sys.UnraisableHookArgs) -> None:
    """End the process if a signal came where Python ignores exceptions, as in ``__del__``.

    Loading a module has such places. Without this the process would go on.
    """
    if isinstance(ignored.exc_value, KeyboardInterrupt):
        os.write(2, b"tlex: interrupted\n")
        _leave(130)
    if isinstance(ignored.exc_value, SystemExit) and isinstance(ignored.exc_value.code, int):
        _leave(ignored.exc_value.code)
    sys.__unraisablehook__(ignored)


def _leave(code: int) -> NoReturn:
    """End the process without taking the interpreter apart, a tenth of the time of a short run.

    What must be done at the end is done as Python does it: it waits for threads, whoever has
    registered is called, and the streams are flushed.
    """
    if "threading" in sys.modules:
        sys.modules["threading"]._shutdown()  # noqa: SLF001 -- there is no other way
    atexit._run_exitfuncs()  # noqa: SLF001
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        sys.exit(code)  # Python says what is wrong
    os._exit(code)
