"""Contradictions (TLX2xx): one finding for each irreducible set of links that cannot all hold.

The finding is on the link that a minimum repair removes. Notes name the other links and explain the
contradiction in plain language. Where values have a part in it, notes name these, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from tlex.disagreement import SHOWN, explain
from tlex.lint.descriptions import Describer
from tlex.lint.findings import Finding, Note, make_finding
from tlex.nouns import Link
from tlex.records import Conflict, SuspectValue
from tlex.repair.proposals import Proposals
from tlex.repair.suspects import Suspects
from tlex.result import Extraction
from tlex.wording import shorten, shorten_id

__all__ = ["find_contradictions"]

_CODES = {0: "TLX201", 1: "TLX202"}
_LONGER = "TLX203"
_CALENDAR = "TLX204"


def find_contradictions(
    result: Extraction, describer: Describer, removed: Collection[str]
) -> Iterator[Finding | str]:
    """Find the contradictions of a document; ``removed`` are the links that a repair removes.

    With the calendar, links may contradict values. A remark says so if not all values that could
    be proposed were tried.
    """
    suspects = Suspects(result)
    proposals = Proposals(suspects) if suspects.calendar else None
    for conflict in result.conflicts:
        own = [link for link in conflict.minimal if link not in suspects.calendar]
        blamed = next((link for link in own if link in removed), own[-1])
        others = [describer.find_link(link) for link in own if link != blamed]
        link = describer.find_link(blamed)
        finding = _make_finding(describer, conflict, link, others, suspects)
        if proposals is not None and suspects.is_involved(conflict):
            finding = replace(finding, proposals=proposals.find(conflict))
            said = [Note(f"proposal: {one.says}") for one in finding.proposals]
            finding = replace(finding, notes=(*finding.notes[:-1], *said, finding.notes[-1]))
        yield finding
    if proposals is not None and not proposals.complete:
        yield "too many contradictions: not all values that could be proposed were tried"


def _make_finding(
    describer: Describer,
    conflict: Conflict,
    blamed: Link,
    others: Sequence[Link],
    suspects: Suspects,
) -> Finding:
    """Make a finding on the blamed link; the last note explains the contradiction."""
    calendar = suspects.calendar
    notes = [describer.note_link(other) for other in others[:SHOWN]]
    if len(others) > SHOWN:
        notes.append(Note(f"and {len(others) - SHOWN:,} more links"))
    for first, same in conflict.same.items():
        own = [link for link in same if link not in calendar]
        if own:
            notes.append(Note(_say_same(first, own)))
    values: tuple[SuspectValue, ...] = ()
    code = _CODES.get(len(others), _LONGER)
    if suspects.is_involved(conflict):
        values = suspects.find(conflict)
        code = _CALENDAR
        notes += map(Note, suspects.say(conflict))
        notes += (_note_value(describer, value) for value in values)
    ends = (end for one in (*others, blamed) for end in (one.source, one.target) if end)
    links = sorted(map(describer.identify_link, (blamed, *others)))
    why = explain(conflict.walk, blamed.id, describer.describe, calendar)
    return make_finding(
        describer.document,
        code,
        blamed.byte_start,
        f"{describer.state_link(blamed)} {_say_against(describer, others, code)}",
        subject=[*links, *(f"{value.id} {value.value}" for value in values)],
        notes=[*notes, Note(f"contradiction {conflict.number}: {why}")],
        links=conflict.minimal,
        nodes=tuple(dict.fromkeys((*ends, *(value.id for value in values)))),
        values=values,
    )


def _say_against(describer: Describer, others: Sequence[Link], code: str) -> str:
    """Say what a link contradicts: itself, other links, the calendar."""
    against = []
    if len(others) == 1:
        against.append(describer.describe_link(others[0]))
    elif others:
        against.append(f"{len(others)} other links")
    if code == _CALENDAR:
        against.append("the calendar")
    return f"contradicts {' and '.join(against) or 'itself'}"


def _note_value(describer: Describer, value: SuspectValue) -> Note:
    """Point at a value that may be wrong."""
    line = "" if value.line is None else f", line {value.line}"
    words = f"suspect: {describer.describe(value.id)} has the value {shorten(value.value)}{line}"
    return Note(words, value.line, value.column)


def _say_same(first: str, others: Sequence[str]) -> str:
    shown = ", ".join(map(shorten_id, others[:SHOWN]))
    more = f" and {len(others) - SHOWN:,} more links" if len(others) > SHOWN else ""
    say = "says" if len(others) == 1 else "say"
    return f"{shown}{more} {say} the same as {shorten_id(first)}"
