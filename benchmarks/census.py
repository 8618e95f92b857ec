"""A census of corpora: how many documents contradict themselves, and what it takes to mend them.

    python benchmarks/census.py [-o PAGE] DIR...

Each DIR is a corpus. What is known of it (where it is published, its licence, the labels it needs)
stands in `KNOWN`, by the name of the directory; other corpora are counted without that. The page
``docs/corpora.md`` is what this prints for the corpora that the project has.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from math import ceil
from pathlib import Path
from typing import NamedTuple

import tlex
from tlex.errors import NotRecognisedError, ReadError
from tlex.files import walk, write_atomically
from tlex.nouns import Code
from tlex.readers import read_all
from tlex.readers.diagnostics import count_unknown_labels
from tlex.repair.search import find_repair

HEAD = """# Corpora

Made by `python benchmarks/census.py DIR...`, which anyone can run on the corpora they have.
*TLINKs* counts the documents whose TLINKs contradict each other, and *with ALINKs* those whose
TLINKs and ALINKs do. *Repair* is the smallest number of links to remove from all of these together,
with its bounds where a search ended at its limit. *Time* is processor time for reading, extracting
twice and repairing, in one process.

The N2 corpus, which is made with the same tool as ProppLearner and has the same format, is not
available, so it has no row. *Samples* are a few documents of a corpus.

| corpus | published | licence | format | documents | TLINKs | with ALINKs | repair | time |
| --- | --- | --- | --- | --: | --: | --: | --: | --: |
"""


class Known(NamedTuple):
    """What is known of a corpus apart from its files."""

    name: str
    published: str
    licence: str
    labels: str | None = None


KNOWN = {
    "timebank-1.2": Known("TimeBank 1.2", "LDC2006T08", "LDC"),
    "meantime-en": Known("MEANTIME, English", "newsreader-project.eu", "CC BY"),
    "propplearner": Known("ProppLearner, words masked", "Finlayson 2017", "tales under copyright"),
    "frtimebank": Known("French TimeBank 1.1, samples", "github.com/ddenz/FR-TimeBank", "LGPL-LR"),
    "timeset": Known("TimeSET, samples", "github.com/kimihiroh/timeset", "CC BY 4.0", "timeset"),
    "caters": Known("CaTeRS", "", "none stated", "caters"),
    "eventfull": Known("EventFull's example", "github.com/AlonEirew/EventFull", "MIT"),
    "caevo-tables": Known("CAEVO, one document", "github.com/nchambers/caevo", "BSD-like"),
    "e3c": Known("E3C", "", "CC BY-NC"),
    "thyme": Known("THYME", "", "none stated; notes by agreement"),
    "maven-ere": Known("MAVEN-ERE", "github.com/THU-KEG/MAVEN-ERE", "GPL-3.0"),
}
"""By the name of the directory, in lower case."""


class Row(NamedTuple):
    """A row of the table."""

    folder: Path
    formats: str
    documents: int
    tlinks: int
    both: int
    repair: int
    least: int
    seconds: float
    failed: int
    unknown: Counter[str]


def count(folder: Path) -> Row:
    """Read a corpus and count."""
    known = KNOWN.get(folder.name.lower())
    formats: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    tlinks = both = repair = least = failed = 0
    began = time.process_time()
    for one in walk(str(folder)):
        if one.kind != "file":
            continue
        try:
            documents = read_all(one.path, labels=known.labels if known else None)
        except NotRecognisedError:
            continue
        except ReadError as error:
            print(error, file=sys.stderr)
            failed += 1
            continue
        for document in documents:
            formats[document.format] += 1
            unknown.update(
                count_unknown_labels(
                    problem.message
                    for problem in document.diagnostics
                    if problem.code == Code.UNKNOWN_TYPE
                )
            )
            tlinks += not tlex.extract(document, links=["TLINK"]).consistent
            result = tlex.extract(document)
            if not result.consistent:
                both += 1
                found = find_repair(result)
                repair += len(found.removed)
                least += ceil(found.bound)
    seconds = time.process_time() - began
    return Row(
        folder,
        ", ".join(formats),
        formats.total(),
        tlinks,
        both,
        repair,
        least,
        seconds,
        failed,
        unknown,
    )


def write(row: Row) -> str:
    """Write a row in Markdown."""
    known = KNOWN.get(row.folder.name.lower()) or Known(row.folder.name, "", "")
    repair = f"{row.repair:,}" if row.least == row.repair else f"{row.least:,} to {row.repair:,}"
    cells = (
        known.name,
        known.published,
        known.licence,
        row.formats,
        f"{row.documents:,}",
        f"{row.tlinks:,}",
        f"{row.both:,}",
        repair,
        f"{row.seconds:.1f} s",
    )
    return f"| {' | '.join(cells)} |\n"


def main() -> int:
    """Print the page, or write it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, help="write the page into this file")
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    asked = parser.parse_args()
    rows = [count(folder) for folder in asked.folders]
    page = HEAD + "".join(map(write, rows))
    for row in rows:
        for line, number in row.unknown.items():
            print(f"{row.folder}: {number:,} documents: {line}", file=sys.stderr)
    if asked.output is None:
        print(page, end="")
    else:
        write_atomically(asked.output, page.encode())
    return int(any(row.failed for row in rows))


if __name__ == "__main__":
    sys.exit(main())
