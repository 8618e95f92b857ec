"""How time and memory of each command grow as documents double, for several shapes of document.

Called by ``growth.py --commands``. Shapes are a chain, a cycle, a grid, branches, a section of
unknown order, loose events, and a chain with links back. Each run is a process of its own. The last
column has the exponent k of time ~ n^k over the last doubling, without the time of starting.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

__all__ = ["compare_commands"]

Links = list[tuple[str, str, str]]

SIZES = (1_250, 2_500, 5_000)
SECONDS = 120
SCALE = 2**20 if sys.platform == "darwin" else 2**10


def make_chain(size: int) -> Links:
    """Each event before the next."""
    return [(f"e{n}", "BEFORE", f"e{n + 1}") for n in range(size - 1)]


def make_cycle(size: int) -> Links:
    """A chain whose last event is before its first."""
    return [*make_chain(size), (f"e{size - 1}", "BEFORE", "e0")]


def make_grid(size: int) -> Links:
    """Rows and columns of events, each before its neighbours."""
    side = math.isqrt(size)
    places = [(row, column) for row in range(side) for column in range(side)]
    across = [(f"e{r}x{c}", "BEFORE", f"e{r}x{c + 1}") for r, c in places if c + 1 < side]
    return across + [(f"e{r}x{c}", "BEFORE", f"e{r + 1}x{c}") for r, c in places if r + 1 < side]


def make_branches(size: int) -> Links:
    """A chain, and a branch at each event."""
    half = size // 2
    return [*make_chain(half), *((f"e{n}", "MODAL", f"b{n}") for n in range(half))]


def make_section(size: int) -> Links:
    """Events between two others, in unknown order."""
    inner = [f"e{n}" for n in range(size - 2)]
    return [("a", "BEFORE", one) for one in inner] + [(one, "BEFORE", "z") for one in inner]


def make_loose(size: int) -> Links:
    """Pairs of events that nothing connects."""
    return [(f"a{n}", "BEFORE", f"b{n}") for n in range(size // 2)]


def make_backward(size: int) -> Links:
    """A chain, and a link back from each second event to the first."""
    return [*make_chain(size), *((f"e{n}", "BEFORE", "e0") for n in range(1, size, 2))]


SHAPES: dict[str, Callable[[int], Links]] = {
    "chain": make_chain,
    "cycle": make_cycle,
    "grid": make_grid,
    "branches": make_branches,
    "section": make_section,
    "loose": make_loose,
    "links back": make_backward,
}
COMMANDS = {
    "extract": ("extract", "FILE"),
    "extract --json": ("extract", "FILE", "--json"),
    "extract --verify": ("extract", "FILE", "--verify"),
    "check --json": ("check", "FILE", "--json"),
    "fix --json": ("fix", "FILE", "--json", "--seconds", "5"),
    "draw, SVG": ("draw", "FILE", "-o", "OUT.svg"),
    "draw, HTML": ("draw", "FILE", "-o", "OUT.html"),
    "closure": ("closure", "FILE", "-o", "OUT.tml"),
    "convert": ("convert", "FILE", "--to", "json", "-o", "OUT.json"),
    "events": ("events", "FILE", "--before", "NODE"),
    "reduce": ("reduce", "FILE", "-o", "OUT.txt"),
    "score": ("score", "FILE", "FILE"),
    "diff": ("diff", "FILE", "FILE"),
}


def compare_commands(largest: int) -> None:
    """Print a line for each command and shape: seconds and memory as the size doubles."""
    sizes = [size for size in SIZES if size <= largest]
    idle = _run(("--version",))[0]
    print(
        f"{'command':18} {'shape':11}", *(f"{f'{size:,} events':>18}" for size in sizes), "     k"
    )
    with tempfile.TemporaryDirectory() as folder:
        for shape, make in SHAPES.items():
            paths = {size: _write(Path(folder), shape, size, make(size)) for size in sizes}
            for name, words in COMMANDS.items():
                _compare(f"{name:18} {shape:11}", words, paths, idle)


def _compare(head: str, words: tuple[str, ...], paths: dict[int, Path], idle: float) -> None:
    cells, times = [], []
    for path in paths.values():
        node = path.read_text(encoding="utf-8").split(None, 1)[0]
        given = {"FILE": str(path), "NODE": node}
        call = [given.get(word, word.replace("OUT", str(path.with_suffix("")))) for word in words]
        seconds, peak = _run(call)
        times.append(max(seconds - idle, 0.001))
        cells.append(f"{seconds:8.2f} s {peak:5.0f} MB" if peak else f"{'over':>8} {SECONDS} s   ")
    rate = math.log2(times[-1] / times[-2]) if len(times) > 1 else 0.0
    print(head, *(f"{cell:>18}" for cell in cells), f"{rate:6.2f}", flush=True)


def _write(folder: Path, shape: str, size: int, links: Links) -> Path:
    path = folder / f"{shape.replace(' ', '-')}-{size}.txt"
    path.write_text("\n".join(map(" ".join, links)) + "\n", encoding="utf-8")
    return path


def _run(words: list[str] | tuple[str, ...]) -> tuple[float, float]:
    """Run a command; give processor seconds, and the peak in MB, 0 if it took too long."""
    command = [sys.executable, "-m", "tlex", *words]
    process = subprocess.Popen(  # noqa: S603 -- our own command
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + SECONDS
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / SCALE
        if time.monotonic() > until:
            process.kill()
            process.wait()
            return float(SECONDS), 0.0
        time.sleep(0.01)
