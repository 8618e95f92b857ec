"""The command as a user runs it: a real process, real files, real pipes, a real terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from prepared import must_spawn, prepared

ROOT = Path(__file__).parents[1]
STORY = ROOT / "examples" / "story.tml"
CONTRADICTION = ROOT / "examples" / "contradiction.tml"
TLEX = [sys.executable, "-m", "tlex"]

BROKEN_STREAMS = [
    ("extract {story} >&-", 0),
    ("extract {story} --json >&-", 0),
    ("extract - <&-", 2),
    ("extract nowhere.tml 2>&-", 2),
    ("extract {story} >/dev/full", 2),
    ("extract {story} --json >/dev/full", 2),
    ("why {story} ei2 ei3 >/dev/full", 2),
    ("why {story} ei2 ei3 --json >/dev/full", 2),
    ("check {contradiction} >&-", 1),
    ("check {contradiction} --json >&-", 1),
    ("check - <&-", 2),
    ("check nowhere.tml 2>&-", 2),
    ("check {contradiction} >/dev/full", 2),
    ("check {contradiction} --sarif >/dev/full", 2),
    ("check {contradiction} --write-baseline /dev/full/x", 2),
    ("--version >/dev/full", 2),
    ("--help >/dev/full", 2),
]
"""Command lines with a stream that is closed or full, and their exit codes."""


def run(
    *arguments: str | Path,
    stdin: bytes = b"",
    cwd: Path = ROOT,
    before: Callable[[], None] | None = None,
    **environment: str,
) -> subprocess.CompletedProcess[bytes]:
    """Run ``tlex`` with some arguments; ``before`` is called in the new process."""
    if before is None and not must_spawn(environment):
        return prepared().run([*map(str, arguments)], stdin, cwd, {**os.environ, **environment})
    return subprocess.run(  # noqa: S603 -- our own command
        [*TLEX, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, **environment},
        preexec_fn=before,
        check=False,
        timeout=120,
    )


def run_shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of bash, in which ``tlex`` is the command and ``{story}`` a document."""
    line = line.format(story=STORY, contradiction=CONTRADICTION)
    return subprocess.run(  # noqa: S603 -- our own command
        ["/bin/bash", "-c", f'tlex() {{ {" ".join(TLEX)} "$@"; }}; {line}'],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=ROOT,
    )


def run_on_terminal(
    *arguments: str | Path, stream: str = "stdout", **environment: str
) -> tuple[int, str]:
    """Run ``tlex`` with a terminal as stdout or stderr; give the exit code and what it showed."""
    main, side = pty.openpty()
    base = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "TERM"}}
    words = [*TLEX, *map(str, arguments)]
    env = {**base, "TERM": "xterm", **environment}
    out, err = (side, None) if stream == "stdout" else (None, side)
    process = subprocess.Popen(words, stdout=out, stderr=err, env=env)  # noqa: S603
    os.close(side)
    shown = b""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            piece = os.read(main, 65536)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        shown += piece
    code = process.wait(timeout=60)
    os.close(main)
    return code, shown.decode()


def messages(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    """The lines on stderr."""
    return done.stderr.decode().splitlines()
