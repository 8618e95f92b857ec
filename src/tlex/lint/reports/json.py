"""Findings as JSON: one object for each document."""

from __future__ import annotations

from msgspec import Struct

from tlex.lint.findings import Finding

__all__ = ["CheckRecord"]


class CheckRecord(Struct, frozen=True):
    """A line of ``tlex check --json``: what was found in one document, in order of place.

    ``consistent`` says whether the document is; ``hidden`` is how many findings the baseline has.
    """

    path: str
    consistent: bool
    findings: tuple[Finding, ...]
    hidden: int = 0
