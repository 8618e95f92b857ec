"""The nouns of an annotated document: events, times, signals, links, and where they stand.

Every noun carries the annotator's own id, the attributes as the file has them, and its place in
the file as a byte span (``byte_start``, ``byte_end``). Events, times and signals also carry their
span in the text, in characters (``text_start``, ``text_end``; -1 where they have none). Line and
column are worked out when somebody asks, by `Source.position`.

The nouns are frozen structs outside the garbage collector's care: a corpus has many of them and
none can be part of a cycle.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import StrEnum
from itertools import accumulate

from msgspec import Struct, field

__all__ = [
    "Code",
    "Diagnostic",
    "Document",
    "Event",
    "Instance",
    "Link",
    "Node",
    "Signal",
    "Source",
    "Span",
    "Timex",
]

NOWHERE = -1
_LINE_END = re.compile(rb"\r\n|\r|\n")
_TEXT_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


class Span(Struct, frozen=True, gc=False, array_like=True):
    """A stretch from ``start`` up to, and without, ``end``."""

    start: int
    end: int


class _Marked(Struct, frozen=True, gc=False):
    """What all nouns of a document share."""

    id: str
    attributes: dict[str, str]
    text_start: int
    text_end: int
    byte_start: int
    byte_end: int

    @property
    def span(self) -> Span | None:
        """Where the words stand in the text, in characters; None where there are none."""
        return None if self.text_start < 0 else Span(self.text_start, self.text_end)

    @property
    def place(self) -> Span | None:
        """Where the element stands in the file, in bytes; None if it comes from no file."""
        return None if self.byte_start < 0 else Span(self.byte_start, self.byte_end)


class Event(_Marked, frozen=True, gc=False, tag="event"):
    """An ``EVENT``: words that name something that happens or holds."""

    @property
    def type(self) -> str | None:
        """The event's class, such as OCCURRENCE or REPORTING."""
        return self.attributes.get("class")


class Instance(_Marked, frozen=True, gc=False, tag="instance"):
    """A ``MAKEINSTANCE``: one happening of an event, and what links point to.

    Its span in the text is its event's.
    """

    event: str | None = None


class Timex(_Marked, frozen=True, gc=False, tag="timex"):
    """A ``TIMEX3``: words that name a date, a time of day, a duration or a set of times."""

    @property
    def type(self) -> str | None:
        """DATE, TIME, DURATION or SET."""
        return self.attributes.get("type")

    @property
    def value(self) -> str | None:
        """The normalised value, such as 1989-11-02."""
        return self.attributes.get("value")


class Signal(_Marked, frozen=True, gc=False, tag="signal"):
    """A ``SIGNAL``: words such as *before* or *if* that make a relation explicit."""


class Link(Struct, frozen=True, gc=False):
    """A TLINK, ALINK or SLINK, read as "source type target".

    ``type`` is the canonical name where a label table knows it, the file's own word where none
    does, and None where the link has none. ``source`` and ``target`` are the ids that the file
    gives, defined or not; None where the attribute is missing.
    """

    id: str
    kind: str
    type: str | None
    source: str | None
    target: str | None
    signal: str | None
    weight: float | None
    attributes: dict[str, str]
    byte_start: int
    byte_end: int

    @property
    def place(self) -> Span | None:
        """Where the element stands in the file, in bytes; None if it comes from no file."""
        return None if self.byte_start < 0 else Span(self.byte_start, self.byte_end)


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

    @property
    def severity(self) -> str:
        """``error`` if something takes no part or is lost, ``warning`` if it only looks wrong."""
        return "warning" if self in _HARMLESS else "error"


_HARMLESS = frozenset(
    {Code.EVENT_WITHOUT_INSTANCE, Code.TWO_ENDS, Code.UNEXPANDED_ENTITY, Code.BAD_WEIGHT}
)


class Diagnostic(Struct, frozen=True, gc=False):
    """Something wrong with a document: what, where, and what would help.

    ``place`` is the byte span of the element concerned; line and column are its start's.
    """

    code: str
    severity: str
    line: int | None
    column: int | None
    message: str
    hint: str | None = None
    place: Span | None = None


class Source:
    r"""The bytes of a file, and the way from a byte offset to a line and column.

    >>> Source("one\ntwö three".encode(), "utf-8").position(9)
    (2, 5)
    """

    __slots__ = ("_starts", "data", "encoding")

    def __init__(self, data: bytes, encoding: str) -> None:
        self.data = data
        self.encoding = encoding
        self._starts: list[int] = []

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a byte offset, both from 1, the column in characters.

        A line ends at LF, CR or CRLF. A byte-order mark takes no column.
        """
        starts = self._starts or self._find_lines()
        line = bisect_right(starts, offset)
        before = self.data[starts[line - 1] : offset].decode(self.encoding, "replace")
        return line, len(before) - before.startswith("\ufeff") + 1

    def _find_lines(self) -> list[int]:
        if self.encoding.startswith("utf-16"):
            text = self.data.decode(self.encoding, "replace")
            sizes = (len(line.encode(self.encoding)) for line in _TEXT_LINE.findall(text))
            self._starts = list(accumulate(sizes, initial=0))[:-1]
        else:
            self._starts = [0, *(match.end() for match in _LINE_END.finditer(self.data))]
        return self._starts


class Document(Struct, frozen=True, eq=False):
    """A text with its annotation, as it was read, and what is wrong with it.

    ``nodes`` are the ends that links may have, in text order: by start of the span in the text,
    then document order; those without a span last. ``index`` finds a node's number by its id.
    ``links`` are all links of the file, in document order.
    """

    name: str
    format: str
    text: str
    events: tuple[Event, ...]
    instances: tuple[Instance, ...]
    timexes: tuple[Timex, ...]
    signals: tuple[Signal, ...]
    nodes: tuple[Node, ...]
    index: dict[str, int]
    links: tuple[Link, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    source: Source | None = field(default=None)

    def words(self, node: Node) -> str:
        """Give the words of a node, with white space folded; empty where it has none."""
        if node.text_start < 0:
            return ""
        return " ".join(self.text[node.text_start : node.text_end].split())

    def node(self, name: str) -> Node | None:
        """Find a node by its id."""
        number = self.index.get(name)
        return None if number is None else self.nodes[number]

    def position(self, offset: int) -> tuple[int, int] | tuple[None, None]:
        """Line and column of a byte offset of the file; two Nones where there is no file."""
        if self.source is None or offset < 0:
            return None, None
        return self.source.position(offset)
