"""Factuality: what the annotation says about whether an event happened.

A reading of our own (R9), outside the proofs. What marks an event itself decides: the SLINKs into
it, both ends of a CONDITIONAL, its polarity and its modality; of these the first that applies. An
event that nothing marks is what its timeline is: factual on the trunk, and on a branch what the
SLINKs say that lead into the branch.
"""

from __future__ import annotations

from collections import Counter

from msgspec import UNSET

from tlex.document import Document, Instance, Node, Timex
from tlex.records import NodeRecord
from tlex.result import Extraction

__all__ = ["count_negated", "describe_nodes", "judge_nodes"]

_FACTUAL, _UNASSERTED = "factual", "unasserted"
_LEVELS = ("counterfactual", "conditional", "possible", "negated", "reported", _FACTUAL)
_SAID_BY = {
    "COUNTER_FACTIVE": "counterfactual",
    "NEGATIVE_EVIDENTIAL": "counterfactual",
    "CONDITIONAL": "conditional",
    "MODAL": "possible",
    "EVIDENTIAL": "reported",
    "FACTIVE": _FACTUAL,
}


def describe_nodes(result: Extraction) -> tuple[NodeRecord, ...]:
    """Describe each node of a result, in text order: words, place, value, factuality."""
    document = result.document
    marked = _find_marked(document)
    source = document.source
    places = (
        source.positions(shown.byte_start for shown in marked if shown.byte_start >= 0)
        if source
        else {}
    )
    nodes = []
    judged = _judge_shown(result, marked)
    dates = result.dates
    world_of = result.world_of
    nowhere = None, None
    for number, (node, shown, factuality) in enumerate(
        zip(document.nodes, marked, judged, strict=True)
    ):
        line, column = places.get(shown.byte_start, nowhere)
        home, own = document.home(node) if document.documents else (document, node.id)
        nodes.append(
            NodeRecord(
                id=node.id,
                kind="time" if isinstance(node, Timex) else "event",
                text=document.words(node),
                line=line,
                column=column,
                span=node.span if home is document else _find_own(home, own, node).span,
                value=node.value if isinstance(node, Timex) else None,
                factuality=factuality,
                type=shown.type
                if isinstance(shown, Timex)
                else node.attributes.get("class", shown.attributes.get("class")),
                event=node.event if isinstance(node, Instance) else None,
                world=world_of[number],
                date=dates[number] if dates else None,
                source=UNSET if home is document else home.name,
            )
        )
    return tuple(nodes)


def _find_own(home: Document, own: str, node: Node) -> Node:
    return home.get(own) or node


def judge_nodes(result: Extraction) -> list[str]:
    """Give the factuality of each node of a result, in text order."""
    return _judge_shown(result, _find_marked(result.document))


def _judge_shown(result: Extraction, marked: list[Node]) -> list[str]:
    said = _hear_links(result.document)
    unmarked = _judge_worlds(result)
    return [
        _FACTUAL
        if isinstance(node, Timex)
        else _judge(node, shown, said.get(node.id), unmarked[number])
        for node, shown, number in zip(result.document.nodes, marked, result.world_of, strict=True)
    ]


def _judge_worlds(result: Extraction) -> list[str]:
    """Say for each world what its events are that nothing marks.

    A world is a part that links connect, a timeline if there is no calendar. On a main one they
    are factual. On any other they are what the SLINKs into it say of their
    targets, if these agree. If they do not, if one has no known type, or if there are none, they
    are unasserted. Only SLINKs that make a branch count (R10).
    """
    said: list[set[str]] = [set() for _ in range(max(result.world_of, default=-1) + 1)]
    types = result.options.subordinating
    for connection in result.crossings:
        if types is None or connection.type in types:
            said[connection.target_timeline].add(_SAID_BY.get(connection.type or "", _UNASSERTED))
    judged = [words.pop() if len(words) == 1 else _UNASSERTED for words in said]
    for number in result.main_worlds[0]:
        judged[number] = _FACTUAL
    return judged


def _find_marked(document: Document) -> list[Node]:
    """What is marked in the text for each node: an instance's event, else the node itself.

    Of several events with one id it is the first.
    """
    events = {event.id: event for event in reversed(document.events)}
    return [
        events.get(node.event or "", node) if isinstance(node, Instance) else node
        for node in document.nodes
    ]


def _hear_links(document: Document) -> dict[str, set[str]]:
    """What the SLINKs say about each event."""
    said: dict[str, set[str]] = {}
    for link in document.links:
        word = _SAID_BY.get(link.type or "") if link.kind == "SLINK" else None
        if word is None or link.source not in document.index or link.target not in document.index:
            continue
        ends = (link.source, link.target) if link.type == "CONDITIONAL" else (link.target,)
        for end in ends:
            if end is not None:
                said.setdefault(end, set()).add(word)
    return said


def _judge(node: Node, shown: Node, said: set[str] | None, unmarked: str) -> str:
    own, shared = node.attributes, shown.attributes
    modality = own["modality"] if "modality" in own else shared.get("modality")
    if modality and modality.strip() and modality.strip().upper() != "NONE":
        said = (said or set()) | {"possible"}
    polarity = own["polarity"] if "polarity" in own else shared.get("polarity")
    if polarity and polarity != "POS" and _is_negated(node, shown):
        said = (said or set()) | {"negated"}
    return next(level for level in _LEVELS if level in said) if said else unmarked


def count_negated(document: Document) -> Counter[bool]:
    """Count the events of a document that are negated, and those that are not."""
    return Counter(
        _is_negated(node, shown)
        for node, shown in zip(document.nodes, _find_marked(document), strict=True)
        if not isinstance(node, Timex)
    )


def _is_negated(node: Node, shown: Node) -> bool:
    """Whether the polarity is NEG: that of an instance, or else that of its event."""
    own = node.attributes
    polarity = own["polarity"] if "polarity" in own else shown.attributes.get("polarity", "")
    return polarity.strip().upper() == "NEG"
