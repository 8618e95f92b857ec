"""Contradictions (TLX2xx): one finding for each irreducible set of links that cannot all hold.

The finding is on the link that a minimum repair removes. Notes name the other links and explain the
contradiction in plain language.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, islice

from tlex.document import Document, Link
from tlex.extraction import extract
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
    order = {link.id: number for number, link in enumerate(describer.document.links)}
    seen: set[tuple[str, ...]] = set()
    unblamed = dict.fromkeys(removed)
    for conflict in chain(result.conflicts, _find_hidden(result, removed, unblamed)):
        if conflict.minimal not in seen:
            seen.add(conflict.minimal)
            links = sorted(conflict.minimal, key=order.__getitem__)
            blamed = next((link for link in links if link in removed), links[-1])
            unblamed.pop(blamed, None)
            walk = _walk_along(result, describer, conflict)
            yield _make_finding(describer, [describer.links[link] for link in links], blamed, walk)


def _find_hidden(
    result: Extraction, removed: Collection[str], unblamed: Mapping[str, None]
) -> Iterator[Conflict]:
    """Find a contradiction of each link of the repair that no finding is on yet.

    ``result.conflicts`` leaves out contradictions that overlap with others. Whoever mends all
    findings should be done, so each of these links is put back alone to see what it contradicts.
    """
    gone = frozenset(removed)
    for name in tuple(unblamed):  # those without a finding, by now
        kept = [link for link in result.document.links if link.id not in gone or link.id == name]
        yield from islice(_extract_only(result, kept).conflicts, 1)


def _make_finding(
    describer: Describer, links: list[Link], blamed: str, walk: Sequence[Constraint]
) -> Finding:
    document = describer.document
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
    nodes = dict.fromkeys(end for one in links for end in (one.source, one.target) if end)
    return make_finding(
        document,
        _CODES.get(len(links), _LONGER),
        link.byte_start,
        f"{describer.state_link(link)} {ends}",
        subject=sorted(map(describer.identify_link, links)),
        notes=[*notes, Note(explain(describer, walk, blamed))],
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


def _say_order(describer: Describer, step: Constraint) -> str:
    words = {"-": "begins", "+": "ends"}
    joint = "before" if step.order == "<" else "when"
    left, right = step.left[:-1], step.right[:-1]
    first = f"{describer.describe(left)} {words[step.left[-1]]}"
    other = "it" if left == right else describer.describe(right)
    return f"{first} {joint} {other} {words[step.right[-1]]}"


def _walk_along(
    result: Extraction, describer: Describer, conflict: Conflict
) -> Sequence[Constraint]:
    """Find a closed walk along the minimal links alone, by extracting a document of only these."""
    if len(conflict.links) == len(conflict.minimal):
        return conflict.walk
    document = result.document
    links = tuple(describer.links[link] for link in conflict.minimal)
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
    """Extract a document with only some of its links."""
    fewer = (document or result.document).replace(links=tuple(links))
    return extract(fewer, links=result.options.links, times=result.options.times)
