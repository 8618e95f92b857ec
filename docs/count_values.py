"""Count the kinds of TIMEX3 values in corpora, for the page on the calendar.

python docs/count_values.py CORPORA > docs/calendar_counts.csv

CORPORA is a directory with one directory per corpus. Files that cannot be read are left out.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter
from pathlib import Path

import tlex
from tlex.calendar import find_values
from tlex.timex import Bounds


def main() -> None:
    """Write one row for each corpus, kind of value and shape of value."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for path in sorted(Path(sys.argv[1]).rglob("*")):
        if path.suffix not in {".tml", ".xml", ".sty"}:
            continue
        corpus = path.relative_to(sys.argv[1]).parts[0]
        document = tlex.read(path)
        for timex, bounds in zip(document.timexes, find_values(document), strict=True):
            kind = bounds.kind if isinstance(bounds, Bounds) else str(bounds)
            counts[corpus, kind, shape_of(timex.value or "")] += 1
    rows = csv.writer(sys.stdout, lineterminator="\n")
    rows.writerow(("corpus", "kind", "shape", "count"))
    rows.writerows((*key, number) for key, number in sorted(counts.items()))


def shape_of(value: str) -> str:
    """Give a value with every digit as 9."""
    return re.sub("[0-9]", "9", value.strip())


if __name__ == "__main__":
    main()
