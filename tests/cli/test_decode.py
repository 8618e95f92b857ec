"""``tlex decode``, and ``--confidence``: from a model's output to a timeline."""

from __future__ import annotations

import json

import msgspec
import pytest
from commands import STORY, run

import tlex
from tlex.records import DecodeRecord

CYCLE = [
    {"source": "a", "target": "b", "labels": {"BEFORE": 0.9, "AFTER": 0.1}},
    {"source": "b", "target": "c", "labels": {"BEFORE": 0.8, "AFTER": 0.2}},
    {"source": "c", "target": "a", "labels": {"BEFORE": 0.6, "AFTER": 0.4}},
]
WEIGHED = [
    {"from": 1, "to": 2, "relType": "BEFORE", "confidence": 0.9},
    {"from": 2, "to": 3, "relType": "BEFORE", "confidence": 0.99},
    {"from": 3, "to": 1, "relType": "before", "confidence": 0.95},
]


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.json"
    path.write_text(json.dumps({"links": CYCLE}), encoding="utf-8")
    return path


@pytest.fixture
def answer(tmp_path):
    """What a language model writes: Markdown, other keys, numbers as ids."""
    path = tmp_path / "model.json"
    text = "Here is the timeline:\n```json\n" + json.dumps(WEIGHED) + "\n```\n"
    path.write_text(text, encoding="utf-8")
    return path


def err(done) -> list[str]:
    return done.stderr.decode().splitlines()


def test_labels_are_chosen_and_the_document_is_written(model, tmp_path):
    done = run("decode", model, "-o", tmp_path / "timeline.json")

    assert (done.returncode, done.stdout) == (0, b"")
    assert "3 labels chosen; 1 not the most probable" in err(done)[0]
    again = tlex.read(tmp_path / "timeline.json")
    assert [(one.type, one.weight) for one in again.links] == [
        ("BEFORE", 0.9),
        ("BEFORE", 0.8),
        ("AFTER", 0.4),
    ]
    assert again.links[2].labels == {"BEFORE": 0.6, "AFTER": 0.4}
    assert tlex.extract(again).consistent


def test_people_read_a_summary_and_programs_a_record(model):
    said, recorded = run("decode", model), run("decode", model, "--json")

    assert b"AFTER 0.4, not BEFORE 0.6" in said.stdout
    assert said.returncode == recorded.returncode == 0
    record = json.loads(recorded.stdout)
    assert (record["consistent"], record["optimal"], record["gap"]) == (True, True, 0.0)
    assert record["schema"] == "tlex/1"
    assert recorded.stdout == tlex.decode(tlex.read(model)).to_json() + b"\n"


def test_where_no_choice_is_consistent_the_exit_code_is_1_and_nothing_is_written(tmp_path):
    links = [{**one, "labels": {"BEFORE": 1}} for one in CYCLE]
    path = tmp_path / "hard.json"
    path.write_text(json.dumps({"links": links}), encoding="utf-8")

    done = run("decode", path, "-o", tmp_path / "out.json", "--json")

    assert done.returncode == 1
    assert err(done) == [f"tlex: {path}: no choice of labels is consistent: l1, l2, l3"]
    assert json.loads(done.stdout)["blocked"] == [["l1", "l2", "l3"]]
    assert not (tmp_path / "out.json").exists()


def test_contradictory_links_without_candidates_are_for_tlex_fix(tmp_path):
    path = tmp_path / "hard.json"
    path.write_text(
        json.dumps({"links": [{**one, "type": "BEFORE", "labels": None} for one in CYCLE]})
    )

    done = run("decode", path)

    assert done.returncode == 1
    said = "no link has candidate labels, and links contradict each other (see tlex fix)"
    assert err(done) == [f"tlex: {path}: {said}: l1, l2, l3"]
    assert b"a BEFORE b" in done.stdout


def test_extract_says_that_decode_would_choose(model):
    done = run("extract", model)

    (line,) = err(done)
    assert line.startswith(f"tlex: note: {model}:1:12: 3 links with candidates for the type")
    assert line.endswith("tlex decode chooses those that fit together")


def test_fix_with_confidence_writes_the_most_probable_consistent_document(answer, tmp_path):
    done = run("fix", answer, "--confidence", "-o", tmp_path / "timeline.json")

    assert done.returncode == 0
    again = tlex.read(tmp_path / "timeline.json")
    assert [(one.source, one.target, one.weight) for one in again.links] == [
        ("2", "3", 0.99),
        ("3", "1", 0.95),
    ]
    assert not again.diagnostics
    assert any("$[0].relType: 'relType' is read as 'type' (3 times)" in line for line in err(done))


def test_fix_writes_clean_json_even_if_there_is_nothing_to_mend(answer, tmp_path):
    text = answer.read_text(encoding="utf-8").replace('"to": 1', '"to": 4')
    answer.write_text(text, encoding="utf-8")

    done = run("fix", answer, "--confidence", "-o", tmp_path / "timeline.json")

    assert done.returncode == 0
    assert not tlex.read(tmp_path / "timeline.json").diagnostics


def test_extract_mends_by_confidence_in_one_command(tmp_path):
    """Two links of 0.6 cost more than one of 0.8, but they are less probable."""
    ends = [(1, 2, 0.8), (2, 1, 0.6), (2, 1, 0.6)]
    links = [{"from": a, "rel": "BEFORE", "to": b, "confidence": p} for a, b, p in ends]
    path = tmp_path / "model.json"
    path.write_text(json.dumps(links), encoding="utf-8")

    done = run("extract", path, "--mend", "--confidence", "--json", "--verify")

    result = json.loads(done.stdout)
    assert done.returncode == 0
    assert result["mended"] == ["l2", "l3"]
    assert result["options"]["confidence"] is True
    assert tlex.extract(tlex.read(path), mend=True).mended == ("l1",)
    assert tlex.fix(tlex.read(path), confidence=True).removed == ("l2", "l3")


def test_confidence_without_mend_is_refused(answer):
    done = run("extract", answer, "--confidence")

    assert done.returncode == 2
    assert "give --mend as well" in err(done)[0]


def test_a_record_of_decode_is_read_back(model):
    done = run("decode", model, "--json")

    decoded = tlex.decode(tlex.read(model)).record()
    assert msgspec.json.decode(done.stdout, type=DecodeRecord) == decoded


def test_a_document_without_candidates_says_so():
    done = run("decode", STORY)

    assert done.returncode == 0
    assert done.stdout.decode().split(": ")[1].startswith("no link has candidate labels")
