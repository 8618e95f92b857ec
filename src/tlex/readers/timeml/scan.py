"""The fast way from a plain file to that on which the numbers of its nodes and links depend.

Most of what parsing costs is what expat does for each tag, and the calls of a handler. Here a few
operations on the whole file find the tags and prove that they are well-formed. Expat only sees the
beginning and the end. This is a second implementation of a part of `parsing`, so it gives up on
every file in which it is not exact, and tests compare the two.

A plain file is a beginning, a body, a tail and a rest. The beginning ends with the start tag of the
root. The body has the text and its marks, and no instance or link. The tail begins with the first
of these, and ends before the first end tag that follows. Why this is exact where it does not give
up:

* Behind the beginning there is no comment, CDATA or instruction (``<!``, ``<?``). So each ``<``
  begins a tag, for XML allows it neither in words nor in values.
* Brackets alternate. Each tag ends with a ``>``, so none stands in words or values.
* No tag has a line end or a tab, which XML turns into blanks, or a reference. Nowhere is there a
  character that XML does not have, or a reference that XML itself does not define. So words are
  well-formed.
* Start tags are cut at their quotes, and what is then no value at each ``<``. There must be as many
  pieces as tags, so that no value holds a part of a tag. Each piece must be a usual shape: a name,
  different attributes, each a blank, a name, ``=`` and a value between double quotes, and the end.
  All names are ASCII.
* In the body, each end tag must end the element that was begun last, and none ends the root. What
  is still open at the end of the body, expat is given to see before the rest.
* In the tail, each tag must be an empty instance or link, and blanks. So the tail is well-formed
  where elements may stand.
* The rest begins with an end tag, so that body and tail stand inside the root. It has no start
  tags, and ends no mark. Expat sees that it ends what is open, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, compress
from typing import Generic, NamedTuple, TypeVar
from xml.parsers import expat

from tlex.readers.timeml.parsing import EMPTY
from tlex.readers.xml import MAX_ATTRIBUTE, MAX_DEPTH
from tlex.source import Source

__all__ = [
    "Columns",
    "NotPlainError",
    "Shapes",
    "Tags",
    "cut_file",
    "cut_pieces",
    "cut_tags",
    "find_begin",
    "list_columns",
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
_BETWEEN_WORDS = b"\t\n\r<>"
_NO_CHARACTERS = ("\ufffe", "\uffff")
_REFERENCES = ("&lt;", "&gt;", "&quot;", "&apos;", "&amp;")
_REFERRED = "<>\"'&"
"""What XML itself defines; a reference to ``&`` comes last, for it may stand before the others."""

_TAG = re.compile("<[^>]*>")
_LINK = re.compile(r"<[TSAGC]LINK\b")
_MARK_END = re.compile(r"</(?:EVENT|TIMEX3|SIGNAL|s)\b")
_NAME = re.compile("[A-Za-z_][A-Za-z0-9_.:-]*+")
_BEFORE_VALUE = re.compile(f" {_NAME.pattern}=")
_TAG_END = re.compile(r" ?/>[ \n\r\t]*+")
_IDS = {"EVENT": "eid", "TIMEX3": "tid", "SIGNAL": "sid"}
_NEARLY_MARKS = re.compile(r"(?:EVENT|TIMEX3|SIGNAL|[TSAGC]LINK)\b")
"""Elements that a pattern may take for marks, and links, which have no place in a body."""

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


class Columns(NamedTuple):
    """That on which the numbers of nodes and links depend, in the order of the file.

    Events and times are there with a number that orders them as the text does; instances with the
    id of their event; links, by id, with their kind, label, source and target. ``begin`` is the end
    of the root's start tag, and ``body``, ``tail`` and ``rest`` are the parts of the file behind
    it, the tail as tags. ``pieces`` are the words and tags of the body in turns, and ``starts`` its
    start tags, which have these ``numbers`` among its tags.
    """

    events: dict[str, int]
    times: dict[str, int]
    signals: list[str]
    instances: dict[str, str]
    links: dict[str, tuple[str, str, str, str]]
    begin: int
    body: str
    pieces: list[str]
    starts: Tags
    numbers: Sequence[int]
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


class _Start(NamedTuple):
    """A start tag of the body: its element, the number of its values, the place of a mark's id.

    ``end`` is the end tag without its brackets; empty if the element is.
    """

    element: str
    size: int
    own: int
    end: str


class _Body(NamedTuple):
    """What a body holds: events, times and signals by their ids, each with its place.

    ``starts`` are its start tags, and ``numbers`` their numbers among all tags. ``opened`` are the
    start tags that have no end tag.
    """

    marks: Iterable[dict[str, int]]
    starts: Tags
    numbers: Sequence[int]
    opened: list[str]


class NotPlainError(Exception):
    """Patterns are not exact for a file, or something is unusual in it."""


class Shapes(dict[str, _Known], Generic[_Known]):
    """What is known of a tag by its shape: the tag without its values, as `cut_tags` gives it.

    Or what is known of a file by what is around its elements. A corpus has few of both. A hostile
    file may have many and long ones, and these are not kept.
    """

    def __init__(self, read: Callable[[str], _Known]) -> None:
        self._read = read

    def __missing__(self, shape: str) -> _Known:
        known = self._read(shape)
        if len(self) < _MOST_SHAPES and len(shape) < _LONGEST_SHAPE:
            self[shape] = known
        return known


def list_columns(source: Source) -> Columns | None:
    """Find that on which numbers depend; None if patterns are not exact or something is unusual."""
    if source.encoding == "ascii" and not source.data.isascii():
        return None
    try:
        begin = find_begin(source)
        data = source.data[begin:]
        count = _count_tags(data)
        text = data.decode()
        _check_text(text)
        body, tail, rest = cut_file(text)
        pieces = cut_pieces(body)
        (events, times, signals), starts, numbers, opened = _list_body(pieces)
        tags = cut_tags(
            tail, count - len(pieces) // 2 - rest.count("</")
        )  # the rest has end tags only
        instances, links = _list_tail(tags)
        columns = Columns(
            events,
            times,
            list(signals),
            instances,
            links,
            begin,
            body,
            pieces,
            starts,
            numbers,
            tags,
            rest,
        )
        frame = "".join((source.data[:begin].decode(), *opened, rest))
    except (UnicodeDecodeError, NotPlainError):
        return None
    return columns if _FRAMES[frame] else None


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
    """Count the tags; check that brackets alternate, and that there is no control in a tag.

    Between tags there may be line ends and tabs.
    """
    special = data.translate(None, _USUAL)
    count = special.count(b"<>")
    in_tags = not special.count(b"<") == special.count(b">") == count
    if in_tags or special.translate(None, _BETWEEN_WORDS):
        raise NotPlainError
    return count


def cut_file(text: str) -> tuple[str, str, str]:
    """Cut what stands behind the beginning into body, tail and rest."""
    start = text.find("<MAKEINSTANCE")  # words are found quicker than patterns
    before = start if start >= 0 else len(text)
    if start < 0 or _LINK.match(text, text.rfind("<", 0, start)):  # links come first
        link = _LINK.search(text, 0, before)
        start = link.start() if link else start
    if start < 0:  # no tail: the rest is the root's end tag
        end = max(text.rfind("</"), 0)
        return text[:end], "", text[end:]
    # A tail with an end tag before its last empty element is none; to look from there is quicker.
    end = text.find("</", max(start, text.rfind("/>")))
    if end < 0 or _MARK_END.search(text, end):
        raise NotPlainError
    return text[:start], text[start:end], text[end:]


def _check_text(text: str) -> None:
    """Check characters, references and sizes."""
    if not text.isascii() and any(character in text for character in _NO_CHARACTERS):
        raise NotPlainError
    if "&" in text and (
        any(piece.rfind("<") > piece.rfind(">") for piece in text.split("&")[:-1])  # in a tag
        or text.count("&") > sum(map(text.count, _REFERENCES))
    ):
        raise NotPlainError
    if len(text) > MAX_ATTRIBUTE and max(map(len, _TAG.findall(text))) > MAX_ATTRIBUTE:
        raise NotPlainError


def cut_pieces(text: str) -> list[str]:
    """Cut into words, tag, words, tag, ..., words, without brackets: these alternate."""
    return text.replace(">", "<").split("<")


def _list_body(pieces: list[str]) -> _Body:
    """Find events, times and signals, and check that tags are well-formed and nested."""
    words, tags = pieces[::2], pieces[1::2]
    # How many times words come before each tag: two tags without words between have one place.
    places = list(accumulate(map(bool, words))) if "" in words else list(range(len(words)))
    ends = tags[1::2]
    have_words_only = all(tag.startswith("/") for tag in {*ends})
    numbers: Sequence[int] = range(0, len(tags), 2)
    if have_words_only:  # no element is in another or empty: the usual case, without a loop
        starts, places = tags[::2], places[::2]
    else:
        are_starts = [not tag.startswith("/") for tag in tags]
        numbers = list(compress(range(len(tags)), are_starts))
        starts, places = list(compress(tags, are_starts)), list(compress(places, are_starts))
    cut = cut_tags("<".join(("", *starts)), len(starts))
    values = cut.values
    known = list(map(_STARTS.__getitem__, cut.shapes))
    opened: list[str] = []
    if not have_words_only or ends != [end for _, _, _, end in known]:
        opened = _match_ends(tags, known)
    marks: dict[str, dict[str, int]] = {element: {} for element in _IDS}
    at = others = 0
    for (element, size, own, _), place in zip(known, places, strict=False):
        if own < 0:
            others += 1
        else:
            marks[element][values[at + own]] = place
        at += size
    if others + sum(map(len, marks.values())) < len(known):  # two with one id
        raise NotPlainError
    return _Body(marks.values(), cut, numbers, opened)


def _match_ends(tags: list[str], starts: Iterable[_Start]) -> list[str]:
    """Check that each end tag ends what was begun last; return the start tags without an end."""
    following = iter(starts)
    opened: list[str] = []
    for tag in tags:
        if tag.startswith("/"):
            if not opened or opened.pop() != tag.rstrip(" "):
                raise NotPlainError
            continue
        end = next(following).end
        if end:
            opened.append(end)
            if len(opened) > _NEARLY_DEEP:
                raise NotPlainError
    return [f"<{end[1:]}>" for end in opened]


def cut_tags(tags: str, count: int | None = None) -> Tags:
    """Cut tags into shapes and values; ``count`` is the number of ``<``, if that is known."""
    pieces = tags.split('"')
    _, *shapes = '"'.join(pieces[::2]).split("<")
    if count is None:
        count = tags.count("<")
    if len(pieces) % 2 == 0 or len(shapes) < count:  # a quote is missing, or one holds a ``<``
        raise NotPlainError
    return Tags(shapes, pieces[1::2])


def _list_tail(tail: Tags) -> tuple[dict[str, str], dict[str, tuple[str, str, str, str]]]:
    """Find instances and links."""
    shapes, values = tail
    instances: dict[str, str] = {}
    links: dict[str, tuple[str, str, str, str]] = {}
    at = 0
    for element, size, first, second, third, fourth in map(_SHAPES.__getitem__, shapes):
        if third < 0:
            instances[values[at + first]] = values[at + second]
        else:
            content = element, values[at + second], values[at + third], values[at + fourth]
            links[values[at + first]] = content
        at += size
    if len(instances) + len(links) < len(shapes):  # two with one id
        raise NotPlainError
    return instances, links


def _is_well_formed(frame: str) -> bool:
    """Whether expat takes what a file has around its elements, which many files have in common."""
    try:
        expat.ParserCreate().Parse(frame.encode(), True)  # noqa: FBT003 -- expat's own signature
    except expat.ExpatError:
        return False
    return True


def _read_start(shape: str) -> _Start:
    """Find out what a start tag begins."""
    name = _NAME.match(shape)
    if name is None:
        raise NotPlainError
    element = name[0]
    *written, end = shape[name.end() :].split('"')
    names = [attribute[1:-1] for attribute in written]
    if (
        not all(map(_BEFORE_VALUE.fullmatch, written))
        or len(set(names)) < len(names)
        or end not in {"", " ", "/", " /"}
    ):
        raise NotPlainError
    own = -1
    if element in _IDS and _IDS[element] in names:
        own = names.index(_IDS[element])
    elif _NEARLY_MARKS.match(element):
        raise NotPlainError
    return _Start(element, len(names), own, "" if "/" in end else f"/{element}")


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


_FRAMES = Shapes(_is_well_formed)
_STARTS = Shapes(_read_start)
_SHAPES = Shapes(_read_shape)
