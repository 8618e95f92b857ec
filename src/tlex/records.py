"""An answer as plain data: what is written as JSON, and what the JSON Schema is made from.

The attributes of a live `Timeline` and `Extraction` mirror the fields here, and they share the
small nouns: sections, conflicts, connections, breaks. `tlex.verify` accepts both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tlex.answer_text import (
    headline_lines,
    link_lines,
    name_expression,
    relation_lines,
    sum_up_closure,
    sum_up_reduction,
    why_lines,
)
from tlex.date_words import say_date
from tlex.document import Diagnostic, Document, Span
from tlex.errors import OptionError
from tlex.event_text import event_lines, say_condition, sum_up_events
from tlex.wording import clean, count, name_node, represent

__all__ = [
    "SCHEMA",
    "Answer",
    "Break",
    "CalendarLink",
    "Closure",
    "Conflict",
    "Connection",
    "Constraint",
    "DateRange",
    "Decision",
    "DecisionOption",
    "DecodeOptions",
    "DecodeRecord",
    "DocumentRecord",
    "EntailedLink",
    "EventCondition",
    "EventRecord",
    "Events",
    "Expression",
    "ExtractionRecord",
    "FixOptions",
    "FixRecord",
    "LabelChoice",
    "LinkInWords",
    "NodeRecord",
    "Options",
    "PairRelation",
    "PointOrders",
    "PossibleRelation",
    "Proof",
    "Reduction",
    "Scenarios",
    "Section",
    "SuspectValue",
    "TimelineRecord",
    "ValueProposal",
    "VerificationRecord",
    "Why",
    "Witness",
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


class DateRange(Struct, frozen=True):
    """Two instants between which something starts and ends; None where one is not known.

    ``after`` is the latest instant that its start is known to follow, and ``before`` the earliest
    that its end is known to precede. What is inside 22 March is after 2013-03-22 and before
    2013-03-23; ``str()`` says it in words.
    """

    after: str | None
    before: str | None

    def __str__(self) -> str:
        return say_date(self.after, self.before)


class NodeRecord(Struct, frozen=True, kw_only=True):
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


class Section(Struct, frozen=True):
    """A section of unknown order: the steps ``first`` to ``last`` and the points on them."""

    first: int
    last: int
    points: tuple[str, ...]

    def __repr__(self) -> str:
        return represent(
            self, f"steps {self.first} to {self.last}, {count(len(self.points), 'point')}"
        )


class Scenarios(Struct, frozen=True):
    """How many orderings a timeline admits; at least that many where it is not exact."""

    count: int
    exact: bool


class Constraint(Struct, frozen=True):
    """One step of a walk; ``link`` is None for an interval's own ``I- < I+`` (or ``I- = I+``)."""

    left: str
    order: str
    right: str
    link: str | None

    def __str__(self) -> str:
        return f"{self.left} {self.order} {self.right}"

    def __repr__(self) -> str:
        return represent(self, f"{self} ({self.link})" if self.link else str(self))


class Conflict(Struct, frozen=True, kw_only=True):
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
        return represent(self, f"{self.number}, kind {self.kind}, links {_list(self.minimal)}")


class Connection(Struct, frozen=True, kw_only=True):
    """An SLINK that crosses from one timeline to another."""

    link: str
    type: str | None
    source: str
    target: str
    source_timeline: int
    target_timeline: int

    def __repr__(self) -> str:
        return represent(self, f"{self.link}: {self.source} {self.type} {self.target}")


class Break(Struct, frozen=True, kw_only=True):
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


class TimelineRecord(Struct, frozen=True, kw_only=True):
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


class DocumentRecord(Struct, frozen=True, omit_defaults=True):
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


class ExtractionRecord(Struct, frozen=True, kw_only=True):
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


class Expression(Struct, frozen=True):
    """An event or time as people know it: its words and the line where they stand."""

    id: str
    text: str
    line: int | None

    def __str__(self) -> str:
        return name_expression(self)

    def __repr__(self) -> str:
        return represent(self, str(self))


