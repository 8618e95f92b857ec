"""What is wrong with a document that can still be read: readers note it here and read on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from tlex.algebra import CODES, READINGS
from tlex.document import Document
from tlex.errors import StrictError
from tlex.nouns import Code, Diagnostic
from tlex.source import Source

__all__ = [
    "MOST",
    "Diagnostics",
    "count_unknown_labels",
    "name_reading",
    "raise_first_error",
    "say_unknown",
    "show",
    "suggest_label",
]

MOST = 10_000
"""So many diagnostics with one code are listed; of more, the number is said."""

_LONGEST = 80
_UNKNOWN = re.compile(r" has relation (.+), which no label table for (\w+)s has$")


class Diagnostics:
    """Collects what is wrong with a document: the name and the file are the document's."""

    def __init__(self, name: str, source: Source | None) -> None:
        self.name = name
        self.source = source
        self.has_external_dtd = False  # one that could define entities
        self.found: list[Diagnostic] = []
        self._counts: Counter[Code] = Counter()
        self._unlisted: dict[Code, int] = {}  # the offset of the first one

    def add(self, code: Code, start: int, message: str, hint: str | None = None) -> None:
        """Note what is wrong with the element at a byte offset, and perhaps what would help."""
        self._counts[code] += 1
        if self._counts[code] > MOST:
            self._unlisted.setdefault(code, start)
        else:
            self.found.append(self._describe(code, start, message, hint))

    def _describe(self, code: Code, start: int, message: str, hint: str | None) -> Diagnostic:
        line, column = self.position(start)
        return Diagnostic(
            code=code,
            severity=code.severity,
            line=line,
            column=column,
            message=message,
            hint=hint,
            offset=None if line is None else start,
        )

    def clear(self) -> None:
        """Forget everything."""
        self.found.clear()
        self._counts.clear()
        self._unlisted.clear()

    def copy(self) -> Diagnostics:
        """Give another one with the same diagnostics."""
        other = Diagnostics(self.name, self.source)
        other.found = list(self.found)
        other._counts = self._counts.copy()
        other._unlisted = self._unlisted.copy()
        return other

    def position(self, offset: int) -> tuple[int, int] | tuple[None, None]:
        """Line and column of a byte offset; two Nones where there is no file."""
        if self.source is None or offset < 0:
            return None, None
        return self.source.position(offset)

    def in_order(self) -> tuple[Diagnostic, ...]:
        """Give all diagnostics, by place in the file; one for those that are not listed."""
        more = []
        for code, start in self._unlisted.items():
            message = f"{self._counts[code] - MOST:,} more of this kind are not listed"
            more.append(self._describe(code, start, message, None))
        return tuple(sorted([*self.found, *more], key=lambda problem: problem.offset or 0))


def show(name: str) -> str:
    """Write an id as it stands in a message: bare if it is an ordinary word, else quoted."""
    return name if name.isprintable() and " " not in name and name else repr(name)


def say_unknown(kind: str, link: str, label: str) -> str:
    """Say that no table has the label of a link."""
    return f"{kind} {link} has relation {label!r}, which no label table for {kind}s has"


def count_unknown_labels(messages: Iterable[str]) -> Iterator[str]:
    """Give a line for each kind and label, from what was said of links of unknown type.

    >>> print(*count_unknown_labels([say_unknown("TLINK", "l1", "SOON")]))
    unknown label 'SOON' on 1 TLINK, not used; --labels can say what it means
    >>> print(*count_unknown_labels([say_unknown("TLINK", "l1", "COEX")]))
    unknown label 'COEX' on 1 TLINK, not used; --labels timeset knows it
    >>> print(*count_unknown_labels([say_unknown("TLINK", "l1", "BEFOR")]))
    unknown label 'BEFOR' on 1 TLINK, not used; did you mean BEFORE? --labels can say what it means
    """
    counts: Counter[tuple[str, str]] = Counter()
    others = []
    for message in messages:
        found = _UNKNOWN.search(message)
        if found:
            counts[found[1], found[2]] += 1
        else:  # how many more there are
            others.append(message)
    for (label, kind), number in counts.items():
        used = "still subordinating" if kind == "SLINK" else "not used"
        on = f"{number:,} {kind}{'' if number == 1 else 's'}"
        near = suggest_label(kind, label.strip("'\""))
        hint = f"did you mean {near}? " if near else ""
        known = name_reading(kind, label.strip("'\""))
        yield f"unknown label {label} on {on}, {used}; " + (
            known or f"{hint}--labels can say what it means"
        )
    yield from others


def name_reading(kind: str, label: str) -> str | None:
    """Name a corpus in which a label has a meaning; None if there is none."""
    for name, table in READINGS.items():
        if label.strip().upper() in table.get(kind, ()):
            return f"--labels {name} knows it"
    return None


def suggest_label(kind: str, written: str) -> str | None:
    """Name the label of a kind of link that was probably meant."""
    from difflib import get_close_matches  # noqa: PLC0415 -- only for an error

    near = get_close_matches(written.strip().upper()[:_LONGEST], CODES[kind], 1)
    return near[0] if near else None


def raise_first_error(document: Document, *, labels_only: bool = False) -> None:
    """Raise the first diagnostic of severity ``error``, if there is one: reading was strict.

    With ``labels_only``, only unknown labels count.
    """
    for problem in document.diagnostics:
        if problem.severity == "error" and (not labels_only or problem.code == Code.UNKNOWN_TYPE):
            text = f"{problem.message}; {problem.hint}" if problem.hint else problem.message
            name = f"{document.name}: {problem.source}" if problem.source else document.name
            raise StrictError(text, name=name, line=problem.line, column=problem.column)
