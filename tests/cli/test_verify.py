"""``tlex verify`` as a user meets it: saved results are proven, or rejected with the reason."""

from __future__ import annotations

import json

import pytest
from commands import CONTRADICTION, STORY, messages, run

COMMANDS = (
    ("extract", STORY, "--pairs"),
    ("extract", CONTRADICTION, "--links", "tlink", "--times", "point"),
    ("relation", STORY, "ei1", "ei2"),
    ("why", STORY, "built", "midnight"),
    ("closure", STORY),
    ("reduce", STORY),
    ("fix", CONTRADICTION, "--relabel", "--weight", "tlink=0.5"),
)


def save(path, *command) -> dict:
    """Run a command with ``--json``, save what it writes, and return the first object."""
    done = run(*command, "--json")
    path.write_bytes(done.stdout)
    return json.loads(done.stdout.splitlines()[0])


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_what_a_command_saves_is_proven(tmp_path, command):
    save(tmp_path / "saved.jsonl", *command)

    done = run("verify", tmp_path / "saved.jsonl", "--strict")

    assert (done.returncode, done.stdout) == (0, b"")
    assert messages(done) == ["tlex: 1 of 1 result proven, 0 rejected"]


def test_a_rejected_result_is_one_line_with_its_place_its_document_and_the_reason(tmp_path):
    saved = save(tmp_path / "saved.jsonl", "extract", STORY)
    saved["timelines"][0]["length"] += 1
    (tmp_path / "saved.jsonl").write_text("\n" + json.dumps(saved) + "\n")

    done = run("verify", tmp_path / "saved.jsonl")

    assert done.returncode == 1
    (line,) = done.stdout.decode().splitlines()
    assert line.startswith(f"{tmp_path / 'saved.jsonl'}:2: {STORY}: timeline 0: the length is ")


def test_documents_are_found_in_directories_by_the_end_of_their_path(tmp_path):
    (tmp_path / "corpus" / "a").mkdir(parents=True)
    (tmp_path / "corpus" / "a" / "story.tml").write_bytes(STORY.read_bytes())
    save(tmp_path / "saved.jsonl", "extract", tmp_path / "corpus")
    save(tmp_path / "other.jsonl", "extract", tmp_path / "corpus" / "a" / "story.tml")

    results = tmp_path / "saved.jsonl", tmp_path / "other.jsonl"

    assert run("verify", *results, tmp_path / "corpus").returncode == 0
    assert run("verify", tmp_path / "corpus" / "a" / "story.tml", *results).returncode == 0
    assert run("verify", tmp_path / "other.jsonl").returncode == 0
    assert run("verify", tmp_path / "saved.jsonl").returncode == 2


def test_of_two_documents_with_one_name_the_hash_decides(tmp_path):
    for folder, original in (("one", CONTRADICTION), ("two", STORY)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "text.tml").write_bytes(original.read_bytes())
    saved = save(tmp_path / "saved.jsonl", "extract", tmp_path / "two")
    folders = tmp_path / "one", tmp_path / "two"

    assert run("verify", tmp_path / "saved.jsonl", *folders).returncode == 0

    saved["document"]["sha256"] = "0" * 64
    (tmp_path / "saved.jsonl").write_text(json.dumps(saved))
    done = run("verify", tmp_path / "saved.jsonl", *folders)
    assert done.returncode == 2
    assert "2 documents have this name" in messages(done)[0]


def test_a_result_of_another_document_with_this_name_is_rejected(tmp_path):
    (tmp_path / "text.tml").write_bytes(STORY.read_bytes())
    save(tmp_path / "saved.jsonl", "extract", tmp_path)
    (tmp_path / "text.tml").write_bytes(STORY.read_bytes().replace(b"snowed", b"rained"))

    done = run("verify", tmp_path / "saved.jsonl", tmp_path)

    assert done.returncode == 1
    assert "another version of the file" in done.stdout.decode()