class CalendarLink(Struct, frozen=True, kw_only=True):
    """A link that follows from the values of two times; ``words`` says what they say."""

    id: str
    type: str
    source: str
    target: str
    words: str

    def __repr__(self) -> str:
        return represent(self, f"{self.source} {self.type} {self.target}")


class LinkInWords(Struct, frozen=True, kw_only=True):
    """A link as people know it: what it says of which words, and the line where it stands.

    A link that follows from values has no line, and says so in ``words``.
    """

    id: str
    kind: str
    type: str | None
    source: Expression
    target: Expression
    line: int | None
    words: str | UnsetType = UNSET

    def __str__(self) -> str:
        return "\n".join(link_lines(self))

    def __repr__(self) -> str:
        return represent(self, " ".join(str(self).split()))


class PossibleRelation(Struct, frozen=True):
    """A relation by Allen's name and by TimeML's type; None where TimeML has no such type."""

    name: str
    type: str | None


class PointOrders(Struct, frozen=True):
    """The orders of two time-points that some timeline has: some of ``<``, ``=`` and ``>``."""

    left: str
    right: str
    orders: tuple[str, ...]


class PairRelation(Struct, frozen=True, kw_only=True, dict=True):
    """What the annotation says about the order of two events or times.

    ``verdict`` is *entailed* (one relation is left), *possible* (several are), *unrelated* (they
    stand on two timelines; ``path`` is the shortest chain of SLINKs from one to the other, if
    there is one) or *inconsistent* (they are on one timeline, which is contradictory).
    ``relations`` is empty in the last two cases. ``timelines`` are those of source and target;
    ``consistent`` tells whether these contradict themselves. ``instants`` names those of the two
    that are single points: then the relations are not Allen's thirteen, but those of a point.

    ``contradictions`` says how the answer deals with a contradiction: *part* (nothing is entailed
    on a contradictory timeline), *repair* (under the chosen minimum repair) or *every* (what holds
    after every minimum repair). ``mended`` are the links of the chosen repair that touch the two
    timelines. With *every* the verdict may be *undecided*: the search reached its limit.
    """

    source: Expression
    target: Expression
    verdict: str
    timelines: tuple[int, int]
    consistent: bool
    relations: tuple[PossibleRelation, ...] = ()
    orders: tuple[PointOrders, ...] = ()
    instants: tuple[str, ...] = ()
    path: tuple[Connection, ...] = ()
    contradictions: str = "part"
    mended: tuple[str, ...] = ()

    @property
    def entailed(self) -> PossibleRelation | None:
        """The one relation that holds in every timeline; None if there is no such."""
        return self.relations[0] if self.verdict == "entailed" else None

    @property
    def types(self) -> tuple[str, ...]:
        """The TimeML types of the relations that have one."""
        return tuple(relation.type for relation in self.relations if relation.type is not None)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the relations."""
        return tuple(relation.name for relation in self.relations)

    def say_with(self, say: Callable[[PairRelation], Iterable[str]]) -> None:
        """Let ``str()`` give other lines; they are made when they are asked for.

        A result knows the words of links that the answer has only ids of.

        Parameters
        ----------
        say : callable
            Gives the lines for an answer.

        Examples
        --------
        >>> import tlex
        >>> relation = tlex.extract(tlex.from_links([("a", "BEFORE", "b")])).relation("a", "b")
        >>> relation.say_with(lambda relation: [relation.verdict])
        >>> print(relation)
        entailed

        See Also
        --------
        Extraction.relation : gives such an answer.
        """
        vars(self)["_say"] = say

    def __str__(self) -> str:
        return "\n".join(vars(self).get("_say", relation_lines)(self))

    def __repr__(self) -> str:
        return represent(self, *headline_lines(self))


class Proof(Struct, frozen=True, kw_only=True):
    """Why two time-points have an order: a walk from left to right, with the fewest links.

    The walk of an order ``<`` has at least one ``<``, that of a ``=`` has none. It is empty where
    left and right are the same point.
    """

    left: str
    order: str
    right: str
    walk: tuple[Constraint, ...]
    links: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.left} {self.order} {self.right}"

    def __repr__(self) -> str:
        return represent(self, f"{self}, by {_list(self.links)}" if self.links else str(self))


class Witness(Struct, frozen=True):
    """A complete timeline, the step of every point, and the relation that the pair has on it."""

    relation: PossibleRelation
    points: dict[str, int]

    def __repr__(self) -> str:
        return represent(self, f"{self.relation.name}, {count(len(self.points), 'point')}")


class Why(Struct, frozen=True, kw_only=True):
    """What proves the answer to a question about two events or times.

    ``proofs`` has one for each order of end points that makes up what is entailed; what follows
    from these, because an interval begins before it ends, is left out. Of a pair that is not
    settled, ``witnesses`` are two timelines: of each two end points whose order is open, the
    source's come first on the one and second on the other. ``links`` are those of the proofs.
    """

    relation: PairRelation
    proofs: tuple[Proof, ...]
    witnesses: tuple[Witness, ...]
    links: tuple[LinkInWords, ...]

    def __str__(self) -> str:
        return "\n".join((str(self.relation), *why_lines(self)))

    def __repr__(self) -> str:
        return represent(self, *headline_lines(self.relation))


class EntailedLink(Struct, frozen=True, kw_only=True):
    """An order that is entailed; ``links`` are those of the document that say just that."""

    source: str
    type: str | None
    target: str
    name: str
    links: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return represent(self, f"{self.source} {self.type or self.name} {self.target}")


class Closure(Struct, frozen=True, kw_only=True):
    """Every entailed relation of two events or times, each pair once, in text order.

    ``untyped`` are those that TimeML has no type for, and ``partial`` counts the pairs of which
    only a part of the order is entailed: neither can be written as a TLINK. ``annotated`` and
    ``new`` count those of ``links`` that the document has already and those that it has not.
    Timelines that contradict themselves, ``inconsistent``, entail nothing and are left out.
    """

    links: tuple[EntailedLink, ...]
    untyped: tuple[EntailedLink, ...]
    annotated: int
    new: int
    partial: int
    inconsistent: tuple[int, ...]

    def __str__(self) -> str:
        return "; ".join(sum_up_closure(self))

    def __repr__(self) -> str:
        return represent(self, str(self))


class Reduction(Struct, frozen=True, kw_only=True):
    """A set of links, ``kept``, that entails the others, ``dropped``, and has none to spare.

    Links that order nothing are in neither, nor are those of timelines that contradict
    themselves (``inconsistent``): these, ``untouched``, stay as they are.
    """

    kept: tuple[str, ...]
    dropped: tuple[str, ...]
    untouched: tuple[str, ...]
    inconsistent: tuple[int, ...]

    def __str__(self) -> str:
        return "; ".join(sum_up_reduction(self))

    def __repr__(self) -> str:
        return represent(self, str(self))


class EventRecord(Struct, frozen=True, kw_only=True):
    """An event in a list of events.

    ``role`` is that of its part of the document: *main*, *branch* or *detached*. ``branch_of`` is
    the event from which an SLINK leads to its branch. ``sentence`` has its words in brackets.
    ``order`` says how its start stands to that of the event before it in the list: *after*,
    *same*, *unknown*, or *first* if that is on another timeline; None if that is too much work.
    In several documents as one, ``source`` is the name of its own document, in which lines count.
    """

    id: str
    text: str
    line: int | None
    date: DateRange | None
    factuality: str
    timeline: int
    world: int
    role: str
    branch_of: Expression | None
    sentence: str | None
    order: str | None
    source: str | UnsetType = UNSET

    def __str__(self) -> str:
        return clean(name_node(self.id, self.text))

    def __repr__(self) -> str:
        when = f", {self.date}" if self.date else ""
        return represent(self, f"{self}, {self.factuality}{when}")


class EventCondition(Struct, frozen=True, kw_only=True):
    """What is asked of events: to be *before*, *after*, *during*, *on* or *unordered* something.

    ``asked`` is what was given. It is an event or time, ``node``, or a value of the calendar, with
    the instants at which it begins and ends in ``date``.
    """

    relation: str
    asked: str
    node: Expression | None = None
    date: DateRange | None = None

    def __str__(self) -> str:
        return say_condition(self)

    def __repr__(self) -> str:
        return represent(self, str(self))


class Events(Struct, frozen=True, kw_only=True):
    """Events that meet conditions, in order: timeline by timeline, there by dates and steps.

    ``certain`` are those of which the conditions are entailed. ``possible`` are those of which
    they are not excluded. Of the others nothing is known: ``unrelated`` are on other timelines
    than what is asked about, ``inconsistent`` on contradictory ones. For ``undecided`` ones the
    search for what holds after every minimum repair reached its limit. ``contradictions`` and
    ``mended`` say how contradictions are dealt with, as in `PairRelation`.
    """

    conditions: tuple[EventCondition, ...]
    certain: tuple[EventRecord, ...]
    possible: tuple[EventRecord, ...]
    unrelated: tuple[EventRecord, ...]
    inconsistent: tuple[EventRecord, ...]
    undecided: tuple[EventRecord, ...]
    contradictions: str
    mended: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(event_lines(self))

    def __repr__(self) -> str:
        return represent(self, sum_up_events(self))


class Answer(Struct, frozen=True):
    """The answer to one question about a document, as one JSON object of ``tlex/1``.

    ``mended`` are all links of the repair under which the question is answered. If the calendar is
    used, ``calendar`` are the links that follow from values, and ``calendar_complete`` says whether
    they entail all that is certain.
    """

    schema: str
    tlex: str
    document: DocumentRecord
    options: Options
    relation: PairRelation | UnsetType = UNSET
    why: Why | UnsetType = UNSET
    closure: Closure | UnsetType = UNSET
    reduction: Reduction | UnsetType = UNSET
    mended: tuple[str, ...] = ()
    calendar: tuple[CalendarLink, ...] | UnsetType = UNSET
    calendar_complete: bool | UnsetType = UNSET
    events: Events | UnsetType = UNSET

    def to_json(self) -> bytes:
        """Encode as one line of JSON, without a line end.

        Returns
        -------
        bytes
            One JSON object of the contract ``tlex/1``.

        Examples
        --------
        >>> import tlex
        >>> result = tlex.extract(tlex.from_links([("a", "BEFORE", "b")]))
        >>> result.answer(closure=result.closure()).to_json()[:18]
        b'{"schema":"tlex/1"'

        See Also
        --------
        Extraction.answer : make an answer.
        """
        return msgspec.json.encode(self)

    def __str__(self) -> str:
        return "\n".join(map(str, self._given()))

    def __repr__(self) -> str:
        return represent(self, ", ".join((repr(self.document.name), *map(repr, self._given()))))

    def _given(self) -> list[PairRelation | Why | Closure | Reduction | Events]:
        answers = (self.relation, self.why, self.closure, self.reduction, self.events)
        return [answer for answer in answers if not isinstance(answer, UnsetType)]


class FixOptions(Struct, frozen=True, kw_only=True):
    """What a repair was asked for; ``weights`` are exactly as the user wrote them.

    ``work`` is the limit of work of each search, also if it was given in seconds.
    """

    links: tuple[str, ...] = ("TLINK", "ALINK")
    times: str = "interval"
    weights: dict[str, str] = {}
    keep: tuple[str, ...] = ()
    confidence: bool = False
    only: str | None = None
    relabel: bool = False
    choose: dict[int, int] = {}
    limit: int = 20
    calendar: bool = False
    work: int | None = None

    def __repr__(self) -> str:
        given = [(name, getattr(self, name)) for name in self.__struct_fields__]
        chosen = [f"{name}={value!r}" for name, value in given if value]
        return represent(self, ", ".join(chosen))


class DecodeOptions(Struct, frozen=True, kw_only=True):
    """What a decoding was asked for; ``work`` is the limit of work, also if given in seconds."""

    links: tuple[str, ...] = ("TLINK", "ALINK")
    times: str = "interval"
    work: int | None = None

    def __repr__(self) -> str:
        return represent(self, f"links={self.links!r}, times={self.times!r}, work={self.work!r}")


class LabelChoice(Struct, frozen=True, kw_only=True):
    """The label that was chosen for a link, and its probability among the link's ``labels``.

    ``most_probable`` is the one that the link would have by itself.
    """

    link: str
    source: str
    target: str
    type: str
    probability: float
    labels: dict[str, float]
    most_probable: str

    def __repr__(self) -> str:
        return represent(self, f"{self.link}: {self.source} {self.type} {self.target}")


class DecodeRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of ``tlex decode --json``: a label for each link with candidates (reading R60).

    ``cost`` is the sum of minus the natural logarithms of the chosen probabilities. Every
    consistent choice costs at least ``bound``; ``gap`` is the difference, and ``optimal`` says that
    there is none. ``consistent`` is false if no choice is consistent: then each of ``blocked`` are
    links that contradict each other whatever their labels. It is null if none was found within the
    limit. ``proof`` has sets of orders of time-points that cannot hold together. Every choice of
    which no set follows costs at least ``bound``. ``notes`` say what was unusual.
    ``ended_by`` is as in ``tlex fix --json``.
    """

    path: str
    consistent: bool | None
    optimal: bool
    cost: float | None
    bound: float
    gap: float | None
    choices: tuple[LabelChoice, ...]
    blocked: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    schema: str
    tlex: str
    about: DocumentRecord = msgspec.field(name="document")
    options: DecodeOptions
    proof: tuple[tuple[str, ...], ...]
    ended_by: str | None = None

    def __repr__(self) -> str:
        state = {True: "consistent", False: "no choice is consistent", None: "none found"}
        return represent(
            self, f"{self.path!r}: {len(self.choices)} labels, {state[self.consistent]}"
        )


