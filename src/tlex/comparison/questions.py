"""Questions about two events or times: ``IS x BEFORE y``.

The answer is *yes* if the relation is entailed, *no* if it is impossible, and *unknown* otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final, overload

from msgspec import Struct
from msgspec.json import encode

from tlex.algebra import BASIC, CALENDAR, LABELS, ROWS, SPELLINGS
from tlex.arguments import require_document, require_word
from tlex.caching import cached_property
from tlex.comparison.reply_text import reply_lines
from tlex.comparison.scoring import choose
from tlex.comparison.sides import POLICIES, Side
from tlex.conflicts.text_order import Row, sort_row
from tlex.document import Document
from tlex.errors import OptionError, UnknownNameError
from tlex.extraction import ORDERING, choose_options
from tlex.graph import find_code
from tlex.lookup import describe_link, express_all, find_node
from tlex.points.walks import WalkStep
from tlex.reason.relations import list_possible
from tlex.records import SCHEMA, Expression, LinkInWords, PossibleRelation, Proof
from tlex.wording import represent

__all__ = ["QUESTION", "Asker", "Reply", "ask"]

QUESTION: Final = "question"
"""In place of a link's id: the step of a closed walk that the question itself makes."""

_WORD = re.compile(r"\"([^\"]*)\"|\u201c([^\u201d]*)\u201d|'([^']*)'(?=\s|$|\?)|(\S+)")
_PARTS = 4
_KINDS = ("TLINK", "ALINK", "CALENDAR")
_ALLEN: Final = {basic.name.upper().replace("-", "_"): basic for basic in BASIC[False, False]}


class Reply(Struct, frozen=True, kw_only=True):
    """The answer to a question about two events or times.

    ``answer`` is *yes*, *no* or *unknown*. Of an unknown answer, ``reason`` is one of *no such
    expression*, *in no link*, *not connected*, *open*, *disputed* (smallest repairs disagree) and
    *undecided* (a search reached its limit); ``message`` says more. ``proof`` has a walk for each
    constraint of a relation that is entailed, and one closed walk of one that is impossible; the
    steps of the question have the link ``question`` there. ``links`` are those of the proof.
    ``possible`` are the relations that are left. ``not_believed`` are the links that the answer
    does without, because they contradict others.
    """

    schema: str = SCHEMA
    document: str
    question: str
    source: Expression | None
    type: str
    target: Expression | None
    answer: str
    reason: str | None = None
    message: str | None = None
    possible: tuple[PossibleRelation, ...] = ()
    proof: tuple[Proof, ...] = ()
    links: tuple[LinkInWords, ...] = ()
    contradictions: str
    calendar: bool
    not_believed: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join(reply_lines(self))

    def __repr__(self) -> str:
        return represent(self, next(reply_lines(self)))

    def to_json(self) -> bytes:
        """Encode as one line of JSON, without a line end.

        Returns
        -------
        bytes
            What ``tlex ask --json`` prints.

        Examples
        --------
        >>> import tlex
        >>> document = tlex.from_links([("a", "BEFORE", "b")])
        >>> tlex.ask(document, "IS a BEFORE b").to_json()[:18]
        b'{"schema":"tlex/1"'

        See Also
        --------
        tlex.ask : ask a question.
        """
        return encode(self)


@overload
def ask(  # type: ignore[overload-overlap]  # a string is one question
    document: Document,
    question: str,
    *,
    links: Iterable[str] = ...,
    contradictions: str = ...,
    calendar: bool = ...,
) -> Reply: ...


@overload
def ask(
    document: Document,
    question: Iterable[str],
    *,
    links: Iterable[str] = ...,
    contradictions: str = ...,
    calendar: bool = ...,
) -> tuple[Reply, ...]: ...


