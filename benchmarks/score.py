"""What a score costs: 20 documents and ten systems, against reading and extracting them.

The systems are the gold documents with links left out and labels changed at random. And made-up
documents of 1,000 to 4,000 links against others, with the memory: it doubles with the links.

    python benchmarks/score.py [DIRECTORY]

Without a directory, TimeBank's is taken (TLEX_CORPORA names the directory of corpora).
"""

from __future__ import annotations

import gc
import os
import random
import re
import sys
import time
import tracemalloc
from pathlib import Path

from limits import show_limit

import tlex

CORPORA = Path(os.environ.get("TLEX_CORPORA", Path(__file__).parents[2] / "shared" / "corpora"))
LABELS = ("BEFORE", "AFTER", "SIMULTANEOUS", "INCLUDES", "IS_INCLUDED")
SYSTEMS = 10
DOCUMENTS = 20
ROUNDS = 8
LOST, WRONG = 0.2, 0.35
LARGE = (1_000, 2_000, 4_000)


def main() -> None:
    """Print a line for the corpus and one for each large document."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else CORPORA / "timebank-1.2"
    paths = sorted(folder.glob("*.tml"))[:DOCUMENTS]
    if paths:
        report_corpus(paths)
    for count in LARGE:
        report_large(count)


def report_corpus(paths: list[Path]) -> None:
    """Score ten systems on some documents."""
    draw = random.Random(1)  # noqa: S311
    data = [path.read_bytes() for path in paths]
    written = [[spoil(one, draw) for one in data] for _ in range(SYSTEMS)]
    best = {"extract": float("inf"), "score": float("inf")}
    for _ in range(ROUNDS):
        gc.collect()
        begun = time.process_time()
        for one in (data, *written):
            for each in one:
                tlex.extract(tlex.parse(each))
        extracted = time.process_time()
        gc.collect()
        middle = time.process_time()
        gold = [tlex.parse(each, name=str(n)) for n, each in enumerate(data)]
        scorer = tlex.Scorer()
        figures = [
            scorer.score(gold, [tlex.parse(each, name=str(n)) for n, each in enumerate(system)]).f1
            for system in written
        ]
        scored = time.process_time()
        best["extract"] = min(best["extract"], extracted - begun)
        best["score"] = min(best["score"], scored - middle)
    ratio = best["score"] / best["extract"]
    print(f"{len(paths)} documents x {SYSTEMS} systems: score / extract {ratio:.2f}")
    print(f"  F1 {min(f for f in figures if f):.3f} to {max(f for f in figures if f):.3f}")
    show_limit("scoring ten systems, to extracting them", ratio, 3)


def spoil(data: bytes, draw: random.Random) -> bytes:
    """Leave out a fifth of the TLINKs of a TimeML file, and change the label of some."""

    def change(match: re.Match[bytes]) -> bytes:
        luck = draw.random()
        if luck < LOST:
            return b""
        label = draw.choice(LABELS).encode()
        return (
            re.sub(rb'relType="\w+"', b'relType="%s"' % label, match[0])
            if luck < WRONG
            else match[0]
        )

    return re.sub(rb"<TLINK[^>]*/>", change, data)


def report_large(count: int) -> None:
    """Score a document of so many links."""
    draw = random.Random(2)  # noqa: S311
    nodes = 2 * count // 5
    pairs = [(draw.randrange(nodes), draw.randrange(1, 40)) for _ in range(count)]
    links = [(f"e{one}", "BEFORE", f"e{one + far}") for one, far in pairs]
    gold, system = tlex.from_links(links), tlex.from_links(links[::2])
    begun = time.process_time()
    extracted = [tlex.extract(one).consistent for one in (gold, system)]
    middle = time.process_time()
    tracemalloc.start()
    found = tlex.score(gold, system, match="ids")
    figures = found.f1, found.documents[0].orders
    size = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    taken = time.process_time() - middle
    print(
        f"{count:,} links: {taken:.1f} s with memory traced, {taken / (middle - begun):.0f} times "
        f"the extraction of {len(extracted)} documents, {size:.0f} MB; F1 {figures[0]:.3f}"
    )


if __name__ == "__main__":
    main()
