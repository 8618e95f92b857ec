"""Answers in sentences: what ``str()`` of an answer gives and what the command line prints.

Every function gives lines. ``room`` is the number of columns; without it no line is broken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING

from tlex.wording import clean, count, flow, list_lines, name_node

if TYPE_CHECKING:
    from tlex.records import (
        Conflict,
        Expression,
        LinkInWords,
        PairRelation,
        PossibleRelation,
        Proof,
        Reduction,
        Why,
        Witness,
    )

__all__ = [
    "conflict_headline",
    "headline_lines",
    "link_lines",
    "name_expression",
    "proof_lines",
    "relation_lines",
    "sum_up_closure",
    "sum_up_reduction",
    "walk_lines",
    "why_lines",
]

_STATES = ("BEFORE", "AFTER", "IBEFORE", "IAFTER", "BEGUN_BY", "ENDED_BY", "SIMULTANEOUS")
"""Types that are no verb."""


def name_expression(expression: Expression) -> str:
    """Name an event or time: ``"fell asleep" (ei3)``."""
    return clean(name_node(expression.id, expression.text))


def link_lines(link: LinkInWords, indent: str = "", room: float = inf) -> Iterator[str]:
    """Say a link: its id, then ``"ate" (ei2) BEFORE "washed" (ei3), line 22``."""
    where = "" if link.line is None else f", line {link.line}"
    if link.words:
        where = f": {clean(link.words)}"
    source, target = name_expression(link.source), name_expression(link.target)
    words = [source, clean(link.type or link.kind), target + where]
    head = f"{indent}{clean(link.id):<4} "
    return flow(head, words, f"{indent}     ", " ", room)


def relation_lines(
    relation: PairRelation,
    room: float = inf,
    *,
    path: Sequence[LinkInWords] = (),
    conflict: Conflict | None = None,
    minimal: Sequence[LinkInWords] = (),
) -> Iterator[str]:
    """Say how two events or times are related.

    ``path`` has the links of `PairRelation.path` in words. ``conflict`` and ``minimal`` are a
    contradiction of their timeline and its links in words. Without them the ids are shown.
    """
    yield from headline_lines(relation, room)
    if relation.verdict == "possible":
        yield from list_lines("  ", map(_label, relation.relations), room=room)
        settled = [o for o in relation.orders if len(o.orders) == 1]
        if settled:
            known = [clean(f"{o.left} {o.orders[0]} {o.right}") for o in settled]
            yield from list_lines("  in any case ", known, room=room)
    elif relation.verdict == "unrelated" and relation.path:
        yield "  these subordinating links lead from one to the other:"
        for link in path:
            yield from link_lines(link, "    ", room)
        if not path:
            yield from (
                clean(f"    {c.link:<4} {c.source} {c.type} {c.target}") for c in relation.path
            )
    elif relation.verdict == "unrelated":
        yield "  no chain of subordinating links leads from one to the other"
    elif relation.verdict == "undecided":
        yield "  the search for what holds after every smallest repair reached its limit"
    elif conflict is not None:
        says = f"nothing is entailed where {conflict_headline(conflict)}:"
        yield from list_lines("  ", says.split(), " ", room)
        for link in minimal:
            yield from link_lines(link, "    ", room)
    yield from _repair_lines(relation, room)


def headline_lines(relation: PairRelation, room: float = inf) -> Iterator[str]:
    """Say how two events or times are related, in one sentence."""
    source, target = name_expression(relation.source), name_expression(relation.target)
    entailed = relation.entailed
    if relation.source.id == relation.target.id and entailed:
        yield f"{source} is {target}: one and the same"
    elif entailed:
        whose = "of a point" if relation.instants else "Allen"
        missing = "" if entailed.type else "; TimeML has no such type"
        note = f"  [{whose}: {entailed.name}{missing}]"
        yield from list_lines(f"{source} ", [_verb(entailed), target, note], " ", room)
    elif relation.verdict == "possible":
        many = f"{len(relation.relations)} relations are possible"
        yield from list_lines("", [source, "and", f"{target}:", many], " ", room)
    elif relation.verdict == "undecided":
        yield from list_lines("", [source, "and", f"{target}:", "undecided"], " ", room)
    elif relation.verdict == "unrelated":
        one, other = relation.timelines
        where = f"they are on timelines {one} and {other}"
        yield from list_lines("", [source, "and", target, "are unrelated:", where], " ", room)
    else:
        where = f"are on timeline {relation.timelines[0]}, which is contradictory"
        yield from list_lines("", [source, "and", target, where], " ", room)


def conflict_headline(conflict: Conflict) -> str:
    """Say that links contradict each other: ``these 3 links cannot all hold``."""
    many = len(conflict.minimal)
    says = "this link contradicts itself" if many == 1 else f"these {many} links cannot all hold"
    if any(step.link is None and step.order == "=" for step in conflict.walk):
        says += " while a TIME is a single point"
    return says


def why_lines(why: Why, room: float = inf) -> Iterator[str]:
    """Say what proves a relation: chains of constraints, or two timelines that differ."""
    links = {link.id: link for link in why.links}
    for proof in why.proofs:
        yield from proof_lines(links, proof, room)
    for place, witness in enumerate(why.witnesses):
        yield from _witness_lines(why.relation, place, witness, room)


def sum_up_closure(
    *, links: int, new: int, untyped: int, partial: int, inconsistent: tuple[int, ...]
) -> list[str]:
    """Say how many relations are entailed, and what is not among them."""
    facts = [f"{count(links, 'entailed relation')}, {new:,} of them new"]
    if untyped:
        facts.append(f"{untyped:,} more that TimeML has no type for")
    if partial:
        facts.append(f"{count(partial, 'pair')} of partly known order")
    return facts + _sum_up_inconsistent(inconsistent)


def sum_up_reduction(reduction: Reduction) -> list[str]:
    """Say how many links entail the rest."""
    total = len(reduction.kept) + len(reduction.dropped)
    kept = f"{len(reduction.kept):,} of {count(total, 'link')} entail the rest"
    return [kept if total else "no link to reduce", *_sum_up_inconsistent(reduction.inconsistent)]


def _sum_up_inconsistent(timelines: tuple[int, ...]) -> list[str]:
    if not timelines:
        return []
    numbers = ", ".join(map(str, timelines))
    if len(timelines) == 1:
        return [f"timeline {numbers} is contradictory and is left as it is"]
    return [f"timelines {numbers} are contradictory and are left as they are"]


def _repair_lines(relation: PairRelation, room: float) -> Iterator[str]:
    """Say under which repair of contradictions an answer holds."""
    if relation.mended:
        held = "under the repair that leaves out "
        if relation.contradictions == "every":
            held = "after every smallest repair, such as the one that leaves out "
            if relation.verdict == "possible":  # the repairs may disagree
                held = "known is what holds after every smallest repair; one of them leaves out "
        yield from list_lines(f"  {held}", map(clean, relation.mended), room=room)


def _verb(relation: PossibleRelation) -> str:
    label = relation.type or relation.name
    return f"is {label}" if label in _STATES else label


def _label(relation: PossibleRelation) -> str:
    return f"{relation.type} [{relation.name}]" if relation.type else f"[{relation.name}]"


def proof_lines(links: Mapping[str, LinkInWords], proof: Proof, room: float) -> Iterator[str]:
    """Say why two end points have an order: the links of the chain, and the chain itself."""
    if not proof.walk:
        return
    yield f"  {clean(str(proof))}   because"
    yield from walk_lines(links, proof, room)


def walk_lines(links: Mapping[str, LinkInWords], proof: Proof, room: float = inf) -> Iterator[str]:
    """Give the links of a chain in words, and the chain itself."""
    for link in proof.links:
        if link in links:
            yield from link_lines(links[link], "    ", room)
    walk = [clean(proof.left)]
    walk += [clean(f"{step.order} {step.right}") for step in proof.walk]
    yield from list_lines("    that is ", walk, " ", room)


def _witness_lines(
    relation: PairRelation, place: int, witness: Witness, room: float
) -> Iterator[str]:
    which = "another" if place else "one timeline"
    source, target = name_expression(relation.source), name_expression(relation.target)
    words = [f"{which} on which", source, _verb(witness.relation), f"{target}:"]
    yield from list_lines("  ", words, " ", room)
    steps: dict[int, list[str]] = {}
    for point, step in witness.points.items():
        steps.setdefault(step, []).append(clean(point))
    chain = [" = ".join(steps[step]) for step in sorted(steps)]
    yield from list_lines("    ", [chain[0], *(f"< {each}" for each in chain[1:])], " ", room)
