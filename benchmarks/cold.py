"""How quickly the command answers, started cold: medians over whole processes.

Python finds its bytecode, as that of an installed package: the first round, which writes it, does
not count.

    python benchmarks/cold.py [ROUNDS]
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from limits import show_limit

TLEX = [sys.executable, "-m", "tlex"]
STORY = str(Path(__file__).parents[1] / "examples" / "story.tml")
TASKS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "tlex --version": [*TLEX, "--version"],
    "tlex --help": [*TLEX, "--help"],
    "tlex extract story.tml": [*TLEX, "extract", STORY],
    "tlex extract story.tml --json": [*TLEX, "extract", STORY, "--json"],
}
LIMITS = {"tlex --help": 8, "tlex extract story.tml": 10}


def main() -> None:
    """Print one line a command, as a multiple of starting Python at all."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    times: dict[str, list[float]] = {name: [] for name in TASKS}
    with TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for number in range(rounds + 1):
            for name, command in TASKS.items():
                start = time.perf_counter()
                subprocess.run(command, capture_output=True, check=True, env=environment)  # noqa: S603
                if number:
                    times[name].append(time.perf_counter() - start)
    base = statistics.median(times["python -c pass"])
    for name, taken in times.items():
        middle = statistics.median(taken)
        print(f"{name:32} {middle * 1e3:7.0f} ms {middle / base:6.1f} x")
    for name, limit in LIMITS.items():
        show_limit(f"{name}, to python -c pass", statistics.median(times[name]) / base, limit)


if __name__ == "__main__":
    main()
