"""Each reader's time against bare parsing of the same bytes.

Bare parsing is what any program in Python has to pay: ``xml.etree.ElementTree`` for XML, ``json``
for JSON, lines and columns for tables. Documents come from the corpora where there are some, or are
made up; they are read until there is something to measure. The two take turns in one process, and
the medians of their processor times are compared.

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
SIZE = 350
"""Events of a document that is made up: a long one of TimeBank."""


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
    found |= {form: [make(SIZE)] for form, make in MADE_UP.items()}
    pairs = [(number, number + 1) for number in range(SIZE)]
    names = [b"doc_%d" % number for number in range(36)]
    dense, matres = b"%b\te%d\te%d\tb\n", b"%b\tsaid\twent\t%d\t%d\tBEFORE\n"
    found["dense"] = [b"".join(dense % (name, *pair) for name in names for pair in pairs)]
    found["matres"] = [b"".join(matres % (name, *pair) for name in names for pair in pairs)]
    found["plain"] = [b"".join(b"e%d BEFORE e%d\n" % pair for pair in pairs)]
    found["json"] = [json.dumps(make_json(pairs)).encode()]
    return {form: documents for form, documents in found.items() if documents}


# Documents of SIZE events, each before the next, as the tools write them.


def make_anafora(size: int) -> bytes:
    """Entities and relations as in THYME."""
    entity = (
        "<entity><id>{0}@e@d@gold</id><span>{1},{2}</span><type>EVENT</type>"
        "<parentsType>TemporalEntities</parentsType><properties><DocTimeRel>BEFORE</DocTimeRel>"
        "<Polarity>POS</Polarity></properties></entity>"
    )
    relation = (
        "<relation><id>{0}@r@d@gold</id><type>TLINK</type><parentsType>TemporalRelations"
        "</parentsType><properties><Source>{0}@e@d@gold</Source><Type>BEFORE</Type>"
        "<Target>{1}@e@d@gold</Target></properties></relation>"
    )
    rows = [entity.format(n, 4 * n, 4 * n + 3) for n in range(size)]
    rows += [relation.format(n, n + 1) for n in range(size - 1)]
    return f"<data><annotations>{chr(10).join(rows)}</annotations></data>".encode()


def make_xmi(size: int) -> bytes:
    """Slots as in E3C."""
    event = (
        '<c:EVENT xmi:id="{0}" sofa="1" begin="{1}" end="{2}" TLINK="{3}" docTimeRel="BEFORE" '
        'polarity="POS"/>'
    )
    link = '<c:EVENTTLINKLink xmi:id="{0}" role="BEFORE" target="{1}"/>'
    rows = [event.format(n + 10, 4 * n, 4 * n + 3, n + 10_000) for n in range(size)]
    rows += [link.format(n + 10_000, min(n + 1, size - 1) + 10) for n in range(size)]
    head = (
        '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" '
        'xmlns:c="http:///webanno/custom.ecore">'
        '<c:METADATA xmi:id="2" sofa="1" begin="0" end="0" docTime="2020-05-01"/>'
    )
    text = "ran " * size
    sofa = f'<cas:Sofa xmi:id="1" sofaNum="1" sofaString="{text}"/></xmi:XMI>'
    return "\n".join([head, *rows, sofa]).encode()


def make_casjson(size: int) -> bytes:
    """A relation layer of INCEpTION."""
    text = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaString": "ran " * size}
    spans = [
        {"%ID": n + 10, "%TYPE": "custom.Span", "@sofa": 1, "begin": 4 * n, "end": 4 * n + 3}
        for n in range(size)
    ]
    relations = [
        {"%ID": n + 10_000, "%TYPE": "custom.Relation", "@sofa": 1, "begin": 0, "end": 3}
        | {"@Governor": n + 10, "@Dependent": n + 11, "label": "BEFORE"}
        for n in range(size - 1)
    ]
    return json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": [text, *spans, *relations]}).encode()


def make_mae(size: int) -> bytes:
    """Tags as in i2b2."""
    event = (
        '<EVENT id="E{0}" start="{1}" end="{2}" text="ran" modality="FACTUAL" polarity="POS" '
        'type="OCCURRENCE" />'
    )
    link = (
        '<TLINK id="TL{0}" fromID="E{0}" fromText="ran" toID="E{1}" toText="ran" type="BEFORE" />'
    )
    rows = [event.format(n, 4 * n, 4 * n + 3) for n in range(size)]
    rows += [link.format(n, n + 1) for n in range(size - 1)]
    tags = "\n".join(rows)
    return f"<T><TEXT><![CDATA[{'ran ' * size}]]></TEXT><TAGS>{tags}</TAGS></T>".encode()


def make_eventfull(size: int) -> bytes:
    """Mentions and pairs as EventFull exports them."""
    mention = {"tokens": "ran", "axisType": "main", "eventIndex": 0, "corefState": "unknown"}
    return json.dumps(
        {
            "tokens": ["ran"] * size,
            "allMentions": [{**mention, "m_id": str(n), "tokens_ids": [n]} for n in range(size)],
            "allPairs": [
                {"_firstId": str(n), "_secondId": str(n + 1), "_relation": "before/cause"}
                for n in range(size - 1)
            ],
        }
    ).encode()


def make_maven(size: int) -> bytes:
    """Three documents whose relations are closed under inference."""
    few = round((2 * size) ** 0.5)
    events = [
        {"id": f"EVENT_{n:032d}", "type": "Motion"}
        | {"mention": [{"id": f"m{n}", "trigger_word": "ran", "sent_id": 0, "offset": [n, n + 1]}]}
        for n in range(few)
    ]
    pairs = [[f"EVENT_{n:032d}", f"EVENT_{m:032d}"] for n in range(few) for m in range(n + 1, few)]
    line = {"id": "d", "tokens": [["ran"] * few], "events": events, "TIMEX": []}
    return (json.dumps({**line, "temporal_relations": {"BEFORE": pairs}}) + "\n").encode() * 3


def make_brat(size: int) -> bytes:
    """Spans and relations."""
    marks = [b"T%d\tEvent %d %d\tran\n" % (n, 4 * n, 4 * n + 3) for n in range(size)]
    links = [b"R%d\tBEFORE Arg1:T%d Arg2:T%d\t\n" % (n, n, n + 1) for n in range(size - 1)]
    return b"".join([*marks, *links])


MADE_UP: dict[str, Callable[[int], bytes]] = {
    "anafora": make_anafora,
    "xmi": make_xmi,
    "mae": make_mae,
    "casjson": make_casjson,
    "eventfull": make_eventfull,
    "maven": make_maven,
    "brat": make_brat,
}


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
    start = time.process_time()
    for _ in range(times):
        for data in documents:
            task(data)
    return time.process_time() - start


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
