"""What became of a saved result that was checked, as plain data."""

from __future__ import annotations

from msgspec import Struct

from tlex.wording import represent

__all__ = [
    "VerificationRecord",
]


class VerificationRecord(Struct, frozen=True, kw_only=True):
    """A line of ``tlex verify --json``: what became of one saved result.

    ``path`` and ``line`` are where the result stands. ``result`` is its kind. ``verdict`` is
    *proven*, *rejected* or *failed* (something could not be done), with a ``reason`` in the last
    two cases. ``unchecked`` are the claims that are too large to be checked.
    """

    schema: str
    tlex: str
    path: str
    line: int
    document: str | None
    result: str | None
    verdict: str
    reason: str | None
    unchecked: tuple[str, ...]

    def __repr__(self) -> str:
        return represent(self, f"{self.path}:{self.line} {self.verdict}")
