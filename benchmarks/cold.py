"""How quickly commands answer, as whole processes: started cold, and over all of TimeBank.

The first table has what one small document takes, in time. The second has commands that take turns
over all of TimeBank, in processor time of the whole process. All figures are medians. Python finds
its bytecode, as that of an installed package: the first round, which writes it, does not count.

    python benchmarks/cold.py [ROUNDS]
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

from floor import CORPORA, PATHS
from limits import show_limit

TLEX = [sys.executable, "-m", "tlex"]
STORY = str(Path(__file__).parents[1] / "examples" / "story.tml")
TIMEBANK = str(CORPORA / "timebank-1.2")
TASKS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "tlex --version": [*TLEX, "--version"],
    "tlex --help": [*TLEX, "--help"],
    "tlex extract story.tml": [*TLEX, "extract", STORY],
    "tlex extract story.tml --json": [*TLEX, "extract", STORY, "--json"],
}
LIMITS = {"tlex --help": 8, "tlex extract story.tml": 10}
ALL_ANSWERS = "tlex extract DIR --json"
CORPUS_TASKS = {
    ALL_ANSWERS: [*TLEX, "extract", TIMEBANK, "--json"],
    "tlex fix DIR": [*TLEX, "fix", TIMEBANK],
    "tlex fix DIR --json": [*TLEX, "fix", TIMEBANK, "--json"],
    "tlex check DIR": [*TLEX, "check", TIMEBANK],
    "tlex check DIR --json": [*TLEX, "check", TIMEBANK, "--json"],
}
CORPUS_LIMITS = {"tlex fix DIR": 1, "tlex fix DIR --json": 1, "tlex check DIR": 1}


def main() -> None:
    """Print one line a command: as a multiple of starting Python, and of all answers as JSON."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    with TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        medians = take_turns(TASKS, rounds, environment, time.perf_counter)
        show(medians, "python -c pass")
        for name, limit in LIMITS.items():
            show_limit(
                f"{name}, to python -c pass", medians[name] / medians["python -c pass"], limit
            )
        if not PATHS:
            print(f"no TimeBank at {CORPORA}; set TLEX_CORPORA")
            return
        medians = take_turns(CORPUS_TASKS, rounds, environment, read_clock_of_children)
    print(f"{len(PATHS)} documents, processor time")
    show(medians, ALL_ANSWERS)
    for name, limit in CORPUS_LIMITS.items():
        ratio = medians[name] / medians[ALL_ANSWERS]
        show_limit(f"TimeBank: {name}, to {ALL_ANSWERS}", ratio, limit)


def take_turns(
    tasks: Mapping[str, list[str]],
    rounds: int,
    environment: dict[str, str],
    clock: Callable[[], float],
) -> dict[str, float]:
    """Run commands in turns; give the median time of each, in seconds of the clock."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for number in range(rounds + 1):
        for name, command in tasks.items():
            start = clock()
            done = subprocess.run(command, capture_output=True, check=False, env=environment)  # noqa: S603
            taken = clock() - start
            if done.returncode not in {0, 1}:  # tlex check has found errors
                raise RuntimeError(f"{name}: {done.stderr.decode()}")
            if number:
                times[name].append(taken)
    return {name: statistics.median(taken) for name, taken in times.items()}


def read_clock_of_children() -> float:
    """Give the processor time of all processes that were run, in seconds."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def show(medians: Mapping[str, float], base: str) -> None:
    """Print the median of each command, and as a multiple of a certain one."""
    for name, middle in medians.items():
        print(f"{name:32} {middle * 1e3:7.0f} ms {middle / medians[base]:6.2f} x")


if __name__ == "__main__":
    main()
