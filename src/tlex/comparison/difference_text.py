"""Differences for people, in the manner of ``diff``: a sign, what is said, and where."""

from __future__ import annotations

from collections.abc import Iterator

from tlex.comparison.difference_records import (
    Consequence,
    EntityDifference,
    PairDifference,
    Said,
)
from tlex.comparison.differences import DocumentDifference
from tlex.comparison.patches import PatchDifference
from tlex.wording import clean, count, shorten_id

__all__ = ["show_difference", "show_patches"]

_SIGNS = {
    "same": "=",
    "other label": "!",
    "other": "!",
    "only first": "-",
    "only second": "+",
    "agreed": "=",
    "different": "!",
}
_VERDICTS = {
    "entailed": "follows from other links there",
    "contradicted": "impossible there",
    "open": "open there",
    "undecided": "not decided there",
    "unmatched": "no counterpart there",
}
_MANY = 8


def show_difference(one: DocumentDifference, *, follows: bool = False) -> Iterator[str]:
    """Give the differences of two annotations in lines; none if there are none."""
    lines = [*_list_entities(one), *_list_pairs(one)]
    if follows:
        lines += [_say_consequence(found) for found in one.list_consequences()]
    if not lines and one.same:
        return
    for sign, name in zip(("---", "+++"), one.names, strict=True):
        yield clean(f"{sign} {name or 'nothing'}")
    for place, side in enumerate(one.sides):
        if not side.consistent:
            yield f"the {('first', 'second')[place]} contradicts itself"
    yield from lines
    yield _sum_up(one)


def show_patches(found: PatchDifference) -> Iterator[str]:
    """Give the differences of two patches in lines; what both change alike is not shown."""
    path = None
    for change in found.changes:
        if change.status == "agreed":
            continue
        if change.path != path:
            path = change.path
            versions = "" if change.same_file else ": made for different versions of this file"
            yield clean(path) + versions
        shown = [str(own) for own in (change.first, change.second) if own is not None]
        yield f"{_SIGNS[change.status]} {' / '.join(shown)}"
    if not found.same:
        yield ", ".join(f"{number:,} {status}" for status, number in found.counts.items())


def _list_entities(one: DocumentDifference) -> Iterator[str]:
    for found in one.entities:
        yield f"{_SIGNS[found.status]} {_say_entity(found)}"


def _say_entity(found: EntityDifference) -> str:
    words = f"{found.kind} {found.first or found.second}"
    changes = [
        f"{name} {_show(values[0])} -> {_show(values[1])}" for name, values in found.changes.items()
    ]
    return clean(": ".join((words, "; ".join(changes))) if changes else words)


def _show(value: str | None) -> str:
    return "nothing" if value is None else repr(value)


def _list_pairs(one: DocumentDifference) -> Iterator[str]:
    for pair in one.pairs:
        yield f"{_SIGNS[pair.status]} {_say_pair(pair)}"


def _say_pair(pair: PairDifference) -> str:
    said = [own for own in (pair.first, pair.second) if own is not None]
    labels = " -> ".join(dict.fromkeys(" + ".join(own.labels) for own in said))
    kind = "" if pair.kind == "order" else f"{pair.kind} "
    words = f"{kind}{pair.source} {labels} {pair.target}"
    where = "; ".join(_list_links(own) for own in said)
    if pair.status == "same":
        remark = ": the same in other words"
    elif pair.status == "other label":
        remark = "" if pair.compatible else ": cannot both hold"
    else:
        verdict = said[0].verdict
        remark = f": {_VERDICTS[verdict]}" if verdict else ""
    return clean(f"{words} ({where}){remark}")


def _list_links(said: Said) -> str:
    names = [shorten_id(link) for link in said.links]
    lines = said.lines if len(said.lines) == len(names) else ()
    shown = [f"{name}, line {lines[place]}" if lines else name for place, name in enumerate(names)]
    more = f" and {len(shown) - _MANY:,} more" if len(shown) > _MANY else ""
    return ", ".join(shown[:_MANY]) + more


def _say_consequence(found: Consequence) -> str:
    known = [" or ".join(own) or "unknown" for own in (found.first, found.second)]
    return clean(f"> {found.source} and {found.target}: {known[0]} -> {known[1]}")


def _sum_up(one: DocumentDifference) -> str:
    counts = one.counts
    same, first, second, opposite = one.orders
    pairs = (
        f"{count(counts['same'], 'pair')} the same, {counts['other label']:,} with another label, "
        f"{counts['only first']:,} only in the first, {counts['only second']:,} only in the second"
    )
    orders = (
        f"{count(same, 'order')} of end points follow in both, {first - same - opposite:,} only in "
        f"the first, {second - same - opposite:,} only in the second, {opposite:,} opposite"
    )
    return f"{pairs}; {orders}{'; each entails the other' if one.equivalent else ''}"
