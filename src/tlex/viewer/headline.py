"""What a document is called in a list: its headline, and the date it was written."""

from __future__ import annotations

import re
from html import unescape

from tlex.document import Document
from tlex.wording import clean, fit, measure

__all__ = ["find_date", "find_headline"]

_TITLE = re.compile(rb"<(?:TITLE|HEADLINE)\b[^<>]*>(.{1,2000}?)</(?:TITLE|HEADLINE)\s*>", re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_ROOM = 90
_FAR = 20_000
_FEW = 3


def find_headline(document: Document) -> str:
    """Give the words of the TITLE, or else the first words of the text; they may be none."""
    words = ""
    if document.source is not None and document.format == "timeml":
        found = _TITLE.search(document.source.data[:_FAR])
        if found is not None:
            coded = found[1].decode(document.source.encoding, "replace")
            words = unescape(_TAG.sub("", coded))
    if not words.strip():
        sentences = (document.text[one.start : one.end] for one in document.sentences)
        words = next(filter(_is_said, sentences), document.text[:_FAR])
    line = clean(" ".join(words.split()))
    return line if measure(line) <= _ROOM else f"{fit(line, _ROOM - 1).rstrip()}\u2026"


def _is_said(sentence: str) -> bool:
    """Whether this may be a headline, and is no date or number of a report."""
    return sum(word[:2].isalpha() for word in sentence.split()) >= _FEW


def find_date(document: Document) -> str:
    """Give the day, month or year of the creation time; empty if there is none."""
    for attributes in document.times.values():
        if attributes.get("functionInDocument") in {"CREATION_TIME", "PUBLICATION_TIME"}:
            return clean(attributes.get("value", "").partition("T")[0])[:30]
    return ""
