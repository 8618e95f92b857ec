"""Recognising a document in JSON, also inside Markdown or prose, as language models write it."""

from __future__ import annotations

import re

from tlex.readers.json.keys import DOCUMENT, KEYS

__all__ = ["find_wrapped", "is_wrapped", "looks_like_document"]


def _any_of(keys: tuple[str, ...]) -> str:
    """Give a pattern for keys that are read as one; how ``_`` and ``-`` are put does not count."""
    return "|".join("[_-]?".join(key.split("_")) for key in keys)


_LISTS = ("links", "events", "instances", "times", "documents")
_QUOTE = "[\"'\u201c\u201d]?"
_FIRST = re.compile(r'\{\s*(?:"(?:text|events|instances|times|signals|links|order|documents)")')
_MARK = re.compile(rf'"schema"\s*:\s*"tlex-document/|"(?:{"|".join(_LISTS)})"\s*:\s*\[')
_OTHER = re.compile(
    r'"schema"\s*:\s*"(?!tlex-document/)'
    r'|"(?:timex|TIMEX|event_order|allMentions|allPairs|main_doc|tokens|%TYPES)"\s*:'
)
"""What other JSON has: NarrativeTime, EventFull, MAVEN-ERE, UIMA CAS."""

_LIST = re.compile(
    rf"{_QUOTE}(?:{_any_of(('links', *DOCUMENT['links'], 'events', 'times', *DOCUMENT['times']))})"
    rf"{_QUOTE}\s*:\s*[\[{{]",
    re.IGNORECASE,
)
_ENDS = tuple(
    re.compile(
        rf"[{{,]\s*{_QUOTE}(?:{_any_of((end, *KEYS['links'][end]))}){_QUOTE}\s*:", re.IGNORECASE
    )
    for end in ("source", "target")
)
_TRIPLES = re.compile(r"""\[\s*\[\s*["'][^"']{1,80}["']\s*,\s*["'][^"']{1,80}["']\s*,""")
_FENCE = re.compile(rb"^[ \t]*(```+|~~~+)[^\n]*\n(.*?)(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
_FENCE_HEAD = re.compile(
    r"^[ \t]*(?:```+|~~~+)[ \t]*(?:jsonl?|json5)?[ \t]*\r?\n\s*(?=[\[{])",
    re.MULTILINE | re.IGNORECASE,
)
_LINE = re.compile(rb"^[ \t]*(?=[\[{])", re.MULTILINE)
_LINE_HEAD = re.compile(r"^[ \t]*(?=[\[{])", re.MULTILINE)


def looks_like_document(head: str) -> bool:
    """Whether the beginning of JSON looks like a document, or like links, and not like others."""
    if not head.startswith(("{", "[")) or _OTHER.search(head):
        return False
    if _FIRST.match(head) is not None or _MARK.search(head) is not None:
        return True
    if head.startswith("[") and _TRIPLES.match(head):
        return True
    listed = head.startswith("[") or _LIST.search(head) or "\n" in head.strip()
    return bool(listed) and all(end.search(head) for end in _ENDS)


def is_wrapped(head: str) -> bool:
    """Whether the beginning of a file has a document inside Markdown or prose."""
    for pattern in (_FENCE_HEAD, _LINE_HEAD):
        found = pattern.search(head)
        if found is not None and looks_like_document(head[found.end() :]):
            return True
    return False


def find_wrapped(data: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """Find where JSON may be between two offsets: in fences, or from the first bracket on.

    Where it begins with a bracket, it is the whole.
    """
    if data[start:end].lstrip(b" \t\r\n\xef\xbb\xbf")[:1] in {b"{", b"["}:
        return [(start, end)]
    fences = [
        fence.span(2)
        for fence in _FENCE.finditer(data, start, end)
        if fence[2].lstrip()[:1] in {b"{", b"["}
    ]
    if fences:
        return fences
    line = _LINE.search(data, start, end)
    return [] if line is None else [(line.end(), end)]
