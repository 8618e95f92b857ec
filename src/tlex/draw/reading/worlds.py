"""What is told as a fact, what is only reported, and what stands in the box of a branch.

Worlds are the parts of a document that its links connect. Main worlds are the story itself. A
branch that reporting verbs introduce, or that counts as a fact, is part of the story that it
belongs to if the calendar gives it a place there: then its events are marked as reported. Any
other branch is a box below the event that introduces it, named in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from tlex.draw.reading.kinds import name_kind
from tlex.records import Connection
from tlex.result import Extraction
from tlex.wording import count

__all__ = [
    "Branch",
    "Worlds",
    "find_worlds",
    "name_branch",
]

_TOLD = frozenset({"EVIDENTIAL", "FACTIVE"})
REPORTING = "REPORTING"
_NAMED = 3
"""How many events that introduce a branch are named."""


class Branch(Struct, frozen=True):
    """A box: the worlds in it, the event below which it stands, and the SLINKs that lead to it."""

    worlds: tuple[int, ...]
    source: int
    links: tuple[Connection, ...]


class Worlds(Struct, frozen=True):
    """The worlds of the story itself, the branches, and who tells what.

    ``told_by`` gives for each event the reporting verbs that tell it, ``claimed_by`` those events
    of which an SLINK without a type says no more than that they introduce it.
    """

    story: frozenset[int]
    branches: tuple[Branch, ...]
    told_by: dict[int, list[int]]
    claimed_by: dict[int, list[int]]


def find_worlds(result: Extraction) -> Worlds:
    """Find what stands in which box. Linear."""
    index, owner = result.document.index, result.components.component_of
    types = result.options.subordinating
    leading: dict[int, list[Connection]] = {}
    into: dict[int, list[Connection]] = {}
    for crossing in result.crossings:
        if types is None or crossing.type in types:
            leading.setdefault(crossing.source_timeline, []).append(crossing)
            into.setdefault(crossing.target_timeline, []).append(crossing)
    mains = {*result.main_worlds[0], *result.main_worlds[1]}
    home = dict.fromkeys(mains, -1)  # the number of the box, -1 for the story
    boxes: list[tuple[list[int], int, tuple[Connection, ...]]] = []
    queue = sorted(mains)
    for world in queue:
        for crossing in leading.get(world, ()):
            target = crossing.target_timeline
            if target in home:
                continue
            queue.append(target)
            source = index[crossing.source]
            links = tuple(into[target])
            near = owner[index[crossing.target]] == owner[source]
            if near and _TOLD.issuperset({link.type for link in links}):
                home[target] = home[world]
                if home[world] >= 0:
                    boxes[home[world]][0].append(target)
            else:
                home[target] = len(boxes)
                boxes.append(([target], source, links))
    story = {world for world, box in home.items() if box < 0}
    story |= {*result.world_of} - home.keys()
    return Worlds(
        frozenset(story),
        tuple(Branch(tuple(worlds), source, links) for worlds, source, links in boxes),
        _find_tellers(result, "EVIDENTIAL", REPORTING),
        _find_tellers(result, None),
    )


def _find_tellers(
    result: Extraction, wanted: str | None, of: str | None = None
) -> dict[int, list[int]]:
    """Find the events that introduce each event by an SLINK of a type; ``of`` is their class."""
    index, nodes = result.document.index, result.nodes
    told: dict[int, list[int]] = {}
    for link in result.document.links:
        if link.kind != "SLINK" or (link.type or None) != wanted:
            continue
        source, target = index.get(link.source or ""), index.get(link.target or "")
        if source is None or target is None or source == target:
            continue
        if of is None or (nodes[source].type or "").upper() == of:
            tellers = told.setdefault(target, [])
            if source not in tellers:
                tellers.append(source)
    return told


def name_branch(
    links: Sequence[Connection],
    told: str,
    quote: Callable[[str], str],
    conditions: Iterable[str],
) -> str:
    """Name a branch in words: ``“promised”, and would happen only if “she brought …”``.

    ``told`` says what its events are. ``quote`` gives the words of an event in quotation marks;
    ``conditions`` are the phrases of the events on which those of the branch depend. What is not
    certain to happen is so because of them.
    """
    only_if = _list_some(list(dict.fromkeys(conditions)))
    kinds = {link.type for link in links}
    named = _list_some(
        list(
            dict.fromkeys(
                quote(link.source) for link in links if not only_if or link.type != "CONDITIONAL"
            )
        )
    )
    if only_if and told == name_kind("open"):
        return ", and ".join(filter(None, (named, f"would happen only if {only_if}")))
    if kinds == {"NEGATIVE_EVIDENTIAL"} and told == name_kind("not"):
        told = "denied"
    words = ": ".join(filter(None, (named, told)))
    return f"{words}; some only if {only_if}" if only_if else words


def _list_some(names: Sequence[str]) -> str:
    """List the first few names, and say how many there are besides."""
    if len(names) <= _NAMED:
        return " and ".join(names)
    return f"{', '.join(names[:_NAMED])} and {count(len(names) - _NAMED, 'other')}"
