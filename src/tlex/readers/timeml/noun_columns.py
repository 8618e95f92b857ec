"""What a plain file says of its nodes and by its links, without a noun.

An extraction as JSON and the tables of a corpus run need this, and no nouns. Tags are read as in
`plain_elements`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, compress
from operator import not_

from tlex.algebra import CODES, find_label
from tlex.columns import CheckColumns, LinkColumns, NodeColumns, SubordinatingLink
from tlex.nouns import Link, Span
from tlex.readers.timeml.plain_elements import (
    Column,
    measure,
    read_blanks,
    read_columns,
    read_shape,
    read_words,
)
from tlex.readers.timeml.scan import (
    Columns,
    NotPlainError,
    cut_tags,
    find_begin,
)
from tlex.source import Source

__all__ = [
    "PlainLinks",
    "find_marked_end",
    "list_check_columns",
    "list_link_columns",
    "list_link_ids",
    "list_node_columns",
    "list_sentences",
    "list_slinks",
]

_MARKS = ("EVENT ", "TIMEX3 ")
_MARK_ENDS = frozenset({"/EVENT", "/TIMEX3"})
"""How the tag of a mark begins, whose name a blank and an id follow; and its end tag."""
_MARK_END = re.compile(r"</(?:EVENT|TIMEX3|SIGNAL) *>|<(?:EVENT|TIMEX3|SIGNAL)(?=[ />])[^>]*/>")
_LINK_BEGINNING = re.compile(rb"<")

_SAID = ("modality", "polarity")
_INSTANCES = frozenset({"MAKEINSTANCE"})
_LINKS = frozenset({"TLINK", "ALINK", "SLINK"})


def list_node_columns(
    source: Source, index: dict[str, int], columns: Columns
) -> NodeColumns | None:
    """Find what is said of the nodes of a file for which there are columns.

    ``index`` has the numbers of all nodes. None if a tag is written in an unusual way.
    """
    body, rest, instances = columns.body, columns.rest, columns.instances
    if rest:
        rest = rest[: rest.rfind(">") + 1]  # what follows the root is no text
    else:
        body = body[: body.rfind(">") + 1]
    pieces = _cut(body)
    tags = pieces[1::2]
    marks = [place for place, tag in enumerate(tags) if tag.startswith(_MARKS)]
    # Events and times have numbers of their own, and the times follow the events.
    are_events = [tags[mark][0] == "E" for mark in marks]
    events = list(compress(marks, are_events))
    times = list(compress(marks, map(not_, are_events)))
    marks = events + times
    try:
        said = _read([tags[mark] for mark in events], ("class", *_SAID))
        types, values = _read([tags[mark] for mark in times], ("type", "value"))
        own = read_columns(columns.tail, ("class", *_SAID), _INSTANCES, len(instances))
        blanks = read_blanks(columns.tail)
    except NotPlainError:
        return None
    words = list(read_words(pieces[::2], body))
    end_words = read_words(_cut(rest)[::2], rest)
    # How much stands before each tag: characters of text, and bytes of the file.
    places = list(accumulate(map(len, words)))
    sizes = list(accumulate(measure(pieces, body), initial=find_begin(source)))[1::2]
    ends = _find_ends(tags, marks)
    number_of = dict(zip(columns.times, range(len(events), len(marks)), strict=True))
    event_numbers = dict(zip(columns.events, range(len(events)), strict=True))
    event_of = list(map(instances.get, index))
    numbers = [
        number_of[name] if event is None else event_numbers[event]
        for name, event in zip(index, event_of, strict=True)
    ]
    made = dict(zip(instances, range(len(instances)), strict=True))
    instance_of = [made.get(name, -1) for name in index]  # -1 for a time

    def choose(own: Column, marked: Column, of_times: Column) -> Column:
        """Choose what an instance says itself, or else what is said of its words."""
        own.append(None)
        mine = list(map(own.__getitem__, instance_of))
        marked += of_times
        if marked.count(None) == len(marked):  # as a rule, only instances say it, or only events
            return mine
        return [
            marked[number] if said is None else said
            for said, number in zip(mine, numbers, strict=True)
        ]

    nothing_said: Column = [None] * len(times)
    types, modalities, polarities = map(choose, own, said, (types, nothing_said, nothing_said))
    marked = list(map(marks.__getitem__, numbers))
    return NodeColumns(
        text="".join((*words, blanks, *end_words)),
        ids=list(index),
        starts=[places[mark] for mark in marked],
        ends=[places[ends[number]] for number in numbers],
        events=event_of,
        times=[event is None for event in event_of],
        types=types,
        values=list(map(([None] * len(events) + values).__getitem__, numbers)),
        modalities=[said or "" for said in modalities],
        polarities=[said or "" for said in polarities],
        offsets=[sizes[mark] + 2 * mark for mark in marked],  # two brackets a tag
    )


def list_link_ids(columns: Columns) -> list[str]:
    """List the ids of all links."""
    return list(columns.links)


def list_slinks(columns: Columns) -> list[SubordinatingLink]:
    """List what the SLINKs say, with the canonical names of their types, which are all known."""
    known = CODES["SLINK"]
    return [
        (name, label if label in known else find_label(kind, label), source, target)
        for name, (kind, label, source, target) in columns.links.items()
        if kind == "SLINK"
    ]


def list_link_columns(columns: Columns) -> LinkColumns | None:
    """Find what all links say of a file for which there are columns: no link has a weight.

    None if a tag is written in an unusual way.
    """
    try:
        (signals,) = read_columns(columns.tail, ("signalID",), _LINKS)
    except NotPlainError:
        return None
    said = list(columns.links.values())
    return LinkColumns(
        ids=list(columns.links),
        kinds=[kind for kind, *_ in said],
        types=[_name_type(kind, label) for kind, label, *_ in said],
        sources=[source for _, _, source, _ in said],
        targets=[target for *_, target in said],
        signals=[(signal or "").strip() or None for signal in signals],
        weights=[None] * len(said),
    )


def list_check_columns(columns: Columns) -> CheckColumns | None:
    """Find what checks look at in a file for which there are columns.

    None if a tag is written in an unusual way.
    """
    try:
        named, polarities = read_columns(columns.tail, ("signalID", "polarity"), _INSTANCES)
        (named_by_links,) = read_columns(columns.tail, ("signalID",), _LINKS)
    except NotPlainError:
        return None
    return CheckColumns(
        signals=columns.signals,
        named=named + named_by_links,
        polarities=polarities,
    )


def find_marked_end(source: Source, columns: Columns) -> int:
    """Find where the last event, time or signal ends in a file for which there are columns."""
    ends = [match.end() for match in _MARK_END.finditer(columns.body)]
    return find_begin(source) + _measure(columns.body[: ends[-1]]) if ends else 0


def list_sentences(columns: Columns) -> tuple[Span, ...]:
    """List the sentences that a file marks, for which there are columns, as they end."""
    if "<s" not in columns.body:
        return ()
    pieces = _cut(columns.body)
    places = accumulate(map(len, read_words(pieces[::2], columns.body)))
    sentences: list[Span] = []
    opened: list[int] = []
    for tag, place in zip(pieces[1::2], places, strict=False):
        if tag.rstrip(" ") == "/s":
            sentences.append(Span(opened.pop(), place))
        elif tag.partition(" ")[0] == "s/" or (tag.startswith("s ") and tag.endswith("/")):
            sentences.append(Span(place, place))
        elif tag == "s" or tag.startswith("s "):
            opened.append(place)
    return tuple(sentences)


class PlainLinks:
    """Makes single links of a file for which there are columns."""

    def __init__(self, source: Source, columns: Columns) -> None:
        self._source, self._columns = source, columns
        self._tags: list[tuple[tuple[str, ...], int, int]] | None = None
        self._made: dict[int, Link] = {}

    def __call__(self, number: int) -> Link | None:
        """Make the link of a number, once; None if a tag is written in an unusual way."""
        if number in self._made:
            return self._made[number]
        if self._tags is None:
            try:
                self._tags = list(self._find_tags())
            except NotPlainError:
                self._tags = []
        if not self._tags:
            return None
        names, start, at = self._tags[number]
        values = self._columns.tail.values[at : at + len(names)]
        attributes = dict(zip(names, values, strict=True))
        kind, label, source, target = self._columns.links[attributes["lid"]]
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

    def _find_tags(self) -> Iterator[tuple[tuple[str, ...], int, int]]:
        """Find the names of each link's attributes, where it begins, and its first value."""
        data = self._source.data
        tags = list(map(read_shape, self._columns.tail.shapes))
        names = [tag.names for tag in tags]
        begin = find_begin(self._source) + _measure(self._columns.body)
        starts = [match.start() for match in _LINK_BEGINNING.finditer(data, begin)]
        values = accumulate(map(len, names), initial=0)
        are_links = [tag.element in _LINKS for tag in tags]
        return compress(zip(names, starts, values, strict=False), are_links)


def _measure(words: str) -> int:
    """Give the number of bytes of words."""
    return len(words) if words.isascii() else len(words.encode())


def _name_type(kind: str, label: str) -> str | None:
    """Give the canonical name of a type that is known."""
    return label if label in CODES[kind] else find_label(kind, label)


def _cut(text: str) -> list[str]:
    """Cut into words, tag, words, tag, ..., words, without brackets: these alternate."""
    return text.replace(">", "<").split("<")


def _read(tags: Sequence[str], wanted: tuple[str, ...]) -> list[Column]:
    """Read attributes of tags without brackets."""
    return read_columns(cut_tags(f"<{'><'.join(tags)}>" if tags else ""), wanted)


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
