"""Feed tlex documents that are broken in some way, and see that it stays calm: ``make fuzz``.

::

    python tests/fuzz.py [SECONDS] [SEED]          for a while; the default is a minute, seed 1
    python tests/fuzz.py --cases 500 --seed 7      a number of documents
    python tests/fuzz.py --seed 7 --only 31        one document of these again
    python tests/fuzz.py --replay FILE             the same from the file that was kept

Each document is made from a good one (the examples, the test data, the corpora if they are there,
or one made up on the spot) by a few random changes, and depends on nothing but the seed and its
number. It is read, extracted, written and verified, and some commands are run on it: which ones
depends on its bytes, so that all commands get their turn. Either tlex reads it, and what it says of
it holds together, or it rejects it with one of its own errors and a place; anything else ends the
run, and the document is kept in a file of the current directory.
"""
# ruff: noqa: S311 -- random on purpose

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import signal
import sys
import tempfile
import time
import traceback
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count, pairwise
from pathlib import Path
from random import Random
from typing import Any

import tlex
from tlex.algebra import LABELS
from tlex.cli.app import run as run_command
from tlex.export import convert
from tlex.export import link_changes as rewriting
from tlex.graph import list_relations
from tlex.lint import choose_rules
from tlex.lint.reports.text import show_findings
from tlex.readers import parse_all
from tlex.wording import clean

ROOT = Path(__file__).resolve().parents[1]
ZIPPED = "tests/data/e3c.xmi"
PATIENCE = 30
"""Seconds after which a single document counts as a hang."""

TAG = re.compile(rb"<[^<>]*>")
VALUE = re.compile(rb'(\s[\w:]+=)"([^"<]*)"')
ELEMENTS = [b"EVENT", b"TIMEX3", b"SIGNAL", b"MAKEINSTANCE", b"TLINK", b"SLINK", b"ALINK", b"s"]
KEYS = [
    *(b"eid", b"eiid", b"tid", b"sid", b"lid", b"eventID", b"signalID", b"eventInstanceID"),
    *(b"timeID", b"relatedToEventInstance", b"relatedToTime", b"subordinatedEventInstance"),
    *(b"relType", b"type", b"value", b"weight", b"polarity", b"modality"),
]
TYPES = [label.encode() for table in LABELS.values() for label in table]
VALUES = [
    *(b"", b" ", b"\t", b"&#10;", b"&#0;", b"&x;", b"&lt;", b"-1", b"nan", b"1e999", b"e1", b"t0"),
    *(b"x" * 5000, b"9" * 5000, b"TLINK@3:1", b"\xff", b"\xc3\xa9", b"\xf0\x9d\x84\x9e", b"'"),
    *(b"TIME", b"before ", b"OVERLAPP", b"NEG", b"None", b"l1", b"ei1"),
]
SNIPPETS = [
    *(b"<![CDATA[", b"]]>", b"<!--", b"-->", b"<?x", b"?>", b"&x;", b"&#xD800;", b"&#x10FFFF;"),
    *(b"\0", b"\xef\xbb\xbf", b"\xff\xfe", b"<", b">", b"/>", b"</EVENT>", b"<EVENT>", b'"', b"&"),
    *(b'<!DOCTYPE TimeML SYSTEM "x.dtd">', b'<!DOCTYPE a [<!ENTITY x "y">]>', b"<a>" * 300),
    *(b"<TLINK/>", b"<SLINK lid=''/>", b"<EVENT eid='e1'/>", b"<MAKEINSTANCE eiid='ei1'/>"),
    *(
        b"<TIMEX3 tid='t0'/>",
        b"<?xml version='1.0' encoding='utf-16'?>",
        b"</TimeML>",
        b"\r",
        b"\n",
    ),
]
HEADS = [b"", *(f'<?xml version="1.0" encoding="{name}"?>'.encode() for name in (
    "utf-8", "UTF-16", "iso-8859-1", "windows-1252", "koi8-r", "us-ascii", "shift_jis", "nonsense"
))]  # fmt: skip

XML = ("timeml", "cat", "anafora", "sty", "xmi", "mae")
EVERY_RULE = choose_rules(["ALL"])


class BrokenError(Exception):
    """What tlex says of a document does not hold together."""


class HangError(Exception):
    """A single document takes far too long."""


# --- what must hold -----------------------------------------------------------------------------


