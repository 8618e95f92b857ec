"""What a plain file says of its nodes and by its links, without a noun.

An extraction as JSON, the tables of a corpus run, checks and repairs need this, and no nouns. Tags
are read as in `plain_elements`; `scan` has proven that each can be read so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, compress, repeat
from operator import not_
from typing import NamedTuple

from msgspec.structs import asdict

from tlex.algebra import CODES, find_label
from tlex.columns import (
    CheckColumns,
    LinkColumns,
    Marks,
    NodeColumns,
    Overview,
    Places,
    SubordinatingLink,
)
from tlex.nouns import Link, Span
from tlex.readers.timeml.plain_elements import (
    Column,
    measure,
    read_blanks,
    read_columns,
    read_shape,
    read_words,
)
from tlex.readers.timeml.scan import Columns, Tags, cut_pieces, cut_tags, find_begin
from tlex.source import Source

__all__ = ["PlainOverview"]

_MARKS = ("EVENT ", "TIMEX3 ")
_MARK_ENDS = frozenset({"/EVENT", "/TIMEX3"})
"""How the tag of a mark begins, whose name a blank and an id follow; and its end tag."""
_MARK_END = re.compile("/(?:EVENT|TIMEX3|SIGNAL) *|(?:EVENT|TIMEX3|SIGNAL) .*/", re.DOTALL)
_LINK_BEGINNING = re.compile(rb"<")

_SAID = ("modality", "polarity")
_SAID_OF_TIMES = ("functionInDocument", "type", "value")
_INSTANCES = frozenset({"MAKEINSTANCE"})
_LINKS = frozenset({"TLINK", "ALINK", "SLINK"})


class _Marked(NamedTuple):
    """The nodes, the tags that begin events and times, and the number of each node's mark.

    Events and times have numbers of their own, and the times follow the events. ``said`` has
    columns of what times say.
    """

    places: Places
    events: list[int]
    times: list[int]
    numbers: list[int]
    said: list[Column]


class PlainOverview(Overview):
    """What is known of a file for which there are columns; ``index`` has the numbers of nodes."""

    def __init__(self, source: Source, index: dict[str, int], columns: Columns) -> None:
        self._source = source
        self._index = index
        self.columns = columns
        self._made: dict[int, Link] = {}

    def times(self) -> dict[str, dict[str, str]]:
        """List the attributes of all times, by id."""
        tags = [tag for tag in self.columns.pieces[1::2] if tag.startswith("TIMEX3 ")]
        shapes, values = _cut(tags)
        names = [read_shape(shape).names for shape in shapes]
        times = map(dict, map(zip, names, repeat(iter(values))))  # each zip goes on there
        return {time["tid"]: time for time in times}

    def places(self) -> Places:
        """Find the nodes, and where they stand."""
        return self._marked.places

    @cached_property
    def _marked(self) -> _Marked:
        columns, index = self.columns, self._index
        pieces = columns.pieces
        tags = pieces[1::2]
        marks = [place for place, tag in enumerate(tags) if tag.startswith(_MARKS)]
        are_events = [tags[mark][0] == "E" for mark in marks]
        events = list(compress(marks, are_events))
        times = list(compress(marks, map(not_, are_events)))
        marks = events + times
        said = read_columns(_cut([tags[mark] for mark in times]), _SAID_OF_TIMES)
        functions = [None] * len(events) + said[0]
        words = list(read_words(pieces[::2], columns.body))
        rest = columns.rest[: columns.rest.rfind(">") + 1]  # what follows the root is no text
        end_words = read_words(cut_pieces(rest)[::2], rest)
        places = list(accumulate(map(len, words)))  # how many characters stand before each tag
        ends = _find_ends(tags, marks)
        number_of = dict(zip(columns.times, range(len(events), len(marks)), strict=True))
        event_numbers = dict(zip(columns.events, range(len(events)), strict=True))
        event_of = list(map(columns.instances.get, index))
        numbers = [
            number_of[name] if event is None else event_numbers[event]
            for name, event in zip(index, event_of, strict=True)
        ]
        found = Places(
            text="".join((*words, self.blanks, *end_words)),
            ids=list(index),
            starts=[places[marks[number]] for number in numbers],
            ends=[places[ends[number]] for number in numbers],
            events=event_of,
            times=[event is None for event in event_of],
            functions=[functions[number] or "" for number in numbers],
        )
        return _Marked(found, events, times, numbers, said)

    def node_columns(self) -> NodeColumns:
        """Find what is said of the nodes."""
        columns, index, instances = self.columns, self._index, self.columns.instances
        places, events, times, numbers, (_, types, values) = self._marked
        marks = events + times
        tags = columns.pieces[1::2]
        said = read_columns(_cut([tags[mark] for mark in events]), ("class", *_SAID))
        own = read_columns(columns.tail, ("class", *_SAID), _INSTANCES, len(instances))
        begin = find_begin(self._source)  # how many bytes of the file stand before each tag
        sizes = list(accumulate(measure(columns.pieces, columns.body), initial=begin))[1::2]
        made = dict(zip(instances, range(len(instances)), strict=True))
        instance_of = [made.get(name, -1) for name in index]  # -1 for a time

        def choose(own: Column, marked: Column, of_times: Column) -> Column:
            """Choose what an instance says itself, or else what is said of its words."""
            own.append(None)
            mine = list(map(own.__getitem__, instance_of))
            marked += of_times
            if marked.count(None) == len(
                marked
            ):  # as a rule, only instances say it, or only events
                return mine
            return [
                marked[number] if said is None else said
                for said, number in zip(mine, numbers, strict=True)
            ]

        nothing_said: Column = [None] * len(times)
        types, modalities, polarities = map(choose, own, said, (types, nothing_said, nothing_said))
        marked = list(map(marks.__getitem__, numbers))
        return NodeColumns(
            **asdict(places),
            types=types,
            values=list(map(([None] * len(events) + values).__getitem__, numbers)),
            modalities=[said or "" for said in modalities],
            polarities=[said or "" for said in polarities],
            offsets=[sizes[mark] + 2 * mark for mark in marked],  # two brackets a tag
        )

    def has_nodes_of(self, other: Overview) -> bool:
        """Whether the other file has the same text with the same marks, and the same instances."""
        if not isinstance(other, PlainOverview):
            return False
        one, another = self.columns, other.columns
        return (
            one.body == another.body
            and one.rest == another.rest
            and one.instances == another.instances
            and list(one.instances) == list(another.instances)
            and self.blanks == other.blanks
        )

    @cached_property
    def blanks(self) -> str:
        """The text of the tail."""
        return read_blanks(self.columns.tail)

    def slinks(self) -> list[SubordinatingLink]:
        """List what the SLINKs say, with the canonical names of their types, which are known."""
        known = CODES["SLINK"]
        return [
            (name, label if label in known else find_label(kind, label), source, target)
            for name, (kind, label, source, target) in self.columns.links.items()
            if kind == "SLINK"
        ]

    def link_ids(self) -> list[str]:
        """List the ids of all links."""
        return list(self.columns.links)

    def calendar(self) -> list[Link]:
        """Give no links: a file has none that follow from values."""
        return []

    def link_columns(self) -> LinkColumns:
        """Find what all links say: none has a weight."""
        (signals,) = read_columns(self.columns.tail, ("signalID",), _LINKS)
        said = list(self.columns.links.values())
        return LinkColumns(
            ids=list(self.columns.links),
            kinds=[kind for kind, *_ in said],
            types=[_name_type(kind, label) for kind, label, *_ in said],
            sources=[source for _, _, source, _ in said],
            targets=[target for *_, target in said],
            signals=[(signal or "").strip() or None for signal in signals],
            weights=[None] * len(said),
        )

    def check_columns(self) -> CheckColumns:
        """Find what else checks look at."""
        tail = self.columns.tail
        named, polarities = read_columns(tail, ("signalID", "polarity"), _INSTANCES)
        (named_by_links,) = read_columns(tail, ("signalID",), _LINKS)
        return CheckColumns(
            signals=self.columns.signals,
            named=named + named_by_links,
            polarities=polarities,
        )

    def marks(self) -> Marks:
        """Count events and signals."""
        return Marks(len(self.columns.events), len(self.columns.signals))

    def marked_end(self) -> int:
        """Find where the last event, time or signal ends."""
        pieces = self.columns.pieces
        for place in range(len(pieces) - 2, 0, -2):
            if _MARK_END.fullmatch(pieces[place]):
                sizes = measure(pieces[: place + 1], self.columns.body)
                return find_begin(self._source) + sum(sizes) + place + 1  # two brackets a tag
        return 0

    def sentences(self) -> tuple[Span, ...]:
        """List the sentences that the file marks, as they end."""
        body, pieces = self.columns.body, self.columns.pieces
        if "<s" not in body:
            return ()
        places = accumulate(map(len, read_words(pieces[::2], body)))
        sentences: list[Span] = []
        opened: list[int] = []
        for tag, place in zip(pieces[1::2], places, strict=False):
            if tag.rstrip(" ") == "/s":
                sentences.append(Span(opened.pop(), place))
            elif tag == "s/" or (tag.startswith("s ") and tag.endswith("/")):
                sentences.append(Span(place, place))
            elif tag == "s" or tag.startswith("s "):
                opened.append(place)
        return tuple(sentences)

    def link(self, number: int) -> Link:
        """Make the link of a number, once."""
        if number in self._made:
            return self._made[number]
        names, start, at = self._link_tags[number]
        values = self.columns.tail.values[at : at + len(names)]
        attributes = dict(zip(names, values, strict=True))
        kind, label, source, target = self.columns.links[attributes["lid"]]
        made = self._made[number] = Link(
            id=attributes["lid"],
            attributes=attributes,
            byte_start=start,
            file=self._source,
            kind=kind,
            type=_name_type(kind, label),
            source=source,
            target=target,
            signal=attributes.get("signalID", "").strip() or None,
        )
        return made

    @cached_property
    def _link_tags(self) -> list[tuple[tuple[str, ...], int, int]]:
        """The names of each link's attributes, where it begins, and its first value."""
        tags = list(map(read_shape, self.columns.tail.shapes))
        names = [tag.names for tag in tags]
        begin = find_begin(self._source) + sum(measure([self.columns.body], self.columns.body))
        starts = [match.start() for match in _LINK_BEGINNING.finditer(self._source.data, begin)]
        values = accumulate(map(len, names), initial=0)
        are_links = [tag.element in _LINKS for tag in tags]
        return list(compress(zip(names, starts, values, strict=False), are_links))


def _name_type(kind: str, label: str) -> str | None:
    """Give the canonical name of a type that is known."""
    return label if label in CODES[kind] else find_label(kind, label)


def _cut(tags: Sequence[str]) -> Tags:
    """Cut tags without brackets into shapes and values."""
    return cut_tags(f"<{'><'.join(tags)}>" if tags else "")


def _find_ends(tags: list[str], marks: list[int]) -> list[int]:
    """Find the tag that ends each mark: mostly the next one; an empty mark ends itself."""
    following = [*tags[1:], ""]
    if _MARK_ENDS.issuperset([following[mark] for mark in marks]):
        return [mark + 1 for mark in marks]  # none is empty: another tag follows what is around it
    ends: dict[int, int] = {}
    opened = [-1]  # the root
    for place, tag in enumerate(tags):
        if tag.startswith("/"):
            ends[opened.pop()] = place
        elif tag.endswith("/"):
            ends[place] = place
        else:
            opened.append(place)
    return [ends[mark] for mark in marks]