def ask(
    document: Document,
    question: str | Iterable[str],
    *,
    links: Iterable[str] = ORDERING,
    contradictions: str = "every",
    calendar: bool = False,
) -> Reply | tuple[Reply, ...]:
    """Ask whether two events or times have a relation: yes, no, or unknown.

    Parameters
    ----------
    document : Document
        What is asked about.
    question : str, or several
        ``IS x REL y``. x and y are ids, or words from the text, in quotes if there are blanks in
        them. REL is any label that orders time: TimeML's, Allen's, or one of the wider ones in
        docs/labels.md. Case does not count. DURING is TimeML's; Allen's *during* is IS_INCLUDED.
    links : iterable of str
        The kinds of links that order time.
    contradictions : str
        What is believed of links that contradict each other: ``"every"`` (what holds after every
        smallest repair), ``"repair"``, ``"knot"`` or ``"part"``.
    calendar : bool
        Use the order that the values of times entail. It is always believed.

    Returns
    -------
    Reply, or a tuple of them
        The answer with its proof, or its reason.

    Raises
    ------
    OptionError
        If this is no question, if nothing has the label's name, or if an option has a wrong value.
    AmbiguousError
        If several events or times have the words; ``candidates`` lists them.

    Examples
    --------
    >>> import tlex
    >>> document = tlex.read("examples/story.tml")
    >>> tlex.ask(document, "IS built BEFORE midnight")
    <Reply yes: "built" (ei2) BEFORE "midnight" (t4)>
    >>> tlex.ask(document, "IS built AFTER midnight").answer
    'no'
    >>> tlex.ask(document, "IS built BEFORE warmed").reason
    'open'

    See Also
    --------
    Extraction.relation : how two events or times are related.
    Extraction.why : the same with a proof.
    """
    asker = Asker(document, links=links, contradictions=contradictions, calendar=calendar)
    if isinstance(question, str):
        return asker.ask(question)
    try:
        questions = tuple(question)
    except TypeError:
        raise OptionError(f"a question is a string, not {question!r:.80}") from None
    return tuple(map(asker.ask, questions))


class Asker:
    """A document that is asked questions: what it believes is found out once."""

    def __init__(
        self,
        document: Document,
        *,
        links: Iterable[str] = ORDERING,
        contradictions: str = "every",
        calendar: bool = False,
    ) -> None:
        require_document(document)
        self._calendar = bool(calendar)
        self._side = Side(
            document,
            links=choose_options(links).links,
            contradictions=choose("contradictions", contradictions, POLICIES),
            calendar=self._calendar,
        )

    def ask(self, question: str) -> Reply:
        """Answer a question."""
        # JSON has no lone surrogates, which bytes of a command line can become.
        question = require_word("question", question).encode("utf-8", "backslashreplace").decode()
        one, label, other = _read_question(question)
        document = self._side.document
        name, row = _find_row(document, label)
        numbers: list[int | None] = []
        missing = []
        for words in (one, other):
            try:
                numbers.append(find_node(document, words))
            except UnknownNameError as error:
                numbers.append(None)
                missing.append(str(error))
        reply = Reply(
            document=document.name,
            question=question.strip(),
            source=None if numbers[0] is None else self._nodes[numbers[0]],
            type=name,
            target=None if numbers[1] is None else self._nodes[numbers[1]],
            answer="unknown",
            reason="no such expression",
            message="; ".join(dict.fromkeys(missing)),
            contradictions=self._side.policy,
            calendar=self._calendar,
        )
        if numbers[0] is None or numbers[1] is None:
            return reply
        return self._judge(reply, numbers[0], numbers[1], row)

    def _judge(self, reply: Reply, one: int, other: int, row: Row) -> Reply:
        """Answer a question about two nodes that are known."""
        side = self._side
        (verdict,) = side.judge([(one, other, row)])
        walks: list[list[WalkStep]] = []
        if verdict == "entailed":
            walks = side.prove(one, other, row)
        elif verdict == "contradicted":
            walks = [side.refute(one, other, row)]
        reason = message = None
        if not walks:
            reason, message = self._explain(verdict, one, other, row)
        orders = side.find_certain_orders(one, other)
        used = sorted({link for walk in walks for _, _, _, link in walk if link >= 0})
        return Reply(
            document=reply.document,
            question=reply.question,
            source=reply.source,
            type=reply.type,
            target=reply.target,
            answer={"entailed": "yes", "contradicted": "no"}.get(verdict, "unknown"),
            reason=reason,
            message=message,
            possible=tuple(
                PossibleRelation(basic.name, basic.type)
                for basic in list_possible(orders, (False, False))
            ),
            proof=tuple(side.name_walk(walk, QUESTION) for walk in walks if walk),
            links=tuple(
                describe_link(side.document, self._nodes, side.find_link(link)) for link in used
            ),
            contradictions=reply.contradictions,
            calendar=reply.calendar,
            not_believed=self._list_muted(one, other),
        )

    @cached_property
    def _nodes(self) -> list[Expression]:
        return express_all(self._side.document)

    def _explain(self, verdict: str, one: int, other: int, row: Row) -> tuple[str, str | None]:
        """Say why an answer is unknown."""
        side = self._side
        loose = [number for number in dict.fromkeys((one, other)) if number not in side.involved]
        if loose:
            names = " and ".join(str(self._nodes[number]) for number in loose)
            verb = "is" if len(loose) == 1 else "are"
            return "in no link", f"{names} {verb} in no link that orders time"
        if side.whole.component_of[one] != side.whole.component_of[other]:
            return "not connected", "no chain of links leads from one to the other"
        if side.policy != "every":
            if side.believed.component_of[one] == side.believed.component_of[other]:
                return "open", None
            return "open", "only links that are not believed lead from one to the other"
        disputed = True if verdict == "undecided" else side.repairs.is_disputed((one, other, row))
        if verdict == "undecided" or disputed is None:
            return "undecided", "there are too many smallest repairs to look at them all"
        return ("disputed", "smallest repairs disagree") if disputed else ("open", None)

    def _list_muted(self, one: int, other: int) -> tuple[str, ...]:
        """The links that are not believed in the parts of two nodes."""
        side = self._side
        if not side.muted:
            return ()
        part = side.whole.component_of
        parts = {part[one], part[other]}
        return tuple(
            link
            for claim in sorted(side.muted)
            if part[side.claims[claim].first] in parts
            for link in side.list_ids(claim)
        )


