"""The data of the pages of a repair session; `repair_desk` fills them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Literal

from msgspec import Struct

from tlex._version import __version__
from tlex.calendar import KIND as CALENDAR
from tlex.document import Document
from tlex.lookup import describe_links
from tlex.nouns import Link
from tlex.quotation import find_sentences
from tlex.records import Decision, DecisionOption, LinkInWords
from tlex.repair.fix_text import say_changes
from tlex.repair.relabelling import TYPES, list_nearest
from tlex.repair.session import Answer, Session
from tlex.repair.what_if import Effect, Standing
from tlex.result import Extraction
from tlex.viewer.data import Place, split_text
from tlex.wording import clean, quote_node

__all__ = [
    "RepairData",
    "RepairEntry",
    "RepairIndexData",
    "RepairState",
    "RepairVerdict",
    "Trial",
    "describe_repair",
    "describe_state",
    "describe_trial",
]


_SHOWN = 20
"""How many links of a contradiction are shown."""

_QUOTED = 6
"""How many sentences are shown."""

RepairVerdict = Literal["waiting", "unsettled", "decided", "saved", "consistent", "broken"]
"""Unsettled: decisions are left; decided: but not saved; saved: in the patch."""


class RepairEntry(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A document in the list of a repair session."""

    name: str
    href: str
    verdict: RepairVerdict
    message: str = ""
    headline: str = ""
    date: str = ""
    events: int = 0
    conflicts: int = 0
    conflicts_complete: bool = True
    left: int = 0
    decided: int = 0


class RepairIndexData(Struct, frozen=True, tag="repairs", tag_field="page", kw_only=True):
    """The list of documents of a repair session; ``output`` says where it is saved."""

    tlex: str
    name: str
    version: int
    entries: tuple[RepairEntry, ...]
    output: str
    place: Place


class RepairNode(Struct, frozen=True, kw_only=True):
    """An event or time."""

    id: str
    kind: str
    text: str
    factuality: str


class RepairLink(Struct, frozen=True, kw_only=True):
    """A link between nodes, given by number; ``types`` are others it could have, nearest first."""

    id: str
    kind: str
    type: str | None
    source: int
    target: int
    line: int | None
    types: tuple[str, ...]


class DecisionLink(Struct, frozen=True, kw_only=True):
    """One of the links that disagree; ``link`` is its number, or None for one of the calendar."""

    id: str
    kind: str
    type: str | None
    source: str
    target: str
    line: int | None
    words: str
    link: int | None


class PageOption(Struct, frozen=True, kw_only=True):
    """An option: what it does, what the link says then, and why the option stands where it does."""

    number: int
    says: str
    about: str
    reason: str


class PageDecision(Struct, frozen=True, kw_only=True):
    """A decision: the sentences with marked words, the links, what they disagree about, options.

    ``sentences`` are lists of pieces; a piece is marked if it is the words of one of ``nodes``. Of
    a very long contradiction the first sentences and links are there; ``more`` counts the others.
    """

    conflict: int | None
    says: str
    sentences: tuple[tuple[tuple[str, bool], ...], ...]
    nodes: tuple[int, ...]
    links: tuple[DecisionLink, ...]
    more: int
    calendar: tuple[str, ...]
    proposals: tuple[str, ...]
    options: tuple[PageOption, ...]


class PageAnswer(Struct, frozen=True, kw_only=True):
    """What was decided, in words."""

    says: str
    note: str


class PageLane(Struct, frozen=True, kw_only=True):
    """A timeline with more than one event or time.

    ``rows`` say where each stands: its number, its first and its last step.
    """

    role: str
    length: int
    rows: tuple[tuple[int, int, int], ...]


class MendedTimeline(Struct, frozen=True, kw_only=True):
    """The timelines, mended where that is needed; ``left_out`` are the links left out for that.

    ``alone`` counts the events and times that have a timeline for themselves.
    """

    lanes: tuple[PageLane, ...]
    left_out: tuple[str, ...]
    alone: int


class Trial(Struct, frozen=True, kw_only=True):
    """The answer to a what-if."""

    effect: Effect
    timeline: MendedTimeline


class RepairState(Struct, frozen=True, kw_only=True):
    """How far the session of a document is; ``version`` changes with it.

    ``alike`` are other contradictions of the same ``pattern``, in words. ``unsaved`` says that
    something is decided and not saved, ``output`` where it would be. ``news`` is something to tell.
    """

    version: int
    number: int
    total: int
    open: int
    consistent: bool
    decision: PageDecision | None
    answers: tuple[PageAnswer, ...]
    pattern: str
    alike: tuple[str, ...]
    changes: int
    unsaved: bool
    saved: bool
    output: str
    kept: str
    news: str
    timeline: MendedTimeline


class RepairData(Struct, frozen=True, tag="repair", tag_field="page", kw_only=True):
    """The page on which the contradictions of a document are decided."""

    tlex: str
    name: str
    headline: str
    map: str
    text: tuple[tuple[str, tuple[int, ...]], ...]
    nodes: tuple[RepairNode, ...]
    links: tuple[RepairLink, ...]
    types: tuple[str, ...]
    state: RepairState
    place: Place


