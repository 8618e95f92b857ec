"""The calendar: the order that the values of a document's times entail, as links (R40, R41).

The bounds of a value are places on a line (see `tlex.timex`). A point precedes another if its
latest place is smaller than the other's earliest place. That is an interval order of points, and
`_find_covers` lists its covering pairs: those that no third point stands between. All other orders
follow from these. Exact values that share a place are tied to the first of them.

A link says all that is certain of its two values, so that it can be put into words. There are O(k)
links for k exact values. Loose values can have more covering pairs than that; these are cut at a
limit.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate, islice, pairwise
from operator import attrgetter

from msgspec import Struct

from tlex.algebra import CALENDAR, CODES, encode_row
from tlex.caching import cached_property
from tlex.columns import Marks, NodeColumns, Overview, Places, Relations, SubordinatingLink
from tlex.document import Document
from tlex.nouns import Link
from tlex.timex import Bounds, Reason, find_bounds, find_moment, loosen

__all__ = [
    "KIND",
    "Dated",
    "add_calendar",
    "compare_values",
    "drop_calendar",
    "find_dated",
    "find_values",
    "list_times",
]

KIND = "CALENDAR"
"""The kind of the links that follow from values."""

LIMIT = 100_000
"""How many covering pairs are looked at, besides eight for each time."""

_SHORT = 64
_FUNCTIONS = frozenset(
    {
        "CREATION_TIME",
        "EXPIRATION_TIME",
        "MODIFICATION_TIME",
        "PUBLICATION_TIME",
        "RECEPTION_TIME",
        "RELEASE_TIME",
    }
)
_IBEFORE, _IAFTER = (CODES["TLINK"][label] for label in ("IBEFORE", "IAFTER"))
_CODES = {label: encode_row(row) for label, (_, row, _) in CALENDAR.items()}
_LABELS = {orders: label for label, (orders, _, _) in CALENDAR.items()}
_FLIP = str.maketrans("<>", "><")

_Places = tuple[int, int, int, int]
"""Earliest and latest place of the start, and of the end."""


class Dated(Struct, frozen=True, gc=False):
    """A time with bounds: its number among the nodes, its value as written, and its bounds.

    A ``moment`` is only a part of its value, such as the creation time.
    """

    number: int
    value: str
    bounds: Bounds
    moment: bool


def add_calendar(document: Document, times: str = "interval") -> tuple[Document, bool]:
    """Add the links that follow from the values of a document's times.

    Links of an earlier call are replaced. Returns the document, and whether the links entail all
    that is certain: there is a limit for very many loose values. If the nouns of the document are
    not made yet, neither are the links.
    """
    document = drop_calendar(document)
    dated = find_dated(document, times)
    found, complete = _find_pairs(document, dated)
    if not found:
        return document, complete
    pairs = sorted(found)
    values = {time.number: time.value for time in dated}
    overview = _DatedOverview(document, pairs, values)
    if document.relations is None:
        return _state(document, overview), complete
    stated = Document.postpone(
        partial(_state, document, overview),
        name=document.name,
        format=document.format,
        index=document.index,
        relations=_add_relations(document.relations, pairs),
        source=document.source,
        overview=overview,
    )
    return stated, complete


class _DatedOverview(Overview):
    """What is known of a document with links for some pairs, without its other nouns."""

    def __init__(
        self,
        document: Document,
        pairs: Sequence[tuple[int, int, str]],
        values: Mapping[int, str],
    ) -> None:
        self._document = document
        self._pairs = pairs
        self._values = values

    def times(self) -> dict[str, dict[str, str]]:
        return self._document.times

    def places(self) -> Places:
        return self._document.places

    def node_columns(self) -> NodeColumns:
        return self._document.node_columns

    def slinks(self) -> list[SubordinatingLink]:
        return self._document.slinks

    def marks(self) -> Marks:
        return self._document.marks

    def marked_end(self) -> int:
        return self._document.marked_end

    def link_ids(self) -> list[str]:
        return [*self._document.link_ids, *(link.id for link in self._links)]

    def calendar(self) -> list[Link]:
        return self._links

    def link(self, number: int) -> Link:
        first = len(self._document.link_ids)
        return self._document.link(number) if number < first else self._links[number - first]

    @cached_property
    def _links(self) -> list[Link]:
        ids, used = list(self._document.index), set(self._document.link_ids)
        return [_make_link(ids, used, self._values, *pair) for pair in self._pairs]


def _state(document: Document, overview: _DatedOverview) -> Document:
    """Give a document with these links too."""
    return document.replace(links=(*document.links, *overview.calendar()))


def _add_relations(relations: Relations, pairs: Sequence[tuple[int, int, str]]) -> Relations:
    first = relations.count
    return Relations(
        kinds=relations.kinds + [KIND] * len(pairs),
        labels=relations.labels + [_CODES[label] for _, _, label in pairs],
        sources=relations.sources + [source for source, _, _ in pairs],
        targets=relations.targets + [target for _, target, _ in pairs],
        numbers=relations.numbers + list(range(first, first + len(pairs))),
        count=first + len(pairs),
    )


def drop_calendar(document: Document) -> Document:
    """Give a document without the links of an earlier `add_calendar`."""
    if document.relations is not None and KIND not in document.relations.kinds[-1:]:
        return document
    if not document.links or document.links[-1].kind != KIND:
        return document
    return document.replace(links=tuple(link for link in document.links if link.kind != KIND))


def compare_values(document: Document, one: Dated, other: Dated) -> tuple[Dated, Dated, str] | None:
    """Say all that is certain of two values: the first one, the second one, and the label.

    The document's calendar may entail this by way of other times. None if nothing is certain.
    """
    times = {one.number: one, other.number: other}
    pairs, _ = _find_pairs(document, [times[number] for number in sorted(times)])
    for source, target, label in pairs:
        return times[source], times[target], label
    return None


def find_dated(document: Document, times: str = "interval") -> list[Dated]:
    """Find the times of a document that have bounds, in text order.

    The creation time is a moment in its value; so is a TIME with ``times="point"``.
    """
    found = []
    for name, bounds in _find_bounds(document.times.items()):
        if isinstance(bounds, Reason):
            continue
        attributes = document.times[name]
        moment = _is_moment(attributes, times)
        if moment:
            bounds = find_moment(bounds)  # noqa: PLW2901
        value = attributes.get("value", "").strip()
        found.append(Dated(document.index[name], value, bounds, moment))
    return sorted(found, key=attrgetter("number"))


def find_values(document: Document) -> list[Bounds | Reason]:
    """Find the bounds of each time of a document, or why it has none."""
    return [bounds for _, bounds in _find_bounds(list_times(document))]


def list_times(document: Document) -> list[tuple[str, dict[str, str]]]:
    """List the ids and attributes of all times, in document order; mostly without a noun.

    Where no noun is made yet, nothing is wrong with the file: no two times have one id.
    """
    if "timexes" not in vars(document):
        times = document.times  # it may be that nouns are made for these
        if "timexes" not in vars(document):
            return [*times.items()]
    return [(timex.id, timex.attributes) for timex in document.timexes]


def _find_bounds(
    times: Iterable[tuple[str, dict[str, str]]],
) -> list[tuple[str, Bounds | Reason]]:
    """Find the bounds of times, which are given by id and attributes; of one id the first counts.

    A duration may lie between two others of them.
    """
    found = [(name, _read(attributes)) for name, attributes in times]
    plain: dict[str, Bounds | Reason] = {}
    for place, (name, attributes) in enumerate(times):
        if "beginPoint" in attributes and found[place][1] is Reason.DURATION:
            plain = plain or dict(reversed(found))
            begin, end = (
                plain.get(attributes.get(end, "").strip()) for end in ("beginPoint", "endPoint")
            )
            if isinstance(begin, Bounds) and isinstance(end, Bounds):
                found[place] = name, _read(attributes, begin, end)
    return found


def _read(
    attributes: Mapping[str, str], begin: Bounds | None = None, end: Bounds | None = None
) -> Bounds | Reason:
    get = attributes.get
    value, kind, mod = get("value", ""), get("type", ""), get("mod", "")
    if begin is None and len(value) + len(kind) + len(mod) < _SHORT:
        return _remember(value, kind, mod)
    return find_bounds(value, kind=kind, mod=mod, begin=begin, end=end)


@lru_cache(4096)
def _remember(value: str, kind: str, mod: str) -> Bounds | Reason:
    """Find the bounds of a short value once: most occur many times in a corpus."""
    return find_bounds(value, kind=kind, mod=mod)


def _is_moment(attributes: Mapping[str, str], times: str) -> bool:
    if times == "point" and attributes.get("type", "").strip().upper() == "TIME":
        return True
    function = attributes.get("functionInDocument", "NONE")
    return function != "NONE" and function.strip().upper() in _FUNCTIONS


def _find_pairs(
    document: Document, dated: Sequence[Dated]
) -> tuple[set[tuple[int, int, str]], bool]:
    """Find the links: the numbers of two nodes and the label, and whether these are all.

    Values with a zone are compared with each other as they are, and with the others loosely.
    """
    zoned = [time for time in dated if time.bounds.zoned]
    merged = [_find_touching(document, dated, zoned=False), frozenset[int]()]
    if zoned:
        merged[1] = _find_touching(document, zoned, zoned=True)
    own = {time.number: _place(time.bounds, merged[time.bounds.zoned]) for time in dated}
    found: dict[tuple[int, int], str] = {}
    complete, room = True, LIMIT + 8 * len(dated)
    for times, wide in ((dated, True), (zoned, False)):
        if wide and len(zoned) == len(dated):
            continue
        places = own
        alike = {time.number for time in times if time.bounds.exact}
        if wide and zoned:
            places = {**own, **{t.number: _place(loosen(t.bounds), merged[False]) for t in zoned}}
            alike.difference_update(time.number for time in zoned)
        apart = {time.number for time in zoned} if wide else set()
        numbers = [time.number for time in times]
        pairs = list(islice(_list_pairs(numbers, places, alike, apart), room + 1))
        if len(pairs) > room:  # the order of exact values is never cut
            complete = False
            exactly = [number for number in numbers if number in alike]
            pairs += _list_pairs(exactly, places, alike, apart)
        room = max(room - len(pairs), 0)
        for one, other in pairs:
            pair = (one, other) if one < other else (other, one)
            if one != other and pair not in found:
                exact = one in alike and other in alike
                found[pair] = _compare(places[pair[0]], places[pair[1]], exact)
    parts = list(islice(_list_parts(dated), room + 1))
    for one, other in parts:
        orders = found.get((min(one, other), max(one, other)), "????")
        mark = "<" if one < other else ">"
        found[min(one, other), max(one, other)] = _add_start(orders, mark)
    named = {_name(*pair, orders) for pair, orders in found.items() if orders != "????"}
    return named, complete and len(parts) <= room


def _find_touching(document: Document, dated: Sequence[Dated], *, zoned: bool) -> frozenset[int]:
    """Find the instants at which the document links two touching values as such.

    The values are exact; a moment may touch with its whole value. Both have a zone, or none has.
    """
    exact = {
        time.number: time.bounds
        for time in dated
        if time.bounds.zoned == zoned and (time.bounds.exact or time.moment)
    }
    found = set()
    for one, other in _list_touching(document) if len(exact) > 1 else ():
        first, second = exact.get(one), exact.get(other)
        if first and second and first.latest_end // 4 == second.earliest_start // 4:
            found.add(first.latest_end // 4)
    return frozenset(found)


def _list_touching(document: Document) -> Iterator[tuple[int, int]]:
    """List the nodes that touch by a link: the number of the first one, and of the second."""
    found = document.relations
    if found is not None:
        if _IBEFORE in found.labels or _IAFTER in found.labels:
            for label, one, other in zip(found.labels, found.sources, found.targets, strict=True):
                if label in {_IBEFORE, _IAFTER}:
                    yield (one, other) if label == _IBEFORE else (other, one)
        return
    index = document.index
    for link in document.links:
        if link.kind == "TLINK" and link.type in {"IBEFORE", "IAFTER"}:
            one, other = index.get(link.source or "", -1), index.get(link.target or "", -1)
            yield (one, other) if link.type == "IBEFORE" else (other, one)


def _place(bounds: Bounds, merged: Iterable[int]) -> _Places:
    """Give the places of a value; at a merged instant a start has the place of an end."""
    places = (
        bounds.earliest_start,
        bounds.latest_start,
        bounds.earliest_end,
        bounds.latest_end,
    )
    if not merged:
        return places
    first, second, third, last = (
        place - 2 if place % 4 == 2 and place // 4 in merged else place  # noqa: PLR2004
        for place in places
    )
    return first, second, third, last


def _list_pairs(
    numbers: Sequence[int], places: Mapping[int, _Places], exact: set[int], apart: set[int]
) -> Iterator[tuple[int, int]]:
    """List the pairs of times whose orders entail all others; some of them twice.

    Pairs of times that both stand ``apart`` are left out.
    """
    first: dict[_Places, int] = {}
    holder: dict[int, int] = {}
    points: list[tuple[int, int, int, int]] = []
    for number in numbers:
        own = places[number]
        if number not in exact:
            points += [(*own[:2], number, 0), (*own[2:], number, 1)]
            continue
        if own in first:
            yield first[own], number
            continue
        first[own] = number
        for side in (0, 1):
            place = own[2 * side]
            if place in holder:
                yield holder[place], number
            else:
                holder[place] = number
                points.append((place, place, number, side))
    points.sort()
    for one, other in _find_covers(points):
        (_, latest, left, side), (earliest, _, right, end) = points[one], points[other]
        if left == right or (left in apart and right in apart):
            continue
        both = left in exact and right in exact
        if both and (latest, latest, earliest, earliest) in first:
            continue  # the two ends of one exact value
        if not side and places[left][3] < earliest:  # its end comes before the other, too
            continue
        if end and latest < places[right][0]:
            continue
        yield left, right


def _find_covers(points: Sequence[tuple[int, int, int, int]]) -> Iterator[tuple[int, int]]:
    """List the covering pairs of an interval order, whose points are sorted by earliest place."""
    earliest = [point[0] for point in points]
    soonest = list(accumulate((point[1] for point in reversed(points)), min))[::-1]
    for number, point in enumerate(points):
        start = bisect_right(earliest, point[1])
        if start < len(points):
            for other in range(start, bisect_right(earliest, soonest[start])):
                yield number, other


def _list_parts(dated: Sequence[Dated]) -> Iterator[tuple[int, int]]:
    """List the parts of a day that start one after the other: MO, AF, EV, NI."""
    days: dict[int, dict[int, list[int]]] = {}
    for time in dated:
        if time.bounds.part is not None:
            day, part = time.bounds.part
            days.setdefault(day, {}).setdefault(part, []).append(time.number)
    for parts in days.values():
        order = sorted(parts)
        for one, other in pairwise(order):
            yield from ((left, right) for left in parts[one] for right in parts[other])


def _compare(one: _Places, other: _Places, exact: bool) -> str:  # noqa: FBT001
    """Give what is certain of the orders of A- to B-, A- to B+, A+ to B- and A+ to B+."""
    orders = ""
    for left in (0, 2):
        for right in (0, 2):
            if one[left + 1] < other[right]:
                orders += "<"
            elif other[right + 1] < one[left]:
                orders += ">"
            else:
                orders += "=" if exact else "?"
    return orders


def _add_start(orders: str, mark: str) -> str:
    """Add the order of two starts to what is certain."""
    if mark == "<":
        return f"<<{orders[2:]}"
    return f">{orders[1]}>{orders[3]}"


def _name(one: int, other: int, orders: str) -> tuple[int, int, str]:
    """Give the link that says some orders, from the end from which there is a label for it."""
    label = _LABELS.get(orders)
    if label is not None:
        return one, other, label
    turned = orders.translate(_FLIP)
    return other, one, _LABELS[turned[0] + turned[2] + turned[1] + turned[3]]


def _make_link(  # noqa: PLR0913, PLR0917 -- a link in its pieces
    ids: Sequence[str],
    used: set[str],
    values: Mapping[int, str],
    source: int,
    target: int,
    label: str,
) -> Link:
    ends = ids[source], ids[target]
    name = f"calendar:{ends[0]}:{ends[1]}"
    while name in used:
        name += "'"
    used.add(name)
    says = f"{values[source]} {CALENDAR[label][2]} {values[target]}, by their values"
    return Link(
        id=name,
        attributes={"words": says},
        byte_start=-1,
        file=None,
        kind=KIND,
        type=label,
        source=ends[0],
        target=ends[1],
    )
