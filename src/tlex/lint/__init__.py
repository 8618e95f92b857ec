"""The linter: what is wrong with an annotation, where, and why."""

from __future__ import annotations

from tlex.lint.baseline import Baseline, make_baseline
from tlex.lint.checks import CheckResult, check
from tlex.lint.findings import Finding, Note
from tlex.lint.reading import find_unread
from tlex.lint.reports.json import CheckRecord
from tlex.lint.rules import RULES, Rule, find_rule
from tlex.lint.selection import Selection, choose_rules

__all__ = [
    "RULES",
    "Baseline",
    "CheckRecord",
    "CheckResult",
    "Finding",
    "Note",
    "Rule",
    "Selection",
    "check",
    "choose_rules",
    "find_rule",
    "find_unread",
    "make_baseline",
]


def __dir__() -> list[str]:
    return sorted(__all__)
