"""The nouns of an annotated document: events, times, signals, links, and where they stand.

Every noun carries the annotator's own id, the attributes as the file has them (but for blanks
around ids), and its place in the file: the byte offset of its element (``byte_start``) and the
``file``, from which the end of the element, line and column are worked out when somebody asks.
Events, times and signals also carry their span in the text, in characters (``text_start``,
``text_end``; -1 for none).

The nouns are frozen structs outside the garbage collector's care: a corpus has many of them and
none can be part of a cycle.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from enum import StrEnum
from itertools import accumulate
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct, UnsetType

from tlex.wording import clean, shorten

__all__ = [
    "CheckColumns",
    "Code",
    "Diagnostic",
    "Document",
    "Event",
    "Instance",
    "Link",
    "LinkColumns",
    "Marks",
    "Node",
    "NodeColumns",
    "Relations",
    "Signal",
    "Source",
    "Span",
    "SubordinatingLink",
    "Timex",
]

NOWHERE = -1
JOINT = "#"
"""What stands between the name of a document and an id of it, in several documents as one."""
BETWEEN = "\n\n"
"""What stands between the texts of several documents as one."""
_HIGH, _LOW = 0xD8 >> 2, 0xDC >> 2
"""How the halves of a surrogate pair begin in UTF-16."""
_STRIDE = 4096


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


class Source:
    r"""The bytes of a file, and the way from a byte offset to a line and column.

    >>> Source("one\ntwö three".encode(), "utf-8").position(9)
    (2, 5)
    """

    __slots__ = ("_marks", "_plain", "_sha256", "data", "encoding")

    editable = True
    """Whether the links of the file can be changed, if its format allows it at all."""

    def __init__(self, data: bytes, encoding: str) -> None:
        self.data = data
        self.encoding = encoding
        self._marks: list[tuple[int, int, int]] = []
        self._plain: bool | None = None
        self._sha256 = ""

    @property
    def sha256(self) -> str:
        """The SHA-256 of the bytes, in hexadecimal digits."""
        if not self._sha256:
            from hashlib import sha256  # noqa: PLC0415 -- loads OpenSSL

            self._sha256 = sha256(self.data).hexdigest()
        return self._sha256

    def __repr__(self) -> str:
        return f"<Source of {len(self.data):,} bytes, {self.encoding}>"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Source):
            return NotImplemented
        same = self.data == other.data and self.encoding == other.encoding
        if same:  # bytes that are one object are compared in no time, for each noun of a document
            self.data = other.data
        return same

    def __hash__(self) -> int:
        return hash((self.data, self.encoding))

    @property
    def original(self) -> bytes:
        """The bytes of the file as they are; ``data`` may be the same text in another encoding."""
        return self.data

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a byte offset, both from 1, the column in characters.

        A line ends at LF, CR or CRLF. A byte-order mark takes no column. Offsets, lines and
        columns of every few thousand bytes are remembered, so that long files and long lines cost
        little however often one asks.
        """
        if not self._marks:
            self._set_marks()
        return self._advance(self._find_mark(offset), offset)[1:]

    def positions(self, offsets: Iterable[int]) -> dict[int, tuple[int, int]]:
        """Line and column of many offsets, none inside a character or a CRLF, in one pass.

        The pass begins near the first offset: a file may have very many documents.
        """
        wanted = sorted(set(offsets))
        if not wanted:
            return {}
        mark = self._find_mark(wanted[0])
        if self._is_plain():
            return self._list_plain(mark, wanted)
        found = {}
        for offset in wanted:
            mark = self._advance(mark, max(offset, mark[0]))
            found[offset] = mark[1:]
        return found

    def find_end(self, start: int, most: int | None = None) -> int:  # noqa: ARG002
        """Find the byte offset behind the noun that begins at an offset; -1 if that is unknown.

        Each format has a source of its own that knows: see `tlex.markup.Markup` for XML.
        With ``most``, only so many bytes are looked at; -1 if the noun is longer than that.
        """
        return NOWHERE

    def find_home(self, offset: int) -> str | None:  # noqa: ARG002
        """Find the name of the document whose lines `position` counts; None if it is this file."""
        return None

    def find_piece(self, offset: int) -> tuple[Source, int]:
        """Find the file in which an offset lies, and its offset there."""
        return self, offset

    def _set_marks(self) -> None:
        size = len(self.data)
        mark = self._first_mark()
        self._marks = [mark]
        unit = 2 if self.encoding.startswith("utf-16") else 1
        while mark[0] + _STRIDE < size:
            end = mark[0] + _STRIDE
            while end < size and self._splits(end, unit):
                end += unit
            mark = self._advance(mark, end)
            self._marks.append(mark)

    def _splits(self, offset: int, unit: int) -> bool:
        """Whether an offset stands inside a character, or between CR and LF."""
        around = self.data[offset - unit : offset + unit]
        if around == "\r\n".encode(self.encoding):
            return True
        if unit > 1:
            first, second = (0, 2) if self.encoding == "utf-16-be" else (1, 3)
            return around[first] >> 2 == _HIGH and around[second] >> 2 == _LOW
        return self.encoding == "utf-8" and around[1] & 0xC0 == 0x80  # noqa: PLR2004

    def _find_mark(self, offset: int) -> tuple[int, int, int]:
        """Find the last known place before an offset."""
        if not self._marks:
            if offset <= _STRIDE:
                return self._first_mark()
            self._set_marks()
        place = bisect_right(self._marks, (offset, len(self.data) + 1, 0))
        return self._marks[max(place - 1, 0)]

    def _first_mark(self) -> tuple[int, int, int]:
        has_mark = self.data[:4].decode(self.encoding, "ignore").startswith("\ufeff")
        return len("\ufeff".encode(self.encoding)) if has_mark else 0, 1, 1

    def _is_plain(self) -> bool:
        """Whether each byte is a character, and lines end with LF only."""
        if self._plain is None:
            data = self.data
            self._plain = self.encoding == "utf-8" and data.isascii() and b"\r" not in data
        return self._plain

    def _list_plain(
        self, mark: tuple[int, int, int], wanted: list[int]
    ) -> dict[int, tuple[int, int]]:
        """Line and column of offsets behind a known place, where `_is_plain` holds."""
        at, line, column = mark
        lines = self.data[at : wanted[-1]].split(b"\n")
        begins = list(accumulate([len(one) + 1 for one in lines], initial=at))
        begins[0] -= column - 1  # where the line of the known place begins
        found = {}
        for offset in wanted:
            number = bisect_right(begins, offset)
            found[offset] = line + number - 1, offset - begins[number - 1] + 1
        return found

    def _advance(self, mark: tuple[int, int, int], offset: int) -> tuple[int, int, int]:
        """Go on from a known place to a later offset."""
        at, line, column = mark
        text = self.data[at:offset].decode(self.encoding, "replace")
        last = text.rfind("\n")
        if "\r" in text:
            last = max(last, text.rfind("\r"))
            line += text.count("\r") - text.count("\r\n")
        if last < 0:
            return offset, line, column + len(text)
        return offset, line + text.count("\n"), len(text) - last


