"""What is said of an error that nobody expected: a fault of tlex, which must not stop a batch."""

from __future__ import annotations

import os

__all__ = ["explain_fault"]


def explain_fault(error: Exception) -> str:
    """Describe an unexpected error in one line, with the place in the code that raised it."""
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    from traceback import extract_tb  # noqa: PLC0415 -- only for a fault

    frames = extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename.rpartition(os.sep)[2]}:{frames[-1].lineno})" if frames else ""
    words = f"{type(error).__name__}: {error}".rstrip(": ")
    return f"tlex failed, which is a fault of tlex; please report it: {words:.200}{place}"
