"""The links that were left out to solve contradictions, and what each of them contradicts."""

from __future__ import annotations

from collections.abc import Iterator

from tlex.draw.reading.item_words import ItemWords
from tlex.draw.reading.parts import LeftOut, ShownLink
from tlex.nouns import Link
from tlex.result import Extraction
from tlex.wording import clean, count

__all__ = ["count_contradictions", "list_left_out"]

_SHOWN = 2
"""How many of the links that one contradicts are shown."""


def count_contradictions(result: Extraction) -> str:
    """Count the contradictions: ``7 contradictions``."""
    most = "" if result.conflicts_complete else "at least "
    return most + count(len(result.conflicts), "contradiction")


def list_left_out(result: Extraction, words: ItemWords) -> Iterator[LeftOut]:
    """List the links that were left out, each with the others of a contradiction.

    It is one of the contradictions in which fewest others were left out, and of these a smallest.
    """
    links = result.document.links
    by_id = {link.id: link for link in reversed(links)}
    left_out = {links[number].id for number in result.repair}
    against: dict[str, tuple[int, int, list[str]]] = {}
    for conflict in result.conflicts:
        for one in conflict.minimal:
            if left_out.isdisjoint((one, *conflict.same.get(one, ()))):
                continue
            others = [other for other in conflict.minimal if other != one]
            new = len(left_out.intersection(others)), len(others), others
            for name in (one, *conflict.same.get(one, ())):
                against[name] = min(against.get(name, new), new)
    for number in sorted(result.repair):
        found = against.get(links[number].id)
        others = found[2] if found else []
        yield LeftOut(
            link=_show(links[number], result, words),
            against=tuple(_show(by_id[one], result, words) for one in others[:_SHOWN]),
            more=max(len(others) - _SHOWN, 0),
            alone=bool(found) and not others,
        )


def _show(link: Link, result: Extraction, words: ItemWords) -> ShownLink:
    one, other = (result.document.index[end or ""] for end in (link.source, link.target))
    return ShownLink(
        id=link.id,
        type=clean(link.type or link.kind),
        nodes=(one, other),
        phrases=(words.cut_phrase(one), words.cut_phrase(other)),
    )
