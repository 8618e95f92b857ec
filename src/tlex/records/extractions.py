"""An extraction as plain data, and the small nouns that other results share with it.

The attributes of a live `Timeline` and `Extraction` mirror the fields here. `tlex.verify` accepts
both.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tlex.date_words import say_date
from tlex.document import Document
from tlex.errors import OptionError
from tlex.nouns import Diagnostic, Span
from tlex.wording import count, list_names, name_node, represent

__all__ = [
    "SCHEMA",
    "Break",
    "CalendarLink",
    "Conflict",
    "Connection",
    "Constraint",
    "DateRange",
    "DocumentRecord",
    "ExtractionRecord",
    "NodeRecord",
    "Options",
    "Scenarios",
    "Section",
    "TimelineRecord",
]

SCHEMA = "tlex/1"


class Options(Struct, frozen=True, kw_only=True):
    """What was asked for. ``confidence`` is there if links were left out by their probabilities."""

    links: tuple[str, ...] = ("TLINK", "ALINK")
    times: str = "interval"
    main: tuple[str, ...] | None = None
    subordinating: tuple[str, ...] | None = None
    calendar: bool = False
    mend: bool = False
    confidence: bool | UnsetType = UNSET

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the links that order nodes, with those that follow from values."""
        return (*self.links, "CALENDAR") if self.calendar else self.links


class DateRange(Struct, frozen=True, gc=False):
    """Two instants between which something starts and ends; None where one is not known.

    ``after`` is the latest instant that its start is known to follow, and ``before`` the earliest
    that its end is known to precede. What is inside 22 March is after 2013-03-22 and before
    2013-03-23; ``str()`` says it in words.
    """

    after: str | None
    before: str | None

    def __str__(self) -> str:
        return say_date(self.after, self.before)


class NodeRecord(Struct, frozen=True, gc=False):
    """A node of the document: an event's instance or a time.

    ``type`` is an event's class or a time's type; ``event`` the id of an instance's EVENT.
    ``world`` is the part that the links alone put it into; without the calendar this is its
    timeline. ``date`` says when it was, if the calendar is used and the order tells. In several
    documents as one, ``source`` is the name of the node's own document, in which line, column and
    span count.
    """

    id: str
    kind: str
    text: str
    line: int | None
    column: int | None
    span: Span | None
    value: str | None
    factuality: str
    type: str | None = None
    event: str | None = None
    world: int = 0
    date: DateRange | None = None
    source: str | UnsetType = UNSET

    def __repr__(self) -> str:
        return represent(self, f"{name_node(self.id, self.text)}, {self.kind}, {self.factuality}")


class Section(Struct, frozen=True, gc=False):
    """A section of unknown order: the steps ``first`` to ``last`` and the points on them."""

    first: int
    last: int
    points: tuple[str, ...]

    def __repr__(self) -> str:
        return represent(
            self, f"steps {self.first} to {self.last}, {count(len(self.points), 'point')}"
        )


class Scenarios(Struct, frozen=True, gc=False):
    """How many orderings a timeline admits; at least that many where it is not exact."""

    count: int
    exact: bool


class Constraint(Struct, frozen=True, gc=False):
    """One step of a walk; ``link`` is None for an interval's own ``I- < I+`` (or ``I- = I+``)."""

    left: str
    order: str
    right: str
    link: str | None

    def __str__(self) -> str:
        return f"{self.left} {self.order} {self.right}"

    def __repr__(self) -> str:
        return represent(self, f"{self} ({self.link})" if self.link else str(self))


class Conflict(Struct, frozen=True, kw_only=True, gc=False):
    """An irreducible set of links that contradict each other: any one less, and the rest can hold.

    ``walk`` is the proof, a closed walk over these links with at least one ``<``. ``kind`` says
    how many compounds are on it: i for one, ii for two, iii for more. ``minimal`` are the links of
    the set and ``links`` those on the walk, which are the same. ``same`` gives the links that say
    the same as one of them. ``number`` counts from 1 and is the same in every command.
    """

    number: int
    timeline: int
    kind: str
    walk: tuple[Constraint, ...]
    links: tuple[str, ...]
    minimal: tuple[str, ...]
    same: dict[str, tuple[str, ...]]

    def __str__(self) -> str:
        steps = "".join(f" {step.order} {step.right}" for step in self.walk)
        return f"{self.walk[0].left}{steps}"

    def __repr__(self) -> str:
        return represent(self, f"{self.number}, kind {self.kind}, links {list_names(self.minimal)}")


class Connection(Struct, frozen=True, kw_only=True, gc=False):
    """An SLINK that crosses from one timeline to another."""

    link: str
    type: str | None
    source: str
    target: str
    source_timeline: int
    target_timeline: int

    def __repr__(self) -> str:
        return represent(self, f"{self.link}: {self.source} {self.type} {self.target}")