def describe_repair(  # noqa: PLR0913 -- one argument a part
    session: Session, state: RepairState, place: Place, *, name: str, headline: str, where: str
) -> RepairData:
    """Collect the data for the page of a document. Linear."""
    document = session.document
    index = document.index
    return RepairData(
        tlex=__version__,
        name=name,
        headline=headline,
        map=where,
        text=tuple(split_text(document)),
        nodes=tuple(
            RepairNode(id=node.id, kind=node.kind, text=node.text, factuality=node.factuality)
            for node in session.result.nodes
        ),
        links=tuple(
            RepairLink(
                id=link.id,
                kind=link.kind,
                type=link.type,
                source=index[link.source or ""],
                target=index[link.target or ""],
                line=document.position(link.byte_start)[0],
                types=tuple(list_nearest(document, link)),
            )
            for link in _list_links(session)
        ),
        types=tuple(TYPES["TLINK"]),
        state=state,
        place=place,
    )


def describe_state(session: Session, **more: int | str | bool) -> RepairState:
    """Say how far a session is; ``more`` are the fields that the session does not know."""
    decision = session.current
    taken = len(session.answers)
    return RepairState(
        number=taken + (decision is not None),
        total=taken + session.left,
        open=len(session.open),
        consistent=session.standing.result.consistent,
        decision=None if decision is None else _describe_decision(session, decision),
        answers=tuple(_describe_answer(answer) for answer in session.answers),
        pattern=session.say_pattern(),
        alike=tuple(
            " · ".join(_say_link(link) for link in describe_links(session.result, conflict.minimal))
            for conflict in session.list_alike()
        ),
        changes=len(session.changes),
        timeline=_describe_timelines(session.standing.result),
        **more,  # type: ignore[arg-type]
    )


def describe_trial(after: Standing, effect: Effect) -> Trial:
    """Answer a what-if."""
    return Trial(effect=effect, timeline=_describe_timelines(after.result))


def _describe_decision(session: Session, decision: Decision) -> PageDecision:
    document, result = session.document, session.result
    links = describe_links(result, decision.links)
    own = [link for link in links if link.kind != CALENDAR]
    numbers = {link.id: number for number, link in enumerate(_list_links(session))}
    ends = [end.id for link in links for end in (link.source, link.target)]
    nodes = dict.fromkeys((*ends, *(value.id for value in decision.values)))
    return PageDecision(
        conflict=decision.conflict,
        says=clean(decision.says),
        sentences=tuple(islice(_mark_sentences(document, tuple(nodes)), _QUOTED)),
        nodes=tuple(document.index[node] for node in nodes),
        links=tuple(
            DecisionLink(
                id=link.id,
                kind=link.kind,
                type=link.type,
                source=link.source.text or link.source.id,
                target=link.target.text or link.target.id,
                line=link.line,
                words=link.words or "",
                link=numbers.get(link.id),
            )
            for link in own[:_SHOWN]
        ),
        more=max(len(own) - _SHOWN, 0),
        calendar=tuple(map(clean, decision.calendar)),
        proposals=tuple(clean(proposal.says) for proposal in decision.proposals),
        options=tuple(_describe_option(result, option) for option in decision.options),
    )


def _list_links(session: Session) -> list[Link]:
    """List the links of the document that order events and times."""
    index, kinds = session.document.index, session.result.options.links
    return [
        link
        for link in session.document.links
        if link.kind in kinds and link.source in index and link.target in index
    ]


def _describe_option(result: Extraction, option: DecisionOption) -> PageOption:
    first = describe_links(result, option.links[:1])[0]
    new = option.types.get(first.id)
    about = _say_link(first) if new is None else f"{_say_link(first, new)}, not {first.type}"
    return PageOption(
        number=option.number,
        says=say_changes(option.links, option.types),
        about=about,
        reason=option.reason,
    )


def _say_link(link: LinkInWords, new: str | None = None) -> str:
    """Say a link: ``"ate" BEFORE "washed"``, or what it would say with another type."""
    source, target = (quote_node(end.id, end.text) for end in (link.source, link.target))
    return f"{source} {clean(new or link.type or link.kind)} {target}"


def _describe_answer(answer: Answer) -> PageAnswer:
    links = (*answer.removed, *answer.types)
    says = say_changes(links, answer.types) if links else "left as it is"
    return PageAnswer(says=says, note=answer.note)


def _mark_sentences(
    document: Document, nodes: tuple[str, ...]
) -> Iterator[tuple[tuple[str, bool], ...]]:
    for (first, last), marks in find_sentences(document, nodes):
        pieces: list[tuple[str, bool]] = []
        at = first
        for start, end in (*marks, (last, last)):
            pieces += [(document.text[at:start], False), (document.text[start:end], True)]
            at = end
        yield tuple((" ".join(piece.split("\n")), marked) for piece, marked in pieces if piece)


def _describe_timelines(result: Extraction) -> MendedTimeline:
    index = result.document.index
    lanes = []
    alone = 0
    for timeline in result.timelines:
        if len(timeline.intervals) == 1 or not timeline.length:
            alone += 1
            continue
        rows = [
            (timeline.points[name + "-"][0], timeline.points[name + "+"][0], index[name])
            for name in timeline.intervals
        ]
        in_order = tuple((node, start, end) for start, end, node in sorted(rows))
        lanes.append(PageLane(role=timeline.role, length=timeline.length, rows=in_order))
    return MendedTimeline(lanes=tuple(lanes), left_out=result.mended, alone=alone)
