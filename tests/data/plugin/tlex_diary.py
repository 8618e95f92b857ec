"""A reader of diaries: one event a line, each before the next."""

from __future__ import annotations

from itertools import pairwise

from tlex.document import Document
from tlex.readers import Format, from_links


def recognise_diary(head: str) -> bool:
    """Whether the beginning of a file is a diary's."""
    return head.startswith("Dear diary")


def read_diary(data: bytes, name: str, *, encoding: str | None = None) -> Document:
    """Read a diary."""
    _, *lines = data.decode(encoding or "utf-8").splitlines()
    events = {f"e{number}": line for number, line in enumerate(lines, 1)}
    links = [(one, "BEFORE", other) for one, other in pairwise(events)]
    return from_links(links, texts=events, name=name)


DIARY = Format(recognise_diary, read_diary)
