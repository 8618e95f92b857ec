"""Connectivity (TLX4xx): where the trunk breaks, a link is probably missing."""

from __future__ import annotations

from collections.abc import Iterator

from tlex.lint.findings import Finding, make_finding, make_note
from tlex.lint.wording import Wording
from tlex.timeline import Extraction

__all__ = ["find_breaks"]


def find_breaks(result: Extraction, wording: Wording) -> Iterator[Finding]:
    """Find the breaks between main timelines: each on the later of its two expressions."""
    for gap in result.breaks:
        first, second = wording.describe(gap.first), wording.describe(gap.second)
        place, other = wording.place(gap.second), wording.place(gap.first)
        if gap.words is None:
            apart = ""
        elif not gap.words:
            apart = ", next to it"
        else:
            apart = f", {gap.words} {'word' if gap.words == 1 else 'words'} away"
        yield make_finding(
            wording.document,
            "TLX401",
            place,
            f"no link leads from the timeline of {second} to that of {first}{apart}",
            subject=sorted((gap.first, gap.second)),
            notes=[make_note(wording.document, other, f"{first}{wording.where(other)}")],
            nodes=(gap.first, gap.second),
        )
