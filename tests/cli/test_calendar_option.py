"""``--calendar``: the commands that order times by their values too."""

from __future__ import annotations

import json

import pytest
from commands import run

import tlex

DATED = """<TimeML>
<EVENT eid="e1" class="OCCURRENCE">fell</EVENT> on
<TIMEX3 tid="t1" type="DATE" value="1998-03-12">12 March</TIMEX3> and
<EVENT eid="e2" class="OCCURRENCE">rose</EVENT>
<TIMEX3 tid="t2" type="DATE" value="1998-W12">that week</TIMEX3>, in
<TIMEX3 tid="t3" type="DATE" value="1998-Q1">the first quarter</TIMEX3>.
<MAKEINSTANCE eiid="ei1" eventID="e1"/><MAKEINSTANCE eiid="ei2" eventID="e2"/>
<TLINK lid="l1" eventInstanceID="ei1" relType="IS_INCLUDED" relatedToTime="t1"/>
<TLINK lid="l2" eventInstanceID="ei2" relType="IS_INCLUDED" relatedToTime="t2"/>
</TimeML>
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "dated.tml"
    path.write_text(DATED, encoding="utf-8")
    return path


def test_extract_says_in_its_json_that_the_calendar_was_used(file):
    plain, dated = (
        json.loads(run("extract", file, "--json", *more).stdout) for more in ((), ("--calendar",))
    )

    assert (plain["options"]["calendar"], dated["options"]["calendar"]) == (False, True)
    assert len(plain["timelines"]) == 3
    assert len(dated["timelines"]) == 2
    assert [node["world"] for node in dated["nodes"]] == [0, 0, 1, 1, 2]
    assert dated["nodes"][0]["date"] == {"after": "1998-03-12", "before": "1998-03-13"}
    assert run("extract", file, "--calendar").returncode == 0


def test_relation_knows_the_calendar(file):
    done = run("relation", file, "fell", "rose", "--calendar")

    assert done.stdout.decode() == '"fell" (ei1) is BEFORE "rose" (ei2)   [Allen: before]\n'


def test_why_shows_the_values(file):
    done = run("why", file, "fell", "rose", "--calendar")
    answer = json.loads(run("why", file, "fell", "rose", "--calendar", "--json").stdout)

    text = " ".join(done.stdout.decode().split())
    assert "1998-03-12 is before 1998-W12, by their values" in text
    assert [link.get("words") for link in answer["why"]["links"]] == [
        None,
        None,
        "1998-03-12 is before 1998-W12, by their values",
    ]


def test_closure_and_reduce_know_the_calendar(file):
    closure = json.loads(run("closure", file, "--calendar", "--json").stdout)["closure"]
    reduction = json.loads(run("reduce", file, "--calendar", "--json").stdout)["reduction"]

    found = {(link["source"], link["type"], link["target"]) for link in closure["links"]}
    assert ("ei1", "BEFORE", "ei2") in found
    assert reduction["kept"] == ["l1", "l2"]


def test_closure_writes_what_follows_from_values(file, tmp_path):
    run("closure", file, "--calendar", "-o", tmp_path / "closed.tml")

    closed = tlex.extract(tlex.read(tmp_path / "closed.tml"))

    assert closed.relation("ei1", "ei2").entailed.type == "BEFORE"


@pytest.mark.parametrize("to", ["timeml", "json"])
def test_convert_states_the_calendar_as_tlinks(file, to):
    done = run("convert", file, "--to", to, "--calendar")

    document = tlex.parse(done.stdout)
    added = [link for link in document.links if link.attributes.get("origin") == "CALENDAR"]
    assert [(link.kind, link.source, link.type, link.target) for link in added] == [
        ("TLINK", "t1", "BEFORE", "t2")
    ]
    assert len(document.links) == 3
    assert document.text.split() == tlex.parse(DATED).text.split()


@pytest.mark.parametrize("table", ["links", "nodes", "points", "timelines", "branches"])
def test_tables_and_graphs_have_the_calendar(file, table):
    done = run("convert", file, "--to", "csv", "--table", table, "--calendar")

    assert done.returncode == 0
    assert (b"CALENDAR" in done.stdout) == (table == "links")
    assert b"calendar:t1:t2" in run("convert", file, "--to", "dot", "--calendar").stdout


def test_results_with_the_calendar_are_verified(file, tmp_path):
    asked = {
        "extract": (),
        "relation": ("fell", "rose"),
        "why": ("fell", "rose"),
        "closure": (),
        "reduce": (),
    }
    saved = tmp_path / "saved.jsonl"
    lines = [run(name, file, *more, "--calendar", "--json").stdout for name, more in asked.items()]
    saved.write_bytes(b"".join(lines))

    done = run("verify", saved, file, "--strict")

    assert done.returncode == 0, done.stdout + done.stderr
    assert b"5 of 5 results proven" in done.stderr
    assert run("extract", file, "--calendar", "--verify").returncode == 0
    saved.write_bytes(lines[0].replace(b"is before 1998-W12", b"is in 1998-W12"))
    assert run("verify", saved, file).returncode == 1


CONTRADICTED = DATED.replace('eventInstanceID="ei2"', 'eventInstanceID="ei1"')


@pytest.fixture
def contradicted(tmp_path):
    path = tmp_path / "contradicted.tml"
    path.write_text(CONTRADICTED, encoding="utf-8")
    return path


def test_check_finds_what_contradicts_the_calendar(contradicted):
    plain, dated = (run("check", contradicted, *more) for more in ((), ("--calendar",)))

    assert (plain.returncode, dated.returncode) == (0, 1)
    text = " ".join(dated.stdout.decode().split())
    assert "TLX204 [contradicts-calendar] TLINK l2:" in text
    assert (
        '"12 March" (t1, 1998-03-12) is before "that week" (t2, 1998-W12), by their values' in text
    )
    assert 'suspect: "12 March" (t1) has the value 1998-03-12, line 3' in text
    assert "1 of 1 documents contradictory" in text
    assert "1 TLX204 contradicts-calendar: links contradict the values of times" in text


def test_every_report_has_the_values(contradicted):
    report = json.loads(run("check", contradicted, "--calendar", "--json").stdout)
    log = json.loads(run("check", contradicted, "--calendar", "--sarif").stdout)
    commands = run("check", contradicted, "--calendar", "--github").stdout.decode()

    (finding,) = (one for one in report["findings"] if one["code"] == "TLX204")
    assert [(one["id"], one["value"], one["line"]) for one in finding["values"]] == [
        ("t1", "1998-03-12", 3),
        ("t2", "1998-W12", 5),
    ]
    (result,) = (one for one in log["runs"][0]["results"] if one["ruleId"] == "TLX204")
    assert [
        place["physicalLocation"]["region"]["startLine"] for place in result["relatedLocations"]
    ] == [8, 3, 5]
    assert "by their values" in result["message"]["text"]
    assert "title=TLX204 contradicts-calendar::" in commands
    assert 'suspect: "that week" (t2) has the value 1998-W12, line 5' in commands


def test_the_calendar_may_stand_in_the_configuration_of_check(contradicted):
    (contradicted.parent / "tlex.toml").write_text("calendar = true\n", encoding="utf-8")

    for more, code in (((), 1), (("--no-calendar",), 0), (("--calendar",), 1)):
        done = run("check", contradicted.name, *more, cwd=contradicted.parent)
        assert done.returncode == code


def test_fix_makes_links_agree_with_the_calendar(contradicted):
    plain = run("fix", contradicted, "--write")
    assert (plain.returncode, contradicted.read_text(encoding="utf-8")) == (0, CONTRADICTED)

    shown = run("fix", contradicted, "--calendar", "--choose", "1=2").stdout.decode()
    done = run("fix", contradicted, "--calendar", "--choose", "1=2", "--write")

    assert "    * 2. remove l1" in shown
    assert done.returncode == 0
    line = '<TLINK lid="l1" eventInstanceID="ei1" relType="IS_INCLUDED" relatedToTime="t1"/>\n'
    assert contradicted.read_text(encoding="utf-8") == CONTRADICTED.replace(line, "")
    assert run("check", contradicted, "--calendar").returncode == 0


def test_a_patch_of_fix_with_the_calendar_can_be_applied(contradicted):
    folder = contradicted.parent
    run("fix", contradicted, "--calendar", "--patch", folder / "p.json")
    done = run("apply", folder / "p.json", contradicted)

    assert done.returncode == 0
    assert run("check", contradicted, "--calendar").returncode == 0
    assert b"CALENDAR" not in contradicted.read_bytes()


def test_a_run_with_the_calendar_says_so(file, contradicted, tmp_path):
    out = tmp_path / "out"
    words = ("corpus", "run", file, contradicted, "-o", out, "-j", "1")

    done = run(*words, "--calendar", "--json")
    other = run(*words)
    report = run("corpus", "report", out)

    assert json.loads(done.stdout)["inconsistent"] == 1
    assert other.returncode == 2
    assert "made with calendar true, and now it is false" in other.stderr.decode()
    text = " ".join(report.stdout.decode().split())
    assert "Times are ordered by their values too (the calendar)." in text
    assert "TLINKs, ALINKs and the calendar" in text
    tables = tlex.corpus.open_run(out)
    rows = tables.table("links").to_pylist()
    documents = tables.table("documents").to_pylist()
    assert {row["kind"] for row in rows} == {"TLINK", "CALENDAR"}
    assert [row["links"] for row in documents] == [2, 2]
    assert sorted(row["consistent_tlinks"] for row in documents) == [False, True]
    page = run("corpus", "report", out, "-o", tmp_path / "report.html")
    assert page.returncode == 0
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Ordered by TLINKs, ALINKs and the calendar" in html
