"""References (TLX1xx): what the reader reported, and references that change no timeline.

The reader reports what excludes an element from the timelines. The finished document is then
checked for mistakes that change no timeline (reading R19): in signals, in anchors of times, in the
document's creation time, in the values of times, in the polarity of events.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from tlex.calendar import find_values, list_times
from tlex.document import Document
from tlex.lint.descriptions import Describer
from tlex.lint.findings import Finding, Note, make_finding, make_note
from tlex.nouns import Instance, Link, Signal, Timex
from tlex.reason.factuality import count_negated
from tlex.source import Source
from tlex.timex import TYPES, Reason, is_frequency, is_value
from tlex.wording import shorten, shorten_id

__all__ = ["find_misreferences"]

_PLACES = re.compile(r"(@|\bline )\d+(?::\d+)?'*")
_TIME_REFERENCES = ("anchorTimeID", "beginPoint", "endPoint")
_ENDS = ("it begins in", "it ends in")
_DOCUMENT_TIMES = ("CREATION_TIME", "PUBLICATION_TIME", "RELEASE_TIME")
_SHOWN = 80
_SHORT = 64
_MANY = 10
"""How many events show what is usual in a document."""


def find_misreferences(describer: Describer, wanted: Collection[str]) -> Iterator[Finding]:
    """Find mistakes in the references of a document, as far as these rules are wanted."""
    document = describer.document
    yield from _repeat_diagnostics(document)
    if "TLX104" in wanted:
        yield from _find_repeated_signals(document)
    if "TLX110" in wanted:
        yield from _find_lost_signals(document)
    if "TLX111" in wanted:
        yield from _find_lost_times(document)
    if "TLX112" in wanted or "TLX113" in wanted:
        yield from _find_document_times(describer)
    if "TLX114" in wanted or "TLX115" in wanted:
        yield from _judge_values(describer)
    if "TLX117" in wanted:
        yield from _find_backwards(describer)
    if "TLX116" in wanted:
        yield from _find_negations(document)


def _repeat_diagnostics(document: Document) -> Iterator[Finding]:
    """Make findings of what the reader reported, with its hints."""
    source = document.source
    for diagnostic in document.diagnostics:
        message = (
            f"{diagnostic.message}; {diagnostic.hint}" if diagnostic.hint else diagnostic.message
        )
        offset = -1 if diagnostic.offset is None else diagnostic.offset
        yield make_finding(
            document,
            str(diagnostic.code),
            offset,
            message,
            subject=[_PLACES.sub(r"\1", diagnostic.message)],
            whole=source is not None and _is_tag(source, offset),
        )


def _is_tag(source: Source, offset: int) -> bool:
    """Whether an element begins at an offset; in any encoding."""
    piece, own = source.find_piece(offset)
    return piece.data[own : own + 2].strip(b"\0")[:1] == b"<"


def _find_repeated_signals(document: Document) -> Iterator[Finding]:
    ids = document.check_columns.signals
    if len({*ids}) == len(ids):
        return
    first: dict[str, Signal] = {}
    for signal in sorted(document.signals, key=lambda signal: signal.byte_start):
        if first.setdefault(signal.id, signal) is not signal:
            line, _ = document.position(first[signal.id].byte_start)
            where = "" if line is None else f" on line {line}"
            yield make_finding(
                document,
                "TLX104",
                signal.byte_start,
                f"SIGNAL repeats the id {shorten_id(signal.id)!r} "
                f"of the SIGNAL{where}; the first counts",
                subject=["SIGNAL", signal.id],
            )


def _find_lost_signals(document: Document) -> Iterator[Finding]:
    said = document.check_columns
    known = {*said.signals, None, ""}
    if known.issuperset(said.named):
        return
    nouns: list[Link | Instance] = [*document.instances, *document.links]
    for noun in nouns:
        for name in noun.attributes.get("signalID", "").split():
            if name not in known:
                element = noun.kind if isinstance(noun, Link) else "MAKEINSTANCE"
                yield make_finding(
                    document,
                    "TLX110",
                    noun.byte_start,
                    f"{element} {shorten_id(noun.id)} names the signal {shorten_id(name)!r}, "
                    "which the document does not define",
                    subject=[element, noun.id, name],
                    links=(noun.id,) if isinstance(noun, Link) else (),
                    nodes=() if isinstance(noun, Link) else (noun.id,),
                )


def _find_lost_times(document: Document) -> Iterator[Finding]:
    times = list_times(document)
    known = {name for name, _ in times}
    for number, (own, attributes) in enumerate(times):
        for attribute in _TIME_REFERENCES:
            name = attributes.get(attribute, "").strip()
            if name and name not in known:
                what = "is an event" if name in document.index else "the document does not define"
                yield make_finding(
                    document,
                    "TLX111",
                    document.timexes[number].byte_start,
                    f"TIMEX3 {shorten_id(own)} has {attribute} {shorten_id(name)!r}, which {what}",
                    subject=[own, attribute, name],
                    nodes=(own,),
                )


def _find_document_times(describer: Describer) -> Iterator[Finding]:
    """Find out whether the document, or each of several as one, has exactly one creation time."""
    document = describer.document
    every = document.documents or {"": document}
    found: dict[int, dict[str, list[int]]] = {
        id(one): {function: [] for function in _DOCUMENT_TIMES} for one in every.values()
    }
    for number, (own, attributes) in enumerate(list_times(document)):
        function = attributes.get("functionInDocument", "").strip().upper()
        if function in _DOCUMENT_TIMES:
            found[id(document.home(own)[0])][function].append(number)
    for name, one in every.items():
        times = next(filter(None, found[id(one)].values()), [])
        if len(times) != 1:
            nouns = [document.timexes[number] for number in times]
            nouns.sort(key=lambda timex: timex.byte_start)
            yield from _count_document_times(describer, name, one, nouns)


def _count_document_times(
    describer: Describer, name: str, one: Document, times: list[Timex]
) -> Iterator[Finding]:
    document = describer.document
    if not times and one.index and one.source is not None:
        words = f"no TIMEX3 says when {shorten_id(name) or 'the document'} was created"
        subject = [name] if name else []
        at = -1 if name else 0
        yield make_finding(document, "TLX112", at, words, subject=subject, whole=False)
    for timex in times[1:]:
        first = times[0]
        function = timex.attributes["functionInDocument"].strip()
        yield make_finding(
            document,
            "TLX113",
            timex.byte_start,
            f"{describer.describe(timex.id)} is a second {function} of the document",
            subject=[timex.id],
            notes=[_point_at(describer, first, "the first is")],
            nodes=(timex.id, first.id),
        )


def _point_at(describer: Describer, timex: Timex, what: str) -> Note:
    words = f"{what} {describer.describe(timex.id)}{describer.name_line(timex.byte_start)}"
    return make_note(describer.document, timex.byte_start, words)


def _judge_values(describer: Describer) -> Iterator[Finding]:
    document = describer.document
    for number, (own, attributes) in enumerate(list_times(document)):
        said = (attributes.get("type"), attributes.get("value"), attributes.get("freq"))
        short = sum(len(word or "") for word in said) < _SHORT
        for code, objection in (_remember if short else _judge_value)(*said):
            if document.relations is not None:  # no two times have one id
                place = describer.find_place(own)
            else:
                timex = document.timexes[number]
                place = -1 if timex.file is None else timex.byte_start
            if place >= 0:
                message = f"{describer.describe(own)} has {objection}"
                yield make_finding(document, code, place, message, subject=[message], nodes=(own,))


@lru_cache(4096)
def _remember(*said: str | None) -> tuple[tuple[str, str], ...]:
    """Judge short values once: most occur many times in a corpus."""
    return _judge_value(*said)


def _judge_value(
    type_: str | None, written: str | None, frequency: str | None
) -> tuple[tuple[str, str], ...]:
    """Say what is wrong with the type, the value and the frequency of a time: codes and words."""
    kind, value = (type_ or "").strip().upper(), (written or "").strip()
    found = []
    if kind not in TYPES:
        shown = f"type {type_!r:.{_SHOWN}}" if kind else "no type"
        found.append(("TLX115", f"{shown}; choose from {', '.join(TYPES)}"))
    elif not value:
        found.append(("TLX114", "no value"))
    elif not is_value(kind, value):
        fitting = [other for other in TYPES[:3] if is_value(other, value)]
        hint = f"; it would be the value of a {' or '.join(fitting)}" if fitting else ""
        found.append(("TLX114", f"value {value!r:.{_SHOWN}}, which no {kind} can have{hint}"))
    often = (frequency or "").strip()
    if often and not is_frequency(often):
        found.append(("TLX114", f"freq {often!r:.{_SHOWN}}, which is no number and unit"))
    return tuple(found)


def _find_backwards(describer: Describer) -> Iterator[Finding]:
    """Find the durations that end before they start, by the values of their ends."""
    document = describer.document
    if not any(attributes.get("beginPoint") for _, attributes in list_times(document)):
        return
    values = find_values(document)
    if Reason.BACKWARDS not in values:
        return
    times = {timex.id: timex for timex in reversed(document.timexes)}
    for timex, bounds in zip(document.timexes, values, strict=True):
        if bounds is not Reason.BACKWARDS:
            continue
        ends = [times[timex.attributes[key].strip()] for key in ("beginPoint", "endPoint")]
        said = (f"{describer.describe(end.id)}, {shorten(end.value or '', _SHOWN)}" for end in ends)
        yield make_finding(
            document,
            "TLX117",
            timex.byte_start,
            f"{describer.describe(timex.id)} goes back in time: from {', to '.join(said)}",
            subject=[timex.id, *(f"{end.id} {end.value}" for end in ends)],
            notes=[_point_at(describer, end, what) for what, end in zip(_ENDS, ends, strict=True)],
            nodes=(timex.id, *(end.id for end in ends)),
        )


def _find_negations(document: Document) -> Iterator[Finding]:
    """Find out whether nearly all events are negated."""
    for name, one in (document.documents or {"": document}).items():
        if one.relations is not None and not _may_be_negated(one):
            continue
        events = count_negated(one)
        if events.total() >= _MANY and 10 * events[True] > 9 * events.total():
            message = f"{events[True]:,} of {events.total():,} event instances have polarity NEG"
            message = f"{shorten_id(name)}: {message}" if name else message
            at, subject = (-1, [name]) if name else (0, [])
            yield make_finding(document, "TLX116", at, message, subject=subject, whole=False)


def _may_be_negated(document: Document) -> bool:
    """Whether nearly all events are negated if all those are that do not say POS themselves.

    With the document nothing may be wrong: all instances are nodes.
    """
    said = document.check_columns.polarities
    events = len(document.index) - len(document.times)
    left = events - len(said) + sum(1 for polarity in said if polarity != "POS")
    return 10 * left > 9 * events
