"""Findings as workflow commands of GitHub Actions, which shows them at the changed lines."""

from __future__ import annotations

from tlex.lint.findings import Finding
from tlex.lint.rules import ADVICE, ERROR, WARNING
from tlex.wording import clean

__all__ = ["write_command"]

_COMMANDS = {ERROR: "error", WARNING: "warning", ADVICE: "notice"}


def write_command(finding: Finding, path: str) -> str:
    """Write a finding as one line: ``::error file=...,line=...,col=...,title=...::message``."""
    properties = {"file": finding.source or path, "line": finding.line, "col": finding.column}
    if finding.end_line is not None:
        properties["endLine"] = finding.end_line
        if finding.end_line == finding.line:  # GitHub takes columns within one line only
            properties["endColumn"] = finding.end_column
    properties["title"] = f"{finding.code} {finding.name}"
    given = ",".join(
        f"{key}={_escape_property(str(value))}"
        for key, value in properties.items()
        if value is not None
    )
    message = "\n".join((finding.message, *(f"note: {note.message}" for note in finding.notes)))
    return f"::{_COMMANDS[finding.severity]} {given}::{_escape(message)}"


def _escape(words: str) -> str:
    words = "".join(c if c in "\r\n" else clean(c) for c in words)
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(words: str) -> str:
    return _escape(words).replace(":", "%3A").replace(",", "%2C")
