"""Repairs, their decisions, and choices of labels, as plain data."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tlex.records.extractions import CalendarLink, Conflict, DocumentRecord
from tlex.wording import list_names, name_node, represent

__all__ = [
    "Decision",
    "DecisionOption",
    "DecodeOptions",
    "DecodeRecord",
    "FixOptions",
    "FixRecord",
    "LabelChoice",
    "SuspectValue",
    "ValueProposal",
]


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
        return represent(self, f"{self.number}: {self.action} {list_names(self.links)}")


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
        return represent(
            self, f"{self.number}, links {list_names(self.links)}, chosen {self.chosen}"
        )


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
