"""One question after the other: the decisions of ``tlex fix --interactive``."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import stat
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from tlex.cli.command import INTERRUPTED
from tlex.cli.terminal import StoppedError, print_message
from tlex.errors import OptionError
from tlex.records import Decision
from tlex.repair.fix_text import decision_lines, say_option
from tlex.repair.session import Session
from tlex.wording import clean, count

__all__ = ["ask", "require_terminal"]

_HELP = """  a number   take this option
  Enter      take option 1
  u          undo the last decision
  s          skip: leave this contradiction as it is
  q          quit: save what is decided, leave the rest as it is
  ?          show this help
  Ctrl-C     stop without saving; what was decided is printed, to go on later"""

_KEPT = "tlex-decisions.txt"
"""Where decisions are kept if the terminal goes away, in the current directory."""

_HUNG_UP = 129
"""The exit code after a hang-up, as in a shell."""


class _HangUpError(Exception):
    """The terminal went away: its window was closed, or its line was cut."""


def require_terminal(paths: Collection[str]) -> None:
    """Raise an `OptionError` if nobody can be asked."""
    if "-" in paths:
        raise OptionError("--interactive asks on the terminal, so no document can be read from it")
    streams = (sys.stdin, sys.stderr)
    if any(stream is None or stream.closed or not stream.isatty() for stream in streams):
        raise OptionError("--interactive needs a terminal to ask on; --choose 3=2 needs none")


def ask(session: Session) -> None:
    """Ask for each decision that is left, until all are taken or somebody quits.

    If there is no answer, the decisions so far are printed and `StoppedError` is raised. If the
    terminal is gone, they are also kept in a file.
    """
    result = session.result
    name = clean(result.document.name)
    try:
        with _noticing_hang_ups():
            _print(f"{name}: {count(len(result.conflicts), 'contradiction')}")
            _ask(session)
    except (KeyboardInterrupt, EOFError, _HangUpError) as stop:
        interrupted = isinstance(stop, KeyboardInterrupt)
        gone = isinstance(stop, _HangUpError) or not sys.stderr.isatty()
        kept = gone and _keep(session)
        if gone:
            _drop_terminal()
        _print("")
        how = "interrupted" if interrupted else "the terminal was closed"
        on = f"go on with --interactive {_say_choices(session)}" if session.taken else "undecided"
        print_message(f"{name}: {how}, not written; {on}{f' (see {_KEPT})' if kept else ''}")
        codes = {KeyboardInterrupt: INTERRUPTED, _HangUpError: _HUNG_UP}
        raise StoppedError(codes.get(type(stop), 2)) from None
    print_message(f"{name}: decided {_say_choices(session)}")


@contextmanager
def _noticing_hang_ups() -> Iterator[None]:
    """Raise `_HangUpError` if the terminal goes away, where systems tell and nobody ignores it."""
    number = getattr(signal, "SIGHUP", None)
    if number is None or signal.getsignal(number) is not signal.SIG_DFL:
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_IGN)  # once is enough
        raise _HangUpError

    signal.signal(number, stop)
    try:
        yield
    finally:
        if signal.getsignal(number) is stop:
            signal.signal(number, signal.SIG_DFL)


def _keep(session: Session) -> bool:
    """Add the decisions to a file, as the command with which to go on; say whether they are."""
    if not session.taken:
        return False
    path = shlex.quote(session.result.document.name)
    line = f"tlex fix {path} --interactive {_say_choices(session)}\n"
    try:
        with Path(_KEPT).open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(line)
    except OSError:
        return False
    return True


def _drop_terminal() -> None:
    """Send to nowhere what would be shown on a terminal that is gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and not stream.closed and _is_device(stream.fileno()):
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _is_device(number: int) -> bool:
    """Whether a stream leads to a terminal, gone or not, and to no file or pipe."""
    return stat.S_ISCHR(os.fstat(number).st_mode)


def _ask(session: Session) -> None:
    document = session.result.document
    numbers = {name: number for number, name in enumerate(document.link_ids)}
    shown = None
    while (decision := session.current) is not None:
        if shown != decision:
            width = shutil.get_terminal_size().columns
            _print("", *decision_lines(document, numbers, decision, width, marked=False))
            shown = decision
        answer = _read(f"  option [1], or ? for help ({decision.number}): ")
        if answer == "?":
            _print(_HELP)
        elif answer == "u":
            if not session.undo():
                _print("  there is nothing to undo")
        elif answer == "q":
            session.skip_rest()
        elif answer == "s":
            session.choose(0)
        else:
            _take(session, decision, answer)
        if session.current is None and answer != "q":
            last = _read("  nothing is left to decide; Enter to go on, u to undo (end): ")
            if last == "u":
                session.undo()


def _say_choices(session: Session) -> str:
    """Say which decisions were taken, as a command line has it: ``--choose 1=1,2=3``."""
    return "--choose " + ",".join(f"{one.number}={one.chosen}" for one in session.taken)


def _take(session: Session, decision: Decision, answer: str) -> None:
    last = len(decision.options)
    number = int(answer or 1) if answer.isascii() and (answer or "1").isdigit() else 0
    if len(answer) > len(str(last)) or not 1 <= number <= last:
        span = "1" if last == 1 else f"a number from 1 to {last}"
        _print(f"  give {span}, or u, s, q or ?")
        return
    session.choose(number)
    _print(f"  {say_option(decision.options[number - 1])}")


def _read(prompt: str) -> str:
    """Ask for a line."""
    _print(prompt, end="")
    try:
        line = sys.stdin.readline()
    except OSError:  # the terminal is gone
        line = ""
    if not line:
        raise EOFError
    return line.strip().lower()


def _print(*lines: str, end: str = "\n") -> None:
    with suppress(OSError):  # the terminal may be gone
        print(*lines, sep="\n", end=end, file=sys.stderr, flush=True)
