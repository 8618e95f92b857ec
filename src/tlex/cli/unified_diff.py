"""A unified diff, made from the edits themselves: no search for differences is needed."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate

from msgspec import Struct

from tlex.cli.terminal import write_bytes
from tlex.markup import Edit, apply_edits, recode
from tlex.source import Source
from tlex.wording import clean

__all__ = ["compare", "show_diff"]

_CONTEXT = 3
_PLAIN = re.compile(rb"[^\n]*\n|[^\n]+")
_ANY = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class _LineGroup(Struct):
    """Old lines, from ``first`` up to, and without, ``last``, and what stands in their place."""

    first: int
    last: int
    edits: list[Edit]


def show_diff(source: Source, edits: list[Edit], name: str) -> None:
    """Print what edits change in a file.

    Into a pipe or file the lines go unchanged, so that ``patch`` can apply them; UTF-16, which
    ``patch`` cannot read, goes as UTF-8. At a terminal a line also ends at CR, and control
    characters of the file are replaced.
    """
    data, edits = recode(source, edits)
    encoding = source.encoding if data is source.data else "utf-8"
    terminal = sys.stdout.isatty()
    lines = compare(data, edits, clean(name), _ANY if terminal else _PLAIN)
    if not terminal:
        write_bytes(b"".join(lines))
        return
    for line in lines:
        print(clean(line.decode(encoding, "replace").rstrip("\r\n").expandtabs()))


def compare(
    data: bytes, edits: list[Edit], name: str, pattern: re.Pattern[bytes] = _PLAIN
) -> Iterator[bytes]:
    r"""Give the lines of a unified diff, each with its line end. Linear.

    >>> print(b"".join(compare(b"one\ntwo\n", [(4, 7, b"2")], "count")).decode(), end="")
    --- a/count
    +++ b/count
    @@ -1,2 +1,2 @@
     one
    -two
    +2
    """
    above, begin, end = _find_surroundings(data, edits) if b"\r" not in data else (0, 0, len(data))
    old = pattern.findall(data, begin, end)
    ends = (b"\n",) if pattern is _PLAIN else (b"\n", b"\r")
    starts = list(accumulate(map(len, old), initial=begin))
    behind = "\t" if " " in name else ""
    yield from (
        f"{sign} {side}/{name}{behind}\n".encode() for sign, side in (("---", "a"), ("+++", "b"))
    )
    shift = 0  # lines added so far, minus lines removed
    for hunk in _find_hunks(edits, starts):
        first = max(hunk[0].first - _CONTEXT, 0)
        last = min(hunk[-1].last + _CONTEXT, len(old))
        lines: list[bytes] = []
        at, more = first, 0
        for group in hunk:
            lines += [b" " + line for line in old[at : group.first]]
            lines += [b"-" + line for line in old[group.first : group.last]]
            start, end = starts[group.first], starts[group.last]
            moved = [(left - start, right - start, new) for left, right, new in group.edits]
            new = pattern.findall(apply_edits(data[start:end], moved))
            lines += [b"+" + line for line in new]
            more += len(new) - (group.last - group.first)
            at = group.last
        lines += [b" " + line for line in old[at:last]]
        shown = above + first
        sizes = _range(shown, last - first), _range(shown + shift, last - first + more)
        yield "@@ -{} +{} @@\n".format(*sizes).encode()
        for line in lines:
            yield line if line.endswith(ends) else line + b"\n\\ No newline at end of file\n"
        shift += more


def _find_surroundings(data: bytes, edits: list[Edit]) -> tuple[int, int, int]:
    """Find the lines that a diff can show, all of which end with LF.

    Returns how many lines are before them, where they begin, and where they end.
    """
    begin = min((start for start, _, _ in edits), default=0)
    end = max((last for _, last, _ in edits), default=0)
    for _ in range(_CONTEXT + 1):
        begin = data.rfind(b"\n", 0, max(begin, 0))
        end = data.find(b"\n", end) + 1 or len(data)
    begin += 1
    return data.count(b"\n", 0, begin), begin, end


def _find_hunks(edits: list[Edit], starts: list[int]) -> Iterator[list[_LineGroup]]:
    """Group the changed lines, and join groups that are close together to hunks."""
    hunk: list[_LineGroup] = []
    for edit in sorted(edits, key=lambda edit: edit[:2]):
        first = bisect_right(starts, edit[0]) - 1
        last = bisect_right(starts, max(edit[1] - 1, edit[0]))
        if hunk and first <= hunk[-1].last:
            hunk[-1].last = max(hunk[-1].last, last)
            hunk[-1].edits.append(edit)
            continue
        if hunk and first - hunk[-1].last > 2 * _CONTEXT:
            yield hunk
            hunk = []
        hunk.append(_LineGroup(first, last, [edit]))
    if hunk:
        yield hunk


def _range(first: int, size: int) -> str:
    if size == 1:
        return f"{first + 1}"
    return f"{first + 1 if size else first},{size}"
