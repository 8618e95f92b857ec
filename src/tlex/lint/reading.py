"""Reading (TLX0xx): a finding on a file that cannot be read."""

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
    """Make a finding from the error that was raised when a file was read."""
    code = next(code for kind, code in _CODES if isinstance(error, kind))
    rule = RULES[code]
    return Finding(
        code=code,
        name=rule.name,
        severity=rule.severity,
        line=error.line,
        column=error.column,
        end_line=None,
        end_column=None,
        message=error.message,
        fingerprint=make_fingerprint(code, [error.message]),
    )