class SuspectValue(Struct, frozen=True, kw_only=True):
    """The value of a time that has a part in a contradiction with the calendar."""

    id: str
    text: str
    value: str
    line: int | None
    column: int | None

    def __repr__(self) -> str:
        return represent(self, f"{name_node(self.id, self.text)}, {self.value}")


class ValueProposal(Struct, frozen=True, kw_only=True):
    """A value that would end a contradiction with the calendar and makes no other one.

    The time ``id`` would have the value ``new`` in place of ``old``: its ``field`` (year, month,
    week or day) is copied from the time ``source``. ``support`` is how many other times have the
    same. ``says`` says all this.
    """

    id: str
    field: str
    old: str
    new: str
    source: str
    support: int
    says: str

    def __repr__(self) -> str:
        return represent(self, f"{self.id}: {self.new}, not {self.old}")


class DecisionOption(Struct, frozen=True, kw_only=True):
    """What can be done about a contradiction: to remove links, or to give them other types.

    ``links`` are those that change: one, or several that say the same. ``types`` are their new
    types; those that have none there are removed. ``cost`` is what the whole repair costs if this
    option is taken; None if that was too much work to find out. ``settles`` is how many of the
    contradictions that are left it settles, as far as they are listed. ``creates`` says whether the
    new type contradicts what would stay otherwise. ``reason`` says why the option stands here.
    """

    number: int
    action: str
    links: tuple[str, ...]
    types: dict[str, str]
    cost: float | None
    settles: int
    creates: bool
    reason: str

    def __repr__(self) -> str:
        return represent(self, f"{self.number}: {self.action} {_list(self.links)}")


