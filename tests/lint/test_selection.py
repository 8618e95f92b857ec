"""Which rules count: by beginnings of codes, by names, by severity."""

from __future__ import annotations

import pytest

from tlex.errors import OptionError
from tlex.lint import RULES, choose_rules


def chosen(*arguments, **options) -> set[str]:
    return set(choose_rules(*arguments, **options).wanted)


def test_by_default_all_but_advice_is_wanted():
    assert chosen() == {code for code, rule in RULES.items() if rule.severity != "advice"}


@pytest.mark.parametrize(
    ("select", "codes"),
    [
        (["TLX203"], {"TLX203"}),
        (["tlx40", "contradictory-PAIR"], {"TLX401", "TLX202"}),
        (["TLX2"], {"TLX201", "TLX202", "TLX203", "TLX204"}),
        (["ALL"], set(RULES)),
        (["TLX"], set(RULES)),
    ],
)
def test_rules_are_selected_by_beginnings_and_names(select, codes):
    assert chosen(select) == codes


def test_what_is_ignored_is_ignored_though_it_is_selected():
    assert chosen(["TLX2"], ["TLX203", "contradictory-link"]) == {"TLX202", "TLX204"}
    assert "TLX114" not in chosen(None, ["TLX11"])


def test_a_severity_moves_a_rule_in_and_out_of_what_is_shown():
    selection = choose_rules(severity={"TLX305": "error", "no-creation-time": "advice"})

    assert "TLX305" in selection.wanted
    assert "TLX112" not in selection.wanted
    assert selection.severities["TLX305"] == "error"
    assert selection.severities["TLX112"] == "advice"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"select": ["TLX9"]}, "select names 'TLX9', which is no rule"),
        ({"select": []}, "select is empty"),
        ({"select": [""]}, "select names '', which is no rule"),
        ({"ignore": ["unlinkd"]}, "ignore names 'unlinkd', .* did you mean 'unlinked'"),
        ({"severity": {"TLX101": "fatal"}}, "severity of TLX101 cannot be 'fatal'"),
        ({"severity": {"TLX1": "error"}}, "there is no rule 'TLX1'"),
    ],
)
def test_what_is_no_rule_is_an_error_that_helps(options, message):
    with pytest.raises(OptionError, match=message):
        choose_rules(**options)
