"""The fast way from a plain file to that on which the numbers of its nodes and links depend.

Most of what parsing costs are the calls of a handler for each tag. Here expat has no handlers. It
only proves that the file is well-formed, and patterns find the tags. This is a second
implementation of a part of `parsing`, so it gives up on every file in which patterns are not exact,
and tests compare the two.

A plain file is a beginning, a body, a tail and a rest. The beginning ends with the start tag of the
root. The body has the text and its marks. The tail begins with the first instance or link, and ends
before the first end tag that follows. Why this is exact where it does not give up:

* Behind the beginning there is no comment, CDATA or instruction (``<!``, ``<?``). So each ``<``
  begins a tag, for XML allows it neither in words nor in values.
* Brackets alternate. Each tag ends with a ``>``, so none stands in words or values.
* No tag has a line end or a tab, which XML turns into blanks, another control character, which XML
  does not have, or a reference.
* The id of a mark is found from the name of the element on, attribute by attribute, as far as each
  is a blank, a name, ``=`` and a value between quotes.
* The tail is cut at its quotes, and what is then no value at each ``<``. There must be as many
  pieces as tags, so that no value holds a part of a tag. Each piece must be a shape of an instance
  or a link: its name, different attributes as above, and ``/>``. So the tail is well-formed where
  elements may stand, if it is ASCII, and expat does not need to see it.
* The rest begins with an end tag, so that the tail stands inside the root. It has no start tags,
  and ends no mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import accumulate, compress
from typing import Generic, NamedTuple, TypeVar
from xml.parsers import expat

from tlex.document import Source
from tlex.readers.timeml.parsing import EMPTY
from tlex.readers.xml import MAX_ATTRIBUTE, MAX_DEPTH

__all__ = [
    "Columns",
    "Links",
    "NotPlainError",
    "Shapes",
    "Tags",
    "cut_file",
    "cut_tags",
    "find_begin",
    "list_columns",
    "list_times",
    "replace_references",
]

_QUOTED = rb"""(?:"[^"<>&]*+"|'[^'<>&]*+')"""
_BEGINNING = re.compile(
    rb"""(?:<\?xml\s+version\s*=\s*["'][\w.]++["']"""
    rb"""(?:\s+encoding\s*=\s*["'](?i:utf-8|us-ascii)["'])?"""
    rb"""(?:\s+standalone\s*=\s*["']\w++["'])?\s*\?>)?\s*+"""
    rb"(?:<!DOCTYPE\s++[\w.:-]++(?:\s++(?:SYSTEM|PUBLIC\s*+%b)\s*+%b)?\s*+>\s*+)?"
    rb"""<([A-Za-z_][\w.:-]*+)(?:[^"'<>/&]|%b)*+>""" % (_QUOTED, _QUOTED, _QUOTED)
)
"""A file up to the end of the root's start tag. A DOCTYPE declares nothing by itself."""

_USUAL = bytes(set(range(32, 256)).difference(b"<>"))
_REFERENCES = ("&lt;", "&gt;", "&quot;", "&apos;", "&amp;")
_REFERRED = "<>\"'&"
"""What XML itself defines; a reference to ``&`` comes last, for it may stand before the others."""

_TAG = re.compile("<[^>]*>")
_LINK = re.compile(r"<[TSAGC]LINK\b")
_MARK_END = re.compile(r"</(?:EVENT|TIMEX3|SIGNAL|s)\b")
_TIME = re.compile(r"<TIMEX3\b([^>]*)>")
_BEFORE_VALUE = re.compile(" [A-Za-z_][A-Za-z0-9_.:-]*+=")
_TAG_END = re.compile(r" ?/>[ \n\r\t]*+")


def _take(name: str) -> str:
    """Give a pattern for the attributes of a tag up to the value of one, which it captures."""
    return rf'(?: (?!{name}=)[\w.:-]++="[^"]*+")*+ {name}="([^"]*+)"'


_MARK = re.compile(
    rf"<(?:EVENT{_take('eid')}|TIMEX3{_take('tid')}|SIGNAL{_take('sid')}"
    r"|((?:EVENT|TIMEX3|SIGNAL)\b))[^>]*>(?=(<?))"
)
"""Three ids, one of which is there, the name of an element of which none was found, and ``<`` if
another tag follows without a word between."""

_OWN = (("lid",), ("relType",))
_SOURCES = ("eventInstanceID", "timeID")
_TARGETS = ("relatedToEventInstance", "relatedToTime")
_NEEDED = {
    "MAKEINSTANCE": (("eiid",), ("eventID",)),
    "TLINK": (*_OWN, _SOURCES, _TARGETS),
    "ALINK": (*_OWN, _SOURCES, _TARGETS),
    "SLINK": (*_OWN, ("eventInstanceID",), ("subordinatedEventInstance",)),
}
"""The attributes on which numbers depend. Of two names, a link has exactly one."""

