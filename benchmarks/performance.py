"""Run the benchmarks and write what they print to the page on performance.

Each benchmark is a process of its own; what it prints is shown at once, too. The quick way takes
smaller sizes and fewer rounds.

    python benchmarks/performance.py [--quick]
"""

from __future__ import annotations

import ast
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "performance.md"


class Benchmark(NamedTuple):
    """A script, its heading on the page, and its arguments for the quick way."""

    script: str
    title: str
    quick: tuple[str, ...] = ()


BENCHMARKS = (
    Benchmark("floor.py", "How far from the floor", ("5",)),
    Benchmark("growth.py", "How time and memory grow", ("100000",)),
    Benchmark("cold.py", "Cold start", ("5",)),
    Benchmark("corpus.py", "Corpus runs", ("400",)),
    Benchmark("formats.py", "Reading each format", ("3",)),
    Benchmark("repair.py", "Checking and repairing", ("1",)),
    Benchmark("dating.py", "The calendar", ("1",)),
    Benchmark("score.py", "Scoring"),
    Benchmark("decode.py", "Decoding the output of models"),
    Benchmark("what_if.py", "What if"),
    Benchmark("draw.py", "Pictures"),
    Benchmark("peers.py", "Peers", ("--quick",)),
)

HEAD = """# Performance

Written by `make bench`. Every table is what a script in `benchmarks/` prints, and each script can
be run by itself. Ratios mean more than times: both sides of a ratio took turns on the same machine.

Measured with {python} on {system}, {cores} cores{quick}.{busy}
"""
BUSY = """ The machine was busy with other work (load {load:.0f}): times
are several times too long, and growth looks steeper than it is. Ratios are less disturbed."""


def main() -> None:
    """Run all benchmarks, show what they print, and write the page."""
    quick = "--quick" in sys.argv[1:]
    load = os.getloadavg()[0]
    cores = os.cpu_count() or 1
    pages = [
        HEAD.format(
            python=f"Python {platform.python_version()}",
            system=f"{platform.system()}, {platform.machine()}",
            cores=cores,
            busy=BUSY.format(load=load) if load > cores else "",
            quick=", with smaller sizes (`--quick`)" if quick else "",
        )
    ]
    for benchmark in BENCHMARKS:
        path = HERE / benchmark.script
        if path.exists():
            pages.append(describe(benchmark, path, benchmark.quick if quick else ()))
    PAGE.write_text("\n".join(pages), encoding="utf-8")


def describe(benchmark: Benchmark, path: Path, options: tuple[str, ...]) -> str:
    """Run a benchmark and give its part of the page: what it measures, and what it printed."""
    done = subprocess.run(  # noqa: S603 -- our own scripts
        [sys.executable, str(path), *options], stdout=subprocess.PIPE, text=True, check=False
    )
    print(done.stdout, flush=True)
    words = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    about = words.rpartition("\n\n    python ")[0] or words.partition("\n\npython ")[0]
    failed = "" if done.returncode == 0 else f"\nIt ended with exit code {done.returncode}.\n"
    call = " ".join(("python", f"benchmarks/{benchmark.script}", *options))
    return f"## {benchmark.title}\n\n{about}\n\n`{call}`\n\n```text\n{done.stdout}```\n{failed}"


if __name__ == "__main__":
    main()