def test_a_result_of_other_options_is_rejected(tmp_path):
    saved = save(tmp_path / "saved.jsonl", "extract", STORY)
    saved["options"]["links"] = ["ALINK"]
    (tmp_path / "saved.jsonl").write_text(json.dumps(saved))

    assert run("verify", tmp_path / "saved.jsonl").returncode == 1


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda saved: {**saved, "schema": "tlex/2"}, "a result of schema 'tlex/2'"),
        (lambda saved: {**saved, "options": {**saved["options"], "fast": 1}}, "'options.fast'"),
        (lambda saved: {"schema": "tlex/1", "document": saved["document"]}, "this kind of result"),
        (lambda saved: {**saved, "consistent": "yes"}, "not a result of schema tlex/1"),
        (lambda saved: {"path": saved["document"]["name"], "removed": []}, "without a schema"),
        (lambda saved: {**saved, "document": {"name": "no.tml", "format": "timeml"}}, "no.tml: "),
        (lambda saved: [saved], "not a JSON object"),
    ],
)
def test_what_is_no_result_for_this_version_is_reported_with_exit_code_2(tmp_path, spoil, problem):
    saved = save(tmp_path / "saved.jsonl", "extract", STORY)
    (tmp_path / "saved.jsonl").write_text(json.dumps(spoil(saved)))

    done = run("verify", tmp_path / "saved.jsonl")

    assert (done.returncode, done.stdout) == (2, b"")
    assert problem in messages(done)[0]
    assert str(tmp_path / "saved.jsonl") in messages(done)[0]


def test_truncated_json_and_missing_files_are_reported_and_the_rest_is_done(tmp_path):
    save(tmp_path / "saved.jsonl", "extract", STORY)
    whole = (tmp_path / "saved.jsonl").read_bytes()
    (tmp_path / "saved.jsonl").write_bytes(whole + whole[:100])
    (tmp_path / "empty.jsonl").write_bytes(b"")

    done = run(
        "verify", tmp_path / "none.jsonl", tmp_path / "empty.jsonl", tmp_path / "saved.jsonl"
    )

    assert done.returncode == 2
    assert messages(done)[-1].startswith("tlex: 1 of 4 results proven, 0 rejected, 3 could not")


def test_a_field_that_is_not_known_is_named_as_unchecked(tmp_path):
    saved = save(tmp_path / "saved.jsonl", "extract", STORY)
    saved["timelines"][0]["mood"] = "good"
    (tmp_path / "saved.jsonl").write_text(json.dumps(saved))

    done = run("verify", tmp_path / "saved.jsonl")

    assert done.returncode == 0
    assert "not checked: the field 'timelines.mood'" in done.stdout.decode()
    assert run("verify", tmp_path / "saved.jsonl", "--strict").returncode == 1


def test_labels_and_texts_are_those_of_the_result(tmp_path):
    (tmp_path / "own.toml").write_text('[TLINK]\nSOON = ["A+ < B-"]\n')
    text = STORY.read_text().replace('relType="BEFORE"', 'relType="SOON"')
    (tmp_path / "story.tml").write_text(text)
    document = tmp_path / "story.tml"
    saved = save(tmp_path / "saved.jsonl", "extract", document, "--labels", tmp_path / "own.toml")

    assert saved["document"]["labels"] == {"TLINK": {"SOON": ["A+ < B-"]}}
    assert run("verify", tmp_path / "saved.jsonl").returncode == 0

    saved["document"]["labels"]["TLINK"]["SOON"] = ["soon"]
    (tmp_path / "saved.jsonl").write_text(json.dumps(saved))
    assert run("verify", tmp_path / "saved.jsonl").returncode == 2


def test_json_has_a_line_for_each_result(tmp_path):
    save(tmp_path / "saved.jsonl", "extract", STORY)

    done = run("verify", tmp_path / "saved.jsonl", "--json")

    found = json.loads(done.stdout)
    assert (found["verdict"], found["result"], found["line"]) == ("proven", "extract", 1)
    assert (found["reason"], found["unchecked"]) == (None, [])


def test_without_results_there_is_nothing_to_do():
    done = run("verify", STORY)

    assert done.returncode == 2
    assert "no file with results" in messages(done)[0]


@pytest.mark.parametrize(
    "command",
    [
        ("score", STORY, STORY),
        ("score", STORY, STORY, STORY),
        ("diff", STORY, STORY),
        ("agree", STORY, STORY),
        ("ask", STORY, "IS ei1 BEFORE ei2"),
    ],
    ids=lambda command: command[0],
)
def test_comparisons_and_questions_are_refused_by_name(tmp_path, command):
    save(tmp_path / "saved.jsonl", *command)
    done = run("verify", tmp_path / "saved.jsonl", STORY)
    assert done.returncode == 2
    *lines, _ = messages(done)
    assert lines
    assert all("a result of score, diff, agree or ask cannot be verified" in line for line in lines)
