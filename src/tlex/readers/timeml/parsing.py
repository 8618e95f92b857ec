"""From a TimeML file to its elements: runs expat, and keeps what TimeML knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from xml.parsers import expat

from tlex.document import Source
from tlex.errors import TooLargeError
from tlex.readers.diagnostics import Diagnostics
from tlex.readers.xml import (
    MAX_ATTRIBUTE,
    MAX_DEPTH,
    check_element,
    make_doctype_handler,
    refuse,
    run_parser,
)

__all__ = ["ID_ATTRIBUTES", "OWN_ID", "Elements", "EmptyElements", "TextElement", "parse_elements"]

ID_ATTRIBUTES = frozenset(
    {
        *("eid", "eiid", "tid", "sid", "lid", "eventID", "signalID", "eventInstanceID", "timeID"),
        *("relatedToEventInstance", "relatedToTime", "subordinatedEventInstance"),
    }
)
"""The attributes whose value is an id."""

OWN_ID = {"EVENT": "eid", "MAKEINSTANCE": "eiid", "TIMEX3": "tid", "SIGNAL": "sid"}
"""The attribute with an element's own id, by the name of the element."""

_LINKS = frozenset(("TLINK", "SLINK", "ALINK", "GLINK", "CLINK"))
_EMPTY = _LINKS | {"MAKEINSTANCE"}
_END_IN_TAIL = re.compile(rb"</(?:[TSAGC]LINK|MAKEINSTANCE)")
_NAMES = {
    name: name
    for name in (
        *ID_ATTRIBUTES,
        *OWN_ID,
        *("TLINK", "SLINK", "ALINK", "TimeML", "relType", "weight", "class", "stem"),
        *("type", "value", "mod", "temporalFunction", "functionInDocument", "anchorTimeID"),
        *("tense", "aspect", "polarity", "pos", "modality", "cardinality", "syntax", "origin"),
        *("beginPoint", "endPoint", "quant", "freq", "comment", "valueFromFunction"),
    )
}
"""The names that TimeML uses. The parser then gives these very strings, and lookups are faster."""

TextElement = tuple[dict[str, str], int, int, int]
"""An element with words inside: its attributes, its byte offset, and how many parts of the text
come before its start and before its end."""


class EmptyElements(NamedTuple):
    """Elements without words, in the order of the file, as parallel lists."""

    names: list[str]
    attributes: list[dict[str, str]]
    starts: list[int]

    def walk(self) -> Iterator[tuple[str, dict[str, str], int]]:
        """Go from element to element: name, attributes, byte offset."""
        return zip(self.names, self.attributes, self.starts, strict=True)


class Elements(NamedTuple):
    """What the parser found, in the order of the file; elements with words by their ends.

    ``parts`` make up the text. No part is empty, so the number of parts before an element's words
    orders elements in the same way as the number of characters before them.
    """

    parts: list[str]
    text: str
    in_text: dict[str, list[TextElement]]
    instances: EmptyElements
    links: EmptyElements


def parse_elements(  # noqa: C901, PLR0915 -- the handlers share their variables
    source: Source, diagnostics: Diagnostics, encoding: str | None
) -> Elements:
    """Run expat over the file, and collect its elements."""
    parser = expat.ParserCreate(encoding, None, _NAMES.copy())
    parser.buffer_text = True
    parser.specified_attributes = True  # an internal DTD's default values are not annotation
    parts: list[str] = []
    marked: dict[str, list[TextElement]] = {"EVENT": [], "TIMEX3": [], "SIGNAL": [], "s": []}
    stack: list[tuple[dict[str, str], int, int]] = []
    instances: list[Any] = []  # name, attributes, offset; name, attributes, offset; ...
    links: list[Any] = []
    push, pop = stack.append, stack.pop
    add_link, add_instance = links.extend, instances.extend
    # Every element of a large file is checked for its size.
    careful = len(source.data) > MAX_ATTRIBUTE or source.encoding.startswith("utf-16")
    plain = False
    text_handlers: list[Any] = []
    tail_handlers: list[Any] = []

    def look_closer(element: str, attributes: dict[str, str]) -> None:
        if element in _EMPTY:
            add = add_instance if element == "MAKEINSTANCE" else add_link
            add((element, attributes, parser.CurrentByteIndex))
            if not careful and len(stack) == len(("root", "instance or link")):
                enter_tail()
        if careful or len(stack) > MAX_DEPTH:
            too_large = check_element(element, attributes, len(stack))
            if too_large:
                refuse(too_large, parser, source, diagnostics, TooLargeError)

    def enter_tail() -> None:
        # Most files have their instances and links right below the root, behind the text, and all
        # of them as empty-element tags. Then nobody needs to wait for their end tags.
        nonlocal careful, plain
        if not plain:  # asked once: it holds to the end of the file
            plain = _END_IN_TAIL.search(source.data, parser.CurrentByteIndex) is None
            careful = not plain
        if plain:
            pop()
            parser.StartElementHandler, parser.EndElementHandler = tail_handlers

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
            parser.StartElementHandler, parser.EndElementHandler = text_handlers
            start(element, attributes)

    text_handlers += start, end
    tail_handlers += start_in_tail, None
    parser.StartElementHandler, parser.EndElementHandler = text_handlers
    parser.CharacterDataHandler = parts.append
    parser.StartDoctypeDeclHandler = make_doctype_handler(parser, source, parts.append, diagnostics)
    try:
        run_parser(parser, source, diagnostics)
    finally:
        # The handlers refer to each other. Without this, they and the elements of each document
        # would wait for the garbage collector, which takes a tenth of the time of reading.
        text_handlers.clear()
        tail_handlers.clear()
    return Elements(parts, "".join(parts), marked, _cut(instances), _cut(links))


def _cut(flat: list[Any]) -> EmptyElements:
    return EmptyElements(flat[0::3], flat[1::3], flat[2::3])
