"""How time and memory grow: one connected, consistent graph of 10^3 to 10^6 intervals.

Intervals are placed on a line and relations that hold there are emitted, 1.5 for each interval,
with shuffled ids; a chain of 10^6 intervals, each before the next; and sections of nine intervals
in unknown order, with a dated time between each two. Measured from the graph on: partition,
transform, consistency, timeline, indeterminacy. The latest steps, which slack needs and no step
does, are worked out on demand: the column "slack" has the seconds that this adds, and with sections
also those for the dates of all points. All seconds are of the processor. Each size runs in a
process of its own, so that peak memory is its own too. The last column is the exponent k of
time ~ n^k since the size before; the last lines have it from 10^4 on as a whole.

    python benchmarks/growth.py [LARGEST]
    python benchmarks/growth.py --commands [LARGEST [NAME...]]

The second way shows how each command grows, see `commands_growth`.
"""

from __future__ import annotations

import json
import math
import random
import resource
import subprocess
import sys
import time
from types import SimpleNamespace
from typing import Any

from commands_growth import compare_commands
from limits import show_limit

from tlex.algebra import CODES
from tlex.extraction import run_steps
from tlex.points.graphs import Consistent, TemporalGraph
from tlex.reason.dates import date_points

SIZES = (1_000, 10_000, 100_000, 1_000_000)
FROM = 10_000
SECTION = 10
SCALE = 2**20 if sys.platform == "darwin" else 2**10


def main() -> None:
    """Print one line a size."""
    largest = int(sys.argv[1]) if len(sys.argv) > 1 else SIZES[-1]
    head = ("graph", 8), ("intervals", 10), ("seconds", 9), ("us each", 8), ("slack", 7)
    print(*(f"{name:>{width}}" for name, width in (*head, ("peak MB", 8), ("k", 6))))
    before: tuple[int, float] | None = None
    known: dict[int, tuple[float, float]] = {}
    peaks: dict[int, float] = {}
    for shape, sizes in (("random", SIZES), ("chain", SIZES[-1:]), ("sections", SIZES)):
        for size in sizes:
            if size > largest:
                continue
            command = [sys.executable, __file__, "--one", shape, str(size)]
            done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603
            taken, slack, peak = json.loads(done.stdout)
            rate = ""
            if before and before[0] < size:
                rate = f"{math.log(taken / before[1]) / math.log(size / before[0]):6.2f}"
            before = (size, taken)
            peaks[size] = max(peak, peaks.get(size, 0))
            if shape == "random":
                known[size] = taken, taken + slack
            row = f"{shape:>8} {size:>10,} {taken:>9.3f} {taken / size * 1e6:>8.2f} {slack:>7.3f}"
            print(f"{row} {peak:>8.0f} {rate:>6}")

    if {FROM, largest} <= known.keys() and largest > FROM:
        for what, small, large in zip(
            ("the five steps", "with slack"), known[FROM], known[largest], strict=True
        ):
            k = math.log(large / small) / math.log(largest / FROM)
            print(f"from {FROM:,} to {largest:,} intervals, {what}: n^{k:.2f}")
            show_limit(f"growth of time from {FROM:,} to {largest:,} intervals, {what}", k, 1.2, "")
        if largest == SIZES[-1]:
            show_limit(f"peak of memory with {largest:,} intervals", peaks[largest], 600, "MB")


def measure(shape: str, size: int) -> None:
    """Measure one graph: the best of as many runs as fit into a short while, and peak memory."""
    graph = MAKERS[shape](size)
    taken: list[float] = []
    slack: list[float] = []
    while not taken or (sum(taken) < 2 and len(taken) < 50):  # noqa: PLR2004
        start = time.process_time()
        components = run_steps(graph)
        middle = time.process_time()
        if len(components) != 1 or not isinstance(components[0], Consistent):
            sys.exit("the graph should be connected and consistent")
        if shape == "sections":
            date_points(make_times(size), components)
        taken.append(middle - start)
        slack.append(time.process_time() - middle)
        del components
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / SCALE
    print(json.dumps([min(taken), min(slack), peak]))


def make_random(size: int, seed: int = 7) -> TemporalGraph:
    """Place intervals on a line, link each to an earlier one and half of them to any other."""
    dice = random.Random(seed)  # noqa: S311 -- a benchmark, not a secret
    span = 4 * size
    starts = [dice.randrange(span) for _ in range(size)]
    ends = [start + 1 + dice.randrange(span // 8 + 1) for start in starts]
    names = list(range(size))
    dice.shuffle(names)
    labels, sources, targets = [], [], []
    pairs = [(i, dice.randrange(i)) for i in range(1, size)]
    pairs += [(dice.randrange(size), dice.randrange(size)) for _ in range(size // 2)]
    for one, other in pairs:
        if one == other:
            continue
        label = relate(starts[one], ends[one], starts[other], ends[other])
        labels.append(CODES["TLINK"][label])
        sources.append(names[one])
        targets.append(names[other])
    return TemporalGraph(
        size=size, labels=labels, sources=sources, targets=targets, numbers=list(range(len(labels)))
    )


def relate(a: int, b: int, c: int, d: int) -> str:  # noqa: PLR0911 -- one for each relation
    """Name the relation of the intervals [a, b] and [c, d]."""
    if b < c:
        return "BEFORE"
    if d < a:
        return "AFTER"
    if b == c:
        return "IBEFORE"
    if d == a:
        return "IAFTER"
    if a == c:
        return "SIMULTANEOUS" if b == d else "BEGINS" if b < d else "BEGUN_BY"
    if b == d:
        return "ENDS" if a > c else "ENDED_BY"
    if a < c:
        return "INCLUDES" if d < b else "OVERLAPS"
    return "IS_INCLUDED" if b < d else "OVERLAPPED_BY"


def make_chain(size: int) -> TemporalGraph:
    """Intervals that each stand before the next."""
    before = CODES["TLINK"]["BEFORE"]
    links = list(range(size - 1))
    return TemporalGraph(
        size=size,
        labels=[before] * len(links),
        sources=links,
        targets=list(range(1, size)),
        numbers=links,
    )


def make_sections(size: int) -> TemporalGraph:
    """Every tenth interval stands behind the nine before it, whose order is unknown."""
    sources: list[int] = []
    targets: list[int] = []
    for number in range(size):
        first = number - number % SECTION
        if number > first:
            sources.append(first)
            targets.append(number)
            if first + SECTION < size:
                sources.append(number)
                targets.append(first + SECTION)
    return TemporalGraph(
        size=size,
        labels=[CODES["TLINK"]["BEFORE"]] * len(sources),
        sources=sources,
        targets=targets,
        numbers=list(range(len(sources))),
    )


def make_times(size: int) -> Any:  # noqa: ANN401 -- a part of a document
    """Give what dates ask of a document: the intervals between sections have years as values."""
    numbers = range(0, size, SECTION)
    return SimpleNamespace(
        index={f"t{number}": number for number in numbers},
        times={
            f"t{number}": {"type": "DATE", "value": f"{1000 + number * 8000 // size}"}
            for number in numbers
        },
    )


MAKERS = {"random": make_random, "chain": make_chain, "sections": make_sections}

if __name__ == "__main__":
    if sys.argv[1:2] == ["--commands"]:
        compare_commands(int(sys.argv[2]) if len(sys.argv) > 2 else 5_000, sys.argv[3:])  # noqa: PLR2004
    elif sys.argv[1:2] == ["--one"]:
        measure(sys.argv[2], int(sys.argv[3]))
    else:
        main()
