"""Documents to try the linter on."""

from __future__ import annotations

import tlex
from tlex import lint
from tlex.lint import CheckResult, Finding
from tlex.lint.rules import FRAME


def whole(example: str) -> str:
    """Put an example of the rules' table where it belongs."""
    return (
        example
        if "<TimeML" in example or example.startswith(("{", "T1\t"))
        else FRAME.replace("...\n", example)
    )


def check(
    text: str | bytes | tlex.Document, *select: str, ignore=(), severity=None, **options
) -> CheckResult:
    """Check a document, with all rules or those selected."""
    document = text if isinstance(text, tlex.Document) else tlex.parse(text, name="story.tml")
    return lint.check(
        document, select=select or ["ALL"], ignore=ignore, severity=severity, **options
    )


def found(text: str | bytes | tlex.Document, *select: str, **options) -> tuple[Finding, ...]:
    return check(text, *select, **options).findings


def only(text: str | bytes | tlex.Document, *select: str, **options) -> Finding:
    (finding,) = found(text, *select, **options)
    return finding


def codes(text: str | bytes | tlex.Document, *select: str, **options) -> list[str]:
    return [finding.code for finding in found(text, *select, **options)]
