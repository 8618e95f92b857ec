"""What a plain file says of its nodes and by its links, without a noun.

An extraction as JSON and the tables of a corpus run need this, and no nouns. Tags are read as in
`plain_elements`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate, compress
from operator import not_

from tlex.algebra import CODES, find_label
from tlex.document import (
    CheckColumns,
    Link,
    LinkColumns,
    NodeColumns,
    Source,
    Span,
    SubordinatingLink,
)
from tlex.readers.timeml.plain_elements import Column, read_blanks, read_columns, read_shape
from tlex.readers.timeml.scan import (
    Columns,
    NotPlainError,
    cut_tags,
    find_begin,
    replace_references,
)

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

_TAG = re.compile("<[^>]*>")
_MARK = re.compile(
    r"<(?:((?:EVENT|TIMEX3)(?=[ />])[^>]*+>)(?:(?<=/>)()|([^<]*+)</(?:EVENT|TIMEX3) *>)?+"
    r"|/(?:EVENT|TIMEX3) *>)"
)
"""The beginnings and ends of events and times: what begins one, without its first character, and
"" for an empty element, or the words of one that has words only; or just the end of one. (A pattern
that begins with one certain character is found in half the time.)"""
_BEGINNING = re.compile(rb"<(?:EVENT|TIMEX3)(?=[ />])")
_MARK_END = re.compile(r"</(?:EVENT|TIMEX3|SIGNAL) *>|<(?:EVENT|TIMEX3|SIGNAL)(?=[ />])[^>]*/>")
_SENTENCE = re.compile(r"<(/?)s(?=[ />])[^>]*?(/?)>")
_TAG_BEGINNING = re.compile(rb"<")

_SAID = ("modality", "polarity")
_INSTANCES = frozenset({"MAKEINSTANCE"})
_LINKS = frozenset({"TLINK", "ALINK", "SLINK"})

_CUT = "\0"
"""A character that XML does not have."""


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
    *pieces, last = _MARK.split(body)
    gaps, tags, empty, insides = (pieces[number::4] for number in range(4))
    begins = list(filter(None, tags))
    are_events = [tag.startswith("EVENT") for tag in begins]
    are_times = list(map(not_, are_events))
    try:
        eids, classes, *said = _read(compress(begins, are_events), ("eid", "class", *_SAID))
        tids, types, values = _read(compress(begins, are_times), ("tid", "type", "value"))
        own_classes, *own = read_columns(
            columns.tail, ("class", *_SAID), _INSTANCES, len(instances)
        )
        blanks = read_blanks(columns.tail)
    except NotPlainError:
        return None
    *words, end_words = _read_words(gaps, insides, last, rest)
    places = list(accumulate(map(len, words)))
    starts: list[int] = []
    ends: list[int] = []
    opened: list[int] = []
    for tag, nothing, inside, start, end in zip(
        tags, empty, insides, places[::2], places[1::2], strict=False
    ):
        if tag is None:
            ends[opened.pop()] = start
            continue
        if inside is None and nothing is None:
            opened.append(len(starts))
        starts.append(start)
        ends.append(end)
    begin = find_begin(source)
    end = begin + _measure(body)
    offsets = [match.start() for match in _BEGINNING.finditer(source.data, begin, end)]
    # Events and times have numbers of their own, and the times follow the events.
    all_marks = range(len(begins))
    order = [*compress(all_marks, are_events), *compress(all_marks, are_times)]
    number_of = dict(zip(tids, range(len(eids), len(begins)), strict=True))
    event_of = list(map(instances.get, index))
    events = dict(zip(eids, all_marks, strict=False))
    numbers = [
        number_of[name] if event is None else events[event]
        for name, event in zip(index, event_of, strict=True)
    ]
    marks = list(map(order.__getitem__, numbers))
    made = dict(zip(instances, range(len(instances)), strict=True))
    instance_of = [made.get(name, -1) for name in index]  # -1 for a time

    def choose(own: Column, marked: Column, of_times: Column) -> Column:
        """Choose what an instance says itself, or else what is said of its words."""
        own.append(None)
        marked += of_times
        mine = map(own.__getitem__, instance_of)
        return [
            marked[number] if said is None else said
            for said, number in zip(mine, numbers, strict=True)
        ]

    nothing_said: Column = [None] * len(tids)
    modalities, polarities = map(choose, own, said, (nothing_said, nothing_said))
    return NodeColumns(
        text="".join((*words, blanks, end_words)),
        ids=list(index),
        starts=list(map(starts.__getitem__, marks)),
        ends=list(map(ends.__getitem__, marks)),
        events=event_of,
        times=[event is None for event in event_of],
        types=choose(own_classes, classes, types),
        values=list(map(([None] * len(eids) + values).__getitem__, numbers)),
        modalities=[said or "" for said in modalities],
        polarities=[said or "" for said in polarities],
        offsets=list(map(offsets.__getitem__, marks)),
    )


def list_link_ids(columns: Columns) -> list[str]:
    """List the ids of all links."""
    return list(columns.links)


def list_slinks(columns: Columns) -> list[SubordinatingLink]:
    """List what the SLINKs say, with the canonical names of their types, which are all known."""
    return [
        (name, find_label(kind, label), source, target)
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
        named, polarities = read_columns(columns.tail, ("signalID", "polarity"))
    except NotPlainError:
        return None
    are_instances = [shape.startswith("MAKEINSTANCE") for shape in columns.tail.shapes]
    return CheckColumns(
        signals=columns.signals,
        named=named,
        polarities=list(compress(polarities, are_instances)),
    )


def find_marked_end(source: Source, columns: Columns) -> int:
    """Find where the last event, time or signal ends in a file for which there are columns."""
    ends = [match.end() for match in _MARK_END.finditer(columns.body)]
    return find_begin(source) + _measure(columns.body[: ends[-1]]) if ends else 0


def list_sentences(columns: Columns) -> tuple[Span, ...]:
    """List the sentences that a file marks, for which there are columns, as they end."""
    if "<s" not in columns.body:
        return ()
    pieces = _SENTENCE.split(columns.body)
    places = accumulate(map(len, _strip(pieces[::3])))
    sentences, opened = [], []
    for ends, empty, place in zip(pieces[1::3], pieces[2::3], places, strict=False):
        if not ends:
            opened.append(place)
        if ends or empty:
            sentences.append(Span(opened.pop(), place))
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
        starts = [match.start() for match in _TAG_BEGINNING.finditer(data, begin)]
        values = accumulate(map(len, names), initial=0)
        are_links = [tag.element in _LINKS for tag in tags]
        return compress(zip(names, starts, values, strict=False), are_links)


def _measure(words: str) -> int:
    """Give the number of bytes of words."""
    return len(words) if words.isascii() else len(words.encode())


def _name_type(kind: str, label: str) -> str | None:
    """Give the canonical name of a type that is known."""
    return label if label in CODES[kind] else find_label(kind, label)


def _read(tags: Iterable[str], wanted: tuple[str, ...]) -> list[Column]:
    return read_columns(cut_tags("<".join(("", *tags))), wanted)


def _read_words(gaps: list[str], insides: list[str | None], *rest: str) -> list[str]:
    """Give the words between and inside the marks, in turns, and then those of the rest."""
    pieces = [piece or "" for pair in zip(gaps, insides, strict=True) for piece in pair]
    return _strip((*pieces, *rest))


def _strip(pieces: Iterable[str]) -> list[str]:
    """Give the words of pieces of a file as XML reads them.

    They have no tags, each line end is one character, and references are replaced.
    """
    words = _CUT.join(pieces)
    if "\r" in words:
        words = words.replace("\r\n", "\n").replace("\r", "\n")
    words = _TAG.sub("", words)
    if "&" in words:
        words = replace_references(words)
    return words.split(_CUT)
