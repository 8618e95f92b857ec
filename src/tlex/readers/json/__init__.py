"""Reading tlex's own JSON: a document without XML, for the output of annotators and models.

================ ==================================================================================
`records`        the types; ``docs/schema-document.json`` is generated from them
`source`         the bytes of a file, and where the nouns are in them
`building`       from the content to a document
`spans`          finding the place of words whose numbers are missing or wrong
`labelling`      labels that are written a little differently
`rescue`         the documents of a file that does not meet the schema
`forgiving`      reading what is clear in JSON that is not tlex's to the letter
`values`         single values: ids, places, weights, candidates
`keys`           which other keys are read as those of tlex's JSON
`syntax`         JSON with comments, commas too many, other quotes
`wrapping`       JSON inside Markdown or prose
================ ==================================================================================

A file that meets the schema is decoded at once. Only if it does not is it read in the forgiving
way, with a warning for each liberty (R61). What is wrong in other ways, such as a link to a node
that is not defined, is a diagnostic as in every other format.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import TypeVar

import msgspec

from tlex.document import Document
from tlex.errors import NotWellFormedError, OptionError
from tlex.merging import join, name_documents
from tlex.readers.assembly import check_links
from tlex.readers.diagnostics import Diagnostics
from tlex.readers.json.building import JsonBuilder, make_links
from tlex.readers.json.records import LISTS, JsonDocument
from tlex.readers.json.rescue import is_line_of_links, read_forgiven
from tlex.readers.json.source import ForgivenSource, JsonSource, Span, find_places
from tlex.readers.json.wrapping import is_foreign, is_tagged, is_wrapped, looks_like_document
from tlex.readers.lines import decode
from tlex.readers.xml import detect_encoding
from tlex.source import Source

__all__ = [
    "JsonDocument",
    "JsonSource",
    "find_places",
    "is_foreign",
    "is_tagged",
    "is_wrapped",
    "list_json_documents",
    "open_json",
    "read_again",
    "read_json",
    "recognise_json",
]

Content = TypeVar("Content")

_LINE = re.compile(rb"[^\n]+")
_BYTE = re.compile(r"\(byte (\d+)\)")
_PATH = re.compile(r"\.(\w+)\[(\d+)\]")


def recognise_json(head: str) -> bool:
    """Whether the beginning of a file looks like a document in JSON, and not like other JSON."""
    return looks_like_document(head.lstrip("\ufeff \t\r\n"))


def read_json(data: bytes, name: str, *, encoding: str | None = None) -> tuple[Document, ...]:
    """Read a document, or several with one on each line (JSON Lines), named by their lines.

    JSON that violates the schema is read as far as it is clear; JSON that is broken is an error.
    """
    source, documents = _open(data, name, encoding)
    forgiven = ForgivenSource(source.original, source.data)
    found: list[Document] = []
    for number, (own, span) in enumerate(documents):
        try:
            found.append(_build(source, own, name, span))
        except NotWellFormedError as error:
            if not number and len(documents) > 1 and is_line_of_links(source, span):
                own, span, number = name, (0, len(source.data)), len(documents)  # noqa: PLW2901
            found += read_forgiven(forgiven, own, name, span, error)
            if number == len(documents):
                break
    return tuple(found)


def open_json(
    data: bytes, name: str, encoding: str | None, form: type[Content]
) -> tuple[JsonSource, Content]:
    """Give a file of JSON and its content, for formats with one document in a file."""
    source, _ = _open(data, name, encoding)
    return source, _decode_as(source, name, (0, len(source.data)), form, "not such a document")


def list_json_documents(
    data: bytes, name: str, encoding: str | None, form: type[Content]
) -> Iterator[tuple[str, int, JsonSource, Content]]:
    """Give the documents of a file of JSON Lines: name, byte offset, file, content."""
    source, documents = _open(data, name, encoding)
    for own, span in documents:
        content = _decode_as(source, name, span, form, "not such a document")
        yield own, source.data.index(b"{", span[0]), source, content


def _open(
    data: bytes, name: str, encoding: str | None
) -> tuple[JsonSource, list[tuple[str, Span]]]:
    """Decode a file, and find its documents."""
    content = data.removeprefix(codecs.BOM_UTF8)
    codec = encoding or detect_encoding(content)
    mark = data[: len(data) - len(content)]
    if codec != "utf-8":
        content = decode(Source(content, codec), name).encode()
        written = "\ufeff".encode(codec, "ignore")
        mark += written if written and data[len(mark) :].startswith(written) else b""
    decode(Source(content, "utf-8"), name)
    documents = _find_documents(content, name)
    return JsonSource(data, content, codec, mark, many=len(documents) > 1), documents


def read_again(source: JsonSource, name: str, offset: int) -> Document:
    """Read the one document that an offset lies in; a file may have very many."""
    return _build(source, name, name, source.find_document(offset))


def _build(source: JsonSource, name: str, file: str, span: Span) -> Document:
    """Make the document that stands at a span of the file."""
    content = _decode(source, file, span)
    repeated: set[str] = set()
    places = find_places(source.data, span, repeated)
    if repeated:  # the forgiving way tells it
        line, column = source.position(span[0])
        message = f"not a document in tlex's JSON: {min(repeated)!r} is there more than once"
        raise NotWellFormedError(message, name=file, line=line, column=column)
    if not content.documents:
        return JsonBuilder(content, source, Diagnostics(name, source)).build(span[0], places)
    try:
        return _build_merged(source, name, content, places)
    except OptionError as error:
        line, column = source.position(span[0])
        raise NotWellFormedError(str(error), name=file, line=line, column=column) from None


def _build_merged(
    source: JsonSource, name: str, content: JsonDocument, places: dict[str, list[int]]
) -> Document:
    """Make one document of several, and check the links between them."""
    filled = [key for key in (*LISTS[:-1], "text", "order") if getattr(content, key)]
    if filled:
        raise OptionError(
            f"a document with 'documents' has no {filled[0]!r} of its own; put them into these"
        )
    starts = places["documents"]
    ends = [source.data.rfind(b"}", 0, following) + 1 for following in starts[1:]]
    ends.append(source.find_end(starts[-1]))
    parts = []
    for number, (part, *span) in enumerate(zip(content.documents, starts, ends, strict=True), 1):
        own = part.name or f"{number}"
        builder = JsonBuilder(part, source, Diagnostics(own, source))
        parts.append(builder.build(span[0], find_places(source.data, (span[0], span[1]))))
    base = join(parts, name_documents(parts), name=name, format="json", source=source)
    used = {link.id for link in base.links}
    diagnostics = Diagnostics(name, source)
    links = [
        msgspec.structs.replace(link, id="") if link.id in used else link
        for link in make_links(content.links, places.get("links", []), source, diagnostics)
    ]
    checked = check_links(links, base.index, list(base.instances), diagnostics, ("SLINK",))
    return base.replace(
        links=(*base.links, *checked),
        diagnostics=(*base.diagnostics, *diagnostics.in_order()),
    )


def _find_documents(data: bytes, name: str) -> list[tuple[str, Span]]:
    """Find where the documents are: one in the whole file, or one on each line."""
    lines = [line for line in _LINE.finditer(data) if line[0].strip()]
    first = lines[0][0].strip() if lines else b""
    if len(lines) > 1 and first.endswith(b"}") and _ends(first):
        documents = []
        number, at = 1, 0
        for line in lines:
            number += data.count(b"\n", at, line.start())
            at = line.start()
            documents.append((f"{name}:{number}", line.span()))
        return documents
    return [(name, (0, len(data)))]


def _ends(line: bytes) -> bool:
    """Whether a line is JSON by itself."""
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _decode(source: JsonSource, name: str, span: Span) -> JsonDocument:
    return _decode_as(source, name, span, JsonDocument, "not a document in tlex's JSON")


def _decode_as(
    source: JsonSource, name: str, span: Span, form: type[Content], what: str
) -> Content:
    try:
        return msgspec.json.decode(source.data[slice(*span)], type=form)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _explain(str(error), source, name, span, what) from None


def _explain(
    message: str, source: JsonSource, name: str, span: Span, what: str
) -> NotWellFormedError:
    """Make an error that names the place in the file, and the path in the JSON."""
    offset = span[0]
    byte = _BYTE.search(message)
    if byte:
        offset = min(span[0] + int(byte[1]), len(source.data))
        message = message.replace(byte[0], "").strip()
    else:
        for key, number in _PATH.findall(message):
            whole = offset, max(source.find_end(offset), offset)
            places = find_places(source.data, whole).get(key, [])
            offset = places[int(number)] if int(number) < len(places) else offset
    line, column = source.position(offset)
    message = message if message.startswith("JSON") else f"{message[:1].lower()}{message[1:]}"
    message = f"{what}: {message}"
    return NotWellFormedError(message, name=name, line=line, column=column)
