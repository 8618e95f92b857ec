"""Links of a document as lines of text, as wide as the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from tlex import answer_text, wording
from tlex.cli.terminal import page_width
from tlex.lookup import describe_links
from tlex.records import LinkInWords
from tlex.timeline import Extraction

__all__ = ["link_lines", "list_lines", "say_links"]


def link_lines(link: LinkInWords, indent: str) -> Iterator[str]:
    """Give a link in one line, if it fits: id, words, type, words, line."""
    return answer_text.link_lines(link, indent, page_width())


def say_links(result: Extraction, ids: tuple[str, ...], indent: str) -> Iterator[str]:
    """Give links of a document in words, one after the other."""
    for link in describe_links(result, ids):
        yield from link_lines(link, indent)


def list_lines(head: str, items: list[str], joint: str = ", ") -> Iterator[str]:
    """Give a list behind a head, as many lines as it takes."""
    return wording.list_lines(head, items, joint, page_width())
