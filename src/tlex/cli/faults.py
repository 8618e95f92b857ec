"""What is said of an error that must not stop a batch: with its document, or as a fault of tlex."""

from __future__ import annotations

import os

__all__ = ["explain_fault", "name_document"]


def explain_fault(error: Exception) -> str:
    """Describe an unexpected error in one line, with the place in the code that raised it."""
    if isinstance(error, MemoryError):
        return "there is not enough memory for this"
    from traceback import extract_tb  # noqa: PLC0415 -- only for a fault

    frames = extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename.rpartition(os.sep)[2]}:{frames[-1].lineno})" if frames else ""
    words = f"{type(error).__name__}: {error}".rstrip(": ")
    return f"tlex failed, which is a fault of tlex; please report it: {words:.200}{place}"


def name_document(name: str, error: Exception) -> str:
    """Give the message of an error with the name of its document, once."""
    about = str(error)
    return about if name in about else f"{name}: {about}"
