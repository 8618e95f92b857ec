"""What checking and repairing cost: TimeBank against extracting it, and random contradictions.

The first table takes turns in one process and compares medians. The second takes one connected
random consistent graph of 1,000 intervals (as in growth.py) at a time, turns some of its links
around, and looks for a minimum repair until it is proven. The third takes dense tables: 40 to 60
events on a line, 170 of all pairs with their true relation, and 8 % of these turned around. The
fourth takes tangles, in which nothing is true: 40 nodes, 150 links of any type at random. No proof
can be found for these. It prints how near cost and bound are for several limits of work.
All times are those of the processor.

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
from limits import show_limit

import tlex
from tlex.algebra import INVERSES, LABELS, TABLE_1
from tlex.repair.search import WORK, find_repair

SIZE = 1_000
REVERSED = (150, 450)
SEEDS = range(1, 6)
LABEL = list(LABELS["TLINK"])
DENSE, LINKS, FLIPPED = range(1, 31), 170, 0.08
TANGLES, NODES, TANGLED = range(1, 6), 40, 150
WORKS = (0, WORK // 4, WORK, 4 * WORK)


def extract_all() -> None:
    """Read and extract TimeBank."""
    for path in PATHS:
        tlex.extract(tlex.read(path))


def mend_all() -> None:
    """The same, without the links of a minimum repair where a document is contradictory."""
    for path in PATHS:
        tlex.extract(tlex.read(path), mend=True)


def check_all() -> None:
    """Read, extract, and have the linter look at it."""
    for path in PATHS:
        tlex.check(tlex.read(path))


def check_and_repair_all() -> None:
    """The same, and find a minimum repair of each contradictory document."""
    for path in PATHS:
        result = tlex.extract(tlex.read(path))
        tlex.check(result)
        if not result.consistent:
            find_repair(result)


def write_all() -> None:
    """Read, extract, and write all answers as JSON."""
    for path in PATHS:
        tlex.extract(tlex.read(path)).to_json()


def fix_all() -> None:
    """Read, repair with all decisions, and write that as JSON."""
    for path in PATHS:
        tlex.fix(tlex.read(path)).to_json()


TASKS: dict[str, Callable[[], None]] = {
    "extract": extract_all,
    "extract as JSON": write_all,
    "fix as JSON": fix_all,
    "extract, mended": mend_all,
    "extract and check": check_all,
    "extract, check and repair": check_and_repair_all,
}


def compare_with_extraction(rounds: int) -> None:
    """Print what checking and repairing TimeBank take, as ratios."""
    times: dict[str, list[float]] = {name: [] for name in TASKS}
    for _ in range(rounds):
        for name, task in TASKS.items():
            start = time.process_time()
            task()
            times[name].append(time.process_time() - start)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    print(f"{len(PATHS)} documents, median of {rounds} rounds")
    for name, middle in medians.items():
        print(f"{name:36} {middle * 1e3:8.1f} ms {middle / medians['extract']:8.2f} x")
    mended = medians["extract, mended"] / medians["extract"]
    show_limit("TimeBank: extract, mended, to extract", mended, 2)
    for name in ("extract and check", "fix as JSON"):
        ratio = medians[name] / medians["extract as JSON"]
        show_limit(f"TimeBank: {name}, to extract as JSON", ratio, 1)


def repair_tangles() -> None:
    """Print what it takes to repair random graphs with some links turned around."""
    print(f"{SIZE:,} intervals {'reversed':>9} {'extract':>9} {'repair':>9} {'cost':>6}  proven")
    for count in REVERSED:
        for seed in SEEDS:
            document = make_tangle(count, seed)
            start = time.process_time()
            result = tlex.extract(document)
            middle = time.process_time()
            repair = find_repair(result, limit=1)
            end = time.process_time()
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


def fix_tables() -> None:
    """Print what it takes to repair dense tables, against extracting them."""
    extracting, repairing, fixing = [], [], []
    costs, proven = 0.0, 0
    for seed in DENSE:
        document = make_table(seed)
        start = time.process_time()
        result = tlex.extract(document)
        extracted = time.process_time()
        repair = find_repair(result, limit=1)
        repaired = time.process_time()
        tlex.fix(result)
        end = time.process_time()
        extracting.append(extracted - start)
        repairing.append(repaired - extracted)
        fixing.append(end - repaired)
        costs += repair.cost
        proven += repair.optimal
    basis = statistics.median(extracting)
    print(f"{len(DENSE)} dense tables of {LINKS} links, cost {costs:g} in all, {proven} proven")
    for name, taken in (("extract", extracting), ("repair", repairing), ("fix", fixing)):
        middle = statistics.median(taken)
        most = max(taken) * 1e3
        print(f"{name:36} {middle * 1e3:8.1f} ms {middle / basis:8.2f} x {most:8.1f} ms at most")
    show_limit("a dense table: fix, with decisions", statistics.median(fixing) * 1e3, 30, "ms")


def fix_tangles() -> None:
    """Print how good repairs of tangles are that were found with little work."""
    columns = f"{'work':>10} {'repair':>9} {'cost':>6} {'bound':>6}"
    print(f"{NODES} nodes, {TANGLED} links at random {columns}")
    for seed in TANGLES:
        result = tlex.extract(make_nonsense(seed))
        for work in WORKS:
            start = time.process_time()
            repair = find_repair(result, limit=1, work=work)
            taken = (time.process_time() - start) * 1e3
            found = f"{taken:6.0f} ms {repair.cost:6g} {repair.bound:6g}"
            print(f"{'seed':>12} {seed:2} {work:26,} {found}")


def make_table(seed: int) -> tlex.Document:
    """Relations of events on a line, for many pairs, some of them turned around."""
    dice = random.Random(seed)  # noqa: S311
    starts = [dice.randint(0, 60) for _ in range(dice.randint(40, 60))]
    events = [(start, start + dice.randint(1, 6)) for start in starts]
    pairs = [(a, b) for a in range(len(events)) for b in range(a + 1, len(events))]
    rows: list[tuple[str, str, str]] = []
    for a, b in dice.sample(pairs, len(pairs)):
        label = _relate(events[a], events[b])
        if label and len(rows) < LINKS:
            if dice.random() < FLIPPED:
                label = "BEFORE" if label == "SIMULTANEOUS" else INVERSES[label]
            rows.append((f"e{a}", label, f"e{b}"))
    return tlex.from_links(rows)


def make_nonsense(seed: int) -> tlex.Document:
    """Links of any type between any two nodes."""
    dice = random.Random(seed)  # noqa: S311
    labels = [str(label) for label in TABLE_1]
    ends = [dice.sample(range(NODES), 2) for _ in range(TANGLED)]
    return tlex.from_links([(f"e{a}", dice.choice(labels), f"e{b}") for a, b in ends])


def _relate(one: tuple[int, int], other: tuple[int, int]) -> str | None:
    """The TimeML relation of two stretches; None if they overlap."""
    values = {"A-": one[0], "A+": one[1], "B-": other[0], "B+": other[1]}
    for label, row in TABLE_1.items():
        constraints = [constraint.split() for constraint in row]
        if all(
            values[left] < values[right] if order == "<" else values[left] == values[right]
            for left, order, right in constraints
        ):
            return str(label)
    return None


if __name__ == "__main__":
    if PATHS:
        compare_with_extraction(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
    else:
        print(f"no TimeBank at {CORPORA}; set TLEX_CORPORA")
    repair_tangles()
    fix_tables()
    fix_tangles()
