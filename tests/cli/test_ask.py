"""``tlex ask``, as a user runs it."""

from __future__ import annotations

import json

from commands import CONTRADICTION, STORY, messages, run


def test_an_answer_comes_with_its_proof():
    done = run("ask", STORY, "IS built BEFORE midnight")

    assert done.returncode == 0
    lines = done.stdout.decode().splitlines()
    assert lines[0] == 'yes: "built" (ei2) BEFORE "midnight" (t4)'
    assert lines[-1].strip() == "that is ei2+ < ei4- < ei4+ = t2+ < t4-"


def test_no_comes_with_a_closed_walk():
    done = run("ask", STORY, "is built after midnight?")

    assert done.returncode == 0
    assert done.stdout.startswith(b"no: ")
    assert b"a point would be before itself" in done.stdout


def test_questions_from_a_file_are_answered_in_a_line_each(tmp_path):
    questions = tmp_path / "questions.txt"
    questions.write_bytes(
        b"\xef\xbb\xbfIS ate BEFORE arrived\r\n\r\n# a remark\r\nIS ate\r\nIS ate equal ate\r\n"
        b"IS ate NEARLY arrived\r\nIS ate BEFORE nobody"
    )

    done = run("ask", CONTRADICTION, "--questions", questions)

    assert done.returncode == 2
    assert done.stdout.decode().splitlines() == [
        'unknown: "ate" (ei2) BEFORE "arrived" (ei4) (disputed; without l3)',
        'yes: "ate" (ei2) equal "ate" (ei2) (without l3)',
        "unknown: IS ate BEFORE nobody (no such expression)",
    ]
    assert [line.partition(" ")[2].partition(" ")[0] for line in messages(done)] == [
        f"{questions}:4:",
        f"{questions}:6:",
    ]


def test_questions_may_come_from_standard_input_and_answers_as_json():
    done = run("ask", STORY, "--questions", "-", "--json", stdin=b"IS built BEFORE midnight\n")

    (reply,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert (reply["schema"], reply["answer"]) == ("tlex/1", "yes")
    assert [link["id"] for link in reply["links"]] == ["l4", "l6", "l20"]


def test_how_contradictions_are_dealt_with_can_be_chosen():
    answers = [
        run("ask", CONTRADICTION, "IS ate AFTER arrived", "--contradictions", policy)
        .stdout.decode()
        .partition(":")[0]
        for policy in ("every", "repair", "knot", "part")
    ]

    assert answers == ["unknown", "yes", "unknown", "unknown"]


def test_wrong_calls_are_told_in_one_line(tmp_path):
    latin = tmp_path / "latin.txt"
    latin.write_bytes(b"IS a BEFORE b\nIS \xe9 BEFORE b\n")
    calls = {
        ("ask", STORY): "give one question, or a file with --questions",
        ("ask", STORY, "IS a BEFORE b", "--questions", "-"): "give one question, or a file",
        ("ask", "-", "--questions", "-"): "standard input can be the document or the questions",
        ("ask", tmp_path, "IS a BEFORE b"): "is a directory; ask about one document",
        ("ask", STORY, "--questions", tmp_path / "none"): "cannot be read: No such file",
        ("ask", STORY, "--questions", tmp_path): "cannot be read: Is a directory",
        ("ask", STORY, "--questions", latin): f"{latin}:2: not UTF-8",
        ("ask", tmp_path / "none.tml", "IS a BEFORE b"): "none.tml: cannot be read",
        ("ask", STORY, "IS hoot BEFORE midnight"): "may be any of 2; give the id of one:",
    }
    for call, message in calls.items():
        done = run(*call)

        assert done.returncode == 2, call
        assert done.stdout == b""
        assert message in messages(done)[0]
        assert b"Traceback" not in done.stderr


def test_several_documents_of_a_file_are_named():
    story = run("convert", STORY, "--to", "json").stdout.strip()
    other = run("convert", CONTRADICTION, "--to", "json").stdout.strip()
    lines = b"\n".join(json.dumps(json.loads(one)).encode() for one in (story, other))

    done = run("ask", "-", "IS ei1 BEFORE ei2", stdin=lines)

    assert len([line for line in done.stdout.decode().splitlines() if "(ei1)" in line]) >= 2
    assert done.returncode == 0
