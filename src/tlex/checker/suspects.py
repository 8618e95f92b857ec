"""The check of values that may be wrong: those of a contradiction with the calendar (R44).

The suspects are the times between which the calendar's part of a walk leads. A value that is
proposed has one field of another time's value, and ends the contradiction. That it makes no other
one, how many times have the field, and what is said in words is not checked.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from tlex.checker.calendar import Calendar
from tlex.checker.constraints import Constraints, is_satisfiable
from tlex.checker.timelines import Edge
from tlex.checker.values import is_duration
from tlex.document import Document
from tlex.errors import VerificationError
from tlex.nouns import Timex
from tlex.records import Conflict, Decision, FixRecord, SuspectValue, ValueProposal

__all__ = ["check_suspects"]

_FIELDS: Final = re.compile(
    r"(?:FY)?(?P<year>[0-9]{4})"
    r"(?:-(?:W(?P<week>[0-9]{2})|(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2}))?))?"
)


def check_suspects(constraints: Constraints, fix: FixRecord) -> None:
    """Prove which values the decisions of a repair suspect, and those that they propose."""
    conflicts = {conflict.number: conflict for conflict in fix.conflicts}
    firm = set(constraints.firm)
    for decision in fix.decisions:
        place = f"decision {decision.number}"
        conflict = None if decision.conflict is None else conflicts.get(decision.conflict)
        same = {link for links in conflict.same.values() for link in links} if conflict else set()
        if decision.conflict is not None and firm.isdisjoint({*decision.links, *same}):
            if decision.values or decision.proposals or decision.calendar:
                raise VerificationError(f"{place}: no value has a part in its contradiction")
            continue
        names = [value.id for value in decision.values]
        if conflict is not None:
            real = _find_times(constraints, conflict)
            if set(names) != real:
                raise VerificationError(f"{place}: the values that may be wrong are {sorted(real)}")
        index = constraints.document.index
        if names != sorted(set(names), key=lambda name: index.get(name, -1)):
            raise VerificationError(f"{place}: its values are not in text order")
        for value in decision.values:
            _check_value(constraints.document, value, place)
        if len({one.id for one in decision.proposals} - set(names)):
            raise VerificationError(f"{place}: a value is proposed for what is no suspect")
        for proposal in decision.proposals:
            _check_proposal(constraints, decision, proposal, place)


def _find_times(constraints: Constraints, conflict: Conflict) -> set[str]:
    """Find the times between which what follows from values leads, on a walk and beside it."""
    document, firm = constraints.document, set(constraints.firm)
    found: set[str] = set()
    for first, others in conflict.same.items():
        if not firm.isdisjoint(others):
            link = document.links[constraints.place[first]]
            found |= {link.source or "", link.target or ""}
    steps = [step for step in conflict.walk if step.link is not None]
    start = next(place for place, step in enumerate(steps) if step.link not in firm)
    run: list[str] = []
    for step in (*steps[start:], *steps[: start + 1]):
        if step.link in firm:
            run += [step.left[:-1], step.right[:-1]]
        elif run:
            found |= {run[0], run[-1]} if run[0] != run[-1] else set()
            run = []
    for name in sorted(found):
        time = document.nodes[document.index[name]]
        ends = [time.attributes.get(key, "").strip() for key in ("beginPoint", "endPoint")]
        if isinstance(time, Timex) and is_duration(time) and all(ends):
            found |= set(ends)
    return found


def _check_value(document: Document, value: SuspectValue, place: str) -> None:
    number = document.index.get(value.id, -1)
    time = document.nodes[number] if number >= 0 else None
    if not isinstance(time, Timex):
        raise VerificationError(f"{place}: {value.id!r} is no time")
    line, column = document.position(time.byte_start)
    real = document.words(time), (time.value or "").strip(), line, column
    if (value.text, value.value, value.line, value.column) != real:
        raise VerificationError(f"{place}: the value of {value.id!r} is {real!r:.200}")


def _check_proposal(
    constraints: Constraints, decision: Decision, proposal: ValueProposal, place: str
) -> None:
    values = {value.id: value.value for value in decision.values}
    sources = {
        node.id: (node.value or "").strip()
        for node in constraints.document.nodes
        if isinstance(node, Timex)
    }
    old, other = _FIELDS.match(proposal.old), _FIELDS.match(sources.get(proposal.source, ""))
    field = proposal.field
    if values.get(proposal.id) != proposal.old or field not in {"year", "month", "week", "day"}:
        raise VerificationError(f"{place}: {proposal.id!r} does not have this value")
    if old is None or other is None or old[field] is None or other[field] is None:
        raise VerificationError(f"{place}: no {field} can be copied from {proposal.source!r}")
    start, end = old.span(field)
    new = proposal.old[:start] + other[field] + proposal.old[end:]
    if proposal.new != new or not _mends(constraints, decision, proposal):
        raise VerificationError(f"{place}: {proposal.new!r:.80} does not end the contradiction")


def _mends(constraints: Constraints, decision: Decision, proposal: ValueProposal) -> bool:
    """Whether links agree with each other and with the values of their times, one of them new."""
    document = constraints.document
    links = [document.links[constraints.place[link]] for link in decision.links]
    ends = {document.index[end or ""] for link in links for end in (link.source, link.target)}
    calendar = Calendar(_change(document, proposal), constraints.options.times)
    calendar.spans = {number: span for number, span in calendar.spans.items() if number in ends}
    firm = set(constraints.firm)
    stated = (constraints.stated[link] for link in decision.links if link not in firm)
    edges = [edge for own in stated for edge in own]
    edges += [Edge(*order, None) for order in calendar.list_needed(complete=True)]
    touched = {point // 2 for edge in edges for point in (edge.left, edge.right)}
    return is_satisfiable([*edges, *(constraints.own[number] for number in touched)])


def _change(document: Document, proposal: ValueProposal) -> Document:
    """Give the document with another value of a time."""

    def change(time: Timex) -> Timex:
        if time.id != proposal.id:
            return time
        return replace(time, attributes={**time.attributes, "value": proposal.new})

    nodes = (change(node) if isinstance(node, Timex) else node for node in document.nodes)
    return document.replace(timexes=tuple(map(change, document.timexes)), nodes=tuple(nodes))
