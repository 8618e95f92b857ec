"""`tlex.check`: what the command finds, for programs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import msgspec
import pytest
from commands import TLEX

import tlex
from tlex.errors import OptionError
from tlex.lint import CheckRecord, choose_rules
from tlex.lint.baseline import make_baseline

UNTIDY = Path(__file__).resolve().parents[1] / "data" / "untidy.tml"


@pytest.fixture(scope="module")
def document() -> tlex.Document:
    return tlex.read(UNTIDY)


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({}, []),
        ({"all": True}, ["--all"]),
        ({"select": ["TLX2", "two-ends"]}, ["--select=TLX2,two-ends"]),
        ({"ignore": ["TLX1"]}, ["--ignore=TLX1"]),
        ({"links": ["tlink"], "times": "point"}, ["--links=tlink", "--times=point"]),
    ],
)
def test_the_json_is_what_the_command_prints(document, options, flags):
    command = [*TLEX, "check", str(UNTIDY), "--json", *flags]
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603

    line = tlex.check(document, **options).to_json()

    assert line + b"\n" == done.stdout


def test_the_record_has_the_fields_of_the_json_and_survives_it(document):
    result = tlex.check(document)

    assert msgspec.json.decode(result.to_json(), type=CheckRecord) == result.record()


def test_a_result_and_its_document_are_checked_alike(document):
    result = tlex.extract(document, links=["TLINK"])

    assert tlex.check(result) == tlex.check(document, links=["TLINK"])


def test_links_and_times_are_not_for_a_result(document):
    with pytest.raises(OptionError, match="a result has its own"):
        tlex.check(tlex.extract(document), times="point")


def test_the_findings_are_what_iterating_gives(document):
    result = tlex.check(document)

    assert tuple(result) == result.findings
    assert len(result) == len(result.findings) > 0


def test_a_selection_is_chosen_once_for_many_documents(document):
    selection = choose_rules(["TLX3"], ["TLX305"])

    assert tlex.check(document, select=selection) == tlex.check(
        document, select=["TLX3"], ignore=["TLX305"]
    )


@pytest.mark.parametrize(
    "options",
    [
        {"all": True, "select": ["TLX2"]},
        {"select": choose_rules(), "ignore": ["TLX2"]},
        {"select": ["TLX9"]},
        {"severity": {"TLX201": "mild"}},
    ],
)
def test_options_that_make_no_sense_are_an_error(document, options):
    with pytest.raises(OptionError):
        tlex.check(document, **options)


def test_what_the_baseline_has_is_counted_and_not_given(document):
    known = tlex.check(document, select=["TLX1"])
    baseline = make_baseline([(document.name, known)])

    result = tlex.check(document, baseline=baseline)

    assert result.hidden == len(known)
    assert not {finding.code for finding in result} & {finding.code for finding in known}


def test_a_result_is_shown_by_the_rules_that_object():
    document = tlex.from_links([("a", "BEFORE", "b"), ("b", "BEFORE", "a")], name="x")

    assert repr(tlex.check(document)) == "<CheckResult 'x': 1 finding: TLX202>"
    assert repr(tlex.check(document, select=["TLX1"])) == "<CheckResult 'x': 0 findings>"
