"""Results as plain data: what is written as JSON, and what the JSON Schema is made from.

One module for each kind of result. A module is loaded when one of its names is used, so that a
command pays only for the results that it gives.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tlex.records.answers import (
        Answer,
        Closure,
        EntailedLink,
        EventCondition,
        EventRecord,
        Events,
        Expression,
        LinkInWords,
        PairRelation,
        PointOrders,
        PossibleRelation,
        Proof,
        Reduction,
        Why,
        Witness,
    )
    from tlex.records.extractions import (
        SCHEMA,
        Break,
        CalendarLink,
        Conflict,
        Connection,
        Constraint,
        DateRange,
        DocumentRecord,
        ExtractionRecord,
        NodeRecord,
        Options,
        Scenarios,
        Section,
        TimelineRecord,
    )
    from tlex.records.repairs import (
        Decision,
        DecisionOption,
        DecodeOptions,
        DecodeRecord,
        FixOptions,
        FixRecord,
        LabelChoice,
        SuspectValue,
        ValueProposal,
    )
    from tlex.records.verifications import (
        VerificationRecord,
    )

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

_NAMES = {
    "tlex.records.answers": (
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
    ),
    "tlex.records.extractions": (
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
    ),
    "tlex.records.repairs": (
        "Decision",
        "DecisionOption",
        "DecodeOptions",
        "DecodeRecord",
        "FixOptions",
        "FixRecord",
        "LabelChoice",
        "SuspectValue",
        "ValueProposal",
    ),
    "tlex.records.verifications": ("VerificationRecord",),
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'tlex.records' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
