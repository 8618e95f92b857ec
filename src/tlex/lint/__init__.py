"""The linter: what is wrong with an annotation, where, and why."""

from __future__ import annotations

from tlex.lint.baseline import Baseline, make_baseline
from tlex.lint.checks import CheckResult, check
from tlex.lint.configuration import Configuration
from tlex.lint.files import read_baseline, read_configuration
from tlex.lint.findings import Finding, Note
from tlex.lint.reports.json import CheckRecord
from tlex.lint.rules import RULES, Rule, find_rule
from tlex.lint.selection import Selection, choose_rules

__all__ = [
    "RULES",
    "Baseline",
    "CheckRecord",
    "CheckResult",
    "Configuration",
    "Finding",
    "Note",
    "Rule",
    "Selection",
    "check",
    "choose_rules",
    "find_rule",
    "make_baseline",
    "read_baseline",
    "read_configuration",
]


def __dir__() -> list[str]:
    return sorted(__all__)
