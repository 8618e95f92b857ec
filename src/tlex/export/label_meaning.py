"""Labels that mean something else in a document: a label that says the same everywhere."""

from __future__ import annotations

from tlex.algebra import LABELS
from tlex.document import Document
from tlex.export.losses import Losses
from tlex.nouns import Link

__all__ = ["find_plain_type"]


def find_plain_type(link: Link, document: Document, losses: Losses) -> str | None:
    """Give the type of a link, or one that says the same if it has a meaning of its own here."""
    known = LABELS.get(link.kind, {})
    own = document.labels.get(link.kind, {}).get(link.type or "")
    if not own or link.type is None or own == known.get(link.type):
        return link.type
    same = next((label for label, row in known.items() if set(row) == set(own)), None)
    if same is None:
        return link.type
    message = "types of links, written as one that says the same"
    losses.add(message, f"{link.type} as {same}")
    return same
