"""Reading TimeML 1.2.1 (``.tml``), as in TimeBank, and its TempEval-3 variant.

In-line XML, read with expat, which tells the byte offset of everything. The text is all character
data; elements that TimeML does not know are transparent. Input is hostile until parsed: entity
declarations are refused, nothing outside the file is ever loaded, and depth and attribute size
have limits.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from itertools import accumulate
from math import isfinite, nan
from typing import Any
from xml.parsers import expat

from tlex.algebra import CODES, find_label
from tlex.document import NOWHERE, Code, Document, Event, Instance, Link, Signal, Source, Timex
from tlex.errors import NotWellFormedError, ReadError, RefusedError
from tlex.readers.assembly import Problems, assemble, first_of_each

__all__ = ["detect_encoding", "read_timeml", "recognise_timeml"]

MAX_DEPTH = 256
MAX_ATTRIBUTE = 1 << 20
MAX_DECLARATIONS = 512
"""How many attributes an internal DTD may declare: each costs time at every element."""

_ROOT = re.compile(r"<([A-Za-z_][\w.:-]*)")
_MARK = re.compile(r"<(?:EVENT|TIMEX3|MAKEINSTANCE|TLINK|SLINK|ALINK)[\s>/]")
_NOT_CONTENT = re.compile(r"<\?.*?\?>|<!--.*?-->", re.DOTALL)
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z][\w.:-]*)["']""")
_TAG = re.compile(rb"""<[^"'<>]*(?:(?:"[^"]*"|'[^']*')[^"'<>]*)*/>""")
_KEYS = {"EVENT": "eid", "MAKEINSTANCE": "eiid", "TIMEX3": "tid", "SIGNAL": "sid"}
_LONGEST_TAG = 4096
_SLASH, _LESS = b"/<"

Opened = tuple[dict[str, str], int, int]
"""What is noted when an element begins: attributes, byte offset, number of text parts so far."""

Row = tuple[str, Opened, int, int]
"""One element as the parser met it: name, beginning, byte offset and text parts at its end."""

Bare = tuple[str, dict[str, str], int, int, int, int]
"""A MAKEINSTANCE whose event is still to be found."""


def _bare(*fields: Any) -> Any:  # noqa: ANN401 -- a tuple of the same fields as the nouns'
    return fields


_NOUNS: dict[str, Callable[..., Any]] = {
    "EVENT": Event,
    "TIMEX3": Timex,
    "SIGNAL": Signal,
    "MAKEINSTANCE": _bare,
}


def recognise_timeml(head: str) -> bool:
    """Whether the beginning of a file looks like TimeML: by its root, or by TimeML's own tags."""
    if head.startswith("<TimeML", head.find("<T")):  # most files: no need to look closer
        return True
    root = _ROOT.search(_NOT_CONTENT.sub("", head))
    if root is None:
        return False
    if root[1].upper() == "TIMEML":
        return True
    return root[1] not in {"Document", "data"} and _MARK.search(head) is not None


def read_timeml(
    data: bytes, name: str, *, strict: bool = False, encoding: str | None = None
) -> Document:
    """Read a TimeML document; ``encoding`` overrules what the file declares."""
    source = Source(data, encoding or detect_encoding(data))
    problems = Problems(name, source, strict=strict)
    rows, parts = _parse(source, problems, encoding)
    return _build(source, rows, parts, problems)


def detect_encoding(data: bytes) -> str:
    """Find the encoding of an XML file: its byte-order mark, its declaration, or UTF-8."""
    if data.startswith((codecs.BOM_UTF16_LE, b"<\0")):
        return "utf-16-le"
    if data.startswith((codecs.BOM_UTF16_BE, b"\0<")):
        return "utf-16-be"
    declared = None if data.startswith(codecs.BOM_UTF8) else _DECLARED.match(data[:1024])
    if declared:
        try:
            return codecs.lookup(declared[1].decode("ascii")).name
        except LookupError:
            return "utf-8"
    return "utf-8"


