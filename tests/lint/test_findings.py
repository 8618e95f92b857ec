"""Findings: in order of place, with severities as configured, and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
from linted import check, found, whole

import tlex
from tlex.lint import CheckRecord

DATA = Path(__file__).resolve().parents[1] / "data"
CYCLE = '<TLINK lid="l3" relType="BEFORE" timeID="t0" relatedToEventInstance="ei1" weight="0"/>\n'


def test_findings_come_in_the_order_of_their_places():
    reported = found((DATA / "untidy.tml").read_bytes())

    assert len(reported) >= 30
    assert [f.offset for f in reported] == sorted(f.offset for f in reported)


def test_by_default_advice_is_not_given():
    result = tlex.extract(tlex.read(DATA / "untidy.tml"))

    assert {f.severity for f in tlex.check(result).findings} == {"error", "warning"}
    assert not {f.code[:4] for f in tlex.check(result).findings} & {"TLX3", "TLX4"}


def test_a_severity_is_what_the_selection_says():
    (finding,) = found(whole(CYCLE), severity={"TLX203": "advice"})

    assert finding.severity == "advice"


def test_every_fingerprint_of_a_document_without_repetition_is_its_own():
    reported = found((DATA / "untidy.tml").read_bytes())

    assert len({f.fingerprint for f in reported}) == len(reported)


def test_the_same_document_gives_the_same_findings():
    content = (DATA / "untidy.tml").read_bytes()

    assert check(content).findings == check(content).findings


def test_a_document_is_one_line_of_json():
    checked = check(whole(CYCLE))

    line = checked.to_json()

    report = json.loads(line)
    assert b"\n" not in line
    assert list(report) == ["path", "consistent", "findings", "hidden"]
    assert (report["path"], report["consistent"], report["hidden"]) == ("story.tml", False, 0)
    assert list(report["findings"][0]) == [
        *("code", "name", "severity", "line", "column", "end_line", "end_column", "message"),
        *("notes", "links", "nodes", "offset", "end_offset", "fingerprint", "values", "proposals"),
    ]
    assert report["findings"][0]["notes"][0] == {
        "message": 'TLINK l1: "left" (ei1) BEFORE "came" (ei2), line 6',
        "line": 6,
        "column": 1,
    }
    assert msgspec.json.decode(line, type=CheckRecord).findings == checked.findings


def test_offsets_and_columns_mean_the_same_place():
    text = whole("ü中\U0001f600 " + CYCLE)
    data = text.encode()

    (finding,) = found(text, "TLX2")

    assert data[finding.offset : finding.end_offset].decode() == CYCLE.strip()
    line = text.splitlines()[finding.line - 1]
    assert line[finding.column - 1 : finding.end_column - 1] == CYCLE.strip()
