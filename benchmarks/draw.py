"""How long map and reading view take: layout and painting, against the extraction they show.

Documents of 1,250 to 5,000 events in three shapes. *story*: mostly one after the other, with
branches, nested branches and sections of unknown order; *side by side*: many bars over each other;
*deep*: every event in a branch of the one before. And TimeBank's largest document, where its files
are there (TLEX_CORPORA names the directory of corpora). Where there is a chromium, the pages of
5,000 events are opened in it as well: see `browser`.

    python benchmarks/draw.py
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from browser import report_pages

import tlex
from tlex.draw.layout import lay_out
from tlex.draw.reading.html_painter import paint as paint_html
from tlex.draw.reading.layout import lay_out_reading
from tlex.draw.svg_painter import paint

SIZES = (1_250, 2_500, 5_000)
CORPORA = Path(os.environ.get("TLEX_CORPORA", Path(__file__).parents[2] / "shared" / "corpora"))
Triple = tuple[str, str, str]
T = TypeVar("T")


def main() -> None:
    """Print one line a document."""
    print(f"{'picture':>14} {'events':>7} {'extract ms':>11} {'lay out':>9} {'paint':>9}", end="")
    print(f" {'MB':>6} {'reading':>9} {'paint':>9} {'MB':>6}")
    for shape, make in SHAPES.items():
        for size in SIZES:
            report(shape, tlex.from_links(make(size)))
    documents = [tlex.read(path) for path in sorted((CORPORA / "timebank-1.2").glob("*.tml"))]
    if documents:
        report("TimeBank's", max(documents, key=lambda document: len(document.nodes)))

    report_pages({shape: tlex.from_links(make(SIZES[-1])) for shape, make in SHAPES.items()})


def report(shape: str, document: tlex.Document) -> None:
    """Time the best of three runs; layout and painting of the map and of the reading view.

    They are multiples of the extraction.
    """
    extracted, (result, _) = best(lambda: extract(document))
    laid, picture = best(lambda: lay_out(result))
    painted, drawn = best(lambda: paint(picture))
    read, reading = best(lambda: lay_out_reading(result))
    written, page = best(lambda: paint_html(reading))
    print(
        f"{shape:>14} {len(result.nodes):>7,} {extracted * 1e3:>11.1f} "
        f"{laid / extracted:>7.1f} x {painted / extracted:>7.1f} x {len(drawn) / 1e6:>6.1f} "
        f"{read / extracted:>7.1f} x {written / extracted:>7.1f} x {len(page) / 1e6:>6.1f}"
    )


def extract(document: tlex.Document) -> tuple[tlex.Extraction, tlex.ExtractionRecord]:
    """Extract, and have everything looked at, as a picture does."""
    result = tlex.extract(document)
    return result, result.record()


def best(work: Callable[[], T]) -> tuple[float, T]:
    """Give the shortest of three times, and what came of it."""
    taken = []
    for _ in range(3):
        start = time.perf_counter()
        found = work()
        taken.append(time.perf_counter() - start)
    return min(taken), found


def tell_story(size: int) -> Iterator[Triple]:
    """Tell one thing after the other; every tenth leads off into what may have been."""
    dice = random.Random(7)  # noqa: S311 -- a benchmark, not a secret
    before = "e0"
    number = 1
    while number < size:
        name = f"e{number}"
        yield before, dice.choice(("BEFORE", "IBEFORE", "BEFORE", "INCLUDES")), name
        if number % 10 == 0:
            yield before, "MODAL", f"b{number}"
            yield f"b{number}", "BEFORE", f"c{number}"
            yield f"c{number}", "EVIDENTIAL", f"d{number}"
            number += 3
        if number % 7 == 0:
            yield before, "BEFORE", f"x{number}"
            number += 1
        else:
            before = name
        number += 1


def tell_aside(size: int) -> Iterator[Triple]:
    """Have all things happen after one and before another, in no order among themselves."""
    for number in range(size):
        yield "first", "BEFORE", f"e{number}"
        yield f"e{number}", "BEFORE", "last"


def tell_deep(size: int) -> Iterator[Triple]:
    """Put every event into a branch of the one before."""
    for number in range(1, size):
        yield f"e{number - 1}", "MODAL", f"e{number}"


SHAPES = {"story": tell_story, "side by side": tell_aside, "deep": tell_deep}


if __name__ == "__main__":
    main()