def _parse(
    source: Source, problems: Problems, encoding: str | None
) -> tuple[dict[str, list[Row]], list[str]]:
    """Run expat over the file; give the rows by kind of noun, and the parts of the text."""
    parser = expat.ParserCreate(encoding)
    parser.buffer_text = True
    parser.specified_attributes = True  # an internal DTD's default values are not annotation
    rows: dict[str, list[Row]] = {element: [] for element in (*_KEYS, "TLINK")}
    rows["SLINK"] = rows["ALINK"] = rows["TLINK"]  # links keep their common order
    parts: list[str] = []
    stack: list[Opened] = []
    push, pop = stack.append, stack.pop
    refuse = _guard(parser, source, parts, problems)
    long_values_possible = len(source.data) > MAX_ATTRIBUTE

    def start(element: str, attributes: dict[str, str]) -> None:
        push((attributes, parser.CurrentByteIndex, len(parts)))
        if len(stack) > MAX_DEPTH:
            refuse(f"elements are nested more than {MAX_DEPTH} deep")
        if long_values_possible and any(len(v) > MAX_ATTRIBUTE for v in attributes.values()):
            refuse(f"an attribute of {element[:80]!r} is longer than {MAX_ATTRIBUTE:,} characters")

    def end(element: str) -> None:
        opened = pop()
        if element in rows:
            rows[element].append((element, opened, parser.CurrentByteIndex, len(parts)))

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = parts.append
    try:
        parser.Parse(source.data, True)  # noqa: FBT003 -- expat's own signature
    except expat.ExpatError as error:
        raise _explain(error, parser.ErrorByteIndex, source, problems.name) from None
    except (LookupError, ValueError) as error:
        message = f"the declared encoding cannot be read ({error}); UTF-8 can"
        raise NotWellFormedError(message, name=problems.name, line=1, column=1) from None
    finally:  # the handlers refer to the parser and it to them
        parser.StartElementHandler = parser.EndElementHandler = None
        parser.CharacterDataHandler = parser.EntityDeclHandler = None
        parser.AttlistDeclHandler = parser.SkippedEntityHandler = None
    return rows, parts


def _guard(
    parser: expat.XMLParserType, source: Source, parts: list[str], problems: Problems
) -> Callable[[str], None]:
    """Set the handlers that keep a hostile file harmless; give the way to refuse one."""

    def refuse(message: str) -> None:
        line, column = source.position(parser.CurrentByteIndex)
        raise RefusedError(message, name=problems.name, line=line, column=column)

    def declare_entity(entity: str, *_: object) -> None:
        refuse(f"entity {entity[:80]!r} is declared, and entity declarations are not accepted")

    declared = 0

    def declare_attribute(*_: object) -> None:
        nonlocal declared
        declared += 1
        if declared > MAX_DECLARATIONS:
            refuse(f"more than {MAX_DECLARATIONS} attributes are declared")

    def skip_entity(entity: str, _is_parameter: bool) -> None:  # noqa: FBT001 -- expat calls it
        parts.append(f"&{entity};")
        place = parser.CurrentByteIndex
        problems.add(
            Code.UNEXPANDED_ENTITY,
            (place, place + len(entity) + 2),
            f"entity {entity!r} is defined outside the file and stays as it is written",
        )

    parser.EntityDeclHandler = declare_entity
    parser.AttlistDeclHandler = declare_attribute
    parser.SkippedEntityHandler = skip_entity
    return refuse


def _explain(error: expat.ExpatError, offset: int, source: Source, name: str) -> ReadError:
    line, column = source.position(max(0, min(offset, len(source.data))))
    what = expat.ErrorString(error.code) or "unknown error"
    if error.code == expat.errors.codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY]:
        message = "the file uses an entity that XML does not define by itself"
        return RefusedError(message, name=name, line=line, column=column)
    return NotWellFormedError(f"not well-formed XML: {what}", name=name, line=line, column=column)


def _build(
    source: Source, rows: dict[str, list[Row]], parts: list[str], problems: Problems
) -> Document:
    """Turn rows into nouns. Every element of a corpus comes through here: loops are plain."""
    at = [0, *accumulate(map(len, parts))]
    find_end = _ending(source)
    marked: dict[str, list[Any]] = {}
    for element, key in _KEYS.items():
        noun = _NOUNS[element]
        found = marked[element] = []
        for _, (attributes, start, first), end, last in rows[element]:
            place = find_end(start, end, first == last)
            own = attributes.get(key)
            if own is None or not (own := own.strip()):
                message = f"{element} has no {key} and takes no part"
                problems.add(Code.MISSING_ATTRIBUTE, (start, place), message)
            else:
                found.append(noun(own, attributes, at[first], at[last], start, place))
    by_id = first_of_each(marked["EVENT"], problems)
    return assemble(
        form="timeml",
        text="".join(parts),
        events=marked["EVENT"],
        by_id=by_id,
        instances=_build_instances(marked["MAKEINSTANCE"], by_id, problems),
        timexes=marked["TIMEX3"],
        signals=marked["SIGNAL"],
        links=_build_links(rows["TLINK"], find_end, problems),
        problems=problems,
    )