def check(data: bytes) -> str:
    """Read, extract, write and verify a document; say what became of it."""
    try:
        documents = parse_all(data, name="fuzz")
    except tlex.ReadError as error:
        demand(error.line is not None and error.column is not None, "rejected without a place")
        demand(str(error).startswith(f"fuzz:{error.line}:{error.column}: "), "an odd message")
        return type(error).__name__
    outcomes = {check_one(document, data) for document in documents}
    look_again(documents, data)
    use_commands(data, [node.id for node in documents[0].nodes[:2]] if documents else [])
    return max(outcomes, key=len)


def check_one(document: tlex.Document, data: bytes) -> str:
    """Look at one of the documents that a file may hold."""
    if data.startswith(b"PK"):
        data = document.source.data
    look_at(document, data)
    convert_and_back(document)
    for times in ("interval", "point"):
        result = tlex.extract(document, times=times)
        report = tlex.ExtractionRecord.from_json(result.to_json())
        demand(report == result.record(), "the JSON does not say what the report says")
        tlex.verify(document, result)
        look_with_lint(result, data)
        if document.format == "timeml":
            write_anew(document, result, times)
    return "read" if result.consistent else "read, inconsistent"


def look_at(document: tlex.Document, data: bytes) -> None:
    """Look whether a document holds together: places, spans, ids, diagnostics."""
    nouns = (*document.events, *document.instances, *document.timexes, *document.signals)
    for noun in (*nouns, *document.links):
        data = document.source.data
        cut = data[noun.byte_start : noun.byte_end]
        demand(0 <= noun.byte_start < noun.byte_end <= len(data), f"{noun.id!r} is out of the file")
        if document.format not in XML:
            continue
        demand(cut.strip(b"\0")[:1] == b"<", f"{noun.id!r} does not begin with a tag")
        demand(cut.strip(b"\0")[-1:] == b">", f"{noun.id!r} does not end with a tag")
    for noun in nouns:
        inside = noun.text_start <= noun.text_end <= len(document.text)
        demand(inside, f"{noun.id!r} is out of the text")
    links = [link.id for link in document.links]
    demand(all(links) and len(set(links)) == len(links), "a link has no id of its own")
    demand([node.id for node in document.nodes] == list(document.index), "an id is lost")
    demand(document.relations in (None, list_relations(document)), "links and columns disagree")
    for diagnostic in document.diagnostics:
        placed = diagnostic.line is not None and diagnostic.column is not None
        demand(placed and bool(diagnostic.message), "a diagnostic without a place")
    starts = [
        diagnostic.offset for diagnostic in document.diagnostics if diagnostic.offset is not None
    ]
    demand(all(one <= other for one, other in pairwise(starts)), "diagnostics out of order")


def convert_and_back(document: tlex.Document) -> None:
    """Look whether a document that is written can be read, with its text and its nodes."""
    for target in ("timeml", "json"):
        again = tlex.parse(convert(document, target)[0], name="fuzz", max_bytes=1 << 30)
        kept = len(again.nodes) == len(document.nodes)
        demand(kept, f"{target} has other nodes: {len(again.nodes)}, not {len(document.nodes)}")
        same = again.text == document.text or "\ufffd" in again.text or "&" in document.text
        demand(same, f"{target} has another text")


def write_anew(document: tlex.Document, result: tlex.Extraction, times: str) -> None:
    """Look whether a document with links added or taken out has the timelines it had."""
    closure, reduction = result.closure(), result.reduction()
    new = [link for link in closure.links if not link.links]
    for data in (
        rewriting.add_links(document, new),
        rewriting.remove_links(document, reduction.dropped),
    ):
        again = tlex.extract(tlex.parse(data, name="fuzz"), times=times)
        for one, other in zip(result.timelines, again.timelines, strict=True):
            same = (one.intervals, one.points) == (other.intervals, other.points)
            demand(same, "a link that follows changes a timeline")
    demand(again.reduction().dropped == (), "the reduction can be reduced")
    for one, other in pairwise(result.nodes[:20]):
        why = result.why(one.id, other.id)
        demand(bool(why.proofs or why.witnesses) == bool(why.relation.relations), "nothing proven")


def look_again(documents: tuple[tlex.Document, ...], data: bytes) -> None:
    """Look whether ``strict`` raises if, and only if, there is an error."""
    wrong = any(
        diagnostic.severity == "error"
        for document in documents
        for diagnostic in document.diagnostics
    )
    try:
        parse_all(data, name="fuzz", strict=True)
    except tlex.ReadError as error:
        demand(wrong and type(error).__name__ == "StrictError", "strict without a reason")
    else:
        demand(not wrong, "strict lets an error through")


