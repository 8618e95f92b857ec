"""``tlex closure``: every relation that follows from the links."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from commands import CONTRADICTION, STORY, messages, run

import tlex
from tlex.cli.app import run as run_here

OVERLAPS = (
    '<TimeML>\n<EVENT eid="e1">a</EVENT><EVENT eid="e2">b</EVENT><EVENT eid="e3">c</EVENT>\n'
    '<TLINK lid="l1" relType="OVERLAPS" eventInstanceID="e1" relatedToEventInstance="e2"/>\n'
    '<TLINK lid="l2" relType="OVERLAP" eventInstanceID="e2" relatedToEventInstance="e3"/>\n'
    "</TimeML>\n"
)


def test_the_closure_is_listed_one_line_a_pair_within_80_columns():
    done = run("closure", "examples/story.tml")

    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert lines[0] == "examples/story.tml: 213 entailed relations, 186 of them new"
    assert len(lines) == 214
    assert '  l2   "snowed" (ei1) BEFORE "built" (ei2)' in lines
    assert '  +    "snowed" (ei1) BEFORE "midnight" (t4)' in lines
    assert max(map(len, lines)) <= 80


def test_what_timeml_has_no_type_for_is_listed_and_counted(tmp_path):
    path, out = tmp_path / "a.tml", tmp_path / "out.tml"
    path.write_text(OVERLAPS)

    done, written = run("closure", path), run("closure", path, "-o", out)

    text = done.stdout.decode()
    assert "0 entailed relations" in text
    assert "1 more that TimeML has no type for" in text
    assert "2 pairs of partly known order" in " ".join(text.split())
    assert '  entailed, but TimeML has no type for it:\n  l1   "a" (e1) [overlaps] "b" (e2)' in text
    assert messages(written)[1:] == ["tlex:   not written: e1 overlaps e2"]
    assert out.read_text() == OVERLAPS


@pytest.mark.parametrize("options", [(), ("--calendar",), ("--times", "point", "--links", "tlink")])
def test_json_has_the_bytes_of_the_answer_in_python(tmp_path, options):
    (tmp_path / "overlaps.tml").write_text(OVERLAPS)
    (tmp_path / "empty.tml").write_text("<TimeML/>")
    paths = [STORY, CONTRADICTION, tmp_path / "overlaps.tml", tmp_path / "empty.tml"]
    chosen = {"times": "point", "links": ["tlink"]} if "--links" in options else {}

    done = run("closure", *paths, "--json", *options)

    lines = []
    for path in paths:
        result = tlex.extract(tlex.read(path), calendar="--calendar" in options, **chosen)
        lines.append(result.answer(closure=result.closure()).to_json())
    assert done.stdout.splitlines() == lines


def write_overlaps(path: Path, size: int) -> None:
    """Write events at one time that overlap others at one time: half of the pairs lack a type."""
    rows = [f"a{n} SIMULTANEOUS a{n + 1}\nb{n} SIMULTANEOUS b{n + 1}\n" for n in range(size)]
    path.write_text("a0 OVERLAPS b0\n" + "".join(rows))


def find_peak(*arguments: object) -> int:
    """Run the command in this process; give the most memory that it had at once."""
    tracemalloc.start()
    try:
        assert run_here([str(word) for word in arguments]) == 0
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("kind", "form"),
    [("chain", "text"), ("chain", "--json"), ("chain", "-o"), ("pair", "text"), ("pair", "--json")],
)
def test_the_relations_are_never_all_in_memory(tmp_path, capfd, kind, form):
    path, out = tmp_path / "a.txt", tmp_path / "out.tml"
    if kind == "chain":
        path.write_text("".join(f"e{n} BEFORE e{n + 1}\n" for n in range(300)))
    else:
        write_overlaps(path, 150)
    if form == "-o":
        tlex.write(tlex.read(path), tmp_path / "a.tml")
        path = tmp_path / "a.tml"
    options = {"text": (), "--json": ("--json",), "-o": ("-o", out)}[form]
    assert run_here(["closure", str(path), *map(str, options)]) == 0  # loads all modules
    result = tlex.extract(tlex.read(path))
    tracemalloc.start()
    result.closure()
    whole = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    peak = find_peak("closure", path, *options)

    assert peak < whole / 2
    assert capfd.readouterr().err.count("Traceback") == 0
