"""The fast way from elements to numbers, for a file with which nothing is wrong.

The five steps need numbers, not nouns. This module finds the numbers of nodes and links in columns,
without making a noun; the nouns are made if somebody asks for them. It gives up on a file in which
anything is wrong or unusual: that is for `nouns`, which knows all that can be wrong. For the same
file both must give the same, and tests compare them.
"""

from __future__ import annotations

from operator import itemgetter

from tlex.algebra import CODES, ROWS, find_label
from tlex.document import Relations
from tlex.readers.timeml.nouns import USUAL_ATTRIBUTES, are_clean
from tlex.readers.timeml.parsing import Elements, EmptyElements

__all__ = ["number_document"]


class _Codes(dict[str, int | None]):
    """The code of each label of a kind, in any spelling; None for a label that orders nothing."""

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


def number_document(elements: Elements) -> tuple[dict[str, int], Relations] | None:
    """Give the numbers of the nodes by id, and the links; None if anything is wrong or unusual."""
    try:
        index = _number_nodes(elements)
        if index is None or not _have_clean_ids(elements, index):
            return None
        relations = _list_relations(elements.links, index)
    except KeyError:  # an attribute is missing, or names what is not there
        return None
    return None if relations is None else (index, relations)


def _number_nodes(elements: Elements) -> dict[str, int] | None:
    """Number instances and times in text order, then document order."""
    events = {row[0]["eid"]: row[2] for row in elements.in_text["EVENT"]}
    times = sorted(
        elements.in_text["TIMEX3"], key=itemgetter(1)
    )  # the parser ends inner elements first
    instances = elements.instances.attributes
    ids = [row[0]["tid"] for row in times]
    ids += map(itemgetter("eiid"), instances)
    named = list(map(itemgetter("eventID"), instances))
    places = [row[2] for row in times]
    places += map(events.__getitem__, named)
    order = sorted(range(len(ids)), key=places.__getitem__)
    index = dict(zip(map(ids.__getitem__, order), range(len(ids)), strict=True))
    if (
        len(events) < len(elements.in_text["EVENT"])  # two with one id
        or len(index) < len(ids)
        or events.keys() != set(named)  # an event without instance
        or (times and instances and elements.instances.starts[0] < times[-1][1])
    ):
        return None
    return index


def _list_relations(links: EmptyElements, index: dict[str, int]) -> Relations | None:
    """Put the links that order nodes into columns."""
    kinds: list[str] = []
    labels: list[int] = []
    sources: list[int] = []
    targets: list[int] = []
    numbers: list[int] = []
    for number, (kind, attributes) in enumerate(zip(links.names, links.attributes, strict=True)):
        code = _CODES[kind][attributes["relType"]]
        if len(attributes) > USUAL_ATTRIBUTES and _is_unusual(kind, attributes):
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
    return Relations(kinds, labels, sources, targets, numbers, len(links.names))


def _is_unusual(kind: str, attributes: dict[str, str]) -> bool:
    """Whether a link has what few links have: a weight, or two names for one end."""
    return "weight" in attributes or (
        kind != "SLINK"
        and (
            ("eventInstanceID" in attributes and "timeID" in attributes)
            or ("relatedToEventInstance" in attributes and "relatedToTime" in attributes)
        )
    )


def _have_clean_ids(elements: Elements, index: dict[str, int]) -> bool:
    """Whether each link has an id of its own, and no id is empty or has a blank."""
    lids = set(map(itemgetter("lid"), elements.links.attributes))
    others = [row[0]["sid"] for row in elements.in_text["SIGNAL"]]
    others += [row[0]["eid"] for row in elements.in_text["EVENT"]]
    return len(lids) == len(elements.links.names) and are_clean([*index, *lids, *others])