def look_with_lint(result: tlex.Extraction, data: bytes) -> None:
    """Look whether every finding has a place, and can be shown on a terminal."""
    checked = tlex.check(result, select=EVERY_RULE)
    for finding in checked.findings:
        offset, end = finding.offset, finding.end_offset
        demand(offset is not None and 0 <= offset <= len(data), f"{finding.code} has no place")
        demand(end is None or offset < end <= len(data), f"{finding.code} ends nowhere")
        demand(finding.message.strip() != "", f"{finding.code} says nothing")
    codes = {finding.code[:4] for finding in checked.findings}
    demand(("TLX2" in codes) == (not result.consistent), "a contradiction is not reported")
    for line in show_findings(checked):
        demand(clean(line) == line, "a line that steers the terminal")


COMMANDS = (
    "extract {file} --json --pairs --calendar",
    "extract {file} --mend --verify",
    "check {file} --all --calendar",
    "check {file} --sarif",
    "check {file} --github",
    "fix {file} --json --seconds 2",
    "fix {file} --relabel --seconds 2",
    "fix {file} --write --seconds 2",
    "fix {file} --calendar --seconds 2 --patch {out}/p.json",
    "fix {file} --confidence --seconds 2 -o {out}/fixed/",
    "decode {file} --json --seconds 2",
    "closure {file} -o {out}/closed.tml",
    "closure {file} --calendar",
    "reduce {file} -o {out}/reduced.tml",
    "reduce {file} --json",
    "convert {file} --to timeml --calendar -o {out}/x.tml",
    "convert {file} --to json -o {out}/x.json",
    "convert {file} --to brat -o {out}/brat/",
    "convert {file} --to dot -o {out}/dot/",
    "convert {file} --to csv -o {out}/csv --losses",
    "draw {file}",
    "draw {file} --calendar -o {out}/svg/ --as svg",
    "draw {file} --mend -o {out}/html/ --as html",
    "view {file} --export {out}/pages",
    "events {file} --json",
    "events {file} --before 2000-01-01",
    "score {file} {file} --json",
    "score {story} {file}",
    "diff {file} {file} --follows",
    "diff {file} {story} --json",
    "agree {file} {story} --json",
    "merge {file} {story} -o {out}/merged.json",
    "ask {file} {first}|BEFORE|{second} --json",
    "relation {file} {first} {second} --json",
    "why {file} {first} {second}",
)
"""Lines of commands: all that read documents, except ``corpus run``, which starts processes."""

AT_ONCE = 3


def use_commands(data: bytes, ids: list[str]) -> None:
    """Run some commands on a file; each must answer, or say in a line what is wrong."""
    start = zlib.crc32(data)
    chosen = [COMMANDS[(start + step) % len(COMMANDS)] for step in range(AT_ONCE)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "x.tml")
        file.write_bytes(data)
        names = {
            "file": str(file),
            "out": folder,
            "story": str(ROOT / "examples" / "story.tml"),
            "first": ids[0] if ids else "a",
            "second": ids[-1] if ids else "b",
        }
        for line in chosen:
            words = [word.replace("|", " ").format(**names) for word in line.split()]
            out = io.TextIOWrapper(io.BytesIO(), "utf-8")
            err = io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace")
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = run_command(words)
                err.flush()
            said = err.buffer.getvalue().decode("utf-8", "replace")
            demand(code in {0, 1, 2}, f"{line}: exit code {code}")
            demand("fault of tlex" not in said, f"{line}: {said}")
            demand(code != 2 or said != "", f"{line}: fails without a word")


def demand(condition: bool, message: str) -> None:  # noqa: FBT001 -- an assertion with a name
    if not condition:
        raise BrokenError(message)


# --- how documents are made ---------------------------------------------------------------------


def collect(choice: str = "all") -> list[bytes]:
    """Give the good documents to start from: ``own``, those of the ``corpora``, or ``all``."""
    folders = []
    if choice != "corpora":
        folders += [ROOT / "examples", ROOT / "tests" / "data"]
    if choice != "own":
        beside = ROOT.parent / "shared" / "corpora"
        folders.append(Path(os.environ.get("TLEX_CORPORA") or beside))
    endings = {".tml", ".xml", ".sty", ".ann", ".xmi", ".jsonl", ".tsv", ".json", ".txt"}
    files = [
        path
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.suffix in endings and path.name != "sarif-2.1.0.json"
        if path.suffix != ".txt" or not path.with_suffix(".ann").exists()  # the text of another
    ]
    found = [path.read_bytes() for path in files]
    return found if choice == "corpora" else [*found, pack((ROOT / ZIPPED).read_bytes())]


