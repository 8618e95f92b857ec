"""Findings of the linter: a rule, a place, a message, and notes on the other places involved."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from msgspec import UNSET, Struct, UnsetType

from tlex.document import Document
from tlex.lint.rules import RULES
from tlex.records import SuspectValue, ValueProposal
from tlex.wording import clean, represent

__all__ = ["Finding", "Note", "make_finding", "make_fingerprint", "make_note"]

_LONGEST = 1 << 12
"""In how many bytes the end of an element is looked for, so that a file made of very long elements
does not take too much time."""


class Note(Struct, frozen=True):
    """Something else that a finding is about; without a place if it explains the finding."""

    message: str
    line: int | None = None
    column: int | None = None
    source: str | UnsetType = UNSET

    def __str__(self) -> str:
        return clean(self.message)

    def __repr__(self) -> str:
        return represent(self, _place(self.line) + self.message)


class Finding(Struct, frozen=True, kw_only=True):
    """A mistake that a rule found.

    Lines and columns count from 1, columns in characters. ``end_line`` and ``end_column`` are None
    if the element is very long. ``offset`` and ``end_offset`` are the same places in bytes.
    ``links`` and ``nodes`` are the ids involved. ``values`` are the values of times that may be
    wrong, where links contradict the calendar, and ``proposals`` what would end the contradiction.
    The ``fingerprint`` does not change when lines move. In several documents as one,
    ``source`` is the name of the document that lines and columns are those of.
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
    values: tuple[SuspectValue, ...] = ()
    proposals: tuple[ValueProposal, ...] = ()
    source: str | UnsetType = UNSET

    def __str__(self) -> str:
        place = "" if self.line is None else f"{self.line}:{self.column}: "
        place = f"{clean(self.source)}:{place}" if self.source else place
        notes = (f"  note: {note}" for note in self.notes)
        headline = f"{place}{self.code} [{self.name}] {clean(self.message)}"
        return "\n".join((headline, *notes))

    def __repr__(self) -> str:
        return represent(self, f"{_place(self.line)}{self.code} {self.message}")


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
    values: tuple[SuspectValue, ...] = (),
    whole: bool = True,
) -> Finding:
    """Make a finding on the element that begins at a byte offset.

    ``subject`` is what the fingerprint is made from, such as ids: nothing that changes when lines
    move. With ``whole=False`` the finding is on the offset alone.
    """
    line, column = document.position(offset)
    home = _find_home(document, offset)
    end_line = end_column = end = None
    if line is not None and document.source is not None and whole:
        found = document.source.find_end(offset, _LONGEST)
        if found >= 0:
            end = found
            end_line, end_column = (None, None) if home else document.source.position(end)
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
        values=values,
        source=home,
    )


def make_note(document: Document, offset: int, message: str) -> Note:
    """Make a note on a byte offset."""
    line, column = document.position(offset)
    return Note(message, line, column, _find_home(document, offset))


def make_fingerprint(code: str, subject: Iterable[str]) -> str:
    """Make sixteen hexadecimal digits from the code of a rule and what a finding is about."""
    words = "\0".join((code, *subject))
    return sha256(words.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def _place(line: int | None) -> str:
    return "" if line is None else f"line {line}: "


def _find_home(document: Document, offset: int) -> str | UnsetType:
    """Find the name of the document that an offset lies in, in several documents as one."""
    if not document.documents or document.source is None or offset < 0:
        return UNSET
    return document.source.find_home(offset) or UNSET
