"""``tlex relation`` and ``tlex why`` as a user meets them: a real process, real files."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from commands import CONTRADICTION, STORY, run

import tlex
from tlex.records import Answer


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


@pytest.mark.parametrize("command", ["relation", "why"])
def test_a_contradiction_is_an_answer_that_names_the_links(command):
    text = shown(command, CONTRADICTION, "ate", "arrived")

    assert "are on timeline 0, which is contradictory\n" in text
    assert "these 3 links cannot all hold" in text
    assert '    l4   "ate" (ei2) AFTER "arrived" (ei4), line 24\n' in text


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