class Relations(Struct, frozen=True, gc=False):
    """The links that order nodes, in columns: what the five steps need to know of a document.

    Kind, code of the label, numbers of the two nodes, and the link's number in the document.
    ``count`` is how many links the document has, with those that order nothing. A document that has
    relations has no weights.
    """

    kinds: list[str]
    labels: list[int]
    sources: list[int]
    targets: list[int]
    numbers: list[int]
    count: int

    def __repr__(self) -> str:
        return f"<Relations of {len(self.numbers)} links>"


class NodeColumns(Struct, frozen=True, gc=False):
    """What a document says of its nodes, without a noun: columns in the order of the nodes.

    ``starts`` and ``ends`` say where a node stands in ``text``; they are -1 for a node without a
    place. ``events`` has the ids of the events whose instances the nodes are, and None for other
    nodes. ``times`` says which nodes are times. ``types`` has the classes of events and the types
    of times, and ``values`` those of times. ``modalities`` and ``polarities`` are those of events,
    and empty where nothing is said. What an instance does not say itself, its event says.
    ``offsets`` says where the words are marked in the file, in bytes.
    """

    text: str
    ids: list[str]
    starts: list[int]
    ends: list[int]
    events: list[str | None]
    times: list[bool]
    types: list[str | None]
    values: list[str | None]
    modalities: list[str]
    polarities: list[str]
    offsets: list[int]

    def __repr__(self) -> str:
        return f"<NodeColumns of {len(self.ids)} nodes>"


