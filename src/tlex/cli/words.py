"""Events, times and links in words, for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from tlex.cli.terminal import page_width
from tlex.reason.lookup import describe_link
from tlex.records import Expression, LinkInWords
from tlex.timeline import Extraction
from tlex.wording import clean, flow

__all__ = ["link_lines", "list_lines", "name", "tell_links"]

_LONGEST = 36


def name(expression: Expression) -> str:
    """Words and id: ``"fell asleep" (ei3)``; the id alone where there are no words."""
    words = clean(expression.text)
    if len(words) > _LONGEST:
        words = words[: _LONGEST - 3].rstrip() + "..."
    return f'"{words}" ({clean(expression.id)})' if words else clean(expression.id)


def link_lines(link: LinkInWords, indent: str) -> Iterator[str]:
    """Give a link in one line, if it fits: id, words, type, words, line."""
    where = "" if link.line is None else f", line {link.line}"
    words = [name(link.source), clean(link.type or link.kind), name(link.target) + where]
    head = f"{indent}{clean(link.id):<4} "
    return flow(head, words, f"{indent}     ", " ", page_width())


def tell_links(result: Extraction, ids: tuple[str, ...], indent: str) -> Iterator[str]:
    """Give links of a document in words, one after the other."""
    links = {link.id: link for link in result.document.links}
    for own in ids:
        yield from link_lines(describe_link(result.document, result.nodes, links[own]), indent)


def list_lines(head: str, items: list[str], joint: str = ", ") -> Iterator[str]:
    """Give a list behind a head, as many lines as it takes."""
    return flow(head, items, " " * min(len(head), 4), joint, page_width())
