"""Reading TimeML 1.2.1 (``.tml``), as in TimeBank, its TempEval-3 variant and older dialects.

In-line XML, read with expat, which tells the byte offset of everything. The text is all character
data; elements that TimeML does not know are transparent. Input is hostile until parsed: entity
declarations are refused, nothing outside the file is ever loaded, and depth and attribute size
have limits.

Reading goes from the file to rows, and from rows to nouns. A file with which nothing is wrong has
its nouns made when somebody looks at them: the five steps need none.
"""

from __future__ import annotations

import re
from functools import partial

from tlex.document import Document, Source
from tlex.readers.assembly import Problems, raise_first_error
from tlex.readers.timeml.dialects import speaks_dialect
from tlex.readers.timeml.glance import glance
from tlex.readers.timeml.nouns import are_plain, build_document, tidy_rows
from tlex.readers.timeml.rows import Rows, parse_rows
from tlex.readers.xml import find_root, open_source

__all__ = ["read_timeml", "recognise_timeml"]

_MARK = re.compile(r"<(?:EVENT|TIMEX3|MAKEINSTANCE|TLINK|SLINK|ALINK)[\s>/]")


def recognise_timeml(head: str) -> bool:
    """Whether the beginning of a file looks like TimeML: by its root, or by TimeML's own tags."""
    root = find_root(head)
    if root is None:
        return False
    if root.upper() == "TIMEML":
        return True
    return root not in {"Document", "data"} and _MARK.search(head) is not None


def read_timeml(
    data: bytes, name: str, *, strict: bool = False, encoding: str | None = None
) -> Document:
    """Read a TimeML document; ``encoding`` overrules what the file declares."""
    source, encoding = open_source(data, name, encoding)
    problems = Problems(name, source)
    rows = parse_rows(source, problems, encoding)
    numbers = None if problems.found else glance(rows)
    if numbers is not None:
        return Document.postpone(
            partial(build_document, source, rows, problems),
            name=name,
            format="timeml",
            text=rows.text,
            index=numbers[0],
            relations=numbers[1],
            source=source,
        )
    document = _build(source, rows, problems)
    if strict:
        raise_first_error(document)
    return document


def _build(source: Source, rows: Rows, problems: Problems) -> Document:
    """Make the nouns of a file at once, and find out what is wrong with it."""
    tidied = Problems(problems.name, source)
    tidied.found = list(problems.found)
    try:
        document: Document | None = build_document(source, rows, problems)
    except KeyError:  # an element without its id
        document = None
    if document is not None and not document.diagnostics:
        nouns = (*document.events, *document.signals, *document.links)
        if are_plain([*document.index, *[noun.id for noun in nouns]]):
            return document
    # Something does not fit. Perhaps it does without the blanks around an id.
    rows, changed = tidy_rows(rows, tidied)
    dialect = speaks_dialect(rows.links.walk(), {} if document is None else document.index)
    if changed or dialect or document is None:
        return build_document(source, rows, tidied, dialect=dialect)
    return document
