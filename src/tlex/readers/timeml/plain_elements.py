"""The elements of a plain file, found by patterns: what `parsing` finds, in half the time.

A file is plain if `scan.list_columns` has found columns: then it is well-formed, and each ``<``
begins a tag. The nouns of such a file are made of these elements. A tag is known by its shape, see
`scan.cut_tags`; a file with a shape that is unusual is left to `parsing`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, compress, groupby, repeat
from typing import NamedTuple

from tlex.readers.timeml.parsing import NAMES, Elements, EmptyElements, TextElement
from tlex.readers.timeml.scan import (
    NotPlainError,
    Shapes,
    Tags,
    cut_file,
    cut_tags,
    find_begin,
    replace_references,
)
from tlex.source import Source

__all__ = [
    "Column",
    "list_elements",
    "measure",
    "read_blanks",
    "read_columns",
    "read_marks",
    "read_shape",
    "read_start",
    "read_words",
]

_TAG = re.compile("(<[^>]*>)")
_SHAPE = re.compile(
    r"(/?)([A-Za-z_][\w.:-]*+)"
    r'((?: [A-Za-z_][\w.:-]*+=")*+)'
    r" ?(/?)>([ \n\r\t]*+)"
)

Attributes = dict[str, str]
Column = list[str | None]


class PlainTag(NamedTuple):
    """A tag: its element, its attributes, their places, what kind it is, the blanks behind."""

    element: str
    names: tuple[str, ...]
    places: dict[str, int]
    ends: bool
    empty: bool
    blanks: str


def list_elements(source: Source) -> Elements | None:
    """Find the elements of a plain file; None if a tag is written in an unusual way."""
    begin = find_begin(source)
    file = source.data[begin:].decode()
    body, tail, rest = cut_file(file[: file.rfind(">") + 1])
    pieces = _TAG.split(body)  # words, tag, words, tag, ..., words
    try:
        marks, mark_attributes = _read_tags(cut_tags("".join(pieces[1::2])))
        tags, attributes = _read_tags(cut_tags(tail))
    except NotPlainError:
        return None
    starts = list(accumulate(measure(pieces, body), initial=begin))
    words = list(read_words(pieces[::2], body))
    places = accumulate(map(len, words))
    in_text = _pair_marks(marks, mark_attributes, starts[1::2], places)
    words += read_words((tag.blanks for tag in tags), tail)
    words += read_words(_TAG.split(rest)[::2], rest)
    names = [tag.element for tag in tags]
    sizes = (size + 1 for size in measure(tail.split("<")[1:], tail))
    offsets = list(accumulate(sizes, initial=starts[-1]))
    are_links = [name != "MAKEINSTANCE" for name in names]
    text = "".join(words)
    return Elements(
        places=range(len(text) + 1),  # a mark has characters before it, not parts
        text=text,
        in_text=in_text,
        instances=_choose(names, attributes, offsets, [not chosen for chosen in are_links]),
        links=_choose(names, attributes, offsets, are_links),
    )


def _read_tags(tags: Tags) -> tuple[list[PlainTag], list[Attributes]]:
    """Read tags, and the attributes of each."""
    read = list(map(_SHAPES.__getitem__, tags.shapes))
    return read, _read_attributes(read, tags.values)


def read_columns(
    tags: Tags,
    wanted: Sequence[str],
    elements: Collection[str] = (),
    most: int | None = None,
) -> list[Column]:
    """Read some attributes of tags, as a column for each; None where a tag does not have it.

    Of all tags, or of the first ``most`` of some elements.
    """
    columns: list[Column] = [[] for _ in wanted]
    at = 0
    for shape, run in groupby(tags.shapes):
        tag = _SHAPES[shape]
        count, size = len(list(run)), len(tag.names)
        end = at + count * size
        if not elements or tag.element in elements:
            for name, column in zip(wanted, columns, strict=True):
                place = tag.places.get(name)
                column.extend(
                    repeat(None, count) if place is None else tags.values[at + place : end : size]
                )
            if len(columns[0]) == most:
                break
        at = end
    return columns


def read_marks(
    starts: Tags, beginning: str, wanted: Sequence[str]
) -> tuple[list[int], list[Column]]:
    """Find the start tags that have a certain beginning, such as ``EVENT``, and read attributes.

    Returns their places among all start tags, and the wanted attributes as columns, with None where
    a tag does not have one.
    """
    shapes, values = starts
    known = {shape: read_start(shape) for shape in set(shapes) if shape.startswith(beginning)}
    sizes = {shape: shape.count('"') for shape in set(shapes)}
    chosen = list(map(known.__contains__, shapes))
    places = list(compress(range(len(shapes)), chosen))
    firsts = list(compress(accumulate(map(sizes.__getitem__, shapes), initial=0), chosen))
    columns: list[Column] = []
    for name in wanted:
        place_of = {shape: tag.places.get(name) for shape, tag in known.items()}
        place, *others = set(place_of.values()) or (None,)
        if others:
            own = map(place_of.__getitem__, compress(shapes, chosen))
            pairs = zip(firsts, own, strict=True)
            columns.append([None if at is None else values[first + at] for first, at in pairs])
        elif place is None:
            columns.append([None] * len(places))
        else:  # the same in all tags
            columns.append([values[first + place] for first in firsts])
    return places, columns


def read_shape(shape: str) -> PlainTag:
    """Read what a tag is from its shape."""
    return _SHAPES[shape]


def read_start(shape: str) -> PlainTag:
    """Read what a start tag of the body is from its shape, which is without brackets."""
    return _STARTS[shape]


def read_blanks(tags: Tags) -> str:
    """Read what is behind tags that have nothing but blanks behind them."""
    return "".join(map(_BLANKS.__getitem__, tags.shapes))


def _read_attributes(tags: Iterable[PlainTag], values: list[str]) -> list[Attributes]:
    names = [tag.names for tag in tags]
    return list(map(dict, map(zip, names, repeat(iter(values)))))  # each zip goes on there


def _find_parts(shape: str) -> PlainTag:
    found = _SHAPE.fullmatch(shape)
    if found is None:
        raise NotPlainError
    ends, element, attributes, empty, blanks = found.groups()
    written = (name[1:-1] for name in attributes.split('"')[:-1])
    names = tuple(NAMES.get(name, name) for name in written)
    places = {name: place for place, name in enumerate(names)}
    return PlainTag(element, names, places, bool(ends), bool(empty), _read_line_ends(blanks))


def measure(pieces: Iterable[str], whole: str) -> Iterator[int]:
    """Give the number of bytes of each piece."""
    return map(len, pieces if whole.isascii() else map(str.encode, pieces))


def read_words(pieces: Iterable[str], whole: str) -> Iterator[str]:
    """Give words as XML reads them: each line end is one character, references are replaced."""
    if "\r" in whole:
        pieces = map(_read_line_ends, pieces)
    return map(replace_references, pieces) if "&" in whole else iter(pieces)


def _read_line_ends(words: str) -> str:
    return words.replace("\r\n", "\n").replace("\r", "\n")


def _pair_marks(
    tags: list[PlainTag], attributes: list[Attributes], starts: Sequence[int], places: Iterable[int]
) -> dict[str, list[TextElement]]:
    """Find the marks that begin and end in the body."""
    marked: dict[str, list[TextElement]] = {"EVENT": [], "TIMEX3": [], "SIGNAL": [], "s": []}
    opened: list[tuple[str, Attributes, int, int]] = [("", {}, 0, 0)]  # the root
    for (element, _, _, ends, empty, _), own, start, place in zip(
        tags, attributes, starts, places, strict=False
    ):
        if not ends:
            opened.append((element, own, start, place))
        if ends or empty:
            name, given, at, first = opened.pop()
            if name in marked:
                marked[name].append((given, at, first, place))
    return marked


def _choose(
    names: list[str], attributes: list[Attributes], starts: list[int], chosen: list[bool]
) -> EmptyElements:
    return EmptyElements(
        list(compress(names, chosen)),
        list(compress(attributes, chosen)),
        list(compress(starts, chosen)),
    )


def _read_blanks(shape: str) -> str:
    return _SHAPES[shape].blanks


def _find_start(shape: str) -> PlainTag:
    return _find_parts(f"{shape}>")


_SHAPES = Shapes(_find_parts)
_STARTS = Shapes(_find_start)
_BLANKS = Shapes(_read_blanks)
