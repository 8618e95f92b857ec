"""Connectivity (TLX4xx): a gap between main timelines, where a link is probably missing."""

from __future__ import annotations

from collections.abc import Iterator

from tlex.lint.descriptions import Describer
from tlex.lint.findings import Finding, make_finding, make_note
from tlex.result import Extraction

__all__ = ["find_gaps"]


def find_gaps(result: Extraction, describer: Describer) -> Iterator[Finding]:
    """Give a finding for each breaking pair, at the later of its two expressions."""
    for pair in result.breaks:
        first, second = describer.describe(pair.first), describer.describe(pair.second)
        place, other = describer.find_place(pair.second), describer.find_place(pair.first)
        if pair.words is None:
            distance = ""
        elif not pair.words:
            distance = ", next to it"
        else:
            distance = f", {pair.words} {'word' if pair.words == 1 else 'words'} away"
        yield make_finding(
            describer.document,
            "TLX401",
            place,
            f"no link leads from the timeline of {second} to that of {first}{distance}",
            subject=sorted((pair.first, pair.second)),
            notes=[make_note(describer.document, other, f"{first}{describer.name_line(other)}")],
            nodes=(pair.first, pair.second),
        )
