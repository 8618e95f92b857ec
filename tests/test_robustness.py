"""Whatever is fed to it, tlex answers or refuses: no traceback, no hang, no flood of memory.

Hostile inputs run in a process of their own, with a time limit and a look at its peak memory.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import fuzz
import pytest

from tlex.readers import FORMATS, parse_all
from tlex.readers.diagnostics import MOST

TESTS = Path(__file__).resolve().parent
SECONDS = 60  # a guard against hanging, not a measure: the machine may be busy
MEGABYTES = 300

Links = Iterable[tuple[int, str, int]]

# --- mutated documents --------------------------------------------------------------------------


def run_fuzz(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TESTS / "fuzz.py"), *arguments]
    return subprocess.run(  # noqa: S603 -- our own interpreter
        command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.mark.parametrize("seed", range(1, 4))
def test_mutated_documents_are_read_or_rejected_with_a_place(seed, tmp_path):
    done = run_fuzz(tmp_path, "--cases", "150", "--seed", str(seed), "--sources", "own")

    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "done: 150 documents" in done.stdout


@pytest.mark.corpus
@pytest.mark.usefixtures("timebank")
def test_mutated_documents_of_a_corpus_are_read_or_rejected_with_a_place(tmp_path):
    done = run_fuzz(tmp_path, "--cases", "60", "--seed", "1", "--sources", "corpora")

    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_a_document_depends_on_nothing_but_the_seed_and_its_number():
    sources = fuzz.collect("own")

    documents = [fuzz.make(7, number, sources) for number in range(40)]

    assert documents == [fuzz.make(7, number, sources) for number in range(40)]
    assert documents != [fuzz.make(8, number, sources) for number in range(40)]
    assert len(set(documents)) > 30


def test_the_good_documents_pass_as_they_are():
    assert len(fuzz.collect("own")) >= 8

    assert {fuzz.check(data) for data in fuzz.collect("own")} == {"read", "read, inconsistent"}


def test_there_is_a_good_document_of_every_format_and_an_archive():
    read = {data[:2]: parse_all(data)[0].format for data in fuzz.collect("own")}
    formats = {parse_all(data)[0].format for data in fuzz.collect("own")}

    assert formats == set(FORMATS)
    assert read[b"PK"] == "xmi"


def test_a_failure_is_kept_and_can_be_replayed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(fuzz, "check", lambda _data: 1 / 0)

    code = fuzz.run(3, [b"<TimeML/>"], seconds=None, cases=5)

    (kept,) = tmp_path.glob("fuzz-failure-*")
    output = capsys.readouterr()
    assert code == 1
    assert kept.read_bytes() == fuzz.make(3, 0, [b"<TimeML/>"])
    assert f"--replay {kept.name}" in output.out
    assert "ZeroDivisionError" in output.err
    done = run_fuzz(tmp_path, "--replay", kept.name)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "law",
    ["rejected without a place", "out of the file", "does not begin with a tag", "out of order"],
)
def test_the_fuzzer_notices_a_broken_law(law, monkeypatch):
    import tlex  # noqa: PLC0415 -- only to be broken
    from tlex.markup import Markup  # noqa: PLC0415
    from tlex.readers.diagnostics import Diagnostics  # noqa: PLC0415

    data = b'<TimeML><EVENT eid="e1">a</EVENT><EVENT>b</EVENT></TimeML>'
    if law == "rejected without a place":
        data = data[:20]
        monkeypatch.setattr(
            fuzz, "parse_all", lambda *_a, **_k: (_ for _ in ()).throw(tlex.ReadError("no"))
        )
    elif law == "out of order":
        document = tlex.parse(data)
        monkeypatch.setattr(Diagnostics, "in_order", lambda _self: document.diagnostics[::-1])
        assert len(document.diagnostics) == 2
    else:
        wrong = 10_000 if law == "out of the file" else 0
        monkeypatch.setattr(Markup, "find_end", lambda _s, start: start + wrong)

    with pytest.raises(fuzz.BrokenError):
        fuzz.check(data)


# --- hostile inputs -----------------------------------------------------------------------------

CHILD = """
import json, resource, sys
import tlex
from tlex.readers import FORMATS, parse_all

def peak():
    try:  # of this program alone; what getrusage tells may be the parent's
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
            2**20 if sys.platform == "darwin" else 1024
        )

try:
    document = tlex.read(sys.argv[1])
    result = tlex.extract(document)
    answer = {
        "nodes": len(document.nodes), "links": len(document.links),
        "diagnostics": len(document.diagnostics), "consistent": result.consistent,
        "timelines": len(result.timelines), "main": len(result.trunk),
        "conflicts": len(result.conflicts), "json": len(result.to_json()),
    }
