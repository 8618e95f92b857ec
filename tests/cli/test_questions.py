"""``tlex relation`` and ``tlex why`` as a user meets them: a real process, real files."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import msgspec
import pytest
from commands import TLEX, run

import tlex
from tlex.records import Answer

ROOT = Path(__file__).parents[2]
STORY = ROOT / "examples" / "story.tml"
CONTRADICTION = ROOT / "examples" / "contradiction.tml"


def shown(*arguments: str | Path, **options: object) -> str:
    done = run(*arguments, **options)

    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert max(map(len, text.splitlines())) <= 80
    return text


def refused(*arguments: str | Path, **options: object) -> list[str]:
    done = run(*arguments, **options)

    assert (done.returncode, done.stdout) == (2, b"")
    return done.stderr.decode().splitlines()


def test_an_entailed_relation_is_told_in_timemls_and_in_allens_words():
    text = shown("relation", STORY, "built", "midnight")

    assert text == '"built" (ei2) is BEFORE "midnight" (t4)   [Allen: before]\n'


def test_the_proof_names_each_link_with_its_words_and_line():
    text = shown("why", "examples/story.tml", "ei2", "t4")

    assert text == (
        '"built" (ei2) is BEFORE "midnight" (t4)   [Allen: before]\n'
        "  ei2+ < t4-   because\n"
        '    l4   "built" (ei2) BEFORE "coughed" (ei4), line 58\n'
        '    l6   "coughed" (ei4) SIMULTANEOUS "eleven o\'clock" (t2), line 60\n'
        '    l20  "eleven o\'clock" (t2) BEFORE "midnight" (t4), line 74\n'
        "    that is ei2+ < ei4- < ei4+ = t2+ < t4-\n"
    )


def test_what_is_possible_is_listed():
    text = shown("relation", STORY, "built", "warmed")

    assert text.startswith('"built" (ei2) and "warmed" (ei3): 13 relations are possible\n')
    for words in ("BEFORE [before],", " [overlaps],", "SIMULTANEOUS [equal]", "AFTER [after]\n"):
        assert words in text


def test_an_open_pair_comes_with_two_complete_timelines():
    text = shown("why", STORY, "built", "warmed")

    one, other = text.split("one timeline on which ")[1].split("another on which ")
    assert one.startswith('"built" (ei2) is BEFORE "warmed" (ei3):\n')
    assert other.startswith('"built" (ei2) is AFTER "warmed" (ei3):\n')
    assert "< ei2- < ei2+ < ei3- < ei3+" in " ".join(one.split())
    assert "< ei3- < ei3+ < ei2- < ei2+" in " ".join(other.split())
    for timeline in (one, other):
        assert timeline.count("ei21+") == timeline.count("t3-") == 1


def test_what_is_settled_in_part_is_told_and_proven(tmp_path):
    path = tmp_path / "part.tml"
    path.write_text(
        '<TimeML><EVENT eid="e1">a</EVENT><EVENT eid="e2">b</EVENT>'
        '<TLINK lid="l1" relType="OVERLAP" eventInstanceID="e1" relatedToEventInstance="e2"/>'
        "</TimeML>"
    )

    text = shown("why", path, "a", "b")

    assert "9 relations are possible" in text
    assert "  in any case e1- < e2+, e1+ > e2-\n" in text
    assert "  e1- < e2+   because\n    l1   " in text
    assert "one timeline on which" in text


def test_across_timelines_it_shows_the_way():
    text = shown("relation", STORY, "snowed", "learned")

    assert '"snowed" (ei1) and "learned" (ei16) are unrelated:' in text
    assert '    l28  "promised" (ei11) MODAL "hoot" (ei12), line 83\n' in text
    assert '    l31  "deny" (ei14) NEGATIVE_EVIDENTIAL "attended" (ei15), line 86\n' in text


def test_across_timelines_without_a_way_it_says_so(tmp_path):
    path = tmp_path / "two.tml"
    path.write_text('<TimeML><EVENT eid="e1">a</EVENT><EVENT eid="e2">b</EVENT></TimeML>')

    assert "no chain of subordinating links" in shown("why", path, "a", "b")


@pytest.mark.parametrize("command", ["relation", "why"])
def test_a_contradiction_is_an_answer_that_names_the_links(command):
    text = shown(command, CONTRADICTION, "ate", "arrived")

    assert "stand on timeline 0, which contradicts itself\n" in text
    assert "these 3 links cannot all hold" in text
    assert '    l4   "ate" (ei2) AFTER "arrived" (ei4), line 24\n' in text


def test_a_contradiction_that_comes_from_points_says_so():
    text = shown("relation", STORY, "t4", "ei19", "--times", "point")

    assert "link contradicts itself while a TIME is a single point:" in " ".join(text.split())


def test_an_order_that_timeml_has_no_type_for_says_so(tmp_path):
    path = tmp_path / "overlap.tml"
    path.write_text(
        '<TimeML><EVENT eid="e1">a</EVENT><TIMEX3 tid="t1" type="TIME" value="x">b</TIMEX3>'
        '<TLINK lid="l1" relType="OVERLAPS" eventInstanceID="e1" relatedToTime="t1"/>'
        '<EVENT eid="e2">c</EVENT><TIMEX3 tid="t2" type="TIME" value="x">d</TIMEX3>'
        '<TLINK lid="l2" relType="IBEFORE" eventInstanceID="e2" relatedToTime="t2"/></TimeML>'
    )

    assert shown("relation", path, "a", "b") == (
        '"a" (e1) overlaps "b" (t1)   [Allen: overlaps; TimeML has no such type]\n'
    )
    assert shown("relation", path, "c", "d", "--times", "point") == (
        '"c" (e2) is ENDED_BY "d" (t2)   [of a point: finished-by]\n'
    )


def test_an_event_is_itself():
    assert shown("why", STORY, "ei2", "built") == (
        '"built" (ei2) is "built" (ei2): one and the same\n'
    )


def test_only_the_links_asked_for_count():
    assert "is BEGUN_BY" in shown("relation", STORY, "ei19", "t4")
    assert "13 relations" in shown("relation", STORY, "ei19", "t4", "--links", "tlink")


def test_json_is_the_answer_and_says_what_it_is_about():
    done = run("relation", "examples/story.tml", "built", "midnight", "--json", "--links", "TLINK")

    (line,) = done.stdout.splitlines()
    answer = json.loads(line)
    assert list(answer) == ["schema", "tlex", "document", "options", "relation"]
    assert answer["schema"] == "tlex/1"
    assert answer["document"]["name"] == "examples/story.tml"
    assert answer["options"]["links"] == ["TLINK"]
    assert answer["relation"]["verdict"] == "entailed"
    assert answer["relation"]["relations"] == [{"name": "before", "type": "BEFORE"}]
    assert answer["relation"]["source"] == {"id": "ei2", "text": "built", "line": 11}
    assert [*answer["relation"]] == [
        *("source", "target", "verdict", "timelines", "consistent", "relations", "orders"),
        *("instants", "path"),
    ]


@pytest.mark.parametrize("pair", [("ei2", "t4"), ("ei2", "ei3"), ("ei1", "ei16"), ("ei2", "ei2")])
def test_json_and_python_say_the_same(pair):
    result = tlex.extract(tlex.read(STORY))
    lines = [run(command, STORY, *pair, "--json").stdout for command in ("relation", "why")]

    relation, why = (msgspec.json.decode(line, type=Answer) for line in lines)

    assert relation == result.answer(relation=result.relation(*pair))
    assert why == result.answer(why=result.why(*pair))


def test_standard_input_is_read_for_a_dash():
    assert "is BEFORE" in shown("relation", "-", "ei2", "t4", stdin=STORY.read_bytes())


def test_words_that_several_have_are_answered_with_all_of_them():
    assert refused("why", "examples/story.tml", "hoot", "t4") == [
        "tlex: examples/story.tml: 'hoot' may be any of 2; give the id of one:",
        'tlex:   "hoot" (ei12), line 21',
        'tlex:   "hoot" (ei19), line 26',
    ]


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        ("ei99", "did you mean 'ei9'"),
        ("snwed", 'did you mean "snowed" (ei1), line 10'),
        ("xyzzy", "the words 'xyzzy'"),
        ("", "the words ''"),
        ("\x1b[31m", "the words '\\x1b[31m'"),
    ],
)
@pytest.mark.parametrize("command", ["relation", "why"])
def test_what_nobody_has_is_one_line(command, asked, hint):
    (line,) = refused(command, STORY, "ei1", asked)

    assert line.startswith(f"tlex: {STORY}: no event or time has the id or the words ")
    assert line.endswith(hint)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"\x7fELF\x02\x01\x00\x00", "no reader recognises this file"),
        (b"<TimeML><EVENT>", "not well-formed XML"),
    ],
)
def test_what_cannot_be_read_is_one_line(tmp_path, content, message):
    (tmp_path / "bad.tml").write_bytes(content)

    (line,) = refused("relation", tmp_path / "bad.tml", "a", "b")

    assert message in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.tml", "a", "b"), "nowhere.tml: cannot be read: No such file or directory"),
        (("examples", "a", "b"), "examples: is a directory; ask about one document"),
        ((STORY, "ei1", "ei2", "--links", "slink"), "links cannot be 'SLINK'"),
        ((STORY, "ei1", "ei2", "--times", "never"), "'never' is not one of 'interval', 'point'"),
        ((STORY, "ei1"), "missing argument 'B'; see tlex "),
        ((STORY, "ei1", "ei2", "ei3"), "unexpected extra argument"),
    ],
)
def test_a_request_that_cannot_be_met_is_one_line(arguments, message):
    (line,) = refused("relation", *arguments)

    assert message in line


def test_words_from_a_file_cannot_steer_the_terminal(tmp_path):
    path = tmp_path / "evil.tml"
    path.write_text(
        '<TimeML><EVENT eid="e&#x202e;1">a&#x9b;31m</EVENT><EVENT eid="e2">b</EVENT>'
        '<TLINK lid="l&#x202e;" relType="BEFORE" eventInstanceID="e&#x202e;1" '
        'relatedToEventInstance="e2"/></TimeML>'
    )

    text = shown("why", path, "b", "e\u202e1")

    assert "\u202e" not in text
    assert "\x9b" not in text


@pytest.mark.parametrize(
    "shell",
    ["{tlex} why {story} ei2 ei3 >/dev/full", "{tlex} why {story} ei2 ei3 --json >/dev/full"],
)
def test_a_full_disk_makes_no_traceback(shell):
    done = subprocess.run(  # noqa: S603
        ["/bin/bash", "-c", shell.format(tlex=" ".join(TLEX), story=STORY)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert "Traceback" not in done.stderr
    assert done.returncode == 2