class Break(Struct, frozen=True, kw_only=True, gc=False):
    """Where two neighbouring main timelines come closest in the text.

    ``words`` counts the words between the two expressions; None where a timeline has no
    expression in the text, and then the first of its intervals stands for it.
    """

    first_timeline: int
    second_timeline: int
    first: str
    second: str
    words: int | None

    def __repr__(self) -> str:
        return represent(self, f"{self.first} and {self.second}")


class CalendarLink(Struct, frozen=True, kw_only=True, gc=False):
    """A link that follows from the values of two times; ``words`` says what they say."""

    id: str
    type: str
    source: str
    target: str
    words: str

    def __repr__(self) -> str:
        return represent(self, f"{self.source} {self.type} {self.target}")


class TimelineRecord(Struct, frozen=True, kw_only=True, gc=False):
    """A `Timeline` as plain data."""

    id: int
    main: bool
    detached: bool
    consistent: bool
    intervals: tuple[str, ...]
    length: int | None
    offset: int
    points: dict[str, tuple[int, int]]
    compounds: tuple[tuple[str, ...], ...]
    tied_steps: tuple[int, ...]
    sections: tuple[Section, ...]
    indeterminate_pairs: int | None
    score: float | None
    scenarios: Scenarios | None
    mended: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...] | UnsetType = UNSET

    def __repr__(self) -> str:
        return represent(
            self, f"{self.id}, {count(len(self.intervals), 'interval')}, {self._length()}"
        )

    def _length(self) -> str:
        return "contradictory" if self.length is None else count(self.length, "step")


class DocumentRecord(Struct, frozen=True, omit_defaults=True, gc=False):
    """Which document a record is about, and how it was read.

    ``sha256`` is that of the file. ``labels`` are the rows, by kind of link and label, of the
    user's own labels that the document uses, and of those that mean something else in its corpus.
    ``reading`` is the name of such a corpus. ``text`` is the directory that the user named for the
    texts of stand-off annotation.
    """

    name: str
    format: str
    sha256: str | None = None
    labels: dict[str, dict[str, tuple[str, ...]]] = {}
    text: str | None = None
    reading: str = ""

    @classmethod
    def of(cls, document: Document) -> DocumentRecord:
        """Describe a document.

        Parameters
        ----------
        document : Document
            The document.

        Returns
        -------
        DocumentRecord
            Its name, its format, and what else a result of it depends on.

        Examples
        --------
        >>> import tlex
        >>> tlex.records.DocumentRecord.of(tlex.read("examples/story.tml")).sha256[:8]
        'd8e9d6b4'

        See Also
        --------
        tlex.verify : compares this with the document.
        """
        return cls(
            name=document.name,
            format=document.format,
            sha256=None if document.source is None else document.source.sha256,
            labels=document.labels,
            text=document.text_directory,
            reading=document.reading,
        )

    def __repr__(self) -> str:
        return represent(self, f"{self.name!r}, format {self.format}")


class ExtractionRecord(Struct, frozen=True, kw_only=True, gc=False):
    """An `Extraction` as plain data: one JSON object of the contract ``tlex/1``.

    ``calendar`` are the links that follow from values, if the calendar is used.
    """

    schema: str
    tlex: str
    document: DocumentRecord
    options: Options
    consistent: bool
    nodes: tuple[NodeRecord, ...]
    timelines: tuple[TimelineRecord, ...]
    connections: tuple[Connection, ...]
    breaks: tuple[Break, ...]
    conflicts: tuple[Conflict, ...]
    conflicts_complete: bool
    calendar_complete: bool
    mended: tuple[str, ...]
    diagnostics: tuple[Diagnostic, ...]
    calendar: tuple[CalendarLink, ...] | UnsetType = UNSET

    def to_json(self) -> bytes:
        """Encode as one line of JSON, without a line end.

        Returns
        -------
        bytes
            One JSON object of the contract ``tlex/1``.

        Examples
        --------
        >>> import tlex
        >>> tlex.extract(tlex.from_links([("a", "BEFORE", "b")])).record().to_json()[:18]
        b'{"schema":"tlex/1"'

        See Also
        --------
        from_json : the way back.
        """
        return msgspec.json.encode(self)

    @classmethod
    def from_json(cls, line: str | bytes) -> ExtractionRecord:
        """Decode what `to_json` or ``tlex extract --json`` wrote.

        Parameters
        ----------
        line : str or bytes
            One JSON object.

        Returns
        -------
        ExtractionRecord
            The result as plain data; `tlex.verify` can prove it.

        Raises
        ------
        OptionError
            If it is no such object.

        Examples
        --------
        >>> import tlex
        >>> line = tlex.extract(tlex.from_links([("a", "BEFORE", "b")])).to_json()
        >>> tlex.ExtractionRecord.from_json(line).consistent
        True

        See Also
        --------
        to_json : the way there.
        """
        try:
            return msgspec.json.decode(line, type=cls)
        except msgspec.MsgspecError as error:
            raise OptionError(f"not a record of schema {SCHEMA}: {error}") from error

    def __repr__(self) -> str:
        return represent(self, f"{self.document.name!r}, {count(len(self.timelines), 'timeline')}")