def _ending(source: Source) -> Callable[[int, int, bool], int]:
    """How to tell where an element ends, from its start and the offset that expat gave at its end.

    For an empty-element tag that is the end; for any other it is where the end tag begins.
    """
    data = source.data
    size = len(data)
    find = data.index
    if source.encoding.startswith("utf-16"):
        return _wide_ending(source)

    def find_end(start: int, end: int, without_text: bool) -> int:  # noqa: FBT001
        # The last condition settles <a><b/></a>, where the offset at the end of a stands behind
        # a "/>" that is not its own.
        if (
            without_text
            and data[end - 2] == _SLASH
            and (end == size or data[end] != _LESS or _TAG.fullmatch(data, start, end))
        ):
            return end
        return find(b">", end) + 1

    return find_end


def _wide_ending(source: Source) -> Callable[[int, int, bool], int]:
    """The same for UTF-16, by way of text: it is rare and need not be fast."""
    data, encoding = source.data, source.encoding

    def find_end(start: int, end: int, without_text: bool) -> int:  # noqa: FBT001
        if without_text and _TAG.fullmatch(data[start:end].decode(encoding).encode()):
            return end
        tag, _, _ = data[end : end + _LONGEST_TAG].decode(encoding, "ignore").partition(">")
        return end + 2 * len(tag) + 2

    return find_end


def _build_instances(
    bare: list[Bare], events: dict[str, Event], problems: Problems
) -> list[Instance]:
    """Give each instance the span of its event."""
    nowhere = Event("", {}, NOWHERE, NOWHERE, NOWHERE, NOWHERE)
    instances = []
    for own, attributes, _, _, start, end in bare:
        name = attributes.get("eventID")
        if name in events:
            event = events[name]
        elif name is None:
            message = f"MAKEINSTANCE {own} has no eventID"
            problems.add(Code.MISSING_ATTRIBUTE, (start, end), message)
            event = nowhere
        else:
            name = name.strip()
            event = events.get(name, nowhere)
        instances.append(
            Instance(own, attributes, event.text_start, event.text_end, start, end, name)
        )
    return instances


def _build_links(
    rows: list[Row], find_end: Callable[[int, int, bool], int], problems: Problems
) -> list[Link]:
    links = []
    for kind, (attributes, start, first), offset, last in rows:
        end = find_end(start, offset, first == last)
        get = attributes.get
        source = get("eventInstanceID")
        if kind == "SLINK":
            target = get("subordinatedEventInstance")
        else:
            target = get("relatedToEventInstance")
            if source is None or "timeID" in attributes:
                source = _take_one(kind, source, get("timeID"), (start, end), problems)
            if target is None or "relatedToTime" in attributes:
                target = _take_one(kind, target, get("relatedToTime"), (start, end), problems)
        written = get("relType")
        if written not in CODES[kind] and written is not None:
            written = find_label(kind, written) or written.strip() or None
        weight = None
        if "weight" in attributes:
            weight = _read_weight(kind, attributes["weight"], (start, end), problems)
        links.append(
            Link(
                get("lid", "").strip(),
                kind,
                written,
                (source and source.strip()) or None,
                (target and target.strip()) or None,
                get("signalID"),
                weight,
                attributes,
                start,
                end,
            )
        )
    return links


def _take_one(
    kind: str, event: str | None, time: str | None, place: tuple[int, int], problems: Problems
) -> str | None:
    """One end of a link: an event or a time; where both are given, the event."""
    if event is not None and time is not None:
        message = f"{kind} names both {event!r} and {time!r} as one of its ends"
        problems.add(Code.TWO_ENDS, place, message, f"{event!r} is used")
    return time if event is None else event


def _read_weight(
    kind: str, written: str, place: tuple[int, int], problems: Problems
) -> float | None:
    try:
        weight = float(written)
    except ValueError:
        weight = nan
    if isfinite(weight):
        return weight
    message = f"{kind} has weight {written!r}, which is not a number; it is left out"
    problems.add(Code.BAD_WEIGHT, place, message)
    return None
