"""Contradictions (TLX2xx): one finding for each irreducible set of links that cannot all hold.

The finding is on the link that a minimum repair removes. Notes name the other links and explain the
contradiction in plain language.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tlex.disagreement import SHOWN, explain
from tlex.lint.descriptions import Describer
from tlex.lint.findings import Finding, Note, make_finding
from tlex.records import Conflict
from tlex.result import Extraction
from tlex.wording import shorten_id

__all__ = ["find_contradictions"]

_CODES = {1: "TLX201", 2: "TLX202"}
_LONGER = "TLX203"


def find_contradictions(
    result: Extraction, describer: Describer, removed: Collection[str]
) -> Iterator[Finding]:
    """Find the contradictions of a document; ``removed`` are the links that a repair removes."""
    for conflict in result.conflicts:
        blamed = next((link for link in conflict.minimal if link in removed), conflict.minimal[-1])
        yield _make_finding(describer, conflict, blamed)


def _make_finding(describer: Describer, conflict: Conflict, blamed: str) -> Finding:
    document = describer.document
    links = [describer.links[link] for link in conflict.minimal]
    link = describer.links[blamed]
    others = [other for other in links if other.id != blamed]
    if not others:
        ends = "contradicts itself"
    elif len(others) == 1:
        ends = f"contradicts {describer.describe_link(others[0])}"
    else:
        ends = f"contradicts {len(others)} other links"
    notes = [describer.note_link(other) for other in others[:SHOWN]]
    if len(others) > SHOWN:
        notes.append(Note(f"and {len(others) - SHOWN:,} more links"))
    notes += [Note(_say_same(first, others)) for first, others in conflict.same.items()]
    why = explain(conflict.walk, blamed, describer.describe)
    nodes = dict.fromkeys(end for one in links for end in (one.source, one.target) if end)
    return make_finding(
        document,
        _CODES.get(len(links), _LONGER),
        link.byte_start,
        f"{describer.state_link(link)} {ends}",
        subject=sorted(map(describer.identify_link, links)),
        notes=[*notes, Note(f"contradiction {conflict.number}: {why}")],
        links=tuple(one.id for one in links),
        nodes=tuple(nodes),
    )


def _say_same(first: str, others: Sequence[str]) -> str:
    shown = ", ".join(map(shorten_id, others[:SHOWN]))
    more = f" and {len(others) - SHOWN:,} more links" if len(others) > SHOWN else ""
    say = "says" if len(others) == 1 else "say"
    return f"{shown}{more} {say} the same as {shorten_id(first)}"
