"""The nouns of an annotated document: events, times, signals, links, and what is wrong with it.

Every noun carries the annotator's own id, the attributes as the file has them (but for blanks
around ids), and its place in the file: the byte offset of its element (``byte_start``) and the
``file``, from which the end of the element, line and column are worked out when somebody asks.
Events, times and signals also carry their span in the text, in characters (``text_start``,
``text_end``; -1 for none).

The nouns are frozen structs outside the garbage collector's care: a corpus has many of them and
none can be part of a cycle.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import UNSET, Struct, UnsetType

from tlex.source import NOWHERE, Source
from tlex.wording import clean, shorten

__all__ = [
    "Code",
    "Diagnostic",
    "Event",
    "Instance",
    "Link",
    "Node",
    "Signal",
    "Span",
    "Timex",
]

_LONGEST = 160


class Span(Struct, frozen=True, gc=False, array_like=True):
    """A stretch from ``start`` up to, and without, ``end``."""

    start: int
    end: int


class _Placed(Struct, frozen=True, gc=False):
    """What all nouns of a document share."""

    id: str
    attributes: dict[str, str]
    byte_start: int
    file: Source | None

    def __hash__(self) -> int:
        return hash((type(self), self.id, self.byte_start))

    def __repr__(self) -> str:
        return _show(self, self.id)

    @property
    def byte_end(self) -> int:
        """The offset behind the element's last byte; -1 if it comes from no file."""
        return self.file.find_end(self.byte_start) if self.file else NOWHERE

    @property
    def place(self) -> Span | None:
        """Where the element stands in the file, in bytes; None if it comes from no file."""
        return Span(self.byte_start, self.byte_end) if self.file else None

    @property
    def line(self) -> int | None:
        """The line of the file on which the element begins, from 1."""
        return self.file.position(self.byte_start)[0] if self.file else None

    @property
    def column(self) -> int | None:
        """The column in which the element begins, from 1, in characters."""
        return self.file.position(self.byte_start)[1] if self.file else None


class _TextNoun(_Placed, frozen=True, gc=False):
    """A noun that has, or may have, words in the text."""

    text_start: int
    text_end: int

    def __repr__(self) -> str:
        where = "" if self.text_start < 0 else f" [{self.text_start}:{self.text_end}]"
        return _show(self, " ".join((self.id, *self._facts())), where)

    def _facts(self) -> Iterable[str]:
        """What is worth showing besides id and place."""
        return ()

    @property
    def span(self) -> Span | None:
        """Where the words stand in the text, in characters; None where there are none."""
        return None if self.text_start < 0 else Span(self.text_start, self.text_end)


class Event(_TextNoun, frozen=True, gc=False):
    """An ``EVENT``: words that name something that happens or holds."""

    def _facts(self) -> Iterable[str]:
        return (self.type,) if self.type else ()

    @property
    def type(self) -> str | None:
        """The event's class, such as OCCURRENCE or REPORTING."""
        return self.attributes.get("class")


class Instance(_TextNoun, frozen=True, gc=False):
    """A ``MAKEINSTANCE``: one happening of an event, and what links point to.

    Its span in the text is its event's.
    """

    event: str | None = None

    def _facts(self) -> Iterable[str]:
        return ("of", self.event) if self.event else ()


class Timex(_TextNoun, frozen=True, gc=False):
    """A ``TIMEX3``: words that name a date, a time of day, a duration or a set of times."""

    def _facts(self) -> Iterable[str]:
        return (fact for fact in (self.type, self.value) if fact)

    @property
    def type(self) -> str | None:
        """DATE, TIME, DURATION or SET."""
        return self.attributes.get("type")

    @property
    def value(self) -> str | None:
        """The normalised value, such as 1989-11-02."""
        return self.attributes.get("value")


class Signal(_TextNoun, frozen=True, gc=False):
    """A ``SIGNAL``: words such as *before* or *if* that make a relation explicit."""


class Link(_Placed, frozen=True, gc=False):
    """A TLINK, ALINK or SLINK, read as "source type target"; in some formats a GLINK or CLINK.

    ``type`` is the canonical name where a label table knows it, the file's own word where none
    does, and None where the link has none. ``source`` and ``target`` are the ids that the file
    gives, defined or not; None where the attribute is missing. ``labels`` are candidates for the
    type with their probabilities, for `tlex.decode`.
    """

    kind: str
    type: str | None
    source: str | None
    target: str | None
    signal: str | None = None
    weight: float | None = None
    labels: dict[str, float] | None = None

    def __repr__(self) -> str:
        ends = (self.source, self.type, self.target)
        return _show(self, f"{self.id}: {self.kind} {' '.join(word or '?' for word in ends)}")


Node = Instance | Timex | Event
"""What links connect: an event's instance, a time, or an event that has no instance."""


class Code(StrEnum):
    """What can be wrong with a document that can still be read."""

    DANGLING = "TLX101"
    MISSING_ATTRIBUTE = "TLX102"
    UNKNOWN_TYPE = "TLX103"
    REPEATED_ID = "TLX104"
    INSTANCE_WITHOUT_EVENT = "TLX105"
    EVENT_WITHOUT_INSTANCE = "TLX106"
    TWO_ENDS = "TLX107"
    UNEXPANDED_ENTITY = "TLX108"
    BAD_WEIGHT = "TLX109"
    NO_CREATION_TIME = "TLX112"
    FORGIVEN_JSON = "TLX118"
    UNCLEAR_JSON = "TLX119"
    TEXT_AND_SPAN = "TLX120"
    CANDIDATES = "TLX121"
    OTHER_READING = "TLX122"

    @property
    def severity(self) -> str:
        """``error`` if something takes no part or is lost, ``warning`` if it only looks wrong."""
        return "warning" if self in _HARMLESS else "error"


_HARMLESS = frozenset(
    {
        Code.EVENT_WITHOUT_INSTANCE,
        Code.TWO_ENDS,
        Code.UNEXPANDED_ENTITY,
        Code.BAD_WEIGHT,
        Code.NO_CREATION_TIME,
        Code.FORGIVEN_JSON,
        Code.TEXT_AND_SPAN,
        Code.CANDIDATES,
        Code.OTHER_READING,
    }
)


class Diagnostic(Struct, frozen=True, gc=False):
    """Something wrong with a document: what, where, and what would help.

    ``offset`` is where the element concerned begins, in bytes; line and column are the same place.
    In several documents as one, ``source`` is the name of the document.
    """

    code: str
    severity: str
    line: int | None
    column: int | None
    message: str
    hint: str | None = None
    offset: int | None = None
    source: str | UnsetType = UNSET

    def __repr__(self) -> str:
        where = "" if self.line is None else f" at {self.line}:{self.column}"
        return _show(self, f"{self.code}{where}: {self.message}")


def _show(noun: Struct, words: str, where: str = "") -> str:
    """Give the one line that a notebook shows for a noun."""
    return f"<{type(noun).__name__} {shorten(clean(words), _LONGEST)}{where}>"
