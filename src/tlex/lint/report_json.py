"""Findings as JSON: one object for each document."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from tlex.lint import Checked
from tlex.lint.findings import Finding

__all__ = ["CheckReport", "encode_checked"]


class CheckReport(Struct, frozen=True):
    """A line of ``tlex check --json``; ``hidden`` findings are in the baseline."""

    path: str
    consistent: bool
    findings: tuple[Finding, ...]
    hidden: int = 0


def encode_checked(checked: Checked) -> bytes:
    """Encode as one line of JSON, without a line end."""
    name = checked.document.name
    report = CheckReport(name, checked.consistent, checked.findings, checked.hidden)
    return msgspec.json.encode(report)
