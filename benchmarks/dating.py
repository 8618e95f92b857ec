"""What the calendar adds to TimeBank and MEANTIME, and what it costs.

The first table counts, without and with the calendar: the pairs of time-points whose order is known
(in the documents that are consistent both ways), the parts, and the contradictory documents. It
lists those that only the calendar contradicts. The second takes turns in one process: reading and
extracting TimeBank without and with the calendar, with nobody looking at the results (then no nouns
are made), and with the results as JSON. The third has up to 100,000 values.

(It is not called calendar.py, for then every script in this directory would import it in place of
the standard library's module.)

    python benchmarks/dating.py [ROUNDS]
"""

from __future__ import annotations

import math
import sys
import time

from floor import CORPORA, PATHS

import tlex
from tlex.calendar import add_calendar

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)


def main() -> None:
    """Print the tables."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    for name, ending in (("timebank-1.2", "*.tml"), ("meantime-en", "*.xml")):
        compare(name, [tlex.read(path) for path in sorted((CORPORA / name).rglob(ending))])
    measure(rounds)
    grow()


def compare(name: str, documents: list[tlex.Document]) -> None:
    """Print what is known of a corpus without and with the calendar."""
    plain = [tlex.extract(document) for document in documents]
    dated = [tlex.extract(document, calendar=True) for document in documents]
    both = [
        pair for pair in zip(plain, dated, strict=True) if all(result.consistent for result in pair)
    ]
    print(f"{name:36} {'without':>9} {'with':>9}")
    settled = [sum(count_settled(pair[side]) for pair in both) for side in (0, 1)]
    show(f"settled pairs, {len(both)} documents", *settled)
    show("parts", *(sum(len(one.components) for one in side) for side in (plain, dated)))
    show("contradictory", *(sum(not one.consistent for one in side) for side in (plain, dated)))
    show("links", *(sum(len(one.document.links) for one in side) for side in (plain, dated)))
    for one, other in zip(plain, dated, strict=True):
        if one.consistent and not other.consistent:
            print(f"  only with the calendar: {other.document.name.rsplit('/', 1)[-1]}")
    print()


def show(name: str, without: int, with_: int) -> None:
    """Print one line: two counts and how much the second is more."""
    more = f"{100 * (with_ / without - 1):+7.1f} %" if without else ""
    print(f"{name:36} {without:>9,} {with_:>9,} {more}")


def count_settled(result: tlex.Extraction) -> int:
    """Count the pairs of time-points whose order is known."""
    total = 0
    for timeline in result.timelines:
        points = 2 * len(timeline.intervals)
        total += points * (points - 1) // 2 - timeline.count_pairs()
    return total


def measure(rounds: int) -> None:
    """Print what the calendar costs on TimeBank, as ratios of the shortest times."""
    print(f"TimeBank: processor time, the shortest of {rounds} rounds")
    for name, finish in (("bare", id), ("as JSON", tlex.Extraction.to_json)):
        shortest = {False: math.inf, True: math.inf}
        for _ in range(rounds):
            for calendar, best in shortest.items():
                start = time.process_time()
                for path in PATHS:
                    finish(tlex.extract(tlex.read(path), calendar=calendar))
                shortest[calendar] = min(best, time.process_time() - start)
        without, with_ = (spent * 1e3 for spent in shortest.values())
        ratio = f"{with_ / without:.2f} x"
        print(
            f"read and extracted, {name:8} without {without:6.0f} ms, with {with_:6.0f} ms: {ratio}"
        )
    print()


def grow() -> None:
    """Print how the time for the calendar's links grows with the number of values."""
    print(f"{'times':>8} {'links':>8} {'ms':>8} {'us each':>8} {'us / k log k':>13}")
    for size in SIZES:
        marks = "".join(
            f'<TIMEX3 tid="t{number}" type="DATE" value="{value}">x</TIMEX3> '
            for number, value in enumerate(pick_values(size))
        )
        document = tlex.parse(f"<TimeML>{marks}</TimeML>")
        links = len(document.links)
        start = time.process_time()
        dated, _ = add_calendar(document)
        many = len(dated.links) - links
        spent = (time.process_time() - start) * 1e6
        rates = f"{spent / size:>8.1f} {spent / size / math.log2(size):>13.2f}"
        print(f"{size:>8,} {many:>8,} {spent / 1e3:>8.1f} {rates}")


def pick_values(size: int) -> list[str]:
    """Pick years, months, days and hours of forty years, in no order: more and more of them."""
    numbers = ((number * 7919) % (40 * 336 * 24) for number in range(size))
    values = []
    for place, number in enumerate(numbers):
        day, hour = divmod(number, 24)
        year, month = 1980 + day // 336, day % 336 // 28 + 1
        whole = f"{year}-{month:02}-{day % 28 + 1:02}T{hour:02}"
        values.append(whole[: (4, 7, 10, 13, 13, 13)[place % 6]])
    return values


if __name__ == "__main__":
    main()
