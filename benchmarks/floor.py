"""How far from the floor: reading and extracting TimeBank against merely parsing it.

The floor is ``xml.etree.ElementTree`` parsing plus copying out the attributes. Both are run in
turns in one process and compared by their medians, so that a noisy machine disturbs both alike.

    python benchmarks/floor.py [ROUNDS]
"""

from __future__ import annotations

import os
import statistics
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import tlex

CORPORA = Path(os.environ.get("TLEX_CORPORA", Path(__file__).parents[2] / "shared" / "corpora"))


def main() -> None:
    """Print the times and their ratios."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    files = [path.read_bytes() for path in sorted((CORPORA / "timebank-1.2").glob("*.tml"))]
    if not files:
        sys.exit(f"no TimeBank at {CORPORA}; set TLEX_CORPORA")

    def floor() -> None:
        for data in files:
            [(e.tag, dict(e.attrib)) for e in ET.fromstring(data).iter()]  # noqa: S314

    def reading() -> None:
        for data in files:
            tlex.parse(data)

    def whole() -> None:
        for data in files:
            tlex.extract(tlex.parse(data))

    def everything() -> None:
        for data in files:
            result = tlex.extract(tlex.parse(data))
            _ = result.timelines, result.connections, result.breaks, result.conflicts, result.nodes

    tasks: dict[str, Callable[[], None]] = {
        "floor: ElementTree and attributes": floor,
        "read": reading,
        "read and extract": whole,
        "read, extract and look at everything": everything,
    }
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            times[name].append(time.perf_counter() - start)
    base = statistics.median(times["floor: ElementTree and attributes"])
    print(f"{len(files)} documents, {sum(map(len, files)) / 1e6:.1f} MB, median of {rounds} rounds")
    for name, taken in times.items():
        middle = statistics.median(taken)
        print(f"{name:40} {middle * 1e3:8.1f} ms {middle / base:6.2f} x")


if __name__ == "__main__":
    main()