_OTHER_ROOTS = frozenset((*EMPTY, "EVENT", "TIMEX3", "SIGNAL", "s"))
_NEARLY_DEEP = MAX_DEPTH - 4
_MOST_SHAPES = _LONGEST_SHAPE = 1000

_Known = TypeVar("_Known")


class Tags(NamedTuple):
    """Some tags: their shapes, which are what is no value, and the values of all of them."""

    shapes: list[str]
    values: list[str]


class Links(NamedTuple):
    """What links say, in columns."""

    ids: list[str]
    kinds: list[str]
    labels: list[str]
    sources: list[str]
    targets: list[str]


class Columns(NamedTuple):
    """That on which the numbers of nodes and links depend, in the order of the file.

    Events and times are there with a number that orders them as the text does; instances with the
    id of their event. ``body``, ``tail`` and ``rest`` are the parts of the file, the tail as tags.
    """

    events: dict[str, int]
    times: dict[str, int]
    signals: list[str]
    instances: dict[str, str]
    links: Links
    body: str
    tail: Tags
    rest: str


class _Tag(NamedTuple):
    """A tag of the tail: its element, the number of its values, and which of them are needed.

    Of an instance two are, and of a link four.
    """

    element: str
    size: int
    first: int
    second: int
    third: int = -1
    fourth: int = -1


class NotPlainError(Exception):
    """Patterns are not exact for a file, or something is unusual in it."""


class Shapes(dict[str, _Known], Generic[_Known]):
    """What is known of a tag by its shape: the tag without its values, as `cut_tags` gives it.

    A corpus has few shapes of tags. A hostile file may have many and long ones, and these are not
    kept.
    """

    def __init__(self, read: Callable[[str], _Known]) -> None:
        self._read = read

    def __missing__(self, shape: str) -> _Known:
        known = self._read(shape)
        if len(self) < _MOST_SHAPES and len(shape) < _LONGEST_SHAPE:
            self[shape] = known
        return known


def list_columns(source: Source, encoding: str | None) -> Columns | None:
    """Find that on which numbers depend; None if patterns are not exact or something is unusual."""
    try:
        begin = find_begin(source)
        data = source.data[begin:]
        count = _count_tags(data)
        text = data.decode()
        body, tail, rest = cut_file(text)
        tags = cut_tags(tail, count - _check_tags(text, body, rest))
        columns = Columns(*_list_marks(body), *_list_tail(tags), body, tags, rest)
        parser = expat.ParserCreate(encoding)
        if tail and tail.isascii():
            parser.Parse(source.data[: begin + len(body.encode())])
            parser.Parse(rest.encode(), True)  # noqa: FBT003 -- expat's own signature
        else:
            parser.Parse(source.data, True)  # noqa: FBT003
    except (expat.ExpatError, UnicodeDecodeError, NotPlainError):
        return None
    return columns


def list_times(source: Source) -> dict[str, dict[str, str]] | None:
    """Find the attributes of all times, by id, in a file for which there are columns.

    None if an attribute is written in an unusual way.
    """
    times = {}
    for tag in _TIME.findall(source.data[find_begin(source) :].decode()):
        pieces = tag.split('"')
        names = _TIME_SHAPES['"'.join(pieces[::2])]
        if names is None:
            return None
        attributes = dict(zip(names, pieces[1::2], strict=True))
        times[attributes["tid"]] = attributes
    return times


def replace_references(words: str) -> str:
    """Replace the references that XML itself defines, the only ones in a plain file."""
    for reference, character in zip(_REFERENCES, _REFERRED, strict=True):
        words = words.replace(reference, character)
    return words


def find_begin(source: Source) -> int:
    """Find the end of the root's start tag."""
    begins = _BEGINNING.match(source.data)
    if (
        begins is None
        or begins.end() > MAX_ATTRIBUTE
        or source.encoding not in {"utf-8", "ascii"}
        or begins[1].decode() in _OTHER_ROOTS
    ):
        raise NotPlainError
    return begins.end()


def _count_tags(data: bytes) -> int:
    """Count the tags; check that brackets alternate, and that no control stands in a tag."""
    special = data.translate(None, _USUAL)
    count = special.count(b"<>")
    if not special.count(b"<") == special.count(b">") == count:
        raise NotPlainError
    return count


def cut_file(text: str) -> tuple[str, str, str]:
    """Cut what stands behind the beginning into body, tail and rest."""
    start = text.find(
        "<MAKEINSTANCE"
    )  # mostly the first, and words are found quicker than patterns
    before = start if start >= 0 else len(text)
    if text.find("LINK", 0, before) >= 0:
        link = _LINK.search(text, 0, before)
        start = link.start() if link else start
    if start < 0:
        return text, "", ""
    # A tail with an end tag before its last empty element is none; to look from there is quicker.
    end = text.find("</", max(start, text.rfind("/>")))
    if end < 0 or _MARK_END.search(text, end):
        raise NotPlainError
    return text[:start], text[start:end], text[end:]


