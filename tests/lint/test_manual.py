"""The rules explained: for a terminal, and as a page."""

from __future__ import annotations

import pytest

from tlex.lint import RULES
from tlex.lint.manual import explain_rule, write_manual


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
def test_a_rule_is_explained_within_80_columns_but_for_its_example(rule):
    text = explain_rule(rule)

    words, _, example = text.partition("\nExample:\n")
    assert words.startswith(f"{rule.code} {rule.name}\n{rule.severity}: ")
    assert max(map(len, words.splitlines())) <= 80
    assert " ".join(rule.explanation.split()) in " ".join(words.split())
    assert bool(example) == bool(rule.example)


def test_the_page_has_every_rule_with_its_example():
    page = write_manual()

    for rule in RULES.values():
        assert f"### {rule.code} {rule.name}\n" in page
        if rule.code != "TLX003":  # too long to be shown
            assert rule.example in page
