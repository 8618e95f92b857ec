"""``tlex relation``: how two events or times are related."""

from __future__ import annotations

import json
from pathlib import Path

from commands import CONTRADICTION, STORY, run


def shown(*arguments: str | Path, **options: object) -> str:
    done = run(*arguments, **options)

    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert max(map(len, text.splitlines())) <= 80
    return text


def test_an_entailed_relation_is_reported_in_timemls_and_in_allens_words():
    text = shown("relation", STORY, "built", "midnight")

    assert text == '"built" (ei2) is BEFORE "midnight" (t4)   [Allen: before]\n'


def test_what_is_possible_is_listed():
    text = shown("relation", STORY, "built", "warmed")

    assert text.startswith('"built" (ei2) and "warmed" (ei3): 13 relations are possible\n')
    for words in ("BEFORE [before],", " [overlaps],", "SIMULTANEOUS [equal]", "AFTER [after]\n"):
        assert words in text


def test_across_timelines_it_shows_the_way():
    text = shown("relation", STORY, "snowed", "learned")

    assert '"snowed" (ei1) and "learned" (ei16) are unrelated:' in text
    assert '    l28  "promised" (ei11) MODAL "hoot" (ei12), line 83\n' in text
    assert '    l31  "deny" (ei14) NEGATIVE_EVIDENTIAL "attended" (ei15), line 86\n' in text


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


def test_only_the_links_asked_for_count():
    assert "is BEGUN_BY" in shown("relation", STORY, "ei19", "t4")
    assert "13 relations" in shown("relation", STORY, "ei19", "t4", "--links", "tlink")


def test_json_is_the_answer_and_says_what_it_is_about():
    done = run("relation", "examples/story.tml", "built", "midnight", "--json", "--links", "TLINK")

    (line,) = done.stdout.splitlines()
    answer = json.loads(line)
    assert list(answer) == ["schema", "tlex", "document", "options", "relation", "mended"]
    assert answer["schema"] == "tlex/1"
    assert answer["document"]["name"] == "examples/story.tml"
    assert answer["options"]["links"] == ["TLINK"]
    assert answer["relation"]["verdict"] == "entailed"
    assert answer["relation"]["relations"] == [{"name": "before", "type": "BEFORE"}]
    assert answer["relation"]["source"] == {"id": "ei2", "text": "built", "line": 11}
    assert [*answer["relation"]] == [
        *("source", "target", "verdict", "timelines", "consistent", "relations", "orders"),
        *("instants", "path", "contradictions", "mended"),
    ]


def test_what_every_repair_leaves_open_is_not_said_of_each_repair():
    text = shown("relation", CONTRADICTION, "ate", "arrived", "--contradictions", "every")

    assert "13 relations are possible" in text
    assert text.endswith(
        "  known is what holds after every smallest repair; one of them leaves out l3\n"
    )


def test_what_every_repair_entails_is_said_of_each_repair():
    text = shown("relation", CONTRADICTION, "told", "arrived", "--contradictions", "every")

    assert text.endswith("  after every smallest repair, such as the one that leaves out l3\n")