class Decision(Struct, frozen=True, kw_only=True):
    """One step of a repair: a contradiction, and what can be done about it.

    ``conflict`` is the contradiction's number in the list; None if it is there only because of a
    type that was chosen before. ``links`` are the links that contradict each other. ``says`` is
    what they disagree about. ``options`` come in order of preference. ``chosen`` is the number of
    the one that was taken; 0 if the contradiction was left as it is. If they contradict the
    calendar, ``calendar`` is what follows from values, ``values`` are those that may be wrong, and
    ``proposals`` would end the contradiction. No option changes a value.
    """

    number: int
    conflict: int | None
    links: tuple[str, ...]
    says: str
    options: tuple[DecisionOption, ...]
    chosen: int
    calendar: tuple[str, ...] = ()
    values: tuple[SuspectValue, ...] = ()
    proposals: tuple[ValueProposal, ...] = ()

    def __repr__(self) -> str:
        return represent(self, f"{self.number}, links {_list(self.links)}, chosen {self.chosen}")


class FixRecord(Struct, frozen=True, omit_defaults=True):
    """A line of ``tlex fix --json``: the repair of one document.

    ``removed`` are the links to remove, ``relabelled`` the links that get another type, and that
    type. ``cost`` is what both weigh together. ``optimal`` says that no repair costs less; if that
    is not proven, every repair costs at least ``bound``. ``alternatives`` are other repairs of the
    same cost. ``count`` is how many repairs of this cost there are, with this one; it is a lower
    bound if ``exact`` is false. ``consistent`` says whether the repaired document is consistent.
    ``suggestions`` are the types that each link of the repair could have instead, nearest first.
    ``conflicts`` are those of the document, as in its extraction: what proves the repair.
    ``conflicts_complete`` says that none is missing.
    ``decisions`` are the steps of the repair; ``decisions_complete`` says that all of them are
    listed. Contradictions that only a decision needs follow the document's own. If the calendar is
    used, ``calendar`` are the links that follow from values, and ``calendar_complete`` says whether
    they entail all that is certain. ``ended_by`` is there if a search was not done: ``"work"`` if
    it came to its limit of work, and then the same limit gives the same result; ``"clock"`` if it
    took much longer than it may, and then another run may give another result.
    """

    path: str
    removed: tuple[str, ...]
    relabelled: dict[str, str]
    cost: float
    optimal: bool
    alternatives: tuple[tuple[str, ...], ...]
    count: int
    exact: bool
    consistent: bool
    suggestions: dict[str, tuple[str, ...]]
    schema: str
    tlex: str
    about: DocumentRecord = msgspec.field(name="document")
    options: FixOptions
    conflicts: tuple[Conflict, ...]
    conflicts_complete: bool
    decisions: tuple[Decision, ...]
    decisions_complete: bool
    bound: float | None = None
    calendar: tuple[CalendarLink, ...] | UnsetType = UNSET
    calendar_complete: bool | UnsetType = UNSET
    ended_by: str | None = None

    def __repr__(self) -> str:
        changes = [f"remove {link}" for link in self.removed]
        changes += [f"make {link} {label}" for link, label in self.relabelled.items()]
        return represent(self, f"{self.path!r}: {', '.join(changes) or 'nothing to change'}")


class VerificationRecord(Struct, frozen=True, kw_only=True):
    """A line of ``tlex verify --json``: what became of one saved result.

    ``path`` and ``line`` are where the result stands. ``result`` is its kind. ``verdict`` is
    *proven*, *rejected* or *failed* (something could not be done), with a ``reason`` in the last
    two cases. ``unchecked`` are the claims that are too large to be checked.
    """

    schema: str
    tlex: str
    path: str
    line: int
    document: str | None
    result: str | None
    verdict: str
    reason: str | None
    unchecked: tuple[str, ...]

    def __repr__(self) -> str:
        return represent(self, f"{self.path}:{self.line} {self.verdict}")


_LISTED = 4


def _list(names: tuple[str, ...]) -> str:
    more = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {more} more" if more > 0 else "")
