"""The independent checker: every answer is proved again, by other means.

`verify` takes a document and what tlex says of it, live or saved. It shares no code with the
solver, has a Table 1 of its own (written as comparisons), and checks what proves each claim:

* `calendar` proves the links that follow from values, and dates, by a calendar of its own
  (`values`);
* `timelines` proves a consistent timeline: its steps, sections, pairs and scenarios;
* `conflicts` follows the walk of each contradiction and takes its minimal set apart;
* `trunk` proves main timelines by reachability, and breaks by a sweep of the text;
* `nodes` compares words, places and factuality with the document;
* `answers` proves the orders of two events or times, each walk and each witness;
* `events` finds lists of events again: which are certain, and which are possible;
* `closures` finds a closure again, and proves that a reduction can spare no link;
* `repairs` proves that a repair repairs, and that none costs less.

Near-linear, except for work that has a limit. What exceeds its limit is named in
`Verdict.unchecked`.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from tlex.arguments import require_document, require_kind
from tlex.checker.answers import check_relation, check_why
from tlex.checker.calendar import Calendar
from tlex.checker.closures import check_closure, check_reduction
from tlex.checker.constraints import Constraints
from tlex.checker.decoding import check_decoding
from tlex.checker.events import check_events
from tlex.checker.extractions import check_extraction
from tlex.checker.mending import check_mended
from tlex.checker.repairs import check_repair
from tlex.checker.saved import Record, decode
from tlex.checker.suspects import check_suspects
from tlex.document import Document
from tlex.errors import OptionError, VerificationError
from tlex.records import Answer, DecodeRecord, DocumentRecord, ExtractionRecord, FixRecord
from tlex.result import Extraction
from tlex.wording import count, represent

__all__ = ["Verdict", "verify"]


class Verdict(Struct, frozen=True, kw_only=True):
    """How much was proved; ``unchecked`` says what was too large to be proved again.

    ``result`` is the kind of result: extract, relation, why, closure, reduce, events, fix or
    decode. ``links`` counts the links of a closure, a reduction or a repair, and chosen labels.
    """

    result: str = "extract"
    nodes: int = 0
    timelines: int = 0
    points: int = 0
    constraints: int = 0
    sections: int = 0
    pairs: int = 0
    conflicts: int = 0
    connections: int = 0
    breaks: int = 0
    proofs: int = 0
    links: int = 0
    unchecked: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Say in a sentence what was proved, and in a line each what was not."""
        names = [name for name in self.__struct_fields__ if name not in {"result", "unchecked"}]
        numbers = [(getattr(self, name), name.removesuffix("s")) for name in names]
        proved = ", ".join(count(number, name) for number, name in numbers if number)
        missing = (f"not proved: {claim}" for claim in self.unchecked)
        return "\n".join((f"proved: {proved or 'an empty document'}", *missing))

    def __repr__(self) -> str:
        facts = f"{count(self.timelines, 'timeline')}, {count(self.conflicts, 'conflict')}"
        return represent(self, f"{self.result}: {facts}, {len(self.unchecked)} unchecked")


def __dir__() -> list[str]:
    return sorted(__all__)


def verify(
    document: Document,
    result: Extraction
    | ExtractionRecord
    | Answer
    | FixRecord
    | DecodeRecord
    | bytes
    | str
    | dict[str, Any],
) -> Verdict:
    """Prove that a result is right about its document, without the code that made it.

    Parameters
    ----------
    document : Document
        The document.
    result : Extraction, ExtractionRecord, Answer, FixRecord, DecodeRecord, bytes, str or dict
        What `tlex.extract`, `tlex.fix` or `tlex.decode` gave, an answer made by
        `Extraction.answer`, or a line of the JSON of ``extract``, ``relation``, ``why``,
        ``closure``, ``reduce``, ``events``, ``fix`` or ``decode``.

    Returns
    -------
    Verdict
        How much was proved; ``unchecked`` says what is too large to be proved again.

    Raises
    ------
    OptionError
        If something else than a document and its result is given, or a result that this version
        does not know.
    VerificationError
        On the first claim that is wrong.

    Examples
    --------
    >>> import tlex
    >>> document = tlex.read("examples/story.tml")
    >>> result = tlex.extract(document)
    >>> tlex.verify(document, result).timelines
    3
    >>> tlex.verify(document, result.answer(why=result.why("built", "midnight")).to_json()).proofs
    1

    See Also
    --------
    tlex.extract : extract the timelines of a document.
    """
    require_document(document)
    unchecked: list[str] = []
    if isinstance(result, bytes | str | dict):
        result, unchecked = decode(result)
    known = Extraction | ExtractionRecord | Answer | FixRecord | DecodeRecord
    require_kind("result", result, known, "what tlex gave")
    document = _drop_calendar(document)
    unchecked += _check_heading(document, result)
    if isinstance(result, DecodeRecord):
        unchecked += check_decoding(document, result)
        return Verdict(
            result="decode",
            links=len(result.choices),
            conflicts=len(result.proof),
            unchecked=tuple(unchecked),
        )
    calendar = None
    if result.options.calendar:
        calendar, document = _read_calendar(document, result)
    elif result.calendar or result.calendar_complete is False:
        raise VerificationError("without the calendar nothing follows from values")
    whole = constraints = Constraints(document, result.options)
    if calendar is not None:
        complete = bool(result.calendar_complete)
        unchecked += calendar.check_entailed(whole, complete=complete)
    if isinstance(result, FixRecord):
        unchecked += check_repair(constraints, result)
        check_suspects(constraints, result)
        changed = len(result.removed) + len(result.relabelled)
        return Verdict(
            result="fix", links=changed, conflicts=len(result.conflicts), unchecked=tuple(unchecked)
        )
    if result.mended or _is_mended(result):
        unchecked += check_mended(whole, result.options, result.mended)
    if result.mended:
        if not _is_mended(result):
            raise VerificationError("links are left out, which was not asked for")
        constraints = Constraints(document, result.options, result.mended)
    if isinstance(result, Answer):
        if result.events is not UNSET:
            unchecked += check_events(constraints, whole, result, result.events, calendar)
            return Verdict(result="events", nodes=len(document.nodes), unchecked=tuple(unchecked))
        return _check_answer(constraints, whole, result, unchecked)
    proved = check_extraction(constraints, whole, result, calendar)
    return Verdict(
        nodes=len(result.nodes),
        timelines=len(result.timelines),
        points=sum(len(timeline.points) for timeline in result.timelines),
        constraints=proved.constraints,
        sections=sum(len(timeline.sections) for timeline in result.timelines),
        pairs=proved.pairs,
        conflicts=len(result.conflicts),
        connections=len(result.connections),
        breaks=len(result.breaks),
        unchecked=(*unchecked, *proved.unchecked),
    )


