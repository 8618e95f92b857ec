"""The independent checker: every answer is proved again, by other means.

`verify` takes a document and what tlex says of it. It shares no code with the solver, has a Table 1
of its own (written as comparisons), and checks what proves each claim:

* a consistent timeline is proved by `tlex.checker.timelines`;
* a contradictory one is proved by its conflicts: each walk is followed, each minimal set is taken
  apart, and the rest is consistent without the ``<`` on the walks;
* the trunk is proved by reachability: every timeline is reached from a main one, and every timeline
  that leads to a main one is reached from it.

Near-linear, except for work that has a limit. What exceeds its limit is named in
`Verdict.unchecked`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from tlex.arguments import require_document, require_kind
from tlex.checker.answers import verify_why
from tlex.checker.constraints import Constraints, fold, is_satisfiable
from tlex.checker.timelines import Edge, Line, TimelineProof, listed_pairs, merge, reach
from tlex.checker.trunk import check_breaks, check_connections, check_trunk
from tlex.document import Document, Event, Instance, Node, Timex
from tlex.errors import VerificationError
from tlex.records import Conflict, ExtractionRecord, NodeRecord
from tlex.timeline import Extraction
from tlex.wording import count, represent

__all__ = ["Verdict", "verify", "verify_why"]

MINIMAL_LIMIT: Final = 400
"""The largest minimal set of which each link is taken away in turn."""

_KINDS: Final = {1: "i", 2: "ii"}

Answer: TypeAlias = Extraction | ExtractionRecord


class Verdict(Struct, frozen=True):
    """How much was proved; ``unchecked`` says what was too large to be proved again."""

    nodes: int
    timelines: int
    points: int
    constraints: int
    sections: int
    pairs: int
    conflicts: int
    connections: int
    breaks: int
    unchecked: tuple[str, ...]

    def __str__(self) -> str:
        """Say in a sentence what was proved, and in a line each what was not."""
        names = [name for name in self.__struct_fields__ if name != "unchecked"]
        numbers = [(getattr(self, name), name.removesuffix("s")) for name in names]
        proved = ", ".join(count(number, name) for number, name in numbers if number)
        missing = (f"not proved: {claim}" for claim in self.unchecked)
        return "\n".join((f"proved: {proved or 'an empty document'}", *missing))

    def __repr__(self) -> str:
        facts = f"{count(self.timelines, 'timeline')}, {count(self.conflicts, 'conflict')}"
        return represent(self, f"{facts}, {len(self.unchecked)} unchecked")


def __dir__() -> list[str]:
    return sorted(__all__)


def verify(document: Document, extraction: Answer) -> Verdict:
    """Prove that an extraction is right about its document, without the code that made it.

    Parameters
    ----------
    document : Document
        The document.
    extraction : Extraction or ExtractionRecord
        What `tlex.extract` gave, or the record of it, such as ``ExtractionRecord.from_json`` gives.

    Returns
    -------
    Verdict
        How much was proved; ``unchecked`` says what is too large to be proved again.

    Raises
    ------
    OptionError
        If something else than a document and its extraction is given.
    VerificationError
        On the first claim that is wrong.

    Examples
    --------
    >>> import tlex
    >>> document = tlex.read("examples/story.tml")
    >>> tlex.verify(document, tlex.extract(document)).timelines
    3

    See Also
    --------
    tlex.extract : extract the timelines of a document.
    """
    require_document(document)
    require_kind("extraction", extraction, Extraction | ExtractionRecord, "what tlex.extract gave")
    _check_heading(document, extraction)
    constraints = Constraints(document, extraction.options)
    _check_nodes(document, extraction.nodes)
    if tuple(extraction.diagnostics) != tuple(document.diagnostics):
        raise VerificationError("the diagnostics are not those of the document")
    timelines: Sequence[Line] = extraction.timelines
    owner = _check_partition(constraints, timelines)
    parts = constraints.share_out(owner, len(timelines))
    pairs = 0
    unchecked: list[str] = []
    for timeline, edges in zip(timelines, parts, strict=True):
        if not timeline.consistent:
            _check_silence(timeline)
            continue
        proof = TimelineProof(document, timeline, edges)
        proof.run()
        pairs += proof.pairs
        unchecked += proof.unchecked
    if extraction.consistent != all(timeline.consistent for timeline in timelines):
        raise VerificationError("the document is consistent if and only if all its timelines are")
    unchecked += _check_conflicts(constraints, extraction, parts)
    check_connections(document, extraction.connections, owner)
    trunk = check_trunk(document, extraction, owner)
    check_breaks(document, extraction, trunk)
    return Verdict(
        nodes=len(extraction.nodes),
        timelines=len(timelines),
        points=sum(len(timeline.points) for timeline in timelines),
        constraints=sum(map(len, parts)),
        sections=sum(len(timeline.sections) for timeline in timelines),
        pairs=pairs,
        conflicts=len(extraction.conflicts),
        connections=len(extraction.connections),
        breaks=len(extraction.breaks),
        unchecked=tuple(unchecked),
    )


def _check_heading(document: Document, extraction: Answer) -> None:
    """Check that the answer is about this document, and about a question that can be asked."""
    if isinstance(extraction, ExtractionRecord) and extraction.schema != "tlex/1":
        raise VerificationError(f"a report of schema {extraction.schema!r} is not known here")
    about = extraction.document
    if (about.name, about.format) != (document.name, document.format):
        raise VerificationError(f"the answer is about {about.name!r}, not about {document.name!r}")
    if extraction.options.links not in {("TLINK", "ALINK"), ("TLINK",), ("ALINK",)}:
        raise VerificationError(f"links are TLINK, ALINK, not {extraction.options.links!r}")


def _check_partition(constraints: Constraints, timelines: Sequence[Line]) -> list[int]:
    """Give the timeline of each node."""
    index = constraints.document.index
    owner = [-1] * len(index)
    begin = -1
    for number, timeline in enumerate(timelines):
        members = [index.get(name, -1) for name in timeline.intervals]
        if timeline.id != number:
            raise VerificationError(f"timeline {timeline.id} stands in the place of {number}")
        if not members or members[0] <= begin or members != sorted(set(members)):
            raise VerificationError(
                f"timeline {number}: an interval is not defined, or something is not in text order"
            )
        begin = members[0]
        for name, member in zip(timeline.intervals, members, strict=True):
            if owner[member] >= 0:
                raise VerificationError(
                    f"{name!r} is in the timelines {owner[member]} and {number}"
                )
            owner[member] = number
    if -1 in owner:
        missing = constraints.document.nodes[owner.index(-1)].id
        raise VerificationError(f"{missing!r} stands in no timeline")
    _check_connected(constraints, timelines, owner)
    return owner


def _check_connected(
    constraints: Constraints, timelines: Sequence[Line], owner: Sequence[int]
) -> None:
    near: dict[int, list[int]] = defaultdict(list)
    for link, edges in constraints.stated.items():
        one, other = edges[0].left // 2, edges[0].right // 2
        if owner[one] != owner[other]:
            raise VerificationError(
                f"link {link!r} leads from timeline {owner[one]} to timeline {owner[other]}"
            )
        near[one].append(other)
        near[other].append(one)
    for timeline in timelines:
        first = timeline.intervals[0]
        reached = reach([constraints.document.index[first]], near)
        for name in timeline.intervals:
            if constraints.document.index[name] not in reached:
                raise VerificationError(
                    f"timeline {timeline.id}: no links connect {first!r} and {name!r}"
                )


def _check_silence(timeline: Line) -> None:
    """Check that an inconsistent timeline has no steps, and nothing that needs steps."""
    lists = timeline.points, timeline.compounds, timeline.tied_steps, timeline.sections
    values = timeline.length, timeline.indeterminate_pairs, timeline.score, timeline.scenarios
    if any(lists) or any(value is not None for value in values) or listed_pairs(timeline):
        raise VerificationError(f"timeline {timeline.id} is inconsistent, yet has steps")


def _check_conflicts(
    constraints: Constraints, extraction: Answer, parts: Sequence[list[Edge]]
) -> list[str]:
    """Prove each inconsistent timeline inconsistent, and that nothing else contradicts itself."""
    broken = [timeline.id for timeline in extraction.timelines if not timeline.consistent]
    unchecked, earlier = [], -1
    proofs: dict[int, set[frozenset[Edge]]] = {number: set() for number in broken}
    merged = {number: merge(parts[number]) for number in broken}
    for number, conflict in enumerate(extraction.conflicts):
        place = f"conflict {number}, of timeline {conflict.timeline}"
        if conflict.timeline not in proofs or conflict.timeline < earlier:
            raise VerificationError(f"{place}: not an inconsistent timeline, or not in order")
        earlier = conflict.timeline
        steps = _check_walk(constraints, conflict, merged[earlier], place)
        if steps in proofs[earlier]:
            raise VerificationError(f"{place}: an earlier conflict has the same walk")
        proofs[earlier].add(steps)
        if not _check_minimal(constraints, conflict, place):
            unchecked.append(f"{place}: whether its minimal set is irreducible")
    for number, walks in proofs.items():
        if not walks:
            raise VerificationError(f"timeline {number}: no conflict shows it to be inconsistent")
        shown = {step for steps in walks for step in steps if step.order == "<"}
        if not is_satisfiable([edge for edge in parts[number] if edge not in shown]):
            raise VerificationError(f"timeline {number}: not all its contradictions are reported")
    return unchecked


def _check_walk(
    constraints: Constraints, conflict: Conflict, merged: dict[int, int], place: str
) -> frozenset[Edge]:
    """Follow the walk of a conflict; return its steps."""
    steps, walk = [], conflict.walk
    for step, following in zip(walk, [*walk[1:], *walk[:1]], strict=True):
        edge = constraints.find(step)
        if edge is None or edge.left not in merged:
            source = "an interval of its own" if step.link is None else f"link {step.link!r}"
            raise VerificationError(
                f"{place}: {step} is no constraint of {source} in that timeline"
            )
        if step.right != following.left:
            raise VerificationError(f"{place}: {step} does not lead to {following}")
        steps.append(edge)
    if all(step.order == "=" for step in walk):
        raise VerificationError(f"{place}: no step of the walk is <")
    named = {step.link for step in walk if step.link is not None}
    links = sorted(named, key=constraints.place.__getitem__)
    if list(conflict.links) != links:
        raise VerificationError(f"{place}: the links on the walk are {links}, in document order")
    compounds = len({merged[edge.left] for edge in steps})
    if conflict.kind != _KINDS.get(compounds, "iii"):
        raise VerificationError(f"{place}: {compounds} compounds are not kind {conflict.kind!r}")
    return frozenset(steps)


def _check_minimal(constraints: Constraints, conflict: Conflict, place: str) -> bool:
    """Prove a minimal set contradictory and irreducible; False if too large for the second."""
    minimal = list(conflict.minimal)
    if minimal != [link for link in conflict.links if link in set(minimal)]:
        raise VerificationError(f"{place}: the minimal set is not of its links, in document order")
    if not constraints.is_contradictory(minimal):
        raise VerificationError(f"{place}: the minimal set does not contradict itself")
    if len(minimal) > MINIMAL_LIMIT:
        return False
    for link in minimal:
        if constraints.is_contradictory(other for other in minimal if other != link):
            raise VerificationError(f"{place}: the minimal set is contradictory without {link!r}")
    return True


def _check_nodes(document: Document, nodes: Sequence[NodeRecord]) -> None:
    into: dict[str, set[str]] = defaultdict(set)
    for link in document.links:
        if link.kind != "SLINK" or link.type is None:
            continue
        source, target = link.source or "", link.target or ""
        if source in document.index and target in document.index:
            into[target].add(link.type)
            if link.type == "CONDITIONAL":
                into[source].add(link.type)
    events = {event.id: event for event in reversed(document.events)}  # the first one wins
    if len(nodes) != len(document.nodes):
        raise VerificationError(f"the document has {len(document.nodes)} nodes, not {len(nodes)}")
    for claimed, node in zip(nodes, document.nodes, strict=True):
        event = events.get(node.event or "") if isinstance(node, Instance) else None
        real = _describe(document, node, event, into[node.id])
        for field in NodeRecord.__struct_fields__:
            said, found = getattr(claimed, field), getattr(real, field)
            if said != found:
                raise VerificationError(f"node {node.id!r}: the {field} is {found!r}, not {said!r}")


def _describe(
    document: Document, node: Node, event: Event | None, into: Collection[str]
) -> NodeRecord:
    """Describe a node from the document; an instance has the place of its event's words."""
    attributes = {**event.attributes, **node.attributes} if event else node.attributes
    line, column = document.position((event or node).byte_start)
    time = isinstance(node, Timex)
    return NodeRecord(
        id=node.id,
        kind="time" if time else "event",
        text=document.words(node),
        line=line,
        column=column,
        span=node.span,
        value=attributes.get("value") if time else None,
        factuality="factual" if time else _judge(attributes, into),
        type=attributes.get("type" if time else "class"),
        event=node.event if isinstance(node, Instance) else None,
    )


def _judge(attributes: dict[str, str], into: Collection[str]) -> str:
    """Find an event's factuality from the SLINKs into it, its modality and its polarity (R9)."""
    if "COUNTER_FACTIVE" in into or "NEGATIVE_EVIDENTIAL" in into:
        return "counterfactual"
    if "CONDITIONAL" in into:
        return "conditional"
    if "MODAL" in into or fold(attributes.get("modality")) not in {"", "none"}:
        return "possible"
    if fold(attributes.get("polarity")) == "neg":
        return "negated"
    return "reported" if "EVIDENTIAL" in into else "factual"
