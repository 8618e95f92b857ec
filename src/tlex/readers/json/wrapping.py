"""Recognising a document in JSON, also inside Markdown or prose, as language models write it."""

from __future__ import annotations

import re

import msgspec

from tlex.readers.json.keys import DOCUMENT, KEYS, WRAPPERS, squeeze
from tlex.readers.json.labelling import is_known

__all__ = ["find_wrapped", "is_foreign", "is_tagged", "is_wrapped", "looks_like_document"]


def _any_of(keys: tuple[str, ...]) -> str:
    """Give a pattern for keys that are read as one; how ``_`` and ``-`` are put does not count."""
    return "|".join("[_-]?".join(key.split("_")) for key in keys)


_LISTS = ("links", "events", "instances", "times", "documents")
_QUOTE = "[\"']?"
_BEGINNINGS = ("text", "events", "instances", "times", "signals", "links", "order", "documents")
_FIRST = re.compile(rf'\{{\s*(?:"(?:{"|".join(_BEGINNINGS)})")')
_MARK = re.compile(rf'"schema"\s*:\s*"tlex-document/|"(?:{"|".join(_LISTS)})"\s*:\s*\[')
_OWN = re.compile(r'\{\s*"schema"\s*:\s*"tlex-document/')
_OTHERS = (
    "timex", "TIMEX", "event_order", "allMentions", "allPairs", "main_doc", "tokens", "%TYPES",
)  # fmt: skip
"""Keys of other JSON: NarrativeTime, EventFull, MAVEN-ERE, UIMA CAS."""
_CAS = ("%FEATURE_STRUCTURES", "%VIEWS")
_OTHER = re.compile(rf'"schema"\s*:\s*"(?!tlex-document/)|"(?:{"|".join(_OTHERS)})"\s*:')

_LISTED = ("links", *DOCUMENT["links"], "events", "times", *DOCUMENT["times"])
_LIST = re.compile(rf"(?:{_any_of(_LISTED)}){_QUOTE}\s*:\s*[\[{{]")
_ENDS = tuple(
    re.compile(
        rf"[{{,]\s*{_QUOTE}(?:{_any_of((end, *KEYS['links'][end]))}){_QUOTE}\s*:", re.IGNORECASE
    )
    for end in ("source", "target")
)
_SOURCES = ("source", *KEYS["links"]["source"])
_KNOWN = frozenset(
    map(
        squeeze,
        (*_BEGINNINGS, *_LISTED, *_OTHERS, *_CAS, *WRAPPERS, "schema", *_SOURCES),
    )
)
_KNOWN_IN_LISTS = _KNOWN - {"text", "order", "signals"}
"""A list of objects that have nothing else is not a list of documents."""
_LOOK_AT = 8
"""How many items of a list are looked at."""

