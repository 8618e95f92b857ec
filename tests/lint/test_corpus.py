"""TimeBank 1.2 under the linter: totals that a change must explain."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from commands import run
from linted import found

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.corpus

# Counted on all 183 documents. What the rules about values object to was looked at one by one:
# all 31 are values of another type, such as a quarter that is called a TIME.
TOTALS = {
    "TLX105": 3,
    "TLX114": 31,
    "TLX201": 15,
    "TLX202": 40,
    "TLX203": 55,
    "TLX301": 5,
    "TLX302": 1,
    "TLX303": 39,
    "TLX304": 203,
    "TLX305": 84,
    "TLX306": 46,
    "TLX307": 15,
    "TLX309": 10,
    "TLX310": 6,
    "TLX401": 769,
}


def test_the_findings_of_every_rule_are_counted(timebank):
    counts = Counter(f.code for document in timebank.values() for f in found(document))

    assert dict(sorted(counts.items())) == TOTALS


def test_every_value_that_is_objected_to_would_fit_another_type(timebank):
    reported = [f for document in timebank.values() for f in found(document, "TLX114")]

    assert all("; it would be the value of a " in finding.message for finding in reported)


@pytest.mark.parametrize(
    ("options", "summary"),
    [
        ([], "65 of 183"),
        (["--links", "tlink"], "30 of 183"),
        (["--times", "point"], "84 of 183"),
        (["--calendar"], "80 of 183"),
    ],
)
def test_the_summary_has_the_papers_figures(corpora, timebank, options, summary):
    assert len(timebank) == 183

    done = run("check", corpora / "timebank-1.2", *options)

    assert done.returncode == 1
    assert f"{summary} documents contradictory" in done.stdout.decode().splitlines()


def test_the_page_on_the_calendar_has_what_is_proposed(timebank):
    page = (ROOT / "docs" / "calendar.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\S+) \| l\d.* \| ([^|]*) \|$", page, re.MULTILINE)
    assert len(rows) == 15
    for name, proposed in rows:
        findings = found(timebank[f"{name}.tml"], "TLX204", calendar=True)
        assert findings
        values = (f"{one.id} {one.new}" for finding in findings for one in finding.proposals)
        assert ", ".join(dict.fromkeys(values)) == proposed


def test_a_duration_of_meantime_goes_back_in_time(meantime):
    reported = [f for document in meantime.values() for f in found(document, "TLX117")]

    assert len(reported) == 1
    assert reported[0].message.endswith('2013-02-27, to "March 13 , 2007" (5), 2007-03-13')
