"""Contradictions (TLX2xx): one finding for each irreducible set of links that cannot all hold.

The finding stands on the link that a minimum repair takes away. Notes name the other links, and
give the reasoning in plain language.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, islice

from tlex.document import Document, Link
from tlex.extraction import extract
from tlex.lint.findings import Finding, Note, make_finding, make_note
from tlex.lint.wording import Wording
from tlex.records import Conflict, Constraint
from tlex.timeline import Extraction
from tlex.wording import shorten_id

__all__ = ["find_contradictions"]

_CODES = {1: "TLX201", 2: "TLX202"}
_LONGER = "TLX203"
_SHOWN = 40
"""How many links are told one by one; nobody reads a cycle of a thousand."""


def find_contradictions(
    result: Extraction, wording: Wording, removed: Collection[str]
) -> Iterator[Finding]:
    """Find the contradictions of a document; ``removed`` are the links a repair takes away."""
    order = {link.id: number for number, link in enumerate(wording.document.links)}
    seen: set[tuple[str, ...]] = set()
    unblamed = dict.fromkeys(removed)
    for conflict in chain(result.conflicts, _find_hidden(result, removed, unblamed)):
        if conflict.minimal not in seen:
            seen.add(conflict.minimal)
            links = sorted(conflict.minimal, key=order.__getitem__)
            blamed = next((link for link in links if link in removed), links[-1])
            unblamed.pop(blamed, None)
            walk = _walk_along(result, wording, conflict)
            yield _tell(wording, [wording.links[link] for link in links], blamed, walk)


def _find_hidden(
    result: Extraction, removed: Collection[str], unblamed: Mapping[str, None]
) -> Iterator[Conflict]:
    """For each link of the repair that no finding stands on yet: what it contradicts.

    The conflicts of a document leave some contradictions out that other ones overlap. Whoever
    mends all that is shown shall be done: so each link is put back alone, which shows them.
    """
    gone = frozenset(removed)
    for name in tuple(unblamed):  # by now those that are left
        kept = [link for link in result.document.links if link.id not in gone or link.id == name]
        yield from islice(_extract_only(result, kept).conflicts, 1)


def _tell(wording: Wording, links: list[Link], blamed: str, walk: Sequence[Constraint]) -> Finding:
    document = wording.document
    link = wording.links[blamed]
    others = [other for other in links if other.id != blamed]
    if not others:
        ends = "contradicts itself"
    elif len(others) == 1:
        ends = f"contradicts {wording.say(others[0])}"
    else:
        ends = f"contradicts {len(others)} other links"
    notes = [
        make_note(
            document,
            other.byte_start,
            f"{wording.name(other)}: {wording.say(other)}{wording.where(other.byte_start)}",
        )
        for other in others[:_SHOWN]
    ]
    if len(others) > _SHOWN:
        notes.append(Note(f"and {len(others) - _SHOWN:,} more links"))
    nodes = dict.fromkeys(end for one in links for end in (one.source, one.target) if end)
    return make_finding(
        document,
        _CODES.get(len(links), _LONGER),
        link.byte_start,
        f"{wording.name(link)}: {wording.say(link)} {ends}",
        subject=sorted(map(wording.sign, links)),
        notes=[*notes, Note(explain(wording, walk, blamed))],
        links=tuple(one.id for one in links),
        nodes=tuple(nodes),
    )


def explain(wording: Wording, walk: Sequence[Constraint], blamed: str) -> str:
    """Say in plain language what the other links of a closed walk make of the blamed one."""
    place = next(at for at, step in enumerate(walk) if step.link == blamed)
    denied = walk[place]
    steps = [*walk[place + 1 :], *walk[:place]]
    reasons = [
        f"{wording.describe(step.left[:-1])} is a single point"
        if step.link is None
        else f"{_say_order(wording, step)} ({shorten_id(step.link)})"
        for step in steps
        if step.link is not None or step.order == "="
    ]
    order = "<" if any(step.order == "<" for step in steps) else "="
    follows = _say_order(wording, Constraint(denied.right, order, denied.left, None))
    if len(reasons) > _SHOWN:
        reasons[_SHOWN:] = [f"and so on, by way of {len(reasons) - _SHOWN:,} more links"]
    so = ", ".join(reasons)
    if len(reasons) != 1 or not reasons[0].startswith(f"{follows} ("):
        so = f"{so}; so {follows}" if reasons else follows
    return f"{so}, but {shorten_id(blamed)} says that {_say_order(wording, denied)}"


def _say_order(wording: Wording, step: Constraint) -> str:
    words = {"-": "begins", "+": "ends"}
    joint = "before" if step.order == "<" else "when"
    left, right = step.left[:-1], step.right[:-1]
    first = f"{wording.describe(left)} {words[step.left[-1]]}"
    other = "it" if left == right else wording.describe(right)
    return f"{first} {joint} {other} {words[step.right[-1]]}"


def _walk_along(result: Extraction, wording: Wording, conflict: Conflict) -> Sequence[Constraint]:
    """A closed walk along the minimal links alone: the conflict of a document without the rest."""
    if len(conflict.links) == len(conflict.minimal):
        return conflict.walk
    document = result.document
    links = tuple(wording.links[link] for link in conflict.minimal)
    places = sorted(
        {document.index[end] for link in links for end in (link.source, link.target) if end}
    )
    nodes = tuple(document.nodes[place] for place in places)
    index = {node.id: number for number, node in enumerate(nodes)}
    small = document.replace(nodes=nodes, index=index)
    return _extract_only(result, links, small).conflicts[0].walk


def _extract_only(
    result: Extraction, links: Sequence[Link], document: Document | None = None
) -> Extraction:
    """What would be if a document had only some of its links."""
    fewer = (document or result.document).replace(links=tuple(links))
    return extract(fewer, links=result.options.links, times=result.options.times)
