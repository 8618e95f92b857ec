"""Baselines: files of known findings, which are then not reported again.

A baseline is JSON: for each document, how often each fingerprint occurs. Fingerprints do not
change when lines move, so that only new findings of an old corpus are reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec
from msgspec import Struct

from tlex.errors import OptionError
from tlex.lint.findings import Finding

__all__ = ["Baseline", "make_baseline", "parse_baseline"]

VERSION = "tlex-baseline/1"


class Baseline(Struct, frozen=True):
    """Known findings: by document, then by fingerprint, how many."""

    schema: str
    documents: dict[str, dict[str, int]]

    def leave_out(self, findings: Iterable[Finding], name: str) -> tuple[Finding, ...]:
        """Give the findings of the document of that name that are not known.

        A fingerprint that is known twice is left out twice at most.
        """
        left = Counter(self.documents.get(name, {}))
        new = []
        for finding in findings:
            if left[finding.fingerprint] > 0:
                left[finding.fingerprint] -= 1
            else:
                new.append(finding)
        return tuple(new)

    def to_json(self) -> bytes:
        """Encode so that a change of one finding is a change of one line."""
        return (
            msgspec.json.format(msgspec.json.encode(self, order="deterministic"), indent=1) + b"\n"
        )


def make_baseline(found: Iterable[tuple[str, Iterable[Finding]]]) -> Baseline:
    """Make a baseline of all findings, given with the names of their documents."""
    documents: dict[str, Counter[str]] = {}
    for name, findings in found:
        counts = Counter(finding.fingerprint for finding in findings)
        if counts:
            documents.setdefault(name, Counter()).update(counts)
    return Baseline(
        schema=VERSION, documents={name: dict(counts) for name, counts in documents.items()}
    )


def parse_baseline(content: bytes, name: str) -> Baseline:
    """Read a baseline back; raises `OptionError` for anything else."""
    try:
        baseline = msgspec.json.decode(content, type=Baseline)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise OptionError(f"{name}: not a baseline: {error}") from None
    if baseline.schema != VERSION:
        raise OptionError(
            f"{name}: a baseline of schema {baseline.schema!r:.40}; known here: {VERSION}"
        )
    return baseline
