"""Every command on documents with next to nothing in them: an answer or one line, no traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import messages, run

EVENT = '<EVENT eid="a" class="OCCURRENCE">fell</EVENT>'
LINK = '<TLINK lid="l1" relType="BEFORE" eventInstanceID="a" relatedToEventInstance="{}"/>'
FILES = {
    "empty.tml": "<TimeML></TimeML>",
    "root.tml": "<TimeML/>",
    "text.tml": "<TimeML>Nothing happened.</TimeML>",
    "node.tml": f"<TimeML>{EVENT}</TimeML>",
    "time.tml": '<TimeML><TIMEX3 tid="t1" type="TIME" value="">now</TIMEX3></TimeML>',
    "dangling.tml": f"<TimeML>{LINK.format('b')}</TimeML>",
    "half.tml": f"<TimeML>{EVENT}{LINK.format('b')}</TimeML>",
    "loop.tml": f"<TimeML>{EVENT}{LINK.format('a')}</TimeML>",
    "nothing.json": '{"links": []}',
    "one.json": '{"events": [{"id": "a"}]}',
    "lost.json": '{"events": [{"id": "a"}], "links": '
    '[{"source": "b", "type": "BEFORE", "target": "c"}]}',
    "loop-a.json": '{"links": [{"source": "a", "type": "BEFORE", "target": "a"}]}',
    "no.xml": '<Document><token t_id="1">x</token><Markables/><Relations/></Document>',
    "bare.xml": '<Document><token t_id="1">x</token><Markables/><Relations>'
    '<TLINK r_id="1" reltype="BEFORE"/></Relations></Document>',
    "loop-b.txt": "a BEFORE a\n",
}
INCONSISTENT = {name for name in FILES if name.startswith("loop")}
ON_ALL = [
    ("extract", 0),
    ("extract --times point --links tlink", 0),
    ("extract --json --pairs", 0),
    ("check", 1),
    ("check --json", 1),
    ("check --sarif", 1),
    ("fix", 0),
    ("fix --relabel", 0),
    ("fix --times point --json", 0),
    ("fix --only self-loops", 0),
    ("fix --confidence", 0),
    ("fix --patch {out}/p.json", 0),
    ("fix -o {out}/fixed", 0),
    ("closure", 0),
    ("closure --json", 0),
    ("reduce", 0),
    ("reduce --json", 0),
    ("convert --to timeml -o {out}/tml", 0),
    ("convert --to json -o {out}/json", 0),
    ("convert --to json --losses", 0),
    ("convert --to dot -o {out}/dot", 0),
    ("convert --to dot --points -o {out}/points", 0),
    ("convert --to csv -o {out}/csv", 0),
    ("convert --to csv --table points", 0),
    ("corpus run -o {out}/run", 0),
]
ON_ONE = [
    "relation {file} a a",
    "relation {file} a b --json",
    "why {file} a a",
    "why {file} a b --json",
    "draw {file}",
    "draw {file} -o {out}/x.svg",
    "view {file} --export {out}/x.html",
    "closure {file} -o {out}/closed.tml",
    "reduce {file} -o -",
]


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "in").mkdir()
    for name, text in FILES.items():
        (tmp_path / "in" / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("line", "code"), ON_ALL)
def test_a_command_answers_for_all_of_them(folder, line, code):
    words = line.format(out=folder).split()
    name = words.pop(0) if words[0] != "corpus" else [words.pop(0), words.pop(0)]

    done = run(*([name] if isinstance(name, str) else name), folder / "in", *words)

    assert b"Traceback" not in done.stderr
    assert done.returncode == code, messages(done)


@pytest.mark.parametrize("line", ON_ONE)
@pytest.mark.parametrize(
    "name", ["empty.tml", "node.tml", "dangling.tml", "loop.tml", "nothing.json"]
)
def test_a_command_answers_for_one_or_says_in_one_line_what_is_missing(folder, name, line):
    done = run(*line.format(out=folder, file=folder / "in" / name).split())

    assert b"Traceback" not in done.stderr
    assert done.returncode in {0, 2}
    assert done.returncode == 0 or len(messages(done)) == 1, messages(done)


def test_only_the_loops_are_inconsistent_and_one_link_mends_each(folder):
    extracted = run("extract", folder / "in", "--json").stdout.splitlines()
    fixed = run("fix", folder / "in", "--json").stdout.splitlines()

    verdicts = {row["document"]["name"]: row["consistent"] for row in map(json.loads, extracted)}
    repairs = {row["path"]: row["removed"] for row in map(json.loads, fixed)}
    assert verdicts.keys() == repairs.keys() == FILES.keys()
    assert {name for name, consistent in verdicts.items() if not consistent} == INCONSISTENT
    assert {name for name, removed in repairs.items() if removed} == INCONSISTENT
