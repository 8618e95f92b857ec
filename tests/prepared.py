"""Real processes of ``tlex`` that start fast: forked from one that has loaded the commands.

Starting Python and loading the commands takes most of the time of a test of the command line.
`prepared` gives a process with everything loaded; each command line is a fork of it, with files,
pipes, directory and environment of its own, and it ends as any Python process ends. What Python
reads only at its start (see `must_spawn`) needs a new interpreter.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import socket
import struct
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile

from tlex.cli import main
from tlex.cli.app import COMMANDS

AT_START = ("PYTHON", "LC_", "LANG", "LD_", "MALLOC_")
"""Beginnings of the names of variables that count when an interpreter starts."""


def must_spawn(environment: dict[str, str]) -> bool:
    """Whether a process with these variables needs an interpreter of its own."""
    return any(name.startswith(AT_START) for name in environment)


class Prepared:
    """A process that has loaded all commands, and forks."""

    def __init__(self) -> None:
        self.mine, other = socket.socketpair()
        self.mine.settimeout(120)
        # Python looks at its streams when it starts; what is no file now may be one later.
        self.process = subprocess.Popen(  # noqa: S603 -- this file
            [sys.executable, __file__, str(other.fileno())],
            pass_fds=[other.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        other.close()

    def run(
        self, arguments: list[str], stdin: bytes, cwd: Path, environment: dict[str, str]
    ) -> subprocess.CompletedProcess[bytes]:
        """Run ``tlex`` with some arguments, as `subprocess.run` would."""
        order = json.dumps([arguments, str(cwd), environment]).encode()
        with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
            given.write(stdin)
            given.seek(0)
            streams = [given.fileno(), out.fileno(), err.fileno()]
            socket.send_fds(self.mine, [struct.pack("!I", len(order))], streams)
            self.mine.sendall(order)
            (status,) = struct.unpack("!i", _read_exactly(self.mine, 4))
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess(["tlex"], status, out.read(), err.read())


@cache
def prepared() -> Prepared:
    """Give the one prepared process of this test process. It ends with it."""
    return Prepared()


def _read_exactly(source: socket.socket, count: int) -> bytes:
    read = b""
    while len(read) < count:
        piece = source.recv(count - len(read))
        if not piece:
            raise EOFError("the prepared process has ended")
        read += piece
    return read


def _serve(source: socket.socket) -> list[str] | None:
    """Fork for each order. In a child: give its arguments. In the parent: None, at the end."""
    while True:
        head, streams, _, _ = socket.recv_fds(source, 4, 3)
        if not head:
            return None
        order = _read_exactly(source, struct.unpack("!I", head)[0])
        child = os.fork()
        if not child:
            source.close()
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            arguments, cwd, environment = json.loads(order)
            os.chdir(cwd)
            os.environ.clear()
            os.environ.update(environment)
            return arguments
        for stream in streams:
            os.close(stream)
        _, status = os.waitpid(child, 0)
        source.sendall(struct.pack("!i", os.waitstatus_to_exitcode(status)))


def _load_commands() -> None:
    for group in COMMANDS.values():
        for words in group:
            import_module(f"tlex.cli.{words.replace(' ', '.')}")
    for name in ("rich.console", "rich.progress", "rich.table", "pysat.solvers"):
        import_module(name)


def _end(code: object) -> None:
    """End as Python does for ``sys.exit(code)``, but without taking all modules apart."""
    atexit._run_exitfuncs()  # noqa: SLF001 -- there is no public way
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _load_commands()
    gc.collect()
    gc.freeze()
    chosen = _serve(socket.socket(fileno=int(sys.argv[1])))
    if chosen is not None:
        sys.argv = ["tlex", *chosen]
        try:
            main()
        except SystemExit as ended:
            _end(ended.code)
        _end(0)
