"""Run the benchmarks, print one table, and write all that they print to the page on performance.

The table has what was measured, the figure, and its limit. Each benchmark is a process of its own;
its name is shown on stderr when it begins. The quick way takes smaller sizes and fewer rounds.

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

from limits import MARK, read_limits, tabulate

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
    Benchmark("cold.py", "Whole commands", ("5",)),
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


ABOUT = """What we hold ourselves to. `benchmarks/README.md` says how to read it."""


def main() -> None:
    """Run all benchmarks, print the table of limits, and write the page."""
    quick = "--quick" in sys.argv[1:]
    load = os.getloadavg()[0]
    cores = os.cpu_count() or 1
    head = HEAD.format(
        python=f"Python {platform.python_version()}",
        system=f"{platform.system()}, {platform.machine()}",
        cores=cores,
        busy=BUSY.format(load=load) if load > cores else "",
        quick=", with smaller sizes (`--quick`)" if quick else "",
    )
    pages, limits = [], []
    for benchmark in BENCHMARKS:
        print(f"{benchmark.script} ...", file=sys.stderr, flush=True)
        part, found = describe(benchmark, HERE / benchmark.script, benchmark.quick if quick else ())
        pages.append(part)
        limits += found
    table = tabulate(limits)
    print(table)
    summary = f"## Figures and limits\n\n{ABOUT}\n\n```text\n{table}\n```\n"
    PAGE.write_text("\n".join((head, summary, *pages)), encoding="utf-8")


def describe(
    benchmark: Benchmark, path: Path, options: tuple[str, ...]
) -> tuple[str, list[list[str]]]:
    """Run a benchmark; give its part of the page, and its figures beside their limits."""
    done = subprocess.run(  # noqa: S603 -- our own scripts
        [sys.executable, str(path), *options], stdout=subprocess.PIPE, text=True, check=False
    )
    words = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    about = words.rpartition("\n\n    python ")[0] or words.partition("\n\npython ")[0]
    failed = "" if done.returncode == 0 else f"\nIt ended with exit code {done.returncode}.\n"
    call = " ".join(("python", f"benchmarks/{benchmark.script}", *options))
    lines = (line for line in done.stdout.splitlines(keepends=True) if not line.startswith(MARK))
    printed = "".join(lines)
    part = f"## {benchmark.title}\n\n{about}\n\n`{call}`\n\n```text\n{printed}```\n{failed}"
    return part, read_limits(done.stdout)


if __name__ == "__main__":
    main()
