"""What checking and repairing cost: TimeBank against extracting it, and large random tangles.

The first table takes turns in one process and compares medians. The second takes one connected
random consistent graph of 1,000 intervals (as in growth.py) at a time, turns some of its links
around, and looks for a minimum repair until it is proven.

    python benchmarks/repair.py [ROUNDS]
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable

from floor import CORPORA, PATHS
from growth import make_random

import tlex
from tlex.algebra import LABELS
from tlex.repair.search import find_repair

SIZE = 1_000
REVERSED = (150, 450)
SEEDS = range(1, 6)
LABEL = list(LABELS["TLINK"])


def extract_all() -> None:
    """Read and extract TimeBank."""
    for path in PATHS:
        tlex.extract(tlex.read(path))


def check_all() -> None:
    """The same, and have the linter look at it."""
    for path in PATHS:
        tlex.check(tlex.read(path))


def check_and_repair_all() -> None:
    """The same, and find a minimum repair of each contradictory document."""
    for path in PATHS:
        result = tlex.extract(tlex.read(path))
        tlex.check(result)
        if not result.consistent:
            find_repair(result)


TASKS: dict[str, Callable[[], None]] = {
    "extract": extract_all,
    "extract and check": check_all,
    "extract, check and repair": check_and_repair_all,
}


def compare_with_extraction(rounds: int) -> None:
    """Print what checking and repairing TimeBank take, as ratios."""
    times: dict[str, list[float]] = {name: [] for name in TASKS}
    for _ in range(rounds):
        for name, task in TASKS.items():
            start = time.perf_counter()
            task()
            times[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    print(f"{len(PATHS)} documents, median of {rounds} rounds")
    for name, middle in medians.items():
        print(f"{name:36} {middle * 1e3:8.1f} ms {middle / medians['extract']:8.2f} x")


def repair_tangles() -> None:
    """Print what it takes to repair random graphs with some links turned around."""
    print(f"{SIZE:,} intervals {'reversed':>9} {'extract':>9} {'repair':>9} {'cost':>6}  proven")
    for count in REVERSED:
        for seed in SEEDS:
            document = make_tangle(count, seed)
            start = time.perf_counter()
            result = tlex.extract(document)
            middle = time.perf_counter()
            repair = find_repair(result, limit=1)
            end = time.perf_counter()
            times = f"{(middle - start) * 1e3:6.0f} ms {(end - middle) * 1e3:6.0f} ms"
            print(f"{'seed':>12} {seed} {count:9} {times} {repair.cost:6g}  {repair.optimal}")


def make_tangle(count: int, seed: int) -> tlex.Document:
    """A consistent random graph of which some links have been turned around."""
    graph = make_random(SIZE, seed)
    rows = [
        (f"e{source}", LABEL[label], f"e{target}")
        for label, source, target in zip(graph.labels, graph.sources, graph.targets, strict=True)
    ]
    dice = random.Random(seed)  # noqa: S311 -- a benchmark, not a secret
    for number in dice.sample(range(len(rows)), count):
        source, label, target = rows[number]
        rows[number] = target, label, source
    return tlex.from_links(rows)


if __name__ == "__main__":
    if PATHS:
        compare_with_extraction(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
    else:
        print(f"no TimeBank at {CORPORA}; set TLEX_CORPORA")
    repair_tangles()
