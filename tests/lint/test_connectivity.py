"""Connectivity: each break of the trunk, where its two sides come closest."""

from __future__ import annotations

from hypothesis import given
from linted import codes, found, only
from strategies import document_of, forests

import tlex
from tlex.lint.rules import RULES

EXAMPLE = RULES["TLX401"].example


def test_a_break_stands_on_the_later_expression_and_names_the_earlier():
    text = (
        "<TimeML>\n"
        'He <EVENT eid="e1">sang</EVENT> and\n'
        'she then <EVENT eid="e2">danced</EVENT>\n'
        '<MAKEINSTANCE eiid="ei1" eventID="e1"/><MAKEINSTANCE eiid="ei2" eventID="e2"/>\n'
        "</TimeML>"
    )

    finding = only(text, "TLX4")

    assert (finding.line, finding.column, finding.severity) == (3, 10, "advice")
    assert finding.message == (
        'no link leads from the timeline of "danced" (ei2) to that of "sang" (ei1), 3 words away'
    )
    assert [(n.message, n.line, n.column) for n in finding.notes] == [
        ('"sang" (ei1), line 2', 2, 4)
    ]


def test_a_trunk_in_one_piece_has_no_break():
    links = [("e1", "BEFORE", "e2"), ("e1", "MODAL", "e3"), ("e3", "BEFORE", "e4")]

    assert codes(tlex.from_links(links), "TLX4") == []


@given(forest=forests())
def test_there_is_one_finding_for_each_break(forest):
    document = document_of(forest.graph, forest.slinks)
    result = tlex.extract(document)

    reported = found(document, "TLX4")

    assert sorted(finding.nodes for finding in reported) == sorted(
        (gap.first, gap.second) for gap in result.breaks
    )