def _read_question(question: str) -> tuple[str, str, str]:
    """Take a question apart: x, REL and y.

    >>> _read_question("is 'fell asleep' before midnight?")
    ('fell asleep', 'before', 'midnight')
    """
    words = question.strip().removesuffix("?").rstrip()
    found = [next(filter(None, part), "") for part in _WORD.findall(words)]
    if len(found) == _PARTS and found[0].upper() == "IS":
        return found[1], found[2], found[3]
    hint = "; words with blanks stand in quotes" if len(found) > _PARTS else ""
    raise OptionError(f"a question reads IS x REL y, not {question.strip()!r:.100}{hint}")


def _find_row(document: Document, label: str) -> tuple[str, Row]:
    """Find what a label says: the document's own labels first, then all tables."""
    written = label.strip().upper()
    written = SPELLINGS[""].get(written, written)
    known = {name: kind for kind in reversed(_KINDS) for name in _list_labels(document, kind)}
    folded = {_fold(name): name for name in known}
    name = written if written in known else folded.get(_fold(written))
    if name is not None:
        row = ROWS[find_code(document, known[name], name) or 0]
        if not row:
            raise OptionError(f"{name} says nothing about the order of time")
        return name, sort_row(row, turned=False)
    basic = _ALLEN.get(_fold(written))
    if basic is not None:
        return basic.name, _ROWS_OF_ALLEN[basic.orders]
    if written in {name for kind in LABELS.values() for name in kind}:
        raise OptionError(f"{written} says nothing about the order of time")
    near = get_close_matches(_fold(written), [*{**folded, **_ALLEN}], 3)
    hints = list(dict.fromkeys(folded.get(one) or _ALLEN[one].name for one in near))
    hint = f"; did you mean {' or '.join(hints)}" if hints else "; docs/labels.md lists all labels"
    raise UnknownNameError(f"no label {label.strip()!r:.80}{hint}")


def _list_labels(document: Document, kind: str) -> list[str]:
    if kind == "CALENDAR":
        return list(CALENDAR)
    return [*document.labels.get(kind, {}), *LABELS[kind]]


def _fold(label: str) -> str:
    return label.upper().replace("-", "_")


def _write_row(orders: str) -> Row:
    """Give the constraints that say a relation of Allen: all its orders of crossing end points."""
    ends = ((0, 2), (0, 3), (1, 2), (1, 3))
    row = [
        ((right, left) if order == ">" else (left, right), order != "=")
        for (left, right), order in zip(ends, orders, strict=True)
    ]
    return sort_row(((left, strict, right) for (left, right), strict in row), turned=False)


_ROWS_OF_ALLEN: Final = {basic.orders: _write_row(basic.orders) for basic in BASIC[False, False]}
