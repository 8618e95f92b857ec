"""What a plain file says of its nodes and by its links, without a noun.

An extraction as JSON, the tables of a corpus run, checks and repairs need this, and no nouns. Tags
are read as in `plain_elements`; `scan` has proven that each can be read so.
"""

from __future__ import annotations

import re
from itertools import accumulate, compress, repeat
from typing import NamedTuple

from msgspec.structs import asdict

from tlex.algebra import CODES, find_label
from tlex.caching import cached_property
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
from tlex.readers.timeml.fast_path import Numbers
from tlex.readers.timeml.plain_elements import (
    Column,
    measure,
    read_blanks,
    read_columns,
    read_marks,
    read_shape,
    read_start,
    read_words,
)
from tlex.readers.timeml.scan import Columns, cut_pieces
from tlex.source import Source

__all__ = ["PlainOverview"]

_EVENT, _TIME = "EVENT ", "TIMEX3 "
_MARK_ENDS = frozenset({"/EVENT", "/TIMEX3"})
"""How the tag of a mark begins, whose name a blank and an id follow; and its end tag."""
_MARK_END = re.compile("/(?:EVENT|TIMEX3|SIGNAL) *|(?:EVENT|TIMEX3|SIGNAL) .*/", re.DOTALL)
_LINK_BEGINNING = re.compile(rb"<")

_SAID = ("modality", "polarity")
_SAID_OF_TIMES = ("functionInDocument", "type", "value")
_INSTANCES = frozenset({"MAKEINSTANCE"})
_LINKS = frozenset({"TLINK", "ALINK", "SLINK"})


class _Marked(NamedTuple):
    """The nodes, the number of each node's mark, and of the tag that begins it.

    Events and times have numbers of their own, and the times follow the events. ``events`` and
    ``times`` have columns of what they say.
    """

    places: Places
    numbers: list[int]
    tags: list[int]
    events: list[Column]
    times: list[Column]


class PlainOverview(Overview):
    """What is known of a file for which there are columns, and whose nodes have numbers."""

    def __init__(self, source: Source, numbers: Numbers, columns: Columns) -> None:
        self._source = source
        self.columns = columns
        self._numbers = numbers
        self._made: dict[int, Link] = {}

    def times(self) -> dict[str, dict[str, str]]:
        """List the attributes of all times, by id."""
        shapes, values = self.columns.starts
        times = []
        at = 0
        for shape in shapes:
            size = shape.count('"')
            if shape.startswith(_TIME):
                names = read_start(shape).names
                times.append(dict(zip(names, values[at : at + size], strict=True)))
            at += size
        return {time["tid"]: time for time in times}

    def places(self) -> Places:
        """Find the nodes, and where they stand."""
        return self._marked.places

    @cached_property
    def _marked(self) -> _Marked:
        """Find events and times in the body, and put the nodes into text order."""
        columns, order = self.columns, self._numbers.order
        pieces, instances = columns.pieces, columns.instances
        events, said = read_marks(columns.starts, _EVENT, ("class", *_SAID))
        times, said_of_times = read_marks(columns.starts, _TIME, _SAID_OF_TIMES)
        marks = list(map(columns.numbers.__getitem__, events + times))
        words = list(read_words(pieces[::2], columns.body))
        rest = columns.rest[: columns.rest.rfind(">") + 1]  # what follows the root is no text
        end_words = read_words(cut_pieces(rest)[::2], rest)
        places = list(accumulate(map(len, words)))  # how many characters stand before each tag
        ends = _find_ends(pieces[1::2], marks)
        # Each time and instance: its event, and the number of the event or time.
        number_of = dict(zip(columns.events, range(len(events)), strict=True))
        event_of = [*repeat(None, len(times)), *instances.values()]
        numbers = [
            *range(len(events), len(marks)),
            *map(number_of.__getitem__, instances.values()),
        ]
        numbers = list(map(numbers.__getitem__, order))
        tags = list(map(marks.__getitem__, numbers))
        functions = zip(columns.times, said_of_times[0], strict=True)
        found = Places(
            text="".join((*words, self.blanks, *end_words)),
            ids=list(self._numbers.by_id),
            starts=list(map(places.__getitem__, tags)),
            ends=[places[ends[number]] for number in numbers],
            events=list(map(event_of.__getitem__, order)),
            times=[place < len(times) for place in order],
            functions={name: function for name, function in functions if function},
        )
        return _Marked(found, numbers, tags, said, said_of_times)

    def node_columns(self) -> NodeColumns:
        """Find what is said of the nodes."""
        columns, order = self.columns, self._numbers.order
        places, numbers, tags, said, (_, types, values) = self._marked
        events, times = len(columns.events), len(columns.times)
        own = read_columns(columns.tail, ("class", *_SAID), _INSTANCES, len(columns.instances))
        # How many bytes of the file stand before each tag.
        sizes = list(accumulate(measure(columns.pieces, columns.body), initial=columns.begin))[1::2]

        def choose(mine: Column, marked: Column, of_times: Column) -> Column:
            """Choose what an instance says itself, or else what is said of its words."""
            of_words = map((marked + of_times).__getitem__, numbers)
            if mine.count(None) == len(mine):  # as a rule, only events say it, or only instances
                return list(of_words)
            mine = list(map([*repeat(None, times), *mine].__getitem__, order))
            if marked.count(None) == len(marked) and of_times.count(None) == len(of_times):
                return mine
            return [
                ours if said is None else said for said, ours in zip(mine, of_words, strict=True)
            ]

        nothing_said: Column = [None] * times
        types, modalities, polarities = map(choose, own, said, (types, nothing_said, nothing_said))
        return NodeColumns(
            **asdict(places),
            types=types,
            values=list(map(([None] * events + values).__getitem__, numbers)),
            modalities=[said or "" for said in modalities],
            polarities=[said or "" for said in polarities],
            offsets=[sizes[tag] + 2 * tag for tag in tags],  # two brackets a tag
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
                return self.columns.begin + sum(sizes) + place + 1  # two brackets a tag
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
        body = self.columns.body
        begin = self.columns.begin + sum(measure([body], body))
        starts = [match.start() for match in _LINK_BEGINNING.finditer(self._source.data, begin)]
        values = accumulate(map(len, names), initial=0)
        are_links = [tag.element in _LINKS for tag in tags]
        return list(compress(zip(names, starts, values, strict=False), are_links))


def _name_type(kind: str, label: str) -> str | None:
    """Give the canonical name of a type that is known."""
    return label if label in CODES[kind] else find_label(kind, label)


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
