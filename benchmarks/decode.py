"""What it costs to choose labels: against extracting the same document with the most probable ones.

Events stand on a line at random. Some of their pairs get four candidates each: the true relation
is favoured, but for a share of the pairs another one is. It prints the seconds of processor time,
the ratio to reading and extracting the document, the work, the cost, and the gap at the limit.

    python benchmarks/decode.py [SECONDS]
"""

from __future__ import annotations

import json
import random
import sys
import time
from itertools import combinations

import tlex

LABELS = ("BEFORE", "AFTER", "INCLUDES", "IS_INCLUDED", "SIMULTANEOUS", "VAGUE")
SIZES = ((14, 45), (100, 600))
NOISE = (0.05, 0.1, 0.2)
SEEDS = range(1, 4)
KEPT = 4
SECONDS = 10.0


def main() -> None:
    """Print a row for each size and share of wrong pairs."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    print("events  pairs  noise  seconds    ratio  proven      cost       gap")
    for events, pairs in SIZES:
        for noise in NOISE:
            for seed in SEEDS:
                print(measure(make(events, pairs, noise, seed), seconds, events, pairs, noise))


def measure(content: str, seconds: float, events: int, pairs: int, noise: float) -> str:
    """Decode a document, and give the row of the table."""
    start = time.process_time()
    document = tlex.parse(content)
    _ = tlex.extract(document).timelines
    middle = time.process_time()
    decoded = tlex.decode(tlex.parse(content), seconds=seconds)
    spent = time.process_time() - middle
    ratio = spent / (middle - start)
    proven = "yes" if decoded.optimal else "no"
    return (
        f"{events:6}  {pairs:5}  {noise:5}  {spent:7.2f}  {ratio:7.1f}  "
        f"{proven:>6}  {decoded.cost or 0:8.3f}  {decoded.gap or 0:8.3f}"
    )


def make(events: int, pairs: int, noise: float, seed: int) -> str:
    """Make a document with candidates."""
    dice = random.Random(f"{events} {pairs} {noise} {seed}")  # noqa: S311 -- no secret
    spans = []
    for _ in range(events):
        first, last = sorted(dice.sample(range(3 * events), 2))
        spans.append((first, last))
    links = []
    for one, other in sorted(dice.sample(list(combinations(range(events), 2)), pairs)):
        shares = {label: 0.02 + 0.3 * dice.random() ** 2 for label in LABELS}
        favoured = relate(spans[one], spans[other])
        if dice.random() < noise:
            favoured = dice.choice(LABELS)
        shares[favoured] += 0.6
        kept = sorted(shares, key=lambda label: -shares[label])[:KEPT]
        total = sum(shares[label] for label in kept)
        labels = {label: round(shares[label] / total, 4) for label in kept}
        links.append({"source": f"e{one}", "target": f"e{other}", "labels": labels})
    return json.dumps({"links": links})


def relate(one: tuple[int, int], other: tuple[int, int]) -> str:
    """Give the relation of two spans, as far as the labels have one."""
    if one[1] < other[0]:
        return "BEFORE"
    if other[1] < one[0]:
        return "AFTER"
    if one[0] < other[0] and other[1] < one[1]:
        return "INCLUDES"
    if other[0] < one[0] and one[1] < other[1]:
        return "IS_INCLUDED"
    return "SIMULTANEOUS" if one == other else "VAGUE"


if __name__ == "__main__":
    main()
