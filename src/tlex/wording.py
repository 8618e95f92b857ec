"""Words for people: what may be shown, how long it may be, how much room it takes.

This is the one place that decides how an event or time is named in a message: ``"built" (ei2)``.
There is one exception: pictures, and those made of text too, are all names and have no sentences,
so they leave out the quotation marks: ``built (ei2)``.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from math import inf

__all__ = [
    "LONGEST_ID",
    "LONGEST_WORDS",
    "clean",
    "count",
    "entitle",
    "fit",
    "flow",
    "list_lines",
    "list_names",
    "measure",
    "name_node",
    "plain",
    "quote_node",
    "represent",
    "shorten",
    "shorten_id",
]

LONGEST_WORDS = 36
"""Characters of an expression in the text that a message shows."""

LONGEST_ID = 80
"""Characters of an id, or of another word from the file, that a message shows."""

_LONGEST_REPR = 140

_KEPT_FORMATS = "\u200c\u200d"  # joiners, which some scripts need


def clean(words: str) -> str:
    """Give words from a file without anything that could steer a terminal."""
    if words.isprintable():
        return words
    return "".join(c if c.isprintable() or c in _KEPT_FORMATS else "\ufffd" for c in words)


def entitle(name: str) -> str:
    r"""Give the name of a document for a title; of an absolute path only the file's name.

    >>> entitle("corpus/story.tml"), entitle("/home/me/story.tml"), entitle("C:\\me\\story.tml")
    ('corpus/story.tml', 'story.tml', 'story.tml')
    >>> entitle("-")
    'standard input'
    """
    if name == "-":
        return "standard input"
    absolute = name[:1] in {"/", "\\"} or name[1:3] in {":/", ":\\"}
    return name.replace("\\", "/").rstrip("/").rpartition("/")[2] if absolute else name


def count(number: int, one: str, many: str | None = None) -> str:
    """Give a number and what it counts.

    >>> count(1, "branch", "branches"), count(2000, "step")
    ('1 branch', '2,000 steps')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def shorten(words: str, most: int = LONGEST_WORDS, dots: str = "...") -> str:
    """Shorten words to so many characters; dots show that something is left out.

    >>> shorten("the day on which it snowed", 14)
    'the day on...'
    """
    return words if len(words) <= most else words[: most - len(dots)].rstrip() + dots


def shorten_id(name: str) -> str:
    """Shorten an id, or another word from the file, to a length that can be read."""
    return shorten(name, LONGEST_ID)


def list_names(names: Sequence[str], most: int = 4) -> str:
    """List names, the first few of many.

    >>> list_names(["l1", "l2"]), list_names(["l1", "l2", "l3"], 2)
    ('l1, l2', 'l1, l2 and 1 more')
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def represent(thing: object, words: str) -> str:
    """Give the one line that a notebook shows for an object: its class and what matters.

    >>> represent(..., "3 dots")
    '<ellipsis 3 dots>'
    """
    return f"<{type(thing).__name__} {shorten(clean(words), _LONGEST_REPR)}>"


def name_node(name: str, words: str) -> str:
    """Name an event or time by its words and its id; by the id alone where it has no words.

    >>> name_node("ei2", "built"), name_node("t0", "")
    ('"built" (ei2)', 't0')
    """
    return f"{quote_node(name, words)} ({shorten_id(name)})" if words else shorten_id(name)


def quote_node(name: str, words: str) -> str:
    """Name an event or time by its words alone; by its id where it has no words."""
    return f'"{shorten(words)}"' if words else shorten_id(name)


def measure(words: str) -> int:
    """Count the columns that words take on a terminal.

    >>> measure("night"), measure("夜")
    (5, 2)
    """
    if words.isascii():
        return len(words)
    return sum(map(_measure_character, words))


@lru_cache(1 << 12)
def _measure_character(character: str) -> int:
    if unicodedata.combining(character) or character in _KEPT_FORMATS:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def fit(words: str, columns: int) -> str:
    """Give the beginning of words that fits into so many columns.

    >>> fit("midnight", 3)
    'mid'
    """
    if words.isascii():
        return words[: max(columns, 0)]
    used = 0
    for place, character in enumerate(words):
        used += measure(character)
        if used > columns:
            return words[:place]
    return words


def plain(words: str) -> str:
    """Give words without their colours."""
    while "\x1b[" in words:
        before, _, after = words.partition("\x1b[")
        words = before + after.partition("m")[2]
    return words


def flow(  # noqa: PLR0913 -- words, and how to lay them out
    head: str,
    items: Iterable[str],
    indent: str,
    joint: str,
    room: float = inf,
    *,
    size: Callable[[str], int] = measure,
) -> Iterator[str]:
    """Give lines of items behind a head, within so many columns; an item is never broken.

    ``size`` is what counts the columns of words.
    """
    items = list(items)
    whole, tail, between = head + joint.join(items), joint.rstrip(), size(joint)
    room -= size(tail)
    if not items or size(whole) <= room:  # as a rule
        yield whole
        return
    if size is measure and whole.isascii():
        size = len
    # How many columns the items up to each one take, with what is between them and behind it.
    ends = list(accumulate(width + between for width in map(size, items)))
    begin = 0
    while begin < len(items):
        left = room - size(head) + between + (ends[begin - 1] if begin else 0)
        end = max(bisect_right(ends, left, begin), begin + 1)
        yield head + joint.join(items[begin:end]) + (tail if end < len(items) else "")
        begin, head = end, indent


def list_lines(
    head: str, items: Iterable[str], joint: str = ", ", room: float = inf
) -> Iterator[str]:
    """Give a list behind a head, in as many lines as it takes; the indent is at most 4 columns."""
    return flow(head, items, " " * min(len(head), 4), joint, room)
