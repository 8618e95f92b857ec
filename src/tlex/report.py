"""An answer as plain data: what is written as JSON, and what the JSON Schema is made from.

The attributes of a live `Timeline` and `Extraction` mirror the fields here, and they share the
small nouns: sections, conflicts, connections, breaks. `tlex.verify` accepts both.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tlex.document import Diagnostic, Span
from tlex.errors import OptionError

__all__ = [
    "SCHEMA",
    "Break",
    "Conflict",
    "Connection",
    "Constraint",
    "DocumentReport",
    "Interval",
    "Options",
    "Report",
    "Scenarios",
    "Section",
    "TimelineReport",
]

SCHEMA = "tlex/1"


class Options(Struct, frozen=True):
    """What was asked for."""

    links: tuple[str, ...] = ("TLINK", "ALINK")
    times: str = "interval"
    main: tuple[str, ...] | None = None
    subordinating: tuple[str, ...] | None = None


class Interval(Struct, frozen=True):
    """A node of the document: an event's instance or a time.

    ``type`` is an event's class or a time's type; ``event`` the id of an instance's EVENT.
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


class Section(Struct, frozen=True):
    """An undetermined stretch: the steps ``first`` to ``last`` and the points on them."""

    first: int
    last: int
    points: tuple[str, ...]


class Scenarios(Struct, frozen=True):
    """How many orderings a timeline admits; at least that many where it is not exact."""

    count: int
    exact: bool


class Constraint(Struct, frozen=True):
    """One step of a conflict's walk; ``link`` is None for an interval's own ``I- < I+``."""

    left: str
    order: str
    right: str
    link: str | None

    def __str__(self) -> str:
        return f"{self.left} {self.order} {self.right}"


class Conflict(Struct, frozen=True):
    """A proof that a timeline is inconsistent: a closed walk with at least one ``<``.

    ``links`` are the links on the walk; ``minimal`` is an irreducible set of them that is
    contradictory by itself: without any one of it, the rest is consistent.
    """

    timeline: int
    kind: str
    walk: tuple[Constraint, ...]
    links: tuple[str, ...]
    minimal: tuple[str, ...]

    def __str__(self) -> str:
        steps = "".join(f" {step.order} {step.right}" for step in self.walk)
        return f"{self.walk[0].left}{steps}"


class Connection(Struct, frozen=True):
    """An SLINK that crosses from one timeline to another."""

    link: str
    type: str | None
    source: str
    target: str
    source_timeline: int
    target_timeline: int


class Break(Struct, frozen=True):
    """Where two neighbouring main timelines come closest in the text.

    ``words`` counts the words between the two expressions; None where a timeline has no
    expression in the text, and then the first of its intervals stands for it.
    """

    first_timeline: int
    second_timeline: int
    first: str
    second: str
    words: int | None


class TimelineReport(Struct, frozen=True):
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
    pairs: tuple[tuple[str, str], ...] | UnsetType = UNSET


class DocumentReport(Struct, frozen=True):
    """Which document a report is about."""

    name: str
    format: str


class Report(Struct, frozen=True):
    """An `Extraction` as plain data: one JSON object of the contract ``tlex/1``."""

    schema: str
    tlex: str
    document: DocumentReport
    options: Options
    consistent: bool
    nodes: tuple[Interval, ...]
    timelines: tuple[TimelineReport, ...]
    connections: tuple[Connection, ...]
    breaks: tuple[Break, ...]
    conflicts: tuple[Conflict, ...]
    diagnostics: tuple[Diagnostic, ...]

    def to_json(self) -> bytes:
        """Encode as one line of JSON, without a line end."""
        return msgspec.json.encode(self)

    @classmethod
    def from_json(cls, line: str | bytes) -> Report:
        """Decode what `to_json` or ``tlex extract --json`` wrote."""
        try:
            return msgspec.json.decode(line, type=cls)
        except msgspec.MsgspecError as error:
            raise OptionError(f"not a report of schema {SCHEMA}: {error}") from error
