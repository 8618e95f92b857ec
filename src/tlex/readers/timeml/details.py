"""What a plain file says of its nodes and by its SLINKs, without a noun.

An extraction as JSON needs this and the places of nodes, and no nouns. The tags of events, times
and instances are read as in `plain_elements`; what else a file has is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import accumulate

from tlex.algebra import find_label
from tlex.document import Details, Source, SubordinatingLink
from tlex.readers.timeml.plain_elements import measure, read_tags
from tlex.readers.timeml.scan import NotPlainError, cut_file, find_begin

__all__ = ["list_details", "list_link_ids", "name_types"]

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


def name_types(slinks: Iterable[tuple[str, str, str, str]]) -> list[SubordinatingLink]:
    """Give SLINKs with the canonical names of their types, which are all known."""
    return [
        (name, find_label("SLINK", label), source, target) for name, label, source, target in slinks
    ]
