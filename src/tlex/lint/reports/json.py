"""Findings as JSON: one object for each document."""

from __future__ import annotations

from msgspec import Struct

from tlex.lint.findings import Finding
from tlex.wording import count, represent

__all__ = ["CheckRecord"]


class CheckRecord(Struct, frozen=True):
    """A line of ``tlex check --json``: what was found in one document, in order of place.

    ``consistent`` says whether the document is; ``hidden`` is how many findings the baseline has.
    """

    path: str
    consistent: bool
    findings: tuple[Finding, ...]
    hidden: int = 0

    def __repr__(self) -> str:
        codes = ", ".join(dict.fromkeys(finding.code for finding in self.findings))
        found = count(len(self.findings), "finding") + (f": {codes}" if codes else "")
        return represent(self, f"{self.path!r}: {found}")