def _drop_calendar(document: Document) -> Document:
    """Give a document without links that follow from values."""
    links = tuple(link for link in document.links if link.kind != "CALENDAR")
    return document if len(links) == len(document.links) else document.replace(links=links)


def _read_calendar(
    document: Document, result: Extraction | ExtractionRecord | Answer | FixRecord
) -> tuple[Calendar, Document]:
    """Check the links that follow from values; give the document with them."""
    if isinstance(result.calendar, UnsetType) or isinstance(result.calendar_complete, UnsetType):
        raise OptionError("the result does not list the links that follow from values")
    calendar = Calendar(document, result.options.times)
    return calendar, calendar.link(result.calendar)


def _is_mended(result: Extraction | ExtractionRecord | Answer) -> bool:
    """Whether a result leaves the links of a repair out; a question about a pair may differ."""
    if isinstance(result, Answer):
        relation = result.why.relation if result.why is not UNSET else result.relation
        if relation is not UNSET:
            return relation.contradictions != "part"
        if result.events is not UNSET:
            return result.events.contradictions != "part"
    return result.options.mend


def _check_answer(
    constraints: Constraints, whole: Constraints, answer: Answer, unchecked: list[str]
) -> Verdict:
    """Prove the one answer that there is."""
    if answer.relation is not UNSET:
        unchecked += check_relation(constraints, whole, answer, answer.relation)
        return Verdict(result="relation", nodes=2, unchecked=tuple(unchecked))
    if answer.why is not UNSET:
        unchecked += check_why(constraints, whole, answer, answer.why)
        proofs = len(answer.why.proofs) + len(answer.why.witnesses)
        return Verdict(result="why", nodes=2, proofs=proofs, unchecked=tuple(unchecked))
    if answer.closure is not UNSET:
        unchecked += check_closure(constraints, answer.closure)
        links = len(answer.closure.links) + len(answer.closure.untyped)
        return Verdict(result="closure", links=links, unchecked=tuple(unchecked))
    if answer.reduction is not UNSET:
        unchecked += check_reduction(constraints, answer.reduction)
        links = len(answer.reduction.kept) + len(answer.reduction.dropped)
        return Verdict(result="reduce", links=links, unchecked=tuple(unchecked))
    raise VerificationError("there is no answer")


def _check_heading(document: Document, result: Extraction | Record) -> list[str]:
    """Check that the result is about this document, read in the same way."""
    if isinstance(result, Extraction):
        given = _drop_calendar(result.document)
        if given is not document and given != document:
            raise VerificationError(f"the answer is about another document than {document.name!r}")
        return []
    if result.schema != "tlex/1":
        raise VerificationError(f"a result of schema {result.schema!r} is not known here")
    about = result.about if isinstance(result, FixRecord | DecodeRecord) else result.document
    real = DocumentRecord.of(document)
    if about.name != real.name:
        raise VerificationError(f"the answer is about {about.name!r}, not about {real.name!r}")
    if isinstance(result, FixRecord | DecodeRecord) and result.path != about.name:
        raise VerificationError(f"the path is {about.name!r}, not {result.path!r}")
    if about.sha256 is not None and about.sha256 != real.sha256:
        raise VerificationError("the answer is about another version of the file (sha256 differs)")
    if about.format != real.format or about.labels != real.labels:
        raise VerificationError("the document was read in another format or with other labels")
    if about.sha256 is None and real.sha256 is not None:
        return ["whether the file is the same: the result has no sha256"]
    return []
