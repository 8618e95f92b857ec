"""A glance at the rows of a file: is all as it should be, and what orders what.

The five steps want numbers, not nouns. This finds the numbers of a file with which nothing is
wrong, as most files are, in the quickest way; its nouns are then made when somebody looks at
them. A file of any other kind is left to `nouns`, which knows everything that can be wrong. The two
must say the same; tests hold them against each other.
"""

from __future__ import annotations

from operator import itemgetter

from tlex.algebra import CODES, ROWS, find_label
from tlex.document import Relations
from tlex.readers.timeml.nouns import USUAL, are_plain
from tlex.readers.timeml.rows import Empty, Rows

__all__ = ["glance"]


class _Codes(dict[str, int | None]):
    """The codes of a kind's labels, however written; None for a label that orders nothing."""

    def __init__(self, kind: str) -> None:
        super().__init__(
            {label: code if ROWS[code] else None for label, code in CODES[kind].items()}
        )
        self.kind = kind

    def __missing__(self, written: str) -> int | None:
        label = find_label(self.kind, written)
        if label is None:
            raise KeyError(written)
        return self[label]


_CODES = {kind: _Codes(kind) for kind in CODES}


def glance(rows: Rows) -> tuple[dict[str, int], Relations] | None:
    """Number the nodes of a file by id, and its links; None if anything is not as it should be."""
    try:
        index = _number_nodes(rows)
        if index is None or not _have_good_names(rows, index):
            return None
        relations = _list_relations(rows.links, index)
    except KeyError:  # an attribute is missing, or names what is not there
        return None
    return None if relations is None else (index, relations)


def _number_nodes(rows: Rows) -> dict[str, int] | None:
    """Number instances and times in text order, then document order."""
    events = {row[0]["eid"]: row[2] for row in rows.marked["EVENT"]}
    times = sorted(rows.marked["TIMEX3"], key=itemgetter(1))  # the parser met inner ones first
    instances = rows.instances.attributes
    ids = [row[0]["tid"] for row in times]
    ids += map(itemgetter("eiid"), instances)
    named = list(map(itemgetter("eventID"), instances))
    places = [row[2] for row in times]
    places += map(events.__getitem__, named)
    order = sorted(range(len(ids)), key=places.__getitem__)
    index = dict(zip(map(ids.__getitem__, order), range(len(ids)), strict=True))
    if (
        len(events) < len(rows.marked["EVENT"])  # two of one name
        or len(index) < len(ids)
        or events.keys() != set(named)  # an event without instance
        or (times and instances and rows.instances.starts[0] < times[-1][1])
    ):
        return None
    return index


def _list_relations(links: Empty, index: dict[str, int]) -> Relations | None:
    """Put the links that order nodes into columns."""
    kinds: list[str] = []
    labels: list[int] = []
    sources: list[int] = []
    targets: list[int] = []
    numbers: list[int] = []
    for number, (kind, attributes) in enumerate(zip(links.names, links.attributes, strict=True)):
        code = _CODES[kind][attributes["relType"]]
        if len(attributes) > USUAL and _is_odd(kind, attributes):
            return None
        if kind == "SLINK":  # orders nothing, but its ends must be there
            index[attributes["eventInstanceID"]], index[attributes["subordinatedEventInstance"]]
            continue
        one = attributes["eventInstanceID" if "eventInstanceID" in attributes else "timeID"]
        event = "relatedToEventInstance" in attributes
        other = attributes["relatedToEventInstance" if event else "relatedToTime"]
        source, target = index[one], index[other]
        if code is not None:
            kinds.append(kind)
            labels.append(code)
            sources.append(source)
            targets.append(target)
            numbers.append(number)
    return Relations(kinds, labels, sources, targets, numbers)


def _is_odd(kind: str, attributes: dict[str, str]) -> bool:
    """Whether a link has what few links have: a weight, or two names for one end."""
    return "weight" in attributes or (
        kind != "SLINK"
        and (
            ("eventInstanceID" in attributes and "timeID" in attributes)
            or ("relatedToEventInstance" in attributes and "relatedToTime" in attributes)
        )
    )


def _have_good_names(rows: Rows, index: dict[str, int]) -> bool:
    """Whether each link has a name of its own, and no name is empty or has a blank."""
    names = set(map(itemgetter("lid"), rows.links.attributes))
    marked = [row[0]["sid"] for row in rows.marked["SIGNAL"]]
    marked += [row[0]["eid"] for row in rows.marked["EVENT"]]
    return len(names) == len(rows.links.names) and are_plain([*index, *names, *marked])
