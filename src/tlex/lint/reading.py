"""Reading: a file that cannot be read becomes a finding too (TLX0xx)."""

from __future__ import annotations

from tlex.errors import (
    NotRecognisedError,
    NotWellFormedError,
    ReadError,
    RefusedError,
    TooLargeError,
)
from tlex.lint.findings import Finding, make_fingerprint
from tlex.lint.rules import RULES

__all__ = ["find_unread"]

_CODES: tuple[tuple[type[ReadError], str], ...] = (
    (NotWellFormedError, "TLX001"),
    (TooLargeError, "TLX003"),
    (RefusedError, "TLX002"),
    (NotRecognisedError, "TLX002"),
    (ReadError, "TLX004"),
)


def find_unread(error: ReadError) -> Finding:
    """Turn the error that reading ended with into a finding."""
    code = next(code for kind, code in _CODES if isinstance(error, kind))
    rule = RULES[code]
    place = (error.line, error.column, None, None)
    fingerprint = make_fingerprint(code, [error.message])
    return Finding(
        code, rule.name, rule.severity, *place, message=error.message, fingerprint=fingerprint
    )
