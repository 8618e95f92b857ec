"""What an event is if it is no plain fact: the one rule, and the one table of its words.

The rows of the first glance, the marks of the items and the titles of boxes all have their words
from here, so that an event is called the same wherever it is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tlex.draw.reading.parts import Item, Mark

__all__ = ["HAPPENED", "KINDS", "LOOSE", "list_marks", "name_kind", "say_what_is_told"]

LOOSE = "unordered"
"""The kind of the events of unknown order."""

KINDS = {
    LOOSE: "Order not known",
    "open": "Not certain to happen",
    "told": "Only claimed",
    "future": "Had not happened yet",
    "not": "Said not to happen",
}
"""The title of each kind, in the order of the rows. A kind also names the look of its events."""

HAPPENED = frozenset({"fact", "told"})
"""The looks of the events that happened, as far as the text says."""

_FACT = "taken as a fact"

_LOOKS = {
    "factual": "",
    "reported": "told",
    "possible": "open",
    "conditional": "open",
    "unasserted": "open",
    "negated": "not",
    "counterfactual": "not",
}
_CLAIMABLE = frozenset({"factual", "unasserted"})
"""The factualities of which nothing but an SLINK without a type may be known."""


def list_marks(factuality: str, *, future: bool = False, claimed_by: str = "") -> Iterator[Mark]:
    """Say what an event is; of a plain fact there is nothing to say.

    An event of the ``future`` began after its text was written. ``claimed_by`` are the words of the
    event by which it is told, if no more is known of it. Whether something is not certain to happen
    or said not to happen counts more than that it is in the future.

    >>> [mark.words for mark in list_marks("reported", future=True)]
    ['only claimed', 'had not happened yet']
    """
    claimed = bool(claimed_by) and factuality in _CLAIMABLE
    look = "told" if claimed else _LOOKS[factuality]
    if look:
        yield Mark(look, f"{name_kind(look)}: {claimed_by}" if claimed else name_kind(look))
    if future and look in {"", "told"}:
        yield Mark("future", name_kind("future"))


def say_what_is_told(items: Iterable[Item]) -> str:
    """Say what the events of a box are, in the words of their marks; empty if it has none."""
    told = [{mark.look for mark in item.marks} for item in items if item.kind == "event"]
    if not told:
        return ""
    shared, found = set.intersection(*told), set.union(*told)
    words = [name_kind(look) for look in KINDS if look in shared]
    words += [f"in part {name_kind(look)}" for look in KINDS if look in found - shared]
    if not found:
        words = [_FACT]
    elif set() in told:
        words.append(f"in part {_FACT}")
    return ", ".join(words)


def name_kind(look: str) -> str:
    """Give the words of a kind within a line."""
    return KINDS[look].lower()
