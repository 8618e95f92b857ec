"""Reading TimeML 1.2.1 (``.tml``), as in TimeBank, its TempEval-3 variant and older dialects.

TimeML is in-line XML. The text is all its character data; elements that TimeML does not know are
ignored, but their text counts. Input is hostile until parsed: entity declarations are refused,
nothing outside the file is ever loaded, and depth and attribute size have limits.

Two ways lead from a file to a document. `scan` finds the ids in a plain file by patterns, and if
nothing is wrong with it, `fast_path` numbers its nodes and links, which is all that the five steps
need. `plain_overview` tells what else is known of it without nouns, and if somebody asks for its
nouns, `plain_elements` finds its elements. Any other file goes the long way: `parsing` goes from
the file to its elements, and `nouns` makes the nouns and reports what is wrong; `dialects` knows
the attributes of older dialects.
"""

from __future__ import annotations

import re
from functools import partial

from tlex.algebra import READINGS
from tlex.document import Document
from tlex.readers.diagnostics import Diagnostics
from tlex.readers.labels import add_labels
from tlex.readers.timeml.dialects import FRENCH, move_instances, speaks_dialect
from tlex.readers.timeml.fast_path import number_document
from tlex.readers.timeml.nouns import are_clean, build_document, clean_ids
from tlex.readers.timeml.parsing import Elements, parse_elements
from tlex.readers.timeml.plain_elements import list_elements
from tlex.readers.timeml.plain_overview import PlainOverview
from tlex.readers.timeml.scan import list_columns
from tlex.readers.xml import find_root, open_source
from tlex.source import Source

__all__ = ["read_timeml", "recognise_timeml"]

_ROOTS = frozenset(("TIMEML", "TEMPEVAL"))
_MARK = re.compile(r"<(?:EVENT|TIMEX3|MAKEINSTANCE|[TSA]LINK)\s[^<>]*?\b(?:eid|eiid|tid|lid)\s*=")
"""TimeML's own tags, under another root. MAE has elements of the same names, with other ids."""
_TAGS = re.compile(r"<TAGS[\s>/]")
"""Where MAE has its elements."""


def recognise_timeml(head: str) -> bool:
    """Whether the beginning of a file looks like TimeML: by its root, or by TimeML's own tags."""
    root = find_root(head)
    if root is None:
        return False
    if root.upper() in _ROOTS:
        return True
    if root in {"Document", "data", "story"} or _TAGS.search(head):
        return False
    return _MARK.search(head) is not None


def read_timeml(data: bytes, name: str, *, encoding: str | None = None) -> Document:
    """Read a TimeML document; ``encoding`` overrules what the file declares."""
    source, encoding = open_source(data, name, encoding)
    columns = list_columns(source)
    numbers = None if columns is None else number_document(columns)
    if columns is None or numbers is None:
        diagnostics = Diagnostics(name, source)
        return _build(source, parse_elements(source, diagnostics, encoding), diagnostics)
    return Document.postpone(
        partial(_make, source, name, encoding),
        name=name,
        format="timeml",
        index=numbers.by_id,
        relations=numbers.relations,
        source=source,
        overview=PlainOverview(source, numbers, columns),
    )


def _make(source: Source, name: str, encoding: str | None) -> Document:
    """Make the nouns of a file that was numbered."""
    diagnostics = Diagnostics(name, source)
    elements = list_elements(source) or parse_elements(source, diagnostics, encoding)
    return build_document(source, elements, diagnostics)


def _build(source: Source, elements: Elements, diagnostics: Diagnostics) -> Document:
    """Make the nouns of a file at once, and find out what is wrong with it."""
    elements, own = move_instances(elements)
    if own:
        return add_labels(_build(source, elements, diagnostics), READINGS[FRENCH], FRENCH)
    second = diagnostics.copy()  # for a second attempt
    try:
        document: Document | None = build_document(source, elements, diagnostics)
    except KeyError:  # an element without its id
        document = None
    if document is not None and not document.diagnostics:
        nouns = (*document.events, *document.signals, *document.links)
        if are_clean([*document.index, *[noun.id for noun in nouns]]):
            return document
    # Something is wrong. Try again without blanks around ids, and with the words of a dialect.
    elements, changed = clean_ids(elements, second)
    dialect = speaks_dialect(elements.links.walk(), {} if document is None else document.index)
    if changed or dialect or document is None:
        return build_document(source, elements, second, dialect=dialect)
    return document
