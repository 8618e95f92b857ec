"""References (TLX1xx): what the reader reported, and references that change no timeline.

The reader reports what excludes an element from the timelines. The finished document is then
checked for mistakes that change no timeline (reading R19): in signals, in anchors of times, in the
document's creation time, in the values of times, in the polarity of events.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from tlex.calendar import find_values
from tlex.document import Document, Instance, Link, Signal, Source, Timex
from tlex.lint.descriptions import Describer
from tlex.lint.findings import Finding, Note, make_finding, make_note
from tlex.reason.factuality import count_negated
from tlex.timex import TYPES, Reason, is_frequency, is_value
from tlex.wording import shorten, shorten_id

__all__ = ["find_misreferences"]

_PLACES = re.compile(r"(@|\bline )\d+(?::\d+)?'*")
_TIME_REFERENCES = ("anchorTimeID", "beginPoint", "endPoint")
_ENDS = ("it begins in", "it ends in")
_DOCUMENT_TIMES = ("CREATION_TIME", "PUBLICATION_TIME", "RELEASE_TIME")
_SHOWN = 80
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
        for timex in document.timexes:
            if timex.file is not None:
                yield from _judge_value(describer, timex)
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
    known = {signal.id for signal in document.signals}
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
    known = {timex.id for timex in document.timexes}
    for timex in document.timexes:
        for attribute in _TIME_REFERENCES:
            name = timex.attributes.get(attribute, "").strip()
            if name and name not in known:
                what = "is an event" if name in document.index else "the document does not define"
                yield make_finding(
                    document,
                    "TLX111",
                    timex.byte_start,
                    f"TIMEX3 {shorten_id(timex.id)} has {attribute} {shorten_id(name)!r}, "
                    f"which {what}",
                    subject=[timex.id, attribute, name],
                    nodes=(timex.id,),
                )


def _find_document_times(describer: Describer) -> Iterator[Finding]:
    """Find out whether the document, or each of several as one, has exactly one creation time."""
    document = describer.document
    every = document.documents or {"": document}
    found: dict[int, dict[str, list[Timex]]] = {
        id(one): {function: [] for function in _DOCUMENT_TIMES} for one in every.values()
    }
    for timex in sorted(document.timexes, key=lambda timex: timex.byte_start):
        function = timex.attributes.get("functionInDocument", "").strip().upper()
        if function in _DOCUMENT_TIMES:
            found[id(document.home(timex)[0])][function].append(timex)
    for name, one in every.items():
        times = next(filter(None, found[id(one)].values()), [])
        yield from _count_document_times(describer, name, one, times)


def _count_document_times(
    describer: Describer, name: str, one: Document, times: list[Timex]
) -> Iterator[Finding]:
    document = describer.document
    if not times and one.nodes and one.source is not None:
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


def _judge_value(describer: Describer, timex: Timex) -> Iterator[Finding]:
    kind = (timex.type or "").strip().upper()
    value = (timex.value or "").strip()
    shown = describer.describe(timex.id)
    message = None
    code = "TLX114"
    if kind not in TYPES:
        code = "TLX115"
        message = (
            f"{shown} has type {timex.type!r:.{_SHOWN}}" if kind else f"{shown} has no type"
        ) + f"; choose from {', '.join(TYPES)}"
    elif not value:
        message = f"{shown} has no value"
    elif not is_value(kind, value):
        fitting = [other for other in TYPES[:3] if is_value(other, value)]
        hint = f"; it would be the value of a {' or '.join(fitting)}" if fitting else ""
        message = f"{shown} has value {value!r:.{_SHOWN}}, which no {kind} can have{hint}"
    if message:
        yield _object(describer, timex, code, message)
    frequency = timex.attributes.get("freq", "").strip()
    if frequency and not is_frequency(frequency):
        message = f"{shown} has freq {frequency!r:.{_SHOWN}}, which is no number and unit"
        yield _object(describer, timex, "TLX114", message)


def _find_backwards(describer: Describer) -> Iterator[Finding]:
    """Find the durations that end before they start, by the values of their ends."""
    document = describer.document
    if not any(timex.attributes.get("beginPoint") for timex in document.timexes):
        return
    times = {timex.id: timex for timex in reversed(document.timexes)}
    for timex, bounds in zip(document.timexes, find_values(document), strict=True):
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
        events = count_negated(one)
        if events.total() >= _MANY and 10 * events[True] > 9 * events.total():
            message = f"{events[True]:,} of {events.total():,} event instances have polarity NEG"
            message = f"{shorten_id(name)}: {message}" if name else message
            at, subject = (-1, [name]) if name else (0, [])
            yield make_finding(document, "TLX116", at, message, subject=subject, whole=False)


def _object(describer: Describer, timex: Timex, code: str, message: str) -> Finding:
    return make_finding(
        describer.document, code, timex.byte_start, message, subject=[message], nodes=(timex.id,)
    )
