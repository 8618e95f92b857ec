"""SARIF: valid by the schema of the standard, and about the right places."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from linted import found, whole

from tlex.errors import NotWellFormedError, ReadError
from tlex.lint import RULES
from tlex.lint.reading import find_unread
from tlex.lint.reports.sarif import encode_log

DATA = Path(__file__).resolve().parents[2] / "data"
CYCLE = '<TLINK lid="l3" relType="BEFORE" timeID="t0" relatedToEventInstance="ei1" weight="0"/>\n'


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    content = json.loads((DATA / "sarif-2.1.0.json").read_text("utf-8"))
    Draft202012Validator.check_schema(content)
    return Draft202012Validator(content)


def log_of(*texts: str, unread=(), **options) -> dict:
    pairs = [
        (f"d/{n}.tml", finding)
        for n, text in enumerate(texts)
        for finding in found(text, **options)
    ]
    return json.loads(encode_log(pairs, unread))


def test_the_schema_rejects_what_it_should(schema):
    log = log_of(whole(CYCLE))
    log["runs"][0]["results"][0]["level"] = "fatal"

    assert not schema.is_valid(log)


@pytest.mark.parametrize("rule", [r for r in RULES.values() if r.group != "reading"])
def test_every_rule_gives_a_valid_log(schema, rule):
    log = log_of(whole(rule.example), calendar=rule.calendar)

    schema.validate(log)
    assert rule.code in {result["ruleId"] for result in log["runs"][0]["results"]}


def test_a_log_without_findings_is_valid(schema):
    log = log_of()

    schema.validate(log)
    assert log["runs"][0]["results"] == []
    assert log["runs"][0]["invocations"] == [{"executionSuccessful": True}]


def test_files_that_cannot_be_read_are_results_and_notifications(schema):
    errors = [
        NotWellFormedError("broken", name="a.tml", line=3, column=4),
        ReadError("cannot be read: gone", name="b.tml"),
    ]

    log = log_of(unread=[(error.name, find_unread(error)) for error in errors])

    schema.validate(log)
    (run,) = log["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["TLX001", "TLX004"]
    assert not run["invocations"][0]["executionSuccessful"]
    assert len(run["invocations"][0]["toolExecutionNotifications"]) == 2


def test_a_result_points_at_its_rule_its_place_and_the_other_places():
    log = log_of(whole(""), whole(CYCLE))

    (run,) = log["runs"]
    (result,) = run["results"]
    rules = run["tool"]["driver"]["rules"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == "TLX203"
    assert result["level"] == "error"
    assert 'so "left" (ei1) begins before "New Year\'s Eve"' in result["message"]["text"]
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "d/1.tml"},
        "region": {"startLine": 8, "startColumn": 1, "endLine": 8, "endColumn": 87},
    }
    assert [
        (other["id"], other["physicalLocation"]["region"]["startLine"], other["message"]["text"])
        for other in result["relatedLocations"]
    ] == [
        (1, 6, 'TLINK l1: "left" (ei1) BEFORE "came" (ei2), line 6'),
        (2, 7, 'TLINK l2: "came" (ei2) BEFORE "New Year\'s Eve" (t0), line 7'),
    ]
    assert result["partialFingerprints"] == {"tlex/v1": found(whole(CYCLE))[0].fingerprint}


def test_severities_are_levels_and_rules_are_all_described():
    log = log_of(whole(RULES["TLX305"].example), whole(RULES["TLX106"].example))

    (run,) = log["runs"]
    assert [(r["ruleId"], r["level"]) for r in run["results"]] == [
        ("TLX305", "note"),
        ("TLX401", "note"),
        ("TLX106", "warning"),
    ]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == list(RULES)
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["help"]["text"]


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("a b/ü.tml", "a%20b/%C3%BC.tml"),
        ("c:d.tml", "c%3Ad.tml"),
        ("/x/y#.tml", "file:///x/y%23.tml"),
        ("../z%.tml", "../z%25.tml"),
        ("caf\udce9.tml", "caf%E9.tml"),
        ("-", "stdin"),
    ],
)
def test_a_path_becomes_a_uri(schema, path, uri):
    log = json.loads(encode_log([(path, found(whole(CYCLE))[0])], []))

    schema.validate(log)
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": uri}
