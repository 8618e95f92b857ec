"""A repair in sentences: what ``str()`` of it gives and what the command line prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import TYPE_CHECKING

from tlex.answer_text import link_lines
from tlex.lookup import describe_link
from tlex.wording import clean, count, list_lines

if TYPE_CHECKING:
    from tlex.document import Link
    from tlex.repair.fixes import FixResult

__all__ = ["fix_lines"]

_WORK = 1_000_000
"""How many links are looked at, at most, to give reasons."""


def fix_lines(fixed: FixResult, room: float = inf, *, option: str = "choose") -> Iterator[str]:
    """Say what a repair changes, why, and which other repairs there are.

    ``room`` is the number of columns; without it no line is broken. ``option`` is the name under
    which another repair can be chosen.
    """
    if not fixed.links:
        yield f"{clean(fixed.path)}: nothing to change"
        return
    proof = "proven: no smaller repair exists"
    if not fixed.consistent:
        proof = "other contradictions are left"
    elif not fixed.optimal:
        proof = f"not proven to be the smallest; at least {fixed.bound:g}"
    facts = [f"{count(len(fixed.links), 'link')} to change", f"cost {fixed.cost:g}", proof]
    yield from list_lines(f"{clean(fixed.path)}: ", facts, room=room)
    links = {link.id: link for link in fixed.extraction.document.links}
    reasons = 1 + _WORK // len(links)
    for link in (name for name in links if name in fixed.suggestions):
        reason = fixed.find_reason(link) if reasons > 0 else None
        reasons -= 1
        yield from _changed_link_lines(fixed, links, link, reason, room)
    if fixed.alternatives:
        yield from _alternative_lines(fixed, option, room)


def _changed_link_lines(
    fixed: FixResult,
    links: Mapping[str, Link],
    name: str,
    others: tuple[str, ...] | None,
    room: float,
) -> Iterator[str]:
    """Say what becomes of a link, the links that it contradicts if known, and its other types."""

    def say(link: str, indent: str) -> Iterator[str]:
        before = fixed.extraction
        return link_lines(describe_link(before.document, before.nodes, links[link]), indent, room)

    new = fixed.relabelled.get(name)
    yield f"  {'remove' if new is None else 'make ' + new}"
    yield from say(name, "    ")
    if others is not None:
        yield "    because it contradicts" + ("" if others else " itself")
        for other in others:
            yield from say(other, "      ")
    if new is None and fixed.suggestions[name]:
        yield from list_lines("    could be instead: ", fixed.suggestions[name], room=room)


def _alternative_lines(fixed: FixResult, option: str, room: float) -> Iterator[str]:
    """Say which other repairs cost the same, each with its number."""
    least = "" if fixed.exact else "at least "
    others = f"{least}{count(fixed.count - 1, 'other repair')} of the same cost"
    yield from list_lines("  ", [others, f"see {option}"], room=room)
    numbers = (n for n in range(1, len(fixed.alternatives) + 2) if n != fixed.choose)
    for number, repair in zip(numbers, fixed.alternatives, strict=True):
        yield f"  {number}. {clean(', '.join(repair))}"