def pack(data: bytes) -> bytes:
    """Put a document into a zip archive, as INCEpTION exports it; the bytes are always the same."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(zipfile.ZipInfo("x.xmi"), data)
    return out.getvalue()


def make(seed: int, number: int, sources: list[bytes]) -> bytes:
    """Make document ``number`` of a run."""
    random = Random(f"{seed}/{number}")  # a string: the same whatever the hash seed
    data = make_up(random) if random.random() < 0.2 else random.choice(sources)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 5))):
        changes = CHANGES
        if random.random() < 0.6 and not data.startswith(b"<"):  # else it would be no format
            changes = JSON_CHANGES if data.startswith(b"{") else LINE_CHANGES
        data = random.choice(changes)(random, data, sources)
    return data


def make_up(random: Random) -> bytes:
    """Write a small document with any links at all."""
    size = random.randint(1, 12)
    words = [
        f'<EVENT eid="e{n}">w{n}</EVENT> <MAKEINSTANCE eventID="e{n}" eiid="ei{n}"/>\n'
        for n in range(1, size + 1)
    ]
    times = [
        f'<TIMEX3 tid="t{n}" type="{random.choice(["TIME", "DATE"])}">t</TIMEX3>\n'
        for n in range(2)
    ]
    body = "".join([*words, *times]).encode()
    return b"<TimeML>\n" + body + b"".join(write_links(random, body)) + b"</TimeML>\n"


def write_links(random: Random, data: bytes) -> Iterator[bytes]:
    """Write links between any two ids of a document."""
    ids = re.findall(rb'(?:eiid|tid)="([^"<]*)"', data) or [b"x"]
    for number in range(random.randint(1, 20)):
        kind = random.choice((b"TLINK", b"TLINK", b"TLINK", b"SLINK", b"ALINK"))
        label = random.choice(list(LABELS[kind.decode()])).encode()
        ends = (
            b"eventInstanceID",
            (b"subordinatedEventInstance" if kind == b"SLINK" else b"relatedToEventInstance"),
        )
        yield b'<%s lid="x%d" relType="%s" %s="%s" %s="%s"/>\n' % (
            *(kind, number, label),
            *(ends[0], random.choice(ids), ends[1], random.choice(ids)),
        )


def cut(random: Random, data: bytes, most: int = 400) -> tuple[int, int]:
    start = random.randint(0, len(data))
    return start, min(len(data), start + random.randint(0, most))


def pick(random: Random, pattern: re.Pattern[bytes], data: bytes) -> tuple[int, int]:
    """Choose a place where a pattern matches, if it does anywhere."""
    found = [match.span() for match in pattern.finditer(data)]
    return random.choice(found) if found else cut(random, data)


def change_bytes(random: Random, data: bytes, _: list[bytes]) -> bytes:
    changed = bytearray(data)
    for _ in range(random.randint(1, 8) if data else 0):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def insert_bytes(random: Random, data: bytes, _: list[bytes]) -> bytes:
    at, _end = cut(random, data)
    return data[:at] + random.randbytes(random.randint(1, 30)) + data[at:]


def insert_snippet(random: Random, data: bytes, _: list[bytes]) -> bytes:
    _start, at = pick(random, TAG, data) if random.random() < 0.5 else cut(random, data)
    return data[:at] + random.choice(SNIPPETS) + data[at:]


def drop_slice(random: Random, data: bytes, _: list[bytes]) -> bytes:
    start, end = cut(random, data)
    return data[:start] + data[end:]


def repeat_slice(random: Random, data: bytes, _: list[bytes]) -> bytes:
    start, end = cut(random, data)
    return data[:end] + data[start:end] * random.randint(1, 5) + data[end:]


def swap_slices(random: Random, data: bytes, _: list[bytes]) -> bytes:
    a, b, c, d = sorted(random.randint(0, len(data)) for _ in range(4))
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def truncate(random: Random, data: bytes, _: list[bytes]) -> bytes:
    at, _end = cut(random, data)
    return data[:at] if random.random() < 0.8 else data[at:]


def splice(random: Random, data: bytes, sources: list[bytes]) -> bytes:
    """Join the head of one document to the tail of another, at tags."""
    other = random.choice(sources)
    _start, at = pick(random, TAG, data)
    start, _end = pick(random, TAG, other)
    return data[:at] + other[start:]


def drop_tag(random: Random, data: bytes, _: list[bytes]) -> bytes:
    start, end = pick(random, TAG, data)
    return data[:start] + data[end:]


def repeat_tag(random: Random, data: bytes, _: list[bytes]) -> bytes:
    start, end = pick(random, TAG, data)
    return data[:end] + data[start:end] * random.choice((1, 1, 2, 300)) + data[end:]


def move_tag(random: Random, data: bytes, _: list[bytes]) -> bytes:
    start, end = pick(random, TAG, data)
    rest = data[:start] + data[end:]
    _start, at = pick(random, TAG, rest)
    return rest[:at] + data[start:end] + rest[at:]


def rename_element(random: Random, data: bytes, _: list[bytes]) -> bytes:
    old, new = random.choice(ELEMENTS), random.choice(ELEMENTS)
    return re.sub(rb"(</?)%s\b" % old, rb"\g<1>" + new, data, count=random.choice((0, 1, 2)))


def change_values(random: Random, data: bytes, _: list[bytes]) -> bytes:
    """Replace some attributes' values, by nasty ones or by those of other attributes."""
    known = [match[2] for match in VALUE.finditer(data)] or VALUES
    chance = random.choice((0.01, 0.1, 0.5))

    def change(match: re.Match[bytes]) -> bytes:
        if random.random() > chance:
            return match[0]
        value = random.choice(random.choice((known, known, TYPES, VALUES)))
        return b'%s"%s"' % (match[1], value)

    return VALUE.sub(change, data)