class LinkColumns(Struct, frozen=True, gc=False):
    """All links of a document, in columns, in document order: what each has as a noun."""

    ids: list[str]
    kinds: list[str]
    types: list[str | None]
    sources: list[str | None]
    targets: list[str | None]
    signals: list[str | None]
    weights: list[float | None]

    def __repr__(self) -> str:
        return f"<LinkColumns of {len(self.ids)} links>"


class CheckColumns(Struct, frozen=True, gc=False):
    """What checks want to know of a document besides its times, without a noun.

    ``signals`` are the ids of the signals, and ``named`` is what instances and links say of theirs.
    ``polarities`` are what the instances say themselves. None where one says nothing.
    """

    signals: list[str]
    named: list[str | None]
    polarities: list[str | None]

    def __repr__(self) -> str:
        return f"<CheckColumns of {len(self.polarities)} instances>"


class Marks(Struct, frozen=True, gc=False):
    """How many events and signals a document has."""

    events: int
    signals: int


SubordinatingLink = tuple[str, str | None, str | None, str | None]
"""What an SLINK says: its id, its type, and the ids of its source and target."""


class Document:
    """A text with its annotation, as it was read, and what is wrong with it.

    ``nodes`` are the ends that links may have, in text order: by start of the span in the text,
    then document order; those without a span last. ``index`` finds a node's number by its id,
    and has the ids in the same order.
    ``links`` are all links of the file, in document order. ``phrases`` has the words of nodes, by
    id, that no single stretch of the text holds: those with a gap, and those outside the text.
    ``labels`` are rows, by kind of link and label, that go before those of the library's tables;
    ``reading`` is the name of the corpus whose labels they are, if it has one.
    ``skipped`` counts the elements of the file that are no part of it, by name. ``text_directory``
    is the directory that the caller named for the texts of stand-off annotation. ``relations`` are
    the links that order nodes, where the reader has them at hand. ``times`` has the attributes of
    all nodes that are times, by id, ``node_columns`` what it says of the nodes, ``slinks`` what the
    SLINKs say, ``link_ids`` has the ids of all links, ``calendar`` the links that follow from
    values, ``link_columns`` what all links say, ``check_columns`` what else checks look at,
    ``marks`` how many events and signals there are, and ``marked_end`` where in the file the last
    element ends that has a place in the text (0 if there is none): these can be had without nouns,
    and so can the text and single links (`link`).
    ``sentences`` are spans of the text, in order, that hold all of it but white space: as far as
    the file marks sentences these, and for the rest those that a small rule finds. They are found
    when somebody first looks at them.

    Several documents as one (`tlex.merge`) have ``documents``: the single ones, by the name that
    the ids of their nouns begin with (``story#ei4``). The text is then that of all of them, one
    after the other, and `home` leads back to the single one. A single document has none.

    A document is not changed; `replace` gives another one. Its nouns may be made when somebody
    first looks at them (`postpone`): the five steps need none.
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
    diagnostics: tuple[Diagnostic, ...]
    source: Source | None
    phrases: dict[str, str]
    labels: dict[str, dict[str, tuple[str, ...]]]
    reading: str
    skipped: dict[str, int]
    text_directory: str | None
    relations: Relations | None
    times: dict[str, dict[str, str]]
    node_columns: NodeColumns
    slinks: list[SubordinatingLink]
    link_ids: list[str]
    calendar: list[Link]
    link_columns: LinkColumns
    check_columns: CheckColumns
    marks: Marks
    marked_end: int
    sentences: tuple[Span, ...]
    documents: dict[str, Document]
    _marked: tuple[Span, ...]

    def __init__(  # noqa: PLR0913 -- one argument a field
        self,
        *,
        name: str,
        format: str,  # noqa: A002 -- what the command line calls it
        text: str,
        events: tuple[Event, ...],
        instances: tuple[Instance, ...],
        timexes: tuple[Timex, ...],
        signals: tuple[Signal, ...],
        nodes: tuple[Node, ...],
        index: dict[str, int],
        links: tuple[Link, ...],
        diagnostics: tuple[Diagnostic, ...] = (),
        source: Source | None = None,
        phrases: dict[str, str] | None = None,
        labels: dict[str, dict[str, tuple[str, ...]]] | None = None,
        reading: str = "",
        skipped: dict[str, int] | None = None,
        text_directory: str | None = None,
        sentences: tuple[Span, ...] = (),
        documents: dict[str, Document] | None = None,
    ) -> None:
        self.__dict__.update(
            name=name,
            format=format,
            text=text,
            events=events,
            instances=instances,
            timexes=timexes,
            signals=signals,
            nodes=nodes,
            index=index,
            links=links,
            diagnostics=diagnostics,
            source=source,
            phrases=phrases or {},
            labels=labels or {},
            reading=reading,
            skipped=skipped or {},
            text_directory=text_directory,
            relations=None,
            documents=documents or {},
            _marked=sentences,  # those that the file marks
        )

    @classmethod
    def postpone(  # noqa: PLR0913
        cls,
        make: Callable[[], Document],
        *,
        name: str,
        format: str,  # noqa: A002
        index: dict[str, int],
        relations: Relations,
        source: Source | None,
        times: Callable[[], dict[str, dict[str, str]] | None],
        node_columns: Callable[[], NodeColumns | None] | None = None,
        slinks: Callable[[], list[SubordinatingLink]] | None = None,
        link_ids: Callable[[], list[str]] | None = None,
        calendar: Callable[[], list[Link]] | None = None,
        link_columns: Callable[[], LinkColumns | None] | None = None,
        check_columns: Callable[[], CheckColumns | None] | None = None,
        marks: Callable[[], Marks] | None = None,
        marked_end: Callable[[], int] | None = None,
        sentences: Callable[[], tuple[Span, ...]] | None = None,
        link: Callable[[int], Link | None] | None = None,
    ) -> Document:
        """Give a document whose nouns are made when somebody first looks at them.

        It is for readers. Nothing may be wrong with the file: there are no diagnostics.

        Parameters
        ----------
        make : callable
            Gives the whole document. Its text, events, instances, times, signals, nodes and links
            become those of this one.
        name, format, source
            As in the constructor.
        index : dict of str to int
            The number of each node by its id, as ``make`` will give them.
        relations : Relations
            The links that order nodes. No link may have a weight.
        times : callable
            Gives the attributes of the times by id, in document order, or None if only ``make``
            can.
        node_columns : callable, optional
            Gives what the document says of the nodes, or None if only ``make`` can.
        slinks, link_ids, calendar, link_columns : callable, optional
            Give what the SLINKs say, the ids of all links, the links that follow from values, and
            what all links say (or None if only ``make`` can). Without them, only ``make`` can.
        check_columns, marks, marked_end : callable, optional
            Give what checks look at (or None if only ``make`` can), how many events and signals
            there are, and where the last mark ends.
        sentences : callable, optional
            Gives the sentences that the file marks.
        link : callable, optional
            Gives a link by its number, or None if only ``make`` can.

        Returns
        -------
        Document
            A document that is equal to the one that ``make`` gives.

        Examples
        --------
        >>> import tlex
        >>> whole = tlex.read("examples/story.tml")
        >>> again = tlex.Document.postpone(
        ...     lambda: whole,
        ...     name=whole.name,
        ...     format=whole.format,
        ...     index=whole.index,
        ...     relations=whole.relations,
        ...     source=whole.source,
        ...     times=lambda: whole.times,
        ... )
        >>> again == whole
        True

        See Also
        --------
        replace : give a document with other fields.
        """
        document = cls.__new__(cls)
        document.__dict__.update(
            name=name,
            format=format,
            index=index,
            diagnostics=(),
            source=source,
            phrases={},
            labels={},
            reading="",
            skipped={},
            text_directory=None,
            relations=relations,
            documents={},
            _make=make,
            _find_times=times,
            _find_node_columns=node_columns,
            _find_slinks=slinks,
            _find_link_ids=link_ids,
            _find_calendar=calendar,
            _find_link_columns=link_columns,
            _find_check_columns=check_columns,
            _find_marks=marks,
            _find_marked_end=marked_end,
            _find_sentences=sentences,
            _find_link=link,
        )
        return document

    if not TYPE_CHECKING:  # or else a type checker would believe in any attribute

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401 -- reached for what is not there yet
            if name == "text" and self.__dict__.get("_find_node_columns"):
                self.node_columns  # noqa: B018 -- has the text
            if name == "text" and "node_columns" in self.__dict__:
                return self.__dict__.setdefault("text", self.node_columns.text)
            if name == "_marked" and (find := self.__dict__.get("_find_sentences")):
                return self.__dict__.setdefault("_marked", find())
            make = self.__dict__.get("_make") if name in _POSTPONED else None
            if make is not None:
                made = make()
                nouns = {noun: getattr(made, noun) for noun in _POSTPONED}
                # Of several threads that look at once, the first makes what all will see.
                self.__dict__.update(self.__dict__.setdefault("_made", nouns))
                self.__dict__.pop("_make", None)
                for column in (*_LISTED, "link", "sentences"):
                    self.__dict__.pop(f"_find_{column}", None)
            elif name == "sentences":
                self.__dict__[name] = self._divide()
            elif name in _LISTED:
                find = self.__dict__.pop(f"_find_{name}", None)
                found = None if find is None else find()
                if found is None:
                    found = getattr(self, f"_list_{name}")()
                self.__dict__.setdefault(name, found)
            if name in self.__dict__:
                return self.__dict__[name]
            raise AttributeError(f"a document has no {name!r}", name=name, obj=self)

        def __setattr__(self, name: str, value: object) -> None:
            message = f"a document is not changed: use replace({name}=...), which gives another one"
            raise AttributeError(message, name=name, obj=self)

        def __delattr__(self, name: str) -> None:
            raise AttributeError("a document is not changed", name=name, obj=self)

    def __dir__(self) -> Iterable[str]:
        return {*super().__dir__(), *_NOUNS, *_LISTED, "sentences"}

    def _repr_svg_(self) -> str:
        """Draw the picture that a notebook shows: the timelines, mended where need be."""
        from tlex.draw.svg_painter import svg  # noqa: PLC0415

        return svg(self)

    def _repr_html_(self) -> str:
        """Give the reading view, for a notebook that shows HTML."""
        from tlex.draw.reading.html_painter import html  # noqa: PLC0415

        return html(self)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Document):
            return NotImplemented
        return all(getattr(self, field) == getattr(other, field) for field in _COMPARED)

    def __hash__(self) -> int:
        return hash((self.name, self.format, self.text))

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__.copy()  # others may look while it is sent

    def __repr__(self) -> str:
        parts = f"{len(self.documents)} documents, " if self.documents else ""
        return f"<Document {self.name!r}: {parts}{len(self.index)} nodes, format {self.format}>"

    def replace(self, **changes: Any) -> Document:  # noqa: ANN401 -- any field
        """Give a document like this one but for some fields.

        What ``relations`` say is found out again. Another text has sentences of its own, unless
        these are given too.

        Parameters
        ----------
        **changes : Any
            Fields and their new values, named as in the constructor. ``nodes`` and ``index`` go
            together.

        Returns
        -------
        Document
            Another document; this one stays as it is.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> document.replace(links=document.links[:1]).links
        (<Link l1: TLINK ei1 DURING t1>,)

        See Also
        --------
        tlex.write : write a document.
        """
        kept = {field: getattr(self, field) for field in _FIELDS if field not in changes}
        kept["sentences"] = () if changes.get("text", self.text) != self.text else self._marked
        return Document(**kept | changes)

    def sentence(self, node: Node | str | Span) -> Span | None:
        """Give the sentence in which a node stands.

        Parameters
        ----------
        node : Node, str or Span
            An event, instance or time of the document, its id or words, or a place in the text.

        Returns
        -------
        Span or None
            One of ``sentences``, the one in which the words begin; None if the node has no place
            in the text.

        Raises
        ------
        UnknownNameError
            If no node has this id or these words.
        AmbiguousError
            If several nodes have these words.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> span = document.sentence("midnight")
        >>> " ".join(document.text[span.start : span.end].split())
        'On the stroke of midnight the owl began to hoot.'

        See Also
        --------
        words : the words of a node.
        """
        if isinstance(node, str):
            node = self.node(node)
        place = node if isinstance(node, Span) else node.span
        if place is None:
            return None
        number = bisect_right(self.sentences, place.start, key=attrgetter("start"))
        for span in self.sentences[max(number - 1, 0) : number + 1]:
            if span.start < place.end and place.start < span.end:
                return span
            if place.start == place.end and span.start <= place.start <= span.end:
                return span
        return None

    def _list_times(self) -> dict[str, dict[str, str]]:
        return {node.id: node.attributes for node in self.nodes if isinstance(node, Timex)}

    def _list_node_columns(self) -> NodeColumns:
        nodes = self.nodes
        events = {event.id: event for event in reversed(self.events)}  # of several with one id
        marked = [
            events.get(node.event or "", node) if isinstance(node, Instance) else node
            for node in nodes
        ]
        said = [  # by each node itself, or else by its event
            {**other.attributes, **node.attributes}
            for node, other in zip(nodes, marked, strict=True)
        ]
        return NodeColumns(
            text=self.text,
            ids=[node.id for node in nodes],
            starts=[node.text_start for node in nodes],
            ends=[node.text_end for node in nodes],
            events=[node.event if isinstance(node, Instance) else None for node in nodes],
            times=[isinstance(node, Timex) for node in nodes],
            types=[
                own.get("type") if isinstance(node, Timex) else own.get("class")
                for node, own in zip(nodes, said, strict=True)
            ],
            values=[node.value if isinstance(node, Timex) else None for node in nodes],
            modalities=_list_said("modality", nodes, said),
            polarities=_list_said("polarity", nodes, said),
            offsets=[node.byte_start for node in marked],
        )

    def _list_slinks(self) -> list[SubordinatingLink]:
        return [
            (link.id, link.type, link.source, link.target)
            for link in self.links
            if link.kind == "SLINK"
        ]

    def _list_link_ids(self) -> list[str]:
        return [link.id for link in self.links]

    def _list_calendar(self) -> list[Link]:
        if self.relations is not None and "CALENDAR" not in self.relations.kinds:
            return []
        return [link for link in self.links if link.kind == "CALENDAR"]

    def _list_link_columns(self) -> LinkColumns:
        links = self.links
        return LinkColumns(
            ids=[link.id for link in links],
            kinds=[link.kind for link in links],
            types=[link.type for link in links],
            sources=[link.source for link in links],
            targets=[link.target for link in links],
            signals=[link.signal for link in links],
            weights=[link.weight for link in links],
        )

    def _list_check_columns(self) -> CheckColumns:
        nouns = (*self.instances, *self.links)
        return CheckColumns(
            signals=[signal.id for signal in self.signals],
            named=[noun.attributes.get("signalID") for noun in nouns],
            polarities=[instance.attributes.get("polarity") for instance in self.instances],
        )

    def _list_marks(self) -> Marks:
        return Marks(events=len(self.events), signals=len(self.signals))

    def _list_marked_end(self) -> int:
        nouns = (*self.events, *self.timexes, *self.signals)
        marked = [noun for noun in nouns if noun.text_start >= 0]
        last = max((noun.text_end for noun in marked), default=0)
        # What ends last in the file ends last in the text: no other end need be looked for.
        return max((noun.byte_end for noun in marked if noun.text_end == last), default=0)

    def _divide(self) -> tuple[Span, ...]:
        from tlex.sentences import divide  # noqa: PLC0415 -- few ask for them

        if self.documents:
            return tuple(
                Span(start + span.start, start + span.end)
                for start, document in zip(self.text_starts, self.documents.values(), strict=True)
                for span in document.sentences
            )
        marked = ((span.start, span.end) for span in self._marked)
        return tuple(Span(start, end) for start, end in divide(self.text, marked))

    @property
    def text_starts(self) -> tuple[int, ...]:
        """Where the text of each of the ``documents`` begins; 0 alone for a single document.

        Examples
        --------
        >>> import tlex
        >>> tlex.read("examples/story.tml").text_starts
        (0,)
        """
        lengths = (len(document.text) + len(BETWEEN) for document in self.documents.values())
        return tuple(accumulate(lengths, initial=0))[: len(self.documents) or 1]

    def home(self, noun: Node | Signal | Link | str) -> tuple[Document, str]:
        """Give the document that a noun comes from, and its id there.

        Parameters
        ----------
        noun : Node, Signal, Link or str
            A noun of this document, or its id.

        Returns
        -------
        tuple of Document and str
            One of ``documents``, and the id without its name. A single document is its own home;
            so are several documents as one for a link that joins two of them.

        Examples
        --------
        >>> import tlex
        >>> merged = tlex.merge([tlex.read("examples/story.tml")])
        >>> merged.home("story#t4")
        (<Document 'examples/story.tml': 26 nodes, format timeml>, 't4')

        See Also
        --------
        tlex.merge : several documents as one.
        """
        own = noun if isinstance(noun, str) else noun.id
        if self.documents:
            name, _, rest = own.partition(JOINT)
            if name in self.documents:
                return self.documents[name], rest
        return self, own

    def words(self, node: Node | str) -> str:
        """Give the words of a node, with white space folded; empty where it has none.

        Parameters
        ----------
        node : Node or str
            An event, instance or time of the document, or its id or words.

        Returns
        -------
        str
            Its words in the text.

        Raises
        ------
        UnknownNameError
            If no node has this id or these words.
        AmbiguousError
            If several nodes have these words.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> document.words(document.nodes[1]), document.words("ei2")
        ('snowed', 'built')

        See Also
        --------
        node : find a node by its id or words.
        """
        if isinstance(node, str):
            node = self.node(node)
        return self._fold(node.id, self.text, node.text_start, node.text_end)

    def words_of(self, name: str) -> str:
        """Give the words of a node that is named by its id; no noun is made for that.

        Parameters
        ----------
        name : str
            The id of an instance, a time, or an event without instances.

        Returns
        -------
        str
            Its words in the text; empty where it has none, or where there is no such node.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> document.words_of("ei2"), document.words_of("built")
        ('built', '')

        See Also
        --------
        words : the words of a node.
        """
        number = self.index.get(name)
        if number is None:
            return ""
        nodes = self.node_columns
        return self._fold(name, nodes.text, nodes.starts[number], nodes.ends[number])

    def _fold(self, name: str, text: str, start: int, end: int) -> str:
        """Give the words of a node that stands in the text, or has a phrase, on one line."""
        if name in self.phrases:
            return " ".join(self.phrases[name].split())
        return "" if start < 0 else " ".join(text[start:end].split())

    def node(self, name: str) -> Node:
        """Find a node by its id, by the id of its event, or by its words.

        Parameters
        ----------
        name : str
            An id or words. Case and white space do not count in words.

        Returns
        -------
        Node
            The instance, the time, or the event without instances.

        Raises
        ------
        UnknownNameError
            If no node has this id or these words.
        AmbiguousError
            If several nodes have these words.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> document.node("midnight")
        <Timex t4 TIME 2020-01-01T00:00 [871:879]>

        See Also
        --------
        get : find a node by its id only.
        words : the words of a node.
        """
        from tlex.lookup import find_node  # noqa: PLC0415 -- a layer above

        return self.nodes[find_node(self, name)]

    def get(self, name: str) -> Node | None:
        """Find a node by its id only; None if there is none.

        Parameters
        ----------
        name : str
            The id of an instance, a time, or an event without instances.

        Returns
        -------
        Node or None
            The node; None if there is none of this id.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> document.get("t4"), document.get("midnight")
        (<Timex t4 TIME 2020-01-01T00:00 [871:879]>, None)

        See Also
        --------
        node : find a node by its id or words.
        """
        number = self.index.get(name)
        return None if number is None else self.nodes[number]

    def link(self, number: int) -> Link:
        """Give the link of a number, as it stands in ``links``.

        If the nouns are not made yet, and the reader knows how, only this one is made.

        Parameters
        ----------
        number : int
            The number of a link, from 0.

        Returns
        -------
        Link
            The same as ``links[number]``.

        Examples
        --------
        >>> import tlex
        >>> tlex.read("examples/story.tml").link(0)
        <Link l1: TLINK ei1 DURING t1>

        See Also
        --------
        link_ids : the ids of all links.
        """
        find = self.__dict__.get("_find_link")
        found = None if find is None else find(number)
        return self.links[number] if found is None else found

    def position(self, offset: int) -> tuple[int, int] | tuple[None, None]:
        """Give the line and column of a byte offset of the file, both from 1.

        Parameters
        ----------
        offset : int
            A byte offset, such as the ``byte_start`` of a noun.

        Returns
        -------
        tuple of int and int
            Line, and column in characters; two Nones if the document comes from no file.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.read("examples/story.tml")
        >>> document.position(document.links[0].byte_start)
        (55, 1)

        See Also
        --------
        Source.positions : many offsets at once.
        """
        if self.source is None or offset < 0:
            return None, None
        return self.source.position(offset)


def _list_said(name: str, nodes: Iterable[Node], said: Iterable[dict[str, str]]) -> list[str]:
    """List an attribute of events; empty for times."""
    return [
        "" if isinstance(node, Timex) else own.get(name, "")
        for node, own in zip(nodes, said, strict=True)
    ]


_NOUNS = ("events", "instances", "timexes", "signals", "nodes", "links")
_POSTPONED = (*_NOUNS, "text", "_marked")
_LISTED = (
    *("times", "node_columns", "slinks", "link_ids", "calendar"),
    *("link_columns", "check_columns", "marks", "marked_end"),
)
_FIELDS = tuple(
    field
    for field in Document.__annotations__
    if field not in {"relations", *_LISTED, "sentences", "_marked"}
)
_COMPARED = (
    "source",  # the bytes come first, and last what may have to be found
    *(field for field in _FIELDS if field not in {"source", "text_directory"}),
    "sentences",
)
_LONGEST = 160


def _show(noun: Struct, words: str, where: str = "") -> str:
    """Give the one line that a notebook shows for a noun."""
    return f"<{type(noun).__name__} {shorten(clean(words), _LONGEST)}{where}>"
