"""The calendar: what the values of a document's times say about their order."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

from tlex.calendar import find_values
from tlex.timex import Bounds

ROOT = Path(__file__).parents[1]


def test_the_counts_of_the_page_are_those_of_the_corpora(timebank, meantime):
    counts = Counter()
    for corpus, documents in (("timebank-1.2", timebank), ("meantime-en", meantime)):
        for document in documents.values():
            for timex, bounds in zip(document.timexes, find_values(document), strict=True):
                kind = bounds.kind if isinstance(bounds, Bounds) else str(bounds)
                shape = re.sub("[0-9]", "9", (timex.value or "").strip())
                counts[corpus, kind, shape] += 1

    with (ROOT / "docs" / "calendar_counts.csv").open(encoding="utf-8", newline="") as file:
        rows = [tuple(row) for row in csv.reader(file)][1:]

    assert {row[:3]: int(row[3]) for row in rows} == counts
