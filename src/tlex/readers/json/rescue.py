"""The documents of a file, or of a line, that is not tlex's JSON to the letter (R61)."""

from __future__ import annotations

from tlex.document import Document
from tlex.errors import NotWellFormedError
from tlex.readers.diagnostics import Diagnostics
from tlex.readers.json.building import JsonBuilder
from tlex.readers.json.forgiving import forgive, is_document, is_link, is_wrapper
from tlex.readers.json.source import ForgivenSource, JsonSource, Span
from tlex.readers.json.syntax import BrokenError, Value, parse_values
from tlex.readers.json.values import Liberties
from tlex.readers.json.wrapping import find_wrapped

__all__ = ["is_line_of_links", "read_forgiven"]


def is_line_of_links(source: JsonSource, span: Span) -> bool:
    """Whether a line is a link, so that the file is a document with a link on each line."""
    try:
        value = next(parse_values(source.data, *span, lambda *_: None), None)
    except BrokenError:
        return False
    return value is not None and is_link(value) and not is_document(value)


def read_forgiven(
    own: ForgivenSource, name: str, file: str, span: Span, error: NotWellFormedError
) -> list[Document]:
    """Read the documents that stand at a span of a file in the forgiving way.

    All lines of a file share ``own``, which remembers lines and columns. Raises ``error``, which
    says why the strict way did not work, if this is no document at all; and an error of its own if
    it is no JSON.
    """
    liberties = Liberties(Diagnostics(name, own))
    blocks = find_wrapped(own.data, *span)
    if not blocks:
        raise error
    if len(blocks) > 1:
        line, column = own.position(blocks[1][0])
        message = f"not one document: there are {len(blocks)} blocks of JSON; keep one"
        raise NotWellFormedError(message, name=file, line=line, column=column)
    if blocks[0] != span:
        liberties.take("the text around the JSON is skipped", "$", blocks[0][0])
    values = _list_values(own, file, blocks[0], liberties)
    documents = _find_documents(values, liberties)
    if not documents:
        raise error
    found = []
    for number, value in enumerate(documents, 1):
        if number > 1:
            liberties = Liberties(Diagnostics(f"{name}:{number}", own))
        elif len(documents) > 1:
            liberties.diagnostics.name = f"{name}:1"
        if any(key == "documents" for key, *_ in value.value if value.kind == "object"):
            raise error  # several documents as one are written by tlex
        try:
            content, places, ends = forgive(value, liberties)
        except NotWellFormedError as problem:
            message = f"not a document in tlex's JSON: {problem.message}"
            raise NotWellFormedError(
                message, name=file, line=problem.line, column=problem.column
            ) from None
        own.remember(ends)
        liberties.tell()
        found.append(JsonBuilder(content, own, liberties.diagnostics).build(value.start, places))
    return found


def _list_values(
    source: ForgivenSource, file: str, block: Span, liberties: Liberties
) -> list[Value]:
    """List the values of a block of JSON; text behind the last one is skipped."""
    values: list[Value] = []
    try:
        values.extend(parse_values(source.data, *block, liberties.take))
    except BrokenError as broken:
        if values and broken.path == "$":
            liberties.take("the text behind the JSON is skipped", "$", broken.offset)
            return values
        line, column = source.position(broken.offset)
        inside = f" (inside {broken.path})" if broken.path != "$" else ""
        message = f"not JSON: {broken.message}{inside}"
        raise NotWellFormedError(message, name=file, line=line, column=column) from None
    return values


def _find_documents(values: list[Value], liberties: Liberties) -> list[Value]:
    """Find the documents among values; links without a document are one together."""
    if not values:
        return []
    links = [value for value in values if is_link(value) and not is_document(value)]
    if len(links) == len(values):
        return [Value("list", values, values[0].start, values[-1].end)]
    documents = []
    for value in values:
        if value.kind == "list" and any(map(is_document, value.value)):
            liberties.take("each member of the list is read as a document", "$", value.start)
            documents += value.value
        elif _is_one(value):
            documents.append(value)
        else:
            return []
    return documents if all(each.kind in {"object", "list"} for each in documents) else []


def _is_one(value: Value) -> bool:
    """Whether a value is one document: a list of links, or an object."""
    if value.kind == "list":
        return any(map(is_link, value.value))
    return value.kind == "object" and (is_document(value) or is_wrapper(value))
