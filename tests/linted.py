"""Documents to try the linter on."""

from __future__ import annotations

import tlex
from tlex.lint import Checked, Finding, check_document, choose_rules
from tlex.lint.rules import FRAME

EVERYTHING = choose_rules(["ALL"])


def whole(example: str) -> str:
    """Put an example of the rules' table where it belongs."""
    return example if "<TimeML" in example else FRAME.replace("...\n", example)


def check(
    text: str | bytes | tlex.Document, *select: str, ignore=(), severity=None, **options
) -> Checked:
    """Check a document, with all rules or those selected."""
    document = text if isinstance(text, tlex.Document) else tlex.parse(text, name="story.tml")
    selection = choose_rules(select or ["ALL"], ignore, severity)
    return check_document(tlex.extract(document, **options), selection)


def found(text: str | bytes | tlex.Document, *select: str, **options) -> tuple[Finding, ...]:
    return check(text, *select, **options).findings


def only(text: str | bytes | tlex.Document, *select: str, **options) -> Finding:
    (finding,) = found(text, *select, **options)
    return finding


def codes(text: str | bytes | tlex.Document, *select: str, **options) -> list[str]:
    return [finding.code for finding in found(text, *select, **options)]
