"""What is told as a fact, what is only reported, and what stands in the box of a branch.

Worlds are the parts of a document that its links connect. Main worlds are the story itself. A
branch that reporting verbs introduce, or that counts as a fact, is part of the story that it
belongs to if the calendar gives it a place there: then its events are marked as reported. Any
other branch is a box below the event that introduces it, named in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from tlex.records import Connection
from tlex.result import Extraction
from tlex.wording import count

__all__ = [
    "CLAIMABLE",
    "YET",
    "Branch",
    "Worlds",
    "find_said",
    "find_worlds",
    "name_branch",
    "name_mark",
]

_TOLD = frozenset({"EVIDENTIAL", "FACTIVE"})
REPORTING = "REPORTING"
CLAIMABLE = frozenset({"factual", "unasserted"})
"""The factualities of which nothing but an SLINK without a type may be known."""

_MARKS = {
    "factual": "",
    "reported": "reported",
    "possible": "not certain",
    "conditional": "conditional",
    "negated": "said not to happen",
    "counterfactual": "denied or prevented",
    "unasserted": "not said to be a fact",
}

YET = "had not happened yet"
"""The mark of an event that was still to come when the text was written."""

_BRANCHES = {
    "EVIDENTIAL": "only reported",
    "NEGATIVE_EVIDENTIAL": "denied",
    "FACTIVE": "taken as a fact",
    "COUNTER_FACTIVE": "did not happen",
}
_UNMARKED = "told, planned or wished, not marked as a fact"
_WAYS = {**_BRANCHES, "MODAL": "not certain to happen", "CONDITIONAL": "conditional"}
_NAMED = 3
"""How many events that introduce a branch are named."""

_MIXED = 2
"""In how many ways a branch is introduced if each is told with its events."""


_SAME = {
    "EVIDENTIAL": "reported",
    "MODAL": "possible",
    "COUNTER_FACTIVE": "counterfactual",
    "": "unasserted",
}
"""The factuality that the title of a branch says already."""


def find_said(links: Iterable[Connection]) -> str:
    """Give the factuality that the title of a branch says of all in it; empty if it is mixed."""
    said = {_SAME.get(link.type or "", "") for link in links}
    return said.pop() if len(said) == 1 else ""


def name_mark(factuality: str, *, future: bool = False, claimed_by: str = "") -> str:
    """Say that something is no plain fact; empty if it is one.

    An event of the ``future`` was still to come when the text was written. ``claimed_by`` are the
    words of the event by which it is only told.
    """
    mark = _MARKS.get(factuality, factuality)
    if claimed_by and factuality in CLAIMABLE:
        mark = f"told: {claimed_by}"
    plain = future and (
        factuality in {"factual", "reported"} or (factuality in CLAIMABLE and claimed_by)
    )
    return ", ".join(filter(None, (mark, YET if plain else "")))


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
    links: Iterable[Connection], quote: Callable[[str], str], conditions: Iterable[str]
) -> str:
    """Name a branch in words: ``“promised”, and would happen only if “she brought …”``.

    ``quote`` gives the words of an event in quotation marks; ``conditions`` are the phrases of
    the events on which those of the branch depend.
    """
    said: dict[str, dict[str, None]] = {}
    for link in links:
        said.setdefault(link.type or "", {})[quote(link.source)] = None
    only_if = _list_some(list(dict.fromkeys(conditions)))
    if len(said) > _MIXED:
        return _sum_up(said, only_if)
    words = []
    for kind, sources in said.items():
        named = _list_some(list(sources))
        if kind == "CONDITIONAL":
            if not only_if:
                words.append(f"would happen only if {named}")
        elif kind == "MODAL":
            words.append(named if only_if else f"{named}: not certain to happen")
        else:
            words.append(f"{named}: {_BRANCHES.get(kind, _UNMARKED)}")
    if only_if:
        words.append(f"would happen only if {only_if}")
    return ", and ".join(words)


def _sum_up(said: dict[str, dict[str, None]], only_if: str) -> str:
    """Name a branch that is introduced in many ways, in short; each event in it has its mark."""
    events = list(dict.fromkeys(name for names in said.values() for name in names))
    ways = [_WAYS.get(kind, _UNMARKED) for kind in said]
    ways += ["conditional"] if only_if and "CONDITIONAL" not in said else []
    return f"introduced by {_list_some(events)}: in part {', in part '.join(ways)}"


def _list_some(names: Sequence[str]) -> str:
    """List the first few names, and say how many there are besides."""
    if len(names) <= _NAMED:
        return " and ".join(names)
    return f"{', '.join(names[:_NAMED])} and {count(len(names) - _NAMED, 'other')}"
