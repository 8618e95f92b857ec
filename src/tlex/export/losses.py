"""Losses: what of a document a written file does not contain, counted and reported."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from msgspec import Struct

from tlex.document import Document
from tlex.export.attribute_keys import further
from tlex.markup import scan
from tlex.nouns import Link, Node, Signal
from tlex.wording import represent

__all__ = [
    "DocumentLosses",
    "Held",
    "Loss",
    "Losses",
    "TotalLosses",
    "count_skipped",
    "count_unheld",
]

_EXAMPLES = 5
_READ = frozenset(
    (
        *("EVENT", "TIMEX3", "SIGNAL", "MAKEINSTANCE", "TimeML"),
        *("TLINK", "ALINK", "SLINK", "GLINK", "CLINK"),
    )
)


class Loss(Struct, frozen=True):
    """A kind of difference between a document and the written file: its number, with examples.

    ``kept`` means that nothing is lost: it is written although the format does not allow it.
    """

    what: str
    count: int
    examples: tuple[str, ...] = ()
    kept: bool = False

    def __repr__(self) -> str:
        return represent(self, f"{self.count:,} {self.what}")


class DocumentLosses(Struct, frozen=True):
    """The losses of writing a document in the format ``to``."""

    document: str
    to: str
    losses: tuple[Loss, ...]

    @property
    def incomplete(self) -> bool:
        """Whether something of the document is lost."""
        return any(not loss.kept for loss in self.losses)


class TotalLosses:
    """Adds up the losses of many documents."""

    def __init__(self) -> None:
        self.documents = 0
        self.incomplete = 0
        self._counts: Counter[tuple[str, bool]] = Counter()

    def add(self, lost: DocumentLosses) -> None:
        """Add the losses of one more document."""
        self.documents += 1
        self.incomplete += lost.incomplete
        for loss in lost.losses:
            self._counts[loss.what, loss.kept] += loss.count

    def list(self) -> tuple[Loss, ...]:
        """Give the sums, in the order in which the kinds of losses were first found."""
        return tuple(Loss(what, number, kept=kept) for (what, kept), number in self._counts.items())


class Losses:
    """Counts what is lost, changed, or kept although the format does not allow it."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, bool]] = Counter()
        self._examples: dict[str, list[str]] = {}

    def add(self, what: str, example: str = "", number: int = 1) -> None:
        """Count something that is lost or changed; the first few examples are kept."""
        self._add(what, example, number, kept=False)

    def keep(self, what: str, example: str = "") -> None:
        """Count something that stays although the format does not allow it."""
        self._add(what, example, 1, kept=True)

    def list(self) -> tuple[Loss, ...]:
        """Give what was counted, in the order in which it was first found."""
        return tuple(
            Loss(what, number, tuple(self._examples[what]), kept)
            for (what, kept), number in self._counts.items()
        )

    def _add(self, what: str, example: str, number: int, *, kept: bool) -> None:
        if not number:
            return
        self._counts[what, kept] += number
        examples = self._examples.setdefault(what, [])
        if example and example not in examples and len(examples) < _EXAMPLES:
            examples.append(example)


class Held(NamedTuple):
    """What a format for results contains of a document; never the text or all attributes."""

    words: int | None = None  # up to how many characters of an expression; None: all
    values: bool = True
    links: str = "all"  # or "defined" (with both ends), "ordering" (TLINK, ALINK), "none"
    fields: bool = True  # signals and weights of links


def count_unheld(document: Document, held: Held) -> Losses:
    """Count what a format for results does not contain of the document."""
    losses = Losses()
    count_skipped(document, losses)
    losses.add("characters of the text", number=len(document.text))
    losses.add("words that mark a relation (SIGNAL)", number=len(document.signals))
    _count_attributes(document, losses, values=held.values)
    if held.words is not None:
        for node in document.nodes:
            if len(document.words(node)) > held.words:
                losses.add("words of events and times", node.id)
    _count_links(document, held, losses)
    return losses


def count_skipped(document: Document, losses: Losses) -> None:
    """Count the elements of a file that tlex does not read, and the user's own labels."""
    skipped: dict[str, int] = document.skipped
    if document.format == "timeml" and document.source is not None:
        names = (token.name for token in scan(document.source))
        skipped = Counter(name for name in names if name and name not in _READ)
    for name, number in skipped.items():
        losses.add("elements of the file that tlex does not read", name, number)
    labels = sum(map(len, document.labels.values()))
    losses.add("labels of one's own: what they mean", number=labels)


def _count_attributes(document: Document, losses: Losses, *, values: bool) -> None:
    held = ("class", "type", "value") if values else ()
    nodes: list[Node] = [*document.events, *document.instances, *document.timexes]
    for noun in nodes:
        for key in further(noun):
            if key not in held:
                losses.add("attributes of events and times", key)
    others: list[Signal | Link] = [*document.signals, *document.links]
    for other in others:
        for key in further(other):
            losses.add("attributes of links and signals", key)


def _count_links(document: Document, held: Held, losses: Losses) -> None:
    index = document.index
    for link in document.links:
        if held.links == "none":
            losses.add("links", link.kind)
        elif held.links != "all" and (link.source not in index or link.target not in index):
            losses.add("links with an end that the document does not define", link.id)
        elif held.links == "ordering" and link.kind not in {"TLINK", "ALINK"}:
            losses.add("links that order nothing", link.id)
        elif held.links == "ordering":
            losses.add("types of links", link.type or "")
        if link.signal and not held.fields:
            losses.add("the signals of links", link.id)
        if link.weight is not None and not held.fields:
            losses.add("the weights of links", link.id)