def drop_attribute(random: Random, data: bytes, _: list[bytes]) -> bytes:
    chance = random.choice((0.01, 0.1, 0.5))
    return VALUE.sub(lambda match: b"" if random.random() < chance else match[0], data)


def rename_attribute(random: Random, data: bytes, _: list[bytes]) -> bytes:
    old, new = random.choice(KEYS), random.choice(KEYS)
    return re.sub(rb"(\s)%s=" % old, rb"\g<1>%s=" % new, data, count=random.choice((0, 1, 5)))


def add_links(random: Random, data: bytes, _: list[bytes]) -> bytes:
    at = data.rfind(b"</")
    return data[:at] + b"".join(write_links(random, data)) + data[at:]


def change_encoding(random: Random, data: bytes, _: list[bytes]) -> bytes:
    text = re.sub(r"^\ufeff?\s*<\?xml.*?\?>", "", data.decode("utf-8", "replace"))
    codec = random.choice(("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1"))
    head = random.choice(HEADS).decode()
    return (head + text).encode(codec, random.choice(("replace", "xmlcharrefreplace")))


def change_line_ends(random: Random, data: bytes, _: list[bytes]) -> bytes:
    return data.replace(b"\n", random.choice((b"\r\n", b"\r", b" ", b"\n\n", b"\n\r")))


NASTY = (None, "", " ", 0, -1, 10**12, 0.5, True, [], {}, [[]], "x", "t0", "\0", "é😀", ["a", "b"])


def change_json(random: Random, data: bytes, _: list[bytes]) -> bytes:
    """Replace, repeat, swap or drop values anywhere in JSON or in a line of it."""
    lines = data.split(b"\n") if data.count(b"\n{") else [data]
    at = random.randrange(len(lines))
    try:
        whole = json.loads(lines[at])
    except ValueError:
        return data
    places: list[tuple[Any, Any]] = []
    waiting = [whole]
    while waiting:
        here = waiting.pop()
        inner = here.items() if isinstance(here, dict) else enumerate(here)
        for key, value in inner:
            places.append((here, key))
            if isinstance(value, dict | list):
                waiting.append(value)
    for here, key in random.choices(places, k=random.randint(1, 3)) if places else ():
        if isinstance(here, dict) and key not in here:
            continue
        if isinstance(here, list) and key >= len(here):
            continue
        what = random.randrange(5)
        if what == 0:
            del here[key]
        elif what == 1 and isinstance(here, list):
            here.insert(key, here[key])
        elif what == 2:
            other, place = random.choice(places)
            if place in other if isinstance(other, dict) else place < len(other):
                here[key] = json.loads(json.dumps(other[place]))
        else:
            here[key] = random.choice(NASTY)
    lines[at] = json.dumps(whole).encode()
    return b"\n".join(lines)


