"""What a document says, in columns and without nouns: for what looks at very many documents.

An `Overview` knows them. A reader may have one of its own, which needs no nouns; `NounOverview`
makes the same of the nouns.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from msgspec import Struct
from msgspec.structs import asdict

from tlex.nouns import Event, Instance, Link, Node, Signal, Span, Timex

__all__ = [
    "CheckColumns",
    "LinkColumns",
    "Marks",
    "NodeColumns",
    "NounOverview",
    "Overview",
    "Places",
    "Relations",
    "SubordinatingLink",
]


class Relations(Struct, frozen=True, gc=False):
    """The links that order nodes, in columns: what the five steps need to know of a document.

    Kind, code of the label, numbers of the two nodes, and the link's number in the document.
    ``count`` is how many links the document has, with those that order nothing. A document that has
    relations has no weights.
    """

    kinds: list[str]
    labels: list[int]
    sources: list[int]
    targets: list[int]
    numbers: list[int]
    count: int

    def __repr__(self) -> str:
        return f"<Relations of {len(self.numbers)} links>"


class Places(Struct, frozen=True, gc=False):
    """Which nodes a document has, and where in the text: columns in the order of the nodes.

    ``starts`` and ``ends`` say where a node stands in ``text``; they are -1 for a node without a
    place. ``events`` has the ids of the events whose instances the nodes are, and None for other
    nodes. ``times`` says which nodes are times. ``functions`` has what these say of their function
    in the document, by id, where they say something.
    """

    text: str
    ids: list[str]
    starts: list[int]
    ends: list[int]
    events: list[str | None]
    times: list[bool]
    functions: dict[str, str]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.ids)} nodes>"


class NodeColumns(Places, frozen=True, gc=False):
    """What a document says of its nodes, without a noun: their places, and further columns.

    ``types`` has the classes of events and the types of times, and ``values`` those of times.
    ``modalities`` and ``polarities`` are those of events, and empty where nothing is said. What an
    instance does not say itself, its event says. ``offsets`` says where the words are marked in the
    file, in bytes.
    """

    types: list[str | None]
    values: list[str | None]
    modalities: list[str]
    polarities: list[str]
    offsets: list[int]


class LinkColumns(Struct, frozen=True, gc=False):
    """All links of a document, in columns, in document order: what each has as a noun."""

    ids: list[str]
    kinds: list[str]
    types: list[str | None]
    sources: list[str | None]
    targets: list[str | None]
    signals: list[str | None]
    weights: list[float | None]

    def __repr__(self) -> str:
        return f"<LinkColumns of {len(self.ids)} links>"


class CheckColumns(Struct, frozen=True, gc=False):
    """What checks want to know of a document besides its times, without a noun.

    ``signals`` are the ids of the signals, and ``named`` is what instances and links say of theirs.
    ``polarities`` are what the instances say themselves. None where one says nothing.
    """

    signals: list[str]
    named: list[str | None]
    polarities: list[str | None]

    def __repr__(self) -> str:
        return f"<CheckColumns of {len(self.polarities)} instances>"


class Marks(Struct, frozen=True, gc=False):
    """How many events and signals a document has."""

    events: int
    signals: int


SubordinatingLink = tuple[str, str | None, str | None, str | None]
"""What an SLINK says: its id, its type, and the ids of its source and target."""


class Overview:
    """What is known of a document before its nouns are made; None where only these tell."""

    def times(self) -> dict[str, dict[str, str]] | None:
        """The attributes of all nodes that are times, by id, in document order."""
        return None

    def places(self) -> Places | None:
        """Which nodes there are, and where in the text."""
        return None

    def node_columns(self) -> NodeColumns | None:
        """What the document says of the nodes, and its text."""
        return None

    def has_nodes_of(self, other: Overview) -> bool:  # noqa: ARG002
        """Whether another document surely has the same nodes in the same places."""
        return False

    def slinks(self) -> list[SubordinatingLink] | None:
        """What the SLINKs say."""
        return None

    def link_ids(self) -> list[str] | None:
        """The ids of all links."""
        return None

    def calendar(self) -> list[Link] | None:
        """The links that follow from values."""
        return None

    def link_columns(self) -> LinkColumns | None:
        """What all links say."""
        return None

    def check_columns(self) -> CheckColumns | None:
        """What checks look at besides."""
        return None

    def marks(self) -> Marks | None:
        """How many events and signals there are."""
        return None

    def marked_end(self) -> int | None:
        """Where in the file the last element ends that has a place in the text; 0 for none."""
        return None

    def sentences(self) -> tuple[Span, ...] | None:
        """The sentences that the file marks."""
        return None

    def link(self, number: int) -> Link | None:  # noqa: ARG002
        """The link of a number."""
        return None


class Nouns(Protocol):
    """The nouns of a document, and its text."""

    text: str
    events: tuple[Event, ...]
    instances: tuple[Instance, ...]
    timexes: tuple[Timex, ...]
    signals: tuple[Signal, ...]
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]


class NounOverview(Overview):
    """The same from the nouns, which tell all but the sentences that a file marks."""

    def __init__(self, nouns: Nouns) -> None:
        self._nouns = nouns

    def times(self) -> dict[str, dict[str, str]]:
        """The attributes of all nodes that are times, by id."""
        return {node.id: node.attributes for node in self._nouns.nodes if isinstance(node, Timex)}

    def places(self) -> Places:
        """Which nodes there are, and where in the text."""
        nodes = self._nouns.nodes
        return Places(
            text=self._nouns.text,
            ids=[node.id for node in nodes],
            starts=[node.text_start for node in nodes],
            ends=[node.text_end for node in nodes],
            events=[node.event if isinstance(node, Instance) else None for node in nodes],
            times=[isinstance(node, Timex) for node in nodes],
            functions={
                name: said["functionInDocument"]
                for name, said in self.times().items()
                if said.get("functionInDocument")
            },
        )

    def node_columns(self) -> NodeColumns:
        """What the document says of the nodes, and its text."""
        nodes = self._nouns.nodes
        first_ones = reversed(self._nouns.events)  # of several with one id
        events = {event.id: event for event in first_ones}
        marked = [
            events.get(node.event or "", node) if isinstance(node, Instance) else node
            for node in nodes
        ]
        said = [  # by each node itself, or else by its event
            {**other.attributes, **node.attributes}
            for node, other in zip(nodes, marked, strict=True)
        ]
        return NodeColumns(
            **asdict(self.places()),
            types=[
                own.get("type") if isinstance(node, Timex) else own.get("class")
                for node, own in zip(nodes, said, strict=True)
            ],
            values=[node.value if isinstance(node, Timex) else None for node in nodes],
            modalities=_list_said("modality", nodes, said),
            polarities=_list_said("polarity", nodes, said),
            offsets=[node.byte_start for node in marked],
        )

    def slinks(self) -> list[SubordinatingLink]:
        """What the SLINKs say."""
        return [
            (link.id, link.type, link.source, link.target)
            for link in self._nouns.links
            if link.kind == "SLINK"
        ]

    def link_ids(self) -> list[str]:
        """The ids of all links."""
        return [link.id for link in self._nouns.links]

    def calendar(self) -> list[Link]:
        """The links that follow from values."""
        return [link for link in self._nouns.links if link.kind == "CALENDAR"]

    def link_columns(self) -> LinkColumns:
        """What all links say."""
        links = self._nouns.links
        return LinkColumns(
            ids=[link.id for link in links],
            kinds=[link.kind for link in links],
            types=[link.type for link in links],
            sources=[link.source for link in links],
            targets=[link.target for link in links],
            signals=[link.signal for link in links],
            weights=[link.weight for link in links],
        )

    def check_columns(self) -> CheckColumns:
        """What checks look at besides."""
        nouns = (*self._nouns.instances, *self._nouns.links)
        return CheckColumns(
            signals=[signal.id for signal in self._nouns.signals],
            named=[noun.attributes.get("signalID") for noun in nouns],
            polarities=[instance.attributes.get("polarity") for instance in self._nouns.instances],
        )

    def marks(self) -> Marks:
        """How many events and signals there are."""
        return Marks(events=len(self._nouns.events), signals=len(self._nouns.signals))

    def marked_end(self) -> int:
        """Where in the file the last element ends that has a place in the text; 0 for none."""
        nouns = (*self._nouns.events, *self._nouns.timexes, *self._nouns.signals)
        marked = [noun for noun in nouns if noun.text_start >= 0]
        last = max((noun.text_end for noun in marked), default=0)
        # What ends last in the file ends last in the text: no other end need be looked for.
        return max((noun.byte_end for noun in marked if noun.text_end == last), default=0)


def _list_said(name: str, nodes: Iterable[Node], said: Iterable[dict[str, str]]) -> list[str]:
    """List an attribute of events; empty for times."""
    return [
        "" if isinstance(node, Timex) else own.get(name, "")
        for node, own in zip(nodes, said, strict=True)
    ]
