"""What a plain file says of its nodes and by its links, without a noun.

An extraction as JSON and the tables of a corpus run need this, and no nouns. Tags are read as in
`plain_elements`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, compress
from operator import not_

from tlex.algebra import CODES, find_label
from tlex.document import LinkColumns, NodeColumns, Source, SubordinatingLink
from tlex.readers.timeml.plain_elements import (
    Column,
    measure,
    read_blanks,
    read_columns,
    read_words,
)
from tlex.readers.timeml.scan import (
    Columns,
    NotPlainError,
    cut_tags,
    find_begin,
)

__all__ = ["list_link_columns", "list_link_ids", "list_node_columns", "list_slinks"]

_MARKS = ("EVENT ", "TIMEX3 ")
_MARK_ENDS = frozenset({"/EVENT", "/TIMEX3"})
"""How the tag of a mark begins, whose name a blank and an id follow; and its end tag."""

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
        types=[
            label if label in CODES[kind] else find_label(kind, label) for kind, label, *_ in said
        ],
        sources=[source for _, _, source, _ in said],
        targets=[target for *_, target in said],
        signals=[(signal or "").strip() or None for signal in signals],
        weights=[None] * len(said),
    )


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