def _check_tags(text: str, body: str, rest: str) -> int:
    """Check that there are only tags, and check references, sizes and depth.

    Return how many tags body and rest have.
    """
    in_body, in_rest = body.count("<"), rest.count("<")
    if in_rest > rest.count("</"):
        raise NotPlainError
    for sign in "!?":  # a sign alone is found quicker
        if sign in body and f"<{sign}" in body:
            raise NotPlainError
    if "&" in text and (
        any(piece.rfind("<") > piece.rfind(">") for piece in text.split("&")[:-1])  # in a tag
        or text.count("&") > sum(map(text.count, _REFERENCES))
    ):
        raise NotPlainError
    if len(text) > MAX_ATTRIBUTE and max(map(len, _TAG.findall(text))) > MAX_ATTRIBUTE:
        raise NotPlainError
    if in_body + in_rest >= 2 * _NEARLY_DEEP and _is_deep(body):
        raise NotPlainError
    return in_body + in_rest


def _is_deep(body: str) -> bool:
    """Whether elements are nested too deep, or nearly so. The tail only has empty elements."""
    opened = (piece.count("<") - piece.count("/>") - 1 for piece in body.split("</"))
    return max(accumulate(opened)) > _NEARLY_DEEP


def _list_marks(body: str) -> tuple[dict[str, int], dict[str, int], list[str]]:
    """Find events, times and signals."""
    pieces = _MARK.split(body)
    eids, tids, sids = pieces[1::6], pieces[2::6], pieces[3::6]
    if any(pieces[4::6]):
        raise NotPlainError
    # How many gaps with words come before each: two marks without words between have one place.
    have_words = not any(pieces[5::6])
    places = range(len(eids)) if have_words else list(accumulate(map(_has_words, pieces[::6])))
    events = dict(zip(filter(None, eids), compress(places, eids), strict=True))
    times = dict(zip(filter(None, tids), compress(places, tids), strict=True))
    signals = list(filter(None, sids))
    if len(events) + len(times) + len(signals) < len(eids):  # two with one id, or an empty one
        raise NotPlainError
    return events, times, signals


def _has_words(gap: str) -> bool:
    return gap[:1] not in {"", "<"} or _TAG.sub("", gap) != ""


def cut_tags(tags: str, count: int | None = None) -> Tags:
    """Cut tags into shapes and values; ``count`` is the number of ``<``, if that is known."""
    pieces = tags.split('"')
    _, *shapes = '"'.join(pieces[::2]).split("<")
    if count is None:
        count = tags.count("<")
    if len(pieces) % 2 == 0 or len(shapes) < count:  # a quote is missing, or one holds a ``<``
        raise NotPlainError
    return Tags(shapes, pieces[1::2])


def _list_tail(tail: Tags) -> tuple[dict[str, str], Links]:
    """Find instances and links."""
    shapes, values = tail
    instances: dict[str, str] = {}
    links = ids, kinds, labels, sources, targets = Links([], [], [], [], [])
    at = 0
    for element, size, first, second, third, fourth in map(_SHAPES.__getitem__, shapes):
        if third < 0:
            instances[values[at + first]] = values[at + second]
        else:
            ids.append(values[at + first])
            kinds.append(element)
            labels.append(values[at + second])
            sources.append(values[at + third])
            targets.append(values[at + fourth])
        at += size
    if len(instances) + len(set(ids)) < len(shapes):  # two with one id
        raise NotPlainError
    return instances, links


def _read_shape(shape: str) -> _Tag:
    """Find the places of the needed values in a tag."""
    *before, end = shape.split('"')
    element, blank, first = before[0].partition(" ") if before else ("", "", "")
    written = [blank + first, *before[1:]]
    names = [name[1:-1] for name in written]
    if (
        element not in _NEEDED
        or len(set(names)) < len(names)
        or "weight" in names
        or not all(map(_BEFORE_VALUE.fullmatch, written))
        or not _TAG_END.fullmatch(end)
    ):
        raise NotPlainError
    places = []
    for needed in _NEEDED[element]:
        found = [names.index(name) for name in needed if name in names]
        if len(found) != 1:
            raise NotPlainError
        places += found
    return _Tag(element, len(names), *places)


def _list_names(shape: str) -> list[str] | None:
    """List the names of the attributes of a time; None if they are written in an unusual way."""
    *before, end = shape.split('"')
    if end.strip(" /") or not all(map(_BEFORE_VALUE.fullmatch, before)):
        return None
    return [name[1:-1] for name in before]


_SHAPES = Shapes(_read_shape)
_TIME_SHAPES = Shapes(_list_names)
