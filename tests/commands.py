"""The command as a user runs it: a real process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
TLEX = [sys.executable, "-m", "tlex"]


def run(
    *arguments: str | Path,
    stdin: bytes = b"",
    cwd: Path = ROOT,
    before: Callable[[], None] | None = None,
    **environment: str,
) -> subprocess.CompletedProcess[bytes]:
    """Run ``tlex`` with some arguments; ``before`` is called in the new process."""
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


def told(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    """The lines on stderr."""
    return done.stderr.decode().splitlines()
