"""The calendar: what the values of a document's times say about their order (R40)."""

from __future__ import annotations

from tlex.document import Document, Timex
from tlex.timex import Bounds, Reason, find_bounds

__all__ = ["find_values"]


def find_values(document: Document) -> list[Bounds | Reason]:
    """Find the bounds of each time of a document, or why it has none."""
    found: list[Bounds | Reason] = []
    plain = {timex.id: _read(timex) for timex in reversed(document.timexes)}
    for timex in document.timexes:
        bounds = _read(timex)
        if bounds is Reason.DURATION:
            names = (timex.attributes.get(name, "").strip() for name in ("beginPoint", "endPoint"))
            begin, end = (plain.get(name) for name in names)
            if isinstance(begin, Bounds) and isinstance(end, Bounds):
                bounds = _read(timex, begin, end)
        found.append(bounds)
    return found


def _read(timex: Timex, begin: Bounds | None = None, end: Bounds | None = None) -> Bounds | Reason:
    mod = timex.attributes.get("mod", "")
    kind = timex.type or ""
    return find_bounds(timex.value or "", kind=kind, mod=mod, begin=begin, end=end)
