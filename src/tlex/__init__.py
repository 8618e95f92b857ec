"""tlex: exact, proven timelines from texts annotated with TimeML.

>>> import tlex
>>> document = tlex.from_links([("e1", "BEFORE", "e2"), ("e2", "BEFORE", "e3")])
>>> result = tlex.extract(document)
>>> result.timelines[0].step("e3-")
5
"""

from __future__ import annotations

from tlex._version import __version__

TYPE_CHECKING = False  # type checkers take it for true; the module typing takes a while to load

if TYPE_CHECKING:
    from tlex import checker, corpus, draw, export, lint, readers, repair, viewer
    from tlex.checker import Verdict, verify
    from tlex.comparison.agreeing import agree
    from tlex.comparison.agreements import (
        Agreement,
        AgreementFigures,
        AgreementRecord,
        DocumentAgreement,
        Place,
    )
    from tlex.comparison.difference_records import (
        Consequence,
        DifferenceRecord,
        EntityDifference,
        PairDifference,
        Said,
    )
    from tlex.comparison.differences import Difference, DocumentDifference
    from tlex.comparison.diffing import diff
    from tlex.comparison.patches import ChangeDifference, PatchDifference
    from tlex.comparison.questions import Reply, ask
    from tlex.comparison.records import ClaimVerdict, Share
    from tlex.comparison.scores import DocumentScore, Score
    from tlex.comparison.scoring import Scorer, score
    from tlex.document import Document
    from tlex.errors import (
        AmbiguousError,
        ComparisonError,
        NotRecognisedError,
        NotWellFormedError,
        OptionError,
        PatchError,
        ReadError,
        RefusedError,
        StrictError,
        TlexError,
        TooLargeError,
        UnknownNameError,
        VerificationError,
        WriteError,
    )
    from tlex.export import Loss, write
    from tlex.extraction import extract
    from tlex.lint import Baseline, CheckRecord, CheckResult, Finding, Note, Selection, check
    from tlex.merging import merge
    from tlex.nouns import Diagnostic, Event, Instance, Link, Node, Signal, Span, Timex
    from tlex.readers import Labels, Layers, from_links, parse, read, read_all
    from tlex.records import (
        Answer,
        Break,
        Closure,
        Conflict,
        Connection,
        Constraint,
        DateRange,
        EntailedLink,
        EventCondition,
        EventRecord,
        Events,
        ExtractionRecord,
        LabelChoice,
        NodeRecord,
        Options,
        PairRelation,
        PossibleRelation,
        Proof,
        Reduction,
        Scenarios,
        Section,
        TimelineRecord,
        Why,
        Witness,
    )
    from tlex.repair import (
        Change,
        DecodeRecord,
        DecodeResult,
        FilePatch,
        FixRecord,
        FixResult,
        Patch,
        decode,
        fix,
    )
    from tlex.result import Extraction
    from tlex.timeline import Timeline

__all__ = [
    "Agreement",
    "AgreementFigures",
    "AgreementRecord",
    "AmbiguousError",
    "Answer",
    "Baseline",
    "Break",
    "Change",
    "ChangeDifference",
    "CheckRecord",
    "CheckResult",
    "ClaimVerdict",
    "Closure",
    "ComparisonError",
    "Conflict",
    "Connection",
    "Consequence",
    "Constraint",
    "DateRange",
    "DecodeRecord",
    "DecodeResult",
    "Diagnostic",
    "Difference",
    "DifferenceRecord",
    "Document",
    "DocumentAgreement",
    "DocumentDifference",
    "DocumentScore",
    "EntailedLink",
    "EntityDifference",
    "Event",
    "EventCondition",
    "EventRecord",
    "Events",
    "Extraction",
    "ExtractionRecord",
    "FilePatch",
    "Finding",
    "FixRecord",
    "FixResult",
    "Instance",
    "LabelChoice",
    "Labels",
    "Layers",
    "Link",
    "Loss",
    "Node",
    "NodeRecord",
    "NotRecognisedError",
    "NotWellFormedError",
    "Note",
    "OptionError",
    "Options",
    "PairDifference",
    "PairRelation",
    "Patch",
    "PatchDifference",
    "PatchError",
    "Place",
    "PossibleRelation",
    "Proof",
    "ReadError",
    "Reduction",
    "RefusedError",
    "Reply",
    "Said",
    "Scenarios",
    "Score",
    "Scorer",
    "Section",
    "Selection",
    "Share",
    "Signal",
    "Span",
    "StrictError",
    "Timeline",
    "TimelineRecord",
    "Timex",
    "TlexError",
    "TooLargeError",
    "UnknownNameError",
    "Verdict",
    "VerificationError",
    "Why",
    "Witness",
    "WriteError",
    "__version__",
    "agree",
    "ask",
    "check",
    "checker",
    "corpus",
    "decode",
    "diff",
    "draw",
    "export",
    "extract",
    "fix",
    "from_links",
    "lint",
    "merge",
    "parse",
    "read",
    "read_all",
    "readers",
    "repair",
    "score",
    "verify",
    "viewer",
    "write",
]

