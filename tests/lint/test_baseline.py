"""Baselines: what was there before is hidden, as often as it was there, wherever it moves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from linted import check, whole

from tlex.errors import OptionError
from tlex.lint import RULES
from tlex.lint.baseline import make_baseline, parse_baseline

DATA = Path(__file__).resolve().parents[1] / "data"
CYCLE = '<TLINK lid="l3" relType="BEFORE" timeID="t0" relatedToEventInstance="ei1"/>\n'
UNTIDY = (DATA / "untidy.tml").read_text("utf-8")
SAMPLES = [UNTIDY, *(whole(r.example) for r in RULES.values() if r.group != "reading")]


def baseline_of(text: str):
    return make_baseline([("story.tml", check(text, calendar=True))])


@pytest.mark.parametrize("text", SAMPLES)
def test_everything_known_is_hidden(text):
    hidden = check(text, calendar=True).hide(baseline_of(text), "story.tml")

    assert hidden.findings == ()
    assert hidden.hidden == len(check(text, calendar=True).findings) > 0


def move_lines(text: str) -> str:
    """Give the same document, with its lines elsewhere."""
    if text.startswith("<"):
        return text.replace("\n", "\n\n<!-- x -->\n  ")
    if text.startswith("{"):
        return text.replace("\n", "\n\n\n  ")
    return f"#1\tAnnotatorNotes T1\tx\n{text}"  # brat, in which a line begins with its id


@pytest.mark.parametrize("text", SAMPLES)
def test_findings_stay_known_when_lines_move(text):
    moved = move_lines(text)

    assert check(moved, calendar=True).hide(baseline_of(text), "story.tml").findings == ()


def test_what_is_new_is_shown():
    known = baseline_of(whole(""))

    shown = check(whole(CYCLE)).hide(known, "story.tml")

    assert [finding.code for finding in shown.findings] == ["TLX203"]
    assert shown.hidden == 0


def test_a_changed_link_is_new():
    shown = check(whole(CYCLE.replace("BEFORE", "IBEFORE"))).hide(
        baseline_of(whole(CYCLE)), "story.tml"
    )

    assert len(shown.findings) == 1


def test_what_is_known_once_is_hidden_once():
    loop = '<TLINK relType="SIMULTANEOUS" timeID="t0" relatedToTime="t0"/>\n'
    once, twice = check(whole(loop), "TLX309"), check(whole(loop * 2), "TLX309")

    shown = twice.hide(make_baseline([("a", once)]), "a")

    assert (len(twice.findings), len(shown.findings), shown.hidden) == (2, 1, 1)


def test_another_document_has_its_own_findings():
    assert len(check(whole(CYCLE)).hide(baseline_of(whole(CYCLE)), "other.tml").findings) == 1


def test_a_baseline_survives_being_written_and_is_the_same_every_time():
    found = [("b.tml", check(UNTIDY)), ("a.tml", check(whole(CYCLE))), ("c.tml", check(whole("")))]
    baseline = make_baseline(found)

    content = baseline.to_json()

    assert parse_baseline(content, "x") == baseline
    assert make_baseline(found[::-1]).to_json() == content
    assert list(json.loads(content)["documents"]) == ["a.tml", "b.tml"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "b.json: not a baseline: "),
        (b"[]", "b.json: not a baseline: "),
        (b'{"schema": "x"}', "b.json: not a baseline: "),
        (b"\xff\xfe", "b.json: not a baseline: "),
        (b'{"schema": "x", "documents": {}}', "b.json: a baseline of schema 'x'; known here: "),
        (b'{"schema": "x", "documents": {"a": {"b": "c"}}}', "b.json: not a baseline: "),
    ],
)
def test_what_is_no_baseline_is_an_error(content, message):
    with pytest.raises(OptionError) as caught:
        parse_baseline(content, "b.json")

    assert str(caught.value).startswith(message)
