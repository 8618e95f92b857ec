"""Reading TimeML 1.2.1 (``.tml``), as in TimeBank, and its TempEval-3 variant.

In-line XML, read with expat, which tells the byte offset of everything. The text is all character
data; elements that TimeML does not know are transparent. Input is hostile until parsed: entity
declarations are refused, nothing outside the file is ever loaded, and depth and attribute size
have limits.
"""

from __future__ import annotations

import codecs
import re
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
_ROW_KIND, _ATTRIBUTES, _START, _FIRST_PART, _END, _LAST_PART = range(6)

Row = list[Any]
"""One element as the parser met it: name, attributes, byte offset, number of text parts so far;
and the last two again at its end. A list because the end is filled in later."""


def recognise_timeml(head: str) -> bool:
    """Whether the beginning of a file looks like TimeML: by its root, or by TimeML's own tags."""
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
    buckets, parts = _parse(source, problems, encoding)
    return _build(source, buckets, parts, problems)


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
    buckets: dict[str, list[Row]] = {
        "EVENT": [],
        "TIMEX3": [],
        "SIGNAL": [],
        "MAKEINSTANCE": [],
        "TLINK": [],
    }
    buckets["SLINK"] = buckets["ALINK"] = buckets["TLINK"]  # links keep their common order
    find_bucket = buckets.get
    parts: list[str] = []
    stack: list[Row] = []
    push, pop = stack.append, stack.pop
    latest: Row = []
    long_values_possible = len(source.data) > MAX_ATTRIBUTE

    def start(element: str, attributes: dict[str, str]) -> None:
        nonlocal latest
        latest = row = [element, attributes, parser.CurrentByteIndex, len(parts), 0, 0]
        push(row)
        bucket = find_bucket(element)
        if bucket is not None:
            bucket.append(row)
        if len(stack) > MAX_DEPTH:
            refuse(f"elements are nested more than {MAX_DEPTH} deep")
        if long_values_possible and any(len(v) > MAX_ATTRIBUTE for v in attributes.values()):
            refuse(f"an attribute of {element[:80]!r} is longer than {MAX_ATTRIBUTE:,} characters")

    def end(_element: str) -> None:
        row = pop()
        # Negative where a child stands inside, so that its "/>" is not taken for this one's.
        row[_END] = parser.CurrentByteIndex if row is latest else -parser.CurrentByteIndex
        row[_LAST_PART] = len(parts)

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

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = parts.append
    parser.EntityDeclHandler = declare_entity
    parser.AttlistDeclHandler = declare_attribute
    parser.SkippedEntityHandler = skip_entity
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
    return buckets, parts


def _explain(error: expat.ExpatError, offset: int, source: Source, name: str) -> ReadError:
    line, column = source.position(max(0, min(offset, len(source.data))))
    what = expat.ErrorString(error.code) or "unknown error"
    if error.code == expat.errors.codes[expat.errors.XML_ERROR_UNDEFINED_ENTITY]:
        message = "the file uses an entity that XML does not define by itself"
        return RefusedError(message, name=name, line=line, column=column)
    return NotWellFormedError(f"not well-formed XML: {what}", name=name, line=line, column=column)


def _build(
    source: Source, buckets: dict[str, list[Row]], parts: list[str], problems: Problems
) -> Document:
    """Turn rows into nouns."""
    at = [0, *accumulate(map(len, parts))]
    data = source.data
    wide = source.encoding.startswith("utf-16")
    empty, close = ("/>".encode(source.encoding), ">".encode(source.encoding)) if wide else (b"/>", b">")
    width = len(empty)

    def ending(row: Row) -> int:
        """Where the element ends: behind its "/>", or behind its end tag."""
        end: int = row[_END]
        if end > 0 and row[_LAST_PART] == row[_FIRST_PART] and data[end - width : end] == empty:
            return end
        return data.index(close, abs(end)) + len(close)

    def marked(bucket: str, key: str) -> list[tuple[str, dict[str, str], int, int, int, int]]:
        found = []
        for row in buckets[bucket]:
            attributes = row[_ATTRIBUTES]
            own = attributes.get(key)
            if own is None or not (own := own.strip()):
                message = f"{bucket} has no {key} and takes no part"
                problems.add(Code.MISSING_ATTRIBUTE, (row[_START], ending(row)), message)
                continue
            first, last = at[row[_FIRST_PART]], at[row[_LAST_PART]]
            found.append((own, attributes, first, last, row[_START], ending(row)))
        return found

    events = [Event(*fields) for fields in marked("EVENT", "eid")]
    by_id = first_of_each(events, problems)
    return assemble(
        form="timeml",
        text="".join(parts),
        events=events,
        by_id=by_id,
        instances=_build_instances(marked("MAKEINSTANCE", "eiid"), by_id, problems),
        timexes=[Timex(*fields) for fields in marked("TIMEX3", "tid")],
        signals=[Signal(*fields) for fields in marked("SIGNAL", "sid")],
        links=[_build_link(row, ending(row), problems) for row in buckets["TLINK"]],
        problems=problems,
    )


def _build_instances(
    rows: list[tuple[str, dict[str, str], int, int, int, int]],
    events: dict[str, Event],
    problems: Problems,
) -> list[Instance]:
    instances = []
    for own, attributes, _, _, start, end in rows:
        name = attributes.get("eventID")
        if name is None:
            message = f"MAKEINSTANCE {own} has no eventID"
            problems.add(Code.MISSING_ATTRIBUTE, (start, end), message)
        else:
            name = name.strip()
        event = events.get(name or "")
        first, last = (event.text_start, event.text_end) if event else (NOWHERE, NOWHERE)
        instances.append(Instance(own, attributes, first, last, start, end, name))
    return instances


def _build_link(row: Row, end: int, problems: Problems) -> Link:
    kind, attributes, start = row[_ROW_KIND], row[_ATTRIBUTES], row[_START]
    get = attributes.get
    if kind == "SLINK":
        source, target = get("eventInstanceID"), get("subordinatedEventInstance")
    else:
        source, target = get("eventInstanceID"), get("relatedToEventInstance")
        source = _take_one(source, get("timeID"), row, end, problems)
        target = _take_one(target, get("relatedToTime"), row, end, problems)
    written = get("relType")
    if written not in CODES[kind] and written is not None:
        written = find_label(kind, written) or written.strip() or None
    weight = get("weight")
    return Link(
        get("lid", "").strip(),
        kind,
        written,
        (source and source.strip()) or None,
        (target and target.strip()) or None,
        get("signalID"),
        None if weight is None else _read_weight(weight, row, end, problems),
        attributes,
        start,
        end,
    )


def _take_one(
    event: str | None, time: str | None, row: Row, end: int, problems: Problems
) -> str | None:
    """One end of a link: an event or a time; where both are given, the event."""
    if time is None:
        return event
    if event is None:
        return time
    message = f"{row[_ROW_KIND]} names both {event!r} and {time!r} as one of its ends"
    problems.add(Code.TWO_ENDS, (row[_START], end), message, f"{event!r} is used")
    return event


def _read_weight(written: str, row: Row, end: int, problems: Problems) -> float | None:
    try:
        weight = float(written)
    except ValueError:
        weight = nan
    if isfinite(weight):
        return weight
    message = f"{row[_ROW_KIND]} has weight {written!r}, which is not a number; it is left out"
    problems.add(Code.BAD_WEIGHT, (row[_START], end), message)
    return None
