"""Chosen labels in sentences: what ``str()`` of them gives and what the command line prints."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tlex.answer_text import link_lines
from tlex.lookup import describe_link, express_all
from tlex.nouns import Link
from tlex.wording import clean, count, list_lines

if TYPE_CHECKING:
    from tlex.repair.decoding import DecodeResult

__all__ = ["decode_lines"]


def decode_lines(decoded: DecodeResult, room: float = inf) -> Iterator[str]:
    """Say what was chosen; ``room`` is the number of columns."""
    yield from list_lines(f"{clean(decoded.path)}: ", list(_sum_up(decoded)), "; ", room)
    links = {link.id: link for link in decoded.document.links}
    nodes = express_all(decoded.document)
    for links_blocked in decoded.blocked:
        choosable = any(links[name].labels for name in links_blocked)
        yield f"  these contradict each other{' whatever their labels' if choosable else ''}:"
        for name in links_blocked:
            link = _name_labels(links[name])
            yield from link_lines(describe_link(decoded.original, nodes, link), "    ", room)
    for choice in decoded.choices:
        if choice.type != choice.most_probable:
            yield from link_lines(
                describe_link(decoded.document, nodes, links[choice.link]), "  ", room
            )
            chosen, other = choice.type, choice.most_probable
            shares = choice.labels[chosen], choice.labels[other]
            yield f"       {chosen} {shares[0]:.3g}, not {other} {shares[1]:.3g}"
    for note in decoded.notes:
        yield from list_lines("  note: ", clean(note).split(), " ", room)


def _name_labels(link: Link) -> Link:
    """Give a link all its candidates for a type."""
    return replace(link, type=" or ".join(link.labels)) if link.labels else link


def _sum_up(decoded: DecodeResult) -> Iterator[str]:
    changed = sum(1 for choice in decoded.choices if choice.type != choice.most_probable)
    if not any(link.labels for link in decoded.original.links):
        if decoded.consistent is False:
            yield "no link has candidate labels, and links contradict each other (see tlex fix)"
        else:
            yield "no link has candidate labels, so there is nothing to choose"
        return
    if decoded.consistent is False:
        yield "no choice of labels is consistent"
        return
    if decoded.consistent is None:
        yield "no consistent choice of labels was found within the limit"
        return
    yield f"{count(len(decoded.choices), 'label')} chosen"
    yield (
        f"{changed:,} not the most probable of the link" if changed else "each the most probable"
    )
    yield f"cost {decoded.cost:g}"
    if decoded.optimal:
        yield "proven: no consistent choice is more probable"
    else:
        yield f"not proven to be the most probable; at least {decoded.bound:g}, gap {decoded.gap:g}"
    if decoded.ended_by == "clock":
        yield "the clock ended the search, so another run may give another result"