except tlex.ReadError as error:
    place = [error.line, error.column]
    answer = {"error": type(error).__name__, "message": str(error), "place": place}
print(json.dumps({**answer, "megabytes": peak()}))
"""


def answer_to(data: bytes, tmp_path: Path, seconds: int = SECONDS) -> dict[str, object]:
    """Read, extract and write a document in a process of its own; give what it says."""
    path = tmp_path / "hostile.tml"
    path.write_bytes(data)
    done = subprocess.run(  # noqa: S603 -- our own interpreter
        [sys.executable, "-c", CHILD, str(path)],
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    path.unlink()
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def with_doctype(subset: str, body: str = "") -> bytes:
    return f"<!DOCTYPE TimeML [{subset}]>\n<TimeML>{body}</TimeML>".encode()


def laugh(levels: int, letter: str = "") -> bytes:
    """The billion laughs: each entity is ten of the one before."""
    each = [f'<!ENTITY {letter} h{n} "{f"&h{n - 1};" * 10}">' for n in range(1, levels)]
    return with_doctype(f'<!ENTITY {letter} h0 "ha">' + "".join(each), f"&h{levels - 1};")


def declare(count: int) -> str:
    """Declare so many attributes of one element, each with a value that it has by default."""
    attributes = [f'a{n} CDATA "x"' for n in range(count)]
    return f"<!ATTLIST a {' '.join(attributes)}>"


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "billion laughs": (lambda: laugh(20), "entity"),
    "billion laughs of parameters": (lambda: laugh(20, "%"), "entity"),
    "quadratic blow-up": (
        lambda: with_doctype(f'<!ENTITY a "{"x" * 50_000}">', "&a;" * 50_000),
        "entity",
    ),
    "quadratic blow-up in an attribute": (
        lambda: with_doctype(f'<!ENTITY a "{"x" * 50_000}">', f'<EVENT eid="{"&a;" * 50_000}"/>'),
        "entity",
    ),
    "external entity": (
        lambda: with_doctype('<!ENTITY a SYSTEM "file:///dev/zero">', "&a;"),
        "entity",
    ),
    "external parameter entity": (
        lambda: with_doctype('<!ENTITY % a SYSTEM "http://127.0.0.1:9/"> %a;', "&a;"),
        "entity",
    ),
    "100,000 deep": (
        lambda: b"<TimeML>" + b"<a>" * 100_000 + b"</a>" * 100_000 + b"</TimeML>",
        "256 deep",
    ),
    "100,000 deep and never closed": (lambda: b"<TimeML>" * 100_000, "256 deep"),
    "a 20 MB attribute": (
        lambda: b'<TimeML><EVENT eid="%s"/></TimeML>' % (b"x" * 20_000_000),
        "1,048,576",
    ),
    "a 40 MB attribute": (lambda: b"<TimeML a='%s'/>" % (b"x" * 40_000_000), "1,048,576"),
    "a 20 MB attribute in UTF-16": (
        lambda: f"<TimeML a='{'x' * 10_000_000}'/>".encode("utf-16"),
        "1,048,576",
    ),
    "NUL bytes in the text": (
        lambda: b"<TimeML>" + bytes(1_000_000) + b"</TimeML>",
        "invalid token",
    ),
    "NUL bytes only": (lambda: bytes(1_000_000), "recognises"),
    "NUL bytes behind the end": (lambda: b"<TimeML/>" + bytes(1_000_000), "1:10"),
    "a NUL in an attribute": (lambda: b'<TimeML><EVENT eid="e\x001"/></TimeML>', "invalid token"),
    "truncated UTF-8 at the end": (
        lambda: b"<TimeML>" + "é".encode() * 1_000_000 + b"\xc3",
        "1:1000009",
    ),
    "truncated UTF-8 inside": (lambda: b"<TimeML>\xe2\x82</TimeML>", "invalid token"),
    "truncated UTF-16": (lambda: "<TimeML>é</TimeML>".encode("utf-16")[:-1], "XML"),
    "4,000 declared attributes": (lambda: with_doctype(declare(4000), "<a/>" * 200_000), "128"),
    "4,000 declarations of one attribute each": (
        lambda: with_doctype(
            "".join(f'<!ATTLIST a{n} b CDATA "x">' for n in range(2000)), "<a/>" * 200_000
        ),
        "128",
    ),
    "a tag that never ends": (lambda: b"<TimeML><" + b"a" * 30_000_000, "unclosed"),
    "a comment that never ends": (lambda: b"<TimeML><!--" + b"-" * 100 + b"a" * 30_000_000, "XML"),
    "a CDATA section that never ends": (
        lambda: b"<TimeML><![CDATA[" + b"]" * 30_000_000,
        "unclosed",
    ),
    "two million start tags of one name": (
        lambda: b"<TimeML" + b"<TimeML" * 2_000_000,
        "invalid token",
    ),
    "1,000 comments in a DOCTYPE that never ends": (
        lambda: b"<!DOCTYPE TimeML [" + b"<!---->" * 1000 + b"<TimeML/>",
        "syntax error",
    ),
    "1,000 instructions in a DOCTYPE that never ends": (
        lambda: b"<!DOCTYPE TimeML [" + b"<?a?>" * 1000 + b"<TimeML/>",
        "syntax error",
    ),
    "a million ampersands in a tag": (
        lambda: b'<!DOCTYPE TimeML SYSTEM "y"><TimeML a="' + b"&" * 1_000_000 + b"<",
        "invalid token",
    ),
    "a tag of 60,000 letters that looks like many others": (
        lambda: b"<x><rep " + b"id=" * 20_000 + b"<",
        "recognises",
    ),
    "65 MB": (lambda: b"<TimeML>" + b" " * (65 << 20) + b"</TimeML>", "larger than"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_hostile_input_is_refused_quickly_and_in_little_memory(name, tmp_path):
    build, word = REFUSED[name]

    answer = answer_to(build(), tmp_path)

    assert "error" in answer, answer
    assert word in answer["message"]
    assert len(answer["message"]) < 600
    assert answer["megabytes"] < MEGABYTES
    if name != "65 MB":
        assert None not in answer["place"]


@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
def test_twelve_million_empty_lines_are_no_flood_of_memory(codec, tmp_path):
    text = "<TimeML>" + "\n" * 12_000_000 + "<"

    answer = answer_to(text.encode(codec), tmp_path, 60)

    assert answer["place"][0] == 12_000_001
    assert answer["megabytes"] < MEGABYTES


@pytest.mark.parametrize("mark", ["<!--", "<?"])
def test_marks_that_are_never_closed_are_refused_quickly(mark, tmp_path):
    answer = answer_to(f"<a>{mark * 30_000}".encode(), tmp_path)

    assert "error" in answer


# --- large inputs that are none the worse for it ------------------------------------------------


def write(events: int, links: Links = (), between: str = "\n") -> bytes:
    """Write a document of so many events, and links between their numbers."""
    words = [
        f'<EVENT eid="e{n}">w</EVENT> <MAKEINSTANCE eventID="e{n}" eiid="ei{n}"/>'
        for n in range(events)
    ]
    relations = [
        f'<TLINK lid="l{n}" relType="{label}" eventInstanceID="ei{source}"'
        f' relatedToEventInstance="ei{target}"/>'
        for n, (source, label, target) in enumerate(links)
    ]
    return f"<TimeML>\n{between.join([*words, *relations])}\n</TimeML>".encode()


def ring(size: int) -> Links:
    return [(n, "BEFORE", (n + 1) % size) for n in range(size)]


def to_and_fro(size: int) -> Links:
    pairs = [((n, "BEFORE", n + 1), (n + 1, "BEFORE", n)) for n in range(size)]
    return [link for pair in pairs for link in pair]


def knot(size: int) -> Links:
    return [*((n, "SIMULTANEOUS", n + 1) for n in range(size - 1)), (size - 1, "BEFORE", 0)]


def diamonds(count: int) -> Links:
    """Two events in any order after each event of a chain: 13 scenarios each."""
    sides = ((0, 1), (0, 2), (1, 3), (2, 3))
    return [(3 * n + one, "BEFORE", 3 * n + other) for n in range(count) for one, other in sides]


def dangle(count: int, between: str = "\n") -> bytes:
    return write(0, [(n, "BEFORE", n + 1) for n in range(count)], between)


SELF_LOOP = b'<TLINK lid="l" relType="DURING" eventInstanceID="e" relatedToEventInstance="e"/>\n'

ACCEPTED: dict[str, tuple[Callable[[], bytes], dict[str, object]]] = {
    "a DOCTYPE with 60 comments": (
        lambda: with_doctype(
            "".join(f"<!-- e{n} -->\n<!ELEMENT e{n} ANY>\n" for n in range(60)),
            '<EVENT eid="e1">x</EVENT>',
        ),
        {"nodes": 1, "diagnostics": 1},
    ),
    "a ring of 20,000 links": (
        lambda: write(20_000, ring(20_000)),
        {"consistent": False, "conflicts": 1},
    ),
    "20,000 contradictory links": (
        lambda: write(10_001, to_and_fro(10_000)),
        {"consistent": False, "conflicts": 10_000, "timelines": 1},
    ),
    "4,000 links to and fro between two events": (
        lambda: write(2, to_and_fro(1) * 2000),
        {"consistent": False, "conflicts": 1},
    ),
    "10,000 self-loops": (
        lambda: write(10_000, [(n, "BEFORE", n) for n in range(10_000)]),
        {"consistent": False, "conflicts": 10_000},
    ),
    "5,000 simultaneous events and one before the others": (
        lambda: write(5000, knot(5000)),
        {"consistent": False, "conflicts": 1},
    ),
    "100,000 dangling links": (
        lambda: dangle(100_000),
        {"links": 100_000, "diagnostics": MOST + 1, "nodes": 0},
    ),
    "3,000 dangling links on one line": (
        lambda: dangle(3000, " "),
        {"links": 3000, "diagnostics": 6000},
    ),
    "100,000 events of one id": (
        lambda: b"<TimeML>%s</TimeML>" % (b'<EVENT eid="e1">x</EVENT>\n' * 100_000),
        {"nodes": 1, "diagnostics": MOST + 2},
    ),
    "100,000 links of one id": (
        lambda: b"<TimeML><EVENT eid='e'/>%s</TimeML>" % (SELF_LOOP * 100_000),
        {"links": 100_000, "diagnostics": MOST + 2, "consistent": True},
    ),
    "one event with 50,000 instances": (
        lambda: (
            b"<TimeML><EVENT eid='e1'>x</EVENT>%s</TimeML>"
            % b"\n".join(b'<MAKEINSTANCE eventID="e1" eiid="ei%d"/>' % n for n in range(50_000))
        ),
        {"nodes": 50_000, "timelines": 50_000, "main": 50_000},
    ),
    "3,000 events in any order after one": (
        lambda: write(3001, [(0, "BEFORE", n) for n in range(1, 3001)]),
        {"consistent": True, "timelines": 1},
    ),
    "3,000 main timelines": (
        lambda: write(6000, [(2 * n, "BEFORE", 2 * n + 1) for n in range(3000)]),
        {"timelines": 3000, "main": 3000},
    ),
    "a chain of 30,000": (
        lambda: write(30_001, [(n, "BEFORE", n + 1) for n in range(30_000)]),
        {"consistent": True, "timelines": 1},
    ),
    "1,000 diamonds": (lambda: write(3001, diamonds(1000)), {"consistent": True, "timelines": 1}),
    "a million empty elements": (
        lambda: b"<TimeML>%s</TimeML>" % (b"<a/>" * 1_000_000),
        {"nodes": 0},
    ),
    "200,000 attributes on one element": (
        lambda: (
            b"<TimeML><EVENT eid='e1' %s/></TimeML>"
            % b" ".join(b'a%d=""' % n for n in range(200_000))
        ),
        {"nodes": 1},
    ),
    "an element name of 10 MB": (
        lambda: b"<TimeML><%s/></TimeML>" % (b"a" * 10_000_000),
        {"nodes": 0},
    ),
    "200,000 element names": (
        lambda: b"<TimeML>%s</TimeML>" % b"".join(b"<a%d/>" % n for n in range(200_000)),
        {"nodes": 0},
    ),
    "30 MB of text on one line": (
        lambda: b"<TimeML>%s<EVENT eid='e1'/></TimeML>" % (b"word " * 6_000_000),
        {"nodes": 1},
    ),
    "100 declared attributes and 200,000 elements": (
        lambda: with_doctype(declare(100), "<a/>" * 200_000),
        {"nodes": 0},
    ),
    "ids of 500 kB in a contradiction": (
        lambda: write(2, to_and_fro(1)).replace(b'"ei1"', b'"%s"' % (b"x" * 500_000)),
        {"conflicts": 1},
    ),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_large_input_is_answered(name, tmp_path):
    build, expected = ACCEPTED[name]

    answer = answer_to(build(), tmp_path)

    assert {key: answer.get(key) for key in expected} == expected


NO_IDS = b"<EVENT>" * 250 + b"<b/>" * 60_000 + b"</EVENT>" * 250
TEDIOUS = {
    "90,000 problems on one line": b"<TimeML>%s</TimeML>" % (b'<EVENT eid="e"/>' * 90_000),
    "60,000 problems in UTF-16": dangle(30_000).decode().encode("utf-16"),
    "250 problems around 60,000 elements": b"<TimeML>%s</TimeML>" % NO_IDS,
}


@pytest.mark.parametrize("name", TEDIOUS)
def test_many_problems_take_no_longer_than_their_number(name, tmp_path):
    answer = answer_to(TEDIOUS[name], tmp_path)

    assert answer["diagnostics"] >= 250


def test_a_count_of_any_size_can_be_written(tmp_path):
    answer = answer_to(write(15_001, diamonds(5000)), tmp_path)

    assert answer["consistent"] is True
