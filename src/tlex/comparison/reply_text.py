"""The answer to a question in sentences: what ``str()`` of it gives and ``tlex ask`` prints."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

from tlex.answer_text import name_expression, proof_lines, walk_lines
from tlex.wording import clean, list_lines, shorten_id

if TYPE_CHECKING:
    from tlex.comparison.questions import Reply

__all__ = ["reply_line", "reply_lines"]

_MANY = 6
_ALL = 13


def reply_line(reply: Reply) -> str:
    """Give an answer in one line: with the links of the proof, or the reason."""
    return next(reply_lines(reply)) + _sum_up(reply)


def reply_lines(reply: Reply, room: float = inf) -> Iterator[str]:
    """Give an answer: the first line, then the proof, and the links that are not believed."""
    if reply.source is None or reply.target is None:
        yield clean(f"{reply.answer}: {reply.question}")
    else:
        ends = name_expression(reply.source), name_expression(reply.target)
        yield f"{reply.answer}: {ends[0]} {clean(reply.type)} {ends[1]}"
    if reply.reason is not None:
        more = f": {clean(reply.message)}" if reply.message else ""
        yield from list_lines("  ", f"{reply.reason}{more}".split(" "), " ", room)
    links = {link.id: link for link in reply.links}
    for proof in reply.proof:
        if proof.left == proof.right:
            yield "  if it were so, a point would be before itself:"
            yield from walk_lines(links, proof, room)
        else:
            yield from proof_lines(links, proof, room)
    if reply.answer == "unknown" and reply.possible:
        labels = [basic.type or basic.name for basic in reply.possible]
        if len(labels) == _ALL:
            yield "  every relation is possible"
        else:
            yield from list_lines(f"  {len(labels)} relations are possible: ", labels, room=room)
    if reply.not_believed:
        names = [clean(shorten_id(link)) for link in reply.not_believed]
        yield from list_lines("  not believed: ", names, room=room)


def _sum_up(reply: Reply) -> str:
    """Give the links of the proof, or the reason, and the links that are not believed."""
    says = []
    if reply.reason is not None:
        says.append(reply.reason)
    elif reply.links:
        says.append(f"by {_list(tuple(link.id for link in reply.links))}")
    if reply.not_believed:
        says.append(f"without {_list(reply.not_believed)}")
    return f" ({'; '.join(says)})" if says else ""


def _list(links: tuple[str, ...]) -> str:
    shown = ", ".join(clean(shorten_id(link)) for link in links[:_MANY])
    more = len(links) - _MANY
    return f"{shown} and {more:,} more" if more > 0 else shown
