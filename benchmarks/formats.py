"""Each reader's time against bare parsing of the same bytes.

Bare parsing is what any program in Python has to pay: ``xml.etree.ElementTree`` for XML, ``json``
for JSON, lines and columns for tables. Documents come from the corpora where there are some, from
the test data, or are made up; they are read until there is something to measure. The two take turns
in one process and are compared by their medians.

    python benchmarks/formats.py [ROUNDS]
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

from tlex.readers import FORMATS, parse_all

CORPORA = Path(os.environ.get("TLEX_CORPORA", Path(__file__).parents[2] / "shared" / "corpora"))
DATA = Path(__file__).parents[1] / "tests" / "data"
ENDINGS = frozenset((".tml", ".xml", ".sty"))
ENOUGH = 2_000_000
"""Bytes of each format to read in a round."""


def parse_xml(data: bytes) -> None:
    """Parse, and copy the attributes out."""
    [(element.tag, element.text, dict(element.attrib)) for element in ET.fromstring(data).iter()]  # noqa: S314


def parse_json(data: bytes) -> None:
    """Parse with the standard library."""
    json.loads(data)


def parse_json_lines(data: bytes) -> None:
    """Parse each line with the standard library."""
    [json.loads(line) for line in data.splitlines()]


def parse_lines(data: bytes) -> None:
    """Split into lines and words."""
    [line.split() for line in data.decode().splitlines()]


BARE: dict[str, Callable[[bytes], None]] = {
    "timeml": parse_xml,
    "cat": parse_xml,
    "anafora": parse_xml,
    "sty": parse_xml,
    "xmi": parse_xml,
    "mae": parse_xml,
    "casjson": parse_json,
    "eventfull": parse_json,
    "maven": parse_json_lines,
    "json": parse_json,
}


def collect() -> dict[str, list[bytes]]:
    """Find documents of each format, or make them up."""
    found: dict[str, list[bytes]] = {form: [] for form in FORMATS}
    folders = {
        "timeml": CORPORA / "timebank-1.2",
        "cat": CORPORA / "meantime-en",
        "sty": CORPORA / "propplearner",
    }
    for form, folder in folders.items():
        paths = [
            path for path in sorted(folder.rglob("*")) if path.suffix in {".tml", ".xml", ".sty"}
        ]
        found[form] = [path.read_bytes() for path in paths]
    found["sty"] = found["sty"] or [(DATA / "tale.sty").read_bytes()]
    found["anafora"] = [(DATA / "anafora.TimeML.gold.completed.xml").read_bytes()]
    small = {"xmi": "e3c.xmi", "mae": "mae.xml", "casjson": "cas.json"}
    small |= {"eventfull": "eventfull.json", "maven": "maven.jsonl"}
    found |= {form: [(DATA / name).read_bytes()] for form, name in small.items()}
    pairs = [(number, number + 1) for number in range(350)]
    names = [b"doc_%d" % number for number in range(36)]
    dense, matres = b"%b\te%d\te%d\tb\n", b"%b\tsaid\twent\t%d\t%d\tBEFORE\n"
    found["dense"] = [b"".join(dense % (name, *pair) for name in names for pair in pairs)]
    found["matres"] = [b"".join(matres % (name, *pair) for name in names for pair in pairs)]
    found["plain"] = [b"".join(b"e%d BEFORE e%d\n" % pair for pair in pairs)]
    found["brat"] = [
        b"".join(b"T%d\tEvent 0 3\tran\n" % one for one, _ in pairs)
        + b"".join(b"R%d\tBEFORE Arg1:T%d Arg2:T%d\t\n" % (one, one, other) for one, other in pairs)
    ]
    found["json"] = [json.dumps(make_json(pairs)).encode()]
    return {form: documents for form, documents in found.items() if documents}


def make_json(pairs: list[tuple[int, int]]) -> dict[str, object]:
    """Make up a document in tlex's own JSON."""
    return {
        "schema": "tlex-document/1",
        "events": [{"id": f"e{number}", "text": "went", "class": "STATE"} for number, _ in pairs],
        "links": [
            {"source": f"e{one}", "type": "BEFORE", "target": f"e{other}", "weight": 0.5}
            for one, other in pairs[:-1]
        ],
    }


def measure(task: Callable[[bytes], object], documents: list[bytes], times: int) -> float:
    """Say how long a task takes for all documents."""
    start = time.perf_counter()
    for _ in range(times):
        for data in documents:
            task(data)
    return time.perf_counter() - start


def main() -> None:
    """Print the table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(f"{'format':<9} {'files':>6} {'bytes':>10} {'bare':>10} {'read':>10}")
    for form, documents in collect().items():
        size = sum(map(len, documents))
        times = max(1, ENOUGH // size)
        bare, read = [], []
        for _ in range(rounds):
            bare.append(measure(BARE.get(form, parse_lines), documents, times))
            read.append(measure(parse_all, documents, times))
        one, other = statistics.median(bare), statistics.median(read)
        print(
            f"{form:<9} {len(documents):>6} {size:>10,}"
            f" {1000 * one:>7.1f} ms {1000 * other:>7.1f} ms {other / one:>6.2f} x"
        )


if __name__ == "__main__":
    main()