_TRIPLE = r"""\[\s*\[\s*["'][^"']{1,80}["']\s*,\s*["'][^"']{1,80}["']\s*,"""
_LINKS = _any_of(("links", *DOCUMENT["links"]))
_TRIPLES = re.compile(rf"{_TRIPLE}|\{{.*?(?:{_LINKS}){_QUOTE}\s*:\s*{_TRIPLE}", re.DOTALL)
_TYPED = re.compile(rf'(?:{_LINKS}){_QUOTE}\s*:\s*\{{\s*"([\w /-]{{1,30}})"\s*:\s*\[')
"""Links by their types."""
_FENCE = re.compile(rb"^[ \t]*(```+|~~~+)[^\n]*\n(.*?)(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
_FENCE_HEAD = re.compile(
    r"^[ \t]*(?:```+|~~~+)[ \t]*(?:jsonl?|json5)?[ \t]*\r?\n\s*(?=[\[{])",
    re.MULTILINE | re.IGNORECASE,
)
_LINE = re.compile(r"^[ \t]*(?=[\[{])", re.MULTILINE)
_INSIDE = re.compile(r"""(?=\{\s*["'\u201c]|\[\s*[\[{])""")
_PREFACE = 400
"""So many characters may stand before JSON in the same line."""

_TAGGED = re.compile(r"\s*<(?:think|thinking|reasoning|scratchpad|answer|output|json)>")
"""Tags that models put around what they think and what they answer."""
_THOUGHT = re.compile(r"\s*<(think|thinking|reasoning|scratchpad)>.*?</\1>", re.DOTALL)


def looks_like_document(head: str) -> bool:
    """Whether the beginning of JSON looks like a document, or like links, and not like others."""
    if not head.startswith(("{", "[")):
        return False
    head = head.replace("\u201c", '"').replace("\u201d", '"')
    if _OWN.match(head) is not None:  # whatever its attributes are called
        return True
    if _OTHER.search(head):
        return False
    if _FIRST.match(head) is not None or _MARK.search(head) is not None:
        return True
    return _has_links(head)


def _has_links(head: str) -> bool:
    """Whether the beginning of JSON has links, whatever their list is called."""
    typed = _TYPED.search(head)
    if typed is not None and is_known(typed[1]):
        return True
    if _TRIPLES.match(head):
        return True
    listed = head.startswith("[") or _LIST.search(head.lower()) or "\n" in head.strip()
    return bool(listed) and all(end.search(head) for end in _ENDS)


def is_foreign(head: str) -> bool:
    """Whether the beginning of a file is JSON that no reader can know, by its outermost keys.

    This is quick, as there may be very many such files. It is false where that cannot be said: the
    JSON is cut off or broken, or it is no object and no list of objects.
    """
    head = head.strip("\ufeff \t\r\n")
    value = _take_apart(head)
    if value is None:  # one object on each line, perhaps
        head = head.partition("\n")[0]
        value = _take_apart(head)
    if isinstance(value, dict):
        return _KNOWN.isdisjoint(map(squeeze, value))
    items = [_take_apart(bytes(item)) for item in (value or ())[:_LOOK_AT]]
    objects = [item for item in items if isinstance(item, dict)]
    keys: set[str] = set().union(*objects)
    others = _KNOWN_IN_LISTS.isdisjoint(map(squeeze, keys))
    return bool(objects) and len(objects) == len(items) and others


_Parts = dict[str, msgspec.Raw] | list[msgspec.Raw]
_PARTS: msgspec.json.Decoder[_Parts] = msgspec.json.Decoder(_Parts)


def _take_apart(head: str | bytes) -> _Parts | None:
    """Give the members of an object or the items of a list, as they are written."""
    try:
        return _PARTS.decode(head)
    except (msgspec.MsgspecError, RecursionError):
        return None


def is_wrapped(head: str) -> bool:
    """Whether the beginning of a file has a document inside Markdown or prose."""
    found = _FENCE_HEAD.search(head)
    if found is not None and looks_like_document(head[found.end() :]):
        return True
    return _find_place(head) is not None


def is_tagged(head: str) -> bool:
    """Whether a file begins with a tag that only a language model writes, and has a document."""
    return _TAGGED.match(head) is not None and is_wrapped(head)


def _find_place(head: str) -> int | None:
    """Find where a document begins inside prose: with a line, or after a few words.

    Only the first bracket counts: other files, such as a README, may show JSON somewhere.
    """
    thought = _THOUGHT.match(head)
    start = thought.end() if thought else 0
    for found in (_LINE.search(head, start), _INSIDE.search(head, start, start + _PREFACE)):
        shown = found is not None and head[found.end() - 1 : found.end()] == "`"
        if found is not None and not shown and looks_like_document(head[found.end() :]):
            return found.end()
    return None


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
    head = data[start:end].decode("utf-8", "replace")
    place = _find_place(head)
    if place is None:  # what stands first is told to be broken
        line = _LINE.search(head)
        place = None if line is None else line.end()
    return [] if place is None else [(start + len(head[:place].encode()), end)]
