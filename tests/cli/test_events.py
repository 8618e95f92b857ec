"""``tlex events``: the events in order, with dates and sentences."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from commands import CONTRADICTION, STORY, run, run_on_terminal

import tlex


def shown(*arguments: str | Path, width: int = 80, **options: object) -> str:
    done = run("events", *arguments, **options)

    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert max(map(len, text.splitlines())) <= width
    return text


def refused(*arguments: str | Path, **options: object) -> str:
    done = run("events", *arguments, **options)

    assert (done.returncode, done.stdout) == (2, b"")
    return done.stderr.decode()


def test_all_events_come_in_order_with_dates_and_sentences():
    text = shown(STORY)

    assert text.splitlines()[1] == "21 events"
    assert "    on 31 December 2019, 23:00\n" in text
    assert '      "coughed" (ei4), line 13\n        Then, at eleven' in text
    assert "the baker [warmed] a\n        kettle of cider" in text
    assert text.index('"snowed"') < text.index('"coughed"') < text.index('"cheered"')


def test_what_happened_before_something():
    text = shown(STORY, "--before", "coughed")

    assert text.splitlines()[1] == (
        'events before "coughed" (ei4): 3 certain, 0 possible, 5 on other timelines'
    )
    assert re.findall(r'\n {4}. ("\w+")', text) == ['"snowed"', '"built"', '"warmed"']
    assert '    ~ "warmed" (ei3), line 11\n' in text
    assert text.endswith("\n~ it is not known whether it starts after the event above\n")


def test_an_event_in_another_world_is_told_as_such():
    text = shown(STORY, "--unordered", "2020-01-01")

    assert '"hoot" (ei12), line 21, conditional, branch of "promised" (ei11)' in text
    assert "  timeline 2, of unknown order with the timelines above\n" in text


def test_what_is_possible_comes_after_what_is_certain():
    text = shown(STORY, "--after", "built")

    assert text.index("certain (") < text.index("possible: neither known nor excluded (1)")
    assert text.index("possible: neither") < text.index('"warmed" (ei3)')


def test_several_conditions_and_a_date():
    text = shown(STORY, "--after", "coughed", "--before", "midnight", "--on", "2019-12-31")

    assert '"fetched" (ei17)' in text
    assert '"coughed" (ei4), line' not in text
    assert "on 2019-12-31: 7 certain, 0 possible" in " ".join(text.split())


def test_without_the_calendar_there_are_no_dates():
    text = shown(STORY, "--no-calendar")

    assert "December" not in text
    assert '"2020" is' not in refused(STORY, "--on", "2020", "--no-calendar")


def test_the_json_is_that_of_the_library():
    done = run("events", STORY, "--during", "2020", "--json")
    result = tlex.extract(tlex.read(STORY, name=str(STORY)), calendar=True, mend=True)

    answer = json.loads(done.stdout)

    assert answer == json.loads(result.answer(events=result.during("2020")).to_json())
    assert [event["id"] for event in answer["events"]["certain"]] == [
        *("ei18", "ei19", "ei20", "ei21"),
    ]
    assert answer["events"]["certain"][0]["date"] == {
        "after": "2020-01-01",
        "before": "2020-01-01T00:01",
    }
    assert answer["events"]["conditions"] == [
        {
            "relation": "during",
            "asked": "2020",
            "node": None,
            "date": {"after": "2020-01-01", "before": "2021-01-01"},
        }
    ]


def test_a_contradictory_document_is_mended_unless_told_otherwise():
    mended = shown(CONTRADICTION, "--before", "ate")
    bare = shown(CONTRADICTION, "--before", "ate", "--no-mend")
    every = shown(CONTRADICTION, "--before", "ate", "--contradictions", "every")

    assert "under the repair that leaves out l3\n" in mended
    assert "on contradictory timelines: nothing is known" in bare
    assert "after every smallest repair, such as the one that leaves out l3\n" in every


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--before", "snwed"], """'snwed'; did you mean "snowed" (ei1), line 10"""),
        (["--before", "hoot"], "'hoot' may be any of 2; give the id of one"),
        (["--before", "2019-02-30"], "'2019-02-30' is no date that can be used: not on the calen"),
        (["--on", "yesterday"], "'yesterday' is no date that can be used; dates are written like"),
        (["--on", "t0"], "'t0' is no date"),
        (["--on", ""], "'' is no date"),
        (["--before", "1999", "--no-calendar"], "dates need the calendar (leave out --no-calendar"),
        (["--before", "2" * 100_000], "is no date that can be used"),
    ],
)
def test_what_is_not_found_is_explained(arguments, message):
    said = refused(STORY, *arguments)

    assert message in said
    assert len(said.splitlines()[0]) < 400


def test_a_directory_and_a_pipe(tmp_path):
    for path in (STORY, CONTRADICTION):
        shutil.copy(path, tmp_path)
    done = run("events", tmp_path, "--json")
    piped = run("events", "-", stdin=b"fell BEFORE broke")

    assert len(done.stdout.splitlines()) == 2
    assert piped.stdout.decode().splitlines()[1] == "2 events"


def test_no_escape_reaches_a_pipe_and_nothing_steers_the_terminal(tmp_path):
    path = tmp_path / "evil.tml"
    path.write_text(
        '<TimeML>A &#x9b;31m <EVENT eid="e1" class="OCCURRENCE">fell&#x9b;2J</EVENT>'
        '<MAKEINSTANCE eiid="ei1" eventID="e1"/></TimeML>',
        encoding="utf-8",
    )

    assert "\x9b" not in shown(path, width=200)
    assert "\x1b" not in shown(STORY)


def test_ascii_terminals_see_no_other_glyphs():
    done = run("events", STORY, PYTHONIOENCODING="ascii", PYTHONUTF8="0")

    assert done.returncode == 0
    assert done.stdout.isascii()
    assert b"\\u" not in done.stdout


def test_a_narrow_terminal_has_colours_unless_told_otherwise():
    code, text = run_on_terminal("events", STORY, "--during", "2020", COLUMNS="44")
    plain = run_on_terminal("events", STORY, "--during", "2020", COLUMNS="44", NO_COLOR="1")[1]

    assert code == 0
    assert "\x1b[36m    on 1 January 2020\x1b[0m" in text
    assert "\x1b" not in plain
    lines = plain.replace("\r", "").splitlines()
    assert max(map(len, lines[1:])) <= 44
    assert re.sub(r"\x1b\[\d*m", "", text) == plain


def test_several_documents_as_one_have_one_list(tmp_path):
    folder = tmp_path / "documents"
    folder.mkdir()
    for day in (12, 11):
        (folder / f"d{day}.tml").write_text(
            f'<TimeML><TIMEX3 tid="t1" type="DATE" value="1998-03-{day}">then</TIMEX3> he '
            '<EVENT eid="e1" class="OCCURRENCE">fell</EVENT>'
            '<MAKEINSTANCE eiid="ei1" eventID="e1"/>'
            '<TLINK lid="l1" eventInstanceID="ei1" relType="IS_INCLUDED" relatedToTime="t1"/>'
            "</TimeML>",
            encoding="utf-8",
        )
    merged = tmp_path / "merged.json"
    assert run("merge", folder, "-o", merged).returncode == 0

    found = json.loads(run("events", merged, "--before", "d12#ei1", "--json").stdout)["events"]

    assert [(event["id"], event["source"]) for event in found["certain"]] == [
        ("d11#ei1", "d11.tml"),
    ]
    assert found["certain"][0]["sentence"] == "then he [fell]"
    assert found["conditions"][0]["node"]["id"] == "d12#ei1"
