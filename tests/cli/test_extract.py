"""``tlex extract`` as a user meets it: a real process, real files, real pipes."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest
from commands import CONTRADICTION, STORY, TLEX, messages, run, run_on_terminal


def reports(done) -> list[dict]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_story_is_drawn_within_80_columns():
    done = run("extract", "examples/story.tml")

    text = done.stdout.decode()
    assert done.returncode == 0
    assert not done.stderr
    assert text.startswith("examples/story.tml: consistent\n")
    assert "order unknown: 4 points, 13 orders" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("command", [("extract",), ("check",), ("events",), ("fix",), ("closure",)])
def test_results_go_where_they_are_sent_while_progress_is_on_a_terminal(command):
    main, side = pty.openpty()
    words = [*TLEX, *command, CONTRADICTION]
    sent = subprocess.run(words, stdout=subprocess.PIPE, stderr=side, check=False)  # noqa: S603
    os.close(side)
    os.close(main)

    plain = run(*command, CONTRADICTION)

    assert sent.stdout == plain.stdout != b""


def test_what_goes_into_a_file_is_the_same_whatever_the_terminal():
    wide, narrow = (
        run("extract", "examples/story.tml", COLUMNS=columns).stdout for columns in ("200", "40")
    )

    assert wide == narrow


def test_a_contradiction_is_an_answer_with_exit_code_0():
    done = run("extract", CONTRADICTION)

    assert done.returncode == 0
    text = done.stdout.decode()
    assert "these 3 links cannot all hold" in text
    for words in ("l2   ate (ei2) IBEFORE washed (ei3)", "line "):
        assert words in text


def test_json_is_one_object_a_line_in_the_order_of_the_arguments():
    done = run("extract", STORY, CONTRADICTION, "--json")

    assert [r["document"]["name"] for r in reports(done)] == [str(STORY), str(CONTRADICTION)]
    assert [r["consistent"] for r in reports(done)] == [True, False]


def test_a_directory_is_walked_in_sorted_order_and_names_are_below_it(tmp_path):
    for name in ("b.tml", "a/z.tml", "a/b/c.tml", ".hidden.tml", ".git/x.tml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(STORY.read_bytes())
    (tmp_path / "notes.txt").write_text("no markup here")
    (tmp_path / "empty.tml").write_bytes(b"")

    done = run("extract", tmp_path, "--json")

    names = [r["document"]["name"] for r in reports(done)]
    assert names == ["b.tml", "a/z.tml", "a/b/c.tml"]
    assert done.returncode == 0
    assert messages(done) == [
        "tlex: note: skipped 2 files that no reader recognises: empty.tml, notes.txt"
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_in_a_directory_is_passed_over_and_one_that_is_named_is_read(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "story.tml").write_bytes(STORY.read_bytes())
    os.mkfifo(tmp_path / "pipe.tml")
    (tmp_path / "in" / "link.tml").symlink_to(tmp_path / "pipe.tml")

    done = run("extract", tmp_path / "in", "--json")

    assert [r["document"]["name"] for r in reports(done)] == ["story.tml"]
    assert messages(done) == ["tlex: note: skipped 1 file that no reader recognises: link.tml"]
    words = [*TLEX, "extract", "--json", tmp_path / "pipe.tml"]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as named:  # noqa: S603
        (tmp_path / "pipe.tml").write_bytes(STORY.read_bytes())
        assert json.loads(named.communicate(timeout=60)[0])["consistent"]


def test_standard_input_is_read_for_a_dash():
    done = run("extract", "-", "--json", stdin=STORY.read_bytes())

    assert reports(done)[0]["document"]["name"] == "-"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b" \n\t", "the file is empty"),
        (b"\x7fELF\x02\x01\x00\x00", "no reader recognises this file"),
        (b"just words", "no reader recognises this file; formats known here: timeml"),
        (b"<TimeML><EVENT>", "not well-formed XML: no element found"),
    ],
)
def test_what_cannot_be_read_is_one_line_and_the_others_are_still_done(tmp_path, content, message):
    bad = tmp_path / "bad.tml"
    bad.write_bytes(content)

    done = run("extract", bad, STORY, "--json")

    assert done.returncode == 2
    assert len(reports(done)) == 1
    assert len(messages(done)) == 1
    assert messages(done)[0].startswith(f"tlex: {bad}:1:")
    assert message in messages(done)[0]


def test_a_missing_file_an_unreadable_one_and_an_empty_directory_are_reported(tmp_path):
    (tmp_path / "empty").mkdir()

    done = run("extract", "nowhere.tml", tmp_path / "empty", "/dev/null/x", "", STORY, "--json")

    assert done.returncode == 2
    assert len(reports(done)) == 1
    assert messages(done) == [
        "tlex: nowhere.tml: cannot be read: No such file or directory",
        f"tlex: {tmp_path / 'empty'}: no document in this directory",
        "tlex: /dev/null/x: cannot be read: Not a directory",
        "tlex: '': cannot be read: No such file or directory",
    ]


def test_a_broken_file_in_a_directory_fails_and_the_others_are_done(tmp_path):
    (tmp_path / "bad.tml").write_bytes(b"<TimeML><EVENT></TimeML>")
    (tmp_path / "good.tml").write_bytes(STORY.read_bytes())

    done = run("extract", tmp_path, "--json")

    assert done.returncode == 2
    assert messages(done) == ["tlex: bad.tml:1:18: not well-formed XML: mismatched tag"]
    assert [r["document"]["name"] for r in reports(done)] == ["good.tml"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x.tml", "--subordinating", "MODEL"], "subordinating cannot be 'MODEL'"),
        (["x.tml", "--pairs"], "give --json as well"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(arguments, message):
    done = run("extract", *arguments)

    assert done.returncode == 2
    assert not done.stdout
    assert len(messages(done)) == 1
    assert message in messages(done)[0]


def test_an_unknown_main_id_fails_that_document_only():
    done = run("extract", STORY, CONTRADICTION, "--json", "--main", "t1")

    assert done.returncode == 2
    assert [r["document"]["name"] for r in reports(done)] == [str(STORY)]
    assert "main: no event or time has the id or the words 't1'" in messages(done)[0]


def test_the_options_reach_the_extraction():
    options = ["--links", "TLink", "--times", "point", "--main", "ei4,t1"]

    done = run("extract", STORY, "--json", *options, "--subordinating", "modal,neg_evidential")

    assert reports(done)[0]["options"] == {
        "links": ["TLINK"],
        "times": "point",
        "main": ["ei4", "t1"],
        "subordinating": ["MODAL", "NEGATIVE_EVIDENTIAL"],
        "calendar": False,
        "mend": False,
    }


def test_pairs_are_added_on_request_only():
    without, with_pairs = (run("extract", STORY, "--json", *more) for more in ([], ["--pairs"]))

    assert "pairs" not in reports(without)[0]["timelines"][0]
    pairs = reports(with_pairs)[0]["timelines"][0]["pairs"]
    assert pairs == [["ei2-", "ei3-"], ["ei2-", "ei3+"], ["ei2+", "ei3-"], ["ei2+", "ei3+"]]


def test_too_many_pairs_are_refused_and_the_next_document_is_done(tmp_path):
    # A fan of 800 events: nothing is known of the order of any two of the later ones.
    fan = tmp_path / "a.txt"
    fan.write_text("".join(f"e0 BEFORE e{number}\n" for number in range(1, 801)))
    (tmp_path / "b.txt").write_text("x BEFORE y\n")

    result = run("extract", tmp_path, "--json", "--pairs")

    assert result.returncode == 2
    assert b"more than the limit of 1,000,000" in result.stderr
    assert len(reports(result)) == 1


def test_verify_proves_every_answer():
    done = run("extract", STORY, CONTRADICTION, "--verify", "--json")

    assert done.returncode == 0
    assert messages(done) == ["tlex: verified 2 documents"]


def test_strict_refuses_a_document_with_an_error(tmp_path):
    path = tmp_path / "x.tml"
    path.write_text(
        '<TimeML><TLINK lid="l1" relType="BEFORE" timeID="t1" relatedToTime="t2"/></TimeML>'
    )

    done = run("extract", path, "--strict")

    assert done.returncode == 2
    assert messages(done)[0].startswith(f"tlex: {path}:1:9: TLINK l1 points to")


def test_a_file_over_the_limit_is_refused():
    done = run("extract", STORY, "--max-bytes", "100")

    assert done.returncode == 2
    assert "larger than 100 bytes" in messages(done)[0]


def test_colours_are_for_terminals_and_no_color_is_obeyed():
    assert "\x1b[" in run_on_terminal("extract", STORY)[1]
    assert "\x1b[" not in run_on_terminal("extract", STORY, NO_COLOR="1")[1]
    assert "\x1b[" not in run_on_terminal("extract", STORY, TERM="dumb")[1]
    assert b"\x1b[" not in run("extract", STORY).stdout


def test_a_terminal_without_unicode_gets_ascii():
    done = run("extract", STORY, PYTHONIOENCODING="ascii", PYTHONUTF8="0")

    assert done.stdout.decode("ascii")
    assert b"+- order unknown" in done.stdout


def test_names_that_are_no_text_do_no_harm(tmp_path):
    path = os.path.join(os.fsencode(tmp_path), b"caf\xe9\x1b[31m.tml")  # noqa: PTH118 -- bytes
    Path(os.fsdecode(path)).write_bytes(STORY.read_bytes())
    Path(os.fsdecode(path + b"2")).write_bytes(b"<TimeML>")

    done = run("extract", tmp_path, "--json")

    assert reports(done)[0]["document"]["name"] == "caf\\xe9\x1b[31m.tml"
    assert done.returncode == 2
    assert "\x1b" not in done.stderr.decode()
    assert b"\x1b" not in run("extract", tmp_path).stdout
