"""Baselines: what was there before need not be told again.

A baseline is JSON: for each document, how often each fingerprint occurs. Fingerprints do not
change when lines move, so an old corpus can be linted from today on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tlex.errors import OptionError
from tlex.lint import Checked

__all__ = ["Baseline", "make_baseline", "parse_baseline"]

VERSION = "tlex-baseline/1"


class Baseline(Struct, frozen=True):
    """Known findings: by document, then by fingerprint, how many."""

    schema: str
    documents: dict[str, dict[str, int]]

    def hide(self, checked: Checked, name: str) -> Checked:
        """Take the known findings of the document of that name away, as often as they are known."""
        left = Counter(self.documents.get(name, {}))
        shown = []
        for finding in checked.findings:
            if left[finding.fingerprint] > 0:
                left[finding.fingerprint] -= 1
            else:
                shown.append(finding)
        hidden = len(checked.findings) - len(shown)
        return replace(checked, findings=tuple(shown), hidden=hidden) if hidden else checked

    def to_json(self) -> bytes:
        """Encode so that a change of one finding is a change of one line."""
        return (
            msgspec.json.format(msgspec.json.encode(self, order="deterministic"), indent=1) + b"\n"
        )


def make_baseline(found: Iterable[tuple[str, Checked]]) -> Baseline:
    """Remember all findings; documents go by the names given, and those without are left out."""
    documents: dict[str, Counter[str]] = {}
    for name, checked in found:
        if checked.findings:
            counts = documents.setdefault(name, Counter())
            counts.update(finding.fingerprint for finding in checked.findings)
    return Baseline(VERSION, {name: dict(counts) for name, counts in documents.items()})


def parse_baseline(content: bytes, name: str) -> Baseline:
    """Read a baseline back."""
    try:
        baseline = msgspec.json.decode(content, type=Baseline)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise OptionError(f"{name}: not a baseline: {error}") from None
    if baseline.schema != VERSION:
        raise OptionError(
            f"{name}: a baseline of schema {baseline.schema!r:.40}, and {VERSION} is known here"
        )
    return baseline
