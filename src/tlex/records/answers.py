"""Answers to questions about a document, as plain data."""

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
from tlex.event_text import event_lines, say_condition, sum_up_events
from tlex.records.extractions import (
    CalendarLink,
    Connection,
    Constraint,
    DateRange,
    DocumentRecord,
    Options,
)
from tlex.wording import clean, count, list_names, name_node, represent

__all__ = [
    "Answer",
    "Closure",
    "EntailedLink",
    "EventCondition",
    "EventRecord",
    "Events",
    "Expression",
    "LinkInWords",
    "PairRelation",
    "PointOrders",
    "PossibleRelation",
    "Proof",
    "Reduction",
    "Why",
    "Witness",
]


class Expression(Struct, frozen=True):
    """An event or time as people know it: its words and the line where they stand."""

    id: str
    text: str
    line: int | None

    def __str__(self) -> str:
        return name_expression(self)

    def __repr__(self) -> str:
        return represent(self, str(self))


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
        return represent(self, f"{self}, by {list_names(self.links)}" if self.links else str(self))


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


class EntailedLink(Struct, frozen=True, kw_only=True, gc=False):
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
        facts = sum_up_closure(
            links=len(self.links),
            new=self.new,
            untyped=len(self.untyped),
            partial=self.partial,
            inconsistent=self.inconsistent,
        )
        return "; ".join(facts)

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