def change_lines(random: Random, data: bytes, sources: list[bytes]) -> bytes:
    """Drop, repeat or swap lines, or change a word of one."""
    lines = data.split(b"\n")
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    what = random.randrange(5)
    if what == 0:
        del lines[one]
    elif what == 1:
        lines.insert(other, lines[one])
    elif what == 2:
        lines[one], lines[other] = lines[other], lines[one]
    elif what == 3:
        lines[one] = random.choice(random.choice(sources).split(b"\n")[:50])
    else:
        words = re.split(rb"([\t ;:]+)", lines[one])
        words[random.randrange(len(words))] = random.choice(
            (*VALUES, *TYPES, b"T1", b"99 2", b"R1")
        )
        lines[one] = b"".join(words)
    return b"\n".join(lines)


Change = Callable[[Random, bytes, list[bytes]], bytes]
JSON_CHANGES: tuple[Change, ...] = (change_json, change_json, change_json, change_bytes)
LINE_CHANGES: tuple[Change, ...] = (change_lines, change_lines, change_lines, change_bytes)
CHANGES: tuple[Change, ...] = (
    *(change_bytes, insert_bytes, insert_snippet, drop_slice, repeat_slice, swap_slices, truncate),
    *(splice, drop_tag, repeat_tag, move_tag, rename_element),
    *(change_values, change_values, change_values, drop_attribute, drop_attribute),
    *(rename_attribute, rename_attribute, add_links, add_links, change_encoding, change_line_ends),
)


# --- the run ------------------------------------------------------------------------------------


@contextlib.contextmanager
def patience(seconds: int) -> Iterator[None]:
    """Interrupt what computes too long, where the system can; waiting for a turn does not count."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise HangError(f"not done after {seconds} s")

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def attempt(data: bytes) -> str | None:
    """Check a document; None, and the traceback on stderr, if something is wrong with tlex."""
    try:
        with patience(PATIENCE):
            return check(data)
    except Exception:  # noqa: BLE001 -- whatever it is, it is what we are looking for
        traceback.print_exc()
        return None


def run(seed: int, sources: list[bytes], *, seconds: float | None, cases: int | None) -> int:
    """Try documents until the time is up, the number is reached, or one of them fails."""
    print(f"seed {seed}, {len(sources)} documents to start from", flush=True)
    outcomes: Counter[str] = Counter()
    began = shown = time.monotonic()
    for number in count():
        now = time.monotonic()
        if now - shown > 5:
            shown = now
            print(f"{now - began:6.0f} s  {describe(outcomes)}", flush=True)
        if number == cases or (seconds is not None and now - began > seconds):
            break
        data = make(seed, number, sources)
        outcome = attempt(data)
        if outcome is None:
            path = Path(f"fuzz-failure-{seed}-{number}.tml")
            path.write_bytes(data)
            print(f"document {number} of seed {seed} fails; it is kept as {path}")
            print(f"replay it with: python tests/fuzz.py --replay {path}")
            print(f"or make it again: python tests/fuzz.py --seed {seed} --only {number}")
            return 1
        outcomes[outcome] += 1
    print(f"done: {describe(outcomes)}")
    return 0


def describe(outcomes: Counter[str]) -> str:
    parts = [f"{number:,} {outcome}" for outcome, number in sorted(outcomes.items())]
    return f"{outcomes.total():,} documents: {', '.join(parts)}"


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("seconds", nargs="?", type=float, help="how long (default 60)")
    parser.add_argument("seed", nargs="?", type=int, help="which documents (default 1)")
    parser.add_argument("--cases", type=int, help="how many documents, in place of how long")
    parser.add_argument("--seed", type=int, dest="named_seed", help="the same as SEED")
    parser.add_argument("--sources", choices=("all", "own", "corpora"), default="all")
    parser.add_argument("--only", type=int, help="one document of a seed, by its number")
    parser.add_argument("--replay", type=Path, help="try one document again")
    asked = parser.parse_args()
    if asked.replay:
        outcome = attempt(asked.replay.read_bytes())
        print(outcome or "it still fails")
        return int(outcome is None)
    seed = next((s for s in (asked.named_seed, asked.seed) if s is not None), 1)
    seconds = asked.seconds if asked.seconds or asked.cases else 60
    sources = collect(asked.sources)
    if not sources:
        print("there is nothing to start from")
        return 1
    if asked.only is not None:
        outcome = attempt(make(seed, asked.only, sources))
        print(outcome or "it still fails")
        return int(outcome is None)
    return run(seed, sources, seconds=seconds, cases=asked.cases)


if __name__ == "__main__":
    sys.exit(main())
