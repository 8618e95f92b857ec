"""What a plain file says of its nodes and by its links, without a noun.

An extraction as JSON and the tables of a corpus run need this and the places of nodes, and no
nouns. Tags are read as in `plain_elements`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import accumulate
from operator import itemgetter

from tlex.algebra import CODES, find_label
from tlex.document import Details, LinkColumns, Source, SubordinatingLink
from tlex.readers.timeml.plain_elements import measure, read_tags
from tlex.readers.timeml.scan import NotPlainError, cut_file, find_begin

__all__ = ["list_details", "list_link_columns", "list_link_ids", "name_types"]

_MARK = re.compile(r"(<(?:EVENT|TIMEX3)\b[^>]*>)")
_LINK_ID = re.compile(r'<[TSA]LINK(?: (?!lid=)[^ ="]++="[^"]*+")*+ lid="([^"]*+)"')


def list_details(
    source: Source, index: dict[str, int], instances: dict[str, str]
) -> Details | None:
    """Find what is said of the nodes of a file for which there are columns (`scan.Columns`).

    ``instances`` are those of the columns, and ``index`` has the numbers of all nodes. None if a
    tag is written in an unusual way.
    """
    begin = find_begin(source)
    file = source.data[begin:].decode()
    body, tail, _ = cut_file(file[: file.rfind(">") + 1])
    pieces = _MARK.split(body)  # what is between, mark, what is between, mark, ...
    made = [tag for tag in tail.split("<") if tag.startswith("MAKEINSTANCE")]
    try:
        tags, marked = read_tags("".join(pieces[1::2]))
        _, own = read_tags("".join(map("<".__add__, made)))
    except NotPlainError:
        return None
    starts = list(accumulate(measure(pieces, body), initial=begin))[1:-1:2]
    events, nodes = {}, {}
    for tag, attributes, start in zip(tags, marked, starts, strict=True):
        if tag.element == "EVENT":
            events[attributes["eid"]] = attributes, start
        else:
            nodes[attributes["tid"]] = attributes, attributes, start
    for attributes in own:
        name = attributes["eiid"]
        nodes[name] = attributes, *events[instances[name]]
    columns = list(zip(*map(nodes.__getitem__, index), strict=True)) or [(), (), ()]
    times = [name not in instances for name in index]
    return Details(times, *map(list, columns))


def list_link_ids(source: Source) -> list[str]:
    """Find the ids of all links of a file for which there are columns."""
    file = source.data[find_begin(source) :].decode()
    return _LINK_ID.findall(cut_file(file)[1])


def list_link_columns(source: Source) -> LinkColumns | None:
    """Find what all links of a file for which there are columns say.

    None if a tag is written in an unusual way. The columns say that all labels are known and that
    no link has a weight.
    """
    file = source.data[find_begin(source) :].decode()
    _, tail, _ = cut_file(file[: file.rfind(">") + 1])
    links = [tag for tag in tail.split("<")[1:] if not tag.startswith("MAKEINSTANCE")]
    try:
        tags, found = read_tags("".join(map("<".__add__, links)))
    except NotPlainError:
        return None
    kinds = [tag.element for tag in tags]
    return LinkColumns(
        ids=[link["lid"] for link in found],
        kinds=kinds,
        types=[
            label if label in CODES[kind] else find_label(kind, label)
            for kind, label in zip(kinds, map(itemgetter("relType"), found), strict=True)
        ],
        sources=[link.get("eventInstanceID") or link["timeID"] for link in found],
        targets=[
            link["subordinatedEventInstance"]
            if kind == "SLINK"
            else link.get("relatedToEventInstance") or link["relatedToTime"]
            for kind, link in zip(kinds, found, strict=True)
        ],
        signals=[link.get("signalID", "").strip() or None for link in found],
        weights=[None] * len(found),
    )


def name_types(slinks: Iterable[tuple[str, str, str, str]]) -> list[SubordinatingLink]:
    """Give SLINKs with the canonical names of their types, which are all known."""
    return [
        (name, find_label("SLINK", label), source, target) for name, label, source, target in slinks
    ]