# Names are looked up when they are used, so that ``tlex --version`` need not load the library.
_MODULES = ("checker", "corpus", "draw", "export", "lint", "readers", "repair", "viewer")
_NAMES = {
    "tlex.checker": ("Verdict", "verify"),
    "tlex.comparison.agreeing": ("agree",),
    "tlex.comparison.agreements": (
        "Agreement",
        "AgreementFigures",
        "AgreementRecord",
        "DocumentAgreement",
        "Place",
    ),
    "tlex.comparison.difference_records": (
        "Consequence",
        "DifferenceRecord",
        "EntityDifference",
        "PairDifference",
        "Said",
    ),
    "tlex.comparison.differences": ("Difference", "DocumentDifference"),
    "tlex.comparison.diffing": ("diff",),
    "tlex.comparison.patches": ("ChangeDifference", "PatchDifference"),
    "tlex.comparison.questions": ("Reply", "ask"),
    "tlex.comparison.records": ("ClaimVerdict", "Share"),
    "tlex.comparison.scores": ("DocumentScore", "Score"),
    "tlex.comparison.scoring": ("Scorer", "score"),
    "tlex.document": ("Document",),
    "tlex.errors": (
        "AmbiguousError",
        "ComparisonError",
        "NotRecognisedError",
        "NotWellFormedError",
        "OptionError",
        "PatchError",
        "ReadError",
        "RefusedError",
        "StrictError",
        "TlexError",
        "TooLargeError",
        "UnknownNameError",
        "VerificationError",
        "WriteError",
    ),
    "tlex.export": ("Loss", "write"),
    "tlex.extraction": ("extract",),
    "tlex.lint": (
        "Baseline",
        "CheckRecord",
        "CheckResult",
        "Finding",
        "Note",
        "Selection",
        "check",
    ),
    "tlex.merging": ("merge",),
    "tlex.nouns": ("Diagnostic", "Event", "Instance", "Link", "Node", "Signal", "Span", "Timex"),
    "tlex.readers": ("Labels", "Layers", "from_links", "parse", "read", "read_all"),
    "tlex.records": (
        "Answer",
        "Break",
        "Closure",
        "Conflict",
        "Connection",
        "Constraint",
        "DateRange",
        "EntailedLink",
        "EventCondition",
        "EventRecord",
        "Events",
        "ExtractionRecord",
        "LabelChoice",
        "NodeRecord",
        "Options",
        "PairRelation",
        "PossibleRelation",
        "Proof",
        "Reduction",
        "Scenarios",
        "Section",
        "TimelineRecord",
        "Why",
        "Witness",
    ),
    "tlex.repair": (
        "Change",
        "DecodeRecord",
        "DecodeResult",
        "FilePatch",
        "FixRecord",
        "FixResult",
        "Patch",
        "decode",
        "fix",
    ),
    "tlex.result": ("Extraction",),
    "tlex.timeline": ("Timeline",),
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    from importlib import import_module  # noqa: PLC0415 -- the command line needs none

    if name in _MODULES:
        return import_module(f"tlex.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'tlex' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
