"""The text order of links (R37), by which one of several equally small repairs is chosen."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from tlex.checker.constraints import TYPES, Constraints, read_row
from tlex.checker.knots import Knot
from tlex.checker.timelines import Edge
from tlex.nouns import Link, Timex

__all__ = ["find_first", "order_links"]

_Said = tuple[tuple[int, bool, int], ...]


def find_first(
    constraints: Constraints, knot: Knot, repairs: Collection[frozenset[str]]
) -> frozenset[str] | None:
    """Find the repair that keeps the first link that any of them keeps, then the next, and so on.

    ``repairs`` name the first of links that say the same; what comes back has all of them. None if
    there is no repair.
    """
    left = list(repairs)
    if not left:
        return None
    classes = knot.classes if len(left) > 1 else {}
    ranks = order_links(constraints, (link for links in classes.values() for link in links))
    for first in sorted(classes, key=lambda own: min(ranks[link] for link in classes[own])):
        left = [repair for repair in left if first not in repair] or left
    return frozenset(link for first in left[0] for link in knot.classes[first])


def order_links(constraints: Constraints, links: Iterable[str]) -> dict[str, int]:
    """Give each of some links its place in text order; links that say the same have one place."""
    keys = {link: _find_key(constraints, constraints.place[link]) for link in links}
    places = {key: place for place, key in enumerate(sorted(set(keys.values())))}
    return {link: places[key] for link, key in keys.items()}


def _find_key(
    constraints: Constraints, number: int
) -> tuple[tuple[object, ...], tuple[object, ...], int, _Said]:
    link = constraints.document.links[number]
    one, other = (_find_place(constraints, end) for end in (link.source, link.target))
    turned = other < one
    said = _read(constraints, link, turned=turned)
    place = _ROWS.index(said) if said in _ROWS else len(_ROWS)
    return (*((other, one) if turned else (one, other)), place, said)


def _find_place(constraints: Constraints, end: str | None) -> tuple[object, ...]:
    """Where a node stands: the creation time and what is outside the text, the text, the rest."""
    document = constraints.document
    node = document.nodes[document.index[end or ""]]
    parts: list[object] = re.split(r"([0-9]{1,18})", node.id)
    parts[1::2] = [int(str(part)) for part in parts[1::2]]
    written = node.attributes.get("functionInDocument", "").strip().upper() == "CREATION_TIME"
    if isinstance(node, Timex) and written:
        return 0, 0, 0, tuple(parts), node.id
    if node.text_start >= 0:
        return 1, node.text_start, node.text_end, tuple(parts), node.id
    return (0 if node.id in document.phrases else 2), 1, 0, tuple(parts), node.id


def _read(constraints: Constraints, link: Link, *, turned: bool) -> _Said:
    source, target = (1, 0) if turned else (0, 1)
    return _sort(constraints.read_label(link, link.type or "", source, target))


def _sort(edges: Iterable[Edge]) -> _Said:
    said = {
        (left, True, right) if order == "<" else (min(left, right), False, max(left, right))
        for left, order, right, _ in edges
    }
    return tuple(sorted(said))


_WIDER = (
    "OVERLAPS", "OVERLAPPED_BY", "OVERLAP", "BEFORE-OR-OVERLAP", "OVERLAP-OR-AFTER", "BEGUN_ON",
    "ENDED_ON", "BEFORE/OVERLAP", "STARTS_BEFORE", "STARTS_AFTER",
)  # fmt: skip
_ROWS = list(
    dict.fromkeys(
        _sort(read_row("TLINK", label, (0, 1, 2, 3), "")) for label in (*TYPES["TLINK"], *_WIDER)
    )
)
"""What the types say, in the order of Table 1 and then of the labels of other schemes."""
