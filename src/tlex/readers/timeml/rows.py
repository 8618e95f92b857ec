"""From a TimeML file to rows: what expat met, in the order of the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from xml.parsers import expat

from tlex.document import Source
from tlex.errors import TooLargeError
from tlex.readers.assembly import Problems
from tlex.readers.xml import (
    MAX_ATTRIBUTE,
    MAX_DEPTH,
    check_element,
    guard,
    refuse,
    run_parser,
)

__all__ = ["IDS", "KEYS", "Empty", "Marked", "Rows", "parse_rows"]

IDS = frozenset(
    {
        *("eid", "eiid", "tid", "sid", "lid", "eventID", "signalID", "eventInstanceID", "timeID"),
        *("relatedToEventInstance", "relatedToTime", "subordinatedEventInstance"),
    }
)
"""The attributes that hold ids."""

KEYS = {"EVENT": "eid", "MAKEINSTANCE": "eiid", "TIMEX3": "tid", "SIGNAL": "sid"}
"""The attribute that holds an element's own id."""

_LINKS = frozenset(("TLINK", "SLINK", "ALINK", "GLINK", "CLINK"))
_EMPTY = _LINKS | {"MAKEINSTANCE"}
_END_IN_TAIL = re.compile(rb"</(?:[TSAGC]LINK|MAKEINSTANCE)")
_NAMES = {
    name: name
    for name in (
        *IDS,
        *KEYS,
        *("TLINK", "SLINK", "ALINK", "TimeML", "relType", "weight", "class", "stem"),
        *("type", "value", "mod", "temporalFunction", "functionInDocument", "anchorTimeID"),
        *("tense", "aspect", "polarity", "pos", "modality", "cardinality", "syntax", "origin"),
        *("beginPoint", "endPoint", "quant", "freq", "comment", "valueFromFunction"),
    )
}
"""The names that TimeML uses: the parser then gives these very strings, which are found quicker."""

Marked = tuple[dict[str, str], int, int, int]
"""What marks words: attributes, byte offset, how many parts of the text come before and with it."""


class Empty(NamedTuple):
    """Elements without words, in the order of the file: parallel lists."""

    names: list[str]
    attributes: list[dict[str, str]]
    starts: list[int]

    def walk(self) -> Iterator[tuple[str, dict[str, str], int]]:
        """Element by element: name, attributes, byte offset."""
        return zip(self.names, self.attributes, self.starts, strict=True)


class Rows(NamedTuple):
    """What the parser met, in the order of the file; what marks words by its end.

    ``parts`` make up the text. None of them is empty: so where words begin can be told from the
    number of parts before them, as far as only their order counts.
    """

    parts: list[str]
    text: str
    marked: dict[str, list[Marked]]
    instances: Empty
    links: Empty


def parse_rows(  # noqa: C901, PLR0915 -- the handlers share their variables
    source: Source, problems: Problems, encoding: str | None
) -> Rows:
    """Run expat over the file."""
    parser = expat.ParserCreate(encoding, None, _NAMES.copy())
    parser.buffer_text = True
    parser.specified_attributes = True  # an internal DTD's default values are not annotation
    parts: list[str] = []
    marked: dict[str, list[Marked]] = {"EVENT": [], "TIMEX3": [], "SIGNAL": []}
    stack: list[tuple[dict[str, str], int, int]] = []
    instances: list[Any] = []  # name, attributes, offset; name, attributes, offset; ...
    links: list[Any] = []
    push, pop = stack.append, stack.pop
    add_link, add_instance = links.extend, instances.extend
    # A large file is read with all precautions.
    careful = len(source.data) > MAX_ATTRIBUTE or source.encoding.startswith("utf-16")
    plain = False
    in_text: list[Any] = []
    in_tail: list[Any] = []

    def look_closer(element: str, attributes: dict[str, str]) -> None:
        if element in _EMPTY:
            add = add_instance if element == "MAKEINSTANCE" else add_link
            add((element, attributes, parser.CurrentByteIndex))
            if not careful and len(stack) == len(("root", "instance or link")):
                enter_tail()
        if careful or len(stack) > MAX_DEPTH:
            too_large = check_element(element, attributes, len(stack))
            if too_large:
                refuse(too_large, parser, source, problems, TooLargeError)

    def enter_tail() -> None:
        # Instances and links right below the root, which most files have behind the text and as
        # empty-element tags without exception, need no waiting for their ends.
        nonlocal careful, plain
        if not plain:  # asked once: from the first of them to the end of the file
            plain = _END_IN_TAIL.search(source.data, parser.CurrentByteIndex) is None
            careful = not plain
        if plain:
            pop()
            parser.StartElementHandler, parser.EndElementHandler = in_tail

    def start(element: str, attributes: dict[str, str]) -> None:
        push((attributes, parser.CurrentByteIndex, len(parts)))
        if element in _EMPTY or careful or len(stack) > MAX_DEPTH:
            look_closer(element, attributes)

    def end(element: str) -> None:
        attributes, offset, first = pop()
        if element in marked:
            marked[element].append((attributes, offset, first, len(parts)))

    def start_in_tail(element: str, attributes: dict[str, str]) -> None:
        if element in _LINKS:
            add_link((element, attributes, parser.CurrentByteIndex))
        elif element == "MAKEINSTANCE":
            add_instance((element, attributes, parser.CurrentByteIndex))
        else:
            parser.StartElementHandler, parser.EndElementHandler = in_text
            start(element, attributes)

    in_text += start, end
    in_tail += start_in_tail, None
    parser.StartElementHandler, parser.EndElementHandler = in_text
    parser.CharacterDataHandler = parts.append
    parser.StartDoctypeDeclHandler = guard(parser, source, parts.append, problems)
    try:
        run_parser(parser, source, problems)
    finally:
        # Left alone, the handlers, which know each other, and the rows would wait for the garbage
        # collector, document after document: that takes a tenth of the time of reading.
        in_text.clear()
        in_tail.clear()
    return Rows(parts, "".join(parts), marked, _cut(instances), _cut(links))


def _cut(flat: list[Any]) -> Empty:
    return Empty(flat[0::3], flat[1::3], flat[2::3])
