"""``tlex rule``: the rules of ``tlex check``, explained."""

from __future__ import annotations

import json
import subprocess

from commands import TLEX, run_on_terminal


def rule(*arguments: str):
    return subprocess.run(  # noqa: S603
        [*TLEX, "rule", *arguments], capture_output=True, text=True, check=False, timeout=60
    )


def test_one_rule_is_explained_with_an_example():
    for word in ("TLX202", "tlx202", "contradictory-pair"):
        text = rule(word).stdout
        assert text.startswith("TLX202 contradictory-pair\nerror: ")
        assert "Two links contradict each other." in text
        assert '  <TLINK lid="l3" relType="BEFORE"' in text


def test_without_a_code_all_are_listed():
    done = rule()

    assert done.returncode == 0
    assert done.stdout.startswith("TLX001 error   not-well-formed: ")
    assert "TLX401 advice  broken-trunk" in done.stdout


def test_json_has_one_object_for_each_rule():
    rules = [json.loads(line) for line in rule("--json").stdout.splitlines()]

    assert len(rules) == len(rule().stdout.splitlines())
    assert rules[0]["code"] == "TLX001"
    assert rules[0]["group"] == "reading"
    assert json.loads(rule("TLX203", "--json").stdout)["severity"] == "error"


def test_an_unknown_rule_is_one_line_with_a_suggestion():
    done = rule("TLX2O3")

    assert done.returncode == 2
    assert done.stderr == "tlex: there is no rule 'TLX2O3'; did you mean 'TLX203'\n"


def test_a_rule_of_another_group_is_not_suggested():
    done = rule("TLX999")

    assert done.stderr == "tlex: there is no rule 'TLX999'; tlex rule lists them all\n"


def test_on_a_narrow_terminal_lines_are_broken():
    _, listed = run_on_terminal("rule", COLUMNS="40")
    _, explained = run_on_terminal("rule", "TLX203", COLUMNS="40")

    assert max(map(len, listed.splitlines())) <= 40
    assert listed.split() == rule().stdout.split()
    assert max(map(len, explained.partition("Example:")[0].splitlines())) <= 40
