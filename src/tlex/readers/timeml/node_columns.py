"""What a plain file says of its nodes, without a noun.

An extraction as JSON needs this, and no nouns. The tags of events, times and instances are read as
in `plain_elements`; what else a file has is left out.
"""

from __future__ import annotations

import re
from itertools import accumulate

from tlex.document import NodeColumns, Source
from tlex.readers.timeml.plain_elements import read_instances, read_tags
from tlex.readers.timeml.scan import (
    Columns,
    NotPlainError,
    cut_tags,
    find_begin,
    replace_references,
)

__all__ = ["list_node_columns"]

_TAG = re.compile("<[^>]*>")
_MARK = re.compile(
    r"(<(?:EVENT|TIMEX3)(?=[ />])[^>]*+>)(?:(?<=/>)()|([^<]*+)</(?:EVENT|TIMEX3) *>)?+"
    r"|</(?:EVENT|TIMEX3) *>"
)
"""The beginnings and ends of events and times: the tag that begins one, and "" for an empty
element, or the words of one that has words only; or just the end of one."""
_BEGINNING = re.compile(rb"<(?:EVENT|TIMEX3)(?=[ />])")

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
    try:
        marks, attributes = read_tags(cut_tags("".join(filter(None, tags))))
        own, blanks = read_instances(columns.tail)
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
    offsets = [match.start() for match in _BEGINNING.finditer(source.data, find_begin(source))]
    times, events = {}, {}
    for number, (mark, given) in enumerate(zip(marks, attributes, strict=True)):
        if mark.element == "EVENT":
            events[given["eid"]] = number
        else:
            times[given["tid"]] = number
    ids = list(index)
    event_of = list(map(instances.get, ids))
    marked = [
        times[name] if event is None else events[event]
        for name, event in zip(ids, event_of, strict=True)
    ]
    attributes_of = list(map(attributes.__getitem__, marked))
    return NodeColumns(
        text="".join((*words, blanks, end_words)),
        ids=ids,
        starts=list(map(starts.__getitem__, marked)),
        ends=list(map(ends.__getitem__, marked)),
        events=event_of,
        times=[event is None for event in event_of],
        own=list(map(dict(zip(instances, own, strict=True)).get, ids, attributes_of)),
        marked=attributes_of,
        offsets=list(map(offsets.__getitem__, marked)),
    )


def _read_words(gaps: list[str], insides: list[str | None], *rest: str) -> list[str]:
    """Give the words between and inside the marks, in turns, and then those of the rest.

    They are as XML reads them: without tags, each line end is one character, and references are
    replaced.
    """
    pieces = [piece or "" for pair in zip(gaps, insides, strict=True) for piece in pair]
    words = _CUT.join((*pieces, *rest))
    if "\r" in words:
        words = words.replace("\r\n", "\n").replace("\r", "\n")
    words = _TAG.sub("", words)
    if "&" in words:
        words = replace_references(words)
    return words.split(_CUT)
