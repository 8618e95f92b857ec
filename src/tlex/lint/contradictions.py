"""Contradictions (TLX2xx): one finding for each irreducible set of links that cannot all hold.

The finding is on the link that a minimum repair removes. Notes name the other links and explain the
contradiction in plain language.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tlex.lint.descriptions import Describer
from tlex.lint.findings import Finding, Note, make_finding
from tlex.records import Conflict, Constraint
from tlex.timeline import Extraction
from tlex.wording import shorten_id

__all__ = ["find_contradictions"]

_CODES = {1: "TLX201", 2: "TLX202"}
_LONGER = "TLX203"
_SHOWN = 40
"""How many links are listed one by one; nobody reads a cycle of a thousand."""


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
    notes = [describer.note_link(other) for other in others[:_SHOWN]]
    if len(others) > _SHOWN:
        notes.append(Note(f"and {len(others) - _SHOWN:,} more links"))
    notes += [Note(_say_same(first, others)) for first, others in conflict.same.items()]
    why = explain(describer, conflict.walk, blamed)
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


def explain(describer: Describer, walk: Sequence[Constraint], blamed: str) -> str:
    """Explain in plain language how the other links of a closed walk contradict the blamed one."""
    place = next(at for at, step in enumerate(walk) if step.link == blamed)
    denied = walk[place]
    steps = [*walk[place + 1 :], *walk[:place]]
    reasons = [
        f"{describer.describe(step.left[:-1])} is a single point"
        if step.link is None
        else f"{_say_order(describer, step)} ({shorten_id(step.link)})"
        for step in steps
        if step.link is not None or step.order == "="
    ]
    order = "<" if any(step.order == "<" for step in steps) else "="
    follows = _say_order(describer, Constraint(denied.right, order, denied.left, None))
    if len(reasons) > _SHOWN:
        reasons[_SHOWN:] = [f"and so on, by way of {len(reasons) - _SHOWN:,} more links"]
    so = ", ".join(reasons)
    if len(reasons) != 1 or not reasons[0].startswith(f"{follows} ("):
        so = f"{so}; so {follows}" if reasons else follows
    return f"{so}, but {shorten_id(blamed)} says that {_say_order(describer, denied)}"


def _say_same(first: str, others: Sequence[str]) -> str:
    shown = ", ".join(map(shorten_id, others[:_SHOWN]))
    more = f" and {len(others) - _SHOWN:,} more links" if len(others) > _SHOWN else ""
    say = "says" if len(others) == 1 else "say"
    return f"{shown}{more} {say} the same as {shorten_id(first)}"


def _say_order(describer: Describer, step: Constraint) -> str:
    words = {"-": "begins", "+": "ends"}
    joint = "before" if step.order == "<" else "when"
    left, right = step.left[:-1], step.right[:-1]
    first = f"{describer.describe(left)} {words[step.left[-1]]}"
    other = "it" if left == right else describer.describe(right)
    return f"{first} {joint} {other} {words[step.right[-1]]}"
