"""What a format cannot hold: counted as a document is written, so nothing is lost in silence."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from tlex.document import Document, Link

__all__ = ["Loss", "Losses", "count_unheld"]

_EXAMPLES = 5


class Loss(Struct, frozen=True):
    """One way in which what was written differs from the document, how often, and a few cases."""

    what: str
    count: int
    examples: tuple[str, ...] = ()


class Losses:
    """Collects what is lost or changed."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._examples: dict[str, list[str]] = {}

    def add(self, what: str, example: str = "", number: int = 1) -> None:
        """Count something; the first few examples are kept."""
        if not number:
            return
        self._counts[what] += number
        kept = self._examples.setdefault(what, [])
        if example and example not in kept and len(kept) < _EXAMPLES:
            kept.append(example)

    def list(self) -> tuple[Loss, ...]:
        """Give what was counted, in the order in which it came up first."""
        return tuple(
            Loss(what, number, tuple(self._examples[what])) for what, number in self._counts.items()
        )


def count_unheld(
    document: Document, *, links: bool, signals: bool, weights: bool
) -> tuple[Loss, ...]:
    """Count what tables and drawings of a result leave out of its document.

    They hold nodes with their words, and links; never the text itself nor further attributes. The
    flags say whether links with an undefined end, the signals of links, and weights are held.
    """
    losses = Losses()
    losses.add("characters of the text", number=len(document.text))
    losses.add("words that mark a relation (SIGNAL)", number=len(document.signals))
    for noun in (*document.events, *document.instances, *document.timexes):
        for key in noun.attributes.keys() - _HELD:
            losses.add("attributes of events and times", key)
    if not links:
        for link in document.links:
            if not _has_ends(document, link):
                losses.add("links with an end that the document does not define", link.id)
    for link in document.links:
        if link.signal and not signals:
            losses.add("the signals of links", link.id)
        if link.weight is not None and not weights:
            losses.add("the weights of links", link.id)
    losses.add(
        "labels of one's own: what they mean", number=sum(map(len, document.labels.values()))
    )
    return losses.list()


_HELD = frozenset(
    (*("eid", "eiid", "eventID", "tid", "sid", "m_id", "id"), *("type", "class", "value"))
)
"""Attributes that tables and drawings have as fields of their own."""


def _has_ends(document: Document, link: Link) -> bool:
    return link.source in document.index and link.target in document.index
