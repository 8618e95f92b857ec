"""What a document says, in columns and without nouns: for what looks at very many documents."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["CheckColumns", "LinkColumns", "Marks", "NodeColumns", "Relations", "SubordinatingLink"]


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


class NodeColumns(Struct, frozen=True, gc=False):
    """What a document says of its nodes, without a noun: columns in the order of the nodes.

    ``starts`` and ``ends`` say where a node stands in ``text``; they are -1 for a node without a
    place. ``events`` has the ids of the events whose instances the nodes are, and None for other
    nodes. ``times`` says which nodes are times. ``types`` has the classes of events and the types
    of times, and ``values`` those of times. ``modalities`` and ``polarities`` are those of events,
    and empty where nothing is said. What an instance does not say itself, its event says.
    ``offsets`` says where the words are marked in the file, in bytes.
    """

    text: str
    ids: list[str]
    starts: list[int]
    ends: list[int]
    events: list[str | None]
    times: list[bool]
    types: list[str | None]
    values: list[str | None]
    modalities: list[str]
    polarities: list[str]
    offsets: list[int]

    def __repr__(self) -> str:
        return f"<NodeColumns of {len(self.ids)} nodes>"


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
