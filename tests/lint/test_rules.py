"""The table of rules: each can fire, is reported apart from the others, and explained."""

from __future__ import annotations

import re

import pytest
from linted import codes, whole

import tlex
from tlex.errors import OptionError, ReadError
from tlex.lint import RULES, find_rule
from tlex.lint.reading import find_unread
from tlex.lint.rules import FRAME, GROUPS, SEVERITIES
from tlex.nouns import Code

EVERY = list(RULES.values())
READING = [rule for rule in EVERY if rule.group == "reading"]
REST = [rule for rule in EVERY if rule.group != "reading"]


def identify(rule) -> str:
    return rule.code


def test_the_frame_of_the_examples_is_without_fault():
    assert codes(whole("")) == []


@pytest.mark.parametrize("rule", REST, ids=identify)
def test_the_example_sets_off_its_rule_and_no_other(rule):
    fired = codes(whole(rule.example), calendar=rule.calendar)

    assert fired.count(rule.code) == 1
    assert set(fired) == {rule.code, *rule.also}


@pytest.mark.parametrize("rule", EVERY, ids=identify)
def test_the_mended_example_is_without_fault(rule):
    assert codes(whole(rule.fixed), calendar=rule.calendar) == []


@pytest.mark.parametrize("rule", [rule for rule in EVERY if rule.calendar], ids=identify)
def test_what_the_calendar_finds_is_not_looked_for_without_it(rule):
    assert codes(whole(rule.example)) == []


@pytest.mark.parametrize("rule", [r for r in READING if r.example], ids=identify)
def test_the_examples_of_reading_cannot_be_read(rule):
    with pytest.raises(ReadError) as caught:
        tlex.parse(rule.example)

    assert find_unread(caught.value).code == rule.code


def test_a_missing_file_is_unreadable(tmp_path):
    with pytest.raises(ReadError) as caught:
        tlex.read(tmp_path / "nowhere.tml")

    assert find_unread(caught.value).code == "TLX004"


@pytest.mark.parametrize("content", [b"", b"just words", b"\x7fELF"])
def test_what_no_reader_knows_is_unsupported(content):
    with pytest.raises(ReadError) as caught:
        tlex.parse(content)

    assert find_unread(caught.value).code == "TLX002"


def test_a_file_over_the_limit_is_too_large():
    with pytest.raises(ReadError) as caught:
        tlex.parse(FRAME, max_bytes=100)

    assert find_unread(caught.value).code == "TLX003"


@pytest.mark.parametrize("rule", EVERY, ids=identify)
def test_a_rule_is_written_as_the_others_are(rule):
    assert re.fullmatch(r"TLX[0-4]\d\d", rule.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
    assert rule.severity in SEVERITIES
    assert not rule.summary.endswith(".")
    assert not re.match(r"[A-Z][a-z]", rule.summary)
    assert rule.explanation.endswith(".")
    assert set(rule.also) <= set(RULES)


def test_codes_and_names_are_unique_and_in_order():
    assert list(RULES) == sorted(RULES)
    assert len({rule.name for rule in EVERY}) == len(EVERY)
    assert {rule.group for rule in EVERY} == set(GROUPS.values())


@pytest.mark.parametrize("code", Code)
def test_what_the_reader_reports_has_a_rule_of_the_same_severity(code):
    assert RULES[str(code)].severity == code.severity


def test_guidelines_and_connectivity_are_advice_and_contradictions_are_errors():
    severities = {(rule.group, rule.severity) for rule in EVERY}

    assert {level for group, level in severities if group == "contradictions"} == {"error"}
    assert {level for group, level in severities if group == "guidelines"} == {"advice"}
    assert {level for group, level in severities if group == "connectivity"} == {"advice"}


def test_a_rule_is_found_by_code_and_by_name():
    assert find_rule("tlx203") is find_rule(" contradictory-cycle ") is RULES["TLX203"]


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("TLX2003", "did you mean 'TLX203'"),
        ("contradictory-cicle", "did you mean 'contradictory-cycle'"),
        ("", "tlex rule lists them all"),
        ("zzzz", "tlex rule lists them all"),
    ],
)
def test_an_unknown_rule_is_an_error_that_helps(word, hint):
    with pytest.raises(OptionError, match=hint):
        find_rule(word)
