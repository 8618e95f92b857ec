"""From a TimeML file to its elements: runs expat, and keeps what TimeML knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple
from xml.parsers import expat

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
from tlex.source import Source

__all__ = [
    "EMPTY",
    "ID_ATTRIBUTES",
    "LINKS",
    "NAMES",
    "OWN_ID",
    "Elements",
    "EmptyElements",
    "TextElement",
    "parse_elements",
]

ID_ATTRIBUTES = frozenset(
    {
        *("eid", "eiid", "tid", "sid", "lid", "eventID", "signalID", "eventInstanceID", "timeID"),
        *("relatedToEventInstance", "relatedToTime", "subordinatedEventInstance"),
    }
)
"""The attributes whose value is an id."""

OWN_ID = {"EVENT": "eid", "MAKEINSTANCE": "eiid", "TIMEX3": "tid", "SIGNAL": "sid"}
"""The attribute with an element's own id, by the name of the element."""

LINKS = frozenset(("TLINK", "SLINK", "ALINK", "GLINK", "CLINK"))
EMPTY = LINKS | {"MAKEINSTANCE"}
NAMES = {
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
    """What was found in a file, in the order of the file; elements with words by their ends.

    ``places`` says how many characters of the text come before each of its parts. No part is empty,
    so the number of parts before an element's words orders elements as the number of characters
    before them does.
    """

    places: Sequence[int]
    text: str
    in_text: dict[str, list[TextElement]]
    instances: EmptyElements
    links: EmptyElements


def parse_elements(source: Source, diagnostics: Diagnostics, encoding: str | None) -> Elements:
    """Run expat over the file, and collect its elements."""
    parser = expat.ParserCreate(encoding, None, NAMES.copy())
    parser.buffer_text = True
    parser.specified_attributes = True  # an internal DTD's default values are not annotation
    parts: list[str] = []
    marked: dict[str, list[TextElement]] = {"EVENT": [], "TIMEX3": [], "SIGNAL": [], "s": []}
    stack: list[tuple[dict[str, str], int, int]] = []
    instances: list[Any] = []  # name, attributes, offset; name, attributes, offset; ...
    links: list[Any] = []
    push, pop = stack.append, stack.pop
    # Every element of a large file is checked for its size.
    careful = len(source.data) > MAX_ATTRIBUTE or source.encoding.startswith("utf-16")

    def start(element: str, attributes: dict[str, str]) -> None:
        offset = parser.CurrentByteIndex
        push((attributes, offset, len(parts)))
        if element in EMPTY:
            (instances if element == "MAKEINSTANCE" else links).extend(
                (element, attributes, offset)
            )
        if careful or len(stack) > MAX_DEPTH:
            too_large = check_element(element, attributes, len(stack))
            if too_large:
                refuse(too_large, parser, source, diagnostics, TooLargeError)

    def end(element: str) -> None:
        attributes, offset, first = pop()
        if element in marked:
            marked[element].append((attributes, offset, first, len(parts)))

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = parts.append
    parser.StartDoctypeDeclHandler = make_doctype_handler(parser, source, parts.append, diagnostics)
    run_parser(parser, source, diagnostics)
    places = [0, *accumulate(map(len, parts))]
    return Elements(places, "".join(parts), marked, _cut(instances), _cut(links))


def _cut(flat: list[Any]) -> EmptyElements:
    return EmptyElements(flat[0::3], flat[1::3], flat[2::3])
