"""What the linter found: a rule, a place, a message, and notes about the other places involved."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from msgspec import Struct

from tlex.document import Document
from tlex.lint.rules import RULES

__all__ = ["Finding", "Note", "make_finding", "make_fingerprint", "make_note"]

_LONGEST = 1 << 12
"""How many bytes the end of an element is looked for: a hostile file has long ones by thousands."""


class Note(Struct, frozen=True):
    """What belongs to a finding and stands elsewhere; no place for a piece of reasoning."""

    message: str
    line: int | None = None
    column: int | None = None


class Finding(Struct, frozen=True):
    """Something that a rule objects to.

    Line and column are from 1, the column in characters; ``end_line`` and ``end_column`` say
    where the element ends, unless it is very long; ``offset`` and ``end_offset`` are the same in
    bytes. ``links`` and ``nodes`` are the ids involved. ``fingerprint`` stays the same when lines
    move.
    """

    code: str
    name: str
    severity: str
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None
    message: str
    notes: tuple[Note, ...] = ()
    links: tuple[str, ...] = ()
    nodes: tuple[str, ...] = ()
    offset: int | None = None
    end_offset: int | None = None
    fingerprint: str = ""


def make_finding(  # noqa: PLR0913 -- one argument a field
    document: Document,
    code: str,
    offset: int,
    message: str,
    *,
    subject: Iterable[str],
    notes: Iterable[Note] = (),
    links: tuple[str, ...] = (),
    nodes: tuple[str, ...] = (),
    whole: bool = True,
) -> Finding:
    """Place a finding on the element that begins at a byte offset.

    ``subject`` is what the fingerprint is made from: ids and the like, nothing that moves with
    the lines. Without ``whole`` the finding is a single place, no element.
    """
    line, column = document.position(offset)
    end_line = end_column = end = None
    if line is not None and document.source is not None and whole:
        found = document.source.find_end(offset, _LONGEST)
        if found >= 0:
            end = found
            end_line, end_column = document.source.position(end)
    rule = RULES[code]
    return Finding(
        code=code,
        name=rule.name,
        severity=rule.severity,
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        message=message,
        notes=tuple(notes),
        links=links,
        nodes=nodes,
        offset=None if line is None else offset,
        end_offset=end,
        fingerprint=make_fingerprint(code, subject),
    )


def make_note(document: Document, offset: int, message: str) -> Note:
    """Place a note at a byte offset."""
    return Note(message, *document.position(offset))


def make_fingerprint(code: str, subject: Iterable[str]) -> str:
    """Sixteen letters that stand for a rule and what it objects to."""
    words = "\0".join((code, *subject))
    return sha256(words.encode("utf-8", "backslashreplace")).hexdigest()[:16]
